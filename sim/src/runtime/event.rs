//! Events: marks in a stream that others wait for.
//!
//! Every record makes a new [`Mark`]; a wait takes the latest one at the time of its call, so later records do not
//! change what it waits for.
//!
//! | made by | never recorded: query / wait | reset | old queries |
//! |---|---|---|---|
//! | `aclrtCreateEvent` | not ready / 107000 | yes (documented as undefined, but a public example does it) | yes |
//! | `aclrtCreateEventWithFlag` | not ready / 107000 | with SYNC | yes |
//! | `aclrtCreateEventExWithFlag` | complete / nothing to wait for | refused | refused (207000) |
//!
//! A wait for a hardware event (second row) that was not recorded yet would block on the device until somebody records
//! it; it is refused here like the first row, because such a wait usually never ends.

use super::failure::{Answer, Failure, refuse};
use super::order::{self, Span, Told, Use};
use super::progress::Progress;
use super::site::CallSite;
use super::stream::Stream;
use super::work::{DeviceWork, Turn};
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use toprope_abi::acl::{
    AclError, EVENT_CAPTURE_STREAM_PROGRESS, EVENT_DEVICE_USE_ONLY, EVENT_EXTERNAL, EVENT_IPC, EVENT_SYNC,
    EVENT_TIME_LINE,
};

/// How an event was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// `aclrtCreateEvent`.
    Plain,
    /// `aclrtCreateEventWithFlag`.
    WithFlag,
    /// `aclrtCreateEventExWithFlag`.
    Ex,
}

/// One record of an event.
#[derive(Debug, Default)]
pub struct Mark {
    passed: Progress,
    cycle: AtomicU64,
    /// Stream and number of the task that passes it.
    origin: OnceLock<(u64, u32)>,
    /// What is known to be over behind it.
    told: OnceLock<Told>,
    waiters: Mutex<Waiters>,
}

#[derive(Default)]
struct Waiters {
    passed: bool,
    next: u64,
    list: Vec<(u64, Waiter)>,
}

impl std::fmt::Debug for Waiters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} waiters", self.list.len())
    }
}

/// Called with the device time of the mark when the stream passes it.
pub type Waiter = Box<dyn FnOnce(u64) + Send>;

impl Mark {
    /// It was queued as this task of this stream.
    pub fn set_origin(&self, stream: u64, task: u32) {
        let _ = self.origin.set((stream, task));
    }

    /// Stream and number of the task that passes it, once it was queued.
    pub fn origin(&self) -> Option<(u64, u32)> {
        self.origin.get().copied()
    }

    /// What whoever waits for it learns; said before it is passed.
    pub fn tell(&self, told: Told) {
        let _ = self.told.set(told);
    }

    /// What whoever waited for it has learnt.
    pub fn told(&self) -> Option<&Told> {
        self.told.get()
    }

    /// The stream got here at this device time.
    pub fn pass(&self, cycle: u64) {
        self.cycle.store(cycle, Ordering::Release);
        let list = {
            let mut waiters = self.waiters.lock();
            waiters.passed = true;
            std::mem::take(&mut waiters.list)
        };
        self.passed.advance(1);
        for (_, waiter) in list {
            waiter(cycle);
        }
    }

    /// Device time (cycles) if the stream got here.
    pub fn passed_at(&self) -> Option<u64> {
        self.passed.reached(1).then(|| self.cycle.load(Ordering::Acquire))
    }

    /// Calls `waiter` when the mark is passed and returns its number; if it is passed already, gives `waiter` back
    /// with the time.
    ///
    /// # Errors
    /// The waiter and the device time of the mark.
    pub fn on_pass(&self, waiter: Waiter) -> Result<u64, (Waiter, u64)> {
        let mut waiters = self.waiters.lock();
        if waiters.passed {
            return Err((waiter, self.cycle.load(Ordering::Acquire)));
        }
        waiters.next += 1;
        let number = waiters.next;
        waiters.list.push((number, waiter));
        Ok(number)
    }

    /// Takes a waiter back; `None` if it was called already.
    pub fn forget(&self, number: u64) -> Option<Waiter> {
        let mut waiters = self.waiters.lock();
        let at = waiters.list.iter().position(|w| w.0 == number)?;
        Some(waiters.list.swap_remove(at).1)
    }

    /// Waits on the host; `false` if the time ran out.
    pub fn wait(&self, deadline: Option<Instant>, help: impl FnMut() -> bool) -> bool {
        self.passed.wait(1, deadline, help)
    }
}

/// An event.
#[derive(Debug)]
pub struct Event {
    /// Handle given to the program.
    pub handle: u64,
    /// Number in the process.
    pub id: u32,
    /// How it was made.
    pub family: Family,
    /// `ACL_EVENT_*` bits.
    pub flags: u32,
    /// Device of the context it was made in.
    pub device: u32,
    /// Where the program made it.
    pub made_at: CallSite,
    latest: Mutex<Option<(Arc<Mark>, Arc<Stream>)>>,
    waits_open: AtomicU64,
}

/// Bits that only go alone.
const EXCLUSIVE: [(u32, &str); 3] = [
    (EVENT_DEVICE_USE_ONLY, "ACL_EVENT_DEVICE_USE_ONLY"),
    (EVENT_EXTERNAL, "ACL_EVENT_EXTERNAL"),
    (EVENT_IPC, "ACL_EVENT_IPC"),
];

/// Flags of `aclrtCreateEvent`: usable for everything.
pub const PLAIN_FLAGS: u32 = EVENT_SYNC | EVENT_CAPTURE_STREAM_PROGRESS | EVENT_TIME_LINE;

/// Checks the flags of the two functions that take them.
///
/// # Errors
/// 107000 for unknown or exclusive bits, 207000 for bits this runtime does not model.
pub fn check_flags(flags: u32) -> Answer {
    let known = PLAIN_FLAGS | EVENT_DEVICE_USE_ONLY | EVENT_EXTERNAL | EVENT_IPC;
    if flags == 0 || flags & !known != 0 {
        let text = format!("flag {flags:#x} is not made of the ACL_EVENT_* bits (all together {known:#x})");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let Some((_, name)) = EXCLUSIVE.into_iter().find(|(bit, _)| flags & bit != 0) else { return Ok(()) };
    if flags.count_ones() > 1 {
        return refuse(
            AclError::RT_PARAM_INVALID,
            format!("flag {flags:#x}: {name} cannot go with other flags"),
        );
    }
    refuse(AclError::RT_FEATURE_NOT_SUPPORT, format!("events with {name} are not modelled by toprope"))
}

/// A reset takes its place in a stream.
#[derive(Debug)]
pub struct ResetWork(pub Arc<Event>);

impl DeviceWork for ResetWork {
    fn start(self: Arc<Self>, turn: Turn) {
        turn.end(Ok(()), turn.begin());
    }

    fn skip(&self, _stream: &Stream) {}

    fn leaves_alone(&self, _start: u64, _bytes: u64) -> bool {
        true
    }

    fn spans(&self) -> Vec<Span> {
        vec![order::of_event(self.0.id, Use::Write)]
    }

    fn doing(&self) -> String {
        format!("it resets event {:#x}", self.0.handle)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        order::forget_event(self.id);
    }
}

impl Event {
    /// A new event.
    pub fn new(handle: u64, family: Family, flags: u32, device: u32) -> Event {
        static MADE: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let id = MADE.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let made_at = CallSite::here();
        Event {
            handle,
            id,
            family,
            flags,
            device,
            made_at,
            latest: Mutex::new(None),
            waits_open: AtomicU64::new(0),
        }
    }

    /// The latest record, if there is one (or one since the last reset).
    pub fn latest(&self) -> Option<Arc<Mark>> {
        self.latest_record().map(|record| record.0)
    }

    /// The latest record and the stream it is in.
    pub fn latest_record(&self) -> Option<(Arc<Mark>, Arc<Stream>)> {
        self.latest.lock().clone()
    }

    /// It was recorded in a stream.
    pub fn recorded(&self, mark: Arc<Mark>, stream: Arc<Stream>) {
        *self.latest.lock() = Some((mark, stream));
    }

    /// Checks that the event can synchronise streams.
    ///
    /// # Errors
    /// 207000 without `ACL_EVENT_SYNC` or `ACL_EVENT_EXTERNAL`.
    pub fn check_sync(&self) -> Answer {
        if self.flags & (EVENT_SYNC | EVENT_EXTERNAL) != 0 {
            return Ok(());
        }
        refuse(
            AclError::RT_FEATURE_NOT_SUPPORT,
            format!(
                "the event was made with flag {:#x}, without ACL_EVENT_SYNC, so streams cannot wait for it",
                self.flags
            ),
        )
    }

    /// What a stream that waits has to wait for; `None`: nothing.
    ///
    /// # Errors
    /// 207000 without `ACL_EVENT_SYNC`; 107000 if it was never recorded and is not an Ex event.
    pub fn to_wait_for(&self) -> Answer<Option<Arc<Mark>>> {
        self.check_sync()?;
        match (self.latest(), self.family) {
            (None, Family::Plain | Family::WithFlag) => Err(Failure::new(
                AclError::RT_PARAM_INVALID,
                "the event has not been recorded (since its creation or last reset), so the wait would never end",
            )
            .help("call aclrtRecordEvent before the wait, or make the event with aclrtCreateEventExWithFlag, for which such a wait does nothing")),
            (mark, _) => Ok(mark),
        }
    }

    /// Checks that `aclrtResetEvent` may be used.
    ///
    /// # Errors
    /// 207000 for events without `ACL_EVENT_SYNC` and for Ex events.
    pub fn check_reset(&self) -> Answer {
        if self.family != Family::Ex {
            return self.check_sync();
        }
        Err(Failure::new(
            AclError::RT_FEATURE_NOT_SUPPORT,
            "the event was made by aclrtCreateEventExWithFlag, which cannot be reset",
        )
        .help("record the event again; the new record replaces the old one"))
    }

    /// Forgets the latest record.
    pub fn reset(&self) {
        *self.latest.lock() = None;
    }

    /// Checks that the old queries may be used.
    ///
    /// # Errors
    /// 207000 for Ex events.
    pub fn check_old_query(&self) -> Answer {
        if self.family != Family::Ex {
            return Ok(());
        }
        Err(Failure::new(
            AclError::RT_FEATURE_NOT_SUPPORT,
            "the event was made by aclrtCreateEventExWithFlag, which this old query does not know",
        )
        .help("use aclrtQueryEventStatus"))
    }

    /// Whether the latest record is passed; `true` for an Ex event without one.
    pub fn is_complete(&self) -> bool {
        let Some(mark) = self.latest() else { return self.family == Family::Ex };
        let is_complete = mark.passed_at().is_some();
        if is_complete {
            order::host_learns_mark(mark.told());
        }
        is_complete
    }

    /// Device time of the latest record.
    ///
    /// # Errors
    /// 107006 without `ACL_EVENT_TIME_LINE`; 507000 if never recorded; 507006 if the stream is not there yet.
    pub fn time(&self, which: &str) -> Answer<u64> {
        if self.flags & EVENT_TIME_LINE == 0 {
            let text =
                format!("the {which} was made with flag {:#x}, without ACL_EVENT_TIME_LINE", self.flags);
            return refuse(AclError::RT_EVENT_TIMESTAMP_INVALID, text);
        }
        let Some(mark) = self.latest() else {
            return refuse(AclError::RT_INTERNAL_ERROR, format!("the {which} was never recorded"));
        };
        order::host_learns_mark(mark.told().filter(|_| mark.passed_at().is_some()));
        mark.passed_at().ok_or_else(|| {
            Failure::new(
                AclError::RT_EVENT_NOT_COMPLETE,
                format!("the {which} is recorded, but its stream is not there yet"),
            )
        })
    }

    /// A stream began to wait for it.
    pub fn wait_begins(&self) {
        self.waits_open.fetch_add(1, Ordering::AcqRel);
    }

    /// A stream stopped waiting for it.
    pub fn wait_ends(&self) {
        self.waits_open.fetch_sub(1, Ordering::AcqRel);
    }

    /// Whether no stream waits for it.
    pub fn no_waits_open(&self) -> bool {
        self.waits_open.load(Ordering::Acquire) == 0
    }
}
