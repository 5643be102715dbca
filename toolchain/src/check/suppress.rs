//! Findings that are known and accepted, with the reason.
//!
//! A file, `--suppressions FILE` or `toprope.toml` in the working directory or beside the first source:
//!
//! ```toml
//! [[suppress]]
//! code = "TR0402"          # or a class, ErrorSync2
//! file = "add.asc"         # the last parts of its path
//! line = 61                # all but code and reason may be left out
//! function = "KernelAdd::Compute"
//! kernel = "add"
//! reason = "the tile is written twice with the same bytes"
//! ```
//! A comment in the finding's line (of either access of a conflict) or in the line above:
//!
//! ```cpp
//! Add(z, x, y, TILE);  // toprope: allow(TR0402) the tile is written twice with the same bytes
//! ```
//! Without a reason nothing is suppressed. What matches nothing is told, so that it can be taken out.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toprope_sim::findings::render::Sources;
use toprope_sim::findings::{SourcePlace, explain};

use super::{Check, Found};
use crate::error::{Result, ToolchainError};
use crate::report::Finding;

/// Name of the file that is found by itself.
pub const FILE_NAME: &str = "toprope.toml";

/// Why a finding does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// In the words of whoever accepted it.
    pub reason: String,
    /// Where it is written: `add.asc:60`, `toprope.toml`.
    pub by: String,
    /// Whether that is the source itself.
    pub in_source: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    suppress: Vec<Entry>,
}

/// One `[[suppress]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    code: String,
    file: Option<String>,
    line: Option<u32>,
    function: Option<String>,
    kernel: Option<String>,
    reason: String,
    #[serde(skip)]
    used: Cell<bool>,
}

impl Entry {
    fn check(&self) -> std::result::Result<(), String> {
        if explain(&self.code).is_empty() {
            return Err(format!("`{}` is neither the code of a finding nor a class", self.code));
        }
        if self.reason.trim().is_empty() {
            return Err(format!("the suppression of {} has no reason", self.code));
        }
        if self.line.is_some() && self.file.is_none() {
            return Err(format!("the suppression of {} has a line, but no file", self.code));
        }
        Ok(())
    }

    fn matches(&self, finding: &Finding) -> bool {
        let at = |place: &SourcePlace| {
            self.file.as_ref().is_none_or(|file| Path::new(&place.file).ends_with(file))
                && self.line.is_none_or(|line| place.line == line)
                && self.function.as_ref().is_none_or(|function| is_function(&place.function, function))
        };
        let anywhere = self.file.is_none() && self.function.is_none();
        is_kind(&self.code, finding)
            && self.kernel.as_ref().is_none_or(|kernel| *kernel == finding.kernel)
            && (anywhere || places(finding).any(at))
    }
}

/// The name as it is written, or its last parts: `Compute` and `KernelAdd::Compute` for `ns::KernelAdd::Compute`.
fn is_function(whole: &str, asked: &str) -> bool {
    let whole = whole.split('<').next().unwrap_or(whole);
    whole == asked || whole.strip_suffix(asked).is_some_and(|before| before.ends_with("::"))
}

fn is_kind(code: &str, finding: &Finding) -> bool {
    code.eq_ignore_ascii_case(finding.code) || code.eq_ignore_ascii_case(finding.name)
}

fn places(finding: &Finding) -> impl Iterator<Item = &SourcePlace> {
    finding.place.iter().chain(finding.sides.iter().filter_map(|side| side.place.as_ref()))
}

/// The suppressions of a file.
#[derive(Debug, Default)]
pub struct Suppressions {
    entries: Vec<Entry>,
    name: String,
}

impl Suppressions {
    /// Reads `asked`, or the file that is found beside `source` or in the working directory, if there is one.
    ///
    /// # Errors
    /// [`ToolchainError::Suppressions`] if it is not understood, [`ToolchainError::File`] if `asked` cannot be read.
    pub fn find(asked: Option<&Path>, source: Option<&Path>) -> Result<Suppressions> {
        if let Some(path) = asked {
            return Suppressions::read(path);
        }
        let beside = source.and_then(Path::parent).map(|dir| dir.join(FILE_NAME));
        let mut candidates = [Some(PathBuf::from(FILE_NAME)), beside].into_iter().flatten();
        candidates
            .find(|path| path.is_file())
            .map_or_else(|| Ok(Suppressions::default()), |p| Suppressions::read(&p))
    }

    fn read(path: &Path) -> Result<Suppressions> {
        let text = std::fs::read_to_string(path).map_err(ToolchainError::file(path))?;
        Suppressions::parse(&text, &path.display().to_string())
            .map_err(|reason| ToolchainError::Suppressions { path: path.to_path_buf(), reason })
    }

    /// The text of a file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str, name: &str) -> std::result::Result<Suppressions, String> {
        let file: File = toml::from_str(text).map_err(|e| e.to_string().trim_end().to_owned())?;
        file.suppress.iter().try_for_each(Entry::check)?;
        Ok(Suppressions { entries: file.suppress, name: name.to_owned() })
    }

    /// Marks what is accepted in `check`, and remarks what was not needed.
    pub fn apply(&self, check: &mut Check) {
        let mut sources = Sources::default();
        self.apply_with(check, &mut sources);
    }

    pub(super) fn apply_with(&self, check: &mut Check, sources: &mut Sources) {
        let mut remarks = Vec::new();
        for Found { finding, accepted, .. } in &mut check.found {
            *accepted = self.by_file(finding).or_else(|| by_comment(finding, sources, &mut remarks));
        }
        for (i, entry) in self.entries.iter().enumerate().filter(|(_, entry)| !entry.used.get()) {
            remarks.push(format!(
                "{}: suppression {} ({}) matches nothing that was found",
                self.name,
                i + 1,
                entry.code
            ));
        }
        remarks.dedup();
        check.remarks.extend(remarks);
    }

    fn by_file(&self, finding: &Finding) -> Option<Accepted> {
        let mut matching = self.entries.iter().filter(|entry| entry.matches(finding));
        let first = matching.next()?;
        first.used.set(true);
        matching.for_each(|entry| entry.used.set(true));
        Some(Accepted { reason: first.reason.trim().to_owned(), by: self.name.clone(), in_source: false })
    }
}

/// `toprope: allow(CODES) reason` in a comment.
fn allowed(line: &str) -> Option<(Vec<&str>, &str)> {
    const MARK: &str = "toprope: allow(";
    let at = line.find(MARK)?;
    let comment = line.find("//").or_else(|| line.find("/*"))?;
    let (codes, reason) = line.get(at + MARK.len()..)?.split_once(')')?;
    let reason = reason.trim().trim_end_matches("*/").trim().trim_start_matches([':', '-']).trim();
    (comment < at).then(|| (codes.split(',').map(str::trim).collect(), reason))
}

fn by_comment(finding: &Finding, sources: &mut Sources, remarks: &mut Vec<String>) -> Option<Accepted> {
    for place in places(finding) {
        for number in [place.line, place.line.saturating_sub(1)] {
            let Some((codes, reason)) = sources.line(&place.file, number).and_then(allowed) else { continue };
            if !codes.iter().any(|code| is_kind(code, finding)) {
                continue;
            }
            let by = format!("{}:{number}", place.file);
            if reason.is_empty() {
                remarks.push(format!("{by}: allow({}) has no reason and is ignored", codes.join(", ")));
                continue;
            }
            return Some(Accepted { reason: reason.to_owned(), by, in_source: true });
        }
    }
    None
}
