//! 3-D loads: a tile of the im2col matrix of a feature map in L1 goes to L0A or L0B.
//!
//! The feature map is NC1HWC0 in L1: groups of C0 channels (32 bytes), each H×W pixels. The im2col matrix, which nobody stores, has a row
//! per position of the filter (M = Ho·Wo) and columns in the order group, filter row, filter column, channel (K):
//!
//! ```text
//! row m, column (g, y, x, c)  =  pixel (g, (m / Wo)·strideH + y·dilationH − padTop, (m % Wo)·strideW + x·dilationW − padLeft), channel c
//! ```
//!
//! or the pad value outside of the map. A load takes `mExtension` × `kExtension` elements from (`mStart`, `kStart`), in blocks of 16 rows and
//! 32 bytes, and writes fractals:
//!
//! | destination | fractals |
//! |---|---|
//! | L0A | row-major over (m / 16, k / C0), each 16 rows of 32 bytes |
//! | L0A transposed, 16 bits | row-major over (k / 16, m / 16), each turned |
//! | L0A transposed, 32 bits | row-major over (k / 16, m / 8), each 16 k of 8 m |
//! | L0B, 16 bits (always transposed) | row-major over (m / 16, k / 16), each turned |
//! | L0B, 32 bits | row-major over (m / 8, k / 16), each 16 k of 8 m |
//!
//! Chosen where the reference is silent: rows and columns of a block beyond the tile or beyond the matrix are 0; with 32-bit transposition
//! and an odd number of 8-column blocks, the other half of the last fractals is left as it is (as in the reference's pseudo code); a last
//! group of fewer channels is stored with that many channels per pixel; repeats make one tile out of the repeated ones, along M or K.
//!
//! The footprint at the source is the bounding rectangle of the pixels in every channel group. Beyond the boundary of
//! `SetLoadDataBoundary` reading goes on at the start of L1.
//!
//! Source: Ascend C API reference, "LoadData (3D)", `SetFmatrix`, `SetLoadDataBoundary`, `SetLoadDataRepeat`; packing: the public
//! AscendNPU-IR c220 library.
//!
//! Unsafe room: raw copies of checked footprints.
#![allow(unsafe_code)]

use super::super::access::{Access, BurstShape, GridShape, Operand, Shape};
use super::super::decode::{access, check_field, field, in_space, start};
use super::super::table::Entry;
use super::super::{Decoded, Env, ExecFault, PipeState, Regs, Work};
use super::align_of;
use super::fractal::{FRACTAL_BYTES, transpose16};
use std::ops::Range;
use std::ptr;
use toprope_abi::core_face::SPACE_SHIFT;
use toprope_abi::isa::{Field, FieldId, Kind, Layout, LoadKind, OpRow, Space, Spr};

const L: Layout = Layout::Load3d;
/// Bytes of a block of channels.
const C0_BYTES: u64 = 32;
/// Smallest boundary but "none".
const MIN_BOUNDARY_BYTES: u64 = 1024;

/// What the configuration words and registers of a load say.
#[derive(Clone, Copy)]
struct Geometry {
    /// Elements of a block of channels, and their width.
    c0: u64,
    bits: u64,
    height: u64,
    width: u64,
    pad_left: u64,
    pad_top: u64,
    channels: u64,
    filter: [u64; 2],
    stride: [u64; 2],
    dilation: [u64; 2],
    /// Positions of the filter: rows and columns.
    out: [u64; 2],
    start: [u64; 2],
    extension: [u64; 2],
    repeats: u64,
    along_k: bool,
    /// Along M and K, from one repeat to the next.
    repeat_step: [u64; 2],
    transposes: bool,
    to_l0b: bool,
    boundary_bytes: u64,
}

const fn get(id: FieldId, w: [u64; 2]) -> u64 {
    field(L, id).get(w)
}

impl Geometry {
    /// `words`: both configuration words, feature map register, repeat register with the boundary above bit 32.
    fn new(row: &OpRow, to_l0b: bool, words: [u64; 4]) -> Geometry {
        use FieldId::*;
        let w = [words[0], words[1]];
        let (map, repeat) = (words[2], words[3] & u64::from(u32::MAX));
        let byte = |shift: u32| (map >> shift) & 0xff;
        let bits = u64::from(row.dst.bits());
        let c0 = C0_BYTES * 8 / bits;
        let filter =
            [get(FilterH, w) + 256 * get(FilterSizeH, w), get(FilterW, w) + 256 * get(FilterSizeW, w)];
        let mut g = Geometry {
            c0,
            bits,
            height: (map >> 16) & 0xffff,
            width: map & 0xffff,
            pad_left: byte(32),
            pad_top: byte(48),
            channels: get(ChannelSize, w),
            filter,
            stride: [get(StrideH, w), get(StrideW, w)],
            dilation: [get(DilationH, w), get(DilationW, w)],
            out: [0; 2],
            start: [get(MStart, w), get(KStart, w)],
            extension: [get(MExtension, w), get(KExtension, w)],
            repeats: (repeat >> 16) & 0xff,
            along_k: (repeat >> 24) & 1 == 1,
            repeat_step: [0; 2],
            transposes: to_l0b || get(EnTranspose, w) == 1,
            to_l0b,
            boundary_bytes: words[3] >> 32,
        };
        let axis = usize::from(g.along_k);
        g.repeat_step[axis] = (repeat & 0xffff) * [16, c0][axis];
        let padded = [g.height + g.pad_top + byte(56), g.width + g.pad_left + byte(40)];
        for (i, size) in padded.into_iter().enumerate() {
            let span = (g.filter[i].max(1) - 1) * g.dilation[i] + 1;
            g.out[i] = match size.checked_sub(span) {
                Some(room) if g.stride[i] != 0 => room / g.stride[i] + 1,
                _ => 0,
            };
        }
        g
    }

    fn does_nothing(&self) -> bool {
        let needed = [self.height, self.width, self.channels, self.repeats];
        needed.contains(&0) || self.extension.contains(&0) || self.filter.contains(&0)
    }

    /// Rows and columns of the im2col matrix.
    fn matrix(&self) -> [u64; 2] {
        [self.out[0] * self.out[1], self.channels * self.filter[0] * self.filter[1]]
    }

    /// Blocks of 16 rows and of 32 bytes that one repeat covers.
    fn blocks(&self) -> [u64; 2] {
        [self.extension[0].div_ceil(16), self.extension[1].div_ceil(self.c0)]
    }

    /// The same for all repeats.
    fn all_blocks(&self) -> [u64; 2] {
        let mut blocks = self.blocks();
        blocks[usize::from(self.along_k)] *= self.repeats;
        blocks
    }

    /// Channels of group `g` and the bytes of one of its pixels.
    fn group(&self, g: u64) -> (u64, u64) {
        let channels = (self.channels - (g * self.c0).min(self.channels)).min(self.c0);
        (channels, channels * self.bits / 8)
    }

    /// Offset of group `g` from the start of the map: all groups before are whole.
    fn group_offset(&self, g: u64) -> u64 {
        g * self.height * self.width * C0_BYTES
    }

    /// Filter positions.
    fn taps(&self) -> u64 {
        self.filter[0] * self.filter[1]
    }

    /// Group, filter position and channel of column `k`.
    fn column(&self, k: u64) -> (u64, u64, u64) {
        let whole = self.taps() * self.c0;
        let g = (k / whole).min(self.channels / self.c0);
        let rest = k - g * whole;
        let channels = self.group(g).0.max(1);
        (g, rest / channels, rest % channels)
    }

    /// Row or column of the map that output position `o` sees through tap `t`; `None` in the padding.
    fn source(&self, axis: usize, o: u64, t: u64) -> Option<u64> {
        let (pad, size) = if axis == 0 { (self.pad_top, self.height) } else { (self.pad_left, self.width) };
        (o * self.stride[axis] + t * self.dilation[axis]).checked_sub(pad).filter(|p| *p < size)
    }
}

/// `Load3d`: dst, src, two configuration words.
pub(super) fn decode(
    row: &'static OpRow,
    entry: &'static Entry,
    x: &[u64; 4],
    regs: &Regs,
) -> Result<Decoded, ExecFault> {
    let Kind::Load(LoadKind::Load3d(path)) = row.kind else { unreachable!("decoder of Load3d") };
    let (_, dst_space) = path.ends();
    in_space(row, regs, Operand::Dst, x[0], dst_space)?;
    in_space(row, regs, Operand::Src0, x[1], Space::L1)?;
    let w = [x[2], x[3]];
    let from_b = get(FieldId::FMatrixCtrl, w) == 1;
    let map = regs.get(if from_b { Spr::FmatrixB } else { Spr::FmatrixA });
    let boundary = regs.get(Spr::L1Size3d) & u64::from(u32::MAX);
    let repeat = regs.get(Spr::Load3dRepeat) & u64::from(u32::MAX);
    let words = [x[2], x[3], map, repeat | boundary << 32];
    let g = Geometry::new(row, dst_space == Space::L0b, words);
    let mut d = start(row, entry, load);
    if g.does_nothing() {
        return Ok(d);
    }
    check(row, &g, w)?;
    if boundary != 0 && boundary < MIN_BOUNDARY_BYTES {
        let (field, min, max) = (FieldId::Boundary, MIN_BOUNDARY_BYTES, u64::from(u32::MAX));
        return Err(ExecFault::FieldRange { intrinsic: row.intrinsic, field, asked: boundary, min, max });
    }
    d.env = Env { value: regs.get(Spr::Padding), address: x[1], words, ..Env::default() };
    push_destination(&mut d, &g, x[0], dst_space);
    push_source(&mut d, &g, x[1]);
    let [m, k] = g.all_blocks();
    let bytes = m * k * FRACTAL_BYTES;
    // The published rate is 512 bytes in this many cycles, for L0A 2 at best, for L0B 4: what goes slower counts as more bytes.
    let rows = g.filter[0];
    let cycles = match (g.stride[1], rows) {
        (1, 1) => 2,
        (1, n) => n + 2,
        (s @ (2 | 4 | 8), 1) => 2 * s,
        (s @ (2 | 4 | 8), n) => 2 * s + n,
        _ => 16,
    };
    let paid = if g.to_l0b { bytes * (cycles.min(16) + 2) / 4 } else { bytes * cycles.min(16) / 2 };
    d.work = Work { repeats: m * k, elements: bytes, bytes: paid, tail: false };
    Ok(d)
}

/// The register that holds the feature map of a load: a bit of its number.
pub(in crate::exec) fn feature_map(d: &Decoded) -> u32 {
    let from_b = get(FieldId::FMatrixCtrl, [d.env.words[0], d.env.words[1]]) == 1;
    1 << (if from_b { Spr::FmatrixB } else { Spr::FmatrixA }) as u32
}

/// Ranges and multiples of the reference page.
fn check(row: &'static OpRow, g: &Geometry, w: [u64; 2]) -> Result<(), ExecFault> {
    use FieldId::*;
    const STARTS: [Field; 1] = [field(L, MStart)];
    let intrinsic = row.intrinsic;
    check_field(row, &STARTS[0], w)?;
    for (field, asked) in [(MapHeight, g.height), (MapWidth, g.width)] {
        if asked > 32767 {
            return Err(ExecFault::FieldRange { intrinsic, field, asked, min: 1, max: 32767 });
        }
    }
    for (i, field) in [StrideH, StrideW].into_iter().enumerate() {
        super::needs_stride(row, &super::super::decode::field(L, field), g.stride[i], true)?;
    }
    let tail = g.channels % g.c0;
    let of = if g.bits == 4 { 8 } else { 4 };
    if tail != 0 && !(tail.is_power_of_two() && tail >= of) {
        let why = "a whole number of 32-byte blocks, or 4 (int4b_t: 8) times a power of 2 more";
        return Err(ExecFault::BadValue { intrinsic, field: ChannelSize, asked: g.channels, allowed: why });
    }
    for (i, field) in [FilterH, FilterW].into_iter().enumerate() {
        if g.out[i] == 0 {
            let why = "at most what the padded feature map has room for";
            return Err(ExecFault::BadValue { intrinsic, field, asked: g.filter[i], allowed: why });
        }
    }
    let can_transpose = matches!(g.bits, 16 | 32);
    if g.transposes && !can_transpose {
        return Err(ExecFault::FieldRange { intrinsic, field: EnTranspose, asked: 1, min: 0, max: 0 });
    }
    let [rows, columns] = g.matrix();
    let multiple = |field, asked: u64, of: u64, inside: bool| {
        if inside && !asked.is_multiple_of(of) {
            return Err(ExecFault::NotMultiple { intrinsic, field, asked, of });
        }
        Ok(())
    };
    multiple(KStart, g.start[1], g.c0, true)?;
    multiple(KExtension, g.extension[1], g.c0, g.start[1] + g.extension[1] < columns)?;
    multiple(MExtension, g.extension[0], 16, g.bits != 32 && g.start[0] + g.extension[0] < rows)
}

fn push_destination(d: &mut Decoded, g: &Geometry, dst: u64, space: Space) {
    let align = align_of(space);
    let [m, k] = g.all_blocks();
    let mut push = |addr: u64, count: u64, len_bytes: u64, step_bytes: u64| {
        let shape = BurstShape { count: count as u32, len_bytes: len_bytes as u32, step_bytes };
        d.push(access(Operand::Dst, addr, space, true, align, Shape::Bursts(shape)));
    };
    let halves = g.transposes && g.bits == 32 && k % 2 == 1;
    let whole = m * k * FRACTAL_BYTES;
    if !halves {
        push(dst, 1, whole, whole);
    } else if g.to_l0b {
        let (len, step) = (k * FRACTAL_BYTES / 2, (k + 1) * FRACTAL_BYTES / 2);
        push(dst, 2 * m, len, step);
    } else {
        let before = (k - 1) * m * FRACTAL_BYTES;
        if before > 0 {
            push(dst, 1, before, before);
        }
        push(dst + before, 2 * m, FRACTAL_BYTES / 2, FRACTAL_BYTES);
    }
}

/// Smallest and largest place on an axis of the map that output positions and taps reach; `None`: only padding.
fn reach(g: &Geometry, axis: usize, out: &Range<u64>, taps: &Range<u64>) -> Option<Range<u64>> {
    let (pad, size) = if axis == 0 { (g.pad_top, g.height) } else { (g.pad_left, g.width) };
    let low = out.start * g.stride[axis] + taps.start * g.dilation[axis];
    let high = (out.end - 1) * g.stride[axis] + (taps.end - 1) * g.dilation[axis];
    let (low, high) = (low.saturating_sub(pad), (high + 1).saturating_sub(pad).min(size));
    (low < high).then_some(low..high)
}

fn push_source(d: &mut Decoded, g: &Geometry, src: u64) {
    let [rows, columns] = g.matrix();
    let last = |i: usize| g.start[i] + (g.repeats - 1) * g.repeat_step[i] + g.extension[i];
    let (m, k) = (g.start[0]..last(0).min(rows), g.start[1]..last(1).min(columns));
    if m.is_empty() || k.is_empty() {
        return;
    }
    let (first, end) = (m.start / g.out[1], (m.end - 1) / g.out[1] + 1);
    let out_w = if end - first == 1 { m.start % g.out[1]..(m.end - 1) % g.out[1] + 1 } else { 0..g.out[1] };
    let (low, high) = (g.column(k.start), g.column(k.end - 1));
    let one_group = low.0 == high.0;
    let taps_h = if one_group { low.1 / g.filter[1]..high.1 / g.filter[1] + 1 } else { 0..g.filter[0] };
    let one_row = taps_h.end - taps_h.start == 1 && one_group;
    let taps_w = if one_row { low.1 % g.filter[1]..high.1 % g.filter[1] + 1 } else { 0..g.filter[1] };
    let (Some(h), Some(w)) = (reach(g, 0, &(first..end), &taps_h), reach(g, 1, &out_w, &taps_w)) else {
        return;
    };
    let whole_groups = g.channels / g.c0;
    let rectangle = |group: u64, groups: u64| {
        let pixel = g.group(group).1;
        let at = src + g.group_offset(group) + (h.start * g.width + w.start) * pixel;
        let shape = GridShape {
            len_bytes: ((w.end - w.start) * pixel) as u32,
            counts: [(h.end - h.start) as u32, groups as u32, 1],
            steps_bytes: [(g.width * pixel) as u32, (g.height * g.width * C0_BYTES) as u32, 0],
        };
        let align = if (at - src).is_multiple_of(C0_BYTES) { align_of(Space::L1) } else { 1 };
        access(Operand::Src0, at, Space::L1, false, align, Shape::Grid(shape))
    };
    let whole = (low.0 < whole_groups).then(|| rectangle(low.0, high.0.min(whole_groups - 1) - low.0 + 1));
    let tail = (high.0 >= whole_groups).then(|| rectangle(whole_groups, 1));
    let run = |at: u64, len: u64| {
        let shape = BurstShape { count: 1, len_bytes: len as u32, step_bytes: len };
        access(Operand::Src0, at, Space::L1, false, align_of(Space::L1), Shape::Bursts(shape))
    };
    if [whole, tail].iter().flatten().any(|a| wraps(g, a)) {
        // All of L1 up to the boundary may be read.
        d.push(run(src & !((1 << SPACE_SHIFT) - 1), g.boundary_bytes));
        return;
    }
    match (whole, tail) {
        (Some(whole), Some(tail)) if d.accesses().len() > 1 => {
            let end = tail.extent().map_or(tail.addr, |e| e.end);
            d.push(run(whole.addr, end - whole.addr));
        }
        (whole, tail) => [whole, tail].into_iter().flatten().for_each(|a| d.push(a)),
    }
}

/// Whether some of it is beyond the boundary of L1, from where reading goes on at the start of L1.
fn wraps(g: &Geometry, a: &Access) -> bool {
    let start = a.addr & !((1 << SPACE_SHIFT) - 1);
    g.boundary_bytes != 0 && a.extent().is_some_and(|e| e.end - start > g.boundary_bytes)
}

/// Reads blocks of the im2col matrix.
struct Reader<'a> {
    g: &'a Geometry,
    src: *const u8,
    /// 32 bytes of pad value.
    pad: [u8; 32],
}

type Block = [[u8; 32]; 16];

impl Reader<'_> {
    /// The pixel at `offset` bytes behind the start of the map.
    fn at(&self, offset: u64) -> *const u8 {
        let g = self.g;
        if g.boundary_bytes == 0 {
            return self.src.wrapping_add(offset as usize);
        }
        let mask = (1u64 << SPACE_SHIFT) - 1;
        let from = (self.src.addr() as u64 & mask) + offset;
        self.src
            .wrapping_sub((self.src.addr() as u64 & mask) as usize)
            .wrapping_add((from % g.boundary_bytes) as usize)
    }

    /// Block of rows `m..m + 16` (the first `rows` count) and columns `k..k + C0` (the first `columns` count).
    ///
    /// # Safety
    /// As [`super::super::super::execute`], for the tile of the load.
    unsafe fn block(&self, m: u64, rows: u64, k: u64, columns: u64) -> Block {
        let g = self.g;
        let mut block = [[0u8; 32]; 16];
        let (group, tap, channel) = g.column(k);
        let (channels, pixel_bytes) = g.group(group);
        if channels == g.c0 && channel == 0 && columns == g.c0 {
            // SAFETY: the caller's promise.
            unsafe { self.pixels(&mut block, m, rows, group, tap) };
            return block;
        }
        // A last group of few channels: several filter positions share a block of columns.
        let element = |c: u64| (c * g.bits / 8) as usize;
        for r in 0..rows {
            let (oh, ow) = ((m + r) / g.out[1], (m + r) % g.out[1]);
            let mut c = 0;
            while c < columns {
                let (group, tap, channel) = g.column(k + c);
                let n = (g.group(group).0 - channel).min(columns - c);
                let to = &mut block[r as usize][element(c)..element(c + n)];
                let source = (g.source(0, oh, tap / g.filter[1]), g.source(1, ow, tap % g.filter[1]));
                if let (Some(h), Some(w)) = source {
                    let offset = g.group_offset(group) + (h * g.width + w) * pixel_bytes;
                    let from = self.at(offset).wrapping_add(element(channel));
                    // SAFETY: channels of a pixel of the map inside the checked footprint.
                    unsafe { ptr::copy_nonoverlapping(from, to.as_mut_ptr(), to.len()) };
                } else {
                    to.copy_from_slice(&self.pad[..to.len()]);
                }
                c += n;
            }
        }
        block
    }

    /// Sixteen pixels of 32 bytes seen through one tap.
    ///
    /// # Safety
    /// As [`Reader::block`].
    #[inline]
    unsafe fn pixels(&self, block: &mut Block, m: u64, rows: u64, group: u64, tap: u64) {
        let g = self.g;
        let base = g.group_offset(group);
        let (ty, tx) = (tap / g.filter[1], tap % g.filter[1]);
        let (mut oh, mut ow) = (m / g.out[1], m % g.out[1]);
        let mut r = 0;
        while r < rows {
            let n = (g.out[1] - ow).min(rows - r);
            let h = g.source(0, oh, ty);
            let run = h.filter(|_| g.stride[1] == 1 && g.boundary_bytes == 0).and_then(|h| {
                let (first, last) = (g.source(1, ow, tx)?, g.source(1, ow + n - 1, tx)?);
                (last - first == n - 1).then_some(h * g.width + first)
            });
            if let Some(first) = run {
                // SAFETY: `n` neighbouring pixels inside the checked footprint; `block` has `rows` rows left from `r`.
                unsafe {
                    let to = block.as_mut_ptr().cast::<u8>().wrapping_add((r * C0_BYTES) as usize);
                    ptr::copy_nonoverlapping(self.at(base + first * C0_BYTES), to, (n * C0_BYTES) as usize);
                }
            } else {
                for i in 0..n {
                    let row = &mut block[(r + i) as usize];
                    match (h, g.source(1, ow + i, tx)) {
                        (Some(h), Some(w)) => {
                            let from = self.at(base + (h * g.width + w) * C0_BYTES);
                            // SAFETY: a pixel inside the checked footprint.
                            unsafe { ptr::copy_nonoverlapping(from, row.as_mut_ptr(), row.len()) };
                        }
                        _ => *row = self.pad,
                    }
                }
            }
            r += n;
            (oh, ow) = (oh + 1, 0);
        }
    }
}

/// Where blocks of the tile go.
struct Writer {
    dst: *mut u8,
    bits: u64,
    transposes: bool,
    to_l0b: bool,
    /// Blocks of all repeats.
    blocks: [u64; 2],
}

impl Writer {
    /// Writes block (`mb`, `kb`) of the tile.
    ///
    /// # Safety
    /// As [`super::super::super::execute`].
    #[inline]
    unsafe fn put(&self, mb: u64, kb: u64, block: &Block) {
        let [m_blocks, k_blocks] = self.blocks;
        let fractal = |i: u64| self.dst.wrapping_add((i * FRACTAL_BYTES) as usize);
        if !self.transposes {
            // SAFETY: fractal of a block of the tile, inside the checked footprint.
            unsafe {
                ptr::copy_nonoverlapping(block.as_ptr().cast::<u8>(), fractal(mb * k_blocks + kb), 512)
            };
        } else if self.bits == 16 {
            let rows =
                block.map(|row| std::array::from_fn(|i| u16::from_le_bytes([row[2 * i], row[2 * i + 1]])));
            let turned = transpose16(&rows);
            let at = if self.to_l0b { mb * k_blocks + kb } else { kb * m_blocks + mb };
            // SAFETY: as above.
            unsafe { ptr::copy_nonoverlapping(turned.as_ptr().cast::<u8>(), fractal(at), 512) };
        } else {
            for half in 0..2u64 {
                let mut turned = [[0u8; 32]; 8];
                for (k, row) in turned.iter_mut().enumerate() {
                    for (m, element) in row.chunks_exact_mut(4).enumerate() {
                        element.copy_from_slice(&block[8 * half as usize + m][4 * k..4 * k + 4]);
                    }
                }
                let m8 = 2 * mb + half;
                let at = if self.to_l0b {
                    m8 * k_blocks.next_multiple_of(2) * 256 + kb * 256
                } else {
                    ((kb / 2) * 2 * m_blocks + m8) * FRACTAL_BYTES + (kb % 2) * 256
                };
                let to = self.dst.wrapping_add(at as usize);
                // SAFETY: half a fractal of the tile, inside the checked footprint.
                unsafe { ptr::copy_nonoverlapping(turned.as_ptr().cast::<u8>(), to, 256) };
            }
        }
    }
}

/// # Safety
/// As [`super::super::execute`].
unsafe fn load(d: &Decoded, _: &mut PipeState) {
    let Kind::Load(LoadKind::Load3d(path)) = d.row.kind else { unreachable!("Load3d") };
    let g = Geometry::new(d.row, path.ends().1 == Space::L0b, d.env.words);
    let mut pad = [0u8; 32];
    let width = (d.row.dst.bits() as usize / 8).max(1);
    pad.chunks_exact_mut(width).for_each(|c| c.copy_from_slice(&d.env.value.to_le_bytes()[..width]));
    let dst = ptr::with_exposed_provenance_mut::<u8>(d.accesses[0].addr as usize);
    let src = ptr::with_exposed_provenance::<u8>(d.env.address as usize);
    let reader = Reader { g: &g, src, pad };
    let blocks = g.all_blocks();
    let writer = Writer { dst, bits: g.bits, transposes: g.transposes, to_l0b: g.to_l0b, blocks };
    let [one_m, one_k] = g.blocks();
    let [rows, columns] = g.matrix();
    for mb in 0..blocks[0] {
        for kb in 0..blocks[1] {
            let at = |i: usize, block: u64, one: u64, unit: u64, end: u64| {
                let (repeat, inside) = (block / one, block % one);
                let from = g.start[i] + repeat * g.repeat_step[i] + inside * unit;
                let limit = (g.start[i] + repeat * g.repeat_step[i] + g.extension[i]).min(end);
                (from, limit.saturating_sub(from).min(unit))
            };
            let (m, m_used) = at(0, mb, one_m, 16, rows);
            let (k, k_used) = at(1, kb, one_k, g.c0, columns);
            let block = if m_used == 0 || k_used == 0 {
                [[0; 32]; 16]
            } else {
                // SAFETY: rows and columns of the tile inside the matrix; the footprint was checked.
                unsafe { reader.block(m, m_used, k, k_used) }
            };
            // SAFETY: a block of the tile.
            unsafe { writer.put(mb, kb, &block) };
        }
    }
}
