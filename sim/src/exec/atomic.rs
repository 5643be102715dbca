//! Atomic copies to GM: every element is one read-modify-write.
//!
//! The type and the operation come from CTRL\[8:6\] and CTRL\[10:9\], the arithmetic from the vector instruction
//! of the same name: half and bfloat16 are rounded once, integers wrap or clamp by CTRL\[48\], max and min
//! propagate NaN. Each element is one compare-exchange, so cores on other threads never lose an update;
//! the order between cores is free, as on the hardware, so float sums need not be reproducible there.
//!
//! Unsafe room: atomics on raw device memory.
#![allow(unsafe_code)]

use super::access::{BurstShape, Shape};
use super::lane::LaneFn;
use super::{Decoded, Env, PipeState, table};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering};
use toprope_abi::isa::{BinaryFn, DType};

/// Element types by CTRL\[8:6\] − 1.
const TYPES: [DType; 6] = [DType::F32, DType::F16, DType::S16, DType::S32, DType::S8, DType::Bf16];
/// Operations by CTRL\[10:9\].
const OPERATIONS: [BinaryFn; 3] = [BinaryFn::Add, BinaryFn::Max, BinaryFn::Min];

/// Type and operation of CTRL\[10:6\]; `None` if there is no such atomic.
fn parts(atomic: u8) -> Option<(usize, usize)> {
    let (dtype, operation) = ((usize::from(atomic) & 7).wrapping_sub(1), usize::from(atomic) >> 3);
    (dtype < TYPES.len() && operation < OPERATIONS.len()).then_some((dtype, operation))
}

/// Element size in bytes of an atomic (CTRL\[10:6\]); `None` if there is no such atomic.
pub(super) fn element_bytes(atomic: u8) -> Option<u32> {
    parts(atomic).map(|(dtype, _)| TYPES[dtype].bits() / 8)
}

/// Lane function of an atomic, `clamp`: saturation mode.
fn lane(atomic: u8, clamp: bool) -> Option<LaneFn> {
    static TABLE: OnceLock<Vec<Option<[LaneFn; 2]>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let all = TYPES.iter().flat_map(|t| OPERATIONS.iter().map(|f| (*f, *t)));
        all.map(|(f, t)| table::binary(f, t, false)).collect()
    });
    let (dtype, operation) = parts(atomic)?;
    table[dtype * OPERATIONS.len() + operation].map(|l| l[usize::from(!clamp)])
}

/// UB → GM with atomics.
///
/// # Safety
/// As [`super::execute`]; the destination of every burst must be aligned to the element size of the atomic
/// (the access says so).
pub(super) unsafe fn copy(d: &Decoded, _: &mut PipeState) {
    let (Shape::Bursts(to), Shape::Bursts(from)) = (d.accesses[0].shape, d.accesses[1].shape) else {
        unreachable!("copies have burst shapes")
    };
    let Some(lane) = lane(d.env.atomic, d.env.clamp) else { unreachable!("decoded atomics exist") };
    let Some(bytes) = element_bytes(d.env.atomic) else { unreachable!("decoded atomics exist") };
    let at = |i: usize, s: &BurstShape, burst: u32, offset: u32| {
        ptr::with_exposed_provenance_mut::<u8>(
            (d.accesses[i].addr + s.burst(burst).start + u64::from(offset)) as usize,
        )
    };
    for burst in 0..to.count {
        for offset in (0..to.len_bytes).step_by(bytes as usize) {
            // SAFETY: the element is inside the checked footprint on both sides.
            unsafe { update(at(0, &to, burst, offset), at(1, &from, burst, offset), bytes, lane) };
        }
    }
}

/// Read-modify-writes of the elements in `bytes` (as the atomic type says), in ascending order.
///
/// # Safety
/// `to` must be valid for as many bytes and aligned to the element size.
pub(super) unsafe fn update_all(atomic: u8, clamp: bool, bytes: &[u8], to: *mut u8) {
    let Some(lane) = lane(atomic, clamp) else { unreachable!("decoded atomics exist") };
    let Some(size) = element_bytes(atomic) else { unreachable!("decoded atomics exist") };
    for (i, element) in bytes.chunks_exact(size as usize).enumerate() {
        // SAFETY: the element is inside what the caller vouches for.
        unsafe { update(to.wrapping_add(i * size as usize), element.as_ptr(), size, lane) };
    }
}

/// One read-modify-write.
///
/// # Safety
/// `to` and `from` must be valid for `bytes` bytes, `to` aligned to it.
unsafe fn update(to: *mut u8, from: *const u8, bytes: u32, lane: LaneFn) {
    let apply = |old: [u8; 4]| {
        let mut new = [0u8; 4];
        // SAFETY: one element; `old` and `new` hold any element, `from` by contract.
        unsafe { lane(new.as_mut_ptr(), old.as_ptr(), from, 1, &Env::default()) };
        new
    };
    macro_rules! exchange {
        ($atomic:ty, $raw:ty) => {{
            // SAFETY: valid and aligned by contract; only atomics touch it from here.
            let cell = unsafe { <$atomic>::from_ptr(to.cast()) };
            let _ = cell.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| {
                let mut wide = [0u8; 4];
                wide[..size_of::<$raw>()].copy_from_slice(&old.to_le_bytes());
                Some(u32::from_le_bytes(apply(wide)) as $raw)
            });
        }};
    }
    match bytes {
        1 => exchange!(AtomicU8, u8),
        2 => exchange!(AtomicU16, u16),
        _ => exchange!(AtomicU32, u32),
    }
}
