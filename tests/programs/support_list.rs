//! `docs/ascendc-support.md` says which names of the public basic API the headers have (`TOPROPE_BLESS=1` writes it).
//!
//! Not what a table claims, but what the compiler finds: a program that names every one of them is compiled, and its errors are read.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use toprope_toolchain::names::{self, Kind, Name};

use crate::support::{Toprope, root};

const HEAD: &str = "# Ascend C: which names toprope knows

Written from the headers in `device-lib/include` by `TOPROPE_BLESS=1 cargo test -p toprope-tests --test programs support`; do not edit.

The names are those that the public reference of the basic API documents for Atlas A2 (NpuArch 2201). A name that is there has the forms
that the documents describe for 2201; a form or a data type that is not there is refused by name when it is compiled or run. Of the
high-level APIs there are `Matmul`, `SoftMax` (not NZ) and `AscendQuant` (device-lib/include/README.md); the others (`Gelu`, …), the C API (`asc_*`), SIMT and everything for other
architectures are not there.
";

const INCLUDES: &str = "#include \"kernel_operator.h\"
#if __has_include(\"kernel_operator_list_tensor_intf.h\")
#include \"kernel_operator_list_tensor_intf.h\"
#endif
#if __has_include(\"tikicpulib.h\")
#include \"tikicpulib.h\"
#endif
";

/// The lines that do not compile if `name` is missing.
fn lines_for(index: usize, name: &Name) -> Vec<String> {
    let text = name.name;
    match (name.kind, text.split_once("::")) {
        (Kind::Macro, _) => {
            vec![format!("#ifndef {text}"), format!("missing macro{index};"), "#endif".into()]
        }
        (Kind::Member, Some((class, member))) => {
            let class = with_arguments(class);
            vec![format!("struct p{index} : AscendC::{class} {{ using AscendC::{class}::{member}; }};")]
        }
        _ => vec![format!("namespace p{index} {{ using AscendC::{text}; }}")],
    }
}

/// Class templates with arguments that they take.
fn with_arguments(class: &str) -> String {
    let arguments = match class {
        "GlobalTensor" | "LocalTensor" | "TensorDesc" => "<float>",
        "TQue" => "<AscendC::TPosition::VECIN, 1>",
        "TQueBind" => "<AscendC::TPosition::VECIN, AscendC::TPosition::VECOUT, 1>",
        "TBuf" => "<AscendC::TPosition::VECCALC>",
        "TBufPool" => "<AscendC::TPosition::VECCALC>",
        "GroupBarrier" => "<AscendC::PipeMode::MTE3_MODE>",
        "Layout" => "<AscendC::Shape<int>, AscendC::Stride<int>>",
        "TensorTrait" => "<float>",
        "LocalMemAllocator" => "<AscendC::Hardware::UB>",
        _ => "",
    };
    format!("{class}{arguments}")
}

/// Names that the headers lack.
fn missing() -> BTreeSet<&'static str> {
    let mut text = String::from(INCLUDES);
    // Which name a line of the program is about; lines count from 1.
    let mut about = vec![None; INCLUDES.lines().count() + 1];
    for (index, name) in names::all().enumerate() {
        for line in lines_for(index, &name) {
            let _ = writeln!(text, "{line}");
            about.push(Some(name.name));
        }
    }
    let dir = tempfile::tempdir().expect("tempdir");
    let source = dir.path().join("names.asc");
    fs::write(&source, text).expect("write");
    let options = ["cc", "-fsyntax-only", "-fmax-errors=0", "-fno-diagnostics-show-caret"];
    let done = Toprope::new(options).compiler("g++").arg(&source).go();
    let line_of =
        |message: &str| message.split("names.asc:").nth(1)?.split(':').next()?.parse::<usize>().ok();
    let errors = done.stderr.lines().filter(|line| line.contains("error:"));
    let found: BTreeSet<&str> = errors.filter_map(|e| about.get(line_of(e)?).copied().flatten()).collect();
    assert!(done.code == 0 || !found.is_empty(), "the program was not understood:\n{}", done.stderr);
    found
}

fn words(names: &[&str]) -> String {
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" ")
}

fn list() -> String {
    let missing = missing();
    let mut families: Vec<(&str, Vec<&str>, Vec<&str>)> = Vec::new();
    for name in names::all() {
        if families.last().is_none_or(|f| f.0 != name.family) {
            families.push((name.family, Vec::new(), Vec::new()));
        }
        let family = families.last_mut().expect("one was pushed");
        if missing.contains(name.name) { family.2.push(name.name) } else { family.1.push(name.name) }
    }
    let (there, not): (usize, usize) =
        families.iter().fold((0, 0), |sum, f| (sum.0 + f.1.len(), sum.1 + f.2.len()));
    let mut out = format!(
        "{HEAD}\n**{there} of {} names are there.**\n\n| family | there | not yet |\n|---|---|---|\n",
        there + not
    );
    for (family, there, not) in &families {
        let _ = writeln!(out, "| {family} | {} | {} |", words(there), words(not));
    }
    out
}

#[test]
fn the_list_of_supported_names_is_what_the_headers_have() {
    let path = root().join(names::SUPPORT_LIST);
    let list = list();
    if std::env::var_os("TOPROPE_BLESS").is_some() {
        fs::write(&path, &list).expect("write");
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == list,
        "{} is out of date: TOPROPE_BLESS=1 cargo test -p toprope-tests --test programs support",
        path.display()
    );
}
