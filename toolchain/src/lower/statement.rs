//! One statement: which opcodes there are, what of each is kept, what is refused.
//!
//! A fact that LLVM 15 does not know (`nneg`, `disjoint`, `samesign`, gep `nuw`, metadata) is dropped, never translated: without it the
//! statement means the same or less is known of it.

use super::cursor::{Cursor, Type};
use super::error::{Known, Refusal};
use super::lexer::Token;
use super::module::readable;

/// What a statement becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// This text.
    Text(String),
    /// A call, whose callee decides.
    Call(Call),
    /// Nothing: it only told the optimiser something.
    Gone,
}

/// A call of a named function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// `%x`, if the result has a name.
    pub result: Option<String>,
    /// Attributes of the result and its type, as text.
    pub returns: String,
    /// The type alone.
    pub ty: Type,
    /// `@name`.
    pub callee: String,
    /// Arguments: type, the text between it and the value (attributes), value.
    pub args: Vec<Argument>,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its type.
    pub ty: Type,
    /// Type and attributes, as text.
    pub before: String,
    /// The value.
    pub value: String,
}

impl Call {
    /// The call as a statement, to `callee`.
    pub fn text(&self, callee: &str) -> String {
        let args: Vec<String> = self.args.iter().map(|a| format!("{} {}", a.before, a.value)).collect();
        let result = self.result.as_ref().map_or(String::new(), |name| format!("{name} = "));
        format!("{result}call {} {callee}({})", self.returns, args.join(", "))
    }
}

/// What an opcode's statement looks like after the opcode.
#[derive(Clone, Copy)]
enum Form {
    /// Flags, type, two values: flags kept, flags dropped.
    Binary(&'static [&'static str], &'static [&'static str]),
    /// Like it; the divisor must be a constant.
    Divide(&'static [&'static str]),
    /// Floating point: fast-math flags are dropped.
    FloatBinary,
    FloatUnary,
    /// Flags dropped, type, value, `to`, type.
    Cast(&'static [&'static str]),
    Compare,
    Load,
    Store,
    Alloca,
    Address,
    Select,
    Phi,
    Freeze,
    Extract,
    Insert,
    Branch,
    Switch,
    Return,
    Unreachable,
}

const WRAP: &[&str] = &["nuw", "nsw"];
const NONE: &[&str] = &[];
const FAST: &[&str] = &["fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"];

/// Every opcode that is let through; calls are apart.
const OPCODES: &[(&str, Form)] = &[
    ("add", Form::Binary(WRAP, NONE)),
    ("sub", Form::Binary(WRAP, NONE)),
    ("mul", Form::Binary(WRAP, NONE)),
    ("shl", Form::Binary(WRAP, NONE)),
    ("lshr", Form::Binary(&["exact"], NONE)),
    ("ashr", Form::Binary(&["exact"], NONE)),
    ("and", Form::Binary(NONE, NONE)),
    ("or", Form::Binary(NONE, &["disjoint"])),
    ("xor", Form::Binary(NONE, NONE)),
    ("udiv", Form::Divide(&["exact"])),
    ("sdiv", Form::Divide(&["exact"])),
    ("urem", Form::Divide(NONE)),
    ("srem", Form::Divide(NONE)),
    ("fadd", Form::FloatBinary),
    ("fsub", Form::FloatBinary),
    ("fmul", Form::FloatBinary),
    ("fdiv", Form::FloatBinary),
    ("fneg", Form::FloatUnary),
    ("trunc", Form::Cast(WRAP)),
    ("zext", Form::Cast(&["nneg"])),
    ("sext", Form::Cast(NONE)),
    ("bitcast", Form::Cast(NONE)),
    ("ptrtoint", Form::Cast(NONE)),
    ("ptrtoaddr", Form::Cast(NONE)),
    ("inttoptr", Form::Cast(NONE)),
    ("sitofp", Form::Cast(NONE)),
    ("uitofp", Form::Cast(&["nneg"])),
    ("fptosi", Form::Cast(NONE)),
    ("fptoui", Form::Cast(NONE)),
    ("icmp", Form::Compare),
    ("fcmp", Form::Compare),
    ("load", Form::Load),
    ("store", Form::Store),
    ("alloca", Form::Alloca),
    ("getelementptr", Form::Address),
    ("select", Form::Select),
    ("phi", Form::Phi),
    ("freeze", Form::Freeze),
    ("extractvalue", Form::Extract),
    ("insertvalue", Form::Insert),
    ("br", Form::Branch),
    ("switch", Form::Switch),
    ("ret", Form::Return),
    ("unreachable", Form::Unreachable),
];

/// Opcodes with a refusal of their own.
const REFUSED: &[Known] = &[
    ("fence", |what| Refusal::Atomic { what }),
    ("cmpxchg", |what| Refusal::Atomic { what }),
    ("atomicrmw", |what| Refusal::Atomic { what }),
    ("invoke", |what| Refusal::Unwind { what }),
    ("landingpad", |what| Refusal::Unwind { what }),
    ("resume", |what| Refusal::Unwind { what }),
    ("extractelement", |what| Refusal::Vector { what }),
    ("insertelement", |what| Refusal::Vector { what }),
    ("shufflevector", |what| Refusal::Vector { what }),
    ("fpext", |what| Refusal::Float { what }),
    ("fptrunc", |what| Refusal::Float { what }),
    ("frem", |what| Refusal::Division { what }),
];

/// Rewrites a statement; the named types that it uses are added to `types`.
///
/// # Errors
/// What of it is not on the list.
pub fn rewrite<'t>(tokens: &[Token<'t>], types: &mut Vec<&'t str>) -> Result<Statement, Refusal> {
    let mut c = Cursor::new(tokens);
    let statement = one(&mut c)?;
    types.append(&mut c.types);
    Ok(statement)
}

fn one(c: &mut Cursor<'_, '_>) -> Result<Statement, Refusal> {
    let mut result = None;
    if let (Some(Token::Local(name)), Some(Token::Punct('='))) = (c.peek(), c.peek_second()) {
        result = Some(name.to_owned());
        c.write(&format!("{name} ="));
        c.take();
        c.take();
    }
    let Some(Token::Word(opcode)) = c.take() else {
        c.back_to(0);
        return match c.peek() {
            // Debug records: `#dbg_value(…)`.
            Some(Token::Hash(name)) if name.starts_with("#dbg_") => Ok(Statement::Gone),
            _ => Err(c.unknown()),
        };
    };
    if matches!(opcode, "tail" | "notail" | "musttail" | "call") {
        if opcode != "call" && !c.skip_word("call") {
            return Err(c.unknown());
        }
        return call(c, result);
    }
    if let Some((_, refuse)) = REFUSED.iter().find(|r| r.0 == opcode) {
        return Err(refuse(opcode.to_owned()));
    }
    let Some((_, form)) = OPCODES.iter().find(|o| o.0 == opcode) else {
        return Err(Refusal::Unknown { what: opcode.to_owned() });
    };
    c.write(if opcode == "ptrtoaddr" { "ptrtoint" } else { opcode });
    statement(c, *form, opcode)?;
    c.end()?;
    Ok(Statement::Text(std::mem::take(&mut c.out)))
}

fn statement(c: &mut Cursor<'_, '_>, form: Form, opcode: &str) -> Result<(), Refusal> {
    match form {
        Form::Binary(keep, drop) => {
            c.flags(keep, drop);
            c.operand()?;
            c.punct(',')?;
            c.value()
        }
        Form::Divide(keep) => {
            c.flags(keep, NONE);
            c.operand()?;
            c.punct(',')?;
            let constant = matches!(c.peek(), Some(Token::Number(n)) if n != "0");
            if constant { c.value() } else { Err(Refusal::Division { what: opcode.to_owned() }) }
        }
        Form::FloatBinary => {
            c.flags(NONE, FAST);
            c.operand()?;
            c.punct(',')?;
            c.value()
        }
        Form::FloatUnary => {
            c.flags(NONE, FAST);
            c.operand().map(drop)
        }
        Form::Cast(dropped) => {
            c.flags(NONE, dropped);
            c.operand()?;
            if !c.skip_word("to") {
                return Err(c.unknown());
            }
            c.write("to");
            c.ty().map(drop)
        }
        Form::Compare => compare(c),
        Form::Load => access(c, |c| {
            let ty = c.ty()?;
            c.next_operand()?;
            Ok(ty)
        }),
        Form::Store => access(c, |c| {
            let ty = c.operand()?;
            c.next_operand()?;
            Ok(ty)
        }),
        Form::Alloca => alloca(c),
        Form::Address => {
            c.flags(&["inbounds"], &["nuw", "nusw"]);
            c.ty()?;
            while c.peek() == Some(Token::Punct(',')) && !matches!(c.peek_second(), Some(Token::Meta(_))) {
                c.next_operand()?;
            }
            Ok(())
        }
        Form::Select => {
            c.flags(NONE, FAST);
            c.operand()?;
            c.next_operand()?;
            c.next_operand().map(drop)
        }
        Form::Phi => phi(c),
        Form::Freeze => c.operand().map(drop),
        Form::Extract => {
            c.operand()?;
            index(c)
        }
        Form::Insert => {
            c.operand()?;
            c.next_operand()?;
            index(c)
        }
        Form::Branch => {
            if c.peek() != Some(Token::Word("label")) {
                c.operand()?;
                c.punct(',')?;
                label(c)?;
                c.punct(',')?;
            }
            label(c)
        }
        Form::Switch => switch(c),
        Form::Return => {
            if c.peek() == Some(Token::Word("void")) {
                c.ty().map(drop)
            } else {
                c.operand().map(drop)
            }
        }
        Form::Unreachable => Ok(()),
    }
}

fn label(c: &mut Cursor<'_, '_>) -> Result<(), Refusal> {
    if !c.skip_word("label") {
        return Err(c.unknown());
    }
    c.write("label");
    c.value()
}

fn compare(c: &mut Cursor<'_, '_>) -> Result<(), Refusal> {
    c.flags(NONE, FAST);
    c.flags(NONE, &["samesign"]);
    let Some(Token::Word(predicate)) = c.take() else { return Err(c.unknown()) };
    c.write(predicate);
    c.operand()?;
    c.punct(',')?;
    c.value()
}

fn index(c: &mut Cursor<'_, '_>) -> Result<(), Refusal> {
    while c.peek() == Some(Token::Punct(',')) && matches!(c.peek_second(), Some(Token::Number(_))) {
        c.punct(',')?;
        c.value()?;
    }
    Ok(())
}

/// The `, align N` behind an access or a stack object.
fn alignment(c: &mut Cursor<'_, '_>) -> Result<Option<u64>, Refusal> {
    if c.peek() != Some(Token::Punct(',')) || c.peek_second() != Some(Token::Word("align")) {
        return Ok(None);
    }
    c.punct(',')?;
    c.take();
    let Some(Token::Number(bytes)) = c.take() else { return Err(c.unknown()) };
    c.write(&format!("align {bytes}"));
    bytes.parse().map(Some).map_err(|_| c.unknown())
}

fn access<'a, 't>(
    c: &mut Cursor<'a, 't>,
    operands: impl FnOnce(&mut Cursor<'a, 't>) -> Result<Type, Refusal>,
) -> Result<(), Refusal> {
    if c.peek() == Some(Token::Word("atomic")) {
        return Err(Refusal::Atomic { what: c.out.clone() });
    }
    c.flags(&["volatile"], NONE);
    let ty = operands(c)?;
    let Some(bytes) = ty.bytes() else {
        return Err(Refusal::Unknown { what: format!("{} of an aggregate", c.out) });
    };
    match alignment(c)? {
        Some(aligned) if aligned < bytes => {
            Err(Refusal::Alignment { what: format!("{bytes} bytes, aligned to {aligned}: {}", c.out) })
        }
        _ => Ok(()),
    }
}

fn alloca(c: &mut Cursor<'_, '_>) -> Result<(), Refusal> {
    c.ty()?;
    match alignment(c)? {
        Some(aligned) if aligned > 8 => Err(Refusal::StackAlignment { what: c.out.clone() }),
        _ => Ok(()),
    }
}

fn phi(c: &mut Cursor<'_, '_>) -> Result<(), Refusal> {
    c.flags(NONE, FAST);
    c.ty()?;
    let mut first = true;
    while first || (c.peek() == Some(Token::Punct(',')) && c.peek_second() == Some(Token::Punct('['))) {
        if !first {
            c.punct(',')?;
        }
        first = false;
        if !c.skip('[') {
            return Err(c.unknown());
        }
        c.write("[ ");
        c.value()?;
        c.punct(',')?;
        c.value()?;
        if !c.skip(']') {
            return Err(c.unknown());
        }
        c.out.push_str(" ]");
    }
    Ok(())
}

fn switch(c: &mut Cursor<'_, '_>) -> Result<(), Refusal> {
    c.operand()?;
    c.punct(',')?;
    label(c)?;
    if !c.skip('[') {
        return Err(c.unknown());
    }
    c.write("[ ");
    while !c.skip(']') {
        c.operand()?;
        c.punct(',')?;
        label(c)?;
    }
    c.out.push_str(" ]");
    Ok(())
}

fn call(c: &mut Cursor<'_, '_>, result: Option<String>) -> Result<Statement, Refusal> {
    c.out.clear();
    if c.skip_word("asm") {
        return Err(Refusal::Assembly { what: "asm".to_owned() });
    }
    c.flags(NONE, FAST);
    c.flags(NONE, &["fastcc", "coldcc", "ccc"]);
    c.attributes()?;
    let ty = c.ty()?;
    let returns = std::mem::take(&mut c.out);
    let callee = match c.take() {
        Some(Token::Global(name)) => name.to_owned(),
        Some(Token::Local(name)) => return Err(Refusal::Indirect { what: name.to_owned() }),
        Some(Token::Word("asm")) => return Err(Refusal::Assembly { what: "asm".to_owned() }),
        Some(token) => return Err(Refusal::Unknown { what: token.text() }),
        None => return Err(c.unknown()),
    };
    if !c.skip('(') {
        return Err(c.unknown());
    }
    // Facts for the optimiser; their arguments may be metadata.
    let told =
        ["@llvm.assume", "@llvm.lifetime.", "@llvm.experimental.noalias.scope.decl", "@llvm.invariant."];
    if told.iter().any(|name| callee.starts_with(name)) {
        return Ok(Statement::Gone);
    }
    // Before the arguments, which may be addresses of texts.
    if callee.contains("4core9panicking") || callee.contains("4core5slice5index") {
        return Err(Refusal::Panic { what: readable(&callee) });
    }
    let mut args = Vec::new();
    while !c.skip(')') {
        if !args.is_empty() && !c.skip(',') {
            return Err(c.unknown());
        }
        let ty = c.ty()?;
        c.attributes()?;
        let before = std::mem::take(&mut c.out);
        c.value()?;
        args.push(Argument { ty, before, value: std::mem::take(&mut c.out) });
    }
    if c.peek() == Some(Token::Punct('[')) {
        return Err(Refusal::Unknown { what: "an operand bundle".to_owned() });
    }
    c.attributes()?;
    c.end()?;
    Ok(Statement::Call(Call { result, returns, ty, callee, args }))
}
