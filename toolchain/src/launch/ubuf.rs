//! `__ubuf__ T name[N];` in a kernel: an array in UB, where C++ would take the stack.
//!
//! The declaration becomes `UbArray<T[N]> tr_ub_name("name"); T (&name)[N] = tr_ub_name.Get();` (`toprope/ub_array.h`): an owner that gives
//! the memory back at the end of the scope, and a reference that is used as the array was. Everywhere else `__ubuf__` says where a pointer points
//! to, which means nothing here: it is replaced by spaces.
//!
//! **Does not model**: arrays at namespace scope, arrays with an initialiser (UB has none), arrays of arrays declared through an alias.

use std::fmt::Write as _;

use super::source::Source;
use super::{Edits, Problem};

/// The qualifier.
pub(super) const UBUF: &str = "__ubuf__";

/// Rewrites every `__ubuf__`.
pub(super) fn rewrite(source: &Source, edits: &mut Edits, problems: &mut Vec<Problem>) {
    let mut index = 0;
    while index < source.code.len() {
        if !source.is_ident(index) || source.at(index) != UBUF {
            index += 1;
            continue;
        }
        match declaration(source, index) {
            Some((end, _)) if source.at(end) == "=" => {
                problems.push(Problem {
                    place: source.place(source.range(index).start),
                    message: "an array in UB cannot be initialised where it is declared".into(),
                    help: "fill it with asc_copy_gm2ub or Duplicate".into(),
                });
                index = end;
            }
            Some((end, text)) => {
                let range = source.range(index).start..source.range(end).start;
                let lines = source.text[range.clone()].matches('\n').count();
                edits.replace(range, text + &"\n".repeat(lines));
                index = end;
            }
            None => {
                let range = source.range(index);
                edits.replace(range.clone(), " ".repeat(range.len()));
                index += 1;
            }
        }
    }
}

/// If an array is declared at `index`: the token behind its declarators, and what they become without the `;`.
fn declaration(source: &Source, index: usize) -> Option<(usize, String)> {
    if index == 0 || !matches!(source.at(index - 1), ";" | "{" | "}") {
        return None;
    }
    let name = array_name(source, index + 1)?;
    let element = source.words(index + 1..name);
    let mut text = String::new();
    let mut at = name;
    loop {
        let (shown, mut end) = (source.at(at), at + 1);
        while source.at(end) == "[" {
            end = source.partner(end)? + 1;
        }
        if end == at + 1 {
            return None;
        }
        let sizes = source.words(at + 1..end);
        if !text.is_empty() {
            text.push_str("; ");
        }
        let _ = write!(
            text,
            "::toprope::UbArray<{element}{sizes}> tr_ub_{shown}(\"{shown}\"); {element} (&{shown}){sizes} = tr_ub_{shown}.Get()"
        );
        match source.at(end) {
            "," if source.is_ident(end + 1) => at = end + 1,
            ";" | "=" => return Some((end, text)),
            _ => return None,
        }
    }
}

/// Token of the name in `type name[`, if the tokens from `from` on are that.
fn array_name(source: &Source, from: usize) -> Option<usize> {
    let mut at = from;
    let mut depth = 0_usize;
    while at < source.code.len() {
        match source.at(at) {
            "<" => depth += 1,
            ">" => depth = depth.checked_sub(1)?,
            "::" | "," if depth > 0 || source.at(at) == "::" => {}
            "(" if depth > 0 => at = source.partner(at)?,
            _ if depth > 0 => {}
            _ if source.is_ident(at) => {
                if at > from && source.at(at + 1) == "[" {
                    return Some(at);
                }
            }
            _ => return None,
        }
        at += 1;
    }
    None
}
