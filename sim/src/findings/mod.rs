//! What is wrong with a program, in words.
//!
//! Three verdicts are never mixed: the program is wrong ([`Verdict::Program`]), toprope does not model this
//! ([`Verdict::Unsupported`]), toprope has a bug ([`Verdict::Internal`]).
//!
//! ```text
//! engine ──Draft (catalogue entry, figures, code addresses)──▶ finish() ──Finding (source lines)──▶ render, report
//! ```
//! All user-facing text of the checks is in [`catalogue`]. Code addresses become source lines in [`symbols`], only when
//! there is something to report.

pub mod catalogue;
pub mod consequence;
mod draft;
mod host_tiling;
pub mod layouts;
pub mod names;
pub mod pages;
mod read;
pub mod render;
pub mod symbols;
pub mod text;

pub use catalogue::explain;
pub use draft::{Detail, Draft, DraftSide, finish};

use catalogue::{Entry, fill};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The program is wrong.
    Program,
    /// The program asks for something that is not modelled.
    Unsupported,
    /// toprope is wrong.
    Internal,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// Worth knowing; the run counts as good.
    Note,
    /// Probably wrong; the run counts as good.
    Warning,
    /// Wrong; the run counts as bad.
    Error,
}

/// A word of a fixed vocabulary. Under this name `serde` does not try to borrow it from its input.
pub type Word = &'static str;

/// A place in the user's source.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourcePlace {
    /// File as the compiler saw it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Function, demangled.
    pub function: String,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Stable code, e.g. `TR0106`.
    #[serde(deserialize_with = "read::word")]
    pub code: Word,
    /// Name of its class, e.g. `ErrorRead3` (the field's vocabulary where it has a word for it).
    #[serde(deserialize_with = "read::word")]
    pub name: Word,
    /// Whose fault it is.
    pub verdict: Verdict,
    /// How bad it is.
    pub severity: Severity,
    /// One line: what happened.
    pub title: String,
    /// The accesses it is about: for a conflict the earlier one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<Side>,
    /// Figures: what was asked, what the limit is; one line each.
    pub details: Vec<String>,
    /// What to do.
    pub help: String,
    /// First frame outside our headers.
    pub place: Option<SourcePlace>,
    /// Kernel name.
    pub kernel: String,
    /// Block, if inside a kernel.
    pub block: Option<u32>,
    /// Core, e.g. `AIV 3`.
    pub core: String,
    /// How often the same finding (code, places) occurred in the launch.
    pub count: u64,
    /// Code of an earlier finding that may have led to this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consequence_of: Option<String>,
}

/// One access that a finding is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// What is done, with the API the user called if it is known: `Add writes`.
    pub what: String,
    /// Pipe that does it.
    #[serde(deserialize_with = "read::word")]
    pub pipe: Word,
    /// Memory, e.g. `UB`.
    #[serde(deserialize_with = "read::word")]
    pub memory: Word,
    /// First byte, from the start of its memory (of the argument or allocation in GM).
    pub first_byte: u64,
    /// One after the last byte.
    pub end_byte: u64,
    /// Whose bytes these are: `buffer inQueueX`, ``argument 0 (`x`)``; may be empty.
    pub owner: String,
    /// How often this place had run on this core before; 0 the first time.
    pub iteration: u64,
    /// Core, e.g. `AIV 3`.
    pub core: String,
    /// Block of the launch.
    pub block: u32,
    /// Source line.
    pub place: Option<SourcePlace>,
}

impl Side {
    /// API and line: `Add (add.cpp:31)`.
    pub fn name(&self) -> String {
        let api = self.what.rsplit_once(' ').map_or(self.what.as_str(), |(api, _)| api);
        match &self.place {
            Some(place) if !place.file.is_empty() => {
                let file = place.file.rsplit('/').next().unwrap_or_default();
                format!("{api} ({file}:{})", place.line)
            }
            _ => api.to_owned(),
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} bytes {:#x}..{:#x}", self.what, self.memory, self.first_byte, self.end_byte)?;
        if !self.owner.is_empty() {
            write!(f, " of {}", self.owner)?;
        }
        // What the host and its streams do has neither.
        if !self.pipe.is_empty() {
            write!(f, ", pipe {}, iteration {}", self.pipe, self.iteration)?;
        }
        if !self.core.is_empty() {
            write!(f, ", {}", self.core)?;
        }
        match &self.place {
            Some(place) if !place.file.is_empty() => write!(f, " at {}:{}", place.file, place.line),
            _ => Ok(()),
        }
    }
}

impl Severity {
    /// As a compiler prints it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.file.is_empty() {
            // No debug information.
            return f.write_str(&self.function);
        }
        write!(f, "{}:{}", self.file, self.line)?;
        if self.function.is_empty() { Ok(()) } else { write!(f, " in {}", self.function) }
    }
}

impl fmt::Display for Finding {
    /// Several lines of plain text, the last one with a line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: [{} {}] {}: {}", self.severity.name(), self.code, self.name, self.kernel, self.title)?;
        match (self.block, self.core.as_str()) {
            (Some(block), "") => writeln!(f, " (block {block})")?,
            (Some(block), core) => writeln!(f, " (block {block}, {core})")?,
            (None, _) => writeln!(f)?,
        }
        if let Some(place) = &self.place {
            writeln!(f, "  --> {place}")?;
        }
        for side in &self.sides {
            writeln!(f, "  {side}")?;
        }
        for line in &self.details {
            writeln!(f, "  {line}")?;
        }
        if self.count > 1 {
            writeln!(f, "  found {} times at this place, the first is shown", self.count)?;
        }
        if self.help.is_empty() { Ok(()) } else { writeln!(f, "  help: {}", self.help) }
    }
}

impl Finding {
    /// A finding of the kind `entry`, its texts filled with `values`, without any place.
    pub fn new(entry: &'static Entry, values: &[(&str, String)]) -> Finding {
        Finding {
            code: entry.code,
            name: entry.name,
            verdict: entry.verdict,
            severity: entry.severity,
            title: fill(entry.title, values),
            sides: Vec::new(),
            details: Vec::new(),
            help: fill(entry.help, values),
            place: None,
            kernel: String::new(),
            block: None,
            core: String::new(),
            count: 1,
            consequence_of: None,
        }
    }
}
