//! A function: its header, its statements, what it calls.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::cursor::{Cursor, Type};
use super::error::{Known, LowerError, Refusal};
use super::expand;
use super::hooks::{self, Hook};
use super::lexer::{Token, tokens};
use super::module::{Function, readable};
use super::statement::{Statement, rewrite};
use super::{Machine, names::Names};

/// A function as it will stand in the output.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The text, with its linkage and attributes left to [`super::lower`]: `void @name(i32 %x)` and the body in braces.
    pub header: String,
    /// Statements and labels.
    pub body: String,
    /// Functions of the module that it calls.
    pub calls: BTreeSet<String>,
    /// Declarations that it needs, by symbol.
    pub declares: BTreeMap<String, String>,
    /// Named types that it uses.
    pub types: BTreeSet<String>,
}

/// Words of a `define` line before the type.
const BEFORE: [&str; 14] = [
    "define",
    "dso_local",
    "internal",
    "private",
    "hidden",
    "protected",
    "weak",
    "weak_odr",
    "linkonce_odr",
    "available_externally",
    "fastcc",
    "coldcc",
    "ccc",
    "default",
];
/// Words of a `define` line behind the parameters.
const BEHIND: [&str; 6] =
    ["unnamed_addr", "local_unnamed_addr", "nounwind", "noinline", "cold", "alwaysinline"];

/// The parts of a header.
struct Header {
    text: String,
    by_value: Option<String>,
}

fn header(function: &Function<'_>, names: &Names<'_>) -> Result<Header, Refusal> {
    let line = tokens(function.header)?;
    let mut c = Cursor::new(&line);
    c.flags(&[], &BEFORE);
    c.attributes()?;
    let result = c.ty()?;
    let mut by_value = (result == Type::Aggregate).then(|| c.out.clone());
    let Some(Token::Global(symbol)) = c.take() else { return Err(c.unknown()) };
    let name = names.of(symbol);
    c.write(&name);
    c.punct('(')?;
    let mut first = true;
    while !c.skip(')') {
        if !first {
            c.punct(',')?;
        }
        first = false;
        let start = c.out.len();
        let ty = c.ty()?;
        c.attributes()?;
        let param = &c.out[start..];
        if ty == Type::Aggregate || param.contains("sret(") || param.contains("byval(") {
            by_value.get_or_insert_with(|| param.trim().to_owned());
        }
        if let Some(Token::Local(_)) = c.peek() {
            c.value()?;
        }
    }
    c.out.push(')');
    let text = std::mem::take(&mut c.out);
    loop {
        c.attributes()?;
        match c.take() {
            None => return Ok(Header { text, by_value }),
            Some(Token::Word("personality")) => {
                c.ty()?;
                c.take();
            }
            Some(Token::Word(word)) if BEHIND.contains(&word) => {}
            Some(Token::Meta(_)) => {}
            Some(token) => {
                return Err(Refusal::Unknown { what: format!("{} behind the parameters", token.text()) });
            }
        }
    }
}

/// Parts of symbols that say why a foreign function is called.
const FOREIGN: &[Known] = &[
    ("core9panicking", |what| Refusal::Panic { what }),
    ("core6option13unwrap", |what| Refusal::Panic { what }),
    ("core6option13expect", |what| Refusal::Panic { what }),
    ("core6result13unwrap", |what| Refusal::Panic { what }),
    ("slice_index_fail", |what| Refusal::Panic { what }),
    ("slice_start_index", |what| Refusal::Panic { what }),
    ("slice_end_index", |what| Refusal::Panic { what }),
    ("panic", |what| Refusal::Panic { what }),
    ("rust_begin_unwind", |what| Refusal::Panic { what }),
    ("llvm.memcpy", |what| Refusal::MemoryCall { what }),
    ("llvm.memset", |what| Refusal::MemoryCall { what }),
    ("llvm.memmove", |what| Refusal::MemoryCall { what }),
    ("llvm.vector", |what| Refusal::Vector { what }),
    ("_Unwind", |what| Refusal::Unwind { what }),
];
const MEMORY_FUNCTIONS: [&str; 5] = ["@memcpy", "@memset", "@memmove", "@memcmp", "@bcmp"];

fn foreign(symbol: &str) -> Refusal {
    let what = readable(symbol);
    if MEMORY_FUNCTIONS.contains(&symbol) {
        return Refusal::MemoryCall { what };
    }
    if let Some((_, refuse)) = FOREIGN.iter().find(|f| symbol.contains(f.0)) {
        return refuse(what);
    }
    if symbol.starts_with("@llvm.") { Refusal::Unknown { what } } else { Refusal::External { what } }
}

/// State of one function's rewriting.
struct Rewriter<'a, 'm> {
    names: &'a Names<'m>,
    machine: Machine,
    out: Lowered,
    fresh: usize,
}

impl Rewriter<'_, '_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out.body, "  {text}");
    }

    fn statement(&mut self, text: &str) -> Result<(), Refusal> {
        let line = tokens(text)?;
        if let [label @ .., Token::Punct(':')] = line.as_slice()
            && let [one] = label
        {
            let _ = writeln!(self.out.body, "{}:", one.text());
            return Ok(());
        }
        let mut types = Vec::new();
        let statement = rewrite(&line, &mut types)?;
        self.out.types.extend(types.into_iter().map(str::to_owned));
        match statement {
            Statement::Gone => Ok(()),
            Statement::Text(text) => {
                self.line(&text);
                Ok(())
            }
            Statement::Call(call) => self.call(&call),
        }
    }

    fn call(&mut self, call: &super::statement::Call) -> Result<(), Refusal> {
        if self.names.is_defined(&call.callee) {
            let name = self.names.of(&call.callee);
            self.out.calls.insert(call.callee.clone());
            self.line(&call.text(&name));
            return Ok(());
        }
        if let Some(lines) = expand::intrinsic(call, &mut self.fresh) {
            lines.iter().for_each(|l| self.line(l));
            return Ok(());
        }
        match (hooks::find(&call.callee), self.machine) {
            (Some(hook), Machine::AiCore) => self.hook(&hook, call),
            (Some(_), Machine::Host) => {
                let types: Vec<&str> = call.args.iter().map(|a| a.before.as_str()).collect();
                self.declare(&call.callee, &call.returns, &types);
                self.line(&call.text(&call.callee));
                Ok(())
            }
            (None, _) => Err(foreign(&call.callee)),
        }
    }

    fn declare(&mut self, symbol: &str, returns: &str, types: &[&str]) {
        self.out
            .declares
            .insert(symbol.to_owned(), format!("declare {returns} {symbol}({})", types.join(", ")));
    }

    fn hook(&mut self, hook: &Hook, call: &super::statement::Call) -> Result<(), Refusal> {
        let steps = hooks::lower(hook, call, &mut self.fresh)?;
        for (symbol, declaration) in steps.declares {
            self.out.declares.insert(symbol, declaration);
        }
        steps.lines.iter().for_each(|l| self.line(l));
        Ok(())
    }
}

/// Rewrites `function`. Everything that is refused in it is reported, not the first only.
///
/// # Errors
/// The refusals with their lines.
pub fn lower(
    function: &Function<'_>,
    names: &Names<'_>,
    machine: Machine,
    exported: bool,
) -> Result<Lowered, Vec<LowerError>> {
    let fail = |line, refusal| LowerError { function: readable(function.symbol), line, refusal };
    let mut errors = Vec::new();
    let mut rewriter = Rewriter { names, machine, out: Lowered::default(), fresh: 0 };
    match header(function, names) {
        Ok(Header { by_value: Some(what), .. }) if exported => {
            errors.push(fail(function.line, Refusal::ByValue { what }));
        }
        Ok(header) => rewriter.out.header = header.text,
        Err(refusal) => errors.push(fail(function.line, refusal)),
    }
    for (line, text) in &function.body {
        if let Err(refusal) = rewriter.statement(text) {
            errors.push(fail(*line, refusal));
        }
    }
    if errors.is_empty() { Ok(rewriter.out) } else { Err(errors) }
}
