//! The three classes of Ascend C.
//!
//! Setters store what they are told, in any order; contradictions are errors of [`Tiling::get_tiling`], except where a setter returns one.
//! Sizes are in elements, memories in bytes. Source of names, ranges and defaults: the pages of the Matmul tiling classes in the
//! public Ascend C reference.

use crate::plan::ceil_div;
use crate::types::{
    CubeFormat, DataType, DequantType, MatrixMadType, MatrixTraverse, ScheduleType, TPosition,
};
use crate::{ChipFacts, Plan, Problem, TilingError, best, request};
use std::marker::PhantomData;
use toprope_abi::host_tiling::{TCubeTiling, TrTilingRequest};

/// The answer to a request.
///
/// # Errors
/// See [`TilingError`].
pub fn compute(request: &TrTilingRequest, chip: &ChipFacts) -> Result<(TCubeTiling, Plan), TilingError> {
    let problem = Problem::new(request, chip)?;
    let plan = best(&problem)?;
    Ok((plan.to_cube_tiling(request, &problem), plan))
}

/// What `GetCoreNum` says of an answer: cores in all, along M, along N, along the batches of A and of B.
///
/// # Errors
/// [`TilingError::NotComputed`] for a structure that no computation has filled.
pub fn core_nums(request: &TrTilingRequest, answer: &TCubeTiling) -> Result<[i32; 5], TilingError> {
    if answer.singleCoreM <= 0 || answer.singleCoreN <= 0 {
        return Err(TilingError::NotComputed);
    }
    let size = |asked: i32, stored: i32| if asked > 0 { asked } else { stored };
    Ok([
        answer.usedCoreNum,
        ceil_div(size(request.m, answer.M), answer.singleCoreM),
        ceil_div(size(request.n, answer.N), answer.singleCoreN),
        1,
        1,
    ])
}

mod kinds {
    /// One core.
    #[derive(Debug, Clone, Copy)]
    pub struct SingleCore;
    /// Several cores.
    #[derive(Debug, Clone, Copy)]
    pub struct MultiCore;
    /// Batches.
    #[derive(Debug, Clone, Copy)]
    pub struct Batch;
}

/// Which class a [`Tiling`] is.
pub trait Kind {
    /// Number in a request.
    const RAW: i32;
}
impl Kind for kinds::SingleCore {
    const RAW: i32 = 0;
}
impl Kind for kinds::MultiCore {
    const RAW: i32 = 1;
}
impl Kind for kinds::Batch {
    const RAW: i32 = 2;
}

/// Tiling of a multiplication on one core.
#[doc(alias = "matmul_tiling::MatmulApiTiling")]
pub type MatmulApiTiling = Tiling<kinds::SingleCore>;
/// Tiling of a multiplication over several cores.
#[doc(alias = "matmul_tiling::MultiCoreMatmulTiling")]
pub type MultiCoreMatmulTiling = Tiling<kinds::MultiCore>;
/// Tiling of a batch of multiplications.
#[doc(alias = "matmul_tiling::BatchMatmulTiling")]
pub type BatchMatmulTiling = Tiling<kinds::Batch>;

/// A tiling class: setters, then [`Tiling::get_tiling`].
#[derive(Debug, Clone)]
pub struct Tiling<K> {
    request: TrTilingRequest,
    chip: ChipFacts,
    answer: Option<(TCubeTiling, Plan)>,
    kind: PhantomData<K>,
}

/// Five axes of a layout: B, S, N, G, D.
pub type Layout = [i32; 5];

impl<K: Kind> Tiling<K> {
    /// Nothing asked yet: one core, float in GM, stored as computed; all memories of `chip` may be used.
    pub fn new(chip: &ChipFacts) -> Self {
        Tiling { request: request::new(chip, K::RAW), chip: *chip, answer: None, kind: PhantomData }
    }

    /// What has been asked so far.
    pub fn request(&self) -> &TrTilingRequest {
        &self.request
    }

    /// `SetAType`: where A lies (GM, VECIN, VECOUT, VECCALC, TSCM), how, its type (float, half, bf16, int8, int4; the same as that of B), and whether it is
    /// stored transposed. Default: float in GM, ND.
    pub fn set_a_type(&mut self, position: TPosition, format: CubeFormat, ty: DataType, transposed: bool) {
        let r = &mut self.request;
        (r.a_position, r.a_format, r.a_type) = (position as i32, format as i32, ty as i32);
        r.a_transposed = i32::from(transposed);
    }

    /// `SetBType`: the same for B.
    pub fn set_b_type(&mut self, position: TPosition, format: CubeFormat, ty: DataType, transposed: bool) {
        let r = &mut self.request;
        (r.b_position, r.b_format, r.b_type) = (position as i32, format as i32, ty as i32);
        r.b_transposed = i32::from(transposed);
    }

    /// `SetCType`: where C goes (GM, or UB: then a base tile of it must fit there), how, and its type as it is written.
    pub fn set_c_type(&mut self, position: TPosition, format: CubeFormat, ty: DataType) {
        let r = &mut self.request;
        (r.c_position, r.c_format, r.c_type) = (position as i32, format as i32, ty as i32);
    }

    /// `SetBiasType`: type of the bias of N elements, if there is one. A core holds `baseN` of it in L1 and in the bias table.
    pub fn set_bias_type(&mut self, position: TPosition, format: CubeFormat, ty: DataType) {
        let r = &mut self.request;
        (r.bias_position, r.bias_format, r.bias_type) = (position as i32, format as i32, ty as i32);
    }

    /// `EnableBias`, `SetBias`: is a bias added? With one, cores do not share the depth.
    #[doc(alias = "SetBias")]
    pub fn enable_bias(&mut self, on: bool) {
        self.request.has_bias = i32::from(on);
    }

    /// `SetDequantType`: one factor for all columns, or 8 bytes for each, which take L1.
    pub fn set_dequant_type(&mut self, ty: DequantType) {
        self.request.dequant_type = ty as i32;
    }

    /// `SetShape`: what to compute, at least 1 and at most what is stored; -1 takes the size as stored. If nothing was said of that yet,
    /// it is the same.
    pub fn set_shape(&mut self, m: i32, n: i32, k: i32) {
        request::set_shape(&mut self.request, m, n, k);
    }

    /// `SetOrgShape`: sizes as stored, at least 1. The depths of A and B may differ; what is computed is at most the smaller one.
    pub fn set_org_shape(&mut self, m: i32, n: i32, ka: i32, kb: i32) {
        let r = &mut self.request;
        (r.org_m, r.org_n, r.org_ka, r.org_kb) = (m, n, ka, kb);
    }

    /// `SetALayout`: axes of a batch of A. They are passed on to the kernel and decide nothing here.
    pub fn set_a_layout(&mut self, axes: Layout) {
        let r = &mut self.request;
        [r.a_layout_b, r.a_layout_s, r.a_layout_n, r.a_layout_g, r.a_layout_d] = axes;
    }

    /// `SetBLayout`: axes of a batch of B, as [`Tiling::set_a_layout`].
    pub fn set_b_layout(&mut self, axes: Layout) {
        let r = &mut self.request;
        [r.b_layout_b, r.b_layout_s, r.b_layout_n, r.b_layout_g, r.b_layout_d] = axes;
    }

    /// `SetCLayout`: axes of a batch of C (B, S1, N, G, S2), as [`Tiling::set_a_layout`].
    pub fn set_c_layout(&mut self, axes: Layout) {
        let r = &mut self.request;
        [r.c_layout_b, r.c_layout_s1, r.c_layout_n, r.c_layout_g, r.c_layout_s2] = axes;
    }

    /// `SetBatchInfoForNormal`: layouts of a batch whose matrices lie one behind the other.
    pub fn set_batch_info_for_normal(&mut self, batch_a: i32, batch_b: i32, m: i32, n: i32, k: i32) {
        self.set_a_layout([batch_a, m, 1, 1, k]);
        self.set_b_layout([batch_b, n, 1, 1, k]);
        self.set_c_layout([batch_a.max(batch_b), m, 1, 1, n]);
    }

    /// `SetBatchNum`: multiplications in a batch, passed on to the kernel.
    pub fn set_batch_num(&mut self, batch: i32) {
        self.request.batch_num = batch;
    }

    /// `SetFixSplit`: the base tile; -1 leaves a size to the tiling. At most a core's part in whole fractals.
    ///
    /// # Errors
    /// See [`request::set_fix_split`].
    pub fn set_fix_split(&mut self, base_m: i32, base_n: i32, base_k: i32) -> Result<(), TilingError> {
        request::set_fix_split(&mut self.request, base_m, base_n, base_k)
    }

    /// `SetSplitRange`: limits of the base tile, most first; -1 sets none.
    ///
    /// # Errors
    /// See [`request::set_split_range`].
    pub fn set_split_range(&mut self, most: [i32; 3], least: [i32; 3]) -> Result<(), TilingError> {
        request::set_split_range(&mut self.request, most, least)
    }

    /// `SetBufferSpace`: bytes of L1, L0C, UB and the bias table that may be used; -1 leaves what there is. Each call can only lower them.
    ///
    /// # Errors
    /// See [`request::set_buffer_space`].
    pub fn set_buffer_space(&mut self, l1: i32, l0c: i32, ub: i32, bt: i32) -> Result<(), TilingError> {
        request::set_buffer_space(&mut self.request, l1, l0c, ub, bt)
    }

    /// `SetTraverse`: in which direction tiles of C advance; default: the better one.
    pub fn set_traverse(&mut self, traverse: MatrixTraverse) {
        self.request.traverse = traverse as i32;
    }

    /// `SetMadType`: HF32 halves the work on float. MX types do not exist on this architecture.
    pub fn set_mad_type(&mut self, ty: MatrixMadType) {
        self.request.mad_type = ty as i32;
    }

    /// `SetDoubleBuffer`: may A and B have two buffers in L1, and C two in L0C?
    pub fn set_double_buffer(&mut self, a: bool, b: bool, c: bool) {
        let r = &mut self.request;
        (r.double_a, r.double_b, r.double_c) = (i32::from(a), i32::from(b), i32::from(c));
    }

    /// `SetMatmulConfigParams`: what the kernel's configuration is. `config_type`: 0 Norm, 1 MDL (default). An outer product takes two buffers in L0C, and with
    /// MDL the whole depth in L0; `N_BUFFER_33` at most 3 x 3 tiles of A. `l1_cache_ub` has no effect here; `vec_nd2nz` takes UB.
    pub fn set_matmul_config_params(
        &mut self,
        config_type: i32,
        l1_cache_ub: bool,
        schedule: ScheduleType,
        traverse: MatrixTraverse,
        vec_nd2nz: bool,
    ) {
        let r = &mut self.request;
        (r.config_type, r.l1_cache_ub) = (config_type, i32::from(l1_cache_ub));
        (r.schedule_type, r.traverse) = (schedule as i32, traverse as i32);
        r.vec_nd2nz = i32::from(vec_nd2nz);
    }

    /// `SetSparse`: B holds two of four elements. Passed on to nobody yet: the cut is that of a full B, which has room for a sparse one.
    pub fn set_sparse(&mut self, on: bool) {
        self.request.sparse = i32::from(on);
    }

    /// `GetTiling`: the best cut that keeps everything asked.
    ///
    /// # Errors
    /// Why there is none, see [`TilingError`]; the answer before is forgotten.
    pub fn get_tiling(&mut self) -> Result<TCubeTiling, TilingError> {
        self.answer = None;
        let answer = compute(&self.request, &self.chip)?;
        self.answer = Some(answer);
        Ok(answer.0)
    }

    /// The plan behind the last answer.
    pub fn plan(&self) -> Option<&Plan> {
        self.answer.as_ref().map(|(_, plan)| plan)
    }

    /// `GetBaseM`, `GetBaseN`, `GetBaseK`: of the answer; before it as fixed, else -1.
    #[doc(alias = "GetBaseM")]
    pub fn base(&self) -> [i32; 3] {
        let fixed = [self.request.base_m, self.request.base_n, self.request.base_k];
        self.answer.map_or(fixed, |(t, _)| [t.baseM, t.baseN, t.baseK])
    }

    /// `GetCoreNum`, see [`core_nums`].
    ///
    /// # Errors
    /// [`TilingError::NotComputed`] before [`Tiling::get_tiling`].
    pub fn core_nums(&self) -> Result<[i32; 5], TilingError> {
        core_nums(&self.request, &self.answer.ok_or(TilingError::NotComputed)?.0)
    }
}

impl Tiling<kinds::MultiCore> {
    /// `SetDim`: cores that may be used, at least 1 (default); those of the chip if it has fewer. Kernels with vector cores count these.
    pub fn set_dim(&mut self, dim: i32) {
        self.request.dim = dim;
    }

    /// `SetSingleShape`: a core's part; sizes below 1 are the whole axis. A K less than that of the shape is for kernels that share the depth.
    pub fn set_single_shape(&mut self, m: i32, n: i32, k: i32) {
        let r = &mut self.request;
        for (field, size) in [(&mut r.single_m, m), (&mut r.single_n, n), (&mut r.single_k, k)] {
            if size > 0 {
                *field = size;
            }
        }
    }

    /// `SetSingleRange`: limits of a core's part, most first; -1 sets none. The lower one does not ask for more than the shape.
    pub fn set_single_range(&mut self, most: [i32; 3], least: [i32; 3]) {
        let r = &mut self.request;
        [r.max_single_m, r.max_single_n, r.max_single_k] = most;
        [r.min_single_m, r.min_single_n, r.min_single_k] = least;
    }

    /// `SetAlignSplit`: what a core's part is a multiple of, unless it is the whole axis; sizes below 1 set nothing.
    pub fn set_align_split(&mut self, m: i32, n: i32, k: i32) {
        let r = &mut self.request;
        for (field, size) in
            [(&mut r.align_single_m, m), (&mut r.align_single_n, n), (&mut r.align_single_k, k)]
        {
            if size > 0 {
                *field = size;
            }
        }
    }

    /// `EnableMultiCoreSplitK`, `SetSplitK`: cores may share the depth and add up their results in GM, without a bias.
    #[doc(alias = "SetSplitK")]
    pub fn enable_multi_core_split_k(&mut self, on: bool) {
        self.request.split_k = i32::from(on);
    }

    /// `GetSingleShape`: a core's part, M, N, K.
    ///
    /// # Errors
    /// [`TilingError::NotComputed`] before [`Tiling::get_tiling`].
    pub fn single_shape(&self) -> Result<[i32; 3], TilingError> {
        let (t, _) = self.answer.ok_or(TilingError::NotComputed)?;
        Ok([t.singleCoreM, t.singleCoreN, t.singleCoreK])
    }
}
