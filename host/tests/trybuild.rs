//! What must not compile. Each case opens with why. `TRYBUILD=overwrite` rewrites the expected messages.

#[test]
fn misuse_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/trybuild/*.rs");
}
