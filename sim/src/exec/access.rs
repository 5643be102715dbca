//! Footprints of operands: which bytes an instruction reads and writes.
//!
//! A footprint is exact to the byte (masks, block strides, repeat strides, bursts) and small: no heap.
//! [`Shape::extent`] costs a few nanoseconds and does not iterate; [`Shape::for_each_range`] walks the bytes.

use std::fmt;
use std::ops::Range;
use toprope_abi::isa::Space;

/// Bytes of a data block.
pub const BLOCK_BYTES: u64 = 32;

/// Which operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The destination.
    Dst,
    /// The first (or only) source.
    Src0,
    /// The second source.
    Src1,
    /// What a matrix product starts from, or the parameters of a quantisation.
    Parameters,
    /// Bits that select elements.
    Mask,
    /// Offsets of a gather.
    Offsets,
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operand::Dst => "the destination",
            Operand::Src0 => "the first source",
            Operand::Src1 => "the second source",
            Operand::Parameters => "the parameters (bias, quantisation)",
            Operand::Mask => "the selection mask",
            Operand::Offsets => "the offsets",
        })
    }
}

/// What one operand touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Which operand.
    pub operand: Operand,
    /// Address of the operand as the kernel gave it.
    pub addr: u64,
    /// Written (else read).
    pub write: bool,
    /// The write is an atomic read-modify-write.
    pub atomic: bool,
    /// Memory the operand is in.
    pub space: Space,
    /// `addr` has to be a multiple of this (1: no requirement).
    pub align_bytes: u32,
    /// Bytes touched, relative to `addr`.
    pub shape: Shape,
    /// First touched byte, and the one after the last, relative to `addr`; equal if there is none. Everybody asks.
    pub(super) bounds: (u64, u64),
    /// See [`Access::is_solid`].
    pub(super) is_solid: bool,
}

impl Access {
    /// A footprint.
    #[inline]
    pub fn new(
        operand: Operand,
        addr: u64,
        space: Space,
        write: bool,
        align_bytes: u32,
        shape: Shape,
    ) -> Access {
        let bounds = shape.extent().map_or((0, 0), |e| (e.start, e.end));
        let is_solid = shape.is_solid();
        Access { operand, addr, write, atomic: false, space, align_bytes, shape, bounds, is_solid }
    }

    /// The same operand with other bytes.
    pub fn reshaped(self, addr: u64, shape: Shape) -> Access {
        let atomic = self.atomic;
        Access { atomic, ..Access::new(self.operand, addr, self.space, self.write, self.align_bytes, shape) }
    }

    /// Lowest touched address and the one after the highest; `None` if nothing is touched. The end
    /// saturates at `u64::MAX`.
    #[inline]
    pub fn extent(&self) -> Option<Range<u64>> {
        let (start, end) = self.bounds;
        (start != end).then(|| self.addr.saturating_add(start)..self.addr.saturating_add(end))
    }

    /// Whether every byte of its extent is touched, as far as that takes no walk to see.
    #[inline]
    pub fn is_solid(&self) -> bool {
        self.is_solid
    }

    /// Calls `f` with every touched byte range, in the order the instruction touches them; neighbouring
    /// ranges of one repeat or burst are merged.
    pub fn for_each_range(&self, mut f: impl FnMut(Range<u64>)) {
        let addr = self.addr;
        self.shape.for_each_range(|r| f(addr.wrapping_add(r.start)..addr.wrapping_add(r.end)));
    }
}

/// Which elements of each repeat take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// The first `each` elements; in the last repeat the first `last`.
    First {
        /// Elements of every repeat but the last.
        each: u32,
        /// Elements of the last repeat.
        last: u32,
    },
    /// The elements whose bit is set, low word first; the same in every repeat.
    Bits([u64; 2]),
}

/// Bytes an operand touches, relative to its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nothing.
    Empty,
    /// Repeats of 32-byte blocks.
    Vector(VectorShape),
    /// Equally spaced runs of bytes.
    Bursts(BurstShape),
    /// Runs of bytes at up to three nested strides.
    Grid(GridShape),
}

/// Repeats of 32-byte blocks of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorShape {
    /// Number of repeats, at least 1.
    pub repeats: u32,
    /// Width of an element in bits: 4, 8, 16, 32 or 64.
    pub element_bits: u32,
    /// Bytes from one block of a repeat to the next.
    pub block_stride_bytes: u32,
    /// Bytes from one repeat to the next.
    pub repeat_stride_bytes: u32,
    /// Elements that take part.
    pub lanes: Lanes,
}

/// Equally spaced runs of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BurstShape {
    /// Number of bursts, at least 1.
    pub count: u32,
    /// Bytes of one burst, at least 1.
    pub len_bytes: u32,
    /// Bytes from the start of one burst to the start of the next.
    pub step_bytes: u64,
}

/// Runs of bytes at up to three nested strides, innermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridShape {
    /// Bytes of one run, at least 1.
    pub len_bytes: u32,
    /// How often each level repeats, at least 1.
    pub counts: [u32; 3],
    /// Bytes from one repetition of a level to the next.
    pub steps_bytes: [u32; 3],
}

impl GridShape {
    /// Number of runs.
    #[inline]
    pub fn runs(&self) -> u64 {
        self.counts.iter().map(|c| u64::from(*c)).product()
    }

    #[inline]
    fn extent(&self) -> Range<u64> {
        let steps = self.counts.iter().zip(self.steps_bytes);
        0..steps.map(|(c, s)| u64::from(c - 1) * u64::from(s)).sum::<u64>() + u64::from(self.len_bytes)
    }

    /// The same bytes in the same order, with as few runs as neighbours allow.
    #[inline]
    pub fn merged(&self) -> GridShape {
        let mut g = *self;
        // Three levels: each is merged into the run, or stays.
        for _ in 0..3 {
            let [inner, middle, outer] = g.counts;
            let [step, s1, s2] = g.steps_bytes;
            let len = u64::from(g.len_bytes) * u64::from(inner);
            if inner != 1 && step != g.len_bytes || len > u64::from(u32::MAX) {
                break;
            }
            g = GridShape { len_bytes: len as u32, counts: [middle, outer, 1], steps_bytes: [s1, s2, 0] };
        }
        g
    }

    fn for_each_range(&self, mut f: impl FnMut(Range<u64>)) {
        let g = self.merged();
        let [inner, middle, outer] = g.counts;
        let at = |level: usize, i: u32| u64::from(i) * u64::from(g.steps_bytes[level]);
        for o in 0..outer {
            for m in 0..middle {
                for i in 0..inner {
                    let start = at(0, i) + at(1, m) + at(2, o);
                    f(start..start + u64::from(g.len_bytes));
                }
            }
        }
    }
}

impl Shape {
    /// Lowest touched byte and the one after the highest, without iterating.
    #[inline]
    pub fn extent(&self) -> Option<Range<u64>> {
        match self {
            Shape::Empty => None,
            Shape::Vector(v) => v.extent(),
            Shape::Bursts(b) => Some(b.extent()),
            Shape::Grid(g) => Some(g.extent()),
        }
    }

    /// Whether the touched bytes are one run, as far as that takes no walk to see.
    #[inline]
    pub fn is_solid(&self) -> bool {
        match self {
            Shape::Empty => true,
            Shape::Vector(v) => v.is_solid(),
            Shape::Bursts(b) => b.count == 1 || b.is_contiguous(),
            Shape::Grid(g) => g.merged().counts == [1; 3],
        }
    }

    /// Calls `f` with every touched byte range.
    pub fn for_each_range(&self, mut f: impl FnMut(Range<u64>)) {
        match self {
            Shape::Empty => {}
            Shape::Vector(v) => (0..v.repeats).for_each(|r| v.for_each_range_of_repeat(r, &mut f)),
            Shape::Bursts(b) if b.is_contiguous() => f(b.extent()),
            Shape::Bursts(b) => (0..b.count).for_each(|i| f(b.burst(i))),
            Shape::Grid(g) => g.for_each_range(f),
        }
    }
}

impl BurstShape {
    /// Whether the bursts follow each other without a gap.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        self.step_bytes == u64::from(self.len_bytes)
    }

    /// Bytes of burst `i`.
    #[inline]
    pub fn burst(&self, i: u32) -> Range<u64> {
        let start = u64::from(i) * self.step_bytes;
        start..start + u64::from(self.len_bytes)
    }

    #[inline]
    pub(super) fn extent(&self) -> Range<u64> {
        0..u64::from(self.count - 1) * self.step_bytes + u64::from(self.len_bytes)
    }
}

impl VectorShape {
    /// Elements of one 32-byte block.
    #[inline]
    pub fn elements_per_block(&self) -> u64 {
        // Widths are powers of two.
        256 >> self.element_bits.trailing_zeros()
    }

    /// Offset of element `e` of a repeat from the start of the repeat; with 4-bit elements `e` is even.
    #[inline]
    pub fn element_offset(&self, e: u64) -> u64 {
        // Elements per block is a power of two.
        let per_block = self.elements_per_block();
        let block = e >> per_block.trailing_zeros();
        block * u64::from(self.block_stride_bytes)
            + (((e & (per_block - 1)) * u64::from(self.element_bits)) >> 3)
    }

    /// Offset range of elements `e..e + n` inside one block.
    #[inline]
    fn run_in_block(&self, e: u64, n: u64) -> Range<u64> {
        let start = self.element_offset(e);
        start..start + ((n * u64::from(self.element_bits)) >> 3)
    }

    /// Extent of the first `n` elements (n ≥ 1) of a repeat.
    #[inline]
    fn extent_of_first(&self, n: u64) -> u64 {
        if self.block_stride_bytes == 0 {
            let n = n.min(self.elements_per_block());
            return (n * u64::from(self.element_bits)).div_ceil(8);
        }
        let last = (n - 1) & !u64::from(self.element_bits == 4);
        self.element_offset(last) + u64::from(self.element_bits.div_ceil(8))
    }

    /// Whether the elements that take part follow each other without a gap.
    #[inline]
    fn is_solid(&self) -> bool {
        let bits = u64::from(self.element_bits);
        if bits < 8 {
            return false;
        }
        let elements = match self.lanes {
            Lanes::First { each, .. } => u64::from(each),
            Lanes::Bits(mask) => {
                // A bit per element, of 256 bytes at most.
                let elements = (2048 / bits).min(128);
                let mask = u128::from(mask[0]) | (u128::from(mask[1]) << 64);
                if mask != u128::MAX >> (128 - elements) {
                    return false;
                }
                elements
            }
        };
        let repeat_bytes = (elements * bits) >> 3;
        (self.block_stride_bytes == 32 || repeat_bytes <= BLOCK_BYTES)
            && (self.repeats == 1 || repeat_bytes == u64::from(self.repeat_stride_bytes))
    }

    fn extent(&self) -> Option<Range<u64>> {
        let before_last = u64::from(self.repeats - 1) * u64::from(self.repeat_stride_bytes);
        match self.lanes {
            Lanes::First { each, last } => {
                let end = if last == 0 { 0 } else { before_last + self.extent_of_first(u64::from(last)) };
                let end = if self.repeats > 1 && each > 0 {
                    end.max(
                        before_last - u64::from(self.repeat_stride_bytes)
                            + self.extent_of_first(u64::from(each)),
                    )
                } else {
                    end
                };
                (end > 0).then_some(0..end)
            }
            Lanes::Bits(mask) => {
                let mut mask = u128::from(mask[0]) | (u128::from(mask[1]) << 64);
                if mask == 0 {
                    return None;
                }
                if self.block_stride_bytes == 0 {
                    mask = self.fold(mask);
                }
                let first = u64::from(mask.trailing_zeros()) & !u64::from(self.element_bits == 4);
                let last = u64::from(127 - mask.leading_zeros()) & !u64::from(self.element_bits == 4);
                let end = self.element_offset(last) + u64::from(self.element_bits.div_ceil(8));
                Some(self.element_offset(first)..before_last + end)
            }
        }
    }

    /// The mask of the one block that all blocks share when the block stride is 0.
    fn fold(&self, mask: u128) -> u128 {
        let per_block = self.elements_per_block() as u32;
        let mut folded = 0;
        let mut rest = mask;
        while rest != 0 {
            folded |= rest & ((1 << per_block) - 1);
            rest = rest.checked_shr(per_block).unwrap_or(0);
        }
        folded
    }

    /// Calls `f` with the byte ranges of one repeat, merging neighbours.
    pub fn for_each_range_of_repeat(&self, repeat: u32, f: &mut impl FnMut(Range<u64>)) {
        let base = u64::from(repeat) * u64::from(self.repeat_stride_bytes);
        let mut open: Option<Range<u64>> = None;
        let mut push = |r: Range<u64>| match &mut open {
            Some(o) if o.end == r.start => o.end = r.end,
            _ => {
                if let Some(o) = open.replace(r) {
                    f(o.start + base..o.end + base);
                }
            }
        };
        self.for_each_run(repeat, self.elements_per_block(), |e, n| push(self.run_in_block(e, n)));
        if let Some(o) = open {
            f(o.start + base..o.end + base);
        }
    }

    /// Calls `f(first, count)` with the runs of selected elements of one repeat, cut at every multiple of
    /// `cut` elements (a power of two).
    #[inline]
    pub fn for_each_run(&self, repeat: u32, cut: u64, mut f: impl FnMut(u64, u64)) {
        match self.lanes {
            Lanes::First { each, last } => {
                let n = u64::from(if repeat + 1 == self.repeats { last } else { each });
                let mut e = 0;
                while e < n {
                    let k = cut.min(n - e);
                    f(e, k);
                    e += k;
                }
            }
            Lanes::Bits(mask) => {
                let mut rest = u128::from(mask[0]) | (u128::from(mask[1]) << 64);
                while rest != 0 {
                    let e = u64::from(rest.trailing_zeros());
                    let ones = u64::from((!(rest >> e)).trailing_zeros());
                    let n = ones.min(cut - (e & (cut - 1)));
                    f(e, n);
                    let done = e + n;
                    rest = if done >= 128 { 0 } else { rest >> done << done };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn shapes() -> impl Strategy<Value = Shape> {
        let lanes = |bits: u32| {
            let all = u128::MAX >> (128 - (2048 / bits).min(128));
            let words = |m: u128| Lanes::Bits([m as u64, (m >> 64) as u64]);
            prop_oneof![
                (1..=2048 / bits, 1..=2048 / bits)
                    .prop_map(|(each, last)| Lanes::First { each, last: last.min(each) }),
                Just(words(all)),
                any::<u128>().prop_map(move |m| words(m & all | 1)),
            ]
        };
        let strides = || (0..3u32, prop_oneof![0..10u32, Just(8)]);
        let bits = prop_oneof![Just(8u32), Just(16), Just(32), Just(64)];
        let vector = (bits, 1..4u32, strides())
            .prop_flat_map(move |(bits, repeats, s)| lanes(bits).prop_map(move |l| (bits, repeats, s, l)))
            .prop_map(|(element_bits, repeats, (block, repeat), lanes)| {
                let (block_stride_bytes, repeat_stride_bytes) = (32 * block, 32 * repeat);
                Shape::Vector(VectorShape {
                    repeats,
                    element_bits,
                    block_stride_bytes,
                    repeat_stride_bytes,
                    lanes,
                })
            });
        let grid = (1..5u32, proptest::array::uniform3(1..4u32), proptest::array::uniform3(1..5u32));
        let grid = grid.prop_map(|(len, counts, steps)| {
            // Steps that fit together as often as not.
            let inner = if steps[0] < 3 { len } else { len + steps[0] };
            let middle = if steps[1] < 3 { inner * counts[0] } else { steps[1] * 7 };
            let steps_bytes = [inner, middle, if steps[2] < 3 { middle * counts[1] } else { 40 }];
            Shape::Grid(GridShape { len_bytes: len, counts, steps_bytes })
        });
        let bursts = (1..5u32, 1..40u32, 0..3u64).prop_map(|(count, len_bytes, gap)| {
            Shape::Bursts(BurstShape { count, len_bytes, step_bytes: u64::from(len_bytes) + 32 * gap })
        });
        prop_oneof![3 => vector, 2 => grid, 1 => bursts]
    }

    proptest! {
        #[test]
        fn bounds_and_solidity_are_those_of_the_walk(shape in shapes()) {
            let access = Access::new(Operand::Src0, 4096, Space::Ub, false, 1, shape);
            let mut bytes = BTreeSet::new();
            access.for_each_range(|r| bytes.extend(r));
            let walked = bytes.first().zip(bytes.last()).map(|(first, last)| *first..*last + 1);
            let extent = access.extent();
            prop_assert_eq!(&extent, &walked);
            if access.is_solid() {
                let extent = extent.unwrap_or(0..0);
                prop_assert_eq!(extent.end - extent.start, bytes.len() as u64);
            }
        }
    }

    #[test]
    fn grids_whose_runs_meet_are_one() {
        let columns = GridShape { len_bytes: 32, counts: [128, 16, 1], steps_bytes: [32, 4096, 0] };
        let merged = GridShape { len_bytes: 1 << 16, counts: [1; 3], steps_bytes: [0; 3] };
        assert_eq!((columns.merged(), Shape::Grid(columns).is_solid()), (merged, true));
        let apart = GridShape { steps_bytes: [32, 8192, 0], ..columns };
        assert!(!Shape::Grid(apart).is_solid());
    }
}
