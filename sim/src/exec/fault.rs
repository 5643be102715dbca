//! Why an instruction cannot run.
//!
//! These are facts about one instruction and its registers. Where the operands lie relative to
//! allocations and capacities is the engine's business (it knows memories, `exec` knows shapes).

use super::access::Operand;
use thiserror::Error;
use toprope_abi::isa::{FieldId, Space};

/// Why an instruction cannot be decoded. Every variant carries the figures of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ExecFault {
    /// Flags, barriers and register writes are the engine's; `exec` only knows data instructions.
    #[error("{intrinsic} does not work on data")]
    NotData {
        /// The instruction.
        intrinsic: &'static str,
    },
    /// The instruction is in the table but its semantics are not modelled.
    #[error("{intrinsic}: {what} is not modelled")]
    Unsupported {
        /// The instruction.
        intrinsic: &'static str,
        /// What is missing.
        what: &'static str,
    },
    /// An operand lies in the wrong memory.
    #[error("{intrinsic}: {operand} must be in {}, {address:#x} is {}", expected.name(),
        found.map_or("no memory of the core", Space::name))]
    WrongSpace {
        /// The instruction.
        intrinsic: &'static str,
        /// Which operand.
        operand: Operand,
        /// Its address.
        address: u64,
        /// Where it has to be.
        expected: Space,
        /// Where it is; `None` inside the core's region but in no memory.
        found: Option<Space>,
    },
    /// A configuration field is outside its range.
    #[error("{intrinsic}: {} is {asked}, allowed is {min} to {max}", field.text())]
    FieldRange {
        /// The instruction.
        intrinsic: &'static str,
        /// Which field.
        field: FieldId,
        /// Its value.
        asked: u64,
        /// Smallest legal value.
        min: u64,
        /// Largest legal value.
        max: u64,
    },
    /// A stride does not fit the granule of its memory.
    #[error("{intrinsic}: {} is {asked}, it must be a multiple of {of}", field.text())]
    NotMultiple {
        /// The instruction.
        intrinsic: &'static str,
        /// Which field.
        field: FieldId,
        /// Its value.
        asked: u64,
        /// What it has to be a multiple of.
        of: u64,
    },
    /// A field has a value of the right width that the instruction does not take.
    #[error("{intrinsic}: {} is {asked}, allowed is {allowed}", field.text())]
    BadValue {
        /// The instruction.
        intrinsic: &'static str,
        /// Which field.
        field: FieldId,
        /// Its value.
        asked: u64,
        /// What it may be.
        allowed: &'static str,
    },
    /// Destination block stride 0 although more than one block of a repeat is written.
    #[error("{intrinsic}: block stride 0 at the destination, but {blocks} blocks of a repeat are written")]
    ZeroDstBlockStride {
        /// The instruction.
        intrinsic: &'static str,
        /// Blocks of one repeat that the mask selects.
        blocks: u32,
    },
    /// Normal mask mode with a mask that selects nothing.
    #[error("{intrinsic}: the mask selects no element ({bits}-bit elements use its low {used} bits)")]
    EmptyMask {
        /// The instruction.
        intrinsic: &'static str,
        /// Width of the widest element type.
        bits: u32,
        /// Mask bits this width uses.
        used: u32,
    },
    /// 4-bit elements come in bytes: both halves must be selected alike.
    #[error(
        "{intrinsic}: 4-bit elements are selected in pairs, but element {element} is selected without its partner"
    )]
    SplitPair {
        /// The instruction.
        intrinsic: &'static str,
        /// First element whose partner is not selected.
        element: u32,
    },
    /// A scalar operand is outside its range.
    #[error("{intrinsic}: the scalar is {asked}, allowed is 0 to {max}")]
    ScalarRange {
        /// The instruction.
        intrinsic: &'static str,
        /// Its value.
        asked: i64,
        /// Largest legal value.
        max: u64,
    },
    /// Source and destination of one repeat overlap without being the same.
    #[error(
        "{intrinsic}: {operand} at {src:#x} and the destination at {dst:#x} overlap in repeat {repeat}; \
         inside a repeat they must be the same or apart"
    )]
    Overlap {
        /// The instruction.
        intrinsic: &'static str,
        /// The source that overlaps.
        operand: Operand,
        /// Address of the source operand.
        src: u64,
        /// Address of the destination operand.
        dst: u64,
        /// First repeat in which they overlap, from 0.
        repeat: u32,
    },
    /// Operands overlap that have to be apart.
    #[error(
        "{intrinsic}: {operand} at {src:#x} and the destination at {dst:#x} overlap; this instruction needs them apart"
    )]
    Apart {
        /// The instruction.
        intrinsic: &'static str,
        /// The operand that overlaps.
        operand: Operand,
        /// Its address.
        src: u64,
        /// Address of the destination operand.
        dst: u64,
    },
    /// What one repeat writes, the next one reads.
    #[error(
        "{intrinsic}: repeat {repeat} writes what the next repeat reads ({operand} at {src:#x}, destination at {dst:#x}); \
         only the second source may accumulate this way, with repeat stride 0 on both"
    )]
    RepeatHazard {
        /// The instruction.
        intrinsic: &'static str,
        /// The source that is overwritten.
        operand: Operand,
        /// Address of the source operand.
        src: u64,
        /// Address of the destination operand.
        dst: u64,
        /// Repeat that writes, from 0.
        repeat: u32,
    },
    /// Padding on one side is more than a data block.
    #[error("{intrinsic}: {} takes {bytes} bytes, at most 32 fit", field.text())]
    PadRange {
        /// The instruction.
        intrinsic: &'static str,
        /// Which side.
        field: FieldId,
        /// Bytes asked for.
        bytes: u64,
    },
    /// A burst is not a whole number of elements.
    #[error(
        "{intrinsic}: a burst of {len_bytes} bytes is not a multiple of the element size {element_bytes} (blockLen counts bytes)"
    )]
    PartialElement {
        /// The instruction.
        intrinsic: &'static str,
        /// Length of one burst.
        len_bytes: u64,
        /// Element size (of the atomic type if atomics are on).
        element_bytes: u64,
    },
    /// An operand that is a number has a value the instruction does not take.
    #[error("{intrinsic}: {what} is {asked}, allowed is {allowed}")]
    Argument {
        /// The instruction.
        intrinsic: &'static str,
        /// Which operand or field.
        what: &'static str,
        /// Its value.
        asked: u64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// Source and destination meet although the instruction needs them apart.
    #[error("{intrinsic}: {operand} at {src:#x} overlaps the destination at {dst:#x}; they must be apart")]
    NotApart {
        /// The instruction.
        intrinsic: &'static str,
        /// The source that overlaps.
        operand: Operand,
        /// Address of the source operand.
        src: u64,
        /// Address of the destination operand.
        dst: u64,
    },
    /// The control register asks for an atomic that does not exist.
    #[error(
        "{intrinsic}: CTRL asks for atomic type {atomic_type}, operation {atomic_op}; types are 1 to 6, operations 0 to 2"
    )]
    BadAtomic {
        /// The instruction.
        intrinsic: &'static str,
        /// CTRL\[8:6\].
        atomic_type: u64,
        /// CTRL\[10:9\].
        atomic_op: u64,
    },
    /// A field has one of the values that mean nothing (here or with this instruction).
    #[error("{intrinsic}: {} is {asked}; allowed: {allowed}", field.text())]
    FieldValue {
        /// The instruction.
        intrinsic: &'static str,
        /// Which field.
        field: FieldId,
        /// Its value.
        asked: u64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// Two settings that exclude each other.
    #[error("{intrinsic}: {what}")]
    Excluded {
        /// The instruction.
        intrinsic: &'static str,
        /// Which.
        what: &'static str,
    },
    /// Rows or column groups that the destination stride lets overlap.
    #[error(
        "{intrinsic}: {} is {asked}, so parts of the result of {len_bytes} bytes each start every {step_bytes} bytes and overlap",
        field.text()
    )]
    DstOverlap {
        /// The instruction.
        intrinsic: &'static str,
        /// Which field.
        field: FieldId,
        /// Its value.
        asked: u64,
        /// Length of a part.
        len_bytes: u64,
        /// Distance of parts.
        step_bytes: u64,
    },
    /// The index of a sparse matrix has a number that it cannot have.
    #[error("{intrinsic}: byte {at} of the index of B is {byte:#04x}; its numbers of 2 bits are 0, 1 or 2")]
    SparseIndex {
        /// The instruction.
        intrinsic: &'static str,
        /// Which byte.
        at: u64,
        /// Its value.
        byte: u8,
    },
    /// A quantisation factor that is no normal number.
    #[error(
        "{intrinsic}: the quantisation factor of column {column} is {bits:#010x}; infinity, NaN and subnormal numbers are not allowed"
    )]
    QuantFactor {
        /// The instruction.
        intrinsic: &'static str,
        /// Column it belongs to, from 0.
        column: u64,
        /// Its bits.
        bits: u32,
    },
}

impl ExecFault {
    /// Addresses that the text has.
    pub fn addresses(&self) -> [Option<u64>; 2] {
        match *self {
            ExecFault::Overlap { src, dst, .. }
            | ExecFault::Apart { src, dst, .. }
            | ExecFault::RepeatHazard { src, dst, .. } => [Some(src), Some(dst)],
            _ => [None; 2],
        }
    }

    /// Whether this is a gap of toprope rather than an error of the program.
    pub fn is_unsupported(&self) -> bool {
        matches!(self, ExecFault::Unsupported { .. })
    }
}
