//! Rules for make that the preprocessor wrote (`-MD`), without toprope's own headers.
//!
//! Those lie in the cache under a hash: a rule that names them would break the user's build when the cache is cleared or toprope is
//! updated.

use std::path::Path;

/// One rule: targets with the colon, and prerequisites, both as they were spelled (quoted for make).
struct Rule<'a> {
    targets: Vec<&'a str>,
    files: Vec<&'a str>,
}

/// `text` without prerequisites (and rules of `-MP`) below `folder`.
pub fn without(text: &str, folder: &Path) -> String {
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let folder = format!("{}/", folder.display());
    let ours = |word: &str| plain(word).starts_with(&folder);
    let mut out = String::new();
    for rule in joined.lines().filter_map(rule_of) {
        if rule.targets.iter().all(|t| ours(t)) {
            continue;
        }
        out.push_str(&rule.targets.join(" "));
        out.push(':');
        for file in rule.files.iter().filter(|f| !ours(f)) {
            out.push_str(" \\\n  ");
            out.push_str(file);
        }
        out.push('\n');
    }
    out
}

fn rule_of(line: &str) -> Option<Rule<'_>> {
    let words = words(line);
    // The colon ends a word or stands alone.
    let colon = words.iter().position(|w| w.ends_with(':'))?;
    let mut targets = words[..=colon].to_vec();
    targets[colon] = targets[colon].strip_suffix(':').unwrap_or(targets[colon]);
    targets.retain(|t| !t.is_empty());
    Some(Rule { targets, files: words[colon + 1..].to_vec() })
}

/// Words of a line of make: a space after a backslash belongs to the word.
fn words(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        if c.is_ascii_whitespace() && !escaped {
            if let Some(from) = start.take() {
                found.push(&line[from..at]);
            }
        } else if start.is_none() {
            start = Some(at);
        }
        escaped = c == '\\' && !escaped;
    }
    found.extend(start.map(|from| &line[from..]));
    found
}

/// A word without make's quoting.
fn plain(word: &str) -> String {
    word.replace("\\ ", " ").replace("\\#", "#").replace("$$", "$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_headers_go_and_everything_else_stays() {
        let text = "a\\ b.o x.o: src/k.asc \\\n /usr/include/c++/12/vector \\\n  /cache/1f/toprope-include/kernel_operator.h my\\ dir/h.h\n\
                    /cache/1f/toprope-include/kernel_operator.h:\nmy\\ dir/h.h:\n";
        assert_eq!(
            without(text, Path::new("/cache/1f/toprope-include")),
            "a\\ b.o x.o: \\\n  src/k.asc \\\n  /usr/include/c++/12/vector \\\n  my\\ dir/h.h\nmy\\ dir/h.h:\n"
        );
    }

    #[test]
    fn a_cache_with_spaces_is_recognised() {
        let text = "k.o: k.asc /my\\ cache/inc/a.h\n";
        assert_eq!(without(text, Path::new("/my cache/inc")), "k.o: \\\n  k.asc\n");
    }
}
