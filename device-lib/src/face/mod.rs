//! The framework for kernels written in Rust: the nouns of Ascend C, with ownership.
//!
//! A tensor taken from a queue is a value. `enque` and `free_tensor` take it away, so freeing twice, using it after it
//! was freed and enqueuing it after it was freed do not compile; a tensor that is dropped instead is reported as
//! [`TensorLeaked`](FwkError::TensorLeaked). A queue exists only with buffers, and only as long as its pipe; Reset needs
//! the pipe for itself, so no queue can be left pointing at buffers that are gone.
//!
//! ```
//! use toprope_device_lib::face::{Aiv, PipeMemory, TPipe, VecIn, VecOut};
//! use toprope_device_lib::hooks::NoHooks;
//!
//! # fn main() -> Result<(), toprope_abi::fwk::FwkError> {
//! let mut memory = PipeMemory::new();
//! let pipe = TPipe::new(&mut memory, Aiv(NoHooks))?;
//! let in_que = pipe.init_buffer::<VecIn, 2>(2, 1024)?;
//! let out_que = pipe.init_buffer::<VecOut, 2>(2, 1024)?;
//! for _tile in 0..4 {
//!     let x = in_que.alloc_tensor()?;
//!     // data_copy(&x, …)
//!     in_que.enque(x)?;
//!     let x = in_que.deque()?;
//!     let y = out_que.alloc_tensor()?;
//!     // adds(&y, &x, …)
//!     in_que.free_tensor(x)?;
//!     out_que.enque(y)?;
//!     let y = out_que.deque()?;
//!     // data_copy(…, &y)
//!     out_que.free_tensor(y)?;
//! }
//! assert_eq!(pipe.error(), None);
//! # Ok(())
//! # }
//! ```
//!
//! Which core a kernel is for is part of the types ([`Aiv`], [`Aic`], [`Mix2002`]), so every flag folds to one
//! instruction with constant pipes. Explicit-position enqueue, loop queues and custom pools are there for C++ only.

mod buf;
mod pipe;
mod que;

pub use buf::{BufTensor, Element, Int4, PoolMemory, TBuf, TBufPool};
pub use pipe::{EventId, PipeMemory, TPipe};
pub use que::{InPlaceTensor, LocalTensor, Owner, TQue, TQueBind};

use crate::hooks::Hooks;
use core::marker::PhantomData;
#[allow(unused_imports, reason = "named in the documentation")]
use toprope_abi::fwk::FwkError;
use toprope_abi::fwk::target::que_binding;
use toprope_abi::fwk::{FwkCore, TPosition, Target};

/// The core a kernel runs on, and how to reach it.
pub trait Core {
    /// Its data.
    const TARGET: Target;
    /// Its hooks.
    type Hooks: Hooks;
    /// The hooks.
    fn hooks(&self) -> &Self::Hooks;
}

macro_rules! cores {
    ($($(#[$meta:meta])* $name:ident = $core:ident;)*) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name<H>(pub H);

        impl<H: Hooks> Core for $name<H> {
            const TARGET: Target = Target::of(FwkCore::$core);
            type Hooks = H;
            #[inline(always)]
            fn hooks(&self) -> &H {
                &self.0
            }
        }
    )* };
}
cores! {
    /// Vector core of NpuArch 2201.
    Aiv = Aiv2201;
    /// Cube core of NpuArch 2201.
    Aic = Aic2201;
    /// The core of NpuArch 2002.
    Mix2002 = Mix2002;
}

/// A logical position as a type.
pub trait Position {
    /// The position.
    const POSITION: TPosition;
}

/// Where a queue's data comes from and goes to, as a type: a position, or [`Bind`].
pub trait Binding {
    /// Position of the producer.
    const SRC: TPosition;
    /// Position of the consumer.
    const DST: TPosition;
}

/// Source and destination of a [`TQueBind`].
#[derive(Debug, Clone, Copy)]
pub struct Bind<S, D>(PhantomData<(S, D)>);

impl<S: Position, D: Position> Binding for Bind<S, D> {
    const SRC: TPosition = S::POSITION;
    const DST: TPosition = D::POSITION;
}

impl<P: Position> Binding for P {
    const SRC: TPosition = que_binding(P::POSITION).0;
    const DST: TPosition = que_binding(P::POSITION).1;
}

macro_rules! positions {
    ($($name:ident)*) => { $(
        #[doc = concat!("`TPosition::", stringify!($name), "`.")]
        #[derive(Debug, Clone, Copy)]
        pub struct $name;

        impl Position for $name {
            const POSITION: TPosition = TPosition::$name;
        }
    )* };
}
positions!(Gm A1 A2 B1 B2 C1 C2 Co1 Co2 VecIn VecOut VecCalc Spm Tscm C2Pipe2Gm);
