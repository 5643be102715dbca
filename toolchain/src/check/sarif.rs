//! Findings as SARIF 2.1.0, the form that code hosts show beside the lines.
//!
//! Rules are the catalogue entries that occur; the accesses of a conflict are `relatedLocations` and one `codeFlow`, earlier
//! first. There are lines, no columns. Paths below the working directory are relative to `%SRCROOT%`. Left out: `helpUri`, which
//! has to be absolute; a rule's `help` holds the whole page. `partialFingerprints` let CI know a finding again after edits elsewhere.

use std::path::Path;

use serde_json::{Map, Value, json};
use toprope_sim::findings::catalogue::{self, Entry};
use toprope_sim::findings::render::{Sources, access, whose};

use super::{Check, Found, json};
use crate::report::{Finding, Severity, Side, SourcePlace};

/// The log, with a line end.
pub fn log(check: &Check) -> String {
    log_with(check, &mut Sources::default())
}

/// As [`log`], with the lines of `sources`.
pub fn log_with(check: &Check, sources: &mut Sources) -> String {
    let rules: Vec<&'static Entry> = {
        let mut rules: Vec<&'static Entry> = Vec::new();
        for entry in check.found.iter().flat_map(|f| catalogue::explain(f.finding.code)) {
            if !rules.iter().any(|known| known.code == entry.code) {
                rules.push(entry);
            }
        }
        rules
    };
    let results: Vec<Value> = check.found.iter().map(|found| result(check, found, &rules, sources)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "toprope",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|entry| rule(entry)).collect::<Vec<_>>(),
            }},
            "invocations": [{
                "executionSuccessful": check.runs.iter().all(|run| run.outcome.program_code() == 0),
                "exitCode": check.exit_code(),
                "exitCodeDescription": check.verdict(),
            }],
            "results": results,
            "properties": {"soc": check.soc(), "checks": check.checks(), "findingsDropped": check.dropped},
        }],
    });
    format!("{log:#}\n")
}

fn level(severity: Severity) -> &'static str {
    severity.name()
}

fn rule(entry: &Entry) -> Value {
    let page = entry.explained(100);
    json!({
        "id": entry.code,
        "name": entry.name,
        "shortDescription": {"text": entry.headline()},
        "fullDescription": {"text": entry.explain},
        "help": {"text": page, "markdown": format!("```text\n{page}```\n")},
        "defaultConfiguration": {"level": level(entry.severity)},
        "properties": {"verdict": json::verdict(entry.verdict), "page": format!("docs/findings.md#{}", entry.code.to_lowercase())},
    })
}

/// What stays of a finding when lines and folders move: code, kernel, and of each place the file's name, the function and the line's text. CI compares it
/// with that of the run before. FNV-1a, 64 bits.
fn fingerprint(f: &Finding, sources: &mut Sources) -> String {
    let places = f.place.iter().chain(f.sides.iter().filter_map(|s| s.place.as_ref()));
    let mut words = vec![f.code.to_owned(), f.kernel.clone()];
    for place in places {
        let line = sources.line(&place.file, place.line).map(|l| l.trim().to_owned());
        let file = Path::new(&place.file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        words.extend([file, place.function.clone(), line.unwrap_or_default()]);
    }
    let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
    let hash =
        bytes.fold(0xcbf2_9ce4_8422_2325, |h: u64, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

fn result(check: &Check, found: &Found, rules: &[&'static Entry], sources: &mut Sources) -> Value {
    let f = &found.finding;
    let mut result = Map::new();
    let mut put = |name: &str, value: Value| result.insert(name.to_owned(), value);
    put("ruleId", f.code.into());
    if let Some(index) = rules.iter().position(|rule| rule.code == f.code) {
        put("ruleIndex", index.into());
    }
    put("level", level(f.severity).into());
    put("message", json!({"text": message(f)}));
    if let Some(place) = &f.place {
        put("locations", json!([location(place, None, None)]));
    }
    let sides: Vec<(&Side, &SourcePlace)> =
        f.sides.iter().filter_map(|s| Some((s, s.place.as_ref()?))).collect();
    if !sides.is_empty() {
        let related = sides.iter().enumerate().map(|(i, (side, at))| location(at, Some(i + 1), Some(side)));
        put("relatedLocations", related.collect::<Vec<_>>().into());
        let steps = sides.iter().map(|(side, at)| json!({"location": location(at, None, Some(side))}));
        put("codeFlows", json!([{"threadFlows": [{"locations": steps.collect::<Vec<_>>()}]}]));
    }
    put("occurrenceCount", f.count.max(1).into());
    put("partialFingerprints", json!({"toprope/v1": fingerprint(f, sources)}));
    // Present and empty: not suppressed.
    let suppressions: Vec<Value> = found
        .accepted
        .iter()
        .map(|a| {
            let kind = if a.in_source { "inSource" } else { "external" };
            json!({"kind": kind, "status": "accepted", "justification": a.reason})
        })
        .collect();
    put("suppressions", suppressions.into());
    put(
        "properties",
        json!({"kernel": f.kernel, "block": f.block, "core": f.core, "seeds": found.seeds,
            "consequenceOf": f.consequence_of, "fails": found.accepted.is_none() && f.severity >= check.denied}),
    );
    Value::Object(result)
}

/// Sentence, figures and what to do.
fn message(f: &Finding) -> String {
    let kernel = if f.kernel.is_empty() { String::new() } else { format!("{}: ", f.kernel) };
    let mut text = format!("{kernel}{}", f.title);
    for line in &f.details {
        text.push('\n');
        text.push_str(line);
    }
    if !f.help.is_empty() {
        text.push_str("\nhelp: ");
        text.push_str(&f.help);
    }
    text
}

fn location(place: &SourcePlace, id: Option<usize>, side: Option<&Side>) -> Value {
    let mut location = Map::new();
    if let Some(id) = id {
        location.insert("id".into(), id.into());
    }
    if !place.file.is_empty() {
        let mut physical = json!({"artifactLocation": artifact(&place.file)});
        if place.line > 0 {
            physical["region"] = json!({"startLine": place.line});
        }
        location.insert("physicalLocation".into(), physical);
    }
    if !place.function.is_empty() {
        let function = json!([{"fullyQualifiedName": place.function, "kind": "function"}]);
        location.insert("logicalLocations".into(), function);
    }
    if let Some(side) = side {
        let text = format!("{}; {}", access(side), whose(side));
        location.insert("message".into(), json!({"text": text}));
    }
    Value::Object(location)
}

fn artifact(file: &str) -> Value {
    let uri: String = file.split('/').map(percent).collect::<Vec<_>>().join("/");
    if Path::new(file).is_absolute() {
        json!({"uri": format!("file://{uri}")})
    } else {
        json!({"uri": uri.trim_start_matches("./"), "uriBaseId": "%SRCROOT%"})
    }
}

/// One part of a path, in the characters of a URI.
fn percent(part: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~+@,".contains(&b);
    part.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}
