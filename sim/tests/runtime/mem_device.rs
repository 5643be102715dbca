//! Rules 40–42: the forms of device memory, their pages, attributes and accounts.

use crate::support::*;
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;
use toprope_abi::acl::*;

const MIB: usize = 1 << 20;

fn free_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    ok!(aclrtGetMemInfo(MemAttr::HBM, &raw mut free, &raw mut total));
    free
}

/// Bytes that a block takes.
fn taken(make: impl FnOnce(*mut *mut c_void) -> AclError) -> usize {
    let (before, mut at) = (free_bytes(), null_mut());
    let code = make(&raw mut at);
    assert!(code.is_success(), "{}", message());
    assert_eq!(at as usize % 64, 0);
    let taken = before - free_bytes();
    ok!(aclrtFree(at));
    assert_eq!(free_bytes(), before);
    taken
}

#[test]
fn rule_40_each_form_takes_what_the_documents_say() {
    let _device = device();
    let (first, huge, giga) = (MemMallocPolicy(0), MemMallocPolicy(1), MemMallocPolicy(6));
    assert_eq!(taken(|at| acl!(aclrtMalloc(at, 33, first))), 96);
    assert_eq!(taken(|at| acl!(aclrtMallocAlign32(at, 33, first))), 64);
    assert_eq!(taken(|at| acl!(aclrtMallocCached(at, 33, first))), 96);
    assert_eq!(taken(|at| acl!(aclrtMallocWithCfg(at, 33, first, null_mut()))), 96);
    assert_eq!(taken(|at| acl!(aclrtMallocForTaskScheduler(at, 33, first, null_mut()))), 96);
    // Huge pages: 2 MiB and the pad need a second page; without the pad one is enough.
    assert_eq!(taken(|at| acl!(aclrtMalloc(at, 2 * MIB, first))), 4 * MIB);
    assert_eq!(taken(|at| acl!(aclrtMallocAlign32(at, 2 * MIB, first))), 2 * MIB);
    assert_eq!(taken(|at| acl!(aclrtMalloc(at, 8, huge))), 2 * MIB);
    assert_eq!(taken(|at| acl!(aclrtMalloc(at, 2 * MIB, MemMallocPolicy(2)))), 2 * MIB + 32);
    // Pages of 1 GiB: no pad.
    assert_eq!(taken(|at| acl!(aclrtMalloc(at, 1 << 30, giga))), 1 << 30);
    assert_eq!(taken(|at| acl!(aclrtMalloc(at, (1 << 30) + 1, giga))), 2 << 30);
}

#[test]
fn rule_41_huge_pages_first_falls_back_and_huge_pages_only_does_not() {
    let _device = device();
    let mut most = null_mut();
    ok!(aclrtMalloc(&raw mut most, (64 << 30) - 3 * MIB - 32, MemMallocPolicy(2)));
    let mut at = null_mut();
    let text = fails!(207_001, aclrtMalloc(&raw mut at, 2 * MIB, MemMallocPolicy::HUGE_ONLY));
    assert!(text.contains(&format!("{} bytes were asked for", 4 * MIB)), "{text}");
    ok!(aclrtMalloc(&raw mut at, 2 * MIB, MemMallocPolicy::HUGE_FIRST));
    assert_eq!(free_bytes(), MIB - 32);
}

#[test]
fn rule_41_read_only_memory_is_not_written() {
    let _device = device();
    let policy = MemMallocPolicy(0x10_0000);
    let (mut at, mut host) = (null_mut(), [1u8; 64]);
    ok!(aclrtMallocWithCfg(&raw mut at, 64, policy, null_mut()));
    let text = fails!(107_000, aclrtMemset(at, 64, 0, 64));
    assert!(text.contains("ACL_MEM_ACCESS_USER_SPACE_READONLY"), "{text}");
    fails!(107_000, aclrtMemcpy(at, 64, host.as_ptr().cast(), 64, MemcpyKind::HOST_TO_DEVICE));
    fails!(107_000, aclrtMemsetAsync(at, 64, 0, 64, DEFAULT));
    ok!(aclrtMemcpy(host.as_mut_ptr().cast(), 64, at, 64, MemcpyKind::DEVICE_TO_HOST));
    let other = malloc(64);
    ok!(aclrtMemcpy(other, 64, at, 64, MemcpyKind::DEVICE_TO_DEVICE));
    ok!(aclrtMemset(other, 64, 0, 64));
}

fn config(attributes: &mut [MallocAttribute]) -> MallocConfig {
    MallocConfig { attrs: attributes.as_mut_ptr(), num_attrs: attributes.len() }
}

#[test]
fn rule_40_attributes_of_an_allocation_are_checked() {
    let _device = device();
    let (mut at, policy) = (null_mut(), MemMallocPolicy::HUGE_FIRST);
    let mut with = |attr, value| {
        let mut attributes = [MallocAttribute { attr, value }];
        let mut cfg = config(&mut attributes);
        acl!(aclrtMallocWithCfg(&raw mut at, 64, policy, &raw mut cfg)).0
    };
    assert_eq!(with(MallocAttrType::MODULE_ID, MallocAttrValue { module_id: 3 }), 0);
    assert_eq!(with(MallocAttrType::DEVICE_ID, MallocAttrValue { device_id: 0 }), 0);
    assert_eq!(with(MallocAttrType::RSV, MallocAttrValue { rsv: [0; 8] }), 0);
    assert_eq!(with(MallocAttrType::DEVICE_ID, MallocAttrValue { device_id: 5 }), 107_000);
    assert_eq!(with(MallocAttrType::VA_FLAG, MallocAttrValue { va_flag: 1 }), 107_000);
    assert_eq!(with(MallocAttrType(9), MallocAttrValue { rsv: [0; 8] }), 107_000);
    let mut empty = MallocConfig { attrs: null_mut(), num_attrs: 1 };
    let mut at = null_mut();
    fails!(100_000, aclrtMallocWithCfg(&raw mut at, 64, policy, &raw mut empty));
    empty.num_attrs = 0;
    ok!(aclrtMallocWithCfg(&raw mut at, 64, policy, &raw mut empty));
    fails!(100_000, aclrtMallocWithCfg(&raw mut at, 0, policy, null_mut()));
    fails!(100_000, aclrtMallocWithCfg(null_mut(), 8, policy, null_mut()));
    for policy in [-1, 9, 0x1234] {
        // Outside the enumeration is no error, as documented.
        ok!(aclrtMallocCached(&raw mut at, 64, MemMallocPolicy(policy)));
    }
}

#[test]
fn memory_is_counted_per_component_largest_first() {
    let _device = device();
    let mut attributes =
        [MallocAttribute { attr: MallocAttrType::MODULE_ID, value: MallocAttrValue { module_id: 3 } }];
    let mut cfg = config(&mut attributes);
    let mut hccl = null_mut();
    ok!(aclrtMallocWithCfg(&raw mut hccl, 8 * MIB, MemMallocPolicy::NORMAL_ONLY, &raw mut cfg));
    let app = malloc(64);
    let empty = MemUsageInfo {
        name: [toprope_abi::layout::CChar(0); 32],
        cur_mem_size: 0,
        mem_peak_size: 0,
        reserved: [0; 8],
    };
    let mut infos = [empty; 8];
    let mut count = 0;
    ok!(aclrtGetMemUsageInfo(0, infos.as_mut_ptr(), 8, &raw mut count));
    // SAFETY: the runtime ends names with a zero.
    let name = |i: usize| unsafe { CStr::from_ptr(infos[i].name.as_ptr().cast()) }.to_str().unwrap();
    assert_eq!(name(0), "HCCL");
    assert_eq!(infos[0].cur_mem_size as usize, 8 * MIB + 32);
    assert!(
        (1..count).any(|i| name(i) == "APP" && infos[i].cur_mem_size == 96 && infos[i].mem_peak_size >= 96)
    );
    ok!(aclrtFree(hccl));
    ok!(aclrtGetMemUsageInfo(0, infos.as_mut_ptr(), 1, &raw mut count));
    assert_eq!(
        (count, infos[0].cur_mem_size),
        (1, 96),
        "the largest one first, at most as many as asked for"
    );
    fails!(107_001, aclrtGetMemUsageInfo(7, infos.as_mut_ptr(), 8, &raw mut count));
    fails!(100_000, aclrtGetMemUsageInfo(0, null_mut(), 8, &raw mut count));
    ok!(aclrtFree(app));
}

#[test]
fn rule_42_freeing_with_synchronisation_waits() {
    let _device = device();
    let (gate, data) = (malloc(4), malloc(4));
    put(gate, &[0u32]);
    put(data, &[0u32]);
    let s = stream();
    run("hold", 1, s, &[gate as u64]);
    run("store_index", 1, s, &[data as u64]);
    let address = gate as usize;
    let opener = std::thread::spawn(move || {
        ok!(aclrtSetDevice(0));
        std::thread::sleep(std::time::Duration::from_millis(20));
        put(address as *mut c_void, &[1u32]);
        ok!(aclrtResetDevice(0));
    });
    ok!(aclrtFreeWithDevSync(data));
    let mut status = StreamStatus::NOT_READY;
    ok!(aclrtStreamQuery(s, &raw mut status));
    assert_eq!(status, StreamStatus::COMPLETE);
    opener.join().unwrap();
    fails!(100_000, aclrtFreeWithDevSync(null_mut()));
    fails!(207_002, aclrtFreeWithDevSync(data));
}

#[test]
fn cache_maintenance_checks_its_range_and_changes_nothing() {
    let _device = device();
    let at = malloc(64);
    put(at, &[5u8; 64]);
    ok!(aclrtMemFlush(at, 64));
    ok!(aclrtMemInvalidate(at, 64));
    assert_eq!(take::<u8>(at, 64), [5; 64]);
    fails!(100_000, aclrtMemFlush(null_mut(), 64));
    fails!(100_000, aclrtMemInvalidate(at, 0));
    fails!(107_000, aclrtMemFlush(at, 65));
    let host = malloc_host(64);
    assert!(fails!(107_000, aclrtMemFlush(host, 64)).contains("host memory"));
    ok!(aclrtFreeHost(host));
}

#[test]
fn kinds_of_memory_are_told_apart() {
    let _device = device();
    let (block, host) = (malloc(64), malloc_host(64));
    let mut reserved = null_mut();
    ok!(aclrtReserveMemAddress(&raw mut reserved, 2 * MIB, 0, null_mut(), 0));
    let check = |list: &mut [*mut c_void], kind| {
        let mut result = 7;
        ok!(aclrtCheckMemType(list.as_mut_ptr(), list.len() as u32, kind, &raw mut result, 0));
        result
    };
    assert_eq!(check(&mut [block], MEM_TYPE_DEV), 1);
    assert_eq!(check(&mut [block], MEM_TYPE_DVPP), 0);
    assert_eq!(check(&mut [reserved], MEM_TYPE_DEV), 0);
    assert_eq!(check(&mut [reserved, block], MEM_TYPE_DEV | MEM_TYPE_RSVD), 1);
    assert_eq!(check(&mut [block, host], MEM_TYPE_DEV), 0);
    let (mut list, mut result) = ([block], 0);
    fails!(107_000, aclrtCheckMemType(list.as_mut_ptr(), 1, 1, &raw mut result, 0));
    fails!(100_000, aclrtCheckMemType(list.as_mut_ptr(), 1, 2, &raw mut result, 1));
    fails!(100_000, aclrtCheckMemType(null_mut(), 1, 2, &raw mut result, 0));
    fails!(100_000, aclrtCheckMemType(list.as_mut_ptr(), 0, 2, &raw mut result, 0));
    ok!(aclrtFreeHost(host));
}
