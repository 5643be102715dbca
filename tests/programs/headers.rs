//! The Ascend C headers: self-checking programs of `headers/`, and programs of `compile_fail/` that must not compile.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Toprope, compilers};

fn sources(folder: &str) -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(folder);
    let mut found: Vec<PathBuf> = fs::read_dir(&dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "asc"))
        .collect();
    found.sort();
    assert!(!found.is_empty(), "no programs in {}", dir.display());
    found
}

/// Each program compares every form of its APIs with a naive loop and says how many comparisons passed. Unoptimised: they are large, and
/// what is tested does not depend on it (`kernels` runs optimised ones).
fn run_program(name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/headers").join(name);
    for compiler in compilers() {
        let done = Toprope::new(["run", "-q", "-O", "0"]).compiler(compiler).arg(&source).go().exits(0);
        assert!(done.stdout.contains("PASS: "), "{name} with {compiler}\n{}", done.stdout);
    }
}

macro_rules! programs {
    ($($test:ident: $file:literal;)*) => {
        $(#[test] fn $test() { run_program($file); })*

        #[test]
        fn every_program_of_the_folder_is_run() {
            let listed = [$($file),*];
            for path in sources("headers") {
                let name = path.file_name().and_then(|n| n.to_str()).expect("UTF-8");
                assert!(listed.contains(&name), "headers/{name} is not in the list of this module");
            }
        }
    };
}

programs! {
    atomics_caches_and_registers: "atomics.asc";
    tensors_fills_system_variables_and_host_types: "basics.asc";
    binary_instructions_in_every_form: "binary.asc";
    compares_and_selections_in_every_form: "compare.asc";
    reductions_in_every_form: "reduce.asc";
    gathers_in_every_form: "gather.asc";
    casts_of_every_pair_and_mode: "casts.asc";
    compound_arithmetic_in_every_form: "compound.asc";
    interpolation_and_extraction: "interpolate.asc";
    copies_pads_and_slices: "copy.asc";
    moves_of_the_cube_core: "cube_moves.asc";
    loads_of_matrices_seen_through_their_product: "cube_loads.asc";
    products_and_results_of_the_cube_core: "cube_products.asc";
    the_high_level_matmul_on_cube_cores: "matmul_cube.asc";
    the_high_level_matmul_of_vector_cores: "matmul_mixed.asc";
    order_between_cores: "intercore.asc";
    copies_that_change_the_layout: "moves.asc";
    lists_layouts_and_the_names_of_cpu_debugging: "lists.asc";
    pipes_queues_buffers_and_pools: "queues.asc";
    the_c_interface_and_arrays_in_ub: "c_api.asc";
    transpositions_and_sorts: "rearrange.asc";
    unary_and_scalar_instructions_in_every_form: "unary.asc";
}

/// A program of `compile_fail/` lists what the compiler must say, each after `// expect: `, and does not compile for any other reason than
/// its own lines.
#[test]
fn what_the_hardware_lacks_does_not_compile_and_is_named() {
    for path in sources("compile_fail") {
        let text = fs::read_to_string(&path).expect("source");
        let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("// expect: ")).collect();
        assert!(!expected.is_empty(), "{} expects nothing", path.display());
        for compiler in compilers() {
            Toprope::new(["run"]).compiler(compiler).arg(&path).go().exits(65).says(&expected);
        }
    }
}

/// Text of kernels comes in the order of the blocks and behind what the host printed before the launch; `TOPROPE_BLESS=1` accepts it.
#[test]
fn kernels_print_to_their_core() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs/cases/printing.asc");
    let golden = source.with_extension("txt");
    for compiler in compilers() {
        let done = Toprope::new(["run", "-q"]).compiler(compiler).arg(&source).go().exits(0);
        if std::env::var_os("TOPROPE_BLESS").is_some() {
            fs::write(&golden, &done.stdout).expect("bless");
        }
        let wanted = fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(done.stdout, wanted, "{compiler}: TOPROPE_BLESS=1 accepts it");
    }
}

/// What a case of `headers_refused/refusals.asc` must say: nothing, or these parts at its line.
fn refusal_cases(source: &str) -> Vec<(usize, u32, Vec<String>)> {
    let mut cases = Vec::new();
    for (at, line) in source.lines().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("case ") else { continue };
        let (number, rest) = rest.split_once(':').expect("case N:");
        let parts = match rest.rsplit_once("// says: ") {
            Some((_, says)) => says.split(" | ").map(|part| part.trim().to_string()).collect(),
            None => {
                assert!(
                    rest.trim_end().ends_with("// silent"),
                    "line {}: neither `says` nor `silent`",
                    at + 1
                );
                Vec::new()
            }
        };
        cases.push((at + 1, number.parse().expect("a number"), parts));
    }
    assert!(cases.len() > 30, "the cases were not found");
    cases
}

#[test]
fn what_the_headers_refuse_is_reported_at_its_line_and_the_twin_stays_silent() {
    for path in sources("headers_refused") {
        refused_at_its_line(&path);
    }
}

fn refused_at_its_line(path: &Path) {
    let name = path.file_name().and_then(|n| n.to_str()).expect("UTF-8");
    let cases = refusal_cases(&fs::read_to_string(path).expect("source"));
    for compiler in compilers() {
        for (line, number, parts) in &cases {
            let run =
                Toprope::new(["run", "-q"]).compiler(compiler).arg(path).arg("--").arg(number.to_string());
            if parts.is_empty() {
                // One call on memory that nobody filled or orders: this is about what the headers accept.
                run.env("TOPROPE_CHECK", "off").go().exits(0).says_nothing_of(&["error:"]);
            } else {
                let place = format!("{name}:{line} ");
                let said: Vec<&str> = parts.iter().map(String::as_str).chain([place.as_str()]).collect();
                run.go().exits(70).says(&said);
            }
        }
    }
}
