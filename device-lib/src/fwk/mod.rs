//! The bookkeeping itself, on the C state structs and generic over [`Hooks`].
//!
//! [`Fwk`] is a pipe and its hooks; each method is one call of the framework. Methods check first, then change:
//! a refused call leaves everything as it was, except for the error fields of the pipe. Checks that protect memory
//! (and those that end an endless loop) are always made; the others while
//! [`CHECK_MISUSE`] or [`CHECK_FLAG_BALANCE`] is set.
//! With checks off the behaviour is that of the public release build, wrap-arounds included, except that a record of
//! another queue is refused, that an event the core does not have is refused instead of sharing a word with the
//! allocator marks, and that a compile-time count of one with more buffers still uses all of them.
//!
//! Source of the rules: the conformance traces; `tests/conformance` replays them. NpuArch 2201 (AIC, AIV) and 2002.

mod buf;
mod cycle;
mod pipe;
mod pool;
mod que;
mod shape;
mod spill;
mod sync;
mod view;

pub use buf::construct_buf;
pub use pipe::construct_pipe;
pub use pool::{construct_pool, init_pool_object};
pub use que::{QueSpec, construct_que, has_idle_buffer, vacant};
pub use shape::{Declared, FromState, FromType, Shape};
pub use spill::SpillShape;
pub use sync::{Flags, report};

use crate::hooks::{Fault, Hooks};
use toprope_abi::fwk::{
    CHECK_FLAG_BALANCE, CHECK_MISUSE, EVENT_IDS, FwkCore, FwkError, HardEvent, MemoryKind, NO_ID, TPosition,
    Target, TrPipe, TrQue, TrRecord,
};

/// In a word of ids, shifted left by an id: its flag is still set from before a Reset. Marked with checks on only, where
/// ids end at 7, and taken away by the wait.
pub(crate) const STALE_BIT: u64 = 1 << 32;

/// Success, or the misuse that was refused.
pub type Checked<T = ()> = Result<T, FwkError>;

/// A pipe and the core it works on.
#[derive(Debug)]
pub struct Fwk<'a, H> {
    pub(crate) pipe: &'a TrPipe,
    pub(crate) hooks: &'a H,
}

impl<H> Clone for Fwk<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<H> Copy for Fwk<'_, H> {}

/// The misuse a check looks for.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    error: FwkError,
    object: u64,
    memory: MemoryKind,
    /// `CHECK_*` bits that turn it on; 0: always on.
    when: u32,
}

impl Rule {
    /// A rule that can be turned off.
    #[inline(always)]
    pub(crate) fn misuse(error: FwkError, object: u64) -> Rule {
        Rule { error, object, memory: MemoryKind::Gm, when: CHECK_MISUSE }
    }

    /// A rule about flags that are set and never waited for.
    #[inline(always)]
    pub(crate) fn balance(error: FwkError, object: u64) -> Rule {
        Rule { error, object, memory: MemoryKind::Gm, when: CHECK_FLAG_BALANCE }
    }

    /// A rule without which memory would be touched that is not ours, or a loop would not end.
    #[inline(always)]
    pub(crate) fn hard(error: FwkError, object: u64) -> Rule {
        Rule { error, object, memory: MemoryKind::Gm, when: 0 }
    }

    /// Names the memory.
    #[inline(always)]
    pub(crate) fn in_memory(self, memory: MemoryKind) -> Rule {
        Rule { memory, ..self }
    }
}

impl<'a, H: Hooks> Fwk<'a, H> {
    /// Data of the core the pipe works for.
    #[inline(always)]
    pub(crate) fn target(&self) -> Target {
        target_of(self.pipe.core.get())
    }

    /// `ok`, or the rule is broken: `asked` against `limit`.
    #[inline(always)]
    pub(crate) fn check(&self, ok: bool, rule: Rule, asked: u64, limit: u64) -> Checked {
        if ok { Ok(()) } else { self.broken(rule, asked, limit) }
    }

    /// What a call that answered nothing was refused for.
    #[cold]
    pub(crate) fn last_error(&self) -> FwkError {
        FwkError::from_code(self.pipe.last_error.get()).unwrap_or(FwkError::BadArgument)
    }

    /// Decides at InitBuffer whether the operations of a queue are reported.
    pub(crate) fn set_noting(&self, que: &TrQue) {
        let kind = que.kind.get() & !que::NOTED;
        que.kind.set(if self.pipe.note_ops.get() == 0 { kind } else { kind | que::NOTED });
    }

    /// Records a misuse of `que` that is not a call.
    #[cold]
    pub(crate) fn refuse(&self, error: FwkError, que: &TrQue) -> Checked {
        self.broken(Rule::misuse(error, name_of(que)).in_memory(memory_of(que.memory.get())), 1, 0)
    }

    /// Refuses, unless the rule is turned off.
    #[cold]
    #[inline(never)]
    pub(crate) fn broken(&self, rule: Rule, asked: u64, limit: u64) -> Checked {
        let Rule { error, object, memory, when } = rule;
        if when != 0 && self.pipe.checks.get() & when == 0 {
            return Ok(());
        }
        report(Some(self.pipe), self.hooks, Fault { error, object, memory, asked, limit });
        Err(error)
    }

    /// Takes the lowest free id of a class.
    #[inline(always)]
    pub(crate) fn take_id(&self, event: u8, object: u64) -> Checked<i8> {
        let slot = &self.pipe.events[(event & 63) as usize];
        let word = slot.get();
        let id = word.trailing_ones();
        if id >= EVENT_IDS || word & STALE_BIT.wrapping_shl(id) != 0 {
            self.no_id(event, object, id)?;
        }
        slot.set(word | 1u64.wrapping_shl(id));
        self.hooks.observe_id(self.pipe, true, event_of(event), id as i32);
        Ok(id as i8)
    }

    /// The lowest free id of a class, not taken.
    pub(crate) fn peek_id(&self, event: u8, object: u64) -> Checked<i8> {
        let id = self.pipe.events[(event & 63) as usize].get().trailing_ones();
        if id >= EVENT_IDS {
            self.no_id(event, object, id)?;
        }
        Ok(id as i8)
    }

    #[cold]
    #[inline(never)]
    fn no_id(&self, event: u8, object: u64, id: u32) -> Checked {
        let known = self.target().events & event_of(event).bit() != 0;
        let rule = match event_of(event) {
            HardEvent::Max => Rule::hard(FwkError::NoSuchEvent, object),
            _ if !known => Rule::hard(FwkError::EventNotOnCore, object),
            _ if id >= 64 => Rule::hard(FwkError::NoEventId, object),
            _ if id >= EVENT_IDS => Rule::misuse(FwkError::NoEventId, object),
            _ => Rule::balance(FwkError::FlagStillSet, object),
        };
        self.broken(rule, u64::from(event), u64::from(EVENT_IDS))
    }

    /// Gives an id back. Giving back an id that is not taken does nothing.
    #[inline(always)]
    pub(crate) fn give_id(&self, event: u8, id: i8) {
        let slot = &self.pipe.events[(event & 63) as usize];
        slot.set(slot.get() & !(1 | STALE_BIT).wrapping_shl(id as u32));
        self.hooks.observe_id(self.pipe, false, event_of(event), i32::from(id));
    }

    /// Next free byte of a memory.
    #[inline(always)]
    pub(crate) fn mark(&self, memory: MemoryKind) -> u32 {
        self.pipe.marks_bytes[memory as usize & 7].get()
    }

    #[inline(always)]
    pub(crate) fn set_mark(&self, memory: MemoryKind, bytes: u32) {
        self.pipe.marks_bytes[memory as usize & 7].set(bytes);
    }

    /// The wait of Reset, Destroy and pools.
    pub(crate) fn drain(&self, record: &TrRecord) {
        let effect = self.target().drain_effect(event_of(record.free_event.get()));
        self.hooks.wait_effect(effect, i32::from(record.free_id.get()));
        record.free_id.set(NO_ID);
    }
}

/// `bytes` rounded up to a multiple of 32, in u32 arithmetic (wraps).
#[inline(always)]
pub(crate) const fn round_up(bytes: u32) -> u32 {
    bytes.wrapping_add(31) & !31
}

#[inline(always)]
pub(crate) const fn event_of(number: u8) -> HardEvent {
    match HardEvent::from_number(number as u32) {
        Some(event) => event,
        None => HardEvent::Max,
    }
}

#[inline(always)]
pub(crate) const fn memory_of(number: u8) -> MemoryKind {
    match MemoryKind::from_number(number as u32) {
        Some(memory) => memory,
        None => MemoryKind::Gm,
    }
}

#[inline(always)]
pub(crate) const fn position_of(number: u8) -> TPosition {
    match TPosition::from_number(number as u32) {
        Some(position) => position,
        None => TPosition::Max,
    }
}

#[inline(always)]
pub(crate) const fn target_of(core: u8) -> Target {
    match FwkCore::from_number(core as u32) {
        Some(core) => Target::of(core),
        None => Target::of(FwkCore::Aiv2201),
    }
}

/// Address of an object, as a name for it.
#[inline(always)]
pub(crate) fn name_of<T>(object: &T) -> u64 {
    core::ptr::from_ref(object).addr() as u64
}
