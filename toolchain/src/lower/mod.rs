//! AI Core lowering: LLVM text of rustc → LLVM 15 text for dav-c220, by a whitelist that fails closed.
//!
//! ```text
//! rustc --emit=llvm-ir ─▶ module: functions ─▶ function ─▶ statement (opcodes) ─▶ cursor (types, attributes, values)
//!                                                    ├─▶ expand  (integer intrinsics written out)
//!                                                    └─▶ hooks   (llvm.hivm.*)
//! ```
//! rustc's LLVM is newer than the AI Core compiler's (15). Everything that LLVM 15 does not know is a fact for the optimiser and is
//! dropped; everything that the AI Core does not have is refused with the function, the construct and the Rust rule that avoids it. What
//! is on no list is refused too: a new rustc can make lowering fail, never make it wrong silently. No LLVM is needed.
//!
//! Not modelled: debug information, pointers into GM or local memories in Rust code (they are numbers there), NpuArch other than 2201.
//! Source: rules and spellings of the public AscendNPU-IR c220 library; `docs/lowering.md` says what was verified with which tool.

pub mod command;
mod cursor;
pub mod device;
mod error;
mod expand;
mod function;
mod hooks;
mod lexer;
mod module;
mod names;
mod statement;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

pub use error::{LowerError, LowerErrors, REFUSALS, Refusal};
pub use hooks::{missing as hooks_without_form, open as open_hooks};
use module::{Module, readable};
use names::Names;

/// Code generation options of rustc without which its text has constructs that are refused.
pub const RUSTC_FLAGS: &[&str] = include!("rustc_flags.rs");

/// What the output is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// dav-c220: hooks become intrinsics.
    AiCore,
    /// x86-64: the same functions for clang to inline into kernels of the embedded NPU; hooks stay calls.
    Host,
}

impl Machine {
    fn head(self) -> &'static str {
        match self {
            Machine::AiCore => {
                "target datalayout = \"e-i1:8:32-i8:8:32-i16:16:32-i64:64-f16:16:32-v16:16-v32:32-n64-S64\"\n\
                 target triple = \"hiipu64-hisilicon-cce\"\n"
            }
            Machine::Host => {
                "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"\n\
                 target triple = \"x86_64-pc-linux-gnu\"\n"
            }
        }
    }
}

/// What to lower and for whom.
#[derive(Clone, Debug)]
pub struct LowerOptions {
    /// What the output is for.
    pub machine: Machine,
    /// Functions that are exported; what they do not reach is left out. Empty: every function whose name is not mangled.
    pub exports: Vec<String>,
    /// First line of the output, as a comment.
    pub title: String,
}

/// Lowers `texts`, the modules of one program.
///
/// # Errors
/// Everything that was refused, with its place.
pub fn lower(texts: &[&str], options: &LowerOptions) -> Result<String, LowerErrors> {
    let modules = texts
        .iter()
        .map(|text| Module::parse(text))
        .collect::<Result<Vec<_>, _>>()
        .map_err(|e| LowerErrors(vec![e]))?;
    let names = Names::new(&modules);
    let find = |symbol: &str| modules.iter().find_map(|m| m.functions.get(symbol));
    let exports = exports(&modules, options)?;
    let mut errors = Vec::new();
    let mut done: BTreeMap<String, function::Lowered> = BTreeMap::new();
    let mut open: Vec<String> = exports.iter().rev().cloned().collect();
    while let Some(symbol) = open.pop() {
        let Some(function) = find(&symbol).filter(|_| !done.contains_key(&symbol)) else { continue };
        match function::lower(function, &names, options.machine, exports.contains(&symbol)) {
            Ok(lowered) => {
                open.extend(lowered.calls.iter().cloned());
                done.insert(symbol, lowered);
            }
            Err(more) => {
                errors.extend(more);
                done.insert(symbol, function::Lowered::default());
            }
        }
    }
    if errors.is_empty() {
        errors.extend(recursion(&done));
    }
    if !errors.is_empty() {
        return Err(LowerErrors(errors));
    }
    let cold = |symbol: &str| is_cold(symbol, &modules);
    let types = types(&modules, &done)?;
    Ok(write(&done, &types, &exports, options, cold))
}

/// Definitions of the named types that `functions` use.
fn types(
    modules: &[Module<'_>],
    functions: &BTreeMap<String, function::Lowered>,
) -> Result<String, LowerErrors> {
    let mut open: Vec<String> = functions.values().flat_map(|f| f.types.iter().cloned()).collect();
    let mut written = BTreeMap::new();
    while let Some(name) = open.pop() {
        if written.contains_key(&name) {
            continue;
        }
        let fail = |refusal| LowerErrors(vec![LowerError { function: name.clone(), line: 0, refusal }]);
        let definition = modules
            .iter()
            .find_map(|m| m.types.get(name.as_str()))
            .ok_or_else(|| fail(Refusal::Malformed { what: format!("type {name} without definition") }))?;
        let tokens = lexer::tokens(definition).map_err(fail)?;
        let mut c = cursor::Cursor::new(&tokens);
        c.ty().and_then(|_| c.end()).map_err(fail)?;
        open.extend(c.types.iter().map(|t| (*t).to_owned()));
        written.insert(name.clone(), c.out);
    }
    Ok(written.iter().fold(String::new(), |out, (name, what)| out + &format!("{name} = type {what}\n")))
}

/// Symbols of the functions to export.
fn exports(modules: &[Module<'_>], options: &LowerOptions) -> Result<BTreeSet<String>, LowerErrors> {
    let all = modules.iter().flat_map(|m| m.functions.keys());
    if options.exports.is_empty() {
        let plain = |s: &&&str| !s.starts_with("@_") && !s.starts_with("@\"_");
        return Ok(all.filter(plain).map(|s| (*s).to_owned()).collect());
    }
    let known: BTreeSet<&str> = all.copied().collect();
    let absent: Vec<LowerError> = options
        .exports
        .iter()
        .filter(|name| !known.contains(format!("@{name}").as_str()))
        .map(|name| LowerError {
            function: name.clone(),
            line: 0,
            refusal: Refusal::External { what: name.clone() },
        })
        .collect();
    if absent.is_empty() {
        Ok(options.exports.iter().map(|name| format!("@{name}")).collect())
    } else {
        Err(LowerErrors(absent))
    }
}

/// Whether rustc wants the function of this symbol kept out of its callers.
fn is_cold(symbol: &str, modules: &[Module<'_>]) -> bool {
    modules.iter().any(|m| {
        let header = m.functions.get(symbol).map(|f| f.header);
        let group = header.and_then(|h| h.rsplit(' ').find(|word| word.starts_with('#')));
        group.and_then(|g| m.groups.get(g)).is_some_and(|g| g.contains("cold") || g.contains("noinline"))
    })
}

/// A circle of calls, if there is one.
fn recursion(functions: &BTreeMap<String, function::Lowered>) -> Option<LowerError> {
    fn visit<'a>(
        symbol: &'a str,
        functions: &'a BTreeMap<String, function::Lowered>,
        path: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
    ) -> bool {
        if path.contains(&symbol) {
            path.push(symbol);
            return true;
        }
        if !done.insert(symbol) {
            return false;
        }
        path.push(symbol);
        if functions.get(symbol).is_some_and(|f| f.calls.iter().any(|c| visit(c, functions, path, done))) {
            return true;
        }
        path.pop();
        false
    }
    let mut done = BTreeSet::new();
    for symbol in functions.keys() {
        let mut path = Vec::new();
        if visit(symbol, functions, &mut path, &mut done) {
            let names: Vec<String> = path.iter().map(|s| readable(s)).collect();
            let refusal = Refusal::Recursion { what: names.join(" → ") };
            return Some(LowerError { function: readable(symbol), line: 0, refusal });
        }
    }
    None
}

/// The module as text.
fn write(
    functions: &BTreeMap<String, function::Lowered>,
    types: &str,
    exports: &BTreeSet<String>,
    options: &LowerOptions,
    cold: impl Fn(&str) -> bool,
) -> String {
    let mut out = format!("; {}\n{}\n{types}", options.title, options.machine.head());
    for (symbol, function) in functions {
        let exported = exports.contains(symbol);
        let linkage = if exported { "weak_odr " } else { "internal " };
        let group = if !exported && cold(symbol) { "#1" } else { "#0" };
        let _ = write!(out, "\ndefine {linkage}{} {group} {{\n{}}}\n", function.header, function.body);
    }
    let mut declares = BTreeMap::new();
    for function in functions.values() {
        declares.extend(function.declares.iter());
    }
    out.push('\n');
    for declaration in declares.values() {
        let _ = writeln!(out, "{declaration} #2");
    }
    let common = "mustprogress nounwind \"frame-pointer\"=\"all\" \"no-trapping-math\"=\"true\"";
    let _ = write!(
        out,
        "\nattributes #0 = {{ alwaysinline {common} }}\nattributes #1 = {{ noinline {common} }}\nattributes #2 = {{ nounwind }}\n\
         \n!llvm.module.flags = !{{!0, !1}}\n!0 = !{{i32 1, !\"wchar_size\", i32 4}}\n!1 = !{{i32 7, !\"frame-pointer\", i32 2}}\n"
    );
    out
}

#[cfg(test)]
mod tests;
