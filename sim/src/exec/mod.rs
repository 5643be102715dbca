//! What instructions do to bytes.
//!
//! Three steps, so that the engine can check between them:
//! 1. [`decode`] turns an instruction and a snapshot of the registers into a [`Decoded`]: which bytes every
//!    operand touches ([`Access`]), how much work it is ([`Work`]), what function computes it.
//! 2. The engine checks the accesses (bounds, alignment, races) against memories it knows.
//! 3. [`execute`] computes, on raw pointers and without further checks.
//!
//! An instruction is a walk over contiguous runs of elements (`walk`), and a function that computes one run
//! (`lane`). A full mask with unit strides is a single run, so it goes at memory speed; every other mask,
//! stride and repeat is cut into runs and takes the same function. Numeric rules are said in `number` and
//! `ops`, rules of copies in `copy`, of atomics in `atomic`.
//!
//! **Registers** are those at issue ([`Regs`]): mask, CTRL, pad value and dequantisation scale are copied
//! into the instruction, so a later register write does not change a queued instruction.
//!
//! **Masks.** Normal mode: 128 bits, 16-bit elements use all, 32-bit ones the low 64, 64-bit ones the low 32;
//! a mixed-width conversion follows the wider type. Counter mode: the low word is the number of elements,
//! the repeat field is ignored; the masked copy takes it as elements per repeat and keeps the repeat field.
//! `Brcb` has no mask. Repeat 0, count 0 and bursts of length or count 0 do nothing.
//!
//! Not modelled: timing (the engine's clock), bank conflicts, the order in which the hardware's lanes
//! write overlapping destinations of *different* repeats (here: ascending).
//!
//! Source of the rules: Ascend C API reference for Atlas A2 (pages of the instructions, of masks, of address
//! overlap, and the tables of boundary values).

pub mod access;
mod atomic;
mod body;
mod compare;
mod compound;
mod convert;
mod copy;
mod cube;
mod decode;
mod elementary;
mod fault;
mod flow;
mod gather;
mod lane;
mod load;
mod number;
mod ops;
mod overlap;
mod rearrange;
mod reduce;
mod table;
#[cfg(test)]
mod tests;
mod walk;

pub use access::{Access, BurstShape, GridShape, Lanes, Operand, Shape, VectorShape};
pub use decode::decode;
pub use fault::ExecFault;
pub use flow::{FixpipeRow, Product, ProductStart, VA_REGISTERS};
pub use load::index_address;
pub use rearrange::set_va;
pub use walk::{execute, more_accesses};

use lane::LaneFn;
pub use lane::take_overflow;
use toprope_abi::isa::{OpRow, SPRS, Spr, ctrl};

/// Special registers that change what an instruction does, as they are when it is issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regs {
    /// Base of the core's local-memory region; anything outside of it is GM.
    pub region: u64,
    /// Control register, bits in [`toprope_abi::isa::ctrl`].
    pub ctrl: u64,
    /// Vector mask: low word (the element count in counter mode), high word.
    pub mask: [u64; 2],
    /// Value that padding copies fill with (bits of an element).
    pub pad_value: u64,
    /// Dequantisation scale (bits of a half).
    pub deq_scale: u64,
    /// Every other register, by number of [`Spr`].
    pub others: [u64; SPRS.len()],
    /// Address registers of transpositions: blocks (32 bytes) of UB.
    pub va: [[u16; 8]; 8],
}

impl Regs {
    /// The state a launch starts with: inf/NaN mode, atomics off, normal mask mode, mask all ones.
    pub const fn new(region: u64) -> Regs {
        let mut others = [0; SPRS.len()];
        // 3-D loads repeat once.
        others[Spr::Load3dRepeat as usize] = 1 << 16;
        Regs {
            region,
            ctrl: 1 << ctrl::INF_NAN,
            mask: [u64::MAX; 2],
            pad_value: 0,
            deq_scale: 0,
            others,
            va: [[0; 8]; 8],
        }
    }

    /// Writes a register.
    pub fn set(&mut self, spr: Spr, value: u64) {
        match spr {
            Spr::Ctrl => self.ctrl = value,
            Spr::MaskLow => self.mask[0] = value,
            Spr::MaskHigh => self.mask[1] = value,
            Spr::PadValue => self.pad_value = value,
            Spr::DeqScale => self.deq_scale = value,
            other => self.others[other as usize] = value,
        }
    }

    /// Reads a register.
    pub fn get(&self, spr: Spr) -> u64 {
        match spr {
            Spr::Ctrl => self.ctrl,
            Spr::MaskLow => self.mask[0],
            Spr::MaskHigh => self.mask[1],
            Spr::PadValue => self.pad_value,
            Spr::DeqScale => self.deq_scale,
            other => self.others[other as usize],
        }
    }

    /// Whether bit `bit` of CTRL is 1.
    #[inline]
    pub fn ctrl_bit(&self, bit: u32) -> bool {
        (self.ctrl >> bit) & 1 == 1
    }

    /// Whether copies to GM are atomic.
    #[inline]
    pub fn atomic_on(&self) -> bool {
        (self.ctrl >> ctrl::ATOMIC_TYPE_LO) & 7 != 0
    }
}

/// Registers that instructions read and write in the order of their pipe, when they execute ([`Spr::is_pipe_written`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PipeState {
    values: [u64; SPRS.len()],
    /// Unit flags of L0C, one bit per 512 bytes.
    unit_flags: [u64; 4],
    /// Registers written since [`PipeState::take_written`], one bit each.
    written: u32,
}

impl PipeState {
    /// Value of a register.
    #[inline]
    pub fn get(&self, spr: Spr) -> u64 {
        self.values[spr as usize]
    }

    /// Clears every unit flag of L0C.
    pub fn clear_unit_flags(&mut self) {
        self.unit_flags = [0; 4];
    }

    /// The unit flags of L0C, one bit per 512 bytes.
    pub fn unit_flags(&self) -> [u64; 4] {
        self.unit_flags
    }

    /// Writes a register.
    #[inline]
    pub fn set(&mut self, spr: Spr, value: u64) {
        self.values[spr as usize] = value;
        self.written |= 1 << spr as u32;
    }

    /// The registers written since the last call, one bit each.
    #[inline]
    pub fn take_written(&mut self) -> u32 {
        std::mem::take(&mut self.written)
    }
}

/// Computes a decoded instruction.
type RunFn = unsafe fn(&Decoded, &mut PipeState);

/// Tells further footprints of an instruction just before it executes: those that depend on data (offsets in memory, a mask register)
/// or are too many to be kept. It may read what [`Decoded::accesses`] covers.
type MoreFn = unsafe fn(&Decoded, &PipeState, &mut dyn FnMut(Access)) -> Result<(), ExecFault>;

/// How much an instruction does, for the cost model and for counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Repeats of a vector instruction, bursts of a copy.
    pub repeats: u64,
    /// Elements that take part (bytes for copies).
    pub elements: u64,
    /// Bytes moved: source bytes of a copy, destination bytes of a vector instruction.
    pub bytes: u64,
    /// Counter mode with a last repeat that is not full.
    pub tail: bool,
}

/// Values an instruction needs beside its operands.
#[derive(Clone, Copy, Debug, Default)]
struct Env {
    /// Bits of the scalar operand, of the dequantisation scale, or of the pad value.
    value: u64,
    /// Left and right padding of a copy in bytes.
    pads_bytes: [u8; 2],
    /// CTRL\[10:6\] of a copy to GM: atomic type and operation.
    atomic: u8,
    /// Saturation mode of an atomic.
    clamp: bool,
    /// How it takes part in the unit flags of L0C; see `cube::unit`.
    unit: cube::Unit,
    /// Address of an operand whose footprint is elsewhere or empty.
    address: u64,
    /// What else a family keeps: operands and registers as they were at issue.
    words: [u64; 4],
    /// Blocks of UB that address registers named: destinations, sources.
    lists: [[u16; 16]; 2],
}

/// A decoded instruction: valid fields, known footprints, not yet checked against memory.
#[derive(Clone, Copy, Debug)]
pub struct Decoded {
    row: &'static OpRow,
    run: RunFn,
    more: Option<MoreFn>,
    lane: LaneFn,
    env: Env,
    accesses: [Access; 3],
    access_count: u8,
    /// A conversion: the first repeat that writes what a later one reads.
    hazard: Option<u32>,
    /// A source that is overwritten before it is read.
    overwritten: Option<Overwritten>,
    /// Elements of a vector instruction whose operands are all contiguous over all repeats; else 0.
    whole: u64,
    work: Work,
}

/// A source whose bytes the instruction overwrites and then reads, so that the documents leave its result open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Overwritten {
    /// Which of the accesses.
    access: u8,
    /// The first repeat of which something is overwritten, or that overwrites.
    repeat: u32,
    /// A later repeat reads it; else the same one.
    is_later: bool,
    /// The elements of source and destination belong to each other one by one; else the whole result is open.
    by_elements: bool,
}

impl Decoded {
    /// The instruction.
    #[inline]
    pub fn row(&self) -> &'static OpRow {
        self.row
    }

    /// Footprints of the operands, destination first. Empty if the instruction does nothing.
    #[inline]
    pub fn accesses(&self) -> &[Access] {
        &self.accesses[..usize::from(self.access_count)]
    }

    /// Whether [`more_accesses`] has to be asked before it executes.
    #[inline]
    pub fn has_more_accesses(&self) -> bool {
        self.more.is_some()
    }

    /// Whether the unit flags of L0C let it run.
    #[inline]
    pub fn is_ready(&self, state: &PipeState) -> bool {
        !self.uses_unit_flags() || cube::unit_is_ready(self, state)
    }

    /// Whether it waits for unit flags of L0C and may change them.
    #[inline]
    pub fn uses_unit_flags(&self) -> bool {
        self.env.unit != cube::Unit::None
    }

    /// A conversion in place that overwrites what a later repeat reads: the first repeat that does. It computes repeat by repeat; what the
    /// chip computes depends on its timing.
    #[inline]
    pub fn hazard(&self) -> Option<u32> {
        self.hazard
    }

    /// How much it does.
    #[inline]
    pub fn work(&self) -> Work {
        self.work
    }
}
