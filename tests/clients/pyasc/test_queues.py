"""The rest of pyasc's framework module: tensors as out-parameters, positions of the user, what a queue tells, pools, and its errors."""

import asc
import asc.lib.runtime as rt
import numpy as np
import pytest

TILE = 128


def launch(kernel, *arguments, blocks=1):
    kernel[blocks, rt.current_stream()](*arguments)


def floats(count=TILE):
    return np.arange(count, dtype=np.float32)


@asc.jit
def out_parameters(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    inside = asc.TQue(asc.TPosition.VECIN, 1)
    outside = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(que=inside, num=1, len=TILE * x.dtype.sizeof())
    pipe.init_buffer(que=outside, num=1, len=TILE * x.dtype.sizeof())
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, TILE)
    z_gm.set_global_buffer(z, TILE)
    loaded = asc.LocalTensor(x.dtype)
    inside.alloc_tensor(loaded)
    asc.data_copy(loaded, x_gm, TILE)
    inside.enque(loaded)
    source = asc.LocalTensor(x.dtype)
    inside.deque(source)
    result = asc.LocalTensor(x.dtype)
    outside.alloc_tensor(result)
    asc.adds(result, source, 2.0, TILE)
    outside.enque(result)
    inside.free_tensor(source)
    stored = asc.LocalTensor(x.dtype)
    outside.deque(stored)
    asc.data_copy(z_gm, stored, TILE)
    outside.free_tensor(stored)


@asc.jit
def what_a_queue_tells(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 2)
    pipe.init_buffer(que=queue, num=2, len=TILE * 4)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, 8)
    if queue.has_idle_buffer():
        z_gm.set_value(0, 1)
    if queue.vacant_in_que():
        z_gm.set_value(1, 1)
    if queue.has_tensor_in_que():
        z_gm.set_value(2, 1)
    first = queue.alloc_tensor(asc.int32)
    asc.duplicate(first, 5, TILE)
    queue.enque(first)
    z_gm.set_value(3, queue.get_tensor_count_in_que())
    if queue.has_tensor_in_que():
        z_gm.set_value(4, 1)
    second = queue.alloc_tensor(asc.int32)
    if queue.has_idle_buffer():
        z_gm.set_value(5, 1)
    queue.free_tensor(second)
    taken = queue.deque(asc.int32)
    queue.free_tensor(taken)
    z_gm.set_value(6, queue.get_tensor_count_in_que())
    asc.data_cache_clean_and_invalid(entire_type=asc.CacheLine.ENTIRE_DATA_CACHE, dst=z_gm)


def test_what_a_queue_tells():
    z = np.zeros(8, np.int32)
    launch(what_a_queue_tells, z)
    assert z.tolist() == [1, 1, 0, 1, 1, 0, 0, 0]


@asc.jit
def one_pool_after_another(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    whole = asc.TBufPool(asc.TPosition.VECCALC, 4)
    pipe.init_buf_pool(whole, 4 * TILE * 4)
    first = asc.TBufPool(asc.TPosition.VECCALC, 4)
    second = asc.TBufPool(asc.TPosition.VECCALC, 4)
    whole.init_buf_pool(first, 2 * TILE * 4)
    whole.init_buf_pool(second, 2 * TILE * 4, first)
    inside = asc.TQue(asc.TPosition.VECIN, 1)
    outside = asc.TQue(asc.TPosition.VECOUT, 1)
    first.init_buffer(que=inside, num=1, len=TILE * 4)
    first.init_buffer(que=outside, num=1, len=TILE * 4)
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, TILE)
    z_gm.set_global_buffer(z, 2 * TILE)
    loaded = inside.alloc_tensor(x.dtype)
    asc.data_copy(loaded, x_gm, TILE)
    inside.enque(loaded)
    source = inside.deque(x.dtype)
    result = outside.alloc_tensor(x.dtype)
    asc.muls(result, source, 2.0, TILE)
    outside.enque(result)
    inside.free_tensor(source)
    stored = outside.deque(x.dtype)
    asc.data_copy(z_gm, stored, TILE)
    outside.free_tensor(stored)
    first.reset()
    # The second pool shares the memory of the first.
    again = asc.TBuf(asc.TPosition.VECCALC)
    second.init_buffer(buf=again, len=TILE * 4)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    filled = again.get(x.dtype)
    asc.duplicate(filled, 7.0, TILE)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm[TILE:], filled, TILE)
    second.reset()


def test_pools_that_share_memory():
    x, z = floats(), np.zeros(2 * TILE, np.float32)
    launch(one_pool_after_another, x, z)
    np.testing.assert_array_equal(z, np.concatenate([2 * x, np.full(TILE, 7, np.float32)]))


@asc.jit
def reset_and_again(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    first = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buf=first, num=128 * 1024)
    pipe.reset()
    # More than UB has beside the first buffer.
    second = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buf=second, num=128 * 1024)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, TILE)
    filled = second.get(z.dtype, TILE)
    asc.duplicate(filled, 3.0, TILE)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm, filled, TILE)
    pipe.destroy()


def test_a_pipe_gives_its_memory_back():
    z = np.zeros(TILE, np.float32)
    launch(reset_and_again, z)
    assert (z == 3).all()


@asc.jit
def offset_between_blocks(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    whole = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buf=whole, num=1024)
    whole.get_with_offset(16, 20, asc.float32)


@asc.jit
def second_pipe(z: asc.GlobalAddress):
    asc.TPipe()
    asc.TPipe()


@asc.jit
def pipe_before_it_is(z: asc.GlobalAddress):
    asc.get_tpipe_ptr()


@asc.jit
def bind_in_a_pipe(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    bind = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(que=bind, num=1, len=256)


@asc.jit
def free_all_events(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(que=queue, num=1, len=256)
    queue.free_all_event()


@asc.jit
def no_data_type(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(que=queue, num=1, len=256)
    queue.alloc_tensor(7)


@pytest.mark.parametrize(
    "kernel, words",
    [
        (offset_between_blocks, "32B"),
        (second_pipe, "already created"),
        (pipe_before_it_is, "not initialized"),
        # Of pyasc 1.1.1: only TQue and TBuf go into InitBuffer, and its builder lacks FreeAllEvent.
        (bind_in_a_pipe, "No viable candidates"),
        (free_all_events, "FreeAllEvent"),
        (no_data_type, "No viable candidates"),
    ],
)
def test_what_pyasc_refuses_itself(kernel, words):
    """Its message arrives, and the next kernel works."""
    with pytest.raises(Exception, match=words):
        launch(kernel, np.zeros(TILE, np.float32))
    test_a_pipe_gives_its_memory_back()


@asc.jit
def too_many_tensors(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(que=queue, num=1, len=256)
    queue.alloc_tensor(asc.float32)
    queue.alloc_tensor(asc.float32)


@asc.jit
def dequeued_from_nothing(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(que=queue, num=1, len=256)
    queue.deque(asc.float32)


@asc.jit
def freed_twice(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(que=queue, num=1, len=256)
    tensor = queue.alloc_tensor(asc.float32)
    queue.free_tensor(tensor)
    queue.free_tensor(tensor)


@asc.jit
def pool_too_small(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    pool = asc.TBufPool(asc.TPosition.VECCALC, 4)
    pipe.init_buf_pool(pool, 1024)
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pool.init_buffer(buf=buffer, len=2048)


@pytest.mark.parametrize(
    "kernel, words",
    [
        (too_many_tensors, "AllocTensor"),
        (dequeued_from_nothing, "DeQue"),
        (freed_twice, "FreeTensor"),
        (pool_too_small, "InitBuffer"),
    ],
)
def test_what_the_framework_refuses(kernel, words, capfd):
    """The finding names the call, and the state stays usable."""
    try:
        launch(kernel, np.zeros(TILE, np.float32))
    except RuntimeError:
        pass
    told = capfd.readouterr().err
    assert words in told and "error: [TR" in told, told
    test_a_pipe_gives_its_memory_back()


def test_tensors_as_out_parameters():
    x, z = floats(), np.zeros(TILE, np.float32)
    launch(out_parameters, x, z)
    np.testing.assert_array_equal(z, x + 2)


@asc.jit
def positions_of_the_user(x: asc.GlobalAddress, z: asc.GlobalAddress):
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(que=queue, num=1, len=TILE * x.dtype.sizeof())
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, TILE)
    z_gm.set_global_buffer(z, TILE)
    loaded = queue.alloc_tensor(x.dtype)
    asc.data_copy(loaded, x_gm, TILE)
    queue.enque(loaded, asc.TPosition.GM, asc.TPosition.VECIN)
    source = queue.deque(x.dtype, asc.TPosition.GM, asc.TPosition.VECIN)
    result = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 64 * 1024, TILE)
    asc.adds(result, source, 1.0, TILE)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(z_gm, result, TILE)
    queue.free_tensor(source)


def test_positions_of_the_user():
    x, z = floats(), np.zeros(TILE, np.float32)
    launch(positions_of_the_user, x, z)
    np.testing.assert_array_equal(z, x + 1)


@asc.jit
def found_again(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    pipe.destroy()
    pipe.init()
    buffer = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(buf=buffer, num=TILE * 4)
    same = asc.get_tpipe_ptr()
    event = same.alloc_event_id(asc.HardEvent.V_MTE3)
    filled = buffer.get(z.dtype)
    asc.duplicate(filled, 2.0, TILE)
    asc.set_flag(asc.HardEvent.V_MTE3, event)
    asc.wait_flag(asc.HardEvent.V_MTE3, event)
    same.release_event_id(event, asc.HardEvent.V_MTE3)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z, TILE)
    asc.data_copy(z_gm, filled, TILE)


@asc.jit
def base_address(z: asc.GlobalAddress):
    pipe = asc.TPipe()
    pipe.get_base_addr(asc.TPosition.VECCALC)


def test_a_call_that_pyasc_writes_wrongly():
    """pyasc 1.1.1 leaves the argument of GetBaseAddr out. The words of the compiler arrive, with the line of the generated source."""
    with pytest.raises(RuntimeError, match=r"(?s)input\.cce:\d+:\d+: error: .*GetBaseAddr.*\d+ \|"):
        launch(base_address, np.zeros(TILE, np.float32))


def test_the_pipe_is_found_again():
    z = np.zeros(TILE, np.float32)
    launch(found_again, z)
    assert (z == 2).all()
