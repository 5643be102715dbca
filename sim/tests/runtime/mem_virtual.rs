//! Rule 49: reserved addresses, physical memory, mappings, access.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

const MIB: usize = 1 << 20;
const UNIT: usize = 2 * MIB;
const ON_DEVICE: MemLocation = MemLocation { id: 0, ty: MemLocationType::DEVICE };
const ON_HOST: MemLocation = MemLocation { id: 0, ty: MemLocationType::HOST };

fn properties(attr: MemAttr, location: MemLocation) -> PhysicalMemProp {
    PhysicalMemProp {
        handle_type: MemHandleType::NONE,
        allocation_type: MemAllocationType::PINNED,
        mem_attr: attr,
        location,
        reserve: 0,
    }
}

fn physical(bytes: usize, attr: MemAttr, location: MemLocation) -> DrvMemHandle {
    let (prop, mut handle) = (properties(attr, location), DrvMemHandle::NULL);
    ok!(aclrtMallocPhysical(&raw mut handle, bytes, &raw const prop, 0));
    handle
}

fn reserve(bytes: usize) -> *mut c_void {
    let mut at = null_mut();
    ok!(aclrtReserveMemAddress(&raw mut at, bytes, 0, null_mut(), 0));
    assert_eq!(at as usize % UNIT, 0);
    at
}

fn free_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    ok!(aclrtGetMemInfo(MemAttr::HBM, &raw mut free, &raw mut total));
    free
}

#[test]
fn rule_49_mapped_memory_is_device_memory_until_it_is_unmapped() {
    let _device = device();
    let before = free_bytes();
    let handle = physical(UNIT, MemAttr::HBM_HUGE, ON_DEVICE);
    assert_eq!(before - free_bytes(), UNIT);
    let at = reserve(4 * UNIT);
    assert!(fails!(107_000, aclrtMemset(at, UNIT, 0, UNIT)).contains("reserved, but not mapped"));
    ok!(aclrtMapMem(at, UNIT, 0, handle, 0));
    put(at, &[5u32, 6]);
    run("add_one", 1, DEFAULT, &[at as u64, 2]);
    run("load_at", 1, DEFAULT, &[at as u64, UNIT as u64 - 4]);
    sync(DEFAULT);
    assert_eq!(take::<u32>(at, 2), [6, 7]);
    fails!(107_000, aclrtMemset(at, UNIT + 1, 0, UNIT + 1));
    let (mut base, mut size) = (null_mut(), 0);
    ok!(aclrtMemGetAddressRange(at.wrapping_byte_add(100), &raw mut base, &raw mut size));
    assert_eq!((base, size), (at, UNIT));
    // The handle goes first: the mapping keeps the memory.
    ok!(aclrtFreePhysical(handle));
    fails!(107_017, aclrtFreePhysical(handle));
    assert_eq!((before - free_bytes(), take::<u32>(at, 2)), (UNIT, vec![6, 7]));
    ok!(aclrtUnmapMem(at));
    assert_eq!(free_bytes(), before);
    assert_eq!(launch("add_one", 1, DEFAULT, &[at as u64, 2]).0, 107_000, "not memory any more");
    fails!(107_000, aclrtMemcpy(at, 4, at, 4, MemcpyKind::DEVICE_TO_DEVICE));
    fails!(107_000, aclrtUnmapMem(at));
    ok!(aclrtReleaseMemAddress(at));
    fails!(107_000, aclrtReleaseMemAddress(at));
}

#[test]
fn rule_49_neighbouring_mappings_are_one_piece_of_memory() {
    let _device = device();
    let at = reserve(3 * UNIT);
    let handles = [0, 1].map(|_| physical(UNIT, MemAttr::HUGE, ON_DEVICE));
    for (i, handle) in handles.into_iter().enumerate() {
        ok!(aclrtMapMem(at.wrapping_byte_add(i * UNIT), UNIT, 0, handle, 0));
    }
    ok!(aclrtMemset(at, 2 * UNIT, 7, 2 * UNIT));
    let text = fails!(107_000, aclrtMemset(at, 3 * UNIT, 7, 2 * UNIT + 1));
    assert!(text.contains("1 bytes too many"), "{text}");
    run("load_at", 1, DEFAULT, &[at as u64, UNIT as u64 - 2]);
    sync(DEFAULT);
    run("load_at", 1, DEFAULT, &[at as u64, 2 * UNIT as u64 - 2]);
    fails!(507_035, aclrtSynchronizeStream(DEFAULT));
    forget_errors();
    // The same pages at a second place.
    let other = reserve(UNIT);
    ok!(aclrtMapMem(other, UNIT, 0, handles[1], 0));
    put(other, &[9u32]);
    assert_eq!(take::<u32>(at.wrapping_byte_add(UNIT), 1), [9]);
    for place in [at, at.wrapping_byte_add(UNIT), other] {
        ok!(aclrtUnmapMem(place));
    }
    for handle in handles {
        ok!(aclrtFreePhysical(handle));
    }
    ok!(aclrtReleaseMemAddress(at));
    ok!(aclrtReleaseMemAddress(other));
}

#[test]
fn rule_49_access_is_given_and_asked_for() {
    let _device = device();
    let (at, handle) = (reserve(UNIT), physical(UNIT, MemAttr::HBM_NORMAL, ON_DEVICE));
    ok!(aclrtMemMapNoAccess(at, UNIT, 0, handle, 0));
    let flags = |mut location: MemLocation| {
        let mut flag = 9;
        ok!(aclrtMemGetAccess(at, &raw mut location, &raw mut flag));
        flag
    };
    assert_eq!(flags(ON_DEVICE), 0);
    assert!(fails!(107_000, aclrtMemset(at, 8, 0, 8)).contains("mapped without access"));
    assert_eq!(launch("add_one", 1, DEFAULT, &[at as u64, 1]).0, 107_000);
    let mut desc = MemAccessDesc { flags: MemAccessFlags::READWRITE, location: ON_DEVICE, rsv: [0; 12] };
    fails!(107_000, aclrtMemSetAccess(at, UNIT / 2, &raw mut desc, 1));
    fails!(107_000, aclrtMemSetAccess(at.wrapping_byte_add(4096), UNIT, &raw mut desc, 1));
    ok!(aclrtMemSetAccess(at, UNIT, &raw mut desc, 1));
    put(at, &[1u32]);
    run("add_one", 1, DEFAULT, &[at as u64, 1]);
    sync(DEFAULT);
    assert_eq!((flags(ON_DEVICE), flags(ON_HOST)), (3, 0));
    desc.location = ON_HOST;
    ok!(aclrtMemSetAccess(at, UNIT, &raw mut desc, 1));
    assert_eq!(flags(ON_HOST), 3);
    // SAFETY: the host has access to the mapped word now.
    assert_eq!(unsafe { *at.cast::<u32>() }, 2);
    desc.flags = MemAccessFlags::READ;
    fails!(107_000, aclrtMemSetAccess(at, UNIT, &raw mut desc, 1));
    desc = MemAccessDesc { flags: MemAccessFlags::READWRITE, location: ON_HOST, rsv: [0; 12] };
    desc.location.ty = MemLocationType::MANAGED;
    fails!(107_000, aclrtMemSetAccess(at, UNIT, &raw mut desc, 1));
    fails!(100_000, aclrtMemSetAccess(at, UNIT, null_mut(), 1));
    fails!(100_000, aclrtMemGetAccess(at, null_mut(), null_mut()));
    ok!(aclrtUnmapMem(at));
    ok!(aclrtFreePhysical(handle));
    ok!(aclrtReleaseMemAddress(at));
}

#[test]
fn rule_49_mapping_is_checked() {
    let _device = device();
    let at = reserve(4 * UNIT);
    let handle = physical(2 * UNIT, MemAttr::HUGE, ON_DEVICE);
    let offset = |bytes: usize| at.wrapping_byte_add(bytes);
    assert!(fails!(107_000, aclrtMapMem(at, UNIT, 0, handle, 0)).contains("mapped as a whole"));
    fails!(107_000, aclrtMapMem(offset(4096), 2 * UNIT, 0, handle, 0));
    fails!(107_000, aclrtMapMem(offset(3 * UNIT), 2 * UNIT, 0, handle, 0));
    fails!(107_000, aclrtMapMem(at, 2 * UNIT, 4096, handle, 0));
    fails!(100_000, aclrtMapMem(at, 2 * UNIT, 0, handle, 1));
    fails!(100_000, aclrtMapMem(null_mut(), 2 * UNIT, 0, handle, 0));
    fails!(100_000, aclrtMapMem(at, 2 * UNIT, 0, DrvMemHandle::NULL, 0));
    fails!(107_017, aclrtMapMem(at, 2 * UNIT, 0, DrvMemHandle(at), 0));
    let block = malloc(4 * UNIT);
    assert!(fails!(107_000, aclrtMapMem(block, 2 * UNIT, 0, handle, 0)).contains("was not reserved"));
    ok!(aclrtMapMem(offset(UNIT), 2 * UNIT, 0, handle, 0));
    assert!(fails!(107_000, aclrtMapMem(offset(2 * UNIT), 2 * UNIT, 0, handle, 0)).contains("overlaps"));
    assert!(fails!(107_000, aclrtReleaseMemAddress(at)).contains("memory is mapped"));
    fails!(107_000, aclrtUnmapMem(at));
    let on_host = physical(UNIT, MemAttr::HUGE, ON_HOST);
    assert!(fails!(107_000, aclrtMapMem(at, UNIT, 0, on_host, 0)).contains("memory of one place"));
    ok!(aclrtUnmapMem(offset(UNIT)));
    ok!(aclrtMapMem(at, UNIT, 0, on_host, 0));
    ok!(aclrtUnmapMem(at));
    for handle in [handle, on_host] {
        ok!(aclrtFreePhysical(handle));
    }
    ok!(aclrtReleaseMemAddress(at));
}

#[test]
fn rule_49_granularity_and_kinds_of_physical_memory() {
    let _device = device();
    let ask = |attr, location| {
        let (mut prop, mut bytes) = (properties(attr, location), 0);
        let option = MemGranularityOptions::MINIMUM;
        let code = acl!(aclrtMemGetAllocationGranularity(&raw mut prop, option, &raw mut bytes));
        if code.is_success() { Ok(bytes) } else { Err(code.0) }
    };
    assert_eq!(ask(MemAttr::NORMAL, ON_DEVICE), Ok(4096));
    assert_eq!(ask(MemAttr::HBM_NORMAL, ON_DEVICE), Ok(UNIT));
    assert_eq!(ask(MemAttr::P2P_HUGE, ON_DEVICE), Ok(UNIT));
    assert_eq!(ask(MemAttr::HBM_HUGE1G, ON_DEVICE), Ok(1 << 30));
    assert_eq!(ask(MemAttr::HUGE1G, ON_HOST), Err(100_000));
    assert_eq!(ask(MemAttr::DDR_HUGE, ON_HOST), Ok(UNIT));
    assert_eq!(ask(MemAttr::DDR_HUGE, ON_DEVICE), Err(100_000));
    assert_eq!(ask(MemAttr::P2P_HUGE1G, ON_DEVICE), Err(100_000));
    let (mut prop, mut handle) = (properties(MemAttr::HUGE, ON_DEVICE), DrvMemHandle::NULL);
    let mut bytes = 0;
    ok!(aclrtMemGetAllocationGranularity(&raw mut prop, MemGranularityOptions::RECOMMENDED, &raw mut bytes));
    fails!(
        107_000,
        aclrtMemGetAllocationGranularity(&raw mut prop, MemGranularityOptions(9), &raw mut bytes)
    );
    fails!(207_001, aclrtMallocPhysical(&raw mut handle, 65 << 30, &raw const prop, 0));
    fails!(207_001, aclrtMallocPhysical(&raw mut handle, usize::MAX, &raw const prop, 0));
    fails!(100_000, aclrtMallocPhysical(&raw mut handle, 0, &raw const prop, 0));
    fails!(100_000, aclrtMallocPhysical(&raw mut handle, UNIT, &raw const prop, 1));
    prop.location.id = 3;
    fails!(107_001, aclrtMallocPhysical(&raw mut handle, UNIT, &raw const prop, 0));
    prop.location.ty = MemLocationType::UNREGISTERED;
    fails!(100_000, aclrtMallocPhysical(&raw mut handle, UNIT, &raw const prop, 0));
    prop = properties(MemAttr::HUGE, ON_DEVICE);
    prop.handle_type = MemHandleType::POSIX;
    fails!(100_000, aclrtMallocPhysical(&raw mut handle, UNIT, &raw const prop, 0));
    let before = free_bytes();
    let rounded = physical(1, MemAttr::HUGE, ON_DEVICE);
    assert_eq!(before - free_bytes(), UNIT);
    let mut found = properties(MemAttr::DDR, ON_HOST);
    ok!(aclrtMemGetAllocationPropertiesFromHandle(rounded, &raw mut found));
    assert_eq!(
        (found.mem_attr, found.location.ty, found.location.id),
        (MemAttr::HUGE, MemLocationType::DEVICE, 0)
    );
    ok!(aclrtFreePhysical(rounded));
    fails!(107_017, aclrtMemGetAllocationPropertiesFromHandle(rounded, &raw mut found));
}

#[test]
fn rule_49_a_retained_handle_is_freed_once_more() {
    let _device = device();
    let before = free_bytes();
    let (at, handle) = (reserve(UNIT), physical(UNIT, MemAttr::HUGE, ON_DEVICE));
    ok!(aclrtMapMem(at, UNIT, 0, handle, 0));
    let mut again = DrvMemHandle::NULL;
    ok!(aclrtMemRetainAllocationHandle(at, &raw mut again));
    assert_eq!(again.0, handle.0);
    ok!(aclrtFreePhysical(handle));
    ok!(aclrtUnmapMem(at));
    assert_eq!(before - free_bytes(), UNIT, "one reference is left");
    ok!(aclrtFreePhysical(handle));
    assert_eq!(free_bytes(), before);
    fails!(107_000, aclrtMemRetainAllocationHandle(at, &raw mut again));
    ok!(aclrtReleaseMemAddress(at));
}

#[test]
fn rule_49_reservations_are_checked() {
    let _device = device();
    let mut at = null_mut();
    fails!(100_000, aclrtReserveMemAddress(null_mut(), UNIT, 0, null_mut(), 0));
    fails!(100_000, aclrtReserveMemAddress(&raw mut at, 0, 0, null_mut(), 0));
    fails!(100_000, aclrtReserveMemAddress(&raw mut at, UNIT, 64, null_mut(), 0));
    fails!(100_000, aclrtReserveMemAddress(&raw mut at, UNIT, 0, null_mut(), 2));
    fails!(207_001, aclrtReserveMemAddress(&raw mut at, usize::MAX, 0, null_mut(), 0));
    let wish = |at: u64| std::ptr::without_provenance_mut::<c_void>(at as usize);
    assert!(
        fails!(107_000, aclrtReserveMemAddress(&raw mut at, UNIT, 0, wish(8 << 40), 0)).contains("not in")
    );
    fails!(107_000, aclrtReserveMemAddress(&raw mut at, UNIT, 0, wish((17 << 40) + 4096), 0));
    ok!(aclrtReserveMemAddress(&raw mut at, UNIT, 0, wish(17 << 40), 0));
    assert_eq!(at as u64, 17 << 40);
    assert!(
        fails!(107_000, aclrtReserveMemAddress(&raw mut at, UNIT, 0, wish(17 << 40), 0)).contains("taken")
    );
    ok!(aclrtReleaseMemAddress(wish(17 << 40)));
    fails!(207_000, aclrtReserveMemAddressNoUCMemory(&raw mut at, 1 << 30, 0, wish(50 << 40), 0));
    fails!(207_000, aclrtMemMapSelectedLink(at, UNIT, at, 0));
}

#[test]
fn ranges_of_every_kind_of_memory_are_told() {
    let _device = device();
    let (block, host) = (malloc(100), malloc_host(200));
    let range = |at: *mut c_void| {
        let (mut base, mut size) = (null_mut(), 0);
        ok!(aclrtMemGetAddressRange(at, &raw mut base, &raw mut size));
        (base, size)
    };
    assert_eq!(range(block.wrapping_byte_add(99)), (block, 100));
    assert_eq!(range(host.wrapping_byte_add(1)), (host, 200));
    let (mut base, mut size, mut own) = (null_mut(), 0, 5u32);
    fails!(107_000, aclrtMemGetAddressRange((&raw mut own).cast(), &raw mut base, &raw mut size));
    ok!(aclrtFree(block));
    assert!(
        fails!(107_000, aclrtMemGetAddressRange(block, &raw mut base, &raw mut size))
            .contains("freed by aclrtFree")
    );
    ok!(aclrtFreeHost(host));
}
