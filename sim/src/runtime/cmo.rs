//! Cache operations in streams: where the range is, checked at the call or, through a descriptor, when its turn comes.
//!
//! The simulated memory has no cache that could hold another value than the memory, so prefetching changes nothing; it
//! takes its place in the order and no modelled time. The layout of a descriptor is ours; programs only know its size.
#![allow(unsafe_code)] // reads and writes words of device memory.

use super::copy::Motion;
use super::failure::{Answer, Failure, refuse};
use super::memory::Given;
use super::site::CallSite;
use super::state::Runtime;
use super::stream::Stream;
use super::work::{DeviceWork, Turn, Work};
use std::sync::Arc;
use toprope_abi::acl::AclError;

/// Size of a descriptor.
pub const DESCRIPTOR_BYTES: u64 = 64;
const MAGIC: u64 = 0x746f_7072_6f70_6543;

fn given(function: &'static str, name: &'static str, start: u64, bytes: u64) -> Given<'static> {
    Given { function, name, start, bytes, is_written: false, site: CallSite::here() }
}

/// `aclrtCmoAsync`.
///
/// # Errors
/// 107000 if the range is not in memory of the stream's device; those of the stream.
pub fn enqueue(runtime: &'static Runtime, start: u64, bytes: u64, stream: &Arc<Stream>) -> Answer {
    given("aclrtCmoAsync", "src", start, bytes).locate_on(runtime, stream.context.device)?;
    stream.enqueue(Work::Nothing)
}

/// `aclrtCmoSetDesc`.
///
/// # Errors
/// 107000 if the descriptor or the range is not in memory of the current device.
pub fn write_descriptor(runtime: &'static Runtime, at: u64, start: u64, bytes: u64) -> Answer {
    let device = runtime.current()?.device;
    let function = "aclrtCmoSetDesc";
    Given { is_written: true, ..given(function, "cmoDesc", at, DESCRIPTOR_BYTES) }
        .locate_on(runtime, device)?;
    given(function, "src", start, bytes).locate_on(runtime, device)?;
    let words = [MAGIC, start, bytes];
    let motion = Motion::Copy { dst: at, src: words.as_ptr() as u64, bytes: 24 };
    // SAFETY: the descriptor was located as writable device memory of at least this size; `words` lives.
    unsafe { motion.run() };
    Ok(())
}

/// `aclrtCmoAsyncWithDesc`.
///
/// # Errors
/// 107000 if the descriptor is not in memory of the stream's device; those of the stream.
pub fn enqueue_described(runtime: &'static Runtime, at: u64, stream: &Arc<Stream>) -> Answer {
    given("aclrtCmoAsyncWithDesc", "cmoDesc", at, DESCRIPTOR_BYTES)
        .locate_on(runtime, stream.context.device)?;
    stream.enqueue(Work::Custom(Arc::new(Described { runtime, at })))
}

#[derive(Debug)]
struct Described {
    runtime: &'static Runtime,
    at: u64,
}

impl Described {
    fn check(&self, stream: &Stream) -> Answer {
        let device = stream.context.device;
        // It was checked when the call was made, and may be gone since.
        given("aclrtCmoAsyncWithDesc", "cmoDesc", self.at, DESCRIPTOR_BYTES)
            .locate_on(self.runtime, device)?;
        // SAFETY: the descriptor was located; kernels may write it meanwhile, hence volatile.
        let words = unsafe { std::ptr::read_volatile(self.at as *const [[u8; 8]; 3]) };
        let [magic, start, bytes] = words.map(u64::from_le_bytes);
        if magic != MAGIC {
            let text = format!("`cmoDesc` {:#x} holds no descriptor of aclrtCmoSetDesc", self.at);
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        given("aclrtCmoAsyncWithDesc", "src", start, bytes).locate_on(self.runtime, device)
    }
}

impl DeviceWork for Described {
    fn start(self: Arc<Self>, turn: Turn) {
        let begin = turn.begin();
        let answer = self.check(turn.stream());
        let answer = answer.map_err(|f| Failure { text: format!("aclrtCmoAsyncWithDesc: {}", f.text), ..f });
        turn.end(answer, begin);
    }

    fn skip(&self, _stream: &Stream) {}

    fn touches(&self, start: u64, bytes: u64) -> bool {
        self.at < start + bytes && start < self.at + DESCRIPTOR_BYTES
    }

    fn doing(&self) -> String {
        "it prefetches memory into the cache".into()
    }
}
