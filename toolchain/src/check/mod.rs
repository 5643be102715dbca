//! What one `toprope run` or `toprope check` found: the reports of its runs together, with suppressions.
//!
//! ```text
//! runs (one per seed) ──reports──▶ Check::of ──▶ suppress ──▶ text | json | sarif, exit code
//! ```
//! A finding counts unless it is suppressed. Errors always fail, warnings and notes if denied; so does a launch that failed,
//! unless a suppressed finding of its kernel is the reason.

pub mod json;
pub mod sarif;
pub mod suppress;
pub mod text;

use toprope_sim::findings::SourcePlace;

use crate::report::{Checks, Finding, Launch, Severity, Verdict};
use crate::run::{EXIT_FOUND, EXIT_MISSING, Outcome};
use suppress::Accepted;

/// One finding of all runs.
#[derive(Clone, Debug)]
pub struct Found {
    /// As the runtime reports it, from the first run that has it; the count is that of all runs.
    pub finding: Finding,
    /// Seeds of the runs that have it; empty if no seed was chosen.
    pub seeds: Vec<u64>,
    /// Why it does not count.
    pub accepted: Option<Accepted>,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its seed, if one was chosen.
    pub seed: Option<u64>,
    /// How it ended.
    pub outcome: Outcome,
}

/// Everything of one command.
#[derive(Clone, Debug)]
pub struct Check {
    /// Its runs, at least one.
    pub runs: Vec<Run>,
    /// Findings, in order of the first run that has them; suppressed ones too.
    pub found: Vec<Found>,
    /// Findings that the runtime did not keep.
    pub dropped: u64,
    /// Suppressions that were not needed, and others that are not valid, in words.
    pub remarks: Vec<String>,
    /// Least severity that fails.
    pub denied: Severity,
    /// The findings decide about the exit code, before the program's own, and a run that reported nothing is none.
    pub strict: bool,
}

/// What makes a finding of one run the same as that of another.
fn key(finding: &Finding) -> (&str, &str, Option<&SourcePlace>, Vec<Option<&SourcePlace>>) {
    let sides = finding.sides.iter().map(|side| side.place.as_ref()).collect();
    (finding.code, &finding.kernel, finding.place.as_ref(), sides)
}

impl Check {
    /// Merges the findings of `runs`.
    pub fn of(runs: Vec<Run>) -> Check {
        let mut found: Vec<Found> = Vec::new();
        let mut dropped = 0;
        for run in &runs {
            let Some(report) = &run.outcome.report else { continue };
            dropped += report.findings_dropped;
            // Only findings of other runs: in one run the runtime has told them apart.
            let before = found.len();
            for finding in &report.findings {
                let known = found[..before].iter_mut().find(|f| key(&f.finding) == key(finding));
                match known {
                    Some(known) => {
                        known.finding.count += finding.count;
                        known.seeds.extend(run.seed.filter(|seed| !known.seeds.contains(seed)));
                    }
                    None => found.push(Found {
                        finding: finding.clone(),
                        seeds: run.seed.into_iter().collect(),
                        accepted: None,
                    }),
                }
            }
        }
        Check { runs, found, dropped, remarks: Vec::new(), denied: Severity::Error, strict: false }
    }

    /// Findings that count.
    pub fn counted(&self) -> impl Iterator<Item = &Found> {
        self.found.iter().filter(|f| f.accepted.is_none())
    }

    /// Findings that do not count.
    pub fn accepted(&self) -> impl Iterator<Item = (&Finding, &Accepted)> {
        self.found.iter().filter_map(|f| Some((&f.finding, f.accepted.as_ref()?)))
    }

    /// How many that count are of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.counted().filter(|f| f.finding.severity == severity).count()
    }

    /// Chip of the runs.
    pub fn soc(&self) -> &str {
        self.runs.iter().find_map(|run| run.outcome.report.as_ref()).map_or("", |report| &report.soc)
    }

    /// What was checked.
    pub fn checks(&self) -> Option<Checks> {
        self.runs.iter().find_map(|run| run.outcome.report.as_ref()).map(|report| report.checks)
    }

    fn launch_failed(&self) -> bool {
        let excused = |launch: &Launch| self.accepted().any(|(f, _)| f.kernel == launch.kernel);
        let launches = self.runs.iter().flat_map(|run| run.outcome.report.iter().flat_map(|r| &r.launches));
        launches.into_iter().any(|launch| launch.code != 0 && !excused(launch))
    }

    /// Whether something was found that fails.
    pub fn failed(&self) -> bool {
        self.counted().any(|f| f.finding.severity >= self.denied) || self.launch_failed()
    }

    /// Whether the program used the runtime at all.
    fn reported(&self) -> bool {
        self.runs.iter().any(|run| run.outcome.report.is_some())
    }

    /// The run that tells how the program ended: the first that did not end with 0, else the first.
    fn telling(&self) -> Option<&Run> {
        self.runs.iter().find(|run| run.outcome.program_code() != 0).or(self.runs.first())
    }

    /// Exit code; see [`EXIT_CODES`](crate::run::EXIT_CODES).
    pub fn exit_code(&self) -> u8 {
        let program = self.telling().map_or(1, |run| run.outcome.program_code());
        match (self.failed(), program) {
            (true, _) if self.strict => EXIT_FOUND,
            (true, 0) => EXIT_FOUND,
            (false, 0) if self.strict && !self.reported() => EXIT_MISSING,
            (_, code) => code,
        }
    }

    /// Nothing went wrong.
    pub fn passed(&self) -> bool {
        self.exit_code() == 0
    }

    /// One line: how it went.
    pub fn verdict(&self) -> String {
        let Some(run) = self.telling() else { return "failed: nothing was run".into() };
        let ending = match (run.outcome.program_code(), run.seed) {
            (1.., Some(seed)) if self.runs.len() > 1 => format!("{} (seed {seed})", run.outcome.ending()),
            _ => run.outcome.ending(),
        };
        if self.exit_code() == EXIT_MISSING && !self.reported() {
            return format!("failed: {ending}, but nothing was checked: it did not use the runtime");
        }
        let parts = self.parts();
        match (self.passed(), parts.is_empty()) {
            (true, true) => format!("passed: {ending}"),
            (true, false) => format!("passed: {ending} ({})", parts.join(", ")),
            (false, true) if self.launch_failed() => format!("failed: {ending}, but a launch failed"),
            (false, true) => format!("failed: {ending}"),
            (false, false) if run.outcome.program_code() == 0 => {
                format!("failed: {ending}, but {}", parts.join(", "))
            }
            (false, false) => format!("failed: {ending}; {}", parts.join(", ")),
        }
    }

    /// What was found, the verdicts kept apart.
    fn parts(&self) -> Vec<String> {
        let of = |severity: Severity, verdict: Verdict| {
            self.counted().filter(|f| f.finding.severity == severity && f.finding.verdict == verdict).count()
        };
        let warnings = self.count(Severity::Warning);
        let notes = self.count(Severity::Note);
        let accepted = self.accepted().count();
        let rows = [
            (of(Severity::Error, Verdict::Program), "error was reported", "errors were reported"),
            (of(Severity::Error, Verdict::Unsupported), "thing is not modelled", "things are not modelled"),
            (
                of(Severity::Error, Verdict::Internal),
                "failure of toprope itself",
                "failures of toprope itself",
            ),
            (warnings, "warning", "warnings"),
            (notes, "note", "notes"),
            (accepted, "suppressed", "suppressed"),
        ];
        rows.into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
            .collect()
    }
}

#[cfg(test)]
mod tests;
