//! Synchronisation that orders nothing: told on request, with what it costs; what is needed is never told.

use crate::harness::{Bench, KernelFn, silent};
use crate::kernel::*;
use toprope_abi::isa::{Op, Pipe};
use toprope_sim::npu::{CheckOptions, LaunchOutcome, NpuOptions};

const TILE_BYTES: u64 = 4096;

fn run(name: &str, hints: bool, kernel: KernelFn) -> LaunchOutcome {
    let checks = CheckOptions { auto_sync: false, hints, ..CheckOptions::default() };
    let bench = Bench::with_options(NpuOptions { threads: 2, checks, ..NpuOptions::default() });
    let (x, z) = (bench.upload(&vec![1.0; 16 << 10]), bench.upload(&vec![0.0; 16 << 10]));
    let mut outcome = bench.run(name, kernel, 2, &[("x", x), ("z", z)]);
    // What a compiler leaves of a branch is its own affair.
    outcome.findings.retain(|f| f.code != "TR0922");
    outcome
}

/// Loads a tile, adds it to itself, stores it; every tile has its own room in UB and GM.
fn tile(args: &[u64; 8], i: u64, between: impl Fn(u64)) {
    let (a, b) = (ub(2 * i * TILE_BYTES), ub((2 * i + 1) * TILE_BYTES));
    let at = u64::from(face(|c| c.block_idx)) * 8 * TILE_BYTES + i * TILE_BYTES;
    copy_in(a, args[0] + at, TILE_BYTES / 32);
    between(0);
    binary(Op::VaddF32, b, a, a, TILE_BYTES / 256);
    between(1);
    copy_out(args[1] + at, b, TILE_BYTES / 32);
    between(2);
}

#[inline(always)]
fn flags(i: u64, step: u64) {
    match step {
        0 => pair(Pipe::Mte2, Pipe::V, i % 8),
        1 => pair(Pipe::V, Pipe::Mte3, i % 8),
        _ => {}
    }
}

/// Inlined, so that every pair has calls of its own.
#[inline(always)]
fn pair(src: Pipe, dst: Pipe, id: u64) {
    set_flag(src, dst, id);
    wait_flag(src, dst, id);
}

/// The flags that are needed, and no others.
fn needed(args: &[u64; 8]) {
    (0..8).for_each(|i| tile(args, i, |step| flags(i, step)));
}

/// One buffer for all tiles: the ways back are needed too.
fn one_buffer(args: &[u64; 8]) {
    set_flag(Pipe::V, Pipe::Mte2, 1);
    set_flag(Pipe::Mte3, Pipe::V, 1);
    for i in 0..8 {
        wait_flag(Pipe::V, Pipe::Mte2, 1);
        copy_in(ub(0), args[0] + i * TILE_BYTES, TILE_BYTES / 32);
        pair(Pipe::Mte2, Pipe::V, 0);
        wait_flag(Pipe::Mte3, Pipe::V, 1);
        binary(Op::VaddF32, ub(TILE_BYTES), ub(0), ub(0), TILE_BYTES / 256);
        set_flag(Pipe::V, Pipe::Mte2, 1);
        pair(Pipe::V, Pipe::Mte3, 0);
        copy_out(
            args[1] + u64::from(face(|c| c.block_idx)) * 8 * TILE_BYTES + i * TILE_BYTES,
            ub(TILE_BYTES),
            TILE_BYTES / 32,
        );
        set_flag(Pipe::Mte3, Pipe::V, 1);
    }
    wait_flag(Pipe::V, Pipe::Mte2, 1);
    wait_flag(Pipe::Mte3, Pipe::V, 1);
}

/// Order through a third pipe: MTE3 knows of MTE2 by way of V alone.
fn by_way_of_v(args: &[u64; 8]) {
    for i in 0..8 {
        let at = u64::from(face(|c| c.block_idx)) * 8 * TILE_BYTES + i * TILE_BYTES;
        copy_in(ub(i * TILE_BYTES), args[0] + at, TILE_BYTES / 32);
        pair(Pipe::Mte2, Pipe::V, i);
        pair(Pipe::V, Pipe::Mte3, i);
        copy_out(args[1] + at, ub(i * TILE_BYTES), TILE_BYTES / 32);
    }
}

/// The scalar unit reads a result behind a barrier of all pipes.
fn scalar_reads(args: &[u64; 8]) {
    for i in 0..8 {
        copy_in(ub(i * TILE_BYTES), args[0] + i * TILE_BYTES, TILE_BYTES / 32);
        pair(Pipe::Mte2, Pipe::V, 0);
        binary(Op::VaddF32, ub(65536), ub(i * TILE_BYTES), ub(i * TILE_BYTES), 8);
        pair(Pipe::V, Pipe::S, 0);
        assert_eq!(get_value(ub(65536)), 2.0);
    }
}

/// Another core needs what the barrier orders.
fn for_others(args: &[u64; 8]) {
    needed(args);
    barrier(Pipe::All);
    cross_set(0, Pipe::Mte3, 1);
    cross_wait(1);
    tile(args, 0, |step| flags(0, step));
}

#[test]
fn what_is_needed_is_not_told() {
    for (name, kernel) in [
        ("needed", needed as KernelFn),
        ("one_buffer", one_buffer),
        ("by_way_of_v", by_way_of_v),
        ("scalar_reads", scalar_reads),
    ] {
        silent(&run(name, true, kernel));
    }
    let checks = CheckOptions { hints: true, ..CheckOptions::default() };
    let bench = Bench::with_options(NpuOptions { checks, ..NpuOptions::default() });
    let (x, z) = (bench.upload(&vec![1.0; 16 << 10]), bench.upload(&vec![0.0; 16 << 10]));
    let kernel_type = toprope_abi::core_face::KernelType::MixAiv1_0;
    let outcome = bench.run_type("for_others", for_others, kernel_type, 2, &[("x", x), ("z", z)]);
    assert!(
        outcome.findings.iter().all(|f| f.code == "TR0922" || !f.code.starts_with("TR092")),
        "{:?}",
        outcome.findings
    );
}

#[test]
fn what_orders_nothing_is_told() {
    fn useless_flag(args: &[u64; 8]) {
        for i in 0..8 {
            tile(args, i, |step| {
                flags(i, step);
                if step == 1 {
                    pair(Pipe::V, Pipe::Mte2, 0);
                }
            });
        }
    }
    fn useless_barrier(args: &[u64; 8]) {
        for i in 0..8 {
            tile(args, i, |step| {
                flags(i, step);
                if step == 2 {
                    barrier(Pipe::All);
                }
            });
        }
    }
    fn broad_barrier(args: &[u64; 8]) {
        for i in 0..8 {
            tile(args, i, |step| match step {
                1 => barrier(Pipe::All),
                _ => flags(i, step),
            });
        }
    }
    const BROAD: &str = "PipeBarrier<PIPE_ALL> stops all pipes, but orders only V before MTE3";
    for (name, kernel, code, title) in [
        ("useless_flag", useless_flag as KernelFn, "TR0920", "flag V_MTE2 orders nothing in this run"),
        ("useless_barrier", useless_barrier, "TR0920", "PipeBarrier<PIPE_ALL> orders nothing in this run"),
        ("broad_barrier", broad_barrier, "TR0921", BROAD),
    ] {
        let outcome = run(name, true, kernel);
        assert_eq!(outcome.failure, None);
        let told: Vec<(&str, &str)> = outcome.findings.iter().map(|f| (f.code, f.title.as_str())).collect();
        assert_eq!(told, [(code, title)], "{name}");
        let details = &outcome.findings[0].details;
        assert!(details[0].starts_with("ran 16 times; work stood still for it "), "{details:?}");
        silent(&run(name, false, kernel));
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn calls_that_did_not_run_are_told() {
    #[inline(never)]
    fn tail(args: &[u64; 8]) {
        copy_out(args[1], ub(0), 2);
    }
    fn kernel(args: &[u64; 8]) {
        copy_in(ub(0), args[0], 1);
        pair(Pipe::Mte2, Pipe::Mte3, 0);
        copy_out(args[1], ub(0), 1);
        for _ in 0..args[2] {
            barrier(Pipe::Mte3);
            tail(args);
        }
    }
    let checks = CheckOptions { hints: true, ..CheckOptions::default() };
    let bench = Bench::with_options(NpuOptions { checks, ..NpuOptions::default() });
    let (x, z) = (bench.upload(&[1.0; 64]), bench.upload(&[0.0; 64]));
    let told = |loops| {
        let outcome = bench.run("loops", kernel, 1, &[("x", x), ("z", z), ("loops", loops)]);
        assert_eq!(outcome.failure, None);
        outcome.findings.into_iter().find(|f| f.code == "TR0922").map(|f| (f.title, f.details))
    };
    let (title, details) = told(0).expect("the loop did not run");
    assert_eq!(title, "2 calls of this kernel did not run in this launch");
    let calls: Vec<&str> = details.iter().filter_map(|d| d.split(" at ").next()).collect();
    assert_eq!(calls, ["not run: copy_out", "not run: barrier"], "{details:?}");
    assert_eq!(told(1), None);
}
