//! The Python package of `toolchain/python` as its users get it: built as a wheel, installed in a fresh virtual environment, with pyasc from PyPI.
//!
//! The wheel holds the binaries under test. Not here: torch is not needed in CI; where a Python of the machine has it,
//! [`tensors_on_the_npu_of_the_stand_in`] uses it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::CLIENTS;
use crate::support::{Shell, TOPROPE, have};
use toprope_toolchain::compile::runtime_lib::RuntimeLibrary;

const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../toolchain/python");
/// pyasc: the version whose calls the prefix is made for. setuptools: what the wheel is built with.
const PACKAGES: &str = "pyasc==1.1.1 numpy pytest 'setuptools>=77' wheel";

/// The folder in which a virtual environment `venv` has the package and pyasc; `None` where packages cannot be had (never in CI).
pub fn installed() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    FOLDER.get_or_init(|| install("python3", "")).as_deref()
}

/// Makes a virtual environment of `python` and installs the wheel there.
fn install(python: &str, options: &str) -> Option<PathBuf> {
    if !have("python3", "python3") || !have("g++", "g++") {
        return None;
    }
    // Kept for all tests; cargo's target directory is where temporary things of suites go.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("package-{}", python.replace('/', "_")));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target directory can be written");
    let shell = Shell::at(&folder);
    // The command that the wheel gets finds its library as users' commands do: beside itself.
    let library =
        RuntimeLibrary::beside(Path::new(TOPROPE)).expect("cargo builds the library with the command");
    let log = shell.runs(&format!(
        "if {python} -m venv {options} venv >log 2>&1 && venv/bin/pip install -q --disable-pip-version-check {PACKAGES} >>log 2>&1
         then echo ready; else cat log; echo FAILED; fi"
    ));
    if log.contains("FAILED") {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs packages from PyPI: {log}");
        eprintln!("SKIPPED: no virtual environment with pyasc: {log}");
        return None;
    }
    shell.runs(&format!(
        "venv/bin/python {PYTHON}/build_wheel.py wheel --no-build-isolation --command '{TOPROPE}' --library '{}' >log 2>&1 &&
         venv/bin/pip install -q --no-deps --disable-pip-version-check wheel/*.whl >>log 2>&1 || {{ cat log >&2; exit 1; }}
         cp {CLIENTS}/package/*.py .",
        library.path().display()
    ));
    Some(folder)
}

/// The Python of that environment.
pub fn python() -> Option<String> {
    Some(installed()?.join("venv/bin/python").display().to_string())
}

/// A shell beside the installed package. Nothing but the package itself helps: no variable of `toprope env`, no PYTHONPATH.
fn shell() -> Option<Shell> {
    Some(Shell::at(installed()?))
}

#[test]
fn the_wheel_is_one_that_pypi_takes() {
    let Some(shell) = shell() else { return };
    let name = shell.runs("ls wheel");
    let arch = std::env::consts::ARCH;
    let rest = name.trim().strip_prefix("toprope-").and_then(|n| n.strip_prefix(env!("CARGO_PKG_VERSION")));
    let tag = rest.and_then(|n| n.strip_prefix("-py3-none-manylinux_2_")).unwrap_or_else(|| panic!("{name}"));
    assert!(tag.trim_start_matches(char::is_numeric) == format!("_{arch}.whl"), "{name}");
    let listed = shell.runs("venv/bin/python -m zipfile -l wheel/*.whl");
    for file in ["toprope/bin/toprope ", "toprope/bin/libascendcl.so ", "LICENSE-MIT ", "LICENSE-APACHE "] {
        assert!(listed.contains(file), "{file}: {listed}");
    }
    // A real torch_npu must not be overwritten.
    assert!(!listed.lines().any(|line| line.starts_with("torch_npu")), "{listed}");
    let about =
        shell.runs("venv/bin/python -c 'import importlib.metadata as m; print(m.metadata(\"toprope\"))'");
    for line in [
        "Requires-Python: >=3.9",
        "License-Expression: MIT OR Apache-2.0",
        "Description-Content-Type: text/markdown",
    ] {
        assert!(about.contains(line), "{line}: {about}");
    }
}

#[test]
fn the_command_of_the_package_makes_the_environment_and_runs_programs() {
    let Some(shell) = shell() else { return };
    for command in ["venv/bin/python -m toprope", "venv/bin/toprope"] {
        let env = shell.runs(&format!("{command} env"));
        assert!(
            env.contains("export ASCEND_HOME_PATH=") && env.contains("PYASC_COMPILER"),
            "{command}: {env}"
        );
        let out = shell.runs(&format!("{command} run {CLIENTS}/../../kernels/ascendc/add/add.asc 2>&1"));
        assert!(out.contains("PASS: ") && out.contains("toprope: passed"), "{command}: {out}");
    }
    let said = shell.fails("TOPROPE_COMMAND=/nowhere venv/bin/python -c 'import toprope.env as e; e.__file__ = \"/x/env.py\"; e.program()'");
    assert!(said.contains("help: install the wheel `toprope`, or set TOPROPE_COMMAND"), "{said}");
}

#[test]
fn findings_fail_the_test_that_made_them() {
    let Some(shell) = shell() else { return };
    let run = |options: &str| {
        shell.runs(&format!(
            "venv/bin/python -m pytest -p no:cacheprovider -rA {options} test_checked.py 2>&1 || true"
        ))
    };
    let out = run("--toprope");
    let told = |result: &str, test: &str| {
        let line = format!("{result} test_checked.py::{test}");
        assert!(
            out.lines().any(|l| l.trim_end() == line || l.starts_with(&format!("{line} - "))),
            "{line}: {out}"
        );
    };
    for test in ["test_right", "test_allowed", "test_checked_inside"] {
        told("PASSED", test);
    }
    for test in ["test_wrong", "test_wrong_again", "test_wrong_and_failed"] {
        told("FAILED", test);
    }
    told("ERROR", "test_wrong_in_fixture");
    let part = |name: &str| {
        let from = out.split(&format!(" {name} _")).nth(1).unwrap_or_else(|| panic!("{name}: {out}"));
        from.split("\n____").next().unwrap_or(from).to_string()
    };
    for name in
        ["test_wrong", "test_wrong_again", "ERROR at setup of test_wrong_in_fixture", "test_wrong_and_failed"]
    {
        let text = part(name);
        assert!(text.contains("error: [TR04") && text.contains("in kernel unordered"), "{name}: {text}");
        assert!(
            text.contains("  --> ") && text.contains("input.cce:"),
            "{name} names the kernel's line: {text}"
        );
    }
    assert!(part("test_wrong_and_failed").contains("its own words"), "{out}");
    // Findings that cannot be seen are not none.
    let said = shell.fails(
        "unset TOPROPE_REPORT; venv/bin/python -c 'import ctypes, os, toprope
os.environ.update(toprope.environment())
library = ctypes.CDLL(os.environ[\"ASCEND_HOME_PATH\"] + \"/lib64/libascendcl.so\")
library.aclInit(None)
toprope.activate()
with toprope.check(): pass'",
    );
    assert!(said.contains("the runtime began before TOPROPE_REPORT was set"), "{said}");
    let out = run("--toprope --toprope-deny=all");
    assert!(out.contains("invalid choice: 'all'"), "{out}");
}

/// pyasc takes a kernel from its cache without a look: the runtime says what is wrong with it.
#[test]
fn damaged_and_foreign_objects_in_the_cache_are_refused() {
    let Some(shell) = shell() else { return };
    let run = "venv/bin/python stale.py $PWD/kernels";
    assert!(shell.runs(&format!("rm -rf kernels; {run}")).ends_with("PASS\n"));
    shell.runs("rm -rf good; cp -r kernels good");
    for (damage, reason) in [
        ("flipped", "its seal is broken: it was changed or damaged after `toprope build` wrote it"),
        ("truncated", "it is truncated"),
        ("another ELF", "it is a program, not a kernel-only shared object"),
        ("text", "it is no kernel table of toprope and no ELF file"),
    ] {
        let said = shell.fails(&format!("rm -rf kernels; cp -r good kernels; {run} '{damage}'"));
        assert!(said.contains("the data cannot be loaded") && said.contains(reason), "{damage}: {said}");
        assert!(
            said.contains("RuntimeError: Function DevBinaryRegisterWrapper returned 107000"),
            "{damage}: {said}"
        );
    }
}

/// torch is large and PyPI has it with CUDA only: it is taken from a Python of the machine that has it (Debian: python3-torch).
#[test]
fn tensors_on_the_npu_of_the_stand_in() {
    let python = "/usr/bin/python3";
    let has_torch = std::process::Command::new(python).args(["-c", "import torch"]).output();
    if !has_torch.is_ok_and(|done| done.status.success()) {
        eprintln!("SKIPPED: {python} has no torch (package python3-torch)");
        return;
    }
    let Some(folder) = install(python, "--system-site-packages") else { return };
    let out =
        Shell::at(&folder).runs("BACKEND=NPU venv/bin/python on_npu.py 2>log || { cat log >&2; exit 1; }");
    assert!(out.ends_with("PASS\n"), "{out}");
}
