//! Wrong uses: each ends in one specific error, changes nothing else, and leaves the library usable.
//!
//! `misuse.tsv` says for each scenario which operation is refused and why, beside what the public debug builds say.
//! `TOPROPE_BLESS=1` rewrites it. The last column says how far the scenario goes with all checks off: device-lib then
//! behaves as the public release build, except where that would hang or touch memory that is not its own.

use crate::trace::{Scenario, scenarios};
use crate::world::World;
use crate::{check_line, compare_line};
use serde_json::{Value, json};
use std::path::Path;
use toprope_abi::fwk::{CHECK_DEFAULT, FwkError};

/// Scenarios that are right uses: the reference only shows that one of its own builds refuses them.
const RIGHT_USES: [&str; 1] = ["x-071-user-deque-device-debug"];

/// Errors after which the call has been carried out all the same.
const CARRIED_OUT: [FwkError; 1] = [FwkError::StaleEvent];

/// Operation and error at which a scenario ends.
fn first_refusal(scenario: &Scenario) -> Result<Option<(usize, FwkError)>, String> {
    let mut world = World::new(&scenario.head, CHECK_DEFAULT);
    for (index, op) in scenario.ops.iter().enumerate() {
        let context = |e: String| format!("{} line {index}: {op}\n    {e}", scenario.name());
        let before = world.state();
        match world.run(op) {
            Ok(got) => compare_line(&world, op, &got).map_err(context)?,
            Err(error) => {
                check_refusal(&world, op, error, &before).map_err(context)?;
                check_usable(&mut world).map_err(context)?;
                return Ok(Some((index, error)));
            }
        }
    }
    Ok(None)
}

/// The refusal is reported once, is in the pipe, and nothing else happened.
fn check_refusal(world: &World, op: &Value, error: FwkError, before: &str) -> Result<(), String> {
    // Tags are read by the C face, which reports on its own.
    let by_library = !op["o"].as_str().is_some_and(|o| o.starts_with("t_"));
    if by_library && world.sticky_error(op) != error as u32 {
        return Err(format!("refused with {error:?}, the pipe says {}", world.sticky_error(op)));
    }
    let faults: Vec<FwkError> = world.hooks.faults.borrow().iter().map(|f| f.error).collect();
    if by_library && faults != [error] {
        return Err(format!("refused with {error:?}, reported {faults:?}"));
    }
    if CARRIED_OUT.contains(&error) {
        return Ok(());
    }
    let effects = world.hooks.take();
    if !effects.is_empty() {
        return Err(format!("refused with {error:?} after {effects:?}"));
    }
    let after = world.state();
    if op["o"] != "pipe" && after != before {
        return Err(format!("refused with {error:?} but the state changed from\n{before}\nto\n{after}"));
    }
    Ok(())
}

/// What a full pipe may answer to one more queue.
const FULL: [FwkError; 5] = [
    FwkError::NoEventId,
    FwkError::MemoryFull,
    FwkError::TooManyBuffers,
    FwkError::L1HitsTscm,
    // The flag is really still set; waiting for it or Destroy and Init help.
    FwkError::FlagStillSet,
];

/// Three rounds over a new queue `q` with `num` buffers.
fn work(world: &mut World, q: i64, num: u32) -> Result<(), (Value, FwkError)> {
    let key = if world.is_cube() { "Q:A1:1:0" } else { "Q:VECIN:1:0" };
    let mut ops = vec![
        json!({"o": "que", "q": q, "k": key}),
        json!({"o": "init", "p": 0, "q": q, "num": num, "len": 32}),
    ];
    for o in ["alloc", "enque", "deque", "free"].iter().cycle().take(12) {
        ops.push(json!({"o": o, "q": q, "t": 900}));
    }
    ops.into_iter().try_for_each(|op| world.run(&op).map(drop).map_err(|e| (op, e)))
}

/// After the error is cleared, queues work: at once unless the pipe is full, and in any case after Destroy and Init.
fn check_usable(world: &mut World) -> Result<(), String> {
    world.clear_errors();
    match work(world, 901, 1) {
        Err((op, error)) if !FULL.contains(&error) => {
            return Err(format!("next to the refused object: {op}: {error}"));
        }
        _ => {}
    }
    world.clear_errors();
    for o in ["pipe_destroy", "pipe_init"] {
        world.run(&json!({"o": o, "p": 0})).map_err(|e| format!("{o}: {e}"))?;
    }
    work(world, 902, 8).map_err(|(op, error)| format!("after Destroy and Init: {op}: {error}"))?;
    if world.any_error() {
        return Err("an error is left after right uses".into());
    }
    Ok(())
}

/// How far the scenario replays as the release build with all checks off.
fn unchecked(scenario: &Scenario) -> String {
    let mut world = World::new(&scenario.head, 0);
    for (index, op) in scenario.ops.iter().enumerate() {
        // The reference did not survive this call, or never came back from it.
        let ends =
            op.get("nx").is_some() || op["r"].get("hang").is_some() || op["r"].get("nullhead").is_some();
        if ends {
            return match world.run(op) {
                Err(error) => format!("refused {index} {}", error.name()),
                Ok(_) => format!("accepted {index}"),
            };
        }
        if let Err(e) = check_line(&mut world, op) {
            let why = e.split(':').take(2).collect::<Vec<_>>().join(":");
            return format!("{index} {why}");
        }
    }
    "same".into()
}

fn debug_build(scenario: &Scenario, build: &str) -> String {
    match &scenario.head[build] {
        Value::Null => "-".into(),
        at => format!("{} {}", at["at"], at["code"].as_str().expect("a code")),
    }
}

#[test]
fn each_misuse_ends_in_its_error() {
    let (all, lines) = scenarios("misuse.jsonl");
    let mut table = String::from("# scenario\trefused at\terror\tdevice debug\tCPU debug\tchecks off\n");
    let mut failures = Vec::new();
    for scenario in &all {
        let name = scenario.name();
        let outcome = first_refusal(scenario).unwrap_or_else(|e| {
            failures.push(e);
            None
        });
        if outcome.is_some() == RIGHT_USES.contains(&name) {
            failures.push(format!("{name}: a wrong use passed, or a right use was refused: {outcome:?}"));
        }
        let (at, code) = outcome.map_or(("-".into(), "-"), |(at, error)| (at.to_string(), error.name()));
        let (device, cpu) = (debug_build(scenario, "dev"), debug_build(scenario, "cpu"));
        table += &format!("{name}\t{at}\t{code}\t{device}\t{cpu}\t{}\n", unchecked(scenario));
    }
    println!("misuse.jsonl: {} scenarios, {lines} lines", all.len());
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert_eq!(all.len(), 97);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/misuse.tsv");
    if std::env::var_os("TOPROPE_BLESS").is_some() {
        std::fs::write(&path, &table).expect("the table is writable");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == table, "misuse.tsv differs: run with TOPROPE_BLESS=1 and look at the change");
}
