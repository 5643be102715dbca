//! The lines of the user's source around a place, as compilers show them.

use super::style::{Colour, Style};
use crate::findings::SourcePlace;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Largest source that is read.
const MAX_BYTES: u64 = 8 << 20;

/// Sources that were read, by name; `None`: cannot be read.
#[derive(Debug, Default)]
pub struct Sources(HashMap<String, Option<Vec<String>>>);

impl Sources {
    /// A source that need not be on disk.
    pub fn with(mut self, file: &str, text: &str) -> Sources {
        self.0.insert(file.to_owned(), Some(text.lines().map(str::to_owned).collect()));
        self
    }

    /// Line `number` of `file`, from 1.
    pub fn line(&mut self, file: &str, number: u32) -> Option<&str> {
        let lines = self.0.entry(file.to_owned()).or_insert_with(|| read(file));
        lines.as_ref()?.get(usize::try_from(number).ok()?.checked_sub(1)?).map(String::as_str)
    }

    /// The line before the place if it says something, the place's own, and the marks below it; nothing if the source is
    /// not there.
    pub(super) fn snippet(&mut self, place: &SourcePlace, style: &Style, marks: Colour) -> String {
        let Some(own) = self.line(&place.file, place.line).map(clean) else { return String::new() };
        if own.trim().is_empty() {
            return String::new();
        }
        let before = place.line.checked_sub(1).and_then(|n| self.line(&place.file, n).map(|l| (n, clean(l))));
        let gutter = place.line.to_string().len();
        let room = style.width.saturating_sub(gutter + 3).max(20);
        let bar = |number: &str| style.paint(Colour::Gutter, &format!("{number:>gutter$} |"));
        let mut out = format!("{}\n", bar(""));
        for (number, text) in before.into_iter().filter(|(_, text)| !text.trim().is_empty()) {
            let _ = writeln!(out, "{} {}", bar(&number.to_string()), cut(&text, room));
        }
        let shown = cut(&own, room);
        let (skip, length) = extent(&shown);
        let _ = writeln!(out, "{} {shown}", bar(&place.line.to_string()));
        let _ = writeln!(out, "{} {}{}", bar(""), " ".repeat(skip), style.paint(marks, &"^".repeat(length)));
        out
    }
}

fn read(file: &str) -> Option<Vec<String>> {
    let meta = std::fs::metadata(file).ok().filter(|m| m.is_file() && m.len() <= MAX_BYTES)?;
    let _ = meta;
    let bytes = std::fs::read(file).ok()?;
    Some(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}

/// Tabs as four spaces; nothing that moves the cursor or changes the colour of a terminal.
fn clean(line: &str) -> String {
    line.trim_end().replace('\t', "    ").chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn cut(line: &str, room: usize) -> String {
    if line.chars().count() <= room {
        return line.to_owned();
    }
    line.chars().take(room - 3).collect::<String>() + "..."
}

/// Blanks before the statement, and its length without a comment behind it.
fn extent(line: &str) -> (usize, usize) {
    let skip = line.chars().take_while(|c| c.is_whitespace()).count();
    let code = line
        .find("//")
        .map(|at| line[..at].trim_end())
        .filter(|code| !code.trim().is_empty())
        .unwrap_or(line);
    (skip, code.chars().count().saturating_sub(skip).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> SourcePlace {
        SourcePlace { file: "a.asc".into(), line, function: String::new() }
    }

    fn snippet(text: &str, line: u32) -> String {
        Sources::default().with("a.asc", text).snippet(&place(line), &Style::PLAIN, Colour::Error)
    }

    #[test]
    fn the_statement_is_marked() {
        let text = "int a;\n\tAdd(z, x, y, 64);  // sum\n";
        assert_eq!(
            snippet(text, 2),
            "  |\n1 | int a;\n2 |     Add(z, x, y, 64);  // sum\n  |     ^^^^^^^^^^^^^^^^^\n"
        );
        assert_eq!(snippet(text, 1), "  |\n1 | int a;\n  | ^^^^^^\n");
    }

    #[test]
    fn what_is_not_there_is_not_shown() {
        assert_eq!(snippet("a\n", 2), "");
        assert_eq!(snippet("a\n", 0), "");
        assert_eq!(snippet("a\n\n", 2), "");
        let nowhere = SourcePlace { file: "no/such/file".into(), line: 1, function: String::new() };
        assert_eq!(Sources::default().snippet(&nowhere, &Style::PLAIN, Colour::Error), "");
    }

    #[test]
    fn a_source_cannot_drive_the_terminal() {
        let out = snippet("x\u{1b}[2J y\u{7};", 1);
        assert!(!out.contains('\u{1b}') && !out.contains('\u{7}'), "{out:?}");
        let long = snippet(&"long ".repeat(100), 1);
        assert!(long.lines().all(|l| l.chars().count() <= Style::PLAIN.width), "{long}");
    }
}
