//! IPC events (`ACL_EVENT_IPC`): marks that streams of several processes set and wait for.
//!
//! The process that made the event keeps the log of its records. Others ask it: a record begins there and tells when its
//! stream has got to it; a wait (or a host that synchronises) asks for the latest record at the time of its call and is
//! answered when that one has passed. If the process that made the event ends, or one that has recorded it, whoever waits
//! gets 507022.
//!
//! ```text
//!  importer's stream: record ── tell ─▶ log ── answer ─▶ waits of other processes
//!                                        └────────────▶ waits of this process
//! ```
//! Device times of different processes are not compared: a wait ends at its own stream's time.

use super::super::event::Event;
use super::super::failure::{Answer, Failure, refuse};
use super::super::order;
use super::super::stream::Stream;
use super::super::timer;
use super::super::work::{DeviceWork, Learns, Turn, Work};
use super::exports::{self, Exported, Import};
use super::key::{Key, Kind};
use super::link::{Peer, Reply};
use super::wire::{Op, WORDS};
use parking_lot::{Condvar, Mutex};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use toprope_abi::acl::{AclError, EVENT_IPC};

/// What an importer asks (first word).
const BEGIN: u64 = 0;
const WAIT: u64 = 1;
const QUERY: u64 = 2;

/// Called once, with how the record ended; must not wait.
type Waiter = Box<dyn FnOnce(Answer) + Send>;

/// A record whose stream has not got there.
#[derive(Default)]
struct Open {
    /// Connection of the process that records, if it is another one.
    by: Option<u64>,
    waiters: Vec<Waiter>,
}

#[derive(Default)]
struct Records {
    made: u64,
    latest: Option<u64>,
    open: HashMap<u64, Open>,
    /// The latest record that could not happen, and why.
    broken: Option<(u64, Failure)>,
    key: Option<Key>,
}

/// The records of an event, in the process that made it.
#[derive(Default)]
struct Log(Mutex<Records>);

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} records", self.0.lock().made)
    }
}

impl Log {
    fn begin(&self, by: Option<u64>) -> u64 {
        let mut records = self.0.lock();
        records.made += 1;
        let record = records.made;
        records.latest = Some(record);
        records.open.insert(record, Open { by, waiters: Vec::new() });
        record
    }

    fn end(&self, record: u64, answer: &Answer) {
        let ended = {
            let mut records = self.0.lock();
            if let Err(failure) = answer {
                records.broken = Some((record, failure.clone()));
            }
            records.open.remove(&record)
        };
        for waiter in ended.into_iter().flat_map(|open| open.waiters) {
            waiter(answer.clone());
        }
    }

    fn wait_for_latest(&self, waiter: Waiter) {
        let mut records = self.0.lock();
        let latest = records.latest;
        if let Some(open) = latest.and_then(|record| records.open.get_mut(&record)) {
            open.waiters.push(waiter);
            return;
        }
        let broken = records.broken.as_ref().filter(|broken| Some(broken.0) == latest);
        let answer = broken.map_or(Ok(()), |broken| Err(broken.1.clone()));
        drop(records);
        waiter(answer);
    }

    fn is_complete(&self) -> bool {
        let records = self.0.lock();
        records.latest.is_none_or(|record| !records.open.contains_key(&record))
    }
}

impl Exported for Log {
    fn open(&self, _peer: &Arc<Peer>) -> Answer<Reply> {
        Ok(Reply::default())
    }

    fn ask(&self, peer: &Arc<Peer>, [what, number, ..]: [u64; WORDS]) -> Answer<Reply> {
        let number_of = |word| Ok(Reply { words: [word, 0, 0, 0], file: None });
        match what {
            BEGIN => number_of(self.begin(Some(peer.id))),
            QUERY => number_of(self.is_complete().into()),
            WAIT => {
                let Some(key) = self.0.lock().key else {
                    return refuse(AclError::RT_IPC_ERROR, "the event is not shared");
                };
                let asker = peer.clone();
                self.wait_for_latest(Box::new(move |answer| {
                    asker.answer(number, key, answer.map(|()| Reply::default()));
                }));
                Ok(Reply::default())
            }
            _ => refuse(AclError::RT_IPC_ERROR, format!("{what} is no question about an event")),
        }
    }

    fn tell(&self, peer: &Arc<Peer>, [record, ..]: [u64; WORDS]) {
        let is_own = self.0.lock().open.get(&record).is_some_and(|open| open.by == Some(peer.id));
        if is_own {
            self.end(record, &Ok(()));
        }
    }

    fn peer_ended(&self, peer: &Arc<Peer>) {
        let lost: Vec<u64> = {
            let records = self.0.lock();
            records
                .open
                .iter()
                .filter(|(_, open)| open.by == Some(peer.id))
                .map(|(record, _)| *record)
                .collect()
        };
        for record in lost {
            let text = format!("process {} ended before its stream got to the record of the event", peer.pid);
            self.end(record, &Err(Failure::new(AclError::RT_IPC_ERROR, text)));
        }
    }
}

/// Where the log of an event is.
#[derive(Clone, Debug)]
enum Home {
    Here(Arc<Log>),
    There(Arc<Import>),
}

struct Shared {
    device: u32,
    home: Home,
}

/// By handle of the event.
static SHARED: LazyLock<Mutex<HashMap<u64, Shared>>> = LazyLock::new(Mutex::default);

/// Whether an event is one of these.
pub fn is_shared(event: &Event) -> bool {
    event.flags & EVENT_IPC != 0
}

fn home(event: &Event) -> Answer<Home> {
    let home = SHARED.lock().get(&event.handle).map(|shared| shared.home.clone());
    home.ok_or_else(|| {
        Failure::new(AclError::RT_INVALID_HANDLE, "the event was destroyed, or its device was reset")
    })
}

/// An event with `ACL_EVENT_IPC` was made.
pub fn created(event: &Event) {
    let shared = Shared { device: event.device, home: Home::Here(Arc::default()) };
    SHARED.lock().insert(event.handle, shared);
}

/// It was destroyed: nobody can import it any more; who has, goes on.
pub fn destroyed(event: &Event) {
    let shared = SHARED.lock().remove(&event.handle);
    close(shared.into_iter());
}

/// The device was reset, and its events with it.
pub fn device_reset(device: u32) {
    let gone: Vec<Shared> = {
        let mut shared = SHARED.lock();
        shared.extract_if(|_, shared| shared.device == device).map(|(_, shared)| shared).collect()
    };
    close(gone.into_iter());
}

fn close(gone: impl Iterator<Item = Shared>) {
    for shared in gone {
        if let Home::Here(log) = shared.home {
            let key = log.0.lock().key;
            if let Some(key) = key {
                exports::close(&key);
            }
        }
    }
}

/// `aclrtIpcGetEventHandle`.
///
/// # Errors
/// 107000 if it is no IPC event of this process; 507022.
pub fn export(event: &Event) -> Answer<Key> {
    if !is_shared(event) {
        let text = format!("the event was made with flag {:#x}, without ACL_EVENT_IPC", event.flags);
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("make it with aclrtCreateEventExWithFlag and ACL_EVENT_IPC"));
    }
    let Home::Here(log) = home(event)? else {
        return refuse(AclError::RT_PARAM_INVALID, "the event came from another process, which shares it");
    };
    let known = log.0.lock().key;
    if let Some(key) = known {
        return Ok(key);
    }
    let key = exports::export(Kind::Event, log.clone(), true)?;
    let first = *log.0.lock().key.get_or_insert(key);
    if first != key {
        // Another thread was quicker.
        exports::close(&key);
    }
    Ok(first)
}

/// `aclrtIpcOpenEventHandle`: calls `make` for an event once the import is there.
///
/// # Errors
/// 507022 if the exporter is gone or destroyed the event.
pub fn import(key: Key, device: u32, make: impl FnOnce() -> Arc<Event>) -> Answer<Arc<Event>> {
    let (import, _) = Import::open(key)?;
    let event = make();
    SHARED.lock().insert(event.handle, Shared { device, home: Home::There(Arc::new(import)) });
    Ok(event)
}

impl Home {
    fn begin(&self) -> Answer<u64> {
        match self {
            Home::Here(log) => Ok(log.begin(None)),
            Home::There(import) => Ok(import.peer.ask(Op::Ask, import.key, [BEGIN, 0, 0, 0])?.words[0]),
        }
    }

    fn end(&self, record: u64) {
        match self {
            Home::Here(log) => log.end(record, &Ok(())),
            Home::There(import) => import.peer.tell(import.key, [record, 0, 0, 0]),
        }
    }

    /// Calls `waiter` when the record that is the latest now has passed.
    fn wait_for_latest(&self, waiter: Waiter) -> Answer {
        match self {
            Home::Here(log) => {
                log.wait_for_latest(waiter);
                Ok(())
            }
            Home::There(import) => {
                let number = import.peer.expect(Box::new(move |answer| waiter(answer.map(drop))));
                let asked = import.peer.ask(Op::Ask, import.key, [WAIT, number, 0, 0]);
                asked.map(drop).inspect_err(|_| drop(import.peer.forget(number)))
            }
        }
    }
}

fn check_not_captured(stream: &Stream) -> Answer {
    if stream.interceptor().is_none() {
        return Ok(());
    }
    let text = format!("{} is being captured, and IPC events cannot be part of a graph", stream.name());
    Err(Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, text).help("use the event outside of the capture"))
}

/// `aclrtRecordEvent`.
///
/// # Errors
/// 507022 if the process that made the event ended; those of the stream.
pub fn record(event: &Event, stream: &Arc<Stream>) -> Answer {
    check_not_captured(stream)?;
    let home = home(event)?;
    let record = home.begin()?;
    let work = RecordWork { home: home.clone(), record, event: event.handle };
    stream.enqueue(Work::Custom(Arc::new(work))).inspect_err(|_| home.end(record))
}

/// `aclrtStreamWaitEvent`.
///
/// # Errors
/// As [`record`].
pub fn wait(event: &Event, stream: &Arc<Stream>, limit: Option<Duration>) -> Answer {
    check_not_captured(stream)?;
    let work = Arc::new(WaitWork { event: event.handle, limit, state: Mutex::default() });
    let waiting = work.clone();
    home(event)?.wait_for_latest(Box::new(move |answer| waiting.arrived(answer)))?;
    stream.enqueue(Work::Custom(work))
}

/// `aclrtQueryEventStatus`.
///
/// # Errors
/// 507022 if the process that made the event ended.
pub fn is_complete(event: &Event) -> Answer<bool> {
    let is_complete = match home(event)? {
        Home::Here(log) => log.is_complete(),
        Home::There(import) => import.peer.ask(Op::Ask, import.key, [QUERY, 0, 0, 0])?.words[0] != 0,
    };
    if is_complete {
        order::host_learns_everything();
    }
    Ok(is_complete)
}

/// `aclrtSynchronizeEvent`.
///
/// # Errors
/// 507047 after the deadline; 507022 if a process ends that would have to go on.
pub fn synchronize(event: &Event, deadline: Option<Instant>) -> Answer {
    type Slot = (Mutex<Option<Answer>>, Condvar);
    let slot: Arc<Slot> = Arc::default();
    let filled = slot.clone();
    home(event)?.wait_for_latest(Box::new(move |answer| {
        *filled.0.lock() = Some(answer);
        filled.1.notify_all();
    }))?;
    let mut answer = slot.0.lock();
    loop {
        if let Some(answer) = answer.take() {
            if answer.is_ok() {
                order::host_learns_everything();
            }
            return answer;
        }
        match deadline {
            None => slot.1.wait(&mut answer),
            Some(deadline) => {
                if slot.1.wait_until(&mut answer, deadline).timed_out() && answer.is_none() {
                    return Err(Failure::new(
                        AclError::RT_EVENT_SYNC_TIMEOUT,
                        "the IPC event did not happen in the time given",
                    )
                    .help("wait longer, or look for what hangs in the process that recorded it"));
                }
            }
        }
    }
}

#[derive(Debug)]
struct RecordWork {
    home: Home,
    record: u64,
    event: u64,
}

impl DeviceWork for RecordWork {
    fn start(self: Arc<Self>, turn: Turn) {
        self.home.end(self.record);
        turn.end(Ok(()), turn.begin());
    }

    fn skip(&self, _stream: &Stream) {
        self.home.end(self.record);
    }

    fn doing(&self) -> String {
        format!("it records IPC event {:#x}", self.event)
    }
}

/// What came first: the answer, or the stream.
#[derive(Debug, Default)]
struct Meeting {
    answer: Option<Answer>,
    turn: Option<Turn>,
}

#[derive(Debug)]
struct WaitWork {
    event: u64,
    limit: Option<Duration>,
    state: Mutex<Meeting>,
}

impl WaitWork {
    fn arrived(&self, answer: Answer) {
        let turn = {
            let mut state = self.state.lock();
            match state.turn.take() {
                Some(turn) => turn,
                None => {
                    state.answer = Some(answer);
                    return;
                }
            }
        };
        turn.end(answer, turn.begin());
    }
}

impl DeviceWork for WaitWork {
    fn learns(&self) -> Learns {
        Learns::Everything
    }

    fn start(self: Arc<Self>, turn: Turn) {
        let answer = {
            let mut state = self.state.lock();
            let answer = state.answer.clone();
            if answer.is_none() {
                state.turn = Some(turn.clone());
            }
            answer
        };
        if let Some(answer) = answer {
            turn.end(answer, turn.begin());
            return;
        }
        let Some(limit) = self.limit else { return };
        timer::after(limit, move || {
            let text =
                format!("{} waited {limit:?} for an IPC event that did not happen", turn.stream().name());
            turn.end(Err(Failure::new(AclError::RT_WAIT_TIMEOUT, text)), turn.begin());
        });
    }

    fn skip(&self, _stream: &Stream) {}

    fn interrupt(&self, _stream: &Stream) -> bool {
        true
    }

    fn doing(&self) -> String {
        format!("it waits for IPC event {:#x}, which has not happened yet", self.event)
    }
}
