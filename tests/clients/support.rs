//! A shell in a temporary folder, with the environment that `toprope env` prints.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use toprope_toolchain::compile::compiler::find_program;

/// Is `program` there? In CI it must be; elsewhere the test is skipped with a line that says so.
pub fn have(program: &str, package: &str) -> bool {
    let found = find_program(program).is_some();
    if !found {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs {program} (package {package})");
        eprintln!("SKIPPED: {program} is not installed (package {package})");
    }
    found
}

/// The command of this source tree.
pub const TOPROPE: &str = env!("CARGO_BIN_EXE_toprope-under-test");

/// The suite's prefix, below cargo's target directory; brought up to date once per run.
pub fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients-prefix");
        let output = toprope(&["env", "--prefix", dir.to_str().expect("text")]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        dir
    })
}

/// Runs the command with the suite's cache.
pub fn toprope(args: &[&str]) -> Output {
    let mut command = Command::new(TOPROPE);
    command.args(args).env("TOPROPE_CACHE_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients-cache"));
    command.env_remove("TOPROPE_LIB_DIR").output().expect("the command starts")
}

/// A POSIX shell in a folder of its own.
pub struct Shell {
    dir: PathBuf,
    /// Removes the folder; only the first shell of a folder has it.
    _owner: Option<tempfile::TempDir>,
    has_environment: bool,
}

impl Shell {
    /// A shell that has evaluated `toprope env`.
    pub fn new() -> Shell {
        let owner = tempfile::tempdir().expect("temporary folder");
        Shell { dir: owner.path().to_path_buf(), _owner: Some(owner), has_environment: true }
    }

    /// A shell in the same folder that has not.
    pub fn bare(other: &Shell) -> Shell {
        Shell { dir: other.dir.clone(), _owner: None, has_environment: false }
    }

    /// A shell in `folder`, which others own, that has not.
    pub fn at(folder: &Path) -> Shell {
        Shell { dir: folder.to_path_buf(), _owner: None, has_environment: false }
    }

    /// Its folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn run(&self, script: &str) -> Output {
        let mut text = String::from("set -eu\n");
        if self.has_environment {
            text.push_str(&format!(". '{}/set_env.sh'\n", prefix().display()));
        }
        text.push_str(script);
        let mut command = Command::new("sh");
        command.arg("-c").arg(text).current_dir(&self.dir);
        // The machine's own set-up must not help.
        for name in
            ["ASCEND_HOME_PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"]
        {
            command.env_remove(name);
        }
        command.env("TOPROPE_CACHE_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients-cache"));
        command.env("LC_ALL", "C").output().expect("sh starts")
    }

    /// Runs `script`, which must succeed; what it wrote to standard output.
    #[track_caller]
    pub fn runs(&self, script: &str) -> String {
        let output = self.run(script);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{script}\n--- {}\n{out}\n{err}", output.status);
        out.into_owned()
    }

    /// Runs `script`, which must fail; what it wrote to standard error.
    #[track_caller]
    pub fn fails(&self, script: &str) -> String {
        let output = self.run(script);
        assert!(!output.status.success(), "{script}\nshould have failed");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}
