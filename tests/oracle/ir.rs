//! Vendor IR as text: picks the functions that templates need and rewrites them for the host.
//!
//! What is rewritten, and why:
//! - `llvm.hivm.X.Y` becomes the C function `hivm_X_Y` of the shim (`shim`);
//! - `half` and `bfloat` become `i16`: the library only moves them, and what little it converts goes through two functions of the
//!   shim, so no host needs half-precision arithmetic or its library calls;
//! - scalar loads and stores in UB and GM go through the shim, which checks them and adds the core's UB base. Local pointers stay what
//!   they are on the chip, offsets from 0: the library packs them into registers and stores them into UB;
//! - loads through pointers to the stack go through the shim too: templates pass null for scratch they do not need and read its shape all
//!   the same, which the chip allows;
//! - target triple, data layout, attributes, metadata and lifetimes are dropped; every function becomes internal.
//!
//! Not handled: vectors, atomics, inline assembly, exceptions (the library has none).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;

/// A module of the library, cut into pieces; everything borrows the text.
pub struct Module<'a> {
    /// Type definitions, as written.
    types: Vec<&'a str>,
    /// Global variables by name.
    globals: HashMap<&'a str, &'a str>,
    /// Functions by name: the `define` line and the body with its closing brace.
    functions: HashMap<&'a str, (&'a str, &'a str)>,
    /// Declarations by name.
    declares: HashMap<&'a str, &'a str>,
}

/// What a host module needs and offers.
pub struct Extract {
    /// The IR.
    pub text: String,
    /// Intrinsics called, without `llvm.hivm.`, with the types of result and arguments (`half` still says `half`).
    pub intrinsics: BTreeMap<String, (String, Vec<String>)>,
    /// Local variables of the function being written.
    variables: HashSet<String>,
}

/// The parts of a `define` or `declare` line.
struct Signature<'a> {
    result: String,
    params: Vec<&'a str>,
}

const LINKAGE: [&str; 9] =
    ["define", "declare", "dso_local", "linkonce_odr", "weak_odr", "internal", "private", "weak", "hidden"];

fn is_name_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-')
}

/// The name after an `@`.
fn name_after_at(text: &str) -> &str {
    if let Some(rest) = text.strip_prefix('"') {
        return &rest[..rest.find('"').unwrap_or(rest.len())];
    }
    &text[..text.find(|c| !is_name_char(c)).unwrap_or(text.len())]
}

/// Splits at commas that are not inside brackets or quotes.
pub fn split_commas(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut quoted, mut out) = (0, 0, false, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' | '<' if !quoted => depth += 1,
            ')' | ']' | '}' | '>' if !quoted => depth -= 1,
            ',' if depth == 0 && !quoted => {
                out.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        out.push(text[start..].trim());
    }
    out
}

/// The text between the bracket at the start of `text` and its partner, and what follows.
fn bracketed(text: &str) -> (&str, &str) {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return (&text[1..i], &text[i + 1..]);
                }
            }
            _ => {}
        }
    }
    (&text[1..], "")
}

/// The type at the start of an operand such as `ptr addrspace(6) noundef %x`.
fn type_of(operand: &str) -> String {
    let mut words = operand.split_whitespace();
    let first = words.next().unwrap_or_default();
    match words.next() {
        Some(second) if second.starts_with("addrspace(") => format!("{first} {second}"),
        _ => first.to_owned(),
    }
}

/// Address space of a pointer type.
fn space_of(pointer: &str) -> u32 {
    pointer.strip_prefix("ptr addrspace(").and_then(|r| r.trim_end_matches(')').parse().ok()).unwrap_or(0)
}

fn signature(line: &str) -> Option<Signature<'_>> {
    let at = line.find('@')?;
    let result: Vec<&str> = line[..at].split_whitespace().filter(|w| !LINKAGE.contains(w)).collect();
    let open = at + line[at..].find('(')?;
    Some(Signature { result: result.join(" "), params: split_commas(bracketed(&line[open..]).0) })
}

/// Drops metadata attachments and attribute groups from an instruction.
fn without_metadata(line: &str) -> &str {
    let line = line.find(", !").map_or(line, |i| &line[..i]);
    match line.rfind(" #") {
        Some(i) if line[i + 2..].chars().all(|c| c.is_ascii_digit()) => &line[..i],
        _ => line,
    }
}

/// `half` and `bfloat` as 16-bit integers; their constants too.
fn without_halves(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find(|c: char| is_name_char(c) || matches!(c, '%' | '@' | '"' | '!')) {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let quoted = rest.starts_with('"') || rest[1..].starts_with('"');
        let end = if quoted {
            let open = rest.find('"').map_or(0, |i| i + 1);
            rest[open..].find('"').map_or(rest.len(), |i| open + i + 1)
        } else {
            1 + rest[1..].find(|c| !is_name_char(c)).unwrap_or(rest.len() - 1)
        };
        let word = &rest[..end];
        let bits = word.strip_prefix("0xH").or(word.strip_prefix("0xR"));
        match (word, bits.and_then(|b| u16::from_str_radix(b, 16).ok())) {
            ("half" | "bfloat", _) => out.push_str("i16"),
            (_, Some(bits)) => write!(out, "{}", bits as i16).expect("a string"),
            _ => out.push_str(word),
        }
        rest = &rest[end..];
    }
    out + rest
}

/// Bytes of a scalar type.
fn bytes_of(t: &str) -> Option<u32> {
    Some(match t {
        "i1" | "i8" => 1,
        "i16" | "half" | "bfloat" => 2,
        "i32" | "float" => 4,
        "i64" | "double" => 8,
        _ if t.starts_with("ptr") => 8,
        _ => return None,
    })
}

impl<'a> Module<'a> {
    /// Cuts `text` into pieces.
    pub fn parse(text: &'a str) -> Module<'a> {
        let mut m = Module {
            types: Vec::new(),
            globals: HashMap::new(),
            functions: HashMap::new(),
            declares: HashMap::new(),
        };
        let mut at = 0;
        while at < text.len() {
            let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
            let line = &text[at..end];
            let mut next = end + 1;
            if line.starts_with("define ") {
                let close = text[end..].find("\n}\n").map_or(text.len(), |i| end + i + 3);
                if let Some(name) = line.find('@').map(|i| name_after_at(&line[i + 1..])) {
                    m.functions.insert(name, (line, &text[(end + 1).min(close)..close]));
                }
                next = close;
            } else if line.starts_with("declare ") {
                if let Some(i) = line.find('@') {
                    m.declares.insert(name_after_at(&line[i + 1..]), line);
                }
            } else if line.starts_with('%') && line.contains(" = type ") {
                m.types.push(line);
            } else if let Some(rest) = line.strip_prefix('@') {
                m.globals.insert(name_after_at(rest), line);
            }
            at = next;
        }
        m
    }

    /// Whether the module defines `name`.
    pub fn has(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// Types of the parameters of `name`.
    pub fn params(&self, name: &str) -> Option<Vec<String>> {
        Some(signature(self.functions.get(name)?.0)?.params.iter().map(|p| type_of(p)).collect())
    }

    /// Everything that `roots` reach.
    fn closure(&self, roots: &[String]) -> BTreeSet<&'a str> {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&'a str> =
            roots.iter().filter_map(|r| self.functions.get_key_value(r.as_str()).map(|(k, _)| *k)).collect();
        while let Some(name) = open.pop() {
            if !seen.insert(name) {
                continue;
            }
            let text = match (self.functions.get(name), self.globals.get(name)) {
                (Some((_, body)), _) => body,
                (None, Some(line)) => line.split_once('=').map_or("", |l| l.1),
                (None, None) => continue,
            };
            open.extend(text.match_indices('@').map(|(i, _)| name_after_at(&text[i + 1..])));
        }
        seen
    }

    /// A host module with `roots` and all they need. Root `k` is entered by `void oracle_entry_k(const uint64_t *)`.
    pub fn extract(&self, roots: &[String]) -> Extract {
        let mut out = Extract { text: String::new(), intrinsics: BTreeMap::new(), variables: HashSet::new() };
        for line in &self.types {
            out.text += &without_halves(line);
            out.text.push('\n');
        }
        let names = self.closure(roots);
        for name in &names {
            if let Some((head, body)) = self.functions.get(name) {
                out.function(name, head, body);
            } else if let Some(line) = self.globals.get(name) {
                out.text += without_metadata(line);
                out.text.push('\n');
            } else if let Some(line) = self.declares.get(name) {
                out.declared(name, line);
            }
        }
        for (k, root) in roots.iter().enumerate() {
            if let Some((head, _)) = self.functions.get(root.as_str()) {
                out.entry(k, root, head);
            }
        }
        out.text += "declare ptr @oracle_scalar(i64, i32, i32, i32)\ndeclare i16 @oracle_to_half(float)\n\
                     declare float @oracle_from_half(i16)\ndeclare void @oracle_undefined(i64)\n\
                     declare ptr @oracle_stack(ptr)\n";
        for (name, (result, args)) in &out.intrinsics {
            let args: Vec<&str> =
                args.iter().map(|a| if bytes_of(a) == Some(2) { "i64" } else { a.as_str() }).collect();
            writeln!(out.text, "declare {result} @{}({})", symbol(name), args.join(", ")).expect("a string");
        }
        out
    }
}

/// C name of an intrinsic.
pub fn symbol(intrinsic: &str) -> String {
    format!("hivm_{}", intrinsic.replace('.', "_"))
}

impl Extract {
    fn function(&mut self, name: &str, head: &str, body: &str) {
        let Some(s) = signature(head) else { return };
        let head =
            format!("define internal {} @{}({}) nounwind {{", s.result, quoted(name), s.params.join(", "));
        self.text += &without_halves(&head);
        self.text.push('\n');
        let variable = |l: &str| l.split_once(" = alloca ").map(|l| l.0.trim().to_owned());
        self.variables = body.lines().filter_map(variable).collect();
        for (k, line) in body.lines().enumerate() {
            self.instruction(without_metadata(line), k);
        }
    }

    /// What is declared only: an intrinsic of LLVM, or a function that the library leaves to its user.
    fn declared(&mut self, name: &str, line: &str) {
        let Some(s) = signature(line) else { return };
        if name.starts_with("llvm.hivm.") || name.starts_with("llvm.lifetime.") {
            return;
        }
        let types: Vec<String> = s.params.iter().map(|p| type_of(p)).collect();
        let head = format!("{} @{}({})", s.result, quoted(name), types.join(", "));
        if name.starts_with("llvm.") {
            self.text += &format!("declare {head}\n");
            return;
        }
        self.text += &without_halves(&format!(
            "define internal {head} nounwind {{\n  call void @oracle_undefined(i64 0)\n  unreachable\n}}\n"
        ));
    }

    fn instruction(&mut self, line: &str, k: usize) {
        if line.contains("@llvm.lifetime.") {
            return;
        }
        if line.contains("@llvm.hivm.") {
            return self.intrinsic(line, k);
        }
        let trimmed = line.trim_start();
        let operation = trimmed.split_once(" = ").map_or(trimmed, |l| l.1);
        if (operation.starts_with("load ") || operation.starts_with("store "))
            && self.access(line, operation, k)
        {
            return;
        }
        if self.half_conversion(trimmed, operation, k) {
            return;
        }
        self.text += &without_halves(line);
        self.text.push('\n');
    }

    /// A scalar load or store in UB or GM.
    fn access(&mut self, line: &str, operation: &str, k: usize) -> bool {
        let write = operation.starts_with("store ");
        let parts = split_commas(operation);
        let Some(pointer) = parts.get(1) else { return false };
        let space = space_of(&type_of(pointer));
        if space == 0 {
            return !write && self.host_load(line, pointer, k);
        }
        let accessed =
            parts[0].trim_start_matches("store ").trim_start_matches("load ").trim_start_matches("volatile ");
        let Some(bytes) = bytes_of(&type_of(accessed)) else { return false };
        let host = format!("ptr %oracle.h{k}");
        let line = line.replacen(pointer, &host, 1);
        self.text += &without_halves(&format!(
            "  %oracle.o{k} = ptrtoint {pointer} to i64\n  %oracle.h{k} = call ptr @oracle_scalar(i64 %oracle.o{k}, \
             i32 {space}, i32 {bytes}, i32 {})\n{line}\n",
            u32::from(write)
        ));
        true
    }

    /// A load through a pointer that is not a local variable: it may be null.
    fn host_load(&mut self, line: &str, pointer: &str, k: usize) -> bool {
        let name = pointer.rsplit(' ').next().unwrap_or_default();
        if !name.starts_with('%') || self.variables.contains(name) {
            return false;
        }
        let line = line.replacen(pointer, &format!("ptr %oracle.s{k}"), 1);
        self.text +=
            &without_halves(&format!("  %oracle.s{k} = call ptr @oracle_stack({pointer})\n{line}\n"));
        true
    }

    /// Conversions to and from half; the library has four of them.
    fn half_conversion(&mut self, line: &str, operation: &str, k: usize) -> bool {
        let Some(name) = line.split_once(" = ").map(|l| l.0) else { return false };
        let words: Vec<&str> = operation.split_whitespace().collect();
        let text = match words[..] {
            [conversion @ ("sitofp" | "uitofp"), t, v, "to", "half"] => format!(
                "  %oracle.c{k} = {conversion} {t} {v} to float\n  {name} = call i16 @oracle_to_half(float %oracle.c{k})\n"
            ),
            ["fptrunc", "float", v, "to", "half"] => {
                format!("  {name} = call i16 @oracle_to_half(float {v})\n")
            }
            ["fpext", "half", v, "to", "float"] => {
                format!("  {name} = call float @oracle_from_half(i16 {v})\n")
            }
            _ => return false,
        };
        self.text += &text;
        true
    }

    /// A call of an instruction.
    fn intrinsic(&mut self, line: &str, k: usize) {
        let Some(at) = line.find("@llvm.hivm.") else { return };
        let name = name_after_at(&line[at + 1..]).trim_start_matches("llvm.hivm.").to_owned();
        let open = at + line[at..].find('(').unwrap_or(0);
        let args = split_commas(bracketed(&line[open..]).0);
        let (mut types, mut passed) = (Vec::new(), Vec::new());
        for (n, arg) in args.iter().enumerate() {
            let t = type_of(arg);
            if bytes_of(&t) == Some(2) {
                let value = without_halves(arg.rsplit(' ').next().unwrap_or_default());
                writeln!(self.text, "  %oracle.i{k}.{n} = zext i16 {value} to i64").expect("a string");
                passed.push(format!("i64 %oracle.i{k}.{n}"));
            } else {
                passed.push((*arg).to_owned());
            }
            types.push(t);
        }
        let call = line[..at].trim_end();
        let result = call.rsplit("call ").next().unwrap_or("void").to_owned();
        writeln!(self.text, "{call} @{}({})", symbol(&name), passed.join(", ")).expect("a string");
        self.intrinsics.insert(name, (result, types));
    }

    /// Takes the arguments out of an array of words.
    fn entry(&mut self, k: usize, root: &str, head: &str) {
        let Some(s) = signature(head) else { return };
        let mut args = Vec::new();
        writeln!(self.text, "define void @oracle_entry_{k}(ptr %w) {{").expect("a string");
        for (n, param) in s.params.iter().enumerate() {
            let t = without_halves(&type_of(param));
            let get = match t.as_str() {
                "i64" => format!("add i64 %v{n}, 0"),
                "float" => format!("bitcast i32 %t{n} to float"),
                _ if t.starts_with("ptr") => format!("inttoptr i64 %v{n} to {t}"),
                _ => format!("trunc i64 %v{n} to {t}"),
            };
            let narrow =
                if t == "float" { format!("  %t{n} = trunc i64 %v{n} to i32\n") } else { String::new() };
            self.text += &format!(
                "  %p{n} = getelementptr inbounds i64, ptr %w, i64 {n}\n  %v{n} = load i64, ptr %p{n}\n{narrow}  %a{n} = {get}\n"
            );
            let attributes: Vec<&str> =
                param.split_whitespace().filter(|w| matches!(*w, "zeroext" | "signext")).collect();
            args.push(format!("{t} {} %a{n}", attributes.join(" ")));
        }
        writeln!(self.text, "  call void @{}({})\n  ret void\n}}", quoted(root), args.join(", "))
            .expect("a string");
    }
}

fn quoted(name: &str) -> String {
    if name.chars().all(is_name_char) { name.to_owned() } else { format!("\"{name}\"") }
}

#[test]
fn halves_become_integers() {
    assert_eq!(
        without_halves("  %half = phi half [ 0xH3C00, %bfloat ], [ 0xHFC00, %x ]"),
        "  %half = phi i16 [ 15360, %bfloat ], [ -1024, %x ]"
    );
    assert_eq!(
        without_halves("%\"struct.half\" = type { half, bfloat }"),
        "%\"struct.half\" = type { i16, i16 }"
    );
}

#[test]
fn functions_are_cut_out_and_rewritten() {
    let text = "%s = type { half }\n\n@g = private constant i8 1, align 8\n\n\
        define linkonce_odr dso_local void @f(ptr addrspace(6) noundef %p, half noundef %h) #4 comdat {\nentry:\n  \
        %0 = load half, ptr addrspace(6) %p, align 2, !tbaa !3\n  \
        call void @llvm.hivm.VADDS.f16(ptr addrspace(6) %p, ptr addrspace(6) %p, half %0, i64 5), !asan.x !3\n  ret void\n}\n\n\
        define void @unused() {\n  ret void\n}\n";
    let m = Module::parse(text);
    assert_eq!(m.params("f"), Some(vec!["ptr addrspace(6)".to_owned(), "half".to_owned()]));
    let e = m.extract(&["f".to_owned()]);
    assert!(
        e.text.contains("define internal void @f(ptr addrspace(6) noundef %p, i16 noundef %h) nounwind {")
    );
    assert!(e.text.contains("%0 = load i16, ptr %oracle.h1, align 2\n"), "{}", e.text);
    assert!(e.text.contains(
        "call void @hivm_VADDS_f16(ptr addrspace(6) %p, ptr addrspace(6) %p, i64 %oracle.i2.2, i64 5)\n"
    ));
    assert!(!e.text.contains("unused") && !e.text.contains("@g ="));
    assert_eq!(e.intrinsics["VADDS.f16"].1[2], "half");
}
