"""Builds the wheel `toprope` with the release build of the command and the library: python build_wheel.py [OUTPUT_FOLDER]."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def main() -> None:
    output = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target" / "wheel").resolve()
    subprocess.check_call(["cargo", "build", "--release", "--locked"], cwd=ROOT)
    metadata = subprocess.check_output(["cargo", "metadata", "--format-version", "1", "--no-deps"], cwd=ROOT)
    release = Path(json.loads(metadata)["target_directory"]) / "release"
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(HERE, tree, ignore=shutil.ignore_patterns("__pycache__", "tests"))
        binaries = tree / "toprope" / "bin"
        binaries.mkdir()
        for name in ("toprope", "libascendcl.so"):
            shutil.copy2(release / name, binaries / name)
        # Binaries of this machine: the wheel's name has to say so.
        (tree / "setup.py").write_text(
            "from setuptools import Distribution, setup\n\n\n"
            "class Binary(Distribution):\n"
            "    def has_ext_modules(self):\n"
            "        return True\n\n\n"
            "setup(distclass=Binary)\n"
        )
        subprocess.check_call([sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(output), str(tree)])


if __name__ == "__main__":
    main()
