//! Runs a built program on the embedded NPU and says how it ended.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::error::{Result, ToolchainError};
use crate::report::{self, Report};

/// Exit codes of `toprope`, with what they mean. A program's own code other than 0 is passed on.
pub const EXIT_CODES: [(&str, &str); 7] = [
    ("0", "the program ended with 0 and nothing wrong was found (warnings and notes only, without --deny)"),
    ("2", "the command line was not understood"),
    ("65", "a source does not compile"),
    ("69", "something is missing: compiler, runtime library, cache directory, a file"),
    ("70", "something wrong was found or a launch failed; `run`: and the program ended with 0"),
    ("78", "a file or comment of suppressions is not understood"),
    ("128+n", "the program was ended by signal n"),
];

/// See [`EXIT_CODES`].
pub const EXIT_SOURCE: u8 = 65;
/// See [`EXIT_CODES`].
pub const EXIT_MISSING: u8 = 69;
/// See [`EXIT_CODES`].
pub const EXIT_FOUND: u8 = 70;

/// See [`EXIT_CODES`].
pub const EXIT_CONFIG: u8 = 78;

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
    /// Further variables of the runtime.
    pub variables: Vec<(&'static str, String)>,
    /// A folder in which the dynamic loader looks first.
    pub library_dir: Option<PathBuf>,
    /// What the program prints.
    pub output: ProgramOutput,
}

/// Where a program's own output goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProgramOutput {
    /// Standard output to ours, standard error to ours.
    #[default]
    Ours,
    /// Both to our standard error: our standard output is for a machine.
    StandardError,
    /// Nowhere.
    Nowhere,
}

/// Variable of the dynamic loader.
const LOADER: &str = "LD_LIBRARY_PATH";

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
    command.envs(options.variables.iter().map(|(name, value)| (*name, value)));
    if let Some(dir) = &options.library_dir {
        let mut dirs = vec![dir.clone()];
        dirs.extend(std::env::var_os(LOADER).iter().flat_map(std::env::split_paths));
        if let Ok(dirs) = std::env::join_paths(dirs) {
            command.env(LOADER, dirs);
        }
    }
    match options.output {
        ProgramOutput::Ours => {}
        ProgramOutput::StandardError => {
            command.stdout(std::io::stderr());
        }
        ProgramOutput::Nowhere => {
            command.stdout(Stdio::null()).stderr(Stdio::null());
        }
    }
    command
}

impl Outcome {
    /// The program's own exit code, as a shell shows it.
    pub fn program_code(&self) -> u8 {
        if let Some(signal) = self.status.signal() {
            return 128_u8.saturating_add(u8::try_from(signal).unwrap_or(u8::MAX));
        }
        self.status.code().map_or(1, |code| u8::try_from(code & 0xff).unwrap_or(1))
    }

    /// How the program ended, in words: `the program ended with 0`.
    pub fn ending(&self) -> String {
        if let Some(signal) = self.status.signal() {
            let dumped = if self.status.core_dumped() { ", core dumped" } else { "" };
            return format!("the program was ended by signal {signal}{}{dumped}", signal_name(signal));
        }
        format!("the program ended with {}", self.status.code().unwrap_or(1))
    }
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

    #[test]
    fn endings_of_programs() {
        let outcome = |raw| Outcome { status: ExitStatus::from_raw(raw), report: None, took: Duration::ZERO };
        assert_eq!((outcome(0).program_code(), outcome(3 << 8).program_code()), (0, 3));
        assert_eq!(outcome(11).program_code(), 139);
        assert!(outcome(11).ending().contains("SIGSEGV"));
        assert_eq!(outcome(3 << 8).ending(), "the program ended with 3");
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
