//! Flags and barriers that a kernel emits itself, with or without a pipe; and where misuses are recorded.

use super::{Checked, STALE_BIT, name_of};
use crate::hooks::{Fault, Hooks};
use toprope_abi::fwk::target::Effect;
use toprope_abi::fwk::{
    CHECK_DEFAULT, CHECK_FLAG_BALANCE, CHECK_MISUSE, EVENT_IDS, FwkCore, FwkError, HardEvent, MemoryKind,
    Target, TrPipe,
};
use toprope_abi::isa::Pipe;

/// All ones if the core has no such event: that word must stay as it is.
const fn unknown_event(word: u64) -> u64 {
    if word == u64::MAX { u64::MAX } else { 0 }
}

/// Records a misuse in the pipe (the first one stays) and reports it.
pub fn report<H: Hooks>(pipe: Option<&TrPipe>, hooks: &H, fault: Fault) {
    if let Some(pipe) = pipe {
        if pipe.error.get() == 0 {
            pipe.error.set(fault.error as u32);
            pipe.error_asked.set(fault.asked);
            pipe.error_limit.set(fault.limit);
        }
        pipe.last_error.set(fault.error as u32);
        pipe.error_count.set(pipe.error_count.get().saturating_add(1));
    }
    hooks.fault(fault);
}

/// SetFlag, WaitFlag, PipeBarrier, TQueSync. Kernels without a TPipe use them too; the checks are then the default.
#[derive(Debug, Clone, Copy)]
pub struct Flags<'a, H> {
    /// The pipe that is current, if any.
    pub pipe: Option<&'a TrPipe>,
    /// Core.
    pub hooks: &'a H,
    /// Kind of core.
    pub core: FwkCore,
}

impl<H: Hooks> Flags<'_, H> {
    fn check(&self, ok: bool, when: u32, error: FwkError, asked: u64, limit: u64) -> Checked {
        let checks = self.pipe.map_or(CHECK_DEFAULT, |p| p.checks.get());
        if ok || checks & when == 0 {
            return Ok(());
        }
        let object = self.pipe.map_or(0, name_of);
        report(self.pipe, self.hooks, Fault { error, object, memory: MemoryKind::Gm, asked, limit });
        Err(error)
    }

    fn check_id(&self, id: i32, error: FwkError) -> Checked {
        let ok = (0..EVENT_IDS as i32).contains(&id);
        self.check(ok, CHECK_MISUSE, error, id as u64, u64::from(EVENT_IDS))
    }

    /// SetFlag.
    ///
    /// # Errors
    /// [`FwkError::BadFlagId`], [`FwkError::FlagNeverWaited`].
    pub fn set_flag(&self, event: HardEvent, id: i32) -> Checked {
        self.check_id(id, FwkError::BadFlagId)?;
        let target = Target::of(self.core);
        let (set, wait) = (target.set_effect(event), target.wait_effect(event));
        // A barrier needs no wait.
        let flag = matches!(event.pipes(), Some((src, dst)) if src as u8 != dst as u8);
        let balanced = set == Effect::NONE || wait != Effect::NONE || !flag;
        self.check(balanced, CHECK_FLAG_BALANCE, FwkError::FlagNeverWaited, event as u64, 0)?;
        self.hooks.set_effect(set, id);
        Ok(())
    }

    /// WaitFlag.
    ///
    /// # Errors
    /// [`FwkError::BadFlagId`].
    pub fn wait_flag(&self, event: HardEvent, id: i32) -> Checked {
        self.check_id(id, FwkError::BadFlagId)?;
        let effect = Target::of(self.core).wait_effect(event);
        if let Some(pipe) = self.pipe.filter(|_| effect != Effect::NONE) {
            // A flag left set by Reset is not set any more.
            let word = &pipe.events[event as usize & 63];
            word.set(word.get() & !STALE_BIT.wrapping_shl(id as u32) | unknown_event(word.get()));
        }
        self.hooks.wait_effect(effect, id);
        Ok(())
    }

    /// PipeBarrier. Barriers on a pipe the core does not have emit nothing on the cube core (V).
    ///
    /// # Errors
    /// [`FwkError::BarrierScalar`].
    pub fn pipe_barrier(&self, pipe: Pipe) -> Checked {
        self.check(pipe != Pipe::S, CHECK_MISUSE, FwkError::BarrierScalar, 0, 0)?;
        let silent = matches!((self.core, pipe), (FwkCore::Aic2201, Pipe::V));
        if !silent {
            self.hooks.barrier(pipe);
        }
        Ok(())
    }

    /// `TQueSync<src, dst>::SetFlag`: the raw pair.
    ///
    /// # Errors
    /// [`FwkError::BadSyncId`], [`FwkError::BadArgument`] for equal pipes or `All`.
    pub fn sync_set(&self, src: Pipe, dst: Pipe, id: i32) -> Checked {
        self.check_pair(src, dst, id)?;
        self.hooks.set_flag(Effect::pair(src, dst), id);
        Ok(())
    }

    /// `TQueSync<src, dst>::WaitFlag`.
    ///
    /// # Errors
    /// As [`sync_set`](Flags::sync_set).
    pub fn sync_wait(&self, src: Pipe, dst: Pipe, id: i32) -> Checked {
        self.check_pair(src, dst, id)?;
        self.hooks.wait_flag(Effect::pair(src, dst), id);
        Ok(())
    }

    fn check_pair(&self, src: Pipe, dst: Pipe, id: i32) -> Checked {
        let ok = src != dst && src != Pipe::All && dst != Pipe::All;
        self.check(ok, u32::MAX, FwkError::BadArgument, src as u64, dst as u64)?;
        self.check_id(id, FwkError::BadSyncId)
    }
}
