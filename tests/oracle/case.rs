//! What a case is: a template, its arguments, what must come out.

use half::{bf16, f16};
use toprope_abi::isa::{DType, Space};

/// A tensor argument. Values are the bits of elements.
#[derive(Clone, Debug)]
pub struct Tensor {
    pub space: Space,
    pub dtype: DType,
    pub shape: Vec<i64>,
    pub strides: Vec<i64>,
    /// Elements in memory order, gaps included.
    pub values: Vec<u64>,
    /// Shape and strides that the template is told, if its unit is not the element (masks of bits).
    pub told: Option<(Vec<i64>, Vec<i64>)>,
}

fn row_major(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for i in (0..shape.len().saturating_sub(1)).rev() {
        strides[i] = strides[i + 1] * shape[i + 1];
    }
    strides
}

impl Tensor {
    /// Contiguous, in `space`.
    pub fn new(space: Space, dtype: DType, shape: &[i64], values: Vec<u64>) -> Tensor {
        assert_eq!(shape.iter().product::<i64>(), values.len() as i64);
        Tensor { space, dtype, shape: shape.to_vec(), strides: row_major(shape), values, told: None }
    }

    /// Contiguous in UB.
    pub fn ub(dtype: DType, shape: &[i64], values: Vec<u64>) -> Tensor {
        Tensor::new(Space::Ub, dtype, shape, values)
    }

    /// Scratch of `n` elements in UB.
    pub fn scratch(dtype: DType, n: i64) -> Tensor {
        Tensor::ub(dtype, &[n], vec![0; n as usize])
    }

    /// The same values, rows of the last axis but `axes` apart as `strides` say; gaps hold `filler`.
    pub fn strided(mut self, strides: &[i64], filler: u64) -> Tensor {
        let old = self.positions();
        let values = self.values.clone();
        self.strides = strides.to_vec();
        let new = self.positions();
        self.values = vec![filler; new.iter().max().map_or(0, |m| m + 1)];
        for (o, n) in old.into_iter().zip(new) {
            self.values[n] = values[o];
        }
        self
    }

    /// What the template is told instead of shape and strides.
    pub fn told(mut self, shape: &[i64]) -> Tensor {
        self.told = Some((shape.to_vec(), row_major(shape)));
        self
    }

    /// Places of the elements in `values`, in row-major order.
    pub fn positions(&self) -> Vec<usize> {
        let mut out = vec![0usize];
        for (n, s) in self.shape.iter().zip(&self.strides) {
            out = out.iter().flat_map(|base| (0..*n).map(move |i| base + (i * s) as usize)).collect();
        }
        out
    }

    pub fn bytes(&self) -> Vec<u8> {
        let width = self.dtype.bits() as usize / 8;
        self.values.iter().flat_map(|v| v.to_le_bytes()[..width].to_vec()).collect()
    }

    /// Elements in row-major order out of memory `bytes`.
    pub fn elements(&self, bytes: &[u8]) -> Vec<u64> {
        let width = self.dtype.bits() as usize / 8;
        let at = |p: usize| bytes[p * width..][..width].iter().rev().fold(0, |n, b| n << 8 | u64::from(*b));
        self.positions().into_iter().map(at).collect()
    }
}

/// What may hold anything, in a list of wanted elements of at most 32 bits.
pub const ANY: u64 = u64::MAX;

/// How close is right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Close {
    /// The same bits; NaNs are all alike.
    Exact,
    /// At most so many units in the last place apart.
    Ulp(u64),
    /// Relative to the larger magnitude.
    Relative(f64),
}

#[derive(Clone, Debug)]
pub enum Arg {
    /// Read, or scratch.
    In(Tensor),
    /// Written: what it must hold after, in row-major order.
    Out(Tensor, Vec<u64>, Close),
    /// A scalar: its bits.
    Word(u64),
}

#[derive(Clone, Debug)]
pub struct Case {
    /// Name without `_mlir_ciface_`.
    pub template: String,
    pub args: Vec<Arg>,
}

impl Case {
    pub fn new(template: impl Into<String>, args: Vec<Arg>) -> Case {
        Case { template: template.into(), args }
    }
}

/// The name the library uses for an element type.
pub fn vendor_name(t: DType) -> &'static str {
    match t {
        DType::F16 => "half",
        DType::Bf16 => "bfloat16_t",
        DType::F32 => "float",
        DType::S8 => "int8_t",
        DType::U8 => "uint8_t",
        DType::S16 => "int16_t",
        DType::U16 => "uint16_t",
        DType::S32 => "int32_t",
        DType::U32 => "uint32_t",
        DType::S64 => "int64_t",
        _ => "?",
    }
}

pub fn is_float(t: DType) -> bool {
    matches!(t, DType::F16 | DType::Bf16 | DType::F32)
}

/// The value of an element of a floating type.
pub fn to_f64(t: DType, bits: u64) -> f64 {
    match t {
        DType::F16 => f16::from_bits(bits as u16).to_f64(),
        DType::Bf16 => bf16::from_bits(bits as u16).to_f64(),
        DType::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => to_i64(t, bits) as f64,
    }
}

/// The element nearest to `x`.
pub fn from_f64(t: DType, x: f64) -> u64 {
    match t {
        DType::F16 => u64::from(f16::from_f64(x).to_bits()),
        DType::Bf16 => u64::from(bf16::from_f64(x).to_bits()),
        DType::F32 => u64::from((x as f32).to_bits()),
        _ => from_i64(t, x as i64),
    }
}

pub fn to_i64(t: DType, bits: u64) -> i64 {
    let unused = 64 - t.bits();
    if matches!(t, DType::U8 | DType::U16 | DType::U32) {
        return bits as i64;
    }
    ((bits << unused) as i64) >> unused
}

pub fn from_i64(t: DType, x: i64) -> u64 {
    if t.bits() == 64 { x as u64 } else { x as u64 & ((1 << t.bits()) - 1) }
}

/// Places floats on a line on which neighbours are 1 apart.
fn ordinal(t: DType, bits: u64) -> i64 {
    let sign = 1 << (t.bits() - 1);
    if bits & sign != 0 { -((bits & (sign - 1)) as i64) } else { bits as i64 }
}

/// What is wrong with `got`, if anything.
pub fn compare(t: DType, got: &[u64], want: &[u64], close: Close) -> Result<(), String> {
    for (i, (g, w)) in got.iter().zip(want).enumerate() {
        let right = g == w
            || *w == ANY && t.bits() < 64
            || is_float(t) && {
                let (a, b) = (to_f64(t, *g), to_f64(t, *w));
                match close {
                    _ if a.is_nan() || b.is_nan() => a.is_nan() && b.is_nan(),
                    Close::Exact => false,
                    Close::Ulp(n) => ordinal(t, *g).abs_diff(ordinal(t, *w)) <= n,
                    Close::Relative(r) => (a - b).abs() <= r * a.abs().max(b.abs()),
                }
            };
        if !right {
            let show = |bits| {
                if is_float(t) {
                    format!("{:e} (0x{bits:x})", to_f64(t, bits))
                } else {
                    format!("{} (0x{bits:x})", to_i64(t, bits))
                }
            };
            let wrong = got.iter().zip(want).filter(|(g, w)| g != w).count();
            return Err(format!(
                "element {i} of {}: {} instead of {}; {wrong} differ",
                got.len(),
                show(*g),
                show(*w)
            ));
        }
    }
    if got.len() == want.len() { Ok(()) } else { Err(format!("{} elements, not {}", got.len(), want.len())) }
}
