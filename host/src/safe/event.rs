//! Events: places in streams that others can wait for and that take the time.
#![allow(unsafe_code)] // calls the layer below

use super::device::{Device, Inner as DeviceInner};
use crate::error::{Error, Result};
use crate::result;
use crate::sys::{EVENT_SYNC, EVENT_TIME_LINE, EventHandle, EventRecordedStatus};
use std::sync::Arc;

/// A place in a stream, marked by [`Stream::record`](super::Stream::record). Can be waited for by the host and by other
/// streams, and knows the device time at which it happened. May be recorded again and again; the last time counts.
#[doc(alias = "aclrtEvent")]
#[derive(Debug)]
pub struct Event {
    pub(crate) handle: EventHandle,
    pub(crate) device: Arc<DeviceInner>,
}

// SAFETY: the handle is a name for the runtime, which allows its use in any thread.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Device {
    /// Makes an event.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    pub fn create_event(&self) -> Result<Event> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let handle = unsafe { result::event::create(self.inner.api(), EVENT_SYNC | EVENT_TIME_LINE) };
        let handle = self.inner.check("aclrtCreateEventExWithFlag", handle)?;
        Ok(Event { handle, device: Arc::clone(&self.inner) })
    }
}

impl Event {
    /// Waits until the event happened; returns at once if it was never recorded.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`] with what failed before it.
    #[doc(alias = "aclrtSynchronizeEvent")]
    pub fn synchronize(&self) -> Result<()> {
        self.device.bind()?;
        // SAFETY: the event is alive.
        let done = unsafe { result::event::synchronize(self.device.api(), self.handle) };
        self.device.check("aclrtSynchronizeEvent", done)
    }

    /// `true` if the event happened or was never recorded; never waits.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtQueryEventStatus")]
    pub fn is_complete(&self) -> Result<bool> {
        self.device.bind()?;
        // SAFETY: the event is alive.
        let status = unsafe { result::event::query(self.device.api(), self.handle) };
        Ok(self.device.check("aclrtQueryEventStatus", status)? == EventRecordedStatus::COMPLETE)
    }

    /// Milliseconds of device time from `start` to this event. Both must have happened.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], for example 107007 if `start` is the later one, and [`Error::OtherDevice`].
    #[doc(alias = "aclrtEventElapsedTime")]
    pub fn ms_since(&self, start: &Event) -> Result<f32> {
        if !self.device.is_same(&start.device) {
            return Err(Error::OtherDevice { what: "the start event", with: "end event" });
        }
        self.device.bind()?;
        // SAFETY: both events are alive.
        let ms = unsafe { result::event::elapsed_ms(self.device.api(), start.handle, self.handle) };
        self.device.check("aclrtEventElapsedTime", ms)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        let handle = self.handle;
        // SAFETY: made by `create_event`; nobody can use it after this.
        self.device.release("aclrtDestroyEvent", |api| unsafe { result::event::destroy(api, handle) });
    }
}
