//! From an issued instruction to its pipe.

use super::clock::slot_of;
use super::core::Core;
use super::pipes::Fault;
use crate::exec::{self, Decoded};
use crate::findings::catalogue::{CONVERT_OVERLAP, FIELD_RANGE, UNSUPPORTED};
use crate::findings::{Detail, Draft};
use toprope_abi::core_face::SPR_OWN;
use toprope_abi::isa::{Kind, OPS, Op, OpRow, Pipe, RearrangeKind, Spr, ctrl};

/// Whether a bit of CTRL belongs to the type of DMA atomics, which is 0 while they are off.
fn is_atomic(bit: u64) -> bool {
    const FIRST: u64 = ctrl::ATOMIC_TYPE_LO as u64;
    (FIRST..FIRST + 3).contains(&bit)
}

impl Core {
    /// Issues instruction `op` with operands `x`.
    ///
    /// # Errors
    /// Whatever is wrong with it; the block cannot go on then.
    #[inline]
    pub fn issue(&mut self, op: u32, x: &[u64; 4]) -> Result<(), Fault> {
        let Some(row) = OPS.get(op as usize) else {
            return Err(Box::new(Draft::new(&UNSUPPORTED, &[("what", format!("instruction number {op}"))])));
        };
        self.now += self.chip.scalar.issue_cycles;
        let result = match row.kind {
            Kind::SetFlag => self.set_flag(x),
            Kind::WaitFlag => self.wait_flag(x),
            Kind::Barrier => self.barrier(x[0]),
            Kind::MoveMask | Kind::SetSpr(_) | Kind::ClearCtrlBit | Kind::SetCtrlBit => {
                self.set_register(row, x)
            }
            Kind::Rearrange(RearrangeKind::MoveVa) => self.set_va(row, x),
            Kind::Cross(kind) => self.cross(row, kind, x),
            Kind::System(kind) => self.system(row, kind, x),
            _ => self.data(row, x),
        };
        match self.late_fault.take() {
            None => result,
            Some(fault) => Err(fault),
        }
    }

    #[inline]
    fn data(&mut self, row: &'static OpRow, x: &[u64; 4]) -> Result<(), Fault> {
        let slot = slot_of(row.pipe).unwrap_or(0);
        if self.slots & (1 << slot) == 0 {
            return Err(self.missing_pipe(row.intrinsic, slot));
        }
        self.stats.instructions[slot] += 1;
        // Decoded in place: it is a few hundred bytes, and every copy of it shows.
        let decoded = exec::decode(row, x, &self.regs);
        match &decoded {
            Ok(decoded) => {
                self.check(slot, decoded)?;
                if self.owners.are_known() {
                    self.check_owners(slot, decoded);
                }
                if let Some(repeat) = decoded.hazard() {
                    self.warn_of_hazard(row, repeat);
                }
                if decoded.has_open_results() {
                    self.tell_overwritten(slot, row, decoded);
                }
                self.uses_registers(row, decoded);
                self.dispatch_work(slot, decoded);
                Ok(())
            }
            Err(fault) => Err(self.undecodable(slot, row, fault)),
        }
    }

    /// The instruction overwrites a source before it is read: told, and it computes. What depends on it is followed (`taint`).
    #[cold]
    fn tell_overwritten(&mut self, slot: usize, row: &'static OpRow, decoded: &Decoded) {
        let Some(fault) = decoded.overwritten() else { return };
        let mut draft = self.undecodable(slot, row, &fault);
        draft.frames = self.frames();
        self.record(*draft, false);
    }

    #[cold]
    fn warn_of_hazard(&mut self, row: &'static OpRow, repeat: u32) {
        let values = [("what", row.intrinsic.to_owned()), ("repeat", repeat.to_string())];
        let mut draft = Draft::new(&CONVERT_OVERLAP, &values).op(row.intrinsic);
        draft.frames = self.frames();
        self.record(draft, false);
    }

    /// Writes of the vector mask and of single control bits, which cannot fail; `false` for everything else.
    #[inline(always)]
    pub fn write_mask_register(&mut self, op: u32, x0: u64, x1: u64) -> bool {
        const MOVEMASK: u32 = Op::Movemask as u32;
        const CLEAR: u32 = Op::Sbitset0 as u32;
        const SET: u32 = Op::Sbitset1 as u32;
        match op {
            MOVEMASK if x0 < 2 => self.regs.mask[x0 as usize] = x1,
            CLEAR if x0 < 64 => self.regs.ctrl &= !(1 << x0),
            SET if x0 < 64 && !is_atomic(x0) => self.regs.ctrl |= 1 << x0,
            _ => return false,
        }
        self.now += self.chip.scalar.issue_cycles;
        self.stats.instructions[0] += 1;
        true
    }

    fn set_register(&mut self, row: &'static OpRow, x: &[u64; 4]) -> Result<(), Fault> {
        self.stats.instructions[0] += 1;
        let was_atomic = self.regs.atomic_on();
        match row.kind {
            Kind::MoveMask if x[0] < 2 => self.regs.mask[x[0] as usize] = x[1],
            Kind::SetSpr(spr) => {
                self.regs.set(spr, x[0]);
                self.sticky.wrote(spr);
                // FPC[63]: clear the unit flags of L0C.
                if spr == Spr::Fpc && x[0] >> 63 == 1 {
                    self.clear_unit_flags();
                }
            }
            Kind::ClearCtrlBit if x[0] < 64 => self.regs.ctrl &= !(1 << x[0]),
            Kind::SetCtrlBit if x[0] < 64 => self.regs.ctrl |= 1 << x[0],
            _ => {
                let limit = if matches!(row.kind, Kind::MoveMask) { 1 } else { 63 };
                let values = [
                    ("what", row.intrinsic.to_owned()),
                    ("field", "register part".to_owned()),
                    ("asked", x[0].to_string()),
                    ("min", "0".to_owned()),
                    ("limit", limit.to_string()),
                ];
                return Err(Box::new(Draft::new(&FIELD_RANGE, &values)));
            }
        }
        if !was_atomic && self.regs.atomic_on() {
            self.sticky.atomics_on(self.quick_frames());
        }
        Ok(())
    }

    fn set_va(&mut self, row: &'static OpRow, x: &[u64; 4]) -> Result<(), Fault> {
        self.stats.instructions[0] += 1;
        self.sticky.wrote_va();
        exec::set_va(row, &mut self.regs, x).map_err(|fault| self.undecodable(0, row, &fault))
    }

    /// Value of special register `spr`, with or without [`SPR_OWN`].
    ///
    /// # Errors
    /// A number that is no register.
    pub fn read_register(&mut self, spr: u32) -> Result<u64, Fault> {
        self.now += self.chip.scalar.issue_cycles;
        let is_own = spr & SPR_OWN != 0;
        let spr = spr & !SPR_OWN;
        let Some((spr, _)) = toprope_abi::isa::SPRS.get(spr as usize) else {
            return Err(Box::new(Draft::new(
                &UNSUPPORTED,
                &[("what", format!("special register number {spr}"))],
            )));
        };
        Ok(match spr {
            Spr::SysCnt => {
                let counter_mhz = u64::from(self.chip.shared.system_counter_mhz);
                (self.now + self.start_cycle()) * counter_mhz / u64::from(self.chip.mhz)
            }
            spr if spr.is_pipe_written() => {
                self.wait_for_vector(*spr)?;
                self.follow_register(*spr, is_own);
                self.looks_at_register();
                self.taint_register(*spr);
                self.pipe_state.get(*spr)
            }
            spr => self.regs.get(*spr),
        })
    }

    /// Registers that the vector pipe writes are read behind all it was given, as with a V_S flag (which the compiler inserts before such reads).
    ///
    /// # Errors
    /// A hang, if the pipe waits for a flag: the kernel cannot set it while it waits itself.
    fn wait_for_vector(&mut self, spr: Spr) -> Result<(), Fault> {
        let slot = slot_of(Pipe::V).unwrap_or(0);
        if self.blocked & (1 << slot) != 0 {
            let mut draft = *self.hang_report();
            let frames = self.frames();
            let name = toprope_abi::isa::SPRS[spr as usize].1;
            draft.details.push(Detail::At(
                format!("the kernel itself waits: it reads register {name}, which pipe V writes"),
                frames,
            ));
            return Err(Box::new(draft));
        }
        self.settle_behind(slot);
        self.hint_register(slot);
        self.now = self.now.max(self.times[slot].done);
        Ok(())
    }

    fn start_cycle(&self) -> u64 {
        self.launch.as_ref().map_or(0, |l| l.launch().start_cycle)
    }
}
