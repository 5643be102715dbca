"""What users get wrong beside the kernel: each is told in words, and the next launch works."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import asc
import asc.lib.runtime as rt
import numpy as np
import pytest

TILE = 128
HERE = Path(__file__).parent


@asc.jit
def twice(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    pipe = asc.TPipe()
    inside = asc.TQue(asc.TPosition.VECIN, 1)
    outside = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(que=inside, num=1, len=TILE * x.dtype.sizeof())
    pipe.init_buffer(que=outside, num=1, len=TILE * x.dtype.sizeof())
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    loaded = inside.alloc_tensor(x.dtype)
    asc.data_copy(loaded, x_gm, length)
    inside.enque(loaded)
    source = inside.deque(x.dtype)
    result = outside.alloc_tensor(x.dtype)
    asc.add(result, source, source, length)
    outside.enque(result)
    inside.free_tensor(source)
    stored = outside.deque(x.dtype)
    asc.data_copy(z_gm, stored, length)
    outside.free_tensor(stored)


def works():
    x, z = np.arange(TILE, dtype=np.float32), np.zeros(TILE, np.float32)
    twice[1, rt.current_stream()](x, z, TILE)
    np.testing.assert_array_equal(z, 2 * x)


@asc.jit
def double(z: asc.GlobalAddress):
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)


def test_a_name_that_cpp_has_already():
    with pytest.raises(RuntimeError, match=r"(?s)input\.cce:2:\d+: error: .*double"):
        double[1, rt.current_stream()](np.zeros(8, np.float32))
    works()


@asc.jit
def with_a_try(z: asc.GlobalAddress):
    try:
        pass
    except ValueError:
        pass


@asc.jit
def with_a_name_that_is_not_there(z: asc.GlobalAddress):
    nobody_defined_this(z)  # noqa: F821


@pytest.mark.parametrize(
    "kernel, words",
    [(with_a_try, r"(?s)at <source>:\d+.*Try"), (with_a_name_that_is_not_there, r"(?s)at <source>:\d+.*nobody_defined_this")],
)
def test_python_that_pyasc_does_not_take(kernel, words):
    with pytest.raises(Exception, match=words):
        kernel[1, rt.current_stream()](np.zeros(8, np.float32))
    works()


def test_a_type_that_the_instruction_does_not_have():
    """pyasc knows itself that there is no Add of uint8."""
    x = np.zeros(TILE, np.uint8)
    with pytest.raises(Exception, match=r"(?s)at <source>:\d+.*Invalid dst data type, got uint8"):
        twice[1, rt.current_stream()](x, np.zeros_like(x), TILE)
    works()


@asc.jit
def hyperbolic(z: asc.GlobalAddress):
    x = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, TILE)
    y = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 1024, TILE)
    asc.adv.tanh(y, x, TILE)


def test_what_toprope_does_not_have_is_refused_by_the_launch(capfd):
    with pytest.raises(RuntimeError):
        hyperbolic[1, rt.current_stream()](np.zeros(8, np.float32))
    told = capfd.readouterr().err
    assert "TR1101" in told and "Tanh: is not in toprope yet" in told, told
    works()


def test_an_array_with_gaps():
    """pyasc takes the elements of the view (and writes them back without its gaps, docs/pyasc.md says so)."""
    x, z = np.arange(2 * TILE, dtype=np.float32)[::2], np.zeros(TILE, np.float32)
    before = x.copy()
    twice[1, rt.current_stream()](x, z, TILE)
    np.testing.assert_array_equal(z, 2 * before)
    works()


def test_a_length_that_does_not_fit_the_tile(capfd):
    """More elements than the queues' buffers hold."""
    x, z = np.arange(4 * TILE, dtype=np.float32), np.zeros(4 * TILE, np.float32)
    try:
        twice[1, rt.current_stream()](x, z, 4 * TILE)
    except RuntimeError:
        pass
    told = capfd.readouterr().err
    assert "beyond the end of its buffer of" in told and "TQue" in told, told
    works()


@asc.jit
def all_wait(z: asc.GlobalAddress):
    asc.sync_all()


def test_a_barrier_of_more_blocks_than_cores(capfd):
    with pytest.raises(RuntimeError):
        all_wait[100, rt.current_stream()](np.zeros(8, np.float32))
    told = capfd.readouterr().err
    assert "TR06" in told and "100" in told, told
    works()


@asc.jit
def many_buffers(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    inside = asc.TQue(asc.TPosition.VECIN, 2)
    pipe.init_buffer(que=inside, num=2, len=40 * 1024)
    outside = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(que=outside, num=2, len=40 * 1024)
    work = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buf=work, num=60 * 1024)


def test_buffers_that_do_not_fit_are_listed(capfd):
    with pytest.raises(RuntimeError):
        many_buffers[1, rt.current_stream()](np.zeros(8, np.float32))
    told = capfd.readouterr().err
    # The generated source has numbers for names; its lines say which call it is.
    assert "TR0204" in told and told.count("81920") >= 2 and "61440" in told and "input.cce" in told, told
    works()


def script(text, **variables):
    """A process of its own that runs one.py after `text`: its exit code, and what it said."""
    file = Path(variables.pop("HOME_OF_TEST")) / "one_more.py"
    file.write_text(f"import sys\nsys.argv = ['one.py', 'Model']\n{text}\n" + (HERE / "one.py").read_text())
    environment = {**os.environ, **variables}
    done = subprocess.run([sys.executable, str(file)], env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def test_no_prefix(tmp_path):
    code, said = script("import os; del os.environ['ASCEND_HOME_PATH']", HOME_OF_TEST=str(tmp_path))
    assert code != 0 and "ASCEND_HOME_PATH" in said, said


def test_a_prefix_that_is_none(tmp_path):
    code, said = script("", HOME_OF_TEST=str(tmp_path), ASCEND_HOME_PATH=str(tmp_path / "nothing"), PYASC_CACHE_DIR=str(tmp_path / "cache"))
    assert code != 0 and "rt.h" in said and "Runtime library is not available" in said, said


def test_no_compiler(tmp_path):
    missing = str(tmp_path / "bisheng")
    code, said = script("", HOME_OF_TEST=str(tmp_path), PYASC_COMPILER=missing, PYASC_CACHE_DIR=str(tmp_path / "cache"))
    assert code != 0 and ("bisheng" in said or "compiler" in said.lower()), said


def test_a_process_that_is_ended_during_a_run(tmp_path):
    """SIGTERM while a kernel does not end: the process ends, and what it shared with others (caches, report) stays usable."""
    file = tmp_path / "endless.py"
    file.write_text(ENDLESS)
    with subprocess.Popen([sys.executable, str(file)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
        assert child.stdout.readline().strip() == "begins"
        time.sleep(1.0)
        assert child.poll() is None, "it runs until it is ended"
        child.send_signal(signal.SIGTERM)
        said, _ = child.communicate(timeout=60)
    assert child.returncode != 0, said
    code, said = script("", HOME_OF_TEST=str(tmp_path))
    assert code == 0 and "PASS" in said, said
    works()


ENDLESS = '''
import asc
import asc.lib.runtime as rt
import asc.runtime.config as config
import numpy as np


@asc.jit
def endless(z: asc.GlobalAddress, n: int):
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, 8)
    while n > 0:
        z_gm.set_value(0, 1.0)


config.set_platform(config.Backend.Model)
print("begins", flush=True)
endless[1, rt.current_stream()](np.zeros(8, np.float32), 1)
'''
