//! A device: selected, asked, waited for.
#![allow(unsafe_code)] // calls the layer below

use super::host_func::{self, Panics};
use super::runtime::Inner as RuntimeInner;
use crate::error::{Error, Result};
use crate::result;
use crate::sys::{AclApi, AclError, ContextHandle, DevAttr, MemAttr};
use std::sync::Arc;
use std::time::Duration;

/// A device in use. Clones share it; when the last clone and everything made on it is gone, it is given back
/// (`aclrtResetDevice`).
///
/// May be sent to and used in any thread: each call selects the device for the calling thread first.
#[doc(alias = "aclrtSetDevice")]
#[derive(Debug, Clone)]
pub struct Device {
    pub(crate) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) runtime: Arc<RuntimeInner>,
    pub(crate) id: i32,
    pub(crate) context: ContextHandle,
    pub(crate) panics: Arc<Panics>,
    /// The context was made by `aclrtCreateContext`.
    is_explicit: bool,
}

// SAFETY: the context is a name for the runtime; it is never followed here, and the runtime allows its use in any thread.
unsafe impl Send for Inner {}
// SAFETY: as above.
unsafe impl Sync for Inner {}

impl Device {
    pub(crate) fn open(runtime: Arc<RuntimeInner>, id: i32) -> Result<Device> {
        // SAFETY: given back in `Drop` of `Inner`, which everything made on the device keeps alive.
        let set = unsafe { result::device::set(runtime.api(), id) };
        runtime.check("aclrtSetDevice", set)?;
        // SAFETY: the table is loaded.
        match unsafe { result::device::current_context(runtime.api()) } {
            Ok(context) => Ok(Device { inner: Inner::new(runtime, id, context, false) }),
            Err(code) => {
                // SAFETY: balances the call above; nothing was made on the device.
                let reset = unsafe { result::device::reset(runtime.api(), id) };
                runtime.defer("aclrtResetDevice", reset);
                runtime.check("aclrtGetCurrentContext", Err(code))
            }
        }
    }

    /// Its number.
    pub fn id(&self) -> i32 {
        self.inner.id
    }

    /// Name of the chip, such as `Ascend910B1`.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    pub fn soc_name(&self) -> Result<String> {
        self.inner.bind()?;
        // SAFETY: the table is loaded.
        let name = unsafe { result::device::soc_name(self.inner.api()) };
        self.inner.check("aclrtGetSocName", name.ok_or(AclError::RT_NO_DEVICE))
    }

    /// One number of the device.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], for example for an attribute the runtime does not know.
    pub fn info(&self, attr: DevAttr) -> Result<i64> {
        self.inner.bind()?;
        // SAFETY: the table is loaded.
        let value = unsafe { result::device::info(self.inner.api(), self.inner.id.cast_unsigned(), attr) };
        self.inner.check("aclrtGetDeviceInfo", value)
    }

    /// Free and total device memory, bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    pub fn memory_bytes(&self) -> Result<(usize, usize)> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let info = unsafe { result::device::mem_info(self.inner.api(), MemAttr::HBM) };
        self.inner.check("aclrtGetMemInfo", info)
    }

    /// Waits until all streams of the device are empty.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`] with what failed in them, and the errors of earlier drops.
    #[doc(alias = "aclrtSynchronizeDevice")]
    pub fn synchronize(&self) -> Result<()> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let done = unsafe { result::device::synchronize(self.inner.api()) };
        self.inner.check("aclrtSynchronizeDevice", done)?;
        self.inner.check_panics()
    }

    /// The same, for at most `limit`; then an error with code 507046, and the work goes on.
    ///
    /// # Errors
    ///
    /// As [`Device::synchronize`], and [`Error::TimeLimit`].
    pub fn synchronize_for(&self, limit: Duration) -> Result<()> {
        let limit_ms = milliseconds(limit)?;
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let done = unsafe { result::device::synchronize_for(self.inner.api(), limit_ms) };
        self.inner.check("aclrtSynchronizeDeviceWithTimeout", done)?;
        self.inner.check_panics()
    }
}

impl Inner {
    pub(crate) fn new(
        runtime: Arc<RuntimeInner>,
        id: i32,
        context: ContextHandle,
        is_explicit: bool,
    ) -> Arc<Inner> {
        Arc::new(Inner { runtime, id, context, panics: Arc::default(), is_explicit })
    }

    /// What a function that a stream called said in its panic.
    pub(crate) fn check_panics(&self) -> Result<()> {
        let message = self.panics.take(None);
        message.map_or(Ok(()), |message| Err(Error::HostFunctionPanicked { message }))
    }

    pub(crate) fn api(&self) -> &'static AclApi {
        self.runtime.api()
    }

    pub(crate) fn check<T>(&self, call: &'static str, result: Result<T, AclError>) -> Result<T> {
        self.runtime.check(call, result)
    }

    /// Selects the device for the calling thread and gives back what an earlier `Drop` could not say.
    pub(crate) fn bind(&self) -> Result<()> {
        if host_func::is_inside() {
            return Err(Error::InsideHostFunction);
        }
        self.runtime.take_deferred()?;
        self.check("aclrtSetCurrentContext", self.select())
    }

    /// `true` if both are the same device of the same runtime, however often it was opened.
    pub(crate) fn is_same(&self, other: &Inner) -> bool {
        self.id == other.id && std::ptr::eq(self.api(), other.api())
    }

    /// Selects the device for the calling thread.
    pub(crate) fn select(&self) -> Result<(), AclError> {
        // SAFETY: the context lives as long as `self`.
        unsafe { result::device::set_current_context(self.api(), self.context) }
    }

    /// Runs a freeing call of a `Drop` with the device selected and keeps its error; later and elsewhere if this is
    /// inside a function that a stream calls.
    pub(crate) fn release<T: 'static>(
        self: &Arc<Self>,
        call: &'static str,
        thing: T,
        free: impl FnOnce(&AclApi, T) -> Result<(), AclError> + Send + 'static,
    ) {
        /// A handle or an address: a name for the runtime.
        struct Name<T>(T);
        // SAFETY: never followed here, and the runtime allows freeing calls in any thread.
        unsafe impl<T> Send for Name<T> {}
        impl<T> Name<T> {
            fn get(self) -> T {
                self.0
            }
        }
        let (device, thing) = (Arc::clone(self), Name(thing));
        host_func::outside(move || {
            let freed = device.select().and_then(|()| free(device.api(), thing.get()));
            device.runtime.defer(call, freed);
        });
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        /// What is needed to give a device back.
        struct Last {
            runtime: Arc<RuntimeInner>,
            id: i32,
            context: Option<ContextHandle>,
        }
        // SAFETY: the context is a name for the runtime, as in `Inner`.
        unsafe impl Send for Last {}
        impl Last {
            fn give_back(self) {
                let api = self.runtime.api();
                if let Some(context) = self.context {
                    // SAFETY: made by `Device::create_context`; everything made in it held the `Inner` and is gone.
                    let destroyed = unsafe { result::context::destroy(api, context) };
                    self.runtime.defer("aclrtDestroyContext", destroyed);
                }
                // SAFETY: balances `Device::open`; everything made on the device held the `Inner` and is gone.
                let reset = unsafe { result::device::reset(api, self.id) };
                self.runtime.defer("aclrtResetDevice", reset);
            }
        }
        let context = self.is_explicit.then_some(self.context);
        let last = Last { runtime: Arc::clone(&self.runtime), id: self.id, context };
        host_func::outside(move || last.give_back());
    }
}

/// A time limit as ACL takes it.
pub(crate) fn milliseconds(limit: Duration) -> Result<i32> {
    let limit_ms = limit.as_millis();
    match i32::try_from(limit_ms) {
        Ok(ms) if ms > 0 => Ok(ms),
        _ => Err(Error::TimeLimit { limit_ms }),
    }
}
