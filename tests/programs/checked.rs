//! `toprope check` and what `toprope run` shares with it: forms, exit codes, suppressions, programs that are built.

use std::fs;

use serde_json::Value;

use crate::support::{Done, Toprope, case, golden};

/// `toprope check checked.asc OPTIONS -- TODO` beside the cases.
fn check(options: &[&str], todo: &str) -> Done {
    let mut words = vec!["check", "checked.asc"];
    words.extend(options);
    words.extend(["--", todo]);
    Toprope::new(words).dir(&case("")).go()
}

fn lines(done: &Done) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}\n{}", done.stderr));
    done.stdout.lines().map(parse).collect()
}

#[test]
fn findings_in_text_are_what_the_golden_says() {
    let done = check(&[], "bw").exits(70).prints(&["done bw"]);
    // The address of a step counter or of memory has no place in a golden.
    golden("checked.txt", &done.stderr);
    let silent = check(&[], "").exits(0);
    assert!(silent.stderr.lines().all(|l| l.starts_with("toprope: ")), "{}", silent.stderr);
    assert!(silent.stderr.contains("auto-sync on (as bisheng)") && silent.stderr.contains("toprope: passed"));
}

#[test]
fn exit_codes_are_those_of_the_table() {
    check(&[], "w").exits(0).says(&["1 warning"]);
    check(&["--deny", "warnings"], "w").exits(70);
    check(&["--deny", "notes"], "").exits(0);
    check(&[], "e").exits(3);
    check(&[], "be").exits(70);
    Toprope::new(["run", "checked.asc", "--", "be"]).dir(&case("")).go().exits(3).says(&["[TR0106"]);
    check(&["--deny", "everything"], "").exits(2);
}

#[test]
fn what_was_found_is_told_also_if_the_program_aborts_or_is_killed() {
    check(&[], "ba").exits(70).says(&["[TR0106", "did not come to its end", "SIGABRT"]);
    check(&[], "bk").exits(70).says(&["[TR0106", "did not come to its end", "SIGKILL"]);
    check(&[], "a").exits(134);
}

#[test]
fn json_is_alone_on_standard_output() {
    let done = check(&["--format", "json"], "bw").exits(70).says(&["done bw", "[TR0106"]);
    let lines = lines(&done);
    let codes: Vec<&str> = lines.iter().filter_map(|l| l["code"].as_str()).collect();
    assert_eq!(codes, ["TR0106", "TR0902"]);
    assert_eq!(lines[0]["place"]["file"], "checked.asc");
    let summary = lines.last().expect("summary");
    assert_eq!((&summary["errors"], &summary["warnings"]), (&1.into(), &1.into()));
    let clean = check(&["--format", "json"], "").exits(0);
    assert_eq!(self::lines(&clean).len(), 1, "a summary alone");
}

#[test]
fn sarif_goes_where_it_is_asked_for() {
    let done = check(&["--format", "sarif"], "b").exits(70);
    let log: Value = serde_json::from_str(&done.stdout).expect("SARIF");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "TR0106");
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "checked.asc");
    let dir = tempfile::tempdir().expect("scratch");
    let file = dir.path().join("log.sarif");
    let path = file.to_str().expect("text");
    check(&["--format", "sarif", "--report", path], "b").exits(70).prints(&["done b"]);
    let log: Value = serde_json::from_str(&fs::read_to_string(&file).expect("file")).expect("SARIF");
    assert_eq!(log["version"], "2.1.0");
}

#[test]
fn a_finding_that_is_allowed_in_the_source_does_not_fail() {
    check(&[], "s").exits(0).says(&[
        "1 finding is suppressed:",
        "the allocation has room behind it",
        "(1 suppressed)",
    ]);
    check(&[], "sb").exits(70).says(&["1 finding is suppressed:", "1 error was reported"]);
}

#[test]
fn a_file_suppresses_by_code_and_place() {
    let dir = tempfile::tempdir().expect("scratch");
    let file = dir.path().join("accepted.toml");
    let path = file.to_str().expect("text");
    let with = |text: &str, todo: &str| {
        fs::write(&file, text).expect("file");
        check(&["--suppressions", path], todo)
    };
    let entry =
        "[[suppress]]\ncode = \"TR0106\"\nkernel = \"beyond\"\nfile = \"checked.asc\"\nreason = \"known\"\n";
    with(entry, "b").exits(0).says(&["TR0106 ErrorRead3: known"]);
    with(&entry.replace("checked.asc", "other.asc"), "b").exits(70).says(&["matches nothing"]);
    with(entry, "").exits(0).says(&["note:", "suppression 1 (TR0106) matches nothing"]);
    with("[[suppress]]\ncode = \"TR0106\"\n", "")
        .exits(78)
        .says(&["reason", "[[suppress]] with code and reason"]);
}

#[test]
fn seeds_run_the_program_again_and_say_so() {
    let done = check(&["--seeds", "3", "--format", "json"], "b").exits(70);
    let lines = lines(&done);
    assert_eq!(lines[0]["seeds"], serde_json::json!([0, 1, 2]));
    assert_eq!(lines.len(), 2, "one finding, once");
    assert!(done.stderr.contains("seeds 0 to 2"), "{}", done.stderr);
    assert_eq!(done.stderr.matches("done b").count(), 1, "output of the first run alone");
}

#[test]
fn the_limit_on_findings_says_what_it_cut() {
    let done = check(&["--max-findings", "0"], "bw").exits(70);
    assert!(!done.stderr.contains("why:"), "{}", done.stderr);
    done.says(&["toprope: and 2 more (TR0106 x1, TR0902 x1)"]);
}

#[test]
fn a_program_that_is_built_is_checked_as_it_is() {
    let dir = tempfile::tempdir().expect("scratch");
    let program = dir.path().join("prog");
    let path = program.to_str().expect("text");
    Toprope::new(["build", "checked.asc", "-o", path]).dir(&case("")).go().exits(0);
    Toprope::new(["check", path, "--", "b"]).go().exits(70).says(&["[TR0106"]).prints(&["done b"]);
    Toprope::new(["check", path, "--", ""]).go().exits(0);
    Toprope::new(["check", "/bin/true"]).go().exits(69).says(&["nothing was checked"]);
    Toprope::new(["check", "README.md"]).go().exits(69).says(&["README.md"]);
}

#[test]
fn a_program_started_by_itself_tells_its_findings_itself() {
    let dir = tempfile::tempdir().expect("scratch");
    let program = dir.path().join("prog");
    Toprope::new(["build", "checked.asc", "-o", program.to_str().expect("text")])
        .dir(&case(""))
        .go()
        .exits(0);
    let run = |max: &str| {
        let output = std::process::Command::new(&program)
            .arg("bw")
            .env("TOPROPE_MAX_FINDINGS", max)
            .current_dir(case(""))
            .output()
            .expect("starts");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let all = run("20");
    assert!(
        all.contains("[TR0106 ErrorRead3]") && all.contains("// BEYOND") && all.contains("why:"),
        "{all}"
    );
    assert!(run("0").contains("toprope: and 2 more"), "{}", run("0"));
}
