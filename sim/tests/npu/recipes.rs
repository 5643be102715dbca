//! Recipes of public reports at the face of the core: the twins, without C++, of the programs in `tests/findings/fail`.
//!
//! Each table row is a variant: what it leaves out, and the findings it must give as (code, pipe of the earlier access, pipe
//! of the later one, memory, bytes). Compiler synchronisation is off.

use crate::harness::{Bench, KernelFn, normalised};
use crate::kernel::*;
use toprope_abi::core_face::{Annotation, KernelType};
use toprope_abi::fwk::{HardEvent, TPosition};
use toprope_abi::isa::{FieldId, Layout, Op, Pipe, Space};
use toprope_sim::npu::{CheckOptions, LaunchFailure, LaunchOutcome, NpuOptions};

type Race = (&'static str, &'static str, &'static str, &'static str, std::ops::Range<u64>);

fn bench(auto_sync: bool) -> Bench {
    let checks = CheckOptions { auto_sync, coverage: false, ..CheckOptions::default() };
    Bench::with_options(NpuOptions { threads: 2, checks, ..NpuOptions::default() })
}

fn run(kernel: KernelFn, kind: KernelType, blocks: u32, variant: u64, auto_sync: bool) -> LaunchOutcome {
    let bench = bench(auto_sync);
    let (x, y) = (bench.upload(&vec![1.0; 65536]), bench.upload(&vec![0.0; 65536]));
    bench.run_type("recipe", kernel, kind, blocks, &[("x", x), ("y", y), ("variant", variant)])
}

/// Exactly these races are reported of the variant.
#[track_caller]
fn gives(kernel: KernelFn, kind: KernelType, variant: u64, auto_sync: bool, races: &[Race]) {
    let outcome = run(kernel, kind, 1, variant, auto_sync);
    let text = normalised(&outcome);
    let mut found: Vec<Race> = Vec::new();
    for finding in &outcome.findings {
        let [first, second] = finding.sides.as_slice() else { panic!("not two sides\n{text}") };
        let bytes = second.first_byte..second.end_byte;
        found.push((finding.code, first.pipe, second.pipe, second.memory, bytes));
    }
    found.sort_by_key(|r| (r.0, r.4.start));
    assert_eq!(found, races, "variant {variant}\n{text}");
}

fn pair(from: Pipe, to: Pipe, id: u64) {
    set_flag(from, to, id);
    wait_flag(from, to, id);
}

/// R01: 0 a barrier of V before the scalar unit reads, 1 a flag.
fn scalar_behind_vector_barrier(args: &[u64; 8]) {
    for row in 0..4 {
        if row > 0 {
            pair(Pipe::V, Pipe::Mte2, 1);
            pair(Pipe::Mte3, Pipe::V, 1);
        }
        copy_in(ub(0), args[0] + 256 * row, 8);
        pair(Pipe::Mte2, Pipe::V, 0);
        binary(Op::VmaxF32, ub(512), ub(0), ub(0), 1);
        if args[2] == 0 {
            barrier(Pipe::V)
        } else {
            pair(Pipe::V, Pipe::S, 0)
        }
        std::hint::black_box(get_value(ub(512)));
        binary(Op::VaddF32, ub(1024), ub(0), ub(0), 1);
        pair(Pipe::V, Pipe::Mte3, 0);
        copy_out(args[1] + 256 * row, ub(1024), 8);
    }
}

#[test]
fn r01_scalar_reads_behind_a_vector_barrier() {
    let kernel = scalar_behind_vector_barrier;
    gives(kernel, KernelType::AivOnly, 0, false, &[("TR0402", "V", "S", "UB", 512..516)]);
    gives(kernel, KernelType::AivOnly, 1, false, &[]);
    gives(kernel, KernelType::AivOnly, 0, true, &[]);
}

/// R02: bit 0 the way back from V to MTE2, bit 1 that from MTE3 to V.
fn two_return_edges(args: &[u64; 8]) {
    const TILE: u64 = 16384;
    let (first, second) = (args[2] & 1 == 1, args[2] & 2 == 2);
    for tile in 0..8 {
        if tile > 0 && first {
            wait_flag(Pipe::V, Pipe::Mte2, 0);
        }
        copy_in(ub(0), args[0] + TILE * tile, TILE / 32);
        pair(Pipe::Mte2, Pipe::V, 0);
        if tile > 0 && second {
            wait_flag(Pipe::Mte3, Pipe::V, 0);
        }
        binary(Op::VaddF32, ub(TILE), ub(0), ub(0), TILE / 256);
        if tile < 7 && first {
            set_flag(Pipe::V, Pipe::Mte2, 0);
        }
        pair(Pipe::V, Pipe::Mte3, 0);
        copy_out(args[1] + TILE * tile, ub(TILE), TILE / 32);
        if tile < 7 && second {
            set_flag(Pipe::Mte3, Pipe::V, 0);
        }
    }
}

#[test]
fn r02_two_return_edges_missing_and_each_alone() {
    let q: Race = ("TR0403", "V", "MTE2", "UB", 0..16384);
    let p: Race = ("TR0403", "MTE3", "V", "UB", 16384..32768);
    for (variant, races) in [(0, vec![q.clone(), p.clone()]), (1, vec![p]), (2, vec![q]), (3, vec![])] {
        gives(two_return_edges, KernelType::AivOnly, variant, false, &races);
    }
}

/// R04: 0 the way back from MTE1 to MTE2 is missing, 1 is there, 2 is not drained.
fn way_back_to_the_loader(args: &[u64; 8]) {
    let edge = args[2] > 0;
    let steps = 4;
    issue(Op::SetNdPara, [1, 0, 0, 0]);
    for k in 0..steps {
        if k > 0 && edge {
            wait_flag(Pipe::Mte1, Pipe::Mte2, 0);
        }
        for slot in 0..2 {
            issue(Op::MovOutToL1V220, [local(Space::L1, 512 * slot), args[0], 1 << 4 | 16 << 16, 0]);
        }
        pair(Pipe::Mte2, Pipe::Mte1, 0);
        if k > 0 {
            wait_flag(Pipe::M, Pipe::Mte1, 0);
        }
        issue(Op::LoadL1ToL0a2dF16, [local(Space::L0a, 0), local(Space::L1, 0), 1 << 16 | 1 << 24, 0]);
        issue(Op::LoadL1ToL0b2dF16, [local(Space::L0b, 0), local(Space::L1, 512), 1 << 16 | 1 << 24, 0]);
        if edge && (k + 1 < steps || args[2] == 2) {
            set_flag(Pipe::Mte1, Pipe::Mte2, 0);
        }
        pair(Pipe::Mte1, Pipe::M, 0);
        let shape = 16 | 16 << 12 | 16 << 24 | u64::from(k == 0) << 63;
        barrier(Pipe::M);
        issue(Op::MadF162f32, [local(Space::L0c, 0), local(Space::L0a, 0), local(Space::L0b, 0), shape]);
        if k + 1 < steps {
            set_flag(Pipe::M, Pipe::Mte1, 0);
        }
    }
    pair(Pipe::M, Pipe::Fix, 0);
    issue(Op::FixL0cToOutF32, [args[1], local(Space::L0c, 0), 16 << 4 | 16 << 16 | 16 << 32, 16 | 1 << 43]);
}

#[test]
fn r04_the_way_back_to_the_loader() {
    let kernel = way_back_to_the_loader;
    let races = [("TR0403", "MTE1", "MTE2", "L1", 0..512), ("TR0403", "MTE1", "MTE2", "L1", 512..1024)];
    gives(kernel, KernelType::AicOnly, 0, false, &races);
    gives(kernel, KernelType::AicOnly, 1, false, &[]);
    let left = run(kernel, KernelType::AicOnly, 1, 2, false);
    let codes: Vec<_> = left.findings.iter().map(|f| f.code).collect();
    assert_eq!(codes, ["TR0505"], "{}", normalised(&left));
}

/// R05: 0 nobody primes the flags that the loop waits for at its head.
fn unprimed(args: &[u64; 8]) {
    for id in 2..4 * args[2] {
        set_flag(Pipe::M, Pipe::Mte1, id);
    }
    issue(Op::MovOutToL1V220, [local(Space::L1, 0), args[0], 1 << 4 | 16 << 16, 0]);
    pair(Pipe::Mte2, Pipe::Mte1, 0);
    for k in 0..4 {
        let id = 2 + k % 2;
        wait_flag(Pipe::M, Pipe::Mte1, id);
        issue(
            Op::LoadL1ToL0a2dF16,
            [local(Space::L0a, 512 * (k % 2)), local(Space::L1, 0), 1 << 16 | 1 << 24, 0],
        );
        issue(
            Op::LoadL1ToL0b2dF16,
            [local(Space::L0b, 512 * (k % 2)), local(Space::L1, 0), 1 << 16 | 1 << 24, 0],
        );
        pair(Pipe::Mte1, Pipe::M, id);
        barrier(Pipe::M);
        let (a, b) = (local(Space::L0a, 512 * (k % 2)), local(Space::L0b, 512 * (k % 2)));
        issue(
            Op::MadF162f32,
            [local(Space::L0c, 0), a, b, 16 | 16 << 12 | 16 << 24 | u64::from(k == 0) << 63],
        );
        set_flag(Pipe::M, Pipe::Mte1, id);
    }
    for id in 2..4 * args[2] {
        wait_flag(Pipe::M, Pipe::Mte1, id);
    }
}

#[test]
fn r05_a_wait_at_the_head_of_a_loop_that_nobody_primed() {
    let hang = run(unprimed, KernelType::AicOnly, 1, 0, false);
    let text = normalised(&hang);
    assert_eq!(hang.failure, Some(LaunchFailure::Timeout), "{text}");
    assert!(text.contains("WaitFlag<M_MTE1> id 2") || text.contains("flag M_MTE1 id 2"), "{text}");
    gives(unprimed, KernelType::AicOnly, 1, false, &[]);
}

/// R07: 0 the flag is set twice before it is waited for, 1 in turn.
fn two_sets(args: &[u64; 8]) {
    for tile in 0..2 {
        copy_in(ub(1024 * tile), args[0], 32);
        set_flag(Pipe::Mte2, Pipe::V, 0);
        if args[2] == 1 || tile == 1 {
            wait_flag(Pipe::Mte2, Pipe::V, 0);
        }
        if args[2] == 1 {
            pair(Pipe::V, Pipe::Mte2, 0);
        }
    }
    barrier(Pipe::All);
}

#[test]
fn r07_two_sets_on_one_id() {
    let twice = run(two_sets, KernelType::AivOnly, 1, 0, false);
    assert_eq!(twice.findings[0].code, "TR0504", "{}", normalised(&twice));
    gives(two_sets, KernelType::AivOnly, 1, false, &[]);
}

/// R11: ten rows of 128 bytes at the end of `x`, in steps of four; 1: the last step takes what is left.
fn full_factor(args: &[u64; 8]) {
    let start = args[0] + 65536 * 4 - 10 * 128;
    for at in [0, 4, 8] {
        let rows = if args[2] == 1 { 4.min(10 - at) } else { 4 };
        copy_in(ub(0), start + 128 * at, 4 * rows);
        barrier(Pipe::All);
    }
}

#[test]
fn r11_the_last_iteration_uses_the_full_factor() {
    let beyond = run(full_factor, KernelType::AivOnly, 1, 0, false);
    let text = normalised(&beyond);
    assert_eq!(beyond.findings[0].code, "TR0106", "{text}");
    assert!(text.contains("256 bytes beyond") && text.contains("(`x`)"), "{text}");
    gives(full_factor, KernelType::AivOnly, 1, false, &[]);
}

/// R09: each block writes its slot and reads that of its neighbour behind a barrier of all blocks.
fn exchange(args: &[u64; 8]) {
    let (me, blocks) = face(|c| (u64::from(c.block_idx), u64::from(c.block_num)));
    binary(Op::VaddF32, ub(0), ub(1024), ub(1024), 1);
    pair(Pipe::V, Pipe::Mte3, 0);
    copy_out(args[1] + 256 * me, ub(0), 8);
    cross_set(0, Pipe::Mte3, 14);
    cross_wait(14);
    copy_in(ub(512), args[1] + 256 * ((me + 1) % blocks), 8);
    barrier(Pipe::All);
}

#[test]
fn r09_a_barrier_of_all_blocks_with_one_block_too_many() {
    let with = |blocks| run(exchange, KernelType::MixAiv1_0, blocks, 0, false);
    let codes = |outcome: &LaunchOutcome| {
        let of_cores = |code: &&str| code.starts_with("TR06");
        outcome.findings.iter().map(|f| f.code).filter(of_cores).collect::<Vec<_>>()
    };
    let late = with(49);
    assert_eq!(codes(&late), ["TR0613"], "{}", normalised(&late));
    assert_eq!(late.failure, Some(LaunchFailure::Timeout));
    for blocks in [48, 8] {
        assert_eq!(codes(&with(blocks)), [""; 0]);
    }
}

/// R12: 24 halves, 48 bytes, to the end of `y`; 0: the copy of blocks of 32 bytes, which are rounded down, 1: the copy of bytes. The face
/// counts blocks, so who rounds is the kernel: what is missing shows as a hole of the output.
fn rounded_down(args: &[u64; 8]) {
    let bytes = 48;
    let end = args[1] + 65536 * 4 - bytes;
    binary(Op::VaddF32, ub(0), ub(1024), ub(1024), 1);
    pair(Pipe::V, Pipe::Mte3, 0);
    if args[2] == 0 {
        copy_out(end, ub(0), bytes / 32);
    } else {
        let config = pack(Layout::AlignOut, &[(FieldId::BurstCount, 1), (FieldId::BurstLen, bytes)]);
        issue(Op::MovUbToOutAlignB16V220, [end, ub(0), config[0], config[1]]);
    }
}

#[test]
fn r12_a_count_that_is_rounded_down() {
    let with = |variant| {
        let checks = CheckOptions { auto_sync: false, coverage: true, ..CheckOptions::default() };
        let bench = Bench::with_options(NpuOptions { threads: 2, checks, ..NpuOptions::default() });
        let (x, y) = (bench.upload(&vec![1.0; 65536]), bench.upload(&vec![0.0; 65536]));
        let values = [("x", x), ("y", y), ("variant", variant)];
        let outcome = bench.run_type("recipe", rounded_down, KernelType::AivOnly, 1, &values);
        normalised(&outcome)
    };
    let text = with(0);
    assert!(text.contains("TR0112") && text.contains("262128..262144"), "{text}");
    let text = with(1);
    assert!(text.contains("TR0112") && !text.contains("..262144"), "{text}");
}

/// R15: `args[2]` fractals of 512 bytes of B from L1 to L0B, from byte `args[1]` of it on.
fn tile_of_b(args: &[u64; 8]) {
    let mut left = args[2];
    let mut at = 0;
    while left > 0 {
        let now = left.min(128);
        issue(
            Op::LoadL1ToL0b2dF16,
            [local(Space::L0b, args[1] + at), local(Space::L1, at), now << 16 | 1 << 24, 0],
        );
        (left, at) = (left - now, at + 512 * now);
    }
}

#[test]
fn r15_a_tile_larger_than_l0b() {
    let with = |offset: u64, fractals: u64| {
        let bench = bench(false);
        let values = [("none", 0), ("offset", offset), ("fractals", fractals)];
        let outcome = bench.run_type("recipe", tile_of_b, KernelType::AicOnly, 1, &values);
        (outcome.findings.iter().map(|f| f.code).collect::<Vec<_>>(), normalised(&outcome))
    };
    // N = 512, K = 128: 131,072 bytes. N = 256 in the second of two slots.
    for (offset, fractals) in [(0, 256), (32768, 128)] {
        let (codes, text) = with(offset, fractals);
        assert_eq!(codes, ["TR0202"], "{text}");
        assert!(text.contains("L0B") && text.contains("0x10000"), "{text}");
    }
    for (offset, fractals) in [(0, 64), (32768, 64), (0, 128)] {
        assert_eq!(with(offset, fractals).0, [""; 0]);
    }
}

/// Positions of VECIN: GM, VECIN.
const VECIN: u64 = TPosition::Gm as u64 | (TPosition::VecIn as u64) << 8;

/// InitBuffer of a queue of VECIN with one buffer of 2048 bytes.
fn reserve(queue: u64, start: u64) {
    note(Annotation::Reserved, [Space::Ub as u64 | VECIN << 16 | 1 << 32, start, 2048, queue]);
}

/// A step of the tensor at `start`: 0 AllocTensor, 1 EnQue, 2 DeQue, 3 FreeTensor.
fn step(op: u64, queue: u64, start: u64) {
    note(Annotation::QueueOp, [Space::Ub as u64 | op << 8, start, 2048, queue]);
}

/// R17: 0 the tensor is used without DeQue, 1 with it, 2 without a queue and with a flag by hand. Written against `device-lib` this does not
/// compile (`device-lib/tests/ui/fail/use_after_enque.rs`); these are the bare annotations.
fn without_deque(args: &[u64; 8]) {
    const MTE2_V: u64 = (HardEvent::Mte2V as u64) << 8;
    let queued = args[2] < 2;
    note(Annotation::Pipe, [0, 1, 0, 0]);
    if queued {
        reserve(7, 0);
        step(0, 7, 0);
    }
    copy_in(ub(0), args[0], 64);
    // EnQue sets the flag.
    called_at(without_deque as KernelFn as usize as u64 + 1, || {
        set_flag(Pipe::Mte2, Pipe::V, 0);
        if queued {
            step(1 | MTE2_V, 7, 0);
        }
    });
    if args[2] != 0 {
        wait_flag(Pipe::Mte2, Pipe::V, 0);
    }
    if args[2] == 1 {
        step(2, 7, 0);
    }
    binary(Op::VaddF32, ub(2048), ub(0), ub(0), 8);
    if args[2] == 1 {
        barrier(Pipe::V);
        step(3, 7, 0);
    }
    pair(Pipe::V, Pipe::Mte3, 0);
    copy_out(args[1], ub(2048), 64);
    note(Annotation::Pipe, [2, 1, 0, 0]);
}

#[test]
fn r17_deque_left_out() {
    let left_out = run(without_deque, KernelType::AivOnly, 1, 0, false);
    let text = normalised(&left_out);
    assert_eq!(left_out.findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["TR0704"], "{text}");
    assert!(text.contains("DeQue is missing") && text.contains("MTE2"), "{text}");
    gives(without_deque, KernelType::AivOnly, 1, false, &[]);
    gives(without_deque, KernelType::AivOnly, 2, false, &[]);
}

/// R16: `args[2]` queues of VECIN give out a tensor each before the first one comes back.
fn live_at_once(args: &[u64; 8]) {
    note(Annotation::Pipe, [0, 1, 0, 0]);
    let queues = 0..args[2];
    queues.clone().for_each(|queue| reserve(100 + queue, 2048 * queue));
    queues.clone().for_each(|queue| step(0, 100 + queue, 2048 * queue));
    queues.for_each(|queue| step(3, 100 + queue, 2048 * queue));
    note(Annotation::Pipe, [2, 1, 0, 0]);
}

#[test]
fn r16_the_ninth_live_tensor_of_a_position() {
    let nine = run(live_at_once, KernelType::AivOnly, 1, 9, false);
    let text = normalised(&nine);
    assert_eq!(nine.findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["TR0714"], "{text}");
    assert!(text.contains("9 tensors of VECIN") && text.contains("limit is 8"), "{text}");
    gives(live_at_once, KernelType::AivOnly, 8, false, &[]);
}

/// S4: the scalar unit reads an index that MTE2 loads and uses it as an offset; 1: behind a flag. Nobody has filled the index there is.
fn index_read_too_early(args: &[u64; 8]) {
    copy_in(ub(0), args[0], 1);
    if args[2] == 1 {
        pair(Pipe::Mte2, Pipe::S, 0);
    }
    let index = get_value(ub(0));
    copy_in(ub(512), args[0] + 32 * index as u64, 1);
}

#[test]
fn s04_an_index_is_read_too_early() {
    gives(index_read_too_early, KernelType::AivOnly, 0, false, &[("TR0402", "MTE2", "S", "UB", 0..4)]);
    gives(index_read_too_early, KernelType::AivOnly, 1, false, &[]);
    gives(index_read_too_early, KernelType::AivOnly, 0, true, &[]);
}

/// S9: the load before the loop is waited for in its first iteration; `args[2]` iterations.
fn loop_that_waits(args: &[u64; 8]) {
    copy_in(ub(0), args[0], 8);
    set_flag(Pipe::Mte2, Pipe::V, 0);
    for i in 0..args[2] {
        if i == 0 {
            wait_flag(Pipe::Mte2, Pipe::V, 0);
        }
        binary(Op::VmulF32, ub(512 * (i + 1)), ub(0), ub(0), 1);
    }
    binary(Op::VsubF32, ub(8192), ub(0), ub(0), 1);
    if args[2] == 0 {
        wait_flag(Pipe::Mte2, Pipe::V, 0);
    }
}

#[test]
fn s09_a_loop_that_runs_zero_times() {
    gives(loop_that_waits, KernelType::AivOnly, 0, false, &[("TR0402", "MTE2", "V", "UB", 0..256)]);
    gives(loop_that_waits, KernelType::AivOnly, 1, false, &[]);
    gives(loop_that_waits, KernelType::AivOnly, 3, false, &[]);
}

/// R25: eight workers, four by two, each 16 rows of 64 floats of a matrix of 128 columns; the offset uses the width of a block (0) or of
/// the matrix (1).
fn blocks_of_a_matrix(args: &[u64; 8]) {
    const ROW_BYTES: u64 = 512;
    let me = face(|c| u64::from(c.block_idx));
    let (down, across) = (me / 2, me % 2);
    let pitch = if args[2] == 1 { ROW_BYTES } else { ROW_BYTES / 2 };
    binary(Op::VsubF32, ub(0), ub(1024), ub(1024), 1);
    pair(Pipe::V, Pipe::Mte3, 0);
    for row in 0..16 {
        copy_out(args[0] + down * 16 * pitch + across * 256 + row * ROW_BYTES, ub(0), 8);
    }
}

#[test]
fn r25_an_offset_with_the_wrong_pitch_overlaps_and_leaves_a_hole() {
    let with = |variant| {
        let checks = CheckOptions { auto_sync: false, coverage: true, ..CheckOptions::default() };
        let bench = Bench::with_options(NpuOptions { threads: 2, checks, ..NpuOptions::default() });
        let matrix = bench.upload(&vec![0.0; 64 * 128]);
        let values = [("matrix", matrix), ("y", 0), ("variant", variant)];
        let outcome = bench.run_type("recipe", blocks_of_a_matrix, KernelType::AivOnly, 8, &values);
        let of_gm = |code: &&str| code.starts_with("TR06") || code.starts_with("TR01");
        let mut codes: Vec<&str> = outcome.findings.iter().map(|f| f.code).filter(of_gm).collect();
        codes.sort_unstable();
        (codes, normalised(&outcome))
    };
    let (codes, text) = with(0);
    assert_eq!(codes, ["TR0112", "TR0113", "TR0608"], "{text}");
    assert_eq!(with(1).0, [""; 0]);
}
