"""What kernels print: in the order of the blocks, each block's text together, with the values of tensors as they were."""

import asc
import asc.lib.runtime as rt
import numpy as np


@asc.jit
def show(x: asc.GlobalAddress, length: int):
    asc.printf("block %d of %d, %f\\n", asc.get_block_idx(), length, 1.5)
    x_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    pipe = asc.TPipe()
    queue = asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(que=queue, num=1, len=256)
    loaded = queue.alloc_tensor(x.dtype)
    asc.data_copy(loaded, x_gm, 64)
    queue.enque(loaded)
    taken = queue.deque(x.dtype)
    asc.dump_tensor(taken, 7, 8)
    asc.dump_tensor(x_gm, 8, 8)
    queue.free_tensor(taken)


def test_text_and_tensors(capfd):
    x = np.arange(64, dtype=np.int32)
    show[2, rt.current_stream()](x, 64)
    lines = capfd.readouterr().out.splitlines()
    blocks = [line for line in lines if line.startswith("block")]
    assert blocks == ["block 0 of 64, 1.500000", "block 1 of 64, 1.500000"], lines
    for desc, position in [(7, "UB"), (8, "GM")]:
        heads = [i for i, line in enumerate(lines) if line.startswith(f"DumpTensor: desc={desc}, ")]
        assert len(heads) == 2, lines
        for head in heads:
            assert f"data_type=int32, position={position}, dump_size=8" in lines[head], lines[head]
            assert lines[head + 1] == "[0, 1, 2, 3, 4, 5, 6, 7]", lines[head + 1]


@asc.jit
def quiet(x: asc.GlobalAddress):
    asc.printf("nothing here: %d%%\\n", 100)


def test_a_percent_sign_and_no_tensor(capfd):
    quiet[1, rt.current_stream()](np.zeros(8, np.int32))
    assert "nothing here: 100%" in capfd.readouterr().out
