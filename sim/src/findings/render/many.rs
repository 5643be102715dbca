//! Many findings: the first in full, further ones in a line each, the rest counted. What is cut is said.

use super::{Sources, Style, full, short};
use crate::findings::Finding;
use std::collections::{BTreeMap, HashSet};

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Findings shown in full.
    pub full: usize,
    /// Findings shown in a line each, after those.
    pub lines: usize,
}

impl Limits {
    /// `full` findings in full, five times as many in a line each.
    pub fn new(full: usize) -> Limits {
        Limits { full, lines: full.saturating_mul(5) }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::new(20)
    }
}

/// Shows findings one after the other, each once.
#[derive(Debug)]
pub struct Printer {
    limits: Limits,
    shown: usize,
    seen: HashSet<String>,
    cut: BTreeMap<&'static str, u64>,
    sources: Sources,
}

impl Printer {
    /// Finding texts that are remembered, so that none is shown twice.
    const REMEMBERED: usize = 1 << 16;

    /// Shows as much as `limits` say.
    pub fn new(limits: Limits) -> Printer {
        Printer { limits, shown: 0, seen: HashSet::new(), cut: BTreeMap::new(), sources: Sources::default() }
    }

    /// The finding as it is to be shown now; empty if it was shown before, or if there were too many.
    pub fn show(&mut self, finding: &Finding, style: &Style) -> String {
        let key = finding.to_string();
        if self.seen.contains(&key) {
            return String::new();
        }
        if self.seen.len() < Printer::REMEMBERED {
            self.seen.insert(key);
        }
        self.shown += 1;
        match self.shown {
            n if n <= self.limits.full => full(finding, style, &mut self.sources) + "\n",
            n if n <= self.limits.full + self.limits.lines => {
                let first = n == self.limits.full + 1;
                let said = format!(
                    "toprope: further findings in a line each, after {} in full:\n",
                    self.limits.full
                );
                (if first { said } else { String::new() }) + &short(finding, style)
            }
            _ => {
                *self.cut.entry(finding.code).or_default() += 1;
                String::new()
            }
        }
    }

    /// How many were left out, with their codes, the most frequent first; empty if none was.
    pub fn rest(&mut self, style: &Style) -> String {
        let cut = std::mem::take(&mut self.cut);
        let total: u64 = cut.values().sum();
        if total == 0 {
            return String::new();
        }
        let mut codes: Vec<(&str, u64)> = cut.into_iter().collect();
        codes.sort_by_key(|(code, count)| (std::cmp::Reverse(*count), *code));
        let codes: Vec<String> =
            codes.into_iter().map(|(code, count)| format!("{code} \u{d7}{count}")).collect();
        style.spell(&format!("toprope: and {total} more ({})\n", codes.join(", ")))
    }
}
