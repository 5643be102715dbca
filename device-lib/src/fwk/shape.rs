//! What a queue operation needs to know of its queue: read from the state, or known at compile time.

use super::que::{QueSpec, kind_of};
use core::marker::PhantomData;
use toprope_abi::fwk::target::Effect;
use toprope_abi::fwk::{HardEvent, TPosition, Target, TrQue};

/// Source of a queue's constant properties.
pub trait Shape {
    /// Whether the types of the caller guarantee that a tensor is in hand when it is enqueued or freed, and that what is
    /// dequeued was enqueued by this queue; those checks are then left out.
    const TRUSTED: bool = false;
    /// `TrQue::kind`.
    #[inline(always)]
    fn kind(que: &TrQue) -> u8 {
        que.kind.get()
    }
    /// Depth.
    #[inline(always)]
    fn depth(que: &TrQue) -> u8 {
        que.depth.get()
    }
    /// Event set by enqueue.
    #[inline(always)]
    fn enque_event(que: &TrQue) -> u8 {
        que.enque_event.get()
    }
    /// Event set by free.
    #[inline(always)]
    fn free_event(que: &TrQue) -> u8 {
        que.free_event.get()
    }
    /// What setting the enqueue event emits.
    #[inline(always)]
    fn enque_set(que: &TrQue) -> Effect {
        Effect(que.enque_set.get())
    }
    /// What waiting for the enqueue event emits.
    #[inline(always)]
    fn enque_wait(que: &TrQue) -> Effect {
        Effect(que.enque_wait.get())
    }
    /// What setting the free event emits.
    #[inline(always)]
    fn free_set(que: &TrQue) -> Effect {
        Effect(que.free_set.get())
    }
    /// What waiting for the free event emits.
    #[inline(always)]
    fn free_wait(que: &TrQue) -> Effect {
        Effect(que.free_wait.get())
    }
}

/// Everything is read from the state.
#[derive(Debug, Clone, Copy)]
pub struct FromState;

impl Shape for FromState {}

/// A queue's declaration as a type.
pub trait Declared {
    /// The core.
    const TARGET: Target;
    /// The declaration.
    const SPEC: QueSpec;
}

/// Everything is known at compile time, for callers whose types keep the rules: what is emitted folds to one instruction with constant pipes.
#[derive(Debug, Clone, Copy)]
pub struct FromType<D>(PhantomData<D>);

impl<D: Declared> FromType<D> {
    const EVENTS: (HardEvent, HardEvent) = D::TARGET.queue_events(D::SPEC.src, D::SPEC.dst, D::SPEC.config);
    const KIND: u8 = kind_of(&D::TARGET, &D::SPEC, Self::EVENTS.1);
    /// Position of the tensors.
    pub const POSITION: TPosition = D::TARGET.buffer_position(D::SPEC.src, D::SPEC.dst);
}

impl<D: Declared> Shape for FromType<D> {
    const TRUSTED: bool = true;
    #[inline(always)]
    fn kind(_: &TrQue) -> u8 {
        const { Self::KIND }
    }
    #[inline(always)]
    fn depth(_: &TrQue) -> u8 {
        const { D::SPEC.depth as u8 }
    }
    #[inline(always)]
    fn enque_event(_: &TrQue) -> u8 {
        const { Self::EVENTS.0 as u8 }
    }
    #[inline(always)]
    fn free_event(_: &TrQue) -> u8 {
        const { Self::EVENTS.1 as u8 }
    }
    #[inline(always)]
    fn enque_set(_: &TrQue) -> Effect {
        const { D::TARGET.set_effect(Self::EVENTS.0) }
    }
    #[inline(always)]
    fn enque_wait(_: &TrQue) -> Effect {
        const { D::TARGET.wait_effect(Self::EVENTS.0) }
    }
    #[inline(always)]
    fn free_set(_: &TrQue) -> Effect {
        const { D::TARGET.set_effect(Self::EVENTS.1) }
    }
    #[inline(always)]
    fn free_wait(_: &TrQue) -> Effect {
        const { D::TARGET.wait_effect(Self::EVENTS.1) }
    }
}
