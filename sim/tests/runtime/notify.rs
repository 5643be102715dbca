//! Rules 35–36: notifies, and words of device memory that streams write and wait for.

use crate::support::*;
use std::ptr::null_mut;
use toprope_abi::acl::*;

fn notify() -> NotifyHandle {
    let mut notify = NotifyHandle::NULL;
    ok!(aclrtCreateNotify(&raw mut notify, NOTIFY_DEFAULT.into()));
    notify
}

fn is_idle(s: StreamHandle) -> bool {
    let mut status = StreamStatus::COMPLETE;
    ok!(aclrtStreamQuery(s, &raw mut status));
    status == StreamStatus::COMPLETE
}

/// A counter in device memory that starts at 0.
fn counter() -> *mut std::ffi::c_void {
    let at = malloc(8);
    put(at, &[0u64]);
    at
}

#[test]
fn rule_35_a_wait_takes_one_record() {
    let _device = device();
    let (a, b, x, n) = (stream(), stream(), counter(), notify());
    for _ in 0..2 {
        ok!(aclrtWaitAndResetNotify(n, a, 0));
        run("add_one", 1, a, &[x as u64, 1]);
    }
    assert!(!is_idle(a));
    ok!(aclrtRecordNotify(n, b));
    sync(b);
    eventually("the first wait's end", || take::<u32>(x, 1) == [1]);
    assert!(!is_idle(a), "the second wait needs a record of its own");
    ok!(aclrtRecordNotify(n, b));
    sync(a);
    assert_eq!(take::<u32>(x, 1), [2]);
}

#[test]
fn rule_35_a_record_waits_for_its_wait_but_does_not_add_up() {
    let _device = device();
    let (a, b, n) = (stream(), stream(), notify());
    ok!(aclrtRecordNotify(n, b));
    ok!(aclrtRecordNotify(n, b));
    sync(b);
    ok!(aclrtWaitAndResetNotify(n, a, 0));
    sync(a);
    ok!(aclrtWaitAndResetNotify(n, a, 0));
    assert!(!is_idle(a));
    ok!(aclrtRecordNotify(n, DEFAULT));
    sync(a);
}

#[test]
fn rule_35_many_records_meet_many_waits() {
    let _device = device();
    let (a, b, x) = (stream(), stream(), counter());
    let (there, back) = (notify(), notify());
    for _ in 0..500 {
        ok!(aclrtWaitAndResetNotify(there, a, 0));
        run("add_one", 1, a, &[x as u64, 1]);
        ok!(aclrtRecordNotify(back, a));
        ok!(aclrtRecordNotify(there, b));
        ok!(aclrtWaitAndResetNotify(back, b, 0));
        run("add_one", 1, b, &[x as u64, 1]);
    }
    sync(b);
    assert_eq!(take::<u32>(x, 1), [1000]);
}

#[test]
fn rule_35_a_wait_may_have_a_limit_and_does_not_use_up_later_records() {
    let _device = device();
    let (a, b, n, x) = (stream(), stream(), notify(), counter());
    ok!(aclrtWaitAndResetNotify(n, a, 1));
    run("add_one", 1, a, &[x as u64, 1]);
    let text = fails!(107_019, aclrtSynchronizeStream(a));
    assert!(text.contains("waited 1s for notify") && text.contains("nobody recorded"), "{text}");
    assert_eq!(take::<u32>(x, 1), [1], "later tasks run");
    ok!(aclrtRecordNotify(n, b));
    sync(b);
    ok!(aclrtWaitAndResetNotify(n, a, 1));
    sync(a);
}

#[test]
fn rule_35_reset_clears_records() {
    let _device = device();
    let (s, first, second) = (stream(), notify(), notify());
    ok!(aclrtRecordNotify(first, s));
    ok!(aclrtRecordNotify(second, s));
    sync(s);
    let mut both = [first, second];
    ok!(aclrtNotifyBatchReset(both.as_mut_ptr(), 2));
    ok!(aclrtWaitAndResetNotify(first, s, 0));
    assert!(!is_idle(s));
    ok!(aclrtDestroyStreamForce(s));
    fails!(100_000, aclrtNotifyBatchReset(null_mut(), 2));
    fails!(100_000, aclrtNotifyBatchReset(both.as_mut_ptr(), 0));
    both[1] = NotifyHandle::NULL;
    fails!(100_000, aclrtNotifyBatchReset(both.as_mut_ptr(), 2));
}

#[test]
fn rule_35_wrong_notifies_are_named() {
    let _device = device();
    let mut n = NotifyHandle::NULL;
    fails!(100_000, aclrtCreateNotify(null_mut(), 0));
    fails!(107_000, aclrtCreateNotify(&raw mut n, 2));
    ok!(aclrtCreateNotify(&raw mut n, NOTIFY_DEVICE_USE_ONLY.into()));
    let s = stream();
    fails!(100_000, aclrtRecordNotify(NotifyHandle::NULL, s));
    let text = fails!(107_017, aclrtRecordNotify(NotifyHandle(s.0), s));
    assert!(text.contains("is a stream, but a notify is expected"), "{text}");
    ok!(aclrtDestroyNotify(n));
    let text = fails!(107_017, aclrtWaitAndResetNotify(n, s, 0));
    assert!(text.contains("a notify that was destroyed"), "{text}");
    fails!(107_017, aclrtDestroyNotify(n));
    let (mut one, mut two) = (9, 9);
    ok!(aclrtGetNotifyId(notify(), &raw mut one));
    ok!(aclrtGetNotifyId(notify(), &raw mut two));
    assert_ne!(one, two);
    fails!(100_000, aclrtGetNotifyId(notify(), null_mut()));
}

#[test]
fn rule_35_a_device_has_8192_notifies() {
    let _device = device();
    let all: Vec<NotifyHandle> = (0..8192).map(|_| notify()).collect();
    let mut more = NotifyHandle::NULL;
    assert!(fails!(207_009, aclrtCreateNotify(&raw mut more, 0)).contains("8192 notifies"));
    ok!(aclrtDestroyNotify(all[0]));
    ok!(aclrtCreateNotify(&raw mut more, 0));
}

#[test]
fn rule_35_destroying_waits_for_nobody() {
    let _device = device();
    let (s, n) = (stream(), notify());
    ok!(aclrtWaitAndResetNotify(n, s, 0));
    ok!(aclrtDestroyNotify(n));
    assert!(!is_idle(s));
    ok!(aclrtDestroyStreamForce(s));
}

#[test]
fn rule_36_a_value_is_written_and_waited_for() {
    let _device = device();
    let (a, b, word, x) = (stream(), stream(), counter(), counter());
    ok!(aclrtValueWait(word, 5, STREAM_WAIT_VALUE_GEQ, a));
    run("add_one", 1, a, &[x as u64, 1]);
    for value in [1u64, 4] {
        ok!(aclrtValueWrite(word, value, 0, b));
    }
    sync(b);
    assert!(!is_idle(a));
    ok!(aclrtValueWrite(word, 6, 0, b));
    sync(a);
    assert_eq!(take::<u64>(word, 1), [6]);
    assert_eq!(take::<u32>(x, 1), [1]);
}

#[test]
fn rule_36_every_comparison() {
    let _device = device();
    let (s, word) = (stream(), counter());
    // Value of the word, of the wait, whether it ends.
    let rows = [
        (STREAM_WAIT_VALUE_GEQ, 7u64, 7u64, true),
        (STREAM_WAIT_VALUE_GEQ, u64::MAX, 0, false),
        (STREAM_WAIT_VALUE_EQ, 7, 7, true),
        (STREAM_WAIT_VALUE_EQ, 8, 7, false),
        (STREAM_WAIT_VALUE_AND, 6, 2, true),
        (STREAM_WAIT_VALUE_AND, 4, 2, false),
        (STREAM_WAIT_VALUE_NOR, 0, 1, true),
        (STREAM_WAIT_VALUE_NOR, !1, 1, false),
    ];
    for (flag, now, value, ends) in rows {
        put(word, &[now]);
        ok!(aclrtValueWait(word, value, flag, s));
        assert_eq!(is_idle(s), ends, "flag {flag}: {now:#x} against {value:#x}");
        if !ends {
            put(word, &[if flag == STREAM_WAIT_VALUE_NOR { 0 } else { value }]);
            sync(s);
        }
    }
}

#[test]
fn rule_36_copies_and_kernels_end_a_wait_too() {
    let _device = device();
    let (a, b, word) = (stream(), stream(), counter());
    ok!(aclrtValueWait(word, 1, STREAM_WAIT_VALUE_EQ, a));
    run("add_one", 1, b, &[word as u64, 1]);
    sync(a);
    let host = malloc_host(8);
    // SAFETY: a block of 8 bytes.
    unsafe { host.cast::<u64>().write(77) };
    ok!(aclrtValueWait(word, 77, STREAM_WAIT_VALUE_EQ, a));
    ok!(aclrtMemcpyAsync(word, 8, host, 8, MemcpyKind::HOST_TO_DEVICE, b));
    sync(a);
    ok!(aclrtFreeHost(host));
}

#[test]
fn rule_36_wrong_words_are_named() {
    let _device = device();
    let word = malloc(16);
    let host = malloc_host(8);
    let text = fails!(107_000, aclrtValueWrite((word as u64 + 4) as *mut _, 1, 0, DEFAULT));
    assert!(text.contains("not a multiple of 8"), "{text}");
    fails!(107_000, aclrtValueWrite(word, 1, 1, DEFAULT));
    fails!(107_000, aclrtValueWait(word, 1, 4, DEFAULT));
    fails!(100_000, aclrtValueWait(null_mut(), 1, 0, DEFAULT));
    let text = fails!(107_000, aclrtValueWait(host, 1, 0, DEFAULT));
    assert!(text.contains("no memory of device 0"), "{text}");
    ok!(aclrtValueWrite(word, 1, 0, DEFAULT));
    ok!(aclrtValueWait(word, 1, STREAM_WAIT_VALUE_EQ, DEFAULT));
    sync(DEFAULT);
    ok!(aclrtFree(word));
    fails!(107_000, aclrtValueWrite(word, 1, 0, DEFAULT));
    ok!(aclrtFreeHost(host));
}
