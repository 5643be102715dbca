//! What was found, for people: findings, what was suppressed, how it went.

use std::fmt::Write as _;

use toprope_sim::findings::render::{Limits, Printer, Style};

use super::{Check, Found};

/// The findings that count, the first `max` in full.
pub fn findings(check: &Check, style: &Style, max: usize) -> String {
    let mut printer = Printer::new(Limits::new(max));
    let mut out = String::new();
    for found in check.counted() {
        let mut finding = found.finding.clone();
        finding.details.extend(seeds(check, found));
        out.push_str(&printer.show(&finding, style));
    }
    out.push_str(&printer.rest(style));
    if check.dropped > 0 {
        let _ = writeln!(out, "toprope: {} further findings were not kept", check.dropped);
    }
    out.push_str(&remarks(check, style));
    out
}

/// Which of several seeds show the finding.
fn seeds(check: &Check, found: &Found) -> Option<String> {
    if check.runs.len() < 2 {
        return None;
    }
    let all = check.runs.len();
    let first = found.seeds.first()?;
    let with = found.seeds.len();
    let text = if with == all {
        format!("found with each of the {all} seeds")
    } else {
        format!("found with {with} of {all} seeds; TOPROPE_SEED={first} shows it")
    };
    Some(text)
}

fn remarks(check: &Check, style: &Style) -> String {
    let mut out = String::new();
    let accepted: Vec<_> = check.accepted().collect();
    if !accepted.is_empty() {
        let plural = if accepted.len() == 1 { "finding is" } else { "findings are" };
        let _ = writeln!(out, "toprope: {} {plural} suppressed:", accepted.len());
    }
    for (finding, why) in accepted {
        let place = finding.place.as_ref().filter(|p| !p.file.is_empty());
        let place = place.map(|p| format!("{}:{} ", p.file, p.line)).unwrap_or_default();
        let times = if finding.count > 1 { format!(" \u{d7}{}", finding.count) } else { String::new() };
        let _ =
            writeln!(out, "  {place}{} {}{times}: {} ({})", finding.code, finding.name, why.reason, why.by);
    }
    for remark in &check.remarks {
        let _ = writeln!(out, "toprope: note: {remark}");
    }
    style.spell(&out)
}

/// What the result rests on: `auto-sync on (as bisheng), seeds 0 to 7`.
pub fn assumptions(check: &Check) -> String {
    let mut parts: Vec<String> = Vec::new();
    match check.checks() {
        None => {}
        Some(checks) if !checks.on => parts.push("checks off".into()),
        Some(checks) => {
            parts.push(if checks.auto_sync {
                "auto-sync on (as bisheng)".into()
            } else {
                "auto-sync off".into()
            });
            let on_request = [
                (checks.coverage, "coverage"),
                (checks.hints, "hints"),
                (checks.strict_bounds, "strict bounds"),
            ];
            parts.extend(on_request.iter().filter(|(on, _)| *on).map(|(_, name)| (*name).to_owned()));
        }
    }
    let seeds: Vec<u64> = check.runs.iter().filter_map(|run| run.seed).collect();
    match (seeds.first(), seeds.last()) {
        (Some(first), Some(last)) if first != last => parts.push(format!("seeds {first} to {last}")),
        (Some(first), _) => parts.push(format!("seed {first}")),
        _ => {}
    }
    parts.join(", ")
}
