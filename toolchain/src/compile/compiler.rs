//! The host C++ compiler: which one, which version, whether it can do what we need.

use std::env;
use std::ffi::OsStr;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Result, ToolchainError};

/// Commands tried when neither `TOPROPE_CXX` nor `CXX` is set, in order.
pub const DEFAULT_COMMANDS: [&str; 3] = ["g++", "clang++", "c++"];

/// Environment variables that name the compiler, in order.
pub const VARIABLES: [&str; 2] = ["TOPROPE_CXX", "CXX"];

/// Which compiler a command turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// GNU g++.
    Gnu,
    /// LLVM clang++.
    Clang,
}

/// A family's name, oldest accepted major version and the options only it has.
struct FamilyFacts {
    name: &'static str,
    minimum: u32,
    options: &'static [&'static str],
}

impl Family {
    fn facts(self) -> FamilyFacts {
        match self {
            // Two instruction calls of different source lines must not be merged into one: the return address is the line. Nor may two
            // kernels with equal bodies become one function: a finding would name the other. (clang++ merges functions only when asked.)
            Family::Gnu => FamilyFacts {
                name: "g++",
                minimum: 9,
                options: &["-fno-crossjumping", "-fno-tree-tail-merge", "-fno-ipa-icf"],
            },
            Family::Clang => FamilyFacts { name: "clang++", minimum: 10, options: &[] },
        }
    }

    /// `g++` or `clang++`.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Options that are needed with this family.
    pub fn options(self) -> &'static [&'static str] {
        self.facts().options
    }
}

/// A compiler as found, not yet started.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// Program and leading arguments, as given (`ccache g++` is two words).
    pub command: Vec<String>,
    /// Program found in `PATH`.
    pub path: PathBuf,
    /// Where the name came from: an environment variable or `PATH`.
    pub source: &'static str,
}

/// What a compiler says about itself.
#[derive(Clone, Debug)]
pub struct Version {
    /// Family.
    pub family: Family,
    /// `12.2.0`.
    pub number: String,
    /// First line of `--version`.
    pub banner: String,
}

/// Looks `name` up as a shell would.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let runnable = |p: &Path| p.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|p| runnable(p));
    }
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(|p| runnable(p))
}

/// Is `path` the running command, under this or another name?
fn is_ourselves(path: &Path) -> bool {
    let same = |exe: PathBuf| {
        let (ours, theirs) = (exe.metadata().ok()?, path.metadata().ok()?);
        Some((ours.dev(), ours.ino()) == (theirs.dev(), theirs.ino()))
    };
    env::current_exe().ok().and_then(same).unwrap_or(false)
}

impl Compiler {
    /// Finds the compiler: `TOPROPE_CXX`, `CXX`, then g++, clang++, c++.
    ///
    /// # Errors
    /// [`ToolchainError::NoCompiler`] with everything that was tried. A variable that names a missing command is an error: no other
    /// compiler is taken in its place.
    pub fn find() -> Result<Compiler> {
        for variable in VARIABLES {
            let words: Vec<String> =
                env::var(variable).unwrap_or_default().split_whitespace().map(str::to_string).collect();
            let Some(name) = words.first() else { continue };
            return match find_program(name) {
                // A build system may call us the C++ compiler; we still need one.
                Some(path) if is_ourselves(&path) => continue,
                Some(path) => Ok(Compiler { path, command: words, source: variable }),
                None => Err(ToolchainError::NoCompiler { tried: vec![format!("{name} (from {variable})")] }),
            };
        }
        let found = DEFAULT_COMMANDS.iter().find_map(|name| {
            find_program(name).map(|path| Compiler {
                path,
                command: vec![(*name).to_string()],
                source: "PATH",
            })
        });
        found.ok_or_else(|| ToolchainError::NoCompiler { tried: DEFAULT_COMMANDS.map(String::from).to_vec() })
    }

    /// The compiler called `name`, for callers that test several.
    pub fn named(name: &str) -> Option<Compiler> {
        find_program(name).map(|path| Compiler { path, command: vec![name.to_string()], source: "caller" })
    }

    /// The command as one would type it.
    pub fn shown(&self) -> String {
        self.command.join(" ")
    }

    /// A command of this compiler without arguments of ours.
    pub fn start(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.command[1..]);
        // Messages are matched and shown as they are: no translation.
        command.env("LC_ALL", "C.UTF-8");
        command
    }

    /// Changes when the program file does; cheap, starts nothing.
    pub fn identity(&self) -> String {
        let real = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let stamp = real.metadata().map(|m| (m.len(), m.mtime(), m.mtime_nsec())).unwrap_or_default();
        format!("{} {} {stamp:?}", self.shown(), real.display())
    }

    /// Asks the compiler for its version and refuses one too old for C++17.
    ///
    /// # Errors
    /// [`ToolchainError::Spawn`], [`ToolchainError::OldCompiler`], or [`ToolchainError::NoCompiler`] if the program is no compiler.
    pub fn version(&self) -> Result<Version> {
        let ask = |argument: &str| {
            let output = self.start().arg(argument).output();
            output.map_err(|source| ToolchainError::Spawn {
                command: format!("{} {argument}", self.shown()),
                source,
            })
        };
        let text = String::from_utf8_lossy(&ask("--version")?.stdout).into_owned();
        let banner = text.lines().next().unwrap_or_default().to_string();
        let clang = text.to_lowercase().contains("clang");
        let family = if clang { Family::Clang } else { Family::Gnu };
        let number = match family {
            Family::Gnu => String::from_utf8_lossy(&ask("-dumpfullversion")?.stdout).trim().to_string(),
            Family::Clang => version_in(&banner).to_string(),
        };
        // Only g++ answers -dumpfullversion with a number.
        if !clang && !number.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(ToolchainError::NoCompiler {
                tried: vec![format!("{} (is neither g++ nor clang++)", self.shown())],
            });
        }
        let major: u32 = number.split('.').next().and_then(|n| n.parse().ok()).unwrap_or(0);
        if major < family.facts().minimum {
            return Err(ToolchainError::OldCompiler {
                command: self.shown(),
                family: family.name(),
                version: number,
                minimum: family.facts().minimum,
            });
        }
        Ok(Version { family, number, banner })
    }

    /// Compiles and links a small C++17 program. `Ok` holds nothing, `Err` the compiler's words.
    ///
    /// # Errors
    /// The compiler's output, or why it could not be started.
    pub fn probe_cpp17(&self) -> std::result::Result<(), String> {
        let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
        let source = dir.path().join("probe.cpp");
        std::fs::write(&source, PROBE).map_err(|e| e.to_string())?;
        let output = self
            .start()
            .args([OsStr::new("-std=c++17"), source.as_os_str(), OsStr::new("-o")])
            .arg(dir.path().join("probe"))
            .output();
        match output {
            Ok(done) if done.status.success() => Ok(()),
            Ok(done) => Err(String::from_utf8_lossy(&done.stderr).into_owned()),
            Err(e) => Err(e.to_string()),
        }
    }
}

/// Uses what `launch.h` uses: `auto` template parameters, fold expressions, inline variables, the standard library.
const PROBE: &str = "#include <atomic>
#include <string>
#include <type_traits>
template <auto F> struct tag {};
template <class... P> constexpr unsigned bytes() { return (0u + ... + sizeof(P)); }
inline __thread int* slot = nullptr;
int main() {
  if constexpr (bytes<int, char>() == 5u) return slot == nullptr && std::string(\"ok\").size() == 2 ? 0 : 1;
}
";

/// First word of `text` that begins with a digit and contains a dot.
fn version_in(text: &str) -> &str {
    let word = text
        .split_whitespace()
        .find(|w| w.starts_with(|c: char| c.is_ascii_digit()) && w.contains('.'))
        .unwrap_or_default();
    word.split(['-', '+', '~']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_banners() {
        assert_eq!(version_in("Debian clang version 14.0.6"), "14.0.6");
        assert_eq!(version_in("Ubuntu clang version 18.1.3-1ubuntu1"), "18.1.3");
        assert_eq!(version_in("clang"), "");
    }

    #[test]
    fn missing_programs_are_not_found() {
        assert_eq!(find_program("no-such-compiler-anywhere"), None);
        assert_eq!(find_program("/no/such/file"), None);
        assert!(find_program("sh").is_some());
    }
}
