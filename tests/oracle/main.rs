//! An independent witness: the public vendor library for AI Core (AscendNPU-IR's operator templates, as bitcode) runs as kernels of the
//! embedded NPU, and what it computes is compared with references written here.
//!
//! ```text
//! wheel ─llvm-dis▶ text ─ir: pick, rewrite▶ host IR ┐
//! abi::isa ─shim▶ C: llvm.hivm.X ─▶ tr_issue(OP, …) ┴─clang▶ shared object ─▶ Npu ─▶ compare
//! ```
//! The templates are the vendor's own use of the instructions: packing, masks, repeats, strides and the meaning of results are theirs,
//! not ours. The suite is optional: without the wheel, `llvm-dis` or `clang` it says so and is skipped; CI has all three.
//! `TOPROPE_ASCENDNPU_IR=<wheel or folder>` names a wheel; otherwise pip fetches one by name and version. Nothing of it is kept in the tree.
//!
//! Not covered: order of instructions on different pipes beyond what the templates synchronise themselves; timing; the debug templates.
//! Source of the calling rules: module `ir`; of the templates' meaning: public sources of AscendNPU-IR (`bishengir/lib/Template`).

mod bench;
mod case;
mod cube;
mod ir;
mod lowered;
mod moves;
mod reduce;
mod shim;
mod vector;
mod wheel;

use bench::Bench;
use case::Case;
use std::collections::BTreeMap;
use std::process::Command;
use toprope_abi::isa::CoreKind;

/// Templates that must agree with their references for the witness to count.
const ENOUGH: usize = 40;

/// Templates that break a published constraint, which is then refused as published: name, what the refusal says.
/// All of them accumulate 16-bit integers, or bits, over the repeats of one instruction; the page on general constraints allows that for half,
/// int32_t and float and seven functions only.
const BREAK_CONSTRAINTS: &[(&str, &str)] = &[
    ("reduce_sum_r_int16_t", "writes what the next repeat reads"),
    ("reduce_prod_r_int16_t", "writes what the next repeat reads"),
    ("reduce_max_r_int16_t", "writes what the next repeat reads"),
    ("reduce_min_r_int16_t", "writes what the next repeat reads"),
    ("reduce_andi_r_", "writes what the next repeat reads"),
    ("reduce_ori_r_", "writes what the next repeat reads"),
];

/// Templates whose results depend on what no document says and the table decides otherwise; they are shown, not hidden.
/// An ascending sort pads with NaN, multiplies everything by -1 and wants the padding last: NaN × -1 must have its sign bit set and sort below
/// everything, where the table makes every product with NaN a positive NaN and sorts NaN first.
const OPEN: &[&str] = &["sort_1d_", "sort_with_index_1d_"];

fn first_that_runs(programs: &[&str]) -> Option<String> {
    let runs = |p: &&&str| Command::new(p).arg("--version").output().is_ok_and(|o| o.status.success());
    programs.iter().find(runs).map(|p| (*p).to_owned())
}

/// Wheel text per module and the compiler, or why the suite cannot run.
fn prerequisites() -> Result<([String; 2], String), String> {
    let clang = first_that_runs(&["clang", "clang-19", "clang-16", "clang-15", "clang-14"])
        .ok_or("clang is not installed")?;
    let llvm_dis = first_that_runs(&["llvm-dis", "llvm-dis-19", "llvm-dis-16", "llvm-dis-15", "llvm-dis-14"])
        .ok_or("llvm-dis is not installed (package llvm)")?;
    let wheel = wheel::find()?;
    let [vector, cube] = wheel::MODULES.map(|m| wheel::disassemble(&wheel, m, &llvm_dis));
    Ok(([vector?, cube?], clang))
}

fn vector_cases() -> Vec<Case> {
    let mut cases = vector::cases();
    moves::cases(&mut cases);
    reduce::cases(&mut cases);
    cases
}

/// What became of a template.
#[derive(Default)]
struct Row {
    cases: usize,
    wrong: Vec<String>,
}

fn run(kind: CoreKind, text: &str, cases: &[Case], clang: &str, report: &mut BTreeMap<String, Row>) {
    let module = ir::Module::parse(text);
    let mut roots: Vec<String> = cases.iter().map(|c| format!("_mlir_ciface_{}", c.template)).collect();
    roots.sort();
    roots.dedup();
    roots.retain(|r| module.has(r));
    let bench = match Bench::new(kind, &module, roots, clang) {
        Ok(b) => b,
        Err(e) => panic!("{kind:?} templates: {e}"),
    };
    for case in cases {
        let row = report.entry(case.template.clone()).or_default();
        row.cases += 1;
        if let Err(e) = bench.run(case) {
            row.wrong.push(e);
        }
    }
}

fn refused_as_published(template: &str, why: &str) -> bool {
    BREAK_CONSTRAINTS.iter().any(|(name, text)| template.starts_with(name) && why.contains(text))
}

#[test]
fn vendor_templates_agree_with_references() {
    let ([vector, cube], clang) = match prerequisites() {
        Ok(p) => p,
        Err(why) => {
            let required = std::env::var("CI").as_deref() == Ok("true") && !wheel::network_refused(&why);
            assert!(!required, "CI needs the oracle: {why}");
            eprintln!("SKIPPED: oracle: {why}");
            return;
        }
    };
    let mut report = BTreeMap::new();
    run(CoreKind::Aiv, &vector, &vector_cases(), &clang, &mut report);
    run(CoreKind::Aic, &cube, &cube::cases(), &clang, &mut report);
    let (mut right, mut bad) = (0, Vec::new());
    for (template, row) in &report {
        let why = row.wrong.first().map_or("ok", String::as_str);
        eprintln!("{template:<60} {:>3} cases  {why}", row.cases);
        match row.wrong.first() {
            None => right += 1,
            Some(w) if w.starts_with("missing: ") => {}
            Some(_) if OPEN.iter().any(|o| template.starts_with(o)) => {
                eprintln!("    open question: see OPEN")
            }
            Some(_) if row.wrong.iter().all(|w| refused_as_published(template, w)) => {}
            Some(w) => bad.push(format!("{template}: {w}")),
        }
    }
    eprintln!("{right} of {} templates agree", report.len());
    assert!(bad.is_empty(), "{} templates disagree:\n{}", bad.len(), bad.join("\n"));
    assert!(right >= ENOUGH, "only {right} templates ran to the end");
}
