//! Copies within a device whose addresses the device reads when their turn comes: from a descriptor
//! (`aclrtMemcpyAsyncWithDesc`) or from two words (`aclrtMemcpyAsyncWithOffset`).
//!
//! Because the addresses are read in stream order, earlier tasks may write them. What is wrong with them is a fault of
//! the stream (507052), not of the call. The layout of a descriptor is ours; programs only know its size.
#![allow(unsafe_code)] // reads words of device memory.

use super::copy::Motion;
use super::device::Direction;
use super::failure::{Answer, Failure, refuse};
use super::memory::Given;
use super::site::CallSite;
use super::state::Runtime;
use super::stream::Stream;
use super::transfer::Transfer;
use super::work::{DeviceWork, Turn, Work};
use std::sync::Arc;
use toprope_abi::acl::{AclError, MemcpyKind};

/// Size of a descriptor.
pub const DESCRIPTOR_BYTES: u64 = 64;
/// First word of a descriptor that was set.
pub const MAGIC: u64 = 0x746f_7072_6f70_6544;
/// Bytes of a descriptor that are used.
const USED_BYTES: u64 = 32;

/// Where the addresses are.
#[derive(Clone, Copy, Debug)]
pub enum Indirect {
    /// In a descriptor at this address.
    Descriptor {
        /// Its address.
        at: u64,
    },
    /// In two words; the offsets are added to them.
    Pointers {
        /// Address of the word with the destination.
        dst: u64,
        /// Added to it.
        dst_offset: u64,
        /// Address of the word with the source.
        src: u64,
        /// Added to it.
        src_offset: u64,
        /// Length.
        bytes: u64,
    },
}

/// Checks the one kind these functions take.
///
/// # Errors
/// 100000.
pub fn check_kind(kind: MemcpyKind) -> Answer {
    if kind == MemcpyKind::INNER_DEVICE_TO_DEVICE {
        return Ok(());
    }
    let text = format!("`kind` is {}; only ACL_MEMCPY_INNER_DEVICE_TO_DEVICE is offered", kind.0);
    refuse(AclError::INVALID_PARAM, text)
}

fn given(
    function: &'static str,
    name: &'static str,
    start: u64,
    bytes: u64,
    site: CallSite,
) -> Given<'static> {
    Given { function, name, start, bytes, is_written: name == "desc", site }
}

fn read(at: u64) -> u64 {
    // SAFETY: callers located 8 bytes of device memory there; kernels may write it meanwhile, hence volatile. Such
    // words may be anywhere, hence unaligned.
    u64::from_le_bytes(unsafe { std::ptr::read_volatile(at as *const [u8; 8]) })
}

/// `aclrtSetMemcpyDesc`.
///
/// # Errors
/// 107000 if the descriptor is not in memory of the current device.
pub fn write_descriptor(
    runtime: &'static Runtime,
    function: &'static str,
    at: u64,
    dst: u64,
    src: u64,
    bytes: u64,
) -> Answer {
    let device = runtime.current()?.device;
    given(function, "desc", at, DESCRIPTOR_BYTES, CallSite::here()).locate_on(runtime, device)?;
    let words = [MAGIC, dst, src, bytes];
    let motion = Motion::Copy { dst: at, src: words.as_ptr() as u64, bytes: USED_BYTES };
    // SAFETY: the descriptor was located as writable device memory of at least this size; `words` lives.
    unsafe { motion.run() };
    Ok(())
}

impl Indirect {
    /// Copies in stream order.
    ///
    /// # Errors
    /// 107000 if the words are not in memory of the stream's device; those of the stream.
    pub fn enqueue(self, runtime: &'static Runtime, function: &'static str, stream: &Arc<Stream>) -> Answer {
        let site = CallSite::here();
        let device = stream.context.device;
        let words: &[(&'static str, u64, u64)] = &match self {
            Indirect::Descriptor { at } => vec![("desc", at, DESCRIPTOR_BYTES)],
            Indirect::Pointers { dst, src, .. } => vec![("dst", dst, 8), ("src", src, 8)],
        };
        for &(name, start, bytes) in words {
            given(function, name, start, bytes, site).locate_on(runtime, device)?;
        }
        stream.enqueue(Work::Custom(Arc::new(IndirectCopy { runtime, function, from: self, site })))
    }

    /// The copy, read now.
    fn motion(self) -> Answer<Motion> {
        match self {
            Indirect::Descriptor { at } => {
                let [magic, dst, src, bytes] = [0, 8, 16, 24].map(|offset| read(at + offset));
                if magic != MAGIC {
                    let text = format!("`desc` {at:#x} holds no descriptor of aclrtSetMemcpyDesc");
                    return refuse(AclError::RT_COPY_DATA, text);
                }
                Ok(Motion::Copy { dst, src, bytes })
            }
            Indirect::Pointers { dst, dst_offset, src, src_offset, bytes } => Ok(Motion::Copy {
                dst: read(dst).wrapping_add(dst_offset),
                src: read(src).wrapping_add(src_offset),
                bytes,
            }),
        }
    }
}

#[derive(Debug)]
struct IndirectCopy {
    runtime: &'static Runtime,
    function: &'static str,
    from: Indirect,
    site: CallSite,
}

impl IndirectCopy {
    fn run(&self, stream: &Stream) -> Answer<u64> {
        // The words were checked when the call was made, and may be gone since.
        let memory = stream.context.device.opened_memory()?;
        let at = match self.from {
            Indirect::Descriptor { at } => [at, at],
            Indirect::Pointers { dst, src, .. } => [dst, src],
        };
        if let Some(gone) = at.into_iter().find(|at| memory.find(*at).is_none()) {
            let text = format!("the words at {gone:#x} were freed before the copy ran");
            return refuse(AclError::RT_COPY_DATA, text);
        }
        let motion = self.from.motion()?;
        let transfer =
            Transfer { function: self.function, motion, takes_data: false, written: "dst", site: self.site };
        let ends = transfer.locate(self.runtime)?;
        if ends.direction() != Some(Direction::DeviceToDevice) {
            return refuse(AclError::RT_COPY_DATA, "the addresses that were read are not both device memory");
        }
        transfer.run_in_task()?;
        Ok(stream.context.device.copy_cycles(Direction::DeviceToDevice, motion.bytes()))
    }
}

impl DeviceWork for IndirectCopy {
    fn start(self: Arc<Self>, turn: Turn) {
        let begin = turn.begin();
        match self.run(turn.stream()) {
            Ok(cycles) => turn.end(Ok(()), begin + cycles),
            Err(failure) => {
                let text = format!("{}: {}", self.function, failure.text);
                turn.end(Err(Failure { code: AclError::RT_COPY_DATA, text, ..failure }), begin)
            }
        };
    }

    fn skip(&self, _stream: &Stream) {}

    fn touches(&self, start: u64, bytes: u64) -> bool {
        let inside = |at: u64, length: u64| at < start + bytes && start < at + length;
        match self.from {
            Indirect::Descriptor { at } => inside(at, DESCRIPTOR_BYTES),
            Indirect::Pointers { dst, src, .. } => inside(dst, 8) || inside(src, 8),
        }
    }

    fn doing(&self) -> String {
        format!("it copies for {}", self.function)
    }
}
