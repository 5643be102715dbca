"""Run by package.rs with `pytest --toprope`: which of these pass, and what is said of those that do not, is asserted there."""

import os

import asc
import asc.lib.runtime as rt
import asc.runtime.config as config
import numpy as np
import pytest
import toprope

TILE = 128
# pyasc takes one per process.
config.set_platform(config.Backend(os.environ.get("BACKEND", "Model")))


@asc.jit
def ordered(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, TILE)
    z_gm.set_global_buffer(z, TILE)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, TILE * x.dtype.sizeof(), TILE)
    asc.data_copy(x_local, x_gm, TILE)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.muls(z_local, x_local, 2.0, TILE)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, TILE)


@asc.jit
def unordered(x: asc.GlobalAddress, z: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, TILE)
    z_gm.set_global_buffer(z, TILE)
    x_local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    z_local = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, TILE * x.dtype.sizeof(), TILE)
    asc.data_copy(x_local, x_gm, TILE)
    asc.muls(z_local, x_local, 2.0, TILE)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(z_gm, z_local, TILE)


def launch(kernel):
    x = np.arange(TILE, dtype=np.float32)
    z = np.zeros_like(x)
    kernel[1, rt.current_stream()](x, z)
    return x, z


@pytest.fixture
def launched():
    return launch(unordered)


def test_right():
    x, z = launch(ordered)
    np.testing.assert_array_equal(z, 2 * x)


def test_wrong():
    launch(unordered)


# The same finding again: it belongs to this test too.
def test_wrong_again():
    launch(unordered)


def test_wrong_in_fixture(launched):
    pass


def test_wrong_and_failed():
    launch(unordered)
    assert False, "its own words"


@pytest.mark.toprope_allow("TR0402", "TR0403", "TR0404", reason="the order is under test")
def test_allowed():
    launch(unordered)


def test_checked_inside():
    with toprope.check(deny="error") as found:
        x, z = launch(ordered)
    assert found == []
    for _ in range(2):
        with pytest.raises(toprope.FindingsError) as caught, toprope.check() as found:
            launch(unordered)
        assert found and caught.value.findings == [one for one in found if one.is_at_least("error")]
        assert all(one.kernel == "unordered" and one.place for one in found)
    with pytest.raises(ValueError, match="note, warning, error"), toprope.check(deny="all"):
        pass


# What was raised inside of a check has been found all the same.
test_checked_inside = pytest.mark.toprope_allow("TR0402", "TR0403", "TR0404", reason="caught above")(test_checked_inside)
