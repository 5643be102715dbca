//! Tokens of one line of LLVM text.

use super::error::Refusal;

/// A token; names keep their sigil and quotes as they stand in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// Keyword, opcode, type name or label: `add`, `i32`, `c` of a string constant.
    Word(&'t str),
    /// `%name`, `%"na me"`, `%12`.
    Local(&'t str),
    /// `@name`, `@"na me"`.
    Global(&'t str),
    /// Decimal or hexadecimal number.
    Number(&'t str),
    /// `"…"`.
    Text(&'t str),
    /// `!name`, `!12`, `!`.
    Meta(&'t str),
    /// `#12`, `#dbg_value`.
    Hash(&'t str),
    /// One character.
    Punct(char),
}

impl<'t> Token<'t> {
    /// As it stands in the text.
    pub fn text(&self) -> String {
        match *self {
            Token::Punct(c) => c.to_string(),
            Token::Word(t)
            | Token::Local(t)
            | Token::Global(t)
            | Token::Number(t)
            | Token::Text(t)
            | Token::Meta(t)
            | Token::Hash(t) => t.to_owned(),
        }
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-')
}

/// Length of the name at the start of `text`, quoted or not.
fn name_bytes(text: &str) -> Option<usize> {
    if let Some(rest) = text.strip_prefix('"') {
        return rest.find('"').map(|at| at + 2);
    }
    Some(text.find(|c| !is_name(c)).unwrap_or(text.len()))
}

/// The tokens of `line`; a comment ends it.
///
/// # Errors
/// [`Refusal::Malformed`] for a string without end or a character that LLVM text does not have.
pub fn tokens(line: &str) -> Result<Vec<Token<'_>>, Refusal> {
    let malformed = || Refusal::Malformed { what: line.trim().chars().take(80).collect() };
    let mut out = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == ';' {
            break;
        }
        let (token, bytes) = match first {
            '%' | '@' | '!' | '#' => {
                let bytes = 1 + name_bytes(&rest[1..]).ok_or_else(malformed)?;
                let text = &rest[..bytes];
                let token = match first {
                    '%' => Token::Local(text),
                    '@' => Token::Global(text),
                    '!' => Token::Meta(text),
                    _ => Token::Hash(text),
                };
                (token, bytes)
            }
            '"' => {
                let bytes = name_bytes(rest).ok_or_else(malformed)?;
                (Token::Text(&rest[..bytes]), bytes)
            }
            c if c.is_ascii_digit() || (c == '-' && rest[1..].starts_with(|d: char| d.is_ascii_digit())) => {
                let bytes = 1 + rest[1..]
                    .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-')))
                    .unwrap_or(rest.len() - 1);
                (Token::Number(&rest[..bytes]), bytes)
            }
            c if is_name(c) => {
                let bytes = name_bytes(rest).ok_or_else(malformed)?;
                (Token::Word(&rest[..bytes]), bytes)
            }
            '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | ',' | '=' | '*' | ':' | '|' => {
                (Token::Punct(first), 1)
            }
            _ => return Err(malformed()),
        };
        out.push(token);
        rest = rest[bytes..].trim_start();
    }
    Ok(out)
}
