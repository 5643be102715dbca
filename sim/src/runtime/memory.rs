//! Copies and fills as the program asks for them: which memory the addresses are, whether the ranges fit, which way the
//! bytes go, and whether the call may return before they are there.
//!
//! | from / to | `aclrtMemcpy` | `aclrtMemcpyAsync` |
//! |---|---|---|
//! | device, pinned host | at once | in stream order, in the background |
//! | pageable host on one side | at once | waits for the stream, then copies before it returns |
//! | host to host | at once | 207000 |
//!
//! The direction follows from the addresses; `kind` is checked for being a known value only, as the vendor's runtime
//! does. Synchronous calls do not wait for any stream.
#![allow(unsafe_code)] // copies between raw addresses after the checks below.

use super::copy::{self, Motion};
use super::device::Direction;
use super::failure::{Answer, Failure, invalid, refuse};
use super::hostmem::HostBlock;
use super::state::Runtime;
use super::stream::Stream;
use super::work::{MoveWork, Work};
use crate::gm::{Allocation, DeviceMemory};
use std::sync::Arc;
use toprope_abi::acl::{AclError, MemMallocPolicy, MemcpyKind};

/// What an address range is.
#[derive(Debug)]
pub enum Place {
    /// Inside one block of a device.
    Device,
    /// Inside one block of `aclrtMallocHost`.
    Pinned(Arc<HostBlock>),
    /// Other memory of the process.
    Pageable,
}

impl Place {
    fn is_host(&self) -> bool {
        !matches!(self, Place::Device)
    }
}

/// Finds out what `addr..addr + bytes` is; `name` is the argument for messages.
///
/// # Errors
/// 107000 if the range leaves its block, the block is gone, or the memory is not mapped.
pub fn locate(runtime: &'static Runtime, name: &str, addr: u64, bytes: u64) -> Answer<Place> {
    for device in &runtime.devices {
        let Some(memory) = device.memory().filter(|m| m.range().contains(&addr)) else { continue };
        check_device_range(memory, name, addr, bytes)?;
        return Ok(Place::Device);
    }
    if let Some(block) = runtime.host.find(addr) {
        let room = block.start() + block.bytes() - addr;
        if bytes <= room {
            return Ok(Place::Pinned(block));
        }
        let text = format!(
            "`{name}`: {bytes} bytes from {addr:#x} on, but the block of aclrtMallocHost ({} bytes) ends after {room}: {} bytes too many",
            block.bytes(),
            bytes - room
        );
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    let last = addr.checked_add(bytes.saturating_sub(1));
    if last.is_none_or(|last| !is_mapped(addr) || !is_mapped(last)) {
        let text = format!("`{name}`: {addr:#x} ({bytes} bytes) is no memory of this process");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    Ok(Place::Pageable)
}

fn check_device_range(memory: &DeviceMemory, name: &str, addr: u64, bytes: u64) -> Answer {
    let Some(block) = memory.find(addr) else {
        let text = format!("`{name}` is {addr:#x}, which is {}", memory.describe(addr));
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("use addresses inside live blocks of aclrtMalloc"));
    };
    let room = block.end() - addr;
    if bytes <= room {
        return Ok(());
    }
    let text = format!(
        "`{name}`: {bytes} bytes from {addr:#x} on, but block {} ({} bytes, from {}) ends after {room}: {} bytes too many",
        block.id,
        block.requested_bytes,
        block.by,
        bytes - room
    );
    refuse(AclError::RT_PARAM_INVALID, text)
}

/// Whether the page of an address is mapped.
pub fn is_mapped(addr: u64) -> bool {
    let page = addr & !4095;
    let mut resident = 0u8;
    // SAFETY: `mincore` reads no memory at `page`; it writes one byte per page, here one, to `resident`.
    unsafe { libc::mincore(page as *mut _, 1, &raw mut resident) == 0 }
}

/// Writes host data into a block that was just allocated.
pub fn write_block(block: &Allocation, data: &[u8]) {
    let bytes = (data.len() as u64).min(block.bytes);
    let motion = Motion::Copy { dst: block.start, src: data.as_ptr() as u64, bytes };
    // SAFETY: `data` is readable for that long, the block is writable device memory of at least that size that nobody
    // else knows yet.
    unsafe { motion.run() };
}

/// Largest values of the policy and the bits that may be added.
const POLICIES: i32 = 7;
const POLICY_BITS: i32 = 0x0100 | 0x1000 | 0x10_0000;

/// Checks a policy; all are served alike, from one memory.
///
/// # Errors
/// 107018 for an unknown value.
pub fn check_policy(policy: MemMallocPolicy) -> Answer {
    if (0..=POLICIES).contains(&(policy.0 & !POLICY_BITS)) {
        return Ok(());
    }
    refuse(
        AclError::RT_INVALID_MALLOC_TYPE,
        format!("`policy` is {:#x}, which is no aclrtMemMallocPolicy", policy.0),
    )
}

/// A copy as it was asked for.
#[derive(Clone, Copy, Debug)]
pub struct CopyRequest {
    /// First address written.
    pub dst: u64,
    /// Room at `dst`.
    pub dst_max: u64,
    /// First address read.
    pub src: u64,
    /// Length.
    pub count: u64,
    /// Direction as told.
    pub kind: MemcpyKind,
}

impl CopyRequest {
    /// Checks what both forms check; `Ok(false)`: nothing to do.
    ///
    /// # Errors
    /// 100000 null or unknown kind; 107000 count larger than the room.
    pub fn check(&self) -> Answer<bool> {
        if self.count == 0 {
            return Ok(false);
        }
        if self.dst == 0 || self.src == 0 {
            return invalid(format!("`{}` is null", if self.dst == 0 { "dst" } else { "src" }));
        }
        if self.kind.name().is_none() {
            return invalid(format!("`kind` is {}, which is no aclrtMemcpyKind", self.kind.0));
        }
        if self.count > self.dst_max {
            let text = format!(
                "`count` is {}, but `destMax`, the room at `dst`, is {} bytes",
                self.count, self.dst_max
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        Ok(true)
    }

    fn motion(&self) -> Motion {
        Motion::Copy { dst: self.dst, src: self.src, bytes: self.count }
    }

    fn locate(&self, runtime: &'static Runtime) -> Answer<(Place, Place)> {
        let dst = locate(runtime, "dst", self.dst, self.count)?;
        Ok((dst, locate(runtime, "src", self.src, self.count)?))
    }

    /// `aclrtMemcpy`.
    ///
    /// # Errors
    /// Those of [`locate`].
    pub fn run(&self, runtime: &'static Runtime) -> Answer {
        self.locate(runtime)?;
        // SAFETY: both ranges lie in live blocks or are mapped host memory that the caller gave for this call.
        unsafe { copy::pool().run(self.motion()) };
        Ok(())
    }

    /// `aclrtMemcpyAsync`.
    ///
    /// # Errors
    /// 207000 between host addresses; those of [`locate`] and of the stream.
    pub fn enqueue(&self, runtime: &'static Runtime, stream: &Arc<Stream>) -> Answer {
        let (dst, src) = self.locate(runtime)?;
        let direction = match (dst.is_host(), src.is_host()) {
            (true, true) => {
                return Err(Failure::new(
                    AclError::RT_FEATURE_NOT_SUPPORT,
                    format!("`dst` {:#x} and `src` {:#x} are both host addresses", self.dst, self.src),
                )
                .help("copy within the host with memcpy or aclrtMemcpy; allocate device memory with aclrtMalloc"));
            }
            (false, true) => Direction::HostToDevice,
            (true, false) => Direction::DeviceToHost,
            (false, false) => Direction::DeviceToDevice,
        };
        let cycles = stream.context.device.copy_cycles(direction, self.count);
        let mut work = MoveWork { motion: self.motion(), cycles, keep: Vec::new() };
        let pageable = matches!(dst, Place::Pageable) || matches!(src, Place::Pageable);
        if pageable && self.kind == MemcpyKind::HOST_TO_BUF_TO_DEVICE && direction == Direction::HostToDevice
        {
            let taken = self.take_data(runtime)?;
            work.motion = Motion::Copy { dst: self.dst, src: taken.start(), bytes: self.count };
            work.keep.push(taken);
            return stream.enqueue(Work::Move(work));
        }
        if pageable {
            stream.context.check_running()?;
            stream.wait_idle(None);
            // SAFETY: as in `run`.
            unsafe { copy::pool().run(work.motion) };
            stream.add_cycles(cycles);
            return Ok(());
        }
        for place in [dst, src] {
            if let Place::Pinned(block) = place {
                work.keep.push(block);
            }
        }
        if self.kind == MemcpyKind::HOST_TO_BUF_TO_DEVICE && direction == Direction::HostToDevice {
            let taken = self.take_data(runtime)?;
            work.motion = Motion::Copy { dst: self.dst, src: taken.start(), bytes: self.count };
            work.keep = vec![taken];
        }
        stream.enqueue(Work::Move(work))
    }

    /// Copies the source away, so that the program may change it at once.
    fn take_data(&self, runtime: &'static Runtime) -> Answer<Arc<HostBlock>> {
        let at = runtime.host.alloc(self.count)?;
        let block = runtime
            .host
            .find(at)
            .ok_or_else(|| super::failure::bug("a block that was just made is unknown"))?;
        // Not known to the program: only the copy keeps it.
        runtime.host.forget(at);
        // SAFETY: the source was located for this length; the block is new and has this length.
        unsafe { Motion::Copy { dst: at, src: self.src, bytes: self.count }.run() };
        Ok(block)
    }
}

/// A fill as it was asked for.
#[derive(Clone, Copy, Debug)]
pub struct FillRequest {
    /// First address.
    pub at: u64,
    /// Room there.
    pub max: u64,
    /// Value; its low byte counts.
    pub value: i32,
    /// Length.
    pub count: u64,
}

impl FillRequest {
    /// Checks what both forms check; `Ok(false)`: nothing to do.
    ///
    /// # Errors
    /// 100000 null; 107000 count larger than the room.
    pub fn check(&self) -> Answer<bool> {
        if self.count == 0 {
            return Ok(false);
        }
        if self.at == 0 {
            return invalid("`devPtr` is null");
        }
        if self.count > self.max {
            let text = format!(
                "`count` is {}, but `maxCount`, the room at `devPtr`, is {} bytes",
                self.count, self.max
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        Ok(true)
    }

    fn motion(&self) -> Motion {
        Motion::Fill { dst: self.at, value: self.value.to_le_bytes()[0], bytes: self.count }
    }

    /// `aclrtMemset`.
    ///
    /// # Errors
    /// Those of [`locate`].
    pub fn run(&self, runtime: &'static Runtime) -> Answer {
        locate(runtime, "devPtr", self.at, self.count)?;
        // SAFETY: the range lies in a live block or is mapped host memory that the caller gave for this call.
        unsafe { copy::pool().run(self.motion()) };
        Ok(())
    }

    /// `aclrtMemsetAsync`.
    ///
    /// # Errors
    /// Those of [`locate`] and of the stream.
    pub fn enqueue(&self, runtime: &'static Runtime, stream: &Arc<Stream>) -> Answer {
        let cycles = stream.context.device.copy_cycles(Direction::DeviceToDevice, self.count);
        let mut work = MoveWork { motion: self.motion(), cycles, keep: Vec::new() };
        match locate(runtime, "devPtr", self.at, self.count)? {
            Place::Pageable => {
                stream.context.check_running()?;
                stream.wait_idle(None);
                // SAFETY: as in `run`.
                unsafe { copy::pool().run(work.motion) };
                return Ok(());
            }
            Place::Pinned(block) => work.keep.push(block),
            Place::Device => {}
        }
        stream.enqueue(Work::Move(work))
    }
}
