//! What is wrong with a program, in words.
//!
//! Three verdicts are never mixed: the program is wrong ([`Verdict::Program`]), toprope does not model this
//! ([`Verdict::Unsupported`]), toprope has a bug ([`Verdict::Internal`]).

use serde::Serialize;

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// The program is wrong.
    Program,
    /// The program asks for something that is not modelled.
    Unsupported,
    /// toprope is wrong.
    Internal,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Severity {
    /// Worth knowing; the run counts as good.
    Note,
    /// Probably wrong; the run counts as good.
    Warning,
    /// Wrong; the run counts as bad.
    Error,
}

/// A place in the user's source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SourcePlace {
    /// File as the compiler saw it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Function, demangled.
    pub function: String,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Stable code, e.g. `ErrorRead3` (the field's vocabulary where it has a word for it).
    pub code: &'static str,
    /// Whose fault it is.
    pub verdict: Verdict,
    /// How bad it is.
    pub severity: Severity,
    /// One line: what happened.
    pub title: String,
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
    /// How often the same finding (code, place) occurred in the launch.
    pub count: u64,
}
