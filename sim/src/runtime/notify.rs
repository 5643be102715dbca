//! Notifies: a signal between two streams, also of different devices. One record pairs with one wait, which takes the
//! signal back; a second record before the wait changes nothing.
//!
//! Where the signal lives is behind [`Signal`]: in this process ([`LocalSignal`]), or wherever another module keeps it
//! for several processes.

use super::failure::{Answer, Failure};
use super::handle::{HandleTable, Kind};
use super::order::{self, Told};
use super::stream::Stream;
use super::timer;
use super::work::{DeviceWork, Turn};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use toprope_abi::acl::AclError;

/// Documented limit of notifies per device on Atlas A2.
pub const MAX_NOTIFIES: usize = 8192;

/// A flag that one waits for and takes.
pub trait Signal: Send + Sync + std::fmt::Debug {
    /// Sets it at this device time, or hands it to the oldest turn that waits, with what the stream that sets it knows.
    fn set(&self, cycle: u64, told: Option<Told>);
    /// Ends `turn` when it is set, and clears it; turns that others ended meanwhile do not use it up.
    fn take(&self, turn: Turn);
    /// Clears it.
    fn clear(&self);
    /// Whether streams of this process may wait for it.
    ///
    /// # Errors
    /// Why not.
    fn check_wait(&self) -> Answer {
        Ok(())
    }
    /// Whether it can be set.
    ///
    /// # Errors
    /// Why not.
    fn check_set(&self) -> Answer {
        Ok(())
    }
}

#[derive(Debug, Default)]
struct LocalState {
    set_at: Option<(u64, Option<Told>)>,
    waiting: VecDeque<Turn>,
}

/// A signal inside this process.
#[derive(Debug, Default)]
pub struct LocalSignal(Mutex<LocalState>);

impl Signal for LocalSignal {
    fn set(&self, cycle: u64, told: Option<Told>) {
        let claimed = {
            let mut state = self.0.lock();
            let claimed = std::iter::from_fn(|| state.waiting.pop_front()).find_map(|turn| turn.claim());
            if claimed.is_none() {
                state.set_at = Some((cycle, told.clone()));
            }
            claimed
        };
        if let Some(turn) = claimed {
            turn.learn(told.as_ref());
            turn.finish(Ok(()), cycle);
        }
    }

    fn take(&self, turn: Turn) {
        let claimed = {
            let mut state = self.0.lock();
            let Some((cycle, told)) = state.set_at.clone() else {
                state.waiting.retain(Turn::is_open);
                state.waiting.push_back(turn);
                return;
            };
            let Some(claimed) = turn.claim() else { return };
            claimed.learn(told.as_ref());
            state.set_at = None;
            (claimed, cycle)
        };
        claimed.0.finish(Ok(()), claimed.1);
    }

    fn clear(&self) {
        self.0.lock().set_at = None;
    }
}

/// A notify.
#[derive(Debug)]
pub struct Notify {
    /// Handle given to the program.
    pub handle: u64,
    /// Number on its device.
    pub id: u32,
    /// Device of the context it was made in.
    pub device: u32,
    /// Its flag.
    pub signal: Arc<dyn Signal>,
}

/// Live notifies.
pub static NOTIFIES: LazyLock<HandleTable<Notify>> = LazyLock::new(|| HandleTable::new(Kind::Notify));

impl Notify {
    /// Makes a notify with this signal and puts it into the table.
    pub fn publish(device: u32, signal: Arc<dyn Signal>) -> Arc<Notify> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let handle = NOTIFIES.reserve();
        let notify = Arc::new(Notify { handle, id: MADE.fetch_add(1, Ordering::Relaxed), device, signal });
        NOTIFIES.insert(handle, notify.clone());
        notify
    }
}

/// The device was reset.
pub fn device_reset(device: u32) {
    NOTIFIES.remove_if(|notify| notify.device == device);
}

/// `aclrtRecordNotify` in a stream.
#[derive(Debug)]
pub struct RecordWork(pub Arc<Notify>);

impl DeviceWork for RecordWork {
    fn start(self: Arc<Self>, turn: Turn) {
        let told = order::is_on().then(|| turn.stream().timeline.told());
        self.0.signal.set(turn.begin(), told);
        turn.end(Ok(()), turn.begin());
    }

    fn skip(&self, _stream: &Stream) {}

    fn doing(&self) -> String {
        format!("it records notify {}", self.0.id)
    }
}

/// `aclrtWaitAndResetNotify` in a stream.
#[derive(Debug)]
pub struct WaitWork {
    /// What is waited for.
    pub notify: Arc<Notify>,
    /// Longest wait.
    pub limit: Option<Duration>,
}

impl DeviceWork for WaitWork {
    fn start(self: Arc<Self>, turn: Turn) {
        let limited = self.limit.map(|limit| (limit, turn.clone()));
        self.notify.signal.take(turn);
        let Some((limit, turn)) = limited.filter(|(_, turn)| turn.is_open()) else { return };
        let id = self.notify.id;
        timer::after(limit, move || {
            let name = turn.stream().name();
            let text = format!("{name} waited {limit:?} for notify {id}, which nobody recorded");
            let help = "record the notify in another stream, or wait longer";
            turn.end(Err(Failure::new(AclError::RT_WAIT_TIMEOUT, text).help(help)), turn.begin());
        });
    }

    fn skip(&self, _stream: &Stream) {}

    fn interrupt(&self, _stream: &Stream) -> bool {
        true
    }

    fn doing(&self) -> String {
        format!("it waits for notify {}, which was not recorded yet", self.notify.id)
    }
}
