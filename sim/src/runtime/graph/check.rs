//! What other calls must not do while something is captured.
//!
//! | call | during a capture | code |
//! |---|---|---|
//! | synchronise, query or destroy a captured stream | never | 107027 |
//! | synchronise or query an event recorded in a capture | never | 107028 |
//! | synchronise a device or context with captured streams | never | 107027 |
//! | `aclrtMemcpy`, `aclrtMemset` and their kind | by mode | 107030 |
//! | asynchronous copy that has to block (pageable memory) | by mode; never in a captured stream | 107041 |
//! | work for the default stream | by mode | 107031 |
//!
//! *By mode*: a capture in mode GLOBAL forbids it to every thread of its context, THREAD_LOCAL to the thread that
//! captures, RELAXED to nobody; a thread that exchanged its own mode for RELAXED may, and one that did not begin the
//! capture also with THREAD_LOCAL. Each violation makes the capture invalid (work for the default stream does not).

use super::super::context::Context;
use super::super::event::Event;
use super::super::failure::{Answer, Failure};
use super::super::state::runtime;
use super::super::stream::Stream;
use super::capture::{self, Capture, registry};
use toprope_abi::acl::{AclError, RiCaptureMode};

const NOT_NOW: &str =
    "make the call before aclmdlRICaptureBegin or after aclmdlRICaptureEnd; captured work has not run yet";

/// Refuses to look at or wait for a captured stream.
///
/// # Errors
/// 107027.
pub fn check_stream(stream: &Stream) -> Answer {
    if !capture::any() {
        return Ok(());
    }
    registry(|r| {
        let Some((capture, _)) = r.of_stream(stream.handle) else { return Ok(()) };
        let text = format!("{} belongs to {}", stream.name(), capture.title());
        capture.spoil(&text);
        Err(Failure::new(AclError::RT_STREAM_CAPTURED, text).help(NOT_NOW))
    })
}

/// Refuses to look at or wait for an event whose last record is in a capture.
///
/// # Errors
/// 107028.
pub fn check_event(event: &Event) -> Answer {
    if !capture::any() {
        return Ok(());
    }
    registry(|r| {
        let Some((capture, _)) = r.of_event(event.handle) else { return Ok(()) };
        let text = format!("the event was recorded in {}", capture.title());
        capture.spoil(&text);
        Err(Failure::new(AclError::RT_EVENT_CAPTURED, text).help(NOT_NOW))
    })
}

/// Refuses to wait for a whole context or device with captured streams.
///
/// # Errors
/// 107027.
pub fn check_device(context: &Context) -> Answer {
    if !capture::any() {
        return Ok(());
    }
    registry(|r| {
        let mut first = None;
        for capture in r.all().filter(|c| c.context.handle == context.handle) {
            let text = format!("the device or context cannot be waited for during {}", capture.title());
            capture.spoil(&text);
            first.get_or_insert(text);
        }
        match first {
            None => Ok(()),
            Some(text) => Err(Failure::new(AclError::RT_STREAM_CAPTURED, text).help(NOT_NOW)),
        }
    })
}

/// Whether a capture lets the calling thread do what its mode governs.
fn allows(capture: &Capture) -> bool {
    let own = capture.thread == std::thread::current().id();
    match (capture::thread_mode(), capture.mode) {
        (RiCaptureMode::RELAXED, _) | (_, RiCaptureMode::RELAXED) => true,
        (RiCaptureMode::GLOBAL, RiCaptureMode::GLOBAL) => false,
        _ => !own,
    }
}

fn by_mode(context: u64, code: AclError, spoil: bool) -> Answer {
    registry(|r| {
        let mut first = None;
        for capture in r.all().filter(|c| c.context.handle == context) {
            if allows(capture) {
                continue;
            }
            let text = format!(
                "this thread may not make this call during {}, which was begun with {}",
                capture.title(),
                capture.mode.name().unwrap_or_default()
            );
            if spoil {
                capture.spoil(&text);
            }
            first.get_or_insert(text);
        }
        match first {
            None => Ok(()),
            Some(text) => Err(Failure::new(code, text).help(match code {
                AclError::RT_CAPTURE_MODE_BLOCK_ASYNC => "use memory of aclrtMallocHost, or call aclmdlRICaptureThreadExchangeMode with ACL_MODEL_RI_CAPTURE_MODE_RELAXED around the copy",
                AclError::RT_STREAM_CAPTURE_IMPLICIT => "use a stream of aclrtCreateStream",
                _ => "move the call out of the capture, or call aclmdlRICaptureThreadExchangeMode with ACL_MODEL_RI_CAPTURE_MODE_RELAXED around it if the graph does not depend on it",
            })),
        }
    })
}

/// Refuses synchronous copies and fills where a capture's mode forbids them.
///
/// # Errors
/// 107030.
pub fn check_unsafe() -> Answer {
    if !capture::any() {
        return Ok(());
    }
    by_mode(runtime().current()?.handle, AclError::RT_CAPTURE_MODE_NOT_SUPPORT, true)
}

/// Refuses an asynchronous copy that has to block, because its host memory is pageable.
///
/// # Errors
/// 107041.
pub fn blocking_copy(stream: &Stream) -> Answer {
    if !capture::any() {
        return Ok(());
    }
    registry(|r| {
        let Some((capture, _)) = r.of_stream(stream.handle) else { return Ok(()) };
        let text = format!(
            "the copy uses pageable host memory, so it would have to wait for {}, which belongs to {}",
            stream.name(),
            capture.title()
        );
        capture.spoil(&text);
        Err(Failure::new(AclError::RT_CAPTURE_MODE_BLOCK_ASYNC, text)
            .help("use memory of aclrtMallocHost for copies in a capture"))
    })?;
    by_mode(stream.context.handle, AclError::RT_CAPTURE_MODE_BLOCK_ASYNC, true)
}

/// Refuses work for a default stream where a capture's mode forbids it.
///
/// # Errors
/// 107031.
pub fn check_default_stream(stream: &Stream) -> Answer {
    if !stream.is_default || !capture::any() {
        return Ok(());
    }
    by_mode(stream.context.handle, AclError::RT_STREAM_CAPTURE_IMPLICIT, false)
}

/// A context ends: its captures and graphs end with it.
pub fn context_ended(context: &Context) {
    super::tables::end_context(context.handle);
}
