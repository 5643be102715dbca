//! `toprope run` and `toprope check`: build, run once per seed, show what was found.
//!
//! | | run | check |
//! |---|---|---|
//! | takes | sources | sources, or a program that is built |
//! | shows | compile line, findings, table of launches, verdict | findings, verdict |
//! | exit code | the program's own, else 70 if something was found | 70 if something was found, else the program's own |
//!
//! The runtime is told to print nothing (`TOPROPE_QUIET`) and reports what it finds as it finds it: also if the program aborts
//! or is killed. With a machine form on standard output, the program's own output goes to standard error.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::json;
use toprope_sim::findings::render::Style;

use crate::check::suppress::Suppressions;
use crate::check::{Check, Run, json, sarif, text};
use crate::cli::{SourceArgs, build, print, warn};
use crate::compile::{Built, Form, is_input};
use crate::error::{Result, ToolchainError};
use crate::prefix::Prefix;
use crate::report::Severity;
use crate::run::{self, ProgramOutput, RunOptions};
use crate::summary;

/// Options of both commands.
#[derive(Args, Debug)]
pub(crate) struct ObserveArgs {
    /// Chip to model.
    #[arg(long, value_name = "NAME")]
    soc: Option<String>,
    /// Limit on the wall-clock time of one launch, e.g. 30s, 500ms.
    #[arg(long, value_name = "TIME", value_parser = run::parse_duration)]
    time_limit: Option<Duration>,
    /// Choose among the legal orders of execution.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Run the program N times, with the seeds 0 to N-1, and say which finding needs which; output is shown for the first.
    #[arg(long, value_name = "N", conflicts_with = "seed", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    seeds: Option<u64>,
    /// Whether the compiler for the card inserts synchronisation inside a pipe; bisheng does by default.
    #[arg(long, value_name = "WHETHER")]
    auto_sync: Option<Switch>,
    /// Report bytes of output arguments that nobody wrote, or that several cores wrote.
    #[arg(long)]
    coverage: bool,
    /// Point out synchronisation that orders nothing.
    #[arg(long)]
    hints: bool,
    /// Room that an allocator adds behind a block does not count as the block's.
    #[arg(long)]
    strict_bounds: bool,
    /// How findings are shown: text on standard error; JSON lines or SARIF on standard output, alone there.
    #[arg(long, value_enum, value_name = "FORM")]
    format: Option<Format>,
    /// Write it to a file, in the form of --format (without one: everything as one JSON object), and text to standard error.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Findings shown in full; five times as many follow in a line each, the rest is counted.
    #[arg(long, value_name = "N", env = "TOPROPE_MAX_FINDINGS", default_value_t = 20)]
    max_findings: usize,
    /// Fail on warnings, or on warnings and notes, too.
    #[arg(long, value_enum, value_name = "WHAT")]
    deny: Option<Deny>,
    /// Findings that are accepted, with reasons (else toprope.toml here or beside the first source).
    #[arg(long, value_name = "FILE")]
    suppressions: Option<PathBuf>,
    /// Show findings alone, no summary.
    #[arg(long, short)]
    quiet: bool,
    /// Arguments of the program.
    #[arg(last = true, value_name = "ARGS")]
    pub(crate) args: Vec<OsString>,
}

/// `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

/// How findings are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// JSON lines: one object per finding, then a summary.
    Json,
    /// SARIF 2.1.0.
    Sarif,
}

/// What fails besides errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Deny {
    Warnings,
    Notes,
}

/// `toprope run`.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) sources: SourceArgs,
    /// Run without the checks of order, data and framework protocol.
    #[arg(long)]
    no_check: bool,
    /// Print compile facts, exit code and the run's report as one JSON line on standard output, after the program's own output.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    pub(crate) observe: ObserveArgs,
}

/// `toprope check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    sources: SourceArgs,
    #[command(flatten)]
    observe: ObserveArgs,
}

/// What is run.
struct Program {
    path: PathBuf,
    built: Option<Built>,
    library_dir: Option<PathBuf>,
}

/// Runs `toprope run`.
pub(crate) fn run_command(args: &RunArgs) -> Result<u8> {
    let built = build(&args.sources, Form::Program)?;
    if !args.observe.quiet {
        warn(&format!("{}\n", summary::compiled(&args.sources.shown(), &built)));
    }
    let program = Program { path: built.path.clone(), built: Some(built), library_dir: None };
    let check = args.observe.observe(&program, &args.sources, args.no_check, false)?;
    let style = Style::of(&std::io::stderr());
    warn(&text::findings(&check, &style, args.observe.max_findings));
    if !args.observe.quiet {
        warn(&summary::ended(&check));
    }
    let facts = || facts(&args.sources, program.built.as_ref(), &check);
    args.observe.write(&check, &facts)?;
    if args.json {
        print(&format!("{}\n", facts()));
    }
    Ok(check.exit_code())
}

/// Runs `toprope check`.
pub(crate) fn check_command(args: &CheckArgs) -> Result<u8> {
    let program = match args.sources.files.as_slice() {
        [file] if !is_input(file) => built_program(file)?,
        _ => {
            let built = build(&args.sources, Form::Program)?;
            Program { path: built.path.clone(), built: Some(built), library_dir: None }
        }
    };
    let check = args.observe.observe(&program, &args.sources, false, true)?;
    let style = Style::of(&std::io::stderr());
    warn(&text::findings(&check, &style, args.observe.max_findings));
    if !args.observe.quiet {
        warn(&summary::concluded(&check));
    }
    args.observe.write(&check, &|| facts(&args.sources, program.built.as_ref(), &check))?;
    Ok(check.exit_code())
}

/// A program that somebody else built: it loads our libraries by their CANN names.
fn built_program(file: &Path) -> Result<Program> {
    let path =
        std::fs::canonicalize(file).map_err(|source| ToolchainError::Source { path: file.into(), source })?;
    let start = std::fs::File::open(&path).and_then(|mut f| {
        let mut start = [0; 4];
        std::io::Read::read_exact(&mut f, &mut start).map(|()| start)
    });
    if start.map_or(true, |start| start != *b"\x7fELF") {
        return Err(ToolchainError::UnknownKind { path: file.into() });
    }
    Ok(Program { path, built: None, library_dir: Some(Prefix::in_cache()?.root().join("lib64")) })
}

impl ObserveArgs {
    fn observe(
        &self,
        program: &Program,
        sources: &SourceArgs,
        unchecked: bool,
        strict: bool,
    ) -> Result<Check> {
        let suppressions =
            Suppressions::find(self.suppressions.as_deref(), sources.files.first().map(PathBuf::as_path))?;
        let seeds: Vec<Option<u64>> = match self.seeds {
            Some(count) => (0..count).map(Some).collect(),
            None => vec![self.seed],
        };
        let mut runs = Vec::new();
        for (i, seed) in seeds.into_iter().enumerate() {
            let options = RunOptions {
                args: self.args.clone(),
                soc: self.soc.clone(),
                time_limit: self.time_limit,
                seed,
                variables: self.variables(unchecked),
                library_dir: program.library_dir.clone(),
                output: match (i, self.on_stdout()) {
                    (0, false) => ProgramOutput::Ours,
                    (0, true) => ProgramOutput::StandardError,
                    _ => ProgramOutput::Nowhere,
                },
            };
            runs.push(Run { seed, outcome: run::run(&program.path, &options)? });
        }
        let mut check = Check::of(runs);
        check.strict = strict;
        check.denied = match self.deny {
            None => Severity::Error,
            Some(Deny::Warnings) => Severity::Warning,
            Some(Deny::Notes) => Severity::Note,
        };
        suppressions.apply(&mut check);
        Ok(check)
    }

    /// Variables of the runtime; what was not asked for stays as the environment has it.
    fn variables(&self, unchecked: bool) -> Vec<(&'static str, String)> {
        let on = "on".to_owned();
        let mut variables = vec![("TOPROPE_QUIET", "1".to_owned())];
        if unchecked {
            variables.push(("TOPROPE_CHECK", "off".into()));
        }
        if let Some(switch) = self.auto_sync {
            variables
                .push(("TOPROPE_AUTO_SYNC", if switch == Switch::On { on.clone() } else { "off".into() }));
        }
        let switches = [
            ("TOPROPE_COVERAGE", self.coverage),
            ("TOPROPE_HINTS", self.hints),
            ("TOPROPE_STRICT_BOUNDS", self.strict_bounds),
        ];
        variables.extend(switches.iter().filter(|(_, asked)| *asked).map(|(name, _)| (*name, on.clone())));
        variables
    }

    /// Whether standard output is for a machine.
    fn on_stdout(&self) -> bool {
        matches!(self.format, Some(Format::Json | Format::Sarif)) && self.report.is_none()
    }

    /// The machine forms.
    fn write(&self, check: &Check, facts: &dyn Fn() -> serde_json::Value) -> Result<()> {
        let document = match self.format {
            None => self.report.is_some().then(|| format!("{}\n", facts())),
            Some(Format::Text) => {
                self.report.is_some().then(|| text::findings(check, &Style::PLAIN, self.max_findings))
            }
            Some(Format::Json) => Some(json::lines(check)),
            Some(Format::Sarif) => Some(sarif::log(check)),
        };
        match (document, &self.report) {
            (Some(document), Some(path)) => {
                std::fs::write(path, document).map_err(ToolchainError::file(path))
            }
            (Some(document), None) => {
                print(&document);
                Ok(())
            }
            (None, _) => Ok(()),
        }
    }
}

/// The JSON object of `--json` and `--report`.
fn facts(sources: &SourceArgs, built: Option<&Built>, check: &Check) -> serde_json::Value {
    let run = check.runs.first();
    let compile = built.map(|built| {
        json!({
            "cached": built.cached,
            "seconds": built.took.as_secs_f64(),
            "compiler": built.compiler,
            "kernels": built.kernels,
        })
    });
    json!({
        "version": 1,
        "sources": sources.files,
        "compile": compile,
        "run": {
            "seconds": run.map(|run| run.outcome.took.as_secs_f64()),
            "exit_code": check.exit_code(),
            "passed": check.passed(),
            "verdict": check.verdict(),
        },
        "report": run.and_then(|run| run.outcome.report.as_ref()),
    })
}
