//! Every entry of `constants.json` that device-lib has a counterpart for.

use crate::recorder::pipe_name;
use crate::trace::read;
use serde_json::{Value, json};
use toprope_abi::fwk::target::{Effect, que_binding};
use toprope_abi::fwk::{
    DATA_BLOCK_BYTES, EVENT_IDS, FWK_ERRORS, FwkCore, HardEvent, MemoryKind, PIPE_RECORDS, POOL_RECORDS_MAX,
    TPosition, Target, TrRecord,
};

fn constants() -> Value {
    serde_json::from_str(&read("constants.json")).expect("committed data is JSON")
}

fn targets() -> [(&'static str, FwkCore); 3] {
    [("2201-aiv", FwkCore::Aiv2201), ("2201-aic", FwkCore::Aic2201), ("2002", FwkCore::Mix2002)]
}

fn position(name: &Value) -> TPosition {
    name.as_str().and_then(TPosition::from_name).unwrap_or_else(|| panic!("no position {name}"))
}

fn memory(name: &Value) -> MemoryKind {
    name.as_str().and_then(MemoryKind::from_name).unwrap_or_else(|| panic!("no memory {name}"))
}

#[test]
fn enums() {
    let all = constants();
    let same = |name: &str, ours: Vec<(&str, u32)>, extra: &[&str]| {
        let theirs = all["enums"][name].as_object().expect("an enum");
        for (value, number) in &ours {
            assert_eq!(theirs.get(*value), Some(&json!(number)), "{name}::{value}");
        }
        assert_eq!(theirs.len(), ours.len() + extra.len(), "{name}");
    };
    same("TPosition", TPosition::ALL.iter().map(|(v, n)| (*n, *v as u32)).collect(), &[]);
    same("Hardware", MemoryKind::ALL.iter().map(|(v, n)| (*n, *v as u32)).collect(), &["MAX"]);
    same("HardEvent", HardEvent::ALL.iter().map(|(v, n)| (*n, *v as u32)).collect(), &[]);
}

#[test]
fn event_pipes() {
    let all = constants();
    let theirs = all["event_pipes"].as_object().expect("a table");
    assert_eq!(theirs.len(), HardEvent::ALL.len() - 1);
    for (name, pipes) in theirs {
        let (src, dst) = HardEvent::from_name(name).and_then(HardEvent::pipes).expect("an event with pipes");
        assert_eq!(*pipes, json!([pipe_name(src), pipe_name(dst)]), "{name}");
    }
}

#[test]
fn limits_and_sizes() {
    let all = constants();
    for (name, core) in targets() {
        let (theirs, ours) = (&all["targets"][name], Target::of(core));
        for (kind, text) in MemoryKind::ALL {
            assert_eq!(theirs["memory_bytes"][text], json!(ours.memory_bytes(*kind)), "{name} {text}");
        }
        let limits = &theirs["limits"];
        assert_eq!(limits["TOTAL_L1_SIZE"], json!(ours.tscm_top), "{name}");
        assert_eq!(limits["QUE_MAX_EVENT"], json!(EVENT_IDS), "{name}");
        assert_eq!(limits["QBUF_MAX_LEN"], json!(PIPE_RECORDS), "{name}");
        assert_eq!(limits["QBUFPOOL_MAX_LEN"], json!(POOL_RECORDS_MAX), "{name}");
        assert_eq!(limits["ONE_BLK_SIZE"], json!(DATA_BLOCK_BYTES), "{name}");
        assert_eq!(limits["EVENT_NUM"], json!(ours.events.count_ones()), "{name}");
        assert_eq!(theirs["stack_buffer_end"], json!(ours.stack_buffer_end), "{name}");
        assert_eq!(theirs["sizeof"]["TBufType"], json!(size_of::<TrRecord>()), "{name}");
        let reserved = theirs["reserved_at_init"]["ids"].as_array().map_or(0, Vec::len);
        assert_eq!(reserved, ours.reserved_m_mte1 as usize, "{name}");
    }
}

#[test]
fn events_of_each_core() {
    let all = constants();
    for (name, core) in targets() {
        let (theirs, ours) = (&all["targets"][name], Target::of(core));
        let index = theirs["event_index"].as_object().expect("a table");
        assert_eq!(index.len(), HardEvent::ALL.len() - 1, "{name}");
        for (event, row) in index {
            let known = row != &theirs["event_classes"];
            let event = HardEvent::from_name(event).expect("an event");
            assert_eq!(ours.events & event.bit() != 0, known, "{name} {}", event.name());
        }
    }
}

/// `set MTE2>V`, `barrier V`, or null.
fn spelled(effect: Effect, event: HardEvent, verb: &str) -> Value {
    let Some((src, dst)) = event.pipes().filter(|_| effect != Effect::NONE) else { return Value::Null };
    if src == dst {
        return json!(format!("barrier {}", pipe_name(src)));
    }
    assert_eq!(effect, Effect::pair(src, dst));
    json!(format!("{verb} {}>{}", pipe_name(src), pipe_name(dst)))
}

#[test]
fn flag_effects() {
    let all = constants();
    for (name, core) in targets() {
        let (theirs, ours) = (&all["targets"][name]["flag_effect"], Target::of(core));
        for (event, text) in HardEvent::ALL.iter().filter(|(e, _)| *e != HardEvent::Max) {
            // Events of the FIX pipe are left out for 2002, which has none.
            let row = &theirs[text];
            assert_eq!(row["set"], spelled(ours.set_effect(*event), *event, "set"), "{name} {text}");
            assert_eq!(row["wait"], spelled(ours.wait_effect(*event), *event, "wait"), "{name} {text}");
            assert_eq!(row["drain"], spelled(ours.drain_effect(*event), *event, "wait"), "{name} {text}");
        }
    }
}

#[test]
fn positions() {
    let all = constants();
    for (name, core) in targets() {
        let (theirs, ours) = (&all["targets"][name], Target::of(core));
        for (place, kind) in theirs["position_to_memory"].as_object().expect("a table") {
            let place = TPosition::from_name(place).expect("a position");
            assert_eq!(ours.memory(place), memory(kind), "{name} {}", place.name());
        }
        for (place, binding) in theirs["tque_to_binding"].as_object().expect("a table") {
            let place = TPosition::from_name(place).expect("a position");
            assert_eq!(
                que_binding(place),
                (position(&binding[0]), position(&binding[1])),
                "{name} {}",
                place.name()
            );
        }
        for row in theirs["binding_to_position_and_memory"].as_array().expect("rows") {
            let place = ours.buffer_position(position(&row[0]), position(&row[1]));
            assert_eq!(place, position(&row[2]), "{name} {row}");
            assert_eq!(ours.memory(place), memory(&row[3]), "{name} {row}");
        }
    }
}

#[test]
fn queue_events() {
    let all = constants();
    for (name, core) in targets() {
        let ours = Target::of(core);
        let rows = all["targets"][name]["queue_events"].as_array().expect("rows");
        let found = |src: MemoryKind, dst: MemoryKind, config: u32| {
            let place =
                |m| TPosition::ALL.iter().map(|p| p.0).find(|p| *p != TPosition::Max && ours.memory(*p) == m);
            place(src).zip(place(dst)).map(|(s, d)| ours.queue_events(s, d, config))
        };
        let mut listed = Vec::new();
        for row in rows {
            let (src, dst) = (memory(&row["src"]), memory(&row["dst"]));
            let config =
                (row["nd2nz"].as_u64().expect("0 or 1") | row["nz2nd"].as_u64().expect("0 or 1") << 1) as u32;
            listed.push((src, dst));
            // Memories without a position (bias and fix-pipe buffer on 2002) cannot be named by a queue.
            let Some((enque, free)) = found(src, dst, config) else { continue };
            assert_eq!(
                (row["enque"].as_str(), row["free"].as_str()),
                (Some(enque.name()), Some(free.name())),
                "{row}"
            );
        }
        for (src, _) in MemoryKind::ALL {
            for (dst, _) in MemoryKind::ALL.iter().filter(|(dst, _)| !listed.contains(&(*src, *dst))) {
                let none = Some((HardEvent::Max, HardEvent::Max));
                let ours = found(*src, *dst, 0);
                assert!(
                    ours.is_none() || ours == none,
                    "{name}: {src:?} to {dst:?} is not listed, we have {ours:?}"
                );
            }
        }
    }
}

/// Each condition of the reference has an error of the same name; only a hang is not one.
#[test]
fn misuse_codes_have_errors() {
    for code in constants()["misuse_codes"].as_object().expect("a table").keys().filter(|c| *c != "HANG") {
        assert!(FWK_ERRORS.iter().any(|(_, name, _)| name == code), "{code}");
    }
}
