//! Rules 17–26: streams.

use crate::support::*;
use toprope_abi::acl::*;

#[test]
fn rule_17_a_stream_is_strictly_in_order() {
    let _device = device();
    let list = malloc(4 * 1001);
    put(list, &[0u32]);
    let s = stream();
    for number in 0..1000 {
        run("append", 1, s, &[list as u64, number]);
    }
    sync(s);
    let got = take::<u32>(list, 1001);
    assert_eq!(got[0], 1000);
    assert!(got[1..].iter().enumerate().all(|(i, n)| i as u32 == *n));
}

#[test]
fn rule_17_the_default_stream_does_not_wait_for_others() {
    let _device = device();
    let gate = malloc(4);
    put(gate, &[0u32]);
    let s = stream();
    run("hold", 1, s, &[gate as u64]);
    run("nothing", 1, DEFAULT, &[]);
    sync(DEFAULT);
    let mut status = StreamStatus::COMPLETE;
    ok!(aclrtStreamQuery(s, &raw mut status));
    assert_eq!(status, StreamStatus::NOT_READY);
    put(gate, &[1u32]);
    sync(s);
}

#[test]
fn rule_17_kernels_and_copies_of_several_streams_overlap() {
    let _device = device();
    let gate = malloc(4);
    put(gate, &[0u32]);
    let bytes = 1 << 20;
    let (host, dev) = (malloc_host(bytes), malloc(bytes));
    let (a, b) = (stream(), stream());
    run("hold", 1, a, &[gate as u64]);
    ok!(aclrtMemcpyAsync(dev, bytes, host, bytes, MemcpyKind::HOST_TO_DEVICE, b));
    sync(b);
    run("nothing", 1, b, &[]);
    sync(b);
    put(gate, &[1u32]);
    sync(a);
    ok!(aclrtFreeHost(host));
}

#[test]
fn rule_18_priorities_decide_among_ready_kernels() {
    let _device = device();
    let (gate, list) = (malloc(4), malloc(4 * 64));
    put(gate, &[0u32]);
    put(list, &[0u32]);
    let make = |priority| {
        let mut s = StreamHandle::NULL;
        ok!(aclrtCreateStreamWithConfig(&raw mut s, priority, 0));
        s
    };
    // Every core is taken, so what follows lines up.
    run("hold", 48, DEFAULT, &[gate as u64]);
    let (low, high) = (make(99), make(0));
    // All of them want every core, so they run one after the other.
    for number in 0..4 {
        run("append", 48, low, &[list as u64, 100 + number]);
    }
    for number in 0..4 {
        run("append", 48, high, &[list as u64, number]);
    }
    put(gate, &[1u32]);
    ok!(aclrtSynchronizeDevice());
    assert_eq!(take::<u32>(list, 9), [8, 0, 1, 2, 3, 100, 101, 102, 103]);
}

#[test]
fn rule_19_flags_are_checked() {
    let _device = device();
    let mut s = StreamHandle::NULL;
    ok!(aclrtCreateStreamWithConfig(&raw mut s, 0, STREAM_FAST_LAUNCH | STREAM_FAST_SYNC));
    // Documented to have no effect.
    ok!(aclrtCreateStreamWithConfig(&raw mut s, 0, STREAM_HUGE));
    fails!(107_000, aclrtCreateStreamWithConfig(&raw mut s, 0, 0x4000));
    ok!(aclrtCreateStreamWithConfig(&raw mut s, 0, STREAM_PERSISTENT));
    assert_eq!(launch("nothing", 1, s, &[]).0, 107_005);
    assert!(message().contains("aclmdlRIBindStream"));
    sync(s);
}

#[test]
fn rule_20_a_device_has_1984_streams() {
    let _device = device();
    let mut s = StreamHandle::NULL;
    // One is the default stream.
    for _ in 0..1983 {
        ok!(aclrtCreateStream(&raw mut s));
    }
    let mut more = StreamHandle::NULL;
    assert!(
        fails!(207_008, aclrtCreateStream(&raw mut more)).contains("has 1984 streams, which is the limit")
    );
    ok!(aclrtDestroyStream(s));
    ok!(aclrtCreateStream(&raw mut more));
}

#[test]
fn rule_21_destroying_finishes_the_work_and_by_force_drops_it() {
    let _device = device();
    let x = malloc(4);
    put(x, &[0u32]);
    let s = stream();
    for _ in 0..100 {
        run("add_one", 1, s, &[x as u64, 1]);
    }
    ok!(aclrtDestroyStream(s));
    assert_eq!(take::<u32>(x, 1), [100]);
    assert!(fails!(107_017, aclrtDestroyStream(s)).contains("a stream that was destroyed"));
    fails!(100_000, aclrtDestroyStream(DEFAULT));

    let gate = malloc(4);
    put(gate, &[0u32]);
    let s = stream();
    run("hold", 1, s, &[gate as u64]);
    run("add_one", 1, s, &[x as u64, 1]);
    ok!(aclrtDestroyStreamForce(s));
    put(gate, &[1u32]);
    ok!(aclrtSynchronizeDevice());
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_eq!(take::<u32>(x, 1), [100]);
}

#[test]
fn rule_22_calls_check_the_context_but_synchronizing_does_not() {
    let _device = device();
    let s = stream();
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    let host = malloc_host(64);
    let dev = malloc(64);
    let mut other = ContextHandle::NULL;
    ok!(aclrtCreateContext(&raw mut other, 0));
    let text = fails!(107_003, aclrtRecordEvent(event, s));
    assert!(text.contains("belongs to a context of device 0, but the current context"), "{text}");
    fails!(107_003, aclrtMemcpyAsync(dev, 64, host, 64, MemcpyKind::HOST_TO_DEVICE, s));
    fails!(107_003, aclrtStreamWaitEvent(s, event));
    fails!(107_003, aclrtDestroyStream(s));
    fails!(107_003, aclrtSetStreamFailureMode(s, 1));
    assert_eq!(launch("nothing", 1, s, &[]).0, 107_003);
    sync(s);
    ok!(aclrtDestroyContext(other));
}

#[test]
fn rule_23_a_timeout_leaves_the_work_running() {
    let _device = device();
    let gate = malloc(8);
    put(gate, &[0u32, 0]);
    let s = stream();
    run("hold", 1, s, &[gate as u64]);
    run("add_one", 1, s, &[gate as u64 + 4, 1]);
    fails!(507_046, aclrtSynchronizeStreamWithTimeout(s, 10));
    for bad in [0, -5] {
        assert!(
            fails!(107_000, aclrtSynchronizeStreamWithTimeout(s, bad))
                .contains("must be -1 (no limit) or a positive")
        );
    }
    put(gate, &[1u32]);
    ok!(aclrtSynchronizeStreamWithTimeout(s, 10_000));
    assert_eq!(take::<u32>(gate, 2), [1, 1]);
}

#[test]
fn rule_25_continue_reports_a_fault_once_and_goes_on() {
    let _device = device();
    let x = malloc(4);
    put(x, &[0u32]);
    let (bad, good) = (stream(), stream());
    run("trap", 1, bad, &[]);
    run("add_one", 1, bad, &[x as u64, 1]);
    sync(good);
    fails!(507_036, aclrtSynchronizeStream(bad));
    sync(bad);
    assert_eq!(take::<u32>(x, 1), [1]);
}

#[test]
fn rule_25_stop_ends_the_context_until_reset() {
    let _device = device();
    let x = malloc(4);
    put(x, &[0u32]);
    let (bad, good) = (stream(), stream());
    ok!(aclrtSetStreamFailureMode(bad, 1));
    assert!(fails!(207_000, aclrtSetStreamFailureMode(bad, 0)).contains("cannot be set back"));
    fails!(100_000, aclrtSetStreamFailureMode(bad, 2));
    run("trap", 1, bad, &[]);
    fails!(507_036, aclrtSynchronizeStream(bad));
    let text = fails!(507_036, aclrtSynchronizeStream(good));
    assert!(text.contains("a stream with ACL_STOP_ON_FAILURE failed before: kernel `trap`"), "{text}");
    assert_eq!(launch("add_one", 1, good, &[x as u64, 1]).0, 507_036);
    fails!(507_036, aclrtSynchronizeDevice());
    ok!(aclrtResetDevice(0));
    ok!(aclrtSetDevice(0));
    run("nothing", 1, DEFAULT, &[]);
    sync(DEFAULT);
}
