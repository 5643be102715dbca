//! Finds `libascendcl.so`, the runtime that programs are linked with.
//!
//! It is the cdylib of crate `toprope-ascendcl`; cargo builds it beside the `toprope` binary. It is looked for, in order, in
//! `$TOPROPE_LIB_DIR`, then relative to the folder of the running executable: `deps`, `../deps` (tests and examples), the folder
//! itself, its parent, `../lib64`, `../lib`.

use std::env;
use std::path::{Path, PathBuf};

use crate::error::{Result, ToolchainError};

/// Environment variable that names the folder of `libascendcl.so`.
pub const VARIABLE: &str = "TOPROPE_LIB_DIR";

const NAME: &str = "libascendcl.so";

/// Text inside every library of this version (`toprope_ascendcl::VERSION`).
const MARK: &str = concat!("toprope ", env!("CARGO_PKG_VERSION"), " core-abi 1\0");
const _: () = assert!(toprope_abi::core_face::CORE_ABI_VERSION == 1, "MARK names the kernel interface");

/// Folders beside an executable in which the library may be. Cargo refreshes the one in `deps` with every build of the command; a copy
/// beside the executable comes from an earlier build of the whole workspace, so it is second.
const BESIDE: [&str; 6] = ["deps", "../deps", "", "..", "../lib64", "../lib"];

/// A `libascendcl.so` that exists.
#[derive(Clone, Debug)]
pub struct RuntimeLibrary {
    path: PathBuf,
}

impl RuntimeLibrary {
    /// Finds the library.
    ///
    /// # Errors
    /// [`ToolchainError::NoRuntime`] with the folders looked in.
    pub fn find() -> Result<RuntimeLibrary> {
        if let Some(dir) = env::var_os(VARIABLE).filter(|v| !v.is_empty()) {
            // A variable that is set is an order: nothing else is taken.
            return RuntimeLibrary::among(vec![PathBuf::from(dir)]);
        }
        let exe = env::current_exe()
            .and_then(|p| p.canonicalize())
            .map_err(ToolchainError::file("current executable"))?;
        RuntimeLibrary::beside(&exe)
    }

    /// The library that belongs to `executable`, from one of the folders around it.
    ///
    /// # Errors
    /// [`ToolchainError::NoRuntime`] with the folders looked in.
    pub fn beside(executable: &Path) -> Result<RuntimeLibrary> {
        let dir = executable.parent().unwrap_or(Path::new("/"));
        RuntimeLibrary::among(BESIDE.iter().map(|below| dir.join(below)).collect())
    }

    fn among(folders: Vec<PathBuf>) -> Result<RuntimeLibrary> {
        match folders.iter().map(|dir| dir.join(NAME)).find(|path| path.is_file()) {
            Some(path) => Ok(RuntimeLibrary { path: path.canonicalize().unwrap_or(path) }),
            None => Err(ToolchainError::NoRuntime { looked: folders }),
        }
    }

    /// Reads the library and refuses one that is not of this version.
    ///
    /// # Errors
    /// [`ToolchainError::ForeignRuntime`].
    pub fn check(&self) -> Result<()> {
        let bytes = std::fs::read(&self.path).map_err(ToolchainError::file(&self.path))?;
        let found = memchr_find(&bytes, MARK.as_bytes());
        if found {
            Ok(())
        } else {
            Err(ToolchainError::ForeignRuntime {
                path: self.path.clone(),
                version: env!("CARGO_PKG_VERSION"),
            })
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its folder.
    pub fn dir(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }
}

/// Does `needle` occur in `hay`?
fn memchr_find(hay: &[u8], needle: &[u8]) -> bool {
    let first = needle[0];
    let mut rest = hay;
    while let Some(at) = rest.iter().position(|b| *b == first) {
        if rest[at..].starts_with(needle) {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_the_library_is_named() {
        let dir = tempfile::tempdir().expect("tempdir");
        let error = RuntimeLibrary::among(vec![dir.path().to_path_buf()]).expect_err("nothing there");
        assert!(error.to_string().contains(&dir.path().display().to_string()), "{error}");
    }

    #[test]
    fn a_foreign_library_is_refused() {
        let dir = tempfile::tempdir().expect("tempdir");
        std::fs::write(dir.path().join(NAME), b"\x7fELF toprope 99 core-abi 1\0").expect("write");
        let library = RuntimeLibrary::among(vec![dir.path().to_path_buf()]).expect("there");
        assert!(matches!(library.check(), Err(ToolchainError::ForeignRuntime { .. })));
        std::fs::write(dir.path().join(NAME), format!("\x7fELF t {MARK} x")).expect("write");
        assert!(library.check().is_ok());
    }
}
