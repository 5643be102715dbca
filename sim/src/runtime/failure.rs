//! One error of the runtime, what is kept of it per thread, and how it is worded.
//!
//! Rules (public CANN runtime documentation, chapter 13): the last error is per thread and set by failures of the
//! runtime layer and by asynchronous faults when they are reported; argument failures of the ACL layer (100xxx) do
//! not set it. `aclGetRecentErrMsg` takes the newest message; its text stays valid until the next call.

use super::misuse;
use super::no_memory;
use parking_lot::Mutex;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use toprope_abi::acl::AclError;

/// Messages kept per thread (and per process).
const KEPT: usize = 32;

/// Why a call failed: a code and the reason in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// CANN code.
    pub code: AclError,
    /// What happened: what was asked, what the limit is. May have several lines.
    pub text: String,
    /// What to do; empty: what the table of codes says.
    pub help: String,
}

/// Result of everything in the runtime.
pub type Answer<T = ()> = Result<T, Failure>;

impl Failure {
    /// A failure with the help text of the code.
    pub fn new(code: AclError, text: impl Into<String>) -> Failure {
        Failure { code, text: text.into(), help: String::new() }
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = help.into();
        self
    }

    /// What to do; empty if the text says all there is (the table of codes would only send the reader back to it).
    pub fn what_to_do(&self) -> &str {
        let of_code = self.code.help();
        match self.help.is_empty() {
            false => &self.help,
            true if of_code.starts_with("read the last error message") => "",
            true => of_code,
        }
    }

    /// The message a user reads: reason first, then what to do, then code and function.
    pub fn message(&self, function: &str) -> String {
        let help = self.what_to_do();
        let help = if help.is_empty() { String::new() } else { format!("\n  help: {help}") };
        format!("{function}: {}{help}\n  code: {} {}", self.text, self.code.0, self.code.name())
    }

    /// Whether the thread's last error is set by it.
    fn sets_last_error(&self) -> bool {
        !(100_000..107_000).contains(&self.code.0)
    }
}

/// Shorthand for `Err(Failure::new(..))`.
pub fn refuse<T>(code: AclError, text: impl Into<String>) -> Answer<T> {
    Err(Failure::new(code, text))
}

/// An argument the ACL layer refuses (100000).
pub fn invalid<T>(text: impl Into<String>) -> Answer<T> {
    refuse(AclError::INVALID_PARAM, text)
}

#[derive(Default)]
struct Messages {
    last_error: Cell<i32>,
    queue: RefCell<VecDeque<String>>,
    handed_out: RefCell<CString>,
}

thread_local! {
    static MESSAGES: Messages = Messages::default();
}

static PER_PROCESS: AtomicBool = AtomicBool::new(false);
static PROCESS_QUEUE: Mutex<VecDeque<String>> = Mutex::new(VecDeque::new());

/// `err_msg_mode` of the configuration: one queue of messages for the process instead of one per thread.
pub fn set_messages_per_process(on: bool) {
    PER_PROCESS.store(on, Ordering::Relaxed);
}

fn push(queue: &mut VecDeque<String>, text: String) {
    if queue.len() == KEPT {
        queue.pop_front();
    }
    queue.push_back(text);
}

/// Keeps a failure of `function` for the calling thread and returns its code.
pub fn record(function: &str, failure: &Failure) -> AclError {
    let text = failure.message(function);
    // After the thread's locals are gone there is nobody left to ask.
    let _ = MESSAGES.try_with(|m| {
        if failure.sets_last_error() {
            m.last_error.set(failure.code.0);
        }
        if PER_PROCESS.load(Ordering::Relaxed) {
            push(&mut PROCESS_QUEUE.lock(), text);
        } else if let Ok(mut queue) = m.queue.try_borrow_mut() {
            push(&mut queue, text);
        }
    });
    failure.code
}

/// The last error of the thread; `clear` forgets it.
pub fn last_error(clear: bool) -> AclError {
    let code = MESSAGES.try_with(|m| if clear { m.last_error.take() } else { m.last_error.get() });
    AclError(code.unwrap_or(0))
}

/// Takes the newest message and calls `with` with its text, which stays valid until the thread's next call.
pub fn take_message<R>(with: impl FnOnce(Option<&CString>) -> R) -> R {
    let mut with = Some(with);
    let answer = MESSAGES.try_with(|m| {
        let with = with.take()?;
        let text = if PER_PROCESS.load(Ordering::Relaxed) {
            PROCESS_QUEUE.lock().pop_back()
        } else {
            m.queue.borrow_mut().pop_back()
        };
        let Some(text) = text else { return Some(with(None)) };
        // A text of ours never holds a zero byte; names taken from a program might.
        let text = CString::new(text.replace('\0', "?")).unwrap_or_default();
        let mut kept = m.handed_out.borrow_mut();
        *kept = text;
        Some(with(Some(&kept)))
    });
    match (answer.ok().flatten(), with) {
        (Some(answer), _) => answer,
        (None, Some(with)) => with(None),
        (None, None) => unreachable!("`with` is only taken together with an answer"),
    }
}

thread_local! {
    static FUNCTION: Cell<&'static str> = const { Cell::new("") };
}

/// The ACL function that the calling thread is in.
pub fn current_function() -> &'static str {
    FUNCTION.get()
}

/// Refuses a call of the host libraries beside ACL (tiling, platform): they answer -1 or null, so the reason goes to standard
/// error at once, and to `aclGetRecentErrMsg`.
pub fn refuse_host_call(function: &str, reason: &str) {
    let failure = Failure::new(AclError::INVALID_PARAM, reason);
    let _ = record(function, &failure);
    eprintln!("toprope: {function}: {reason}");
}

/// Runs the body of an ACL function: keeps its failure, turns a panic into 500000.
pub fn guarded(function: &'static str, body: impl FnOnce() -> Answer) -> AclError {
    // After the thread's locals are gone the name is only missing in messages.
    let _ = FUNCTION.try_with(|current| current.set(function));
    match std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)) {
        Ok(Ok(())) => AclError::SUCCESS,
        Ok(Err(failure)) => {
            misuse::refused(function, &failure);
            no_memory::explain_call(function, &failure);
            record(function, &failure)
        }
        Err(payload) => record(function, &bug(&panic_text(&*payload))),
    }
}

/// A failure of toprope itself.
pub fn bug(text: &str) -> Failure {
    Failure::new(AclError::INTERNAL_ERROR, format!("bug in toprope: {text}"))
        .help("the program need not be wrong; please report this with the program")
}

/// What a panic said.
pub fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|t| (*t).to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic".into())
}

/// A failure that several owners share.
pub type SharedFailure = Arc<Failure>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_message_first_then_none() {
        let _ = guarded("a", || invalid("one"));
        let _ = guarded("b", || refuse(AclError::RT_PARAM_INVALID, "two"));
        let take = || take_message(|t| t.map(|t| t.to_string_lossy().into_owned()));
        assert!(take().is_some_and(
            |t| t.starts_with("b: two\n  code: ") && t.ends_with("107000 ACL_ERROR_RT_PARAM_INVALID")
        ));
        assert!(take().is_some_and(|t| t.starts_with("a: one")));
        assert_eq!(take(), None);
    }

    #[test]
    fn acl_layer_failures_leave_the_last_error() {
        let _ = last_error(true);
        let _ = guarded("a", || invalid("one"));
        assert_eq!(last_error(false), AclError::SUCCESS);
        let _ = guarded("b", || refuse(AclError::RT_PARAM_INVALID, "two"));
        assert_eq!(last_error(false), AclError::RT_PARAM_INVALID);
        assert_eq!(last_error(true), AclError::RT_PARAM_INVALID);
        assert_eq!(last_error(true), AclError::SUCCESS);
    }

    #[test]
    fn panic_becomes_500000() {
        let code = guarded("f", || panic!("oops"));
        assert_eq!(code, AclError::INTERNAL_ERROR);
        assert!(take_message(|t| t.unwrap().to_string_lossy().contains("bug in toprope: oops")));
    }
}
