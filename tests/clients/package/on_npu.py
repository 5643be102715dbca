"""Tensors of torch with device="npu", through the stand-in for torch_npu: `python on_npu.py`."""

import toprope

toprope.activate()

import asc.lib.runtime as rt  # noqa: E402: after the environment is set
import torch  # noqa: E402
import torch_npu  # noqa: E402, F401
from test_checked import TILE, ordered  # noqa: E402

assert torch.npu.is_available() and torch.npu.device_count() == 1
x = torch.arange(TILE, dtype=torch.float32, device="npu:0")
z = torch.zeros(TILE, device="cpu").npu().to("npu")
ordered[1, rt.current_stream()](x, z)
assert torch.equal(z.cpu(), 2 * x), z
try:
    torch.npu.Stream()
except AttributeError as told:
    assert "torch.npu.Stream: the stand-in of toprope does not have it" in str(told)
else:
    raise AssertionError("the stand-in has no streams")
print("PASS")
