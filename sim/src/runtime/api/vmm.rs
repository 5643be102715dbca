//! Virtual memory: reserved addresses, physical memory, mappings.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::state::runtime;
use super::super::vmm::{self, Location, check_reserved};
use super::{array, check_out, give};
use std::ffi::c_void;
use toprope_abi::acl::{
    AclError, DrvMemHandle, MemAccessDesc, MemAccessFlags, MemAllocationType, MemAttr, MemGranularityOptions,
    MemHandleType, MemLocation, MemLocationType, PhysicalMemProp,
};

pub unsafe fn aclrtReserveMemAddress(
    vir_ptr: *mut *mut c_void,
    size: usize,
    alignment: usize,
    expect_ptr: *mut c_void,
    flags: u64,
) -> Answer {
    check_out("virPtr", vir_ptr)?;
    if size == 0 {
        return invalid("`size` is 0; at least 1 byte must be reserved");
    }
    check_reserved("alignment", alignment as u64)?;
    // The documents recommend 0; 1 is what old programs pass for huge pages.
    if flags > 1 {
        return invalid(format!("`flags` is {flags}; it is reserved and should be 0"));
    }
    let start = vmm::reserve(runtime(), size as u64, expect_ptr as u64)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("virPtr", vir_ptr, start as *mut c_void) }
}

pub unsafe fn aclrtReleaseMemAddress(vir_ptr: *mut c_void) -> Answer {
    check_out("virPtr", vir_ptr)?;
    runtime().current()?;
    vmm::release(vir_ptr as u64)
}

fn place(location: &MemLocation) -> Answer<Location> {
    match location.ty {
        MemLocationType::HOST => Ok(Location::Host),
        MemLocationType::DEVICE => Ok(Location::Device(location.id)),
        MemLocationType::HOST_NUMA => Ok(Location::HostNuma(location.id)),
        other => {
            let text =
                format!("`location.type` is {}; physical memory is on the host or on a device", other.0);
            refuse(AclError::INVALID_PARAM, text)
        }
    }
}

/// Reads and checks the properties of physical memory.
///
/// # Errors
/// 100000.
///
/// # Safety
/// `prop` is null or valid.
unsafe fn properties(prop: *const PhysicalMemProp) -> Answer<(MemAttr, Location)> {
    check_out("prop", prop)?;
    // SAFETY: not null (checked), valid (contract).
    let prop = unsafe { *prop };
    if prop.handle_type != MemHandleType::NONE {
        return invalid(format!(
            "`handleType` is {}; only ACL_MEM_HANDLE_TYPE_NONE is offered",
            prop.handle_type.0
        ));
    }
    if prop.allocation_type != MemAllocationType::PINNED {
        return invalid(format!(
            "`allocationType` is {}; only ACL_MEM_ALLOCATION_TYPE_PINNED is offered",
            prop.allocation_type.0
        ));
    }
    Ok((prop.mem_attr, place(&prop.location)?))
}

pub unsafe fn aclrtMallocPhysical(
    handle: *mut DrvMemHandle,
    size: usize,
    prop: *const PhysicalMemProp,
    flags: u64,
) -> Answer {
    check_out("handle", handle)?;
    if size == 0 {
        return invalid("`size` is 0; at least 1 byte must be asked for");
    }
    check_reserved("flags", flags)?;
    // SAFETY: null or valid (contract of the C function).
    let (attribute, location) = unsafe { properties(prop) }?;
    let runtime = runtime();
    runtime.current()?;
    let made = vmm::allocate(runtime, size as u64, location, attribute.0)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("handle", handle, DrvMemHandle(made as *mut c_void)) }
}

pub unsafe fn aclrtFreePhysical(handle: DrvMemHandle) -> Answer {
    check_out("handle", handle.0)?;
    vmm::free(handle.0)
}

unsafe fn map(
    vir_ptr: *mut c_void,
    size: usize,
    offset: usize,
    handle: DrvMemHandle,
    flags: u64,
    has_access: bool,
) -> Answer {
    check_out("virPtr", vir_ptr)?;
    check_out("handle", handle.0)?;
    if size == 0 {
        return invalid("`size` is 0; physical memory is mapped as a whole");
    }
    check_reserved("flags", flags)?;
    if offset != 0 {
        return refuse(AclError::RT_PARAM_INVALID, format!("`offset` is {offset}; it must be 0"));
    }
    let runtime = runtime();
    runtime.current()?;
    vmm::map_physical(runtime, vir_ptr as u64, size as u64, handle.0, has_access)
}

pub unsafe fn aclrtMapMem(
    vir_ptr: *mut c_void,
    size: usize,
    offset: usize,
    handle: DrvMemHandle,
    flags: u64,
) -> Answer {
    // SAFETY: the same contract.
    unsafe { map(vir_ptr, size, offset, handle, flags, true) }
}

pub unsafe fn aclrtMemMapNoAccess(
    vir_ptr: *mut c_void,
    size: usize,
    offset: usize,
    handle: DrvMemHandle,
    flags: u64,
) -> Answer {
    // SAFETY: the same contract.
    unsafe { map(vir_ptr, size, offset, handle, flags, false) }
}

pub unsafe fn aclrtUnmapMem(vir_ptr: *mut c_void) -> Answer {
    check_out("virPtr", vir_ptr)?;
    let runtime = runtime();
    runtime.current()?;
    vmm::unmap_physical(runtime, vir_ptr as u64)
}

pub unsafe fn aclrtMemGetAllocationGranularity(
    prop: *mut PhysicalMemProp,
    option: MemGranularityOptions,
    granularity: *mut usize,
) -> Answer {
    check_out("granularity", granularity)?;
    // SAFETY: null or valid (contract of the C function).
    let (attribute, location) = unsafe { properties(prop) }?;
    if option != MemGranularityOptions::MINIMUM && option != MemGranularityOptions::RECOMMENDED {
        return refuse(
            AclError::RT_PARAM_INVALID,
            format!("`option` is {}; ask for the minimum (0) or the recommended granularity (1)", option.0),
        );
    }
    let bytes = vmm::granularity(attribute.0, location)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("granularity", granularity, bytes as usize) }
}

/// A place that may be given access: the host or a device.
fn accessor(location: &MemLocation) -> Answer<Location> {
    match place(location) {
        Ok(Location::HostNuma(_)) | Err(_) => {
            let text =
                format!("`location.type` is {}; access is given to the host or to a device", location.ty.0);
            refuse(AclError::RT_PARAM_INVALID, text)
        }
        place => place,
    }
}

pub unsafe fn aclrtMemSetAccess(
    vir_ptr: *mut c_void,
    size: usize,
    desc: *mut MemAccessDesc,
    count: usize,
) -> Answer {
    check_out("virPtr", vir_ptr)?;
    check_out("desc", desc)?;
    if size == 0 || count == 0 {
        return invalid("`size` and `count` must be at least 1");
    }
    // SAFETY: `count` elements (contract of the C function).
    let descriptions = unsafe { array("desc", desc, count) }?;
    let runtime = runtime();
    runtime.current()?;
    let mut places = Vec::with_capacity(count);
    for description in descriptions {
        if description.flags != MemAccessFlags::READWRITE {
            let text = format!("`flags` is {}", description.flags.0);
            return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
                .help("only ACL_RT_MEM_ACCESS_FLAGS_READWRITE is offered"));
        }
        places.push(accessor(&description.location)?);
    }
    for place in places {
        vmm::set_access(runtime, vir_ptr as u64, size as u64, place)?;
    }
    Ok(())
}

pub unsafe fn aclrtMemGetAccess(vir_ptr: *mut c_void, location: *mut MemLocation, flag: *mut u64) -> Answer {
    check_out("virPtr", vir_ptr)?;
    check_out("location", location)?;
    check_out("flag", flag)?;
    // SAFETY: not null (checked), valid (contract of the C function).
    let place = accessor(unsafe { &*location })?;
    let has_access = vmm::has_access(vir_ptr as u64, place)?;
    let flags = if has_access { MemAccessFlags::READWRITE } else { MemAccessFlags::NONE };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("flag", flag, flags.0 as u64) }
}

pub unsafe fn aclrtMemRetainAllocationHandle(vir_ptr: *mut c_void, handle: *mut DrvMemHandle) -> Answer {
    check_out("virPtr", vir_ptr)?;
    check_out("handle", handle)?;
    let retained = vmm::retain(vir_ptr as u64)?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("handle", handle, DrvMemHandle(retained as *mut c_void)) }
}

pub unsafe fn aclrtMemGetAllocationPropertiesFromHandle(
    handle: DrvMemHandle,
    prop: *mut PhysicalMemProp,
) -> Answer {
    check_out("handle", handle.0)?;
    check_out("prop", prop)?;
    let physical = vmm::handles().get(handle.0)?;
    let (ty, id) = match physical.location {
        Location::Host => (MemLocationType::HOST, 0),
        Location::HostNuma(node) => (MemLocationType::HOST_NUMA, node),
        Location::Device(index) => (MemLocationType::DEVICE, index),
    };
    let properties = PhysicalMemProp {
        handle_type: MemHandleType::NONE,
        allocation_type: MemAllocationType::PINNED,
        mem_attr: MemAttr(physical.attribute),
        location: MemLocation { id, ty },
        reserve: 0,
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("prop", prop, properties) }
}

pub unsafe fn aclrtMemGetAddressRange(ptr: *mut c_void, base: *mut *mut c_void, size: *mut usize) -> Answer {
    check_out("ptr", ptr)?;
    check_out("pbase", base)?;
    check_out("psize", size)?;
    let (runtime, addr) = (runtime(), ptr as u64);
    runtime.current()?;
    let device = runtime.devices.iter().filter_map(|d| d.memory()).find(|m| m.range().contains(&addr));
    let block = device.and_then(|memory| memory.find(addr)).map(|block| (block.start, block.requested_bytes));
    let host = || runtime.host.find(addr).map(|block| (block.start(), block.bytes()));
    let mapped = || vmm::mapped_at(addr).map(|(start, bytes, ..)| (start, bytes));
    let Some((start, bytes)) = block.or_else(host).or_else(mapped) else {
        let what = device.map_or("no memory that the runtime knows".into(), |memory| memory.describe(addr));
        return refuse(AclError::RT_PARAM_INVALID, format!("`ptr` is {addr:#x}, which is {what}"));
    };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("pbase", base, start as *mut c_void) }?;
    // SAFETY: as above.
    unsafe { give("psize", size, bytes as usize) }
}

not_supported! {
    aclrtReserveMemAddressNoUCMemory(*mut *mut c_void, usize, usize, *mut c_void, u64) = "Atlas A2 does not offer it (only A3 does)";
    aclrtMemMapSelectedLink(*mut c_void, usize, *mut c_void, u32) = "Atlas A2 does not offer it: choosing between links is for A3";
    aclrtMemMapSetLink(DrvMemHandle, MemLinkType) = "choosing between links is for A3; Atlas A2 has none to choose from";
}
