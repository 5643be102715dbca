//! What the benches measure, as data, and the reader of criterion's results.
//!
//! A bench compares two or more things in one run on one machine; the figure that counts is the ratio.
//! `cargo bench -p toprope-benches` measures, `cargo run --release -p toprope-benches --bin ratios` prints the
//! table that `benches/README.md` records. The project's issues 2 and 3 set the targets.

pub mod opencl;

use std::path::{Path, PathBuf};

/// How a figure is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// The figure must not be above this.
    AtMost(f64),
    /// The figure must not be below this.
    AtLeast(f64),
}

impl Target {
    /// Whether `figure` meets the target.
    pub fn met(self, figure: f64) -> bool {
        match self {
            Target::AtMost(limit) => figure <= limit,
            Target::AtLeast(limit) => figure >= limit,
        }
    }
}

/// What a row shows.
#[derive(Clone, Copy, Debug)]
pub enum Figure {
    /// Time of the first bench divided by time of the second.
    TimeRatio(&'static str, &'static str),
    /// Speed of the first bench divided by speed of the second (inverse of the time ratio).
    SpeedRatio(&'static str, &'static str),
    /// Microseconds of one bench.
    Micros(&'static str),
    /// Seconds of one bench.
    Seconds(&'static str),
}

/// One row of the table: what, figure, target.
pub type Row = (&'static str, Figure, Option<Target>);

use Figure::*;
use Target::*;

/// The table.
pub const ROWS: &[Row] = &[
    ("empty kernel, 1 block: launch + synchronise", Micros("launch/empty_1_block"), Some(AtMost(10.0))),
    ("empty kernel, 48 blocks: launch + synchronise", Micros("launch/empty_48_blocks"), Some(AtMost(60.0))),
    (
        "async H2D copy, 64 MiB, speed against memcpy",
        SpeedRatio("copy/h2d_async_64MiB", "copy/memcpy_64MiB"),
        Some(AtLeast(0.9)),
    ),
    (
        "async D2H copy, 64 MiB, speed against memcpy",
        SpeedRatio("copy/d2h_async_64MiB", "copy/memcpy_64MiB"),
        Some(AtLeast(0.9)),
    ),
    (
        "async H2D copy, 1 MiB, speed against memcpy",
        SpeedRatio("copy/h2d_async_1MiB", "copy/memcpy_1MiB"),
        None,
    ),
    (
        "vector add, 64 Mi floats, speed against the plain loop",
        SpeedRatio("vector_add/npu_64Mi", "vector_add/plain_64Mi"),
        Some(AtLeast(0.4)),
    ),
    (
        "enqueue of a task without work (a record) into a held stream",
        Micros("queue/record_held"),
        Some(AtMost(0.5)),
    ),
    ("enqueue of a launch into a held stream", Micros("queue/launch_held"), None),
    ("record + wait between two streams", Micros("queue/record_wait_pair"), Some(AtMost(3.0))),
    (
        "empty kernel through the C functions: launch + synchronise",
        Micros("empty_launch/toprope"),
        Some(AtMost(5.0)),
    ),
    (
        "the same beside OpenCL on PoCL (time)",
        TimeRatio("empty_launch/toprope", "empty_launch/opencl"),
        Some(AtMost(1.0)),
    ),
    (
        "16 empty kernels per synchronisation beside OpenCL on PoCL (time)",
        TimeRatio("empty_launch/toprope_16_per_sync", "empty_launch/opencl_16_per_sync"),
        Some(AtMost(1.0)),
    ),
    (
        "copy and kernel of equal time: two streams, speed against serial",
        SpeedRatio("overlap/two_streams", "overlap/serial"),
        Some(AtLeast(1.6)),
    ),
    (
        "a kernel and a record on each of 1,978 streams, then synchronise the device",
        Micros("many_streams/a_kernel_and_a_record_on_each"),
        None,
    ),
    (
        "H2D 4 KiB + synchronise, speed against memcpy",
        SpeedRatio("copy_sizes/h2d_4KiB", "copy_sizes/memcpy_4KiB"),
        None,
    ),
    (
        "H2D 16 KiB + synchronise, speed against memcpy",
        SpeedRatio("copy_sizes/h2d_16KiB", "copy_sizes/memcpy_16KiB"),
        None,
    ),
    (
        "H2D 64 KiB + synchronise, speed against memcpy",
        SpeedRatio("copy_sizes/h2d_64KiB", "copy_sizes/memcpy_64KiB"),
        None,
    ),
    (
        "H2D 256 KiB + synchronise, speed against memcpy",
        SpeedRatio("copy_sizes/h2d_256KiB", "copy_sizes/memcpy_256KiB"),
        Some(AtLeast(0.9)),
    ),
    (
        "H2D 4 MiB + synchronise, speed against memcpy",
        SpeedRatio("copy_sizes/h2d_4MiB", "copy_sizes/memcpy_4MiB"),
        Some(AtLeast(0.9)),
    ),
    (
        "H2D 16 MiB + synchronise, speed against memcpy",
        SpeedRatio("copy_sizes/h2d_16MiB", "copy_sizes/memcpy_16MiB"),
        Some(AtLeast(0.9)),
    ),
    ("toprope run add.asc, cold", Seconds("compile/run_add_cold"), Some(AtMost(6.0))),
    ("toprope run add.asc, cached", Seconds("compile/run_add_cached"), Some(AtMost(0.3))),
];

/// Mean time in nanoseconds of `bench` (`group/name`) as criterion stored it below `criterion_dir`.
///
/// # Errors
/// A message that names the missing file or field.
pub fn mean_nanos(criterion_dir: &Path, bench: &str) -> Result<f64, String> {
    let path: PathBuf = criterion_dir.join(bench).join("new").join("estimates.json");
    let text = std::fs::read_to_string(&path)
        .map_err(|e| format!("{}: {e}; run `cargo bench -p toprope-benches` first", path.display()))?;
    let json: serde_json::Value =
        serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    json["median"]["point_estimate"].as_f64().ok_or_else(|| format!("{}: no median", path.display()))
}

/// The value of `figure`.
///
/// # Errors
/// As [`mean_nanos`].
pub fn evaluate(criterion_dir: &Path, figure: Figure) -> Result<f64, String> {
    let time = |bench| mean_nanos(criterion_dir, bench);
    Ok(match figure {
        TimeRatio(a, b) => time(a)? / time(b)?,
        SpeedRatio(a, b) => time(b)? / time(a)?,
        Micros(a) => time(a)? / 1e3,
        Seconds(a) => time(a)? / 1e9,
    })
}
