//! What rustc really writes, lowered: every refusal is met by a piece of Rust that causes it and its allowed twin; the device library passes
//! LLVM 15's own reader and verifier and links with the vendor's public library.
//!
//! rustc is whatever compiles this workspace. LLVM 15 (`llvm-as-15`, `opt-15`, `llvm-link-15`) and the vendor's wheel are optional on a
//! user's machine: without them the test says so and is skipped; with `CI=true` LLVM 15 must be there, and the wheel unless the network
//! refuses it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use toprope_toolchain::lower::{
    LowerErrors, LowerOptions, Machine, REFUSALS, RUSTC_FLAGS, device, lower, open_hooks,
};

/// What every crate of the tests is compiled with, before [`RUSTC_FLAGS`].
const CRATE: [&str; 4] = ["--edition=2024", "--crate-type=rlib", "--crate-name=kernel", "-Aunused"];

/// rustc's LLVM text of `body`, which stands behind the attributes that every device crate has.
fn rustc(name: &str, body: &str, more: &[&str]) -> String {
    rustc_with(name, body, &[RUSTC_FLAGS, more].concat())
}

fn rustc_with(name: &str, body: &str, flags: &[&str]) -> String {
    // A folder each: rustc's intermediate files have the same names, and lie in the current folder.
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lower").join(name);
    std::fs::create_dir_all(&dir).expect("scratch folder");
    let (source, text) = (dir.join(format!("{name}.rs")), dir.join(format!("{name}.ll")));
    std::fs::write(&source, format!("#![no_std]\n#![no_builtins]\n{body}\n")).expect("write source");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let done = Command::new(rustc)
        .current_dir(&dir)
        .args(CRATE)
        .args(flags)
        .arg(format!("--emit=llvm-ir={}", text.display()))
        .arg(&source)
        .output()
        .expect("rustc starts");
    assert!(done.status.success(), "{name}: {}", String::from_utf8_lossy(&done.stderr));
    std::fs::read_to_string(text).expect("rustc wrote the text")
}

fn options(machine: Machine) -> LowerOptions {
    LowerOptions { machine, exports: Vec::new(), title: "test".to_owned() }
}

fn lowered(name: &str, body: &str, more: &[&str]) -> Result<String, LowerErrors> {
    lower(&[&rustc(name, body, more)], &options(Machine::AiCore))
}

/// Refusal, Rust that meets it, and Rust of the same purpose that does not.
const TWINS: &[(&str, &str, &str)] = &[
    (
        "panic",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(a: &[u32; 8], i: usize) -> u32 { a[i] }",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(a: &[u32; 8], i: usize) -> u32 { a[i & 7] }",
    ),
    (
        "division",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(a: u32, b: core::num::NonZeroU32) -> u32 { a / b }",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(a: u32, b: u32) -> u32 { a / 24 + (a >> (b & 31)) }",
    ),
    (
        "memory-call",
        "pub struct S([u64; 40]); #[unsafe(no_mangle)] pub extern \"C\" fn f(a: &mut S, b: &S) { a.0 = b.0; }",
        "pub struct S([u64; 40]); #[unsafe(no_mangle)] pub extern \"C\" fn f(a: &mut S, b: &S) { a.0[3] = b.0[5]; }",
    ),
    (
        "table",
        "static T: [u32; 8] = [3, 1, 4, 1, 5, 9, 2, 6];\n#[unsafe(no_mangle)] pub extern \"C\" fn f(i: usize) -> u32 { T[i & 7] }",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(i: u32) -> u32 { (0x6295_1413u32 >> ((i & 7) * 4)) & 15 }",
    ),
    (
        "wide-integer",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(a: u64, b: u64) -> u64 { ((a as u128 * b as u128) >> 64) as u64 }",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(a: u32, b: u32) -> u32 { ((a as u64 * b as u64) >> 32) as u32 }",
    ),
    (
        "float",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(a: f64) -> f64 { a * 2.0 }",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(a: f32) -> f32 { a * 2.0 + 1.0 }",
    ),
    (
        "atomic",
        "use core::sync::atomic::*; #[unsafe(no_mangle)] pub extern \"C\" fn f(a: &AtomicU32) -> u32 { a.fetch_add(1, Ordering::SeqCst) }",
        "use core::cell::Cell; #[unsafe(no_mangle)] pub extern \"C\" fn f(a: &Cell<u32>) -> u32 { a.replace(a.get().wrapping_add(1)) }",
    ),
    (
        "alignment",
        "#[repr(C, packed)] pub struct P { a: u8, b: u32 } #[unsafe(no_mangle)] pub extern \"C\" fn f(p: &P) -> u32 { p.b }",
        "#[repr(C)] pub struct P { a: u8, b: u32 } #[unsafe(no_mangle)] pub extern \"C\" fn f(p: &P) -> u32 { p.b }",
    ),
    (
        "by-value",
        "#[repr(C)] pub struct P { a: u64, b: u64, c: u64 } #[unsafe(no_mangle)] pub extern \"C\" fn f(a: u64) -> P { P { a, b: 1, c: 2 } }",
        "#[repr(C)] pub struct P { a: u64, b: u64, c: u64 } #[unsafe(no_mangle)] pub extern \"C\" fn f(a: u64, p: &mut P) { p.a = a; p.b = 1; p.c = 2; }",
    ),
    (
        "external",
        "unsafe extern \"C\" { fn other(x: u32); } #[unsafe(no_mangle)] pub extern \"C\" fn f() { unsafe { other(1) } }",
        "unsafe extern \"C\" { fn tr_hook_barrier_v(); } #[unsafe(no_mangle)] pub extern \"C\" fn f() { unsafe { tr_hook_barrier_v() } }",
    ),
    (
        "indirect",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(g: extern \"C\" fn(u32) -> u32) -> u32 { g(1) }",
        "fn g(x: u32) -> u32 { x ^ 1 } #[unsafe(no_mangle)] pub extern \"C\" fn f(x: u32) -> u32 { g(x) }",
    ),
    (
        "recursion",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(p: &mut u32, n: u32) { if n > 0 { *p ^= n; f(p, n >> 1); *p ^= 3 * n; } }",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f(p: &mut u32, mut n: u32) { while n > 0 { *p ^= n; n >>= 1; } }",
    ),
    (
        "assembly",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f() { unsafe { core::arch::asm!(\"nop\") } }",
        "#[unsafe(no_mangle)] pub extern \"C\" fn f() {}",
    ),
    (
        "stack-alignment",
        "#[repr(align(32))] pub struct A([u64; 4]); unsafe extern \"C\" { fn tr_hook_set_pipe_ptr(p: *mut A); }\n\
         #[unsafe(no_mangle)] pub extern \"C\" fn f() { let mut a = A([1, 2, 3, 4]); unsafe { tr_hook_set_pipe_ptr(&mut a) } }",
        "pub struct A([u64; 4]); unsafe extern \"C\" { fn tr_hook_set_pipe_ptr(p: *mut A); }\n\
         #[unsafe(no_mangle)] pub extern \"C\" fn f() { let mut a = A([1, 2, 3, 4]); unsafe { tr_hook_set_pipe_ptr(&mut a) } }",
    ),
];

/// Refusals that no Rust with the flags of the documentation meets; the unit tests have them as text.
const TEXT_ONLY: [&str; 6] = ["malformed", "hook", "assumed", "unwind", "vector", "unknown"];

#[test]
fn rust_that_breaks_a_rule_is_refused_and_its_twin_is_not() {
    let mut met = Vec::new();
    for (code, wrong, right) in TWINS {
        let errors = lowered(&format!("{code}_wrong"), wrong, &[])
            .err()
            .unwrap_or_else(|| panic!("{code}: let through"));
        let found: Vec<&str> = errors.0.iter().map(|e| e.refusal.code()).collect();
        assert!(found.contains(code), "{code}: {errors}");
        if let Err(errors) = lowered(&format!("{code}_right"), right, &[]) {
            panic!("the twin of {code} is refused\n{errors}");
        }
        met.push(*code);
    }
    for (code, ..) in REFUSALS {
        assert!(met.contains(code) || TEXT_ONLY.contains(code), "{code} is not tested");
    }
}

#[test]
fn the_flags_are_needed_and_the_message_names_them() {
    let sum = "#[unsafe(no_mangle)] pub extern \"C\" fn f(a: &[f32; 64], b: &[f32; 64], c: &mut [f32; 64]) {\n\
               let mut i = 0; while i < 64 { c[i] = a[i] + b[i]; i += 1; } }";
    assert!(lowered("vector_right", sum, &[]).is_ok());
    let flags: Vec<&str> = RUSTC_FLAGS
        .iter()
        .copied()
        .filter(|f| !f.contains("vectorize") && !f.contains("opt-level"))
        .collect();
    let text = rustc_with("vector_wrong", sum, &[flags.as_slice(), &["-Copt-level=3"]].concat());
    let errors = lower(&[&text], &options(Machine::AiCore)).expect_err("vectorised");
    assert!(errors.to_string().contains("-C no-vectorize-loops"), "{errors}");
    let add = "#[unsafe(no_mangle)] pub extern \"C\" fn f(a: u32, b: u32) -> u32 { a + b }";
    assert!(lowered("overflow_right", add, &[]).is_ok());
    let errors = lowered("overflow_wrong", add, &["-Coverflow-checks=on"]).expect_err("checked");
    assert!(errors.to_string().contains("overflow"), "{errors}");
}

#[test]
fn the_documentation_has_the_flags() {
    let text = include_str!("../../docs/lowering.md");
    for flag in RUSTC_FLAGS {
        let shown = flag.replacen("-C", "-C ", 1);
        assert!(text.contains(&shown), "docs/lowering.md does not have `{shown}`");
    }
}

#[test]
fn a_message_names_function_construct_and_rule() {
    let body = "pub mod tile { #[inline(never)] pub fn pick(a: &[u32; 8], i: usize) -> u32 { a[i] } }\n\
                #[unsafe(no_mangle)] pub extern \"C\" fn f(a: &[u32; 8], i: usize) -> u32 { tile::pick(a, i) }";
    let text = lowered("message", body, &[]).expect_err("a bounds check").to_string();
    assert!(text.starts_with("kernel::tile::pick (line "), "{text}");
    assert!(text.contains("a path that panics: `core::panicking::panic_bounds_check`\n  rule [panic]: index with `& (N - 1)`"), "{text}");
}

/// A tool of LLVM 15, or why there is none.
fn tool(name: &str) -> Option<PathBuf> {
    let found = [format!("{name}-15"), format!("/usr/lib/llvm-15/bin/{name}")]
        .into_iter()
        .find(|program| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success()));
    match found {
        Some(program) => Some(program.into()),
        None => {
            assert!(std::env::var_os("CI").is_none(), "{name}-15 is not installed (package llvm-15)");
            eprintln!("SKIPPED: {name}-15 is not installed (package llvm-15)");
            None
        }
    }
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"))
}

fn must(command: &mut Command) -> String {
    let out = run(command);
    let (stdout, stderr) = (
        String::from_utf8_lossy(&out.stdout).into_owned(),
        String::from_utf8_lossy(&out.stderr).into_owned(),
    );
    assert!(out.status.success() && stderr.is_empty(), "{command:?}\n{stderr}");
    stdout
}

/// The lowered device library as bitcode of LLVM 15.
fn assembled(machine: Machine, name: &str) -> Option<PathBuf> {
    let (assembler, opt) = (tool("llvm-as")?, tool("opt")?);
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lower");
    std::fs::create_dir_all(&dir).expect("scratch folder");
    let (text, bitcode) = (dir.join(format!("{name}.ll")), dir.join(format!("{name}.bc")));
    std::fs::write(&text, device::device_library(machine).unwrap_or_else(|e| panic!("{e}"))).expect("write");
    must(Command::new(assembler).arg(&text).arg("-o").arg(&bitcode));
    // opt does not know the AI Core's architecture; the verifier does not need it.
    must(
        Command::new(opt)
            .args(["-mtriple=unknown-unknown-unknown", "-passes=verify", "-disable-output"])
            .arg(&bitcode),
    );
    Some(bitcode)
}

#[test]
fn llvm_15_reads_and_verifies_the_device_library() {
    for (machine, name) in [(Machine::AiCore, "verify_aicore"), (Machine::Host, "verify_host")] {
        if assembled(machine, name).is_none() {
            return;
        }
    }
}

#[test]
fn what_stays_undefined_is_an_intrinsic_or_a_hook_on_the_list() {
    let (Some(bitcode), Some(nm)) = (assembled(Machine::AiCore, "undefined"), tool("llvm-nm")) else {
        return;
    };
    let hooks: Vec<&str> = open_hooks().collect();
    for line in must(Command::new(nm).args(["--undefined-only", "--just-symbol-name"]).arg(bitcode)).lines() {
        let name = line.trim();
        assert!(name.starts_with("llvm.hivm.") || hooks.contains(&name), "{name} is undefined");
    }
}
