//! Registers that keep their value from one kernel to the next.
//!
//! At the end of a kernel: what the documents ask to be set back and is not is a warning. At the start: a register whose value no document promises
//! holds what an earlier kernel left; an instruction that uses it before this kernel has set it is a warning, too. With [`EntryState::Random`] such registers
//! and the local memories start with other values, so that a kernel that relies on them computes something else.
//!
//! | register | promised at the start | asked to be set back |
//! |---|---|---|
//! | mask mode, atomics of copies | by `TPipe`, `InitSocState` | yes |
//! | HF32, casts that truncate, saturation | default of the launch | yes |
//! | mask, pad value of 3-D loads, boundary of L1 | by `TPipe`, `InitSocState` | no |
//! | dequantisation scale, CMPMASK, address registers, fixpipe and feature map registers | no | no |
//! | pad value of `DataCopyPad` | no: what it pads with is uninitialised data (`taint`) | no |
//! | unit flags of L0C | clear | yes |
//!
//! Source: Ascend C API reference, pages InitSocState, SetMaskCount, SetAtomicAdd, SetCtrlSpr, SetFixPipeConfig, and of each register.

use super::core::Core;
use super::pipes::Frames;
use crate::exec::{Decoded, VA_REGISTERS};
use crate::findings::Draft;
use crate::findings::catalogue as c;
use toprope_abi::isa::{CompareKind, Kind, OpRow, Spr, ctrl};

/// What registers and memories hold when a block starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EntryState {
    /// Registers are 0, memories hold what they held.
    #[default]
    Clean,
    /// What no document promises is drawn from this seed.
    Random(u64),
}

/// Which registers a block has set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sticky {
    /// One bit per number of [`Spr`], and [`VA_REGISTERS`].
    set: u32,
    reported: u32,
    /// CTRL at the start.
    ctrl: u64,
    /// Where atomics were switched on last.
    atomics_at: Frames,
}

/// Registers without a promised value, and what sets them.
const UNPROMISED: &[(u32, &str, &str)] = &[
    (1 << Spr::DeqScale as u32, "DEQ_SCALE", "SetDeqScale"),
    (1 << Spr::CmpMaskLow as u32, "CMPMASK", "Compare into the register, or SetCmpMask"),
    (1 << Spr::FmatrixA as u32, "FMATRIX", "SetFmatrix"),
    (1 << Spr::FmatrixB as u32, "FMATRIX_B", "SetFmatrix"),
    (
        1 << Spr::QuantPre as u32,
        "QUANT_PRE",
        "the quantisation parameter of Fixpipe, or SetFixpipePreQuantFlag",
    ),
    (1 << Spr::Fpc as u32, "FPC", "SetFixPipeConfig"),
    (1 << Spr::NdPara as u32, "ND_PARA", "SetFixpipeNz2ndFlag"),
    (VA_REGISTERS, "VA", "TransDataTo5HD with lists of addresses"),
];

/// Control bits that have to be at the end what they were at the start: what they leave on, what undoes it.
const RESTORED: &[(u32, &str, &str)] = &[
    (ctrl::HF32, "HF32 mode of Mmad changed", "call SetHF32Mode(HF32Mode::DISABLE)"),
    (ctrl::CAST_TRUNCATE, "the overflow mode of casts changed", "call SetSaturationFlag or ResetCtrlSpr"),
    (
        ctrl::INF_NAN,
        "the saturation mode of floating-point results changed",
        "call SetSaturationFlag or ResetCtrlSpr",
    ),
];

impl Sticky {
    /// A block begins.
    pub fn begin(&mut self, ctrl: u64) {
        *self = Sticky { ctrl, ..Sticky::default() };
    }

    /// The kernel writes a register.
    #[inline]
    pub fn wrote(&mut self, spr: Spr) {
        self.set |= 1 << spr as u32;
    }

    /// Whether this block has set the register.
    #[inline]
    pub fn has(&self, spr: Spr) -> bool {
        self.set >> spr as u32 & 1 == 1
    }

    /// The kernel switches atomics on.
    pub fn atomics_on(&mut self, at: Frames) {
        self.atomics_at = at;
    }

    /// Where atomics were switched on last.
    pub fn atomics_at(&self) -> Vec<u64> {
        self.atomics_at.iter().copied().filter(|pc| *pc != 0).collect()
    }

    /// The kernel writes an address register.
    #[inline]
    pub fn wrote_va(&mut self) {
        self.set |= VA_REGISTERS;
    }
}

impl Core {
    /// An instruction was decoded: which registers does it use and set?
    #[inline]
    pub(super) fn uses_registers(&mut self, row: &'static OpRow, decoded: &Decoded) {
        if matches!(row.kind, Kind::Compare(CompareKind::ToRegister(_) | CompareKind::SetRegister)) {
            self.sticky.wrote(Spr::CmpMaskLow);
            return;
        }
        let stale = decoded.registers() & !self.sticky.set & !self.sticky.reported;
        if stale != 0 && self.checks.on {
            self.warn_of_stale(row, stale);
        }
    }

    #[cold]
    fn warn_of_stale(&mut self, row: &'static OpRow, stale: u32) {
        self.sticky.reported |= stale;
        for (_, register, api) in UNPROMISED.iter().filter(|(bits, ..)| stale & bits != 0) {
            let values = [
                ("op", row.intrinsic.to_owned()),
                ("register", (*register).to_owned()),
                ("api", (*api).to_owned()),
            ];
            let mut draft = Draft::new(&c::STALE_REGISTER, &values).op(row.intrinsic);
            draft.frames = self.frames();
            self.record(draft, false);
        }
    }

    /// What a kernel that has ended should have set back.
    pub(super) fn state_left(&self) -> Vec<Draft> {
        let left = |what: &str, undo: &str| {
            Draft::new(&c::STATE_LEFT, &[("what", what.to_owned()), ("undo", undo.to_owned())])
        };
        let changed = self.regs.ctrl ^ self.sticky.ctrl;
        let bits = RESTORED.iter().filter(|(bit, ..)| changed >> bit & 1 == 1);
        let mut drafts: Vec<Draft> = bits.map(|(_, what, undo)| left(what, undo)).collect();
        if self.pipe_state.unit_flags() != [0; 4] {
            let undo = "let the last Fixpipe of each Mmad with unitFlag 3 have unitFlag 3, or call SetFixPipeConfig with isUnitFlag";
            drafts.push(left("unit flags of L0C set", undo));
        }
        drafts
    }

    /// Gives registers and memories another value than the last run had.
    #[cold]
    pub(super) fn randomise(&mut self, seed: u64) {
        let block = u64::from(self.face.block_idx) << 8 | u64::from(self.id.seat);
        let mut state = seed ^ block.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut next = || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            state >> 16
        };
        // Numbers of a sane size: the point is another result, not a fault.
        let float = |n: u64| u64::from(f32::to_bits(2.0 + (n % 1000) as f32 / 128.0) & !0x1fff);
        self.regs.deq_scale = 0x4000 | next() & 0x3ff;
        self.regs.pad_value = next();
        self.regs.set(Spr::QuantPre, float(next()));
        for spr in [Spr::CmpMaskLow, Spr::CmpMaskHigh] {
            self.pipe_state.set(spr, next());
        }
        // No instruction has written them.
        self.pipe_state.take_written();
        self.region.fill(next() as u8 | 1);
    }
}

/// For tests of the table: every register named here exists.
#[cfg(test)]
mod tests {
    use super::*;
    use toprope_abi::isa::SPRS;

    #[test]
    fn every_register_of_the_table_has_its_own_bit() {
        let mut all = 0;
        for (bits, name, api) in UNPROMISED {
            assert!(bits.count_ones() == 1 && all & bits == 0 && !api.is_empty(), "{name}");
            all |= bits;
        }
        assert!(SPRS.len() < VA_REGISTERS.trailing_zeros() as usize);
    }
}
