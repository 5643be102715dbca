//! Synchronisation that orders nothing: told on request, with what it costs; what is needed is never told.

use crate::harness::{Bench, KernelFn, silent};
use crate::kernel::*;
use toprope_abi::core_face::Annotation;
use toprope_abi::fwk::{HardEvent, TPosition};
use toprope_abi::isa::{Op, Pipe, Space};
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
        0 => pair(Pipe::Mte2, Pipe::V, i % 6),
        1 => pair(Pipe::V, Pipe::Mte3, i % 6),
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
        pair(Pipe::Mte2, Pipe::V, i % 6);
        pair(Pipe::V, Pipe::Mte3, i % 6);
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

const VECIN: u64 = (TPosition::Gm as u64) | (TPosition::VecIn as u64) << 8;
const ENQUE: u64 = 1 | (HardEvent::Mte2V as u64) << 8;

fn step(op: u64, start: u64) {
    note(Annotation::QueueOp, [Space::Ub as u64 | op << 8, start, TILE_BYTES, 7]);
}

/// Eight tiles through a queue of two buffers; `stop`: all pipes wait for each other behind every tile.
fn in_turn(args: &[u64; 8], stop: bool) {
    note(Annotation::Pipe, [0, 1, 0, 0]);
    let what = Space::Ub as u64 | VECIN << 16 | 2 << 32;
    note(Annotation::Reserved, [what, 0, TILE_BYTES, 7]);
    for i in 0..8 {
        let at = i % 2 * TILE_BYTES;
        step(0, at);
        if i > 1 {
            wait_flag(Pipe::V, Pipe::Mte2, i % 2);
        }
        copy_in(ub(at), args[0] + i * TILE_BYTES, TILE_BYTES / 32);
        set_flag(Pipe::Mte2, Pipe::V, 0);
        step(ENQUE, at);
        wait_flag(Pipe::Mte2, Pipe::V, 0);
        step(2, at);
        binary(Op::VaddF32, ub((2 + i) * TILE_BYTES), ub(at), ub(at), TILE_BYTES / 256);
        set_flag(Pipe::V, Pipe::Mte2, i % 2);
        step(3, at);
        if stop {
            barrier(Pipe::All);
        }
    }
    (0..2).for_each(|id| wait_flag(Pipe::V, Pipe::Mte2, id));
    note(Annotation::Pipe, [2, 1, 0, 0]);
}

#[test]
fn buffers_that_bring_nothing_are_told_with_what_they_could_win() {
    let of = |outcome: &LaunchOutcome| outcome.findings.iter().find(|f| f.code == "TR0923").cloned();
    assert!(of(&run("beside", true, |a| in_turn(a, false))).is_none(), "the pipes overlap");
    assert!(of(&run("in_turn", false, |a| in_turn(a, true))).is_none(), "not asked for");
    let told = of(&run("in_turn", true, |a| in_turn(a, true))).expect("the pipes take turns");
    assert!(told.title.contains("2 buffers of TQue<VECIN>"), "{}", told.title);
    assert!(told.details.iter().any(|d| d.contains("at most") && d.contains("% of the kernel")), "{told:?}");
}

/// Sets `count` ids from `first` on, then waits for them.
fn ids(args: &[u64; 8], first: u64, count: u64, with_pipe: bool) {
    if with_pipe {
        note(Annotation::Pipe, [0, 1, 0, 0]);
    }
    for id in first..first + count {
        copy_in(ub(id * TILE_BYTES), args[0], TILE_BYTES / 32);
        set_flag(Pipe::Mte2, Pipe::V, id);
    }
    for id in first..first + count {
        wait_flag(Pipe::Mte2, Pipe::V, id);
        binary(Op::VaddF32, ub((8 + id) * TILE_BYTES), ub(id * TILE_BYTES), ub(id * TILE_BYTES), 16);
    }
    if with_pipe {
        note(Annotation::Pipe, [2, 1, 0, 0]);
    }
}

#[test]
fn ids_that_run_out_or_are_others_are_told() {
    let codes = |kernel: KernelFn| {
        let found = run("ids", true, kernel).findings;
        found.iter().map(|f| f.code).filter(|c| c.starts_with("TR051")).collect::<Vec<_>>()
    };
    assert_eq!(codes(|a| ids(a, 0, 7, true)), ["TR0510"]);
    assert_eq!(codes(|a| ids(a, 0, 6, false)), [""; 0]);
    assert_eq!(codes(|a| ids(a, 2, 5, true)), [""; 0], "id 6 came from the TPipe");
    assert_eq!(codes(|a| ids(a, 2, 5, false)), ["TR0511"]);
}
