//! A module as rustc writes it: one statement per line, functions in braces.
//!
//! Only what lowering asks about is taken apart here: which functions are defined, which are declared, which data there is. What stands
//! inside a function is read by [`super::function`].

use std::collections::BTreeMap;

use super::error::{LowerError, Refusal};

/// A function with its statements.
#[derive(Clone, Debug)]
pub struct Function<'t> {
    /// With `@` and quotes as in the text.
    pub symbol: &'t str,
    /// The `define` line without its `{`.
    pub header: &'t str,
    /// Line of the header, from 1.
    pub line: usize,
    /// Statements and labels with their lines; a `switch` over several lines is one statement.
    pub body: Vec<(usize, String)>,
}

/// A module, taken apart.
#[derive(Clone, Debug, Default)]
pub struct Module<'t> {
    /// By symbol.
    pub functions: BTreeMap<&'t str, Function<'t>>,
    /// Attribute groups (`#0`) with what they say.
    pub groups: BTreeMap<&'t str, &'t str>,
    /// Named types with their definitions.
    pub types: BTreeMap<&'t str, &'t str>,
}

/// The first `@symbol` of `text`.
fn symbol(text: &str) -> Option<&str> {
    let start = text.find('@')?;
    let rest = &text[start..];
    let end = match rest[1..].strip_prefix('"') {
        Some(quoted) => quoted.find('"')? + 3,
        None => rest[1..]
            .find(|c: char| !(c.is_ascii_alphanumeric() || "_.$-".contains(c)))
            .map_or(rest.len(), |n| n + 1),
    };
    Some(&rest[..end])
}

/// Lines at the top level that say nothing a kernel needs.
const IGNORED: [&str; 6] = ["source_filename", "target ", "declare ", "!", ";", "$"];

impl<'t> Module<'t> {
    /// Takes `text` apart.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] where it is not LLVM text, [`Refusal::Assembly`] for module assembly.
    pub fn parse(text: &'t str) -> Result<Module<'t>, LowerError> {
        let mut module = Module::default();
        let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line));
        while let Some((number, line)) = lines.next() {
            let fail = |refusal| LowerError { function: String::new(), line: number, refusal };
            let malformed = || fail(Refusal::Malformed { what: line.chars().take(80).collect() });
            if line.trim().is_empty() || IGNORED.iter().any(|start| line.starts_with(start)) {
                continue;
            }
            if line.starts_with("define ") {
                let header = line.trim_end().strip_suffix('{').ok_or_else(malformed)?;
                let name = symbol(header).ok_or_else(malformed)?;
                let body = body(&mut lines).ok_or_else(malformed)?;
                module.functions.insert(name, Function { symbol: name, header, line: number, body });
            } else if let Some(group) = line.strip_prefix("attributes ") {
                let (name, what) = group.split_once('=').ok_or_else(malformed)?;
                module.groups.insert(name.trim(), what.trim());
            } else if line.starts_with('@') {
                // A constant or a static: refused where it is used.
                continue;
            } else if line.starts_with("module asm") {
                return Err(fail(Refusal::Assembly { what: "module asm".to_owned() }));
            } else if line.starts_with('%') {
                let (name, what) = line.split_once(" = type ").ok_or_else(malformed)?;
                module.types.insert(name.trim(), what.trim());
            } else {
                return Err(malformed());
            }
        }
        Ok(module)
    }
}

/// Statements up to the closing brace.
fn body<'t>(lines: &mut impl Iterator<Item = (usize, &'t str)>) -> Option<Vec<(usize, String)>> {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for (number, line) in lines {
        if line == "}" {
            return (!open).then_some(out);
        }
        let text = line.trim();
        if text.is_empty() || text.starts_with(';') {
            continue;
        }
        match out.last_mut() {
            Some(last) if open => {
                last.1.push(' ');
                last.1.push_str(text);
                open = !text.starts_with(']');
            }
            _ => {
                open = text.starts_with("switch ") && text.ends_with('[');
                out.push((number, text.to_owned()));
            }
        }
    }
    None
}

/// A symbol as a person reads it: without mangling and hash.
pub fn readable(symbol: &str) -> String {
    let bare = symbol.trim_start_matches('@').trim_matches('"');
    format!("{:#}", rustc_demangle::demangle(bare))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_readable() {
        assert_eq!(readable("@tr_que_enque"), "tr_que_enque");
        assert_eq!(
            readable("@_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE"),
            "core::panicking::panic_bounds_check"
        );
        assert_eq!(readable("@\"_ZN3dev12Fwk$LT$H$GT$5drain17h0123456789abcdefE\""), "dev::Fwk<H>::drain");
        assert_eq!(
            readable("@_RNvNtCsgEmfK2I1SDS_4core9panicking18panic_bounds_check"),
            "core::panicking::panic_bounds_check"
        );
        assert_eq!(readable("@_ZN9999999999999999999999x"), "_ZN9999999999999999999999x");
    }

    #[test]
    fn a_function_without_end_is_malformed() {
        let error = Module::parse("define void @f() {\nstart:\n  ret void\n").expect_err("no brace");
        assert_eq!((error.line, error.refusal.code()), (1, "malformed"));
    }
}
