//! Kernels with AVX2 + FMA + F16C, and with AVX-512.
//!
//! Unsafe room: CPU intrinsics, raw loads and stores on checked footprints.
#![allow(unsafe_code)]
// A kernel is a run of intrinsics on one tile; a SAFETY comment per load would say the same thing every time.
#![allow(clippy::multiple_unsafe_ops_per_block)]
// Loops over constant bounds that index several arrays: written so that they unroll into registers.
#![allow(clippy::needless_range_loop)]

use super::plain::{self, Element};
use super::{CELL, FRACTAL_BYTES, GROUPS, Start, Tile};
use std::arch::x86_64::*;

/// What a machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Isa {
    Avx2,
    Avx512,
}

/// The best this machine has; `None`: plain code.
pub(in super::super) fn best() -> Option<Isa> {
    let avx2 = std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("fma")
        && std::is_x86_feature_detected!("f16c");
    match avx2 {
        true if std::is_x86_feature_detected!("avx512f") => Some(Isa::Avx512),
        true => Some(Isa::Avx2),
        false => None,
    }
}

/// How eight elements become eight floats.
pub(in super::super) trait Load8: Element {
    /// # Safety
    /// Eight elements must be readable; the machine must have AVX2 and F16C.
    unsafe fn load8(from: *const u8) -> __m256;
}

impl Load8 for plain::Half {
    #[inline(always)]
    unsafe fn load8(from: *const u8) -> __m256 {
        // SAFETY: by contract.
        unsafe { _mm256_cvtph_ps(_mm_loadu_si128(from.cast())) }
    }
}

impl Load8 for plain::Brain {
    #[inline(always)]
    unsafe fn load8(from: *const u8) -> __m256 {
        // SAFETY: by contract.
        unsafe {
            let wide = _mm256_cvtepu16_epi32(_mm_loadu_si128(from.cast()));
            _mm256_castsi256_ps(_mm256_slli_epi32::<16>(wide))
        }
    }
}

impl Load8 for plain::Single {
    #[inline(always)]
    unsafe fn load8(from: *const u8) -> __m256 {
        // SAFETY: by contract.
        unsafe { _mm256_loadu_ps(from.cast()) }
    }
}

impl<const TO_ZERO: bool> Load8 for plain::Hf32<TO_ZERO> {
    #[inline(always)]
    unsafe fn load8(from: *const u8) -> __m256 {
        // SAFETY: by contract; eight words.
        let words: [u32; 8] = unsafe { std::ptr::read_unaligned(from.cast()) };
        let rounded = words.map(plain::hf32::<TO_ZERO>);
        // SAFETY: eight words.
        unsafe { _mm256_loadu_ps(rounded.as_ptr().cast()) }
    }
}

/// # Safety
/// As [`plain::widen`], and the machine must have AVX2 and F16C.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn widen<E: Load8>(from: *const u8, to: *mut u32, count: usize) {
    let mut i = 0;
    while i + 8 <= count {
        // SAFETY: by contract.
        unsafe { _mm256_storeu_ps(to.add(i).cast(), E::load8(from.add(i * E::BITS / 8))) };
        i += 8;
    }
    // SAFETY: by contract.
    unsafe { plain::widen::<E>(from.add(i * E::BITS / 8), to.add(i), count - i) };
}

#[inline(always)]
unsafe fn transpose8(r: [__m256; 8]) -> [__m256; 8] {
    // SAFETY: registers only; the caller vouches for AVX.
    unsafe {
        let (a0, a1) = (_mm256_unpacklo_ps(r[0], r[1]), _mm256_unpackhi_ps(r[0], r[1]));
        let (a2, a3) = (_mm256_unpacklo_ps(r[2], r[3]), _mm256_unpackhi_ps(r[2], r[3]));
        let (a4, a5) = (_mm256_unpacklo_ps(r[4], r[5]), _mm256_unpackhi_ps(r[4], r[5]));
        let (a6, a7) = (_mm256_unpacklo_ps(r[6], r[7]), _mm256_unpackhi_ps(r[6], r[7]));
        let (b0, b1) = (_mm256_shuffle_ps::<0x44>(a0, a2), _mm256_shuffle_ps::<0xee>(a0, a2));
        let (b2, b3) = (_mm256_shuffle_ps::<0x44>(a1, a3), _mm256_shuffle_ps::<0xee>(a1, a3));
        let (b4, b5) = (_mm256_shuffle_ps::<0x44>(a4, a6), _mm256_shuffle_ps::<0xee>(a4, a6));
        let (b6, b7) = (_mm256_shuffle_ps::<0x44>(a5, a7), _mm256_shuffle_ps::<0xee>(a5, a7));
        [
            _mm256_permute2f128_ps::<0x20>(b0, b4),
            _mm256_permute2f128_ps::<0x20>(b1, b5),
            _mm256_permute2f128_ps::<0x20>(b2, b6),
            _mm256_permute2f128_ps::<0x20>(b3, b7),
            _mm256_permute2f128_ps::<0x31>(b0, b4),
            _mm256_permute2f128_ps::<0x31>(b1, b5),
            _mm256_permute2f128_ps::<0x31>(b2, b6),
            _mm256_permute2f128_ps::<0x31>(b3, b7),
        ]
    }
}

/// # Safety
/// As [`plain::pack`], and the machine must have AVX2 and F16C.
#[target_feature(enable = "avx2,f16c")]
pub(in super::super) unsafe fn pack<E: Load8>(from: *const u8, to: *mut u32, row: usize) {
    let column_bytes = FRACTAL_BYTES / CELL;
    let k0 = column_bytes * 8 / E::BITS;
    for k in (0..k0).step_by(8) {
        for half in 0..2 {
            let column = |i: usize| from.wrapping_add((half * 8 + i) * column_bytes + k * E::BITS / 8);
            let mut rows = [_mm256_setzero_ps(); 8];
            for (i, r) in rows.iter_mut().enumerate() {
                // SAFETY: eight elements of a column of the fractal.
                *r = unsafe { E::load8(column(i)) };
            }
            // SAFETY: AVX by contract.
            let turned = unsafe { transpose8(rows) };
            for (i, r) in turned.iter().enumerate() {
                // SAFETY: half of row `k + i` of the panel.
                unsafe { _mm256_storeu_ps(to.wrapping_add((k + i) * row + half * 8).cast(), *r) };
            }
        }
    }
}

/// Floats of a row of C to begin with.
#[inline(always)]
unsafe fn begin512(t: &Tile, r: usize, g: usize) -> __m512 {
    // SAFETY: 16 columns of row `r` of C, or of the row it starts from.
    unsafe {
        match t.start {
            Start::Zero => _mm512_setzero_ps(),
            Start::Keep => _mm512_loadu_ps(t.c.add(g * t.c_group + r * CELL).cast()),
            Start::Row(row) => _mm512_loadu_ps(row.add(g * CELL).cast()),
        }
    }
}

/// # Safety
/// The tile's rows, columns and depth must be valid; rows of A are `A` words apart; the machine must have AVX-512.
#[target_feature(enable = "avx512f")]
unsafe fn tile512<const R: usize, const G: usize, const A: usize>(t: &Tile) {
    // SAFETY: by contract: A has R rows and k columns, the panel k rows, C R rows of G groups.
    unsafe {
        let mut acc = [[_mm512_setzero_ps(); GROUPS]; R];
        for r in 0..R {
            for g in 0..G {
                acc[r][g] = begin512(t, r, g);
            }
        }
        let (mut a, mut b, mut left) = (t.a.cast::<f32>(), t.b.cast::<f32>(), t.k);
        while left > 0 {
            let depth = t.k0.min(left);
            for k in 0..depth {
                let mut row = [_mm512_setzero_ps(); GROUPS];
                for g in 0..G {
                    row[g] = _mm512_loadu_ps(b.add(g * CELL));
                }
                for r in 0..R {
                    let x = _mm512_set1_ps(*a.add(r * A + k));
                    for g in 0..G {
                        acc[r][g] = _mm512_fmadd_ps(x, row[g], acc[r][g]);
                    }
                }
                b = b.add(G * CELL);
            }
            a = a.wrapping_add(t.a_step);
            left -= depth;
        }
        for r in 0..R {
            for g in 0..G {
                let c = t.c.add(g * t.c_group + r * CELL).cast::<f32>();
                let x = acc[r][g];
                let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(x, x);
                if t.clamp {
                    settle_row(x, c);
                } else {
                    _mm512_storeu_ps(c, _mm512_mask_mov_ps(x, nan, _mm512_set1_ps(f32::NAN)));
                }
            }
        }
    }
}

/// Saturation mode, which is rare: element by element.
///
/// # Safety
/// `to` must be writable for 16 floats.
#[cold]
#[target_feature(enable = "avx512f")]
unsafe fn settle_row(x: __m512, to: *mut f32) {
    // SAFETY: by contract.
    unsafe { _mm512_storeu_ps(to, x) };
    // SAFETY: by contract.
    unsafe { settle_words(to.cast(), CELL) };
}

/// # Safety
/// `to` must be writable for `n` words.
unsafe fn settle_words(to: *mut u32, n: usize) {
    for i in 0..n {
        // SAFETY: by contract.
        unsafe { *to.add(i) = plain::settle::<true>(*to.add(i)) };
    }
}

/// # Safety
/// As [`tile512`], with AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
unsafe fn tile256<const R: usize, const A: usize>(t: &Tile) {
    // SAFETY: by contract: A has R rows and k columns, the panel k rows, C R rows of one group.
    unsafe {
        for g in 0..t.groups {
            let mut acc = [[_mm256_setzero_ps(); 2]; R];
            for r in 0..R {
                for h in 0..2 {
                    acc[r][h] = match t.start {
                        Start::Zero => _mm256_setzero_ps(),
                        Start::Keep => _mm256_loadu_ps(t.c.add(g * t.c_group + r * CELL + h * 8).cast()),
                        Start::Row(row) => _mm256_loadu_ps(row.add(g * CELL + h * 8).cast()),
                    };
                }
            }
            let mut b = t.b.cast::<f32>().add(g * CELL);
            let (mut a, mut left) = (t.a.cast::<f32>(), t.k);
            while left > 0 {
                let depth = t.k0.min(left);
                for k in 0..depth {
                    let row = [_mm256_loadu_ps(b), _mm256_loadu_ps(b.add(8))];
                    for r in 0..R {
                        let x = _mm256_set1_ps(*a.add(r * A + k));
                        for h in 0..2 {
                            acc[r][h] = _mm256_fmadd_ps(x, row[h], acc[r][h]);
                        }
                    }
                    b = b.wrapping_add(t.groups * CELL);
                }
                a = a.wrapping_add(t.a_step);
                left -= depth;
            }
            for r in 0..R {
                for h in 0..2 {
                    let c = t.c.add(g * t.c_group + r * CELL + h * 8).cast::<f32>();
                    let x = acc[r][h];
                    let nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(x, x);
                    if t.clamp {
                        _mm256_storeu_ps(c, x);
                        settle_words(c.cast(), 8);
                    } else {
                        _mm256_storeu_ps(c, _mm256_blendv_ps(x, _mm256_set1_ps(f32::NAN), nan));
                    }
                }
            }
        }
    }
}

macro_rules! tiles {
    ($name:ident, $f:ident, $a:literal, two: $($rows:literal)*) => {
        /// # Safety
        /// As the tile function it chooses.
        pub(in super::super) unsafe fn $name(t: &Tile) {
            match (t.rows, t.groups) {
                // SAFETY: the caller's contract.
                $(($rows, 1) => unsafe { $f::<$rows, 1, $a>(t) },
                // SAFETY: the caller's contract.
                ($rows, 2) => unsafe { $f::<$rows, 2, $a>(t) },)*
                _ => unreachable!("tiles have the kernel's rows and one or two groups"),
            }
        }
    };
    ($name:ident, $f:ident, $a:literal, one: $($rows:literal)*) => {
        /// # Safety
        /// As the tile function it chooses.
        pub(in super::super) unsafe fn $name(t: &Tile) {
            match t.rows {
                // SAFETY: the caller's contract.
                $($rows => unsafe { $f::<$rows, $a>(t) },)*
                _ => unreachable!("tiles have the kernel's rows"),
            }
        }
    };
}

pub(in super::super) const ROWS_512: usize = 8;
pub(in super::super) const ROWS_256: usize = 6;

tiles!(tile512_16, tile512, 16, two: 1 2 3 4 5 6 7 8);
tiles!(tile512_8, tile512, 8, two: 1 2 3 4 5 6 7 8);
tiles!(tile256_16, tile256, 16, one: 1 2 3 4 5 6);
tiles!(tile256_8, tile256, 8, one: 1 2 3 4 5 6);

macro_rules! integers {
    ($name:ident, $features:literal) => {
        /// # Safety
        /// As [`plain::tile_integer`], and the machine must have the features.
        #[target_feature(enable = $features)]
        unsafe fn $name<const R: usize, const G: usize>(t: &Tile) {
            // SAFETY: the caller's contract.
            unsafe { plain::tile_i::<R, G>(t) }
        }
    };
}
integers!(integer512, "avx512f");
integers!(integer256, "avx2");

/// # Safety
/// As [`plain::tile_integer`], and the machine must have AVX-512.
pub(in super::super) unsafe fn tile_integer512(t: &Tile) {
    by_size!(t, integer512, 1 2 3 4);
}

/// # Safety
/// As [`plain::tile_integer`], and the machine must have AVX2.
pub(in super::super) unsafe fn tile_integer256(t: &Tile) {
    by_size!(t, integer256, 1 2 3 4);
}
