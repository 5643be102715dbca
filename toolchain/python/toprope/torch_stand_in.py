"""Makes `device="npu"` work with a CPU build of torch where no torch_npu is installed: see `stand_in/torch_npu`.

The module torch_npu is not in the list of this package's modules, because it would take the place of a real one. It lies in a folder of
its own, which is put last in `sys.path` when no other torch_npu is found.
"""

import importlib.util
import sys
from pathlib import Path

_FOLDER = str(Path(__file__).parent / "stand_in")


def offer() -> bool:
    """Makes `import torch_npu` find the stand-in if it finds nothing else; is it what would be found?"""
    if importlib.util.find_spec("torch_npu") is None:
        sys.path.append(_FOLDER)
    return _FOLDER in sys.path


def autoload() -> None:
    """What torch calls at the end of its own import (entry point `torch.backends`)."""
    if offer():
        import torch_npu

        torch_npu.install()
