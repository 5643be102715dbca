//! Which source bytes a destination byte is made of: what the check of uninitialised data asks of a decoded instruction.
//!
//! An instruction that only moves bytes can be executed on other addresses ([`Decoded::moved`]): on a memory laid out like the core's that holds one byte
//! of state for each byte of data, it moves the state the same way. Arithmetic is walked run by run ([`Decoded::for_each_run`]); products and Fixpipe tell
//! their geometry ([`Product`], [`Decoded::for_each_fixpipe_row`]).

use super::access::{Access, Shape};
use super::cube::{fixpipe_registers, fixpipe_rows, product, starts_from_itself};
use super::{Decoded, Env, load};
use toprope_abi::isa::{
    CompareKind, CompoundKind, CubeKind, GatherKind, Kind, LoadKind, RearrangeKind, Space, Spr,
};

pub use super::cube::{FixpipeRow, Product, ProductStart};

/// The address registers in [`Decoded::registers`], above every [`Spr`].
pub const VA_REGISTERS: u32 = 1 << 31;

impl Decoded {
    /// Registers without a fixed meaning at the start of a kernel that it uses: a bit per number of [`Spr`].
    #[inline]
    pub fn registers(&self) -> u32 {
        let bit = |spr: Spr| 1u32 << spr as u32;
        match self.row.kind {
            Kind::ConvertDeq | Kind::Compound(CompoundKind::Dequantise { .. }) => bit(Spr::DeqScale),
            Kind::Compare(CompareKind::Select | CompareKind::GetRegister) => bit(Spr::CmpMaskLow),
            Kind::Rearrange(RearrangeKind::NchwConv) => VA_REGISTERS,
            Kind::Cube(CubeKind::FixpipeToGm | CubeKind::FixpipeToL1) if self.access_count > 0 => {
                fixpipe_registers(self)
            }
            Kind::Load(LoadKind::Load3d(_)) => load::feature_map(self),
            _ => 0,
        }
    }

    /// Whether the destination is an input too.
    #[inline]
    pub fn reads_destination(&self) -> bool {
        match self.row.kind {
            Kind::Compound(kind) => kind.reads_dst(),
            Kind::Cube(CubeKind::Mmad) => starts_from_itself(self),
            _ => false,
        }
    }

    /// The same move with every address of local memory `delta` further on; `None` if it does more than move bytes. Masks and offsets stay where they are.
    pub fn moved(&self, delta: u64) -> Option<Decoded> {
        let mut d = *self;
        let shift = |a: &mut Access| a.addr = a.addr.wrapping_add(delta);
        match self.row.kind {
            Kind::CopyBurst(path) | Kind::CopyAlign(path) if is_local(path.ends()) => {
                d.accesses.iter_mut().for_each(shift);
            }
            Kind::CopyMasked | Kind::Brcb | Kind::Rearrange(RearrangeKind::Transpose) => {
                d.accesses.iter_mut().for_each(shift);
            }
            Kind::Load(LoadKind::Load2d(path) | LoadKind::Load3d(path)) if is_local(path.ends()) => {
                d.accesses.iter_mut().for_each(shift);
                // A feature map is named by its start; its padding has a value.
                if matches!(self.row.kind, Kind::Load(LoadKind::Load3d(_))) {
                    d.env = Env { address: d.env.address.wrapping_add(delta), value: 0, ..d.env };
                }
            }
            Kind::Load(
                LoadKind::Load2dTranspose(_)
                | LoadKind::Load2dSparse
                | LoadKind::ToBias
                | LoadKind::ToFixpipe,
            ) => d.accesses.iter_mut().for_each(shift),
            Kind::Rearrange(RearrangeKind::NchwConv) => {
                d.accesses.iter_mut().for_each(shift);
                d.env.words[0] = d.env.words[0].wrapping_add(delta);
            }
            // Scores stay real: they say where an index goes.
            Kind::Rearrange(RearrangeKind::Sort32) => {
                shift(&mut d.accesses[0]);
                shift(&mut d.accesses[2]);
            }
            Kind::Gather(GatherKind::Elements | GatherKind::DataBlocks) => {
                shift(&mut d.accesses[0]);
                d.env.value = d.env.value.wrapping_add(delta);
            }
            Kind::Gather(GatherKind::Mask) => {
                shift(&mut d.accesses[0]);
                d.env.words[2] = d.env.words[2].wrapping_add(delta);
            }
            _ => return None,
        }
        Some(d)
    }

    /// Repeats of a walk by [`Decoded::for_each_run`].
    pub fn walk_repeats(&self) -> u32 {
        match self.accesses[0].shape {
            _ if self.whole != 0 => 1,
            Shape::Vector(v) => v.repeats,
            _ => 0,
        }
    }

    /// Calls `f(first element, elements)` with the runs of repeat `r` that are contiguous in every operand of a vector instruction.
    pub fn for_each_run(&self, r: u32, f: impl FnMut(u64, u64)) {
        let Shape::Vector(first) = self.accesses[0].shape else { return };
        if self.whole != 0 {
            let mut f = f;
            return f(0, self.whole);
        }
        let shapes = self.accesses().iter().filter_map(|a| match a.shape {
            Shape::Vector(v) => Some(v),
            _ => None,
        });
        let cut = shapes.map(|v| v.elements_per_block()).min().unwrap_or(1);
        first.for_each_run(r, cut, f);
    }

    /// The mode of a `Select`, and what else keeps one number.
    pub fn mode_word(&self) -> u64 {
        self.env.value
    }

    /// Repeats and elements per repeat of a gather by mask.
    pub fn mask_gather(&self) -> (u64, u64) {
        (self.env.words[0], self.env.words[1])
    }

    /// Whether it pads with the value of the register: a copy that only fills up to 32 bytes does not.
    #[inline]
    pub fn pads(&self) -> bool {
        self.env.pads_bytes != [0; 2]
    }

    /// Left padding of a copy in bytes.
    pub fn left_pad_bytes(&self) -> u64 {
        u64::from(self.env.pads_bytes[0])
    }

    /// The geometry of an `Mmad`; `None` for anything else, and for sparse ones.
    pub fn product(&self) -> Option<Product> {
        (self.row.kind == Kind::Cube(CubeKind::Mmad) && self.access_count > 0).then(|| product(self))
    }

    /// Calls `f` with every row of every 16 columns that a Fixpipe writes.
    pub fn for_each_fixpipe_row(&self, mut f: impl FnMut(&FixpipeRow)) {
        if self.access_count > 0 {
            fixpipe_rows(self, &mut f);
        }
    }
}

fn is_local((from, to): (Space, Space)) -> bool {
    from != Space::Gm && to != Space::Gm
}

impl Access {
    /// Address of element `e` of repeat `r`.
    #[inline]
    pub fn element(&self, r: u32, e: u64) -> u64 {
        match self.shape {
            Shape::Vector(v) => {
                self.addr + u64::from(r) * u64::from(v.repeat_stride_bytes) + v.element_offset(e)
            }
            _ => self.addr,
        }
    }
}
