//! Managed memory (`aclrtMemAllocManaged`): one address for the host and all devices.
//!
//! Host and simulated devices really share the bytes, so nothing has to move. What the program advises is kept per
//! page of 2 MiB and can be read back. Blocks lie where the documents say, from [`BASE`] on, if the addresses are free.
//!
//! Rules: page 11-05 of the public API reference. Not modelled: where a page is, and with it what depends on that: the
//! time of page faults, copies for reading, and the refusal to prefer a place while the page is mapped at another one.

use super::device::Device;
use super::failure::{Answer, Failure, refuse};
use super::memory::failure_of;
use super::site::CallSite;
use super::state::Runtime;
use crate::gm::{Allocation, BlockRequest, DeviceMemory, MemoryOptions, Pages};
use parking_lot::{Mutex, RwLock};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use toprope_abi::acl::AclError;

/// First address of managed memory.
pub const BASE: u64 = 0x900_0000_0000;
/// Size of the range of addresses for managed memory; how much of it can be used, [`most_bytes`] says.
pub const CAPACITY_BYTES: u64 = 3 << 40;
/// Pages that advice is kept for.
const PAGE_BYTES: u64 = 2 << 20;

/// A place as advice names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A device.
    Device(i32),
    /// The host.
    Host,
    /// A NUMA node of the host.
    HostNuma(i32),
}

impl Spot {
    /// `aclrtMemManagedLocationType`.
    pub fn kind(self) -> i32 {
        match self {
            Spot::Device(_) => 1,
            Spot::Host => 2,
            Spot::HostNuma(_) => 3,
        }
    }

    /// What attributes name it by: the id, or -1 for the host.
    pub fn id(self) -> i32 {
        match self {
            Spot::Device(id) | Spot::HostNuma(id) => id,
            Spot::Host => -1,
        }
    }

    /// From an `aclrtMemManagedLocation`; `None` for an invalid one.
    ///
    /// # Errors
    /// 107000 for a type, device or node that there is not.
    pub fn of(runtime: &'static Runtime, kind: i32, id: i32) -> Answer<Option<Spot>> {
        match kind {
            0 => Ok(None),
            1 => {
                if usize::try_from(id).is_ok_and(|id| id < runtime.devices.len()) {
                    return Ok(Some(Spot::Device(id)));
                }
                let last = runtime.devices.len().saturating_sub(1);
                refuse(
                    AclError::RT_PARAM_INVALID,
                    format!("`location.id` is {id}; device ids go from 0 to {last}"),
                )
            }
            2 => Ok(Some(Spot::Host)),
            3 if id == 0 => Ok(Some(Spot::HostNuma(0))),
            3 => refuse(
                AclError::RT_PARAM_INVALID,
                format!("`location.id` is {id}; only NUMA node 0 is modelled"),
            ),
            4 => Ok(Some(Spot::HostNuma(0))),
            _ => refuse(
                AclError::RT_PARAM_INVALID,
                format!("`location.type` is {kind}, which is no aclrtMemManagedLocationType"),
            ),
        }
    }
}

/// What is kept of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Page {
    reads_mostly: bool,
    preferred: Option<Spot>,
    accessed_by: Vec<Spot>,
    prefetched: Option<Spot>,
}

static MEMORY: OnceLock<Answer<Arc<DeviceMemory>>> = OnceLock::new();
static PAGES: RwLock<BTreeMap<u64, Page>> = RwLock::new(BTreeMap::new());
/// Device that was selected when a block was made.
static MAKERS: Mutex<BTreeMap<u64, u32>> = Mutex::new(BTreeMap::new());

/// The managed memory of the process, if there is any.
pub fn memory() -> Option<&'static Arc<DeviceMemory>> {
    MEMORY.get().and_then(|made| made.as_ref().ok())
}

/// Lets a device that was just opened reach managed memory.
pub fn link_to(device: &Arc<DeviceMemory>) {
    if let Some(managed) = memory() {
        device.link(managed);
    }
}

/// `aclrtMemAllocManaged`.
///
/// # Errors
/// 207001.
pub fn allocate(runtime: &'static Runtime, bytes: u64, function: &'static str) -> Answer<u64> {
    let device = runtime.current()?.device;
    let made = MEMORY.get_or_init(|| {
        let options =
            MemoryOptions { capacity_bytes: CAPACITY_BYTES, at: Some(BASE), ..MemoryOptions::default() };
        DeviceMemory::new(options).map_err(|e| failure_of(&e))
    });
    let managed = made.as_ref().map_err(Clone::clone)?;
    for memory in runtime.devices.iter().filter_map(Device::memory) {
        memory.link(managed);
    }
    let Some(bytes) = bytes.checked_next_multiple_of(PAGE_BYTES) else {
        return refuse(AclError::RT_MEMORY_ALLOCATION, format!("`size` is {bytes}, more than any memory"));
    };
    let (live, most) = (managed.live_blocks_and_bytes().1, most_bytes(device));
    if bytes > most.saturating_sub(live) {
        return Err(Failure::new(
            AclError::RT_MEMORY_ALLOCATION,
            format!("`size` is {bytes} bytes, {live} are in use; device and host together have {most}"),
        )
        .help("managed memory moves between device and host, so it must fit into both together"));
    }
    let request = BlockRequest {
        is_padded: false,
        pages: Pages::Huge,
        ..BlockRequest::new(bytes, function, CallSite::here().0)
    };
    let block = managed.allocate(&request).map_err(|e| failure_of(&e))?;
    MAKERS.lock().insert(block.start, device.index);
    PAGES.write().retain(|page, _| !block.contains(*page));
    Ok(block.start)
}

/// Most managed memory there can be: what the device and the host hold together.
fn most_bytes(device: &Device) -> u64 {
    let host = rustix::system::sysinfo();
    device.chip.hbm_bytes.saturating_add(host.totalram.saturating_mul(u64::from(host.mem_unit)))
}

/// A device is reset: frees the blocks that were made while it was selected and returns those not freed before.
pub fn reset_device(device: u32, by: &'static str) -> Vec<Allocation> {
    let Some(managed) = memory() else { return Vec::new() };
    let mut makers = MAKERS.lock();
    let mut starts = Vec::new();
    makers.retain(|start, maker| {
        if *maker == device {
            starts.push(*start);
        }
        *maker != device
    });
    // Those that the program freed are no blocks any more.
    starts.into_iter().filter_map(|start| managed.free(start, by).ok()).collect()
}

/// The block that holds a range.
///
/// # Errors
/// 107000 if there is none.
fn check_range(addr: u64, bytes: u64) -> Answer {
    let block = memory().and_then(|managed| managed.find(addr));
    let problem = match block {
        None => "which is no memory of aclrtMemAllocManaged".into(),
        Some(block) if addr.checked_add(bytes).is_none_or(|end| end > block.end()) => {
            format!("but its block ends {} bytes further", block.end() - addr)
        }
        Some(_) => return Ok(()),
    };
    refuse(AclError::RT_PARAM_INVALID, format!("`ptr` is {addr:#x}, `size` {bytes}, {problem}"))
}

/// The same for functions that take whole pages.
///
/// # Errors
/// 107000.
fn check_pages(addr: u64, bytes: u64) -> Answer {
    if bytes.is_multiple_of(PAGE_BYTES) {
        return check_range(addr, bytes);
    }
    let text = format!("`size` is {bytes}; it must be a multiple of 2 MiB ({PAGE_BYTES})");
    Err(Failure::new(AclError::RT_PARAM_INVALID, text)
        .help("round it up: blocks of managed memory have whole pages"))
}

fn pages_of(addr: u64, bytes: u64) -> impl Iterator<Item = u64> {
    let first = addr / PAGE_BYTES * PAGE_BYTES;
    (first..addr + bytes).step_by(PAGE_BYTES as usize)
}

fn change(addr: u64, bytes: u64, change: impl Fn(&mut Page)) {
    let mut pages = PAGES.write();
    for at in pages_of(addr, bytes) {
        let page = pages.entry(at).or_default();
        change(page);
        if *page == Page::default() {
            pages.remove(&at);
        }
    }
}

/// `aclrtMemManagedAdvise`.
///
/// # Errors
/// 107000.
pub fn advise(addr: u64, bytes: u64, advice: i32, spot: Option<Spot>) -> Answer {
    check_pages(addr, bytes)?;
    let needed = || match spot {
        Some(spot) => Ok(spot),
        None => {
            refuse(AclError::RT_PARAM_INVALID, "`location.type` is invalid, but this advice needs a place")
        }
    };
    match advice {
        0 => change(addr, bytes, |page| page.reads_mostly = true),
        1 => change(addr, bytes, |page| page.reads_mostly = false),
        2 => {
            let spot = needed()?;
            change(addr, bytes, |page| page.preferred = Some(spot));
        }
        3 => change(addr, bytes, |page| page.preferred = None),
        4 => {
            let spot = needed()?;
            change(addr, bytes, |page| {
                if !page.accessed_by.contains(&spot) {
                    page.accessed_by.push(spot);
                }
            });
        }
        5 => {
            let spot = needed()?;
            change(addr, bytes, |page| page.accessed_by.retain(|known| *known != spot));
        }
        _ => {
            return refuse(
                AclError::RT_PARAM_INVALID,
                format!("`advise` is {advice}, which is no aclrtMemManagedAdviseType"),
            );
        }
    }
    Ok(())
}

/// Notes where a range was prefetched to.
///
/// # Errors
/// 107000.
pub fn prefetch(addr: u64, bytes: u64, spot: Option<Spot>) -> Answer {
    check_pages(addr, bytes)?;
    if spot.is_none() {
        return refuse(
            AclError::RT_PARAM_INVALID,
            "`location.type` is invalid; memory is prefetched to a place",
        );
    }
    change(addr, bytes, |page| page.prefetched = spot);
    Ok(())
}

/// No such place, or not the same one for all pages.
const NONE: i32 = -2;

/// What all pages of a range agree on.
fn common<T: PartialEq>(addr: u64, bytes: u64, read: impl Fn(&Page) -> Option<T>) -> Option<T> {
    let pages = PAGES.read();
    let mut values = pages_of(addr, bytes).map(|at| pages.get(&at).and_then(&read));
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}

/// An attribute of a range, as 32-bit values that fill `data_bytes`.
///
/// # Errors
/// 107000: the range, the attribute or the size of the answer is wrong.
pub fn attribute(attribute: i32, addr: u64, bytes: u64, data_bytes: usize) -> Answer<Vec<i32>> {
    if !(1..=8).contains(&attribute) {
        let text = format!("`attribute` is {attribute}, which is no aclrtMemManagedRangeAttribute");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    check_range(addr, bytes)?;
    let is_list = attribute == 3;
    if if is_list { data_bytes == 0 || !data_bytes.is_multiple_of(4) } else { data_bytes != 4 } {
        let wanted = if is_list { "a multiple of 4, not 0" } else { "4" };
        let text = format!("`dataSize` is {data_bytes}; for attribute {attribute} it must be {wanted}");
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    if is_list {
        return Ok(accessors(addr, bytes, data_bytes / 4));
    }
    let preferred = || common(addr, bytes, |page| page.preferred);
    let prefetched = || common(addr, bytes, |page| page.prefetched);
    Ok(vec![match attribute {
        1 => common(addr, bytes, |page| page.reads_mostly.then_some(())).map_or(0, |()| 1),
        2 => preferred().map_or(NONE, Spot::id),
        4 => preferred().map_or(0, Spot::kind),
        5 => preferred().map_or(NONE, Spot::id),
        6 => prefetched().map_or(NONE, Spot::id),
        7 => prefetched().map_or(0, Spot::kind),
        _ => prefetched().map_or(NONE, Spot::id),
    }])
}

/// Those who access every page of the range, filled up with [`NONE`].
fn accessors(addr: u64, bytes: u64, count: usize) -> Vec<i32> {
    let pages = PAGES.read();
    let mut of_pages =
        pages_of(addr, bytes).map(|at| pages.get(&at).map_or(&[][..], |page| &page.accessed_by));
    let mut shared = of_pages.next().unwrap_or(&[]).to_vec();
    for other in of_pages {
        shared.retain(|spot| other.contains(spot));
    }
    let mut ids: Vec<i32> = shared.into_iter().map(Spot::id).take(count).collect();
    ids.resize(count, NONE);
    ids
}
