//! Figures for the benches' table; `cargo test --release -p toprope-sim --test npu -- --ignored --nocapture bench`.

use crate::harness::Bench;
use crate::kernel::*;
use std::time::Instant;
use toprope_abi::isa::{Op, Pipe};

fn per_launch(bench: &Bench, blocks: u32, launches: usize) -> f64 {
    bench.run_helping(100, |_| {}, blocks);
    let start = Instant::now();
    bench.run_helping(launches, |_| {}, blocks);
    start.elapsed().as_secs_f64() * 1e6 / launches as f64
}

#[test]
#[ignore = "a measurement"]
fn bench_engine() {
    for limit in [false, true, false] {
        let mut bench = Bench::new();
        if !limit {
            bench.time_limit = None;
        }
        for blocks in [1, 48] {
            println!(
                "empty launch, {blocks} blocks, limit {limit}: {:.2} us",
                per_launch(&bench, blocks, 2000)
            );
        }
        let start = Instant::now();
        for _ in 0..1000 {
            bench.run("empty", |_| {}, 1, &[]);
        }
        println!("empty launch through a channel: {:.2} us", start.elapsed().as_secs_f64() * 1e3);
    }
    let bench = Bench::with_threads(1);
    let x = bench.upload(&[0.0; 1024]);
    let timed = |name: &str, kernel: crate::harness::KernelFn| {
        bench.run(name, kernel, 1, &[("x", x)]);
        let start = Instant::now();
        bench.run(name, kernel, 1, &[("x", x)]);
        println!("{name}: {:.1} ns", start.elapsed().as_secs_f64() * 1e9 / 1e6);
    };
    timed("add of 64 floats", |_| {
        (0..1_000_000).for_each(|_| binary(Op::VaddF32, ub(512), ub(0), ub(256), 1))
    });
    timed("copy of 32 bytes", |a| (0..1_000_000).for_each(|_| copy_in(ub(0), a[0], 1)));
    timed("copy of 4 KiB", |a| (0..1_000_000).for_each(|_| copy_in(ub(0), a[0], 128)));
    timed("barrier", |_| (0..1_000_000).for_each(|_| barrier(Pipe::V)));
    timed("set and wait", |_| {
        (0..1_000_000).for_each(|_| {
            set_flag(Pipe::Mte2, Pipe::V, 0);
            wait_flag(Pipe::Mte2, Pipe::V, 0);
        });
    });
    timed("mask", |_| (0..1_000_000).for_each(|_| issue(Op::Movemask, [0, u64::MAX, 0, 0])));
}
