//! Conditions in captured graphs: IF, WHILE, SWITCH.

use crate::graph::{begin, end, play, status};
use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

const MODE: RiCaptureMode = RiCaptureMode::THREAD_LOCAL;

/// A condition of the graph that `stream` is captured into: handle and device word.
fn condition(stream: StreamHandle, default: u32, flag: i32) -> (RiCondHandle, *mut c_void) {
    let mut handle = RiCondHandle::NULL;
    ok!(aclmdlRICondHandleCreate(status(stream).1, default, RiCondHandleFlag(flag), &raw mut handle));
    let mut word = null_mut();
    ok!(aclmdlRICondHandleGetCondPtr(handle, &raw mut word));
    (handle, word.cast())
}

fn params(handle: RiCondHandle, ty: RiCondTaskType, branches: &mut [RiHandle]) -> RiCondTaskParams {
    RiCondTaskParams { handle, ty, size: branches.len() as u32, model_ri_array: branches.as_mut_ptr() }
}

fn branches(handle: RiCondHandle, ty: RiCondTaskType, count: usize, stream: StreamHandle) -> Vec<RiHandle> {
    let mut branches = vec![RiHandle::NULL; count];
    ok!(aclmdlRIAddCondTask(params(handle, ty, &mut branches), stream, 0));
    branches
}

/// Captures what `work` gives to a stream into a branch.
fn fill(branch: RiHandle, on: StreamHandle, work: impl FnOnce()) {
    ok!(aclmdlRICaptureToModelRIBegin(on, branch, MODE));
    work();
    ok!(aclmdlRICaptureEnd(on, null_mut()));
}

fn add(at: *mut c_void, times: u32, on: StreamHandle) {
    for _ in 0..times {
        run("add_one", 1, on, &[at as u64, 1]);
    }
}

#[test]
fn an_if_takes_the_first_branch_unless_the_word_is_0() {
    let _device = device();
    let (a, inner, x) = (stream(), stream(), malloc(4));
    for count in [1, 2] {
        begin(a, MODE);
        let (handle, word) = condition(a, 0, 0);
        let of = branches(handle, RiCondTaskType::IF, count, a);
        for (branch, times) in of.iter().zip([1, 10]) {
            fill(*branch, inner, || add(x, times, inner));
        }
        add(x, 100, a);
        let graph = end(a);
        for (value, expected) in [(0u64, [100, 110][count - 1]), (1, 101), (u64::MAX, 101)] {
            put(x, &[0u32]);
            put(word, &[value]);
            play(graph, a);
            assert_eq!(take::<u32>(x, 1), [expected], "{count} branches, {value}");
        }
        ok!(aclmdlRIDestroy(graph));
    }
}

#[test]
fn a_while_runs_until_its_body_clears_the_word() {
    let _device = device();
    let (a, inner, x) = (stream(), stream(), malloc(4));
    let zero = malloc(8);
    put(zero, &[0u64]);
    put(x, &[0u32]);
    begin(a, MODE);
    let (handle, word) = condition(a, 3, 1);
    let body = branches(handle, RiCondTaskType::WHILE, 1, a)[0];
    fill(body, inner, || {
        add(x, 1, inner);
        // 3, then 0: the value at the address one further on is copied over the word.
        ok!(aclrtMemcpyAsync(word, 8, zero, 8, MemcpyKind::DEVICE_TO_DEVICE, inner));
    });
    let graph = end(a);
    for round in 1..=3 {
        play(graph, a);
        assert_eq!(take::<u32>(x, 1), [round], "the default value is set again at every execution");
    }
    ok!(aclmdlRIDestroy(graph));

    // A thousand rounds of copies only: every round moves a line of words by one, until a 0 comes to the front.
    let line = malloc(8 * 1001);
    begin(a, MODE);
    let (handle, word) = condition(a, 0, 0);
    let body = branches(handle, RiCondTaskType::WHILE, 1, a)[0];
    fill(body, inner, || {
        let next = line.wrapping_byte_add(8);
        ok!(aclrtMemcpyAsync(line, 8000, next, 8000, MemcpyKind::DEVICE_TO_DEVICE, inner));
        ok!(aclrtMemcpyAsync(word, 8, line, 8, MemcpyKind::DEVICE_TO_DEVICE, inner));
    });
    let graph = end(a);
    let mut values: Vec<u64> = (1..=1000).rev().collect();
    values.push(0);
    put(line, &values);
    put(word, &[1u64]);
    play(graph, a);
    assert_eq!(take::<u64>(word, 1), [0]);
    assert_eq!(take::<u64>(line, 2), [0, 0]);
    ok!(aclmdlRIDestroy(graph));
}

#[test]
fn a_switch_takes_the_branch_with_the_number_and_conditions_nest() {
    let _device = device();
    let (a, inner, deep, x) = (stream(), stream(), stream(), malloc(4));
    begin(a, MODE);
    let (handle, word) = condition(a, 1, 1);
    let of = branches(handle, RiCondTaskType::SWITCH, 3, a);
    fill(of[0], inner, || add(x, 1, inner));
    fill(of[1], inner, || add(x, 10, inner));
    let mut nested = null_mut();
    fill(of[2], inner, || {
        let (handle, word) = condition(inner, 0, 0);
        nested = word;
        let then = branches(handle, RiCondTaskType::IF, 1, inner)[0];
        fill(then, deep, || add(x, 50, deep));
        add(x, 100, inner);
    });
    let graph = end(a);
    put(x, &[0u32]);
    play(graph, a);
    assert_eq!(take::<u32>(x, 1), [10], "the default");
    ok!(aclmdlRIDestroy(graph));

    begin(a, MODE);
    let (handle, word2) = condition(a, 0, 0);
    let of = branches(handle, RiCondTaskType::SWITCH, 2, a);
    fill(of[0], inner, || add(x, 1, inner));
    fill(of[1], inner, || {
        let (handle, word) = condition(inner, 0, 0);
        nested = word;
        let then = branches(handle, RiCondTaskType::IF, 1, inner)[0];
        fill(then, deep, || add(x, 50, deep));
        add(x, 100, inner);
    });
    let graph = end(a);
    for (choice, inside, expected) in [(0u64, 0u64, 1), (1, 0, 100), (1, 1, 150), (2, 1, 0), (u64::MAX, 1, 0)]
    {
        put(x, &[0u32]);
        put(word2, &[choice]);
        put(nested, &[inside]);
        play(graph, a);
        assert_eq!(take::<u32>(x, 1), [expected], "{choice} {inside}");
    }
    ok!(aclmdlRIDestroy(graph));
    assert!(!word.is_null());
}

#[test]
fn conditions_refuse_what_cannot_be() {
    let _device = device();
    let (a, b) = (stream(), stream());
    let (mut handle, mut word) = (RiCondHandle::NULL, null_mut());
    begin(a, MODE);
    let inside = status(a).1;
    let flag = RiCondHandleFlag(1);
    fails!(100000, aclmdlRICondHandleCreate(RiHandle::NULL, 0, flag, &raw mut handle));
    fails!(100000, aclmdlRICondHandleCreate(inside, 0, flag, null_mut()));
    fails!(107000, aclmdlRICondHandleCreate(inside, 0, RiCondHandleFlag(2), &raw mut handle));
    fails!(100000, aclmdlRICondHandleGetCondPtr(RiCondHandle::NULL, &raw mut word));
    let (handle, _) = condition(a, 0, 1);
    let mut two = [RiHandle::NULL; 3];
    let ty = RiCondTaskType::WHILE;
    fails!(107000, aclmdlRIAddCondTask(params(handle, ty, &mut two[..2]), a, 0));
    fails!(107000, aclmdlRIAddCondTask(params(handle, RiCondTaskType::IF, &mut two), a, 0));
    fails!(107000, aclmdlRIAddCondTask(params(handle, RiCondTaskType::SWITCH, &mut []), a, 0));
    fails!(107000, aclmdlRIAddCondTask(params(handle, RiCondTaskType(3), &mut two[..1]), a, 0));
    fails!(107000, aclmdlRIAddCondTask(params(handle, ty, &mut two[..1]), a, 1));
    fails!(107029, aclmdlRIAddCondTask(params(handle, ty, &mut two[..1]), b, 0));
    let body = branches(handle, ty, 1, a)[0];
    fails!(107000, aclmdlRIAddCondTask(params(handle, ty, &mut two[..1]), a, 0));
    fails!(207000, aclmdlRIDestroy(body));
    fails!(207000, aclmdlRIExecuteAsync(body, b));
    fails!(107000, aclmdlRICaptureToModelRIBegin(b, inside, MODE));
    ok!(aclmdlRICaptureToModelRIBegin(b, body, MODE));
    fails!(107026, aclmdlRICaptureToModelRIBegin(stream(), body, MODE));
    let mut graph = RiHandle::NULL;
    let text = fails!(107045, aclmdlRICaptureEnd(a, &raw mut graph));
    assert!(text.contains("branch"), "{text}");
    fails!(107029, aclmdlRICaptureEnd(b, &raw mut graph));
    run("nothing", 1, a, &[]);
    run("nothing", 1, b, &[]);
    ok!(aclrtSynchronizeDevice());
}

#[test]
fn a_fault_in_a_branch_ends_a_loop() {
    let _device = device();
    let (a, inner) = (stream(), stream());
    begin(a, MODE);
    let (handle, _) = condition(a, 1, 1);
    let body = branches(handle, RiCondTaskType::WHILE, 1, a)[0];
    fill(body, inner, || run("trap", 1, inner, &[]));
    let graph = end(a);
    ok!(aclmdlRIExecuteAsync(graph, a));
    let text = fails!(507036, aclrtSynchronizeStream(a));
    assert!(text.contains("kernel `trap`"), "{text}");
    ok!(aclmdlRIDestroy(graph));
}
