//! The trace files: one JSON object per line, a header per scenario, then its operations.

use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// One scenario.
pub struct Scenario {
    /// Header line.
    pub head: Value,
    /// Operation lines.
    pub ops: Vec<Value>,
}

impl Scenario {
    /// Name, unique in all files.
    pub fn name(&self) -> &str {
        self.head["sc"].as_str().expect("a scenario has a name")
    }
}

/// Decompresses a file of `conformance/data`.
pub fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance/data").join(format!("{file}.gz"));
    let packed = std::fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("committed data is gzip");
    text
}

/// The scenarios of a file and its number of lines.
pub fn scenarios(file: &str) -> (Vec<Scenario>, usize) {
    let mut all: Vec<Scenario> = Vec::new();
    let text = read(file);
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).expect("committed data is JSON");
        if value.get("sc").is_some() {
            all.push(Scenario { head: value, ops: Vec::new() });
        } else {
            all.last_mut().expect("operations follow a header").ops.push(value);
        }
    }
    for s in &all {
        let said = s.head["ops"].as_u64().expect("header says how many operations");
        assert_eq!(said as usize, s.ops.len(), "{}: lines are missing", s.name());
    }
    (all, text.lines().count())
}
