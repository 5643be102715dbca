//! Unified addressing and managed memory.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::too_many_arguments)] // the argument lists are those of the C functions.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

use super::super::failure::{Answer, Failure, invalid, refuse};
use super::super::managed::{self, Spot};
use super::super::memory::Given;
use super::super::site::CallSite;
use super::super::state::runtime;
use super::super::vmm::{self, Location};
use super::super::work::Work;
use super::{array, check_out, give};
use std::ffi::c_void;
use toprope_abi::acl::{
    AclError, MEM_ATTACH_GLOBAL, MemLocation, MemLocationType, MemManagedAdviseType, MemManagedLocation,
    MemManagedRangeAttribute, PtrAttributes, StreamHandle,
};

pub unsafe fn aclrtPointerGetAttributes(ptr: *const c_void, attributes: *mut PtrAttributes) -> Answer {
    check_out("ptr", ptr)?;
    check_out("attributes", attributes)?;
    let (runtime, addr) = (runtime(), ptr as u64);
    runtime.current()?;
    let on_device = runtime.devices.iter().find_map(|device| {
        let memory = device.memory().filter(|memory| memory.range().contains(&addr))?;
        Some((device.index, memory.find(addr)))
    });
    let managed = || managed::memory().and_then(|memory| memory.find(addr));
    let (ty, id, page_size) = if let Some((index, block)) = on_device {
        (MemLocationType::DEVICE, index, block.map_or(4096, |block| block.page_bytes))
    } else if let Some((_, _, location, page)) = vmm::mapped_at(addr) {
        match location {
            Location::Host => (MemLocationType::HOST, 0, page),
            Location::HostNuma(node) => (MemLocationType::HOST_NUMA, node, page),
            Location::Device(index) => (MemLocationType::DEVICE, index, page),
        }
    } else if let Some(block) = managed() {
        (MemLocationType::MANAGED, 0, block.page_bytes)
    } else if runtime.host.find(addr).is_some() {
        (MemLocationType::HOST, 0, 4096)
    } else {
        (MemLocationType::UNREGISTERED, 0, 4096)
    };
    let found = PtrAttributes { location: MemLocation { id, ty }, page_size, rsv: [0; 4] };
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("attributes", attributes, found) }
}

pub unsafe fn aclrtMemAllocManaged(ptr: *mut *mut c_void, size: u64, flag: u32) -> Answer {
    check_out("ptr", ptr)?;
    if flag != MEM_ATTACH_GLOBAL {
        return invalid(format!("`flag` is {flag}; it must be 1 (ACL_RT_MEM_ATTACH_GLOBAL)"));
    }
    if size == 0 {
        return invalid("`size` is 0; at least 1 byte must be asked for");
    }
    let at = managed::allocate(runtime(), size, "aclrtMemAllocManaged")?;
    // SAFETY: valid for writing (contract of the C function).
    unsafe { give("ptr", ptr, at as *mut c_void) }
}

fn check_range(ptr: *const c_void, size: u64) -> Answer {
    check_out("ptr", ptr)?;
    if size == 0 { invalid("`size` is 0; at least one page must be meant") } else { Ok(()) }
}

pub unsafe fn aclrtMemManagedAdvise(
    ptr: *const c_void,
    size: u64,
    advise: MemManagedAdviseType,
    location: MemManagedLocation,
) -> Answer {
    check_range(ptr, size)?;
    let runtime = runtime();
    runtime.current()?;
    // As documented, it does not matter where memory that is mostly read is.
    let spot = match advise {
        MemManagedAdviseType::SET_READ_MOSTLY => None,
        _ => Spot::of(runtime, location.ty.0, location.id)?,
    };
    managed::advise(ptr as u64, size, advise.0, spot)
}

/// Answers with an attribute.
///
/// # Safety
/// `data` is null or valid for writing `data_size` bytes.
unsafe fn give_attribute(
    attribute: MemManagedRangeAttribute,
    ptr: *const c_void,
    size: usize,
    data: *mut c_void,
    data_size: usize,
) -> Answer {
    check_out("data", data)?;
    let values = managed::attribute(attribute.0, ptr as u64, size as u64, data_size)?;
    for (index, value) in values.into_iter().enumerate() {
        // SAFETY: there are `data_size` / 4 values, and the caller promises room for them.
        unsafe { give("data", data.cast::<i32>().wrapping_add(index), value) }?;
    }
    Ok(())
}

pub unsafe fn aclrtMemManagedGetAttr(
    attribute: MemManagedRangeAttribute,
    ptr: *const c_void,
    size: usize,
    data: *mut c_void,
    data_size: usize,
) -> Answer {
    check_range(ptr, size as u64)?;
    // SAFETY: the same contract.
    unsafe { give_attribute(attribute, ptr, size, data, data_size) }
}

pub unsafe fn aclrtMemManagedGetAttrs(
    attributes: *mut MemManagedRangeAttribute,
    count: usize,
    ptr: *const c_void,
    size: usize,
    data: *mut *mut c_void,
    data_sizes: *mut usize,
) -> Answer {
    check_out("attributes", attributes)?;
    check_out("data", data)?;
    check_out("dataSizes", data_sizes)?;
    check_range(ptr, size as u64)?;
    if count == 0 {
        return invalid("`numAttributes` is 0; ask for at least one");
    }
    // SAFETY: `numAttributes` elements (contract of the C function).
    let attributes = unsafe { array("attributes", attributes, count) }?;
    // SAFETY: as above.
    let data = unsafe { array("data", data, count) }?;
    // SAFETY: as above.
    let sizes = unsafe { array("dataSizes", data_sizes, count) }?;
    for (attribute, (data, data_size)) in attributes.iter().zip(data.iter().zip(sizes)) {
        // SAFETY: the same contract.
        unsafe { give_attribute(*attribute, ptr, size, *data, *data_size) }?;
    }
    Ok(())
}

fn check_flags(flags: u64) -> Answer {
    if flags == 0 { Ok(()) } else { invalid(format!("`flags` is {flags}; it is reserved and must be 0")) }
}

pub unsafe fn aclrtMemManagedPrefetchAsync(
    ptr: *const c_void,
    size: usize,
    location: MemManagedLocation,
    flags: u32,
    stream: StreamHandle,
) -> Answer {
    check_range(ptr, size as u64)?;
    check_flags(flags.into())?;
    let runtime = runtime();
    let stream = runtime.stream_here(stream.0)?;
    let spot = Spot::of(runtime, location.ty.0, location.id)?;
    managed::prefetch(ptr as u64, size as u64, spot)?;
    // Everybody reaches the bytes already: the task only has its place in the order.
    stream.enqueue(Work::Nothing)
}

pub unsafe fn aclrtMemManagedPrefetchBatchAsync(
    ptrs: *mut *const c_void,
    sizes: *mut usize,
    count: usize,
    locations: *mut MemManagedLocation,
    indexes: *mut usize,
    num_locations: usize,
    flags: u64,
    stream: StreamHandle,
) -> Answer {
    check_out("ptrs", ptrs)?;
    check_out("sizes", sizes)?;
    check_out("prefetchLocs", locations)?;
    check_out("prefetchLocIdxs", indexes)?;
    if count == 0 || num_locations == 0 {
        return invalid("`count` and `numPrefetchLocs` must be at least 1");
    }
    check_flags(flags)?;
    let runtime = runtime();
    let stream = runtime.stream_here(stream.0)?;
    // SAFETY: `count` elements (contract of the C function).
    let ptrs = unsafe { array("ptrs", ptrs, count) }?;
    // SAFETY: as above.
    let sizes = unsafe { array("sizes", sizes, count) }?;
    // SAFETY: `numPrefetchLocs` elements (contract of the C function).
    let locations = unsafe { array("prefetchLocs", locations, num_locations) }?;
    // SAFETY: as above.
    let indexes = unsafe { array("prefetchLocIdxs", indexes, num_locations) }?;
    let ascends = indexes[0] == 0 && indexes.windows(2).all(|pair| pair[0] < pair[1]);
    if !ascends || indexes[num_locations - 1] >= count {
        let text = format!(
            "`prefetchLocIdxs` is {indexes:?}; it must begin with 0, ascend, and stay below `count`, {count}"
        );
        return refuse(AclError::RT_PARAM_INVALID, text);
    }
    for (index, (ptr, size)) in ptrs.iter().zip(sizes).enumerate() {
        check_range(*ptr, *size as u64)?;
        let location = locations[indexes.partition_point(|first| *first <= index) - 1];
        managed::prefetch(*ptr as u64, *size as u64, Spot::of(runtime, location.ty.0, location.id)?)?;
    }
    stream.enqueue(Work::Nothing)
}

pub unsafe fn aclrtMemP2PMap(dev_ptr: *mut c_void, size: usize, dst_dev_id: i32, flags: u64) -> Answer {
    check_out("devPtr", dev_ptr)?;
    if size == 0 {
        return invalid("`size` is 0; at least 1 byte must be mapped");
    }
    check_flags(flags)?;
    let runtime = runtime();
    let current = runtime.current()?.device;
    let other = runtime.device(dst_dev_id.into())?;
    if other.index == current.index {
        let text = format!("`dstDevId` is {dst_dev_id}, the current device itself");
        return Err(
            Failure::new(AclError::RT_PARAM_INVALID, text).help("name the device that shall use the memory")
        );
    }
    let given = Given {
        function: "aclrtMemP2PMap",
        name: "devPtr",
        start: dev_ptr as u64,
        bytes: size as u64,
        is_written: false,
        site: CallSite::here(),
    };
    given.locate_on(runtime, current)?;
    if !current.can_reach(other) && !other.can_reach(current) {
        let text = format!("devices {} and {} have no peer access to each other", current.index, other.index);
        return Err(
            Failure::new(AclError::RT_PARAM_INVALID, text).help("call aclrtDeviceEnablePeerAccess first")
        );
    }
    other.opened_memory()?.link(current.opened_memory()?);
    Ok(())
}

not_supported! {}
