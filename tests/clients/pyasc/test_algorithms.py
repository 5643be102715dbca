"""Whole algorithms of the run set: SoftMax, quantisation, interpolation; and what overlaps or leaves a buffer."""

import asc
import asc.lib.runtime as rt
import numpy as np
import pytest
import toprope

ROWS = 8


@asc.jit(insert_sync=True)
def softmax_rows(x: asc.GlobalAddress, z: asc.GlobalAddress, most: asc.GlobalAddress, width: asc.ConstExpr[int], block: asc.ConstExpr[int]):
    count = ROWS * width
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    most_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, count)
    z_gm.set_global_buffer(z, count)
    most_gm.set_global_buffer(most, ROWS * block)
    source = asc.LocalTensorAuto(x.dtype, count)
    result = asc.LocalTensorAuto(x.dtype, count)
    sums = asc.LocalTensorAuto(x.dtype, ROWS * block)
    maxima = asc.LocalTensorAuto(x.dtype, ROWS * block)
    asc.data_copy(source, x_gm, count=count)
    shape = asc.ShapeInfo(asc.array(asc.int32, (ROWS, width)))
    source.set_shape_info(shape)
    result.set_shape_info(shape)
    tiling = asc.adv.SoftmaxTiling()
    asc.adv.softmax(result, sums, maxima, source, tiling)
    asc.data_copy(z_gm, result, count=count)
    asc.data_copy(most_gm, maxima, count=ROWS * block)


@pytest.mark.parametrize("width", [16, 64, 208, 1024])
@pytest.mark.parametrize("dtype, block, tolerance", [(np.float32, 8, 1e-6), (np.float16, 16, 1e-3)])
def test_softmax(dtype, block, tolerance, width):
    rng = np.random.default_rng(5)
    x = (rng.random((ROWS, width)) * 9 - 4).astype(dtype)
    z, most = np.zeros_like(x), np.zeros((ROWS, block), dtype)
    softmax_rows[1, rt.current_stream()](x, z, most, width, block)
    wide = x.astype(np.float64)
    raised = np.exp(wide - wide.max(axis=1, keepdims=True))
    np.testing.assert_allclose(z, raised / raised.sum(axis=1, keepdims=True), atol=tolerance)
    np.testing.assert_array_equal(most, np.repeat(x.max(axis=1, keepdims=True), block, axis=1))


@asc.jit
def sum_onto_its_source(x: asc.GlobalAddress, z: asc.GlobalAddress, stored: int):
    """The second source begins 128 bytes before the destination: the upper half of the sum depends on what the lower half overwrites."""
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 128)
    z_gm.set_global_buffer(z, 64)
    first = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, 64)
    second = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 1024, 64)
    result = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 1024 + 128, 64)
    asc.data_copy(first, x_gm, 64)
    asc.data_copy(second, x_gm[64:], 64)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.add(result, first, second, mask=64, repeat_times=1, repeat_params=asc.BinaryRepeatParams(1, 1, 1, 8, 8, 8))
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm, result, stored)


@pytest.mark.parametrize("stored, also", [(32, set()), (64, {"TR0909"})])
def test_overlapping_operands_are_told_and_the_launch_comes_to_its_end(stored, also):
    x, z = np.arange(128, dtype=np.float32), np.zeros(64, np.float32)
    with pytest.raises(toprope.FindingsError) as caught:
        with toprope.check():
            sum_onto_its_source[1, rt.current_stream()](x, z, stored)
    codes = {one.code for one in caught.value.findings}
    assert {"TR0303"} | also <= codes and ("TR0909" in codes) == bool(also), codes
    np.testing.assert_array_equal(z[:32], x[:32] + x[64:96])


@asc.jit
def whole_tiles(x: asc.GlobalAddress, z: asc.GlobalAddress, tiles: int):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(que=queue, num=1, len=1024)
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    for i in range(tiles):
        loaded = queue.alloc_tensor(x.dtype)
        asc.data_copy(loaded, x_gm[i * 256:], 256)
        queue.enque(loaded)
        taken = queue.deque(x.dtype)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy(z_gm[i * 256:], taken, 256)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        queue.free_tensor(taken)


def test_the_room_behind_an_array_is_a_note():
    """pyasc asks for 512 bytes more than the array has; what goes beyond them is told, and does no harm."""
    x, z = np.arange(1024 + 8, dtype=np.float32), np.zeros(1024 + 8, np.float32)
    with toprope.check() as found:
        whole_tiles[1, rt.current_stream()](x, z, 5)
    np.testing.assert_array_equal(z, x)
    notes = [one for one in found if one.code == "TR0115"]
    assert notes and all(one.severity == "note" for one in notes), found
