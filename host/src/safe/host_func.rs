//! Functions of the program that a stream calls: closures instead of a C function and a pointer.
//!
//! ```text
//! launch_host_func(closure) ─▶ number in a table ─▶ aclrtLaunchHostFunc(run, number)
//!                                    │                        │ when the stream gets there
//!                                    └──◀── run(number) ◀─────┘  catches a panic, keeps its text for the next synchronise
//! ```
//! The runtime is given a number, never a pointer: a call that comes twice (a graph that captured it) or too late (its
//! scope has ended) finds nothing and does nothing.
//!
//! A stream stands still while it calls a function, so the function must not use the runtime: calls of this crate answer
//! [`Error::InsideHostFunction`](crate::Error::InsideHostFunction) there, and what is dropped there is freed by a thread
//! of its own afterwards.
#![allow(unsafe_code)] // the function that C calls, and closures that borrow

use super::scope::Scope;
use super::stream::Stream;
use crate::error::Result;
use crate::result;
use crate::sys::HostFunc;
use std::any::Any;
use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::without_provenance_mut;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether the calling thread is inside a function that a stream calls.
pub(crate) fn is_inside() -> bool {
    INSIDE.get()
}

/// Runs `work` now, or, inside a function that a stream calls, soon on another thread.
pub(crate) fn outside(work: impl FnOnce() + Send + 'static) {
    static OTHER: LazyLock<Sender<Box<dyn FnOnce() + Send>>> = LazyLock::new(|| {
        let (sender, work) = channel::<Box<dyn FnOnce() + Send>>();
        let body = move || work.into_iter().for_each(|work| work());
        // Without a thread the receiver is gone, and what is sent is dropped by the sender.
        let _ = std::thread::Builder::new().name("toprope-drops".into()).spawn(body);
        sender
    });
    if !is_inside() {
        return work();
    }
    let _ = OTHER.send(Box::new(work));
}

/// What functions that panicked said, and in which stream; given back by the next synchronisation.
#[derive(Debug, Default)]
pub(crate) struct Panics(Mutex<Vec<(usize, String)>>);

impl Panics {
    fn push(&self, stream: usize, message: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((stream, message));
    }

    /// Takes the oldest, of one stream or of all.
    pub(crate) fn take(&self, stream: Option<usize>) -> Option<String> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = list.iter().position(|(of, _)| stream.is_none_or(|stream| stream == *of))?;
        Some(list.remove(at).1)
    }
}

enum Call {
    Once(Box<dyn FnOnce() + Send>),
    Again(Arc<dyn Fn() + Send + Sync>),
    Running,
}

struct Entry {
    call: Call,
    stream: usize,
    panics: Arc<Panics>,
}

#[derive(Default)]
struct Table {
    next: usize,
    entries: HashMap<usize, Entry>,
}

static TABLE: LazyLock<Mutex<Table>> = LazyLock::new(Mutex::default);
/// Told when a call that was running has ended.
static ENDED: Condvar = Condvar::new();

fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the function `number` from the table unless it is running.
fn remove(number: usize) -> Option<Entry> {
    let mut table = table();
    let is_running = matches!(table.entries.get(&number)?.call, Call::Running);
    if is_running { None } else { table.entries.remove(&number) }
}

/// Forgets a function; waits while it runs.
pub(crate) fn cancel(number: usize) {
    let mut table = table();
    while matches!(table.entries.get(&number), Some(Entry { call: Call::Running, .. })) {
        table = ENDED.wait(table).unwrap_or_else(PoisonError::into_inner);
    }
    let entry = table.entries.remove(&number);
    drop(table); // the closure may own things whose drop comes back here
    drop(entry);
}

/// Forgets the functions of a stream that did not run and will not.
pub(crate) fn cancel_stream(stream: usize) {
    let waiting: Vec<usize> = {
        let table = table();
        let of_stream =
            table.entries.iter().filter(|(_, e)| e.stream == stream && matches!(e.call, Call::Once(_)));
        of_stream.map(|(number, _)| *number).collect()
    };
    for number in waiting {
        drop(remove(number));
    }
}

/// What a panic said.
pub(crate) fn panic_text(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "(no text)".into())
}

/// Runs code of the program inside a call of the runtime.
///
/// # Errors
///
/// What its panic said.
pub(crate) fn guarded(body: impl FnOnce()) -> std::result::Result<(), String> {
    INSIDE.set(true);
    let done = catch_unwind(AssertUnwindSafe(body));
    INSIDE.set(false);
    done.map_err(|payload| {
        let text = panic_text(&*payload);
        std::mem::forget(payload); // its drop could panic, and nobody could catch that
        text
    })
}

/// What the runtime calls. Never unwinds.
unsafe extern "C" fn run(number: *mut c_void) {
    let number = number.addr();
    let mut table_now = table();
    let Some(entry) = table_now.entries.get_mut(&number) else { return };
    let (stream, panics) = (entry.stream, Arc::clone(&entry.panics));
    let call = match &entry.call {
        Call::Again(function) => Call::Again(Arc::clone(function)),
        Call::Once(_) | Call::Running => std::mem::replace(&mut entry.call, Call::Running),
    };
    drop(table_now);
    let (done, is_over) = match call {
        Call::Once(function) => (guarded(function), true),
        Call::Again(function) => (guarded(move || function()), false),
        Call::Running => (Ok(()), false),
    };
    if let Err(message) = done {
        panics.push(stream, message);
    }
    if is_over {
        table().entries.remove(&number);
        ENDED.notify_all();
    }
}

impl Stream {
    /// Puts a function into the stream that is called when the stream gets there; later work waits for it. It runs on a
    /// thread of the runtime and must not use the runtime. A panic in it is the error of the next synchronisation
    /// ([`Error::HostFunctionPanicked`](crate::Error::HostFunctionPanicked)).
    ///
    /// What the function borrows has to live for ever; use [`Scope::launch_host_func`] to borrow.
    ///
    /// ```
    /// # fn main() -> toprope_host::Result<()> {
    /// let device = toprope_host::Runtime::embedded()?.device(0)?;
    /// let stream = device.create_stream()?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// stream.launch_host_func(move || sender.send("the stream was here").unwrap())?;
    /// assert_eq!(receiver.recv().unwrap(), "the stream was here");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Acl`](crate::Error::Acl), and [`Error::Capturing`](crate::Error::Capturing).
    #[doc(alias = "aclrtLaunchHostFunc")]
    #[doc(alias = "callback")]
    pub fn launch_host_func(&self, function: impl FnOnce() + Send + 'static) -> Result<()> {
        let _open = self.open()?;
        self.put_host_func(Call::Once(Box::new(function))).map(drop)
    }

    /// The same for a function that a graph calls again and again.
    pub(crate) fn put_host_func_again(&self, function: impl Fn() + Send + Sync + 'static) -> Result<usize> {
        self.put_host_func(Call::Again(Arc::new(function)))
    }

    /// Puts a function into the stream and gives back its number in the table.
    fn put_host_func(&self, call: Call) -> Result<usize> {
        self.device.bind()?;
        let stream = self.key();
        let entry = Entry { call, stream, panics: Arc::clone(&self.device.panics) };
        let number = {
            let mut table = table();
            table.next += 1;
            let number = table.next;
            table.entries.insert(number, entry);
            number
        };
        let (function, argument) = (HostFunc(Some(run)), without_provenance_mut(number));
        // SAFETY: the stream is alive and its context is current; `run` takes any number and never unwinds.
        let put = unsafe {
            result::execution::launch_host_func(self.device.api(), self.handle(), function, argument)
        };
        let put = self.device.check("aclrtLaunchHostFunc", put);
        if put.is_err() {
            drop(remove(number));
        }
        put.map(|()| number)
    }
}

impl<'scope> Scope<'scope, '_> {
    /// As [`Stream::launch_host_func`]; the function may borrow what lives longer than the scope.
    ///
    /// ```
    /// # fn main() -> toprope_host::Result<()> {
    /// # let device = toprope_host::Runtime::embedded()?.device(0)?;
    /// let stream = device.create_stream()?;
    /// let mut calls = 0;
    /// stream.scope(|s| s.launch_host_func(|| calls += 1))?;
    /// assert_eq!(calls, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As there.
    pub fn launch_host_func(&'scope self, function: impl FnOnce() + Send + 'scope) -> Result<()> {
        let _open = self.open()?;
        let function: Box<dyn FnOnce() + Send + 'scope> = Box::new(function);
        // SAFETY: only the lifetime changes. The scope takes the function out of the table, or waits while it runs,
        // before 'scope ends (`Scope::end`); after that nobody can reach it.
        let function = unsafe {
            std::mem::transmute::<Box<dyn FnOnce() + Send + 'scope>, Box<dyn FnOnce() + Send + 'static>>(
                function,
            )
        };
        let number = self.put_host_func(Call::Once(function))?;
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push(number);
        Ok(())
    }
}
