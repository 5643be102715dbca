#![allow(unsafe_code)]
//! TPipe.
//!
//! Unsafe because [`Fwk::new`] asks for a promise. It is kept by the types: a pipe borrows its memory for good, queues,
//! TBufs and pools borrow the pipe and their records, and none of them hands its state out.

use super::buf::{Element, PoolMemory, TBuf, TBufPool};
use super::{Binding, Core, Position, TQue};
use crate::fwk::{Checked, Flags, Fwk, construct_pipe};
use toprope_abi::fwk::{CHECK_DEFAULT, FwkError, HardEvent, TrPipe};
use toprope_abi::isa::Pipe;

/// Memory of a pipe: about 1.7 KiB, on the kernel's stack.
#[derive(Debug, Default)]
pub struct PipeMemory(TrPipe);

impl PipeMemory {
    /// Memory for one pipe.
    pub const fn new() -> PipeMemory {
        PipeMemory(TrPipe::new())
    }
}

/// Buffers and event ids of one core. Dropping it is Destroy.
#[derive(Debug)]
pub struct TPipe<'m, C: Core> {
    state: &'m TrPipe,
    core: C,
}

/// An event id taken by hand. Give it back with [`TPipe::release_event_id`]; dropping it keeps the id taken.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "an id that is not released stays taken until the pipe is reset"]
pub struct EventId {
    event: HardEvent,
    id: i8,
}

impl EventId {
    /// The number, 0..8.
    pub const fn number(&self) -> i32 {
        self.id as i32
    }
}

impl<'m, C: Core> TPipe<'m, C> {
    /// Sets up a pipe in `memory`.
    ///
    /// # Errors
    /// [`FwkError::PipeExists`] if another pipe is alive on this core.
    pub fn new(memory: &'m mut PipeMemory, core: C) -> Checked<Self> {
        let state = &memory.0;
        construct_pipe(state, core.hooks(), C::TARGET.core, CHECK_DEFAULT)?;
        Ok(TPipe { state, core })
    }

    #[inline(always)]
    pub(super) fn fwk(&self) -> Fwk<'_, C::Hooks> {
        // SAFETY: the state is constructed and borrowed by this value alone; everything that is given to the methods
        // borrows this pipe and its records, see the head of this file.
        unsafe { Fwk::new(self.state, self.core.hooks()) }
    }

    /// A queue with `num` buffers of `length_bytes` (rounded up to 32).
    ///
    /// # Errors
    /// What does not fit; see [`Fwk::init_que`].
    #[doc(alias = "InitBuffer")]
    pub fn init_buffer<B: Binding, const DEPTH: u32>(
        &self,
        num: u32,
        length_bytes: u32,
    ) -> Checked<TQue<'_, 'm, B, DEPTH, C>> {
        let que = TQue::declare(self)?;
        self.fwk().init_que(que.state(), num, length_bytes)?;
        Ok(que)
    }

    /// A TBuf of `length_bytes` (rounded up to 32).
    ///
    /// # Errors
    /// What does not fit; see [`Fwk::init_buf`].
    pub fn init_buf<P: Position>(&self, length_bytes: u32) -> Checked<TBuf<'_, 'm, P, C>> {
        let buf = TBuf::declare(self);
        self.fwk().init_buf(buf.state(), length_bytes)?;
        Ok(buf)
    }

    /// A pool of `length_bytes` with `N` records.
    ///
    /// # Errors
    /// What does not fit; see [`Fwk::init_pool`].
    #[doc(alias = "InitBufPool")]
    pub fn init_buf_pool<'p, P: Position, const N: usize>(
        &'p self,
        memory: &'p mut PoolMemory<N>,
        length_bytes: u32,
    ) -> Checked<TBufPool<'p, 'm, P, C>> {
        let pool = TBufPool::declare(self, memory)?;
        self.fwk().init_pool(pool.state(), length_bytes)?;
        Ok(pool)
    }

    /// Takes the lowest free id of a class.
    ///
    /// # Errors
    /// [`FwkError::NoEventId`], [`FwkError::EventNotOnCore`].
    #[doc(alias = "AllocEventID")]
    pub fn alloc_event_id(&self, event: HardEvent) -> Checked<EventId> {
        self.fwk().alloc_event_id(event as u32).map(|id| EventId { event, id })
    }

    /// The number [`alloc_event_id`](TPipe::alloc_event_id) would take.
    ///
    /// # Errors
    /// As there.
    #[doc(alias = "FetchEventID")]
    pub fn fetch_event_id(&self, event: HardEvent) -> Checked<i32> {
        self.fwk().fetch_event_id(event as u32).map(i32::from)
    }

    /// Gives an id back.
    ///
    /// # Errors
    /// None for an id of this pipe.
    #[doc(alias = "ReleaseEventID")]
    pub fn release_event_id(&self, id: EventId) -> Checked {
        self.fwk().release_event_id(id.event as u32, id.number())
    }

    fn flags(&self) -> Flags<'_, C::Hooks> {
        Flags { pipe: Some(self.state), hooks: self.core.hooks(), core: C::TARGET.core }
    }

    /// SetFlag.
    ///
    /// # Errors
    /// [`FwkError::FlagNeverWaited`].
    #[doc(alias = "SetFlag")]
    pub fn set_flag(&self, id: &EventId) -> Checked {
        self.flags().set_flag(id.event, id.number())
    }

    /// WaitFlag.
    ///
    /// # Errors
    /// None for an id of this pipe.
    #[doc(alias = "WaitFlag")]
    pub fn wait_flag(&self, id: &EventId) -> Checked {
        self.flags().wait_flag(id.event, id.number())
    }

    /// PipeBarrier.
    ///
    /// # Errors
    /// [`FwkError::BarrierScalar`].
    #[doc(alias = "PipeBarrier")]
    pub fn pipe_barrier(&self, pipe: Pipe) -> Checked {
        self.flags().pipe_barrier(pipe)
    }

    /// Elements of type `T` that fit into `bytes`.
    pub fn elements_in<T: Element>(bytes: u32) -> u32 {
        bytes.wrapping_mul(8) / T::BITS
    }

    /// Gives all buffers and ids up. No queue, TBuf or pool of the pipe may exist.
    #[doc(alias = "Reset")]
    pub fn reset(&mut self) {
        self.fwk().reset();
    }

    /// First misuse since construction.
    pub fn error(&self) -> Option<FwkError> {
        FwkError::from_code(self.state.error.get())
    }

    /// Forgets the misuse.
    pub fn clear_error(&self) {
        self.state.error.set(0);
        self.state.error_count.set(0);
    }
}

impl<C: Core> Drop for TPipe<'_, C> {
    fn drop(&mut self) {
        self.fwk().drop_pipe();
    }
}
