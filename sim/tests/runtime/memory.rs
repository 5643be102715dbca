//! Rules 40–50: memory, copies, fills.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::{null, null_mut};
use toprope_abi::acl::*;

fn free_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    ok!(aclrtGetMemInfo(MemAttr::HBM, &raw mut free, &raw mut total));
    assert_eq!(total, 64 << 30);
    free
}

#[test]
fn rule_40_sizes_are_rounded_to_32_and_padded_by_32() {
    let _device = device();
    let mut at = null_mut();
    assert!(
        fails!(100_000, aclrtMalloc(&raw mut at, 0, MemMallocPolicy::HUGE_FIRST)).contains("`size` is 0")
    );
    fails!(100_000, aclrtMalloc(null_mut(), 8, MemMallocPolicy::HUGE_FIRST));
    let before = free_bytes();
    for (size, taken) in [(1, 64), (32, 64), (33, 96)] {
        let block = malloc(size);
        assert_eq!(before - free_bytes(), taken);
        assert_eq!(block as usize % 512, 0);
        ok!(aclrtFree(block));
    }
    assert_eq!(free_bytes(), before);
}

#[test]
fn rule_41_policies_are_served_alike_and_memory_runs_out() {
    let _device = device();
    let mut at = null_mut();
    for policy in [0, 1, 2, 3, 4, 5, 6, 7, 0x1000, 0x102] {
        ok!(aclrtMalloc(&raw mut at, 8, MemMallocPolicy(policy)));
    }
    // As documented, a value outside the enumeration is no error.
    ok!(aclrtMalloc(&raw mut at, 8, MemMallocPolicy(77)));
    let text = fails!(207_001, aclrtMalloc(&raw mut at, 65 << 30, MemMallocPolicy::HUGE_FIRST));
    assert!(text.contains(&format!("{} bytes were asked for", 65usize << 30)), "{text}");
    let big = malloc(60 << 30);
    fails!(207_001, aclrtMalloc(&raw mut at, 8 << 30, MemMallocPolicy::HUGE_FIRST));
    ok!(aclrtFree(big));
    ok!(aclrtMalloc(&raw mut at, 8 << 30, MemMallocPolicy::HUGE_FIRST));
    let (mut free, mut total) = (1, 1);
    ok!(aclrtGetMemInfo(MemAttr::DDR, &raw mut free, &raw mut total));
    assert_eq!((free, total), (0, 0));
}

#[test]
fn rule_42_free_is_immediate_and_told_when_work_still_uses_the_block() {
    let _device = device();
    let gate = malloc(4);
    put(gate, &[0u32]);
    let s = stream();
    run("hold", 1, s, &[gate as u64]);
    put(gate, &[1u32]);
    ok!(aclrtFree(gate));
    sync(s);
    fails!(100_000, aclrtFree(null_mut()));
}

#[test]
fn rule_43_host_memory_is_aligned_and_counted() {
    let _device = device();
    for size in [1, 100, 5000, 3 << 20] {
        let at = malloc_host(size);
        assert_eq!(at as usize % 64, 0);
        ok!(aclrtFreeHost(at));
        assert!(fails!(207_002, aclrtFreeHost(at)).contains("freed before"));
    }
    let mut at = null_mut();
    fails!(100_000, aclrtMallocHost(&raw mut at, 0));
    fails!(100_000, aclrtFreeHost(null_mut()));
    let block = malloc(8);
    assert!(fails!(207_002, aclrtFreeHost(block)).contains("free memory of aclrtMalloc with aclrtFree"));
    let host = malloc_host(8);
    assert!(fails!(207_002, aclrtFree(host)).contains("free memory of aclrtMallocHost with aclrtFreeHost"));
    ok!(aclrtFreeHost(host));
}

#[test]
fn rule_45_synchronous_copies() {
    let _device = device();
    let dev = malloc(100);
    let data: Vec<u8> = (0..100).collect();
    ok!(aclrtMemcpy(null_mut(), 0, null(), 0, MemcpyKind::HOST_TO_DEVICE));
    fails!(100_000, aclrtMemcpy(null_mut(), 8, data.as_ptr().cast(), 8, MemcpyKind::HOST_TO_DEVICE));
    fails!(100_000, aclrtMemcpy(dev, 8, null(), 8, MemcpyKind::HOST_TO_DEVICE));
    fails!(100_000, aclrtMemcpy(dev, 100, data.as_ptr().cast(), 100, MemcpyKind(42)));
    let text = fails!(107_000, aclrtMemcpy(dev, 99, data.as_ptr().cast(), 100, MemcpyKind::HOST_TO_DEVICE));
    assert!(text.contains("`count` is 100, but `destMax`, the room at `dst`, is 99 bytes"), "{text}");
    // The direction follows from the addresses.
    ok!(aclrtMemcpy(dev, 100, data.as_ptr().cast(), 100, MemcpyKind::DEVICE_TO_HOST));
    assert_eq!(take::<u8>(dev, 100), data);
    let second = malloc(100);
    ok!(aclrtMemcpy(second, 100, dev, 100, MemcpyKind::DEVICE_TO_DEVICE));
    assert_eq!(take::<u8>(second, 100), data);
    let mut host = vec![0u8; 100];
    ok!(aclrtMemcpy(host.as_mut_ptr().cast(), 100, data.as_ptr().cast(), 100, MemcpyKind::HOST_TO_HOST));
    assert_eq!(host, data);
}

#[test]
fn rule_45_a_synchronous_copy_does_not_wait_for_streams() {
    let _device = device();
    let gate = malloc(4);
    put(gate, &[0u32]);
    run("hold", 1, DEFAULT, &[gate as u64]);
    assert_eq!(take::<u32>(gate, 1), [0]);
    put(gate, &[1u32]);
    sync(DEFAULT);
}

#[test]
fn rule_46_pinned_copies_are_asynchronous_and_pageable_ones_are_not() {
    let _device = device();
    let bytes = 256 << 10;
    let (gate, dev, host) = (malloc(4), malloc(bytes), malloc_host(bytes));
    put(gate, &[0u32]);
    let s = stream();
    run("hold", 1, s, &[gate as u64]);
    ok!(aclrtMemsetAsync(dev, bytes, 0x5a, bytes, s));
    ok!(aclrtMemcpyAsync(host, bytes, dev, bytes, MemcpyKind::DEVICE_TO_HOST, s));
    let mut status = StreamStatus::COMPLETE;
    ok!(aclrtStreamQuery(s, &raw mut status));
    assert_eq!(status, StreamStatus::NOT_READY, "both calls came back while the kernel runs");
    let address = gate as usize;
    let opener = std::thread::spawn(move || {
        ok!(aclrtSetDevice(0));
        std::thread::sleep(std::time::Duration::from_millis(20));
        put(address as *mut c_void, &[1u32]);
    });
    let mut pageable = vec![0u8; bytes];
    ok!(aclrtMemcpyAsync(pageable.as_mut_ptr().cast(), bytes, dev, bytes, MemcpyKind::DEVICE_TO_HOST, s));
    assert!(pageable.iter().all(|b| *b == 0x5a), "the call waited for the stream");
    opener.join().unwrap();
    // SAFETY: the block is that long; the stream is done with it.
    assert!(unsafe { std::slice::from_raw_parts(host.cast::<u8>(), bytes) }.iter().all(|b| *b == 0x5a));
    ok!(aclrtFreeHost(host));
    ok!(aclrtResetDevice(0));
}

#[test]
fn rule_46_host_to_host_is_refused_and_buffered_copies_take_the_data_at_the_call() {
    let _device = device();
    let (a, b) = (malloc_host(64), malloc_host(64));
    let text = fails!(207_000, aclrtMemcpyAsync(a, 64, b, 64, MemcpyKind::HOST_TO_HOST, DEFAULT));
    assert!(text.contains("are both host addresses"), "{text}");
    let (gate, dev) = (malloc(4), malloc(64));
    put(gate, &[0u32]);
    let mut data = [7u8; 64];
    run("hold", 1, DEFAULT, &[gate as u64]);
    ok!(aclrtMemcpyAsync(dev, 64, data.as_ptr().cast(), 64, MemcpyKind::HOST_TO_BUF_TO_DEVICE, DEFAULT));
    data.fill(9);
    put(gate, &[1u32]);
    sync(DEFAULT);
    assert_eq!(take::<u8>(dev, 64), [7u8; 64]);
    assert_eq!(data[0], 9);
    ok!(aclrtFreeHost(a));
    ok!(aclrtFreeHost(b));
}

#[test]
fn rule_46_a_freed_host_block_lives_until_its_copies_are_done() {
    let _device = device();
    let bytes = 1 << 20;
    let (gate, dev, host) = (malloc(4), malloc(bytes), malloc_host(bytes));
    put(gate, &[0u32]);
    // SAFETY: the block is that long.
    unsafe { host.cast::<u8>().write_bytes(3, bytes) };
    run("hold", 1, DEFAULT, &[gate as u64]);
    ok!(aclrtMemcpyAsync(dev, bytes, host, bytes, MemcpyKind::HOST_TO_DEVICE, DEFAULT));
    ok!(aclrtFreeHost(host));
    put(gate, &[1u32]);
    sync(DEFAULT);
    assert!(take::<u8>(dev, bytes).iter().all(|b| *b == 3));
}

#[test]
fn rule_47_fills() {
    let _device = device();
    let dev = malloc(100);
    ok!(aclrtMemset(dev, 100, 0x1234, 100));
    assert_eq!(take::<u8>(dev, 100), [0x34; 100]);
    ok!(aclrtMemset(dev, 100, 0, 10));
    ok!(aclrtMemset(null_mut(), 0, 0, 0));
    fails!(107_000, aclrtMemset(dev, 10, 0, 11));
    fails!(100_000, aclrtMemset(null_mut(), 10, 0, 1));
    ok!(aclrtMemsetAsync(dev, 100, 2, 5, DEFAULT));
    sync(DEFAULT);
    let got = take::<u8>(dev, 12);
    assert_eq!(got, [2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0x34, 0x34]);
}

#[test]
fn large_copies_are_whole_in_every_direction() {
    let _device = device();
    let bytes = (20 << 20) + 12_345;
    let (dev, second, host) = (malloc(bytes), malloc(bytes), malloc_host(bytes));
    // SAFETY: the block is that long and nobody else uses it.
    let data = unsafe { std::slice::from_raw_parts_mut(host.cast::<u8>(), bytes) };
    for (i, b) in data.iter_mut().enumerate() {
        *b = (i * 7 % 253) as u8;
    }
    ok!(aclrtMemcpyAsync(dev, bytes, host, bytes, MemcpyKind::HOST_TO_DEVICE, DEFAULT));
    ok!(aclrtMemcpyAsync(second, bytes, dev, bytes, MemcpyKind::DEVICE_TO_DEVICE, DEFAULT));
    sync(DEFAULT);
    assert!(take::<u8>(second, bytes) == data);
    data.fill(0);
    ok!(aclrtMemcpyAsync(host, bytes, second, bytes, MemcpyKind::DEVICE_TO_HOST, DEFAULT));
    sync(DEFAULT);
    assert!(data.iter().enumerate().all(|(i, b)| *b == (i * 7 % 253) as u8));
    ok!(aclrtFreeHost(host));
}
