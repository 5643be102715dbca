//! The runtime as a whole: loaded, initialised, finalised.
#![allow(unsafe_code)] // calls the layer below

use super::device::Device;
use super::fault;
use crate::error::{Error, Result};
use crate::result;
use crate::sys::{AclApi, AclError, Backend, Library};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The runtime of one backend, initialised as long as a clone of this (or anything made from it) lives.
///
/// Several may exist at a time; the first initialises (`aclInit`), the last one finalises (`aclFinalize`). If somebody
/// else has initialised the runtime before, it is left to them to finalise it.
#[doc(alias = "aclInit")]
#[derive(Debug, Clone)]
pub struct Runtime {
    inner: Arc<Inner>,
}

/// What lives once per call of [`Runtime::new`].
#[derive(Debug)]
pub(crate) struct Inner {
    library: &'static Library,
    /// Which slot of the registry counts this.
    slot: usize,
    /// The first error of a `Drop`; the next call gives it back.
    deferred: Mutex<Option<Error>>,
}

/// One loaded runtime. Libraries stay loaded, so a slot is never removed.
struct Slot {
    backend: Backend,
    library: &'static Library,
    /// Number of [`Inner`]s.
    live: usize,
    /// `true` if we initialised it and have to finalise it.
    is_ours: bool,
}

static REGISTRY: Mutex<Vec<Slot>> = Mutex::new(Vec::new());

fn registry() -> MutexGuard<'static, Vec<Slot>> {
    // A panic while the lock is held cannot leave a slot half changed: every change is one assignment.
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Runtime {
    /// The embedded NPU, with default settings.
    ///
    /// # Errors
    ///
    /// As [`Runtime::new`].
    pub fn embedded() -> Result<Runtime> {
        Self::new(Backend::Embedded)
    }

    /// Loads and initialises a backend, with default settings.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] and [`Error::NotARuntime`] if the library cannot be used, [`Error::Acl`] if it does not
    /// initialise.
    pub fn new(backend: Backend) -> Result<Runtime> {
        Self::open(backend, None)
    }

    /// The same with the settings of a JSON file (see `aclInit`). They take effect only if the runtime is not
    /// initialised yet.
    ///
    /// # Errors
    ///
    /// As [`Runtime::new`], and [`Error::ZeroByte`].
    pub fn with_config(backend: Backend, config: &Path) -> Result<Runtime> {
        Self::open(backend, Some(&c_path("configuration file", config)?))
    }

    fn open(backend: Backend, config: Option<&CString>) -> Result<Runtime> {
        let mut slots = registry();
        let slot = match slots.iter().position(|slot| slot.backend == backend) {
            Some(slot) => slot,
            None => {
                let library: &'static Library = Box::leak(Box::new(Library::open(&backend)?));
                slots.push(Slot { backend, library, live: 0, is_ours: false });
                slots.len() - 1
            }
        };
        let at = &mut slots[slot];
        if at.live == 0 {
            // SAFETY: finalising happens under the lock that is held here.
            let init = unsafe { result::runtime::init(&at.library.api, config.map(|c| c.as_c_str())) };
            at.is_ours = match init {
                Ok(()) => true,
                Err(AclError::REPEAT_INITIALIZE) => false,
                Err(code) => return Err(failure(&at.library.api, "aclInit", code)),
            };
        }
        at.live += 1;
        let inner = Inner { library: at.library, slot, deferred: Mutex::new(None) };
        Ok(Runtime { inner: Arc::new(inner) })
    }

    /// Number of devices this process may use.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], for example 207004 if there is none.
    pub fn device_count(&self) -> Result<u32> {
        // SAFETY: the table is loaded.
        let count = unsafe { result::device::count(self.inner.api()) };
        self.inner.check("aclrtGetDeviceCount", count)
    }

    /// Version of the runtime's interface: major, minor, patch.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    pub fn version(&self) -> Result<[i32; 3]> {
        // SAFETY: the table is loaded.
        let version = unsafe { result::runtime::version(self.inner.api()) };
        self.inner.check("aclrtGetVersion", version)
    }

    /// Opens a device and selects it for the calling thread.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], for example 107001 if there is no such device.
    pub fn device(&self, id: i32) -> Result<Device> {
        self.inner.take_deferred()?;
        Device::open(Arc::clone(&self.inner), id)
    }

    pub(crate) fn inner(&self) -> &Arc<Inner> {
        &self.inner
    }

    /// Functions that this runtime lacks; calls of them answer 207000 (not supported).
    pub fn missing_functions(&self) -> &[&'static str] {
        &self.inner.library.missing
    }
}

impl Inner {
    pub(crate) fn slot(&self) -> usize {
        self.slot
    }

    pub(crate) fn api(&self) -> &'static AclApi {
        &self.library.api
    }

    /// Names the call in an error and adds the runtime's own words.
    pub(crate) fn check<T>(&self, call: &'static str, result: Result<T, AclError>) -> Result<T> {
        result.map_err(|code| failure(self.api(), call, code))
    }

    /// Keeps the first error of a `Drop` for the next call.
    pub(crate) fn defer(&self, call: &'static str, result: Result<(), AclError>) {
        if let Err(error) = self.check(call, result) {
            self.defer_error(error);
        }
    }

    pub(crate) fn defer_error(&self, error: Error) {
        let mut deferred = self.deferred.lock().unwrap_or_else(PoisonError::into_inner);
        deferred.get_or_insert(error);
    }

    /// Gives back what [`defer`](Self::defer) kept.
    pub(crate) fn take_deferred(&self) -> Result<()> {
        let mut deferred = self.deferred.lock().unwrap_or_else(PoisonError::into_inner);
        deferred.take().map_or(Ok(()), Err)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let mut slots = registry();
        let slot = &mut slots[self.slot];
        slot.live -= 1;
        if slot.live == 0 {
            fault::runtime_ends(self.slot, &slot.library.api);
        }
        if slot.live == 0 && slot.is_ours {
            slot.is_ours = false;
            // SAFETY: every handle holds an `Inner`, and this was the last one of this runtime. There is nobody left to
            // give an error to.
            let _ = unsafe { result::runtime::finalize(&slot.library.api) };
        }
    }
}

fn failure(api: &AclApi, call: &'static str, code: AclError) -> Error {
    // SAFETY: the table is loaded.
    let message = unsafe { result::runtime::take_message(api) };
    Error::Acl { call, code, message }
}

/// A path as C takes it.
pub(crate) fn c_path(what: &'static str, path: &Path) -> Result<CString> {
    let zero = |_| Error::ZeroByte { what, text: path.display().to_string() };
    CString::new(path.as_os_str().as_bytes()).map_err(zero)
}

/// A name as C takes it.
pub(crate) fn c_name(what: &'static str, name: &str) -> Result<CString> {
    CString::new(name).map_err(|_| Error::ZeroByte { what, text: name.to_owned() })
}
