//! `aclrtReduceAsync`: adds device memory to device memory, or keeps the larger or smaller values, element by element.
//!
//! Floating-point elements are computed in `f32` and rounded to nearest even; integers wrap around. Of a number and a
//! NaN, maximum and minimum keep the number.
#![allow(unsafe_code)] // computes on raw device addresses that the caller has checked.

use super::background;
use super::failure::{Answer, Failure, refuse};
use super::order::{Span, Use};
use super::stream::Stream;
use super::work::{DeviceWork, Turn};
use half::{bf16, f16};
use std::sync::Arc;
use toprope_abi::acl::{AclError, DataType, ReduceKind};

/// Jobs up to this size are done at once by whoever starts them.
const SMALL_BYTES: u64 = 256 << 10;

/// Does `count` elements from an address on to another.
type Apply = unsafe fn(dst: u64, src: u64, count: u64);

/// An element of a reduction.
trait Element: Copy {
    fn sum(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
}

macro_rules! integers {
    ($($ty:ty)*) => { $(impl Element for $ty {
        fn sum(self, other: Self) -> Self { self.wrapping_add(other) }
        fn max(self, other: Self) -> Self { Ord::max(self, other) }
        fn min(self, other: Self) -> Self { Ord::min(self, other) }
    })* };
}
integers! { i8 i16 i32 }

impl Element for f32 {
    fn sum(self, other: Self) -> Self {
        self + other
    }
    fn max(self, other: Self) -> Self {
        f32::max(self, other)
    }
    fn min(self, other: Self) -> Self {
        f32::min(self, other)
    }
}

macro_rules! halves {
    ($($ty:ty)*) => { $(impl Element for $ty {
        fn sum(self, other: Self) -> Self { <$ty>::from_f32(self.to_f32() + other.to_f32()) }
        fn max(self, other: Self) -> Self { <$ty>::from_f32(self.to_f32().max(other.to_f32())) }
        fn min(self, other: Self) -> Self { <$ty>::from_f32(self.to_f32().min(other.to_f32())) }
    })* };
}
halves! { f16 bf16 }

/// # Safety
/// Both ranges of `count` elements are memory of this process, writable and readable, that no Rust reference covers.
unsafe fn apply<T: Element>(dst: u64, src: u64, count: u64, operation: fn(T, T) -> T) {
    let (dst, src) = (dst as *mut T, src as *const T);
    for i in 0..count as usize {
        let (to, from) = (dst.wrapping_add(i), src.wrapping_add(i));
        // SAFETY: element `i` lies in the range (contract); C may pass any alignment.
        let value = operation(unsafe { to.read_unaligned() }, unsafe { from.read_unaligned() });
        // SAFETY: as above.
        unsafe { to.write_unaligned(value) };
    }
}

macro_rules! kinds {
    ($ty:ty) => {{
        // SAFETY: the contract of `Apply`, which is that of `apply`.
        let sum: Apply = |dst, src, count| unsafe { apply::<$ty>(dst, src, count, Element::sum) };
        // SAFETY: as above.
        let max: Apply = |dst, src, count| unsafe { apply::<$ty>(dst, src, count, Element::max) };
        // SAFETY: as above.
        let min: Apply = |dst, src, count| unsafe { apply::<$ty>(dst, src, count, Element::min) };
        [sum, max, min]
    }};
}

/// The types of Atlas A2 with their size, and how each is added, maximised and minimised.
fn row(ty: DataType) -> Option<(u64, [Apply; 3])> {
    Some(match ty {
        DataType::INT8 => (1, kinds!(i8)),
        DataType::INT16 => (2, kinds!(i16)),
        DataType::INT32 => (4, kinds!(i32)),
        DataType::FLOAT16 => (2, kinds!(f16)),
        DataType::FLOAT => (4, kinds!(f32)),
        DataType::BF16 => (2, kinds!(bf16)),
        _ => return None,
    })
}

/// A reduction in a stream. Whoever makes one has checked that both ranges lie in live blocks of the stream's device,
/// whose range stays mapped for ever.
#[derive(Clone, Debug)]
pub struct ReduceWork {
    dst: u64,
    src: u64,
    bytes: u64,
    size: u64,
    apply: Apply,
    cycles: u64,
}

impl ReduceWork {
    /// Checks type, kind and length; the ranges are the caller's.
    ///
    /// # Errors
    /// 107000 with what is possible; 207000 for `EQUAL`, whose meaning is not documented.
    pub fn new(
        dst: u64,
        src: u64,
        bytes: u64,
        kind: ReduceKind,
        ty: DataType,
        cycles: u64,
    ) -> Answer<ReduceWork> {
        let Some((size, operations)) = row(ty) else {
            let text = format!("`type` is {} ({:?})", ty.0, ty.name().unwrap_or("no aclDataType"));
            return Err(Failure::new(AclError::RT_PARAM_INVALID, text)
                .help("dav-2201 reduces int8, int16, int32, float16, float and bfloat16"));
        };
        let apply = match kind {
            ReduceKind::SUM => operations[0],
            ReduceKind::MAX => operations[1],
            ReduceKind::MIN => operations[2],
            ReduceKind::EQUAL => {
                let text = "`kind` is ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL, whose result is not documented";
                return refuse(AclError::RT_FEATURE_NOT_SUPPORT, text);
            }
            other => {
                let text = format!("`kind` is {}, which is no aclrtReduceKind (10 to 13)", other.0);
                return refuse(AclError::RT_PARAM_INVALID, text);
            }
        };
        if bytes == 0 || !bytes.is_multiple_of(size) {
            let text = format!(
                "`count` is {bytes} bytes, which must be a positive multiple of {size}, the element's size"
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        Ok(ReduceWork { dst, src, bytes, size, apply, cycles })
    }

    fn run(&self) {
        // SAFETY: both ranges are as `ReduceWork` promises; the task has its turn.
        unsafe { (self.apply)(self.dst, self.src, self.bytes / self.size) };
    }
}

impl DeviceWork for ReduceWork {
    fn start(self: Arc<Self>, turn: Turn) {
        if self.bytes <= SMALL_BYTES {
            self.run();
            turn.end(Ok(()), turn.begin() + self.cycles);
            return;
        }
        background::run(move || {
            self.run();
            background::nearly_done();
            turn.end(Ok(()), turn.begin() + self.cycles);
        });
    }

    fn skip(&self, _stream: &Stream) {}

    fn touches(&self, start: u64, bytes: u64) -> bool {
        let near = |at: u64| at < start + bytes && start < at + self.bytes;
        near(self.dst) || near(self.src)
    }

    fn spans(&self) -> Vec<Span> {
        let ranges = [(self.src, Use::Read), (self.dst, Use::Write)];
        ranges.map(|(at, usage)| Span::new(at, self.bytes, usage)).into()
    }

    fn doing(&self) -> String {
        format!("it reduces {} bytes", self.bytes)
    }
}
