//! `toprope cc`: a compiler and link driver with the command line of g++ (and of `bisheng`, the name that public documents use).
//!
//! ```text
//! k.asc ──-E──▶ rewrite ──-c──▶ k.o ─┐            main.cpp ──host compiler──▶ main.o
//!                    (cached)        ├─host compiler──▶ program or library, with the device library, libascendcl.so and run path
//! main.o  libx.a  -lregister ────────┘
//! ```
//! Build systems start it; CMake does so through the language `ASC` ([`prefix`](crate::prefix)). Ascend C sources (`.asc`, `.cce`, or
//! `-x asc`) take the way of `toprope build` and its cache of objects; everything else goes to the host compiler as it is. Objects are
//! position independent, so that they fit static libraries, shared libraries and programs alike; kernels register with the module they
//! are linked into.
//!
//! `-E` prints the standard C++ that the host compiler is given. Not done here: `-static`, precompiled headers of Ascend C, LTO.

mod arch;
mod depfile;
mod driver;
pub mod kernel_linker;
mod options;
mod response;

use std::ffi::OsString;
use std::process::ExitCode;

pub use arch::is_modelled;

use crate::cli;
use crate::compile::Toolchain;
use crate::error::{Result, ToolchainError};
use driver::Driver;
use options::CommandLine;

/// Names under which the command is the compiler driver; links in the prefix have them.
pub const NAMES: [&str; 2] = ["toprope-cc", "bisheng"];

/// What compilers end with when something is wrong.
const FAILED: u8 = 1;

const HELP: &str = "toprope cc: compiles and links Ascend C with the command line of g++

  toprope cc add.asc -o add                       a program
  toprope cc -c k.asc -o k.o                      an object (-dc is the same)
  toprope cc -shared -fPIC k.asc -o libk.so       a shared library
  toprope cc -lib k.asc -o libk.a                 a static library
  toprope cc main.o libk.a -lregister -o demo     links

Sources .asc and .cce (or after -x asc) are Ascend C, optimised with -O2 unless told otherwise; others go to the host compiler.
--npu-arch=dav-2201 is the architecture that is modelled. Options of the device compiler (--cce-*, --sanitizer, --run-mode=…) are
accepted and have no effect. The host compiler is TOPROPE_CXX, else CXX, g++, clang++. See also `toprope --help`.
";

/// Runs the driver with the words after `toprope cc`.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let line = match response::expand(&arguments).and_then(|words| options::read(&words)) {
        Ok(line) => line,
        Err(words) => {
            cli::warn(&format!("toprope: error: {words}\n"));
            return ExitCode::from(FAILED);
        }
    };
    match work(line) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            cli::say(&format!("toprope: error: {error}\n"), &error);
            ExitCode::from(FAILED)
        }
    }
}

fn work(line: CommandLine) -> Result<u8> {
    if line.help {
        cli::print(HELP);
        return Ok(0);
    }
    let toolchain = Toolchain::find()?;
    if let Some(question) = &line.question {
        return driver::ask(&toolchain, question);
    }
    if line.version || (line.verbose && line.items.is_empty()) {
        let host = toolchain.compiler().version()?;
        cli::print(&format!(
            "toprope cc {} (Ascend C for dav-2201 on the embedded NPU, host compiler {} {})\n",
            env!("CARGO_PKG_VERSION"),
            host.family.name(),
            host.number
        ));
        return Ok(0);
    }
    Driver::new(&toolchain, &line)?.run()
}

/// What a bad command line says.
fn misused(reason: impl Into<String>) -> ToolchainError {
    ToolchainError::CommandLine { reason: reason.into() }
}
