//! A finding on a terminal or in a log.
//!
//! ```text
//! error: [TR0402 Name] kernel: what is wrong (block 0, AIV 0)
//!   --> add.asc:61 in KernelAdd::Compute
//!    |
//! 61 |     Add(z, x, y, 64);
//!    |     ^^^^^^^^^^^^^^^^^
//!   earlier: …          the two accesses of a conflict, each with its own lines of source
//!   later: …
//!   details
//!   why: …
//!   help: …
//!   more: toprope explain TR0402
//! ```
//! The runtime (a program started by itself) and the `toprope` command (which reads the report) show findings through here.
//! What is not modelled: columns; the debug information of compilers has them for calls only now and then.

mod many;
mod snippet;
mod style;

pub use many::{Limits, Printer};
pub use snippet::Sources;
pub use style::{MAX_WIDTH, Style};

use super::text::labelled;
use super::{Finding, Severity, Side, SourcePlace, Verdict, catalogue};
use std::fmt::Write as _;
use style::Colour;

impl Severity {
    fn colour(self) -> Colour {
        match self {
            Severity::Note => Colour::Note,
            Severity::Warning => Colour::Warning,
            Severity::Error => Colour::Error,
        }
    }
}

/// The finding in full, several lines.
pub fn full(finding: &Finding, style: &Style, sources: &mut Sources) -> String {
    let mut page = Page { out: String::new(), style, sources, marks: finding.severity.colour() };
    page.head(finding);
    page.places(finding);
    for line in &finding.details {
        page.line("  ", line);
    }
    page.remarks(finding);
    page.advice(finding);
    style.spell(&page.out)
}

/// The finding in one line.
pub fn short(finding: &Finding, style: &Style) -> String {
    let place = finding.place.as_ref().filter(|p| !p.file.is_empty());
    let place = place.map(|p| format!("{}:{}: ", p.file, p.line)).unwrap_or_default();
    let line = format!("{place}{}", head(finding));
    let line = match style.breaks_all && line.chars().count() > style.width {
        true => line.chars().take(style.width - 3).collect::<String>() + "...",
        false => line,
    };
    style.spell(&format!("{line}\n"))
}

/// First line: severity, code, class, kernel, sentence, core.
fn head(finding: &Finding) -> String {
    let kernel = if finding.kernel.is_empty() { String::new() } else { format!("{}: ", finding.kernel) };
    let core = match (finding.block, finding.core.as_str()) {
        (Some(block), "") => format!(" (block {block})"),
        (Some(block), core) => format!(" (block {block}, {core})"),
        (None, _) => String::new(),
    };
    let Finding { severity, code, name, title, .. } = finding;
    format!("{}: [{code} {name}] {kernel}{title}{core}", severity.name())
}

struct Page<'a> {
    out: String,
    style: &'a Style,
    sources: &'a mut Sources,
    marks: Colour,
}

impl Page<'_> {
    fn head(&mut self, finding: &Finding) {
        let text = head(finding);
        let (severity, rest) = text.split_at(finding.severity.name().len());
        let severity = self.style.paint(self.marks, severity);
        if !self.style.breaks_all {
            let _ = writeln!(self.out, "{severity}{}", self.style.paint(Colour::Strong, rest));
            return;
        }
        // The label is as long as the severity and its colon.
        let label = " ".repeat(finding.severity.name().len() + 2);
        let body = labelled(&label, rest.trim_start_matches(": "), self.style.width);
        let body: Vec<String> =
            body.lines().map(|l| self.style.paint(Colour::Strong, l.trim_start())).collect();
        let _ = writeln!(self.out, "{severity}: {}", body.join(&format!("\n{label}")));
    }

    /// A line of figures, broken only where all lines are.
    fn line(&mut self, label: &str, text: &str) {
        for line in text.lines() {
            if self.style.breaks_all {
                self.out.push_str(&labelled(label, line, self.style.width));
            } else {
                let _ = writeln!(self.out, "{label}{line}");
            }
        }
    }

    /// Prose, always broken.
    fn prose(&mut self, name: &str, text: &str) {
        let lines = labelled(&format!("  {name}: "), text, self.style.width);
        let lines = lines.get(2 + name.len()..).unwrap_or_default();
        let _ = write!(self.out, "  {}{lines}", self.style.paint(Colour::Help, name));
    }

    fn places(&mut self, finding: &Finding) {
        // The place of a conflict is that of one of its sides.
        let of_a_side = finding.sides.iter().any(|side| side.place.is_some() && side.place == finding.place);
        if let Some(place) = finding.place.as_ref().filter(|_| !of_a_side) {
            self.place(place, self.marks);
        }
        let count = finding.sides.len();
        for (i, side) in finding.sides.iter().enumerate() {
            let label = match (count, i) {
                (2, 0) => "earlier",
                (2, _) => "later",
                _ => "access",
            };
            self.side(label, side, if i + 1 == count { self.marks } else { Colour::Note });
        }
    }

    fn side(&mut self, label: &str, side: &Side, marks: Colour) {
        let label = format!("  {label}: ");
        self.line(&label, &access(side));
        let deeper = " ".repeat(label.len());
        let figures = whose(side);
        if !figures.is_empty() {
            self.line(&deeper, &figures);
        }
        if let Some(place) = &side.place {
            self.place(place, marks);
        }
    }

    fn place(&mut self, place: &SourcePlace, marks: Colour) {
        let arrow = self.style.paint(Colour::Gutter, "-->");
        let _ = writeln!(self.out, "  {arrow} {place}");
        if !place.file.is_empty() {
            let snippet = self.sources.snippet(place, self.style, marks);
            self.out.push_str(&snippet);
        }
    }

    fn remarks(&mut self, finding: &Finding) {
        if finding.count > 1 {
            let text = format!("found {} times at this place, the first is shown", finding.count);
            self.line("  ", &text);
        }
        if let Some(cause) = &finding.consequence_of {
            self.line("  ", &format!("may be a consequence of {cause} above"));
        }
        if finding.verdict != Verdict::Program {
            self.prose("verdict", finding.verdict.words());
        }
    }

    fn advice(&mut self, finding: &Finding) {
        let known = catalogue::explain(finding.code).first().copied();
        if let Some(entry) = known {
            self.prose("why", entry.explain);
        }
        if !finding.help.is_empty() {
            match self.style.breaks_all {
                true => self.prose("help", &finding.help),
                false => {
                    let name = self.style.paint(Colour::Help, "help");
                    let _ = writeln!(self.out, "  {name}: {}", finding.help);
                }
            }
        }
        if known.is_some() {
            self.line("  ", &format!("more: toprope explain {}", finding.code));
        }
    }
}

/// What is done to which bytes.
pub fn access(side: &Side) -> String {
    let mut text = side.what.clone();
    if !side.memory.is_empty() {
        let _ = write!(text, " {} bytes {:#x}..{:#x}", side.memory, side.first_byte, side.end_byte);
    }
    if !side.owner.is_empty() {
        let _ = write!(text, " of {}", side.owner);
    }
    text
}

/// Who does it, and when.
pub fn whose(side: &Side) -> String {
    let mut parts = Vec::new();
    if !side.pipe.is_empty() {
        parts.push(format!("pipe {}", side.pipe));
    }
    parts.push(format!("iteration {}", side.iteration));
    if !side.core.is_empty() {
        parts.push(format!("block {}, {}", side.block, side.core));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests;
