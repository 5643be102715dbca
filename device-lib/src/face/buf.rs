//! TBuf and TBufPool.

use super::pipe::TPipe;
use super::{Binding, Core, Position, TQue};
use crate::fwk::{Checked, construct_buf, construct_pool};
use core::marker::PhantomData;
use toprope_abi::fwk::{TrBuf, TrBufPool, TrRecord, TrTensor};

/// A type a tensor can have.
pub trait Element {
    /// Size, bits.
    const BITS: u32;
}

/// A 4-bit integer; two share a byte.
#[derive(Debug, Clone, Copy)]
pub struct Int4;

macro_rules! elements {
    ($($ty:ty = $bits:literal;)*) => { $(impl Element for $ty { const BITS: u32 = $bits; })* };
}
elements! { Int4 = 4; u8 = 8; i8 = 8; u16 = 16; i16 = 16; u32 = 32; i32 = 32; u64 = 64; i64 = 64; f32 = 32; }

/// A stretch of a TBuf. Plain data: a TBuf has no events and nothing to free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufTensor<'b> {
    /// Offset in its memory, bytes.
    pub address_bytes: u32,
    /// Length, bytes.
    pub length_bytes: u32,
    /// Elements.
    pub elements: u32,
    owner: PhantomData<&'b ()>,
}

impl BufTensor<'_> {
    fn of(tensor: &TrTensor) -> Self {
        BufTensor {
            address_bytes: tensor.address_bytes.get(),
            length_bytes: tensor.length_bytes.get(),
            elements: tensor.elements.get(),
            owner: PhantomData,
        }
    }
}

/// Scratch memory without a queue.
#[derive(Debug)]
pub struct TBuf<'p, 'm, P, C: Core> {
    state: TrBuf,
    pipe: &'p TPipe<'m, C>,
    position: PhantomData<P>,
}

impl<'p, 'm, P: Position, C: Core> TBuf<'p, 'm, P, C> {
    pub(super) fn declare(pipe: &'p TPipe<'m, C>) -> Self {
        let buf = TBuf { state: TrBuf::new(), pipe, position: PhantomData };
        construct_buf(&buf.state, &C::TARGET, P::POSITION);
        buf
    }

    pub(super) fn state(&self) -> &TrBuf {
        &self.state
    }

    /// The first `elements` elements.
    ///
    /// # Errors
    /// [`ZeroLength`](toprope_abi::fwk::FwkError::ZeroLength), [`TBufTooShort`](toprope_abi::fwk::FwkError::TBufTooShort),
    /// [`TBufUnaligned`](toprope_abi::fwk::FwkError::TBufUnaligned).
    #[doc(alias = "Get")]
    pub fn get_with_len<T: Element>(&self, elements: u32) -> Checked<BufTensor<'_>> {
        let out = TrTensor::new();
        self.pipe.fwk().buf_get(&self.state, elements, T::BITS, &out)?;
        Ok(BufTensor::of(&out))
    }

    /// All of it.
    ///
    /// # Errors
    /// None for a TBuf of a pipe.
    #[doc(alias = "Get")]
    pub fn get<T: Element>(&self) -> Checked<BufTensor<'_>> {
        let out = TrTensor::new();
        self.pipe.fwk().buf_get_all(&self.state, T::BITS, &out)?;
        Ok(BufTensor::of(&out))
    }

    /// `elements` elements from `offset_bytes` on.
    ///
    /// # Errors
    /// [`TBufOffsetBeyond`](toprope_abi::fwk::FwkError::TBufOffsetBeyond).
    #[doc(alias = "GetWithOffset")]
    pub fn get_with_offset<T: Element>(&self, elements: u32, offset_bytes: u32) -> Checked<BufTensor<'_>> {
        let out = TrTensor::new();
        self.pipe.fwk().buf_get_with_offset(&self.state, elements, T::BITS, offset_bytes, &out)?;
        Ok(BufTensor::of(&out))
    }
}

/// Records of a pool of up to `N` buffers.
#[derive(Debug)]
pub struct PoolMemory<const N: usize>([TrRecord; N]);

impl<const N: usize> PoolMemory<N> {
    /// Records for one pool; at most 16.
    pub const fn new() -> Self {
        const { assert!(N <= toprope_abi::fwk::POOL_RECORDS_MAX, "a pool manages at most 16 buffers") }
        PoolMemory([const { TrRecord::new() }; N])
    }
}

impl<const N: usize> Default for PoolMemory<N> {
    fn default() -> Self {
        PoolMemory::new()
    }
}

/// A slice of UB or L1 with buffers of its own. Dropping it waits for their free flags.
#[derive(Debug)]
pub struct TBufPool<'p, 'm, P, C: Core> {
    state: TrBufPool,
    pipe: &'p TPipe<'m, C>,
    position: PhantomData<P>,
}

impl<'p, 'm, P: Position, C: Core> TBufPool<'p, 'm, P, C> {
    pub(super) fn declare<const N: usize>(
        pipe: &'p TPipe<'m, C>,
        memory: &'p mut PoolMemory<N>,
    ) -> Checked<Self> {
        let pool = TBufPool { state: TrBufPool::new(), pipe, position: PhantomData };
        let records = memory.0.as_ptr();
        construct_pool(&pool.state, &C::TARGET, P::POSITION, records, N as u32, false)?;
        Ok(pool)
    }

    pub(super) fn state(&self) -> &TrBufPool {
        &self.state
    }

    /// A queue with buffers of the pool.
    ///
    /// # Errors
    /// What does not fit; see [`Fwk::pool_init_que`](crate::fwk::Fwk::pool_init_que).
    #[doc(alias = "InitBuffer")]
    pub fn init_buffer<B: Binding, const DEPTH: u32>(
        &self,
        num: u32,
        length_bytes: u32,
    ) -> Checked<TQue<'_, 'm, B, DEPTH, C>> {
        let que = TQue::declare(self.pipe)?;
        self.pipe.fwk().pool_init_que(&self.state, que.state(), num, length_bytes)?;
        Ok(que)
    }

    /// A TBuf in the pool.
    ///
    /// # Errors
    /// What does not fit; see [`Fwk::pool_init_buf`](crate::fwk::Fwk::pool_init_buf).
    pub fn init_buf<Q: Position>(&self, length_bytes: u32) -> Checked<TBuf<'_, 'm, Q, C>> {
        let buf = TBuf::declare(self.pipe);
        self.pipe.fwk().pool_init_buf(&self.state, buf.state(), length_bytes)?;
        Ok(buf)
    }

    /// A pool inside the pool.
    ///
    /// # Errors
    /// What does not fit; see [`Fwk::init_pool_in`](crate::fwk::Fwk::init_pool_in).
    #[doc(alias = "InitBufPool")]
    pub fn init_buf_pool<'c, Q: Position, const N: usize>(
        &'c self,
        memory: &'c mut PoolMemory<N>,
        length_bytes: u32,
    ) -> Checked<TBufPool<'c, 'm, Q, C>> {
        let child = TBufPool::declare(self.pipe, memory)?;
        self.pipe.fwk().init_pool_in(&self.state, &child.state, length_bytes)?;
        Ok(child)
    }

    /// Gives memory and records up and takes `length_bytes` anew from the pipe. No queue of the pool may exist.
    ///
    /// # Errors
    /// What does not fit; see [`Fwk::init_pool`](crate::fwk::Fwk::init_pool).
    #[doc(alias = "Reset")]
    pub fn reset(&mut self, length_bytes: u32) -> Checked {
        self.pipe.fwk().pool_reset(&self.state)?;
        self.pipe.fwk().init_pool(&self.state, length_bytes)
    }
}

impl<P, C: Core> Drop for TBufPool<'_, '_, P, C> {
    fn drop(&mut self) {
        // The error, if any, is in the pipe.
        let _ = self.pipe.fwk().pool_drop(&self.state);
    }
}
