//! `toprope lower`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::{LowerErrors, LowerOptions, Machine, REFUSALS, device, lower};
use crate::error::{Result, ToolchainError};

/// Shown below the options.
pub const EXAMPLES: &str = "Examples:
  toprope lower --device-lib -o device        (device/toprope_device.ll, .host.ll and .h)
  toprope lower kernel.ll -o kernel.aicore.ll (kernel.ll: rustc --emit=llvm-ir with the flags in docs/lowering.md)
  toprope lower --rules                       (what is refused, and what to write instead)

Exit code 65: something in the IR cannot run on an AI Core; every place is named with the rule to follow.";

/// Options of `toprope lower`.
#[derive(Args, Debug)]
pub struct LowerArgs {
    /// Modules of one program, as rustc wrote them.
    #[arg(value_name = "FILE.ll", required_unless_present_any = ["device_lib", "rules"])]
    files: Vec<PathBuf>,
    /// Lower the device library that toprope carries; -o names a folder.
    #[arg(long, conflicts_with_all = ["files", "exports", "target"])]
    device_lib: bool,
    /// List what is refused.
    #[arg(long, conflicts_with_all = ["files", "device_lib"])]
    rules: bool,
    /// File (default: standard output) or, with --device-lib, folder (default: the current one).
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// For whom.
    #[arg(long, value_enum, default_value_t = Target::Aicore)]
    target: Target,
    /// Functions to export with what they call; default: all whose names are not mangled.
    #[arg(long = "export", value_name = "NAME")]
    exports: Vec<String>,
}

/// What the output is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The AI Core (dav-c220).
    Aicore,
    /// This machine: for clang to inline into kernels of the embedded NPU.
    Host,
}

fn refused(what: &str) -> impl FnOnce(LowerErrors) -> ToolchainError {
    let what = what.to_owned();
    move |errors| ToolchainError::Lower { what, errors }
}

fn write(path: &Path, text: &str) -> Result<()> {
    let dir = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let staged = tempfile::NamedTempFile::new_in(dir).map_err(ToolchainError::file(dir))?;
    std::fs::write(staged.path(), text).map_err(ToolchainError::file(path))?;
    staged.persist(path).map_err(|e| ToolchainError::File { path: path.to_owned(), source: e.error })?;
    Ok(())
}

fn device_library(args: &LowerArgs) -> Result<()> {
    if !device::available() {
        return Err(ToolchainError::NoDeviceIr);
    }
    let dir = args.output.clone().unwrap_or_else(|| PathBuf::from("."));
    std::fs::create_dir_all(&dir).map_err(ToolchainError::file(&dir))?;
    for (name, machine) in [("toprope_device.ll", Machine::AiCore), ("toprope_device.host.ll", Machine::Host)]
    {
        let text = device::device_library(machine).map_err(refused("the device library"))?;
        write(&dir.join(name), &text)?;
    }
    write(&dir.join("toprope_device.h"), &device::header())?;
    crate::cli::warn(&format!(
        "toprope: wrote toprope_device.ll, toprope_device.host.ll and toprope_device.h to {}\n",
        dir.display()
    ));
    Ok(())
}

fn files(args: &LowerArgs) -> Result<()> {
    let read = |path: &PathBuf| std::fs::read_to_string(path).map_err(ToolchainError::file(path));
    let texts = args.files.iter().map(read).collect::<Result<Vec<_>>>()?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let shown: Vec<String> = args.files.iter().map(|f| f.display().to_string()).collect();
    let machine = if args.target == Target::Aicore { Machine::AiCore } else { Machine::Host };
    let title = format!("toprope {}: lowered. Generated.", env!("CARGO_PKG_VERSION"));
    let options = LowerOptions { machine, exports: args.exports.clone(), title };
    let text = lower(&texts, &options).map_err(refused(&shown.join(", ")))?;
    match &args.output {
        Some(path) => write(path, &text),
        None => {
            crate::cli::print(&text);
            Ok(())
        }
    }
}

/// Runs it.
///
/// # Errors
/// [`ToolchainError::Lower`], [`ToolchainError::NoDeviceIr`], files that cannot be read or written.
pub fn lower_command(args: &LowerArgs) -> Result<u8> {
    if args.rules {
        let lines: String = REFUSALS
            .iter()
            .map(|(code, what, rule)| format!("{code:<16} {what}\n{:<16} {rule}\n", ""))
            .collect();
        crate::cli::print(&lines);
    } else if args.device_lib {
        device_library(args)?;
    } else {
        files(args)?;
    }
    Ok(0)
}
