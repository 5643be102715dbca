//! Every program in `kernels/ascendc`, compiled by every compiler found.

use std::fs;
use std::path::PathBuf;

use crate::support::{Toprope, compilers, root};

/// Programs below `kernels/ascendc`: every `.asc` file.
fn programs() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in fs::read_dir(root().join("kernels/ascendc")).expect("kernels").flatten() {
        let files = fs::read_dir(folder.path()).into_iter().flatten().flatten().map(|f| f.path());
        found.extend(files.filter(|f| f.extension().is_some_and(|e| e == "asc")));
    }
    found.sort();
    assert!(found.len() >= 4, "kernels are missing: {found:?}");
    found
}

#[test]
fn every_kernel_matches_its_reference_and_has_a_summary() {
    for compiler in compilers() {
        for program in programs() {
            let relative = program.strip_prefix(root()).expect("below the root");
            let done = Toprope::new(["run", "--json"]).arg(relative).compiler(compiler).go().exits(0);
            let done = done.prints(&["PASS"]).says(&[
                &relative.display().to_string(),
                "Ascend910B1",
                "kernel launch",
                "passed",
            ]);
            let facts = done.json();
            let launches = facts["report"]["launches"].as_array().expect("launches");
            assert!(!launches.is_empty(), "{program:?} launches nothing");
            for launch in launches {
                assert_eq!(launch["code"], 0, "{program:?}");
                for counter in ["gm_read_bytes", "gm_write_bytes", "cycles", "num_blocks"] {
                    assert!(launch[counter].as_u64() > Some(0), "{program:?}: {counter} of {launch}");
                }
                let cube = launch["instructions"]["M"].as_u64() > Some(0);
                let pipes: &[&str] =
                    if cube { &["M", "MTE1", "MTE2", "FIX"] } else { &["V", "MTE2", "MTE3"] };
                for pipe in pipes {
                    assert!(
                        launch["instructions"][pipe].as_u64() > Some(0),
                        "{program:?}: {pipe} of {launch}"
                    );
                }
            }
            assert_eq!(facts["report"]["findings"].as_array().map(Vec::len), Some(0), "{program:?}");
        }
    }
}

#[test]
fn the_summary_of_add_is_the_one_in_the_golden_text() {
    let done = Toprope::new(["run", "kernels/ascendc/add/add.asc"]).compiler("g++").go().exits(0);
    // Only the first line depends on the machine.
    let stable: String = done.stderr.lines().skip(1).map(|l| format!("{l}\n")).collect();
    crate::support::golden("add_summary.txt", &stable);
}

#[test]
fn another_chip_and_a_bad_chip() {
    let run = |soc: &str| Toprope::new(["run", "kernels/ascendc/add/add.asc", "--soc", soc]).go();
    run("Ascend910B4").exits(0).says(&["Ascend910B4"]);
    let bad = run("Ascend310P");
    assert_ne!(bad.code, 0);
    assert!(bad.stderr.contains("Ascend310P") && bad.stderr.contains("Ascend910B1"), "{}", bad.stderr);
}

#[test]
fn results_and_device_times_do_not_depend_on_the_run() {
    let times = || {
        let facts = Toprope::new(["run", "--json", "-q", "kernels/ascendc/add/add.asc"]).go().exits(0).json();
        facts["report"]["launches"].clone()
    };
    assert_eq!(times(), times());
}

#[test]
fn a_report_file_holds_what_json_prints() {
    let dir = tempfile::tempdir().expect("tempdir");
    let file = dir.path().join("report.json");
    Toprope::new(["run", "-q", "kernels/ascendc/add/add.asc", "--report"])
        .arg(&file)
        .go()
        .exits(0)
        .says_nothing_of(&["toprope:"]);
    let facts: serde_json::Value = serde_json::from_slice(&fs::read(&file).expect("report")).expect("JSON");
    assert_eq!(facts["run"]["passed"], true);
    assert_eq!(facts["report"]["launches"][0]["kernel"], "add");
}
