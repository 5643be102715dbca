//! The official pyasc package from PyPI, unmodified, in a fresh virtual environment: our kernels over its framework module, with numpy as reference.
//!
//! Not here: torch (the package does not need it), pyasc's own suites (docs/pyasc.md has how they are run by hand).

use crate::CLIENTS;
use crate::package::python;
use crate::support::Shell;

#[test]
fn kernels_over_the_framework_module_give_what_numpy_gives() {
    let Some(python) = python() else { return };
    // Without the environment of `toprope env`: the package sets it.
    let owner = Shell::new();
    let shell = Shell::bare(&owner);
    for backend in ["Model", "NPU"] {
        let out = shell.runs(&format!(
            "{python} -m pytest -q -p no:cacheprovider --backend {backend} {CLIENTS}/pyasc >log 2>&1 || {{ cat log >&2; exit 1; }}; cat log"
        ));
        assert!(out.contains(" passed") && !out.contains("skipped"), "{backend}: {out}");
    }
}

#[test]
fn the_environment_of_a_shell_is_enough() {
    let Some(python) = python() else { return };
    let out = Shell::new().runs(&format!(
        "export PYASC_CACHE_DIR=$PWD/cache
         TOPROPE_REPORT=$PWD/report.json {python} {CLIENTS}/pyasc/one.py Model
         ls cache | wc -l"
    ));
    assert!(out.starts_with("PASS\n"), "{out}");
}
