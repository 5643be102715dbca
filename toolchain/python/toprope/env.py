"""Where the command is, and the environment it prints."""

import ctypes
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import torch_stand_in

_SEPARATOR = os.pathsep


def program() -> str:
    """Path of the `toprope` command: TOPROPE_COMMAND, the one in this package, else the first in PATH."""
    chosen = os.environ.get("TOPROPE_COMMAND")
    inside = Path(__file__).parent / "bin" / "toprope"
    for path in (chosen, str(inside)):
        if path and os.access(path, os.X_OK):
            return path
    found = shutil.which("toprope")
    # A script is this package's own entry point, which would come back here.
    if found is None or Path(found).read_bytes()[:2] == b"#!":
        raise FileNotFoundError(
            "the command `toprope` is neither in this package nor in PATH\n"
            "  help: install the wheel `toprope`, or set TOPROPE_COMMAND to target/release/toprope"
        )
    return found


def environment(base=None) -> dict:
    """`base` (os.environ) with the variables that `toprope env` sets. Makes the prefix if it is not there.

    Raises FileNotFoundError without a command, RuntimeError with its words if it fails.
    """
    done = subprocess.run([program(), "env", "--format", "json"], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"`{program()} env` failed (code {done.returncode}):\n{done.stderr}")
    data = json.loads(done.stdout)
    result = dict(os.environ if base is None else base)
    result.update(data["set"])
    for name, folder in data["put_first"].items():
        rest = [part for part in result.get(name, "").split(_SEPARATOR) if part and part != folder]
        result[name] = _SEPARATOR.join([folder, *rest])
    return result


def activate() -> Path:
    """Sets the environment of this process and loads the runtime; returns the prefix. Again does no harm.

    The loader reads LD_LIBRARY_PATH when a process starts. A library that is loaded already is found by its name, so libraries that
    pyasc links against the prefix find the runtime all the same.
    """
    os.environ.update(environment())
    if "TOPROPE_REPORT" not in os.environ:
        folder = tempfile.mkdtemp(prefix="toprope-")
        os.environ["TOPROPE_REPORT"] = str(Path(folder) / "report.json")
    torch_stand_in.offer()
    prefix = Path(os.environ["ASCEND_HOME_PATH"])
    ctypes.CDLL(str(prefix / "lib64" / "libascendcl.so"), mode=ctypes.RTLD_GLOBAL)
    return prefix
