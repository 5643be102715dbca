//! Copies of large blocks past the caches.
//!
//! `memcpy` decides by the length of one call whether to bypass the caches; a job that is cut into pieces would stay
//! below that limit and pay for reading the destination first. Here the caller decides. x86-64 only; elsewhere this is
//! `memcpy`.
#![allow(unsafe_code)] // vector loads and stores through raw pointers.

/// Copies `bytes` from `src` to `dst` without keeping them in the caches.
///
/// # Safety
/// - `src..src + bytes` is readable and `dst..dst + bytes` writable memory; the ranges do not overlap.
/// - No Rust reference to either is live.
#[cfg(target_arch = "x86_64")]
pub unsafe fn copy(dst: *mut u8, src: *const u8, bytes: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    const STEP: usize = 64;
    let head = dst.align_offset(STEP).min(bytes);
    // SAFETY: `head` <= `bytes`; both ranges are valid (contract).
    unsafe { std::ptr::copy_nonoverlapping(src, dst, head) };
    let mut at = head;
    while at + STEP <= bytes {
        for lane in (at..at + STEP).step_by(16) {
            // SAFETY: `lane + 16` <= `bytes`, so this is inside the source.
            let from = unsafe { src.add(lane) }.cast::<__m128i>();
            // SAFETY: as above, inside the destination.
            let to = unsafe { dst.add(lane) }.cast::<__m128i>();
            // SAFETY: 16 readable bytes; the load needs no alignment.
            let value = unsafe { _mm_loadu_si128(from) };
            // SAFETY: 16 writable bytes, aligned to 16 because `dst + head` is aligned to 64.
            unsafe { _mm_stream_si128(to, value) };
        }
        at += STEP;
    }
    // The stores above are weakly ordered; whoever is told that the copy is done must see them.
    // SAFETY: SSE is part of x86-64.
    unsafe { _mm_sfence() };
    // SAFETY: `at` <= `bytes`.
    let from = unsafe { src.add(at) };
    // SAFETY: as above.
    let to = unsafe { dst.add(at) };
    // SAFETY: the rest of both ranges.
    unsafe { std::ptr::copy_nonoverlapping(from, to, bytes - at) };
}

/// Copies `bytes` from `src` to `dst`.
///
/// # Safety
/// - `src..src + bytes` is readable and `dst..dst + bytes` writable memory; the ranges do not overlap.
/// - No Rust reference to either is live.
#[cfg(not(target_arch = "x86_64"))]
pub unsafe fn copy(dst: *mut u8, src: *const u8, bytes: usize) {
    // SAFETY: the same contract.
    unsafe { std::ptr::copy_nonoverlapping(src, dst, bytes) };
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_alignment_and_length() {
        let src: Vec<u8> = (0..400).map(|i| i as u8).collect();
        for (from, to, bytes) in (0..20).flat_map(|a| (0..20).map(move |b| (a, b, 7 * a + 11 * b))) {
            let mut dst = vec![0xeeu8; 500];
            let (source, target) = (&src[from..from + bytes], &mut dst[to..to + bytes]);
            // SAFETY: two slices of that length in different vectors.
            unsafe { super::copy(target.as_mut_ptr(), source.as_ptr(), bytes) };
            assert!(dst[to..to + bytes] == src[from..from + bytes]);
            assert!(dst[..to].iter().chain(&dst[to + bytes..]).all(|b| *b == 0xee));
        }
    }
}
