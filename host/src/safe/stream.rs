//! Streams: queues of device work.
#![allow(unsafe_code)] // calls the layer below

use super::device::{Device, Inner as DeviceInner, milliseconds};
use super::event::Event;
use crate::error::{Error, Result};
use crate::result;
use crate::sys::{STOP_ON_FAILURE, StreamHandle, StreamStatus};
use std::sync::Arc;
use std::time::Duration;

/// A queue of device work. Work of one stream runs in order; streams do not wait for each other unless told to by an
/// [`Event`]. On drop its work is waited for.
///
/// Work that borrows memory is put into it inside [`Stream::scope`].
#[doc(alias = "aclrtStream")]
#[derive(Debug)]
pub struct Stream {
    handle: StreamHandle,
    pub(crate) device: Arc<DeviceInner>,
}

// SAFETY: the handle is a name for the runtime, which allows its use in any thread whose context is that of the stream;
// every use here selects it first.
unsafe impl Send for Stream {}
// SAFETY: as above; the runtime serialises what several threads put in.
unsafe impl Sync for Stream {}

impl Device {
    /// Makes a stream.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], for example 207008 if there are too many.
    pub fn create_stream(&self) -> Result<Stream> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let handle = unsafe { result::stream::create(self.inner.api()) };
        let handle = self.inner.check("aclrtCreateStream", handle)?;
        Ok(Stream { handle, device: Arc::clone(&self.inner) })
    }

    /// Makes a stream with a priority: 0 is highest, 7 lowest. Waiting work of a higher priority starts first.
    ///
    /// # Errors
    ///
    /// As [`Device::create_stream`].
    pub fn create_stream_with_priority(&self, priority: u32) -> Result<Stream> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let handle = unsafe { result::stream::create_with(self.inner.api(), priority, 0) };
        let handle = self.inner.check("aclrtCreateStreamWithConfig", handle)?;
        Ok(Stream { handle, device: Arc::clone(&self.inner) })
    }

    /// The default stream. It does not wait for other streams, nor they for it.
    pub fn default_stream(&self) -> Stream {
        Stream { handle: StreamHandle::NULL, device: Arc::clone(&self.inner) }
    }
}

impl Stream {
    /// Waits until the stream is empty.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`] with what failed in it, for example 507035 if a kernel did something that a vector core refuses;
    /// and the errors of earlier drops.
    #[doc(alias = "aclrtSynchronizeStream")]
    pub fn synchronize(&self) -> Result<()> {
        self.device.bind()?;
        // SAFETY: the stream is alive.
        let done = unsafe { result::stream::synchronize(self.device.api(), self.handle) };
        self.device.check("aclrtSynchronizeStream", done)
    }

    /// The same, for at most `limit`; then an error with code 507046, and the work goes on.
    ///
    /// # Errors
    ///
    /// As [`Stream::synchronize`], and [`Error::TimeLimit`].
    pub fn synchronize_for(&self, limit: Duration) -> Result<()> {
        let limit_ms = milliseconds(limit)?;
        self.device.bind()?;
        // SAFETY: the stream is alive.
        let done = unsafe { result::stream::synchronize_for(self.device.api(), self.handle, limit_ms) };
        self.device.check("aclrtSynchronizeStreamWithTimeout", done)
    }

    /// `true` if the stream is empty; never waits.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtStreamQuery")]
    pub fn is_empty(&self) -> Result<bool> {
        self.device.bind()?;
        // SAFETY: the stream is alive.
        let status = unsafe { result::stream::query(self.device.api(), self.handle) };
        Ok(self.device.check("aclrtStreamQuery", status)? == StreamStatus::COMPLETE)
    }

    /// Marks this place of the stream.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], and [`Error::OtherDevice`] for an event of another device.
    #[doc(alias = "aclrtRecordEvent")]
    pub fn record(&self, event: &Event) -> Result<()> {
        self.same_device(&event.device, "the event")?;
        self.device.bind()?;
        // SAFETY: both are alive and the context is current.
        let done = unsafe { result::event::record(self.device.api(), event.handle, self.handle) };
        self.device.check("aclrtRecordEvent", done)
    }

    /// Lets the work that is put in from now on wait for the place that was last marked with `event`.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], and [`Error::OtherDevice`] for an event of another device.
    #[doc(alias = "aclrtStreamWaitEvent")]
    pub fn wait(&self, event: &Event) -> Result<()> {
        self.same_device(&event.device, "the event")?;
        self.device.bind()?;
        // SAFETY: both are alive and the context is current.
        let done = unsafe { result::stream::wait_event(self.device.api(), self.handle, event.handle) };
        self.device.check("aclrtStreamWaitEvent", done)
    }

    /// After a fault in this stream, refuse all work of the device until it is reset. There is no way back.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtSetStreamFailureMode")]
    pub fn stop_on_failure(&self) -> Result<()> {
        self.device.bind()?;
        // SAFETY: the stream is alive and its context is current.
        let done = unsafe {
            result::stream::set_failure_mode(self.device.api(), self.handle, STOP_ON_FAILURE.into())
        };
        self.device.check("aclrtSetStreamFailureMode", done)
    }

    /// The handle, for the layer below.
    pub fn handle(&self) -> StreamHandle {
        self.handle
    }

    pub(crate) fn same_device(&self, other: &Arc<DeviceInner>, what: &'static str) -> Result<()> {
        if self.device.is_same(other) { Ok(()) } else { Err(Error::OtherDevice { what, with: "stream" }) }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            let handle = self.handle;
            // SAFETY: made by `create_stream`; nobody can use it after this.
            self.device.release("aclrtDestroyStream", |api| unsafe { result::stream::destroy(api, handle) });
        }
    }
}
