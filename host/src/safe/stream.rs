//! Streams: queues of device work.
#![allow(unsafe_code)] // calls the layer below

use super::device::{Device, Inner as DeviceInner, milliseconds};
use super::event::Event;
use super::host_func;
use crate::error::{Error, Result};
use crate::result;
use crate::sys::{
    STREAM_FAST_LAUNCH, STREAM_FAST_SYNC, StreamAttr, StreamAttrValue, StreamHandle, StreamStatus,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

/// A queue of device work. Work of one stream runs in order; streams do not wait for each other unless told to by an
/// [`Event`]. On drop its work is waited for.
///
/// Work that borrows memory is put into it inside [`Stream::scope`].
///
/// ```
/// # fn main() -> toprope_host::Result<()> {
/// use toprope_host::{Runtime, StreamConfig};
/// let device = Runtime::embedded()?.device(0)?;
/// let urgent = device.create_stream_with(StreamConfig { priority: 0, ..StreamConfig::default() })?;
/// let x = device.alloc::<u32>(1000)?;
/// urgent.scope(|s| s.fill_bytes(&x, 0xff))?; // waits at its end
/// assert!(urgent.is_empty()?);
/// assert_eq!(x.to_vec()?[999], u32::MAX);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "aclrtStream")]
#[derive(Debug)]
pub struct Stream {
    handle: StreamHandle,
    /// Name of the stream in this crate: never used twice, the same for every `Stream` of a default stream.
    key: usize,
    pub(crate) device: Arc<DeviceInner>,
    /// Whether its work goes into a graph now.
    recording: Arc<Recording>,
    owner: Arc<StreamOwner>,
}

/// Whether the work of a stream goes into a graph now, and how many scopes hold that off.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    is_on: RwLock<bool>,
    scopes: AtomicUsize,
}

/// A scope is open in a stream.
#[derive(Debug)]
pub(crate) struct Entered<'a>(&'a Recording);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        self.0.scopes.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Recording {
    /// Holds off a capture until the guard is gone; only for as long as one call.
    fn off(&self) -> Result<RwLockReadGuard<'_, bool>> {
        let is_on = self.is_on.read().unwrap_or_else(PoisonError::into_inner);
        if *is_on { Err(Error::Capturing) } else { Ok(is_on) }
    }

    /// Refuses captures until the guard is gone.
    fn enter(&self) -> Result<Entered<'_>> {
        let _off = self.off()?;
        self.scopes.fetch_add(1, Ordering::AcqRel);
        Ok(Entered(self))
    }

    /// From now on the work goes into a graph.
    pub(crate) fn begin(&self) -> Result<()> {
        let mut is_on = self.is_on.write().unwrap_or_else(PoisonError::into_inner);
        if *is_on {
            return Err(Error::Capturing);
        }
        if self.scopes.load(Ordering::Acquire) > 0 {
            return Err(Error::ScopeOpen);
        }
        *is_on = true;
        Ok(())
    }

    pub(crate) fn end(&self) {
        *self.is_on.write().unwrap_or_else(PoisonError::into_inner) = false;
    }
}

/// Destroys a stream when nothing needs it any more: neither its [`Stream`] nor memory to be freed in its order.
#[derive(Debug)]
pub(crate) struct StreamOwner {
    pub(crate) handle: StreamHandle,
    pub(crate) key: usize,
    device: Arc<DeviceInner>,
}

impl StreamOwner {
    #[cfg(feature = "async")]
    pub(crate) fn device(&self) -> &Arc<DeviceInner> {
        &self.device
    }
}

// SAFETY: as for `Stream`.
unsafe impl Send for StreamOwner {}
// SAFETY: as for `Stream`.
unsafe impl Sync for StreamOwner {}

/// How a stream is made; see [`Device::create_stream_with`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StreamConfig {
    /// 0 is highest, 7 lowest. Waiting work of a higher priority starts first; nothing is interrupted.
    pub priority: u32,
    /// Keep resources ready for quick launches.
    #[doc(alias = "ACL_STREAM_FAST_LAUNCH")]
    pub fast_launch: bool,
    /// Spin instead of sleep while the host synchronises.
    #[doc(alias = "ACL_STREAM_FAST_SYNC")]
    pub fast_sync: bool,
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
    #[doc(alias = "aclrtCreateStream")]
    pub fn create_stream(&self) -> Result<Stream> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let handle = unsafe { result::stream::create(self.inner.api()) };
        let handle = self.inner.check("aclrtCreateStream", handle)?;
        Ok(Stream::new(handle, &self.inner))
    }

    /// Makes a stream with a priority and other properties.
    ///
    /// # Errors
    ///
    /// As [`Device::create_stream`].
    #[doc(alias = "aclrtCreateStreamWithConfig")]
    pub fn create_stream_with(&self, config: StreamConfig) -> Result<Stream> {
        let flags = [(config.fast_launch, STREAM_FAST_LAUNCH), (config.fast_sync, STREAM_FAST_SYNC)];
        self.create_stream_flags(
            config.priority,
            flags.iter().filter(|(on, _)| *on).map(|(_, bit)| bit).sum(),
        )
    }

    pub(crate) fn create_stream_flags(&self, priority: u32, flags: u32) -> Result<Stream> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let handle = unsafe { result::stream::create_with(self.inner.api(), priority, flags) };
        let handle = self.inner.check("aclrtCreateStreamWithConfig", handle)?;
        Ok(Stream::new(handle, &self.inner))
    }

    /// The same with a priority only.
    ///
    /// # Errors
    ///
    /// As [`Device::create_stream`].
    pub fn create_stream_with_priority(&self, priority: u32) -> Result<Stream> {
        self.create_stream_with(StreamConfig { priority, ..StreamConfig::default() })
    }

    /// The default stream. It does not wait for other streams, nor they for it.
    pub fn default_stream(&self) -> Stream {
        Stream::new(StreamHandle::NULL, &self.inner)
    }

    /// How many more streams can be made.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtGetStreamAvailableNum")]
    pub fn streams_left(&self) -> Result<u32> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let left = unsafe { result::stream::available_num(self.inner.api()) };
        self.inner.check("aclrtGetStreamAvailableNum", left)
    }
}

impl Stream {
    fn new(handle: StreamHandle, device: &Arc<DeviceInner>) -> Stream {
        static NEXT: AtomicUsize = AtomicUsize::new(1);
        let key = match handle.is_null() {
            true => Arc::as_ptr(&device.panics).addr(),
            false => NEXT.fetch_add(1, Ordering::Relaxed),
        };
        let owner = Arc::new(StreamOwner { handle, key, device: Arc::clone(device) });
        Stream { handle, key, device: Arc::clone(device), recording: Arc::default(), owner }
    }

    /// Waits until the stream is empty.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`] with what failed in it, for example 507035 if a kernel did something that a vector core refuses;
    /// [`Error::HostFunctionPanicked`]; and the errors of earlier drops.
    #[doc(alias = "aclrtSynchronizeStream")]
    pub fn synchronize(&self) -> Result<()> {
        self.device.bind()?;
        // SAFETY: the stream is alive.
        let done = unsafe { result::stream::synchronize(self.device.api(), self.handle) };
        self.device.check("aclrtSynchronizeStream", done)?;
        self.check_panics()
    }

    /// What a function that this stream called said in its panic.
    pub(crate) fn check_panics(&self) -> Result<()> {
        let message = self.device.panics.take(Some(self.key));
        message.map_or(Ok(()), |message| Err(Error::HostFunctionPanicked { message }))
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
        self.device.check("aclrtSynchronizeStreamWithTimeout", done)?;
        self.check_panics()
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
    /// [`Error::Acl`], [`Error::Capturing`], and [`Error::OtherDevice`] for an event of another device.
    #[doc(alias = "aclrtRecordEvent")]
    pub fn record(&self, event: &Event) -> Result<()> {
        self.same_device(&event.device, "the event")?;
        let _open = self.open()?;
        event.record_with(false, || {
            self.device.bind()?;
            // SAFETY: both are alive and the context is current.
            let done = unsafe { result::event::record(self.device.api(), event.handle, self.handle) };
            self.device.check("aclrtRecordEvent", done)
        })
    }

    /// Lets the work that is put in from now on wait for the place that was last marked with `event`.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], [`Error::Capturing`], and [`Error::OtherDevice`] for an event of another device.
    #[doc(alias = "aclrtStreamWaitEvent")]
    pub fn wait(&self, event: &Event) -> Result<()> {
        self.same_device(&event.device, "the event")?;
        let _open = self.open()?;
        event.wait_with(|| {
            self.device.bind()?;
            // SAFETY: both are alive and the context is current.
            let done = unsafe { result::stream::wait_event(self.device.api(), self.handle, event.handle) };
            self.device.check("aclrtStreamWaitEvent", done)
        })
    }

    /// The same, for at most `limit` (rounded up to seconds); then the stream has the error 507047 or 107019 and goes on.
    ///
    /// # Errors
    ///
    /// As [`Stream::wait`], and [`Error::TimeLimit`].
    #[doc(alias = "aclrtStreamWaitEventWithTimeout")]
    pub fn wait_for(&self, event: &Event, limit: Duration) -> Result<()> {
        self.same_device(&event.device, "the event")?;
        let limit_s = seconds(limit)?;
        let _open = self.open()?;
        event.wait_with(|| {
            self.device.bind()?;
            // SAFETY: both are alive and the context is current.
            let done = unsafe {
                result::event::wait_with_timeout(self.device.api(), self.handle, event.handle, limit_s)
            };
            self.device.check("aclrtStreamWaitEventWithTimeout", done)
        })
    }

    /// Drops the work that waits and stops the work that runs. The next synchronisation tells.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtStreamAbort")]
    pub fn abort(&self) -> Result<()> {
        self.device.bind()?;
        // SAFETY: the stream is alive.
        let done = unsafe { result::stream::abort(self.device.api(), self.handle) };
        self.device.check("aclrtStreamAbort", done)?;
        host_func::cancel_stream(self.key);
        Ok(())
    }

    /// After a fault in this stream, refuse all work of the device until it is reset. There is no way back.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtSetStreamFailureMode")]
    pub fn stop_on_failure(&self) -> Result<()> {
        self.device.bind()?;
        let mode = crate::sys::STOP_ON_FAILURE.into();
        // SAFETY: the stream is alive and its context is current.
        let done = unsafe { result::stream::set_failure_mode(self.device.api(), self.handle, mode) };
        self.device.check("aclrtSetStreamFailureMode", done)
    }

    /// 0 is highest, 7 lowest.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtStreamGetPriority")]
    pub fn priority(&self) -> Result<u32> {
        self.device.bind()?;
        // SAFETY: the stream is alive.
        let priority = unsafe { result::stream::priority(self.device.api(), self.handle) };
        self.device.check("aclrtStreamGetPriority", priority)
    }

    /// The `ACL_STREAM_*` flags it was made with.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtStreamGetFlags")]
    pub fn flags(&self) -> Result<u32> {
        self.device.bind()?;
        // SAFETY: the stream is alive.
        let flags = unsafe { result::stream::flags(self.device.api(), self.handle) };
        self.device.check("aclrtStreamGetFlags", flags)
    }

    /// Its number, as messages of the runtime name it.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtStreamGetId")]
    pub fn id(&self) -> Result<i32> {
        self.device.bind()?;
        // SAFETY: the stream is alive.
        let id = unsafe { result::stream::id(self.device.api(), self.handle) };
        self.device.check("aclrtStreamGetId", id)
    }

    /// Reads an attribute; which field of the answer counts, `attr` says.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtGetStreamAttribute")]
    pub fn attribute(&self, attr: StreamAttr) -> Result<StreamAttrValue> {
        self.device.bind()?;
        let mut value = StreamAttrValue { reserve: [0; 4] };
        // SAFETY: the stream is alive, the value a live one to write to.
        let done = unsafe { result::stream::attribute(self.device.api(), self.handle, attr, &raw mut value) };
        self.device.check("aclrtGetStreamAttribute", done)?;
        Ok(value)
    }

    /// Sets an attribute.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtSetStreamAttribute")]
    pub fn set_attribute(&self, attr: StreamAttr, mut value: StreamAttrValue) -> Result<()> {
        self.device.bind()?;
        // SAFETY: the stream is alive and its context is current, the value is live during the call.
        let done =
            unsafe { result::stream::set_attribute(self.device.api(), self.handle, attr, &raw mut value) };
        self.device.check("aclrtSetStreamAttribute", done)
    }

    /// The handle, for the layer below.
    pub fn handle(&self) -> StreamHandle {
        self.handle
    }

    pub(crate) fn key(&self) -> usize {
        self.key
    }

    pub(crate) fn owner(&self) -> &Arc<StreamOwner> {
        &self.owner
    }

    /// Holds off a capture while work is put in; refuses if there is one already.
    pub(crate) fn open(&self) -> Result<RwLockReadGuard<'_, bool>> {
        self.recording.off()
    }

    /// Begins a scope, which no capture may interrupt: it waits for the stream at its end, and a captured stream cannot
    /// be waited for.
    pub(crate) fn enter(&self) -> Result<Entered<'_>> {
        if host_func::is_inside() {
            return Err(Error::InsideHostFunction);
        }
        self.recording.enter()
    }

    pub(crate) fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    pub(crate) fn same_device(&self, other: &Arc<DeviceInner>, what: &'static str) -> Result<()> {
        if self.device.is_same(other) { Ok(()) } else { Err(Error::OtherDevice { what, with: "stream" }) }
    }
}

impl Drop for StreamOwner {
    fn drop(&mut self) {
        if self.handle.is_null() {
            return;
        }
        let (key, panics) = (self.key, Arc::clone(&self.device.panics));
        let runtime = Arc::clone(&self.device.runtime);
        self.device.release("aclrtDestroyStream", self.handle, move |api, handle| {
            // SAFETY: made by `create_stream`; nobody can use it after this.
            let destroyed = unsafe { result::stream::destroy(api, handle) };
            host_func::cancel_stream(key);
            while let Some(message) = panics.take(Some(key)) {
                runtime.defer_error(Error::HostFunctionPanicked { message });
            }
            destroyed
        });
    }
}

/// A time limit as waits on the device take it.
pub(crate) fn seconds<T: TryFrom<u64>>(limit: Duration) -> Result<T> {
    let whole = limit.as_secs() + u64::from(limit.subsec_nanos() > 0);
    let out_of_range = Error::TimeLimit { limit_ms: limit.as_millis() };
    if whole == 0 || whole > i32::MAX as u64 {
        return Err(out_of_range);
    }
    T::try_from(whole).map_err(|_| out_of_range)
}
