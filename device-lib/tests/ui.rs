//! What the types refuse. Each program in `ui/` says in its first line why it must not compile.

#[test]
fn wrong_uses_do_not_compile() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/right_use.rs");
    cases.compile_fail("tests/ui/fail/*.rs");
}
