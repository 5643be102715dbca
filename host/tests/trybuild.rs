//! What must not compile. Each case opens with why. `TRYBUILD=overwrite` rewrites the expected messages.
#![allow(unsafe_code)] // sets an environment variable

use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler whose messages are recorded. Another one has to refuse the cases too, in its own words.
const RECORDED_WITH: &str = "rustc 1.95.";

/// The cases alone, without the expected messages, in a folder of this build.
fn without_messages() -> PathBuf {
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("trybuild");
    let _ = std::fs::remove_dir_all(&to);
    for folder in ["", "async"] {
        std::fs::create_dir_all(to.join(folder)).expect("folder can be made");
        for case in std::fs::read_dir(Path::new("tests/trybuild").join(folder)).expect("the cases") {
            let case = case.expect("a case").path();
            if case.extension().is_some_and(|ext| ext == "rs") {
                let name = case.file_name().expect("a file");
                std::fs::copy(&case, to.join(folder).join(name)).expect("case can be copied");
            }
        }
    }
    to
}

#[test]
fn misuse_does_not_compile() {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("rustc starts").stdout;
    let version = String::from_utf8_lossy(&version);
    let mut cases = PathBuf::from("tests/trybuild");
    if !version.starts_with(RECORDED_WITH) {
        eprintln!("SKIPPED: comparing the messages, they are of {RECORDED_WITH}x and this is {version}");
        cases = without_messages();
        // SAFETY: the only test of this program; no other thread reads the environment.
        unsafe { std::env::set_var("TRYBUILD", "overwrite") };
    }
    let tests = trybuild::TestCases::new();
    tests.compile_fail(cases.join("*.rs"));
    if cfg!(feature = "async") {
        tests.compile_fail(cases.join("async/*.rs"));
    }
}
