//! Starts the command and looks at what it did.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use toprope_toolchain::compile::compiler::find_program;

/// Repository root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ is inside the workspace").to_path_buf()
}

/// Path of a case beside this suite.
pub fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/cases").join(name)
}

/// Compilers to test with: g++ always, clang++ where there is one (in CI it must be there).
pub fn compilers() -> Vec<&'static str> {
    let found = find_program("clang++").is_some();
    if !found {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs clang++ (package clang)");
        eprintln!("SKIPPED with clang++: it is not installed (package clang); g++ alone is tested");
    }
    if found { vec!["g++", "clang++"] } else { vec!["g++"] }
}

/// A command line under construction.
pub struct Toprope(Command);

/// What a run left behind.
#[derive(Debug)]
pub struct Done {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Toprope {
    /// `toprope ARGS…` at the repository root, with the suite's own cache and no settings of the user.
    pub fn new<T: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = T>) -> Toprope {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toprope-under-test"));
        command
            .current_dir(root())
            .args(args)
            .env("TOPROPE_CACHE_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs"));
        for variable in [
            "TOPROPE_CXX",
            "CXX",
            "TOPROPE_SOC",
            "TOPROPE_SEED",
            "TOPROPE_TIME_LIMIT",
            "TOPROPE_LIB_DIR",
            "TOPROPE_REPORT",
            "TOPROPE_MAX_FINDINGS",
            "TOPROPE_QUIET",
            "CLICOLOR_FORCE",
            "LC_ALL",
            "LC_CTYPE",
            "LANG",
        ] {
            command.env_remove(variable);
        }
        Toprope(command)
    }

    pub fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Toprope {
        self.0.env(name, value);
        self
    }

    pub fn arg(mut self, arg: impl AsRef<std::ffi::OsStr>) -> Toprope {
        self.0.arg(arg);
        self
    }

    pub fn dir(mut self, dir: &Path) -> Toprope {
        self.0.current_dir(dir);
        self
    }

    pub fn compiler(self, name: &str) -> Toprope {
        self.env("TOPROPE_CXX", name)
    }

    pub fn go(mut self) -> Done {
        Done::from(self.0.output().expect("the command starts"))
    }
}

impl Done {
    fn from(output: Output) -> Done {
        Done {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Done {
        assert_eq!(self.code, code, "exit code\n--- stdout\n{}\n--- stderr\n{}", self.stdout, self.stderr);
        self
    }

    /// Every part occurs in standard error.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Done {
        for part in parts {
            assert!(self.stderr.contains(part), "`{part}` is not in\n{}", self.stderr);
        }
        self
    }

    /// No part occurs in standard error.
    #[track_caller]
    pub fn says_nothing_of(self, parts: &[&str]) -> Done {
        for part in parts {
            assert!(!self.stderr.contains(part), "`{part}` is in\n{}", self.stderr);
        }
        self
    }

    /// Every part occurs in standard output.
    #[track_caller]
    pub fn prints(self, parts: &[&str]) -> Done {
        for part in parts {
            assert!(self.stdout.contains(part), "`{part}` is not in\n{}", self.stdout);
        }
        self
    }

    /// The object printed by `--json`.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        let line = self.stdout.lines().last().unwrap_or_default();
        serde_json::from_str(line)
            .unwrap_or_else(|e| panic!("last line of output is no JSON ({e})\n{}", self.stdout))
    }
}

/// Compares with `cases/NAME`; `TOPROPE_BLESS=1` writes it.
#[track_caller]
pub fn golden(name: &str, text: &str) {
    let path = case(name);
    if std::env::var_os("TOPROPE_BLESS").is_some() {
        std::fs::write(&path, text).expect("bless");
    }
    let wanted = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, wanted, "{}: set TOPROPE_BLESS=1 to accept", path.display());
}
