//! Runs a built program on the embedded NPU and says how it ended.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::error::{Result, ToolchainError};
use crate::report::{self, Report};

/// Exit codes of `toprope`, with what they mean. A program's own code other than 0 is passed on.
pub const EXIT_CODES: [(&str, &str); 6] = [
    ("0", "the program ended with 0 and nothing wrong was found"),
    ("2", "the command line was not understood"),
    ("65", "a source does not compile"),
    ("69", "something is missing: compiler, runtime library, cache directory, a file"),
    ("70", "the program ended with 0, but something wrong was found in a kernel or a launch failed"),
    ("128+n", "the program was ended by signal n"),
];

/// See [`EXIT_CODES`].
pub const EXIT_SOURCE: u8 = 65;
/// See [`EXIT_CODES`].
pub const EXIT_MISSING: u8 = 69;
/// See [`EXIT_CODES`].
pub const EXIT_FOUND: u8 = 70;

/// How to run a program.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Arguments of the program.
    pub args: Vec<OsString>,
    /// Chip to model (`TOPROPE_SOC`).
    pub soc: Option<String>,
    /// Limit on the wall-clock time of one launch (`TOPROPE_TIME_LIMIT`).
    pub time_limit: Option<Duration>,
    /// Chooses among the legal orders of execution (`TOPROPE_SEED`).
    pub seed: Option<u64>,
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// As the system reports it.
    pub status: ExitStatus,
    /// What the runtime reports; `None` if the program ended without the runtime being able to.
    pub report: Option<Report>,
    /// Wall-clock time.
    pub took: Duration,
}

/// Runs `program`; its standard streams are ours.
///
/// # Errors
/// [`ToolchainError::Spawn`] if it cannot be started, [`ToolchainError::Report`] if its report cannot be read.
pub fn run(program: &Path, options: &RunOptions) -> Result<Outcome> {
    let scratch = tempfile::tempdir().map_err(ToolchainError::file(std::env::temp_dir()))?;
    let report_path = scratch.path().join("report.json");
    let mut command = command(program, options, &report_path);
    let clock = Instant::now();
    let status = command
        .status()
        .map_err(|source| ToolchainError::Spawn { command: program.display().to_string(), source })?;
    Ok(Outcome { status, took: clock.elapsed(), report: Report::read(&report_path)? })
}

/// The command that [`run`] starts, for callers that want its output.
pub fn command(program: &Path, options: &RunOptions, report: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(&options.args).env(report::VARIABLE, report);
    if let Some(soc) = &options.soc {
        command.env("TOPROPE_SOC", soc);
    }
    if let Some(limit) = options.time_limit {
        command.env("TOPROPE_TIME_LIMIT", limit.as_secs_f64().to_string());
    }
    if let Some(seed) = options.seed {
        command.env("TOPROPE_SEED", seed.to_string());
    }
    command
}

impl Outcome {
    /// Exit code for the shell; see [`EXIT_CODES`].
    pub fn exit_code(&self) -> u8 {
        if let Some(signal) = self.status.signal() {
            return 128_u8.saturating_add(u8::try_from(signal).unwrap_or(u8::MAX));
        }
        match self.status.code().map(|c| u8::try_from(c & 0xff).unwrap_or(1)) {
            Some(0) if self.found_something() => EXIT_FOUND,
            Some(code) => code,
            None => 1,
        }
    }

    fn found_something(&self) -> bool {
        self.report.as_ref().is_some_and(|r| r.errors() > 0 || r.launches.iter().any(|l| l.code != 0))
    }

    /// Nothing went wrong.
    pub fn passed(&self) -> bool {
        self.exit_code() == 0
    }

    /// One line: how it ended.
    pub fn verdict(&self) -> String {
        if let Some(signal) = self.status.signal() {
            let dumped = if self.status.core_dumped() { ", core dumped" } else { "" };
            return format!(
                "failed: the program was ended by signal {signal}{}{dumped}",
                signal_name(signal)
            );
        }
        let code = self.status.code().unwrap_or(1);
        let errors = self.report.as_ref().map_or(0, Report::errors);
        match (code, errors, self.found_something()) {
            (0, _, false) => "passed: the program ended with 0".into(),
            (0, 0, true) => "failed: the program ended with 0, but a launch failed".into(),
            (0, n, true) => {
                format!("failed: the program ended with 0, but {n} {} reported", were("error", n))
            }
            (code, 0, _) => format!("failed: the program ended with {code}"),
            (code, n, _) => {
                format!("failed: the program ended with {code}; {n} {} reported", were("error", n))
            }
        }
    }
}

fn were(noun: &str, count: usize) -> String {
    if count == 1 { format!("{noun} was") } else { format!("{noun}s were") }
}

/// Names of the signals a program dies of, with a leading space.
const SIGNALS: [(i32, &str); 8] = [
    (1, "SIGHUP"),
    (2, "SIGINT"),
    (4, "SIGILL"),
    (6, "SIGABRT"),
    (8, "SIGFPE"),
    (9, "SIGKILL"),
    (11, "SIGSEGV"),
    (15, "SIGTERM"),
];

fn signal_name(signal: i32) -> String {
    SIGNALS.iter().find(|s| s.0 == signal).map(|s| format!(" ({})", s.1)).unwrap_or_default()
}

/// Parses `30s`, `500ms`, `2m`, `1.5` (seconds).
///
/// # Errors
/// What is accepted.
pub fn parse_duration(text: &str) -> std::result::Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("min", 60.0), ("m", 60.0), ("h", 3600.0)];
    let (number, unit) = units
        .iter()
        .find_map(|(suffix, unit)| text.strip_suffix(suffix).map(|number| (number, *unit)))
        .unwrap_or((text, 1.0));
    let seconds = number.trim().parse::<f64>().ok().map(|n| n * unit).filter(|s| *s > 0.0 && *s <= 1e9);
    seconds
        .and_then(|s| Duration::try_from_secs_f64(s).ok())
        .ok_or_else(|| format!("`{text}` is not a time limit: write e.g. 30s, 500ms or 2m"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Finding, Launch};

    fn outcome(raw: i32, report: Option<Report>) -> Outcome {
        Outcome { status: ExitStatus::from_raw(raw), report, took: Duration::ZERO }
    }

    fn report(errors: usize, code: i32) -> Option<Report> {
        let finding = Finding { code: "X".into(), severity: "Error".into(), ..Finding::default() };
        let launch: Launch =
            serde_json::from_value(serde_json::json!({"kernel": "k", "code": code})).expect("launch");
        Some(Report {
            schema: 1,
            launches: vec![launch],
            findings: vec![finding; errors],
            ..Report::default()
        })
    }

    #[test]
    fn exit_codes_follow_the_table() {
        assert_eq!(outcome(0, None).exit_code(), 0);
        assert_eq!(outcome(0, report(0, 0)).exit_code(), 0);
        assert_eq!(outcome(0, report(1, 0)).exit_code(), EXIT_FOUND);
        assert_eq!(outcome(0, report(0, 507_035)).exit_code(), EXIT_FOUND);
        assert_eq!(outcome(3 << 8, report(2, 0)).exit_code(), 3);
        assert_eq!(outcome(11, None).exit_code(), 139);
        assert!(outcome(11, None).verdict().contains("SIGSEGV"));
    }

    #[test]
    fn warnings_do_not_fail_a_run() {
        let mut report = report(1, 0).expect("report");
        report.findings[0].severity = "Warning".into();
        assert!(outcome(0, Some(report)).passed());
    }

    #[test]
    fn durations() {
        assert_eq!(parse_duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_duration("1.5"), Ok(Duration::from_millis(1500)));
        for bad in ["", "s", "-1s", "0", "NaN", "inf", "1e99s", "ten"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
