//! The JSON report of a run (`TOPROPE_REPORT`), for the `toprope` command and for CI.
//!
//! Written whenever something new was found, at `aclFinalize`, and when the process ends: to a temporary file (mode 0600)
//! that is renamed, so a reader never sees half of it. A program that aborts or is killed leaves what was found until then,
//! with `complete` false; many new findings in a short time are written together. The first [`SINGLE_LAUNCHES`] launches are listed one by one; later ones are summed
//! per kernel, number of blocks and result, so the memory is bounded.

use super::binary::Function;
use crate::findings::names::named;
use crate::findings::{Finding, SourcePlace, symbols};
use crate::npu::{BufferDemand, CheckOptions, LaunchOutcome, MemoryDemand};
use parking_lot::Mutex;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use toprope_abi::acl::AclError;
use toprope_abi::isa::Pipe;

/// Version of the file's layout.
pub const SCHEMA_VERSION: u32 = 1;
/// Launches listed one by one.
pub const SINGLE_LAUNCHES: usize = 1000;
/// Findings kept.
const KEPT_FINDINGS: usize = 1000;
/// Findings after each of which the report is written at once.
const WRITTEN_AT_ONCE: usize = 32;
/// Shortest time between two writes after those.
const BETWEEN_WRITES: Duration = Duration::from_millis(200);
/// Marks of `aclrtProfTrace` kept.
const KEPT_TRACES: usize = 1 << 16;

/// One launch, or the sum of `count` launches of the same kernel.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LaunchRecord {
    /// Kernel name.
    pub kernel: String,
    /// Blocks of each launch.
    pub num_blocks: u32,
    /// Cores it runs on: `AIV`, `AIC` or `MIX`.
    pub core_kind: &'static str,
    /// Device (of the first launch).
    pub device: u32,
    /// Stream (of the first launch).
    pub stream: u32,
    /// How many launches are summed here.
    pub count: u64,
    /// Instructions per pipe.
    pub instructions: BTreeMap<&'static str, u64>,
    /// Bytes read from GM by copies.
    pub gm_read_bytes: u64,
    /// Bytes written to GM by copies.
    pub gm_write_bytes: u64,
    /// Modelled cycles, without the overhead of a launch.
    pub cycles: u64,
    /// Modelled time, overhead included, microseconds.
    pub device_time_us: f64,
    /// `ok` or `failed`.
    pub status: &'static str,
    /// CANN code; 0: ok.
    pub code: i32,
    /// What its buffers need of each local memory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<MemoryRecord>,
}

/// What the buffers of a kernel need of one memory of one kind of core.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MemoryRecord {
    /// `AIV` or `AIC`.
    pub core: &'static str,
    /// `UB`, `L1`, …
    pub memory: &'static str,
    /// Bytes that buffers cover.
    pub used_bytes: u64,
    /// Bytes there are.
    pub limit_bytes: u64,
    /// In the order in which they were asked for.
    pub buffers: Vec<BufferRecord>,
}

/// One buffer, or all buffers of a queue.
#[derive(Clone, Debug, Serialize)]
pub struct BufferRecord {
    /// First byte.
    pub first_byte: u64,
    /// The one behind the last.
    pub end_byte: u64,
    /// Its name in the program, if the source has it, and what it is.
    pub owner: String,
    /// Where InitBuffer is.
    pub place: Option<SourcePlace>,
}

/// Memory that was never freed.
#[derive(Clone, Debug, Serialize)]
pub struct Leak {
    /// `device` or `host`.
    pub memory: &'static str,
    /// Device; `None` for host memory.
    pub device: Option<u32>,
    /// Blocks.
    pub blocks: u64,
    /// Bytes.
    pub bytes: u64,
}

/// A mark that the program put into a stream (`aclrtProfTrace`).
#[derive(Clone, Debug, Serialize)]
pub struct TraceRecord {
    /// Device.
    pub device: u32,
    /// Stream.
    pub stream: u32,
    /// Device time at which the stream got there, microseconds.
    pub device_time_us: f64,
    /// The program's data, hexadecimal.
    pub data: String,
}

/// What was checked, and on which assumptions.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Checks {
    on: bool,
    auto_sync: bool,
    coverage: bool,
    hints: bool,
    strict_bounds: bool,
}

impl From<CheckOptions> for Checks {
    fn from(options: CheckOptions) -> Checks {
        let CheckOptions { on, auto_sync, coverage, hints, strict_bounds, .. } = options;
        Checks { on, auto_sync, coverage, hints, strict_bounds }
    }
}

#[derive(Debug, Default, Serialize)]
struct Content {
    schema: u32,
    version: &'static str,
    soc: String,
    complete: bool,
    checks: Checks,
    launches: Vec<LaunchRecord>,
    findings: Vec<Finding>,
    findings_dropped: u64,
    leaks: Vec<Leak>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    traces: Vec<TraceRecord>,
    #[serde(skip_serializing_if = "is_zero")]
    traces_dropped: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Debug, Default)]
struct State {
    content: Content,
    sums: BTreeMap<(String, u32, i32), usize>,
    /// Places and names of buffers that were looked up.
    places: HashMap<Vec<u64>, (String, Option<SourcePlace>)>,
    path: Option<PathBuf>,
    written: Option<Instant>,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// Turns reporting on.
pub fn begin(path: Option<PathBuf>, soc: &str, checks: CheckOptions) {
    let content = Content {
        schema: SCHEMA_VERSION,
        version: env!("CARGO_PKG_VERSION"),
        soc: soc.to_string(),
        checks: checks.into(),
        ..Content::default()
    };
    *STATE.lock() = Some(State { content, path, ..State::default() });
}

/// A launch that ended.
#[derive(Debug)]
pub struct LaunchSeen<'a> {
    /// Its kernel.
    pub function: &'a Function,
    /// Its blocks.
    pub blocks: u32,
    /// Its device.
    pub device: u32,
    /// Its stream.
    pub stream: u32,
    /// What it did.
    pub outcome: &'a LaunchOutcome,
    /// Modelled time, microseconds.
    pub time_us: f64,
    /// Code of its failure, or success.
    pub code: AclError,
}

fn with_reporting(change: impl FnOnce(&mut State)) {
    if let Some(state) = STATE.lock().as_mut().filter(|state| state.path.is_some()) {
        change(state);
    }
}

/// Adds a launch and its findings.
pub fn launch(seen: &LaunchSeen<'_>) {
    with_reporting(|state| {
        state.add_launch(seen);
        state.add_findings(&seen.outcome.findings);
    });
}

/// Adds a finding that belongs to no launch.
pub fn finding(finding: &Finding) {
    with_reporting(|state| state.add_findings(std::slice::from_ref(finding)));
}

/// Adds memory that was never freed.
pub fn leak(leak: Leak) {
    with_reporting(|state| state.content.leaks.push(leak));
}

/// Adds a mark that a stream passed.
pub fn trace(device: u32, stream: u32, device_time_us: f64, data: &[u8]) {
    with_reporting(|state| {
        if state.content.traces.len() == KEPT_TRACES {
            state.content.traces_dropped += 1;
            return;
        }
        let data = data.iter().map(|byte| format!("{byte:02x}")).collect();
        state.content.traces.push(TraceRecord { device, stream, device_time_us, data });
    });
}

impl State {
    fn add_launch(&mut self, seen: &LaunchSeen<'_>) {
        let launches = &mut self.content.launches;
        let key = (seen.function.name.clone(), seen.blocks, seen.code.0);
        if launches.len() >= SINGLE_LAUNCHES
            && let Some(&at) = self.sums.get(&key)
            && let Some(sum) = launches.get_mut(at)
        {
            return sum.add(seen);
        }
        let mut record = LaunchRecord {
            kernel: key.0.clone(),
            num_blocks: seen.blocks,
            core_kind: seen.function.core_kind_name(),
            device: seen.device,
            stream: seen.stream,
            status: if seen.code.is_success() { "ok" } else { "failed" },
            code: seen.code.0,
            ..LaunchRecord::default()
        };
        record.add(seen);
        record.memory = seen.outcome.demand.iter().map(|m| memory_record(m, &mut self.places)).collect();
        if launches.len() >= SINGLE_LAUNCHES {
            self.sums.insert(key, launches.len());
        }
        launches.push(record);
    }

    fn add_findings(&mut self, findings: &[Finding]) {
        let known = self.content.findings.len();
        findings.iter().for_each(|finding| self.add_finding(finding));
        let count = self.content.findings.len();
        let due = self.written.is_none_or(|at| at.elapsed() >= BETWEEN_WRITES);
        if count > known && (count <= WRITTEN_AT_ONCE || due) {
            self.write();
        }
    }

    fn write(&mut self) {
        let Some(path) = &self.path else { return };
        let written = serde_json::to_vec(&self.content)
            .map_err(std::io::Error::other)
            .and_then(|text| write_file(path, &text));
        self.written = Some(Instant::now());
        if let Err(e) = written {
            eprintln!("toprope: the report `{}` cannot be written: {e}", path.display());
        }
    }

    fn add_finding(&mut self, finding: &Finding) {
        let findings = &mut self.content.findings;
        let same = |known: &&mut Finding| {
            known.code == finding.code
                && known.place == finding.place
                && known.kernel == finding.kernel
                && known.title == finding.title
                && known.sides.iter().map(|s| &s.place).eq(finding.sides.iter().map(|s| &s.place))
        };
        if let Some(known) = findings.iter_mut().find(same) {
            known.count += finding.count;
        } else if findings.len() < KEPT_FINDINGS {
            findings.push(finding.clone());
        } else {
            self.content.findings_dropped += 1;
        }
    }
}

impl LaunchRecord {
    fn add(&mut self, seen: &LaunchSeen<'_>) {
        let stats = &seen.outcome.stats;
        self.count += 1;
        for (code, count) in stats.instructions.iter().enumerate().filter(|(_, count)| **count > 0) {
            let name = Pipe::from_code(code as u64).map_or("?", Pipe::name);
            *self.instructions.entry(name).or_default() += count;
        }
        self.gm_read_bytes += stats.gm_read_bytes;
        self.gm_write_bytes += stats.gm_write_bytes;
        self.cycles += stats.cycles;
        self.device_time_us += seen.time_us;
    }
}

fn memory_record(
    demand: &MemoryDemand,
    places: &mut HashMap<Vec<u64>, (String, Option<SourcePlace>)>,
) -> MemoryRecord {
    let buffer = |b: &BufferDemand| {
        let (owner, place) = places.entry(b.frames.clone()).or_insert_with(|| {
            let place = symbols::place(&b.frames);
            (named(&format!("{{{}}}", b.name), place.as_ref()), place)
        });
        let (first_byte, end_byte) = b.bytes;
        BufferRecord { first_byte, end_byte, owner: owner.clone(), place: place.clone() }
    };
    MemoryRecord {
        core: demand.core,
        memory: demand.memory,
        used_bytes: covered(demand.buffers.iter().map(|b| b.bytes).collect()),
        limit_bytes: demand.limit_bytes,
        buffers: demand.buffers.iter().map(buffer).collect(),
    }
}

/// Bytes in at least one of `ranges`: pools hold other buffers.
fn covered(mut ranges: Vec<(u64, u64)>) -> u64 {
    ranges.sort_unstable();
    let (mut sum, mut upto) = (0, 0);
    for (first, end) in ranges {
        sum += end.saturating_sub(first.max(upto));
        upto = upto.max(end);
    }
    sum
}

/// Brings the report up to date for a program that reads it while it runs. False: the runtime has begun, and without a report.
pub fn write_now() -> bool {
    match STATE.lock().as_mut() {
        Some(state) if state.path.is_none() => return false,
        Some(state) => state.write(),
        None => {}
    }
    true
}

/// Writes the report, if one was asked for. A failure is printed: there is nobody to return it to.
pub fn write() {
    with_reporting(State::write);
}

/// Writes the report for the last time.
pub fn end() {
    with_reporting(|state| {
        state.content.complete = true;
        state.write();
    });
}

fn write_file(path: &Path, text: &[u8]) -> std::io::Result<()> {
    let name = path.file_name().map_or_else(|| "report".into(), |n| n.to_string_lossy().into_owned());
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let _ = std::fs::remove_file(&temporary);
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temporary)?;
    let done = file.write_all(text).and_then(|()| std::fs::rename(&temporary, path));
    if done.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::covered;

    #[test]
    fn bytes_of_several_buffers_count_once() {
        assert_eq!(covered(vec![(64, 128), (0, 32), (64, 96), (100, 160)]), 128);
        assert_eq!(covered(Vec::new()), 0);
    }
}
