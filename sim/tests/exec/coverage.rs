//! Which reference stands behind every row of the instruction table.
//!
//! Rows with a data effect are compared with a naive reference by `vector::every_row_matches_the_reference`, which fails for a row that no
//! arm takes. This file says where the reference is (a new [`Kind`] does not compile without one) and makes the same demand of the rows that
//! the engine executes itself, which nothing compares: some test must issue them by name, or all of their kind.
//!
//! `cargo test -p toprope-sim --test exec coverage -- --nocapture` prints the list.

use std::path::{Path, PathBuf};
use toprope_abi::isa::{CubeKind, Kind, OPS};

/// What stands behind a row.
enum Behind {
    /// A reference: file and function below `tests/`.
    Reference(&'static str, &'static str),
    /// Tests of the engine that take every row of the kind: file and test.
    Engine(&'static str, &'static str),
    /// Tests of the engine that name the row: folder or file.
    Named(&'static str),
}

fn behind(kind: Kind) -> Behind {
    use Behind::{Engine, Named, Reference};
    match kind {
        Kind::Binary(_)
        | Kind::Scalar(_)
        | Kind::Unary(_)
        | Kind::Convert(_)
        | Kind::ConvertDeq
        | Kind::Duplicate
        | Kind::CopyMasked => Reference("exec/reference.rs", "element"),
        Kind::Brcb => Reference("exec/copies.rs", "check_brcb"),
        Kind::CopyBurst(_) => Reference("exec/copies.rs", "check_burst"),
        Kind::CopyAlign(_) => Reference("exec/copies.rs", "check_align"),
        Kind::Compare(_) => Reference("exec/compare.rs", "check_row"),
        Kind::Reduce(_) => Reference("exec/reduce.rs", "check_row"),
        Kind::Gather(_) => Reference("exec/gather.rs", "check_row"),
        Kind::Compound(_) => Reference("exec/compound.rs", "check_row"),
        Kind::Rearrange(_) => Reference("exec/rearrange.rs", "check_row"),
        Kind::Load(_) => Reference("exec/load.rs", "check"),
        Kind::Cube(CubeKind::FixpipeToGm | CubeKind::FixpipeToL1) => {
            Reference("exec/cube/fixpipe.rs", "results_are_their_definition")
        }
        Kind::Cube(_) => Reference("exec/cube.rs", "products_are_their_definition"),
        Kind::SetSpr(_) | Kind::MoveMask | Kind::SetCtrlBit | Kind::ClearCtrlBit => {
            Engine("npu/registers.rs", "what_is_written_is_read")
        }
        Kind::SetFlag | Kind::WaitFlag | Kind::Barrier | Kind::Cross(_) | Kind::System(_) => Named("npu"),
    }
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Text of every Rust file below `path`.
fn texts(path: &Path) -> String {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).expect("a readable folder").flatten();
        return entries.map(|e| texts(&e.path())).collect();
    }
    let rust = path.extension().is_some_and(|e| e == "rs");
    if rust { std::fs::read_to_string(path).expect("a readable file") } else { String::new() }
}

#[test]
fn every_row_has_something_behind_it() {
    let mut bare = Vec::new();
    for row in OPS {
        let (place, found) = match behind(row.kind) {
            Behind::Reference(file, function) | Behind::Engine(file, function) => {
                let text = texts(&tests().join(file));
                (format!("{file}: {function}"), text.contains(&format!("fn {function}")))
            }
            Behind::Named(folder) => {
                let text = texts(&tests().join(folder));
                (format!("{folder}: by name"), text.contains(&format!("Op::{:?}", row.op)))
            }
        };
        eprintln!("{:<40} {place}", row.intrinsic);
        if !found {
            bare.push(format!("{} ({place})", row.intrinsic));
        }
    }
    assert!(bare.is_empty(), "rows without a reference or a test:\n{}", bare.join("\n"));
}
