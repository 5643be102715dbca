//! Findings as JSON lines: one object per finding, then one summary. `docs/checking.md` has the table of fields.
//!
//! Fields are added without a new [`VERSION`]; it changes when one is taken away or means something else.

use serde_json::{Value, json};
use toprope_sim::findings::catalogue;

use super::{Check, Found};
use crate::report::{Severity, Side, SourcePlace, Verdict};

/// Version of the layout.
pub const VERSION: u32 = 1;

/// All lines.
pub fn lines(check: &Check) -> String {
    let findings = check.found.iter().map(finding);
    findings.chain([summary(check)]).map(|line| format!("{line}\n")).collect()
}

fn finding(found: &Found) -> Value {
    let f = &found.finding;
    let why = catalogue::explain(f.code).first().map(|entry| entry.explain);
    json!({
        "type": "finding",
        "schema": VERSION,
        "code": f.code,
        "class": f.name,
        "severity": f.severity.name(),
        "verdict": verdict(f.verdict),
        "kernel": f.kernel,
        "message": f.title,
        "block": f.block,
        "core": f.core,
        "place": f.place.as_ref().map(place),
        "sides": f.sides.iter().map(side).collect::<Vec<_>>(),
        "details": f.details,
        "why": why,
        "help": f.help,
        "count": f.count,
        "seeds": found.seeds,
        "consequence_of": f.consequence_of,
        "suppressed": found.accepted.as_ref().map(|a| json!({"reason": a.reason, "by": a.by, "in_source": a.in_source})),
    })
}

fn place(place: &SourcePlace) -> Value {
    json!({"file": place.file, "line": place.line, "function": place.function})
}

fn side(side: &Side) -> Value {
    json!({
        "what": side.what,
        "pipe": side.pipe,
        "memory": side.memory,
        "first_byte": side.first_byte,
        "end_byte": side.end_byte,
        "owner": side.owner,
        "iteration": side.iteration,
        "block": side.block,
        "core": side.core,
        "place": side.place.as_ref().map(place),
    })
}

/// Name of a verdict.
pub(super) fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Program => "program",
        Verdict::Unsupported => "unsupported",
        Verdict::Internal => "internal",
    }
}

fn summary(check: &Check) -> Value {
    let runs: Vec<Value> = check
        .runs
        .iter()
        .map(|run| {
            let report = run.outcome.report.as_ref();
            json!({
                "seed": run.seed,
                "program_exit_code": run.outcome.program_code(),
                "ending": run.outcome.ending(),
                "launches": report.map(|r| r.launch_count()),
                "complete": report.is_some_and(|r| r.complete),
                "seconds": run.outcome.took.as_secs_f64(),
            })
        })
        .collect();
    json!({
        "type": "summary",
        "schema": VERSION,
        "toprope": env!("CARGO_PKG_VERSION"),
        "soc": check.soc(),
        "checks": check.checks(),
        "errors": check.count(Severity::Error),
        "warnings": check.count(Severity::Warning),
        "notes": check.count(Severity::Note),
        "suppressed": check.accepted().count(),
        "dropped": check.dropped,
        "remarks": check.remarks,
        "runs": runs,
        "passed": check.passed(),
        "exit_code": check.exit_code(),
        "verdict": check.verdict(),
    })
}
