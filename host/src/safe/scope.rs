//! Work that borrows: asynchronous copies and launches that cannot outlive their memory.
//!
//! As in [`std::thread::scope`], what is lent to the work has to live longer than the scope, and the scope does not end
//! before the stream has done all of it, whether its closure returns, fails or panics. There is no guard to forget.
#![allow(unsafe_code)] // calls the layer below

use super::buffer::{DeviceMemory, Invariant};
use super::host_func;
use super::kernel::PreparedLaunch;
use super::stream::Stream;
use crate::error::{Error, Result};
use crate::result;
use bytemuck::Pod;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// A stream that takes work which borrows memory; see [`Stream::scope`]. Also usable as the [`Stream`] itself.
#[derive(Debug)]
pub struct Scope<'scope, 'env: 'scope> {
    stream: &'env Stream,
    /// Functions put in, by number.
    pub(crate) calls: Mutex<Vec<usize>>,
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
struct WaitOnPanic<'a, 'scope, 'env>(&'a Scope<'scope, 'env>);

impl Drop for WaitOnPanic<'_, '_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.end();
        }
    }
}

impl<'env> Scope<'_, 'env> {
    pub(crate) fn stream(&self) -> &'env Stream {
        self.stream
    }

    /// Waits until nothing that was lent is in use any more, and gives back the first error.
    fn end(&self) -> Result<()> {
        let done = wait_until_idle(self.stream);
        let calls = std::mem::take(&mut *self.calls.lock().unwrap_or_else(PoisonError::into_inner));
        calls.into_iter().for_each(host_func::cancel);
        done?;
        self.stream.check_panics()
    }
}

/// Waits until the stream is done with all of its work, also after faults, and gives back the first error.
///
/// A fault is reported by one synchronisation while later work may still run, so it is synchronised until that succeeds.
/// A runtime that answers every time with an error has stopped the stream (stop on failure, lost device).
pub(crate) fn wait_until_idle(stream: &Stream) -> Result<()> {
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
        let _entered = self.enter()?;
        let scope = Scope { stream: self, calls: Mutex::default(), scope: PhantomData, env: PhantomData };
        let wait = WaitOnPanic(&scope);
        let result = work(&scope);
        std::mem::forget(wait);
        let done = scope.end();
        let value = result?;
        done.map(|()| value)
    }
}

#[cfg(feature = "async")]
impl Stream {
    /// Lends `buffers` to work and does not wait for it; gives back the functions put in, by number. If `work` panics, it
    /// is waited for.
    ///
    /// # Safety
    /// - `buffers` stay where they are and nobody looks at them before the stream has passed the work.
    /// - The functions are taken out of the table before `buffers` are dropped.
    pub(crate) unsafe fn lend<B>(
        &self,
        buffers: &mut B,
        work: impl for<'scope> FnOnce(&'scope Scope<'scope, 'scope>, &'scope mut B) -> Result<()>,
    ) -> (Result<()>, Vec<usize>) {
        let scope = Scope { stream: self, calls: Mutex::default(), scope: PhantomData, env: PhantomData };
        let wait = WaitOnPanic(&scope);
        let done = work(&scope, buffers);
        std::mem::forget(wait);
        let calls = std::mem::take(&mut *scope.calls.lock().unwrap_or_else(PoisonError::into_inner));
        (done, calls)
    }
}

impl<'scope> Scope<'scope, '_> {
    /// Copies host memory to the device, after the work put in before. Pinned memory
    /// ([`HostBuffer`](super::HostBuffer)) is copied asynchronously; other memory before this call returns.
    ///
    /// # Errors
    ///
    /// [`Error::LengthMismatch`] unless the lengths are equal, [`Error::OtherDevice`], and [`Error::Acl`].
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn copy_to_device<T: Pod>(
        &'scope self,
        destination: impl DeviceMemory<'scope, T>,
        source: &'scope [T],
    ) -> Result<()> {
        let destination = destination.place();
        self.may_use(&destination, "the destination")?;
        let copy = destination.copy_in(source)?;
        let _open = self.open()?;
        // SAFETY: both ranges are borrowed for 'scope, which ends after the stream is empty.
        unsafe { self.put_copy(copy) }
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
        source: impl DeviceMemory<'scope, T>,
    ) -> Result<()> {
        let source = source.place();
        self.may_use(&source, "the source")?;
        let copy = source.copy_out(destination)?;
        let _open = self.open()?;
        // SAFETY: both ranges are borrowed for 'scope, the destination exclusively; 'scope ends after the stream is empty.
        unsafe { self.put_copy(copy) }
    }

    /// Copies device memory to device memory, after the work put in before.
    ///
    /// # Errors
    ///
    /// As [`Scope::copy_to_device`].
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn copy_on_device<T: Pod>(
        &'scope self,
        destination: impl DeviceMemory<'scope, T>,
        source: impl DeviceMemory<'scope, T>,
    ) -> Result<()> {
        let (destination, source) = (destination.place(), source.place());
        self.may_use(&destination, "the destination")?;
        self.may_use(&source, "the source")?;
        let copy = destination.copy_across(&source)?;
        let _open = self.open()?;
        // SAFETY: both ranges are borrowed for 'scope, which ends after the stream is empty.
        unsafe { self.put_copy(copy) }
    }

    /// Copies between two devices, after the work put in before. The stream's device is one of them; it needs access to
    /// the other ([`Device::enable_peer_access`](super::Device::enable_peer_access)).
    ///
    /// # Errors
    ///
    /// As [`Scope::copy_to_device`].
    #[doc(alias = "aclrtMemcpyAsync")]
    pub fn copy_between_devices<T: Pod>(
        &'scope self,
        destination: impl DeviceMemory<'scope, T>,
        source: impl DeviceMemory<'scope, T>,
    ) -> Result<()> {
        let (destination, source) = (destination.place(), source.place());
        let (near, far) = match self.may_use(&destination, "the destination") {
            Ok(()) => (&destination, &source),
            Err(_) => (&source, &destination),
        };
        self.may_use(near, "neither end of the copy")?;
        if near.device.api != far.device.api || far.stream.is_some() {
            return Err(Error::OtherDevice { what: "one end of the copy", with: "stream" });
        }
        let copy = destination.copy_across(&source)?;
        let _open = self.open()?;
        // SAFETY: both ranges are borrowed for 'scope, which ends after the stream is empty.
        unsafe { self.put_copy(copy) }
    }

    /// Sets every byte of device memory, after the work put in before.
    ///
    /// # Errors
    ///
    /// [`Error::OtherDevice`] and [`Error::Acl`].
    #[doc(alias = "aclrtMemsetAsync")]
    pub fn fill_bytes<T: Pod>(
        &'scope self,
        destination: impl DeviceMemory<'scope, T>,
        value: u8,
    ) -> Result<()> {
        let destination = destination.place();
        self.may_use(&destination, "the destination")?;
        let _open = self.open()?;
        // SAFETY: the memory is borrowed for 'scope, which ends after the stream is empty.
        unsafe { self.put_fill(&destination, value) }
    }

    /// Puts a checked launch into the stream, after the work put in before.
    ///
    /// # Errors
    ///
    /// [`Error::OtherDevice`] and [`Error::Acl`]. What goes wrong in the kernel itself is the error of the scope.
    #[doc(alias = "aclrtLaunchKernelWithHostArgs")]
    pub fn launch(&'scope self, launch: PreparedLaunch<'scope>) -> Result<()> {
        let _open = self.open()?;
        // SAFETY: `launch` borrows the kernel and its buffers for 'scope, which ends after the stream is empty; memory
        // in stream order is freed after the launch in this stream, as it is kept by `launch` until the launch is in.
        unsafe { self.put_launch(&launch) }
    }
}
