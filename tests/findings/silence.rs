//! Programs of this repository that are right: not one finding.

use crate::support::{Toprope, root};
use std::fs;
use std::path::PathBuf;

/// Folders with programs that compare their own results.
const FOLDERS: &[&str] = &["kernels/ascendc/*", "tests/programs/headers"];

/// What programs of `headers` do on purpose that is worth a finding, with its code.
const ON_PURPOSE: &[(&str, &str)] = &[];

fn programs() -> Vec<PathBuf> {
    let folders = FOLDERS.iter().flat_map(|f| match f.strip_suffix("/*") {
        Some(parent) => {
            fs::read_dir(root().join(parent)).expect("folder").flatten().map(|e| e.path()).collect()
        }
        None => vec![root().join(f)],
    });
    let files = folders.flat_map(|f| fs::read_dir(f).into_iter().flatten().flatten().map(|e| e.path()));
    let mut found: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "asc")).collect();
    found.sort();
    assert!(found.len() > 15, "programs are missing: {found:?}");
    found
}

#[test]
fn programs_that_are_right_are_silent() {
    let wanted = std::env::var("FINDINGS").unwrap_or_default();
    let all: Vec<PathBuf> =
        programs().into_iter().filter(|p| p.to_string_lossy().contains(&wanted)).collect();
    let complaints = crate::in_parallel(&all, |program| {
        let done = Toprope::new(["run", "-q", "--json", "-O", "0"]).arg(program).go();
        let facts: serde_json::Value =
            done.stdout.lines().last().and_then(|l| serde_json::from_str(l).ok()).unwrap_or_default();
        let Some(findings) = facts["report"]["findings"].as_array() else {
            return format!("{}: no report\n{}", program.display(), done.stderr);
        };
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let odd = findings.iter().filter(|f| {
            !ON_PURPOSE.iter().any(|(file, code)| *file == name && f["code"].as_str() == Some(code))
        });
        match odd.count() {
            0 => String::new(),
            n => format!("{}: {n} findings\n{}", program.display(), done.stderr),
        }
    });
    let complaints: Vec<String> = complaints.into_iter().filter(|c| !c.is_empty()).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
