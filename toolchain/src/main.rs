//! The `toprope` command.
fn main() {}
