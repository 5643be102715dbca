//! Exponential and logarithm of f32, computed in f64 without branches, so that loops over them become vector code.
//!
//! The f64 result is off by less than 2⁻⁴⁰ of itself and is rounded to f32 once: the f32 is correctly rounded but for arguments
//! whose true result lies that close to the middle of two neighbours, and never further than the next one. Multiplications and
//! additions are not fused, so every machine computes the same bits.

/// ln 2, log₂ e and the number whose addition leaves the nearest integer in the low bits of a small f64.
const LN_2: f64 = std::f64::consts::LN_2;
const LOG2_E: f64 = std::f64::consts::LOG2_E;
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// 1/n! for the Taylor series of eʳ, |r| ≤ ln 2 / 2.
const EXP_TERMS: [f64; 11] = [
    1.0,
    1.0,
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
];

/// 1/(2n+1) for the series of the inverse hyperbolic tangent.
const ATANH_TERMS: [f64; 9] =
    [1.0, 1.0 / 3.0, 1.0 / 5.0, 1.0 / 7.0, 1.0 / 9.0, 1.0 / 11.0, 1.0 / 13.0, 1.0 / 15.0, 1.0 / 17.0];

#[inline(always)]
fn series<const N: usize>(terms: &[f64; N], x: f64) -> f64 {
    let mut sum = terms[N - 1];
    for i in (0..N - 1).rev() {
        sum = sum * x + terms[i];
    }
    sum
}

/// eˣ. NaN for NaN, ∞ above the range, subnormal results and 0 below it.
#[inline(always)]
pub(super) fn exp(x: f32) -> f32 {
    // Beyond these the f32 result is ∞ or 0 anyway; NaN passes both comparisons.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -104.0 { -104.0 } else { x };
    let x = f64::from(x);
    let shifted = x * LOG2_E + ROUNDER;
    let exponent = shifted.to_bits();
    let r = x - (shifted - ROUNDER) * LN_2;
    let power = f64::from_bits(exponent.wrapping_add(1023) << 52);
    (series(&EXP_TERMS, r) * power) as f32
}

/// Natural logarithm. NaN for NaN and negative numbers, −∞ for zeros, ∞ for ∞.
#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    const FRACTION: u64 = (1 << 52) - 1;
    const SQRT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let wide = f64::from(x).to_bits();
    // x = m · 2ᵉ with m from √½ to √2.
    let shifted = wide.wrapping_sub(SQRT_HALF);
    let e = ((shifted as i64) >> 52) as u64;
    let m = f64::from_bits((shifted & FRACTION).wrapping_add(SQRT_HALF));
    let e = f64::from_bits(e.wrapping_add(ROUNDER.to_bits())) - ROUNDER;
    let s = (m - 1.0) / (m + 1.0);
    let ln_m = 2.0 * s * series(&ATANH_TERMS, s * s);
    let finite = (e * LN_2 + ln_m) as f32;
    let positive = if x == f32::INFINITY { x } else { finite };
    let signed = if x < 0.0 { f32::NAN } else { positive };
    let zero = if x == 0.0 { f32::NEG_INFINITY } else { signed };
    if x.is_nan() { f32::NAN } else { zero }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(got: f32, want: f32) -> bool {
        got.is_nan() && want.is_nan() || got.to_bits() == want.to_bits()
    }

    /// Every 4093rd number of the whole range, and the edges: one neighbour at most, and nearly always the rounded true value.
    fn compare(ours: fn(f32) -> f32, true_value: fn(f64) -> f64) {
        let (mut off, mut all) = (0u32, 0u32);
        let edges = [0u32, 0x8000_0000, 1, 0x007f_ffff, 0x3f80_0000, 0x3f80_0001, 0x3f7f_ffff, 0x7f80_0000];
        for bits in (0..=u32::MAX).step_by(4093).chain(edges).chain([0xff80_0000, 0x7fc0_0000, 0x42b1_7217]) {
            let x = f32::from_bits(bits);
            let (got, want) = (ours(x), true_value(f64::from(x)) as f32);
            all += 1;
            if !same(got, want) {
                off += 1;
                assert!(got.to_bits().abs_diff(want.to_bits()) <= 1, "{x:e}: {got:e} for {want:e}");
            }
        }
        assert!(off * 100_000 <= all, "{off} of {all} are not correctly rounded");
    }

    #[test]
    fn exponentials_are_rounded_once() {
        compare(exp, libm::exp);
    }

    #[test]
    fn logarithms_are_rounded_once() {
        compare(ln, libm::log);
    }
}
