//! Names in the output: exported functions keep theirs, all others get short ones that do not change with the compiler.

use std::collections::BTreeMap;

use super::module::{Module, readable};

/// Names of the functions that a module defines.
#[derive(Clone, Debug)]
pub struct Names<'m> {
    names: BTreeMap<&'m str, String>,
}

fn is_mangled(symbol: &str) -> bool {
    ["@_ZN", "@\"_ZN", "@_R"].iter().any(|start| symbol.starts_with(start))
}

impl<'m> Names<'m> {
    /// Names for the functions of `modules`.
    pub fn new(modules: &[Module<'m>]) -> Names<'m> {
        let mut names = BTreeMap::new();
        let mut used: BTreeMap<String, usize> = BTreeMap::new();
        for symbol in modules.iter().flat_map(|m| m.functions.keys()) {
            if names.contains_key(symbol) {
                continue;
            }
            if !is_mangled(symbol) {
                names.insert(*symbol, (*symbol).to_owned());
                continue;
            }
            let path = readable(symbol);
            let last = path.rsplit("::").next().unwrap_or_default();
            let plain: String = last.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            let count = used.entry(plain.clone()).or_default();
            *count += 1;
            names.insert(*symbol, format!("@toprope.{plain}.{count}"));
        }
        Names { names }
    }

    /// Whether a module defines it.
    pub fn is_defined(&self, symbol: &str) -> bool {
        self.names.contains_key(symbol)
    }

    /// Its name in the output.
    pub fn of(&self, symbol: &str) -> String {
        self.names.get(symbol).cloned().unwrap_or_else(|| symbol.to_owned())
    }
}
