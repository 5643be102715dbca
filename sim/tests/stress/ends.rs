//! Ends at the worst moment: the process, streams, events and contexts while everything runs.

use crate::support::*;
use toprope_abi::acl::*;

/// Streams that run, wait for each other, wait for the host, and copy.
fn everything_runs() -> *mut std::ffi::c_void {
    let gate = malloc(4);
    put(gate, &[0u32]);
    let (host, dev) = (malloc_host(32 << 20), malloc(32 << 20));
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    run("hold", 1, DEFAULT, &[gate as u64]);
    ok!(aclrtRecordEvent(event, DEFAULT));
    for i in 0..64 {
        let s = stream();
        if i % 2 == 0 {
            ok!(aclrtStreamWaitEvent(s, event));
        }
        run("nothing", 4, s, &[]);
        ok!(aclrtMemcpyAsync(dev, 32 << 20, host, 32 << 20, MemcpyKind::HOST_TO_DEVICE, s));
        ok!(aclrtMemsetAsync(dev, 64, i, 64, s));
    }
    run("forever", 1, stream(), &[]);
    gate
}

#[test]
fn the_process_ends_with_everything_running() {
    for name in ["child_returns", "child_exits_in_a_thread", "child_is_finalized", "child_resets_by_force"] {
        good_child(&format!("ends::{name}"), &[]);
    }
}

#[test]
#[ignore = "run in a process of its own"]
fn child_returns() {
    ok!(aclrtSetDevice(0));
    everything_runs();
}

#[test]
#[ignore = "run in a process of its own"]
fn child_exits_in_a_thread() {
    ok!(aclrtSetDevice(0));
    let mut context = ContextHandle::NULL;
    ok!(aclrtGetCurrentContext(&raw mut context));
    let context = context.0 as usize;
    everything_runs();
    // Others are in the middle of calls when the process ends.
    for _ in 0..4 {
        std::thread::spawn(move || {
            ok!(aclrtSetCurrentContext(ContextHandle(context as *mut _)));
            let s = stream();
            while acl!(aclrtMemsetAsync(malloc(64), 64, 1, 64, s)).is_success() {}
        });
    }
    // Waits for the kernel that never ends.
    std::thread::spawn(move || {
        let _ = acl!(aclrtSetCurrentContext(ContextHandle(context as *mut _)));
        let _ = acl!(aclrtSynchronizeDevice());
    });
    std::thread::sleep(std::time::Duration::from_millis(20));
}

#[test]
#[ignore = "run in a process of its own"]
fn child_is_finalized() {
    ok!(aclInit(std::ptr::null()));
    ok!(aclrtSetDevice(0));
    everything_runs();
    ok!(aclFinalize());
}

#[test]
#[ignore = "run in a process of its own"]
fn child_resets_by_force() {
    ok!(aclrtSetDevice(0));
    everything_runs();
    let _ = acl!(aclrtResetDeviceForce(0));
}

/// All orders of `items`.
fn orders<T: Copy>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![vec![]];
    }
    let mut all = vec![];
    for (i, item) in items.iter().enumerate() {
        let rest: Vec<T> = items.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, t)| *t).collect();
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.insert(0, *item);
            order
        }));
    }
    all
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Open,
    Recorder,
    Waiter,
    Event,
    Context,
}

/// A stream holds a kernel and records, another one waits for the record; both have work behind it.
fn destroyed_in(order: &[End], force: bool) {
    let mut home = ContextHandle::NULL;
    ok!(aclrtGetCurrentContext(&raw mut home));
    let mut context = ContextHandle::NULL;
    ok!(aclrtCreateContext(&raw mut context, 0));
    ok!(aclrtSetCurrentContext(context));
    let (recorder, waiter) = (stream(), stream());
    let (gate, list) = (malloc(4), malloc(64));
    put(gate, &[0u32]);
    put(list, &[0u32]);
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    run("hold", 1, recorder, &[gate as u64]);
    run("append", 1, recorder, &[list as u64, 1]);
    ok!(aclrtRecordEvent(event, recorder));
    ok!(aclrtStreamWaitEvent(waiter, event));
    run("append", 1, waiter, &[list as u64, 2]);
    let destroy = |s| if force { acl!(aclrtDestroyStreamForce(s)) } else { acl!(aclrtDestroyStream(s)) };
    let mut gone = false;
    for end in order {
        match end {
            End::Open => put(gate, &[1u32]),
            End::Event => ok!(aclrtDestroyEvent(event)),
            End::Context => {
                ok!(aclrtDestroyContext(context));
                ok!(aclrtSetCurrentContext(home));
                gone = true;
            }
            End::Recorder | End::Waiter => {
                let code = destroy(if *end == End::Recorder { recorder } else { waiter }).0;
                // A stream goes with its context.
                assert!(if gone { code == 107_017 } else { code == 0 }, "{order:?}: {code}: {}", message());
            }
        }
    }
    ok!(aclrtSetCurrentContext(home));
    ok!(aclrtSynchronizeDevice());
    let ran = take::<u32>(list, 3);
    if !force && order.iter().position(|e| *e == End::Context) > order.iter().position(|e| *e == End::Open) {
        assert_eq!(ran, [2, 1, 2], "{order:?}");
    }
    ok!(aclrtFree(gate));
    ok!(aclrtFree(list));
}

#[test]
fn destroyed_by_force_in_every_order() {
    let _device = device();
    let ends = [End::Open, End::Recorder, End::Waiter, End::Event];
    for order in orders(&ends) {
        destroyed_in(&[&order[..], &[End::Context]].concat(), true);
    }
}

#[test]
fn destroyed_gently_in_every_order_after_the_gate_opens() {
    let _device = device();
    for order in orders(&[End::Recorder, End::Waiter, End::Event, End::Context]) {
        destroyed_in(&[&[End::Open], &order[..]].concat(), false);
    }
}
