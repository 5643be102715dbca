//! Instructions that order cores against each other.
//!
//! `SET.CROSS.CORE` is queued on its pipe and takes effect when everything before it there is done. `WAIT.FLAG.DEV` stops the
//! scalar unit: what was issued before goes on, nothing later is issued. The flags themselves are in `cross_flags`.
//!
//! Source: Ascend C API reference (CrossCoreSetFlag, CrossCoreWaitFlag).

use super::clock::slot_of_code;
use super::core::{Core, Pause};
use super::cross_flags::{FLAG_IDS, Granted, MODES, Set, Wait};
use super::pipes::{Action, Fault, Frames, Origin};
use crate::findings::Draft;
use crate::findings::catalogue::{BAD_PIPE, CROSS_MODE, CROSS_RESERVED, NO_FLAG_SCHEDULER, NO_SUCH_FORM};
use toprope_abi::core_face::KernelType;
use toprope_abi::isa::{CrossKind, OpRow};

/// A CrossCoreSetFlag in its pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossSet {
    mode: u8,
    flag: u8,
}

impl CrossSet {
    /// The flag it sets.
    pub fn flag(self) -> u8 {
        self.flag
    }

    /// As Ascend C writes it.
    pub fn text(self, pipe: &str) -> String {
        format!("CrossCoreSetFlag<{}, PIPE_{pipe}> id {}", self.mode, self.flag)
    }
}

/// First flag that SyncAll uses, of four.
const FIRST_RESERVED: u64 = 11;

/// What a core has done with the flags of SyncAll.
#[derive(Clone, Debug, Default)]
pub struct SyncAllUse {
    inside: bool,
    used: bool,
    /// Where the kernel itself has used one of them first.
    own: Option<(u64, Frames)>,
}

impl Core {
    /// SyncAll begins or ends.
    pub(super) fn notes_sync_all(&mut self, begins: bool) {
        self.sync_all.inside = begins;
        self.sync_all.used = true;
    }

    fn uses_flag(&mut self, flag: u64) {
        if !self.sync_all.inside
            && self.sync_all.own.is_none()
            && (FIRST_RESERVED..FIRST_RESERVED + 4).contains(&flag)
        {
            self.sync_all.own = Some((flag, self.quick_frames()));
        }
    }

    /// A flag that the kernel shares with SyncAll.
    pub(super) fn shared_flag(&self) -> Option<Draft> {
        let (flag, frames) = self.sync_all.own.filter(|_| self.sync_all.used)?;
        let mut draft = Draft::new(&CROSS_RESERVED, &[("flag", flag.to_string())]);
        draft.frames = frames.iter().copied().filter(|f| *f != 0).collect();
        Some(draft)
    }

    /// Issues an instruction of the family `Cross`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn cross(&mut self, row: &'static OpRow, kind: CrossKind, x: &[u64; 4]) -> Result<(), Fault> {
        match kind {
            CrossKind::Set => self.cross_set(row, x[0], x[1]),
            CrossKind::Wait => self.cross_wait(x[0]),
        }
    }

    /// Low bits of the word: 1, two bits of mode from bit 4, four bits of flag from bit 8.
    fn cross_set(&mut self, row: &'static OpRow, pipe: u64, word: u64) -> Result<(), Fault> {
        let what = "CrossCoreSetFlag";
        let (mode, flag) = (word >> 4 & 3, word >> 8 & (FLAG_IDS - 1));
        let Some(slot) = slot_of_code(pipe) else {
            let values = [("what", what.to_owned()), ("code", pipe.to_string())];
            return Err(Box::new(Draft::new(&BAD_PIPE, &values)));
        };
        if slot == 0 {
            return Err(no_such_form(format!("{what} on PIPE_S")));
        }
        if self.slots & (1 << slot) == 0 {
            return Err(self.missing_pipe(what, slot));
        }
        if mode >= MODES || word & 1 == 0 {
            return Err(no_such_form(format!("{what} with mode {mode} (word {word:#x})")));
        }
        self.stats.instructions[slot] += 1;
        self.uses_flag(flag);
        let is_sync_all = self.sync_all.inside && mode != 0;
        let api = if is_sync_all { "SyncAll<false>()".to_owned() } else { format!("{what}<{mode}>") };
        self.needs_flags(&api, mode).map_err(|f| Box::new((*f).op(row.intrinsic)))?;
        let set = CrossSet { mode: mode as u8, flag: flag as u8 };
        self.dispatch(slot, &Action::CrossSet(set));
        Ok(())
    }

    /// Whether cores of this kernel can use cross-core flags in this mode.
    fn needs_flags(&mut self, what: &str, mode: u64) -> Result<(), Fault> {
        let Some(launch) = &self.launch else { return Ok(()) };
        let kernel_type = launch.kernel_type();
        if !launch.residents().shape().has_mode(mode, self.kind) {
            let values = [("what", what.to_owned()), ("kernel", kernel_text(kernel_type).to_owned())];
            return Err(Box::new(Draft::new(&CROSS_MODE, &values)));
        }
        // Public programs do it and work: a hint.
        if self.checks.hints && matches!(kernel_type, KernelType::AivOnly | KernelType::AicOnly) {
            let instead = if kernel_type == KernelType::AivOnly { "__mix__(0, 1)" } else { "__mix__(1, 0)" };
            let values = [
                ("what", what.to_owned()),
                ("kernel", kernel_text(kernel_type).to_owned()),
                ("instead", instead.to_owned()),
            ];
            let mut draft = Draft::new(&NO_FLAG_SCHEDULER, &values);
            draft.frames = self.frames();
            self.record(draft, false);
        }
        Ok(())
    }

    /// A set takes effect.
    pub(super) fn cross_fire(&mut self, slot: usize, set: CrossSet, cycle: u64, origin: Option<&Origin>) {
        let pc = origin.map_or_else(|| self.here(), |o| o.frames[0]);
        self.settle_behind(slot);
        self.hint_export(slot);
        if let Some(launch) = &self.launch {
            let told = self.clocks.export(slot, self.id);
            self.gm_order.exported();
            launch.residents().set(self.id, Set { mode: set.mode, flag: set.flag, cycle, pc, told });
        }
    }

    fn cross_wait(&mut self, flag: u64) -> Result<(), Fault> {
        self.stats.instructions[0] += 1;
        self.uses_flag(flag & (FLAG_IDS - 1));
        let wait = Wait { flag: (flag & (FLAG_IDS - 1)) as u8, cycle: self.now, frames: self.quick_frames() };
        let Some(launch) = &self.launch else { return Ok(()) };
        match launch.residents().wait(self.id, self.crew, wait) {
            Some(grant) => self.wait_ends(&grant),
            None => self.pause = Pause::Wait,
        }
        Ok(())
    }

    fn wait_ends(&mut self, granted: &Granted) {
        self.clocks.import(&granted.told, self.id);
        self.now = self.now.max(granted.cycle) + self.chip.sync.flag_cycles;
    }

    /// The core runs again after a pause.
    pub fn resumed(&mut self) {
        if let Some(granted) = std::mem::take(&mut self.granted) {
            self.wait_ends(&granted);
        }
    }
}

fn no_such_form(what: String) -> Fault {
    Box::new(Draft::new(&NO_SUCH_FORM, &[("what", what)]))
}

/// A kernel type as it is written in front of a kernel.
pub fn kernel_text(kernel_type: KernelType) -> &'static str {
    match kernel_type {
        KernelType::Auto => "a kernel without __mix__",
        KernelType::AivOnly => "a __vector__ kernel",
        KernelType::AicOnly => "a __cube__ kernel",
        KernelType::MixAiv1_0 => "a __mix__(0, 1) kernel",
        KernelType::MixAic1_0 => "a __mix__(1, 0) kernel",
        KernelType::MixAic1_1 => "a __mix__(1, 1) kernel",
        KernelType::MixAic1_2 => "a __mix__(1, 2) kernel",
    }
}
