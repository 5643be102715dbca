//! The clock against the figures of the cost model.

use crate::harness::Bench;
use crate::kernel::*;
use toprope_abi::isa::{Op, Pipe, Spr};

/// Cycles of one block running `kernel`, without the scalar cycles of issuing the `issued` instructions before the last one
/// starts.
fn cycles(kernel: crate::harness::KernelFn, params: &[(&str, u64)]) -> u64 {
    let outcome = Bench::new().run("timed", kernel, 1, params);
    assert_eq!(outcome.failure, None, "{:?}", outcome.findings);
    outcome.stats.cycles
}

#[test]
fn one_add_of_64_repeats_takes_88_cycles() {
    // 64 repeats + 24 (documented bank test), issued in cycle 1; the sources are not in the same bank group.
    let one = cycles(|_| binary(Op::VaddF32, ub(65536), ub(0), ub(32768 + 32), 64), &[]);
    assert_eq!(one, 1 + 88);
}

#[test]
fn sources_in_one_bank_group_double_the_work() {
    // 2 x 64 + 24: the documented test measured 154 = 2 x 64 + 26.
    let conflict = cycles(|_| binary(Op::VaddF32, ub(65536), ub(0), ub(32768), 64), &[]);
    assert_eq!(conflict, 1 + 152);
}

#[test]
fn a_run_pays_its_start_once_and_a_barrier_ends_it() {
    let run =
        cycles(|_| (0..10).for_each(|_| binary(Op::VaddF32, ub(65536), ub(0), ub(32768 + 32), 64)), &[]);
    assert_eq!(run, 1 + 640 + 24);
    let barred = cycles(
        |_| {
            for _ in 0..10 {
                binary(Op::VaddF32, ub(65536), ub(0), ub(32768 + 32), 64);
                barrier(Pipe::V);
            }
        },
        &[],
    );
    assert_eq!(barred, 1 + 10 * (88 + 1));
}

#[test]
fn other_classes() {
    let div = cycles(|_| binary(Op::VdivF32, ub(65536), ub(0), ub(32768 + 32), 64), &[]);
    assert_eq!(div, 1 + 2 * 64 + 31);
}

#[test]
fn copies_match_the_published_ones() {
    let bench = Bench::new();
    let x = bench.upload(&vec![0.0; 16384]);
    let copied = |kernel: crate::harness::KernelFn| {
        let outcome = bench.run("copy", kernel, 1, &[("x", x)]);
        assert_eq!(outcome.failure, None);
        outcome.stats.cycles - 1
    };
    assert_eq!(copied(|a| copy_in(ub(0), a[0], 2048)), 776);
    // Published: 519 and 392.
    assert_eq!(copied(|a| copy_in(ub(0), a[0], 1024)), 520);
    assert_eq!(copied(|a| copy_in(ub(0), a[0], 512)), 392);
    assert_eq!(copied(|a| (0..8).for_each(|i| copy_in(ub(i * 8192), a[0] + i * 8192, 256))), 2624);
    assert_eq!(copied(|a| (0..32).for_each(|i| copy_in(ub(i * 512), a[0] + i * 512, 16))), 8576);
}

#[test]
fn flags_carry_time() {
    // The add cannot start before the copy is done and the flag was passed on.
    let bench = Bench::new();
    let x = bench.upload(&vec![0.0; 16384]);
    let kernel = |a: &[u64; 8]| {
        copy_in(ub(0), a[0], 2048);
        set_flag(Pipe::Mte2, Pipe::V, 0);
        wait_flag(Pipe::Mte2, Pipe::V, 0);
        binary(Op::VaddF32, ub(65536), ub(0), ub(32768 + 32), 64);
    };
    let outcome = bench.run("flags", kernel, 1, &[("x", x)]);
    assert_eq!(outcome.stats.cycles, 1 + 776 + 1 + 1 + 88);
    let scalar = |a: &[u64; 8]| {
        copy_in(ub(0), a[0], 2048);
        set_flag(Pipe::Mte2, Pipe::S, 0);
        wait_flag(Pipe::Mte2, Pipe::S, 0);
        // 50 MHz counter at 1850 MHz: 37 cycles a tick; the copy took 778.
        print(&read_spr(Spr::SysCnt).to_string());
    };
    assert_eq!(bench.run("counter", scalar, 1, &[("x", x)]).printed, "21");
}

#[test]
fn waves_and_shared_bandwidth() {
    let bench = Bench::new();
    let x = bench.upload(&vec![0.0; 1 << 20]);
    let vector = |_: &[u64; 8]| binary(Op::VaddF32, ub(65536), ub(0), ub(32768 + 32), 64);
    let cycles = |blocks| bench.run("waves", vector, blocks, &[]).stats.cycles;
    assert_eq!((cycles(48), cycles(49), cycles(96)), (89, 178, 178));
    // 48 cores at 128 B/cycle are more than HBM gives: 48 x 64 KiB at 1.6 TB/s and 1850 MHz.
    let copy = |a: &[u64; 8]| copy_in(ub(0), a[0] + 65536 * (u64::from(face(|c| c.block_idx)) % 48), 2048);
    let shared = bench.run("shared", copy, 48, &[("x", x)]).stats.cycles;
    assert_eq!(shared, 3638);
}
