//! Contexts: what a thread selects, and what a fault with `ACL_STOP_ON_FAILURE` stops.

use super::device::Device;
use super::failure::{Answer, Failure};
use super::stream::Stream;
use crate::sync::Mutex;
use crate::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// A context of a device.
#[derive(Debug)]
pub struct Context {
    /// Handle given to the program.
    pub handle: u64,
    /// Its device.
    pub device: &'static Device,
    /// Made by `aclrtCreateContext` (else the device's default context).
    pub is_explicit: bool,
    default_stream: OnceLock<Arc<Stream>>,
    ended_by: Mutex<Option<&'static str>>,
    stopped: AtomicBool,
    stop_reason: Mutex<Option<Failure>>,
}

impl Context {
    /// A context without its default stream; see [`set_default_stream`](Self::set_default_stream).
    pub fn new(handle: u64, device: &'static Device, is_explicit: bool) -> Context {
        Context {
            handle,
            device,
            is_explicit,
            default_stream: OnceLock::new(),
            ended_by: Mutex::new(None),
            stopped: AtomicBool::new(false),
            stop_reason: Mutex::new(None),
        }
    }

    /// Gives the context its default stream; called once, when it is made. The stream refers back to the context, so
    /// neither is freed; a context is small and few are made.
    pub fn set_default_stream(&self, stream: Arc<Stream>) {
        let _ = self.default_stream.set(stream);
    }

    /// The stream that a null handle means.
    pub fn default_stream(&self) -> Option<&Arc<Stream>> {
        self.default_stream.get()
    }

    /// Which function ended it, if it is dead.
    pub fn ended_by(&self) -> Option<&'static str> {
        *self.ended_by.lock()
    }

    /// Ends it.
    pub fn end(&self, by: &'static str) {
        *self.ended_by.lock() = Some(by);
    }

    /// A fault of a stream with `ACL_STOP_ON_FAILURE`: nothing runs in the context any more.
    pub fn stop(&self, failure: &Failure) {
        self.stop_reason.lock().get_or_insert_with(|| {
            let mut reason = failure.clone();
            reason.text = format!("a stream with ACL_STOP_ON_FAILURE failed before: {}", reason.text);
            reason
        });
        self.stopped.store(true, Ordering::Release);
    }

    /// Whether a fault stopped it.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Answers with the fault that stopped it.
    ///
    /// # Errors
    /// That fault.
    pub fn check_running(&self) -> Answer {
        if !self.is_stopped() {
            return Ok(());
        }
        self.stop_reason.lock().clone().map_or(Ok(()), Err)
    }
}
