//! Which memory an address is, and the life of device blocks.
//!
//! ```text
//!  address ─▶ locate ─┬─ a device's range: one live block (or what a pool gave out) ─▶ Place::Device
//!                     ├─ known host memory: allocated or registered ────────────────▶ Place::Pinned
//!                     ├─ virtual memory, managed memory ────────────────────────────▶ Device, Pinned, Managed
//!                     └─ mapped in this process at all ─────────────────────────────▶ Place::Pageable
//! ```
//! A range that leaves its block, or a block that is gone, is refused (107000) before anything is moved, and the second
//! case is a finding with the places that freed and allocated the block.
#![allow(unsafe_code)] // asks the system whether an address is mapped; writes into a block that was just made.

use super::copy::Motion;
use super::device::Device;
use super::failure::{Answer, Failure, refuse};
use super::hostmem::HostBlock;
use super::mem_findings::{self, Freeing};
use super::mem_pool;
use super::order;
use super::site::CallSite;
use super::state::Runtime;
use super::{managed, vmm};
use crate::gm::{AddressKind, Allocation, BlockRequest, DeviceMemory, GmError, Pages};
use std::sync::Arc;
use toprope_abi::acl::{AclError, MemMallocPolicy};

/// What an address range is.
#[derive(Clone, Debug)]
pub enum Place {
    /// Inside one block of this device, or its memory mapped at virtual addresses.
    Device(u32),
    /// Managed memory: host and devices reach it.
    Managed,
    /// Host memory that the runtime knows; nothing has to be kept if it is virtual memory on the host.
    Pinned(Option<Arc<HostBlock>>),
    /// Other memory of the process.
    Pageable,
}

impl Place {
    /// Whether copies treat it as host memory.
    pub fn is_host(&self) -> bool {
        matches!(self, Place::Pinned(_) | Place::Pageable)
    }
}

/// A range that a call was given.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The function, for findings.
    pub function: &'static str,
    /// The argument, for messages.
    pub name: &'a str,
    /// First address.
    pub start: u64,
    /// Length.
    pub bytes: u64,
    /// It will be written.
    pub is_written: bool,
    /// Where the program called.
    pub site: CallSite,
}

impl<'a> Given<'a> {
    /// A range that is read or looked at.
    pub fn new(function: &'static str, name: &'a str, start: u64, bytes: u64) -> Given<'a> {
        Given { function, name, start, bytes, is_written: false, site: CallSite::here() }
    }

    /// Whether it is memory that kernels of this device reach.
    ///
    /// # Errors
    /// As [`locate`](Self::locate).
    pub fn is_on(&self, runtime: &'static Runtime, device: &Device) -> Answer<bool> {
        Ok(match self.locate(runtime)? {
            Place::Device(index) => index == device.index,
            Place::Managed => true,
            Place::Pinned(_) | Place::Pageable => false,
        })
    }

    /// Finds out what the range is.
    ///
    /// # Errors
    /// 107000 if the range leaves its block, the block is gone or read-only, or the memory is not mapped.
    pub fn locate(&self, runtime: &'static Runtime) -> Answer<Place> {
        for device in &runtime.devices {
            let Some(memory) = device.memory().filter(|m| m.range().contains(&self.start)) else { continue };
            self.check_device_range(memory)?;
            return Ok(Place::Device(device.index));
        }
        if let Some(block) = runtime.host.find(self.start) {
            let room = block.start() + block.bytes() - self.start;
            self.check_room(room, || format!("the block of {} ({} bytes)", block.by, block.bytes()))?;
            return Ok(Place::Pinned(Some(block)));
        }
        if let Some(place) = vmm::locate(self)? {
            return Ok(place);
        }
        if let Some(memory) = managed::memory().filter(|m| m.range().contains(&self.start)) {
            self.check_device_range(memory)?;
            return Ok(Place::Managed);
        }
        if are_mapped(self.start, self.bytes) {
            return Ok(Place::Pageable);
        }
        let Given { name, start, bytes, .. } = self;
        refuse(
            AclError::RT_PARAM_INVALID,
            format!("`{name}`: {start:#x} ({bytes} bytes) is no memory of this process"),
        )
    }

    /// The same for ranges that have to be memory of one device.
    ///
    /// # Errors
    /// As [`locate`](Self::locate); 107000 if it is other memory.
    pub fn locate_on(&self, runtime: &'static Runtime, device: &Device) -> Answer {
        let text = match self.locate(runtime)? {
            Place::Device(index) if index == device.index => return Ok(()),
            Place::Managed => return Ok(()),
            Place::Device(index) => format!("memory of device {index}, not of device {}", device.index),
            Place::Pinned(_) | Place::Pageable => "host memory".into(),
        };
        let text = format!("`{}` is {:#x}, which is {text}", self.name, self.start);
        Err(Failure::new(AclError::RT_PARAM_INVALID, text)
            .help("use memory of aclrtMalloc on the device that is selected"))
    }

    /// Refuses a range of which only `room` bytes are there.
    ///
    /// # Errors
    /// 107000 with the figures; `what` names the block.
    pub fn check_room(&self, room: u64, what: impl FnOnce() -> String) -> Answer {
        if self.bytes <= room {
            return Ok(());
        }
        let Given { name, start, bytes, .. } = self;
        let over = bytes - room;
        refuse(
            AclError::RT_PARAM_INVALID,
            format!(
                "`{name}`: {bytes} bytes from {start:#x} on, but {} ends after {room}: {over} bytes too many",
                what()
            ),
        )
    }

    fn check_device_range(&self, memory: &DeviceMemory) -> Answer {
        let found = match mem_pool::given_out(self.start) {
            Some(Ok(block)) => Ok(block),
            Some(Err(stamp)) => Err(AddressKind::Freed(stamp)),
            None => memory.find(self.start).ok_or_else(|| memory.classify(self.start)),
        };
        let block = match found {
            Ok(block) => block,
            Err(kind) => return Err(self.gone(&kind)),
        };
        if self.is_written && block.is_read_only {
            let text = format!(
                "`{}`: block {} at {:#x} was made with ACL_MEM_ACCESS_USER_SPACE_READONLY and cannot be written",
                self.name, block.id, block.start
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        self.check_room(block.end() + block.slack_bytes - self.start, || {
            format!("block {} ({} bytes, from {})", block.id, block.requested_bytes, block.by)
        })
    }

    fn gone(&self, kind: &AddressKind) -> Failure {
        let mut text =
            format!("`{}` is {:#x}, which is {}", self.name, self.start, kind.describe(self.start));
        if let AddressKind::Freed(stamp) = kind {
            mem_findings::use_after_free(self.function, self.name, self.start, stamp, self.site);
            text.push_str(&CallSite(stamp.site).say(""));
        }
        Failure::new(AclError::RT_PARAM_INVALID, text).help("use addresses inside live blocks of aclrtMalloc")
    }
}

/// Whether the page of an address is mapped.
pub fn is_mapped(addr: u64) -> bool {
    let page = addr & !4095;
    let mut resident = 0u8;
    // SAFETY: `mincore` reads no memory at `page`; it writes one byte per page, here one, to `resident`.
    unsafe { libc::mincore(page as *mut _, 1, &raw mut resident) == 0 }
}

/// Whether the first and the last page of a range are mapped.
pub fn are_mapped(start: u64, bytes: u64) -> bool {
    let last = start.checked_add(bytes.saturating_sub(1));
    last.is_some_and(|last| is_mapped(start) && is_mapped(last))
}

/// Writes host data into a block that was just allocated.
pub fn write_block(block: &Allocation, data: &[u8]) {
    let bytes = (data.len() as u64).min(block.bytes);
    let motion = Motion::Copy { dst: block.start, src: data.as_ptr() as u64, bytes };
    // SAFETY: `data` is readable for that long, the block is writable device memory of at least that size that nobody
    // else knows yet.
    unsafe { motion.run() };
}

/// Size from which on a policy without a name takes huge pages.
const HUGE_FROM_BYTES: u64 = 2 << 20;
const READ_ONLY: i32 = 0x10_0000;
const BANDWIDTHS: i32 = 0x0100 | 0x1000;

/// Pages for a policy, and whether the block may only be read. `with_bits`: the function takes the bandwidth and
/// read-only bits together with a policy.
///
/// A value outside the enumeration is no error: as documented, it means huge pages from 2 MiB on, else normal ones.
/// Alone, a bandwidth bit has no effect (the documents: "setting it is invalid"), and the read-only bit is a policy.
pub fn pages_of(policy: MemMallocPolicy, bytes: u64, with_bits: bool) -> (Pages, bool) {
    let is_single = policy.0 & READ_ONLY == 0 || policy.0 == READ_ONLY;
    let is_read_only = policy.0 & READ_ONLY != 0 && (with_bits || is_single);
    let base = if with_bits { policy.0 & !(READ_ONLY | BANDWIDTHS) } else { policy.0 };
    let pages = match base {
        0 | 3 => Pages::HugeFirst,
        1 | 4 => Pages::Huge,
        2 | 5 => Pages::Normal,
        6 | 7 => Pages::Huge1G,
        _ if bytes >= HUGE_FROM_BYTES => Pages::HugeFirst,
        _ => Pages::Normal,
    };
    (pages, is_read_only)
}

/// The ACL failure for what device memory says.
pub fn failure_of(error: &GmError) -> Failure {
    let code = match error {
        GmError::ZeroSize => AclError::INVALID_PARAM,
        GmError::Exhausted { .. } | GmError::Host(_) => AclError::RT_MEMORY_ALLOCATION,
        GmError::NotABlock { .. } | GmError::DoubleFree { .. } => AclError::RT_MEMORY_FREE,
    };
    Failure::new(code, error.to_string())
}

/// Allocates on the device of the current context.
///
/// # Errors
/// 107002; 207001 when the device or this machine has no more.
pub fn allocate(runtime: &'static Runtime, request: &BlockRequest) -> Answer<Allocation> {
    let context = runtime.current()?;
    let block = context.device.opened_memory()?.allocate(request).map_err(|e| failure_of(&e))?;
    order::forget(block.start, block.bytes);
    Ok(block)
}

/// Frees a block of a device, of managed memory, or one that a pool gave out.
///
/// # Errors
/// 207002 with what the address is.
pub fn free(runtime: &'static Runtime, addr: u64, function: &'static str) -> Answer {
    let site = CallSite::here();
    let owner = runtime.devices.iter().find_map(|d| d.memory().filter(|m| m.range().contains(&addr)));
    let managed = managed::memory().filter(|m| m.range().contains(&addr));
    let Some(memory) = owner.or(managed) else {
        let (what, help) = what_else(runtime, addr);
        return Err(Failure::new(AclError::RT_MEMORY_FREE, format!("{addr:#x} is {what}")).help(help));
    };
    if let Some(block) = memory.find(addr).filter(|b| b.start == addr) {
        let (bytes, by, made_at) = (block.bytes, block.by, CallSite(block.site));
        warn_if_used(runtime, &Freeing { function, start: addr, bytes, by, made_at, site });
        order::given_back(addr, bytes);
        order::forget(addr, bytes);
    }
    if mem_pool::free_now(addr, function, site)? {
        return Ok(());
    }
    let freed = memory.free_at(addr, function, site.0);
    if let Err(GmError::DoubleFree { stamp }) = &freed {
        mem_findings::double_free(function, stamp, site);
    }
    freed.map(|_| ()).map_err(|e| failure_of(&e))
}

/// What an address that is no device memory is, and what to do.
fn what_else(runtime: &'static Runtime, addr: u64) -> (&'static str, &'static str) {
    match runtime.host.find(addr) {
        Some(block) if block.is_registered() => {
            ("registered host memory", "end the registration with aclrtHostUnregister")
        }
        Some(_) => ("pinned host memory", "free memory of aclrtMallocHost with aclrtFreeHost"),
        None if vmm::owns(addr) => (
            "reserved virtual memory",
            "unmap it with aclrtUnmapMem and release it with aclrtReleaseMemAddress",
        ),
        None => ("no device memory", "free only what aclrtMalloc gave, with the address it gave"),
    }
}

/// Reports memory that is freed while work of some stream, not done yet, uses it.
pub fn warn_if_used(runtime: &'static Runtime, freeing: &Freeing) -> bool {
    let busy = runtime.streams.select(|stream| !stream.is_idle());
    let user = busy.iter().find_map(|s| Some((s, s.uses(freeing.start, freeing.bytes)?)));
    if let Some((stream, queued_at)) = user {
        mem_findings::free_in_use(freeing, stream, queued_at);
    } else if let Some((who, usage)) = order::unfinished(freeing.start, freeing.bytes) {
        mem_findings::freed_unwaited(freeing, &who, usage);
    }
    user.is_some()
}

/// A device is reset: everything in its memory goes, and what the program did not free is told.
pub fn reset_device(device: &'static Device, by: &'static str) {
    let Some(memory) = device.memory() else { return };
    let site = CallSite::here();
    let range = memory.range();
    order::given_back(range.start, range.end - range.start);
    mem_pool::reset_device(device.index);
    let mut left = managed::reset_device(device.index, by);
    vmm::reset_device(device);
    left.extend(memory.free_all(by));
    order::forget(range.start, range.end - range.start);
    mem_findings::leaks(device.index, by, &left, site);
}
