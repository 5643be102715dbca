"""Stands in for torch_npu where there is no NPU: tensors with device="npu" live in host memory.

pyasc copies the tensors it is given to the embedded NPU and back, so programs written for `device="npu"` run with a CPU build of torch. Only the
device's name is understood; no operator runs on an NPU, `torch.npu` has what such programs ask before they begin.
Loaded by torch through the entry point `torch.backends`, or by `import torch_npu`.
"""

import types


def _on_cpu(value):
    if isinstance(value, str) and value.split(":")[0] == "npu":
        return "cpu"
    return value


def _install() -> None:
    import torch
    from torch.overrides import TorchFunctionMode

    if getattr(torch, "_toprope_npu", None) is not None:
        return

    class Npu(TorchFunctionMode):
        def __torch_function__(self, func, kinds, args=(), kwargs=None):
            kwargs = {name: _on_cpu(value) for name, value in (kwargs or {}).items()}
            return func(*map(_on_cpu, args), **kwargs)

    mode = Npu()
    mode.__enter__()
    torch._toprope_npu = mode
    npu = types.ModuleType("torch.npu")
    npu.is_available = lambda: True
    npu.device_count = lambda: 1
    npu.current_device = lambda: 0
    npu.set_device = lambda device: None
    npu.synchronize = lambda device=None: None
    npu.empty_cache = lambda: None
    npu.manual_seed = torch.manual_seed
    torch.npu = npu
    if not hasattr(torch.Tensor, "npu"):
        torch.Tensor.npu = lambda self, *args, **kwargs: self
    if not hasattr(torch.Tensor, "nbytes"):
        # Older than torch 2.1.
        torch.Tensor.nbytes = property(lambda self: self.numel() * self.element_size())


def _autoload() -> None:
    """What torch calls at the end of its own import."""
    _install()


try:
    _install()
except ImportError:
    # torch itself is being imported, or is not there; `_autoload` comes later.
    pass
