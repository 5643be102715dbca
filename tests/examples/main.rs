//! The public asc-devkit examples for dav-2201, unmodified, under all checks (`run.py`, `cases.tsv`, `known.tsv`).
//!
//! `ASC_DEVKIT` names a checkout of the public asc-devkit repository; without it this suite is skipped with a line that says so.
//! `ASC_DEVKIT_TIERS` (`T0,T1`) and `ASC_DEVKIT_MODES` (`npu,cpu`) choose less; everything takes an hour on two processors.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

#[test]
fn the_public_examples_pass() {
    let Some(devkit) = env::var_os("ASC_DEVKIT").filter(|v| !v.is_empty()) else {
        eprintln!("SKIPPED: ASC_DEVKIT does not name a checkout of the public asc-devkit repository");
        return;
    };
    let made = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let prefix = made.join("examples-prefix");
    let env_done = Command::new(env!("CARGO_BIN_EXE_toprope-under-test"))
        .args(["env", "--prefix"])
        .arg(&prefix)
        .env("TOPROPE_CACHE_DIR", made.join("examples-cache"))
        .output()
        .expect("the command starts");
    assert!(env_done.status.success(), "{}", String::from_utf8_lossy(&env_done.stderr));
    let mut run = Command::new("python3");
    run.arg(folder().join("run.py")).arg("--devkit").arg(devkit).arg("--prefix").arg(&prefix);
    run.arg("--json").arg(made.join("examples.json")).arg("--logs").arg(made.join("examples-logs"));
    run.args(["--modes", &env::var("ASC_DEVKIT_MODES").unwrap_or_else(|_| "npu,cpu".into())]);
    for tier in env::var("ASC_DEVKIT_TIERS").unwrap_or_default().split(',').filter(|t| !t.is_empty()) {
        run.args(["--tier", tier]);
    }
    let status = run
        .env("TOPROPE_CACHE_DIR", made.join("examples-cache"))
        .env_remove("TOPROPE_LIB_DIR")
        .status()
        .expect("python3 starts");
    assert!(status.success(), "not every case passes: see the table above");
}

/// The list is data that nothing else checks: every line has its fields, every case its own name.
#[test]
fn the_list_of_cases_is_whole() {
    let text = std::fs::read_to_string(folder().join("cases.tsv")).expect("cases.tsv");
    let mut names = std::collections::BTreeSet::new();
    let mut per_tier = std::collections::BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [tier, case, directory, modes, _, commands] = fields[..] else { panic!("fields of {line}") };
        assert!(names.insert(case), "{case} is listed twice");
        assert!(case.starts_with(directory), "{case} is not in {directory}");
        assert!(modes.split(',').all(|mode| ["npu", "cpu", "sim"].contains(&mode)), "{modes}");
        assert!(commands.starts_with("cmake ") && commands.contains(" && make -j && "), "{commands}");
        *per_tier.entry(tier).or_insert(0) += 1;
    }
    let expected = [("T0", 2), ("T1", 29), ("T2a", 16), ("T2b", 51), ("T2c", 14), ("T3", 65), ("T4", 48)];
    assert_eq!(per_tier, std::collections::BTreeMap::from(expected));
}

/// Every known finding belongs to a case, has a code that exists, and a reason.
#[test]
fn the_list_of_known_findings_is_whole() {
    let cases = std::fs::read_to_string(folder().join("cases.tsv")).expect("cases.tsv");
    let text = std::fs::read_to_string(folder().join("known.tsv")).expect("known.tsv");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [case, sync, finding, why] = fields[..] else { panic!("fields of {line}") };
        let start = case.split(['*', '[', '?']).next().unwrap_or(case);
        assert!(
            cases.lines().any(|c| c.split('\t').nth(1).is_some_and(|c| c.starts_with(start))),
            "{case} is no case"
        );
        assert!(["on", "off", "any"].contains(&sync), "{line}");
        let code = finding.trim_start_matches('?').split(' ').next().unwrap_or("");
        let page = folder().join(format!("../../sim/src/findings/pages/{code}.md"));
        assert!(page.is_file(), "there is no {code}");
        assert!(["theirs: ", "meant: "].iter().any(|start| why.starts_with(start)), "whose: {line}");
    }
}

/// One case that reports one finding, judged by a list of known findings; (passed, what is said).
fn judged(known: &str) -> (bool, String) {
    let dir = tempfile::tempdir().expect("tempdir");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().expect("inside")).expect("folder");
        std::fs::write(path, text).expect("file");
    };
    write("prefix/set_env.sh", "");
    write("cases.tsv", "T0\tone\tone\tnpu\t-\tsh ../demo.sh\n");
    write("known.tsv", known);
    write(
        "devkit/examples/one/demo.sh",
        r#"cat > "$TOPROPE_REPORT" <<END
{"launches": [], "findings": [{"code": "TR0106", "severity": "Error", "title": "too far", "place": {"file": "a.asc", "line": 7}}]}
END
"#,
    );
    let done = Command::new("python3")
        .arg(folder().join("run.py"))
        .args(["--devkit", "devkit", "--prefix", "prefix", "--cases", "cases.tsv", "--known", "known.tsv"])
        .current_dir(dir.path())
        .output()
        .expect("python3 starts");
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    (done.status.success(), said)
}

#[test]
fn a_finding_that_is_not_known_fails_its_case_and_so_does_a_known_one_that_is_missing() {
    let one = "one\tany\tTR0106 a.asc:7\ttheirs: it reads too far\n";
    let (passed, said) = judged(one);
    assert!(passed, "{said}");
    let (passed, said) = judged("");
    assert!(!passed && said.contains("TR0106 a.asc:7: too far"), "{said}");
    let (passed, said) = judged(&one.replace("any", "on"));
    assert!(!passed && said.contains("TR0106 a.asc:7: too far"), "without auto-sync it is not known: {said}");
    let more = format!("{one}one\tany\tTR0107 a.asc:9\ttheirs: it writes too far\n");
    let (passed, said) = judged(&more);
    assert!(!passed && said.contains("known, but not reported: TR0107 a.asc:9"), "{said}");
    let (passed, said) = judged(&more.replace("TR0107", "?TR0107"));
    assert!(passed, "depends on timing: {said}");
}
