//! Rules 27–34: events.

use crate::support::*;
use toprope_abi::acl::*;

fn plain() -> EventHandle {
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    event
}

fn with_flag(flag: u32) -> EventHandle {
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEventWithFlag(&raw mut event, flag));
    event
}

fn ex(flag: u32) -> EventHandle {
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEventExWithFlag(&raw mut event, flag));
    event
}

fn recorded(event: EventHandle) -> EventRecordedStatus {
    let mut status = EventRecordedStatus(-1);
    ok!(aclrtQueryEventStatus(event, &raw mut status));
    status
}

#[test]
fn rule_27_flags_are_checked() {
    let _device = device();
    let mut event = EventHandle::NULL;
    fails!(107_000, aclrtCreateEventWithFlag(&raw mut event, 0));
    fails!(107_000, aclrtCreateEventWithFlag(&raw mut event, 0x8000));
    fails!(107_000, aclrtCreateEventExWithFlag(&raw mut event, EVENT_SYNC | EVENT_IPC));
    ok!(aclrtCreateEventExWithFlag(&raw mut event, EVENT_IPC));
    fails!(100_000, aclrtCreateEvent(std::ptr::null_mut()));
}

#[test]
fn rule_28_never_recorded_events() {
    let _device = device();
    let s = stream();
    assert_eq!(recorded(ex(EVENT_SYNC)), EventRecordedStatus::COMPLETE);
    ok!(aclrtStreamWaitEvent(s, ex(EVENT_SYNC)));
    sync(s);
    for event in [plain(), with_flag(EVENT_SYNC)] {
        assert_eq!(recorded(event), EventRecordedStatus::NOT_READY);
        let text = fails!(107_000, aclrtStreamWaitEvent(s, event));
        assert!(
            text.contains("the event has not been recorded") && text.contains("call aclrtRecordEvent before"),
            "{text}"
        );
        fails!(107_000, aclrtSynchronizeEvent(event));
    }
}

#[test]
fn rule_28_a_wait_takes_the_record_of_its_time() {
    let _device = device();
    let (gate, list) = (malloc(8), malloc(64));
    put(gate, &[0u32, 0]);
    put(list, &[0u32]);
    let (a, b) = (stream(), stream());
    let event = ex(EVENT_SYNC);
    ok!(aclrtRecordEvent(event, a));
    ok!(aclrtStreamWaitEvent(b, event));
    run("hold", 1, a, &[gate as u64]);
    ok!(aclrtRecordEvent(event, a));
    // The wait above is for the first record, so `b` is not held up by `a`.
    run("append", 1, b, &[list as u64, 7]);
    sync(b);
    assert_eq!(recorded(event), EventRecordedStatus::NOT_READY);
    put(gate, &[1u32]);
    sync(a);
    assert_eq!(recorded(event), EventRecordedStatus::COMPLETE);
}

#[test]
fn rule_29_what_an_event_can_do_depends_on_how_it_was_made() {
    let _device = device();
    let s = stream();
    let time_only = with_flag(EVENT_TIME_LINE);
    ok!(aclrtRecordEvent(time_only, s));
    assert!(fails!(207_000, aclrtStreamWaitEvent(s, time_only)).contains("without ACL_EVENT_SYNC"));
    fails!(207_000, aclrtResetEvent(time_only, s));
    let mut old = EventStatus(-1);
    let mut wait = EventWaitStatus(-1);
    assert!(fails!(207_000, aclrtQueryEvent(ex(EVENT_SYNC), &raw mut old)).contains("aclrtQueryEventStatus"));
    fails!(207_000, aclrtQueryEventWaitStatus(ex(EVENT_SYNC), &raw mut wait));
    assert!(fails!(207_000, aclrtResetEvent(ex(EVENT_SYNC), s)).contains("cannot be reset"));
    for event in [with_flag(EVENT_SYNC), plain()] {
        ok!(aclrtRecordEvent(event, s));
        ok!(aclrtResetEvent(event, s));
        assert_eq!(recorded(event), EventRecordedStatus::NOT_READY);
        ok!(aclrtRecordEvent(event, s));
        sync(s);
        assert_eq!(recorded(event), EventRecordedStatus::COMPLETE);
    }
}

#[test]
fn rule_30_the_three_queries_have_three_meanings_of_zero() {
    let _device = device();
    let gate = malloc(4);
    put(gate, &[0u32]);
    let (a, b) = (stream(), stream());
    let event = plain();
    let mut old = EventStatus(-1);
    let mut wait = EventWaitStatus(-1);
    run("hold", 1, a, &[gate as u64]);
    ok!(aclrtRecordEvent(event, a));
    ok!(aclrtStreamWaitEvent(b, event));
    ok!(aclrtQueryEvent(event, &raw mut old));
    ok!(aclrtQueryEventWaitStatus(event, &raw mut wait));
    assert_eq!((old.0, recorded(event).0, wait.0), (1, 0, 1));
    put(gate, &[1u32]);
    sync(b);
    ok!(aclrtQueryEvent(event, &raw mut old));
    ok!(aclrtQueryEventWaitStatus(event, &raw mut wait));
    assert_eq!((old.0, recorded(event).0, wait.0), (0, 1, 0));
}

#[test]
fn rule_31_times_are_those_of_the_device_and_do_not_depend_on_the_machine() {
    let _device = device();
    let s = stream();
    let (start, end) = (plain(), plain());
    let measure = |spin: u64| {
        ok!(aclrtRecordEvent(start, s));
        run("spin_us", 1, s, &[spin]);
        ok!(aclrtRecordEvent(end, s));
        sync(s);
        let mut ms = -1.0;
        ok!(aclrtEventElapsedTime(&raw mut ms, start, end));
        ms
    };
    let short = measure(0);
    assert!(short > 0.0);
    assert_eq!(short, measure(20_000), "host time does not count");
    let mut ms = 0.0;
    fails!(107_007, aclrtEventElapsedTime(&raw mut ms, end, start));
    assert!(
        fails!(507_000, aclrtEventElapsedTime(&raw mut ms, start, plain()))
            .contains("end event was never recorded")
    );
    let sync_only = with_flag(EVENT_SYNC);
    ok!(aclrtRecordEvent(sync_only, s));
    sync(s);
    assert!(
        fails!(107_006, aclrtEventElapsedTime(&raw mut ms, sync_only, end))
            .contains("without ACL_EVENT_TIME_LINE")
    );
    let (mut first, mut second) = (0, 0);
    ok!(aclrtEventGetTimestamp(start, &raw mut first));
    ok!(aclrtEventGetTimestamp(end, &raw mut second));
    assert!(((second - first) as f32 / 1000.0 - short).abs() < 0.002);
}

#[test]
fn rule_31_device_time_follows_events_between_streams() {
    let _device = device();
    let (a, b) = (stream(), stream());
    let (mid, end) = (plain(), plain());
    for _ in 0..10 {
        run("nothing", 1, a, &[]);
    }
    ok!(aclrtRecordEvent(mid, a));
    ok!(aclrtStreamWaitEvent(b, mid));
    ok!(aclrtRecordEvent(end, b));
    ok!(aclrtSynchronizeDevice());
    let mut ms = -1.0;
    ok!(aclrtEventElapsedTime(&raw mut ms, mid, end));
    assert_eq!(ms, 0.0);
}

#[test]
fn rule_32_waits_on_the_host_have_limits() {
    let _device = device();
    let gate = malloc(4);
    put(gate, &[0u32]);
    let s = stream();
    let event = plain();
    run("hold", 1, s, &[gate as u64]);
    ok!(aclrtRecordEvent(event, s));
    let text = fails!(507_047, aclrtSynchronizeEventWithTimeout(event, 10));
    assert!(text.contains("it runs kernel `hold`"), "{text}");
    fails!(107_000, aclrtSynchronizeEventWithTimeout(event, 0));
    put(gate, &[1u32]);
    ok!(aclrtSynchronizeEvent(event));
}

#[test]
fn rule_32_waits_in_a_stream_have_limits() {
    let _device = device();
    let (gate, x) = (malloc(4), malloc(4));
    put(gate, &[0u32]);
    put(x, &[0u32]);
    let (a, b) = (stream(), stream());
    let event = plain();
    run("hold", 1, a, &[gate as u64]);
    ok!(aclrtRecordEvent(event, a));
    fails!(107_000, aclrtStreamWaitEventWithTimeout(b, event, -1));
    ok!(aclrtStreamWaitEventWithTimeout(b, event, 1));
    run("add_one", 1, b, &[x as u64, 1]);
    let text = fails!(107_019, aclrtSynchronizeStream(b));
    assert!(text.contains("waited 1s for an event that did not happen"), "{text}");
    assert_eq!(take::<u32>(x, 1), [1], "later tasks run");
    put(gate, &[1u32]);
    sync(a);
}

#[test]
fn rule_33_destroying_never_waits() {
    let _device = device();
    let (gate, x) = (malloc(4), malloc(4));
    put(gate, &[0u32]);
    put(x, &[0u32]);
    let (a, b) = (stream(), stream());
    let event = plain();
    run("hold", 1, a, &[gate as u64]);
    ok!(aclrtRecordEvent(event, a));
    ok!(aclrtStreamWaitEvent(b, event));
    run("add_one", 1, b, &[x as u64, 1]);
    ok!(aclrtDestroyEvent(event));
    assert!(fails!(107_017, aclrtRecordEvent(event, a)).contains("an event that was destroyed"));
    put(gate, &[1u32]);
    sync(b);
    assert_eq!(take::<u32>(x, 1), [1]);
    ok!(aclrtRecordEvent(plain(), DEFAULT));
    assert!(
        fails!(107_017, aclrtSynchronizeEvent(EventHandle(a.0)))
            .contains("is a stream, but an event is expected")
    );
}
