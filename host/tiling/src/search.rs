//! The search: the best cut among those that are worth a look.
//!
//! Grids of cores come in the order of what they cost at least, and the search ends when no grid left can beat the best cut.
//! For a grid, base tiles are those that divide a core's part evenly or fill L0; for a tile, L1 holds the whole depth where it
//! can, and the steps are powers of two and the largest that fit. Parts of one size and deep tiles are preferred
//! where they cost little. `tests/quality.rs` compares with a search over everything.

use crate::TilingError;
use crate::cost::{self, Inner, estimate_with, grid_bound, lower_bound};
use crate::plan::{Blocks, CoreGrid, Plan, ceil_div, follows_rules, tiles};
use crate::problem::{ACCUMULATOR_BYTES, Problem, Sizes, round_up};

/// Base sizes beyond this are tried as powers of two only: L0C is full before, unless the other axis is short.
const LONGEST_BASE: i32 = 512;
/// Even cuts of a part tried per axis.
const BASES_PER_AXIS: usize = 10;
/// Steps beyond this are tried as parts of the whole only.
const MOST_POWER: i32 = 16;
/// Numbers of loads tried to find one that divides that of the other matrix.
const DIVISORS_TRIED: i32 = 64;
/// Sizes that fit the memories evenly.
const ROUND_BASES: [i32; 8] = [2048, 1024, 512, 256, 128, 64, 32, 16];

/// A cut is looked for only if it could be better than the best one by this factor.
const WORTH_IT: f64 = 0.98;

/// Equal parts are taken unless unequal ones are faster by more than this factor: most kernels give every core the same sizes and
/// call neither SetTail nor SetSingleShape for the last one.
const EVEN_IS_WORTH: f64 = 1.08;

/// The deepest base tile is taken unless a shallower one is faster by more than this factor: fewer instructions for the same work,
/// whose scalar part the model leaves out.
const DEEP_IS_WORTH: f64 = 1.04;

/// What a core gets at least along M and N of a product that is mini: to start more cores takes longer than they save, which the
/// model does not know. Public programs rely on it: they load all of A for one core.
const MINI_PART: i32 = 64;

/// Does L0 hold the product whole, with no more tiles of 16 x 16 in C than there are cores?
fn is_mini(problem: &Problem) -> bool {
    let [m, n, k] = problem.shape.map(|size| i64::from(round_up(size, 16)));
    m / 16 * (n / 16) <= i64::from(problem.cores)
        && problem.a.bytes(m * k) <= problem.l0a_bytes
        && problem.b.bytes(n * k) <= problem.l0b_bytes
        && m * n * ACCUMULATOR_BYTES <= problem.l0c_bytes
}

/// The best cut for `problem`.
///
/// # Errors
/// [`TilingError::NoCoreSplit`] or [`TilingError::NoTile`] if the limits leave nothing.
pub fn best(problem: &Problem) -> Result<Plan, TilingError> {
    let mut grids: Vec<(f64, CoreGrid)> =
        core_grids(problem).into_iter().map(|grid| (grid_bound(problem, &grid), grid)).collect();
    if grids.is_empty() {
        return Err(TilingError::NoCoreSplit { cores: problem.cores });
    }
    // Of equal grids the one that cuts M: a core's rows of A and C lie together.
    grids
        .sort_by(|(x, a), (y, b)| x.total_cmp(y).then(a.used.cmp(&b.used)).then(b.parts[0].cmp(&a.parts[0])));
    let fastest = best_of(problem, grids.iter()).ok_or(TilingError::NoTile)?;
    let even = if fastest.grid.is_even(problem) {
        None
    } else {
        best_of(problem, grids.iter().filter(|(_, grid)| grid.is_even(problem)))
    };
    Ok(deepened(
        problem,
        even.filter(|even| even.cycles <= fastest.cycles * EVEN_IS_WORTH).unwrap_or(fastest),
    ))
}

/// The same cut with the deepest base tile that L0 holds and that costs little.
fn deepened(problem: &Problem, plan: Plan) -> Plan {
    let [m, n, _] = plan.blocks.base;
    let mut deepest = plan;
    for (k, l0_buffers) in base_depths(problem, &plan.grid, m, n, plan.blocks.l0_buffers[2]) {
        if k <= deepest.blocks.base[2] || l0_buffers != plan.blocks.l0_buffers {
            continue;
        }
        let base = [m, n, k];
        let inner = cost::inner(problem, &plan.grid, &base, l0_buffers);
        let mut deeper = None;
        fill_l1(problem, &plan.grid, &Candidate { base, l0_buffers, inner, bound: 0.0 }, &mut deeper);
        deepest =
            deeper.filter(|deeper: &Plan| deeper.cycles <= plan.cycles * DEEP_IS_WORTH).unwrap_or(deepest);
    }
    deepest
}

/// The best cut for one of these grids, which come in the order of their bounds.
fn best_of<'a>(problem: &Problem, grids: impl Iterator<Item = &'a (f64, CoreGrid)>) -> Option<Plan> {
    let mut best: Option<Plan> = None;
    for (bound, grid) in grids {
        if beaten(best, *bound) {
            break;
        }
        tile_grid(problem, grid, &mut best);
    }
    best
}

/// Can nothing that takes at least `bound` cycles be much better than the best cut?
fn beaten(best: Option<Plan>, bound: f64) -> bool {
    best.is_some_and(|b| bound >= b.cycles * WORTH_IT)
}

/// The grids that keep all limits, each once.
pub(crate) fn core_grids(problem: &Problem) -> Vec<CoreGrid> {
    if let Some(single) = problem.single {
        return vec![CoreGrid::new(problem, single)];
    }
    let least = if is_mini(problem) { MINI_PART } else { 0 };
    let along = |axis: usize, most_parts: i32| {
        let mut sizes: Vec<i32> = (1..=most_parts)
            .filter_map(|parts| single_size(problem, axis, parts))
            .filter(|&size| axis == 2 || size >= least.min(problem.shape[axis]))
            .collect();
        sizes.dedup();
        sizes
    };
    let mut grids = Vec::new();
    for m in along(0, problem.cores) {
        let m_parts = ceil_div(problem.shape[0], m);
        for n in along(1, problem.cores / m_parts) {
            let mn_parts = m_parts * ceil_div(problem.shape[1], n);
            let most_k = if problem.shares_depth { problem.cores / mn_parts } else { 1 };
            for k in along(2, most_k) {
                grids.push(CoreGrid::new(problem, [m, n, k]));
            }
        }
    }
    grids
}

/// A core's part of an axis cut into `parts`, if the limits allow it.
fn single_size(problem: &Problem, axis: usize, parts: i32) -> Option<i32> {
    let whole = problem.shape[axis];
    let limits = problem.single_least[axis].min(whole)..=problem.single_most[axis];
    let align = problem.single_align[axis];
    let size = if parts == 1 {
        whole
    } else {
        // Whole fractals and whole user alignments: the least common multiple.
        let fractal = problem.base_align[axis];
        let both = i64::from(align / gcd(align, fractal)) * i64::from(fractal);
        round_up(ceil_div(whole, parts), i32::try_from(both).unwrap_or(i32::MAX)).min(whole)
    };
    limits.contains(&size).then_some(size)
}

fn gcd(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Base sizes along `axis` worth a look for a part of `single`, longest first.
fn base_sizes(problem: &Problem, single: i32, axis: usize) -> Vec<i32> {
    let align = problem.base_align[axis];
    let whole = round_up(single, align);
    if let Some(size) = problem.base[axis] {
        return if size <= whole { vec![size] } else { Vec::new() };
    }
    let longest = whole.min(problem.base_most[axis]);
    let most = longest.min(LONGEST_BASE) / align * align;
    let least = problem.base_floor(axis).min(most.max(align));
    let mut sizes: Vec<i32> = Vec::new();
    for count in ceil_div(whole, most.max(align)).. {
        let size = round_up(ceil_div(whole, count), align);
        if size < least || sizes.len() >= BASES_PER_AXIS {
            break;
        }
        if size <= most {
            sizes.push(size);
        }
    }
    sizes.extend(ROUND_BASES.map(|s| s / align * align));
    sizes.retain(|&s| s >= least && s <= longest && s > 0);
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.dedup();
    sizes
}

/// Base tile, buffers in L0, and what it costs at least.
struct Candidate {
    base: Sizes,
    l0_buffers: [i32; 3],
    inner: Inner,
    bound: f64,
}

fn tile_grid(problem: &Problem, grid: &CoreGrid, best: &mut Option<Plan>) {
    let mut candidates = Vec::new();
    let n_sizes = base_sizes(problem, grid.single[1], 1);
    for m in base_sizes(problem, grid.single[0], 0) {
        for &n in &n_sizes {
            for double_c in [2, 1] {
                let l0c = i64::from(m) * i64::from(n) * i64::from(double_c) * ACCUMULATOR_BYTES;
                if l0c > problem.l0c_bytes || (double_c == 2 && !problem.double[2]) {
                    continue;
                }
                for (k, l0_buffers) in base_depths(problem, grid, m, n, double_c) {
                    let base = [m, n, k];
                    let inner = cost::inner(problem, grid, &base, l0_buffers);
                    let bound = lower_bound(problem, grid, &inner);
                    if !beaten(*best, bound) {
                        candidates.push(Candidate { base, l0_buffers, inner, bound });
                    }
                }
            }
        }
    }
    candidates.sort_by(|x, y| x.bound.total_cmp(&y.bound));
    for candidate in &candidates {
        if beaten(*best, candidate.bound) {
            break;
        }
        fill_l1(problem, grid, candidate, best);
    }
}

/// Depths of a base tile worth a look: the longest that L0 holds twice, and once, balanced over the part; shorter halves,
/// because L1 is filled in whole tiles.
fn base_depths(problem: &Problem, grid: &CoreGrid, m: i32, n: i32, double_c: i32) -> Vec<(i32, [i32; 3])> {
    let whole = round_up(grid.single[2], problem.base_align[2]);
    let [rows, columns, fixed_depth] = problem.held([m, n, problem.base[2].unwrap_or(0)]);
    let mut found = Vec::new();
    for double in [2, 1] {
        let row = |matrix: &crate::Matrix, rows: i64, bytes: i64| {
            bytes / i64::from(double) * 8 / (rows * i64::from(matrix.bits))
        };
        let room = row(&problem.a, rows, problem.l0a_bytes).min(row(&problem.b, columns, problem.l0b_bytes));
        let room = room.min(i64::from(whole)).min(i64::from(problem.base_most[2])) as i32;
        let most = room / problem.base_align[2] * problem.base_align[2];
        let buffers = [double, double, double_c];
        if let Some(k) = problem.base[2] {
            if fixed_depth <= i64::from(room) {
                found.push((k, buffers));
            }
            continue;
        }
        if most <= 0 {
            continue;
        }
        let balanced = round_up(ceil_div(whole, ceil_div(whole, most)), problem.base_align[2]).min(most);
        for k in [most, balanced, 64] {
            let k = k / problem.base_align[2] * problem.base_align[2];
            let at_least = problem.base_floor(2).min(whole);
            if k > 0 && k <= most && k >= at_least && !found.contains(&(k, buffers)) {
                found.push((k, buffers));
            }
        }
    }
    found
}

/// Steps worth a look up to `most`: all of it, halves of it rounded up, and powers of two.
fn steps(most: i32) -> Vec<i32> {
    let mut all = vec![most];
    let mut half = most;
    while half > 1 {
        half = ceil_div(half, 2);
        all.push(half);
    }
    let mut power = 1;
    while power < most && power <= MOST_POWER {
        all.push(power);
        power *= 2;
    }
    all.sort_unstable_by(|a, b| b.cmp(a));
    all.dedup();
    all
}

/// Fills L1: every worthwhile share of A, and for it the most of B that fits besides.
fn fill_l1(problem: &Problem, grid: &CoreGrid, candidate: &Candidate, best: &mut Option<Plan>) {
    let Candidate { base, l0_buffers, ref inner, .. } = *candidate;
    let count = tiles(grid, &base);
    let orders: &[bool] = match problem.n_first {
        Some(true) => &[true],
        Some(false) => &[false],
        None => &[false, true],
    };
    let [m, n, k] = problem.held(base);
    for step_a in side_steps(problem.a.in_l1, count[0], count[2]) {
        for a_buffers in buffers(problem.double[0], problem.a.in_l1) {
            let a_tiles = (i64::from(step_a[0]) * i64::from(step_a[1])).saturating_mul(i64::from(a_buffers));
            let room =
                problem.l1_bytes - problem.l1_tiles((m * k).saturating_mul(a_tiles), 0, i64::from(base[1]));
            if room < 0 {
                continue;
            }
            for b_buffers in buffers(problem.double[1], problem.b.in_l1) {
                let b_tiles = room / (problem.b.bytes(n * k).max(1) * i64::from(b_buffers));
                let a_loads = ceil_div(count[2], step_a[1]);
                for step_b in rest_steps(problem.b.in_l1, count[1], count[2], b_tiles, a_loads) {
                    for &n_first in orders {
                        let l1_buffers = [a_buffers, b_buffers];
                        let blocks = Blocks { base, step_a, step_b, l1_buffers, l0_buffers, n_first };
                        if follows_rules(problem, &count, &blocks) && blocks.fits(problem) {
                            let cycles = estimate_with(problem, grid, &blocks, inner).total;
                            if best.is_none_or(|b| cycles < b.cycles) {
                                *best = Some(Plan { grid: *grid, blocks, cycles });
                            }
                        }
                    }
                }
            }
        }
    }
}

fn buffers(double: bool, in_l1: bool) -> impl Iterator<Item = i32> {
    [2, 1].into_iter().filter(move |&b| b == 1 || (double && !in_l1))
}

/// Steps of A: along M only if its whole depth is in L1.
fn side_steps(in_l1: bool, own: i32, depth: i32) -> Vec<[i32; 2]> {
    if in_l1 {
        return vec![[own, depth]];
    }
    let mut all: Vec<[i32; 2]> = steps(own).into_iter().map(|s| [s, depth]).collect();
    all.extend(steps(depth).into_iter().filter(|&s| s < depth).map(|s| [1, s]));
    all
}

/// Steps of B when L1 has room for `room` of its tiles and A is loaded in `a_loads` pieces along the depth.
fn rest_steps(in_l1: bool, own: i32, depth: i32, room: i64, a_loads: i32) -> Vec<[i32; 2]> {
    if in_l1 {
        return vec![[own, depth]];
    }
    let room = room.min(i64::from(i32::MAX)) as i32;
    if room >= depth {
        let most = (room / depth).min(own);
        let even = ceil_div(own, ceil_div(own, most));
        return if even == 1 { vec![[1, depth]] } else { vec![[even, depth], [1, depth]] };
    }
    if room == 0 {
        return Vec::new();
    }
    // The most that fits, evenly; and the most whose loads are a multiple or a part of those of A.
    let even = ceil_div(depth, ceil_div(depth, room));
    let loads = ceil_div(depth, room);
    let multiple = ceil_div(depth, ceil_div(loads, a_loads) * a_loads);
    let mut all = vec![[1, even], [1, multiple]];
    let last = a_loads.min(loads.saturating_add(DIVISORS_TRIED));
    all.extend((loads..=last).find(|l| a_loads % l == 0).map(|l| [1, ceil_div(depth, l)]));
    all.dedup();
    all
}
