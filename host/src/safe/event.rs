//! Events: places in streams that others can wait for and that take the time.
#![allow(unsafe_code)] // calls the layer below

use super::device::{Device, Inner as DeviceInner, milliseconds};
use crate::error::{Error, Result};
use crate::result;
use crate::sys::{
    EVENT_CAPTURE_STREAM_PROGRESS, EVENT_IPC, EVENT_SYNC, EVENT_TIME_LINE, EventHandle, EventRecordedStatus,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A place in a stream, marked by [`Stream::record`](super::Stream::record). Can be waited for by the host and by other
/// streams, and knows the device time at which it happened. May be recorded again and again; the last time counts.
///
/// ```
/// # fn main() -> toprope_host::Result<()> {
/// # let device = toprope_host::Runtime::embedded()?.device(0)?;
/// let (start, end) = (device.create_event()?, device.create_event()?);
/// let (stream, x) = (device.create_stream()?, device.alloc::<f32>(1 << 20)?);
/// stream.scope(|s| {
///     s.record(&start)?;
///     s.fill_bytes(&x, 0)?;
///     s.record(&end)
/// })?;
/// println!("{} ms of device time", end.ms_since(&start)?);
/// assert!(end.timestamp_us()? >= start.timestamp_us()?);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "aclrtEvent")]
#[derive(Debug)]
pub struct Event {
    pub(crate) handle: EventHandle,
    pub(crate) device: Arc<DeviceInner>,
    /// Whether its last record is in a graph.
    in_graph: Mutex<bool>,
}

// SAFETY: the handle is a name for the runtime, which allows its use in any thread.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

/// What an event is good for; see [`Device::create_event_for`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventUse {
    /// Waiting by streams and by the host.
    #[doc(alias = "ACL_EVENT_SYNC")]
    Sync,
    /// Timestamps.
    #[doc(alias = "ACL_EVENT_TIME_LINE")]
    Time,
    /// Seeing how far a stream is.
    #[doc(alias = "ACL_EVENT_CAPTURE_STREAM_PROGRESS")]
    Progress,
    /// Sharing with other processes; goes alone.
    #[doc(alias = "ACL_EVENT_IPC")]
    Ipc,
}

impl EventUse {
    fn flag(self) -> u32 {
        match self {
            EventUse::Sync => EVENT_SYNC,
            EventUse::Time => EVENT_TIME_LINE,
            EventUse::Progress => EVENT_CAPTURE_STREAM_PROGRESS,
            EventUse::Ipc => EVENT_IPC,
        }
    }
}

impl Device {
    /// Makes an event for synchronisation and timing.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    pub fn create_event(&self) -> Result<Event> {
        self.create_event_for(&[EventUse::Sync, EventUse::Time])
    }

    /// Makes an event for some uses. One without [`EventUse::Sync`] cannot be waited for by streams, one without
    /// [`EventUse::Time`] takes no time.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], for example 107000 if `uses` is empty.
    #[doc(alias = "aclrtCreateEventExWithFlag")]
    pub fn create_event_for(&self, uses: &[EventUse]) -> Result<Event> {
        let flags = uses.iter().fold(0, |flags, of| flags | of.flag());
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let handle = unsafe { result::event::create(self.inner.api(), flags) };
        let handle = self.inner.check("aclrtCreateEventExWithFlag", handle)?;
        Ok(Event::of_handle(handle, &self.inner))
    }

    /// How many more events can be made.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtGetEventAvailNum")]
    pub fn events_left(&self) -> Result<u32> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let left = unsafe { result::event::avail_num(self.inner.api()) };
        self.inner.check("aclrtGetEventAvailNum", left)
    }
}

impl Event {
    pub(crate) fn of_handle(handle: EventHandle, device: &Arc<DeviceInner>) -> Event {
        Event { handle, device: Arc::clone(device), in_graph: Mutex::new(false) }
    }

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

    /// The same, for at most `limit`; then an error with code 507047.
    ///
    /// # Errors
    ///
    /// As [`Event::synchronize`], and [`Error::TimeLimit`].
    #[doc(alias = "aclrtSynchronizeEventWithTimeout")]
    pub fn synchronize_for(&self, limit: Duration) -> Result<()> {
        let limit_ms = milliseconds(limit)?;
        self.device.bind()?;
        // SAFETY: the event is alive.
        let done =
            unsafe { result::event::synchronize_with_timeout(self.device.api(), self.handle, limit_ms) };
        self.device.check("aclrtSynchronizeEventWithTimeout", done)
    }

    /// Device time at which the event happened, microseconds.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], for example if it did not happen yet.
    #[doc(alias = "aclrtEventGetTimestamp")]
    pub fn timestamp_us(&self) -> Result<u64> {
        self.device.bind()?;
        // SAFETY: the event is alive.
        let time = unsafe { result::event::timestamp(self.device.api(), self.handle) };
        self.device.check("aclrtEventGetTimestamp", time)
    }

    /// Its number, as messages of the runtime name it.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtGetEventId")]
    pub fn id(&self) -> Result<u32> {
        self.device.bind()?;
        // SAFETY: the event is alive.
        let id = unsafe { result::event::id(self.device.api(), self.handle) };
        self.device.check("aclrtGetEventId", id)
    }

    /// Runs a call that records the event, in a graph or not.
    pub(crate) fn record_with(&self, in_graph: bool, record: impl FnOnce() -> Result<()>) -> Result<()> {
        let mut now = self.in_graph.lock().unwrap_or_else(PoisonError::into_inner);
        let done = record();
        // A record that failed may still have been taken; in doubt the event belongs to the graph.
        *now = in_graph || *now && done.is_err();
        done
    }

    /// Runs a call that waits for the event outside of graphs: one that is in a graph would draw the stream in.
    pub(crate) fn wait_with(&self, wait: impl FnOnce() -> Result<()>) -> Result<()> {
        let now = self.in_graph.lock().unwrap_or_else(PoisonError::into_inner);
        if *now { Err(Error::Capturing) } else { wait() }
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
        // SAFETY: made by `create_event_for`; nobody can use it after this.
        self.device.release("aclrtDestroyEvent", self.handle, |api, event| unsafe {
            result::event::destroy(api, event)
        });
    }
}
