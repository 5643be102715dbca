//! Uninitialised data: each kernel that uses bytes nobody wrote has a twin that reads them and throws the result away, or writes them first.

use crate::harness::{Bench, normalised, silent};
use crate::kernel::{
    barrier, binary, copy_in, copy_out, get_value, is_aic, issue, local, pack, read_spr, set_flag, set_value,
    ub, wait_flag,
};
use toprope_abi::core_face::KernelType;
use toprope_abi::isa::{FieldId as F, Layout, Op, Pipe, Space, Spr};
use toprope_sim::npu::{CheckOptions, NpuOptions};

type Body = fn(&[u64; 8]);

/// Bytes of one repeat, and its 32-byte blocks.
const REPEAT: u64 = 256;
const BLOCKS: u64 = 8;

fn all() {
    barrier(Pipe::All);
}

/// Selects the first `n` elements of a repeat.
fn mask(n: u32) {
    let bits = u128::MAX >> (128 - n);
    issue(Op::Movemask, [0, bits as u64, 0, 0]);
    issue(Op::Movemask, [1, (bits >> 64) as u64, 0, 0]);
}

fn full_mask() {
    mask(128);
}

/// Duplicate of one repeat of floats.
fn fill(dst: u64) {
    let w = pack(Layout::VecDup, &[(F::DstBlockStride, 1), (F::DstRepeatStride, 8), (F::RepeatTimes, 1)]);
    issue(Op::MovevF32, [dst, 0, w[0], 0]);
    all();
}

fn add(dst: u64, a: u64, b: u64) {
    all();
    binary(Op::VaddF32, dst, a, b, 1);
    all();
}

fn load(dst: u64, src: u64, blocks: u64) {
    copy_in(dst, src, blocks);
    all();
}

/// Runs a kernel with arguments `x` (64 floats), `z` (128 floats) and `workspace`.
fn run(name: &str, kernel: Body) -> toprope_sim::npu::LaunchOutcome {
    run_type(name, kernel, KernelType::AivOnly, 1)
}

fn run_type(name: &str, kernel: Body, kind: KernelType, blocks: u32) -> toprope_sim::npu::LaunchOutcome {
    // With coverage, what fills up the last block is told as well.
    let coverage = name.starts_with("coverage");
    let checks = CheckOptions { coverage, ..CheckOptions::default() };
    let bench = Bench::with_options(NpuOptions { threads: 1, checks, ..NpuOptions::default() });
    // What such a kernel does not write at all is another finding.
    let z = if coverage { 8 } else { 256 };
    let (x, z, workspace) =
        (bench.upload(&[1.0; 128]), bench.upload(&vec![0.0; z]), bench.upload(&[0.0; 128]));
    bench.run_type(name, kernel, kind, blocks, &[("x", x), ("z", z), ("workspace", workspace)])
}

/// The kernel reports `code` once and nothing else; its twin nothing.
fn twins(code: &str, name: &str, wrong: Body, right: Body) {
    let outcome = run(name, wrong);
    let codes: Vec<&str> = outcome.findings.iter().map(|f| f.code).collect();
    assert_eq!((codes, outcome.failure), (vec![code], None), "{name}: {:#?}", outcome.findings);
    silent(&run(name, right));
}

#[test]
fn an_accumulator_that_nobody_zeroed() {
    let wrong: Body = |a| {
        load(ub(0), a[0], BLOCKS);
        add(ub(REPEAT), ub(REPEAT), ub(0));
        copy_out(a[1], ub(REPEAT), BLOCKS);
    };
    let text = normalised(&run("accumulator", wrong));
    for part in [
        "binary reads UB bytes 0x100..0x200, pipe V, iteration 0",
        "copy_out stores GM bytes 0x0..0x100 of argument 1 (`z`), pipe MTE3",
        "256 bytes in argument 1 (`z`) that are made of UB bytes nobody wrote",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    twins("TR0903", "accumulator", wrong, |a| {
        load(ub(0), a[0], BLOCKS);
        fill(ub(REPEAT));
        add(ub(REPEAT), ub(REPEAT), ub(0));
        copy_out(a[1], ub(REPEAT), BLOCKS);
    });
}

#[test]
fn lanes_behind_the_end_are_nobodys_as_long_as_they_stay() {
    twins(
        "TR0903",
        "tail",
        |a| {
            load(ub(0), a[0], 5);
            add(ub(REPEAT), ub(0), ub(0));
            copy_out(a[1], ub(REPEAT), BLOCKS);
        },
        |a| {
            load(ub(0), a[0], 5);
            add(ub(REPEAT), ub(0), ub(0));
            copy_out(a[1], ub(REPEAT), 5);
        },
    );
}

#[test]
fn lanes_that_the_mask_leaves_out_stay_what_they_were() {
    twins(
        "TR0903",
        "masked",
        |a| {
            load(ub(0), a[0], BLOCKS);
            mask(40);
            add(ub(REPEAT), ub(0), ub(0));
            full_mask();
            copy_out(a[1], ub(REPEAT), BLOCKS);
        },
        |a| {
            load(ub(0), a[0], BLOCKS);
            fill(ub(REPEAT));
            mask(40);
            add(ub(REPEAT), ub(0), ub(0));
            full_mask();
            copy_out(a[1], ub(REPEAT), BLOCKS);
        },
    );
}

#[test]
fn what_is_overwritten_was_no_output() {
    twins(
        "TR0903",
        "overwritten",
        |a| {
            fill(ub(0));
            copy_out(a[1] + 128, ub(0), 2);
            all();
            copy_out(a[1] + 128, ub(4096), 4);
        },
        |a| {
            fill(ub(0));
            copy_out(a[1] + 128, ub(4096), 4);
            all();
            copy_out(a[1] + 128, ub(0), 4);
        },
    );
}

#[test]
fn a_workspace_is_no_output_but_keeps_what_it_is() {
    twins(
        "TR0903",
        "workspace",
        |a| {
            copy_out(a[2], ub(0), BLOCKS);
            all();
            load(ub(REPEAT), a[2], BLOCKS);
            copy_out(a[1], ub(REPEAT), BLOCKS);
        },
        |a| {
            fill(ub(0));
            // The second repeat of the workspace is rubbish, and nobody looks.
            copy_out(a[2], ub(0), 2 * BLOCKS);
            all();
            load(ub(REPEAT), a[2], BLOCKS);
            copy_out(a[1], ub(REPEAT), BLOCKS);
        },
    );
}

/// DataCopyPad of 56 floats and 8 of padding.
fn load_padded(dst: u64, src: u64) {
    let w = pack(Layout::AlignIn, &[(F::BurstCount, 1), (F::BurstLen, 224), (F::RightPad, 8)]);
    issue(Op::MovOutToUbAlignB32V220, [dst, src, w[0], w[1]]);
    all();
}

#[test]
fn padding_with_a_value_nobody_set() {
    twins(
        "TR0903",
        "padded",
        |a| {
            load_padded(ub(0), a[0]);
            add(ub(REPEAT), ub(0), ub(0));
            copy_out(a[1], ub(REPEAT), BLOCKS);
        },
        |a| {
            load_padded(ub(0), a[0]);
            add(ub(REPEAT), ub(0), ub(0));
            copy_out(a[1], ub(REPEAT), BLOCKS - 1);
            all();
            issue(Op::SetMovPadVal, [0, 0, 0, 0]);
            load_padded(ub(0), a[0]);
            add(ub(REPEAT), ub(0), ub(0));
            copy_out(a[1], ub(REPEAT), BLOCKS);
        },
    );
}

#[test]
fn the_end_of_a_block_is_a_note_on_request() {
    let padded: Body = |a| {
        set_value(ub(0), 1.0);
        all();
        copy_out(a[1], ub(0), 1);
    };
    silent(&run("padding", padded));
    twins("TR0906", "coverage of padding", padded, |a| {
        fill(ub(0));
        set_value(ub(0), 1.0);
        all();
        copy_out(a[1], ub(0), 1);
    });
}

#[test]
fn a_block_does_not_inherit_what_another_left() {
    let kernel: Body = |a| {
        if crate::kernel::face(|c| c.block_idx) == 0 {
            fill(ub(0));
        }
        copy_out(a[1], ub(0), 1);
        all();
    };
    let outcome = run_type("inherits", kernel, KernelType::AivOnly, 2);
    assert_eq!(outcome.findings.iter().filter(|f| f.code == "TR0903").count(), 1);
    assert_eq!(outcome.findings.iter().find(|f| f.code == "TR0903").and_then(|f| f.block), Some(1));
}

#[test]
fn values_for_the_scalar_unit() {
    twins(
        "TR0905",
        "get_value",
        |_| {
            get_value(ub(64));
        },
        |_| {
            set_value(ub(64), 1.0);
            get_value(ub(64));
        },
    );
    // A value that was computed from nothing, in memory and in a register.
    twins(
        "TR0905",
        "sum",
        |a| {
            load(ub(0), a[0], 7);
            reduce_sum(0);
            get_value(ub(1024));
        },
        |a| {
            load(ub(0), a[0], 7);
            mask(56);
            reduce_sum(0);
            full_mask();
            get_value(ub(1024));
        },
    );
    twins(
        "TR0905",
        "register",
        |a| {
            load(ub(0), a[0], 7);
            reduce_sum(1);
            read_spr(Spr::AccVal);
        },
        |a| {
            load(ub(0), a[0], 7);
            reduce_sum(1);
            load(ub(0), a[0], 8);
            reduce_sum(1);
            read_spr(Spr::AccVal);
        },
    );
}

fn reduce_sum(accumulate: u64) {
    let w = pack(
        Layout::VecReduce,
        &[(F::DstRepeatStride, 1), (F::Src0BlockStride, 1), (F::Src0RepeatStride, 8), (F::RepeatTimes, 1)],
    );
    all();
    issue(Op::VcaddF32Order, [ub(1024), ub(0), w[0], accumulate]);
    all();
}

fn gather() {
    let w = pack(Layout::VecGather, &[(F::GatherBase, 0), (F::DstRepeatStride, 8), (F::RepeatTimes, 1)]);
    issue(Op::VgatherB32, [ub(2048), ub(1024), w[0], 0]);
    all();
}

#[test]
fn offsets_of_a_gather() {
    let bench_says = |outcome: &toprope_sim::npu::LaunchOutcome| outcome.findings.first().map(|f| f.code);
    // Offsets that nobody wrote may point anywhere: the second finding, if there is one, is their consequence.
    let outcome = run("offsets", |a| {
        load(ub(0), a[0], BLOCKS);
        mask(8);
        fill(ub(1024));
        mask(16);
        gather();
        full_mask();
    });
    assert_eq!(bench_says(&outcome), Some("TR0904"));
    silent(&run("offsets", |a| {
        load(ub(0), a[0], BLOCKS);
        mask(8);
        fill(ub(1024));
        gather();
        copy_out(a[1], ub(2048), 1);
        full_mask();
    }));
    // Elements that nobody wrote.
    twins(
        "TR0903",
        "elements",
        |a| {
            fill(ub(1024));
            gather();
            copy_out(a[1], ub(2048), BLOCKS);
        },
        |a| {
            fill(ub(1024));
            fill(ub(0));
            gather();
            copy_out(a[1], ub(2048), BLOCKS);
        },
    );
}

/// One product of 16 × 32 and 32 × 16 bytes whose B has `blocks` blocks of 32 bytes; `k` of k count. C goes to `out`.
fn product(a: &[u64; 8], b_blocks: u64, k: u64) {
    if !is_aic() {
        return;
    }
    let burst = |blocks: u64| (1 << 4) | (blocks << 16);
    issue(Op::MovOutToL1V220, [local(Space::L1, 0), a[0], burst(16), 0]);
    all();
    issue(Op::MovOutToL1V220, [local(Space::L1, 65536), a[0], burst(b_blocks), 0]);
    all();
    let w = pack(Layout::Load2d, &[(F::RepeatTimes, 1)]);
    issue(Op::LoadL1ToL0a2dS8, [local(Space::L0a, 0), local(Space::L1, 0), w[0], w[1]]);
    all();
    issue(Op::LoadL1ToL0b2dS8, [local(Space::L0b, 0), local(Space::L1, 65536), w[0], w[1]]);
    all();
    let w = pack(Layout::Mad, &[(F::MSize, 16), (F::KSize, k), (F::NSize, 16), (F::CStartsAtZero, 1)]);
    issue(Op::MadS8, [local(Space::L0c, 0), local(Space::L0a, 0), local(Space::L0b, 0), w[0]]);
    all();
}

fn fixpipe(a: &[u64; 8], n: u64) {
    if !is_aic() {
        return;
    }
    let w = pack(
        Layout::Fixpipe,
        &[(F::NSize, n), (F::MSize, 16), (F::DstRowStride, 16), (F::SrcColumnStride, 16), (F::NzToNd, 1)],
    );
    issue(Op::SetNdPara, [1, 0, 0, 0]);
    issue(Op::FixL0cToOutS32, [a[1], local(Space::L0c, 0), w[0], w[1]]);
    all();
}

#[test]
fn products_use_rows_and_columns() {
    let codes = |name: &str, kernel: Body| -> Vec<&str> {
        run_type(name, kernel, KernelType::AicOnly, 1).findings.iter().map(|f| f.code).collect()
    };
    // Columns 8 to 15 of B were never loaded.
    let wrong: Body = |a| {
        product(a, 8, 32);
        fixpipe(a, 16);
    };
    let text = normalised(&run_type("columns", wrong, KernelType::AicOnly, 1));
    for part in [
        "L1 bytes 0x10100..0x10200",
        "copied on to L0B bytes 0x100..0x120; MAD.s8 reads them",
        "512 bytes in argument 1 (`z`)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(
        codes("columns_unused", |a| {
            product(a, 8, 32);
            fixpipe(a, 8);
        }),
        [""; 0]
    );
    assert_eq!(
        codes("whole", |a| {
            product(a, 16, 32);
            fixpipe(a, 16);
        }),
        [""; 0]
    );
}

#[test]
fn a_tail_of_k_that_no_copy_wrote() {
    // 40 of k are two fractals of each side; one was loaded.
    let outputs = |name: &str, kernel: Body| {
        let found = run_type(name, kernel, KernelType::AicOnly, 1).findings;
        found.iter().filter(|f| f.code == "TR0903").count()
    };
    let long: Body = |a| {
        product(a, 16, 40);
        fixpipe(a, 16);
    };
    let short: Body = |a| {
        product(a, 16, 20);
        fixpipe(a, 16);
    };
    assert_eq!((outputs("tail", long), outputs("inside", short)), (1, 0));
}

#[test]
fn a_load_that_still_waits_is_a_fault_of_order() {
    let outcome = run("early", |a| {
        wait_flag(Pipe::V, Pipe::Mte2, 0);
        copy_in(ub(0), a[0], BLOCKS);
        binary(Op::VaddF32, ub(REPEAT), ub(0), ub(0), 1);
        set_flag(Pipe::V, Pipe::Mte2, 0);
        all();
        copy_out(a[1], ub(REPEAT), BLOCKS);
    });
    assert!(outcome.findings.iter().all(|f| f.code != "TR0903"), "{:#?}", outcome.findings);
}

/// Registers and modes: what a kernel leaves, and what it takes over.
mod state {
    use super::{Body, REPEAT, all, fill, twins};
    use crate::harness::Bench;
    use crate::kernel::{copy_out, issue, pack, ub};
    use toprope_abi::isa::{FieldId as F, Layout, Op, ctrl};
    use toprope_sim::npu::sticky::EntryState;
    use toprope_sim::npu::{CheckOptions, NpuOptions};

    fn cast(dst: u64, src: u64) {
        let w = pack(
            Layout::VecUnary,
            &[
                (F::DstBlockStride, 1),
                (F::Src0BlockStride, 1),
                (F::DstRepeatStride, 4),
                (F::Src0RepeatStride, 8),
                (F::RepeatTimes, 1),
            ],
        );
        issue(Op::VconvDeqS322f16, [dst, src, w[0], 0]);
        all();
    }

    #[test]
    fn a_register_that_nobody_set() {
        twins(
            "TR0907",
            "scale",
            |_| {
                fill(ub(0));
                cast(ub(REPEAT), ub(0));
            },
            |_| {
                issue(Op::SetDeqscale, [0x3c00, 0, 0, 0]);
                fill(ub(0));
                cast(ub(REPEAT), ub(0));
            },
        );
    }

    #[test]
    fn a_mode_that_stays_on() {
        twins(
            "TR0908",
            "mode",
            |_| issue(Op::Sbitset1, [u64::from(ctrl::CAST_TRUNCATE), 0, 0, 0]),
            |_| {
                issue(Op::Sbitset1, [u64::from(ctrl::CAST_TRUNCATE), 0, 0, 0]);
                issue(Op::Sbitset0, [u64::from(ctrl::CAST_TRUNCATE), 0, 0, 0]);
            },
        );
    }

    #[test]
    fn another_state_at_the_start_gives_another_result() {
        let kernel: Body = |a| copy_out(a[0], ub(0), 1);
        let result = |entry_state| {
            let checks = CheckOptions { entry_state, ..CheckOptions::default() };
            let bench = Bench::with_options(NpuOptions { threads: 1, checks, ..NpuOptions::default() });
            let z = bench.upload(&[1.0; 8]);
            bench.run("stale", kernel, 1, &[("z", z)]);
            bench.download(z, 8).iter().map(|f| f.to_bits()).collect::<Vec<u32>>()
        };
        let random = |seed| result(EntryState::Random(seed));
        assert_eq!(random(1), random(1), "a seed is a seed");
        assert_ne!(random(1), random(2));
        assert_ne!(random(1), result(EntryState::Clean));
    }
}

/// The second source begins 128 bytes before the destination: the upper half of the sum depends on what the lower half overwrites.
fn sum_onto_its_source(a: &[u64; 8], stored_blocks: u64) {
    load(ub(0), a[0], BLOCKS);
    load(ub(1024 - 128), a[0] + 32, BLOCKS);
    add(ub(1024), ub(0), ub(1024 - 128));
    copy_out(a[1], ub(1024), stored_blocks);
}

#[test]
fn overlapping_operands_are_told_and_what_depends_on_them_is_followed() {
    let codes = |name: &str, kernel: Body| {
        let outcome = run(name, kernel);
        assert_eq!(outcome.failure, None, "{name}: the kernel comes to its end");
        let found = outcome.findings.iter().map(|f| (f.code, f.consequence_of.clone())).collect::<Vec<_>>();
        (found, outcome)
    };
    let (found, outcome) = codes("overlap_stored", |a| sum_onto_its_source(a, BLOCKS));
    assert_eq!(found, [("TR0303", None), ("TR0909", Some("TR0303".to_owned()))], "{:#?}", outcome.findings);
    // Only what does not depend on it is stored.
    let (found, outcome) = codes("overlap_not_stored", |a| sum_onto_its_source(a, BLOCKS / 2));
    assert_eq!(found, [("TR0303", None)], "{:#?}", outcome.findings);
    // Apart.
    silent(&run("apart", |a| {
        load(ub(0), a[0], BLOCKS);
        load(ub(REPEAT), a[0] + 32, BLOCKS);
        add(ub(1024), ub(0), ub(REPEAT));
        copy_out(a[1], ub(1024), BLOCKS);
    }));
}

#[test]
fn a_scalar_of_an_open_result_is_told() {
    let codes =
        |name: &str, kernel: Body| run(name, kernel).findings.iter().map(|f| f.code).collect::<Vec<_>>();
    let wrong = codes("overlap_scalar", |a| {
        sum_onto_its_source(a, 1);
        all();
        get_value(ub(1024 + 128));
    });
    assert_eq!(wrong, ["TR0303", "TR0909"]);
    let right = codes("overlap_scalar_of_the_rest", |a| {
        sum_onto_its_source(a, 1);
        all();
        get_value(ub(1024 + 64));
    });
    assert_eq!(right, ["TR0303"]);
}
