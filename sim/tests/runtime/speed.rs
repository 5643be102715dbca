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
