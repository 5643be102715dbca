//! `toprope doctor`: what is found, what is missing, what to do about it.

use std::process::Command;

use serde::Serialize;

use crate::compile::cache::Cache;
use crate::compile::compiler::{Compiler, DEFAULT_COMMANDS, find_program};
use crate::compile::runtime_lib::RuntimeLibrary;

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// There and good.
    Found,
    /// Missing, and only some work needs it.
    Optional,
    /// Missing or bad; nothing runs without it.
    Missing,
}

/// One line of the examination.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// How it ended.
    pub state: State,
    /// What was found, or why it is bad.
    pub detail: String,
    /// What to do, "" if nothing.
    pub help: String,
}

/// Programs that only some work needs, with that work.
const OPTIONAL_PROGRAMS: [(&str, &str); 5] = [
    ("clang++", "kernels compiled by a second compiler in the test suite"),
    ("ar", "static libraries with kernels"),
    ("ninja", "CMake projects with that generator"),
    ("python3", "Python clients, data of the public examples"),
    ("valgrind", "the memory checks of the test suite"),
];

/// Examines the machine. Starts the compiler to see whether it really compiles C++17.
pub fn examine() -> Vec<Check> {
    let mut checks = vec![compiler()];
    if let Ok(found) = Compiler::find() {
        checks.push(cpp17(&found));
    }
    checks.push(runtime());
    checks.push(cache());
    checks.extend(OPTIONAL_PROGRAMS.iter().map(|(name, work)| program(name, work)));
    checks.push(cmake());
    checks.push(numpy());
    checks.push(libclang());
    let cpus = std::thread::available_parallelism().map_or(0, usize::from);
    checks.push(found("processors", format!("{cpus} (blocks of a launch are spread over them)")));
    checks
}

/// Can kernels be compiled and run?
pub fn healthy(checks: &[Check]) -> bool {
    checks.iter().all(|c| c.state != State::Missing)
}

/// The checks as text, one or two lines each.
pub fn render(checks: &[Check]) -> String {
    let width = checks.iter().map(|c| c.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for check in checks {
        let mark = match check.state {
            State::Found => "ok      ",
            State::Optional => "optional",
            State::Missing => "MISSING ",
        };
        out.push_str(&format!(
            "{mark}  {:<width$}  {}\n",
            check.name,
            check.detail.replace('\n', "\n              ")
        ));
        if !check.help.is_empty() {
            out.push_str(&format!("          {:<width$}  help: {}\n", "", check.help));
        }
    }
    out.push_str(if healthy(checks) {
        "toprope can compile and run kernels here.\n"
    } else {
        "toprope cannot compile and run kernels here yet.\n"
    });
    out
}

fn found(name: &str, detail: impl Into<String>) -> Check {
    Check { name: name.into(), state: State::Found, detail: detail.into(), help: String::new() }
}

fn missing(name: &str, error: &dyn std::fmt::Display) -> Check {
    let text = error.to_string();
    let (detail, help) = text.split_once("\n  help: ").unwrap_or((&text, ""));
    Check { name: name.into(), state: State::Missing, detail: detail.into(), help: help.into() }
}

fn compiler() -> Check {
    match Compiler::find().and_then(|c| c.version().map(|v| (c, v))) {
        Ok((compiler, version)) => found(
            "C++ compiler",
            format!(
                "{} ({} {}, from {})",
                compiler.path.display(),
                version.family.name(),
                version.number,
                compiler.source
            ),
        ),
        Err(error) => missing("C++ compiler", &error),
    }
}

fn cpp17(compiler: &Compiler) -> Check {
    match compiler.probe_cpp17() {
        Ok(()) => found("C++17", "a test program compiles and links"),
        Err(words) => Check {
            name: "C++17".into(),
            state: State::Missing,
            detail: format!("a test program does not compile:\n{}", words.trim_end()),
            help: format!(
                "install the C++ standard library of the compiler, or set TOPROPE_CXX ({} by default)",
                DEFAULT_COMMANDS.join(", ")
            ),
        },
    }
}

fn runtime() -> Check {
    let checked = RuntimeLibrary::find().and_then(|library| library.check().map(|()| library));
    match checked {
        Ok(library) => found("libascendcl.so", library.path().display().to_string()),
        Err(error) => missing("libascendcl.so", &error),
    }
}

fn cache() -> Check {
    match Cache::open() {
        Ok(cache) => found("cache directory", cache.root().display().to_string()),
        Err(error) => missing("cache directory", &error),
    }
}

fn program(name: &str, work: &str) -> Check {
    match find_program(name) {
        Some(path) => found(name, path.display().to_string()),
        None => Check {
            name: name.into(),
            state: State::Optional,
            detail: format!("not found; needed for {work}"),
            help: String::new(),
        },
    }
}

/// Oldest CMake whose language packages have what ours uses: major, minor.
const CMAKE: (u32, u32) = (3, 16);

/// What projects in the language ASC are configured with.
fn cmake() -> Check {
    let work = "other people's CMake projects (find_package(ASC))";
    let Some(path) = find_program("cmake") else { return program("cmake", work) };
    let output = Command::new(&path).arg("--version").output();
    let words = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    let version = words.split_whitespace().nth(2).unwrap_or_default();
    let mut numbers = version.split('.').map_while(|n| n.parse::<u32>().ok());
    if (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= CMAKE {
        return found("cmake", format!("{} ({version})", path.display()));
    }
    Check {
        name: "cmake".into(),
        state: State::Optional,
        detail: format!(
            "{} is {version}; {}.{} or newer is needed for {work}",
            path.display(),
            CMAKE.0,
            CMAKE.1
        ),
        help: "install a newer cmake, e.g. with pip".into(),
    }
}

/// Scripts of public examples make their data with it.
fn numpy() -> Check {
    let work = "the data scripts of the public examples";
    let asked = find_program("python3")
        .and_then(|python| {
            Command::new(python).args(["-c", "import numpy; print(numpy.__version__)"]).output().ok()
        })
        .filter(|output| output.status.success());
    match asked {
        Some(output) => found("numpy", String::from_utf8_lossy(&output.stdout).trim().to_string()),
        None => Check {
            name: "numpy".into(),
            state: State::Optional,
            detail: format!("not found; needed for {work}"),
            help: String::new(),
        },
    }
}

/// The shared library that bindgen loads.
fn libclang() -> Check {
    let folders = [
        "/usr/lib",
        "/usr/lib64",
        "/usr/local/lib",
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
    ];
    let llvm = std::fs::read_dir("/usr/lib")
        .into_iter()
        .flatten()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("llvm")));
    let places = folders.iter().map(std::path::PathBuf::from).chain(llvm.map(|p| p.join("lib")));
    let is_libclang = |name: &str| name.starts_with("libclang.so") || name.starts_with("libclang-");
    for place in places {
        let Ok(entries) = std::fs::read_dir(&place) else { continue };
        if let Some(file) = entries.flatten().find(|e| is_libclang(&e.file_name().to_string_lossy())) {
            return found("libclang", file.path().display().to_string());
        }
    }
    let detail = "not found; needed for the header check of the test suite".into();
    Check { name: "libclang".into(), state: State::Optional, detail, help: String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_gap_is_healthy_and_a_missing_part_is_not() {
        let optional = program("no-such-program", "nothing");
        assert_eq!(optional.state, State::Optional);
        assert!(healthy(&[optional]));
        let bad = missing("C++ compiler", &"none\n  help: install one");
        assert!(!healthy(std::slice::from_ref(&bad)));
        assert_eq!(bad.help, "install one");
        assert!(render(&[bad]).contains("MISSING"));
    }
}
