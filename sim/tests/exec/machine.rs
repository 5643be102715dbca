//! Memory to run instructions on, and how to write them down.

use std::alloc::{Layout as Allocation, alloc_zeroed, dealloc};
use toprope_abi::core_face::{REGION_BYTES, SPACE_SHIFT};
use toprope_abi::isa::{DType, FieldId, Layout, Op, Space, ctrl};
use toprope_sim::exec::{Access, Decoded, ExecFault, PipeState, Regs, decode, execute, more_accesses};

/// Bytes of UB (and of GM) that tests use.
pub const WINDOW_BYTES: usize = 160 << 10;

/// One core's region and some device memory.
pub struct Machine {
    region: *mut u8,
    gm: *mut u8,
    pub regs: Regs,
    pub state: PipeState,
}

fn region_layout() -> Allocation {
    Allocation::from_size_align(REGION_BYTES as usize, REGION_BYTES as usize).expect("a power of two")
}

fn gm_layout() -> Allocation {
    Allocation::from_size_align(WINDOW_BYTES, 4096).expect("a power of two")
}

impl Machine {
    pub fn new() -> Machine {
        // SAFETY: the layout is not empty.
        let region = unsafe { alloc_zeroed(region_layout()) };
        // SAFETY: the layout is not empty.
        let gm = unsafe { alloc_zeroed(gm_layout()) };
        assert!(!region.is_null() && !gm.is_null());
        Machine {
            region,
            gm,
            regs: Regs::new(region.expose_provenance() as u64),
            state: PipeState::default(),
        }
    }

    pub fn ub(&self, offset: usize) -> u64 {
        self.space(Space::Ub, offset)
    }

    pub fn space(&self, space: Space, offset: usize) -> u64 {
        self.regs.region + ((space as u64) << SPACE_SHIFT) + offset as u64
    }

    pub fn gm(&self, offset: usize) -> u64 {
        self.gm.expose_provenance() as u64 + offset as u64
    }

    pub fn ub_bytes(&mut self) -> &mut [u8] {
        &mut self.space_bytes(Space::Ub)[..WINDOW_BYTES]
    }

    /// The whole slot of a memory on the core.
    pub fn space_bytes(&mut self, space: Space) -> &mut [u8] {
        let start = self.region.wrapping_add((space as usize) << SPACE_SHIFT);
        // SAFETY: inside the region, which `self` owns; no instruction runs while it is borrowed.
        unsafe { std::slice::from_raw_parts_mut(start, 1 << SPACE_SHIFT) }
    }

    pub fn gm_bytes(&mut self) -> &mut [u8] {
        // SAFETY: owned by `self`; no instruction runs while it is borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.gm, WINDOW_BYTES) }
    }

    /// Decodes only.
    pub fn decode(&self, op: Op, x: [u64; 4]) -> Result<Decoded, ExecFault> {
        decode(op.row(), &x, &self.regs)
    }

    /// Decodes, checks that everything touched is in the windows, executes.
    pub fn run(&mut self, op: Op, x: [u64; 4]) -> Result<Decoded, ExecFault> {
        let d = self.decode(op, x)?;
        d.accesses().iter().for_each(|a| self.assert_inside(a));
        // SAFETY: all accesses are inside memory that `self` owns.
        unsafe { more_accesses(&d, &self.state, &mut |a| self.assert_inside(&a)) }?;
        // SAFETY: as above.
        unsafe { execute(&d, &mut self.state) };
        Ok(d)
    }

    fn assert_inside(&self, a: &Access) {
        let Some(e) = a.extent() else { return };
        let window =
            if a.space == Space::Ub || a.space == Space::Gm { WINDOW_BYTES } else { 1 << SPACE_SHIFT };
        let base = if a.space == Space::Gm { self.gm(0) } else { self.space(a.space, 0) };
        assert!(e.start >= base && e.end <= base + window as u64, "test leaves its window: {a:?}");
    }

    pub fn set_ctrl(&mut self, bit: u32, on: bool) {
        self.regs.ctrl = (self.regs.ctrl & !(1 << bit)) | (u64::from(on) << bit);
    }

    pub fn counter(&mut self, count: u64) {
        self.set_ctrl(ctrl::MASK_COUNTER, true);
        self.regs.mask = [count, 0];
    }

    pub fn normal(&mut self, mask: u128) {
        self.set_ctrl(ctrl::MASK_COUNTER, false);
        self.regs.mask = [mask as u64, (mask >> 64) as u64];
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with the same layout.
        unsafe { dealloc(self.region, region_layout()) };
        // SAFETY: allocated in `new` with the same layout.
        unsafe { dealloc(self.gm, gm_layout()) };
    }
}

/// Places fields into the two configuration words.
pub fn config(layout: Layout, fields: &[(FieldId, u64)]) -> [u64; 2] {
    let mut words = [0; 2];
    for (id, value) in fields {
        let f = layout.field(*id).expect("the layout has the field");
        words[usize::from(f.word)] |= f.put(*value);
    }
    words
}

/// One repeat of three contiguous operands.
pub const CONTIGUOUS_BINARY: [(FieldId, u64); 7] = [
    (FieldId::DstBlockStride, 1),
    (FieldId::Src0BlockStride, 1),
    (FieldId::Src1BlockStride, 1),
    (FieldId::DstRepeatStride, 8),
    (FieldId::Src0RepeatStride, 8),
    (FieldId::Src1RepeatStride, 8),
    (FieldId::RepeatTimes, 1),
];

/// The first configuration word: `defaults`, except where `fields` says something else.
pub fn pack(layout: Layout, defaults: &[(FieldId, u64)], fields: &[(FieldId, u64)]) -> u64 {
    let kept = defaults.iter().filter(|d| fields.iter().all(|f| f.0 != d.0));
    let all: Vec<_> = kept.chain(fields).copied().collect();
    config(layout, &all)[0]
}

/// Touched bytes of an access, relative to `base`, ascending, each once.
pub fn touched(a: &Access, base: u64) -> Vec<usize> {
    let mut bytes = Vec::new();
    a.for_each_range(|r| bytes.extend(r.map(|b| (b - base) as usize)));
    bytes.sort_unstable();
    bytes.dedup();
    bytes
}

/// A small generator (splitmix64); seeds come from proptest.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// An element of type `t`: a special value, a small number (ties), or any bits.
    pub fn element(&mut self, t: DType) -> u64 {
        let any = self.next();
        let small = self.below(64) as f32 * 0.25 - 8.0;
        let pick = |list: &[u64], any: u64| list[any as usize % list.len()];
        let bits = match (t, self.below(3)) {
            (DType::F32, 0) => pick(&F32_SPECIAL.map(u64::from), any),
            (DType::F32, 1) => u64::from(small.to_bits()),
            (DType::F16, 0) => pick(&F16_SPECIAL.map(u64::from), any),
            (DType::F16, 1) => u64::from(half::f16::from_f32(small).to_bits()),
            (DType::Bf16, 0) => pick(&BF16_SPECIAL.map(u64::from), any),
            (DType::Bf16, 1) => u64::from(half::bf16::from_f32(small).to_bits()),
            (_, 0) => pick(&[0, 1, u64::MAX, 1 << (t.bits() - 1), (1 << (t.bits() - 1)) - 1], any),
            (_, 1) => self.below(64).wrapping_sub(32),
            _ => any,
        };
        if t.bits() == 64 { bits } else { bits & ((1 << t.bits()) - 1) }
    }

    /// Fills `bytes` with elements of type `t`.
    pub fn fill(&mut self, bytes: &mut [u8], t: DType) {
        if t.bits() == 4 {
            bytes.iter_mut().for_each(|b| *b = self.next() as u8);
            return;
        }
        for chunk in bytes.chunks_exact_mut(t.bits() as usize / 8) {
            chunk.copy_from_slice(&self.element(t).to_le_bytes()[..chunk.len()]);
        }
    }
}

/// Zeros, infinities, NaNs, subnormals, ends of ranges, ties at the ends of ranges.
const F32_SPECIAL: [u32; 26] = [
    0,
    0x8000_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_1234,
    0x7f80_0001,
    1,
    0x8000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x477f_e000,
    0x477f_efff,
    0x477f_f000,
    0x4780_0000,
    0x3300_0000,
    0x3300_0001,
    0x387f_c000,
    0x4f00_0000,
    0xcf00_0000,
    0x4eff_ffff,
    0x46ff_ff00,
    0x5f00_0000,
    0xc700_0080,
];
const F16_SPECIAL: [u16; 16] = [
    0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0xfe01, 0x7c01, 1, 0x8001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3c00,
    0x57f0, 0xd808,
];
const BF16_SPECIAL: [u16; 14] =
    [0, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 1, 0x8001, 0x007f, 0x0080, 0x7f7f, 0xff7f, 0x4f00, 0xcf00];
