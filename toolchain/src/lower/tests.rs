//! Statements and modules as text; what rustc really writes is tested in `toolchain/tests/lower.rs`.

use proptest::prelude::*;

use super::*;

fn options(machine: Machine) -> LowerOptions {
    LowerOptions { machine, exports: Vec::new(), title: "test".to_owned() }
}

/// A module with one function `f` of this body.
fn module(body: &str) -> String {
    format!("define void @f(i32 noundef %a, ptr noundef %p, i64 %w) unnamed_addr #0 {{\nstart:\n{body}\n}}\n")
}

fn lowered(body: &str) -> String {
    lower(&[&module(&format!("{body}\n  ret void"))], &options(Machine::AiCore))
        .unwrap_or_else(|e| panic!("{e}"))
}

fn refused(body: &str) -> &'static str {
    let text = module(&format!("{body}\n  ret void"));
    match lower(&[&text], &options(Machine::AiCore)) {
        Ok(text) => panic!("let through:\n{text}"),
        Err(errors) => errors.0[0].refusal.code(),
    }
}

/// A statement and what it becomes.
const REWRITTEN: &[(&str, &str)] = &[
    ("%x = or disjoint i32 %a, 1, !dbg !7", "%x = or i32 %a, 1"),
    ("%x = zext nneg i32 %a to i64", "%x = zext i32 %a to i64"),
    ("%x = trunc nuw nsw i32 %a to i8", "%x = trunc i32 %a to i8"),
    ("%x = icmp samesign ult i32 %a, 7", "%x = icmp ult i32 %a, 7"),
    ("%x = getelementptr inbounds nuw i8, ptr %p, i64 4", "%x = getelementptr inbounds i8, ptr %p, i64 4"),
    ("%x = add nuw nsw i32 %a, -1", "%x = add nuw nsw i32 %a, -1"),
    ("%x = load i32, ptr %p, align 4, !range !3, !noundef !4", "%x = load i32, ptr %p, align 4"),
    ("store volatile i64 0, ptr %p, align 8", "store volatile i64 0, ptr %p, align 8"),
    ("%x = udiv i32 %a, 12", "%x = udiv i32 %a, 12"),
    ("%x = ptrtoaddr ptr %p to i64", "%x = ptrtoint ptr %p to i64"),
    ("%x = fmul reassoc float 0x3FF0000000000000, 2.0", "%x = fmul float 0x3FF0000000000000, 2.0"),
    ("%x = alloca [12 x i8], align 4", "%x = alloca [12 x i8], align 4"),
    ("switch i32 %a, label %b [\n    i32 1, label %c\n  ]", "switch i32 %a, label %b [ i32 1, label %c ]"),
    ("%x = phi i32 [ 0, %start ], [ %a, %\"b 2\" ]", "%x = phi i32 [ 0, %start ], [ %a, %\"b 2\" ]"),
    ("call void @tr_hook_barrier_v() #3", "call void @llvm.hivm.BARRIER(i64 1)"),
    (
        "call void @tr_hook_set_flag_v_mte3(i32 noundef range(i32 0, 8) 5) #3",
        "call void @llvm.hivm.SET.FLAG.IMM(i64 1, i64 5, i64 5)",
    ),
    (
        "call void @tr_hook_wait_flag_mte2_v(i32 noundef %a)",
        "call void @llvm.hivm.WAIT.FLAG.REG(i64 4, i64 1, i64 %tr.1)",
    ),
    ("%x = call noundef ptr @tr_hook_live_pipe()", "%x = inttoptr i64 0 to ptr"),
    ("%x = call i32 @tr_hook_sub_block_idx()", "%x = trunc i64 %tr.1 to i32"),
    ("%x = tail call i32 @llvm.umin.i32(i32 %a, i32 7)", "%tr.1 = icmp ult i32 %a, 7"),
    ("%x = call i64 @llvm.cttz.i64(i64 %w, i1 true)", "%tr.3 = add i64 %tr.2, -1"),
];

#[test]
fn statements_are_rewritten() {
    for (from, to) in REWRITTEN {
        let text = lowered(&format!("  {from}"));
        assert!(text.lines().any(|l| l.trim() == *to), "{from}\n{text}");
    }
}

/// Statements that only tell the optimiser something.
const GONE: &[&str] = &[
    "call void @llvm.assume(i1 noundef true)",
    "call void @llvm.lifetime.start.p0(ptr nonnull %p)",
    "tail call void @llvm.experimental.noalias.scope.decl(metadata !12)",
    "#dbg_value(i32 %a, !4, !DIExpression(), !9)",
    "call void @tr_hook_note_pipe(i32 noundef 0, i64 noundef %w)",
    "call void @tr_hook_fault(i32 %a, i64 0, i32 0, i64 0, i64 0)",
];

#[test]
fn what_only_tells_something_is_gone() {
    for statement in GONE {
        let text = lowered(&format!("  {statement}"));
        assert!(text.contains("start:\n  ret void\n}"), "{statement}\n{text}");
    }
}

/// A statement and the refusal that it meets; rustc's own versions are in the integration test.
const REFUSED: &[(&str, &str)] = &[
    ("%x = add i128 0, 1", "wide-integer"),
    ("%x = add <4 x i32> zeroinitializer, zeroinitializer", "vector"),
    ("%x = fadd double 0.0, 0.0", "float"),
    ("%x = udiv i32 %a, %a", "division"),
    ("%x = udiv i32 %a, 0", "division"),
    ("%x = load atomic i32, ptr %p seq_cst, align 4", "atomic"),
    ("fence seq_cst", "atomic"),
    ("%x = load i32, ptr %p, align 2", "alignment"),
    ("%x = alloca i64, align 16", "stack-alignment"),
    ("%x = load i32, ptr @table, align 4", "table"),
    ("call void asm sideeffect \"nop\", \"\"()", "assembly"),
    ("call void %p(i32 1)", "indirect"),
    ("call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 8, i1 false)", "memory-call"),
    ("call void @memset(ptr %p, i32 0, i64 8)", "memory-call"),
    ("call void @_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE(i64 0, i64 0)", "panic"),
    ("call void @other(i32 1)", "external"),
    ("invoke void @f() to label %a unwind label %b", "unwind"),
    ("%x = load { i32, i32 }, ptr %p, align 4", "unknown"),
    ("%x = frobnicate i32 %a", "unknown"),
    ("%x = load i32, ptr addrspace(6) %p, align 4", "unknown"),
    ("%x = add i32 %a, 1 junk", "unknown"),
    ("call void @f(i32 1) [ \"deopt\"(i32 1) ]", "unknown"),
    ("%x = call i32 @llvm.ucmp.i32.i32(i32 %a, i32 %a)", "unknown"),
];

#[test]
fn what_is_on_no_list_is_refused() {
    for (statement, code) in REFUSED {
        assert_eq!(refused(&format!("  {statement}")), *code, "{statement}");
    }
}

#[test]
fn exported_functions_pass_no_aggregates() {
    for header in [
        "define { i32, i32 } @f()",
        "define void @f(ptr sret([8 x i8]) %out)",
        "define void @f([2 x i64] %pair)",
    ] {
        let text = format!("{header} {{\nstart:\n  unreachable\n}}\n");
        let errors = lower(&[&text], &options(Machine::AiCore)).expect_err(header);
        assert_eq!(errors.0[0].refusal.code(), "by-value", "{header}");
    }
}

#[test]
fn recursion_is_refused_and_shown() {
    let text = "define void @f() {\nstart:\n  call void @g()\n  ret void\n}\ndefine void @g() {\nstart:\n  call void @f()\n  ret void\n}\n";
    let errors = lower(&[text], &options(Machine::AiCore)).expect_err("a circle");
    assert!(errors.to_string().contains("`f → g → f`"), "{errors}");
}

#[test]
fn every_refusal_has_a_rule_and_a_distinct_name() {
    let codes: BTreeSet<&str> = REFUSALS.iter().map(|r| r.0).collect();
    assert_eq!(codes.len(), REFUSALS.len());
    assert!(REFUSALS.iter().all(|(_, what, rule)| !what.is_empty() && rule.len() > 10));
}

#[test]
fn every_hook_has_a_form() {
    assert_eq!(hooks_without_form(), Vec::<&str>::new());
}

#[test]
fn modules_of_several_crates_are_one_program() {
    let a = "define void @kernel() {\nstart:\n  call void @_ZN3dev4help17h0123456789abcdefE(i32 3)\n  ret void\n}\n";
    let b = "define void @_ZN3dev4help17h0123456789abcdefE(i32 %x) {\nstart:\n  ret void\n}\ndefine void @unused() {\nstart:\n  ret void\n}\n";
    let only = LowerOptions { exports: vec!["kernel".to_owned()], ..options(Machine::AiCore) };
    let text = lower(&[a, b], &only).unwrap_or_else(|e| panic!("{e}"));
    assert!(text.contains("define internal void @toprope.help.1(i32 %x) #0"), "{text}");
    assert!(text.contains("call void @toprope.help.1(i32 3)") && !text.contains("@unused"), "{text}");
    let absent = LowerOptions { exports: vec!["kernle".to_owned()], ..options(Machine::AiCore) };
    assert_eq!(lower(&[a, b], &absent).expect_err("no such function").0[0].refusal.code(), "external");
}

/// Pieces of LLVM text, right and wrong.
const PIECES: &[&str] = &[
    "define",
    "void",
    "@f",
    "(",
    ")",
    "{",
    "}",
    "\n",
    "start:",
    "ret",
    "i32",
    "%a",
    ",",
    "\"",
    "!",
    "#",
    "<",
    ">",
    "[",
    "]",
    "switch",
    "phi",
    "=",
    "call",
    "align",
    "4",
    "-1",
    "i24",
    "ptr",
    "addrspace",
    "c\"\\00\"",
    "attributes #0 = { cold }",
    "%T = type { i32 }",
    "é",
    ";",
    "load",
    "store",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Any text gets an answer.
    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,200}") {
        let _ = lower(&[&text], &options(Machine::AiCore));
    }

    /// Text that looks like LLVM gets an answer.
    #[test]
    fn no_pieces_make_it_panic(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..60)) {
        let _ = lower(&[&pieces.join(" ")], &options(Machine::AiCore));
        let _ = lower(&[&module(&pieces.join(" "))], &options(Machine::Host));
    }

    /// A line of the device library with bytes cut out or doubled gets an answer, and what comes out has no construct that is refused.
    #[test]
    fn broken_lines_of_real_ir_get_an_answer(n in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), word in prop::sample::select(PIECES)) {
        let text = device::library_text();
        let lines: Vec<&str> = text.lines().filter(|l| l.starts_with("  ")).collect();
        prop_assume!(!lines.is_empty());
        let mut words: Vec<&str> = n.get(&lines).split(' ').collect();
        let at = at.index(words.len());
        words.insert(at, word);
        if let Ok(out) = lower(&[&module(&format!("{}\n  ret void", words.join(" ")))], &options(Machine::AiCore)) {
            prop_assert!(!["i24", "addrspace(", "!range", " nneg "].iter().any(|bad| out.contains(bad)), "{out}");
        }
    }
}
