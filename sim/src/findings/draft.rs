//! A finding while it still holds code addresses.
//!
//! The engine drafts on the spot (cheap, no debug information is read); [`finish`] removes repetitions and looks the
//! source lines up.

use super::catalogue::{Entry, fill};
use super::consequence;
use super::names::named;
use super::symbols;
use super::{Finding, Side, SourcePlace};
use std::collections::HashMap;

/// One line of figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Ready text.
    Text(String),
    /// Text followed by the source line of a code address. `{kind}` in it becomes the name that the line has for its object.
    At(String, Vec<u64>),
    /// As `At`; the API that the program called takes the place of intrinsic `op` in the text.
    Op {
        /// The text.
        text: String,
        /// The intrinsic.
        op: &'static str,
        /// The place.
        at: Vec<u64>,
    },
    /// As `At`; the name is in the line of other code addresses.
    Named {
        /// The text.
        text: String,
        /// Where the name is.
        name: Vec<u64>,
        /// The place.
        at: Vec<u64>,
    },
}

/// Text and place.
fn at(text: String, place: Option<SourcePlace>) -> String {
    match place {
        Some(place) if !place.file.is_empty() => format!("{text} at {}:{}", place.file, place.line),
        // No debug information.
        Some(place) if !place.function.is_empty() => format!("{text} in {}", place.function),
        _ => text,
    }
}

impl Detail {
    /// The line as it is shown.
    pub fn resolve(self) -> String {
        match self {
            Detail::Text(text) => text,
            Detail::At(text, frames) => {
                let place = symbols::place(&frames);
                at(named(&text, place.as_ref()), place)
            }
            Detail::Op { text, op, at: frames } => {
                let (place, api) = symbols::place_and_api(&frames);
                at(api.map_or(text.clone(), |api| text.replacen(op, &api, 1)), place)
            }
            Detail::Named { text, name, at: frames } => {
                at(named(&text, symbols::place(&name).as_ref()), symbols::place(&frames))
            }
        }
    }
}

/// A finding with code addresses instead of source lines.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What it is.
    pub entry: &'static Entry,
    /// First line, filled in.
    pub title: String,
    /// What to do, filled in.
    pub help: String,
    /// The accesses it is about, with code addresses; the earlier one first.
    pub sides: Vec<DraftSide>,
    /// Figures.
    pub details: Vec<Detail>,
    /// Code addresses: innermost call first, each the address *after* the call.
    pub frames: Vec<u64>,
    /// Block of the launch.
    pub block: u32,
    /// Core, e.g. `AIV 3`.
    pub core: String,
    /// Intrinsic that the title names; the API the user called takes its place if it is known.
    pub op: Option<&'static str>,
    /// How often it occurred here.
    pub count: u64,
    /// Code addresses of the lines that name what the title has in `{…}`, in their order (see [`named`]).
    pub owners: Vec<Vec<u64>>,
}

/// One access, its place still a code address.
#[derive(Clone, Debug)]
pub struct DraftSide {
    /// All but the place; `what` names the intrinsic `op`.
    pub side: Side,
    /// Code addresses as in [`Draft::frames`].
    pub frames: Vec<u64>,
    /// Intrinsic that `side.what` names.
    pub op: Option<&'static str>,
}

impl DraftSide {
    fn resolve(self) -> Side {
        let (place, api) = symbols::place_and_api(&self.frames);
        let what = match (self.op, api) {
            (Some(op), Some(api)) => self.side.what.replacen(op, &api, 1),
            _ => self.side.what,
        };
        Side { what, place, ..self.side }
    }
}

impl Draft {
    /// Fills the texts of `entry` with `values`.
    pub fn new(entry: &'static Entry, values: &[(&str, String)]) -> Draft {
        Draft {
            entry,
            title: fill(entry.title, values),
            help: fill(entry.help, values),
            sides: Vec::new(),
            details: Vec::new(),
            frames: Vec::new(),
            block: 0,
            core: String::new(),
            op: None,
            count: 1,
            owners: Vec::new(),
        }
    }

    /// Says which intrinsic the title names.
    #[must_use]
    pub fn op(mut self, intrinsic: &'static str) -> Draft {
        self.op = Some(intrinsic);
        self
    }

    /// Adds a line with the source line of a code address behind it; 0: there is none.
    #[must_use]
    pub fn at(mut self, text: String, pc: u64) -> Draft {
        self.details.push(if pc == 0 { Detail::Text(text) } else { Detail::At(text, vec![pc]) });
        self
    }

    /// Adds a line of figures.
    #[must_use]
    pub fn detail(mut self, text: impl Into<String>) -> Draft {
        self.details.push(Detail::Text(text.into()));
        self
    }
}

/// Turns drafts into findings: same code, same places is one finding with a count; the order stays. `definition`: where the
/// kernel is defined, the place of findings without a better one.
pub fn finish(drafts: Vec<Draft>, kernel: &str, definition: Option<&SourcePlace>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut by_frames: HashMap<(&'static str, Vec<u64>, Vec<u64>), usize> = HashMap::new();
    for mut draft in drafts {
        let places = draft.sides.iter().flat_map(|s| s.frames.first().copied()).collect();
        let key = (draft.entry.code, draft.frames.clone(), places);
        let count = draft.count;
        if let Some(&i) = by_frames.get(&key) {
            findings[i].count += count;
            continue;
        }
        let (place, api) = symbols::place_and_api(&draft.frames);
        let place = place.or_else(|| definition.cloned());
        let sides: Vec<Side> = std::mem::take(&mut draft.sides).into_iter().map(DraftSide::resolve).collect();
        let same_sides =
            |f: &Finding| f.sides.iter().map(|s| &s.place).eq(sides.iter().map(|s: &Side| &s.place));
        let same = |f: &Finding| {
            f.code == draft.entry.code
                && !draft.frames.is_empty()
                && place.is_some()
                && f.place == place
                && same_sides(f)
        };
        let index = match findings.iter().position(same) {
            Some(i) => {
                findings[i].count += count;
                i
            }
            None => {
                name_sides(&mut draft.help, &sides);
                findings.push(Finding { sides, count, ..finding(draft, place, api, kernel) });
                findings.len() - 1
            }
        };
        by_frames.insert(key, index);
    }
    consequence::mark(&mut findings);
    findings
}

/// `{earlier}` and `{later}` in a help become the API and line of the two sides.
fn name_sides(help: &mut String, sides: &[Side]) {
    for (name, side) in ["{earlier}", "{later}"].into_iter().zip(sides) {
        if help.contains(name) {
            *help = help.replace(name, &side.name());
        }
    }
}

fn finding(mut draft: Draft, place: Option<SourcePlace>, api: Option<String>, kernel: &str) -> Finding {
    if let (Some(op), Some(api)) = (draft.op, api) {
        draft.title = draft.title.replacen(op, &api, 1);
    }
    for owner in &draft.owners {
        draft.title = named(&draft.title, symbols::place(owner).as_ref());
    }
    Finding {
        title: draft.title,
        details: joined(draft.details.into_iter().map(Detail::resolve)),
        help: draft.help,
        place,
        kernel: kernel.to_owned(),
        block: Some(draft.block),
        core: draft.core,
        ..Finding::new(draft.entry, &[])
    }
}

/// Equal lines behind each other as one, with their number.
fn joined(lines: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<(String, u32)> = Vec::new();
    for line in lines {
        match all.last_mut() {
            Some((last, count)) if *last == line => *count += 1,
            _ => all.push((line, 1)),
        }
    }
    all.into_iter().map(|(line, n)| if n == 1 { line } else { format!("{line} ({n} times)") }).collect()
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn equal_lines_are_one_line() {
        let lines = ["a", "a", "a", "b", "a"].map(str::to_owned);
        assert_eq!(joined(lines.into_iter()), ["a (3 times)", "b", "a"]);
    }
}
