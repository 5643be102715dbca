//! Reads the tokens of a statement and writes the statement again, piece by piece; every piece is on a list.

use super::error::Refusal;
use super::lexer::Token;

/// A type of the AI Core's scalar unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// No value.
    Void,
    /// 1, 8, 16, 32 or 64 bits.
    Int(u32),
    /// f32.
    Float,
    /// A pointer to the stack.
    Ptr,
    /// Several values.
    Aggregate,
}

impl Type {
    /// Natural size and alignment of a value in memory, bytes.
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Type::Int(bits) => Some(u64::from(bits.div_ceil(8))),
            Type::Float => Some(4),
            Type::Ptr => Some(8),
            Type::Void | Type::Aggregate => None,
        }
    }
}

/// Position in a statement and what was written so far.
pub struct Cursor<'a, 't> {
    tokens: &'a [Token<'t>],
    at: usize,
    /// The statement as it will stand in the output.
    pub out: String,
    /// Named types that it uses.
    pub types: Vec<&'t str>,
}

/// Attributes of parameters and results that LLVM 15 knows.
const KEPT: [&str; 9] =
    ["noundef", "noalias", "nonnull", "readonly", "writeonly", "zeroext", "signext", "immarg", "returned"];
/// Attributes that only add facts and that LLVM 15 does not know, or that mean nothing here.
const DROPPED: [&str; 8] = [
    "writable",
    "dead_on_unwind",
    "dead_on_return",
    "nocapture",
    "readnone",
    "noreturn",
    "nofree",
    "allocptr",
];
/// The same, with something in parentheses.
const DROPPED_CALLS: [&str; 5] = ["captures", "range", "initializes", "nofpclass", "memory"];

impl<'a, 't> Cursor<'a, 't> {
    /// At the start of `tokens`.
    pub fn new(tokens: &'a [Token<'t>]) -> Self {
        Cursor { tokens, at: 0, out: String::new(), types: Vec::new() }
    }

    /// The next token.
    pub fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    /// The token after the next.
    pub fn peek_second(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at + 1).copied()
    }

    /// Takes the next token.
    pub fn take(&mut self) -> Option<Token<'t>> {
        let token = self.peek();
        self.at += usize::from(token.is_some());
        token
    }

    /// Goes back to token number `position`.
    pub fn back_to(&mut self, position: usize) {
        self.at = position;
    }

    /// Refuses the next token.
    pub fn unknown(&self) -> Refusal {
        let rest: Vec<String> =
            self.tokens[self.at.min(self.tokens.len())..].iter().take(8).map(Token::text).collect();
        let what = if rest.is_empty() { "end of line".to_owned() } else { rest.join(" ") };
        Refusal::Unknown { what }
    }

    /// Whether the next token is this word; takes it if so.
    pub fn skip_word(&mut self, word: &str) -> bool {
        let is = self.peek() == Some(Token::Word(word));
        self.at += usize::from(is);
        is
    }

    /// Whether the next token is this character; takes it if so.
    pub fn skip(&mut self, c: char) -> bool {
        let is = self.peek() == Some(Token::Punct(c));
        self.at += usize::from(is);
        is
    }

    /// Appends a word, with a blank before it where one is due.
    pub fn write(&mut self, text: &str) {
        let glued = self.out.is_empty()
            || self.out.ends_with(['(', '[', '{', ' '])
            || text.starts_with([',', ')', ']', '(']);
        if !glued {
            self.out.push(' ');
        }
        self.out.push_str(text);
    }

    /// Takes this character and writes it.
    pub fn punct(&mut self, c: char) -> Result<(), Refusal> {
        if !self.skip(c) {
            return Err(self.unknown());
        }
        self.out.push(c);
        if c == ',' {
            self.out.push(' ');
        }
        Ok(())
    }

    /// Takes one of `words` if it stands here, and writes it if `keep`.
    pub fn flags(&mut self, keep: &[&str], drop: &[&str]) {
        while let Some(Token::Word(word)) = self.peek() {
            if keep.contains(&word) {
                self.write(word);
            } else if !drop.contains(&word) {
                break;
            }
            self.at += 1;
        }
    }

    /// Skips a parenthesised group; the next token is its `(`.
    fn skip_group(&mut self) -> Result<(), Refusal> {
        let mut depth = 0;
        loop {
            match self.take().ok_or_else(|| self.unknown())? {
                Token::Punct('(') => depth += 1,
                Token::Punct(')') => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Attributes of a parameter, an argument or a result; a group number is dropped.
    pub fn attributes(&mut self) -> Result<(), Refusal> {
        loop {
            match self.peek() {
                Some(Token::Word(word)) if KEPT.contains(&word) => {
                    self.write(word);
                    self.at += 1;
                }
                Some(Token::Word(word)) if DROPPED.contains(&word) => self.at += 1,
                Some(Token::Word(word)) if DROPPED_CALLS.contains(&word) => {
                    self.at += 1;
                    self.skip_group()?;
                }
                Some(Token::Word("align")) => {
                    self.at += 1;
                    let Some(Token::Number(bytes)) = self.take() else { return Err(self.unknown()) };
                    self.write(&format!("align {bytes}"));
                }
                Some(Token::Word(word @ ("dereferenceable" | "dereferenceable_or_null"))) => {
                    self.at += 1;
                    self.skip('(');
                    let Some(Token::Number(bytes)) = self.take() else { return Err(self.unknown()) };
                    self.skip(')');
                    self.write(&format!("{word}({bytes})"));
                }
                Some(Token::Word(word @ ("sret" | "byval"))) => {
                    self.at += 1;
                    self.write(word);
                    self.punct('(')?;
                    self.ty()?;
                    self.punct(')')?;
                }
                Some(Token::Hash(_)) => self.at += 1,
                _ => return Ok(()),
            }
        }
    }

    /// A type.
    pub fn ty(&mut self) -> Result<Type, Refusal> {
        match self.take() {
            Some(Token::Word("void")) => self.typed("void", Type::Void),
            Some(Token::Word("ptr")) => {
                if self.peek() == Some(Token::Word("addrspace")) {
                    return Err(self.unknown());
                }
                self.typed("ptr", Type::Ptr)
            }
            Some(Token::Word("float")) => self.typed("float", Type::Float),
            Some(Token::Word(word @ ("double" | "half" | "bfloat" | "fp128" | "x86_fp80"))) => {
                Err(Refusal::Float { what: word.to_owned() })
            }
            Some(Token::Word(word)) if word.starts_with('i') && word[1..].parse::<u32>().is_ok() => {
                match word[1..].parse() {
                    Ok(bits @ (1 | 8 | 16 | 32 | 64)) => self.typed(word, Type::Int(bits)),
                    _ => Err(Refusal::WideInteger { what: word.to_owned() }),
                }
            }
            Some(Token::Punct('{')) => {
                self.write("{ ");
                loop {
                    self.ty()?;
                    if self.skip('}') {
                        break;
                    }
                    self.punct(',')?;
                }
                self.out.push_str(" }");
                Ok(Type::Aggregate)
            }
            Some(Token::Punct('[')) => {
                let Some(Token::Number(count)) = self.take() else { return Err(self.unknown()) };
                if !self.skip_word("x") {
                    return Err(self.unknown());
                }
                self.write(&format!("[{count} x "));
                self.ty()?;
                self.punct(']')?;
                Ok(Type::Aggregate)
            }
            Some(Token::Local(name)) => {
                self.types.push(name);
                self.typed(name, Type::Aggregate)
            }
            Some(Token::Punct('<')) => {
                let rest: Vec<String> = self.tokens[self.at - 1..].iter().take(5).map(Token::text).collect();
                Err(Refusal::Vector { what: rest.join(" ") })
            }
            _ => {
                self.at = self.at.saturating_sub(1);
                Err(self.unknown())
            }
        }
    }

    fn typed(&mut self, text: &str, ty: Type) -> Result<Type, Refusal> {
        self.write(text);
        Ok(ty)
    }

    /// An operand without its type: a local value or a constant. Constants in memory and other addresses are refused.
    pub fn value(&mut self) -> Result<(), Refusal> {
        match self.take() {
            Some(Token::Local(name)) => self.write(name),
            Some(Token::Number(number)) => self.write(number),
            Some(Token::Word(
                word @ ("true" | "false" | "null" | "undef" | "poison" | "zeroinitializer"),
            )) => self.write(word),
            Some(Token::Global(name)) => return Err(Refusal::Table { what: super::module::readable(name) }),
            // A dangling but well-aligned address, as references to empty types have.
            Some(Token::Word("inttoptr")) => {
                self.write("inttoptr");
                self.punct('(')?;
                self.operand()?;
                if !self.skip_word("to") {
                    return Err(self.unknown());
                }
                self.write("to");
                self.ty()?;
                self.punct(')')?;
            }
            Some(Token::Word("splat")) => return Err(Refusal::Vector { what: "splat".to_owned() }),
            Some(Token::Punct('{')) => {
                self.write("{ ");
                loop {
                    self.operand()?;
                    if self.skip('}') {
                        break;
                    }
                    self.punct(',')?;
                }
                self.out.push_str(" }");
            }
            _ => {
                self.at = self.at.saturating_sub(1);
                return Err(self.unknown());
            }
        }
        Ok(())
    }

    /// Type and value.
    pub fn operand(&mut self) -> Result<Type, Refusal> {
        let ty = self.ty()?;
        self.value()?;
        Ok(ty)
    }

    /// `, type value`.
    pub fn next_operand(&mut self) -> Result<Type, Refusal> {
        self.punct(',')?;
        self.operand()
    }

    /// The end: metadata is dropped, anything else refused.
    pub fn end(&mut self) -> Result<(), Refusal> {
        loop {
            match self.take() {
                None => return Ok(()),
                Some(Token::Punct(',')) if matches!(self.peek(), Some(Token::Meta(_))) => {}
                Some(Token::Meta(_)) => {}
                // `!{}` as an operand of metadata.
                Some(Token::Punct('{' | '}'))
                    if self.at >= 2
                        && matches!(self.tokens[self.at - 2], Token::Meta(_) | Token::Punct('{')) => {}
                Some(Token::Hash(_)) => {}
                Some(_) => {
                    self.at -= 1;
                    return Err(self.unknown());
                }
            }
        }
    }
}
