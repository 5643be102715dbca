//! The official pyasc package from PyPI, unmodified, in a fresh virtual environment: our kernels over its framework module, with numpy as reference.
//!
//! Not here: torch (the package does not need it), pyasc's own suites (docs/pyasc.md has how they are run by hand).

use crate::CLIENTS;
use crate::support::{Shell, TOPROPE, have};

/// The version whose calls and command lines the prefix is made for.
const PACKAGES: &str = "pyasc==1.1.1 numpy pytest";
/// Where the Python package of this project is.
const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../toolchain/python");

/// A shell in whose folder a virtual environment `venv` has pyasc; `None` where packages cannot be had (never in CI).
fn environment() -> Option<Shell> {
    if !have("python3", "python3") || !have("g++", "g++") {
        return None;
    }
    let first = Shell::new();
    let log =
        first.runs("if python3 -m venv venv >log 2>&1; then echo made; else cat log; echo FAILED; fi")
            + &first.runs(&format!(
                "if venv/bin/pip install -q --disable-pip-version-check {PACKAGES} >log 2>&1; then echo installed; else cat log; echo FAILED; fi"
            ));
    if log.contains("FAILED") {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs pyasc from PyPI: {log}");
        eprintln!("SKIPPED: no virtual environment with pyasc: {log}");
        return None;
    }
    Some(first)
}

#[test]
fn kernels_over_the_framework_module_give_what_numpy_gives() {
    let Some(owner) = environment() else { return };
    // Without the environment of `toprope env`: the package sets it.
    let shell = Shell::bare(&owner);
    for backend in ["Model", "NPU"] {
        let out = shell.runs(&format!(
            "TOPROPE_COMMAND='{TOPROPE}' PYTHONPATH='{PACKAGE}' \
             venv/bin/python -m pytest -q -p no:cacheprovider --backend {backend} {CLIENTS}/pyasc >log 2>&1 || {{ cat log >&2; exit 1; }}; cat log"
        ));
        assert!(out.contains(" passed") && !out.contains("skipped"), "{backend}: {out}");
    }
}

#[test]
fn the_environment_of_a_shell_is_enough() {
    let Some(shell) = environment() else { return };
    let out = shell.runs(&format!(
        "export PYASC_CACHE_DIR=$PWD/cache
         PYTHONPATH='{PACKAGE}' TOPROPE_REPORT=$PWD/report.json venv/bin/python {CLIENTS}/pyasc/one.py Model
         ls cache | wc -l"
    ));
    assert!(out.starts_with("PASS\n"), "{out}");
}
