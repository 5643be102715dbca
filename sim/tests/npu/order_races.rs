//! Races on local memories: what must be reported, how, and the twin that is in order.

use crate::harness::{Bench, KernelFn, golden, silent};
use crate::kernel::*;
use toprope_abi::isa::{Op, Pipe};
use toprope_sim::npu::{CheckOptions, LaunchOutcome, NpuOptions};

fn bench(auto_sync: bool) -> Bench {
    let checks = CheckOptions { auto_sync, ..CheckOptions::default() };
    Bench::with_options(NpuOptions { threads: 1, checks, ..NpuOptions::default() })
}

fn run(auto_sync: bool, name: &str, kernel: KernelFn) -> LaunchOutcome {
    let bench = bench(auto_sync);
    let (gx, gz) = (bench.upload(&[1.0; 4096]), bench.upload(&[0.0; 4096]));
    bench.run(name, kernel, 1, &[("x", gx), ("z", gz)])
}

fn pass(from: Pipe, to: Pipe) {
    set_flag(from, to, 0);
    wait_flag(from, to, 0);
}

/// A loop over tiles: Q is filled, P computed from it and stored; `back` are the edges back that are there.
fn tiles(args: &[u64; 8], q_back: bool, p_back: bool) {
    const Q: u64 = 0;
    const P: u64 = 256;
    let edges = [(q_back, Pipe::V, Pipe::Mte2), (p_back, Pipe::Mte3, Pipe::V)];
    let each = |f: &dyn Fn(Pipe, Pipe)| edges.iter().filter(|e| e.0).for_each(|e| f(e.1, e.2));
    each(&|a, b| set_flag(a, b, 1));
    for i in 0..8 {
        if q_back {
            wait_flag(Pipe::V, Pipe::Mte2, 1);
        }
        copy_in(ub(Q), args[0] + 256 * i, 8);
        pass(Pipe::Mte2, Pipe::V);
        if p_back {
            wait_flag(Pipe::Mte3, Pipe::V, 1);
        }
        binary(Op::VaddF32, ub(P), ub(Q), ub(Q), 1);
        pass(Pipe::V, Pipe::Mte3);
        if q_back {
            set_flag(Pipe::V, Pipe::Mte2, 1);
        }
        copy_out(args[1] + 256 * i, ub(P), 8);
        if p_back {
            set_flag(Pipe::Mte3, Pipe::V, 1);
        }
    }
    each(&|a, b| wait_flag(a, b, 1));
}

#[test]
fn each_missing_edge_is_one_finding() {
    for (q, p, name, kernel) in [
        (true, true, "", (|a| tiles(a, true, true)) as KernelFn),
        (false, true, "race_one_edge", |a| tiles(a, false, true)),
        (true, false, "race_other_edge", |a| tiles(a, true, false)),
        (false, false, "race_both_edges", |a| tiles(a, false, false)),
    ] {
        let outcome = run(true, name, kernel);
        assert_eq!(outcome.findings.len(), usize::from(!q) + usize::from(!p), "{:?}", outcome.findings);
        assert!(outcome.findings.iter().all(|f| f.code == "TR0403" && f.count == 7));
        if !name.is_empty() {
            golden(name, &outcome);
        }
    }
}

/// A tile is loaded over one that V has read, and one over what MTE3 has read, for which V has waited since.
fn two_buffers_again(args: &[u64; 8], ordered: bool) {
    copy_in(ub(0), args[0], 8);
    pass(Pipe::Mte2, Pipe::V);
    binary(Op::VaddF32, ub(512), ub(0), ub(0), 1);
    pass(Pipe::V, Pipe::Mte3);
    copy_out(args[1], ub(512), 8);
    pass(Pipe::Mte3, Pipe::V);
    if ordered {
        pass(Pipe::V, Pipe::Mte2);
    }
    copy_in(ub(0), args[0] + 256, 8);
    copy_in(ub(512), args[0] + 512, 8);
    barrier(Pipe::All);
}

/// A flag right behind what V read would not have told of MTE3, so the second conflict is not hidden by the first.
#[test]
fn a_conflict_does_not_hide_one_that_its_flag_would_leave() {
    silent(&run(false, "two", |a| two_buffers_again(a, true)));
    let outcome = run(false, "two", |a| two_buffers_again(a, false));
    let pipes: Vec<_> = outcome.findings.iter().map(|f| (f.code, f.sides[0].pipe, f.sides[1].pipe)).collect();
    assert_eq!(pipes, [("TR0403", "V", "MTE2"), ("TR0403", "MTE3", "MTE2")]);
}

#[test]
fn what_the_compiler_orders_depends_on_the_option() {
    fn vector_chain(args: &[u64; 8]) {
        copy_in(ub(0), args[0], 8);
        pass(Pipe::Mte2, Pipe::V);
        binary(Op::VaddF32, ub(256), ub(0), ub(0), 1);
        binary(Op::VaddF32, ub(512), ub(256), ub(0), 1);
    }
    fn scalar_chain(args: &[u64; 8]) {
        copy_in(ub(0), args[0], 8);
        pass(Pipe::Mte2, Pipe::V);
        binary(Op::VaddF32, ub(256), ub(0), ub(0), 1);
        barrier(Pipe::V);
        let first = get_value(ub(256));
        set_value(ub(512), first);
        binary(Op::VaddF32, ub(768), ub(512), ub(512), 1);
    }
    for (name, kernel, count) in
        [("race_vector_chain", vector_chain as KernelFn, 1), ("race_scalar_chain", scalar_chain, 2)]
    {
        silent(&run(true, name, kernel));
        let outcome = run(false, name, kernel);
        assert_eq!(outcome.findings.len(), count);
        golden(name, &outcome);
    }
}

#[test]
fn written_out_order_is_enough_without_the_compiler() {
    silent(&run(false, "written_out", |args| {
        copy_in(ub(0), args[0], 8);
        pass(Pipe::Mte2, Pipe::V);
        binary(Op::VaddF32, ub(256), ub(0), ub(0), 1);
        barrier(Pipe::V);
        binary(Op::VaddF32, ub(512), ub(256), ub(0), 1);
        pass(Pipe::V, Pipe::S);
        let first = get_value(ub(512));
        set_value(ub(1024), first);
        pass(Pipe::S, Pipe::V);
        (0..8).for_each(|i| set_value(ub(2048 + 4 * i), first));
        pass(Pipe::S, Pipe::V);
        barrier(Pipe::V);
        binary(Op::VaddF32, ub(768), ub(1024), ub(1024), 1);
        pass(Pipe::S, Pipe::Mte3);
        copy_out(args[1], ub(2048), 1);
    }));
}

#[test]
fn a_copy_that_waits_races_with_what_the_program_does_behind_it() {
    // In the order of the program the copy is first; here it runs last.
    let outcome = run(false, "race_queued", |args| {
        wait_flag(Pipe::Mte3, Pipe::Mte2, 0);
        copy_in(ub(0), args[0], 8);
        set_value(ub(64), 1.0);
        set_flag(Pipe::Mte3, Pipe::Mte2, 0);
    });
    assert_eq!(outcome.findings.len(), 1);
    assert_eq!(outcome.findings[0].code, "TR0404");
    golden("race_queued", &outcome);
}

#[test]
fn neighbours_in_one_block_are_no_conflict() {
    silent(&run(false, "neighbours", |args| {
        // Elements 0 to 3 by V, 4 to 7 by the scalar unit, the next block by a copy.
        issue(Op::Movemask, [0, 0xf, 0, 0]);
        issue(Op::Movemask, [1, 0, 0, 0]);
        copy_in(ub(64), args[0], 1);
        binary(Op::VaddF32, ub(0), ub(128), ub(128), 1);
        (4..8).for_each(|i| set_value(ub(4 * i), 1.0));
        issue(Op::Movemask, [0, u64::MAX, 0, 0]);
        issue(Op::Movemask, [1, u64::MAX, 0, 0]);
    }));
}

#[test]
fn nothing_is_compared_without_checks() {
    let checks = CheckOptions { on: false, ..CheckOptions::default() };
    let bench = Bench::with_options(NpuOptions { threads: 1, checks, ..NpuOptions::default() });
    let (gx, gz) = (bench.upload(&[1.0; 4096]), bench.upload(&[0.0; 4096]));
    silent(&bench.run("unchecked", |a| tiles(a, false, false), 1, &[("x", gx), ("z", gz)]));
}
