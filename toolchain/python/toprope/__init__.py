"""The embedded NPU of toprope for Python programs.

    import toprope
    toprope.activate()                # before pyasc is imported; `eval "$(toprope env)"` does the same for a shell
    with toprope.check():             # raises FindingsError if a launch inside did something wrong
        kernel[8](x, y, z, length)

Findings come from the report that the runtime writes (TOPROPE_REPORT); `activate` chooses a file if none is chosen.
Not done here: real NPUs (there is nothing to check with), Windows, macOS.
"""

from .env import activate, environment, program
from .findings import Finding, FindingsError, check, findings

__all__ = ["Finding", "FindingsError", "activate", "check", "environment", "findings", "program"]
