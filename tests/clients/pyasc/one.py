"""One kernel, started as a user's script: `python one.py Model`, in the environment of `toprope env`."""

import sys

import asc
import asc.lib.runtime as rt
import asc.runtime.config as config
import numpy as np


@asc.jit
def negate(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int):
    pipe = asc.TPipe()
    inside = asc.TQue(asc.TPosition.VECIN, 1)
    outside = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(que=inside, num=1, len=length * x.dtype.sizeof())
    pipe.init_buffer(que=outside, num=1, len=length * x.dtype.sizeof())
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, length)
    z_gm.set_global_buffer(z, length)
    loaded = inside.alloc_tensor(x.dtype)
    asc.data_copy(loaded, x_gm, length)
    inside.enque(loaded)
    source = inside.deque(x.dtype)
    result = outside.alloc_tensor(x.dtype)
    asc.muls(result, source, -1.0, length)
    outside.enque(result)
    inside.free_tensor(source)
    stored = outside.deque(x.dtype)
    asc.data_copy(z_gm, stored, length)
    outside.free_tensor(stored)


config.set_platform(config.Backend(sys.argv[1]))
x = np.arange(256, dtype=np.float32)
z = np.zeros_like(x)
negate[1, rt.current_stream()](x, z, 256)
assert (z == -x).all(), z
print("PASS")
