//! Uses of memory that nothing orders: each way to order them has a case that is silent.
//! Every case runs in a process of its own; what it prints on standard error is what counts.

use crate::support::*;
use std::ffi::c_void;
use toprope_abi::acl::*;

/// A case prints all of these lines on standard error; without any, no finding.
fn judge(case: &str, lines: &[&str]) {
    let said = good_child(&format!("stream_order::{case}"), &[]).1;
    for line in lines {
        assert!(said.contains(line), "{case}: `{line}` is missing in:\n{said}");
    }
    let is_silent = !said.contains("error: [") && !said.contains("warning: [");
    assert!(is_silent || !lines.is_empty(), "{case} must be silent:\n{said}");
}

/// Tests, with the cases of each and what they must say.
macro_rules! must_say {
    ($($test:ident { $($case:ident [$($line:literal),*])* })*) => {$(
        #[test]
        fn $test() {
            $(judge(stringify!($case), &[$($line),*]);)*
        }
    )*};
}

must_say! {
    a_kernel_and_a_copy_of_two_streams_need_an_event {
        child_copy_then_kernel [
            "error: [TR0808 UnorderedStreams]",
            "kernel `double_halves` on stream 2 reads bytes that aclrtMemcpyAsync on stream 1 writes",
            "aclrtRecordEvent on stream 1",
            "aclrtStreamWaitEvent on stream 2",
            "the bytes are in a block of 256 bytes from aclrtMalloc"
        ]
        child_copy_event_kernel []
        child_copy_sync_kernel []
    }
    the_default_stream_has_no_order_with_others {
        child_default_stream [
            "[TR0808 UnorderedStreams]",
            "the default stream has no order with other streams either"
        ]
    }
    an_event_recorded_too_early_orders_nothing {
        child_early_record ["[TR0808 UnorderedStreams]"]
    }
    order_passes_through_a_third_stream_and_notifies {
        child_chain []
    }
    a_copy_at_once_does_not_wait_for_streams {
        child_read_without_sync [
            "error: [TR0809 HostDidNotWait]",
            "aclrtMemcpy reads bytes that kernel `double_halves` on stream 1 writes",
            "call aclrtSynchronizeStream for stream 1"
        ]
        child_read_after_sync []
        child_read_after_query []
    }
    a_pinned_buffer_is_used_before_its_copy_was_waited_for {
        child_pinned_too_early [
            "[TR0809 HostDidNotWait]",
            "aclrtMemcpy reads bytes that aclrtMemcpyAsync on stream 1 writes"
        ]
    }
    memory_is_freed_that_nothing_has_waited_for {
        child_free_unwaited [
            "warning: [TR0810 FreedUnwaited]",
            "nothing has waited for kernel `double_halves` on stream 1"
        ]
    }
    a_pinned_buffer_is_filled_again_too_early {
        child_rewritten [
            "warning: [TR0806 HostBufferChanged]",
            "changed after",
            "before anything had waited for stream 1"
        ]
        child_rewritten_and_used [
            "warning: [TR0806 HostBufferChanged]",
            "changed after",
            "before anything had waited for stream 1"
        ]
        child_rewritten_later []
        child_rewritten_by_a_task []
    }
    a_result_that_nobody_waits_for {
        child_never_waited [
            "warning: [TR0814 NeverWaited]",
            "aclrtMemcpyAsync on stream 1 writes host memory"
        ]
    }
    a_consumer_that_overtakes_its_producer {
        child_overtaken [
            "warning: [TR0815 ReadBeforeWritten]",
            "kernel `move_halves` on stream 1 reads `x` before anything has written it",
            "kernel `move_halves` on stream 1, enqueued later, writes it"
        ]
        child_not_overtaken []
    }
    an_event_is_reset_while_a_stream_still_has_to_wait {
        child_reset_early [
            "warning: [TR0813 EventResetEarly]",
            "aclrtResetEvent on stream 1 resets an event",
            "aclrtStreamWaitEvent on stream 2"
        ]
        child_reset_late []
    }
    calls_that_misuse_streams_are_told_though_nobody_looks_at_their_codes {
        child_misuse [
            "warning: [TR0812 RefusedCall] host: aclrtSynchronizeStream was refused: stream 1 belongs to",
            "107041",
            "aclrtMemset was refused",
            "aclrtDestroyStream was refused: stream 1 belongs to a context of device 0",
            "is a stream that was destroyed"
        ]
    }
    many_handles_of_one_place_are_told {
        child_many_events [
            "warning: [TR0816 HandlesLeft]",
            "70 events made at one place",
            "aclrtDestroyEvent"
        ]
        child_some_events []
    }
}

const BYTES: usize = 256;

fn event() -> EventHandle {
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEventExWithFlag(&raw mut event, EVENT_SYNC));
    event
}

/// `behind` waits for what is in `first` so far.
fn order(first: StreamHandle, behind: StreamHandle) {
    let event = event();
    ok!(aclrtRecordEvent(event, first));
    ok!(aclrtStreamWaitEvent(behind, event));
    ok!(aclrtDestroyEvent(event));
}

struct Case {
    one: StreamHandle,
    two: StreamHandle,
    x: *mut c_void,
    y: *mut c_void,
    host: *mut c_void,
}

/// Two streams, two blocks and a pinned buffer.
fn case() -> Case {
    ok!(aclrtSetDevice(0));
    let case =
        Case { one: stream(), two: stream(), x: malloc(BYTES), y: malloc(BYTES), host: malloc_host(BYTES) };
    for at in [case.x, case.y] {
        ok!(aclrtMemset(at, BYTES, 0, BYTES));
    }
    // SAFETY: the block has that many bytes.
    unsafe { case.host.cast::<u8>().write_bytes(0, BYTES) };
    case
}

impl Case {
    fn double(&self, stream: StreamHandle, at: *mut c_void) {
        run("double_halves", 1, stream, &[at as u64]);
    }

    fn upload(&self, stream: StreamHandle, at: *mut c_void) {
        ok!(aclrtMemcpyAsync(at, BYTES, self.host, BYTES, MemcpyKind::HOST_TO_DEVICE, stream));
    }

    fn download(&self, stream: StreamHandle, at: *mut c_void) {
        ok!(aclrtMemcpyAsync(self.host, BYTES, at, BYTES, MemcpyKind::DEVICE_TO_HOST, stream));
    }

    fn end(self) {
        for stream in [self.one, self.two] {
            sync(stream);
            ok!(aclrtDestroyStream(stream));
        }
        ok!(aclrtFree(self.x));
        ok!(aclrtFree(self.y));
        ok!(aclrtFreeHost(self.host));
        ok!(aclrtResetDevice(0));
    }
}

// ---- two streams -----------------------------------------------------------------------------------------------------

#[test]
#[ignore = "run in a process of its own"]
fn child_copy_then_kernel() {
    let case = case();
    case.upload(case.one, case.x);
    case.double(case.two, case.x);
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_copy_event_kernel() {
    let case = case();
    for _ in 0..50 {
        case.upload(case.one, case.x);
        order(case.one, case.two);
        case.double(case.two, case.x);
        order(case.two, case.one);
    }
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_copy_sync_kernel() {
    let case = case();
    case.upload(case.one, case.x);
    sync(case.one);
    case.double(case.two, case.x);
    ok!(aclrtSynchronizeDevice());
    case.double(case.one, case.x);
    // Reading at the same time is no conflict.
    ok!(aclrtSynchronizeDevice());
    for stream in [case.one, case.two] {
        let to = if stream == case.one { case.host } else { case.host.wrapping_byte_add(128) };
        ok!(aclrtMemcpyAsync(to, 128, case.x, 128, MemcpyKind::DEVICE_TO_HOST, stream));
    }
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_default_stream() {
    let case = case();
    case.double(DEFAULT, case.x);
    case.download(case.one, case.x);
    sync(DEFAULT);
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_early_record() {
    let case = case();
    let event = event();
    ok!(aclrtRecordEvent(event, case.one));
    case.double(case.one, case.x);
    ok!(aclrtStreamWaitEvent(case.two, event));
    case.double(case.two, case.x);
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_chain() {
    let case = case();
    let (third, mut notify) = (stream(), NotifyHandle::NULL);
    ok!(aclrtCreateNotify(&raw mut notify, 0));
    for _ in 0..20 {
        case.double(case.one, case.x);
        order(case.one, third);
        order(third, case.two);
        case.double(case.two, case.x);
        ok!(aclrtRecordNotify(notify, case.two));
        ok!(aclrtWaitAndResetNotify(notify, case.one, 0));
    }
    sync(case.one);
    sync(third);
    ok!(aclrtDestroyStream(third));
    ok!(aclrtDestroyNotify(notify));
    case.end();
}

// ---- the host --------------------------------------------------------------------------------------------------------

#[test]
#[ignore = "run in a process of its own"]
fn child_read_without_sync() {
    let case = case();
    case.double(case.one, case.x);
    let _: Vec<u8> = take(case.x, BYTES);
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_read_after_sync() {
    let case = case();
    case.double(case.one, case.x);
    let event = event();
    ok!(aclrtRecordEvent(event, case.one));
    ok!(aclrtSynchronizeEvent(event));
    let _: Vec<u8> = take(case.x, BYTES);
    // The other block has nothing to do with it.
    case.double(case.one, case.x);
    let _: Vec<u8> = take(case.y, BYTES);
    ok!(aclrtDestroyEvent(event));
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_read_after_query() {
    let case = case();
    case.double(case.one, case.x);
    let idle = |status: &mut StreamStatus| {
        ok!(aclrtStreamQuery(case.one, status));
        *status == StreamStatus::COMPLETE
    };
    let mut status = StreamStatus::NOT_READY;
    eventually("the end of the kernel", || idle(&mut status));
    let _: Vec<u8> = take(case.x, BYTES);
    case.double(case.one, case.x);
    let event = event();
    ok!(aclrtRecordEvent(event, case.one));
    let mut status = EventRecordedStatus::NOT_READY;
    eventually("the event", || {
        ok!(aclrtQueryEventStatus(event, &raw mut status));
        status == EventRecordedStatus::COMPLETE
    });
    let _: Vec<u8> = take(case.x, BYTES);
    ok!(aclrtDestroyEvent(event));
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_pinned_too_early() {
    let case = case();
    case.download(case.one, case.x);
    ok!(aclrtMemcpy(case.y, BYTES, case.host, BYTES, MemcpyKind::HOST_TO_DEVICE));
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_free_unwaited() {
    let mut case = case();
    case.double(case.one, case.x);
    // The kernel is over, but the program cannot know.
    let mut gate = false;
    eventually("some time", || std::mem::replace(&mut gate, true));
    std::thread::sleep(std::time::Duration::from_millis(300));
    ok!(aclrtFree(case.x));
    case.x = malloc(BYTES);
    case.end();
}

// ---- buffers of the host ---------------------------------------------------------------------------------------------

impl Case {
    fn fill(&self, value: u8) {
        // SAFETY: the block has that many bytes.
        unsafe { self.host.cast::<u8>().write_bytes(value, BYTES) };
    }
}

#[test]
#[ignore = "run in a process of its own"]
fn child_rewritten() {
    let case = case();
    case.upload(case.one, case.x);
    case.fill(1);
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_rewritten_and_used() {
    let case = case();
    case.upload(case.one, case.x);
    case.fill(1);
    case.upload(case.one, case.y);
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_rewritten_later() {
    let case = case();
    for round in 0..3 {
        case.upload(case.one, case.x);
        let event = event();
        ok!(aclrtRecordEvent(event, case.one));
        ok!(aclrtSynchronizeEvent(event));
        ok!(aclrtDestroyEvent(event));
        case.fill(round);
    }
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_rewritten_by_a_task() {
    let case = case();
    case.fill(1);
    case.upload(case.one, case.x);
    case.double(case.one, case.x);
    case.download(case.one, case.x);
    case.upload(case.one, case.y);
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_never_waited() {
    let case = case();
    case.download(case.one, case.x);
    ok!(aclrtResetDevice(0));
}

#[test]
#[ignore = "run in a process of its own"]
fn child_overtaken() {
    let case = case();
    let fresh = malloc(BYTES) as u64;
    run("move_halves", 1, case.one, &[fresh, case.x as u64]);
    run("move_halves", 1, case.one, &[case.y as u64, fresh]);
    sync(case.one);
    ok!(aclrtFree(fresh as *mut c_void));
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_not_overtaken() {
    let case = case();
    let fresh = malloc(BYTES) as u64;
    for _ in 0..2 {
        run("move_halves", 1, case.one, &[case.y as u64, fresh]);
        run("move_halves", 1, case.one, &[fresh, case.x as u64]);
    }
    sync(case.one);
    ok!(aclrtFree(fresh as *mut c_void));
    // In memory that a copy has filled, the order is as good as any other.
    run("move_halves", 1, case.one, &[case.x as u64, case.y as u64]);
    run("move_halves", 1, case.one, &[case.y as u64, case.x as u64]);
    case.end();
}

// ---- states ----------------------------------------------------------------------------------------------------------

fn reset(late: bool) {
    let case = case();
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEventWithFlag(&raw mut event, EVENT_SYNC));
    for _ in 0..2 {
        ok!(aclrtRecordEvent(event, DEFAULT));
        ok!(aclrtStreamWaitEvent(case.one, event));
        ok!(aclrtStreamWaitEvent(case.two, event));
        if late {
            order(case.two, case.one);
        }
        ok!(aclrtResetEvent(event, case.one));
        ok!(aclrtSynchronizeDevice());
    }
    ok!(aclrtDestroyEvent(event));
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_reset_early() {
    reset(false);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_reset_late() {
    reset(true);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_misuse() {
    let case = case();
    let mut graph = RiHandle::NULL;
    ok!(aclmdlRICaptureBegin(case.one, RiCaptureMode::GLOBAL));
    let _ = acl!(aclrtSynchronizeStream(case.one));
    let _ = acl!(aclrtMemset(case.x, BYTES, 0, BYTES));
    let _ = acl!(aclmdlRICaptureEnd(case.one, &raw mut graph));
    let (mut home, mut other) = (ContextHandle::NULL, ContextHandle::NULL);
    ok!(aclrtGetCurrentContext(&raw mut home));
    ok!(aclrtCreateContext(&raw mut other, 0));
    let _ = acl!(aclrtDestroyStream(case.one));
    ok!(aclrtSetCurrentContext(home));
    let gone = stream();
    ok!(aclrtDestroyStream(gone));
    let _ = acl!(aclrtSynchronizeStream(gone));
    ok!(aclrtDestroyContext(other));
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_many_events() {
    let case = case();
    for _ in 0..70 {
        event();
    }
    case.end();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_some_events() {
    let case = case();
    for _ in 0..10 {
        event();
    }
    case.end();
}
