//! Words of a report that are the program's own constants when they are written: codes, names of pipes and memories.

use super::catalogue::CATALOGUE;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeSet;

/// A word that lives as long as the process. There are few, and a process reads few reports: words that are new are kept for ever.
pub fn word<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    static WORDS: parking_lot::Mutex<BTreeSet<&'static str>> = parking_lot::Mutex::new(BTreeSet::new());
    let text = String::deserialize(from)?;
    let known = CATALOGUE.iter().flat_map(|e| [e.code, e.name]).find(|known| *known == text);
    if let Some(known) = known {
        return Ok(known);
    }
    let mut words = WORDS.lock();
    if let Some(kept) = words.get(text.as_str()) {
        return Ok(kept);
    }
    let kept: &'static str = Box::leak(text.into_boxed_str());
    words.insert(kept);
    Ok(kept)
}
