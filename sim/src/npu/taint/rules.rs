//! How dirt spreads: from the sources of an instruction to its destination, element by element.
//!
//! | family | rule |
//! |---|---|
//! | arithmetic, conversions | an element is dirty if one of its source elements is |
//! | And, Or, Not | bit by bit; a known 0 (And) or 1 (Or) hides what it meets |
//! | copies, transpositions, gathers, loads of L0A and L0B, tables | the move itself, run on the shadow |
//! | comparisons | a bit per element |
//! | Select | the source that a known bit takes; an unknown bit makes the element dirty |
//! | reductions | a result is dirty if one of its elements is |
//! | Sort32 | records move with clean scores; a dirty score makes its 32 records dirty |
//! | MrgSort | a dirty score makes the whole result dirty |
//! | products | `products` |
//! | anything else (dequantisation to half blocks, sparse products, …) | clean: silent rather than wrong |
//!
//! Unsafe room: runs moves on the shadow, and reads operands whose footprints were checked.
#![allow(unsafe_code)]

use super::shadow::{DIRTY, Dirty, Shadow, data};
use super::{Registers, products};
use crate::exec::{Access, Decoded, Operand, PipeState, Shape, execute, more_accesses};
use toprope_abi::isa::{
    BinaryFn, CompareKind, CompoundKind, CubeKind, DType, GatherKind, Kind, RearrangeKind, ReduceFn,
    ReduceKind, ScalarFn, Space, Spr, UnaryFn,
};

/// Modes of `Select`.
const SELECT_BY_REGISTER: u64 = 0;
const SELECT_SCALAR: u64 = 1;
/// Bytes of a record of a sort, and of its score.
const RECORD: u64 = 8;
const SCORE: usize = 4;
/// Elements a sort takes at once.
const SORTED: u64 = 32;

/// What a rule works on.
pub struct Step<'a> {
    pub shadow: &'a mut Shadow,
    pub registers: &'a mut Registers,
    pub decoded: &'a Decoded,
    pub state: &'a PipeState,
}

/// Calls `f` with every footprint of an instruction that is about to execute.
pub fn for_each_access(d: &Decoded, state: &PipeState, f: &mut dyn FnMut(&Access)) {
    d.accesses().iter().for_each(&mut *f);
    if d.has_more_accesses() {
        // SAFETY: what the instruction reads was checked, by `Core::check` and `more_is_fine`. A fault was reported there.
        let _ = unsafe { more_accesses(d, state, &mut |a| f(&a)) };
    }
}

fn is_local(a: &Access) -> bool {
    a.space != Space::Gm
}

impl Step<'_> {
    /// The first dirty bytes that the result depends on.
    pub fn first_dirty(&mut self) -> Option<Dirty> {
        if self.sources_are_clean() {
            return None;
        }
        match self.decoded.row().kind {
            Kind::Cube(CubeKind::Mmad) => return products::first_dirty_of_product(self.shadow, self.decoded),
            Kind::Cube(CubeKind::MmadSparse) => return None,
            Kind::Cube(_) => return products::first_dirty_of_fixpipe(self.shadow, self.decoded),
            Kind::Compare(CompareKind::Select | CompareKind::GetRegister)
                if self.registers.compare_bits != 0 =>
            {
                return Some(Dirty { range: 0..0, origin: self.registers.get(Spr::CmpMaskLow) });
            }
            _ => {}
        }
        let mut found = None;
        let (shadow, d) = (&mut *self.shadow, self.decoded);
        let reads_destination = d.reads_destination();
        for_each_access(d, self.state, &mut |a| {
            let is_read = !a.write || reads_destination;
            if found.is_none() && is_read && is_local(a) {
                found = first_dirty_of(shadow, a);
            }
        });
        found
    }

    /// A quick look by extents: no source can be dirty.
    fn sources_are_clean(&mut self) -> bool {
        let reads_destination = self.decoded.reads_destination();
        let mut clean = self.registers.compare_bits == 0;
        let shadow = &*self.shadow;
        for_each_access(self.decoded, self.state, &mut |a| {
            let is_read = !a.write || reads_destination;
            clean &= !(is_read && is_local(a)) || a.extent().is_none_or(|e| shadow.is_clean(&e));
        });
        clean
    }

    /// Everything it writes is known.
    pub fn clean(&mut self) {
        let shadow = &mut *self.shadow;
        for_each_access(self.decoded, self.state, &mut |a| {
            if a.write && is_local(a) {
                clean_access(shadow, a);
            }
        });
        self.registers.clean(self.decoded.row().kind);
    }

    /// Spreads dirt of origin `id`.
    pub fn spread(&mut self, id: u32) {
        match self.decoded.row().kind {
            Kind::Binary(BinaryFn::And | BinaryFn::Or) | Kind::Unary(UnaryFn::Not) => self.bits(id),
            kind @ (Kind::Binary(_) | Kind::Scalar(_)) if self.is_known(kind) => self.clean(),
            Kind::Compound(CompoundKind::Dequantise { .. }) => self.clean(),
            Kind::Binary(_)
            | Kind::Scalar(_)
            | Kind::Unary(_)
            | Kind::Convert(_)
            | Kind::ConvertDeq
            | Kind::Compound(_) => self.elements(id),
            Kind::Compare(kind) => self.compare(kind, id),
            Kind::Reduce(kind) => self.reduce(kind, id),
            Kind::Gather(GatherKind::Mask) => self.gather_by_mask(id),
            Kind::Rearrange(RearrangeKind::Sort32) => self.sort(id),
            Kind::Rearrange(RearrangeKind::MergeSort) => self.merge(id),
            Kind::Cube(CubeKind::Mmad) => products::spread_product(self.shadow, self.decoded, id),
            Kind::Cube(CubeKind::FixpipeToL1) => products::spread_fixpipe(self.shadow, self.decoded, id),
            _ => self.run_move(id),
        }
    }

    /// Integer arithmetic whose result does not depend on its operands.
    fn is_known(&self, kind: Kind) -> bool {
        let d = self.decoded;
        if !matches!(d.row().dst, DType::S16 | DType::S32) {
            return false;
        }
        match (kind, d.accesses()) {
            (Kind::Binary(BinaryFn::Sub), [_, a, b]) => a.addr == b.addr && a.shape == b.shape,
            (Kind::Scalar(ScalarFn::Muls), _) => d.mode_word() == 0,
            _ => false,
        }
    }

    /// Sources that are walked with the destination.
    fn sources(&self) -> impl Iterator<Item = &'_ Access> {
        let d = self.decoded;
        let skip = usize::from(!d.reads_destination());
        let walked = |a: &&Access| {
            matches!(a.shape, Shape::Vector(_)) && !matches!(a.operand, Operand::Mask | Operand::Parameters)
        };
        d.accesses().iter().skip(skip).filter(walked)
    }

    fn elements(&mut self, id: u32) {
        let d = self.decoded;
        let Some(dst) = d.accesses().first() else { return };
        let sources: Vec<Access> = self.sources().copied().collect();
        let mut flags = Vec::new();
        for r in 0..d.walk_repeats() {
            // A repeat is read whole before it is written: conversions may work in place.
            flags.clear();
            d.for_each_run(r, |e, n| {
                let from = flags.len();
                flags.resize(from + n as usize, 0);
                for s in &sources {
                    add_flags(self.shadow, s, r, e, &mut flags[from..]);
                }
            });
            let mut from = 0;
            d.for_each_run(r, |e, n| {
                put_flags(self.shadow, dst, r, e, &flags[from..from + n as usize], id);
                from += n as usize;
            });
        }
    }

    fn bits(&mut self, id: u32) {
        let d = self.decoded;
        let Some((dst, sources)) = d.accesses().split_first() else { return };
        let bits = element_bits(dst);
        let absorbs = match d.row().kind {
            Kind::Binary(BinaryFn::And) => 0,
            _ => DIRTY,
        };
        for r in 0..d.walk_repeats() {
            d.for_each_run(r, |e, n| {
                let len = (n * bits / 8) as usize;
                let read = |shadow: &mut Shadow, a: &Access| {
                    let (mut dirt, mut value) = (vec![0; len], vec![0; len]);
                    shadow.read(a.element(r, e), &mut dirt);
                    // SAFETY: a run of the checked footprint.
                    unsafe { data(a.element(r, e), &mut value) };
                    (dirt, value)
                };
                let (mut out, a) = read(self.shadow, &sources[0]);
                if let Some(second) = sources.get(1) {
                    let (dirt, b) = read(self.shadow, second);
                    for i in 0..len {
                        // A known bit that decides the result hides an unknown one.
                        let (open_a, open_b) = (a[i] ^ absorbs, b[i] ^ absorbs);
                        out[i] = out[i] & dirt[i] | out[i] & open_b | dirt[i] & open_a;
                    }
                }
                self.shadow.write(dst.element(r, e), &out, id);
            });
        }
    }

    fn compare(&mut self, kind: CompareKind, id: u32) {
        let d = self.decoded;
        match kind {
            CompareKind::Tensors(_) | CompareKind::Scalar(_) => {
                let Some((dst, sources)) = d.accesses().split_first() else { return };
                for r in 0..repeats(dst) {
                    let flags = repeat_flags(self.shadow, sources, r);
                    let per_repeat = 2048 / d.row().src.bits() as usize;
                    let bits: Vec<u8> = flags[..per_repeat].chunks(8).map(pack).collect();
                    self.shadow.write(dst.element(r, 0), &bits, id);
                }
            }
            CompareKind::ToRegister(_) => {
                let flags = repeat_flags(self.shadow, d.accesses(), 0);
                let bits = flags[..128].iter().rev().fold(0, |bits, f| bits << 1 | u128::from(*f != 0));
                self.registers.set_compare(bits, id);
            }
            CompareKind::SetRegister => {
                let mut bits = [0; 16];
                self.shadow.read(d.accesses()[0].addr, &mut bits);
                self.registers.set_compare(u128::from_le_bytes(bits), id);
            }
            CompareKind::GetRegister => {
                let bits = self.registers.compare_bits.to_le_bytes();
                self.shadow.write(d.accesses()[0].addr, &bits, id);
            }
            CompareKind::Select => self.select(id),
        }
    }

    fn select(&mut self, id: u32) {
        let d = self.decoded;
        let mode = d.mode_word();
        let register = [Spr::CmpMaskLow, Spr::CmpMaskHigh].map(|s| self.state.get(s).to_le_bytes()).concat();
        let mut mask = None;
        for_each_access(d, self.state, &mut |a| {
            if a.operand == Operand::Mask {
                mask = Some(*a);
            }
        });
        let (values, dirt) = match mask.and_then(|m| m.extent()) {
            Some(range) if mode != SELECT_BY_REGISTER => {
                let mut both = [
                    vec![0; (range.end - range.start) as usize],
                    vec![0; (range.end - range.start) as usize],
                ];
                // SAFETY: the checked footprint of the mask.
                unsafe { data(range.start, &mut both[0]) };
                self.shadow.read(range.start, &mut both[1]);
                let [values, dirt] = both;
                (values, dirt)
            }
            _ => (register, self.registers.compare_bits.to_le_bytes().to_vec()),
        };
        let Some((dst, sources)) = d.accesses().split_first() else { return };
        let scalar_dirt = u8::from(mode == SELECT_SCALAR && self.registers.compare_bits as u32 != 0);
        let per_repeat = 2048 / u64::from(d.row().dst.bits());
        let bit = |bytes: &[u8], i: u64| bytes.get((i / 8) as usize).is_some_and(|b| b >> (i % 8) & 1 == 1);
        for r in 0..d.walk_repeats() {
            let base = if mode == SELECT_BY_REGISTER { 0 } else { u64::from(r) * per_repeat };
            // One run over all repeats goes through the register again and again.
            let place = |e: u64| if mode == SELECT_BY_REGISTER { e % per_repeat } else { base + e };
            d.for_each_run(r, |e, n| {
                let mut flags = [vec![0; n as usize], vec![scalar_dirt; n as usize]];
                for (flags, source) in
                    flags.iter_mut().zip(sources.iter().filter(|a| a.operand != Operand::Mask))
                {
                    add_flags(self.shadow, source, r, e, flags);
                }
                let out: Vec<u8> = (0..n)
                    .map(|i| {
                        let taken = usize::from(!bit(&values, place(e + i)));
                        u8::from(bit(&dirt, place(e + i))) | flags[taken][i as usize]
                    })
                    .collect();
                put_flags(self.shadow, dst, r, e, &out, id);
            });
        }
    }

    fn reduce(&mut self, kind: ReduceKind, id: u32) {
        let d = self.decoded;
        let Some(source) = d.accesses().iter().find(|a| a.operand == Operand::Src0) else { return };
        let dst = d.accesses().iter().find(|a| a.operand == Operand::Dst);
        let mut any = false;
        for r in 0..repeats(source) {
            let flags = repeat_flags(self.shadow, std::slice::from_ref(source), r);
            let dirty = flags.iter().any(|f| *f != 0);
            any |= dirty;
            let (Some(dst), Shape::Vector(shape)) = (dst, dst.map_or(Shape::Empty, |a| a.shape)) else {
                continue;
            };
            let of = match kind {
                ReduceKind::Repeat(_) => 0,
                ReduceKind::DataBlock(_) => 256 / d.row().src.bits() as usize,
                ReduceKind::Pair => 2,
            };
            shape.for_each_run(r, 1 << 40, |e, n| {
                let result = |i: u64| match of {
                    0 => u8::from(dirty),
                    of => u8::from(flags[i as usize * of..(i as usize + 1) * of].iter().any(|f| *f != 0)),
                };
                let out: Vec<u8> = (e..e + n).map(result).collect();
                put_flags(self.shadow, dst, r, e, &out, id);
            });
        }
        let register = match kind {
            ReduceKind::Repeat(ReduceFn::Sum) if dst.is_none() => Spr::AccVal,
            ReduceKind::Repeat(ReduceFn::Max | ReduceFn::Min) => Spr::MaxMinCnt,
            _ => return,
        };
        self.registers.set(register, if any { id } else { 0 });
    }

    fn gather_by_mask(&mut self, id: u32) {
        let d = self.decoded;
        let (repeats, n) = d.mask_gather();
        let pattern = d.accesses().iter().find(|a| a.operand == Operand::Mask);
        let mut unknown = false;
        if let Some(pattern) = pattern {
            for r in 0..repeats as u32 {
                let mut bits = vec![0; n.div_ceil(8) as usize];
                self.shadow.read(pattern.element(r, 0), &mut bits);
                if let Some(last) = bits.last_mut().filter(|_| n % 8 != 0) {
                    *last &= (1 << (n % 8)) - 1;
                }
                unknown |= bits.iter().any(|b| *b != 0);
            }
        }
        self.registers.set(Spr::RsvdCnt, if unknown { id } else { 0 });
        if unknown { self.all_dirty(id) } else { self.run_move(id) }
    }

    /// Every byte that is written is dirty.
    fn all_dirty(&mut self, id: u32) {
        let shadow = &mut *self.shadow;
        for_each_access(self.decoded, self.state, &mut |a| {
            if a.write && is_local(a) {
                a.for_each_range(|r| shadow.write(r.start, &vec![DIRTY; (r.end - r.start) as usize], id));
            }
        });
    }

    /// Runs the move on the shadow.
    fn run_move(&mut self, id: u32) {
        let Some(moved) = self.decoded.moved(self.shadow.delta()) else { return self.clean() };
        let shadow = &mut *self.shadow;
        for_each_access(self.decoded, self.state, &mut |a| {
            if let Some(range) = a.extent().filter(|_| is_local(a)) {
                shadow.prepare(&range);
            }
        });
        let mut state = *self.state;
        // SAFETY: the shadow has the layout of the core's memories, so every checked footprint is inside it as well; masks and offsets are read
        // where they were checked.
        unsafe { execute(&moved, &mut state) };
        let width = if matches!(self.decoded.row().kind, Kind::Load(toprope_abi::isa::LoadKind::ToBias)) {
            4
        } else {
            1
        };
        for_each_access(self.decoded, self.state, &mut |a| {
            if a.write && is_local(a) {
                a.for_each_range(|r| shadow.name(&r, width, id));
            }
            if let Some(range) = a.extent().filter(|_| is_local(a)) {
                shadow.settle(&range);
            }
        });
    }

    fn sort(&mut self, id: u32) {
        let d = self.decoded;
        let [dst, scores, ..] = d.accesses() else { return };
        let score_bytes = u64::from(d.row().src.bits() / 8);
        let repeats = d.work().repeats;
        // Indices follow the order of the scores.
        self.run_move(id);
        for r in 0..repeats {
            let mut dirt = vec![0; (SORTED * score_bytes) as usize];
            self.shadow.read(scores.addr + r * SORTED * score_bytes, &mut dirt);
            let at = dst.addr + r * SORTED * RECORD;
            let mut records = vec![0; (SORTED * RECORD) as usize];
            self.shadow.read(at, &mut records);
            if dirt.iter().any(|b| *b != 0) {
                records.fill(DIRTY);
            } else {
                records.chunks_exact_mut(RECORD as usize).for_each(|record| record[..SCORE].fill(0));
            }
            self.shadow.write(at, &records, id);
        }
    }

    fn merge(&mut self, id: u32) {
        let mut unknown = false;
        let shadow = &mut *self.shadow;
        for_each_access(self.decoded, self.state, &mut |a| {
            if !a.write {
                a.for_each_range(|range| {
                    let mut list = vec![0; (range.end - range.start) as usize];
                    shadow.read(range.start, &mut list);
                    unknown |= list.chunks(RECORD as usize).any(|r| r.iter().take(SCORE).any(|b| *b != 0));
                });
            }
        });
        if unknown {
            self.all_dirty(id)
        } else {
            self.clean()
        }
        self.registers.set(Spr::Vms4Sr, if unknown { id } else { 0 });
    }
}

fn element_bits(a: &Access) -> u64 {
    match a.shape {
        Shape::Vector(v) => u64::from(v.element_bits),
        _ => 8,
    }
}

fn repeats(a: &Access) -> u32 {
    match a.shape {
        Shape::Vector(v) => v.repeats,
        _ => 0,
    }
}

/// Eight flags to a byte, the first to the lowest bit.
fn pack(flags: &[u8]) -> u8 {
    flags.iter().rev().fold(0, |bits, f| bits << 1 | u8::from(*f != 0))
}

/// Flags of the elements of repeat `r`, by number of the element; the selected ones of all accesses together.
fn repeat_flags(shadow: &mut Shadow, accesses: &[Access], r: u32) -> Vec<u8> {
    let mut flags = vec![0; 256];
    for a in accesses {
        if let Shape::Vector(v) = a.shape {
            v.for_each_run(r, v.elements_per_block(), |e, n| {
                add_flags(shadow, a, r, e, &mut flags[e as usize..(e + n) as usize]);
            });
        }
    }
    flags
}

/// Sets the flags of the elements from `e` on that have a dirty bit.
fn add_flags(shadow: &mut Shadow, a: &Access, r: u32, e: u64, flags: &mut [u8]) {
    let bits = element_bits(a);
    let start = a.element(r, e);
    let len = (flags.len() as u64 * bits).div_ceil(8);
    if shadow.is_clean(&(start..start + len)) {
        return;
    }
    let mut bytes = vec![0; len as usize];
    shadow.read(start, &mut bytes);
    if bits < 8 {
        flags.iter_mut().enumerate().for_each(|(i, f)| *f |= u8::from(bytes[i * bits as usize / 8] != 0));
    } else {
        let elements = bytes.chunks_exact((bits / 8) as usize);
        flags.iter_mut().zip(elements).for_each(|(f, b)| *f |= u8::from(b.iter().any(|b| *b != 0)));
    }
}

/// Makes the elements from `e` on dirty or clean.
fn put_flags(shadow: &mut Shadow, a: &Access, r: u32, e: u64, flags: &[u8], id: u32) {
    let bits = element_bits(a) as usize;
    let mut bytes = vec![0; (flags.len() * bits).div_ceil(8)];
    if bits < 8 {
        flags.iter().enumerate().filter(|(_, f)| **f != 0).for_each(|(i, _)| bytes[i * bits / 8] = DIRTY);
    } else {
        for (element, flag) in bytes.chunks_exact_mut(bits / 8).zip(flags) {
            element.fill(if *flag != 0 { DIRTY } else { 0 });
        }
    }
    shadow.write(a.element(r, e), &bytes, id);
}

/// The first dirty bytes of an access, exactly.
pub fn first_dirty_of(shadow: &mut Shadow, a: &Access) -> Option<Dirty> {
    if a.extent().is_none_or(|e| shadow.is_clean(&e)) {
        return None;
    }
    let mut found = None;
    a.for_each_range(|r| {
        if found.is_none() {
            found = shadow.first_dirty(&r);
        }
    });
    found
}

/// What the access writes is known.
#[inline]
pub fn clean_access(shadow: &mut Shadow, a: &Access) {
    let Some(extent) = a.extent() else { return };
    if shadow.is_clean(&extent) {
        return;
    }
    if a.is_solid() {
        shadow.clean(&extent);
    } else {
        a.for_each_range(|r| shadow.clean(&r));
    }
}
