//! Built graphs (rule 68), labels, and streams that activate or switch to each other.

use crate::graph::play;
use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

const HEAD: u32 = 0;
const LATER: u32 = 0x7FFF_FFFF;

fn kept() -> StreamHandle {
    let mut stream = StreamHandle::NULL;
    ok!(aclrtCreateStreamWithConfig(&raw mut stream, 0, STREAM_PERSISTENT));
    stream
}

fn build() -> RiHandle {
    let mut graph = RiHandle::NULL;
    ok!(aclmdlRIBuildBegin(&raw mut graph, 0));
    graph
}

fn bound(graph: RiHandle, flag: u32) -> StreamHandle {
    let stream = kept();
    ok!(aclmdlRIBindStream(graph, stream, flag));
    stream
}

fn done(graph: RiHandle, last: StreamHandle) {
    ok!(aclmdlRIEndTask(graph, last));
    ok!(aclmdlRIBuildEnd(graph, null_mut()));
}

/// A list of numbers on the device, and what it holds.
fn list() -> *mut c_void {
    let list = malloc(4 * 64);
    put(list, &[0u32; 64]);
    list
}

fn numbers(list: *mut c_void) -> Vec<u32> {
    let all = take::<u32>(list, 64);
    let got = all[1..=all[0] as usize].to_vec();
    put(list, &[0u32]);
    got
}

fn append(list: *mut c_void, number: u64, on: StreamHandle) {
    run("append", 1, on, &[list as u64, number]);
}

#[test]
fn rule_68_a_built_graph_runs_as_often_as_it_is_executed() {
    let _device = device();
    let (list, execute) = (list(), stream());
    let graph = build();
    let a = bound(graph, HEAD);
    append(list, 1, a);
    append(list, 2, a);
    sync(a);
    done(graph, a);
    assert_eq!(numbers(list), [] as [u32; 0], "nothing runs while the graph is built");
    play(graph, execute);
    assert_eq!(numbers(list), [1, 2]);
    ok!(aclmdlRIExecute(graph, -1));
    ok!(aclmdlRIExecute(graph, 20_000));
    assert_eq!(numbers(list), [1, 2, 1, 2]);
    assert_eq!(launch("nothing", 1, a, &[]).0, 107005, "a complete graph takes no more work");
    fails!(107005, aclrtDestroyStream(a));
    ok!(aclmdlRIUnbindStream(graph, a));
    fails!(107005, aclmdlRIExecuteAsync(graph, execute));
    ok!(aclmdlRIDestroy(graph));
    ok!(aclrtDestroyStream(a));
}

#[test]
fn rule_68_each_step_refuses_what_cannot_be() {
    let _device = device();
    let plain = stream();
    let mut graph = RiHandle::NULL;
    fails!(100000, aclmdlRIBuildBegin(null_mut(), 0));
    fails!(107000, aclmdlRIBuildBegin(&raw mut graph, 1));
    let (graph, other, a) = (build(), build(), kept());
    fails!(107005, aclmdlRIEndTask(graph, a));
    assert_eq!(launch("nothing", 1, a, &[]).0, 107005);
    fails!(107000, aclmdlRIBindStream(graph, DEFAULT, HEAD));
    fails!(107000, aclmdlRIBindStream(graph, plain, HEAD));
    fails!(107000, aclmdlRIBindStream(graph, a, 7));
    fails!(107005, aclmdlRIBuildEnd(graph, null_mut()));
    ok!(aclmdlRIBindStream(graph, a, HEAD));
    fails!(107005, aclmdlRIBindStream(other, a, HEAD));
    fails!(107005, aclmdlRIEndTask(other, a));
    fails!(107005, aclmdlRIUnbindStream(other, a));
    fails!(107000, aclmdlRIBuildEnd(graph, null_mut()));
    fails!(107000, aclmdlRIExecuteAsync(graph, plain));
    fails!(100000, aclmdlRIBuildEnd(graph, a.0));
    done(graph, a);
    fails!(107000, aclmdlRIEndTask(graph, a));
    fails!(107000, aclmdlRIBuildEnd(graph, null_mut()));
    fails!(107000, aclmdlRIExecute(graph, 0));
    fails!(107000, aclmdlRIExecuteAsync(graph, a));
    fails!(107000, aclmdlRICaptureBegin(a, RiCaptureMode::GLOBAL));
    ok!(aclmdlRIDestroy(graph));
    ok!(aclmdlRIDestroy(other));

    crate::graph::begin(plain, RiCaptureMode::GLOBAL);
    let captured = crate::graph::end(plain);
    fails!(107000, aclmdlRIExecute(captured, -1));
    fails!(207000, aclmdlRIAbort(captured));
    fails!(107000, aclmdlRIBindStream(captured, a, HEAD));
    ok!(aclmdlRIDestroy(captured));
}

#[test]
fn streams_activate_each_other_and_a_graph_without_an_end_is_told() {
    let _device = device();
    let (list, execute) = (list(), stream());
    let graph = build();
    let (a, b, idle) = (bound(graph, HEAD), bound(graph, LATER), bound(graph, LATER));
    append(list, 1, a);
    append(list, 2, b);
    append(list, 9, idle);
    ok!(aclrtActiveStream(b, a));
    done(graph, b);
    play(graph, execute);
    assert_eq!(numbers(list), [1, 2]);

    let endless = build();
    let (c, d) = (bound(endless, HEAD), bound(endless, LATER));
    append(list, 3, c);
    done(endless, d);
    fails!(107005, aclrtActiveStream(b, c));
    ok!(aclmdlRIExecuteAsync(endless, execute));
    let text = fails!(507011, aclrtSynchronizeStream(execute));
    assert!(text.contains("aclmdlRIEndTask"), "{text}");
}

/// `SwitchStream` for all comparisons, both widths.
#[test]
fn a_stream_switches_when_the_comparison_holds() {
    let _device = device();
    let (list, execute, left, right) = (list(), stream(), malloc(8), malloc(8));
    let holds = |condition: Condition, l: i64, r: i64| match condition.0 {
        0 => l == r,
        1 => l != r,
        2 => l > r,
        3 => l >= r,
        4 => l < r,
        _ => l <= r,
    };
    for (ty, pairs) in [
        (CompareDataType::INT32, [(1i64, 1i64), (-2, 1), (3, -1)]),
        (CompareDataType::INT64, [(1 << 40, 1 << 40), (-(1 << 40), 0), (1 << 40, 1)]),
    ] {
        for condition in (0..6).map(Condition) {
            let graph = build();
            let (a, b, end) = (bound(graph, HEAD), bound(graph, LATER), bound(graph, LATER));
            ok!(aclrtSwitchStream(left, condition, right, ty, b, DEFAULT, a));
            append(list, 1, a);
            ok!(aclrtActiveStream(end, a));
            append(list, 2, b);
            ok!(aclrtActiveStream(end, b));
            done(graph, end);
            for (l, r) in pairs {
                put(left, &[l]);
                put(right, &[r]);
                play(graph, execute);
                let expected = if holds(condition, l, r) { 2 } else { 1 };
                assert_eq!(numbers(list), [expected], "{condition:?} {ty:?} {l} {r}");
            }
            ok!(aclmdlRIDestroy(graph));
        }
    }
    let graph = build();
    let a = bound(graph, HEAD);
    let equal = Condition::EQUAL;
    fails!(100000, aclrtSwitchStream(null_mut(), equal, right, CompareDataType::INT32, a, DEFAULT, a));
    fails!(107000, aclrtSwitchStream(left, Condition(6), right, CompareDataType::INT32, a, DEFAULT, a));
    fails!(107000, aclrtSwitchStream(left, equal, right, CompareDataType(2), a, DEFAULT, a));
    fails!(107000, aclrtSwitchStream(left, equal, right, CompareDataType::INT32, a, execute, a));
    fails!(107005, aclrtSwitchStream(left, equal, right, CompareDataType::INT32, execute, DEFAULT, a));
    let host = malloc_host(8);
    fails!(107000, aclrtSwitchStream(host, equal, right, CompareDataType::INT32, a, DEFAULT, a));
}

fn label() -> LabelHandle {
    let mut label = LabelHandle::NULL;
    ok!(aclrtCreateLabel(&raw mut label));
    label
}

fn labels(mut of: Vec<LabelHandle>) -> LabelListHandle {
    let mut list = LabelListHandle::NULL;
    ok!(aclrtCreateLabelList(of.as_mut_ptr(), of.len(), &raw mut list));
    list
}

#[test]
fn a_switch_goes_to_the_label_with_the_number() {
    let _device = device();
    let (list, execute, index) = (list(), stream(), malloc(4));
    let graph = build();
    let (a, b) = (bound(graph, HEAD), bound(graph, LATER));
    let at = [label(), label(), label()];
    let choice = labels(at.to_vec());
    ok!(aclrtSwitchLabelByIndex(index, 3, choice, a));
    for (number, label) in at.into_iter().enumerate() {
        let on = if number == 2 { b } else { a };
        ok!(aclrtSetLabel(label, on));
        append(list, number as u64, on);
    }
    ok!(aclrtActiveStream(b, a));
    done(graph, b);
    // From label 0 the stream falls through to label 1, and activates the other stream at its end.
    for (number, expected) in [(0u32, vec![0, 1, 2]), (1, vec![1, 2]), (2, vec![2]), (77, vec![2])] {
        put(index, &[number]);
        play(graph, execute);
        assert_eq!(numbers(list), expected, "index {number}");
    }
    for label in at {
        ok!(aclrtDestroyLabel(label));
    }
    ok!(aclrtDestroyLabelList(choice));
    put(index, &[1u32]);
    play(graph, execute);
    assert_eq!(numbers(list), [1, 2], "the graph keeps the places");
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn a_jump_back_makes_a_loop_that_ends_when_the_index_changes() {
    let _device = device();
    let (execute, words) = (stream(), malloc(12));
    let (index, rounds, after) = (words, words.wrapping_byte_add(4), words.wrapping_byte_add(8));
    put(words, &[0u32; 3]);
    let graph = build();
    let a = bound(graph, HEAD);
    let at = [label(), label()];
    ok!(aclrtSetLabel(at[0], a));
    run("add_one", 1, a, &[rounds as u64, 1]);
    ok!(aclrtSwitchLabelByIndex(index, 2, labels(at.to_vec()), a));
    ok!(aclrtSetLabel(at[1], a));
    run("add_one", 1, a, &[after as u64, 1]);
    done(graph, a);
    ok!(aclmdlRIExecuteAsync(graph, execute));
    eventually("a second round", || take::<u32>(rounds, 1)[0] >= 2);
    assert_eq!(take::<u32>(after, 1), [0]);
    put(index, &[1u32]);
    sync(execute);
    assert_eq!(take::<u32>(after, 1), [1]);
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn labels_refuse_what_cannot_be() {
    let _device = device();
    fails!(100000, aclrtCreateLabel(null_mut()));
    fails!(100000, aclrtDestroyLabel(LabelHandle::NULL));
    let (one, two, index, plain) = (label(), label(), malloc(4), stream());
    let list = labels(vec![one, two]);
    let mut none = LabelListHandle::NULL;
    fails!(100000, aclrtCreateLabelList(null_mut(), 1, &raw mut none));
    fails!(107000, aclrtCreateLabelList([one].as_mut_ptr(), 0, &raw mut none));
    fails!(107000, aclrtCreateLabelList([one].as_mut_ptr(), 65_536, &raw mut none));
    fails!(107017, aclrtCreateLabelList([LabelHandle(plain.0)].as_mut_ptr(), 1, &raw mut none));
    fails!(107005, aclrtSetLabel(one, plain));
    let graph = build();
    let a = bound(graph, HEAD);
    fails!(100000, aclrtSetLabel(LabelHandle::NULL, a));
    ok!(aclrtSetLabel(one, a));
    fails!(107000, aclrtSetLabel(one, a));
    fails!(107000, aclrtSwitchLabelByIndex(index, 1, list, a));
    fails!(100000, aclrtSwitchLabelByIndex(null_mut(), 2, list, a));
    fails!(100000, aclrtSwitchLabelByIndex(index, 2, LabelListHandle::NULL, a));
    fails!(107017, aclrtSwitchLabelByIndex(index, 2, LabelListHandle(one.0), a));
    ok!(aclrtSwitchLabelByIndex(index, 2, list, a));
    ok!(aclmdlRIEndTask(graph, a));
    let text = fails!(107000, aclmdlRIBuildEnd(graph, null_mut()));
    assert!(text.contains("not set"), "{text}");
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn events_of_built_graphs_keep_their_state() {
    let _device = device();
    let (list, execute) = (list(), stream());
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEventWithFlag(&raw mut event, EVENT_SYNC));
    let graph = build();
    let (a, b) = (bound(graph, HEAD), bound(graph, HEAD));
    ok!(aclrtStreamWaitEvent(a, event));
    ok!(aclrtResetEvent(event, a));
    append(list, 2, a);
    append(list, 1, b);
    ok!(aclrtRecordEvent(event, b));
    let unfit = crate::graph::event();
    fails!(207000, aclrtRecordEvent(unfit, b));
    done(graph, a);
    for _ in 0..20 {
        play(graph, execute);
        assert_eq!(numbers(list), [1, 2]);
    }
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn an_abort_ends_the_execution_and_the_graph_can_run_again() {
    let _device = device();
    let (list, execute, gate) = (list(), stream(), malloc(8));
    put(gate, &[0u64]);
    let graph = build();
    let a = bound(graph, HEAD);
    append(list, 1, a);
    ok!(aclrtValueWait(gate, 1, STREAM_WAIT_VALUE_EQ, a));
    append(list, 2, a);
    done(graph, a);
    ok!(aclmdlRIAbort(graph));
    ok!(aclmdlRIExecuteAsync(graph, execute));
    fails!(507046, aclrtSynchronizeStreamWithTimeout(execute, 50));
    let text = fails!(107037, aclmdlRIUnbindStream(graph, a));
    assert!(text.contains("word"), "{text}");
    ok!(aclmdlRIAbort(graph));
    let code = acl!(aclrtSynchronizeStream(execute)).0;
    assert!(code == 507023 || code == 107023, "{code}: {}", message());
    assert_eq!(numbers(list), [1]);
    put(gate, &[1u64]);
    play(graph, execute);
    assert_eq!(numbers(list), [1, 2]);
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn a_persistent_stream_can_be_cleaned() {
    let _device = device();
    let (list, execute) = (list(), stream());
    let graph = build();
    let a = bound(graph, HEAD);
    append(list, 1, a);
    ok!(aclrtPersistentTaskClean(a));
    append(list, 2, a);
    done(graph, a);
    fails!(107005, aclrtPersistentTaskClean(a));
    fails!(107000, aclrtPersistentTaskClean(execute));
    play(graph, execute);
    assert_eq!(numbers(list), [2]);
    ok!(aclmdlRIDestroy(graph));
    ok!(aclrtPersistentTaskClean(a));
}
