//! A C++ tokenizer for preprocessed text.
//!
//! Models: line markers, white space, comments (should a preprocessor have kept any), identifiers, pp-numbers, character and string
//! literals with prefixes, raw strings, punctuators. Does not model: digraphs, trigraphs, line splices inside a token (a
//! preprocessor removes them).
//!
//! Every token is a byte range of the text and the ranges follow each other without gap, so writing all tokens out gives the text
//! back. `<` and `>` are always single tokens: whether `>>>` closes three template lists or a launch is decided by the reader.
//! Source of the rules: C++17 [lex].

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Spaces, tabs, line ends.
    Space,
    /// `//…` or `/*…*/`.
    Comment,
    /// A whole line that begins with `#` (line marker, pragma), without its line end.
    Directive,
    /// Identifier or keyword.
    Ident,
    /// pp-number.
    Number,
    /// String literal with its prefix, raw or not.
    Str,
    /// Character literal with its prefix.
    Char,
    /// Operator or punctuation.
    Punct,
    /// Anything else, one character (stray bytes, an unterminated quote).
    Other,
}

/// One token: its kind and the bytes of the text it covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is, in bytes.
    pub range: Range<usize>,
}

impl Token {
    /// Does this token mean something to a parser (neither space, comment nor directive)?
    pub fn is_code(&self) -> bool {
        !matches!(self.kind, TokenKind::Space | TokenKind::Comment | TokenKind::Directive)
    }
}

/// Punctuators of more than one character, longest first. None begins with `<`, and of those with `>` only the arrow's tail appears
/// (`->`), because angle brackets stay single.
const LONG_PUNCT: [&str; 21] = [
    "->*", "...", "->", "::", "++", "--", "&&", "||", "==", "!=", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
    "^=", ".*", "##", "%:",
];

fn is_ident_start(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphabetic()
}

fn is_ident_continue(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphanumeric()
}

/// Splits `text` into tokens. Never fails: what is not C++ becomes [`TokenKind::Other`].
pub fn tokenize(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { text, pos: 0, line_start: true };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    while lexer.pos < text.len() {
        let start = lexer.pos;
        let kind = lexer.next();
        debug_assert!(lexer.pos > start);
        if kind != TokenKind::Space && kind != TokenKind::Comment {
            lexer.line_start = false;
        } else if text[start..lexer.pos].contains('\n') {
            lexer.line_start = true;
        }
        tokens.push(Token { kind, range: start..lexer.pos });
    }
    tokens
}

struct Lexer<'a> {
    text: &'a str,
    pos: usize,
    line_start: bool,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.pos..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat_while(&mut self, accept: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.pos += rest.find(|c| !accept(c)).unwrap_or(rest.len());
    }

    fn next(&mut self) -> TokenKind {
        let Some(c) = self.peek() else { return TokenKind::Other };
        if c.is_whitespace() {
            self.eat_while(char::is_whitespace);
            return TokenKind::Space;
        }
        if c == '#' && self.line_start {
            self.eat_while(|c| c != '\n');
            return TokenKind::Directive;
        }
        if self.rest().starts_with("//") {
            self.eat_while(|c| c != '\n');
            return TokenKind::Comment;
        }
        if self.rest().starts_with("/*") {
            let length = self.rest()[2..].find("*/").map_or(self.rest().len(), |at| at + 4);
            self.pos += length;
            return TokenKind::Comment;
        }
        if is_ident_start(c) {
            return self.identifier_or_prefixed_literal();
        }
        if c.is_ascii_digit() || (c == '.' && self.rest()[1..].starts_with(|d: char| d.is_ascii_digit())) {
            return self.number();
        }
        match c {
            '"' => self.quoted('"', TokenKind::Str),
            '\'' => self.quoted('\'', TokenKind::Char),
            _ => self.punctuator(c),
        }
    }

    fn identifier_or_prefixed_literal(&mut self) -> TokenKind {
        let start = self.pos;
        self.eat_while(is_ident_continue);
        let word = &self.text[start..self.pos];
        match (word, self.peek()) {
            ("R" | "u8R" | "uR" | "UR" | "LR", Some('"')) => self.raw_string(),
            ("u8" | "u" | "U" | "L", Some('"')) => self.quoted('"', TokenKind::Str),
            ("u8" | "u" | "U" | "L", Some('\'')) => self.quoted('\'', TokenKind::Char),
            _ => TokenKind::Ident,
        }
    }

    /// At the opening quote of `R"delim(…)delim"`.
    fn raw_string(&mut self) -> TokenKind {
        let body = &self.rest()[1..];
        let Some(open) =
            body.find('(').filter(|&n| n <= 16 && !body[..n].contains(['"', ' ', '\n', ')', '\\']))
        else {
            return self.quoted('"', TokenKind::Str);
        };
        let close = format!("){}\"", &body[..open]);
        let length = body[open..].find(&close).map_or(body.len(), |at| open + at + close.len());
        self.pos += 1 + length;
        self.literal_suffix();
        TokenKind::Str
    }

    /// At the opening quote. An unterminated literal ends at the line end and is [`TokenKind::Other`].
    fn quoted(&mut self, quote: char, kind: TokenKind) -> TokenKind {
        let mut escaped = false;
        let mut end = None;
        for (at, c) in self.rest().char_indices().skip(1) {
            match c {
                '\n' if !escaped => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == quote => {
                    end = Some(at + 1);
                    break;
                }
                _ => {}
            }
        }
        match end {
            Some(length) => {
                self.pos += length;
                self.literal_suffix();
                kind
            }
            None => {
                self.pos += 1;
                TokenKind::Other
            }
        }
    }

    /// User-defined literal suffix: part of the literal's token.
    fn literal_suffix(&mut self) {
        if self.peek().is_some_and(is_ident_start) {
            self.eat_while(is_ident_continue);
        }
    }

    /// pp-number: digits, letters, `.`, digit separators, signs after an exponent letter.
    fn number(&mut self) -> TokenKind {
        let mut previous = '0';
        let mut length = 0;
        let rest = self.rest();
        for (at, c) in rest.char_indices() {
            let separator =
                c == '\'' && rest[at + 1..].starts_with(|d: char| d.is_ascii_alphanumeric() || d == '_');
            let sign = matches!(c, '+' | '-') && matches!(previous, 'e' | 'E' | 'p' | 'P');
            if !(is_ident_continue(c) || c == '.' || separator || sign) {
                break;
            }
            previous = c;
            length = at + c.len_utf8();
        }
        self.pos += length;
        TokenKind::Number
    }

    fn punctuator(&mut self, c: char) -> TokenKind {
        if let Some(long) = LONG_PUNCT.iter().find(|p| self.rest().starts_with(**p)) {
            self.pos += long.len();
            return TokenKind::Punct;
        }
        self.pos += c.len_utf8();
        if c.is_ascii_punctuation() { TokenKind::Punct } else { TokenKind::Other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<&str> {
        tokenize(text).into_iter().filter(Token::is_code).map(|t| &text[t.range]).collect()
    }

    #[test]
    fn literals_are_one_token_each() {
        assert_eq!(
            code(r#"f("a<<<b>>>(c)", 'x', '\'', u8"q\"q"_s)"#),
            ["f", "(", r#""a<<<b>>>(c)""#, ",", "'x'", ",", r"'\''", ",", r#"u8"q\"q"_s"#, ")"]
        );
        assert_eq!(code("R\"x(a\"<<<)y\" )x\" z"), ["R\"x(a\"<<<)y\" )x\"", "z"]);
        assert_eq!(code("1'000'000ull + 1e-3f - .5"), ["1'000'000ull", "+", "1e-3f", "-", ".5"]);
    }

    #[test]
    fn angle_brackets_stay_single() {
        assert_eq!(
            code("k<A<B>>><<<1>>>(x)->y"),
            [
                "k", "<", "A", "<", "B", ">", ">", ">", "<", "<", "<", "1", ">", ">", ">", "(", "x", ")",
                "->", "y"
            ]
        );
    }

    #[test]
    fn directives_only_at_line_start() {
        let kinds: Vec<_> =
            tokenize("# 1 \"a.cpp\"\na # b\n  #pragma x\n").into_iter().map(|t| t.kind).collect();
        assert_eq!(kinds.iter().filter(|k| **k == TokenKind::Directive).count(), 2);
    }

    #[test]
    fn unterminated_literals_do_not_swallow_the_next_line() {
        assert_eq!(code("\"abc\nint x;").last(), Some(&";"));
        assert_eq!(code("/* abc").len(), 0);
    }
}
