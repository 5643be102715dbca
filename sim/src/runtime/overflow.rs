//! Overflow flags: whether a kernel clamped a result in saturation mode.
//!
//! Streams made while the device is in saturation mode (`aclrtSetDeviceSatMode`) start their kernels with `CTRL[48]` = 0:
//! half and bfloat16 results that would be infinite become the largest finite number, NaN becomes 0. If the stream's
//! overflow switch is on when such a kernel ends, the flag of the process is set; it is read and cleared in stream order.
//! On Atlas A2 the flag is one per process, as documented. In Inf/NaN mode (the default) nothing is flagged.
//!
//! The status is 64 bytes of device memory: the flag in the first word, then zeros. Not modelled: which core it was, and
//! flags of integer or float32 results, which this NPU does not saturate.

use super::context::OVERFLOW_BYTES;
use super::failure::{Answer, Failure, refuse};
use super::memory::{self, Given};
use super::state::Runtime;
use super::stream::Stream;
use super::work::{DeviceWork, Turn, Work};
use crate::gm::Allocation;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use toprope_abi::acl::AclError;

static FLAG: AtomicBool = AtomicBool::new(false);

/// A kernel clamped a result.
pub fn note() {
    FLAG.store(true, Ordering::Relaxed);
}

/// What a task does with the flag.
#[derive(Debug)]
enum FlagWork {
    Read(Allocation),
    Clear,
}

impl DeviceWork for FlagWork {
    fn start(self: Arc<Self>, turn: Turn) {
        match &*self {
            FlagWork::Read(to) => {
                let mut status = [0u8; OVERFLOW_BYTES as usize];
                status[0] = FLAG.load(Ordering::Relaxed).into();
                memory::write_block(to, &status);
            }
            FlagWork::Clear => FLAG.store(false, Ordering::Relaxed),
        }
        turn.end(Ok(()), turn.begin());
    }

    fn skip(&self, _stream: &Stream) {}

    fn touches(&self, start: u64, bytes: u64) -> bool {
        matches!(self, FlagWork::Read(to) if to.start < start + bytes && start < to.end())
    }

    fn doing(&self) -> String {
        "it works on the overflow status".into()
    }
}

/// Copies the flag to device memory, in stream order.
///
/// # Errors
/// 107000 if the memory is no device memory of 64 bytes.
pub fn read(
    runtime: &'static Runtime,
    function: &'static str,
    addr: u64,
    bytes: u64,
    stream: &Arc<Stream>,
) -> Answer {
    if bytes != OVERFLOW_BYTES {
        let text = format!("`outputSize` is {bytes}; the status has {OVERFLOW_BYTES} bytes");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let device = stream.context.device;
    let given = Given::new(function, "outputAddr", addr, bytes);
    let block = if given.is_on(runtime, device)? { device.memory().and_then(|m| m.find(addr)) } else { None };
    let Some(block) = block else {
        let text = format!("`outputAddr` is {addr:#x}, which is no memory of device {}", device.index);
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text).help("pass 64 bytes of aclrtMalloc"));
    };
    let to = Allocation { start: addr, bytes, ..block };
    stream.enqueue(Work::Custom(Arc::new(FlagWork::Read(to))))
}

/// Clears the flag, in stream order.
///
/// # Errors
/// Those of the stream.
pub fn clear(stream: &Arc<Stream>) -> Answer {
    stream.enqueue(Work::Custom(Arc::new(FlagWork::Clear)))
}
