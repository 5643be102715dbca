//! Errors of the toolchain: what was asked, what the limit is, what to do.

use std::path::PathBuf;
use std::{fmt, io};

use crate::launch::Problem;
use crate::names;

/// Everything that can go wrong between a source file and a finished run.
#[derive(Debug, thiserror::Error)]
pub enum ToolchainError {
    /// No C++ compiler was found.
    #[error(
        "no C++ compiler found: looked for {}\n  help: install g++ (9 or newer) or clang++ (10 or newer), or set TOPROPE_CXX to one",
        tried.join(", ")
    )]
    NoCompiler {
        /// Commands tried, in order.
        tried: Vec<String>,
    },
    /// The compiler is too old for C++17.
    #[error(
        "{command} {version} is too old: toprope needs {family} {minimum} or newer for C++17\n  help: install a newer one or set TOPROPE_CXX"
    )]
    OldCompiler {
        /// Command.
        command: String,
        /// g++ or clang++.
        family: &'static str,
        /// Version found.
        version: String,
        /// Oldest accepted major version.
        minimum: u32,
    },
    /// A command could not be started.
    #[error("cannot start {command}: {source}")]
    Spawn {
        /// Command line.
        command: String,
        /// Cause.
        source: io::Error,
    },
    /// A source file cannot be read.
    #[error("cannot read {}: {source}\n  help: check the path; sources are .asc, .cce, .cpp, .cc or .cxx files", path.display())]
    Source {
        /// File.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// A file of a kind that is not compiled.
    #[error("{} is not a source file toprope compiles\n  help: use .asc, .cce, .cpp, .cc or .cxx (object files and libraries: .o, .a, .so)", path.display())]
    UnknownKind {
        /// File.
        path: PathBuf,
    },
    /// No source file was given.
    #[error("no source file given\n  help: name at least one .asc, .cce, .cpp, .cc or .cxx file")]
    NoSources,
    /// Preprocessing or compiling failed; the compiler has said why.
    #[error("{}{} failed for {} ({command}){}", shown(diagnostics), step, path.display(), missing_api_help(diagnostics))]
    Compile {
        /// preprocessing, compilation or linking.
        step: &'static str,
        /// Source file, or the program for linking.
        path: PathBuf,
        /// Compiler.
        command: String,
        /// What the compiler wrote, unchanged.
        diagnostics: String,
    },
    /// Launch syntax or kernel declarations that cannot be rewritten.
    #[error("{}kernel syntax of {} was not understood", problem_lines(problems), path.display())]
    Launch {
        /// Source file.
        path: PathBuf,
        /// All of them.
        problems: Vec<Problem>,
    },
    /// A kernel-only build without a kernel.
    #[error("{} defines no kernel\n  help: a kernel is a function `__global__ __aicore__ void name(…)` at namespace scope", path.display())]
    NoKernels {
        /// First source.
        path: PathBuf,
    },
    /// The runtime library is not where it should be.
    #[error(
        "libascendcl.so of this build not found: looked in {}\n  help: build the whole workspace (cargo build) or set TOPROPE_LIB_DIR to its folder",
        looked.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ")
    )]
    NoRuntime {
        /// Folders looked in.
        looked: Vec<PathBuf>,
    },
    /// A libascendcl.so was found, but it is not ours.
    #[error("{} is not toprope's libascendcl.so {version}\n  help: rebuild the workspace (cargo build), or point TOPROPE_LIB_DIR to the folder of the matching library", path.display())]
    ForeignRuntime {
        /// Library.
        path: PathBuf,
        /// Version wanted.
        version: &'static str,
    },
    /// The cache directory cannot be used.
    #[error("cache directory {}: {reason}\n  help: set TOPROPE_CACHE_DIR to a directory that only you can write", path.display())]
    Cache {
        /// Directory or file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The directory for a CANN-shaped prefix cannot be used.
    #[error("{} {reason}\n  help: name a directory that does not exist yet, an empty one, or one that `toprope env --prefix` made", path.display())]
    Prefix {
        /// Directory.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A command line of the compiler driver that makes no sense.
    #[error("{reason}")]
    CommandLine {
        /// What is wrong, and what to do.
        reason: String,
    },
    /// A file of ours cannot be written or read.
    #[error("{}: {source}", path.display())]
    File {
        /// File.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// Something in IR cannot run on an AI Core.
    #[error(
        "{what} cannot be lowered\n{errors}\n  help: `toprope lower --rules` lists what is refused and what to write instead"
    )]
    Lower {
        /// What was lowered.
        what: String,
        /// Every refusal.
        errors: crate::lower::LowerErrors,
    },
    /// The IR of the device library was not built.
    #[error(
        "this toprope carries no IR of the device library: rustc wrote none when toprope was built\n  help: the warning of that build says why; build it again"
    )]
    NoDeviceIr,
    /// Suppressions that cannot be understood.
    #[error("{}: {reason}\n  help: an entry is [[suppress]] with code and reason, and with file, line, function or kernel if they are to match", path.display())]
    Suppressions {
        /// File.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The report of the runtime cannot be understood.
    #[error(
        "the run's report cannot be read: {reason}\n  help: this is a fault of toprope, please report it"
    )]
    Report {
        /// What is wrong.
        reason: String,
    },
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, ToolchainError>;

impl ToolchainError {
    /// [`ToolchainError::File`] for `path`.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> ToolchainError {
        let path = path.into();
        move |source| ToolchainError::File { path, source }
    }

    /// Exit code of a command that ends with this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            ToolchainError::Suppressions { .. } => crate::run::EXIT_CONFIG,
            _ if self.is_source_error() => crate::run::EXIT_SOURCE,
            _ => crate::run::EXIT_MISSING,
        }
    }

    /// Is the user's program (not the environment) at fault?
    pub fn is_source_error(&self) -> bool {
        matches!(
            self,
            ToolchainError::Compile { .. } | ToolchainError::Launch { .. } | ToolchainError::Lower { .. }
        )
    }
}

/// Diagnostics with a line end, if there are any.
fn shown(text: &str) -> String {
    if text.is_empty() || text.ends_with('\n') { text.to_string() } else { format!("{text}\n") }
}

/// What to do about Ascend C names that toprope does not have.
fn missing_api_help(diagnostics: &str) -> String {
    let names = names::unknown_in(diagnostics);
    if names.is_empty() {
        return String::new();
    }
    format!(
        "\n  help: toprope does not know {} yet: {} lists the names it knows (or a slip of the pen?)",
        names.join(", "),
        names::SUPPORT_LIST
    )
}

struct Lines<'a>(&'a [Problem]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|problem| writeln!(f, "{problem}"))
    }
}

fn problem_lines(problems: &[Problem]) -> Lines<'_> {
    Lines(problems)
}

#[cfg(test)]
mod tests {
    use super::missing_api_help;

    #[test]
    fn functions_ascend_c_does_not_have_are_named_once() {
        let gcc = "a.asc:6:14: error: ‘WholeReduceSum’ is not a member of ‘AscendC’\n\
                   a.asc:7:14: error: ‘WholeReduceSum’ is not a member of ‘AscendC’; did you mean ‘X’?\n";
        let help = missing_api_help(gcc);
        assert!(
            help.contains("does not know AscendC::WholeReduceSum yet: docs/ascendc-support.md"),
            "{help}"
        );
        assert_eq!(missing_api_help("a.asc:6:14: error: ‘x’ is not a member of ‘std’\n"), "");
    }
}
