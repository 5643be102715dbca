"""Stands in for torch_npu where there is no NPU: tensors with device="npu" live in host memory.

pyasc copies the tensors it is given to the embedded NPU and back, so programs written for `device="npu"` run with a CPU build of torch. Only the
device's name is understood (`"npu"`, `"npu:0"`, `.npu()`; `torch.device("npu")` from torch 2.1 on); no operator runs on an NPU. `torch.npu` has
what such programs ask before they begin, and names what it has not.
Loaded by torch 2.5 and later through the entry point `torch.backends`, else by `import torch_npu` after `toprope.activate()`.
"""

import types


def _is_npu(value) -> bool:
    # A torch.device is asked for its type: before torch 2.1 there is none for npu.
    name = value if isinstance(value, str) else getattr(value, "type", None)
    return isinstance(name, str) and name.partition(":")[0] == "npu"


class _Npu(types.ModuleType):
    """`torch.npu`."""

    def __getattr__(self, name):
        raise AttributeError(f"torch.npu.{name}: the stand-in of toprope does not have it; tensors live in host memory, and pyasc launches kernels")


def _module(torch) -> types.ModuleType:
    npu = _Npu("torch.npu")
    npu.is_available = lambda: True
    npu.device_count = lambda: 1
    npu.current_device = lambda: 0
    npu.set_device = lambda device: None
    npu.synchronize = lambda device=None: None
    npu.empty_cache = lambda: None
    npu.manual_seed = npu.manual_seed_all = torch.manual_seed
    return npu


def install() -> None:
    """Puts the device into torch. Once is enough; more do no harm."""
    import torch
    from torch.overrides import TorchFunctionMode

    if hasattr(torch, "_toprope_npu"):
        return

    class Npu(TorchFunctionMode):
        def __torch_function__(self, func, kinds, args=(), kwargs=None):
            def on_cpu(value):
                return torch.device("cpu") if _is_npu(value) else value

            return func(*map(on_cpu, args), **{name: on_cpu(value) for name, value in (kwargs or {}).items()})

    if hasattr(torch.utils, "rename_privateuse1_backend"):
        # Makes the name one that torch.device knows.
        torch.utils.rename_privateuse1_backend("npu")
    torch._toprope_npu = Npu()
    torch._toprope_npu.__enter__()
    torch.npu = _module(torch)
    if not hasattr(torch.Tensor, "npu"):
        torch.Tensor.npu = lambda self, *args, **kwargs: self
    if not hasattr(torch.Tensor, "nbytes"):
        # Older than torch 2.1.
        torch.Tensor.nbytes = property(lambda self: self.numel() * self.element_size())


try:
    install()
except ImportError:
    # torch itself is being imported, or is not there; whoever loads it calls `install`.
    pass
