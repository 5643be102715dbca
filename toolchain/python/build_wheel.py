"""Builds the wheel `toprope`: the command and its library beside the Python package.

    python build_wheel.py                                       # compiles the release build first
    python build_wheel.py --command PATH --library PATH         # takes binaries that are there

The wheel fits every Python 3 (it holds no extension module), the processor of this machine, and every Linux whose C library is at
least as new as the one the binaries ask for: that is what its name says (py3-none-manylinux_2_N_ARCH), so that PyPI takes it.
"""

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# Names the wheel: setuptools would call it one of this Python's version.
SETUP = """\
from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class Binary(Distribution):
    def has_ext_modules(self):
        return True


class AnyPython(bdist_wheel):
    def get_tag(self):
        return "py3", "none", "{platform}"


setup(distclass=Binary, cmdclass={{"bdist_wheel": AnyPython}})
"""


def main() -> None:
    options = arguments()
    metadata = json.loads(
        subprocess.check_output(["cargo", "metadata", "--format-version", "1", "--no-deps", "--locked"], cwd=ROOT)
    )
    check_version(metadata)
    binaries = [options.command, options.library]
    if not all(binaries):
        subprocess.check_call(["cargo", "build", "--release", "--locked"], cwd=ROOT)
        release = Path(metadata["target_directory"]) / "release"
        binaries = [release / "toprope", release / "libascendcl.so"]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(HERE, tree, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info", "bin"))
        for path in ROOT.glob("LICENSE-*"):
            shutil.copy2(path, tree)
        inside = tree / "toprope" / "bin"
        inside.mkdir()
        for path, name in zip(binaries, ["toprope", "libascendcl.so"]):
            shutil.copy2(path, inside / name)
        (tree / "setup.py").write_text(SETUP.format(platform=platform_tag(inside)))
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", str(options.output), str(tree)]
        subprocess.check_call(command + ["--no-build-isolation"] * options.no_build_isolation)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", nargs="?", type=Path, default=ROOT / "target" / "wheel", help="folder for the wheel")
    parser.add_argument("--command", type=Path, help="the command `toprope`; with --library, nothing is compiled")
    parser.add_argument("--library", type=Path, help="libascendcl.so of the same build")
    parser.add_argument("--no-build-isolation", action="store_true", help="use the setuptools that is installed")
    options = parser.parse_args()
    if (options.command is None) != (options.library is None):
        parser.error("--command and --library belong together: both or neither")
    options.output = options.output.resolve()
    return options


def check_version(metadata: dict) -> None:
    """The package has the version of the command in it."""
    ours = re.search(r'^version = "(.*)"$', (HERE / "pyproject.toml").read_text(), re.MULTILINE)[1]
    theirs = next(one["version"] for one in metadata["packages"] if one["name"] == "toprope-toolchain")
    if ours != theirs:
        sys.exit(f"pyproject.toml has version {ours}, the workspace {theirs}: make them the same")


def platform_tag(binaries: Path) -> str:
    """manylinux with the newest version of glibc that a symbol of the binaries asks for."""
    asked = (int(n) for path in binaries.iterdir() for n in re.findall(rb"GLIBC_2\.(\d+)\0", path.read_bytes()))
    # The platform began with 2.17 on aarch64, and pip knows none below 2.5.
    return f"manylinux_2_{max(asked, default=17)}_{platform.machine()}"


if __name__ == "__main__":
    main()
