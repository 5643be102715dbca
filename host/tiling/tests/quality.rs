//! How good the chosen cuts are: 20 shapes against a search over everything, by the same cost model. A run searches for the shapes for which that is
//! quick; `TOPROPE_EXHAUSTIVE=1` (and writing the table) for all.
//!
//! "Everything": every grid of cores, every base tile in whole fractals that L0 holds, one or two buffers everywhere, every step
//! that L1 holds, both directions. Branches that cannot beat the best cut so far are left out, which changes no result.
//! The table is written to `docs/tiling.md` between its markers with `TOPROPE_BLESS=1`, and compared else.

mod common;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;
use toprope_tiling::cost::{estimate, least};
use toprope_tiling::{Blocks, CoreGrid, DataType, Plan, Problem, best};

/// Most by which a chosen cut may be slower than the best one.
const SLACK: f64 = 0.15;

struct Case {
    /// Is everything searched in about a second?
    quick: bool,
    name: &'static str,
    ty: DataType,
    shape: [i32; 3],
    transposed: [bool; 2],
}

const fn case(name: &'static str, ty: DataType, shape: [i32; 3], transposed: [bool; 2]) -> Case {
    Case { quick: true, name, ty, shape, transposed }
}

const fn slow(case: Case) -> Case {
    Case { quick: false, ..case }
}

use DataType::{Float, Float16, Int8};
const NN: [bool; 2] = [false, false];
const NT: [bool; 2] = [false, true];
const TN: [bool; 2] = [true, false];
const TT: [bool; 2] = [true, true];

const CASES: [Case; 20] = [
    slow(case("square", Float16, [1024, 1024, 1024], NN)),
    case("square, odd", Float16, [1000, 1000, 1000], NT),
    slow(case("square, large", Float16, [1536, 1536, 1536], NN)),
    case("square, small", Float16, [128, 128, 128], NN),
    slow(case("tall", Float16, [8192, 64, 512], NN)),
    case("tall, thin", Float16, [20000, 16, 256], NT),
    slow(case("flat", Float16, [32, 8192, 1024], NN)),
    slow(case("flat, one row", Float16, [1, 4096, 4096], NT)),
    case("small k", Float16, [2048, 2048, 32], NN),
    slow(case("large k", Float16, [128, 128, 32768], TN)),
    slow(case("square", Int8, [1024, 1024, 1024], NN)),
    case("tall", Int8, [4096, 96, 2048], NT),
    slow(case("large k", Int8, [256, 512, 16384], TT)),
    case("odd", Int8, [777, 1234, 333], NN),
    slow(case("square", Float, [1024, 1024, 1024], NN)),
    case("tall", Float, [6000, 48, 300], TN),
    slow(case("flat", Float, [64, 5000, 640], NT)),
    case("small k", Float, [1536, 1536, 8], NT),
    case("large k", Float, [96, 80, 20000], NN),
    case("odd", Float, [515, 1031, 259], TT),
];

/// Every value a step may have for a matrix of `own` x `depth` tiles, in two lanes of growing size: parts of the depth, then
/// the whole depth of more and more tiles.
fn lanes(own: i32, depth: i32) -> [Vec<[i32; 2]>; 2] {
    [(1..=depth).map(|s| [1, s]).collect(), (2..=own).map(|s| [s, depth]).collect()]
}

fn up(size: i32, to: i32) -> i32 {
    (size + to - 1) / to * to
}

struct Exhaustive<'a> {
    problem: &'a Problem,
    best: Plan,
    looked_at: u64,
}

impl Exhaustive<'_> {
    fn run(&mut self) {
        let p = self.problem;
        let mut grids = Vec::new();
        for pm in 1..=p.cores {
            for pn in 1..=p.cores / pm {
                let part = |axis: usize, parts: i32| {
                    let whole = p.shape[axis];
                    up((whole + parts - 1) / parts, p.base_align[axis]).min(whole)
                };
                let grid = CoreGrid::new(p, [part(0, pm), part(1, pn), p.shape[2]]);
                if !grids.contains(&grid) {
                    grids.push(grid);
                }
            }
        }
        for grid in grids {
            self.grid(&grid);
        }
    }

    fn grid(&mut self, grid: &CoreGrid) {
        let p = self.problem;
        let whole = [0, 1, 2].map(|axis| up(grid.single[axis], p.base_align[axis]));
        let sizes = |axis: usize| (p.base_align[axis]..=whole[axis]).step_by(p.base_align[axis] as usize);
        for m in sizes(0) {
            if i64::from(m) * i64::from(p.base_align[1]) * 4 > p.l0c_bytes {
                break;
            }
            for n in sizes(1) {
                if i64::from(m) * i64::from(n) * 4 > p.l0c_bytes {
                    break;
                }
                for k in sizes(2) {
                    if p.a.bytes(i64::from(m) * i64::from(k)) > p.l0a_bytes
                        || p.b.bytes(i64::from(n) * i64::from(k)) > p.l0b_bytes
                    {
                        break;
                    }
                    for buffers in [[1, 1, 1], [1, 1, 2], [2, 2, 1], [2, 2, 2]] {
                        self.tile(grid, [m, n, k], buffers);
                    }
                }
            }
        }
    }

    fn tile(&mut self, grid: &CoreGrid, base: [i32; 3], l0_buffers: [i32; 3]) {
        let p = self.problem;
        if least(p, grid, &base, l0_buffers) >= self.best.cycles {
            return;
        }
        let count = [0, 1, 2].map(|axis| (grid.single[axis] + base[axis] - 1) / base[axis]);
        let fits = |step_a, step_b, l1_buffers| {
            Blocks { base, step_a, step_b, l1_buffers, l0_buffers, n_first: false }.fits(p)
        };
        for a_lane in lanes(count[0], count[2]) {
            for step_a in a_lane {
                if !fits(step_a, [1, 1], [1, 1]) {
                    break;
                }
                for b_lane in lanes(count[1], count[2]) {
                    for step_b in b_lane {
                        if !fits(step_a, step_b, [1, 1]) {
                            break;
                        }
                        for l1_buffers in [[2, 2], [1, 2], [2, 1], [1, 1]] {
                            for n_first in [false, true] {
                                let blocks = Blocks { base, step_a, step_b, l1_buffers, l0_buffers, n_first };
                                self.look_at(grid, &blocks);
                            }
                        }
                    }
                }
            }
        }
    }

    fn look_at(&mut self, grid: &CoreGrid, blocks: &Blocks) {
        self.looked_at += 1;
        if blocks.allowed(self.problem, grid) {
            let cycles = estimate(self.problem, grid, blocks).total;
            if cycles < self.best.cycles {
                self.best = Plan { grid: *grid, blocks: *blocks, cycles };
            }
        }
    }
}

/// Asks for the shapes whose search takes longer, too.
const ALL_VARIABLE: &str = "TOPROPE_EXHAUSTIVE";

fn is_set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|v| v == "1")
}

#[test]
fn chosen_cuts_are_close_to_the_best() {
    let chip = common::b1();
    let bless = is_set("TOPROPE_BLESS");
    let all = bless || is_set(ALL_VARIABLE);
    let mut rows = Vec::new();
    for case in &CASES {
        let mut tiling = common::in_gm(&chip, chip.aic_count as i32, case.ty, case.transposed);
        tiling.set_shape(case.shape[0], case.shape[1], case.shape[2]);
        let problem = Problem::new(tiling.request(), &chip).expect("a good request");
        let chosen = best(&problem).expect("there is a cut");
        let mut row = row(case, &chosen, f64::from(chip.mhz));
        if case.quick || all {
            let best = best_of_all(&problem, chosen, case);
            let over = chosen.cycles / best.cycles - 1.0;
            assert!(over <= SLACK, "{row}: the chosen cut takes {:.1} % more than the best", over * 100.0);
            write!(row, " {:.1} | {:.1} % |", best.cycles / f64::from(chip.mhz), over * 100.0)
                .expect("a String takes all");
        }
        rows.push(row);
    }
    if bless {
        write_docs(&rows);
    } else {
        compare_with_docs(&rows);
    }
}

fn best_of_all(problem: &Problem, chosen: Plan, case: &Case) -> Plan {
    let mut all = Exhaustive { problem, best: chosen, looked_at: 0 };
    let start = Instant::now();
    all.run();
    println!("{} {:?}: everything in {:.1?} ({} cuts)", case.name, case.ty, start.elapsed(), all.looked_at);
    all.best
}

/// A row of the table, without the columns of the best cut.
fn row(case: &Case, chosen: &Plan, mhz: f64) -> String {
    let side = |t: bool| if t { "t" } else { "n" };
    let [m, n, k] = case.shape;
    let [sm, sn, _] = chosen.grid.single;
    let [bm, bn, bk] = chosen.blocks.base;
    format!(
        "| {} | {} | {m} x {n} x {k} | {}{} | {} | {sm} x {sn} | {bm} x {bn} x {bk} | {:.1} |",
        case.name,
        case.ty.c_name().trim_start_matches("DT_").to_lowercase(),
        side(case.transposed[0]),
        side(case.transposed[1]),
        chosen.grid.used,
        chosen.cycles / mhz,
    )
}

const HEAD: &str = "| case | type | M x N x K | A, B | cores | core's part | base tile | chosen, us | best, us | over |\n\
                    |---|---|---|---|---|---|---|---|---|---|\n";
const BEGIN: &str = "<!-- quality: begin -->\n";
const END: &str = "<!-- quality: end -->";

/// The docs before the table, the table, and what follows it.
fn docs() -> (PathBuf, [String; 3]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tiling.md");
    let text = std::fs::read_to_string(&path).expect("docs/tiling.md");
    let (before, rest) = text.split_once(BEGIN).expect("the table's begin marker");
    let (table, after) = rest.split_once(END).expect("the table's end marker");
    (path, [before, table, after].map(String::from))
}

fn write_docs(rows: &[String]) {
    let (path, [before, _, after]) = docs();
    let text = format!("{before}{BEGIN}{HEAD}{}\n{END}{after}", rows.join("\n"));
    std::fs::write(&path, text).expect("docs can be written");
}

/// The rows of the docs begin with these: those for which everything was searched are the same to the end.
fn compare_with_docs(rows: &[String]) {
    let (_, [_, table, _]) = docs();
    let told: Vec<&str> = table.strip_prefix(HEAD).expect("the head of the table").lines().collect();
    assert_eq!(told.len(), rows.len());
    for (told, row) in told.iter().zip(rows) {
        assert!(
            told.starts_with(row.as_str()),
            "docs/tiling.md is old: run this test with TOPROPE_BLESS=1\nit has {told}\nnow it is {row}"
        );
    }
}
