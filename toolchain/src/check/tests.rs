//! Merging, suppression, exit codes and machine forms, from reports that no run is needed for.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use serde_json::{Value, json};
use toprope_sim::findings::catalogue as c;
use toprope_sim::findings::render::{Sources, Style};

use super::suppress::Suppressions;
use super::*;
use crate::report::{Report, Side};
use crate::run::Outcome;

const SOURCE: &str = "\
void f() {
  Add(z, x, y, 64);
  // toprope: allow(TR0401) in place on purpose
  Cast(z, x, mode, 64);
  Cast(y, x, mode, 64);  // toprope: allow(TR0401, ErrorRead3): the tail is thrown away
  Cast(y, x, mode, 64);  // toprope: allow(TR0401)
  print(\"toprope: allow(TR0401) no comment\");
}
";

fn at(line: u32) -> Option<SourcePlace> {
    Some(SourcePlace { file: "src/a b.asc".into(), line, function: "ns::K::Compute".into() })
}

fn finding(entry: &'static c::Entry, line: u32) -> Finding {
    Finding { place: at(line), kernel: "k".into(), ..Finding::new(entry, &[("what", "Cast".into())]) }
}

fn run(raw: i32, seed: Option<u64>, findings: Vec<Finding>, code: i32) -> Run {
    let launch: Launch = serde_json::from_value(json!({"kernel": "k", "code": code})).expect("launch");
    let report = Report {
        schema: 1,
        soc: "Ascend910B1".into(),
        complete: true,
        launches: vec![launch],
        findings,
        ..Report::default()
    };
    Run {
        seed,
        outcome: Outcome { status: ExitStatus::from_raw(raw), report: Some(report), took: Duration::ZERO },
    }
}

fn check(raw: i32, findings: Vec<Finding>, code: i32) -> Check {
    Check::of(vec![run(raw, None, findings, code)])
}

fn suppressed(mut check: Check, toml: &str) -> Check {
    let mut sources = Sources::default().with("src/a b.asc", SOURCE);
    Suppressions::parse(toml, "toprope.toml").expect("toml").apply_with(&mut check, &mut sources);
    check
}

#[test]
fn exit_codes_follow_the_table() {
    let error = || vec![finding(&c::GM_READ_BEYOND, 2)];
    assert_eq!(check(0, vec![], 0).exit_code(), 0);
    assert_eq!(check(0, error(), 0).exit_code(), 70);
    assert_eq!(check(0, vec![], 507_035).exit_code(), 70);
    assert_eq!(check(3 << 8, error(), 0).exit_code(), 3, "run: the program's own code");
    let strict = |c: Check| Check { strict: true, ..c }.exit_code();
    assert_eq!(strict(check(3 << 8, error(), 0)), 70, "check: what was found");
    assert_eq!(strict(check(3 << 8, vec![], 0)), 3);
    assert_eq!(strict(check(11, vec![], 0)), 139);
    let mut silent = check(0, vec![], 0);
    silent.runs[0].outcome.report = None;
    assert_eq!(silent.exit_code(), 0);
    assert_eq!(strict(silent), 69, "a check that checked nothing");
}

#[test]
fn warnings_fail_only_if_denied() {
    let warning = || check(0, vec![finding(&c::CONVERT_OVERLAP, 2)], 0);
    assert!(warning().passed());
    assert_eq!(warning().verdict(), "passed: the program ended with 0 (1 warning)");
    assert!(!Check { denied: Severity::Warning, ..warning() }.passed());
    assert!(!Check { denied: Severity::Note, ..warning() }.passed());
}

#[test]
fn verdicts_are_kept_apart() {
    let found = vec![finding(&c::GM_READ_BEYOND, 2), finding(&c::UNSUPPORTED, 2), finding(&c::INTERNAL, 2)];
    assert_eq!(
        check(0, found, 0).verdict(),
        "failed: the program ended with 0, but 1 error was reported, 1 thing is not modelled, 1 failure of toprope itself"
    );
}

#[test]
fn seeds_are_merged_and_named() {
    let beyond = || finding(&c::GM_READ_BEYOND, 2);
    let runs = vec![
        run(0, Some(0), vec![beyond()], 0),
        run(1 << 8, Some(1), vec![beyond(), finding(&c::TRAP, 3)], 0),
        run(0, Some(2), vec![], 0),
    ];
    let check = Check::of(runs);
    let seen: Vec<(&str, &[u64], u64)> =
        check.found.iter().map(|f| (f.finding.code, f.seeds.as_slice(), f.finding.count)).collect();
    assert_eq!(seen, [("TR0106", &[0, 1][..], 2), ("TR1002", &[1][..], 1)]);
    assert!(check.verdict().contains("ended with 1 (seed 1)"), "{}", check.verdict());
    let text = text::findings(&check, &Style::PLAIN, 20);
    assert!(text.contains("found with 2 of 3 seeds; TOPROPE_SEED=0 shows it"), "{text}");
    assert!(text.contains("found with 1 of 3 seeds; TOPROPE_SEED=1 shows it"), "{text}");
    assert!(text::assumptions(&check).ends_with("seeds 0 to 2"));
}

#[test]
fn a_comment_with_a_reason_suppresses_its_line_and_the_next() {
    for (line, accepted) in [(2, false), (3, true), (4, true), (5, true), (6, true), (7, false), (8, false)] {
        let check = suppressed(check(0, vec![finding(&c::CONVERT_OVERLAP, line)], 0), "");
        assert_eq!(check.accepted().count() == 1, accepted, "line {line}");
    }
    // Line 6 has no reason of its own; what stands in line 5 covers it. Line 7 would be covered by line 6 alone.
    let bare = suppressed(check(0, vec![finding(&c::CONVERT_OVERLAP, 7)], 0), "");
    assert_eq!(bare.remarks, ["src/a b.asc:6: allow(TR0401) has no reason and is ignored"]);
    let other = suppressed(check(0, vec![finding(&c::TRAP, 4)], 0), "");
    assert_eq!(other.accepted().count(), 0, "another code");
    let class = suppressed(check(0, vec![finding(&c::GM_READ_BEYOND, 5)], 0), "");
    assert_eq!(class.accepted().next().expect("by its class").1.reason, "the tail is thrown away");
}

#[test]
fn either_access_of_a_conflict_may_be_allowed() {
    let sides = vec![Side { place: at(4), ..Side::default() }, Side { place: at(2), ..Side::default() }];
    let conflict = || Finding { sides: sides.clone(), ..finding(&c::CONVERT_OVERLAP, 2) };
    assert_eq!(suppressed(check(0, vec![conflict()], 0), "").accepted().count(), 1);
    assert_eq!(suppressed(check(0, vec![finding(&c::CONVERT_OVERLAP, 2)], 0), "").accepted().count(), 0);
}

#[test]
fn entries_of_a_file_match_all_they_name() {
    let matches = |fields: &str| {
        let toml = format!("[[suppress]]\ncode = \"TR0106\"\nreason = \"r\"\n{fields}");
        let check = suppressed(check(0, vec![finding(&c::GM_READ_BEYOND, 2)], 507_035), &toml);
        let matched = check.accepted().count() == 1;
        assert_eq!(check.passed(), matched, "the launch failed because of it: {fields}");
        assert_eq!(check.remarks.is_empty(), matched, "{:?}", check.remarks);
        matched
    };
    for yes in
        ["", "file = 'a b.asc'", "file = 'src/a b.asc'\nline = 2", "function = 'K::Compute'", "kernel = 'k'"]
    {
        assert!(matches(yes), "{yes}");
    }
    for no in ["file = 'b.asc'", "file = 'a b.asc'\nline = 3", "function = 'mpute'", "kernel = 'other'"] {
        assert!(!matches(no), "{no}");
    }
}

#[test]
fn files_that_make_no_sense_are_refused() {
    for (bad, why) in [
        ("[[suppress]]\ncode = 'TR0106'", "reason"),
        ("[[suppress]]\ncode = 'TR0106'\nreason = ' '", "no reason"),
        ("[[suppress]]\ncode = 'TR9999'\nreason = 'r'", "TR9999"),
        ("[[suppress]]\ncode = 'TR0106'\nreason = 'r'\nline = 3", "no file"),
        ("[[suppress]]\ncode = 'TR0106'\nreason = 'r'\nfiel = 'a'", "fiel"),
        ("suppress = 3", "suppress"),
    ] {
        let error = Suppressions::parse(bad, "t").expect_err(bad);
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn what_is_suppressed_is_listed_with_its_reason() {
    let check = suppressed(check(0, vec![finding(&c::CONVERT_OVERLAP, 4)], 0), "");
    let text = text::findings(&check, &Style::PLAIN, 20);
    assert_eq!(
        text,
        "toprope: 1 finding is suppressed:\n  src/a b.asc:4 TR0401 WarnOverlap: in place on purpose (src/a b.asc:3)\n"
    );
    assert_eq!(check.verdict(), "passed: the program ended with 0 (1 suppressed)");
}

fn conflict() -> Finding {
    let side = |what: &str, line: u32| Side {
        what: what.into(),
        pipe: "V",
        memory: "UB",
        end_byte: 256,
        core: "AIV 0".into(),
        place: at(line),
        ..Side::default()
    };
    Finding {
        sides: vec![side("DataCopy writes", 4), side("Add reads", 2)],
        details: vec!["missing: MTE2_V".into()],
        block: Some(0),
        core: "AIV 0".into(),
        ..finding(&c::CONVERT_OVERLAP, 2)
    }
}

#[test]
fn json_lines_are_findings_and_a_summary() {
    let check = suppressed(check(0, vec![conflict(), finding(&c::GM_READ_BEYOND, 2)], 507_035), "");
    let lines: Vec<Value> = json::lines(&check)
        .lines()
        .map(|line| serde_json::from_str(line).expect("one object a line"))
        .collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line["schema"] == json::VERSION));
    assert_eq!(lines[0]["code"], "TR0401");
    assert_eq!(lines[0]["severity"], "warning");
    assert_eq!(lines[0]["suppressed"]["reason"], "in place on purpose");
    assert_eq!(lines[0]["sides"][1]["place"]["line"], 2);
    assert_eq!(lines[1]["suppressed"], Value::Null);
    assert_eq!(lines[1]["verdict"], "program");
    let summary = &lines[2];
    assert_eq!(summary["type"], "summary");
    assert_eq!(
        (&summary["errors"], &summary["warnings"], &summary["suppressed"]),
        (&json!(1), &json!(0), &json!(1))
    );
    assert_eq!(summary["exit_code"], 70);
    assert_eq!(summary["checks"]["auto_sync"], true);
}

/// What the SARIF 2.1.0 schema requires of the objects that we write.
fn required(log: &Value) {
    let text =
        |value: &Value, what: &str| assert!(value.as_str().is_some_and(|t| !t.is_empty()), "{what}: {value}");
    assert_eq!(log["version"], "2.1.0");
    text(&log["$schema"], "$schema");
    let runs = log["runs"].as_array().expect("runs");
    for run in runs {
        let driver = &run["tool"]["driver"];
        text(&driver["name"], "driver.name");
        let rules = driver["rules"].as_array().expect("rules");
        rules.iter().for_each(|rule| {
            text(&rule["id"], "rule.id");
            text(&rule["shortDescription"]["text"], "shortDescription.text");
            text(&rule["help"]["text"], "help.text");
        });
        run["invocations"].as_array().expect("invocations").iter().for_each(|invocation| {
            assert!(invocation["executionSuccessful"].is_boolean());
        });
        for result in run["results"].as_array().expect("results") {
            text(&result["message"]["text"], "message.text");
            let rule = &rules[result["ruleIndex"].as_u64().expect("ruleIndex") as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(["none", "note", "warning", "error"].contains(&result["level"].as_str().expect("level")));
            assert!(result["occurrenceCount"].as_u64().is_some_and(|n| n >= 1));
            let empty = Vec::new();
            let list = |name: &str| result[name].as_array().unwrap_or(&empty);
            for location in list("locations").iter().chain(list("relatedLocations")) {
                text(&location["physicalLocation"]["artifactLocation"]["uri"], "uri");
                assert!(location["physicalLocation"]["region"]["startLine"].as_u64().is_some_and(|n| n >= 1));
            }
            for flow in list("codeFlows") {
                for thread in flow["threadFlows"].as_array().expect("threadFlows") {
                    assert!(thread["locations"].as_array().is_some_and(|l| !l.is_empty()));
                }
            }
            list("suppressions").iter().for_each(|s| text(&s["kind"], "suppression.kind"));
        }
    }
}

#[test]
fn sarif_has_what_its_schema_requires() {
    let found = vec![conflict(), finding(&c::GM_READ_BEYOND, 2), Finding::new(&c::REFUSED_LAUNCH, &[])];
    let check = suppressed(check(0, found, 507_035), "");
    let log: Value = serde_json::from_str(&sarif::log(&check)).expect("JSON");
    required(&log);
    let results = &log["runs"][0]["results"];
    assert_eq!(
        results[0]["relatedLocations"][0]["message"]["text"],
        "DataCopy writes UB bytes 0x0..0x100; pipe V, iteration 0, block 0, AIV 0"
    );
    assert_eq!(
        results[0]["suppressions"],
        json!([{"kind": "inSource", "status": "accepted", "justification": "in place on purpose"}])
    );
    assert_eq!(results[1]["suppressions"], json!([]));
    let uri = &results[1]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(uri, &json!({"uri": "src/a%20b.asc", "uriBaseId": "%SRCROOT%"}));
    assert_eq!(results[2].get("locations"), None, "a finding without a place");
    assert_eq!(log["runs"][0]["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(3));
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 70);
}

#[test]
fn a_fingerprint_outlives_edits_elsewhere() {
    let of = |line: u32, source: &str, entry: &'static c::Entry| {
        let check = check(0, vec![finding(entry, line)], 0);
        let mut sources = Sources::default().with("src/a b.asc", source);
        let log: Value = serde_json::from_str(&sarif::log_with(&check, &mut sources)).expect("JSON");
        log["runs"][0]["results"][0]["partialFingerprints"]["toprope/v1"].as_str().map(str::to_owned)
    };
    let first = of(2, SOURCE, &c::GM_READ_BEYOND);
    assert!(first.as_ref().is_some_and(|f| f.len() == 16), "{first:?}");
    assert_eq!(of(4, &format!("// one\n\n{SOURCE}"), &c::GM_READ_BEYOND), first, "two lines more before it");
    assert_ne!(of(2, SOURCE, &c::GM_WRITE_BEYOND), first, "another finding");
    assert_ne!(of(2, &SOURCE.replace("64", "32"), &c::GM_READ_BEYOND), first, "another line");
}
