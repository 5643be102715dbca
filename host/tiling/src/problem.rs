//! A request, resolved: positive sizes, known types, limits of the memories, and every contradiction found before the search.

use crate::request::{DEPTH_BYTES, FRACTAL};
use crate::types::{
    CubeFormat, DataType, DequantType, MatrixMadType, MatrixTraverse, ScheduleType, TPosition,
};
use crate::{ChipFacts, TilingError};
use toprope_abi::host_tiling::TrTilingRequest;

/// Bytes of one factor of a dequantisation by column.
const QUANT_BYTES: i64 = 8;
/// Kinds of configuration with a tiling: Norm and MDL. Source: `SetMatmulConfigParams` in the public reference.
const CONFIG_TYPES: [i32; 2] = [0, 1];
/// Bytes of an element of L0C and of the bias table.
pub(crate) const ACCUMULATOR_BYTES: i64 = 4;

/// One input matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matrix {
    /// Bits of an element.
    pub bits: u32,
    /// Stored transposed?
    pub transposed: bool,
    /// In L1 already, so that it takes no L1 of ours and no traffic?
    pub in_l1: bool,
    /// Rows lie apart in memory (ND), so that a row is a request of its own?
    pub row_wise: bool,
}

impl Matrix {
    /// Bytes of `elements`.
    pub fn bytes(&self, elements: i64) -> i64 {
        elements.saturating_mul(i64::from(self.bits)).saturating_add(7) / 8
    }
}

/// Sizes along M, N, K.
pub type Sizes = [i32; 3];

/// What has to be tiled.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The chip.
    pub chip: ChipFacts,
    /// Sizes to compute.
    pub shape: Sizes,
    /// Cores that may be used.
    pub cores: i32,
    /// May cores share the depth?
    pub split_k: bool,
    /// Is the search free to let them? Not with a bias, which each of them would add, and not into UB, where nothing adds up what they
    /// make. Source: limits of `EnableMultiCoreSplitK` in the public reference.
    pub shares_depth: bool,
    /// Sizes of a core's part, if any of them was set (the others are the shape's then).
    pub single: Option<Sizes>,
    /// Limits of a core's part.
    pub single_least: Sizes,
    /// Limits of a core's part.
    pub single_most: Sizes,
    /// What a core's part is a multiple of, unless it is the whole axis.
    pub single_align: Sizes,
    /// Fixed base sizes.
    pub base: [Option<i32>; 3],
    /// Limits of base sizes.
    pub base_least: Sizes,
    /// Limits of base sizes.
    pub base_most: Sizes,
    /// What base sizes are multiples of.
    pub base_align: Sizes,
    /// Elements of depth in a step of the cube unit.
    pub depth_step: i32,
    /// A.
    pub a: Matrix,
    /// B.
    pub b: Matrix,
    /// Bytes of an element of C as it is written.
    pub c_bytes: u32,
    /// C goes to UB, so a tile of it must fit there.
    pub c_in_ub: bool,
    /// Bytes of a bias per column, 0 without.
    pub bias_bytes: u32,
    /// Bytes of dequantisation factors per column, 0 without.
    pub quant_bytes: u32,
    /// Passes of the cube unit per step.
    pub passes: u32,
    /// Usable bytes.
    pub l1_bytes: i64,
    /// Usable bytes.
    pub l0a_bytes: i64,
    /// Usable bytes.
    pub l0b_bytes: i64,
    /// Usable bytes.
    pub l0c_bytes: i64,
    /// Usable bytes.
    pub ub_bytes: i64,
    /// Usable bytes.
    pub bt_bytes: i64,
    /// Direction, if fixed: true is N first.
    pub n_first: Option<bool>,
    /// Two buffers allowed for A in L1, B in L1, C in L0C.
    pub double: [bool; 3],
    /// Order of products.
    pub schedule: ScheduleType,
    /// Vector cores turn ND into NZ, in UB.
    pub vec_nd2nz: bool,
    /// Multi-data-load configuration: the whole depth must be in L0 for an outer product.
    pub multi_data_load: bool,
}

/// The value of `raw`, or an error that names the setter.
fn value<T>(what: &'static str, raw: i32, from: fn(i32) -> Option<T>) -> Result<T, TilingError> {
    from(raw).ok_or(TilingError::UnknownValue { what, value: raw })
}

fn resolve_axis(axis: &'static str, asked: i32, stored: i32) -> Result<i32, TilingError> {
    let size = if asked == -1 { stored } else { asked };
    if size <= 0 {
        return Err(TilingError::Shape { axis, value: size });
    }
    if stored != -1 && stored <= 0 {
        return Err(TilingError::Shape { axis, value: stored });
    }
    if stored != -1 && size > stored {
        return Err(TilingError::ShapeBeyondOrigin { axis, asked: size, stored });
    }
    Ok(size)
}

fn shape(r: &TrTilingRequest) -> Result<Sizes, TilingError> {
    let stored_k = match (r.org_ka, r.org_kb) {
        (ka, -1) => ka,
        (-1, kb) => kb,
        (ka, kb) => ka.min(kb),
    };
    Ok([
        resolve_axis("M", r.m, r.org_m)?,
        resolve_axis("N", r.n, r.org_n)?,
        resolve_axis("K", r.k, stored_k)?,
    ])
}

fn input(
    name: [&'static str; 3],
    position: i32,
    format: i32,
    ty: DataType,
    transposed: i32,
) -> Result<Matrix, TilingError> {
    let [matrix, setter, _] = name;
    let position = value(setter, position, TPosition::from_raw)?;
    let format = value(setter, format, CubeFormat::from_raw)?;
    if !(position == TPosition::Gm || position.is_ub() || position.is_l1()) {
        return Err(TilingError::Position { matrix, position: position.c_name() });
    }
    let nz = matches!(format, CubeFormat::Nz | CubeFormat::Zn | CubeFormat::Zz | CubeFormat::Nn);
    Ok(Matrix {
        bits: ty.cube_input_bits().unwrap_or(32),
        transposed: transposed != 0,
        in_l1: position.is_l1(),
        row_wise: !nz && position == TPosition::Gm,
    })
}

fn output(matrix: &'static str, setter: &'static str, raw: i32) -> Result<u32, TilingError> {
    let ty = value(setter, raw, DataType::from_raw)?;
    ty.cube_output_bytes().ok_or(TilingError::OutputType { matrix, ty: ty.c_name() })
}

/// `least..=most` along every axis, at least `floor`; -1 is no limit.
fn limits(
    names: [&'static str; 3],
    least: Sizes,
    most: Sizes,
    floor: Sizes,
) -> Result<(Sizes, Sizes), TilingError> {
    let (mut low, mut high) = (floor, [i32::MAX; 3]);
    for axis in 0..3 {
        low[axis] = low[axis].max(least[axis]);
        if most[axis] > 0 {
            high[axis] = most[axis];
        }
        if low[axis] > high[axis] {
            return Err(TilingError::Range { field: names[axis], least: low[axis], most: high[axis] });
        }
    }
    Ok((low, high))
}

impl Problem {
    /// What `request` asks for.
    ///
    /// # Errors
    /// Every contradiction that shows without a search.
    pub fn new(request: &TrTilingRequest, chip: &ChipFacts) -> Result<Problem, TilingError> {
        let r = request;
        let mad = value("SetMadType", r.mad_type, MatrixMadType::from_raw)?;
        if mad == MatrixMadType::MxMode || r.has_scales != 0 {
            return Err(TilingError::NotOn2201 {
                what: "multiplication of MX types (SetMadType, SetScaleAType)",
            });
        }
        let a_type = value("SetAType", r.a_type, DataType::from_raw)?.canonical();
        let b_type = value("SetBType", r.b_type, DataType::from_raw)?.canonical();
        let (a_bits, same) = (a_type.cube_input_bits(), a_type == b_type);
        let Some(bits) = a_bits.filter(|_| same) else {
            return Err(TilingError::Types { a: a_type.c_name(), b: b_type.c_name() });
        };
        let a = input(["A", "SetAType", ""], r.a_position, r.a_format, a_type, r.a_transposed)?;
        let b = input(["B", "SetBType", ""], r.b_position, r.b_format, b_type, r.b_transposed)?;
        let c_position = value("SetCType", r.c_position, TPosition::from_raw)?;
        value("SetCType", r.c_format, CubeFormat::from_raw)?;
        if !(c_position == TPosition::Gm || c_position.is_ub() || c_position.is_l1()) {
            return Err(TilingError::Position { matrix: "C", position: c_position.c_name() });
        }
        let c_bytes = output("C", "SetCType", r.c_type)?;
        let bias_bytes = if r.has_bias == 0 { 0 } else { output("the bias", "SetBiasType", r.bias_type)? };
        let deq = value("SetDequantType", r.dequant_type, DequantType::from_raw)?;
        let traverse = value("SetTraverse", r.traverse, MatrixTraverse::from_raw)?;
        let depth_step = DEPTH_BYTES * 8 / bits as i32;
        if !CONFIG_TYPES.contains(&r.config_type) {
            return Err(TilingError::UnknownValue { what: "SetMatmulConfigParams", value: r.config_type });
        }
        let split_k = r.kind == 1 && r.split_k != 0;
        let problem = Problem {
            chip: *chip,
            shape: shape(r)?,
            cores: if r.kind == 1 { r.dim.min(most_cores(chip)) } else { 1 },
            split_k,
            shares_depth: split_k && bias_bytes == 0 && c_position == TPosition::Gm,
            single: None,
            single_least: [1; 3],
            single_most: [i32::MAX; 3],
            single_align: [r.align_single_m.max(1), r.align_single_n.max(1), r.align_single_k.max(1)],
            base: [r.base_m, r.base_n, r.base_k].map(|size| (size != -1).then_some(size)),
            base_least: [FRACTAL; 3],
            base_most: [i32::MAX; 3],
            base_align: base_align(bits, depth_step, a.transposed, b.transposed),
            depth_step,
            a,
            b,
            c_bytes,
            c_in_ub: c_position.is_ub(),
            bias_bytes,
            quant_bytes: if deq == DequantType::Tensor { QUANT_BYTES as u32 } else { 0 },
            passes: if bits == 32 && mad != MatrixMadType::Hf32 { 2 } else { 1 },
            l1_bytes: i64::from(r.l1_bytes),
            l0a_bytes: i64::from(r.l0a_bytes),
            l0b_bytes: i64::from(r.l0b_bytes),
            l0c_bytes: i64::from(r.l0c_bytes),
            ub_bytes: i64::from(r.ub_bytes),
            bt_bytes: i64::from(r.bt_bytes),
            n_first: match traverse {
                MatrixTraverse::NoSet => None,
                MatrixTraverse::FirstM => Some(false),
                MatrixTraverse::FirstN => Some(true),
            },
            double: [r.double_a != 0, r.double_b != 0, r.double_c != 0],
            schedule: value("SetMatmulConfigParams", r.schedule_type, ScheduleType::from_raw)?,
            vec_nd2nz: r.vec_nd2nz != 0,
            multi_data_load: r.config_type == 1,
        };
        if problem.cores <= 0 {
            return Err(TilingError::Dim(problem.cores));
        }
        problem.with_limits(r)?.checked()
    }

    fn with_limits(mut self, r: &TrTilingRequest) -> Result<Self, TilingError> {
        let set = [r.single_m, r.single_n, r.single_k];
        if r.kind == 1 && set.iter().any(|&s| s > 0) {
            self.single = Some([0, 1, 2].map(|i| if set[i] > 0 { set[i] } else { self.shape[i] }));
        }
        (self.single_least, self.single_most) = limits(
            ["singleCoreM", "singleCoreN", "singleCoreK"],
            [r.min_single_m, r.min_single_n, r.min_single_k],
            [r.max_single_m, r.max_single_n, r.max_single_k],
            [1; 3],
        )?;
        (self.base_least, self.base_most) = limits(
            ["baseM", "baseN", "baseK"],
            [r.min_base_m, r.min_base_n, r.min_base_k],
            [r.max_base_m, r.max_base_n, r.max_base_k],
            self.base_align,
        )?;
        // A lower limit above the shape would leave no tile at all: a tile never needs to be longer than what there is.
        for axis in 0..3 {
            let whole = round_up(self.shape[axis], self.base_align[axis]);
            self.base_least[axis] = self.base_least[axis].min(whole);
        }
        Ok(self)
    }

    /// Fixed base sizes against fractals, a core's part and the memories they fill alone.
    fn checked(self) -> Result<Self, TilingError> {
        let part = self.single.unwrap_or(self.shape);
        let multiples = [FRACTAL, FRACTAL, self.depth_step];
        for (axis, field) in ["baseM", "baseN", "baseK"].into_iter().enumerate() {
            let Some(value) = self.base[axis] else { continue };
            let (most, multiple) = (round_up(part[axis], self.base_align[axis]), multiples[axis]);
            // SetFixSplit looked at the types that were set then.
            if value <= 0 || value % multiple != 0 {
                return Err(TilingError::BaseAlignment { field, value, multiple });
            }
            if value > most {
                return Err(TilingError::BaseBeyondSingle { field, value, most });
            }
        }
        let base = [0, 1, 2].map(|axis| self.base[axis].unwrap_or(self.base_floor(axis)));
        let ([m, n, _], [held_m, held_n, k]) = (base.map(i64::from), self.held(base));
        let c = m.saturating_mul(n).saturating_mul(ACCUMULATOR_BYTES);
        for (memory, what, needs_bytes, has_bytes) in [
            ("L0A", "a tile of baseM x baseK of A", self.a.bytes(held_m * k), self.l0a_bytes),
            ("L0B", "a tile of baseK x baseN of B", self.b.bytes(held_n * k), self.l0b_bytes),
            ("L0C", "a tile of baseM x baseN of C", c, self.l0c_bytes),
            ("the bias table", "baseN of the bias", self.bias_table(n), self.bt_bytes),
            ("UB", "a tile of baseM x baseN of C", self.c_tile_in_ub(m, n), self.ub_bytes),
            ("L1", "a tile of A and one of B", self.l1_tiles(held_m * k, held_n * k, n), self.l1_bytes),
        ] {
            if needs_bytes > has_bytes {
                return Err(TilingError::TooBig { memory, what, needs_bytes, has_bytes });
            }
        }
        Ok(self)
    }

    /// Elements that a base tile takes along M, N and K in L1, L0A and L0B: whole fractals as the loads make them. A fixed base size may be
    /// less than one where the loads transpose.
    pub fn held(&self, base: Sizes) -> [i64; 3] {
        [0, 1, 2].map(|axis| i64::from(round_up(base[axis], self.base_align[axis])))
    }

    /// Least base size along `axis`.
    pub fn base_floor(&self, axis: usize) -> i32 {
        round_up(self.base_least[axis], self.base_align[axis])
    }

    /// Bytes of L1 for that many elements of A and of B, and for what `base_n` columns take besides.
    pub fn l1_tiles(&self, a_elements: i64, b_elements: i64, base_n: i64) -> i64 {
        let a = if self.a.in_l1 { 0 } else { self.a.bytes(a_elements) };
        let b = if self.b.in_l1 { 0 } else { self.b.bytes(b_elements) };
        a.saturating_add(b).saturating_add(base_n * i64::from(self.bias_bytes + self.quant_bytes))
    }

    /// Bytes of the bias table for `base_n` columns: elements are 32 bits wide there.
    pub fn bias_table(&self, base_n: i64) -> i64 {
        if self.bias_bytes == 0 { 0 } else { base_n * ACCUMULATOR_BYTES }
    }

    /// Bytes of UB for a tile of C, if it goes there.
    pub fn c_tile_in_ub(&self, base_m: i64, base_n: i64) -> i64 {
        if self.c_in_ub { base_m.saturating_mul(base_n).saturating_mul(i64::from(self.c_bytes)) } else { 0 }
    }
}

/// Whole fractals as the loads into L0 make them: 16 x 16 along M and N, and a square of the depth's step where a
/// load has to transpose elements of up to 8 bits.
fn base_align(bits: u32, depth_step: i32, a_transposed: bool, b_transposed: bool) -> Sizes {
    let square = if bits <= 8 { depth_step } else { FRACTAL };
    let transposes = a_transposed || !b_transposed;
    [
        if a_transposed { square } else { FRACTAL },
        if b_transposed { FRACTAL } else { square },
        if transposes { depth_step.max(FRACTAL) } else { depth_step },
    ]
}

/// The most cores that a chip has of a kind. `SetDim` counts vector cores in kernels of both kinds, and may say more than there are.
fn most_cores(chip: &ChipFacts) -> i32 {
    i32::try_from(chip.aic_count.max(chip.aiv_count)).unwrap_or(i32::MAX)
}

/// `size` rounded up to a multiple of `to`.
pub(crate) fn round_up(size: i32, to: i32) -> i32 {
    ((i64::from(size) + i64::from(to) - 1) / i64::from(to) * i64::from(to)).min(i64::from(i32::MAX)) as i32
}
