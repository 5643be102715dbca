//! Virtual memory: address ranges that the program reserves, and physical memory that it maps there.
//!
//! ```text
//!  reserve ─▶ Reservation ┌───────────┬───────────┬─────────────
//!                         │ Mapping ──┼─▶ Physical (handle, pages)
//!                         └───────────┴───────────┴─────────────
//!                           ↑ joined with its neighbour: one piece of memory for kernels and copies
//! ```
//! Physical memory is a file of pages, so the same pages can be seen at several addresses and by several processes. It
//! takes its part of the device's capacity. Mapping gives the device that has the memory access at once;
//! `aclrtMemMapNoAccess` leaves that to `aclrtMemSetAccess`, and until then kernels and copies are refused there.
//!
//! Rules: page 11-04 of the public API reference. A reservation holds memory of one device at a time, and does not mix
//! memory of its own with imported memory. Unmapping does not wait for tasks; if some use the range it is a finding, and
//! what they touch is no longer the memory. A handle that was freed lives on until its last mapping goes.
//!
//! Not modelled: page sizes (they only decide granularity), links between devices, NUMA nodes other than 0.
#![allow(unsafe_code)] // maps and unmaps pages at addresses it reserved.

use super::device::Device;
use super::failure::{Answer, Failure, bug, invalid, refuse};
use super::handle::{HandleTable, Kind};
use super::mem_findings::Freeing;
use super::memory::{self, Given, Place};
use super::site::CallSite;
use super::state::Runtime;
use crate::gm::{Allocation, PageFile};
use parking_lot::{Mutex, RwLock};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use toprope_abi::acl::AclError;

const PAGE_BYTES: u64 = 4096;
const HUGE_BYTES: u64 = 2 << 20;
const HUGE_1G_BYTES: u64 = 1 << 30;
/// Where the program may place a reservation.
const PLACEABLE: std::ops::Range<u64> = 16 << 40..24 << 40;

/// Where physical memory is, or who gets access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The host.
    Host,
    /// A NUMA node of the host.
    HostNuma(u32),
    /// A device.
    Device(u32),
}

impl Location {
    fn is_host(self) -> bool {
        !matches!(self, Location::Device(_))
    }
}

/// `aclrtMemAttr` value, granularity, allowed on a device, allowed on the host.
type AttributeRow = (i32, u64, bool, bool);

/// Kinds of physical memory of Atlas A2. Normal HBM is made of huge pages, as documented.
const ATTRIBUTES: &[AttributeRow] = &[
    (2, HUGE_BYTES, false, true),
    (3, PAGE_BYTES, false, true),
    (4, HUGE_BYTES, true, true),
    (5, HUGE_BYTES, true, true),
    (6, HUGE_BYTES, false, true),
    (7, PAGE_BYTES, false, true),
    (10, HUGE_1G_BYTES, true, false),
    (12, PAGE_BYTES, true, true),
    (13, HUGE_BYTES, true, true),
    (14, HUGE_1G_BYTES, true, false),
    (15, PAGE_BYTES, true, true),
    (16, HUGE_BYTES, true, true),
];

/// Smallest unit of physical memory of this kind.
///
/// # Errors
/// 100000 for a kind that is not offered there.
pub fn granularity(attribute: i32, location: Location) -> Answer<u64> {
    let row = ATTRIBUTES.iter().find(|row| row.0 == attribute);
    match row {
        Some((_, bytes, on_device, on_host)) if if location.is_host() { *on_host } else { *on_device } => {
            Ok(*bytes)
        }
        _ => {
            let text = format!(
                "`memAttr` {attribute} is not offered for physical memory of {}",
                location.describe()
            );
            Err(Failure::new(AclError::INVALID_PARAM, text)
                .help("use ACL_MEM_NORMAL, ACL_MEM_HUGE or ACL_HBM_MEM_HUGE; DDR kinds are for the host, 1G kinds for devices"))
        }
    }
}

impl Location {
    fn describe(self) -> String {
        match self {
            Location::Host => "the host".into(),
            Location::HostNuma(node) => format!("NUMA node {node}"),
            Location::Device(index) => format!("device {index}"),
        }
    }
}

/// Physical memory.
#[derive(Debug)]
pub struct Physical {
    /// Handle given to the program.
    pub handle: u64,
    /// Its pages.
    pub pages: Arc<PageFile>,
    /// Size.
    pub bytes: u64,
    /// Where it is.
    pub location: Location,
    /// `aclrtMemAttr` it was asked for with.
    pub attribute: i32,
    /// Came from another process.
    pub is_imported: bool,
    /// Device whose capacity it takes.
    charged_on: Option<&'static Device>,
    /// Times the program has to free it.
    references: Mutex<u32>,
}

impl Drop for Physical {
    fn drop(&mut self) {
        if let Some(memory) = self.charged_on.and_then(Device::memory) {
            memory.discharge(self.bytes);
        }
    }
}

#[derive(Clone, Debug)]
struct Mapping {
    bytes: u64,
    physical: Arc<Physical>,
    /// Who has access; kernels of listed devices, and copies if anybody is listed.
    access: Vec<Location>,
    site: CallSite,
}

#[derive(Debug)]
struct Reservation {
    bytes: u64,
    /// Device that was current.
    device: u32,
    /// Work may still touch addresses that were unmapped: they must stay accessible memory.
    is_haunted: bool,
    mappings: BTreeMap<u64, Mapping>,
}

static SPACE: RwLock<BTreeMap<u64, Reservation>> = RwLock::new(BTreeMap::new());
/// Number of reservations, so that programs without any pay one load.
static RESERVATIONS: AtomicU64 = AtomicU64::new(0);

/// All physical memory that the program has a handle of.
pub fn handles() -> &'static HandleTable<Physical> {
    static HANDLES: OnceLock<HandleTable<Physical>> = OnceLock::new();
    HANDLES.get_or_init(|| HandleTable::new(Kind::Physical))
}

fn within(space: &BTreeMap<u64, Reservation>, addr: u64) -> Option<(u64, &Reservation)> {
    let (start, reservation) = space.range(..=addr).next_back()?;
    (addr - start < reservation.bytes).then_some((*start, reservation))
}

/// Whether an address is reserved.
pub fn owns(addr: u64) -> bool {
    RESERVATIONS.load(Ordering::Acquire) > 0 && within(&SPACE.read(), addr).is_some()
}

/// What a range of reserved addresses is; `None` if it is not reserved.
///
/// # Errors
/// 107000 if it is not mapped, not accessible, or leaves what is.
pub fn locate(given: &Given<'_>) -> Answer<Option<Place>> {
    if RESERVATIONS.load(Ordering::Acquire) == 0 {
        return Ok(None);
    }
    let space = SPACE.read();
    let Some((_, reservation)) = within(&space, given.start) else { return Ok(None) };
    let before = reservation.mappings.range(..=given.start).next_back();
    let Some((start, mapping)) = before.filter(|(start, m)| given.start - **start < m.bytes) else {
        let text = format!("`{}` is {:#x}, which is reserved, but not mapped", given.name, given.start);
        return Err(
            Failure::new(AclError::RT_PARAM_INVALID, text).help("map physical memory there with aclrtMapMem")
        );
    };
    if mapping.access.is_empty() {
        let text = format!("`{}` is {:#x}, which is mapped without access", given.name, given.start);
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text).help("give access with aclrtMemSetAccess"));
    }
    let mut end = start + mapping.bytes;
    for (start, next) in reservation.mappings.range(end..) {
        if *start != end || next.access.is_empty() || next.physical.location != mapping.physical.location {
            break;
        }
        end += next.bytes;
    }
    given.check_room(end - given.start, || "the mapped memory".into())?;
    Ok(Some(match mapping.physical.location {
        Location::Device(index) => Place::Device(index),
        Location::Host | Location::HostNuma(_) => Place::Pinned(None),
    }))
}

/// Start, size, where it is, and page size of the mapped memory that holds `addr`.
pub fn mapped_at(addr: u64) -> Option<(u64, u64, Location, u32)> {
    let space = SPACE.read();
    let (_, reservation) = within(&space, addr)?;
    let (start, mapping) = reservation.mappings.range(..=addr).next_back()?;
    let physical = &mapping.physical;
    let page = granularity(physical.attribute, physical.location).unwrap_or(PAGE_BYTES);
    (addr - start < mapping.bytes).then_some((*start, mapping.bytes, physical.location, page as u32))
}

// ---- physical memory -----------------------------------------------------------------------------------------------

/// `aclrtMallocPhysical`.
///
/// # Errors
/// 100000 a kind that is not offered; 107001 no such device or node; 207001 no memory.
pub fn allocate(runtime: &'static Runtime, bytes: u64, location: Location, attribute: i32) -> Answer<u64> {
    let unit = granularity(attribute, location)?;
    let Some(bytes) = bytes.checked_next_multiple_of(unit) else {
        return refuse(AclError::RT_MEMORY_ALLOCATION, format!("{bytes} bytes are more than any memory"));
    };
    let charged_on = match location {
        Location::Device(index) => Some(runtime.device(index.into())?),
        Location::HostNuma(node) if node > 0 => {
            return refuse(
                AclError::RT_PARAM_INVALID,
                format!("there is no NUMA node {node}; only node 0 is modelled"),
            );
        }
        Location::Host | Location::HostNuma(_) => None,
    };
    if let Some(device) = charged_on {
        device.opened_memory()?.charge(bytes).map_err(|e| memory::failure_of(&e))?;
    }
    let pages = PageFile::new(bytes).map_err(|e| {
        if let Some(memory) = charged_on.and_then(Device::memory) {
            memory.discharge(bytes);
        }
        let text = format!("this machine did not give {bytes} bytes of memory: {e}");
        Failure::new(AclError::RT_MEMORY_ALLOCATION, text)
    })?;
    Ok(insert(pages, bytes, location, attribute, charged_on, false))
}

/// Makes pages of another process known as physical memory; they take no capacity here.
pub fn import(pages: Arc<PageFile>, location: Location, attribute: i32) -> u64 {
    let bytes = pages.bytes();
    insert(pages, bytes, location, attribute, None, true)
}

fn insert(
    pages: Arc<PageFile>,
    bytes: u64,
    location: Location,
    attribute: i32,
    charged_on: Option<&'static Device>,
    is_imported: bool,
) -> u64 {
    let handle = handles().reserve();
    let references = Mutex::new(1);
    let physical =
        Physical { handle, pages, bytes, location, attribute, is_imported, charged_on, references };
    handles().insert(handle, Arc::new(physical));
    handle
}

/// `aclrtFreePhysical`: the memory goes with its last reference and its last mapping.
///
/// # Errors
/// 107017.
pub fn free(handle: *mut c_void) -> Answer {
    let physical = handles().get(handle)?;
    let mut references = physical.references.lock();
    *references -= 1;
    if *references == 0 {
        let _ = handles().remove(handle);
    }
    Ok(())
}

/// `aclrtMemRetainAllocationHandle`: the handle of what is mapped at exactly this address, once more to free.
///
/// # Errors
/// 107000 if nothing is mapped there.
pub fn retain(addr: u64) -> Answer<u64> {
    let space = SPACE.read();
    let mapping = within(&space, addr).and_then(|(_, reservation)| reservation.mappings.get(&addr));
    let Some(mapping) = mapping else { return Err(not_mapped(addr)) };
    let physical = mapping.physical.clone();
    drop(space);
    let mut references = physical.references.lock();
    if *references == 0 {
        // The program had freed it; the mapping kept it.
        handles().insert(physical.handle, physical.clone());
    }
    *references += 1;
    Ok(physical.handle)
}

fn not_mapped(addr: u64) -> Failure {
    let text = match mapped_at(addr) {
        Some((start, bytes, ..)) => {
            format!(
                "`virPtr` is {addr:#x}, {} bytes into the {bytes} bytes mapped at {start:#x}",
                addr - start
            )
        }
        None if owns(addr) => format!("`virPtr` is {addr:#x}, which is reserved, but not mapped"),
        None => format!("`virPtr` is {addr:#x}, which was not reserved with aclrtReserveMemAddress"),
    };
    Failure::new(AclError::RT_PARAM_INVALID, text).help("pass the address that aclrtMapMem was given")
}

// ---- reservations --------------------------------------------------------------------------------------------------

fn map(
    at: u64,
    bytes: u64,
    rights: libc::c_int,
    flags: libc::c_int,
    file: libc::c_int,
) -> std::io::Result<u64> {
    // SAFETY: all callers pass either no MAP_FIXED (then nothing is replaced) or a range inside a reservation of ours,
    // which holds no Rust object.
    let got = unsafe {
        libc::mmap(at as *mut c_void, bytes as usize, rights, flags | libc::MAP_NORESERVE, file, 0)
    };
    if got == libc::MAP_FAILED { Err(std::io::Error::last_os_error()) } else { Ok(got as u64) }
}

fn unmap(at: u64, bytes: u64) {
    if bytes > 0 {
        // SAFETY: the range is part of a mapping that `reserve` made and that nobody uses any more.
        unsafe { libc::munmap(at as *mut c_void, bytes as usize) };
    }
}

const ANONYMOUS: libc::c_int = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;

/// `aclrtReserveMemAddress`.
///
/// # Errors
/// 107000 an address that is not allowed or taken; 207001 no such range of addresses.
pub fn reserve(runtime: &'static Runtime, bytes: u64, expected: u64) -> Answer<u64> {
    let device = runtime.current()?.device.index;
    let align = if bytes >= HUGE_1G_BYTES { HUGE_1G_BYTES } else { HUGE_BYTES };
    let too_much = || {
        let text = format!("{bytes} bytes of addresses cannot be reserved in this process");
        Failure::new(AclError::RT_MEMORY_ALLOCATION, text)
            .help("reserve less, or raise the limit (ulimit -v)")
    };
    let length = bytes.checked_next_multiple_of(HUGE_BYTES).ok_or_else(too_much)?;
    let start = if expected == 0 {
        let whole = length.checked_add(align).ok_or_else(too_much)?;
        let at = map(0, whole, libc::PROT_NONE, ANONYMOUS, -1).map_err(|_| too_much())?;
        let start = at.next_multiple_of(align);
        unmap(at, start - at);
        unmap(start + length, at + whole - start - length);
        start
    } else {
        reserve_at(expected, length, align)?
    };
    let reservation = Reservation { bytes: length, device, is_haunted: false, mappings: BTreeMap::new() };
    SPACE.write().insert(start, reservation);
    RESERVATIONS.fetch_add(1, Ordering::Release);
    Ok(start)
}

fn reserve_at(expected: u64, length: u64, align: u64) -> Answer<u64> {
    let end = expected.saturating_add(length);
    let problem = if !expected.is_multiple_of(align) {
        format!("not a multiple of {align}")
    } else if expected < PLACEABLE.start || end > PLACEABLE.end {
        format!("not in {:#x}..{:#x}", PLACEABLE.start, PLACEABLE.end)
    } else {
        let flags = ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
        match map(expected, length, libc::PROT_NONE, flags, -1) {
            Ok(at) if at == expected => return Ok(at),
            Ok(at) => {
                unmap(at, length);
                "taken".into()
            }
            Err(_) => "taken".into(),
        }
    };
    let text = format!("`expectPtr` is {expected:#x} ({length} bytes), which is {problem}");
    Err(Failure::new(AclError::RT_PARAM_INVALID, text).help("pass null and take what the runtime chooses"))
}

/// `aclrtReleaseMemAddress`.
///
/// # Errors
/// 107000 if it is no start of a reservation, or something is mapped there.
pub fn release(addr: u64) -> Answer {
    let mut space = SPACE.write();
    let Some(reservation) = space.get(&addr) else {
        drop(space);
        return Err(not_mapped(addr));
    };
    if let Some(start) = reservation.mappings.keys().next() {
        let text = format!("`virPtr` is {addr:#x}, where memory is mapped at {start:#x}");
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text).help("unmap it first with aclrtUnmapMem"));
    }
    let (bytes, is_haunted) = (reservation.bytes, reservation.is_haunted);
    space.remove(&addr);
    RESERVATIONS.fetch_sub(1, Ordering::Release);
    if !is_haunted {
        unmap(addr, bytes);
    }
    Ok(())
}

// ---- mappings ------------------------------------------------------------------------------------------------------

/// `aclrtMapMem` and `aclrtMemMapNoAccess`.
///
/// # Errors
/// 107017 no handle; 107000 a size or address that does not fit, or memory that may not be mixed.
pub fn map_physical(
    runtime: &'static Runtime,
    addr: u64,
    bytes: u64,
    handle: *mut c_void,
    has_access: bool,
) -> Answer {
    let physical = handles().get(handle)?;
    let mut space = SPACE.write();
    let Some((start, reservation)) = within(&space, addr) else {
        drop(space);
        return Err(not_mapped(addr));
    };
    check_mapping(start, reservation, addr, bytes, &physical)?;
    let (flags, file) = (libc::MAP_SHARED | libc::MAP_FIXED, physical.pages.file().as_raw_fd());
    let rights = if has_access { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_NONE };
    map(addr, bytes, rights, flags, file).map_err(|e| {
        Failure::new(AclError::RT_MEMORY_ALLOCATION, format!("this machine did not map the memory: {e}"))
    })?;
    let access = if has_access { vec![physical.location] } else { Vec::new() };
    let mapping = Mapping { bytes, physical, access, site: CallSite::here() };
    show(runtime, addr, &mapping);
    let reservation = space.get_mut(&start).ok_or_else(|| bug("a reservation vanished"))?;
    reservation.mappings.insert(addr, mapping);
    Ok(())
}

fn check_mapping(
    start: u64,
    reservation: &Reservation,
    addr: u64,
    bytes: u64,
    physical: &Physical,
) -> Answer {
    let unit = granularity(physical.attribute, physical.location)?;
    let end = addr.saturating_add(bytes);
    let clash = reservation.mappings.range(..end).next_back().filter(|(at, m)| **at + m.bytes > addr);
    let other = reservation.mappings.values().next();
    let problem = if bytes != physical.bytes {
        format!(
            "`size` is {bytes}, but the physical memory has {} bytes; it is mapped as a whole",
            physical.bytes
        )
    } else if !addr.is_multiple_of(unit) {
        format!("`virPtr` is {addr:#x}, which is not a multiple of the granularity, {unit}")
    } else if end > start + reservation.bytes {
        format!(
            "{bytes} bytes from {addr:#x} on leave the reservation, which has {} bytes",
            reservation.bytes
        )
    } else if let Some((at, mapping)) = clash {
        format!("{addr:#x} ({bytes} bytes) overlaps what is mapped at {at:#x} ({} bytes)", mapping.bytes)
    } else if let Some(other) = other.filter(|m| m.physical.location != physical.location) {
        format!(
            "the reservation at {start:#x} has memory of {} already; one reservation holds memory of one place",
            other.physical.location.describe()
        )
    } else if other.is_some_and(|m| m.physical.is_imported != physical.is_imported) {
        format!("the reservation at {start:#x} would mix imported memory with memory of this process")
    } else {
        return Ok(());
    };
    refuse(AclError::RT_PARAM_INVALID, problem)
}

/// Shows a mapping to the devices that have access.
fn show(runtime: &'static Runtime, addr: u64, mapping: &Mapping) {
    for location in &mapping.access {
        let Location::Device(index) = location else { continue };
        if let Some(memory) = runtime.devices.get(*index as usize).and_then(Device::memory) {
            memory.attach(Allocation::view(addr, mapping.bytes, "aclrtMapMem", mapping.site.0), true);
        }
    }
}

/// Hides it again.
fn hide(runtime: &'static Runtime, addr: u64, mapping: &Mapping, by: &'static str, site: CallSite) {
    for location in &mapping.access {
        let Location::Device(index) = location else { continue };
        if let Some(memory) = runtime.devices.get(*index as usize).and_then(Device::memory) {
            memory.detach(addr, by, site.0);
        }
    }
}

/// `aclrtUnmapMem`.
///
/// # Errors
/// 107000 if nothing is mapped at exactly this address.
pub fn unmap_physical(runtime: &'static Runtime, addr: u64) -> Answer {
    let (function, site) = ("aclrtUnmapMem", CallSite::here());
    let mapping = {
        let space = SPACE.read();
        within(&space, addr).and_then(|(_, reservation)| reservation.mappings.get(&addr)).cloned()
    };
    let Some(mapping) = mapping else { return Err(not_mapped(addr)) };
    let bytes = mapping.bytes;
    let freeing = Freeing { function, start: addr, bytes, by: "aclrtMapMem", made_at: mapping.site, site };
    let is_used = memory::warn_if_used(runtime, &freeing);
    let mut space = SPACE.write();
    let start = within(&space, addr).map(|(start, _)| start);
    let Some(reservation) = start.and_then(|start| space.get_mut(&start)) else {
        drop(space);
        return Err(not_mapped(addr));
    };
    reservation.mappings.remove(&addr);
    hide(runtime, addr, &mapping, function, site);
    reservation.is_haunted |= is_used;
    // Tasks that still use the range find other memory there instead of bringing the process down.
    let rights = if is_used { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_NONE };
    map(addr, bytes, rights, ANONYMOUS | libc::MAP_FIXED, -1).map(drop).map_err(|e| {
        Failure::new(AclError::RT_MEMORY_FREE, format!("this machine did not unmap the memory: {e}"))
    })
}

// ---- access --------------------------------------------------------------------------------------------------------

/// `aclrtMemSetAccess` for one location.
///
/// # Errors
/// 107000 if it is not exactly what was mapped, 107002 if the device was never selected.
pub fn set_access(runtime: &'static Runtime, addr: u64, bytes: u64, location: Location) -> Answer {
    if let Location::Device(index) = location {
        runtime.device(index.into())?.opened_memory()?;
    }
    let mut space = SPACE.write();
    let start = within(&space, addr).map(|(start, _)| start);
    let mapping = start.and_then(|start| space.get_mut(&start)).and_then(|r| r.mappings.get_mut(&addr));
    let Some(mapping) = mapping else {
        drop(space);
        return Err(not_mapped(addr));
    };
    if mapping.bytes != bytes {
        let text = format!("`size` is {bytes}, but {} bytes are mapped at {addr:#x}", mapping.bytes);
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    if mapping.access.contains(&location) {
        return Ok(());
    }
    if mapping.access.is_empty() {
        // SAFETY: the range is a mapping inside one of our reservations (found above).
        let failed = unsafe {
            libc::mprotect(addr as *mut c_void, bytes as usize, libc::PROT_READ | libc::PROT_WRITE)
        };
        if failed != 0 {
            return Err(bug("mapped memory cannot be made accessible"));
        }
    }
    mapping.access.push(location);
    let shown = Mapping { access: vec![location], ..mapping.clone() };
    show(runtime, addr, &shown);
    Ok(())
}

/// `aclrtMemGetAccess`: whether a location has access.
///
/// # Errors
/// 107000 if nothing is mapped at exactly this address.
pub fn has_access(addr: u64, location: Location) -> Answer<bool> {
    let space = SPACE.read();
    let mapping = within(&space, addr).and_then(|(_, reservation)| reservation.mappings.get(&addr));
    match mapping {
        Some(mapping) => Ok(mapping.access.contains(&location)),
        None => {
            drop(space);
            Err(not_mapped(addr))
        }
    }
}

/// A device is reset: reservations made while it was selected and handles of its memory go.
pub fn reset_device(device: &'static Device) {
    if RESERVATIONS.load(Ordering::Acquire) > 0 {
        let mut space = SPACE.write();
        let gone: Vec<u64> =
            space.iter().filter(|(_, r)| r.device == device.index).map(|(at, _)| *at).collect();
        for start in gone {
            let Some(reservation) = space.remove(&start) else { continue };
            RESERVATIONS.fetch_sub(1, Ordering::Release);
            if !reservation.is_haunted {
                unmap(start, reservation.bytes);
            }
        }
    }
    handles().remove_if(|physical| physical.location == Location::Device(device.index));
}

/// Checks the arguments that `aclrtMallocPhysical` and its relatives reserve.
///
/// # Errors
/// 100000.
pub fn check_reserved(name: &str, value: u64) -> Answer {
    if value == 0 { Ok(()) } else { invalid(format!("`{name}` is {value}; it is reserved and must be 0")) }
}
