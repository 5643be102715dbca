//! Cores that wait for each other: cross-core flags, waves, deadlocks, polling.

use crate::harness::{Bench, KernelFn, golden, normalised, silent};
use crate::kernel::*;
use std::time::Duration;
use toprope_abi::core_face::KernelType;
use toprope_abi::isa::{Op, Pipe};
use toprope_sim::npu::{LaunchFailure, LaunchOutcome};

const THREADS: [usize; 4] = [1, 2, 3, 8];

fn blocks() -> u64 {
    face(|c| u64::from(c.block_num))
}

/// DataCacheCleanAndInvalid of the whole cache.
fn clean() {
    issue(Op::Dcci, [0, 1, 0, 0]);
}

/// All cores of this kind.
fn sync_all(flag: u64) {
    cross_set(0, Pipe::Mte3, flag);
    cross_wait(flag);
}

/// The same outcome for every number of threads; returns one of them.
fn same_for_all_threads(run: impl Fn(&Bench) -> LaunchOutcome) -> LaunchOutcome {
    let mut first: Option<LaunchOutcome> = None;
    for threads in THREADS {
        for _ in 0..3 {
            let outcome = run(&Bench::with_threads(threads));
            if let Some(first) = &first {
                assert_eq!(normalised(first), normalised(&outcome), "{threads} threads");
                assert_eq!(first.printed, outcome.printed, "{threads} threads");
                assert_eq!(first.failure, outcome.failure, "{threads} threads");
                if first.failure.is_none() {
                    assert_eq!(first.stats.cycles, outcome.stats.cycles, "{threads} threads");
                    assert_eq!(first.stats.instructions, outcome.stats.instructions, "{threads} threads");
                }
            }
            first = Some(outcome);
        }
    }
    first.expect("ran")
}

/// AIVs give numbers to their AIC, which adds them and gives the sum back; several rounds.
pub fn relay(args: &[u64; 8]) {
    let block = face(|c| u64::from(c.block_idx));
    // A line of the data cache for each core of the block.
    let slots = args[0] + block * 192;
    let sub_blocks = face(|c| u64::from(c.sub_block_num));
    for round in 0..5 {
        if is_aic() {
            cross_wait(4);
            clean();
            let sum: f32 = (0..sub_blocks).map(|i| get_value(slots + 128 * i)).sum();
            set_value(slots + 64, sum + 1.0);
            clean();
            cross_set(2, Pipe::Fix, 5);
        } else {
            let me = face(|c| u64::from(c.sub_block_idx));
            let before = if round == 0 { block as f32 } else { get_value(slots + 64) };
            set_value(slots + 128 * me, before + me as f32);
            clean();
            cross_set(2, Pipe::Mte3, 4);
            cross_wait(5);
            clean();
        }
    }
}

#[test]
fn aic_and_aivs_hand_data_to_each_other() {
    for (kernel_type, sub_blocks) in [(KernelType::MixAic1_1, 1), (KernelType::MixAic1_2, 2)] {
        let outcome = same_for_all_threads(|bench| {
            let x = bench.upload(&[0.0; 48 * 100]);
            let outcome = bench.run_type("relay", relay, kernel_type, 100, &[("x", x)]);
            silent(&outcome);
            let mut sums = bench.download(x, 4800).into_iter().skip(16).step_by(48);
            for block in 0..100 {
                let mut sum = block as f32;
                for _ in 0..5 {
                    sum = (0..sub_blocks).map(|i| sum + i as f32).sum::<f32>() + 1.0;
                }
                assert_eq!(sums.next(), Some(sum), "block {block}");
            }
            outcome
        });
        assert_eq!(outcome.stats.instructions[Pipe::Fix as usize], 500);
    }
}

/// Every core writes its number and, behind a barrier of all, adds those of the others.
pub fn all_to_all(args: &[u64; 8]) {
    let (me, n) = (core_index(), blocks() * face(|c| u64::from(c.sub_block_num)));
    for round in 0..3 {
        let slots = args[0] + round * 64 * n;
        let before = if round == 0 { 1.0 } else { get_value(args[1] + 64 * me) };
        set_value(slots + 64 * me, before);
        clean();
        (0..me % 5).for_each(|_| binary(Op::VaddF32, ub(65536), ub(0), ub(32768 + 32), 64));
        cross_set(0, Pipe::V, 7);
        cross_wait(7);
        let sum: f32 = (0..n).map(|i| get_value(slots + 64 * i)).sum();
        set_value(args[1] + 64 * me, sum);
    }
}

#[test]
fn a_flag_of_all_cores_is_a_barrier() {
    for (kernel_type, blocks) in
        [(KernelType::MixAiv1_0, 48), (KernelType::MixAiv1_0, 7), (KernelType::MixAic1_2, 24)]
    {
        let kernel: KernelFn = |args| {
            if !is_aic() {
                all_to_all(args);
            }
        };
        let outcome = same_for_all_threads(|bench| {
            let n = blocks as usize * if kernel_type == KernelType::MixAic1_2 { 2 } else { 1 };
            let (x, y) = (bench.upload(&vec![0.0; 48 * n]), bench.upload(&vec![0.0; 16 * n]));
            let outcome = bench.run_type("all", kernel, kernel_type, blocks, &[("x", x), ("y", y)]);
            silent(&outcome);
            let sums = bench.download(y, 16 * n).into_iter().step_by(16);
            assert_eq!(sums.collect::<Vec<f32>>(), vec![(n * n * n) as f32; n]);
            outcome
        });
        // Every barrier waits for the core with four adds of 64 cycles.
        assert!(outcome.stats.cycles > 3 * (4 * 64 + 150), "{}", outcome.stats.cycles);
    }
}

/// Work and barriers of every mode, drawn from a seed that all cores share.
fn random_mix(args: &[u64; 8]) {
    let mut seed = args[1];
    let mut draw = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % n
    };
    for _ in 0..30 {
        let (what, weight) = (draw(4), draw(64));
        if !is_aic() {
            let repeats = (weight + 7 * core_index()) % 64;
            binary(Op::VaddF32, ub(65536), ub(0), ub(32768 + 32), repeats);
        }
        match what {
            0 => sync_all(1),
            1 if !is_aic() => {
                cross_set(1, Pipe::V, 2);
                cross_wait(2);
            }
            2 if is_aic() => cross_set(2, Pipe::M, 3),
            2 => cross_wait(3),
            3 if is_aic() => cross_wait(4),
            3 => cross_set(2, Pipe::V, 4),
            _ => {}
        }
    }
    print(&format!("{} ", read_spr(toprope_abi::isa::Spr::SysCnt)));
}

#[test]
fn times_do_not_depend_on_threads() {
    for seed in 0..6 {
        let kernel_type = if seed % 2 == 0 { KernelType::MixAic1_2 } else { KernelType::MixAic1_1 };
        same_for_all_threads(|bench| {
            let outcome = bench.run_type("random", random_mix, kernel_type, 24, &[("x", 0), ("seed", seed)]);
            silent(&outcome);
            outcome
        });
    }
}

#[test]
fn a_set_waits_for_its_pipe() {
    // The set is queued behind a copy that waits for a flag; it must not arrive before.
    fn kernel(args: &[u64; 8]) {
        if is_aic() {
            cross_wait(3);
            assert_eq!(get_value(args[0]), 7.0, "nothing was in the cache");
            cross_set(2, Pipe::M, 4);
        } else {
            wait_flag(Pipe::V, Pipe::Mte3, 0);
            copy_out(args[0], ub(0), 1);
            cross_set(2, Pipe::Mte3, 3);
            issue(Op::MovevF32, [ub(0), u64::from(7f32.to_bits()), 1 << 56 | 8 << 32 | 1, 0]);
            set_flag(Pipe::V, Pipe::Mte3, 0);
            cross_wait(4);
        }
    }
    same_for_all_threads(|bench| {
        let x = bench.upload(&[0.0; 8]);
        let outcome = bench.run_type("behind", kernel, KernelType::MixAic1_1, 1, &[("x", x)]);
        silent(&outcome);
        outcome
    });
}

/// What must deadlock, as text.
fn deadlocks(name: &str, kernel: KernelFn, kernel_type: KernelType, blocks: u32) {
    let outcome =
        same_for_all_threads(|bench| bench.run_type(name, kernel, kernel_type, blocks, &[("x", 0)]));
    assert_eq!(outcome.failure, Some(LaunchFailure::Timeout));
    golden(name, &outcome);
}

#[test]
fn deadlocks_are_told_as_a_graph() {
    deadlocks("deadlock_waves", |_| sync_all(14), KernelType::MixAiv1_0, 60);
    deadlocks(
        "deadlock_left_out",
        |_| {
            if core_index() == 3 || core_index() == 5 {
                return;
            }
            sync_all(9);
        },
        KernelType::MixAiv1_0,
        8,
    );
    deadlocks(
        "deadlock_wrong_flag",
        |_| {
            if is_aic() {
                cross_set(2, Pipe::M, 3);
                cross_wait(5);
            } else {
                cross_wait(4);
                cross_set(2, Pipe::V, 5);
            }
        },
        KernelType::MixAic1_2,
        2,
    );
    deadlocks(
        "deadlock_one_aiv",
        |_| match (is_aic(), core_index() % 2) {
            (true, _) => cross_wait(0),
            (false, 1) => cross_set(2, Pipe::Mte3, 0),
            _ => {}
        },
        KernelType::MixAic1_2,
        3,
    );
    deadlocks(
        "deadlock_behind",
        |_| {
            if is_aic() {
                cross_wait(3);
                cross_set(2, Pipe::M, 4);
            } else {
                wait_flag(Pipe::V, Pipe::Mte3, 0);
                cross_set(2, Pipe::Mte3, 3);
                cross_wait(4);
                set_flag(Pipe::V, Pipe::Mte3, 0);
            }
        },
        KernelType::MixAic1_1,
        1,
    );
}

#[test]
fn what_does_not_deadlock_is_silent() {
    // Twins of the deadlocks.
    same_for_all_threads(|bench| {
        silent(&bench.run_type("waves", |_| sync_all(14), KernelType::MixAiv1_0, 48, &[]));
        let outcome = bench.run_type(
            "aivs",
            |_| {
                if is_aic() {
                    cross_set(2, Pipe::M, 3);
                    cross_wait(5);
                } else {
                    cross_wait(3);
                    cross_set(2, Pipe::V, 5);
                }
            },
            KernelType::MixAic1_2,
            30,
            &[],
        );
        silent(&outcome);
        outcome
    });
}

#[test]
fn a_block_that_fails_is_the_finding_not_those_that_wait_for_it() {
    fn kernel(args: &[u64; 8]) {
        sync_all(1);
        if core_index() == 5 {
            copy_in(ub(0), args[0] + (1 << 20), 8);
        }
        print(&format!("{} ", core_index()));
        sync_all(1);
        print("never");
    }
    let outcome = same_for_all_threads(|bench| {
        let x = bench.upload(&[0.0; 8]);
        bench.run_type("fails", kernel, KernelType::MixAiv1_0, 40, &[("x", x)])
    });
    assert_eq!(outcome.failure, Some(LaunchFailure::Exception));
    assert_eq!(outcome.printed, "0 1 2 3 4 ");
    assert_eq!(outcome.findings.len(), 1);
    golden("fails_while_others_wait", &outcome);
}

#[test]
fn a_core_that_fails_is_the_finding_not_the_others_of_its_block() {
    fn kernel(args: &[u64; 8]) {
        if is_aic() {
            cross_wait(1);
        } else if core_index() == 3 {
            copy_in(ub(0), args[0] + (1 << 20), 8);
        } else {
            print("set ");
            cross_set(2, Pipe::Mte3, 1);
        }
    }
    let outcome = same_for_all_threads(|bench| {
        let x = bench.upload(&[0.0; 8]);
        bench.run_type("fails", kernel, KernelType::MixAic1_2, 4, &[("x", x)])
    });
    assert_eq!(outcome.failure, Some(LaunchFailure::Exception));
    assert_eq!(outcome.printed, "set set set ");
    let text = normalised(&outcome);
    assert!(text.contains("ErrorRead3]") && text.contains("(block 1, AIV 3)"), "{text}");
}

#[test]
fn uneven_flags_are_reported() {
    fn left(_: &[u64; 8]) {
        if is_aic() {
            cross_set(2, Pipe::M, 3);
        }
    }
    fn unmatched(_: &[u64; 8]) {
        if !is_aic() && core_index() == 2 {
            cross_set(2, Pipe::V, 1);
        }
    }
    fn overflow(_: &[u64; 8]) {
        for _ in 0..16 {
            if is_aic() {
                cross_set(2, Pipe::M, 0);
            }
        }
        if !is_aic() {
            (0..300).for_each(|_| binary(Op::VaddF32, ub(65536), ub(0), ub(32768 + 32), 64));
            barrier(Pipe::All);
            (0..16).for_each(|_| cross_wait(0));
        }
    }
    fn answered(_: &[u64; 8]) {
        for _ in 0..60 {
            if is_aic() {
                cross_set(2, Pipe::M, 0);
                cross_wait(1);
            } else {
                cross_wait(0);
                cross_set(2, Pipe::V, 1);
            }
        }
    }
    for (name, kernel) in
        [("cross_left", left as KernelFn), ("cross_unmatched", unmatched), ("cross_overflow", overflow)]
    {
        let outcome =
            same_for_all_threads(|bench| bench.run_type(name, kernel, KernelType::MixAic1_2, 4, &[]));
        assert_eq!(outcome.failure, None);
        golden(name, &outcome);
    }
    silent(&Bench::new().run_type("answered", answered, KernelType::MixAic1_2, 4, &[]));
}

#[test]
fn misuse_of_flags_is_refused() {
    let bench = Bench::new();
    golden("cross_mode", &bench.run_type("k", |_| cross_set(2, Pipe::V, 0), KernelType::MixAiv1_0, 1, &[]));
    golden(
        "cross_mode_3",
        &bench.run_type("k", |_| cross_set(3, Pipe::Mte3, 0), KernelType::MixAic1_2, 1, &[]),
    );
    golden("cross_scalar", &bench.run_type("k", |_| cross_set(0, Pipe::S, 0), KernelType::MixAiv1_0, 1, &[]));
    golden("cross_pipe", &bench.run_type("k", |_| cross_set(0, Pipe::V, 0), KernelType::MixAic1_0, 1, &[]));
    silent(&bench.run_type("k", |_| sync_all(14), KernelType::AivOnly, 8, &[]));
    let plain = Bench::with_hints().run_type("k", |_| sync_all(14), KernelType::AivOnly, 8, &[]);
    assert_eq!(plain.failure, None, "a hint only: public examples do it");
    golden("cross_vector_kernel", &plain);
    silent(&bench.run_type("k", |_| sync_all(14), KernelType::MixAiv1_0, 8, &[]));
}

/// Core `args[1]` writes, all others poll until they see it.
pub fn poll(args: &[u64; 8]) {
    if core_index() == args[1] {
        set_value(args[0], 1.0);
        clean();
    } else {
        loop {
            issue(Op::Dcci, [args[0], 0, 2, 0]);
            if get_value(args[0]) != 0.0 {
                return;
            }
        }
    }
}

/// The same with copies.
pub fn poll_by_copy(args: &[u64; 8]) {
    if core_index() == args[1] {
        issue(Op::MovevF32, [ub(0), u64::from(1f32.to_bits()), 1 << 56 | 8 << 32 | 1, 0]);
        set_flag(Pipe::V, Pipe::Mte3, 0);
        wait_flag(Pipe::V, Pipe::Mte3, 0);
        copy_out(args[0], ub(0), 1);
        return;
    }
    loop {
        copy_in(ub(0), args[0], 1);
        set_flag(Pipe::Mte2, Pipe::S, 0);
        wait_flag(Pipe::Mte2, Pipe::S, 0);
        if get_value(ub(0)) != 0.0 {
            return;
        }
        set_flag(Pipe::S, Pipe::Mte2, 0);
        wait_flag(Pipe::S, Pipe::Mte2, 0);
    }
}

#[test]
fn who_polls_lets_others_run() {
    for kernel in [poll as KernelFn, poll_by_copy] {
        for threads in THREADS {
            let bench = Bench::with_threads(threads);
            for last in [0, 40, 47] {
                let x = bench.upload(&[0.0; 8]);
                silent(&bench.run("poll", kernel, 48, &[("x", x), ("writer", last)]));
            }
        }
    }
}

#[test]
fn polling_in_vain_ends_with_the_time_limit_and_a_name() {
    // Block 50 would write, but 48 blocks hold the vector cores.
    let mut text = String::new();
    for threads in [1, 2] {
        let mut bench = Bench::with_threads(threads);
        bench.time_limit = Some(Duration::from_millis(300));
        let x = bench.upload(&[0.0; 8]);
        let outcome = bench.run("poll", poll, 60, &[("x", x), ("writer", 50)]);
        assert_eq!(outcome.failure, Some(LaunchFailure::Timeout));
        text = normalised(&outcome);
        assert!(text.contains("ErrorTimeLimit]") && text.contains("polls GM"), "{text}");
        assert!(text.contains("of argument 0 (`x`) + 0 bytes"), "{text}");
        assert!(text.contains("blocks 48 to 59 have not started"), "{text}");
        let x = bench.upload(&[0.0; 8]);
        silent(&bench.run("poll", poll, 48, &[("x", x), ("writer", 47)]));
    }
    println!("{text}");
}

#[test]
fn a_core_that_never_ends_is_told_with_those_that_wait_for_it() {
    fn kernel(_: &[u64; 8]) {
        if core_index() == 2 {
            let mut i = 0u64;
            while std::hint::black_box(i) != 1 {
                i = i.wrapping_add(2);
            }
        }
        sync_all(3);
    }
    for threads in [1, 2, 3] {
        let mut bench = Bench::with_threads(threads);
        bench.time_limit = Some(Duration::from_millis(300));
        let outcome = bench.run_type("spins", kernel, KernelType::MixAiv1_0, 4, &[]);
        assert_eq!(outcome.failure, Some(LaunchFailure::Timeout));
        let text = normalised(&outcome);
        assert!(text.contains("(block 2, AIV 2)"), "{text}");
        assert!(
            text.contains("AIV 0 and 1 more core wait for cross-core flag 3")
                || text.contains("AIV 0 and 2 more cores wait for cross-core flag 3"),
            "{text}"
        );
        silent(&bench.run_type("after", |_| sync_all(3), KernelType::MixAiv1_0, 48, &[]));
    }
}

#[test]
fn launches_with_barriers_run_beside_each_other() {
    let bench = Bench::with_threads(3);
    std::thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                for _ in 0..10 {
                    silent(&bench.run_type("a", |_| sync_all(1), KernelType::MixAiv1_0, 48, &[]));
                    silent(&bench.run("b", |_| {}, 100, &[]));
                }
            });
        }
    });
}

#[test]
fn a_thread_that_helps_waits_with_its_cores() {
    let bench = Bench::with_threads(2);
    bench.run_helping(50, |_| sync_all(1), 48);
    assert!(on_host());
}
