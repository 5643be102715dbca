//! Unified addressing: managed memory, its advice, and what an address is.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

const UNIT: usize = 2 << 20;
const NOWHERE: MemManagedLocation = MemManagedLocation { ty: MemManagedLocationType::INVALID, id: 0 };
const HOST: MemManagedLocation = MemManagedLocation { ty: MemManagedLocationType::HOST, id: 9 };
const DEVICE_0: MemManagedLocation = MemManagedLocation { ty: MemManagedLocationType::DEVICE, id: 0 };

fn managed(bytes: u64) -> *mut c_void {
    let mut at = null_mut();
    ok!(aclrtMemAllocManaged(&raw mut at, bytes, MEM_ATTACH_GLOBAL));
    at
}

fn attribute(attribute: MemManagedRangeAttribute, at: *mut c_void, bytes: usize) -> i32 {
    let mut value = 77;
    ok!(aclrtMemManagedGetAttr(attribute, at, bytes, (&raw mut value).cast(), 4));
    value
}

#[test]
fn managed_memory_is_one_for_host_and_kernels() {
    let _device = device();
    let at = managed(100);
    assert!((0x900_0000_0000..0xc00_0000_0000).contains(&(at as u64)), "{at:p}");
    // SAFETY: the block has 2 MiB and nobody else uses it now.
    let words = unsafe { std::slice::from_raw_parts_mut(at.cast::<u32>(), 8) };
    words.fill(41);
    run("add_one", 1, DEFAULT, &[at as u64, 8]);
    run("load_at", 1, DEFAULT, &[at as u64, UNIT as u64 - 4]);
    sync(DEFAULT);
    assert_eq!(words, [42; 8]);
    let dev = malloc(32);
    ok!(aclrtMemcpy(dev, 32, at, 32, MemcpyKind::DEFAULT));
    assert_eq!(take::<u32>(dev, 8), [42; 8]);
    ok!(aclrtMemcpyAsync(at, 32, dev, 16, MemcpyKind::DEFAULT, DEFAULT));
    ok!(aclrtMemset(at, UNIT, 0, UNIT));
    fails!(107_000, aclrtMemset(at, UNIT + 1, 0, UNIT + 1));
    sync(DEFAULT);
    ok!(aclrtFree(at));
    fails!(207_002, aclrtFree(at));
    assert_eq!(launch("add_one", 1, DEFAULT, &[at as u64, 8]).0, 0, "an address of managed memory");
    fails!(107_000, aclrtMemset(at, 8, 0, 8));
    sync(DEFAULT);
    let mut other = null_mut();
    fails!(100_000, aclrtMemAllocManaged(&raw mut other, 0, MEM_ATTACH_GLOBAL));
    fails!(100_000, aclrtMemAllocManaged(&raw mut other, 8, 0));
    fails!(100_000, aclrtMemAllocManaged(null_mut(), 8, MEM_ATTACH_GLOBAL));
    fails!(207_001, aclrtMemAllocManaged(&raw mut other, 4 << 40, MEM_ATTACH_GLOBAL));
    fails!(207_001, aclrtMemAllocManaged(&raw mut other, u64::MAX, MEM_ATTACH_GLOBAL));
}

#[test]
fn managed_memory_fits_into_device_and_host_together() {
    let _device = device();
    let host = rustix::system::sysinfo();
    // No chip of the family has that much.
    let too_much = host.totalram * u64::from(host.mem_unit) + (128 << 30);
    let mut other = null_mut();
    fails!(207_001, aclrtMemAllocManaged(&raw mut other, too_much, MEM_ATTACH_GLOBAL));
    let fits = managed(1 << 30);
    ok!(aclrtFree(fits));
}

#[test]
fn advice_is_kept_per_page() {
    let _device = device();
    let at = managed(2 * UNIT as u64);
    let second = at.wrapping_byte_add(UNIT);
    let (read, preferred) =
        (MemManagedRangeAttribute::READ_MOSTLY, MemManagedRangeAttribute::PREFERRED_LOCATION);
    assert_eq!((attribute(read, at, 2 * UNIT), attribute(preferred, at, 1)), (0, -2));
    ok!(aclrtMemManagedAdvise(at, UNIT as u64, MemManagedAdviseType::SET_READ_MOSTLY, NOWHERE));
    assert_eq!(
        (attribute(read, at, UNIT), attribute(read, at, 2 * UNIT), attribute(read, second, UNIT)),
        (1, 0, 0)
    );
    ok!(aclrtMemManagedAdvise(at, UNIT as u64, MemManagedAdviseType::UNSET_READ_MOSTLY, NOWHERE));
    assert_eq!(attribute(read, at, UNIT), 0);
    ok!(aclrtMemManagedAdvise(at, 2 * UNIT as u64, MemManagedAdviseType::SET_PREFERRED_LOCATION, DEVICE_0));
    assert_eq!(attribute(preferred, at, 2 * UNIT), 0);
    assert_eq!(attribute(MemManagedRangeAttribute::PREFERRED_LOCATION_TYPE, at, 2 * UNIT), 1);
    ok!(aclrtMemManagedAdvise(second, UNIT as u64, MemManagedAdviseType::SET_PREFERRED_LOCATION, HOST));
    assert_eq!((attribute(preferred, second, UNIT), attribute(preferred, at, 2 * UNIT)), (-1, -2));
    assert_eq!(attribute(MemManagedRangeAttribute::PREFERRED_LOCATION_TYPE, at, 2 * UNIT), 0);
    ok!(aclrtMemManagedAdvise(at, 2 * UNIT as u64, MemManagedAdviseType::UNSET_PREFERRED_LOCATION, NOWHERE));
    assert_eq!(attribute(preferred, second, UNIT), -2);
    for place in [HOST, DEVICE_0] {
        ok!(aclrtMemManagedAdvise(at, UNIT as u64, MemManagedAdviseType::SET_ACCESSED_BY, place));
    }
    let mut list = [77i32; 3];
    let accessed = MemManagedRangeAttribute::ACCESSED_BY;
    ok!(aclrtMemManagedGetAttr(accessed, at, UNIT, list.as_mut_ptr().cast(), 12));
    assert_eq!(list, [-1, 0, -2]);
    ok!(aclrtMemManagedGetAttr(accessed, at, 2 * UNIT, list.as_mut_ptr().cast(), 12));
    assert_eq!(list, [-2; 3], "nobody accesses both pages");
    ok!(aclrtMemManagedAdvise(at, UNIT as u64, MemManagedAdviseType::UNSET_ACCESSED_BY, HOST));
    ok!(aclrtMemManagedGetAttr(accessed, at, UNIT, list.as_mut_ptr().cast(), 4));
    assert_eq!(list[0], 0);
    ok!(aclrtFree(at));
    let again = managed(2 * UNIT as u64);
    assert_eq!(attribute(preferred, again, UNIT), -2, "a new block has no advice");
    ok!(aclrtFree(again));
}

#[test]
fn prefetching_is_remembered_and_queued() {
    let _device = device();
    let at = managed(2 * UNIT as u64);
    let last = MemManagedRangeAttribute::LAST_PREFETCH_LOCATION;
    let s = stream();
    ok!(aclrtMemManagedPrefetchAsync(at, UNIT, DEVICE_0, 0, s));
    assert_eq!((attribute(last, at, UNIT), attribute(last, at, 2 * UNIT)), (0, -2));
    let (mut ptrs, mut sizes) = ([at.cast_const(), at.wrapping_byte_add(UNIT).cast_const()], [UNIT, UNIT]);
    let (mut places, mut indexes) = ([HOST, DEVICE_0], [0, 1]);
    let mut batch = |places: &mut [MemManagedLocation], indexes: &mut [usize], flags| {
        acl!(aclrtMemManagedPrefetchBatchAsync(
            ptrs.as_mut_ptr(),
            sizes.as_mut_ptr(),
            2,
            places.as_mut_ptr(),
            indexes.as_mut_ptr(),
            indexes.len(),
            flags,
            s
        ))
        .0
    };
    assert_eq!(batch(&mut places, &mut indexes, 0), 0, "{}", message());
    sync(s);
    assert_eq!((attribute(last, at, UNIT), attribute(last, at.wrapping_byte_add(UNIT), UNIT)), (-1, 0));
    assert_eq!(attribute(MemManagedRangeAttribute::LAST_PREFETCH_LOCATION_TYPE, at, UNIT), 2);
    assert_eq!(batch(&mut places, &mut [0, 2], 0), 107_000);
    assert_eq!(batch(&mut places, &mut [1, 0], 0), 107_000);
    assert_eq!(batch(&mut places, &mut indexes, 1), 100_000);
    fails!(107_000, aclrtMemManagedPrefetchAsync(at, UNIT, NOWHERE, 0, s));
    fails!(107_000, aclrtMemManagedPrefetchAsync(at, 4096, HOST, 0, s));
    fails!(100_000, aclrtMemManagedPrefetchAsync(at, UNIT, HOST, 3, s));
    ok!(aclrtFree(at));
    fails!(107_000, aclrtMemManagedPrefetchAsync(at, UNIT, HOST, 0, s));
}

#[test]
fn managed_ranges_and_attributes_are_checked() {
    let _device = device();
    let (at, block) = (managed(8), malloc(UNIT));
    let (read, set) = (MemManagedRangeAttribute::READ_MOSTLY, MemManagedAdviseType::SET_PREFERRED_LOCATION);
    let mut value = [0i32; 2];
    let data = value.as_mut_ptr().cast::<c_void>();
    fails!(107_000, aclrtMemManagedGetAttr(read, at, UNIT, data, 8));
    fails!(107_000, aclrtMemManagedGetAttr(MemManagedRangeAttribute::ACCESSED_BY, at, UNIT, data, 6));
    fails!(107_000, aclrtMemManagedGetAttr(MemManagedRangeAttribute(9), at, UNIT, data, 4));
    fails!(107_000, aclrtMemManagedGetAttr(read, at, UNIT + 1, data, 4));
    fails!(107_000, aclrtMemManagedGetAttr(read, block, UNIT, data, 4));
    fails!(100_000, aclrtMemManagedGetAttr(read, at, 0, data, 4));
    fails!(100_000, aclrtMemManagedGetAttr(read, at, UNIT, null_mut(), 4));
    let (mut attributes, mut datas, mut sizes) =
        ([read, MemManagedRangeAttribute::PREFERRED_LOCATION], [data, data.wrapping_byte_add(4)], [4, 4]);
    ok!(aclrtMemManagedGetAttrs(
        attributes.as_mut_ptr(),
        2,
        at,
        UNIT,
        datas.as_mut_ptr(),
        sizes.as_mut_ptr()
    ));
    assert_eq!(value, [0, -2]);
    fails!(
        100_000,
        aclrtMemManagedGetAttrs(attributes.as_mut_ptr(), 0, at, UNIT, datas.as_mut_ptr(), sizes.as_mut_ptr())
    );
    fails!(107_000, aclrtMemManagedAdvise(block, UNIT as u64, set, HOST));
    fails!(107_000, aclrtMemManagedAdvise(at, 4096, set, HOST));
    fails!(107_000, aclrtMemManagedAdvise(at, UNIT as u64, set, NOWHERE));
    fails!(107_000, aclrtMemManagedAdvise(at, UNIT as u64, MemManagedAdviseType(6), HOST));
    let nobody = MemManagedLocation { ty: MemManagedLocationType::DEVICE, id: 7 };
    fails!(107_000, aclrtMemManagedAdvise(at, UNIT as u64, set, nobody));
    ok!(aclrtFree(at));
}

#[test]
fn rule_48_attributes_of_addresses() {
    let _device = device();
    let own = [0u8; 8];
    let ask = |at: *const c_void| {
        let mut found = PtrAttributes {
            location: MemLocation { id: 9, ty: MemLocationType(9) },
            page_size: 0,
            rsv: [1; 4],
        };
        ok!(aclrtPointerGetAttributes(at, &raw mut found));
        assert_eq!(found.rsv, [0; 4]);
        (found.location.ty, found.location.id, found.page_size)
    };
    let (small, large, host, uvm) = (malloc(8), malloc(3 << 20), malloc_host(8), managed(8));
    assert_eq!(ask(small), (MemLocationType::DEVICE, 0, 4096));
    assert_eq!(ask(large.wrapping_byte_add(100)), (MemLocationType::DEVICE, 0, 2 << 20));
    assert_eq!(ask(host), (MemLocationType::HOST, 0, 4096));
    assert_eq!(ask(uvm).0, MemLocationType::MANAGED);
    assert_eq!(ask(own.as_ptr().cast()).0, MemLocationType::UNREGISTERED);
    fails!(100_000, aclrtPointerGetAttributes(std::ptr::null(), null_mut()));
    ok!(aclrtFree(uvm));
    ok!(aclrtFreeHost(host));
}

#[test]
fn memory_is_mapped_to_another_device() {
    good_child("mem_managed::child_peer_mapping", &[("TOPROPE_DEVICES", "2")]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_peer_mapping() {
    ok!(aclrtSetDevice(1));
    ok!(aclrtSetDevice(0));
    let at = malloc(4096);
    put(at, &[1u32; 4]);
    ok!(aclrtSetDevice(1));
    assert_eq!(launch("add_one", 1, DEFAULT, &[at as u64, 4]).0, 107_000, "not reached yet");
    ok!(aclrtSetDevice(0));
    fails!(107_000, aclrtMemP2PMap(at, 4096, 0, 0));
    fails!(107_001, aclrtMemP2PMap(at, 4096, 2, 0));
    fails!(107_000, aclrtMemP2PMap(at, 8192, 1, 0));
    fails!(100_000, aclrtMemP2PMap(at, 4096, 1, 1));
    assert!(fails!(107_000, aclrtMemP2PMap(at, 4096, 1, 0)).contains("no peer access"));
    ok!(aclrtDeviceEnablePeerAccess(1, 0));
    ok!(aclrtMemP2PMap(at, 4096, 1, 0));
    ok!(aclrtSetDevice(1));
    run("add_one", 1, DEFAULT, &[at as u64, 4]);
    sync(DEFAULT);
    assert_eq!(take::<u32>(at, 4), [2; 4]);
    // The other way round, peer access itself is enough, until it ends.
    let there = malloc(64);
    put(there, &[5u32]);
    ok!(aclrtSetDevice(0));
    run("add_one", 1, DEFAULT, &[there as u64, 1]);
    sync(DEFAULT);
    assert_eq!(take::<u32>(there, 1), [6]);
    ok!(aclrtDeviceDisablePeerAccess(1));
    assert_eq!(launch("add_one", 1, DEFAULT, &[there as u64, 1]).0, 107_000);
}
