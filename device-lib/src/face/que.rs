//! TQue, TQueBind and the tensors that move through them.

use super::pipe::TPipe;
use super::{Bind, Binding, Core};
use crate::fwk::{Checked, Declared, FromType, QueSpec, construct_que, has_idle_buffer, vacant};
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use toprope_abi::fwk::{FwkError, TPosition, Target, TrQue, TrRecord};

/// A queue from one position to another, `DEPTH` tensors deep; depth 0 is an in-place queue.
///
/// Calls take `&self`, so that several tensors can be under way.
#[derive(Debug)]
pub struct TQue<'p, 'm, B, const DEPTH: u32, C: Core> {
    state: TrQue,
    pipe: &'p TPipe<'m, C>,
    binding: PhantomData<B>,
}

/// A queue that names both positions.
pub type TQueBind<'p, 'm, S, D, const DEPTH: u32, C> = TQue<'p, 'm, Bind<S, D>, DEPTH, C>;

/// The declaration of a queue type.
#[derive(Debug)]
pub struct Declaration<B, const DEPTH: u32, C>(PhantomData<(B, C)>);

impl<B: Binding, const DEPTH: u32, C: Core> Declared for Declaration<B, DEPTH, C> {
    const TARGET: Target = C::TARGET;
    const SPEC: QueSpec =
        QueSpec { src: B::SRC, dst: B::DST, depth: DEPTH, config: 0, config_num: 0, config_length_bytes: 0 };
}

type Shape<B, const DEPTH: u32, C> = FromType<Declaration<B, DEPTH, C>>;

/// A queue, as the owner of tensors.
pub trait Owner {
    /// A tensor was dropped instead of being enqueued or freed.
    fn leaked(&self, record: &TrRecord);
}

/// A tensor in a buffer of a queue: from `alloc_tensor` or `deque` until `enque` or `free_tensor`.
#[must_use = "a tensor must be enqueued or freed, or its buffer is lost"]
#[derive(Debug)]
pub struct LocalTensor<'q, Q: Owner> {
    que: &'q Q,
    record: &'q TrRecord,
}

/// A tensor that is enqueued in an in-place queue (depth 0).
#[must_use = "an enqueued tensor must be dequeued and freed, or its buffer is lost"]
#[derive(Debug)]
pub struct InPlaceTensor<'q, Q: Owner>(LocalTensor<'q, Q>);

impl<'q, Q: Owner> LocalTensor<'q, Q> {
    /// Offset in its memory, bytes.
    #[inline(always)]
    #[doc(alias = "GetPhyAddr")]
    pub fn address_bytes(&self) -> u32 {
        self.record.address_bytes.get()
    }

    /// Length, bytes.
    #[inline(always)]
    pub fn length_bytes(&self) -> u32 {
        self.record.length_bytes.get()
    }

    /// Tag of the user, -1 at first.
    #[doc(alias = "GetUserTag")]
    pub fn user_tag(&self) -> i32 {
        self.record.user_tag.get()
    }

    /// Sets the tag.
    #[doc(alias = "SetUserTag")]
    pub fn set_user_tag(&self, tag: i32) {
        self.record.user_tag.set(tag);
    }

    /// The buffer, without the duty to free it.
    #[inline(always)]
    fn into_record(self) -> &'q TrRecord {
        ManuallyDrop::new(self).record
    }
}

impl<Q: Owner> Drop for LocalTensor<'_, Q> {
    #[inline(always)]
    fn drop(&mut self) {
        self.que.leaked(self.record);
    }
}

impl<B, const DEPTH: u32, C: Core> Drop for TQue<'_, '_, B, DEPTH, C> {
    fn drop(&mut self) {
        if self.state.used_count.get() > 0 {
            self.pipe.fwk().leave_marks(&self.state);
        }
    }
}

impl<B: Binding, const DEPTH: u32, C: Core> Owner for TQue<'_, '_, B, DEPTH, C> {
    #[cold]
    fn leaked(&self, _record: &TrRecord) {
        // Reported only: there is no call to refuse.
        let _ = self.pipe.fwk().refuse(FwkError::TensorLeaked, &self.state);
    }
}

impl<'p, 'm, B: Binding, const DEPTH: u32, C: Core> TQue<'p, 'm, B, DEPTH, C> {
    pub(super) fn declare(pipe: &'p TPipe<'m, C>) -> Checked<Self> {
        let que = TQue { state: TrQue::new(), pipe, binding: PhantomData };
        let spec = const { <Declaration<B, DEPTH, C> as Declared>::SPEC };
        construct_que(&que.state, &C::TARGET, &spec)?;
        Ok(que)
    }

    /// The record of a tensor, if the tensor is from this very queue and not from another one of the same type.
    #[inline(always)]
    fn own<'q>(&self, tensor: LocalTensor<'q, Self>) -> Checked<&'q TrRecord> {
        if core::ptr::eq(tensor.que, self) { Ok(tensor.into_record()) } else { Err(self.foreign(tensor)) }
    }

    /// Refuses a tensor of another queue. It stays allocated there.
    #[cold]
    fn foreign(&self, tensor: LocalTensor<'_, Self>) -> FwkError {
        let _ = tensor.into_record();
        let _ = self.pipe.fwk().refuse(FwkError::ForeignBuffer, &self.state);
        FwkError::ForeignBuffer
    }

    #[inline(always)]
    pub(super) fn state(&self) -> &TrQue {
        &self.state
    }

    /// Position of its tensors.
    pub const fn position() -> TPosition {
        Shape::<B, DEPTH, C>::POSITION
    }

    /// A free buffer; waits until the data that was in it has been used.
    ///
    /// # Errors
    /// [`NoFreeBuffer`](toprope_abi::fwk::FwkError::NoFreeBuffer).
    #[inline(always)]
    #[doc(alias = "AllocTensor")]
    pub fn alloc_tensor(&self) -> Checked<LocalTensor<'_, Self>> {
        match self.pipe.fwk().alloc_as::<Shape<B, DEPTH, C>>(&self.state) {
            Some(record) => Ok(LocalTensor { que: self, record }),
            None => Err(self.pipe.fwk().last_error()),
        }
    }

    /// Puts a tensor into the queue: its data is on the way.
    ///
    /// # Errors
    /// [`QueueFull`](toprope_abi::fwk::FwkError::QueueFull), [`NoEventId`](toprope_abi::fwk::FwkError::NoEventId),
    /// [`ForeignBuffer`](toprope_abi::fwk::FwkError::ForeignBuffer) for a tensor of another queue of the same type. The
    /// tensor is then lost.
    #[inline(always)]
    #[doc(alias = "EnQue")]
    pub fn enque(&self, tensor: LocalTensor<'_, Self>) -> Checked {
        const { assert!(DEPTH > 0, "an in-place queue uses enque_in_place") }
        let record = self.own(tensor)?;
        self.pipe.fwk().enque_own::<Shape<B, DEPTH, C>>(&self.state, record)
    }

    /// The oldest tensor in the queue; waits until its data is there.
    ///
    /// # Errors
    /// [`QueueEmpty`](toprope_abi::fwk::FwkError::QueueEmpty), [`NullHead`](toprope_abi::fwk::FwkError::NullHead).
    #[inline(always)]
    #[doc(alias = "DeQue")]
    pub fn deque(&self) -> Checked<LocalTensor<'_, Self>> {
        const { assert!(DEPTH > 0, "an in-place queue uses deque_in_place") }
        match self.pipe.fwk().deque_as::<Shape<B, DEPTH, C>>(&self.state) {
            Some(record) => Ok(LocalTensor { que: self, record }),
            None => Err(self.pipe.fwk().last_error()),
        }
    }

    /// EnQue of an in-place queue.
    ///
    /// # Errors
    /// [`ForeignBuffer`](toprope_abi::fwk::FwkError::ForeignBuffer).
    #[inline(always)]
    pub fn enque_in_place<'q>(&self, tensor: LocalTensor<'q, Self>) -> Checked<InPlaceTensor<'q, Self>> {
        const { assert!(DEPTH == 0, "only a queue of depth 0 works in place") }
        let que = tensor.que;
        let record = self.own(tensor)?;
        self.pipe.fwk().enque_own::<Shape<B, DEPTH, C>>(&self.state, record)?;
        Ok(InPlaceTensor(LocalTensor { que, record }))
    }

    /// DeQue of an in-place queue.
    ///
    /// # Errors
    /// [`ForeignBuffer`](toprope_abi::fwk::FwkError::ForeignBuffer).
    #[inline(always)]
    pub fn deque_in_place<'q>(&self, tensor: InPlaceTensor<'q, Self>) -> Checked<LocalTensor<'q, Self>> {
        const { assert!(DEPTH == 0, "only a queue of depth 0 works in place") }
        let que = tensor.0.que;
        let record = self.own(tensor.0)?;
        self.pipe.fwk().deque_own_in_place::<Shape<B, DEPTH, C>>(&self.state, record);
        Ok(LocalTensor { que, record })
    }

    /// Gives a buffer back.
    ///
    /// # Errors
    /// [`NoEventId`](toprope_abi::fwk::FwkError::NoEventId),
    /// [`ForeignBuffer`](toprope_abi::fwk::FwkError::ForeignBuffer).
    #[inline(always)]
    #[doc(alias = "FreeTensor")]
    pub fn free_tensor(&self, tensor: LocalTensor<'_, Self>) -> Checked {
        let record = self.own(tensor)?;
        self.pipe.fwk().free_own::<Shape<B, DEPTH, C>>(&self.state, record)
    }

    /// Waits for the free flags of all buffers.
    ///
    /// # Errors
    /// [`EventPending`](toprope_abi::fwk::FwkError::EventPending) while a tensor is enqueued.
    #[doc(alias = "FreeAllEvent")]
    pub fn free_all_event(&self) -> Checked {
        self.pipe.fwk().free_all_event(&self.state)
    }

    /// Whether another tensor may be enqueued.
    #[doc(alias = "VacantInQue")]
    pub fn vacant_in_que(&self) -> bool {
        vacant(&self.state)
    }

    /// Whether a tensor is enqueued.
    #[doc(alias = "HasTensorInQue")]
    pub fn has_tensor_in_que(&self) -> bool {
        self.state.used_count.get() > 0
    }

    /// Tensors enqueued.
    #[doc(alias = "GetTensorCountInQue")]
    pub fn get_tensor_count_in_que(&self) -> u32 {
        u32::from(self.state.used_count.get())
    }

    /// Whether a buffer is free.
    #[doc(alias = "HasIdleBuffer")]
    pub fn has_idle_buffer(&self) -> bool {
        has_idle_buffer(&self.state)
    }
}
