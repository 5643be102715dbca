//! Rules 18–20 and 26: what a stream is made with, what can be asked and changed, who hears of it; numbers of events.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Mutex;
use toprope_abi::acl::*;

fn get(s: StreamHandle, which: StreamAttr) -> u64 {
    let mut value = StreamAttrValue { failure_mode: 99 };
    ok!(aclrtGetStreamAttribute(s, which, &raw mut value));
    // SAFETY: the runtime writes the whole first half.
    unsafe { value.failure_mode }
}

fn set(s: StreamHandle, which: StreamAttr, number: u64) -> AclError {
    let mut value = StreamAttrValue { failure_mode: number };
    acl!(aclrtSetStreamAttribute(s, which, &raw mut value))
}

#[test]
fn rule_18_and_19_a_stream_tells_what_it_was_made_with() {
    let _device = device();
    let (mut s, mut number, mut id, mut other) = (StreamHandle::NULL, 9u32, 0i32, 0i32);
    ok!(aclrtCreateStreamWithConfig(&raw mut s, 5, STREAM_FAST_LAUNCH | STREAM_FAST_SYNC));
    ok!(aclrtStreamGetPriority(s, &raw mut number));
    assert_eq!(number, 5);
    ok!(aclrtStreamGetFlags(s, &raw mut number));
    assert_eq!(number, 3);
    ok!(aclrtStreamGetFlags(DEFAULT, &raw mut number));
    assert_eq!(number, 0);
    ok!(aclrtStreamGetPriority(DEFAULT, &raw mut number));
    assert_eq!(number, 0);
    ok!(aclrtStreamGetId(s, &raw mut id));
    ok!(aclrtStreamGetId(DEFAULT, &raw mut other));
    assert_ne!(id, other);
    fails!(100_000, aclrtStreamGetId(s, null_mut()));
    fails!(100_000, aclrtStreamGetFlags(s, null_mut()));
    fails!(100_000, aclrtStreamGetPriority(s, null_mut()));
    ok!(aclrtDestroyStream(s));
    fails!(107_017, aclrtStreamGetId(s, &raw mut id));
}

#[test]
fn rule_20_the_number_of_free_streams_is_known() {
    let _device = device();
    let mut free = 0;
    ok!(aclrtGetStreamAvailableNum(&raw mut free));
    assert_eq!(free, 1983, "the default stream is one");
    let s = stream();
    ok!(aclrtGetStreamAvailableNum(&raw mut free));
    assert_eq!(free, 1982);
    ok!(aclrtDestroyStream(s));
    fails!(100_000, aclrtGetStreamAvailableNum(null_mut()));
}

#[test]
fn rule_26_attributes_are_kept() {
    let _device = device();
    let s = stream();
    for (which, number) in [
        (StreamAttr::FLOAT_OVERFLOW_CHECK, 1),
        (StreamAttr::USER_CUSTOM_TAG, 0xffff_ffff),
        (StreamAttr::CACHE_OP_INFO, 1),
        (StreamAttr::PRIORITY, 7),
    ] {
        for s in [s, DEFAULT] {
            assert_eq!(get(s, which), 0, "{which:?}");
            assert!(set(s, which, number).is_success(), "{which:?}: {}", message());
            assert_eq!(get(s, which), number, "{which:?}");
            assert!(set(s, which, 0).is_success());
        }
    }
    let mut flag = 9;
    ok!(aclrtSetStreamOverflowSwitch(s, 1));
    ok!(aclrtGetStreamOverflowSwitch(s, &raw mut flag));
    assert_eq!((flag, get(s, StreamAttr::FLOAT_OVERFLOW_CHECK)), (1, 1));
    assert_eq!(get(DEFAULT, StreamAttr::FLOAT_OVERFLOW_CHECK), 0, "of this stream only");
}

#[test]
fn rule_26_wrong_attributes_are_refused() {
    let _device = device();
    let s = stream();
    assert_eq!(set(s, StreamAttr::PRIORITY, 8).0, 107_000);
    assert_eq!(set(s, StreamAttr::FLOAT_OVERFLOW_CHECK, 2).0, 107_000);
    assert_eq!(set(s, StreamAttr::CACHE_OP_INFO, 2).0, 107_000);
    assert_eq!(set(s, StreamAttr::FAILURE_MODE, 2).0, 100_000);
    assert_eq!(set(DEFAULT, StreamAttr::FAILURE_MODE, 1).0, 107_000);
    for unknown in [0, 6] {
        assert_eq!(set(s, StreamAttr(unknown), 1).0, 107_000);
        let mut value = StreamAttrValue { failure_mode: 0 };
        fails!(107_000, aclrtGetStreamAttribute(s, StreamAttr(unknown), &raw mut value));
    }
    fails!(107_000, aclrtSetStreamOverflowSwitch(s, 2));
    fails!(100_000, aclrtSetStreamAttribute(s, StreamAttr::PRIORITY, null_mut()));
    fails!(100_000, aclrtGetStreamAttribute(s, StreamAttr::PRIORITY, null_mut()));
    assert_eq!(get(s, StreamAttr::PRIORITY), 0);
}

#[test]
fn rule_26_the_failure_mode_is_an_attribute_too() {
    let _device = device();
    let (s, other) = (stream(), stream());
    assert_eq!(get(s, StreamAttr::FAILURE_MODE), 0);
    assert!(set(s, StreamAttr::FAILURE_MODE, 1).is_success());
    assert_eq!((get(s, StreamAttr::FAILURE_MODE), get(other, StreamAttr::FAILURE_MODE)), (1, 1));
    assert_eq!(set(s, StreamAttr::FAILURE_MODE, 0).0, 207_000);
}

#[test]
fn rule_26_a_priority_that_is_changed_counts() {
    let _device = device();
    let (gate, list) = (malloc(4), malloc(4 * 64));
    put(gate, &[0u32]);
    put(list, &[0u32]);
    run("hold", 48, DEFAULT, &[gate as u64]);
    let (first, second) = (stream(), stream());
    assert!(set(first, StreamAttr::PRIORITY, 7).is_success());
    run("append", 48, first, &[list as u64, 1]);
    run("append", 48, second, &[list as u64, 2]);
    put(gate, &[1u32]);
    ok!(aclrtSynchronizeDevice());
    assert_eq!(take::<u32>(list, 3), [2, 2, 1]);
}

#[test]
fn streams_are_made_from_configurations() {
    let _device = device();
    let config = acl!(aclrtCreateStreamConfigHandle());
    assert!(!config.is_null());
    let (priority, flags, size) = (3u32, STREAM_FAST_SYNC, 4096usize);
    let set = |attr, value: *const c_void, bytes| acl!(aclrtSetStreamConfigOpt(config, attr, value, bytes)).0;
    assert_eq!(set(StreamConfigAttr::PRIORITY, (&raw const priority).cast(), 4), 0);
    assert_eq!(set(StreamConfigAttr::FLAG, (&raw const flags).cast(), 4), 0);
    assert_eq!(set(StreamConfigAttr::WORK_SIZE, (&raw const size).cast(), 8), 0);
    let mut s = StreamHandle::NULL;
    ok!(aclrtCreateStreamV2(&raw mut s, config));
    let mut number = 0;
    ok!(aclrtStreamGetPriority(s, &raw mut number));
    assert_eq!(number, 3);
    ok!(aclrtStreamGetFlags(s, &raw mut number));
    assert_eq!(number, STREAM_FAST_SYNC);
    let bad = 8u32;
    assert_eq!(set(StreamConfigAttr::PRIORITY, (&raw const bad).cast(), 4), 100_000);
    assert_eq!(set(StreamConfigAttr::PRIORITY, (&raw const priority).cast(), 0), 100_000);
    assert_eq!(set(StreamConfigAttr::PRIORITY, std::ptr::null(), 4), 100_000);
    assert_eq!(set(StreamConfigAttr(4), (&raw const priority).cast(), 4), 100_000);
    ok!(aclrtDestroyStreamConfigHandle(config));
    fails!(107_017, aclrtDestroyStreamConfigHandle(config));
    fails!(107_017, aclrtCreateStreamV2(&raw mut s, config));
    fails!(100_000, aclrtCreateStreamV2(&raw mut s, std::ptr::null()));
}

static SEEN: Mutex<Vec<(usize, i32, usize)>> = Mutex::new(Vec::new());

unsafe extern "C" fn see(stream: StreamHandle, state: StreamState, args: *mut c_void) {
    SEEN.lock().unwrap().push((stream.0 as usize, state.0, args as usize));
}

#[test]
fn state_callbacks_hear_of_every_stream() {
    let session = alone();
    SEEN.lock().unwrap().clear();
    let name = c_text("attributes test");
    let callback = StreamStateCallback(Some(see));
    ok!(aclrtRegStreamStateCallback(c_ptr(&name), callback, 77 as *mut c_void));
    fails!(107_000, aclrtRegStreamStateCallback(c_ptr(&name), callback, null_mut()));
    ok!(aclrtSetDevice(0));
    let s = stream();
    ok!(aclrtDestroyStream(s));
    {
        let seen = SEEN.lock().unwrap();
        assert_eq!(
            seen.iter().map(|e| e.1).collect::<Vec<_>>(),
            [1, 1, 2],
            "the default stream is the first"
        );
        assert_eq!(seen[1..], [(s.0 as usize, 1, 77), (s.0 as usize, 2, 77)]);
    }
    ok!(aclrtResetDevice(0));
    {
        let seen = SEEN.lock().unwrap();
        assert_eq!(seen[3..], [(seen[0].0, 2, 77)]);
    }
    ok!(aclrtRegStreamStateCallback(c_ptr(&name), StreamStateCallback(None), null_mut()));
    fails!(107_000, aclrtRegStreamStateCallback(c_ptr(&name), StreamStateCallback(None), null_mut()));
    fails!(100_000, aclrtRegStreamStateCallback(std::ptr::null(), callback, null_mut()));
    let empty = c_text("");
    fails!(107_000, aclrtRegStreamStateCallback(c_ptr(&empty), callback, null_mut()));
    ok!(aclrtSetDevice(0));
    assert_eq!(SEEN.lock().unwrap().len(), 4);
    drop(session);
}

#[test]
fn events_have_numbers_and_are_counted() {
    let _device = device();
    let (mut free, mut one, mut two) = (0, 0, 0);
    ok!(aclrtGetEventAvailNum(&raw mut free));
    assert_eq!(free, 65_536);
    let event = || {
        let mut event = EventHandle::NULL;
        ok!(aclrtCreateEvent(&raw mut event));
        event
    };
    let (a, b) = (event(), event());
    ok!(aclrtGetEventAvailNum(&raw mut free));
    assert_eq!(free, 65_534);
    ok!(aclrtGetEventId(a, &raw mut one));
    ok!(aclrtGetEventId(b, &raw mut two));
    assert_ne!(one, two);
    fails!(100_000, aclrtGetEventId(a, null_mut()));
    fails!(100_000, aclrtGetEventId(EventHandle::NULL, &raw mut one));
    fails!(100_000, aclrtGetEventAvailNum(null_mut()));
}

#[test]
fn rule_32_waits_without_a_limit_of_their_own_take_the_one_of_the_process() {
    let _device = device();
    let (a, b, gate) = (stream(), stream(), malloc(4));
    put(gate, &[0u32]);
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    run("hold", 1, b, &[gate as u64]);
    ok!(aclrtRecordEvent(event, b));
    ok!(aclrtSetOpWaitTimeout(1));
    ok!(aclrtStreamWaitEvent(a, event));
    assert!(fails!(107_019, aclrtSynchronizeStream(a)).contains("waited 1s for an event"));
    ok!(aclrtSetOpWaitTimeout(0));
    ok!(aclrtStreamWaitEvent(a, event));
    put(gate, &[1u32]);
    sync(a);
    sync(b);
}
