//! Work that borrows: asynchronous copies and launches that cannot outlive their memory.
//!
//! As in [`std::thread::scope`], what is lent to the work has to live longer than the scope, and the scope does not end
//! before the stream has done all of it, whether its closure returns, fails or panics. There is no guard to forget.
#![allow(unsafe_code)] // calls the layer below

use super::buffer::{DeviceSlice, Invariant};
use super::kernel::PreparedLaunch;
use super::stream::Stream;
use crate::error::Result;
use crate::result;
use bytemuck::Pod;
use std::marker::PhantomData;
use std::ops::Deref;

/// A stream that takes work which borrows memory; see [`Stream::scope`]. Also usable as the [`Stream`] itself.
#[derive(Debug)]
pub struct Scope<'scope, 'env: 'scope> {
    stream: &'env Stream,
    scope: Invariant<'scope>,
    env: Invariant<'env>,
}

impl Deref for Scope<'_, '_> {
    type Target = Stream;

    fn deref(&self) -> &Stream {
        self.stream
    }
}

/// Waits for the stream when a scope ends by a panic.
struct WaitOnPanic<'a>(&'a Stream);

impl Drop for WaitOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = wait_until_idle(self.0);
        }
    }
}

/// Waits until the stream is done with all of its work, also after faults, and gives back the first error.
///
/// A fault is reported by one synchronisation while later work may still run, so it is synchronised until that succeeds.
/// A runtime that answers every time with an error has stopped the stream (stop on failure, lost device).
fn wait_until_idle(stream: &Stream) -> Result<()> {
    const TRIES_AFTER_ERROR: usize = 64;
    let device = &stream.device;
    let wait = || {
        device.select()?;
        // SAFETY: the stream is alive.
        unsafe { result::stream::synchronize(device.api(), stream.handle()) }
    };
    let first = device.check("aclrtSynchronizeStream", wait());
    if first.is_err() {
        // The later answers repeat the error or are `Ok`.
        let _ = (0..TRIES_AFTER_ERROR).find(|_| wait().is_ok());
    }
    first
}

impl Stream {
    /// Runs `work`, which puts copies and launches into the stream, and waits until the stream is empty.
    ///
    /// Scopes may be nested, so that work of several streams overlaps:
    ///
    /// ```no_run
    /// # fn f(a: &toprope_host::Stream, b: &toprope_host::Stream) -> toprope_host::Result<()> {
    /// a.scope(|a| b.scope(|b| {
    ///     // work in `a` and `b`
    ///     Ok(())
    /// }))
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The error of `work`; if it has none, that of the work it put in.
    pub fn scope<'env, R>(
        &'env self,
        work: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> Result<R>,
    ) -> Result<R> {
        let scope = Scope { stream: self, scope: PhantomData, env: PhantomData };
        let wait = WaitOnPanic(self);
        let result = work(&scope);
        std::mem::forget(wait);
        let done = wait_until_idle(self);
        let value = result?;
        done.map(|()| value)
    }
}

impl<'scope> Scope<'scope, '_> {
    /// Copies host memory to the device, after the work put in before. Pinned memory
    /// ([`HostBuffer`](super::HostBuffer)) is copied asynchronously; other memory before this call returns.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`](crate::Error::LengthMismatch) unless the lengths are equal, [`Error::OtherDevice`](crate::Error::OtherDevice), and [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn copy_to_device<T: Pod>(
        &'scope self,
        destination: impl Into<DeviceSlice<'scope, T>>,
        source: &'scope [T],
    ) -> Result<()> {
        let destination = destination.into();
        self.same_device(destination.device(), "the destination")?;
        let copy = destination.copy_in(source)?;
        // SAFETY: both ranges are borrowed for 'scope, which ends after the stream is empty.
        unsafe { self.copy(copy) }
    }

    /// Copies device memory to the host, after the work put in before; the host sees it when the scope has ended.
    ///
    /// # Errors
    ///
    /// As [`Scope::copy_to_device`].
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn copy_to_host<T: Pod>(
        &'scope self,
        destination: &'scope mut [T],
        source: impl Into<DeviceSlice<'scope, T>>,
    ) -> Result<()> {
        let source = source.into();
        self.same_device(source.device(), "the source")?;
        let copy = source.copy_out(destination)?;
        // SAFETY: both ranges are borrowed for 'scope, the destination exclusively; 'scope ends after the stream is empty.
        unsafe { self.copy(copy) }
    }

    /// Copies device memory to device memory, after the work put in before.
    ///
    /// # Errors
    ///
    /// As [`Scope::copy_to_device`].
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn copy_on_device<T: Pod>(
        &'scope self,
        destination: impl Into<DeviceSlice<'scope, T>>,
        source: impl Into<DeviceSlice<'scope, T>>,
    ) -> Result<()> {
        let (destination, source) = (destination.into(), source.into());
        self.same_device(destination.device(), "the destination")?;
        self.same_device(source.device(), "the source")?;
        let copy = destination.copy_across(&source)?;
        // SAFETY: both ranges are borrowed for 'scope, which ends after the stream is empty.
        unsafe { self.copy(copy) }
    }

    /// Sets every byte of device memory, after the work put in before.
    ///
    /// # Errors
    ///
    /// [`Error::OtherDevice`](crate::Error::OtherDevice) and [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtMemsetAsync")]
    pub fn fill_bytes<T: Pod>(
        &'scope self,
        destination: impl Into<DeviceSlice<'scope, T>>,
        value: u8,
    ) -> Result<()> {
        let destination = destination.into();
        self.same_device(destination.device(), "the destination")?;
        self.device.bind()?;
        let (ptr, bytes) = (destination.as_ptr().cast(), destination.size_bytes());
        // SAFETY: the memory is borrowed for 'scope, which ends after the stream is empty; the context is current.
        let put = unsafe { result::mem::set_async(self.device.api(), ptr, value, bytes, self.handle()) };
        self.device.check("aclrtMemsetAsync", put)
    }

    /// Puts a checked launch into the stream, after the work put in before.
    ///
    /// # Errors
    ///
    /// [`Error::OtherDevice`](crate::Error::OtherDevice) and [`Error::Acl`](crate::Error::Acl). What goes wrong in the kernel itself is the error of the scope.
    #[doc(alias = "aclrtLaunchKernelWithHostArgs")]
    pub fn launch(&'scope self, launch: PreparedLaunch<'scope>) -> Result<()> {
        let function = launch.function;
        self.same_device(function.device(), "the kernel")?;
        self.device.bind()?;
        let args = launch.args.words();
        // SAFETY: `launch` borrows the kernel and its buffers for 'scope, which ends after the stream is empty; its
        // arguments fit the kernel (`prepare`, or promised to `prepare_unchecked`); the context is current.
        let put = unsafe {
            result::kernel::launch(
                self.device.api(),
                function.handle(),
                launch.num_blocks,
                self.handle(),
                args,
            )
        };
        self.device.check("aclrtLaunchKernelWithHostArgs", put)
    }

    /// # Safety
    /// - Both ranges live until the stream is empty, and the destination is not looked at by the host until then.
    unsafe fn copy(&self, copy: result::mem::Copy) -> Result<()> {
        self.device.bind()?;
        // SAFETY: promised by the caller; the stream is alive and its context is current.
        let put = unsafe { result::mem::copy_async(self.device.api(), copy, self.handle()) };
        self.device.check("aclrtMemcpyAsync", put)
    }
}
