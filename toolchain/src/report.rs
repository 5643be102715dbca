//! The JSON report of a run, as the runtime writes it to `$TOPROPE_REPORT` when the program ends.
//!
//! Unknown fields are ignored and most have defaults, so that a newer runtime can add some; another [`SCHEMA`] is refused.
//! After the first thousand launches the runtime sums those that are alike into one record with `count` > 1.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use toprope_sim::findings::{Finding, Severity, Side, SourcePlace, Verdict};

use crate::error::{Result, ToolchainError};

/// Version of the layout.
pub const SCHEMA: u32 = 1;

/// Environment variable that tells the runtime where to write the report.
pub const VARIABLE: &str = "TOPROPE_REPORT";

/// A whole run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Version of the runtime.
    #[serde(default)]
    pub version: String,
    /// Chip, e.g. `Ascend910B1`.
    #[serde(default)]
    pub soc: String,
    /// Whether the program came to its end; what is here was found until then.
    #[serde(default = "yes")]
    pub complete: bool,
    /// What was checked.
    #[serde(default)]
    pub checks: Checks,
    /// Launches in the order in which they ended.
    #[serde(default)]
    pub launches: Vec<Launch>,
    /// Everything found.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// Findings that were not kept because there were too many.
    #[serde(default)]
    pub findings_dropped: u64,
    /// Memory that was never freed.
    #[serde(default)]
    pub leaks: Vec<Leak>,
}

/// What was checked, and on which assumptions; see the options of `toprope check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Checks {
    /// Order of accesses, data, framework protocol.
    pub on: bool,
    /// The compiler inserts synchronisation inside a pipe, as bisheng does by default.
    pub auto_sync: bool,
    /// Coverage of outputs.
    pub coverage: bool,
    /// Needless synchronisation.
    pub hints: bool,
    /// Room that an allocator adds does not count.
    pub strict_bounds: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks { on: true, auto_sync: true, coverage: false, hints: false, strict_bounds: false }
    }
}

/// Memory that was never freed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leak {
    /// `device` or `host`.
    pub memory: String,
    /// Device; `None` for host memory.
    #[serde(default)]
    pub device: Option<u32>,
    /// Allocations.
    pub blocks: u64,
    /// Bytes.
    pub bytes: u64,
}

/// One kernel launch, or several alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// Qualified kernel name.
    pub kernel: String,
    /// How many launches this record stands for; the counters are their sums.
    #[serde(default = "one")]
    pub count: u64,
    /// Blocks per launch.
    #[serde(default)]
    pub num_blocks: u32,
    /// Cores it ran on: `AIV`, `AIC` or `MIX`.
    #[serde(default)]
    pub core_kind: String,
    /// Device.
    #[serde(default)]
    pub device: u32,
    /// Stream.
    #[serde(default)]
    pub stream: u32,
    /// Instructions per pipe, by pipe name (`V`, `MTE2`, …).
    #[serde(default)]
    pub instructions: BTreeMap<String, u64>,
    /// Bytes that copies read from global memory.
    #[serde(default)]
    pub gm_read_bytes: u64,
    /// Bytes that copies wrote to global memory.
    #[serde(default)]
    pub gm_write_bytes: u64,
    /// Modelled duration in core cycles.
    #[serde(default)]
    pub cycles: u64,
    /// Modelled duration in microseconds.
    #[serde(default)]
    pub device_time_us: f64,
    /// `ok` or what went wrong.
    #[serde(default)]
    pub status: String,
    /// ACL code, 0 for success.
    #[serde(default)]
    pub code: i32,
    /// What the buffers of block 0 need of each local memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Memory>,
}

/// What the buffers of a kernel need of one memory of one kind of core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// `AIV` or `AIC`.
    pub core: String,
    /// `UB`, `L1`, …
    pub memory: String,
    /// Bytes that buffers cover.
    pub used_bytes: u64,
    /// Bytes there are.
    pub limit_bytes: u64,
    /// In the order in which they were asked for.
    pub buffers: Vec<Buffer>,
}

/// One buffer, or all buffers of a queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Buffer {
    /// First byte.
    pub first_byte: u64,
    /// The one behind the last.
    pub end_byte: u64,
    /// Its name in the program, if the source has it, and what it is.
    pub owner: String,
    /// Where InitBuffer is.
    pub place: Option<SourcePlace>,
}

fn one() -> u64 {
    1
}

fn yes() -> bool {
    true
}

impl Report {
    /// Reads the report at `path`; `None` if there is none.
    ///
    /// # Errors
    /// [`ToolchainError::Report`] if it is damaged or of another layout.
    pub fn read(path: &Path) -> Result<Option<Report>> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) if bytes.is_empty() => return Ok(None),
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ToolchainError::File { path: path.to_path_buf(), source }),
        };
        let report: Report =
            serde_json::from_slice(&bytes).map_err(|e| ToolchainError::Report { reason: e.to_string() })?;
        if report.schema != SCHEMA {
            return Err(ToolchainError::Report {
                reason: format!("it has layout {}, this toprope reads {SCHEMA}", report.schema),
            });
        }
        Ok(Some(report))
    }

    /// Number of findings that make the run fail.
    pub fn errors(&self) -> usize {
        self.findings.iter().filter(|f| f.severity == Severity::Error).count()
    }

    /// Number of launches.
    pub fn launch_count(&self) -> u64 {
        self.launches.iter().map(|l| l.count).sum()
    }
}
