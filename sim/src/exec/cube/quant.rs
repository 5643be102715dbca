//! Arithmetic of Fixpipe: quantisation and ReLU of one element.
//!
//! A parameter is a word of 64 bits: `[31:0]` factor, a float of which 10 fraction bits count; `[35:32]` shift − 1; `[36]` shift on;
//! `[45:37]` offset, 9 bits, signed; `[46]` the result is signed.
//!
//! - int32 → half: the integer (shifted right and clamped to 16 bits if the shift is on) becomes a float, times the factor, rounded to half.
//! - int32, float → 8 bits: the product is rounded to an integer (ties to even), clamped to −256..255, the offset is added, and the sum is
//!   clamped to int8 or uint8, as the sign bit says. The shift is for int32 only.
//! - ReLU makes everything that is not above 0 to +0 (NaN stays); it takes the place of the factor of negative values.
//! - half and bfloat16 results follow CTRL\[48\].

use super::super::lane::settle_f16;
use super::super::number::{Integer, integral, mode};
use toprope_abi::isa::DType;

/// A quantisation parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Parameter {
    factor: f32,
    /// Bits to shift an int32 right.
    shift: Option<u32>,
    offset: i32,
    signed: bool,
}

/// Fraction bits of a factor that do not count.
const FACTOR_DROPPED_BITS: u32 = 13;

impl Parameter {
    /// The parameter in a word.
    pub(super) fn new(word: u64) -> Parameter {
        let offset = ((word >> 37) & 0x1ff) as i32;
        let offset = if offset >= 256 { offset - 512 } else { offset };
        Parameter {
            factor: f32::from_bits(word as u32 >> FACTOR_DROPPED_BITS << FACTOR_DROPPED_BITS),
            shift: ((word >> 36) & 1 == 1).then_some(((word >> 32) & 15) as u32 + 1),
            offset,
            signed: (word >> 46) & 1 == 1,
        }
    }
}

/// Bits of the factor of a word, if it is one that is not allowed: infinity, NaN, subnormal.
pub(super) fn bad_factor(word: u64) -> Option<u32> {
    let bits = word as u32;
    let exponent = (bits >> 23) & 0xff;
    (exponent == 0xff || (exponent == 0 && bits & 0x7f_ffff != 0)).then_some(bits)
}

/// ReLU of an int32 or a float.
#[inline(always)]
pub(super) fn relu(t: DType, bits: u32) -> u32 {
    if t == DType::S32 {
        return (bits as i32).max(0) as u32;
    }
    let x = f32::from_bits(bits);
    if x <= 0.0 { 0 } else { bits }
}

/// The product of an element of L0C with a factor; 0 for what ReLU takes away.
#[inline(always)]
fn product(t: DType, bits: u32, p: &Parameter, relu: bool) -> f32 {
    let x = if t == DType::S32 {
        match p.shift {
            Some(shift) => ((bits as i32) >> shift.min(31)).clamp(-32768, 32767) as f32,
            None => bits as i32 as f32,
        }
    } else {
        f32::from_bits(bits)
    };
    if relu && x <= 0.0 { 0.0 } else { x * p.factor }
}

/// int32 → half.
#[inline(always)]
pub(super) fn to_half(bits: u32, p: &Parameter, relu: bool, clamp: bool) -> u16 {
    let rounded = half::f16::from_f32_const(product(DType::S32, bits, p, relu)).to_bits();
    if clamp { settle_f16::<true>(rounded) } else { settle_f16::<false>(rounded) }
}

/// int32 or float → int8 or uint8.
#[inline(always)]
pub(super) fn to_byte(t: DType, bits: u32, p: &Parameter, relu: bool) -> u8 {
    let rounded = integral::<{ mode::RINT }>(product(t, bits, p, relu));
    // NaN becomes 0.
    let nine_bits = i32::from(<i16 as Integer>::from_integral::<true>(rounded)).clamp(-256, 255);
    let sum = nine_bits + p.offset;
    if p.signed { sum.clamp(-128, 127) as i8 as u8 } else { sum.clamp(0, 255) as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_word() {
        let word = u64::from(1.5f32.to_bits()) | 3 << 32 | 1 << 36 | 0x1ff << 37 | 1 << 46;
        assert_eq!(Parameter::new(word), Parameter { factor: 1.5, shift: Some(4), offset: -1, signed: true });
        assert_eq!(Parameter::new(0x3f80_1fff).factor, 1.0, "13 bits do not count");
        assert_eq!(bad_factor(0x3f80_1fff), None);
        assert_eq!(bad_factor(0), None);
        assert!(bad_factor(0x7f80_0000).is_some() && bad_factor(1).is_some());
    }
}
