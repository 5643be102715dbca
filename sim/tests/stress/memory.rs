//! Memory: a million tasks need no more of it than a thousand.

use crate::support::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};
use toprope_abi::acl::*;

/// The system's allocator, with the highest level noted.
pub struct Counting;

static LIVE: AtomicU64 = AtomicU64::new(0);
static HIGHEST: AtomicU64 = AtomicU64::new(0);

// SAFETY: hands everything to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size() as u64, Ordering::Relaxed) + layout.size() as u64;
        HIGHEST.fetch_max(live, Ordering::Relaxed);
        // SAFETY: the caller's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as u64, Ordering::Relaxed);
        // SAFETY: the caller's contract.
        unsafe { System.dealloc(at, layout) }
    }
}

/// How far memory rose above the level at the start while `body` ran.
fn rise(body: impl FnOnce()) -> u64 {
    let before = LIVE.load(Ordering::Relaxed);
    HIGHEST.store(before, Ordering::Relaxed);
    body();
    HIGHEST.load(Ordering::Relaxed) - before
}

/// Kernels, copies, records and fills, without a synchronisation in between.
fn fill(s: StreamHandle, tasks: usize) {
    let (host, dev) = (malloc_host(64), malloc(64));
    let (word, nothing, add_one) = (malloc(4), function("nothing"), function("add_one"));
    put(word, &[0u32]);
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    let null = std::ptr::null_mut;
    let mut args = [word as u64, 1];
    for task in 0..tasks {
        match task % 8 {
            0 => {
                let (at, bytes) = (args.as_mut_ptr().cast(), size_of_val(&args));
                ok!(aclrtLaunchKernelWithHostArgs(add_one, 1, s, null(), at, bytes, null().cast(), 0));
            }
            1 | 2 => {
                ok!(aclrtLaunchKernelWithHostArgs(nothing, 1, s, null(), null().cast(), 0, null().cast(), 0))
            }
            3 => ok!(aclrtMemcpyAsync(dev, 64, host, 64, MemcpyKind::HOST_TO_DEVICE, s)),
            4 => ok!(aclrtMemcpyAsync(host, 64, dev, 64, MemcpyKind::DEVICE_TO_HOST, s)),
            5 => ok!(aclrtMemsetAsync(dev, 64, 1, 64, s)),
            6 => ok!(aclrtRecordEvent(event, s)),
            _ => ok!(aclrtStreamWaitEvent(s, event)),
        }
    }
    sync(s);
    assert_eq!(take::<u32>(word, 1), [tasks.div_ceil(8) as u32], "every task ran");
    ok!(aclrtDestroyEvent(event));
    ok!(aclrtFree(dev));
    ok!(aclrtFree(word));
    ok!(aclrtFreeHost(host));
}

/// More than a full stream needs: 4096 unfinished tasks of about 1.2 KiB, and what is on its way. A million of the
/// smallest tasks without an end to the queue took 72 MB.
const FULL_STREAM_BYTES: u64 = 16 << 20;

#[test]
fn a_million_tasks_in_one_stream_do_not_grow_memory() {
    let _device = device();
    let s = stream();
    fill(s, 40_000);
    // The queue keeps the room it had when it was full (2 MB); one word per task would be 8 MB. A thread that runs its first block
    // meanwhile makes room for a core and what is followed of it (10 MB), which counts for neither: then once more.
    let mut tries = (0..4).map(|_| {
        let before = LIVE.load(Ordering::Relaxed);
        let highest = rise(|| fill(s, 1_000_000));
        (highest, LIVE.load(Ordering::Relaxed).saturating_sub(before))
    });
    let fits = |(highest, kept): (u64, u64)| {
        println!("a million tasks took up to {highest} bytes at once, {kept} are kept");
        highest < FULL_STREAM_BYTES && kept < 4 << 20
    };
    assert!(tries.any(fits), "something is kept per task, or the queue has no end");
}

#[test]
fn streams_events_and_contexts_leave_nothing_behind() {
    let _device = device();
    let round = || {
        for _ in 0..200 {
            let s = stream();
            let mut event = EventHandle::NULL;
            ok!(aclrtCreateEvent(&raw mut event));
            run("nothing", 1, s, &[]);
            ok!(aclrtRecordEvent(event, s));
            ok!(aclrtStreamWaitEvent(s, event));
            ok!(aclrtDestroyEvent(event));
            ok!(aclrtDestroyStream(s));
        }
    };
    round();
    let before = LIVE.load(Ordering::Relaxed);
    for _ in 0..20 {
        round();
    }
    let after = LIVE.load(Ordering::Relaxed);
    assert!(after < before + (256 << 10), "{before} bytes before, {after} after 4,000 streams and events");
}

#[test]
fn a_held_stream_takes_more_than_it_has_room_for() {
    let _device = device();
    let s = stream();
    let (gate, word) = (malloc(4), malloc(4));
    put(gate, &[0u32]);
    put(word, &[0u32]);
    run("hold", 1, s, &[gate as u64]);
    // The host opens the gate after the last one, so none of them may wait for ever.
    for _ in 0..10_000 {
        run("add_one", 1, s, &[word as u64, 1]);
    }
    put(gate, &[1u32]);
    sync(s);
    assert_eq!(take::<u32>(word, 1), [10_000]);
}
