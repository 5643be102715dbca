//! Signals between streams: notifies, counting notifies, and words in device memory.
#![allow(unsafe_code)] // calls the layer below

use super::buffer::DeviceSlice;
use super::device::{Device, Inner as DeviceInner};
use super::scope::Scope;
use super::stream::{Stream, seconds};
use crate::error::Result;
use crate::result;
use crate::sys::{
    CntNotifyHandle, CntNotifyRecordInfo, CntNotifyRecordMode, CntNotifyWaitInfo, CntNotifyWaitMode,
    NotifyHandle, STREAM_WAIT_VALUE_AND, STREAM_WAIT_VALUE_EQ, STREAM_WAIT_VALUE_GEQ, STREAM_WAIT_VALUE_NOR,
};
use std::sync::Arc;
use std::time::Duration;

/// A signal that one stream gives and one stream takes: a record pairs with a wait, which clears it again.
///
/// ```
/// # fn main() -> toprope_host::Result<()> {
/// # let device = toprope_host::Runtime::embedded()?.device(0)?;
/// let (first, second, ready) = (device.create_stream()?, device.create_stream()?, device.create_notify()?);
/// let (x, mut seen) = (device.alloc::<u32>(8)?, device.host_buffer::<u32>(8)?);
/// first.scope(|a| second.scope(|b| {
///     b.wait_notify(&ready, None)?; // may come first
///     b.copy_to_host(&mut seen, &x)?;
///     a.fill_bytes(&x, 0xff)?;
///     a.record_notify(&ready)
/// }))?;
/// assert_eq!(seen[..], [u32::MAX; 8]);
/// # Ok(())
/// # }
/// ```
#[doc(alias = "aclrtNotify")]
#[derive(Debug)]
pub struct Notify {
    pub(crate) handle: NotifyHandle,
    pub(crate) device: Arc<DeviceInner>,
}

/// A signal that counts.
#[doc(alias = "aclrtCntNotify")]
#[derive(Debug)]
pub struct CntNotify {
    handle: CntNotifyHandle,
    device: Arc<DeviceInner>,
}

// SAFETY: the handle is a name for the runtime, which allows its use in any thread.
unsafe impl Send for Notify {}
// SAFETY: as above.
unsafe impl Sync for Notify {}
// SAFETY: as above.
unsafe impl Send for CntNotify {}
// SAFETY: as above.
unsafe impl Sync for CntNotify {}

/// How a record changes a [`CntNotify`].
#[doc(alias = "aclrtCntNotifyRecordMode")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CntRecord {
    /// Sets it.
    Set(u32),
    /// Adds to it.
    Add(u32),
    /// Sets bits.
    BitOr(u32),
    /// Keeps bits.
    BitAnd(u32),
}

/// What a wait for a [`CntNotify`] waits for.
#[doc(alias = "aclrtCntNotifyWaitMode")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CntWait {
    /// Until it is less.
    Less(u32),
    /// Until it is equal.
    Equal(u32),
    /// Until it is greater.
    Bigger(u32),
    /// Until it is greater or equal.
    BiggerOrEqual(u32),
    /// Until it has the bits.
    Bits(u32),
}

/// What a wait for a word of device memory waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueWait {
    /// Until it is at least this, as signed difference.
    #[doc(alias = "ACL_STREAM_WAIT_VALUE_GEQ")]
    AtLeast(u64),
    /// Until it is this.
    #[doc(alias = "ACL_STREAM_WAIT_VALUE_EQ")]
    Equal(u64),
    /// Until it has a bit of this.
    #[doc(alias = "ACL_STREAM_WAIT_VALUE_AND")]
    AnyBit(u64),
    /// Until a bit is in neither.
    #[doc(alias = "ACL_STREAM_WAIT_VALUE_NOR")]
    Nor(u64),
}

impl Device {
    /// Makes a notify.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl), for example 207009 if there are too many.
    #[doc(alias = "aclrtCreateNotify")]
    pub fn create_notify(&self) -> Result<Notify> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let handle = unsafe { result::notify::create(self.inner.api(), crate::sys::NOTIFY_DEFAULT.into()) };
        let handle = self.inner.check("aclrtCreateNotify", handle)?;
        Ok(Notify::of_handle(handle, &self.inner))
    }

    /// Makes a counting notify; it starts at 0.
    ///
    /// # Errors
    ///
    /// As [`Device::create_notify`].
    #[doc(alias = "aclrtCntNotifyCreate")]
    pub fn create_cnt_notify(&self) -> Result<CntNotify> {
        self.inner.bind()?;
        // SAFETY: the device is selected and alive.
        let handle = unsafe { result::cnt_notify::create(self.inner.api(), 0) };
        let handle = self.inner.check("aclrtCntNotifyCreate", handle)?;
        Ok(CntNotify { handle, device: Arc::clone(&self.inner) })
    }
}

impl Notify {
    pub(crate) fn of_handle(handle: NotifyHandle, device: &Arc<DeviceInner>) -> Notify {
        Notify { handle, device: Arc::clone(device) }
    }

    /// Its number.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtGetNotifyId")]
    pub fn id(&self) -> Result<u32> {
        self.device.bind()?;
        // SAFETY: the notify is alive.
        let id = unsafe { result::notify::id(self.device.api(), self.handle) };
        self.device.check("aclrtGetNotifyId", id)
    }
}

impl CntNotify {
    /// Its number.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl).
    #[doc(alias = "aclrtCntNotifyGetId")]
    pub fn id(&self) -> Result<u32> {
        self.device.bind()?;
        // SAFETY: the notify is alive.
        let id = unsafe { result::cnt_notify::id(self.device.api(), self.handle) };
        self.device.check("aclrtCntNotifyGetId", id)
    }
}

/// A time limit of a wait on the device, seconds; 0 is none.
fn limit_s(limit: Option<Duration>) -> Result<u32> {
    limit.map_or(Ok(0), seconds)
}

impl Stream {
    /// Gives the signal.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl), [`Error::Capturing`](crate::Error::Capturing).
    #[doc(alias = "aclrtRecordNotify")]
    pub fn record_notify(&self, notify: &Notify) -> Result<()> {
        self.same_device(&notify.device, "the notify")?;
        let _open = self.open()?;
        self.device.bind()?;
        // SAFETY: both are alive and the context is current.
        let done = unsafe { result::notify::record(self.device.api(), notify.handle, self.handle()) };
        self.device.check("aclrtRecordNotify", done)
    }

    /// Waits for the signal and clears it; later work waits. With a `limit` (rounded up to seconds), the stream has an
    /// error after it.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl), [`Error::Capturing`](crate::Error::Capturing), [`Error::TimeLimit`](crate::Error::TimeLimit).
    #[doc(alias = "aclrtWaitAndResetNotify")]
    pub fn wait_notify(&self, notify: &Notify, limit: Option<Duration>) -> Result<()> {
        self.same_device(&notify.device, "the notify")?;
        let limit_s = limit_s(limit)?;
        let _open = self.open()?;
        self.device.bind()?;
        // SAFETY: both are alive and the context is current.
        let done = unsafe {
            result::notify::wait_and_reset(self.device.api(), notify.handle, self.handle(), limit_s)
        };
        self.device.check("aclrtWaitAndResetNotify", done)
    }

    /// Changes the counter.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl), [`Error::Capturing`](crate::Error::Capturing).
    #[doc(alias = "aclrtCntNotifyRecord")]
    pub fn record_cnt_notify(&self, notify: &CntNotify, change: CntRecord) -> Result<()> {
        let (mode, value) = match change {
            CntRecord::Set(value) => (CntNotifyRecordMode::SET_VALUE, value),
            CntRecord::Add(value) => (CntNotifyRecordMode::ADD, value),
            CntRecord::BitOr(value) => (CntNotifyRecordMode::BIT_OR, value),
            CntRecord::BitAnd(value) => (CntNotifyRecordMode::BIT_AND, value),
        };
        self.same_device(&notify.device, "the notify")?;
        let _open = self.open()?;
        self.device.bind()?;
        let mut info = CntNotifyRecordInfo { mode, value };
        let info = &raw mut info;
        // SAFETY: both are alive, the context is current, the information is live during the call.
        let done =
            unsafe { result::cnt_notify::record(self.device.api(), notify.handle, self.handle(), info) };
        self.device.check("aclrtCntNotifyRecord", done)
    }

    /// Waits for the counter, and sets it to 0 afterwards if `is_clear`; later work waits.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl), [`Error::Capturing`](crate::Error::Capturing), [`Error::TimeLimit`](crate::Error::TimeLimit).
    #[doc(alias = "aclrtCntNotifyWaitWithTimeout")]
    pub fn wait_cnt_notify(
        &self,
        notify: &CntNotify,
        until: CntWait,
        is_clear: bool,
        limit: Option<Duration>,
    ) -> Result<()> {
        let (mode, value) = match until {
            CntWait::Less(value) => (CntNotifyWaitMode::LESS, value),
            CntWait::Equal(value) => (CntNotifyWaitMode::EQUAL, value),
            CntWait::Bigger(value) => (CntNotifyWaitMode::BIGGER, value),
            CntWait::BiggerOrEqual(value) => (CntNotifyWaitMode::BIGGER_OR_EQUAL, value),
            CntWait::Bits(value) => (CntNotifyWaitMode::EQUAL_WITH_BITMASK, value),
        };
        let (timeout_s, is_clear) = (limit_s(limit)?, is_clear.into());
        self.same_device(&notify.device, "the notify")?;
        let _open = self.open()?;
        self.device.bind()?;
        let mut info = CntNotifyWaitInfo { mode, value, timeout_s, is_clear, rsv: [0; 3] };
        let info = &raw mut info;
        let api = self.device.api();
        // SAFETY: both are alive, the context is current, the information is live during the call.
        let done = unsafe { result::cnt_notify::wait_with_timeout(api, notify.handle, self.handle(), info) };
        self.device.check("aclrtCntNotifyWaitWithTimeout", done)
    }
}

impl<'scope> Scope<'scope, '_> {
    /// Writes the first word of device memory, after the work put in before.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl), [`Error::OtherDevice`](crate::Error::OtherDevice).
    #[doc(alias = "aclrtValueWrite")]
    pub fn write_value(&'scope self, word: impl Into<DeviceSlice<'scope, u64>>, value: u64) -> Result<()> {
        let word = word.into();
        self.same_device(word.device(), "the word")?;
        let _open = self.open()?;
        self.device.bind()?;
        // SAFETY: the word is borrowed for 'scope, which ends after the stream is empty.
        let done =
            unsafe { result::value::write(self.device.api(), word.as_ptr().cast(), value, 0, self.handle()) };
        self.device.check("aclrtValueWrite", done)
    }

    /// Waits for the first word of device memory; later work waits.
    ///
    /// # Errors
    ///
    /// As [`Scope::write_value`].
    #[doc(alias = "aclrtValueWait")]
    pub fn wait_value(
        &'scope self,
        word: impl Into<DeviceSlice<'scope, u64>>,
        until: ValueWait,
    ) -> Result<()> {
        let (value, flag) = match until {
            ValueWait::AtLeast(value) => (value, STREAM_WAIT_VALUE_GEQ),
            ValueWait::Equal(value) => (value, STREAM_WAIT_VALUE_EQ),
            ValueWait::AnyBit(value) => (value, STREAM_WAIT_VALUE_AND),
            ValueWait::Nor(value) => (value, STREAM_WAIT_VALUE_NOR),
        };
        let word = word.into();
        self.same_device(word.device(), "the word")?;
        let _open = self.open()?;
        self.device.bind()?;
        // SAFETY: the word is borrowed for 'scope, which ends after the stream is empty.
        let done = unsafe {
            result::value::wait(self.device.api(), word.as_ptr().cast(), value, flag, self.handle())
        };
        self.device.check("aclrtValueWait", done)
    }
}

impl Drop for Notify {
    fn drop(&mut self) {
        // SAFETY: made by `create_notify`; nobody can use it after this.
        self.device
            .release("aclrtDestroyNotify", self.handle, |api, n| unsafe { result::notify::destroy(api, n) });
    }
}

impl Drop for CntNotify {
    fn drop(&mut self) {
        // SAFETY: made by `create_cnt_notify`; nobody can use it after this.
        let free = |api: &_, n| unsafe { result::cnt_notify::destroy(api, n) };
        self.device.release("aclrtCntNotifyDestroy", self.handle, free);
    }
}
