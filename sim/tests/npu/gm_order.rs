//! Order of accesses to GM: between pipes, between cores, around the data cache. Each case has a twin that is right.

use crate::harness::{Bench, KernelFn, golden_text, normalised, silent};
use crate::kernel::*;
use toprope_abi::core_face::{Annotation, KernelType};
use toprope_abi::isa::{FieldId as F, Layout, Op, Pipe, Space};
use toprope_sim::npu::{CheckOptions, LaunchOutcome, NpuOptions};

const THREADS: [usize; 3] = [1, 2, 3];

/// How a case is run.
#[derive(Clone, Copy)]
struct Run {
    kernel_type: KernelType,
    blocks: u32,
    floats: usize,
    coverage: bool,
}

const AIVS: Run = Run { kernel_type: KernelType::MixAiv1_0, blocks: 8, floats: 4096, coverage: false };
const MIX: Run = Run { kernel_type: KernelType::MixAic1_2, blocks: 1, ..AIVS };

/// The same text for every number of threads.
fn run(name: &str, kernel: KernelFn, how: Run, word: u64) -> LaunchOutcome {
    let mut all: Vec<LaunchOutcome> = Vec::new();
    for threads in THREADS {
        let checks = CheckOptions { auto_sync: false, coverage: how.coverage, ..CheckOptions::default() };
        let bench = Bench::with_options(NpuOptions { threads, checks, ..NpuOptions::default() });
        let (x, y) = (bench.upload(&vec![1.0; how.floats]), bench.upload(&vec![1.0; how.floats]));
        let args = [("x", x), ("y", y), ("word", word)];
        all.push(bench.run_type(name, kernel, how.kernel_type, how.blocks, &args));
        assert_eq!(normalised(&all[0]), normalised(all.last().expect("pushed")), "{name}: {threads} threads");
    }
    all.swap_remove(0)
}

/// A case that is reported as `code`, and its text.
fn reports(name: &str, code: &str, kernel: KernelFn, how: Run, word: u64) -> String {
    let outcome = run(name, kernel, how, word);
    let text = normalised(&outcome);
    // How a function is called depends on the compiler.
    let lines = text.lines().map(|l| {
        l.split_once(".rs:LL in ").map_or_else(|| l.to_owned(), |(place, _)| format!("{place}.rs:LL"))
    });
    golden_text(name, &lines.map(|l| l + "\n").collect::<String>());
    assert!(text.contains(code), "{name}: {text}");
    text
}

fn quiet(name: &str, kernel: KernelFn, how: Run, word: u64) {
    silent(&run(name, kernel, how, word));
}

fn sync_all() {
    barrier(Pipe::All);
    cross_set(0, Pipe::Mte3, 5);
    cross_wait(5);
}

fn flag(src: Pipe, dst: Pipe) {
    set_flag(src, dst, 0);
    wait_flag(src, dst, 0);
}

/// DataCacheCleanAndInvalid of the whole cache.
fn clean() {
    issue(Op::Dcci, [0, 1, 0, 0]);
}

fn block() -> u64 {
    face(|c| u64::from(c.block_idx))
}

/// Fills 2 KiB of UB with a number.
fn fill(value: f32) {
    issue(Op::MovevF32, [ub(0), u64::from(value.to_bits()), 8 << 56 | 8 << 32 | 1, 0]);
    flag(Pipe::V, Pipe::Mte3);
}

/// Each core writes its slot and reads that of the next one; `word`: behind a barrier of all.
fn exchange(args: &[u64; 8]) {
    known();
    let n = face(|c| u64::from(c.block_num));
    copy_out(args[0] + block() * 128, ub(0), 4);
    if args[2] == 1 {
        sync_all();
    }
    copy_in(ub(4096), args[0] + (block() + 1) % n * 128, 4);
}

#[test]
fn a_hand_off_without_order_is_found() {
    let text = reports("core_race", "TR0607", exchange, AIVS, 0);
    assert!(text.contains("argument 0 (`x`)") && text.contains("AIV 0"), "{text}");
    quiet("core_race_twin", exchange, AIVS, 1);
}

/// Cores `word` bytes apart write 96 bytes each.
fn spread(args: &[u64; 8]) {
    known();
    copy_out(args[1] + block() * args[2], ub(0), 3);
}

/// The same, added.
fn spread_adds(args: &[u64; 8]) {
    known();
    issue(Op::Sbitset1, [6, 0, 0, 0]);
    spread(args);
    issue(Op::Sbitset0, [6, 0, 0, 0]);
}

#[test]
fn two_cores_that_write_the_same_bytes_are_found() {
    reports("core_overlap", "TR0608", spread, AIVS, 64);
    quiet("core_overlap_twin", spread, AIVS, 96);
    quiet("core_overlap_adds", spread_adds, AIVS, 64);
    // Blocks of different waves are not ordered either.
    let waves = Run { blocks: 100, ..AIVS };
    quiet("core_overlap_waves", spread, waves, 96);
    fn first_and_last(args: &[u64; 8]) {
        known();
        if block() == 0 || block() == 99 {
            copy_out(args[1], ub(0), 3);
        }
    }
    let outcome = run("core_overlap_far", first_and_last, waves, 0);
    let text = normalised(&outcome);
    assert!(text.contains("TR0608") && text.contains("block 99"), "{text}");
}

/// Eight workers, four by two, write blocks of a matrix of 64 x 64 floats row by row; `word`: the distance of two rows of blocks.
fn tiles(args: &[u64; 8]) {
    known();
    let (m, n) = (block() / 2, block() % 2);
    for r in 0..16 {
        copy_out(args[0] + m * args[2] + n * 128 + r * 256, ub(0), 4);
    }
}

#[test]
fn an_offset_with_the_wrong_pitch_shows_overlap_and_hole() {
    let text = reports("core_pitch", "TR0608", tiles, AIVS, 16 * 128);
    assert!(
        text.contains("rows 8..32") && text.contains("not written by this launch: bytes 10240..16384"),
        "{text}"
    );
    quiet("core_pitch_twin", tiles, Run { coverage: true, ..AIVS }, 16 * 256);
    let covered =
        reports("coverage", "TR0112", tiles, Run { coverage: true, floats: 8192, ..AIVS }, 16 * 256);
    assert!(covered.contains("16384 of 32768 bytes"), "{covered}");
}

/// Core n writes 4 rows of 64 bytes of a matrix, rows 256 bytes long, behind those of core n - 1; `word`: the gap, bytes.
fn padded_rows(args: &[u64; 8]) {
    known();
    let fields = [(F::BurstCount, 4), (F::BurstLen, 64), (F::SrcGap, 0), (F::DstGap, args[2])];
    let w = pack(Layout::AlignOut, &fields);
    issue(Op::MovUbToOutAlignB32V220, [args[0] + 64 * block(), ub(0), w[0], w[1]]);
}

#[test]
fn a_gap_in_blocks_where_bytes_are_counted_is_named() {
    let four = Run { blocks: 4, ..AIVS };
    let text = reports("core_rows_gap", "TR0608", padded_rows, four, 192 / 32);
    assert!(text.contains("6 blocks of 32 bytes, that is 192 bytes"), "{text}");
    quiet("core_rows_gap_twin", padded_rows, four, 192);
}

/// Both vector cores of a block double the same state; `word`: one after the other.
fn state(args: &[u64; 8]) {
    known();
    if is_aic() {
        return;
    }
    let me = core_index();
    if args[2] == 1 && me == 1 {
        cross_set(1, Pipe::Mte3, 3);
        cross_wait(3);
    }
    copy_in(ub(0), args[0], 8);
    flag(Pipe::Mte2, Pipe::V);
    binary(Op::VaddF32, ub(0), ub(0), ub(0), 1);
    flag(Pipe::V, Pipe::Mte3);
    copy_out(args[0], ub(0), 8);
    if args[2] == 1 && me == 0 {
        cross_set(1, Pipe::Mte3, 3);
        cross_wait(3);
    }
}

#[test]
fn two_vector_cores_on_one_state_are_found() {
    let text = reports("core_state", "TR0607", state, MIX, 0);
    assert!(text.contains("AIV 0") && text.contains("AIV 1"), "{text}");
    quiet("core_state_twin", state, MIX, 1);
}

/// Core 0 stores data and then tells core 1, which polls; `word`: the store is complete before.
fn signal(args: &[u64; 8]) {
    known();
    if block() == 0 {
        copy_out(args[0], ub(0), 8);
        if args[2] == 1 {
            flag(Pipe::Mte3, Pipe::S);
        }
        set_value(args[1], 2.0);
        clean();
    } else if block() == 1 {
        loop {
            issue(Op::Dcci, [args[1], 0, 2, 0]);
            if get_value(args[1]) == 2.0 {
                break;
            }
        }
        copy_in(ub(0), args[0], 8);
    }
}

#[test]
fn a_signal_that_overtakes_its_data_is_found() {
    let text = reports("core_signal", "TR0607", signal, AIVS, 0);
    assert!(text.contains("pipe MTE3") && !text.contains("`y`"), "{text}");
    quiet("core_signal_twin", signal, AIVS, 1);
}

/// Core 0 writes a tile of 64 bytes that the others load again and again; `word`: behind a barrier of all.
fn small_tiles(args: &[u64; 8]) {
    known();
    if block() == 0 {
        copy_out(args[0], ub(0), 2);
    }
    if args[2] == 1 {
        sync_all();
    }
    if block() != 0 {
        for _ in 0..std::hint::black_box(4) {
            copy_in(ub(4096), args[0], 2);
            flag(Pipe::Mte2, Pipe::V);
            binary(Op::VaddF32, ub(8192), ub(4096), ub(4096), 1);
            flag(Pipe::V, Pipe::Mte2);
        }
    }
}

/// Core 3 writes 2 KiB, with a table of 32 bytes in them, whose first word the others look at; `word`: behind a barrier of all.
fn table(args: &[u64; 8]) {
    known();
    if block() == 3 {
        copy_out(args[0], ub(0), 64);
    }
    if args[2] == 1 {
        sync_all();
    }
    if block() != 3 {
        for _ in 0..std::hint::black_box(3) {
            copy_in(ub(4096), args[0] + 1024, 1);
            flag(Pipe::Mte2, Pipe::S);
            get_value(ub(4096));
            flag(Pipe::S, Pipe::Mte2);
        }
    }
}

#[test]
fn small_copies_that_a_loop_repeats_are_data() {
    let text = reports("core_small_tiles", "TR0607", small_tiles, AIVS, 0);
    assert!(text.contains("0x0..0x40"), "{text}");
    quiet("core_small_tiles_twin", small_tiles, AIVS, 1);
    let text = reports("core_table", "TR0607", table, AIVS, 0);
    assert!(text.contains("0x400..0x420"), "{text}");
    quiet("core_table_twin", table, AIVS, 1);
}

/// Core 0 stores data and then a word by copies; core 1 copies the word until it is there, and takes the data. `word` 1: it
/// doubles the word's block first, and looks at the result; 2: the word is written
/// before the data.
fn copied_signal(args: &[u64; 8]) {
    known();
    fill(2.0);
    if block() == 0 {
        let (data, word) = ((args[0], 8), (args[1], 1));
        for (to, blocks) in if args[2] == 2 { [word, data] } else { [data, word] } {
            copy_out(to, ub(0), blocks);
            barrier(Pipe::Mte3);
        }
    } else if block() == 1 {
        loop {
            copy_in(ub(4096), args[1], 1);
            flag(Pipe::Mte2, Pipe::V);
            if args[2] == 1 {
                issue(Op::Movemask, [0, 0xff, 0, 0]);
                binary(Op::VaddF32, ub(8192), ub(4096), ub(4096), 1);
            }
            flag(Pipe::V, Pipe::S);
            let (at, there) = if args[2] == 1 { (8192, 4.0) } else { (4096, 2.0) };
            if get_value(ub(at)) == there {
                break;
            }
            flag(Pipe::S, Pipe::Mte2);
        }
        flag(Pipe::S, Pipe::Mte2);
        copy_in(ub(16384), args[0], 8);
    }
}

#[test]
fn copies_that_look_for_a_word_are_no_data() {
    quiet("core_copied_signal", copied_signal, AIVS, 0);
    quiet("core_copied_signal_sum", copied_signal, AIVS, 1);
    let text = reports("core_copied_signal_early", "TR0607", copied_signal, AIVS, 2);
    assert!(!text.contains("`y`"), "{text}");
}

/// One core stores and loads again; `word`: with a flag between.
fn through_gm(args: &[u64; 8]) {
    known();
    for i in 0..std::hint::black_box(3) {
        copy_out(args[0] + i * 64, ub(0), 4);
        if args[2] == 1 {
            flag(Pipe::Mte3, Pipe::Mte2);
        }
        copy_in(ub(4096), args[0] + i * 64 + 32, 4);
        flag(Pipe::Mte2, Pipe::Mte3);
    }
}

/// Copies out what it copies in, as queues do it, many times.
fn pipeline(args: &[u64; 8]) {
    known();
    set_flag(Pipe::Mte3, Pipe::Mte2, 0);
    for i in 0..64 {
        wait_flag(Pipe::Mte3, Pipe::Mte2, 0);
        copy_in(ub(0), args[0] + i * 256, 8);
        flag(Pipe::Mte2, Pipe::V);
        binary(Op::VaddF32, ub(0), ub(0), ub(0), 1);
        flag(Pipe::V, Pipe::Mte3);
        copy_out(args[0] + i * 256, ub(0), 8);
        set_flag(Pipe::Mte3, Pipe::Mte2, 0);
    }
    wait_flag(Pipe::Mte3, Pipe::Mte2, 0);
}

#[test]
fn pipes_that_meet_in_gm_without_a_flag_are_found() {
    let one = Run { blocks: 1, ..AIVS };
    let text = reports("gm_race", "TR0420", through_gm, one, 0);
    assert!(text.contains(" times "), "{text}");
    quiet("gm_race_twin", through_gm, one, 1);
    quiet("gm_pipeline", pipeline, one, 0);
}

/// Writes a tail twice; `word` 1: a barrier between, 2: the same values.
fn tail(args: &[u64; 8]) {
    known();
    fill(3.0);
    copy_out(args[0], ub(0), 8);
    if args[2] == 1 {
        barrier(Pipe::Mte3);
    }
    copy_out(args[0] + 224, ub(if args[2] == 2 { 0 } else { 8192 }), 8);
}

#[test]
fn other_values_over_a_store_in_flight_are_a_warning() {
    let one = Run { blocks: 1, ..AIVS };
    reports("gm_rewrite", "TR0421", tail, one, 0);
    quiet("gm_rewrite_barrier", tail, one, 1);
    quiet("gm_rewrite_same", tail, one, 2);
}

/// A scalar store that a copy of the same core reads; `word`: cleaned.
fn scalar_then_copy(args: &[u64; 8]) {
    known();
    set_value(args[0] + 8, 4.0);
    if args[2] == 1 {
        clean();
    }
    flag(Pipe::S, Pipe::Mte2);
    copy_in(ub(0), args[0], 1);
}

/// A copy writes what the scalar unit has in its cache; `word`: dropped.
fn copy_under_cache(args: &[u64; 8]) {
    known();
    get_value(args[0]);
    flag(Pipe::S, Pipe::Mte3);
    copy_out(args[0], ub(0), 1);
    flag(Pipe::Mte3, Pipe::S);
    if args[2] == 1 {
        clean();
    }
    get_value(args[0] + 4);
}

/// Core 0 stores with the scalar unit, core 1 reads by copy, in order; `word`: cleaned.
fn left_in_cache(args: &[u64; 8]) {
    known();
    if block() == 0 {
        set_value(args[0], 4.0);
        if args[2] == 1 {
            clean();
        }
    }
    sync_all();
    if block() == 1 {
        copy_in(ub(0), args[0], 1);
    }
}

/// Core 1 has the line in its cache before core 0 writes; `word`: dropped.
fn old_line(args: &[u64; 8]) {
    known();
    if block() == 1 {
        get_value(args[0]);
    }
    sync_all();
    if block() == 0 {
        copy_out(args[0], ub(0), 1);
    }
    sync_all();
    if block() == 1 {
        if args[2] == 1 {
            clean();
        }
        get_value(args[0]);
    }
}

/// Cores store words `word` bytes apart.
fn words(args: &[u64; 8]) {
    known();
    set_value(args[0] + block() * args[2], 1.0);
    clean();
}

#[test]
fn what_the_data_cache_hides_is_a_warning() {
    let one = Run { blocks: 1, ..AIVS };
    for (name, code, kernel, how) in [
        ("gm_not_cleaned", "TR0422", scalar_then_copy as KernelFn, one),
        ("gm_stale", "TR0423", copy_under_cache, one),
        ("core_not_cleaned", "TR0609", left_in_cache, AIVS),
        ("core_stale", "TR0610", old_line, AIVS),
    ] {
        reports(name, code, kernel, how, 0);
        quiet(name, kernel, how, 1);
    }
    reports("core_line", "TR0611", words, AIVS, 4);
    quiet("core_line_twin", words, AIVS, 64);
}

/// An AIV and its AIC hand a buffer to each other 2000 times.
fn hand_offs(args: &[u64; 8]) {
    known();
    for _ in 0..2000 {
        if is_aic() {
            cross_wait(1);
            issue(
                Op::MovOutToL1V220,
                [local(toprope_abi::isa::Space::L1, 0), args[0] + block() * 1024, 1 << 4 | 8 << 16, 0],
            );
            cross_set(2, Pipe::Mte2, 2);
        } else {
            copy_out(args[0] + block() * 1024, ub(0), 8);
            cross_set(2, Pipe::Mte3, 1);
            cross_wait(2);
        }
    }
}

#[test]
fn thousands_of_hand_offs_are_followed() {
    let mix = Run { kernel_type: KernelType::MixAic1_1, blocks: 4, ..AIVS };
    quiet("hand_offs", hand_offs, mix, 0);
}

/// Steps of four rows through a tensor of `word` bytes.
fn rows(args: &[u64; 8]) {
    known();
    annotate(Annotation::GmTensor, args[0], args[2], 0);
    // One place, not three.
    for i in 0..std::hint::black_box(3) {
        copy_in(ub(0), args[0] + i * 512, 16);
    }
}

/// Two matrices of 16 × 16 by one Fixpipe, the second one `word` bytes behind the first; 4 KiB for each core's first.
fn two_matrices(args: &[u64; 8]) {
    if !is_aic() {
        return;
    }
    let burst = |blocks: u64| (1 << 4) | (blocks << 16);
    issue(Op::MovOutToL1V220, [local(Space::L1, 0), args[0], burst(16), 0]);
    barrier(Pipe::All);
    let w = pack(Layout::Load2d, &[(F::RepeatTimes, 1)]);
    issue(Op::LoadL1ToL0a2dS8, [local(Space::L0a, 0), local(Space::L1, 0), w[0], w[1]]);
    issue(Op::LoadL1ToL0b2dS8, [local(Space::L0b, 0), local(Space::L1, 0), w[0], w[1]]);
    barrier(Pipe::All);
    let w = pack(Layout::Mad, &[(F::MSize, 16), (F::KSize, 32), (F::NSize, 16), (F::CStartsAtZero, 1)]);
    for cell in [0, 1024] {
        issue(Op::MadS8, [local(Space::L0c, cell), local(Space::L0a, 0), local(Space::L0b, 0), w[0]]);
        barrier(Pipe::All);
    }
    let w = pack(Layout::NdPara, &[(F::NdNum, 2), (F::SrcNdStride, 1), (F::DstNdStride, args[2] / 4)]);
    issue(Op::SetNdPara, [w[0], 0, 0, 0]);
    let fields =
        [(F::NSize, 16), (F::MSize, 16), (F::DstRowStride, 16), (F::SrcColumnStride, 16), (F::NzToNd, 1)];
    let w = pack(Layout::Fixpipe, &fields);
    issue(Op::FixL0cToOutS32, [args[1] + 4096 * block(), local(Space::L0c, 0), w[0], w[1]]);
}

#[test]
fn every_matrix_of_a_fixpipe_is_followed() {
    let aics = Run { kernel_type: KernelType::AicOnly, blocks: 2, ..AIVS };
    let text = normalised(&run("gm_two_matrices", two_matrices, aics, 4096));
    assert!(text.contains("TR0608") && text.contains("0x1000..0x1400"), "{text}");
    quiet("gm_two_matrices_apart", two_matrices, aics, 2048);
}

#[test]
fn a_copy_that_leaves_its_tensor_is_a_warning() {
    let one = Run { blocks: 1, ..AIVS };
    let text = reports("gm_logical", "TR0111", rows, one, 1280);
    assert!(text.contains("bytes 1280..1536") && text.contains("iteration 2"), "{text}");
    quiet("gm_logical_room", rows, one, 1536);
    quiet("gm_logical_open", rows, one, 0);
}

/// Every core writes the same bytes, the cores one after the other; `word`: it adds to them.
fn in_turn(args: &[u64; 8]) {
    known();
    for turn in 0..face(|c| u64::from(c.block_num)) {
        if turn == block() {
            issue(if args[2] == 1 { Op::Sbitset1 } else { Op::Sbitset0 }, [6, 0, 0, 0]);
            copy_out(args[0], ub(0), 4);
            issue(Op::Sbitset0, [6, 0, 0, 0]);
        }
        sync_all();
    }
}

#[test]
fn bytes_that_several_cores_write_are_told_on_request() {
    let how = Run { blocks: 3, floats: 32, coverage: true, ..AIVS };
    let text = reports("written_twice", "TR0113", in_turn, how, 0);
    assert!(text.contains("256 bytes"), "{text}");
    quiet("written_twice_adds", in_turn, how, 1);
    quiet("written_twice_not_asked", in_turn, Run { coverage: false, ..how }, 0);
}

/// Reads that do not continue each other, `word` of them.
fn scattered(args: &[u64; 8]) {
    known();
    for i in 0..args[2] {
        copy_in(ub(4096), args[0] + 32 * (args[2] - i), 3);
    }
}

#[test]
fn more_accesses_than_are_kept_are_told() {
    let how = Run { blocks: 2, floats: 8 * 66_000, ..AIVS };
    reports("order_limit", "TR0612", scattered, how, 65_600);
    quiet("order_limit_twin", scattered, how, 65_500);
}

/// A flag of SyncAll's, used by the kernel; `word`: another one.
fn reserved(args: &[u64; 8]) {
    known();
    let own = if args[2] == 1 { 7 } else { 14 };
    cross_set(0, Pipe::Mte3, own);
    annotate(Annotation::SyncAll, 1, 0, 0);
    cross_set(0, Pipe::Mte3, 14);
    cross_wait(14);
    annotate(Annotation::SyncAll, 0, 0, 0);
    cross_wait(own);
}

#[test]
fn flags_of_sync_all_are_reserved() {
    reports("cross_reserved", "TR0614", reserved, AIVS, 0);
    quiet("cross_reserved_twin", reserved, AIVS, 1);
}

/// Every core reads its slot and writes it behind a flag of all; `word`: the flag is set behind the pipe that reads.
fn own_slot(args: &[u64; 8]) {
    known();
    copy_in(ub(4096), args[0] + block() * 128, 4);
    cross_set(0, if args[2] == 1 { Pipe::Mte2 } else { Pipe::Mte3 }, 2);
    cross_wait(2);
    copy_out(args[0] + block() * 128, ub(0), 4);
}

/// An AIC stores nothing; its AIVs read, tell it, and write when it answers; `word`: it waits for them first.
fn round_trip(args: &[u64; 8]) {
    known();
    if is_aic() {
        if args[2] == 1 {
            cross_wait(1);
        }
        cross_set(2, Pipe::Mte2, 2);
        if args[2] == 0 {
            cross_wait(1);
        }
    } else {
        let own = args[0] + core_index() * 256;
        copy_in(ub(4096), own, 8);
        cross_set(2, Pipe::Mte2, 1);
        cross_wait(2);
        copy_out(own, ub(0), 8);
    }
}

/// Modes 0 and 1 tell a core also of itself, because it has to set too; so does an answer to its own flag.
#[test]
fn a_flag_between_cores_orders_the_own_pipes_as_well() {
    let text = reports("own_pipe", "TR0420", own_slot, AIVS, 0);
    assert!(text.contains("MTE2_MTE3"), "{text}");
    quiet("own_pipe_twin", own_slot, AIVS, 1);
    reports("own_round_trip", "TR0420", round_trip, MIX, 0);
    quiet("own_round_trip_twin", round_trip, MIX, 1);
}
