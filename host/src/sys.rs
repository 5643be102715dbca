//! The table of C functions and where it comes from.
//!
//! ```text
//! Backend::Embedded ──▶ toprope_sim::runtime::api()                     ┐
//! Backend::Cann ──dlopen──▶ libascendcl.so / libacl_rt.so ──dlsym──▶    ├─▶ AclApi ──▶ result ──▶ safe layer
//! ```
//!
//! A library is never unloaded: its threads may outlive the last handle.
#![allow(unsafe_code)] // loads a library and trusts it to export the functions of the public headers

use crate::error::{Error, Result};
use libloading::os::unix::{Library as Dl, RTLD_LOCAL, RTLD_NOW};
use std::path::{Path, PathBuf};
use std::ptr::NonNull;

pub use toprope_abi::acl::*;
pub use toprope_abi::layout::{CChar, CInt};

/// Which NPU a program runs on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Backend {
    /// The one inside this process.
    #[default]
    Embedded,
    /// A CANN installation, loaded at run time.
    Cann {
        /// The library file; `None` looks for `libascendcl.so`, then `libacl_rt.so`, where the loader looks and in
        /// `$ASCEND_HOME_PATH/lib64`.
        path: Option<PathBuf>,
    },
}

impl Backend {
    /// Reads the environment variable `TOPROPE_BACKEND`: `embedded` (also when unset), `cann`, or `cann:FILE`.
    /// Anything else is taken as a library file.
    pub fn from_env() -> Backend {
        match std::env::var("TOPROPE_BACKEND").as_deref() {
            Err(_) | Ok("" | "embedded") => Backend::Embedded,
            Ok("cann") => Backend::Cann { path: None },
            Ok(text) => Backend::Cann { path: Some(text.strip_prefix("cann:").unwrap_or(text).into()) },
        }
    }
}

/// A loaded runtime.
#[derive(Debug)]
pub struct Library {
    /// The functions. Those that the library lacks answer 207000 (not supported).
    pub api: AclApi,
    /// Names of the functions it lacks.
    pub missing: Vec<&'static str>,
    /// The file, for a CANN installation.
    pub path: Option<PathBuf>,
}

impl Library {
    /// Loads the runtime of `backend`.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] if no library can be loaded, [`Error::NotARuntime`] if it lacks functions of tier T0.
    pub fn open(backend: &Backend) -> Result<Library> {
        match backend {
            Backend::Embedded => {
                Ok(Library { api: *toprope_sim::runtime::api(), missing: Vec::new(), path: None })
            }
            Backend::Cann { path: Some(path) } => Self::open_file(path),
            Backend::Cann { path: None } => Self::search(),
        }
    }

    fn search() -> Result<Library> {
        let names = ["libascendcl.so", "libacl_rt.so"];
        let home = std::env::var_os("ASCEND_HOME_PATH").map(|home| PathBuf::from(home).join("lib64"));
        let in_home = home.iter().flat_map(|dir| names.map(|name| dir.join(name)));
        let mut tried = Self::open_file(Path::new(names[0]));
        for path in [PathBuf::from(names[1])].into_iter().chain(in_home) {
            if tried.is_ok() {
                break;
            }
            tried = Self::open_file(&path);
        }
        tried
    }

    fn open_file(path: &Path) -> Result<Library> {
        // SAFETY: loading runs the library's initialisers; the caller names a CANN runtime, which is meant for this.
        let dl = unsafe { Dl::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
        let dl = dl.map_err(|source| Error::Load { path: path.to_owned(), source })?;
        let mut missing = Vec::new();
        let find = |name: &'static std::ffi::CStr| {
            // SAFETY: the symbol is only read as an address here; its type is the subject of `AclApi::load`.
            let symbol = unsafe { dl.get::<*mut std::ffi::c_void>(name.to_bytes_with_nul()) }.ok()?;
            NonNull::new(symbol.into_raw().cast::<std::ffi::c_void>())
        };
        // SAFETY: a library that exports these names implements the public headers, which our table repeats (tests/abi);
        // it is forgotten below, so it stays loaded.
        let api = unsafe { AclApi::load(find, |name| missing.push(name)) };
        let basic = |f: &&AclFn| f.tier == Tier::T0 && missing.contains(&f.name);
        if let Some(first) = FUNCTIONS.iter().find(basic) {
            let missing = FUNCTIONS.iter().filter(basic).count();
            return Err(Error::NotARuntime { path: path.to_owned(), missing, first: first.name });
        }
        std::mem::forget(dl);
        Ok(Library { api, missing, path: Some(path.to_owned()) })
    }
}
