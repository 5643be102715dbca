"""Kernels over pyasc's framework module, each beside what numpy makes of the same data."""

import asc
import asc.lib.runtime as rt
import numpy as np
import pytest
import toprope

ELEMENTS = 2048
CORES = 4
TILE = 128


def pair(dtype=np.float32, elements=ELEMENTS):
    rng = np.random.default_rng(7)
    return [(rng.random(elements) * 100).astype(dtype) for _ in range(2)]


@asc.jit
def add_queues(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int, depth: asc.ConstExpr[int]):
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, depth)
    y_queue = asc.TQue(asc.TPosition.VECIN, depth)
    z_queue = asc.TQue(asc.TPosition.VECOUT, depth)
    pipe.init_buffer(que=x_queue, num=depth, len=TILE * x.dtype.sizeof())
    pipe.init_buffer(que=y_queue, num=depth, len=TILE * x.dtype.sizeof())
    pipe.init_buffer(que=z_queue, num=depth, len=TILE * x.dtype.sizeof())
    first = asc.get_block_idx() * length
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + first, length)
    y_gm.set_global_buffer(y + first, length)
    z_gm.set_global_buffer(z + first, length)
    for i in range(length // TILE):
        x_in = x_queue.alloc_tensor(x.dtype)
        y_in = y_queue.alloc_tensor(x.dtype)
        asc.data_copy(x_in, x_gm[i * TILE:], TILE)
        asc.data_copy(y_in, y_gm[i * TILE:], TILE)
        x_queue.enque(x_in)
        y_queue.enque(y_in)
        x_local = x_queue.deque(x.dtype)
        y_local = y_queue.deque(x.dtype)
        z_local = z_queue.alloc_tensor(x.dtype)
        asc.add(z_local, x_local, y_local, TILE)
        z_queue.enque(z_local)
        x_queue.free_tensor(x_local)
        y_queue.free_tensor(y_local)
        z_out = z_queue.deque(x.dtype)
        asc.data_copy(z_gm[i * TILE:], z_out, TILE)
        z_queue.free_tensor(z_out)


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int32, np.int16])
def test_add_over_queues(dtype, depth):
    x, y = pair(dtype)
    z = np.zeros_like(x)
    add_queues[CORES, rt.current_stream()](x, y, z, ELEMENTS // CORES, depth)
    np.testing.assert_array_equal(z, x + y)


@asc.jit
def scale_in_buffers(x: asc.GlobalAddress, z: asc.GlobalAddress, factor: float):
    pipe = asc.TPipe()
    whole = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buf=whole, num=2 * TILE * x.dtype.sizeof())
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, TILE)
    z_gm.set_global_buffer(z, TILE)
    source = whole.get(x.dtype, TILE)
    result = whole.get_with_offset(TILE, TILE * x.dtype.sizeof(), x.dtype)
    loaded = pipe.fetch_event_id(asc.HardEvent.MTE2_V)
    asc.data_copy(source, x_gm, TILE)
    asc.set_flag(asc.HardEvent.MTE2_V, loaded)
    asc.wait_flag(asc.HardEvent.MTE2_V, loaded)
    asc.muls(result, source, factor, TILE)
    done = pipe.alloc_event_id(asc.HardEvent.V_MTE3)
    asc.set_flag(asc.HardEvent.V_MTE3, done)
    asc.wait_flag(asc.HardEvent.V_MTE3, done)
    pipe.release_event_id(done, asc.HardEvent.V_MTE3)
    asc.data_copy(z_gm, result, TILE)


def test_buffers_and_event_ids():
    x, _ = pair(elements=TILE)
    z = np.zeros_like(x)
    scale_in_buffers[1, rt.current_stream()](x, z, 3.0)
    np.testing.assert_array_equal(z, x * np.float32(3))


@asc.jit
def overrun(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    # 300 KiB are more than the memory of a vector core.
    pipe.init_buffer(que=queue, num=2, len=150 * 1024)


def test_too_much_local_memory_is_an_error_of_the_launch(capfd):
    x, z = pair()
    with pytest.raises(RuntimeError):
        overrun[1, rt.current_stream()](x, z)
    told = capfd.readouterr().err
    assert "TR" in told and "UB" in told, told


@asc.jit
def lost_tensor(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(que=queue, num=1, len=TILE * x.dtype.sizeof())
    first = queue.alloc_tensor(x.dtype)
    second = queue.alloc_tensor(x.dtype)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, TILE)
    asc.data_copy(first, x_gm, TILE)
    asc.data_copy(second, x_gm, TILE)


def test_a_tensor_that_is_not_freed_is_an_error_and_the_next_launch_works(capfd):
    x, z = pair()
    with pytest.raises(RuntimeError):
        lost_tensor[1, rt.current_stream()](x, z)
    assert "AllocTensor" in capfd.readouterr().err
    y, z = pair(), np.zeros(ELEMENTS, np.float32)
    add_queues[CORES, rt.current_stream()](y[0], y[1], z, ELEMENTS // CORES, 1)
    np.testing.assert_array_equal(z, y[0] + y[1])


@asc.jit
def without_flags(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, TILE)
    z_gm.set_global_buffer(z, TILE)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, TILE * x.dtype.sizeof(), TILE)
    asc.data_copy(x_local, x_gm, TILE)
    asc.adds(z_local, x_local, 1.0, TILE)
    asc.data_copy(z_gm, z_local, TILE)


def test_missing_flags_are_findings_that_a_check_raises():
    x, _ = pair(elements=TILE)
    z = np.zeros_like(x)
    with pytest.raises(toprope.FindingsError) as caught:
        with toprope.check():
            without_flags[1, rt.current_stream()](x, z)
    codes = {one.code for one in caught.value.findings}
    assert codes & {"TR0402", "TR0403", "TR0404"}, codes
    assert all(one.place and "input.cce" in one.place for one in caught.value.findings)
    with toprope.check():
        add_queues[CORES, rt.current_stream()](*pair(), np.zeros(ELEMENTS, np.float32), ELEMENTS // CORES, 2)
