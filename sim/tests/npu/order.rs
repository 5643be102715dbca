//! What runs when: data through pipes, flags, queued instructions, blocks over threads.

use crate::harness::{Bench, golden, silent};
use crate::kernel::*;
use toprope_abi::isa::{Op, Pipe};

const TILE: u64 = 64;

/// `z = x + y`, one tile of 64 floats per block.
pub fn add(args: &[u64; 8]) {
    let offset = u64::from(face(|c| c.block_idx)) * TILE * 4;
    copy_in(ub(0), args[0] + offset, TILE * 4 / 32);
    copy_in(ub(256), args[1] + offset, TILE * 4 / 32);
    set_flag(Pipe::Mte2, Pipe::V, 0);
    wait_flag(Pipe::Mte2, Pipe::V, 0);
    binary(Op::VaddF32, ub(512), ub(0), ub(256), 1);
    set_flag(Pipe::V, Pipe::Mte3, 0);
    wait_flag(Pipe::V, Pipe::Mte3, 0);
    copy_out(args[2] + offset, ub(512), TILE * 4 / 32);
}

/// The same, issued so that every pipe but MTE2 first waits: it has to queue and still give the same result.
pub fn add_queued(args: &[u64; 8]) {
    let offset = u64::from(face(|c| c.block_idx)) * TILE * 4;
    wait_flag(Pipe::V, Pipe::Mte3, 0);
    copy_out(args[2] + offset, ub(512), TILE * 4 / 32);
    set_flag(Pipe::Mte3, Pipe::S, 5);
    wait_flag(Pipe::Mte2, Pipe::V, 0);
    binary(Op::VaddF32, ub(512), ub(0), ub(256), 1);
    set_flag(Pipe::V, Pipe::Mte3, 0);
    copy_in(ub(0), args[0] + offset, TILE * 4 / 32);
    copy_in(ub(256), args[1] + offset, TILE * 4 / 32);
    set_flag(Pipe::Mte2, Pipe::V, 0);
    wait_flag(Pipe::Mte3, Pipe::S, 5);
}

fn data(n: usize) -> (Vec<f32>, Vec<f32>) {
    ((0..n).map(|i| i as f32 * 0.5).collect(), (0..n).map(|i| 1000.0 - i as f32).collect())
}

fn check_add(kernel: crate::harness::KernelFn, blocks: u32) {
    let n = blocks as usize * TILE as usize;
    let bench = Bench::new();
    let (x, y) = data(n);
    let (gx, gy, gz) = (bench.upload(&x), bench.upload(&y), bench.upload(&vec![0.0; n]));
    let outcome = bench.run("add", kernel, blocks, &[("x", gx), ("y", gy), ("z", gz)]);
    silent(&outcome);
    let expected: Vec<f32> = x.iter().zip(&y).map(|(a, b)| a + b).collect();
    assert_eq!(bench.download(gz, n), expected);
    assert_eq!(outcome.stats.instructions[Pipe::V as usize], 3 * u64::from(blocks));
    assert_eq!(outcome.stats.gm_read_bytes, 2 * 4 * n as u64);
    assert_eq!(outcome.stats.gm_write_bytes, 4 * n as u64);
}

#[test]
fn a_kernel_computes() {
    check_add(add, 1);
    check_add(add, 100);
}

#[test]
fn queued_instructions_run_when_their_flag_comes() {
    check_add(add_queued, 3);
}

#[test]
fn registers_are_those_of_the_issue() {
    // The add waits in its pipe while the mask is changed; it must still use the mask it was issued with.
    fn kernel(args: &[u64; 8]) {
        copy_in(ub(0), args[0], 8);
        barrier(Pipe::All);
        wait_flag(Pipe::Mte2, Pipe::V, 0);
        issue(Op::Movemask, [0, 0xff, 0, 0]);
        issue(Op::Movemask, [1, 0, 0, 0]);
        binary(Op::VaddF32, ub(256), ub(0), ub(0), 1);
        issue(Op::Movemask, [0, u64::MAX, 0, 0]);
        issue(Op::Movemask, [1, u64::MAX, 0, 0]);
        copy_in(ub(256), args[0], 8);
        set_flag(Pipe::Mte2, Pipe::V, 0);
        set_flag(Pipe::V, Pipe::Mte3, 0);
        wait_flag(Pipe::V, Pipe::Mte3, 0);
        copy_out(args[1], ub(256), 8);
    }
    let bench = Bench::new();
    let (x, _) = data(64);
    let (gx, gz) = (bench.upload(&x), bench.upload(&vec![0.0; 64]));
    silent(&bench.run("masked", kernel, 1, &[("x", gx), ("z", gz)]));
    let z = bench.download(gz, 64);
    let expected: Vec<f32> = (0..64).map(|i| if i < 8 { x[i] * 2.0 } else { x[i] }).collect();
    assert_eq!(z, expected);
}

#[test]
fn threads_change_nothing() {
    // Blocks of different length, some findings, device output: all of it the same for every number of threads.
    fn kernel(args: &[u64; 8]) {
        let block = u64::from(face(|c| c.block_idx));
        for i in 0..1 + block % 5 {
            copy_in(ub(256 * i), args[0] + 256 * (block % 7), 8);
            binary(Op::VaddF32, ub(256 * i), ub(256 * i), ub(256 * i), 1);
        }
        if block % 11 == 3 {
            set_flag(Pipe::V, Pipe::Mte3, block % 8);
        }
        print(&format!("block {block}\n"));
        if block == 60 || block == 63 {
            copy_in(ub(0), args[0] + (1 << 20), 8);
        }
    }
    let mut seen = Vec::new();
    for threads in [1, 2, 8] {
        let bench = Bench::with_threads(threads);
        let gx = bench.upload(&vec![1.0; 1024]);
        let outcome = bench.run("mixed", kernel, 96, &[("x", gx)]);
        assert_eq!(outcome.failure, Some(toprope_sim::npu::LaunchFailure::Exception));
        assert!(outcome.printed.ends_with("block 60\n"), "{}", outcome.printed);
        let text = crate::harness::normalised(&outcome);
        assert!(text.contains("found 6 times"), "{text}");
        seen.push((text, outcome.printed, outcome.stats.cycles, outcome.stats.instructions));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

#[test]
fn several_launches_are_in_flight() {
    let bench = Bench::new();
    std::thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| (0..20).for_each(|_| silent(&bench.run("empty", |_| {}, 48, &[]))));
        }
    });
}

#[test]
fn mixed_kernels_run_on_both_kinds_of_core() {
    use toprope_abi::core_face::KernelType;
    fn kernel(_: &[u64; 8]) {
        let (kind, block, sub) = face(|c| (c.kind, c.block_idx, (c.sub_block_idx, c.sub_block_num)));
        print(&format!("{kind}:{block}.{}/{} ", sub.0, sub.1));
    }
    let bench = Bench::new();
    let run = |kernel_type| bench.run_type("mix", kernel, kernel_type, 2, &[]).printed;
    assert_eq!(run(KernelType::MixAic1_2), "1:0.0/2 2:0.0/2 2:0.1/2 1:1.0/2 2:1.0/2 2:1.1/2 ");
    assert_eq!(run(KernelType::MixAic1_1), "1:0.0/1 2:0.0/1 1:1.0/1 2:1.0/1 ");
    assert_eq!(run(KernelType::AicOnly), "1:0.0/1 1:1.0/1 ");
}

#[test]
fn a_wait_nobody_answers_hangs() {
    fn end_of_kernel(args: &[u64; 8]) {
        wait_flag(Pipe::Mte2, Pipe::V, 3);
        binary(Op::VaddF32, ub(512), ub(0), ub(256), 1);
        set_flag(Pipe::V, Pipe::Mte3, 0);
        wait_flag(Pipe::V, Pipe::Mte3, 0);
        copy_out(args[0], ub(512), 8);
        copy_in(ub(1024), args[0] + 256, 8);
        set_flag(Pipe::Mte2, Pipe::V, 2);
    }
    fn barrier_all(_: &[u64; 8]) {
        wait_flag(Pipe::Mte2, Pipe::V, 0);
        barrier(Pipe::All);
    }
    fn scalar(_: &[u64; 8]) {
        wait_flag(Pipe::V, Pipe::S, 1);
    }
    fn primed(args: &[u64; 8]) {
        copy_in(ub(0), args[0], 8);
        copy_in(ub(256), args[0], 8);
        set_flag(Pipe::Mte2, Pipe::V, 3);
        end_of_kernel(args);
        wait_flag(Pipe::Mte2, Pipe::V, 2);
    }
    let bench = Bench::new();
    let gx = bench.upload(&[0.0; 128]);
    for (name, kernel) in [
        ("hang_end", end_of_kernel as crate::harness::KernelFn),
        ("hang_barrier", barrier_all),
        ("hang_scalar", scalar),
    ] {
        let outcome = bench.run(name, kernel, 2, &[("x", gx)]);
        assert_eq!(outcome.failure, Some(toprope_sim::npu::LaunchFailure::Timeout));
        golden(name, &outcome);
    }
    silent(&bench.run("primed", primed, 1, &[("x", gx)]));
}

#[test]
fn flags_are_bits_not_counters() {
    fn twice(_: &[u64; 8]) {
        set_flag(Pipe::Mte2, Pipe::V, 0);
        set_flag(Pipe::Mte2, Pipe::V, 0);
        wait_flag(Pipe::Mte2, Pipe::V, 0);
    }
    fn alternating(_: &[u64; 8]) {
        for id in [0, 0, 1] {
            set_flag(Pipe::Mte2, Pipe::V, id);
            set_flag(Pipe::V, Pipe::Mte2, id);
            wait_flag(Pipe::Mte2, Pipe::V, id);
            wait_flag(Pipe::V, Pipe::Mte2, id);
        }
    }
    let bench = Bench::new();
    let outcome = bench.run("twice", twice, 3, &[]);
    assert_eq!(outcome.failure, None, "the results are still those of the program order");
    golden("flag_twice", &outcome);
    silent(&bench.run("alternating", alternating, 3, &[]));
}

#[test]
fn what_is_left_behind_is_reported() {
    fn dirty(_: &[u64; 8]) {
        set_flag(Pipe::V, Pipe::Mte3, 7);
        issue(Op::Sbitset1, [56, 0, 0, 0]);
        issue(Op::Sbitset1, [6, 0, 0, 0]);
    }
    fn clean(args: &[u64; 8]) {
        dirty(args);
        wait_flag(Pipe::V, Pipe::Mte3, 7);
        issue(Op::Sbitset0, [56, 0, 0, 0]);
        issue(Op::Sbitset0, [6, 0, 0, 0]);
    }
    let bench = Bench::new();
    golden("left_behind", &bench.run("dirty", dirty, 1, &[]));
    silent(&bench.run("clean", clean, 1, &[]));
}

#[test]
fn the_cause_of_a_hang_comes_first() {
    // V waits for MTE2, MTE2 for MTE3, MTE3 for a flag nobody sets: MTE3 is the cause although V is the first pipe.
    fn chain(_: &[u64; 8]) {
        wait_flag(Pipe::Mte2, Pipe::V, 0);
        wait_flag(Pipe::Mte3, Pipe::Mte2, 0);
        set_flag(Pipe::Mte2, Pipe::V, 0);
        wait_flag(Pipe::V, Pipe::Mte3, 6);
        set_flag(Pipe::Mte3, Pipe::Mte2, 0);
    }
    fn cycle(_: &[u64; 8]) {
        wait_flag(Pipe::Mte2, Pipe::V, 0);
        set_flag(Pipe::V, Pipe::Mte2, 0);
        wait_flag(Pipe::V, Pipe::Mte2, 0);
        set_flag(Pipe::Mte2, Pipe::V, 0);
    }
    let bench = Bench::new();
    golden("hang_chain", &bench.run("chain", chain, 1, &[]));
    golden("hang_cycle", &bench.run("cycle", cycle, 1, &[]));
}

#[test]
fn a_thread_that_helped_is_a_host_thread_again() {
    // On this thread: the headers take a core they find for "in a kernel", and would send the host's printf there.
    Bench::new().run_helping(50, |_| print("x"), 4);
    assert!(on_host());
    // Not the body of a golden case: rustc merges equal functions, and the text would name this place.
    Bench::new().run_helping(50, |_| (0..std::hint::black_box(1)).for_each(|_| barrier(Pipe::S)), 4);
    assert!(on_host(), "also when the block was abandoned");
}
