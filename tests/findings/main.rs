//! Kernels and host programs that are wrong, and what is said of them; their fixed twins, which must stay silent.
//!
//! A case is a program in `fail/` or `pass/`; the comment lines at its head list the variants (its first argument) and what
//! each must give:
//!
//! ```text
//! // fails NAME [--option value…] [count N]: part | part    every part is said; N findings, any number but 0 without it
//! // passes NAME [--option value…]                          not one finding, exit code 0
//! ```
//! Options are those of the checks (`--auto-sync off`). What the failing variants of `fail/CASE.asc` print is in
//! `fail/CASE.txt` (`TOPROPE_BLESS=1` rewrites it). `FINDINGS=part` in the environment runs the cases whose name has the part.
//!
//! A line of `pending.txt` (`CASE NAME: why`) is a variant that does not do yet what its head says. It must go when the variant
//! does, else this suite fails.

mod case;
mod mutants;
mod mutator;
mod silence;
#[path = "../programs/support.rs"]
#[allow(dead_code, reason = "shared with the suite of programs")]
mod support;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `work` on every item, on as many threads as there are cores; the answers in the order of the items.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, answers) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let answer = work(item);
                    answers.lock().expect("no panic inside").push((at, answer));
                }
            });
        }
    });
    let mut all = answers.into_inner().expect("no panic inside");
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, answer)| answer).collect()
}

#[test]
fn what_is_wrong_is_reported_and_its_twin_is_not() {
    let mut pending: BTreeMap<String, String> = case::pending();
    let cases = case::all(&["fail", "pass"]);
    assert!(!cases.is_empty(), "no case has been found");
    let known = pending.clone();
    let mut complaints = in_parallel(&cases, |c| c.judge(&known));
    complaints.retain(|c| !c.is_empty());
    assert!(complaints.is_empty(), "{} cases\n{}", complaints.len(), complaints.join("\n"));
    for case in &cases {
        case.variants.iter().for_each(|v| drop(pending.remove(&case.key(v))));
    }
    let filtered = std::env::var_os("FINDINGS").is_some();
    assert!(filtered || pending.is_empty(), "pending.txt has lines for no variant: {pending:?}");
}

/// A case in `fail/` without a variant that passes would not show that the finding is about the mistake.
#[test]
fn every_wrong_case_has_a_twin() {
    for case in case::all(&["fail"]) {
        let fails = case.variants.iter().any(case::Variant::fails);
        let passes = case.variants.iter().any(|v| !v.fails());
        assert!(fails && passes, "{}: lacks a variant that fails or one that passes", case.name);
    }
    for case in case::all(&["pass"]) {
        assert!(
            !case.variants.iter().any(case::Variant::fails),
            "{} is in pass/ and has a variant that fails",
            case.name
        );
    }
}
