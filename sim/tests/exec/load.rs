//! Moves of the cube core against byte-by-byte loops written from the reference pages.

mod limits;

use crate::machine::{Machine, Rng, config, touched};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use toprope_abi::isa::{DType, FieldId, Layout, LoadKind, Op, OpRow, Space, Spr};
use toprope_sim::exec::{ExecFault, Operand};

/// Bytes at the start of every memory that cases use.
const WINDOW: usize = 64 << 10;
/// Where operands start, so that there is something in front of them.
const START: usize = 1024;

fn run_cases<S: Strategy>(
    row: &'static OpRow,
    cases: u32,
    strategy: S,
    check: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(&strategy, check).unwrap_or_else(|e| panic!("{}: {e}", row.intrinsic));
}

fn window(m: &mut Machine, space: Space) -> &mut [u8] {
    if space == Space::Gm { &mut m.gm_bytes()[..WINDOW] } else { &mut m.space_bytes(space)[..WINDOW] }
}

fn address(m: &Machine, space: Space, offset: usize) -> u64 {
    if space == Space::Gm { m.gm(offset) } else { m.space(space, offset) }
}

/// What a reference says: bytes to write (by offset in the destination's window; the last one counts) and offsets it reads.
#[derive(Default)]
struct Expected {
    written: BTreeMap<usize, u8>,
    read: Vec<usize>,
    /// The footprint at the source may be larger than what is read.
    reads_more: bool,
}

impl Expected {
    fn sorted_reads(&self) -> Vec<usize> {
        let mut read = self.read.clone();
        read.sort_unstable();
        read.dedup();
        read
    }

    /// Copies an element of `bits` bits; offsets in elements from the byte offsets given.
    fn copy_element(
        &mut self,
        source: &[u8],
        bits: usize,
        (from, i): (usize, usize),
        (to, j): (usize, usize),
    ) {
        if bits == 4 {
            let nibble = (source[from + i / 2] >> (4 * (i % 2))) & 0xf;
            self.read.push(from + i / 2);
            self.put_nibble(to, j, nibble);
        } else {
            self.copy(source, from + i * bits / 8, to + j * bits / 8, bits / 8);
        }
    }

    fn put_nibble(&mut self, to: usize, j: usize, nibble: u8) {
        let shift = 4 * (j % 2);
        let byte = self.written.entry(to + j / 2).or_insert(0);
        *byte = (*byte & !(0xf << shift)) | nibble << shift;
    }

    /// Writes the low bits of a value as an element.
    fn put_element(&mut self, bits: usize, (to, j): (usize, usize), value: u64) {
        if bits == 4 {
            return self.put_nibble(to, j, value as u8 & 0xf);
        }
        let bytes = bits / 8;
        self.written.extend((0..bytes).map(|b| (to + j * bytes + b, value.to_le_bytes()[b])));
    }

    fn copy(&mut self, source: &[u8], from: usize, to: usize, bytes: usize) {
        for i in 0..bytes {
            self.written.insert(to + i, source[from + i]);
            self.read.push(from + i);
        }
    }
}

/// Fills both windows, runs the instruction and compares memory and footprints with the reference.
fn compare(
    m: &mut Machine,
    row: &'static OpRow,
    (dst_space, src_space): (Space, Space),
    seed: u64,
    x: [u64; 4],
    reference: impl FnOnce(&[u8]) -> Expected,
) -> Result<usize, TestCaseError> {
    let mut rng = Rng(seed);
    rng.fill(window(m, dst_space), DType::U32);
    rng.fill(window(m, src_space), DType::U32);
    let source = window(m, src_space).to_vec();
    let expected = reference(&source);
    let mut want = window(m, dst_space).to_vec();
    expected.written.iter().for_each(|(at, byte)| want[*at] = *byte);
    let d = m.run(row.op, x).map_err(|e| TestCaseError::fail(e.to_string()))?;
    if window(m, dst_space) != want.as_slice() {
        let got = window(m, dst_space);
        let at = (0..WINDOW).find(|i| got[*i] != want[*i]).unwrap_or(0);
        return Err(TestCaseError::fail(format!("byte {at:#x} is {:#x}, expected {:#x}", got[at], want[at])));
    }
    let written: Vec<usize> = expected.written.keys().copied().collect();
    let read = expected.sorted_reads();
    let told = |write: bool, space: Space| {
        let base = address(m, space, 0);
        let mut bytes: Vec<usize> =
            d.accesses().iter().filter(|a| a.write == write).flat_map(|a| touched(a, base)).collect();
        bytes.sort_unstable();
        bytes.dedup();
        bytes
    };
    for a in d.accesses() {
        prop_assert_eq!(a.space, if a.write { dst_space } else { src_space });
        prop_assert_eq!(a.write, a.operand == Operand::Dst);
    }
    prop_assert_eq!(&told(true, dst_space), &written, "footprint of the destination");
    let told_reads = told(false, src_space);
    if expected.reads_more {
        prop_assert!(read.iter().all(|b| told_reads.binary_search(b).is_ok()), "reads more than it tells");
    } else {
        prop_assert_eq!(&told_reads, &read, "footprint of the source");
    }
    prop_assert_eq!(d.accesses().is_empty(), written.is_empty());
    Ok(written.len())
}

/// Exercises one row; how many bytes it was seen to write.
pub fn check(row: &'static OpRow, kind: LoadKind) -> usize {
    match kind {
        LoadKind::Nd2Nz => check_nd2nz(row),
        LoadKind::Load2d(_) => check_load2d(row),
        LoadKind::Load2dTranspose(path) => check_transpose(row, path.ends().1),
        LoadKind::Load2dSparse => check_sparse(row),
        LoadKind::Load3d(path) => check_load3d(row, path.ends().1),
        LoadKind::Fill(space) => check_fill(row, space),
        LoadKind::ToBias => check_table(row, Space::Bt, 64),
        LoadKind::ToFixpipe => check_table(row, Space::Fb, 128),
    }
}

fn check_nd2nz(row: &'static OpRow) -> usize {
    use FieldId::*;
    let (m, written) = (RefCell::new(Machine::new()), Cell::new(0));
    let size = row.dst.bits() as usize / 8;
    let block = 32 / size;
    let shape =
        (0..4usize, prop_oneof![1 => Just(0), 9 => 1..9usize], prop_oneof![1 => Just(0), 9 => 1..70usize]);
    let strides = (0..100usize, 0..20usize, 0..4usize, 1..4usize, 0..30usize, 0..3usize);
    run_cases(row, 60, (shape, strides, any::<u64>()), |((matrices, rows, columns), strides, seed)| {
        let m = &mut *m.borrow_mut();
        let (src_matrix, src_more, block_more, dst_row, dst_matrix, skew) = strides;
        let src_row = columns + src_more;
        let (dst_block, dst_matrix) = (rows * dst_row + block_more, dst_matrix * block);
        let fields = [
            (NdNum, matrices),
            (NValue, rows),
            (DValue, columns),
            (SrcMatrixStride, src_matrix),
            (SrcDValue, src_row),
            (DstC0Stride, dst_block),
            (DstNStride, dst_row),
            (DstMatrixStride, dst_matrix),
        ];
        let words = config(Layout::Nd2Nz, &fields.map(|(id, v)| (id, v as u64)));
        let from = START + skew;
        let x = [m.space(Space::L1, START), m.gm(from), words[0], words[1]];
        let bytes = compare(m, row, (Space::L1, Space::Gm), seed, x, |source| {
            let mut e = Expected::default();
            for b in 0..matrices {
                for r in 0..rows {
                    for c in 0..columns.div_ceil(block) * block {
                        let to = b * dst_matrix + (c / block * dst_block + r * dst_row) * block + c % block;
                        let to = START + to * size;
                        if c < columns {
                            e.copy(source, from + (b * src_matrix + r * src_row + c) * size, to, size);
                        } else {
                            e.written.extend((0..size).map(|i| (to + i, 0)));
                        }
                    }
                }
            }
            e
        })?;
        written.set(written.get() + bytes);
        Ok(())
    });
    written.get()
}

fn check_load2d(row: &'static OpRow) -> usize {
    use FieldId::*;
    let toprope_abi::isa::Kind::Load(LoadKind::Load2d(path)) = row.kind else { unreachable!() };
    let (src_space, dst_space) = path.ends();
    let (m, written) = (RefCell::new(Machine::new()), Cell::new(0));
    let can_transpose = row.dst.bits() == 16 && src_space == Space::L1;
    let strategy = (
        (0..20usize, 0..6usize, 0..5usize),
        prop_oneof![Just(0usize), 0..4usize],
        any::<[bool; 2]>(),
        any::<u64>(),
    );
    run_cases(row, 60, strategy, |((start, repeats, stride), gap, [transpose, backward], seed)| {
        let m = &mut *m.borrow_mut();
        let transpose = transpose && can_transpose;
        let start = if backward { start + repeats * stride } else { start };
        let fields = [
            (StartIndex, start),
            (RepeatTimes, repeats),
            (SrcStride, stride),
            (DstGap, gap),
            (IfTranspose, usize::from(transpose)),
            (AddrMode, usize::from(backward)),
        ];
        let words = config(Layout::Load2d, &fields.map(|(id, v)| (id, v as u64)));
        let from = START + if src_space == Space::Gm { 5 } else { 32 };
        let x = [m.space(dst_space, START), address(m, src_space, from), words[0], words[1]];
        let bytes = compare(m, row, (dst_space, src_space), seed, x, |source| {
            let mut e = Expected::default();
            for i in 0..repeats {
                let index = if backward { start - i * stride } else { start + i * stride };
                let (from, to) = (from + index * 512, START + i * (1 + gap) * 512);
                if !transpose {
                    e.copy(source, from, to, 512);
                    continue;
                }
                for r in 0..16 {
                    for c in 0..16 {
                        e.copy(source, from + (r * 16 + c) * 2, to + (c * 16 + r) * 2, 2);
                    }
                }
            }
            e
        })?;
        written.set(written.get() + bytes);
        Ok(())
    });
    written.get()
}

/// Fractals of a square, their rows and columns, and how many lie side by side.
fn square_of(bits: usize) -> (usize, usize, usize, usize) {
    match bits {
        4 => (4, 16, 64, 1),
        8 => (2, 16, 32, 1),
        16 => (1, 16, 16, 1),
        _ => (2, 16, 8, 2),
    }
}

fn check_transpose(row: &'static OpRow, dst_space: Space) -> usize {
    use FieldId::*;
    let (m, written) = (RefCell::new(Machine::new()), Cell::new(0));
    let bits = row.dst.bits() as usize;
    let (fractals, rows, columns, beside) = square_of(bits);
    let side = columns * beside;
    let strategy = ((0..6usize, 0..5usize, 0..4usize), (0..5usize, 0..5usize), any::<bool>(), any::<u64>());
    run_cases(row, 40, strategy, |((start, repeats, stride), (gap, fractal_gap), backward, seed)| {
        let m = &mut *m.borrow_mut();
        let start = if backward { start + repeats * stride } else { start };
        let fields = [
            (StartIndex, start),
            (RepeatTimes, repeats),
            (SrcStride, stride),
            (DstGap, gap),
            (DstFracGap, fractal_gap),
            (AddrMode, usize::from(backward)),
        ];
        let words = config(Layout::Load2dTranspose, &fields.map(|(id, v)| (id, v as u64)));
        let x = [m.space(dst_space, START), m.space(Space::L1, START + 32), words[0], words[1]];
        let bytes = compare(m, row, (dst_space, Space::L1), seed, x, |source| {
            let mut e = Expected::default();
            // Fractal and element of row r, column c of a square.
            let place = |r: usize, c: usize| {
                let fractal = if beside == 2 { c / columns } else { r / rows };
                (fractal, (r % rows) * columns + c % columns)
            };
            for i in 0..repeats {
                let index = if backward { start - i * stride } else { start + i * stride };
                let from = START + 32 + index * fractals * 512;
                for r in 0..side {
                    for c in 0..side {
                        let (ff, fe) = place(r, c);
                        let (tf, te) = place(c, r);
                        let to = START + (i * (1 + gap) + tf * (1 + fractal_gap)) * 512;
                        e.copy_element(source, bits, (from + ff * 512, fe), (to, te));
                    }
                }
            }
            e
        })?;
        written.set(written.get() + bytes);
        Ok(())
    });
    written.get()
}

fn check_sparse(row: &'static OpRow) -> usize {
    use FieldId::*;
    let (m, written) = (RefCell::new(Machine::new()), Cell::new(0));
    run_cases(row, 40, (0..8usize, 0..5usize, 0..10usize, any::<u64>()), |(start, repeats, at, seed)| {
        let m = &mut *m.borrow_mut();
        let mut rng = Rng(seed);
        rng.fill(&mut m.space_bytes(Space::L1)[..64 << 10], DType::U32);
        rng.fill(&mut m.space_bytes(Space::L0b)[..96 << 10], DType::U32);
        let l1 = m.space_bytes(Space::L1)[..64 << 10].to_vec();
        let mut want = m.space_bytes(Space::L0b)[..96 << 10].to_vec();
        let (matrix, index, to) = (1024, 40 << 10, at * 512);
        for i in 0..repeats * 512 {
            want[to + i] = l1[matrix + start * 512 + i];
        }
        for i in 0..repeats * 128 {
            want[(64 << 10) + to / 4 + i] = l1[index + start * 128 + i];
        }
        let word =
            config(Layout::LoadSparse, &[(StartIndex, start as u64), (RepeatTimes, repeats as u64)])[0];
        let x = [m.space(Space::L0b, to), m.space(Space::L1, matrix), m.space(Space::L1, index), word];
        let d = m.run(row.op, x).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert!(m.space_bytes(Space::L0b)[..96 << 10] == want);
        prop_assert_eq!(d.accesses().len(), if repeats == 0 { 0 } else { 3 });
        written.set(written.get() + repeats * 512);
        Ok(())
    });
    written.get()
}

fn check_fill(row: &'static OpRow, space: Space) -> usize {
    use FieldId::*;
    let (m, written) = (RefCell::new(Machine::new()), Cell::new(0));
    let block = if space == Space::L1 { 32 } else { 512 };
    let size = row.dst.bits() as usize / 8;
    run_cases(
        row,
        100,
        ((0..6usize, 0..6usize, 0..4usize), any::<u64>()),
        |((repeats, blocks, gap), value)| {
            let m = &mut *m.borrow_mut();
            let fields = [(RepeatTimes, repeats), (BlockNum, blocks), (DstGap, gap)];
            let word = config(Layout::Fill, &fields.map(|(id, v)| (id, v as u64)))[0];
            let x = [m.space(space, START), word, value, 0];
            let bytes = compare(m, row, (space, Space::Gm), value, x, |_| {
                let mut e = Expected::default();
                for i in 0..repeats {
                    for at in 0..blocks * block {
                        let to = START + i * (blocks + gap) * block + at;
                        e.written.insert(to, value.to_le_bytes()[at % size]);
                    }
                }
                e
            })?;
            written.set(written.get() + bytes);
            Ok(())
        },
    );
    written.get()
}

fn check_table(row: &'static OpRow, space: Space, unit: usize) -> usize {
    use FieldId::*;
    let (m, written) = (RefCell::new(Machine::new()), Cell::new(0));
    let strategy = ((0..4usize, 0..4usize), (0..5usize, 0..4usize), any::<bool>(), any::<u64>());
    run_cases(row, 60, strategy, |((count, len), (src_gap, dst_gap), convert, seed)| {
        let m = &mut *m.borrow_mut();
        let convert = convert && space == Space::Bt;
        let mut fields = vec![(BurstCount, count), (BurstLen, len), (SrcGap, src_gap), (DstGap, dst_gap)];
        if convert {
            fields.push((Convert, 1));
        }
        let fields: Vec<_> = fields.into_iter().map(|(id, v)| (id, v as u64)).collect();
        let x = [m.space(space, START), m.space(Space::L1, START + 32), config(row.layout, &fields)[0], 0];
        let bytes = compare(m, row, (space, Space::L1), seed, x, |source| {
            let mut e = Expected::default();
            let (src_len, dst_len) = (len * unit, len * unit * if convert { 2 } else { 1 });
            let steps = match space {
                Space::Bt => [dst_len + dst_gap * 64, src_len + src_gap * 32],
                _ => [dst_gap * 128, src_gap * 32],
            };
            for i in 0..count {
                let (to, from) = (START + i * steps[0], START + 32 + i * steps[1]);
                if !convert {
                    e.copy(source, from, to, src_len);
                    continue;
                }
                for at in (0..src_len).step_by(2) {
                    let bits = u16::from_le_bytes([source[from + at], source[from + at + 1]]);
                    let wide = half::f16::from_bits(bits).to_f32().to_bits();
                    e.put_element(32, (to, at / 2), u64::from(wide));
                    e.read.extend([from + at, from + at + 1]);
                }
            }
            e
        })?;
        written.set(written.get() + bytes);
        Ok(())
    });
    written.get()
}

/// A feature map, a filter and a tile of the matrix they make.
#[derive(Clone, Debug)]
struct Image {
    map: [usize; 2],
    pads: [usize; 4],
    channels: usize,
    filter: [usize; 2],
    stride: [usize; 2],
    dilation: [usize; 2],
    start: [usize; 2],
    extension: [usize; 2],
    repeats: usize,
    along_k: bool,
    repeat_stride: usize,
    transpose: bool,
    right: bool,
}

impl Image {
    fn out(&self) -> [usize; 2] {
        let pads = [self.pads[2] + self.pads[3], self.pads[0] + self.pads[1]];
        std::array::from_fn(|i| {
            let span = (self.filter[i] - 1) * self.dilation[i] + 1;
            (self.map[i] + pads[i]).checked_sub(span).map_or(0, |room| room / self.stride[i] + 1)
        })
    }

    fn matrix(&self) -> [usize; 2] {
        let out = self.out();
        [out[0] * out[1], self.channels * self.filter[0] * self.filter[1]]
    }

    fn words(&self) -> [u64; 2] {
        use FieldId::*;
        let fields = [
            (KExtension, self.extension[1]),
            (MExtension, self.extension[0]),
            (KStart, self.start[1]),
            (MStart, self.start[0]),
            (StrideW, self.stride[1]),
            (StrideH, self.stride[0]),
            (FilterW, self.filter[1]),
            (FilterH, self.filter[0]),
            (DilationW, self.dilation[1]),
            (DilationH, self.dilation[0]),
            (EnTranspose, usize::from(self.transpose)),
            (FMatrixCtrl, usize::from(self.right)),
            (ChannelSize, self.channels),
        ];
        config(Layout::Load3d, &fields.map(|(id, v)| (id, v as u64)))
    }

    fn registers(&self, m: &mut Machine) {
        let map = self.pads.iter().enumerate().fold(0, |w, (i, p)| w | (*p as u64) << (32 + 8 * i));
        let map = map | self.map[1] as u64 | (self.map[0] as u64) << 16;
        let (mine, other) =
            if self.right { (Spr::FmatrixB, Spr::FmatrixA) } else { (Spr::FmatrixA, Spr::FmatrixB) };
        m.regs.set(mine, map);
        m.regs.set(other, 0x1234_5678);
        let repeat = self.repeat_stride as u64 | (self.repeats as u64) << 16 | u64::from(self.along_k) << 24;
        m.regs.set(Spr::Load3dRepeat, repeat);
    }

    /// Where element (m, k) of the matrix is in the map, in elements; `None` in the padding.
    fn source(&self, c0: usize, m: usize, k: usize) -> Option<usize> {
        let taps = self.filter[0] * self.filter[1];
        let out = self.out();
        // Column: group, filter row, filter column, channel; the last group may be narrow.
        let mut k = k;
        let mut before = 0;
        let mut group = self.channels.min(c0);
        let mut left = self.channels;
        while k >= group * taps {
            k -= group * taps;
            before += self.map[0] * self.map[1] * group;
            left -= group;
            group = left.min(c0);
        }
        let (tap, channel) = (k / group, k % group);
        let y = (m / out[1]) * self.stride[0] + (tap / self.filter[1]) * self.dilation[0];
        let x = (m % out[1]) * self.stride[1] + (tap % self.filter[1]) * self.dilation[1];
        let (y, x) = (y.checked_sub(self.pads[2])?, x.checked_sub(self.pads[0])?);
        (y < self.map[0] && x < self.map[1]).then(|| before + (y * self.map[1] + x) * group + channel)
    }
}

/// Images whose tile is legal for elements of this width.
fn image(bits: usize, to_l0b: bool) -> impl Strategy<Value = Image> {
    let c0 = 256 / bits;
    let tails = if bits == 4 { vec![0, 8, 16, 32] } else { vec![0, 4, 8, 16] };
    let tails: Vec<usize> = tails.into_iter().filter(|t| *t < c0).collect();
    let map = ([1..9usize, 1..9usize], [0..3usize, 0..3usize, 0..3usize, 0..3usize]);
    let plain = prop_oneof![1 => Just(true), 3 => Just(false)];
    let filter = ([1..4usize, 1..4usize], [1..4usize, 1..4usize], [0..3usize, 1..3usize]);
    let channels = (0..3usize, proptest::sample::select(tails));
    let tile = ([0..9usize, 0..4usize], [1..5usize, 1..5usize], any::<bool>());
    let repeat = (1..4usize, any::<bool>(), 0..4usize);
    let flags = (any::<bool>(), any::<bool>());
    (map, (plain, filter), channels, tile, repeat, flags).prop_map(
        move |(
            (map, pads),
            (plain, (filter, stride, dilation)),
            (groups, tail),
            tile,
            repeat,
            (turn, right),
        )| {
            let channels = if groups * c0 + tail == 0 { c0 } else { groups * c0 + tail };
            let mut i = Image {
                map,
                pads,
                channels,
                filter,
                stride,
                dilation,
                start: [0; 2],
                extension: [0; 2],
                repeats: repeat.0,
                along_k: repeat.1,
                repeat_stride: repeat.2,
                transpose: (turn || to_l0b) && matches!(bits, 16 | 32),
                right,
            };
            if plain {
                (i.pads, i.filter, i.stride, i.dilation) = ([0; 4], [1; 2], [1; 2], [1; 2]);
            }
            let [rows, columns] = i.matrix();
            let (starts, extensions, to_the_end) = tile;
            i.start = [starts[0] * 3, starts[1] * c0];
            i.extension = [extensions[0] * 16, extensions[1] * c0];
            if to_the_end {
                i.extension[0] = rows.saturating_sub(i.start[0]).max(1);
                i.extension[1] = columns.saturating_sub(i.start[1]).max(1);
            }
            i
        },
    )
}

fn check_load3d(row: &'static OpRow, dst_space: Space) -> usize {
    let (m, written) = (RefCell::new(Machine::new()), Cell::new(0));
    let bits = row.dst.bits() as usize;
    let c0 = 256 / bits;
    let to_l0b = dst_space == Space::L0b;
    run_cases(row, 60, (image(bits, to_l0b), any::<[u64; 2]>()), |(i, [seed, pad])| {
        let m = &mut *m.borrow_mut();
        i.registers(m);
        m.regs.set(Spr::Padding, pad);
        let words = i.words();
        let x = [m.space(dst_space, START), m.space(Space::L1, START + 32), words[0], words[1]];
        if i.out().contains(&0) {
            let fault = m.decode(row.op, x).expect_err("no room for the filter").to_string();
            prop_assert!(fault.contains("padded feature map"), "{}", fault);
            return Ok(());
        }
        let bytes = compare(m, row, (dst_space, Space::L1), seed, x, |source| {
            let mut e = Expected { reads_more: true, ..Expected::default() };
            let one = [i.extension[0].div_ceil(16) * 16, i.extension[1].div_ceil(c0) * c0];
            let mut whole = one;
            whole[usize::from(i.along_k)] *= i.repeats;
            let [rows, columns] = i.matrix();
            for tm in 0..whole[0] {
                for tk in 0..whole[1] {
                    let at = |axis: usize, t: usize, unit: usize, end: usize| {
                        let (repeat, inside) = (t / one[axis], t % one[axis]);
                        let place = i.start[axis] + repeat * i.repeat_stride * unit + inside;
                        (place, inside < i.extension[axis] && place < end)
                    };
                    let ((mm, in_m), (kk, in_k)) = (at(0, tm, 16, rows), at(1, tk, c0, columns));
                    // Fractals of the destination.
                    let to = match (i.transpose || to_l0b, bits, to_l0b) {
                        (false, ..) => {
                            ((tm / 16) * (whole[1] / c0) + tk / c0) * 16 * c0 + tm % 16 * c0 + tk % c0
                        }
                        (_, 16, false) => {
                            ((tk / 16) * (whole[0] / 16) + tm / 16) * 256 + tk % 16 * 16 + tm % 16
                        }
                        (_, 16, true) => {
                            ((tm / 16) * (whole[1] / 16) + tk / 16) * 256 + tk % 16 * 16 + tm % 16
                        }
                        (_, _, false) => ((tk / 16) * (whole[0] / 8) + tm / 8) * 128 + tk % 16 * 8 + tm % 8,
                        (_, _, true) => (tm / 8) * 8 * whole[1].next_multiple_of(16) + tk * 8 + tm % 8,
                    };
                    match (in_m && in_k).then(|| i.source(c0, mm, kk)) {
                        None => e.put_element(bits, (START, to), 0),
                        Some(None) => {
                            let nibble = if bits == 4 { pad >> (4 * (kk % 2)) } else { pad };
                            e.put_element(bits, (START, to), nibble);
                        }
                        Some(Some(from)) => e.copy_element(source, bits, (START + 32, from), (START, to)),
                    }
                }
            }
            e
        })?;
        written.set(written.get() + bytes);
        Ok(())
    });
    written.get()
}
