//! Rule 50: memory that is given out and taken back in stream order.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

const UNIT: usize = 2 << 20;

fn properties(max_size: usize) -> MemPoolProps {
    MemPoolProps {
        alloc_type: MemAllocationType::PINNED,
        handle_type: MemHandleType::NONE,
        location: MemLocation { id: 0, ty: MemLocationType::DEVICE },
        max_size,
        reserved: [0; 32],
    }
}

fn pool(max_size: usize) -> MemPoolHandle {
    let (props, mut pool) = (properties(max_size), MemPoolHandle::NULL);
    ok!(aclrtMemPoolCreate(&raw mut pool, &raw const props));
    pool
}

fn get(pool: MemPoolHandle, bytes: usize, stream: StreamHandle) -> *mut c_void {
    let mut at = null_mut();
    ok!(aclrtMemPoolMallocAsync(&raw mut at, bytes, pool, stream));
    at
}

fn attribute(pool: MemPoolHandle, attr: MemPoolAttr) -> u64 {
    let mut value = 0u64;
    ok!(aclrtMemPoolGetAttr(pool, attr, (&raw mut value).cast()));
    value
}

fn set(pool: MemPoolHandle, attr: MemPoolAttr, mut value: u64) {
    ok!(aclrtMemPoolSetAttr(pool, attr, (&raw mut value).cast()));
}

fn free_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    ok!(aclrtGetMemInfo(MemAttr::HBM, &raw mut free, &raw mut total));
    free
}

const RESERVED: MemPoolAttr = MemPoolAttr::ATTR_RESERVED_MEM_CURRENT;
const USED: MemPoolAttr = MemPoolAttr::ATTR_USED_MEM_CURRENT;
const THRESHOLD: MemPoolAttr = MemPoolAttr::ATTR_RELEASE_THRESHOLD;

/// A stream that is held up until the gate is opened.
fn held() -> (StreamHandle, *mut c_void) {
    let (s, gate) = (stream(), malloc(4));
    put(gate, &[0u32]);
    run("hold", 1, s, &[gate as u64]);
    (s, gate)
}

#[test]
fn rule_50_a_stream_reuses_what_it_gave_back_before_it_ran() {
    let _device = device();
    let p = pool(64 << 20);
    let (s, gate) = held();
    let first = get(p, 64, s);
    run("store_index", 1, s, &[first as u64]);
    ok!(aclrtMemPoolFreeAsync(first, s));
    let second = get(p, 100, s);
    assert_eq!(second, first, "at once: the stream's order keeps the uses apart");
    run("add_one", 1, s, &[second as u64, 1]);
    put(gate, &[1u32]);
    sync(s);
    assert_eq!(take::<u32>(second, 1), [2]);
    assert_eq!((attribute(p, RESERVED), attribute(p, USED)), (UNIT as u64, UNIT as u64));
    let (other, third) = (stream(), get(p, 64, DEFAULT));
    assert_ne!(third, second);
    ok!(aclrtMemPoolFreeAsync(second, s));
    assert_ne!(get(p, 64, other), second, "another stream does not");
}

#[test]
fn rule_50_idle_memory_beyond_the_threshold_goes_at_the_next_synchronisation() {
    let _device = device();
    let before = free_bytes();
    let p = pool(64 << 20);
    let s = stream();
    let blocks = [0; 3].map(|_| get(p, UNIT, s));
    assert_eq!(before - free_bytes(), 3 * UNIT);
    for at in &blocks[..2] {
        ok!(aclrtMemPoolFreeAsync(*at, s));
    }
    assert_eq!((attribute(p, RESERVED), attribute(p, USED)), (3 * UNIT as u64, UNIT as u64));
    set(p, THRESHOLD, UNIT as u64);
    sync(s);
    assert_eq!((attribute(p, RESERVED), before - free_bytes()), (2 * UNIT as u64, 2 * UNIT));
    set(p, THRESHOLD, 0);
    sync(s);
    assert_eq!((attribute(p, RESERVED), attribute(p, USED)), (UNIT as u64, UNIT as u64));
    assert_eq!(attribute(p, MemPoolAttr::ATTR_RESERVED_MEM_HIGH), 3 * UNIT as u64);
    assert_eq!(attribute(p, MemPoolAttr::ATTR_USED_MEM_HIGH), 3 * UNIT as u64);
    set(p, MemPoolAttr::ATTR_USED_MEM_HIGH, 0);
    assert_eq!(attribute(p, MemPoolAttr::ATTR_USED_MEM_HIGH), UNIT as u64);
    ok!(aclrtMemPoolFreeAsync(blocks[2], s));
    ok!(aclrtMemPoolDestroy(p));
    assert_eq!(free_bytes(), before);
    fails!(107_017, aclrtMemPoolDestroy(p));
}

#[test]
fn rule_50_memory_in_a_held_stream_is_not_trimmed() {
    let _device = device();
    let p = pool(64 << 20);
    let (s, gate) = held();
    let at = get(p, 64, s);
    ok!(aclrtMemPoolFreeAsync(at, s));
    sync(DEFAULT);
    ok!(aclrtMemPoolTrimTo(p, 0));
    assert_eq!(attribute(p, RESERVED), UNIT as u64, "the free has not run");
    put(gate, &[1u32]);
    sync(s);
    assert_eq!(attribute(p, RESERVED), 0);
}

#[test]
fn rule_50_trimming_keeps_what_is_asked_for() {
    let _device = device();
    let p = pool(64 << 20);
    let s = stream();
    set(p, THRESHOLD, u64::MAX);
    let blocks = [0; 4].map(|_| get(p, 64, s));
    for at in &blocks[..3] {
        ok!(aclrtMemPoolFreeAsync(*at, s));
    }
    sync(s);
    assert_eq!(attribute(p, RESERVED), 4 * UNIT as u64, "below the threshold");
    ok!(aclrtMemPoolTrimTo(p, 2 * UNIT));
    assert_eq!(attribute(p, RESERVED), 2 * UNIT as u64);
    fails!(107_000, aclrtMemPoolTrimTo(p, 65 << 20));
    fails!(107_000, aclrtMemPoolTrimTo(p, 1));
    fails!(100_000, aclrtMemPoolTrimTo(MemPoolHandle::NULL, 1));
}

#[test]
fn rule_50_other_streams_reuse_as_the_attributes_say() {
    let _device = device();
    let p = pool(64 << 20);
    set(p, THRESHOLD, u64::MAX);
    let (a, b) = (stream(), stream());
    let at = get(p, 64, a);
    ok!(aclrtMemPoolFreeAsync(at, a));
    sync(a);
    let other = get(p, 64, b);
    assert_ne!(other, at, "off by default");
    ok!(aclrtMemPoolFreeAsync(other, b));
    set(p, MemPoolAttr::REUSE_ALLOW_OPPORTUNISTIC, 1);
    let c = stream();
    assert!([at, other].contains(&get(p, 64, c)), "its free has run");
    set(p, MemPoolAttr::REUSE_ALLOW_OPPORTUNISTIC, 0);

    // By an event: the allocation comes after the free because of a wait.
    let q = pool(64 << 20);
    set(q, MemPoolAttr::REUSE_FOLLOW_EVENT_DEPENDENCIES, 1);
    let (held_stream, gate) = held();
    let at = get(q, 64, held_stream);
    ok!(aclrtMemPoolFreeAsync(at, held_stream));
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEventExWithFlag(&raw mut event, EVENT_SYNC));
    ok!(aclrtRecordEvent(event, held_stream));
    assert_ne!(get(q, 64, b), at, "no wait yet");
    ok!(aclrtStreamWaitEvent(b, event));
    assert_eq!(get(q, 64, b), at);
    put(gate, &[1u32]);
    sync(held_stream);
    sync(b);
    ok!(aclrtDestroyEvent(event));
}

#[test]
fn rule_50_a_dependency_is_added_if_it_may_be() {
    let _device = device();
    let p = pool(64 << 20);
    set(p, MemPoolAttr::REUSE_ALLOW_INTERNAL_DEPENDENCIES, 1);
    let (a, gate) = held();
    let at = get(p, 64, a);
    run("store_index", 1, a, &[at as u64]);
    ok!(aclrtMemPoolFreeAsync(at, a));
    let b = stream();
    assert_eq!(get(p, 64, b), at);
    run("add_one", 1, b, &[at as u64, 1]);
    let mut status = StreamStatus::COMPLETE;
    ok!(aclrtStreamQuery(b, &raw mut status));
    assert_eq!(status, StreamStatus::NOT_READY, "it waits for the other stream");
    put(gate, &[1u32]);
    sync(b);
    assert_eq!(take::<u32>(at, 1), [2]);
}

#[test]
fn rule_50_limits_and_arguments() {
    let _device = device();
    let (p, mut at, mut value) = (pool(2 * UNIT), null_mut(), 2u64);
    let s = stream();
    let first = get(p, UNIT + 1, s);
    assert!(fails!(207_001, aclrtMemPoolMallocAsync(&raw mut at, 1, p, s)).contains("`maxSize`"));
    ok!(aclrtMemPoolFreeAsync(first, s));
    ok!(aclrtMemPoolMallocAsync(&raw mut at, 2 * UNIT, p, s));
    fails!(207_001, aclrtMemPoolMallocAsync(&raw mut at, usize::MAX, p, s));
    fails!(100_000, aclrtMemPoolMallocAsync(&raw mut at, 0, p, s));
    fails!(100_000, aclrtMemPoolMallocAsync(null_mut(), 8, p, s));
    fails!(100_000, aclrtMemPoolMallocAsync(&raw mut at, 8, MemPoolHandle::NULL, s));
    fails!(107_017, aclrtMemPoolMallocAsync(&raw mut at, 8, MemPoolHandle(s.0), s));
    let value = (&raw mut value).cast::<c_void>();
    for attr in [1, 2, 3, 5, 6, 7, 8, 9, 0] {
        fails!(107_000, aclrtMemPoolSetAttr(p, MemPoolAttr(attr), value));
    }
    fails!(107_000, aclrtMemPoolGetAttr(p, MemPoolAttr(9), value));
    fails!(100_000, aclrtMemPoolGetAttr(p, RESERVED, null_mut()));
    let create = |change: fn(&mut MemPoolProps)| {
        let (mut props, mut pool) = (properties(UNIT), MemPoolHandle::NULL);
        change(&mut props);
        acl!(aclrtMemPoolCreate(&raw mut pool, &raw const props)).0
    };
    assert_eq!(create(|p| p.max_size = 0), 0, "as much as the device has");
    assert_eq!(create(|p| p.max_size = 65 << 30), 107_000);
    assert_eq!(create(|p| p.location.ty = MemLocationType::HOST), 107_000);
    assert_eq!(create(|p| p.location.id = 4), 107_001);
    assert_eq!(create(|p| p.handle_type = MemHandleType::POSIX), 107_000);
    assert_eq!(create(|p| p.alloc_type = MemAllocationType(3)), 107_000);
    assert_eq!(create(|p| p.reserved[31] = 1), 107_000);
}

#[test]
fn rule_50_freeing_is_checked_and_takes_other_memory_too() {
    let _device = device();
    let p = pool(64 << 20);
    let (s, gate) = held();
    let (at, block) = (get(p, 64, s), malloc(64));
    ok!(aclrtMemPoolFreeAsync(at, s));
    assert!(fails!(107_000, aclrtMemPoolFreeAsync(at, s)).contains("given back before"));
    fails!(107_000, aclrtMemset(at, 8, 0, 8));
    fails!(100_000, aclrtMemPoolFreeAsync(null_mut(), s));
    let mut own = 5u32;
    fails!(107_000, aclrtMemPoolFreeAsync((&raw mut own).cast(), s));
    fails!(107_000, aclrtMemPoolFreeAsync(block.wrapping_byte_add(8), s));
    // Memory of aclrtMalloc: freed when its turn comes.
    ok!(aclrtMemPoolFreeAsync(block, s));
    put(block, &[1u32]);
    put(gate, &[1u32]);
    sync(s);
    fails!(107_000, aclrtMemset(block, 8, 0, 8));
    // Memory of a pool that is freed at once.
    let at = get(p, 64, s);
    ok!(aclrtFree(at));
    fails!(207_002, aclrtFree(at));
    assert_eq!(attribute(p, RESERVED), 0);
}
