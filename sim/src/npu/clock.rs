//! The clock of a core: what each instruction costs and when it runs.
//!
//! Every pipe has two times: `next`, when it can start another instruction, and `done`, when the results of all it
//! started are there. An instruction starts at max(`next`, issue, flag); a vector instruction occupies its pipe for the
//! work only and is done `fixed` cycles later, so that `fixed` is paid once per run of back-to-back instructions and a
//! barrier or flag drains the tail. A copy occupies its pipe for all of its time.
//!
//! Modelled: scalar issue (one cycle each), repeats, counter-mode tails, read/read bank conflicts of binary operations,
//! GM requests of 512 B, the bandwidth all cores share (per launch, in `launch`). Not modelled: the scalar unit's own
//! work between instructions, instruction cache, queue depths, write and read/write bank conflicts, L2, several cores on
//! the same 512 B.
//!
//! Source: the data files of `sim/chips`, whose comments say where each figure is from.

use super::chip::{Chip, CostFigures};
use crate::exec::{Access, Decoded, Shape};
use toprope_abi::isa::{CoreKind, CubeKind, Kind, LoadKind, OPS, OpRow, Pipe, Space};

/// Pipes of a core as dense numbers, `All` excluded.
pub const SLOTS: usize = 7;
/// The pipe of each slot.
pub const SLOT_PIPES: [Pipe; SLOTS] =
    [Pipe::S, Pipe::V, Pipe::M, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Fix];

/// Slot of a pipe; `None` for `All`.
#[inline]
pub fn slot_of(pipe: Pipe) -> Option<usize> {
    match pipe {
        Pipe::All => None,
        Pipe::Fix => Some(6),
        other => Some(other as usize),
    }
}

/// Slot of a pipe's binary code; `None` for `ALL` and codes that are no pipe.
#[inline]
pub fn slot_of_code(code: u64) -> Option<usize> {
    match code {
        0..=5 => Some(code as usize),
        10 => Some(6),
        _ => None,
    }
}

/// Bit per slot of the pipes that cores of this kind have.
pub fn slots_of_core(kind: CoreKind) -> u8 {
    SLOT_PIPES.iter().enumerate().filter(|(_, p)| p.exists_on(kind)).fold(0, |mask, (i, _)| mask | (1 << i))
}

/// Cost of one row of the instruction table.
#[derive(Clone, Copy, Debug)]
pub struct OpCost {
    fixed: u64,
    per_repeat: u64,
    tail: u64,
    /// Cycles the pipe is occupied per instruction, whatever its work.
    entry: u64,
    conflict: u64,
    cycles_per_byte: f64,
    granule_bytes: u64,
    gm: GmDirection,
}

/// Whether an instruction moves data from or to GM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GmDirection {
    None,
    Read,
    Write,
}

/// What an instruction costs.
#[derive(Clone, Copy, Debug)]
pub struct Charge {
    /// Cycles the pipe is occupied.
    pub busy: u64,
    /// Further cycles until the result is there.
    pub tail: u64,
    /// Bytes of GM requests, whole granules.
    pub gm_request_bytes: u64,
    /// Their direction.
    pub gm: GmDirection,
}

/// Cost of every row, indexed as [`OPS`].
pub fn op_costs(chip: &Chip) -> Box<[OpCost]> {
    OPS.iter().map(|row| op_cost(chip, row)).collect()
}

fn op_cost(chip: &Chip, row: &OpRow) -> OpCost {
    let gm = match row.kind {
        Kind::CopyBurst(path) | Kind::CopyAlign(path) | Kind::Load(LoadKind::Load2d(path)) => {
            match path.ends() {
                (Space::Gm, _) => GmDirection::Read,
                (_, Space::Gm) => GmDirection::Write,
                _ => GmDirection::None,
            }
        }
        Kind::Load(LoadKind::Nd2Nz) => GmDirection::Read,
        Kind::Cube(CubeKind::FixpipeToGm) => GmDirection::Write,
        _ => GmDirection::None,
    };
    let granule_bytes = chip.shared.granule_bytes;
    let mut cost = OpCost {
        fixed: 0,
        per_repeat: 0,
        tail: 0,
        entry: 0,
        conflict: 1,
        cycles_per_byte: 0.0,
        granule_bytes,
        gm,
    };
    match chip.cost(row.cost) {
        CostFigures::Vector(v) => {
            let width = match row.dst.bits().max(row.src.bits()) {
                0..=16 => 0,
                17..=32 => 1,
                _ => 2,
            };
            cost.fixed = v.fixed[width];
            cost.per_repeat = v.per_repeat[width];
            cost.tail = chip.vector.counter_tail_cycles;
            if matches!(row.kind, Kind::Binary(_)) {
                cost.conflict = chip.vector.read_conflict_factor;
            }
        }
        CostFigures::Copy(c) => {
            cost.fixed = c.fixed;
            cost.cycles_per_byte = 1.0 / c.bytes_per_cycle;
        }
        CostFigures::Mmad(m) => {
            cost.entry = m.fixed;
            cost.per_repeat = m.per_step;
        }
        CostFigures::Issue => {}
    }
    cost
}

/// Times of one pipe, in cycles since the start of the block.
#[derive(Clone, Copy, Debug, Default)]
pub struct PipeTimes {
    /// When it can start another instruction.
    pub next: u64,
    /// When everything it started is finished.
    pub done: u64,
}

/// Bytes of one 512 B bank row: addresses this far apart share a bank group.
const GROUP_PERIOD_BYTES: u64 = 512;
const BLOCK_BYTES: u64 = 32;

/// Whether the two sources of a binary operation meet in one bank group: the same group at the first block while they
/// are not the same address. Strides other than the usual ones are taken as free of conflicts.
fn sources_conflict(accesses: &[Access]) -> bool {
    let [_, a, b] = accesses else { return false };
    let (Shape::Vector(sa), Shape::Vector(sb)) = (a.shape, b.shape) else { return false };
    let same_walk =
        sa.block_stride_bytes == sb.block_stride_bytes && sa.repeat_stride_bytes == sb.repeat_stride_bytes;
    let apart = (a.addr / BLOCK_BYTES).abs_diff(b.addr / BLOCK_BYTES);
    same_walk && apart != 0 && apart.is_multiple_of(GROUP_PERIOD_BYTES / BLOCK_BYTES)
}

/// Bytes of the GM requests that an access makes: whole granules (a power of two) per burst.
fn gm_request_bytes(access: &Access, granule_bytes: u64) -> u64 {
    let low = granule_bytes - 1;
    let touched = |len: u64| ((access.addr & low) + len + low) & !low;
    let b = match access.shape {
        Shape::Bursts(b) => b,
        Shape::Grid(g) => return g.runs() * touched(u64::from(g.len_bytes)),
        _ => return 0,
    };
    let (count, len) = (u64::from(b.count), u64::from(b.len_bytes));
    if b.is_contiguous() { touched(count * len) } else { count * touched(len) }
}

impl OpCost {
    /// What the instruction costs.
    #[inline]
    pub fn charge(&self, decoded: &Decoded) -> Charge {
        let work = decoded.work();
        if self.cycles_per_byte == 0.0 {
            let tail = if work.tail { self.tail } else { 0 };
            let conflict =
                if self.conflict > 1 && sources_conflict(decoded.accesses()) { self.conflict } else { 1 };
            let busy = self.entry + work.repeats * self.per_repeat * conflict + tail;
            return Charge { busy, tail: self.fixed, gm_request_bytes: 0, gm: GmDirection::None };
        }
        let moving = |bytes: u64| (bytes as f64 * self.cycles_per_byte).ceil() as u64;
        if self.gm == GmDirection::None {
            return Charge { busy: moving(work.bytes), tail: self.fixed, gm_request_bytes: 0, gm: self.gm };
        }
        let requests = decoded.accesses().iter().find(|a| a.space == Space::Gm);
        let bytes = requests.map_or(0, |a| gm_request_bytes(a, self.granule_bytes));
        Charge { busy: self.fixed + moving(bytes), tail: 0, gm_request_bytes: bytes, gm: self.gm }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::{BurstShape, Operand};

    fn gm(addr: u64, count: u32, len_bytes: u32, step_bytes: u64) -> Access {
        let shape = Shape::Bursts(BurstShape { count, len_bytes, step_bytes });
        Access::new(Operand::Src0, addr, Space::Gm, false, 1, shape)
    }

    #[test]
    fn requests_are_whole_granules() {
        assert_eq!(gm_request_bytes(&gm(0x1000, 1, 4096, 4096), 512), 4096);
        assert_eq!(gm_request_bytes(&gm(0x1020, 1, 4096, 4096), 512), 4608);
        assert_eq!(gm_request_bytes(&gm(0x1000, 8, 32, 1024), 512), 8 * 512);
        assert_eq!(gm_request_bytes(&gm(0x1000, 8, 32, 32), 512), 512);
    }

    #[test]
    fn granules_are_powers_of_two() {
        for name in Chip::names() {
            assert!(Chip::by_name(name).expect("listed").shared.granule_bytes.is_power_of_two());
        }
    }

    #[test]
    fn slots_are_the_pipes_of_a_core() {
        assert_eq!(slots_of_core(CoreKind::Aiv), 0b011_0011);
        assert_eq!(slots_of_core(CoreKind::Aic), 0b111_1101);
        for (i, pipe) in SLOT_PIPES.iter().enumerate() {
            assert_eq!((slot_of(*pipe), slot_of_code(*pipe as u64)), (Some(i), Some(i)));
        }
    }
}
