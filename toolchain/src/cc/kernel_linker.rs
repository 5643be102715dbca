//! `toprope-ld`: the linker of kernels, with the command line of `ld.lld` for the AI Core.
//!
//! ```text
//! cube.o vec.o ──objects of the same text once──host compiler -shared──▶ kernel-only shared object ──seal──▶ output (may be an input)
//! ```
//! pyasc starts it through `PYASC_LINKER`, as it starts `toprope cc` through `PYASC_COMPILER`. A mixed kernel is compiled twice on the card,
//! once for cube and once for vector cores; here one native function runs on both and asks which it is, so both objects are the same
//! and one of them is linked. The result is what `toprope build --kernel-only` makes.
//!
//! Not done here: anything else that a linker does. Options of the AI Core's memory layout (`-m`, `-Ttext`, `-static`) have no effect.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use super::{FAILED, misused, response};
use crate::cli;
use crate::compile::{Toolchain, cache, seal};
use crate::error::{Result, ToolchainError};

/// Name under which the command is this linker; a link in the prefix has it.
pub const NAME: &str = "toprope-ld";
/// Its place in the prefix.
pub const PLACE: &str = "bin/toprope-ld";

/// Options that have a value in the next word and no effect.
const WITH_VALUE: [&str; 3] = ["-m", "-Ttext", "-z"];

/// Runs the linker with the words after its name.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let done = response::expand(&arguments).and_then(|words| read(&words)).map_err(misused);
    match done.and_then(|(inputs, output)| link(&inputs, &output)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            cli::say(&format!("toprope: error: {error}\n"), &error);
            ExitCode::from(FAILED)
        }
    }
}

/// Inputs and output of a command line.
fn read(words: &[OsString]) -> std::result::Result<(Vec<PathBuf>, PathBuf), String> {
    let mut inputs = Vec::new();
    let mut output = None;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.to_str() {
            Some("-o") => output = Some(rest.next().ok_or("option -o needs a value")?.into()),
            Some(name) if WITH_VALUE.contains(&name) => {
                rest.next().ok_or_else(|| format!("option {name} needs a value"))?;
            }
            Some(name) if name.starts_with('-') => {}
            _ => inputs.push(word.into()),
        }
    }
    if inputs.is_empty() {
        return Err(format!("no input files\n  help: {NAME} -o kernel.o cube.o vec.o"));
    }
    Ok((inputs, output.unwrap_or_else(|| "a.out".into())))
}

fn link(inputs: &[PathBuf], output: &Path) -> Result<()> {
    let toolchain = Toolchain::find()?;
    let (version, bundle) = (toolchain.compiler().version()?, toolchain.bundle()?);
    let scratch = toolchain.cache().scratch()?;
    let units = toolchain.units(&version, &bundle, scratch.path());
    let linked = scratch.path().join("kernels.so");
    let mut command = units.start();
    command.args(different(inputs)?).arg(bundle.device_library()).args(["-shared", "-Wl,--as-needed"]);
    command.arg("-L").arg(toolchain.runtime().dir()).args(["-lascendcl", "-lm", "-o"]).arg(&linked);
    units.run(command, "linking", output)?;
    seal(&linked).map_err(ToolchainError::file(&linked))?;
    let bytes = fs::read(&linked).map_err(ToolchainError::file(&linked))?;
    cache::write_atomic(output, &bytes)
}

/// The inputs without those whose contents another one has.
fn different(inputs: &[PathBuf]) -> Result<Vec<&PathBuf>> {
    let mut kept: Vec<(&PathBuf, Vec<u8>)> = Vec::new();
    for input in inputs {
        let bytes = fs::read(input)
            .map_err(|source: io::Error| ToolchainError::Source { path: input.clone(), source })?;
        if !kept.iter().any(|(_, other)| *other == bytes) {
            kept.push((input, bytes));
        }
    }
    Ok(kept.into_iter().map(|(path, _)| path).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_line_of_pyasc_is_read() {
        let line = words("-m aicorelinux -Ttext=0 t/cube.o t/vec.o -static -o t/out.o");
        assert_eq!(read(&line), Ok((vec!["t/cube.o".into(), "t/vec.o".into()], "t/out.o".into())));
        assert_eq!(read(&words("a.o")), Ok((vec!["a.o".into()], "a.out".into())));
        assert!(read(&words("-static -o x")).unwrap_err().contains("no input files"));
        assert!(read(&words("a.o -m")).unwrap_err().contains("-m needs a value"));
    }

    #[test]
    fn objects_of_the_same_text_are_linked_once() {
        let dir = tempfile::tempdir().expect("folder");
        let paths: Vec<PathBuf> = ["cube.o", "vec.o", "other.o"].map(|n| dir.path().join(n)).into();
        for (path, text) in paths.iter().zip(["same", "same", "else"]) {
            fs::write(path, text).expect("written");
        }
        assert_eq!(different(&paths).expect("readable"), [&paths[0], &paths[2]]);
        assert!(different(&[dir.path().join("missing.o")]).is_err());
    }
}
