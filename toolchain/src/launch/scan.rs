//! Finds launches `expr<<<config>>>(arguments)` in a token stream.
//!
//! `<<<` can only be a launch: in C++ a shift is never followed by `<`, except in `operator<< <T>`. Where the configuration ends is
//! less clear, because `>>>` may close template lists in it; see [`close_of`].

use std::ops::Range;

use super::Problem;
use super::source::Source;

/// One launch, as code-token indices.
pub(super) struct Launch {
    /// The kernel expression, from its first token to the one before `<<<`.
    pub callee: Range<usize>,
    /// First of the three `<`.
    pub open: usize,
    /// First of the three `>`.
    pub close: usize,
}

/// Words that cannot be the name in a kernel expression.
const NOT_A_CALLEE: [&str; 8] = ["return", "operator", "else", "do", "case", "throw", "co_return", "new"];

/// Words whose parenthesised group ends before a kernel expression begins.
const CONDITION: [&str; 4] = ["if", "while", "for", "switch"];

/// All launches in order of their `<<<`.
pub(super) fn find(source: &Source, problems: &mut Vec<Problem>) -> Vec<Launch> {
    let mut launches = Vec::new();
    let mut index = 0;
    while index + 2 < source.code.len() {
        let here = (0..3).all(|k| source.at(index + k) == "<");
        if !here || index == 0 || source.at(index - 1) == "operator" {
            index += 1;
            continue;
        }
        match (callee_before(source, index), close_of(source, index + 3)) {
            (Some(start), Some(close)) => launches.push(Launch { callee: start..index, open: index, close }),
            (None, _) => problems.push(Problem {
                place: source.place(source.range(index).start),
                message: "`<<<` is not preceded by a kernel".into(),
                help: "write kernel<<<blocks, nullptr, stream>>>(arguments)".into(),
            }),
            (_, None) => problems.push(Problem {
                place: source.place(source.range(index).start),
                message:
                    "this launch is not complete: no `>>>(` with two or three launch arguments follows `<<<`"
                        .into(),
                help: "write kernel<<<blocks, nullptr, stream>>>(arguments)".into(),
            }),
        }
        index += 3;
    }
    launches
}

/// Start of the postfix expression that ends just before code token `end`.
fn callee_before(source: &Source, end: usize) -> Option<usize> {
    let mut start = end;
    loop {
        // One postfix part: suffixes ()/[]/template list, then the name they belong to.
        let mut primary = false;
        let mut groups = Vec::new();
        while start > 0 {
            match source.at(start - 1) {
                ")" | "]" => {
                    start = source.partner(start - 1)?;
                    primary = source.at(start) == "(";
                    groups.push(start);
                }
                ">" => {
                    start = open_angle(source, start - 1)?;
                    primary = false;
                    if start == 0 || !source.is_ident(start - 1) {
                        return None;
                    }
                }
                _ => break,
            }
        }
        if start > 0 && CONDITION.contains(&source.at(start - 1)) {
            // `if (x) (*kernel)<<<…`: the first group is the condition.
            return groups.len().checked_sub(2).map(|at| groups[at]);
        } else if start > 0 && source.is_ident(start - 1) && !NOT_A_CALLEE.contains(&source.at(start - 1)) {
            start -= 1;
        } else if !primary {
            return None;
        }
        if start > 0 && source.at(start - 1) == "template" {
            start -= 1;
        }
        match start.checked_sub(1).map(|before| source.at(before)) {
            Some("." | "->") => start -= 1,
            Some("::") => {
                start -= 1;
                let qualified = start > 0
                    && ((source.is_ident(start - 1) && !NOT_A_CALLEE.contains(&source.at(start - 1)))
                        || source.at(start - 1) == ">");
                if !qualified {
                    return Some(start);
                }
            }
            _ => return Some(start),
        }
    }
}

/// Given `>` at `close`, the index of the `<` that opens its template list. Two adjacent `<` are a shift and open nothing.
fn open_angle(source: &Source, close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut index = close;
    loop {
        match source.at(index) {
            ">" => depth += 1,
            "<" if index > 0
                && source.at(index - 1) == "<"
                && source.range(index - 1).end == source.range(index).start =>
            {
                index -= 1
            }
            "<" => {
                depth -= 1;
                if depth == 0 {
                    return Some(index);
                }
            }
            ")" | "]" | "}" => index = source.partner(index)?,
            "(" | "[" | "{" | ";" => return None,
            _ => {}
        }
        index = index.checked_sub(1)?;
    }
}

/// First `>` of the `>>>` that ends the configuration starting at code token `from`.
///
/// Candidates are `>>>` followed by `(` outside brackets. Preferred is the first one before which every `<` is closed and which
/// leaves two or three launch arguments; if there is none (a comparison in the configuration), the first with two or three.
fn close_of(source: &Source, from: usize) -> Option<usize> {
    let mut fallback = None;
    let mut first = None;
    let mut balance = 0_i32;
    let mut index = from;
    while index < source.code.len() {
        match source.at(index) {
            "(" | "[" | "{" => {
                if index >= from + 3
                    && (1..=3).all(|k| source.at(index - k) == ">")
                    && source.at(index) == "("
                {
                    let arguments = source.split_commas(from..index - 3).len();
                    first = first.or(Some(index - 3));
                    if matches!(arguments, 2 | 3) {
                        if balance == -3 {
                            return Some(index - 3);
                        }
                        fallback = fallback.or(Some(index - 3));
                    }
                }
                index = source.partner(index)?;
            }
            ")" | "]" | "}" | ";" => break,
            "<" => balance += 1,
            ">" => balance -= 1,
            _ => {}
        }
        index += 1;
    }
    // A launch with a wrong number of launch arguments is still a launch: the C++ side says what is wrong.
    fallback.or(first)
}
