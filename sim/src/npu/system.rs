//! Caches and barriers of data, and watches on UB.
//!
//! The scalar unit's data cache is modelled for time only: every access to GM sees what GM holds, so cleaning it changes no value. Missing
//! cleaning is found by `order::gm`. `DSB` lets the scalar unit wait for the copies and vector
//! instructions that were started; one that still waits for a flag is not waited for.
//!
//! A watch (CheckLocalMemoryIA) covers the blocks after its start up to and with its end, for chosen units and directions.

use super::core::Core;
use super::pipes::Fault;
use crate::exec::Access;
use crate::findings::Draft;
use crate::findings::catalogue::{FIELD_RANGE, WATCHED};
use std::ops::Range;
use toprope_abi::isa::{Field, FieldId, Layout, OpRow, Space, SystemKind};

/// Slots whose accesses a `DSB` waits for, by its operand: all, GM, UB, SEQ.
const BARRIER_SLOTS: [&[usize]; 4] = [&[1, 4, 5, 6], &[4, 5, 6], &[1, 4, 5], &[]];
/// Largest operand that names a memory to `DCCI`.
const CLEAN_TARGETS: u64 = 3;
const BLOCK_BYTES: u64 = 32;

/// A unit that accesses UB, as bit pairs of [`FieldId::WatchUnits`]: writes, then reads.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    Mte = 0,
    Vector = 2,
    Scalar = 4,
}

/// One watch.
#[derive(Clone, Copy, Debug, Default)]
struct Watch {
    /// Blocks of UB, first to last plus one.
    first: u64,
    end: u64,
    units: u64,
}

/// The watches of a core.
#[derive(Clone, Copy, Debug, Default)]
pub struct Watches {
    on: bool,
    all: [Watch; 4],
}

impl Watches {
    /// Whether any access has to be looked at.
    #[inline]
    pub fn on(&self) -> bool {
        self.on
    }
}

const fn watch_field(id: FieldId) -> Field {
    match Layout::Watch.field(id) {
        Some(field) => *field,
        None => panic!("layout lacks the field"),
    }
}

fn out_of_range(what: &str, field: &str, asked: u64, limit: u64) -> Fault {
    let values = [
        ("what", what.to_owned()),
        ("field", field.to_owned()),
        ("asked", asked.to_string()),
        ("min", "0".to_owned()),
        ("limit", limit.to_string()),
    ];
    Box::new(Draft::new(&FIELD_RANGE, &values))
}

impl Core {
    /// Issues an instruction of the family `System`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn system(
        &mut self,
        row: &'static OpRow,
        kind: SystemKind,
        x: &[u64; 4],
    ) -> Result<(), Fault> {
        self.stats.instructions[0] += 1;
        match kind {
            SystemKind::CacheClean => self.cache_clean(row, x),
            SystemKind::CachePreload => self.cache_preload(row, x),
            SystemKind::DataBarrier => self.data_barrier(row, x[0]),
            SystemKind::Watch => self.set_watch(row, x),
        }
    }

    fn cache_clean(&mut self, row: &OpRow, x: &[u64; 4]) -> Result<(), Fault> {
        if x[1] > 1 || x[2] > CLEAN_TARGETS {
            let field = if x[1] > 1 { "lines" } else { "memory" };
            let (asked, limit) = if x[1] > 1 { (x[1], 1) } else { (x[2], CLEAN_TARGETS) };
            return Err(out_of_range(row.intrinsic, field, asked, limit));
        }
        let line = (x[1] == 0).then_some(x[0]);
        if let Some(address) = line {
            self.scalar_target(row.intrinsic, address)?;
            // What follows may be a look through a raw pointer.
            self.reads_gm(address);
        }
        self.forget_lines(line);
        self.follow_clean(line);
        Ok(())
    }

    fn cache_preload(&mut self, row: &OpRow, x: &[u64; 4]) -> Result<(), Fault> {
        let address = x[0].wrapping_add(x[1]);
        self.scalar_target(row.intrinsic, address)?;
        // The line arrives behind the scalar unit's back: the next access hits.
        self.scalar_line_hits(address);
        Ok(())
    }

    /// A byte that the scalar unit names must be in live GM or in UB.
    fn scalar_target(&mut self, op: &'static str, address: u64) -> Result<(), Fault> {
        let range = address..address.saturating_add(1);
        if self.region.locate(address).is_some_and(|(space, _)| space == Space::Ub) {
            return Ok(());
        }
        if !self.gm_holds(&range, false) {
            return Err(Box::new(self.gm_fault(op, false, address, &range)));
        }
        Ok(())
    }

    fn data_barrier(&mut self, row: &OpRow, what: u64) -> Result<(), Fault> {
        let Some(slots) = BARRIER_SLOTS.get(what as usize) else {
            return Err(out_of_range(row.intrinsic, "memory", what, BARRIER_SLOTS.len() as u64 - 1));
        };
        slots.iter().for_each(|slot| self.settle_behind(*slot));
        self.now = slots.iter().fold(self.now, |now, slot| now.max(self.times[*slot].done));
        if self.blocked == 0 {
            self.clocks.data_barrier(slots, slots.contains(&1));
        }
        Ok(())
    }

    fn set_watch(&mut self, row: &OpRow, x: &[u64; 4]) -> Result<(), Fault> {
        const START: Field = watch_field(FieldId::WatchStart);
        const END: Field = watch_field(FieldId::WatchEnd);
        const UNITS: Field = watch_field(FieldId::WatchUnits);
        const ENABLE: Field = watch_field(FieldId::WatchEnable);
        let words = [x[1], 0];
        let Some(watch) = self.watches.all.get_mut(x[0] as usize) else {
            return Err(out_of_range(row.intrinsic, FieldId::WatchNumber.text(), x[0], 3));
        };
        let units = if ENABLE.get(words) == 1 { UNITS.get(words) } else { 0 };
        *watch = Watch { first: START.get(words) + 1, end: END.get(words) + 1, units };
        self.watches.on = self.watches.all.iter().any(|w| w.units != 0);
        Ok(())
    }

    /// Looks for a watch that one access of an instruction runs into.
    ///
    /// # Errors
    /// It does.
    #[cold]
    pub(super) fn check_watches(&self, row: &OpRow, slot: usize, access: &Access) -> Result<(), Fault> {
        if access.space != Space::Ub {
            return Ok(());
        }
        let unit = if slot == 1 { Unit::Vector } else { Unit::Mte };
        let mut result = Ok(());
        access.for_each_range(|range| {
            if result.is_ok() {
                result = self.check_watched(row.intrinsic, unit, access.write, &range);
            }
        });
        result
    }

    /// The same for a range of addresses in UB.
    ///
    /// # Errors
    /// As above.
    pub(super) fn check_watched(
        &self,
        op: &'static str,
        unit: Unit,
        write: bool,
        range: &Range<u64>,
    ) -> Result<(), Fault> {
        let start = self.bounds_of(Space::Ub).0;
        let (first, end) = ((range.start - start) / BLOCK_BYTES, (range.end - start).div_ceil(BLOCK_BYTES));
        let bit = 1 << (unit as u64 + u64::from(!write));
        for (number, watch) in self.watches.all.iter().enumerate() {
            if watch.units & bit != 0 && first < watch.end && watch.first < end {
                let values = [
                    ("op", op.to_owned()),
                    ("verb", if write { "writes" } else { "reads" }.to_owned()),
                    ("number", number.to_string()),
                    ("first", (watch.first * BLOCK_BYTES).to_string()),
                    ("end", (watch.end * BLOCK_BYTES).to_string()),
                ];
                let detail =
                    format!("access: bytes {:#x}..{:#x} of UB", range.start - start, range.end - start);
                return Err(Box::new(Draft::new(&WATCHED, &values).op(op).detail(detail)));
            }
        }
        Ok(())
    }
}
