//! Captured graphs: rules 65–67.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

const GLOBAL: RiCaptureMode = RiCaptureMode::GLOBAL;
const THREAD_LOCAL: RiCaptureMode = RiCaptureMode::THREAD_LOCAL;
const RELAXED: RiCaptureMode = RiCaptureMode::RELAXED;

pub fn begin(stream: StreamHandle, mode: RiCaptureMode) {
    ok!(aclmdlRICaptureBegin(stream, mode));
}

pub fn end(stream: StreamHandle) -> RiHandle {
    let mut graph = RiHandle::NULL;
    ok!(aclmdlRICaptureEnd(stream, &raw mut graph));
    assert!(!graph.is_null());
    graph
}

/// Ends a capture that has to fail with this code; returns the message.
fn ends_with(code: i32, stream: StreamHandle) -> String {
    let mut graph = RiHandle(stream.0);
    let text = fails!(code, aclmdlRICaptureEnd(stream, &raw mut graph));
    assert!(graph.is_null());
    text
}

pub fn event() -> EventHandle {
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEventExWithFlag(&raw mut event, EVENT_SYNC));
    event
}

/// `to` goes on after what `from` has so far.
pub fn join(from: StreamHandle, to: StreamHandle) {
    let event = event();
    ok!(aclrtRecordEvent(event, from));
    ok!(aclrtStreamWaitEvent(to, event));
    ok!(aclrtDestroyEvent(event));
}

pub fn status(stream: StreamHandle) -> (RiCaptureStatus, RiHandle) {
    let (mut status, mut graph) = (RiCaptureStatus(9), RiHandle::NULL);
    ok!(aclmdlRICaptureGetInfo(stream, &raw mut status, &raw mut graph));
    (status, graph)
}

pub fn copy(dst: *mut c_void, src: *const c_void, bytes: usize, stream: StreamHandle) {
    ok!(aclrtMemcpyAsync(dst, bytes, src, bytes, MemcpyKind::DEFAULT, stream));
}

/// Executes and waits.
pub fn play(graph: RiHandle, stream: StreamHandle) {
    ok!(aclmdlRIExecuteAsync(graph, stream));
    sync(stream);
}

#[test]
fn rule_65_captured_work_runs_when_the_graph_does_and_as_often() {
    let _device = device();
    let (a, x) = (stream(), malloc(4));
    put(x, &[0u32]);
    begin(a, GLOBAL);
    assert_eq!(status(a).0, RiCaptureStatus::ACTIVE);
    run("add_one", 1, a, &[x as u64, 1]);
    run("add_one", 1, a, &[x as u64, 1]);
    let graph = end(a);
    assert_eq!(status(a), (RiCaptureStatus::NONE, RiHandle::NULL));
    sync(a);
    assert_eq!(take::<u32>(x, 1), [0], "captured work must not run");
    for round in 1..=5 {
        play(graph, a);
        assert_eq!(take::<u32>(x, 1), [2 * round]);
    }
    ok!(aclmdlRIDestroy(graph));
    run("add_one", 1, a, &[x as u64, 1]);
    sync(a);
    assert_eq!(take::<u32>(x, 1), [11], "after the capture the stream runs its work again");
}

#[test]
fn rule_65_arguments_are_taken_when_they_are_captured() {
    let _device = device();
    let (a, x) = (stream(), malloc(8));
    put(x, &[0u64]);
    let mut words = [x as u64, x as u64, 5];
    begin(a, GLOBAL);
    let bytes = size_of_val(&words);
    let args = words.as_mut_ptr().cast();
    ok!(aclrtLaunchKernelWithHostArgs(function("combine"), 1, a, null_mut(), args, bytes, null_mut(), 0));
    words = [0, 0, 0];
    let graph = end(a);
    assert_eq!(words, [0; 3]);
    play(graph, a);
    assert_eq!(take::<u64>(x, 1), [mix(0, 0, 5)]);
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn rule_65_a_stream_joins_by_a_wait_and_must_come_back() {
    let _device = device();
    let (a, b, x) = (stream(), stream(), malloc(8));
    let (one, two) = (x, x.wrapping_byte_add(4));
    put(x, &[0u32, 0]);
    begin(a, GLOBAL);
    run("add_one", 1, a, &[one as u64, 1]);
    join(a, b);
    assert_eq!(status(b), status(a));
    copy(two, one, 4, b);
    run("add_one", 1, b, &[two as u64, 1]);
    join(b, a);
    run("add_one", 1, a, &[two as u64, 1]);
    let graph = end(a);
    assert_eq!(status(b).0, RiCaptureStatus::NONE);
    for round in 1..=3 {
        play(graph, b);
        assert_eq!(take::<u32>(x, 2), [round, round + 2]);
    }
    ok!(aclmdlRIDestroy(graph));

    begin(a, GLOBAL);
    join(a, b);
    run("add_one", 1, b, &[two as u64, 1]);
    let text = ends_with(107025, a);
    assert!(text.contains("has not come back") && text.contains("event wait"), "{text}");
    assert_eq!((status(a).0, status(b).0), (RiCaptureStatus::NONE, RiCaptureStatus::NONE));

    begin(a, GLOBAL);
    join(a, b);
    join(b, a);
    run("add_one", 1, b, &[two as u64, 1]);
    let text = ends_with(107025, a);
    assert!(text.contains("kernel `add_one`") && text.contains("aclrtLaunchKernelWithHostArgs"), "{text}");
    assert_eq!(take::<u32>(x, 2), [3, 5]);
}

#[test]
fn rule_65_indirect_joins_count() {
    let _device = device();
    let (a, b, c, x) = (stream(), stream(), stream(), malloc(4));
    put(x, &[0u32]);
    begin(a, THREAD_LOCAL);
    join(a, b);
    join(b, c);
    run("add_one", 1, c, &[x as u64, 1]);
    join(c, b);
    run("add_one", 1, b, &[x as u64, 1]);
    join(b, a);
    let graph = end(a);
    play(graph, a);
    assert_eq!(take::<u32>(x, 1), [2]);
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn rule_65_begin_and_end_refuse_what_cannot_be() {
    let _device = device();
    let (a, b) = (stream(), stream());
    fails!(107031, aclmdlRICaptureBegin(DEFAULT, GLOBAL));
    fails!(107000, aclmdlRICaptureBegin(a, RiCaptureMode(3)));
    fails!(107017, aclmdlRICaptureBegin(StreamHandle(8 as *mut c_void), GLOBAL));
    ends_with(107029, a);
    begin(a, GLOBAL);
    fails!(107027, aclmdlRICaptureBegin(a, GLOBAL));
    fails!(100000, aclmdlRICaptureEnd(a, null_mut()));
    join(a, b);
    ends_with(107036, b);
    join(b, a);
    let graph = end(a);
    fails!(100000, aclmdlRICaptureGetInfo(a, null_mut(), null_mut()));
    ok!(aclmdlRIDestroy(graph));
    fails!(107017, aclmdlRIDestroy(graph));
    fails!(100000, aclmdlRIDestroy(RiHandle::NULL));
    fails!(107017, aclmdlRIExecuteAsync(RiHandle(a.0), a));
}

#[test]
fn rule_65_a_capture_ends_in_the_thread_that_began_it_unless_relaxed() {
    let _device = device();
    let a = stream();
    let in_other_thread = |mode: RiCaptureMode| {
        begin(a, mode);
        let at = a.0 as usize;
        let other = std::thread::spawn(move || {
            ok!(aclrtSetDevice(0));
            let mut graph = RiHandle::NULL;
            let code = acl!(aclmdlRICaptureEnd(StreamHandle(at as *mut c_void), &raw mut graph));
            (code.0, graph.0 as usize)
        });
        other.join().unwrap()
    };
    assert_eq!(in_other_thread(GLOBAL), (107038, 0));
    assert_eq!(in_other_thread(THREAD_LOCAL), (107038, 0));
    let (code, graph) = in_other_thread(RELAXED);
    assert_eq!(code, 0);
    ok!(aclmdlRIDestroy(RiHandle(graph as *mut c_void)));
}

#[test]
fn rule_66_waiting_for_or_looking_at_captured_things_breaks_the_capture() {
    let _device = device();
    let (a, other, event) = (stream(), stream(), event());
    let mut idle = StreamStatus(0);
    let mut recorded = EventRecordedStatus(0);
    type Call<'a> = (&'a str, i32, Box<dyn FnMut() -> AclError + 'a>);
    let calls: Vec<Call<'_>> = vec![
        ("aclrtSynchronizeStream", 107027, Box::new(|| acl!(aclrtSynchronizeStream(a)))),
        (
            "aclrtSynchronizeStreamWithTimeout",
            107027,
            Box::new(|| acl!(aclrtSynchronizeStreamWithTimeout(a, 10))),
        ),
        ("aclrtStreamQuery", 107027, Box::new(|| acl!(aclrtStreamQuery(a, &raw mut idle)))),
        ("aclrtDestroyStream", 107027, Box::new(|| acl!(aclrtDestroyStream(a)))),
        ("aclrtSynchronizeDevice", 107027, Box::new(|| acl!(aclrtSynchronizeDevice()))),
        ("aclrtSynchronizeEvent", 107028, Box::new(|| acl!(aclrtSynchronizeEvent(event)))),
        ("aclrtQueryEventStatus", 107028, Box::new(|| acl!(aclrtQueryEventStatus(event, &raw mut recorded)))),
    ];
    for (name, code, mut call) in calls {
        begin(a, RELAXED);
        ok!(aclrtRecordEvent(event, a));
        sync(other);
        assert_eq!(status(a).0, RiCaptureStatus::ACTIVE, "another stream may be waited for");
        assert_eq!(call().0, code, "{name}: {}", message());
        assert_eq!(status(a).0, RiCaptureStatus::INVALIDATED);
        assert_eq!(launch("nothing", 1, a, &[]).0, 507903);
        let text = ends_with(507903, a);
        assert!(text.contains(&format!("{name}: ")), "the message names the call that broke it: {text}");
    }
    sync(a);
    ok!(aclrtSynchronizeEvent(event));
}

#[test]
fn rule_66_synchronous_copies_depend_on_the_mode() {
    let _device = device();
    let (a, x) = (stream(), malloc(4));
    let at = x as usize;
    let fill = move || acl!(aclrtMemset(at as *mut c_void, 4, 1, 4)).0;
    let exchange = |mode: RiCaptureMode| {
        let mut mode = mode;
        ok!(aclmdlRICaptureThreadExchangeMode(&raw mut mode));
        mode
    };
    let elsewhere = move |own: RiCaptureMode| {
        let other = std::thread::spawn(move || {
            ok!(aclrtSetDevice(0));
            let mut own = own;
            ok!(aclmdlRICaptureThreadExchangeMode(&raw mut own));
            fill()
        });
        other.join().unwrap()
    };
    // Mode of the capture; this thread; other threads with the modes GLOBAL, THREAD_LOCAL, RELAXED.
    let table =
        [(GLOBAL, 107030, [107030, 0, 0]), (THREAD_LOCAL, 107030, [0, 0, 0]), (RELAXED, 0, [0, 0, 0])];
    for (mode, here, others) in table {
        begin(a, mode);
        assert_eq!(exchange(RELAXED), GLOBAL);
        assert_eq!(fill(), 0, "a thread that changed to RELAXED may");
        assert_eq!(exchange(GLOBAL), RELAXED);
        for (own, code) in [GLOBAL, THREAD_LOCAL, RELAXED].into_iter().zip(others).rev() {
            assert_eq!(elsewhere(own), code, "capture {mode:?}, another thread {own:?}");
        }
        let broken = others.contains(&107030);
        assert_eq!(fill(), here, "capture {mode:?}, this thread");
        if broken || here != 0 {
            let text = ends_with(507903, a);
            assert!(text.contains("aclrtMemset"), "{text}");
        } else {
            ok!(aclmdlRIDestroy(end(a)));
        }
    }
    assert_eq!(fill(), 0);
    let mut wrong = RiCaptureMode(7);
    fails!(107000, aclmdlRICaptureThreadExchangeMode(&raw mut wrong));
    fails!(100000, aclmdlRICaptureThreadExchangeMode(null_mut()));
}

#[test]
fn rule_66_copies_from_pageable_memory_and_the_default_stream_are_refused() {
    let _device = device();
    let (a, b, x) = (stream(), stream(), malloc(4));
    let host = [7u32];
    let pageable = |on: StreamHandle| {
        acl!(aclrtMemcpyAsync(x, 4, host.as_ptr().cast(), 4, MemcpyKind::HOST_TO_DEVICE, on)).0
    };
    begin(a, RELAXED);
    assert_eq!(pageable(b), 0, "a stream that is not captured, relaxed");
    assert_eq!(pageable(a), 107041);
    assert!(ends_with(507903, a).contains("aclrtMemcpyAsync"));
    begin(a, THREAD_LOCAL);
    assert_eq!(pageable(b), 107041, "it would be a synchronous copy");
    ends_with(507903, a);

    begin(a, GLOBAL);
    assert_eq!(launch("nothing", 1, DEFAULT, &[]).0, 107031);
    let event = event();
    ok!(aclrtRecordEvent(event, a));
    fails!(107031, aclrtStreamWaitEvent(DEFAULT, event));
    ends_with(507903, a);
    assert_eq!(launch("nothing", 1, DEFAULT, &[]).0, 0);
    ok!(aclrtSynchronizeDevice());
}

#[test]
fn rule_66_captures_do_not_depend_on_each_other_or_on_the_outside() {
    let _device = device();
    let (a, b, outside) = (stream(), stream(), event());
    ok!(aclrtRecordEvent(outside, b));
    begin(a, GLOBAL);
    let text = fails!(107024, aclrtStreamWaitEvent(a, outside));
    assert!(text.contains("outside"), "{text}");
    ends_with(507903, a);

    let shared = event();
    begin(a, GLOBAL);
    begin(b, GLOBAL);
    ok!(aclrtRecordEvent(shared, a));
    fails!(107032, aclrtStreamWaitEvent(b, shared));
    ends_with(507903, a);
    ends_with(507903, b);

    let mut plain = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut plain));
    begin(a, GLOBAL);
    fails!(207000, aclrtRecordEvent(plain, a));
    ends_with(507903, a);
    begin(a, GLOBAL);
    let unrecorded = event();
    ok!(aclrtStreamWaitEvent(a, unrecorded));
    let graph = end(a);
    play(graph, a);
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn rule_67_what_a_graph_uses_must_outlive_it() {
    let _device = device();
    let (a, x, pinned) = (stream(), malloc(64), malloc_host(64));
    begin(a, GLOBAL);
    run("add_one", 1, a, &[x as u64, 1]);
    let graph = end(a);
    play(graph, a);
    ok!(aclrtFree(x));
    let text = fails!(107000, aclmdlRIExecuteAsync(graph, a));
    for part in
        ["kernel `add_one`", "aclrtLaunchKernelWithHostArgs", "from aclrtMalloc", "freed by aclrtFree"]
    {
        assert!(text.contains(part), "`{part}` is missing: {text}");
    }
    ok!(aclmdlRIDestroy(graph));

    let y = malloc(64);
    begin(a, GLOBAL);
    copy(y, pinned, 64, a);
    let graph = end(a);
    play(graph, a);
    ok!(aclrtFreeHost(pinned));
    let text = fails!(107000, aclmdlRIExecuteAsync(graph, a));
    assert!(text.contains("aclrtFreeHost") && text.contains("aclrtMemcpyAsync"), "{text}");
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn rule_67_a_running_graph_is_not_destroyed() {
    let _device = device();
    let (a, gate) = (stream(), malloc(4));
    put(gate, &[0u32]);
    begin(a, GLOBAL);
    run("hold", 1, a, &[gate as u64]);
    let mut inside = RiHandle::NULL;
    ok!(aclmdlRICaptureGetInfo(a, null_mut(), &raw mut inside));
    fails!(107026, aclmdlRIDestroy(inside));
    fails!(107026, aclmdlRIExecuteAsync(inside, stream()));
    let graph = end(a);
    ok!(aclmdlRIExecuteAsync(graph, a));
    let text = fails!(107037, aclmdlRIDestroy(graph));
    assert!(text.contains("hold"), "{text}");
    put(gate, &[1u32]);
    sync(a);
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn executions_take_their_place_in_the_stream_and_lanes_overlap() {
    let _device = device();
    let (a, b, list) = (stream(), stream(), malloc(4 * 64));
    put(list, &[0u32; 64]);
    let gates = malloc(8);
    put(gates, &[0u32, 0]);
    begin(a, GLOBAL);
    run("append", 1, a, &[list as u64, 1]);
    join(a, b);
    run("hold", 1, a, &[gates as u64]);
    copy(gates, gates.wrapping_byte_add(4), 4, b);
    join(b, a);
    run("append", 1, a, &[list as u64, 2]);
    let graph = end(a);
    put(gates, &[0u32, 1]);
    run("append", 1, a, &[list as u64, 10]);
    ok!(aclmdlRIExecuteAsync(graph, a));
    run("append", 1, a, &[list as u64, 11]);
    sync(a);
    let got = take::<u32>(list, 5);
    assert_eq!(got, [4, 10, 1, 2, 11], "the second lane opened the gate that the first waited for");
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn a_fault_inside_a_graph_reaches_the_stream_that_executes_it() {
    let _device = device();
    let (a, b) = (stream(), stream());
    begin(a, GLOBAL);
    join(a, b);
    run("trap", 1, b, &[]);
    join(b, a);
    let graph = end(a);
    ok!(aclmdlRIExecuteAsync(graph, a));
    let text = fails!(507036, aclrtSynchronizeStream(a));
    assert!(text.contains("kernel `trap`") && text.contains("in graph "), "{text}");
    sync(a);
    sync(b);
    ok!(aclmdlRIDestroy(graph));
    begin(a, GLOBAL);
    run("say", 2, a, &[2]);
    let graph = end(a);
    play(graph, a);
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn names_ids_and_callbacks_of_a_graph() {
    let _device = device();
    let a = stream();
    begin(a, GLOBAL);
    let graph = end(a);
    let mut name = [toprope_abi::layout::CChar(1); 600];
    ok!(aclmdlRIGetName(graph, 600, name.as_mut_ptr()));
    assert_eq!(name[0].0, 0);
    let long = c_text(&"n".repeat(700));
    ok!(aclmdlRISetName(graph, c_ptr(&long)));
    ok!(aclmdlRIGetName(graph, 600, name.as_mut_ptr()));
    assert_eq!(name.iter().position(|c| c.0 == 0), Some(511));
    ok!(aclmdlRIGetName(graph, 4, name.as_mut_ptr()));
    assert_eq!(name.iter().position(|c| c.0 == 0), Some(3));
    fails!(107000, aclmdlRIGetName(graph, 0, name.as_mut_ptr()));
    fails!(100000, aclmdlRIGetName(graph, 4, null_mut()));
    fails!(100000, aclmdlRISetName(graph, std::ptr::null()));
    let (mut one, mut two) = (0, 0);
    ok!(aclmdlRIGetId(graph, &raw mut one));
    begin(a, GLOBAL);
    let other = end(a);
    ok!(aclmdlRIGetId(other, &raw mut two));
    assert_ne!(one, two);

    unsafe extern "C" fn count(at: *mut c_void) {
        // SAFETY: the test gives a counter that outlives the graph.
        unsafe { *at.cast::<u32>() += 1 };
    }
    let mut calls = 0u32;
    let at = (&raw mut calls).cast();
    ok!(aclmdlRIDestroyRegisterCallback(graph, Callback(Some(count)), at));
    ok!(aclmdlRIDestroyRegisterCallback(other, Callback(Some(count)), at));
    ok!(aclmdlRIDestroyUnregisterCallback(other, Callback(Some(count))));
    fails!(107000, aclmdlRIDestroyUnregisterCallback(other, Callback(Some(count))));
    fails!(100000, aclmdlRIDestroyRegisterCallback(graph, Callback(None), null_mut()));
    ok!(aclmdlRIDestroy(graph));
    ok!(aclmdlRIDestroy(other));
    // SAFETY: a local of this test.
    assert_eq!(unsafe { (&raw const calls).read_volatile() }, 1);
}

#[test]
fn a_reset_ends_captures_and_graphs_of_its_device() {
    let session = device();
    let (a, b, gate) = (stream(), stream(), malloc(8));
    put(gate, &[0u64]);
    begin(a, GLOBAL);
    ok!(aclrtValueWait(gate, 1, STREAM_WAIT_VALUE_EQ, a));
    let waiting = end(a);
    ok!(aclmdlRIExecuteAsync(waiting, a));
    begin(b, GLOBAL);
    run("nothing", 1, b, &[]);
    ok!(aclrtResetDeviceForce(0));
    ok!(aclrtSetDevice(0));
    fails!(107017, aclmdlRIDestroy(waiting));
    let c = stream();
    ok!(aclrtSynchronizeDevice());
    begin(c, GLOBAL);
    ok!(aclmdlRIDestroy(end(c)));
    drop(session);
}

#[test]
fn lanes_of_graphs_count_as_streams_of_the_device() {
    let _device = device();
    let a = stream();
    begin(a, GLOBAL);
    let graph = end(a);
    // The default stream, `a`, and the lane of the graph.
    let more: Vec<StreamHandle> = (0..1984 - 3).map(|_| stream()).collect();
    let text = fails!(207008, aclmdlRICaptureBegin(a, GLOBAL));
    assert!(text.contains("graphs hold 1 more"), "{text}");
    ok!(aclmdlRIDestroy(graph));
    begin(a, GLOBAL);
    ok!(aclmdlRIDestroy(end(a)));
    for stream in more {
        ok!(aclrtDestroyStream(stream));
    }
}
