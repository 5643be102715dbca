"""A kernel from pyasc's cache: `stale.py FOLDER` launches it, `stale.py FOLDER KIND` damages what is kept of it first."""

import os
import pathlib
import pickle
import sys

import toprope

toprope.activate()
cache = pathlib.Path(sys.argv[1])
os.environ["PYASC_CACHE_DIR"] = str(cache)

from test_checked import launch, ordered  # noqa: E402: after the environment is set

DAMAGES = {
    "flipped": lambda b: b[:5000] + bytes([b[5000] ^ 1]) + b[5001:],
    "truncated": lambda b: b[: len(b) // 2],
    "another ELF": lambda b: pathlib.Path(sys.executable).read_bytes(),
    "text": lambda b: b"hello",
}
if len(sys.argv) > 2:
    (kept,) = cache.glob("*/ordered.o")
    kernel = pickle.loads(kept.read_bytes())
    object.__setattr__(kernel, "binary", DAMAGES[sys.argv[2]](kernel.binary))
    kept.write_bytes(pickle.dumps(kernel))
x, z = launch(ordered)
assert (z == 2 * x).all()
print("PASS")
