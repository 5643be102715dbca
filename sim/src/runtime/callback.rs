//! Functions of the program that streams call.
//!
//! | enqueued with | runs on | later tasks of the stream |
//! |---|---|---|
//! | `aclrtLaunchHostFunc` | a thread of the runtime, or the one of `aclrtSubscribeHostFunc` | wait |
//! | `aclrtLaunchCallback`, BLOCK | the thread of `aclrtSubscribeReport` | wait |
//! | `aclrtLaunchCallback`, NO_BLOCK | the thread of `aclrtSubscribeReport` | do not wait |
//!
//! A subscribed thread runs the functions inside `aclrtProcessReport` (`aclrtProcessHostFunc`), in the order in which
//! their streams reached them. Taking a subscription back gives its functions up, and their streams go on.
//!
//! **Inside such a function** enqueueing work, synchronising and aborting is refused (207000): the documentation forbids
//! it, because the stream stands still until the function returns.
//!
//! **Exceptions.** A Rust panic that leaves the function fails the task with 507000. An exception of another language
//! cannot be caught here; the process ends with a message that names the function, as `std::terminate` would end it.
#![allow(unsafe_code)] // calls functions that the program passed in.

use super::background;
use super::failure::{Answer, Failure, panic_text, refuse};
use super::handle::HandleHasher;
use super::order;
use super::stream::Stream;
use super::work::{DeviceWork, Learns, Turn};
use parking_lot::{Condvar, Mutex};
use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::ffi::c_void;
use std::hash::BuildHasherDefault;
use std::sync::Arc;
use std::time::Instant;
use toprope_abi::acl::AclError;

/// Threads that may be subscribed at a time.
const MOST_THREADS: usize = 1024;

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Checks that the calling thread is not inside a function that a stream called.
///
/// # Errors
/// 207000.
#[inline]
pub fn check_outside(what: &str) -> Answer {
    if INSIDE.get() { refuse_inside(what) } else { Ok(()) }
}

#[cold]
fn refuse_inside(what: &str) -> Answer {
    Err(Failure::new(
        AclError::RT_FEATURE_NOT_SUPPORT,
        format!("{what} inside a function that a stream called; on a device this is an error or never ends"),
    )
    .help("do it after the function has returned, on another thread"))
}

/// Runs code of the program that must not call back into the device.
///
/// # Errors
/// What a panic that left it said.
pub fn call_program(what: &str, body: impl FnOnce()) -> Result<(), String> {
    /// Dropped by an exception on its way out.
    struct Told<'a>(&'a str);
    impl Drop for Told<'_> {
        fn drop(&mut self) {
            INSIDE.set(false);
            eprintln!("toprope: {} let an exception out; catch it inside", self.0);
        }
    }
    INSIDE.set(true);
    let told = Told(what);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let told = told;
        body();
        std::mem::forget(told);
    }));
    INSIDE.set(false);
    outcome.map_err(|payload| panic_text(&*payload))
}

/// `void (*)(void *)`.
pub type ProgramFn = unsafe extern "C" fn(*mut c_void);

/// A function of the program with its argument.
#[derive(Clone, Copy, Debug)]
pub struct HostCall {
    /// The function.
    pub function: ProgramFn,
    /// Its argument, opaque.
    pub argument: u64,
    /// How messages call it.
    pub what: &'static str,
}

impl HostCall {
    /// Calls it.
    ///
    /// # Errors
    /// 507000 if a panic left it.
    pub fn run(self) -> Answer {
        // SAFETY: only the promise about unwinding differs, and `C-unwind` promises less.
        let function = unsafe {
            std::mem::transmute::<ProgramFn, unsafe extern "C-unwind" fn(*mut c_void)>(self.function)
        };
        let body = || {
            // SAFETY: the program passed the function to be called with this argument.
            unsafe { function(self.argument as *mut c_void) }
        };
        call_program(self.what, body).map_err(|said| {
            Failure::new(AclError::RT_INTERNAL_ERROR, format!("{} panicked: {said}", self.what))
                .help("catch errors inside the function")
        })
    }
}

/// Which pair of functions subscribes and processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// `aclrtSubscribeReport`, `aclrtProcessReport`.
    Report,
    /// `aclrtSubscribeHostFunc`, `aclrtProcessHostFunc`.
    HostFunc,
}

/// A call on its way to a subscribed thread.
#[derive(Debug)]
struct Pending {
    stream: u64,
    call: HostCall,
    /// To be ended after the call; `None`: the stream does not wait.
    turn: Option<Turn>,
}

/// What a subscribed thread has to do.
#[derive(Debug, Default)]
pub struct Inbox {
    pending: Mutex<VecDeque<Pending>>,
    more: Condvar,
}

#[derive(Debug)]
struct Subscription {
    channel: Channel,
    thread: u64,
    device: u32,
    inbox: Arc<Inbox>,
}

type ByStream = HashMap<(u64, bool), Subscription, BuildHasherDefault<HandleHasher>>;

static SUBSCRIPTIONS: Mutex<Option<ByStream>> = Mutex::new(None);

fn key(channel: Channel, stream: u64) -> (u64, bool) {
    (stream, channel == Channel::Report)
}

/// Number of the calling thread as subscriptions know it: `pthread_self`.
pub fn this_thread() -> u64 {
    // SAFETY: has no preconditions.
    unsafe { libc::pthread_self() as u64 }
}

/// `aclrtSubscribeReport`, `aclrtSubscribeHostFunc`.
///
/// # Errors
/// 107011 if the stream has a thread; 107012 if the thread serves another device, or there are too many.
pub fn subscribe(channel: Channel, thread: u64, stream: &Stream) -> Answer {
    let mut table = SUBSCRIPTIONS.lock();
    let table = table.get_or_insert_with(HashMap::default);
    if let Some(now) = table.get(&key(channel, stream.handle)) {
        let text = format!("{} is served by thread {:#x} already", stream.name(), now.thread);
        return Err(Failure::new(AclError::RT_STREAM_SUBSCRIBE, text)
            .help("take the first subscription back before making another one"));
    }
    let device = stream.context.device.index;
    let of_thread = table.values().find(|s| s.channel == channel && s.thread == thread);
    let inbox = match of_thread {
        Some(s) if s.device != device => {
            let text = format!(
                "thread {thread:#x} serves streams of device {}, so it cannot serve {} of device {device}",
                s.device,
                stream.name()
            );
            return Err(Failure::new(AclError::RT_THREAD_SUBSCRIBE, text).help("use one thread per device"));
        }
        Some(s) => s.inbox.clone(),
        None => {
            let mut threads: Vec<u64> = table.values().map(|s| s.thread).collect();
            threads.sort_unstable();
            threads.dedup();
            if threads.len() >= MOST_THREADS {
                let text = format!("{} threads are subscribed, which is the limit", threads.len());
                return refuse(AclError::RT_THREAD_SUBSCRIBE, text);
            }
            Arc::default()
        }
    };
    table.insert(key(channel, stream.handle), Subscription { channel, thread, device, inbox });
    Ok(())
}

/// Takes a subscription back.
///
/// # Errors
/// 107015 if the stream is not served; 107012 if another thread serves it.
pub fn unsubscribe(channel: Channel, thread: u64, stream: &Stream) -> Answer {
    let ended = {
        let mut table = SUBSCRIPTIONS.lock();
        let table = table.get_or_insert_with(HashMap::default);
        let of_stream = key(channel, stream.handle);
        match table.get(&of_stream) {
            None => return Err(not_subscribed(channel, stream)),
            Some(s) if s.thread != thread => {
                let text =
                    format!("{} is served by thread {:#x}, not by {thread:#x}", stream.name(), s.thread);
                return refuse(AclError::RT_THREAD_SUBSCRIBE, text);
            }
            Some(_) => table.remove(&of_stream),
        }
    };
    if let Some(subscription) = ended {
        give_up(&subscription.inbox, stream.handle);
    }
    Ok(())
}

/// A stream is gone: nobody serves it any more.
pub fn forget_stream(handle: u64) {
    let ended: Vec<Subscription> = {
        let mut table = SUBSCRIPTIONS.lock();
        let Some(table) = table.as_mut() else { return };
        let channels = [Channel::Report, Channel::HostFunc];
        channels.into_iter().filter_map(|channel| table.remove(&key(channel, handle))).collect()
    };
    for subscription in ended {
        give_up(&subscription.inbox, handle);
    }
}

fn give_up(inbox: &Inbox, stream: u64) {
    let dropped: Vec<Pending> = {
        let mut pending = inbox.pending.lock();
        let (dropped, kept): (Vec<_>, VecDeque<_>) = {
            let (dropped, kept): (Vec<_>, Vec<_>) = pending.drain(..).partition(|p| p.stream == stream);
            (dropped, kept.into())
        };
        *pending = kept;
        dropped
    };
    // Whoever waits in `process` looks whether it is still subscribed.
    inbox.more.notify_all();
    for turn in dropped.into_iter().filter_map(|p| p.turn) {
        turn.end(Ok(()), turn.begin());
    }
}

fn not_subscribed(channel: Channel, stream: &Stream) -> Failure {
    let by = match channel {
        Channel::Report => "aclrtSubscribeReport",
        Channel::HostFunc => "aclrtSubscribeHostFunc",
    };
    Failure::new(AclError::RT_STREAM_NO_CB_REG, format!("no thread is subscribed to {}", stream.name()))
        .help(format!("call {by} for the stream first"))
}

/// The inbox of the thread that serves a stream.
///
/// # Errors
/// 107015 if there is none.
pub fn inbox_of(channel: Channel, stream: &Stream) -> Answer<Arc<Inbox>> {
    let table = SUBSCRIPTIONS.lock();
    let found = table.as_ref().and_then(|t| t.get(&key(channel, stream.handle))).map(|s| s.inbox.clone());
    found.ok_or_else(|| not_subscribed(channel, stream))
}

fn inbox_of_thread(channel: Channel, thread: u64) -> Option<Arc<Inbox>> {
    let table = SUBSCRIPTIONS.lock();
    let mut subscriptions = table.as_ref()?.values();
    subscriptions.find(|s| s.channel == channel && s.thread == thread).map(|s| s.inbox.clone())
}

/// `aclrtProcessReport`, `aclrtProcessHostFunc`: runs what there is for the calling thread; waits for the first.
///
/// # Errors
/// 107012 if the thread is not (or no longer) subscribed; 507012 if nothing came in time.
pub fn process(channel: Channel, deadline: Option<Instant>) -> Answer {
    check_outside("calls are processed")?;
    let thread = this_thread();
    let not_there = || {
        let text = format!("this thread ({thread:#x}) is not subscribed to any stream");
        Err(Failure::new(AclError::RT_THREAD_SUBSCRIBE, text)
            .help("subscribe it with its pthread_self (std::thread::id printed as a number)"))
    };
    let Some(inbox) = inbox_of_thread(channel, thread) else { return not_there() };
    let mut pending = inbox.pending.lock();
    while pending.is_empty() {
        let timed_out = match deadline {
            Some(deadline) => inbox.more.wait_until(&mut pending, deadline).timed_out(),
            None => {
                inbox.more.wait(&mut pending);
                false
            }
        };
        if !pending.is_empty() {
            break;
        }
        if timed_out {
            return refuse(AclError::RT_REPORT_TIMEOUT, "no stream reached a callback in the time given");
        }
        drop(pending);
        if inbox_of_thread(channel, thread).is_none() {
            return not_there();
        }
        pending = inbox.pending.lock();
    }
    while let Some(next) = pending.pop_front() {
        drop(pending);
        let answer = next.call.run();
        match next.turn {
            Some(turn) => {
                turn.end(answer, turn.begin());
            }
            None => {
                if let Err(failure) = answer {
                    eprintln!("toprope: {}", failure.text);
                }
            }
        }
        pending = inbox.pending.lock();
    }
    Ok(())
}

/// Who runs a call.
#[derive(Clone, Debug)]
enum Runner {
    Background,
    Thread { inbox: Arc<Inbox>, blocks: bool },
}

/// A call in a stream.
#[derive(Clone, Debug)]
pub struct CallWork {
    call: HostCall,
    runner: Runner,
}

impl CallWork {
    /// `aclrtLaunchHostFunc`: on the subscribed thread if there is one, else on a thread of the runtime.
    pub fn host_func(call: HostCall, stream: &Stream) -> CallWork {
        let runner = match inbox_of(Channel::HostFunc, stream) {
            Ok(inbox) => Runner::Thread { inbox, blocks: true },
            Err(_) => Runner::Background,
        };
        CallWork { call, runner }
    }

    /// `aclrtLaunchCallback`.
    pub fn report(call: HostCall, inbox: Arc<Inbox>, blocks: bool) -> CallWork {
        CallWork { call, runner: Runner::Thread { inbox, blocks } }
    }
}

impl DeviceWork for CallWork {
    fn learns(&self) -> Learns {
        order::told_by_host().map_or(Learns::Nothing, Learns::Told)
    }

    fn start(self: Arc<Self>, turn: Turn) {
        // What the function does comes behind all of the stream.
        order::host_learns_of(&turn.stream().timeline);
        match &self.runner {
            Runner::Background => {
                let call = self.call;
                background::run(move || {
                    let answer = call.run();
                    background::nearly_done();
                    turn.end(answer, turn.begin());
                });
            }
            Runner::Thread { inbox, blocks } => {
                let pending = Pending {
                    stream: turn.stream().handle,
                    call: self.call,
                    turn: blocks.then(|| turn.clone()),
                };
                inbox.pending.lock().push_back(pending);
                inbox.more.notify_all();
                if !blocks {
                    turn.end(Ok(()), turn.begin());
                }
            }
        }
    }

    fn skip(&self, _stream: &Stream) {}

    fn interrupt(&self, stream: &Stream) -> bool {
        let Runner::Thread { inbox, .. } = &self.runner else { return false };
        // Not begun: it can be taken back.
        let mut pending = inbox.pending.lock();
        let before = pending.len();
        pending.retain(|p| p.stream != stream.handle || p.turn.is_none());
        pending.len() < before
    }

    fn doing(&self) -> String {
        format!("it waits for {} to return", self.call.what)
    }
}
