//! Names of the Ascend C basic API, and those that a compiler did not find.
//!
//! `names.tsv` has what the public reference documents for NpuArch 2201. `docs/ascendc-support.md` says which of them toprope's headers have
//! (a test writes it and keeps it current); a compiler message about a missing name gets a line that points there.

/// Where the list of supported names is.
pub const SUPPORT_LIST: &str = "docs/ascendc-support.md";

/// What a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function of namespace `AscendC`.
    Function,
    /// A class or structure of namespace `AscendC`.
    Type,
    /// `Class::member`.
    Member,
    /// A macro.
    Macro,
}

/// One name of the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Group of the reference.
    pub family: &'static str,
    /// What it is.
    pub kind: Kind,
    /// The name, without `AscendC::`.
    pub name: &'static str,
}

/// Every name, by family.
pub fn all() -> impl Iterator<Item = Name> {
    include_str!("names.tsv").lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut fields = line.split('\t');
        let (family, kind, name) = (fields.next()?, fields.next()?, fields.next()?);
        let kind = match kind {
            "function" => Kind::Function,
            "type" => Kind::Type,
            "member" => Kind::Member,
            _ => Kind::Macro,
        };
        Some(Name { family, kind, name })
    })
}

/// Names of Ascend C in compiler messages that say they do not exist, without repetitions: `AscendC::Gather`.
pub(crate) fn unknown_in(diagnostics: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in without_colours(diagnostics).lines().filter(|l| l.contains("error")) {
        if let Some(name) = unknown_in_line(line).filter(|n| !found.contains(n)) {
            found.push(name);
        }
    }
    found
}

/// What a message of g++ or clang++ says about a name: the words after (or between) its quoted parts.
enum Form {
    /// First the name, then where it was looked for.
    NameThenPlace(&'static str),
    /// First the place, then the name.
    PlaceThenName(&'static str),
    /// The name alone: any name of the program may be meant.
    NameAlone(&'static str),
}

const FORMS: [Form; 12] = [
    // Before the form of clang++ that is a part of it.
    Form::PlaceThenName("has no member named"),
    Form::NameThenPlace("is not a member of"),
    Form::NameThenPlace("in namespace"),
    Form::NameThenPlace("has not been declared in"),
    Form::NameThenPlace("no member named"),
    Form::NameThenPlace("no template named"),
    Form::NameThenPlace("no type named"),
    Form::NameAlone("was not declared in this scope"),
    Form::NameAlone("does not name a type"),
    Form::NameAlone("use of undeclared identifier"),
    Form::NameAlone("unknown type name"),
    Form::NameAlone("there are no arguments to"),
];

fn unknown_in_line(line: &str) -> Option<String> {
    // Quoted parts: every second piece.
    let quoted: Vec<&str> = line.split(['\'', '‘', '’']).skip(1).step_by(2).collect();
    let form = FORMS.iter().find(|form| {
        let (Form::NameThenPlace(words) | Form::PlaceThenName(words) | Form::NameAlone(words)) = form;
        line.contains(words)
    })?;
    match form {
        Form::NameThenPlace(_) => qualified(quoted.get(1)?, quoted.first()?),
        Form::PlaceThenName(_) => qualified(quoted.first()?, quoted.get(1)?),
        Form::NameAlone(_) => {
            let name = *quoted.first()?;
            all().any(|n| n.kind != Kind::Member && n.name == name).then(|| format!("AscendC::{name}"))
        }
    }
}

/// `AscendC::name`, if `place` is the namespace or a class of it: `class AscendC::LocalTensor<float>`.
fn qualified(place: &str, name: &str) -> Option<String> {
    let at = place.find("AscendC")?;
    let before = place[..at].chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let scope = &place[at..];
    let scope =
        &scope[..scope.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(scope.len())];
    Some(format!("{}::{name}", scope.trim_end_matches(':')))
}

/// `text` without the escape sequences of terminals.
fn without_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&rest[..at]);
        let sequence = &rest[at..];
        let end =
            sequence.find(|c: char| c.is_ascii_alphabetic()).map_or(sequence.len(), |letter| letter + 1);
        rest = &sequence[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_both_compilers_are_understood() {
        for (message, name) in [
            (
                "a.asc:6:14: error: ‘Gather’ is not a member of ‘AscendC’; did you mean ‘X’?",
                "AscendC::Gather",
            ),
            ("a.asc:6:14: error: no member named 'Gather' in namespace 'AscendC'", "AscendC::Gather"),
            (
                "a.asc:1:1: error: ‘FixpipeConfig’ in namespace ‘AscendC’ does not name a type",
                "AscendC::FixpipeConfig",
            ),
            (
                "a.asc:1:1: error: no type named 'FixpipeConfig' in namespace 'AscendC'",
                "AscendC::FixpipeConfig",
            ),
            ("a.asc:1:1: error: no template named 'Matmul' in namespace 'AscendC'", "AscendC::Matmul"),
            (
                "a.asc:1:1: error: ‘class AscendC::LocalTensor<float>’ has no member named ‘Later’",
                "AscendC::LocalTensor::Later",
            ),
            ("a.asc:1:1: error: no member named 'Later' in 'AscendC::TPipe'", "AscendC::TPipe::Later"),
            ("a.asc:1:1: error: ‘Sort32’ was not declared in this scope", "AscendC::Sort32"),
            ("a.asc:1:1: error: use of undeclared identifier 'Sort32'", "AscendC::Sort32"),
            ("a.asc:1:1: error: unknown type name 'LoadData2DParams'", "AscendC::LoadData2DParams"),
            (
                "\u{1b}[01m\u{1b}[Ka.asc:6:\u{1b}[m\u{1b}[K \u{1b}[01;31merror: \u{1b}[m‘\u{1b}[01m\u{1b}[KGather\u{1b}[m\u{1b}[K’ is not a member of ‘\u{1b}[01mAscendC\u{1b}[m’",
                "AscendC::Gather",
            ),
        ] {
            assert_eq!(unknown_in(message), [name], "{message}");
        }
        for other in [
            "a.asc:1:1: error: ‘x’ is not a member of ‘std’",
            "a.asc:1:1: error: ‘myVariable’ was not declared in this scope",
            "a.asc:1:1: error: no member named 'x' in 'MyAscendC'",
            "a.asc:1:1: note: ‘Gather’ is not a member of ‘AscendC’",
        ] {
            assert!(unknown_in(other).is_empty(), "{other}");
        }
    }

    #[test]
    fn the_list_has_every_kind_and_no_name_twice() {
        let names: Vec<Name> = all().collect();
        assert!(names.len() > 250, "{}", names.len());
        for kind in [Kind::Function, Kind::Type, Kind::Member, Kind::Macro] {
            assert!(names.iter().any(|n| n.kind == kind), "{kind:?}");
        }
        for (index, name) in names.iter().enumerate() {
            assert!(!names[..index].iter().any(|n| n.name == name.name), "{} is listed twice", name.name);
        }
    }
}
