//! Many streams, many threads: no task is lost or overtakes another one of its stream.

use crate::support::*;
use std::sync::atomic::{AtomicU32, Ordering};
use toprope_abi::acl::*;

/// Documented limit, default stream included.
const STREAMS: usize = 1984;

#[test]
fn every_one_of_1984_streams_works_and_the_next_is_refused() {
    let _device = device();
    let streams: Vec<StreamHandle> = (1..STREAMS).map(|_| stream()).collect();
    let mut one_more = StreamHandle::NULL;
    let text = fails!(207_008, aclrtCreateStream(&raw mut one_more));
    assert!(text.contains("1984"), "{text}");
    let cells = malloc(8 * STREAMS);
    put(cells, &vec![1u64; STREAMS]);
    let gate = malloc(4);
    put(gate, &[0u32]);
    let cell = |i: usize| cells as u64 + 8 * i as u64;
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    // The first waits for the host, every other one for the first.
    run("hold", 1, DEFAULT, &[gate as u64]);
    ok!(aclrtRecordEvent(event, DEFAULT));
    for (i, s) in streams.iter().enumerate() {
        ok!(aclrtStreamWaitEvent(*s, event));
        for k in 0..3 {
            run("combine", 1, *s, &[cell(i), cell(STREAMS - 1), i as u64 + k]);
        }
    }
    assert_eq!(take::<u64>(cells, STREAMS), vec![1; STREAMS], "nobody has passed the wait");
    put(gate, &[1u32]);
    ok!(aclrtSynchronizeDevice());
    let wanted: Vec<u64> = (0..STREAMS as u64)
        .map(|i| if i == STREAMS as u64 - 1 { 1 } else { (0..3).fold(1, |cell, k| mix(cell, 1, i + k)) })
        .collect();
    assert_eq!(take::<u64>(cells, STREAMS), wanted);
    // One goes, one comes.
    ok!(aclrtDestroyStream(streams[77]));
    ok!(aclrtCreateStream(&raw mut one_more));
    fails!(207_008, aclrtCreateStream(&raw mut one_more));
}

const THREADS: u64 = 8;
const CALLS: u64 = 100_000;

/// A thread's own stream: a chain of kernels, copies and waits whose result tells the order.
fn own_stream(thread: u64, context: ContextHandle) {
    ok!(aclrtSetCurrentContext(context));
    let s = stream();
    let (cell, shadow, back) = (malloc(8), malloc(8), malloc_host(8));
    put(cell, &[thread]);
    put(shadow, &[0u64]);
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    ok!(aclrtRecordEvent(event, s));
    let combine = function("combine");
    let null = std::ptr::null_mut;
    let (mut value, mut copy) = (thread, 0);
    let mut random = 0x9e37_79b9_7f4a_7c15 ^ thread;
    for call in 0..CALLS {
        random = mix(random, call, thread);
        match random % 8 {
            0 | 1 => {
                let mut args = [cell as u64, shadow as u64, call];
                let (at, bytes) = (args.as_mut_ptr().cast(), size_of_val(&args));
                ok!(aclrtLaunchKernelWithHostArgs(combine, 1, s, null(), at, bytes, null().cast(), 0));
                value = mix(value, copy, call);
            }
            2 | 3 => {
                ok!(aclrtMemcpyAsync(shadow, 8, cell, 8, MemcpyKind::DEVICE_TO_DEVICE, s));
                copy = value;
            }
            4 => {
                ok!(aclrtMemsetAsync(shadow, 8, call as i32, 8, s));
                copy = u64::from_ne_bytes([call.to_le_bytes()[0]; 8]);
            }
            5 => ok!(aclrtRecordEvent(event, s)),
            6 => ok!(aclrtStreamWaitEvent(s, event)),
            _ => {
                let mut status = StreamStatus(77);
                ok!(aclrtStreamQuery(s, &raw mut status));
            }
        }
        if call % 20_011 == 0 {
            ok!(aclrtMemcpyAsync(back, 8, cell, 8, MemcpyKind::DEVICE_TO_HOST, s));
            sync(s);
            // SAFETY: the copy is done.
            assert_eq!(unsafe { back.cast::<u64>().read() }, value, "thread {thread}, call {call}");
        }
    }
    sync(s);
    assert_eq!(take::<u64>(cell, 1), [value], "thread {thread}");
    ok!(aclrtDestroyStream(s));
}

#[test]
fn eight_threads_with_100_000_calls_each_lose_and_reorder_nothing() {
    let _device = device();
    let mut context = ContextHandle::NULL;
    ok!(aclrtGetCurrentContext(&raw mut context));
    let context = context.0 as usize;
    binary();
    std::thread::scope(|threads| {
        for thread in 0..THREADS {
            threads.spawn(move || own_stream(thread, ContextHandle(context as *mut _)));
        }
    });
}

/// All threads share three streams; what a thread enqueued stays in its order.
#[test]
fn threads_that_share_streams_keep_their_own_order() {
    const EACH: u32 = 2000;
    let _device = device();
    let mut context = ContextHandle::NULL;
    ok!(aclrtGetCurrentContext(&raw mut context));
    let (context, streams) = (context.0 as usize, [0; 3].map(|_| stream().0 as usize));
    let lists = streams.map(|_| malloc(4 * (1 + EACH as usize * THREADS as usize)) as usize);
    for list in lists {
        put(list as *mut _, &[0u32]);
    }
    let sent: [AtomicU32; 3] = Default::default();
    std::thread::scope(|threads| {
        for thread in 0..THREADS as u32 {
            let sent = &sent;
            threads.spawn(move || {
                ok!(aclrtSetCurrentContext(ContextHandle(context as *mut _)));
                for number in 0..EACH {
                    let at = (number + thread) as usize % 3;
                    let args = [lists[at] as u64, u64::from(thread << 16 | number)];
                    run("append", 1, StreamHandle(streams[at] as *mut _), &args);
                    sent[at].fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    ok!(aclrtSynchronizeDevice());
    for (list, sent) in lists.into_iter().zip(sent) {
        let sent = sent.into_inner();
        let list = take::<u32>(list as *const _, 1 + sent as usize);
        assert_eq!(list[0], sent, "none lost");
        for thread in 0..THREADS as u32 {
            let mine: Vec<u32> = list[1..].iter().copied().filter(|n| n >> 16 == thread).collect();
            assert!(mine.is_sorted() && mine.windows(2).all(|w| w[0] != w[1]), "thread {thread}");
        }
    }
}
