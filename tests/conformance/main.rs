//! device-lib does what the public Ascend C headers do, call by call.
//!
//! `data/` holds traces of the public headers (release build): each line is a call with its result and the low-level
//! effects in order. Every line is replayed against the bookkeeping of device-lib and compared in full: results,
//! flags, barriers, register setup, copies, event ids taken and given back, snapshots of the whole state.
//!
//! Each file is replayed twice: with all checks off, and with the default checks, which must never fire on a right
//! use. Scenarios whose header has a `note` break flag balance on purpose and run without that one check. The flag
//! matrices call everything the release build lets through, and run without checks; the reference did not replay them
//! with its debug checks either.

mod misuse;
mod recorder;
mod tables;
mod trace;
mod world;

use serde_json::{Value, json};
use toprope_abi::fwk::{CHECK_DEFAULT, CHECK_FLAG_BALANCE};
use trace::Scenario;
use world::World;

/// Replays a scenario. The first difference as text.
fn replay(scenario: &Scenario, checks: u32) -> Result<(), String> {
    let mut world = World::new(&scenario.head, checks);
    for (index, op) in scenario.ops.iter().enumerate() {
        check_line(&mut world, op).map_err(|e| format!("{} line {index}: {op}\n    {e}", scenario.name()))?;
    }
    Ok(())
}

fn check_line(world: &mut World, op: &Value) -> Result<(), String> {
    let got = world.run(op).map_err(|error| format!("refused: {error}"))?;
    compare_line(world, op, &got)
}

/// Compares result and effects of an operation that was done.
fn compare_line(world: &World, op: &Value, got: &Value) -> Result<(), String> {
    let want = op.get("r").cloned().unwrap_or_else(|| json!({}));
    if *got != want {
        return Err(format!("result is {got}"));
    }
    let effects = json!(world.hooks.take());
    let want_effects = op.get("l").cloned().unwrap_or_else(|| json!([]));
    if effects != want_effects {
        return Err(format!("effects are {effects}"));
    }
    if matches!(op["o"].as_str(), Some("state" | "buf_state")) {
        let tracked = world.tracked_state(op).map_err(|e| e.to_string())?;
        let debug = op.get("rd").unwrap_or(&want);
        if tracked != *debug {
            return Err(format!("tracked state is {tracked}, the debug build has {debug}"));
        }
    }
    Ok(())
}

/// The checks a scenario runs with by default.
fn checks_of(scenario: &Scenario) -> u32 {
    if scenario.name().ends_with("-flag-matrix") {
        0
    } else if scenario.head.get("note").is_some() {
        CHECK_DEFAULT & !CHECK_FLAG_BALANCE
    } else {
        CHECK_DEFAULT
    }
}

fn replay_file(file: &str, scenarios_expected: usize, ops_expected: usize) {
    let (scenarios, lines) = trace::scenarios(file);
    let mut failures = Vec::new();
    for scenario in &scenarios {
        for checks in [0, checks_of(scenario)] {
            if let Err(e) = replay(scenario, checks) {
                failures.push(format!("checks {checks}: {e}"));
            }
        }
    }
    let ops: usize = scenarios.iter().map(|s| s.ops.len()).sum();
    println!(
        "{file}: {} scenarios, {ops} operations, {lines} lines, {} failed",
        scenarios.len(),
        failures.len()
    );
    assert!(
        failures.is_empty(),
        "{file}: {} failures, first:\n{}",
        failures.len(),
        failures[..failures.len().min(8)].join("\n")
    );
    assert_eq!(
        (scenarios.len(), ops, lines),
        (scenarios_expected, ops_expected, scenarios_expected + ops_expected)
    );
}

#[test]
fn aiv_hand() {
    replay_file("2201-aiv-hand.jsonl", 74, 2937);
}

#[test]
fn aic_hand() {
    replay_file("2201-aic-hand.jsonl", 32, 1569);
}

#[test]
fn aiv_random() {
    replay_file("2201-aiv-random.jsonl", 220, 19829);
}

#[test]
fn aic_random() {
    replay_file("2201-aic-random.jsonl", 180, 15776);
}

#[test]
fn mix2002_hand() {
    replay_file("2002-hand.jsonl", 15, 866);
}

#[test]
fn mix2002_random() {
    replay_file("2002-random.jsonl", 60, 4911);
}

/// The issue's figure: all files together, misuse included.
#[test]
fn all_lines_are_here() {
    let files = [
        "2201-aiv-hand.jsonl",
        "2201-aic-hand.jsonl",
        "2201-aiv-random.jsonl",
        "2201-aic-random.jsonl",
        "2002-hand.jsonl",
        "2002-random.jsonl",
        "misuse.jsonl",
    ];
    let lines: usize = files.iter().map(|f| trace::scenarios(f).1).sum();
    println!("{lines} lines in {} files", files.len());
    assert_eq!(lines, 47308);
}
