//! Launch syntax on the real runtime, and kernels that a Rust host program loads.

use toprope_host::{Binary, Runtime, launch_args};
use toprope_toolchain::compile::compiler::Compiler;
use toprope_toolchain::compile::{Request, Toolchain};

use crate::support::{Toprope, case, compilers};

#[test]
fn every_form_of_launch_runs_and_passes_its_arguments() {
    for compiler in compilers() {
        let done = Toprope::new(["run", "--json"])
            .arg(case("launch_forms.asc"))
            .compiler(compiler)
            .go()
            .exits(0)
            .prints(&["PASS"]);
        let facts = done.json();
        let launched: Vec<&str> = facts["report"]["launches"]
            .as_array()
            .expect("launches")
            .iter()
            .filter_map(|l| l["kernel"].as_str())
            .collect();
        for name in [
            "mixed",
            "ops::v1::scoped",
            "ops::v1::over",
            "typed<float, 4, void>",
            "typed<int64_t, 9, void>",
            "pack<int, double, char>",
            "none",
        ] {
            assert!(launched.contains(&name), "{compiler}: {name} is not among {launched:?}");
        }
    }
}

#[test]
fn a_program_of_several_files_shares_its_kernels() {
    for compiler in compilers() {
        for order in [["several_host.cpp", "several_device.asc"], ["several_device.asc", "several_host.cpp"]]
        {
            Toprope::new(["run"])
                .dir(&case(""))
                .compiler(compiler)
                .arg(order[0])
                .arg(order[1])
                .go()
                .exits(0)
                .prints(&["41 201"]);
        }
    }
}

#[test]
fn kernels_alone_are_built_once_and_name_their_kernels() {
    let cache = tempfile::tempdir().expect("tempdir");
    for compiler in compilers() {
        let compiler = Compiler::named(compiler).expect("compiler");
        let toolchain =
            Toolchain::with_compiler(compiler).and_then(|t| t.cache_at(cache.path())).expect("toolchain");
        let request = Request::new([case("only_kernels.asc")]).kernel_only();
        let built = toolchain.build(&request).expect("build");
        assert_eq!(built.kernels, ["fill", "ops::twice"]);
        assert!(built.path.is_file());
        assert!(built.path.file_name().is_some_and(|n| n == "libonly_kernels.so"));
        let again = toolchain.build(&request).expect("build");
        assert!(again.path == built.path && again.cached);
    }
}

#[test]
fn kernels_alone_run_under_a_rust_host_program() {
    let cache = tempfile::tempdir().expect("tempdir");
    let toolchain = Toolchain::find().and_then(|t| t.cache_at(cache.path())).expect("toolchain");
    let built = toolchain.build(&Request::new([case("only_kernels.asc")]).kernel_only()).expect("build");

    let runtime = Runtime::embedded().expect("runtime");
    let device = runtime.device(0).expect("device");
    let stream = device.create_stream().expect("stream");
    let binary = Binary::load(&device, &built.path).expect("binary");
    let out = device.alloc_from(&[0_i64; 12]).expect("device memory");
    let fill = binary.function("fill").expect("kernel");
    stream.scope(|s| s.launch(fill.prepare(3, launch_args![&out, 40_i64, 4_u32])?)).expect("launch");
    assert_eq!(out.to_vec().expect("copy"), [40, 40, 40, 40, 41, 41, 41, 41, 42, 42, 42, 42]);

    let numbers = device.alloc_from(&[1.5_f32; 8]).expect("device memory");
    let twice = binary.function("ops::twice").expect("kernel in a namespace");
    stream.scope(|s| s.launch(twice.prepare(1, launch_args![&numbers])?)).expect("launch");
    assert_eq!(numbers.to_vec().expect("copy")[0], 3.0);

    // Wrong name, wrong number of arguments, wrong size: refused before anything runs.
    let error = binary.function("fil").expect_err("no such kernel").to_string();
    assert!(error.contains("fil") && error.contains("fill"), "{error}");
    let error = fill.prepare(1, launch_args![&out, 40_i64]).map(|_| ()).expect_err("too few").to_string();
    assert!(error.contains("fill"), "{error}");
    let error =
        fill.prepare(1, launch_args![&out, 40_i64, 4_u64]).map(|_| ()).expect_err("wrong size").to_string();
    assert!(error.contains("fill"), "{error}");
    let error = stream
        .scope(|s| s.launch(fill.prepare(0, launch_args![&out, 40_i64, 4_u32])?))
        .expect_err("no blocks")
        .to_string();
    assert!(error.contains('0') && error.contains("fill"), "{error}");
}

#[test]
fn tiling_structures_of_host_and_kernel_are_compared_by_field() {
    for compiler in compilers() {
        let run = |define: &str| {
            Toprope::new(["run"])
                .dir(&case(""))
                .compiler(compiler)
                .arg(format!("-D{define}"))
                .arg("tiling_host.cpp")
                .arg("tiling_device.asc")
                .go()
                .exits(0)
                .prints(&["total 7"])
        };
        run("OTHER").says(&[
            "warning: [TR0817 TilingLayout]",
            "structure `ScaleTiling` has two layouts",
            "differ from field `tileNum` on",
            "     8     8  tileNum",
            "     8     4  scale",
            "<-- first difference",
        ]);
        run("SAME").says_nothing_of(&["TR0817"]);
        run("CLASS_OTHER").says(&[
            "warning: [TR0817 TilingLayout]",
            "structure `optiling::ScaleTiling` has two layouts",
            "differ from field `scale` on",
            "     4     4  scale",
        ]);
        run("CLASS_SAME").says_nothing_of(&["TR0817"]);
    }
}

/// The line of `places.asc` that holds `text`, as findings write it.
fn place_of(text: &str) -> String {
    let source = std::fs::read_to_string(case("places.asc")).expect("source");
    let line = source.lines().position(|l| l.contains(text)).expect("the line") + 1;
    format!("places.asc:{line}")
}

#[test]
fn findings_name_the_kernel_that_ran_and_the_line_of_its_launch_at_every_optimisation() {
    for compiler in compilers() {
        for level in ["0", "2"] {
            let run = |what: &str| {
                let command = Toprope::new(["run", "-q", "-O", level]).compiler(compiler);
                command.arg(case("places.asc")).arg("--").arg(what).go()
            };
            run("0").exits(0).says_nothing_of(&["error: "]);
            // Equal bodies: the compiler may not make one function of both.
            run("1").exits(70).says(&["TR0106", &place_of("// of the second kernel"), " in second\n"]);
            run("2").exits(70).says(&["TR0808", &place_of("// launch of the second")]);
            run("3").exits(70).says(&["TR0808", &place_of("// launch of the template")]);
        }
    }
}
