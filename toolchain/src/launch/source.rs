//! Preprocessed text as a parser sees it: code tokens with brackets paired, and where each byte came from (line markers).

use std::ops::Range;

use super::token::{Token, TokenKind, tokenize};

/// A place in the user's source, from the line markers of the preprocessed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// File as the preprocessor names it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in the preprocessed line, from 1. Differs from the user's column after a macro expansion on that line.
    pub column: u32,
}

/// Preprocessed text, split into code tokens; spaces, comments and directives are left out.
pub(super) struct Source<'a> {
    pub text: &'a str,
    pub code: Vec<Token>,
    /// For an opening or closing `()[]{}`: index of its partner.
    partner: Vec<Option<usize>>,
    /// Byte offset, line number after the marker, file.
    markers: Vec<(usize, u32, String)>,
}

impl<'a> Source<'a> {
    pub fn new(text: &'a str) -> Source<'a> {
        let tokens = tokenize(text);
        let markers = tokens
            .iter()
            .filter(|t| t.kind == TokenKind::Directive)
            .filter_map(|t| {
                parse_marker(&text[t.range.clone()]).map(|(line, file)| (t.range.end + 1, line, file))
            })
            .collect();
        let code: Vec<Token> = tokens.into_iter().filter(Token::is_code).collect();
        let partner = pair_brackets(text, &code);
        Source { text, code, partner, markers }
    }

    /// Text of code token `index`, or "" past either end.
    pub fn at(&self, index: usize) -> &'a str {
        self.code.get(index).map_or("", |t| &self.text[t.range.clone()])
    }

    pub fn is_ident(&self, index: usize) -> bool {
        self.code.get(index).is_some_and(|t| t.kind == TokenKind::Ident)
    }

    pub fn is_string(&self, index: usize) -> bool {
        self.code.get(index).is_some_and(|t| t.kind == TokenKind::Str)
    }

    /// Bytes of code token `index`.
    ///
    /// # Panics
    /// If there is no such token.
    pub fn range(&self, index: usize) -> Range<usize> {
        self.code[index].range.clone()
    }

    /// Index of the bracket that pairs with the one at `index`.
    pub fn partner(&self, index: usize) -> Option<usize> {
        self.partner.get(index).copied().flatten()
    }

    /// Code tokens `range` with one space between tokens that had some space.
    pub fn words(&self, range: Range<usize>) -> String {
        let mut out = String::new();
        for index in range.clone() {
            if index > range.start && self.code[index - 1].range.end != self.code[index].range.start {
                out.push(' ');
            }
            out.push_str(self.at(index));
        }
        out
    }

    /// Given `<` at `open`, the index of the `>` that closes it as a template list, or `None` if it cannot be one.
    pub fn close_angle(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut index = open;
        while index < self.code.len() {
            match self.at(index) {
                "<" => depth += 1,
                ">" => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                "(" | "[" | "{" => index = self.partner(index)?,
                ")" | "]" | "}" | ";" => return None,
                _ => {}
            }
            index += 1;
        }
        None
    }

    /// Splits the code tokens `range` at commas outside every kind of bracket.
    pub fn split_commas(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        let mut index = range.start;
        while index < range.end {
            match self.at(index) {
                "," => {
                    parts.push(start..index);
                    start = index + 1;
                }
                "(" | "[" | "{" => index = self.partner(index).unwrap_or(index),
                "<" => index = self.close_angle(index).filter(|&close| close < range.end).unwrap_or(index),
                _ => {}
            }
            index += 1;
        }
        if start < range.end || !parts.is_empty() {
            parts.push(start..range.end);
        }
        parts
    }

    /// Where byte `offset` is in the user's source.
    pub fn place(&self, offset: usize) -> Place {
        let line_start = self.text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let column = u32::try_from(self.text[line_start..offset].chars().count()).unwrap_or(0) + 1;
        let known = self.markers.partition_point(|m| m.0 <= offset);
        let (from, first, file) = match known.checked_sub(1).map(|at| &self.markers[at]) {
            Some((from, first, file)) => (*from, *first, file.clone()),
            None => (0, 1, "<input>".to_string()),
        };
        let lines = self.text[from.min(offset)..offset].bytes().filter(|b| *b == b'\n').count();
        Place { file, line: first + u32::try_from(lines).unwrap_or(0), column }
    }

    /// Every file named by a line marker, each once, in order of appearance.
    pub fn files(&self) -> Vec<&str> {
        let mut seen = std::collections::HashSet::new();
        self.markers.iter().map(|m| m.2.as_str()).filter(|f| seen.insert(*f)).collect()
    }
}

/// `# 12 "file" 1 3` or `#line 12 "file"`: the line number and the file.
fn parse_marker(line: &str) -> Option<(u32, String)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let (number, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?);
    let quoted = rest.trim_start().strip_prefix('"')?;
    let mut file = String::new();
    let mut chars = quoted.chars();
    loop {
        match chars.next()? {
            '"' => break,
            '\\' => file.push(chars.next()?),
            c => file.push(c),
        }
    }
    Some((number.parse().ok()?, file))
}

fn pair_brackets(text: &str, code: &[Token]) -> Vec<Option<usize>> {
    let mut partner = vec![None; code.len()];
    let mut open: Vec<(usize, u8)> = Vec::new();
    for (index, token) in code.iter().enumerate() {
        if token.kind != TokenKind::Punct || token.range.len() != 1 {
            continue;
        }
        match text.as_bytes()[token.range.start] {
            b'(' => open.push((index, b')')),
            b'[' => open.push((index, b']')),
            b'{' => open.push((index, b'}')),
            close @ (b')' | b']' | b'}') => {
                // A stray closer pairs with nothing; an unclosed opener inside a closed group is dropped.
                if let Some(at) = open.iter().rposition(|o| o.1 == close) {
                    let (start, _) = open[at];
                    open.truncate(at);
                    partner[start] = Some(index);
                    partner[index] = Some(start);
                }
            }
            _ => {}
        }
    }
    partner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_give_file_and_line() {
        let text = "# 1 \"a.cpp\"\nint x;\n\n# 7 \"dir/b \\\"q\\\".h\" 1 3\nint y;\nint z;\n";
        let source = Source::new(text);
        let place = |needle: &str| source.place(text.find(needle).unwrap());
        assert_eq!(place("x;"), Place { file: "a.cpp".into(), line: 1, column: 5 });
        assert_eq!(place("z;"), Place { file: "dir/b \"q\".h".into(), line: 8, column: 5 });
        assert_eq!(source.files(), ["a.cpp", "dir/b \"q\".h"]);
    }

    #[test]
    fn commas_inside_brackets_do_not_split() {
        let source = Source::new("a<b, c>(d), f(x, y), {1, 2}, z");
        assert_eq!(source.split_commas(0..source.code.len()).len(), 4);
    }
}
