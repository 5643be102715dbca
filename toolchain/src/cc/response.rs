//! Response files: `@file` on a command line stands for the words in the file, quoted as g++ reads them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Files may name files, but not forever.
const DEEPEST: usize = 16;

/// `arguments` with every `@file` replaced. A file that cannot be read stays as it is, as in g++.
///
/// # Errors
/// Files that name each other without end.
pub fn expand(arguments: &[OsString]) -> Result<Vec<OsString>, String> {
    let mut out = Vec::new();
    expand_into(arguments, 0, &mut out)?;
    Ok(out)
}

fn expand_into(arguments: &[OsString], depth: usize, out: &mut Vec<OsString>) -> Result<(), String> {
    for argument in arguments {
        let file = argument.as_bytes().strip_prefix(b"@").map(OsStr::from_bytes);
        match file.and_then(|path| std::fs::read(path).ok()) {
            Some(_) if depth == DEEPEST => {
                return Err(format!(
                    "{}: response files name each other without end",
                    argument.to_string_lossy()
                ));
            }
            Some(text) => expand_into(&words(&text), depth + 1, out)?,
            None => out.push(argument.clone()),
        }
    }
    Ok(())
}

/// Words of a response file: split at white space; quotes group, a backslash takes the next byte as it is.
fn words(text: &[u8]) -> Vec<OsString> {
    let mut found = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (_, Some(open)) if byte == open => quote = None,
            (b'"' | b'\'', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (_, None) if byte.is_ascii_whitespace() => found.extend(word.take().map(OsString::from_vec)),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    found.extend(word.map(OsString::from_vec));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_and_unquoted() {
        assert_eq!(
            words(b" -c  a.asc\n-DX=\"a b\"  'c\\'d' \"\" e\\ f"),
            ["-c", "a.asc", "-DX=a b", "c'd", "", "e f"]
        );
    }

    #[test]
    fn files_are_expanded_and_missing_ones_kept() {
        let dir = tempfile::tempdir().expect("tempdir");
        let (inner, outer, endless) =
            (dir.path().join("inner"), dir.path().join("outer"), dir.path().join("endless"));
        std::fs::write(&inner, "b.o c.o").expect("write");
        std::fs::write(&outer, format!("a.o @{}", inner.display())).expect("write");
        std::fs::write(&endless, format!("@{}", endless.display())).expect("write");
        let at = |path: &std::path::Path| OsString::from(format!("@{}", path.display()));
        assert_eq!(expand(&[at(&outer), "@gone".into()]).expect("expanded"), ["a.o", "b.o", "c.o", "@gone"]);
        assert!(expand(&[at(&endless)]).expect_err("endless").contains("without end"));
    }
}
