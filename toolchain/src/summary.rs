//! The short, readable summary of a run.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::check::{Check, text};
use crate::compile::Built;
use crate::report::{Launch, Report};

/// Order in which pipes are shown; others follow.
const PIPES: [&str; 7] = ["S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"];

/// Rows of the launch table before the rest is folded.
const MAX_ROWS: usize = 20;

/// First line: what was compiled and how long it took.
pub fn compiled(name: &str, built: &Built) -> String {
    let seconds = built.took.as_secs_f64();
    let how = if built.cached { "found in the cache" } else { "compiled" };
    format!("toprope: {name}: {how} in {seconds:.2} s ({})", built.compiler)
}

/// The launch table and the verdict, with line ends. Several runs: the table of the first.
pub fn ended(check: &Check) -> String {
    let mut out = head(check);
    let report = check.runs.first().and_then(|run| run.outcome.report.as_ref());
    if let Some(report) = report {
        table(report, &mut out);
    }
    for leak in report.iter().flat_map(|r| &r.leaks) {
        let (blocks, size) = (leak.blocks, bytes(leak.bytes));
        let _ = writeln!(
            out,
            "toprope: note: {blocks} {} allocation{} never freed ({size})",
            leak.memory,
            if blocks == 1 { " was" } else { "s were" }
        );
    }
    let _ = writeln!(out, "toprope: {}", check.verdict());
    out
}

/// What the result rests on, and the verdict.
pub fn concluded(check: &Check) -> String {
    format!("{}toprope: {}\n", head(check), check.verdict())
}

/// Chip, assumptions, launches.
fn head(check: &Check) -> String {
    let reports: Vec<&Report> = check.runs.iter().filter_map(|run| run.outcome.report.as_ref()).collect();
    if reports.is_empty() {
        return "toprope: no report: the program ended before the runtime could write one, or never used it\n".into();
    }
    let count: u64 = reports.iter().map(|report| report.launch_count()).sum();
    let assumptions = text::assumptions(check);
    let launches = format!("{count} kernel launch{}", if count == 1 { "" } else { "es" });
    let mut out = format!("toprope: {}, {assumptions}, {launches}\n", check.soc());
    if reports.iter().any(|report| !report.complete) {
        out.push_str(
            "toprope: note: the program did not come to its end; what is told was found until then\n",
        );
    }
    out
}

fn table(report: &Report, out: &mut String) {
    let groups = grouped(&report.launches);
    if groups.is_empty() {
        return;
    }
    let mut rows = vec![
        ["kernel", "blocks", "instructions", "GM read", "GM written", "device time", "result"]
            .map(String::from),
    ];
    rows.extend(groups.iter().take(MAX_ROWS).map(row));
    let widths: Vec<usize> =
        (0..rows[0].len()).map(|c| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0)).collect();
    for row in &rows {
        let line: String = row.iter().zip(&widths).map(|(cell, width)| format!("  {cell:<width$}")).collect();
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if groups.len() > MAX_ROWS {
        let _ = writeln!(out, "  … {} more kinds of launches (all are in --report)", groups.len() - MAX_ROWS);
    }
    let _ = writeln!(out, "  device time is an estimate of the cost model, not a measurement");
}

/// Launches of the same kernel, size and result as one, in order of first appearance.
fn grouped(launches: &[Launch]) -> Vec<Launch> {
    let mut groups: Vec<Launch> = Vec::new();
    let mut index = BTreeMap::new();
    for launch in launches {
        let key = (
            launch.kernel.clone(),
            launch.num_blocks,
            launch.core_kind.clone(),
            launch.status.clone(),
            launch.code,
        );
        match index.get(&key).copied() {
            None => {
                index.insert(key, groups.len());
                groups.push(launch.clone());
            }
            Some(at) => {
                let group: &mut Launch = &mut groups[at];
                group.count += launch.count;
                group.gm_read_bytes += launch.gm_read_bytes;
                group.gm_write_bytes += launch.gm_write_bytes;
                group.cycles += launch.cycles;
                group.device_time_us += launch.device_time_us;
                for (pipe, n) in &launch.instructions {
                    *group.instructions.entry(pipe.clone()).or_default() += n;
                }
            }
        }
    }
    groups
}

fn row(launch: &Launch) -> [String; 7] {
    let times = if launch.count > 1 { format!(" ×{}", launch.count) } else { String::new() };
    let mut pipes: Vec<(&String, &u64)> = launch.instructions.iter().filter(|p| *p.1 > 0).collect();
    pipes.sort_by_key(|(name, _)| PIPES.iter().position(|p| p == name).unwrap_or(PIPES.len()));
    let instructions: Vec<String> = pipes.iter().map(|(name, n)| format!("{name} {n}")).collect();
    let result = match (launch.code, launch.status.as_str()) {
        (0, _) => "ok".to_string(),
        (code, "" | "ok") => format!("error {code}"),
        (code, status) => format!("{status} ({code})"),
    };
    [
        format!("{}{times}", launch.kernel),
        format!("{} {}", launch.num_blocks, launch.core_kind).trim_end().to_string(),
        instructions.join(", "),
        bytes(launch.gm_read_bytes),
        bytes(launch.gm_write_bytes),
        microseconds(launch.device_time_us),
        result,
    ]
}

/// `96 B`, `1.5 KiB`, `64 MiB`.
fn bytes(n: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = n as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    let digits = usize::from(value.fract() > 0.05 && value < 100.0);
    format!("{value:.digits$} {}", units[unit])
}

/// `4.25 µs`, `1.20 ms`.
fn microseconds(us: f64) -> String {
    match us {
        us if us < 1000.0 => format!("{us:.2} µs"),
        us if us < 1e6 => format!("{:.2} ms", us / 1e3),
        us => format!("{:.2} s", us / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    use super::*;
    use crate::check::Run;
    use crate::run::Outcome;

    #[test]
    fn identical_launches_are_one_row() {
        let launch = |kernel: &str, code: i32| {
            serde_json::json!({"kernel": kernel, "num_blocks": 8, "core_kind": "AIV", "code": code,
            "instructions": {"V": 16, "MTE2": 32, "S": 0}, "gm_read_bytes": 65536, "gm_write_bytes": 100, "device_time_us": 2.5})
        };
        let report = serde_json::json!({"schema": 1, "soc": "Ascend910B1",
            "launches": [launch("add", 0), launch("add", 0), launch("scale", 507_035)]});
        let report: Report = serde_json::from_value(report).expect("report");
        let outcome = Outcome { status: ExitStatus::from_raw(0), report: Some(report), took: Duration::ZERO };
        let check = Check::of(vec![Run { seed: None, outcome }]);
        let expected = "\
toprope: Ascend910B1, auto-sync on (as bisheng), 3 kernel launches
  kernel  blocks  instructions   GM read  GM written  device time  result
  add ×2  8 AIV   V 32, MTE2 64  128 KiB  200 B       5.00 µs      ok
  scale   8 AIV   V 16, MTE2 32  64 KiB   100 B       2.50 µs      error 507035
  device time is an estimate of the cost model, not a measurement
toprope: failed: the program ended with 0, but a launch failed
";
        assert_eq!(ended(&check), expected);
    }
}
