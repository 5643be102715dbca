//! Rearrangement against index formulas and a plain stable sort.

use crate::machine::{Machine, Rng, config};
use std::cmp::Ordering;
use toprope_abi::isa::{DType, FieldId, Layout, Op, OpRow, RearrangeKind, Spr};
use toprope_sim::exec::{Decoded, ExecFault, set_va};

const FROM: usize = 64 << 10;

fn random_bytes(rng: &mut Rng, bytes: &mut [u8]) {
    bytes.iter_mut().for_each(|b| *b = rng.next() as u8);
}

/// Runs a row over many cases; returns the number of elements written.
pub fn check_row(row: &'static OpRow, kind: RearrangeKind) -> usize {
    let mut machine = Machine::new();
    let mut rng = Rng(7);
    (0..48)
        .map(|_| match kind {
            RearrangeKind::Transpose => transpose(&mut machine, &mut rng, row),
            RearrangeKind::NchwConv => nchw_conv(&mut machine, &mut rng, row),
            RearrangeKind::Sort32 => sort32(&mut machine, &mut rng, row),
            RearrangeKind::MergeSort => merge(&mut machine, &mut rng, row),
            RearrangeKind::MoveVa => 1,
        })
        .sum()
}

fn transpose(m: &mut Machine, rng: &mut Rng, row: &OpRow) -> usize {
    random_bytes(rng, m.ub_bytes());
    let from = if rng.below(3) == 0 { 0 } else { FROM };
    let before = m.ub_bytes().to_vec();
    let mut want = before.clone();
    for i in 0..16 {
        for j in 0..16 {
            let (at, source) = (2 * (16 * i + j), from + 2 * (16 * j + i));
            want[at..at + 2].copy_from_slice(&before[source..source + 2]);
        }
    }
    m.run(row.op, [m.ub(0), m.ub(from), 0, 0]).expect("legal");
    assert!(m.ub_bytes() == want.as_slice(), "{} from {from}", row.intrinsic);
    256
}

/// Names 16 blocks by VA registers `first` and `first + 1`.
fn name_blocks(m: &mut Machine, first: u64, offsets: &[usize]) {
    for (i, pair) in offsets.chunks(2).enumerate() {
        let x = [first + i as u64 / 4, 2 * (i as u64 % 4), m.ub(pair[0]), m.ub(pair[1])];
        set_va(Op::Moveva.row(), &mut m.regs, &x).expect("a block of UB");
    }
}

fn nchw_word(dst: u64, src: u64, repeats: u64) -> u64 {
    let fields =
        [(FieldId::DstRepeatStride, dst), (FieldId::Src0RepeatStride, src), (FieldId::RepeatTimes, repeats)];
    config(Layout::NchwConv, &fields)[0]
}

fn nchw_conv(m: &mut Machine, rng: &mut Rng, row: &OpRow) -> usize {
    random_bytes(rng, m.ub_bytes());
    let repeats = rng.below(4);
    let (dst_step, src_step) = (rng.below(20), rng.below(20));
    // Destinations may repeat; the later one stays.
    let dst: Vec<usize> = (0..16).map(|_| 32 * rng.below(1000) as usize).collect();
    let src: Vec<usize> = (0..16).map(|_| FROM + 32 * rng.below(1000) as usize).collect();
    let halves = rng.below(4);
    name_blocks(m, 4, &dst);
    name_blocks(m, 6, &src);
    let mut want = m.ub_bytes().to_vec();
    let size = row.dst.bits() as usize / 8;
    let (len, per) = if size == 1 { (16, 16) } else { (32, 32 / size) };
    let half = |side: u64| if size == 1 && halves >> side & 1 == 1 { 16 } else { 0 };
    for r in 0..repeats as usize {
        let behind = |step: u64| if repeats == 1 { step as usize * 32 } else { r * step as usize * 32 };
        let before = want.clone();
        for (i, at) in dst.iter().enumerate() {
            for k in 0..len / size {
                // Place in the transposed matrix of `per` rows and 16 columns.
                let place = i * (len / size) + k;
                let (line, column) = (place / 16, place % 16);
                assert!(line < per);
                let from = src[column] + behind(src_step) + half(1) + line * size;
                let to = at + behind(dst_step) + half(0) + k * size;
                want[to..to + size].copy_from_slice(&before[from..from + size]);
            }
        }
    }
    let d = m.run(row.op, [4, 6, nchw_word(dst_step, src_step, repeats), halves]).expect("legal");
    assert!(m.ub_bytes() == want.as_slice(), "{} {repeats} {dst_step} {src_step} {halves}", row.intrinsic);
    assert_eq!(d.accesses().is_empty(), repeats == 0);
    d.work().elements as usize
}

/// Order of scores: NaN before everything, zeros equal.
fn before(t: DType, a: u64, b: u64) -> Ordering {
    let (x, y) = (crate::reference::value(t, a), crate::reference::value(t, b));
    match (x.is_nan(), y.is_nan()) {
        (true, true) => Ordering::Equal,
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => y.partial_cmp(&x).expect("no NaN"),
    }
}

/// Few different scores, so that many are equal.
fn score(rng: &mut Rng, t: DType) -> u64 {
    if rng.below(2) == 0 {
        rng.element(t)
    } else {
        crate::reference::binary(toprope_abi::isa::BinaryFn::Add, t, 0, rng.element(t) & 0x7000, false)
    }
}

fn put(bytes: &mut [u8], at: usize, value: u64, size: usize) {
    bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
}

fn sort32(m: &mut Machine, rng: &mut Rng, row: &OpRow) -> usize {
    random_bytes(rng, m.ub_bytes());
    let repeats = rng.below(5) as usize;
    let size = row.src.bits() as usize / 8;
    let indices = FROM + (32 << 10);
    let mut records = Vec::new();
    for i in 0..32 * repeats {
        let (s, index) = (score(rng, row.src), rng.next() & 0xffff_ffff);
        put(m.ub_bytes(), FROM + i * size, s, size);
        put(m.ub_bytes(), indices + 4 * i, index, 4);
        records.push((s, index));
    }
    let mut want = m.ub_bytes().to_vec();
    for (r, group) in records.chunks_mut(32).enumerate() {
        group.sort_by(|a, b| before(row.src, a.0, b.0));
        for (i, (s, index)) in group.iter().enumerate() {
            put(&mut want, (32 * r + i) * 8, s | index << 32, 8);
        }
    }
    let word = config(Layout::VecRepeat, &[(FieldId::RepeatTimes, repeats as u64)])[0];
    m.run(row.op, [m.ub(0), m.ub(FROM), m.ub(indices), word]).expect("legal");
    assert!(m.ub_bytes() == want.as_slice(), "{} {repeats}", row.intrinsic);
    32 * repeats
}

fn merge_words(lengths: &[u64; 4], mask: u64, suspend: bool, repeats: u64) -> [u64; 2] {
    let fields = [
        (FieldId::RepeatTimes, repeats),
        (FieldId::ListMask, mask),
        (FieldId::Suspension, u64::from(suspend)),
        (FieldId::ListLength0, lengths[0]),
        (FieldId::ListLength1, lengths[1]),
        (FieldId::ListLength2, lengths[2]),
        (FieldId::ListLength3, lengths[3]),
    ];
    config(Layout::Merge, &fields)
}

fn packed(offsets: [usize; 4]) -> u64 {
    offsets.iter().rev().fold(0, |word, at| word << 16 | (*at as u64 / 8))
}

/// Repeatedly takes the first of the heads that no other precedes.
fn merge(m: &mut Machine, rng: &mut Rng, row: &OpRow) -> usize {
    random_bytes(rng, m.ub_bytes());
    let repeats = if rng.below(3) == 0 { 1 + rng.below(3) } else { 1 };
    let lists = if repeats > 1 { 4 } else { 2 + rng.below(3) as usize };
    let suspend = repeats == 1 && rng.below(2) == 0;
    let same = 1 + rng.below(20);
    let lengths: [u64; 4] = std::array::from_fn(|_| if repeats > 1 { same } else { rng.below(40) });
    let at: [usize; 4] = std::array::from_fn(|i| {
        if repeats > 1 { FROM + i * same as usize * 8 } else { FROM + i * 4096 + 8 * rng.below(8) as usize }
    });
    let mut want = m.ub_bytes().to_vec();
    let mut counts = [0; 4];
    let mut out = 0;
    for r in 0..repeats as usize {
        let mut queues: Vec<Vec<u64>> = Vec::new();
        for (length, at) in lengths.iter().zip(at).take(lists) {
            let mut list: Vec<u64> =
                (0..*length).map(|_| score(rng, row.src) | rng.next() & 0xffff_ffff << 32).collect();
            let low = (1u64 << row.src.bits()) - 1;
            list.sort_by(|a, b| before(row.src, a & low, b & low));
            for (k, record) in list.iter().enumerate() {
                let to = at + 8 * (k + r * 4 * same as usize);
                put(m.ub_bytes(), to, *record, 8);
                put(&mut want, to, *record, 8);
            }
            list.reverse();
            queues.push(list);
        }
        counts = [0; 4];
        let low = (1u64 << row.src.bits()) - 1;
        while !(suspend && queues.iter().any(Vec::is_empty)) {
            let Some(best) = (0..lists).filter(|i| !queues[*i].is_empty()).reduce(|a, b| {
                let head = |i: usize| queues[i][queues[i].len() - 1] & low;
                if before(row.src, head(b), head(a)) == Ordering::Less { b } else { a }
            }) else {
                break;
            };
            let record = queues[best].pop().expect("not empty");
            put(&mut want, out * 8, record, 8);
            counts[best] += 1;
            out += 1;
        }
    }
    let [word, lens] = merge_words(&lengths, (1 << lists) - 1, suspend, repeats);
    m.state.set(Spr::Vms4Sr, 0);
    let d: Decoded = m.run(row.op, [m.ub(0), packed(at), lens, word]).expect("legal");
    assert!(m.ub_bytes() == want.as_slice(), "{} {lengths:?} {lists} {suspend} {repeats}", row.intrinsic);
    let register = counts.iter().rev().fold(0u64, |word, n: &u64| word << 16 | n);
    assert_eq!(m.state.get(Spr::Vms4Sr), register);
    if d.accesses().is_empty() { 0 } else { out }
}

#[test]
fn transposition_is_apart_or_in_place() {
    let m = Machine::new();
    let x = |from: usize| [m.ub(0), m.ub(from), 0, 0];
    assert!(m.decode(Op::VtransposeB16, x(0)).is_ok());
    assert!(m.decode(Op::VtransposeB16, x(512)).is_ok());
    assert!(matches!(m.decode(Op::VtransposeB16, x(480)), Err(ExecFault::NotApart { .. })));
    let d = m.decode(Op::VtransposeB16, x(512)).expect("legal");
    assert!(d.accesses().iter().all(|a| a.align_bytes == 32));
}

#[test]
fn address_registers() {
    let mut m = Machine::new();
    let row = Op::Moveva.row();
    let block = m.ub(64);
    assert!(set_va(row, &mut m.regs, &[7, 6, block, block]).is_ok());
    for (x, what) in [
        ([8, 0, block, block], "number of the address register is 8"),
        ([0, 1, block, block], "position in the address register is 1"),
        ([0, 0, block + 16, block], "UB offset of an address is 80, allowed is multiples of 32"),
    ] {
        let fault = set_va(row, &mut m.regs, &x).unwrap_err().to_string();
        assert!(fault.contains(what), "{fault}");
    }
    let gm = m.gm(0);
    assert!(matches!(set_va(row, &mut m.regs, &[0, 0, gm, block]), Err(ExecFault::WrongSpace { .. })));
    assert!(matches!(m.decode(Op::Moveva, [0; 4]), Err(ExecFault::NotData { .. })));
}

#[test]
fn blocks_of_a_conversion_are_apart() {
    let mut m = Machine::new();
    let blocks = |first: usize| (0..16).map(|i| first + 32 * i).collect::<Vec<usize>>();
    name_blocks(&mut m, 0, &blocks(0));
    name_blocks(&mut m, 2, &blocks(512));
    let x = [0, 2, nchw_word(0, 0, 1), 0];
    assert!(m.decode(Op::SVnchwconvB16, x).is_ok());
    assert!(
        m.decode(Op::SVnchwconvB16, [0, 2, nchw_word(16, 0, 1), 0]).is_err(),
        "one repeat starts a stride on"
    );
    assert!(m.decode(Op::SVnchwconvB16, [0, 2, nchw_word(0, 16, 2), 0]).is_ok());
    name_blocks(&mut m, 2, &blocks(0));
    assert!(m.decode(Op::SVnchwconvB16, x).is_ok(), "in place");
    name_blocks(&mut m, 2, &blocks(32));
    let meets = m.decode(Op::SVnchwconvB32, x);
    assert!(matches!(meets, Err(ExecFault::NotApart { .. })), "{meets:?}");
    assert!(matches!(m.decode(Op::SVnchwconvB8, [7, 2, x[2], 0]), Err(ExecFault::Argument { asked: 7, .. })));
}

#[test]
fn sorts_and_merges_are_apart_from_their_sources() {
    let m = Machine::new();
    let word = config(Layout::VecRepeat, &[(FieldId::RepeatTimes, 1)])[0];
    assert!(m.decode(Op::Vbs32F32, [m.ub(0), m.ub(256), m.ub(512), word]).is_ok());
    assert!(m.decode(Op::Vbs32F32, [m.ub(0), m.ub(224), m.ub(512), word]).is_err());
    assert!(m.decode(Op::Vbs32F32, [m.ub(0), m.ub(256), m.ub(0), word]).is_err());
    let merge = |lengths: [u64; 4], at, mask, suspend, repeats| {
        let [config, lens] = merge_words(&lengths, mask, suspend, repeats);
        m.decode(Op::VmrgsortF32V220, [m.ub(0), packed(at), lens, config])
    };
    let lists = [4096, 4096 + 256, 4096 + 512, 4096 + 768];
    assert!(merge([32; 4], lists, 15, false, 2).is_ok());
    assert!(merge([32; 4], [1016, 4096, 4608, 5120], 15, false, 1).is_err(), "1024 bytes of destination");
    assert!(merge([32, 32, 9, 9], [512, 4096, 0, 0], 3, false, 1).is_ok(), "lists that take no part");
    let text = |r: Result<Decoded, ExecFault>| r.unwrap_err().to_string();
    assert!(text(merge([32; 4], lists, 5, false, 1)).contains("validBit is 5, allowed is 3, 7 or 15"));
    assert!(text(merge([32; 4], lists, 7, false, 2)).contains("number of lists with several repeats is 3"));
    assert!(text(merge([32; 4], lists, 15, true, 2)).contains("ifExhaustedSuspension"));
    assert!(text(merge([32, 32, 31, 32], lists, 15, false, 2)).contains("length of a list"));
    assert!(text(merge([32; 4], [4096, 4352, 4616, 4864], 15, false, 2)).contains("gap between lists"));
    assert!(matches!(
        merge([4096, 1, 1, 1], [8192, 49152, 53248, 57344], 15, false, 1),
        Err(ExecFault::FieldRange { field: FieldId::ListLength0, asked: 4096, max: 4095, .. })
    ));
}
