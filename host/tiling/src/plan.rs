//! A cut: which part a core computes, in which tiles, and what the memories of a core hold of it.

use crate::problem::{ACCUMULATOR_BYTES, Problem, Sizes};
use crate::types::ScheduleType;
use toprope_abi::host_tiling::{TCubeTiling, TrTilingRequest};

/// `a / b`, rounded up.
pub(crate) fn ceil_div(a: i32, b: i32) -> i32 {
    ((i64::from(a) + i64::from(b) - 1) / i64::from(b)) as i32
}

/// The shape over the cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoreGrid {
    /// A core's part along M, N, K.
    pub single: Sizes,
    /// Parts along M, N, K.
    pub parts: Sizes,
    /// Cores that take part.
    pub used: i32,
}

impl CoreGrid {
    /// The grid of parts of this size; a K that is not shared by the cores is one part.
    pub fn new(problem: &Problem, single: Sizes) -> CoreGrid {
        let along = |axis: usize| ceil_div(problem.shape[axis], single[axis]);
        let parts = [along(0), along(1), if problem.split_k { along(2) } else { 1 }];
        let all = parts.iter().map(|&p| i64::from(p)).product::<i64>();
        CoreGrid { single, parts, used: all.min(i64::from(problem.cores)) as i32 }
    }

    /// Does every core get a part of the same size?
    pub fn is_even(&self, problem: &Problem) -> bool {
        (0..3).all(|axis| self.parts[axis] == 1 || problem.shape[axis] % self.single[axis] == 0)
    }

    /// Parts that one core computes one after another, at most.
    pub fn waves(&self) -> i64 {
        let all = self.parts.iter().map(|&p| i64::from(p)).product::<i64>();
        (all + i64::from(self.used) - 1) / i64::from(self.used)
    }
}

/// The tiles of a core's part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// One multiplication: M, N, K.
    pub base: Sizes,
    /// Base tiles of A that one load into L1 brings: along M, along K.
    pub step_a: [i32; 2],
    /// Base tiles of B that one load into L1 brings: along N, along K.
    pub step_b: [i32; 2],
    /// Buffers for A and B in L1: 1 or 2.
    pub l1_buffers: [i32; 2],
    /// Buffers in L0A, L0B, L0C: 1 or 2.
    pub l0_buffers: [i32; 3],
    /// Tiles of C advance along N first.
    pub n_first: bool,
}

impl Blocks {
    /// Base tiles of A and of B that L1 has room for.
    pub fn depth(&self) -> [i64; 2] {
        let all = |step: [i32; 2], buffers: i32| {
            (i64::from(step[0]) * i64::from(step[1])).saturating_mul(i64::from(buffers))
        };
        [all(self.step_a, self.l1_buffers[0]), all(self.step_b, self.l1_buffers[1])]
    }

    /// Bytes of L1 in use.
    pub fn l1_bytes(&self, problem: &Problem) -> i64 {
        let [m, n, k] = problem.held(self.base);
        let [a, b] = self.depth();
        problem.l1_tiles((m * k).saturating_mul(a), (n * k).saturating_mul(b), i64::from(self.base[1]))
    }

    /// Bytes of L0A, L0B, L0C in use.
    pub fn l0_bytes(&self, problem: &Problem) -> [i64; 3] {
        let [m, n, k] = problem.held(self.base);
        let [a, b, c] = self.l0_buffers.map(i64::from);
        let tile = i64::from(self.base[0]) * i64::from(self.base[1]);
        [problem.a.bytes(m * k) * a, problem.b.bytes(n * k) * b, tile * ACCUMULATOR_BYTES * c]
    }

    /// Bytes of UB in use: a tile of C that goes there, or what a conversion to NZ on vector cores needs at a time.
    pub fn ub_bytes(&self, problem: &Problem) -> i64 {
        let [m, n, _] = self.base.map(i64::from);
        problem.c_tile_in_ub(m, n).max(2 * self.trans_bytes(problem))
    }

    /// Bytes of one conversion to NZ on vector cores.
    pub fn trans_bytes(&self, problem: &Problem) -> i64 {
        let [m, n, k] = self.base.map(i64::from);
        let of = |row_wise: bool, bytes: i64| if problem.vec_nd2nz && row_wise { bytes } else { 0 };
        of(problem.a.row_wise, problem.a.bytes(m * k)).max(of(problem.b.row_wise, problem.b.bytes(n * k)))
    }

    /// May a kernel use these tiles for this grid: does everything fit, and do the rules hold that are not about capacity?
    pub fn allowed(&self, problem: &Problem, grid: &CoreGrid) -> bool {
        follows_rules(problem, &tiles(grid, &self.base), self) && self.fits(problem)
    }

    /// Does everything fit?
    pub fn fits(&self, problem: &Problem) -> bool {
        let l0 = self.l0_bytes(problem);
        l0[0] <= problem.l0a_bytes
            && l0[1] <= problem.l0b_bytes
            && l0[2] <= problem.l0c_bytes
            && problem.bias_table(i64::from(self.base[1])) <= problem.bt_bytes
            && self.l1_bytes(problem) <= problem.l1_bytes
            && self.ub_bytes(problem) <= problem.ub_bytes
    }
}

/// Base tiles of a core's part along M, N, K.
pub(crate) fn tiles(grid: &CoreGrid, base: &Sizes) -> Sizes {
    [0, 1, 2].map(|axis| ceil_div(grid.single[axis], base[axis]))
}

/// Base tiles an outer product in three buffers may have along M and K.
const NBUFFER: i32 = 3;

/// The rules of the kernel's side that are not about capacity, for a part of `count` tiles.
pub(crate) fn follows_rules(problem: &Problem, count: &Sizes, blocks: &Blocks) -> bool {
    let a_loads = ceil_div(count[2], blocks.step_a[1]);
    let b_loads = ceil_div(count[2], blocks.step_b[1]);
    let may = |buffers: i32, double: bool, in_l1: bool| buffers == 1 || (double && !in_l1);
    let [a, b] = blocks.l1_buffers;
    if !may(a, problem.double[0], problem.a.in_l1) || !may(b, problem.double[1], problem.b.in_l1) {
        return false;
    }
    // Only a matrix whose whole depth is in L1 may have several tiles along its own axis there.
    if (a_loads > 1 && blocks.step_a[0] > 1) || (b_loads > 1 && blocks.step_b[0] > 1) {
        return false;
    }
    if a_loads % b_loads != 0 && b_loads % a_loads != 0 {
        return false;
    }
    match problem.schedule {
        ScheduleType::InnerProduct => true,
        ScheduleType::OuterProduct => {
            blocks.l0_buffers[2] == 2 && (!problem.multi_data_load || count[2] == 1)
        }
        ScheduleType::NBuffer33 => {
            let [m, _, k] = *count;
            m <= NBUFFER && k <= NBUFFER && blocks.step_a == [m, k] && b_loads == 1
        }
    }
}

/// A whole answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// The shape over the cores.
    pub grid: CoreGrid,
    /// A core's part.
    pub blocks: Blocks,
    /// Estimated time on the device, cycles.
    pub cycles: f64,
}

impl Plan {
    /// The structure that a kernel reads. Sizes as stored and layouts come from the request.
    pub fn to_cube_tiling(&self, request: &TrTilingRequest, problem: &Problem) -> TCubeTiling {
        let (grid, blocks) = (&self.grid, &self.blocks);
        let stored = |org: i32, axis: usize| if org > 0 { org } else { problem.shape[axis] };
        let number = |number: i64| i32::try_from(number).unwrap_or(i32::MAX);
        TCubeTiling {
            usedCoreNum: grid.used,
            M: stored(request.org_m, 0),
            N: stored(request.org_n, 1),
            Ka: stored(request.org_ka, 2),
            Kb: stored(request.org_kb, 2),
            singleCoreM: grid.single[0],
            singleCoreN: grid.single[1],
            singleCoreK: grid.single[2],
            baseM: blocks.base[0],
            baseN: blocks.base[1],
            baseK: blocks.base[2],
            depthA1: number(blocks.depth()[0]),
            depthB1: number(blocks.depth()[1]),
            stepM: blocks.step_a[0],
            stepN: blocks.step_b[0],
            stepKa: blocks.step_a[1],
            stepKb: blocks.step_b[1],
            isBias: i32::from(request.has_bias != 0),
            transLength: number(blocks.trans_bytes(problem)),
            iterateOrder: i32::from(blocks.n_first),
            shareMode: 0,
            shareL1Size: number(blocks.l1_bytes(problem)),
            shareL0CSize: number(blocks.l0_bytes(problem)[2]),
            shareUbSize: number(blocks.ub_bytes(problem)),
            batchM: 1,
            batchN: 1,
            singleBatchM: 1,
            singleBatchN: 1,
            depthAL1CacheUB: 0,
            depthBL1CacheUB: 0,
            dbL0A: blocks.l0_buffers[0],
            dbL0B: blocks.l0_buffers[1],
            dbL0C: blocks.l0_buffers[2],
            ALayoutInfoB: request.a_layout_b,
            ALayoutInfoS: request.a_layout_s,
            ALayoutInfoN: request.a_layout_n,
            ALayoutInfoG: request.a_layout_g,
            ALayoutInfoD: request.a_layout_d,
            BLayoutInfoB: request.b_layout_b,
            BLayoutInfoS: request.b_layout_s,
            BLayoutInfoN: request.b_layout_n,
            BLayoutInfoG: request.b_layout_g,
            BLayoutInfoD: request.b_layout_d,
            CLayoutInfoB: request.c_layout_b,
            CLayoutInfoS1: request.c_layout_s1,
            CLayoutInfoN: request.c_layout_n,
            CLayoutInfoG: request.c_layout_g,
            CLayoutInfoS2: request.c_layout_s2,
            BatchNum: request.batch_num,
            mxTypePara: 0,
        }
    }
}
