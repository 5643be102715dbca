//! The naive reference: one element at a time, exact arithmetic, rounding by looking for neighbours.

use std::sync::OnceLock;
use toprope_abi::isa::{BinaryFn, DType, Kind, OpRow, RoundMode, ScalarFn, UnaryFn};

/// Modes that change results.
#[derive(Clone, Copy, Debug)]
pub struct Modes {
    /// CTRL[48] = 0.
    pub saturate: bool,
    /// CTRL[59] = 1.
    pub truncate: bool,
    /// Dequantisation scale (half bits).
    pub deq_scale: u64,
}

/// Units in the last place by which a row may differ from the reference, with the reason.
pub fn tolerance(row: &OpRow) -> i64 {
    match row.kind {
        // The reference rounds an f64 result of the platform's libm once, the simulator one of another libm,
        // for half through f32.
        Kind::Unary(UnaryFn::Exp | UnaryFn::Ln | UnaryFn::Rsqrt) => 1,
        _ => 0,
    }
}

/// Exact value of an element; integers too (they fit f64 except int64, which has its own path).
pub fn value(t: DType, bits: u64) -> f64 {
    match t {
        DType::F32 => f64::from(f32::from_bits(bits as u32)),
        DType::F16 => small_float(bits, 5, 10),
        DType::Bf16 => small_float(bits, 8, 7),
        _ => integer(t, bits) as f64,
    }
}

/// A float of `e` exponent bits and `m` fraction bits, by the textbook formula.
fn small_float(bits: u64, e: i32, m: i32) -> f64 {
    let sign = if bits >> (e + m) & 1 == 1 { -1.0 } else { 1.0 };
    let exponent = (bits >> m) as i32 & ((1 << e) - 1);
    let fraction = (bits & ((1 << m) - 1)) as f64 / 2f64.powi(m);
    let bias = (1 << (e - 1)) - 1;
    if exponent == (1 << e) - 1 {
        return if fraction == 0.0 { sign * f64::INFINITY } else { f64::NAN };
    }
    if exponent == 0 {
        return sign * fraction * 2f64.powi(1 - bias);
    }
    sign * (1.0 + fraction) * 2f64.powi(exponent - bias)
}

pub fn integer(t: DType, bits: u64) -> i128 {
    let width = t.bits();
    let x = i128::from(bits) & ((1i128 << width) - 1);
    if is_signed(t) && x >> (width - 1) & 1 == 1 { x - (1i128 << width) } else { x }
}

fn is_signed(t: DType) -> bool {
    matches!(t, DType::S4 | DType::S8 | DType::S16 | DType::S32 | DType::S64)
}

fn range(t: DType) -> (i128, i128) {
    let w = t.bits();
    if is_signed(t) { (-(1i128 << (w - 1)), (1i128 << (w - 1)) - 1) } else { (0, (1i128 << w) - 1) }
}

fn bits_of_integer(t: DType, x: i128) -> u64 {
    (x & ((1i128 << t.bits()) - 1)) as u64
}

fn store_integer(t: DType, x: i128, clamp: bool) -> u64 {
    let (lo, hi) = range(t);
    bits_of_integer(t, if clamp { x.clamp(lo, hi) } else { x })
}

/// All finite non-negative values of a 16-bit float, ascending by bits, and the value after the last.
fn table(t: DType) -> &'static [f64] {
    static HALF: OnceLock<Vec<f64>> = OnceLock::new();
    static BRAIN: OnceLock<Vec<f64>> = OnceLock::new();
    let (cell, infinity, after) = match t {
        DType::F16 => (&HALF, 0x7c00, 65536.0),
        _ => (&BRAIN, 0x7f80, 2f64.powi(128)),
    };
    cell.get_or_init(|| (0..infinity).map(|b| value(t, b)).chain([after]).collect())
}

/// Rounds the magnitude `x`, which lies in `lo..=hi`, to one of them; returns whether it is `hi`.
fn choose_upper(x: f64, lo: f64, hi: f64, lo_is_odd: bool, negative: bool, mode: RoundMode) -> bool {
    if x == lo {
        return false;
    }
    let middle = lo + (hi - lo) / 2.0;
    match mode {
        RoundMode::None | RoundMode::Rint => x > middle || (x == middle && lo_is_odd),
        RoundMode::Round => x >= middle,
        RoundMode::Floor => negative,
        RoundMode::Ceil => !negative,
        RoundMode::Trunc => false,
        RoundMode::Odd => !lo_is_odd,
    }
}

/// Rounds `x` to a 16-bit float by looking it up among all values.
fn store_short_float(t: DType, x: f64, mode: RoundMode, saturate: bool) -> u64 {
    let values = table(t);
    let infinity = values.len() as u64 - 1;
    if x.is_nan() {
        return if saturate { 0 } else { infinity | nan_bit(t) };
    }
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = x.abs();
    let mut bits = if magnitude >= values[infinity as usize] {
        infinity
    } else {
        let lo = values.partition_point(|v| *v <= magnitude) - 1;
        let up = choose_upper(magnitude, values[lo], values[lo + 1], lo % 2 == 1, sign != 0, mode);
        lo as u64 + u64::from(up)
    };
    if saturate && bits == infinity {
        bits -= 1;
    }
    sign | bits
}

fn nan_bit(t: DType) -> u64 {
    if t == DType::F16 { 0x0200 } else { 0x0040 }
}

fn store_float(x: f32) -> u64 {
    if x.is_nan() { 0x7fc0_0000 } else { u64::from(x.to_bits()) }
}

/// Stores the exact (or f64-rounded) result of an arithmetic operation.
fn store(t: DType, x: f64, saturate: bool) -> u64 {
    match t {
        // 53 bits are enough that rounding twice is rounding once for + − × ÷ √.
        DType::F32 => store_float(x as f32),
        _ => store_short_float(t, x, RoundMode::Rint, saturate),
    }
}

fn is_float(t: DType) -> bool {
    matches!(t, DType::F16 | DType::Bf16 | DType::F32)
}

/// A two-operand function on elements.
pub fn binary(f: BinaryFn, t: DType, a: u64, b: u64, saturate: bool) -> u64 {
    if !is_float(t) {
        let (x, y) = (integer(t, a), integer(t, b));
        let r = match f {
            BinaryFn::Add => x + y,
            BinaryFn::Sub => x - y,
            BinaryFn::Mul => x * y,
            BinaryFn::Max => x.max(y),
            BinaryFn::Min => x.min(y),
            BinaryFn::And => x & y,
            BinaryFn::Or => x | y,
            BinaryFn::Div => panic!("no integer division"),
        };
        return store_integer(t, r, saturate);
    }
    let (x, y) = (value(t, a), value(t, b));
    let r = match f {
        BinaryFn::Add => x + y,
        BinaryFn::Sub => x - y,
        BinaryFn::Mul => x * y,
        BinaryFn::Div => x / y,
        _ if x.is_nan() || y.is_nan() => f64::NAN,
        // total_cmp orders −0 below +0.
        BinaryFn::Max => std::cmp::max_by(x, y, f64::total_cmp),
        BinaryFn::Min => std::cmp::min_by(x, y, f64::total_cmp),
        BinaryFn::And | BinaryFn::Or => panic!("no bitwise operations on floats"),
    };
    store(t, r, saturate)
}

fn scalar(f: ScalarFn, t: DType, a: u64, s: u64, saturate: bool) -> u64 {
    let x = if is_float(t) { 0 } else { integer(t, a) };
    match f {
        ScalarFn::Adds => binary(BinaryFn::Add, t, a, s, saturate),
        ScalarFn::Muls => binary(BinaryFn::Mul, t, a, s, saturate),
        ScalarFn::Maxs => binary(BinaryFn::Max, t, a, s, saturate),
        ScalarFn::Mins => binary(BinaryFn::Min, t, a, s, saturate),
        ScalarFn::LeakyRelu if value(t, a).is_sign_negative() => binary(BinaryFn::Mul, t, a, s, saturate),
        ScalarFn::LeakyRelu => store(t, value(t, a), saturate),
        ScalarFn::ShiftRight => bits_of_integer(t, x.div_euclid(1 << s)),
        ScalarFn::ShiftLeft if is_signed(t) => {
            // The sign bit stays, the others move up and fall out below it.
            let sign = 1i128 << (t.bits() - 1);
            bits_of_integer(t, ((x << s) & (sign - 1)) | (x & sign))
        }
        ScalarFn::ShiftLeft => bits_of_integer(t, x << s),
    }
}

fn unary(f: UnaryFn, t: DType, a: u64, saturate: bool) -> u64 {
    match f {
        UnaryFn::Not => return bits_of_integer(t, !integer(t, a)),
        UnaryFn::Relu if !is_float(t) => return bits_of_integer(t, integer(t, a).max(0)),
        _ => {}
    }
    let x = value(t, a);
    let r = match f {
        UnaryFn::Abs => x.abs(),
        UnaryFn::Relu if x <= 0.0 => 0.0,
        UnaryFn::Relu => x,
        UnaryFn::Exp => x.exp(),
        UnaryFn::Ln => x.ln(),
        UnaryFn::Sqrt => x.sqrt(),
        UnaryFn::Rsqrt => 1.0 / x.sqrt(),
        UnaryFn::Reciprocal => 1.0 / x,
        UnaryFn::Not => unreachable!("handled above"),
    };
    store(t, r, saturate)
}

fn integral(x: f64, mode: RoundMode) -> f64 {
    match mode {
        RoundMode::Floor => x.floor(),
        RoundMode::Ceil => x.ceil(),
        RoundMode::Round => x.round(),
        RoundMode::Trunc => x.trunc(),
        _ => x.round_ties_even(),
    }
}

/// Rounds an integer to float by looking at both neighbours.
fn integer_to_float(x: i128, mode: RoundMode) -> u64 {
    let near = x as f32;
    let exact = |f: f32| f as i128;
    if exact(near) == x {
        return store_float(near);
    }
    let toward_zero = if exact(near).abs() > x.abs() {
        if x > 0 { near.next_down() } else { near.next_up() }
    } else {
        near
    };
    let away = if x > 0 { toward_zero.next_up() } else { toward_zero.next_down() };
    // Differences of 2^39 at most: doubled, they stay exact.
    let (below, above) = ((x - exact(toward_zero)).abs(), (exact(away) - x).abs());
    let up = match mode {
        RoundMode::Floor => x < 0,
        RoundMode::Ceil => x > 0,
        RoundMode::Trunc => false,
        RoundMode::Round => below >= above,
        _ => below > above || (below == above && toward_zero.to_bits() & 1 == 1),
    };
    store_float(if up { away } else { toward_zero })
}

fn convert(mode: RoundMode, src: DType, dst: DType, a: u64, m: Modes) -> u64 {
    match (is_float(src), is_float(dst)) {
        (false, false) => store_integer(dst, integer(src, a), !m.truncate),
        (false, true) if dst == DType::F32 => integer_to_float(integer(src, a), mode),
        (false, true) => store_short_float(dst, integer(src, a) as f64, mode, m.saturate),
        (true, false) => {
            let x = integral(value(src, a), mode);
            let (lo, hi) = range(dst);
            if x.is_nan() {
                0
            } else if x.is_infinite() {
                bits_of_integer(dst, if x > 0.0 { hi } else { lo })
            } else if x.abs() >= 2f64.powi(100) {
                // Beyond i128's comfort; a 24-bit significand leaves the low 64 bits 0.
                bits_of_integer(
                    dst,
                    if m.truncate {
                        0
                    } else if x > 0.0 {
                        hi
                    } else {
                        lo
                    },
                )
            } else {
                store_integer(dst, x as i128, !m.truncate)
            }
        }
        (true, true) if src == dst => {
            let x = integral(value(src, a), mode) as f32;
            store_float(if x == 0.0 { 0.0 } else { x })
        }
        (true, true) if dst == DType::F32 => store_float(value(src, a) as f32),
        (true, true) => store_short_float(dst, value(src, a), mode, m.saturate),
    }
}

/// The destination element of a row.
pub fn element(row: &OpRow, a: u64, b: u64, s: u64, m: Modes) -> u64 {
    match row.kind {
        Kind::Binary(f) => binary(f, row.dst, a, b, m.saturate),
        Kind::Scalar(f) => scalar(f, row.dst, a, s, m.saturate),
        Kind::Unary(f) => unary(f, row.dst, a, m.saturate),
        Kind::Convert(mode) => convert(mode, row.src, row.dst, a, m),
        Kind::ConvertDeq => {
            let x = value(DType::S32, a) * value(DType::F16, m.deq_scale);
            store_short_float(DType::F16, x, RoundMode::Rint, m.saturate)
        }
        Kind::Duplicate => s,
        Kind::CopyMasked => a,
        _ => panic!("not a vector instruction"),
    }
}

/// Distance of two floats in units of the last place; 0 for equal bits, huge across NaN.
pub fn ulps(t: DType, a: u64, b: u64) -> i64 {
    let nan = |x: u64| value(t, x).is_nan();
    if a == b {
        return 0;
    }
    if nan(a) || nan(b) {
        return i64::MAX;
    }
    let ordered = |x: u64| {
        let sign = 1u64 << (t.bits() - 1);
        if x & sign != 0 { -((x & !sign) as i64) } else { x as i64 }
    };
    (ordered(a) - ordered(b)).abs()
}
