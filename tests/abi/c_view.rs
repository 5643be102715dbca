//! A C compiler is asked for sizes, alignments, offsets and values of everything in our headers, as C and as C++.

use crate::facts::{Struct, constants, include_dirs, includes, structs};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

/// Language, how the compiler is told, how it spells the alignment.
const LANGUAGES: &[(&str, &[&str], &str)] =
    &[("C", &["-x", "c", "-std=c11"], "_Alignof"), ("C++", &["-x", "c++", "-std=c++17"], "alignof")];

fn compiler() -> String {
    std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned())
}

/// A program that prints one line per fact: `s name size align`, `f struct field offset`, `c name value`.
fn program(align: &str) -> String {
    let mut text = includes() + "#include <stdio.h>\nint main(void) {\n";
    for (name, s) in structs() {
        let _ = writeln!(text, "printf(\"s {name} %zu %zu\\n\", sizeof({name}), {align}({name}));");
        for (field, _) in &s.fields {
            let _ = writeln!(text, "printf(\"f {name} {field} %zu\\n\", offsetof({name}, {field}));");
        }
    }
    for name in constants().keys() {
        let _ = writeln!(text, "printf(\"c {name} %lld\\n\", (long long)({name}));");
    }
    text.replace("#include <stdio.h>", "#include <stdio.h>\n#include <stddef.h>") + "return 0;\n}\n"
}

/// Compiles and runs `program`.
fn ask(language: &[&str], program: &str) -> String {
    let dir = tempfile::tempdir().expect("temporary folder");
    let (source, exe) = (dir.path().join("facts.c"), dir.path().join("facts"));
    std::fs::write(&source, program).expect("source can be written");
    let mut command = Command::new(compiler());
    command.args(language).args(["-Wall", "-Wextra", "-Werror", "-Wno-unused"]);
    command.args(include_dirs().iter().map(|d| format!("-I{d}")));
    let out = command.arg(&source).arg("-o").arg(&exe).output();
    let out =
        out.unwrap_or_else(|e| panic!("`{}` cannot be started ({e}); set CXX to a C++ compiler", compiler()));
    assert!(out.status.success(), "our headers do not compile:\n{}", String::from_utf8_lossy(&out.stderr));
    let out = Command::new(&exe).output().expect("program runs");
    assert!(out.status.success(), "the program ended with {}", out.status);
    String::from_utf8(out.stdout).expect("text")
}

/// What the program printed, in the form of [`structs`] and [`constants`].
fn parse(answers: &str) -> (BTreeMap<String, Struct>, BTreeMap<String, i64>) {
    let (mut structs, mut constants) = (BTreeMap::<String, Struct>::new(), BTreeMap::new());
    let number = |text: &str| text.parse::<i64>().expect("a number");
    let size = |text: &str| text.parse::<usize>().expect("a size");
    for line in answers.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["s", name, bytes, align] => {
                let s = Struct { size: size(bytes), align: Some(size(align)), fields: Vec::new() };
                structs.insert(name.to_owned(), s);
            }
            ["f", name, field, offset] => {
                let s = structs.get_mut(name).expect("fields follow their struct");
                s.fields.push((field.to_owned(), size(offset)));
            }
            ["c", name, value] => {
                constants.insert(name.to_owned(), number(value));
            }
            _ => panic!("line not understood: {line}"),
        }
    }
    (structs, constants)
}

#[test]
fn c_and_cpp_agree_with_rust() {
    for (language, flags, align) in LANGUAGES {
        let (mut theirs, their_constants) = parse(&ask(flags, &program(align)));
        let ours = structs();
        for (name, s) in &ours {
            if s.align.is_none() {
                theirs.get_mut(name).expect("asked for").align = None;
            }
            assert_eq!(Some(s), theirs.get(name), "{language}: struct {name}, Rust left");
        }
        assert_eq!(constants(), their_constants, "{language}: constants, Rust left");
        assert!(ours.len() > 25 && their_constants.len() > 600, "the tables are not empty");
    }
}

#[test]
fn a_wrong_offset_would_be_seen() {
    let (theirs, _) = parse("s A 8 4\nf A x 0\nf A y 4\n");
    let wrong = Struct { size: 8, align: Some(4), fields: vec![("x".into(), 0), ("y".into(), 2)] };
    assert_ne!(theirs.get("A"), Some(&wrong));
}

#[test]
fn headers_compile_as_strict_c99_and_cpp11() {
    let dir = tempfile::tempdir().expect("temporary folder");
    let source = dir.path().join("user.c");
    let text = "#include \"acl/acl.h\"\nint main(void) { aclrtStream s = 0; aclrtMemMallocPolicy p = \
                ACL_MEM_MALLOC_HUGE_FIRST; aclrtMemcpyKind k = ACL_MEMCPY_HOST_TO_DEVICE; (void)s; (void)p; (void)k; \
                return ACL_SUCCESS; }\n";
    std::fs::write(&source, text).expect("source can be written");
    for flags in [["-x", "c", "-std=c99"], ["-x", "c++", "-std=c++11"]] {
        let mut command = Command::new(compiler());
        command.args(flags).args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]);
        let out = command.args(include_dirs().iter().map(|d| format!("-I{d}"))).arg(&source).output();
        let out = out.expect("compiler starts");
        assert!(out.status.success(), "{flags:?}:\n{}", String::from_utf8_lossy(&out.stderr));
    }
}
