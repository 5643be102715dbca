//! The page of a kind of finding: what `toprope explain CODE` prints and what `docs/findings.md` holds.
//!
//! Code, title, help and reason come from the [catalogue](super::catalogue); the two examples from `pages/TRggnn.md`,
//! which has exactly two sections, `## Wrong` and `## Right`, each with a text and one fenced block (`cpp`, `rust` or `sh`).

use super::Verdict;
use super::catalogue::{CATALOGUE, Entry, GROUPS};
use super::text::{labelled, wrap};
use std::fmt::Write as _;

/// One of the two examples of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// What happens there, one line of text.
    pub text: &'static str,
    /// Language of the block.
    pub language: &'static str,
    /// The block, without the fences.
    pub code: &'static str,
}

/// Languages of the blocks.
const LANGUAGES: [&str; 3] = ["cpp", "rust", "sh"];

/// What is shown for a verdict.
const VERDICTS: [(Verdict, &str); 3] = [
    (Verdict::Program, "the program is wrong"),
    (Verdict::Unsupported, "toprope does not model this; the program may be right"),
    (Verdict::Internal, "toprope or this machine is at fault, not the program"),
];

impl Verdict {
    /// Whose fault it is, in words.
    pub fn words(self) -> &'static str {
        VERDICTS.iter().find(|(verdict, _)| *verdict == self).map_or("", |(_, words)| words)
    }
}

impl Entry {
    /// The wrong and the right example.
    ///
    /// # Errors
    /// What is wrong with the form of the page.
    pub fn examples(&self) -> Result<[Example; 2], String> {
        let (wrong, right) = self
            .page
            .strip_prefix("## Wrong\n")
            .and_then(|rest| rest.split_once("\n## Right\n"))
            .ok_or("the page has a section `## Wrong`, then a section `## Right`, and nothing else")?;
        Ok([example(wrong)?, example(right)?])
    }

    /// First line for readers who have no finding before them: the title with its placeholders as `<names>`, or the
    /// first sentence of the reason if the title is filled in as a whole.
    pub fn headline(&self) -> String {
        self.headline_in(["<", ">"])
    }

    fn headline_in(&self, marks: [&str; 2]) -> String {
        if is_placeholder(self.title) {
            let end = self.explain.find(". ").unwrap_or(self.explain.len() - 1);
            return self.explain[..end].to_owned();
        }
        marked(self.title, marks)
    }

    /// What to do, for readers who have no finding before them; empty if every finding has its own.
    pub fn advice(&self) -> String {
        self.advice_in(["<", ">"])
    }

    fn advice_in(&self, marks: [&str; 2]) -> String {
        if is_placeholder(self.help) { String::new() } else { marked(self.help, marks) }
    }

    /// The whole page as plain text, no line longer than `width`.
    pub fn explained(&self, width: usize) -> String {
        let head = format!("{} {}, {}: {}", self.code, self.name, self.severity.name(), self.headline());
        let mut out = wrap(&head, width).join("\n") + "\n";
        if self.verdict != Verdict::Program {
            let _ = writeln!(out, "({})", self.verdict.words());
        }
        let _ = write!(out, "\n{}", labelled("why:   ", self.explain, width));
        for (label, example) in ["wrong: ", "right: "].iter().zip(self.examples().iter().flatten()) {
            let _ = write!(out, "\n{}\n", labelled(label, example.text, width));
            example.code.lines().for_each(|line| {
                let _ = writeln!(out, "{}", format!("       {line}").trim_end());
            });
        }
        let advice = self.advice();
        if !advice.is_empty() {
            let _ = write!(out, "\n{}", labelled("help:  ", &advice, width));
        }
        out
    }

    fn markdown(&self) -> String {
        let mut out = format!("### {}\n\n", self.code);
        let _ = writeln!(
            out,
            "**{}**: {}, `{}`.",
            escape(&self.headline_in(["*", "*"])),
            self.severity.name(),
            self.name
        );
        let _ = writeln!(out, "\n{}", escape(self.explain));
        for (label, example) in ["Wrong", "Right"].iter().zip(self.examples().iter().flatten()) {
            let _ = writeln!(
                out,
                "\n{label}: {}\n\n```{}\n{}\n```",
                escape(example.text),
                example.language,
                example.code
            );
        }
        let advice = self.advice();
        if !advice.is_empty() {
            let _ = writeln!(out, "\nWhat to do: {}.", escape(&self.advice_in(["*", "*"])));
        }
        out
    }
}

/// Whether a template is filled in as a whole.
fn is_placeholder(template: &str) -> bool {
    template.starts_with('{') && template.ends_with('}') && template.matches('{').count() == 1
}

/// The template with `marks` around the names of its placeholders.
fn marked(template: &str, marks: [&str; 2]) -> String {
    template.replace('{', marks[0]).replace('}', marks[1])
}

/// Text as Markdown shows it; asterisks mean emphasis.
fn escape(text: &str) -> String {
    text.replace('<', "&lt;").replace('>', "&gt;").replace('|', "\\|")
}

fn example(section: &'static str) -> Result<Example, String> {
    let section = section.trim();
    let (text, block) =
        section.split_once("\n\n```").ok_or("a section is a text, an empty line and a fenced block")?;
    let (language, code) = block.split_once('\n').ok_or("the fence is a line of its own")?;
    let code = code.strip_suffix("\n```").ok_or("the section ends with the fence")?;
    if !LANGUAGES.contains(&language) {
        return Err(format!("the language is one of {LANGUAGES:?}, not `{language}`"));
    }
    if text.trim().is_empty() || text.contains('\n') || !text.ends_with(['.', '!']) {
        return Err(format!("the text is one line that ends with a full stop: `{text}`"));
    }
    if code.contains("```") || code.trim().is_empty() || code.lines().count() > 25 {
        return Err("there is one block, of 1 to 25 lines".into());
    }
    Ok(Example { text, language, code })
}

/// One line for each kind of finding, in columns: code, class, severity, headline.
pub fn list(width: usize) -> String {
    let class = CATALOGUE.iter().map(|e| e.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for (prefix, group) in GROUPS {
        let _ = writeln!(out, "{group}");
        for e in in_group(prefix) {
            let line =
                format!("  {}  {:<class$}  {:<7}  {}", e.code, e.name, e.severity.name(), e.headline());
            let _ = writeln!(out, "{}", cut(&line, width));
        }
    }
    out
}

/// The first `width` characters, the last three of them dots if there are more.
fn cut(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    line.chars().take(width.saturating_sub(3)).collect::<String>().trim_end().to_owned() + "..."
}

fn in_group(prefix: &str) -> Vec<&'static Entry> {
    let mut entries: Vec<&Entry> = CATALOGUE.iter().copied().filter(|e| e.code.starts_with(prefix)).collect();
    entries.sort_by_key(|e| e.code);
    entries
}

/// `docs/findings.md`.
pub fn document() -> String {
    let mut out = String::from(
        "# Findings\n\n<!-- @generated from sim/src/findings: TOPROPE_BLESS=1 cargo test -p toprope-sim --lib findings -->\n\n\
         What `toprope` reports. A code is never used again for anything else; the class is the name that the vendor's CPU-debug \
         checker has for the case, or ours.\n`toprope explain CODE` prints one page of this. Errors make a run fail (exit code 70); \
         warnings and notes do so only with `--deny`.\n\n| code | class | severity | what |\n|---|---|---|---|\n",
    );
    for entry in GROUPS.iter().flat_map(|(prefix, _)| in_group(prefix)) {
        let what = escape(&entry.headline_in(["*", "*"]));
        let anchor = entry.code.to_lowercase();
        let _ = writeln!(
            out,
            "| [{}](#{anchor}) | {} | {} | {what} |",
            entry.code,
            entry.name,
            entry.severity.name()
        );
    }
    for (prefix, group) in GROUPS {
        let _ = writeln!(out, "\n## {group}");
        for entry in in_group(prefix) {
            let _ = write!(out, "\n{}", entry.markdown());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn every_page_has_the_form() {
        let bad: Vec<String> = CATALOGUE
            .iter()
            .filter_map(|e| e.examples().err().map(|why| format!("{}: {why}", e.code)))
            .collect();
        assert!(bad.is_empty(), "sim/src/findings/pages:\n{}", bad.join("\n"));
        for e in CATALOGUE {
            let [wrong, right] = e.examples().expect("checked above");
            assert_ne!(wrong.code, right.code, "{}: the right example is the wrong one", e.code);
        }
    }

    #[test]
    fn every_page_belongs_to_an_entry_and_every_entry_to_a_group() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/findings/pages");
        let files: BTreeSet<String> = std::fs::read_dir(dir)
            .expect("pages")
            .flatten()
            .map(|f| f.file_name().to_string_lossy().trim_end_matches(".md").to_owned())
            .collect();
        let codes: BTreeSet<String> = CATALOGUE.iter().map(|e| e.code.to_owned()).collect();
        assert_eq!(files, codes);
        let grouped: usize = GROUPS.iter().map(|(prefix, _)| in_group(prefix).len()).sum();
        assert_eq!(grouped, CATALOGUE.len());
    }

    #[test]
    fn wrong_forms_are_refused() {
        let page = |page: &'static str| Entry { page, ..copy(CATALOGUE[0]) }.examples();
        assert!(page("## Wrong\n\nA.\n\n```cpp\na;\n```\n\n## Right\n\nB.\n\n```cpp\nb;\n```\n").is_ok());
        for bad in [
            "",
            "## Wrong\n\nA.\n\n```cpp\na;\n```\n",
            "## Wrong\n\nA.\n\n## Right\n\nB.\n\n```cpp\nb;\n```\n",
            "## Wrong\n\nA.\n\n```java\na;\n```\n\n## Right\n\nB.\n\n```cpp\nb;\n```\n",
            "## Wrong\n\nno stop\n\n```cpp\na;\n```\n\n## Right\n\nB.\n\n```cpp\nb;\n```\n",
            "## Wrong\n\nA.\n\n```cpp\na;\n```\n\n## Right\n\nB.\n\n```cpp\nb;\n",
        ] {
            assert!(page(bad).is_err(), "{bad}");
        }
    }

    fn copy(e: &Entry) -> Entry {
        let Entry { code, name, verdict, severity, title, help, explain, page } = *e;
        Entry { code, name, verdict, severity, title, help, explain, page }
    }

    #[test]
    fn explained_pages_have_every_part_and_fit() {
        for e in CATALOGUE {
            let text = e.explained(100);
            for part in [e.code, e.name, "\nwhy: ", "\nwrong: ", "\nright: "] {
                assert!(text.contains(part), "{part}\n{text}");
            }
            assert!(!text.contains('{') || e.page.contains('{'), "{text}");
            let too_long = text.lines().find(|l| l.chars().count() > 120);
            assert_eq!(too_long, None, "{}", e.code);
        }
        assert!(list(100).lines().all(|l| l.chars().count() <= 100));
        assert!(CATALOGUE.iter().all(|e| list(100).contains(e.code)));
    }

    #[test]
    fn the_document_is_current() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/findings.md");
        let text = document();
        if std::env::var_os("TOPROPE_BLESS").is_some() {
            std::fs::write(&path, &text).expect("bless");
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            known == text,
            "docs/findings.md is out of date: TOPROPE_BLESS=1 cargo test -p toprope-sim --lib findings"
        );
    }
}
