//! Figures of this machine: `cargo test --release -p toprope-sim --test runtime -- --ignored --nocapture speed::`.
//! The recorded table and its targets are in `benches`.

use crate::support::*;
use std::time::Instant;
use toprope_abi::acl::*;

fn median_us(rounds: usize, mut body: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let begin = Instant::now();
            body();
            begin.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}

#[test]
#[ignore = "measures"]
fn launch_and_synchronize() {
    let _device = device();
    let s = stream();
    let f = function("nothing");
    for blocks in [1, 8, 48] {
        let us = median_us(2000, || {
            let null = std::ptr::null_mut;
            ok!(aclrtLaunchKernelWithHostArgs(f, blocks, s, null(), null().cast(), 0, null().cast(), 0));
            sync(s);
        });
        println!("launch + sync of {blocks} empty blocks: {us:.2} us");
    }
}

#[test]
#[ignore = "measures"]
fn copies_against_memcpy() {
    let _device = device();
    let s = stream();
    for shift in [12, 14, 16, 18, 20, 22, 24, 26, 28] {
        let bytes = 1usize << shift;
        let rounds = ((1usize << 30) / bytes).clamp(5, 2000);
        let (host, dev, other) = (malloc_host(bytes), malloc(bytes), malloc_host(bytes));
        ok!(aclrtMemset(host, bytes, 1, bytes));
        ok!(aclrtMemset(other, bytes, 1, bytes));
        ok!(aclrtMemset(dev, bytes, 1, bytes));
        let plain = median_us(rounds, || {
            // SAFETY: both blocks are that long and distinct.
            unsafe { std::ptr::copy_nonoverlapping(host.cast::<u8>(), other.cast::<u8>(), bytes) };
        });
        let copy = |dst, src, kind| {
            median_us(rounds, || {
                ok!(aclrtMemcpyAsync(dst, bytes, src, bytes, kind, s));
                sync(s);
            })
        };
        let up = copy(dev, host, MemcpyKind::HOST_TO_DEVICE);
        let down = copy(host, dev, MemcpyKind::DEVICE_TO_HOST);
        println!(
            "{bytes:>10} bytes: memcpy {plain:9.2} us, h2d {:.2} x, d2h {:.2} x",
            plain / up,
            plain / down
        );
        ok!(aclrtFree(dev));
        ok!(aclrtFreeHost(host));
        ok!(aclrtFreeHost(other));
    }
}

extern "C" fn no_op(_: *mut std::ffi::c_void) {}

#[test]
#[ignore = "measures"]
fn host_functions_and_events() {
    let _device = device();
    let (a, b) = (stream(), stream());
    let gate = malloc(4);
    for busy in [true, false] {
        put(gate, &[u32::from(!busy)]);
        run("hold", 1, a, &[gate as u64]);
        // In batches: a median of single calls would measure the clock, a mean the other processes of the machine.
        let batch = 100;
        let us = median_us(200, || {
            for _ in 0..batch {
                ok!(aclrtLaunchHostFunc(a, HostFunc(Some(no_op)), std::ptr::null_mut()));
            }
        });
        let how = if busy { "busy" } else { "idle" };
        println!("enqueue a host function on a stream that is {how}: {:.3} us", us / f64::from(batch));
        put(gate, &[1u32]);
        sync(a);
    }
    let us = median_us(5000, || {
        ok!(aclrtLaunchHostFunc(a, HostFunc(Some(no_op)), std::ptr::null_mut()));
        sync(a);
    });
    println!("host function + sync: {us:.2} us");
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEventExWithFlag(&raw mut event, EVENT_SYNC));
    let us = median_us(5000, || {
        ok!(aclrtRecordEvent(event, a));
        ok!(aclrtStreamWaitEvent(b, event));
        sync(b);
    });
    println!("record + wait in another stream + sync: {us:.2} us");
    let mut notify = NotifyHandle::NULL;
    ok!(aclrtCreateNotify(&raw mut notify, 0));
    let us = median_us(5000, || {
        ok!(aclrtWaitAndResetNotify(notify, b, 0));
        ok!(aclrtRecordNotify(notify, a));
        sync(b);
    });
    println!("notify: wait + record in another stream + sync: {us:.2} us");
}

#[test]
#[ignore = "measures"]
fn allocating_and_freeing() {
    let _device = device();
    for bytes in [64, 4096, 1 << 20, 64 << 20] {
        let mut at = std::ptr::null_mut();
        let us = median_us(200, || {
            for _ in 0..100 {
                ok!(aclrtMalloc(&raw mut at, bytes, MemMallocPolicy::HUGE_FIRST));
                ok!(aclrtFree(at));
            }
        });
        println!("malloc + free of {bytes} bytes: {:.3} us", us / 100.0);
    }
}
