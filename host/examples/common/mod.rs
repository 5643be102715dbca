//! Where the examples get their kernel from.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The kernel binary: the file given as first argument, else `kernels/ascendc/add/add.asc` compiled by `toprope build`.
///
/// A kernel binary is a shared object with kernels, made from Ascend C:
/// `toprope build --kernel-only add.asc -o add.so`.
pub fn kernel_binary() -> Result<PathBuf, Box<dyn Error>> {
    if let Some(path) = std::env::args_os().nth(1) {
        return Ok(path.into());
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/ascendc/add/add.asc");
    let output = std::env::current_exe()?.with_file_name("add.so");
    let mut command = toprope()?;
    command.args(["build", "--kernel-only"]).arg(&source).arg("-o").arg(&output);
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(output) } else { Err(format!("{command:?} ended with {status}").into()) }
}

/// The `toprope` command: that of this build if it is there, else cargo builds it.
fn toprope() -> Result<Command, Box<dyn Error>> {
    let exe = std::env::current_exe()?;
    // target/<profile>/examples/lifecycle -> target/<profile>/toprope
    let built = exe.ancestors().nth(2).map(|dir| dir.join("toprope")).filter(|path| path.is_file());
    Ok(built.map(Command::new).unwrap_or_else(|| {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["run", "--quiet", "--release", "--manifest-path"]);
        cargo.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../toolchain/Cargo.toml"));
        cargo.args(["--bin", "toprope", "--"]);
        cargo
    }))
}
