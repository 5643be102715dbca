//! Bad input to the toolchain: each case has a message that says what to do, and an exit code of its own.

use std::fs;

use crate::support::{Toprope, case, compilers};

/// Line (from 1) of `text` in case `name`.
fn line_of(name: &str, text: &str) -> usize {
    let source = fs::read_to_string(case(name)).expect("case");
    source
        .lines()
        .position(|l| l.contains(text))
        .map(|at| at + 1)
        .unwrap_or_else(|| panic!("{text} is not in {name}"))
}

fn run_case(name: &str, compiler: &str) -> crate::support::Done {
    Toprope::new(["run"]).dir(&case("")).compiler(compiler).arg(name).go()
}

#[test]
fn missing_compiler_is_named_with_where_it_was_asked_for() {
    Toprope::new(["run", "x.asc"]).compiler("no-such-c++").go().exits(69).says(&[
        "no C++ compiler found",
        "no-such-c++ (from TOPROPE_CXX)",
        "help: install g++",
    ]);
    // Nothing in PATH at all.
    Toprope::new(["run", "x.asc"]).env("PATH", "").go().exits(69).says(&["looked for g++, clang++, c++"]);
}

#[test]
fn a_program_that_is_no_compiler_is_refused() {
    let source = case("syntax_error.asc");
    Toprope::new(["run"]).arg(&source).compiler("true").go().exits(69).says(&["neither g++ nor clang++"]);
}

#[test]
fn missing_sources_and_wrong_kinds_are_refused() {
    Toprope::new(["run", "no/such/file.asc"])
        .go()
        .exits(69)
        .says(&["no/such/file.asc", "help: check the path"]);
    Toprope::new(["run", "README.md"]).go().exits(69).says(&["README.md", ".asc"]);
    Toprope::new(["run", "kernels.asc"]).dir(&case("folder")).go().exits(69).says(&["is not a file"]);
    Toprope::new(["run"]).go().exits(2).says(&["FILE"]);
    Toprope::new(["run", "x.o"]).dir(&case("folder")).go().exits(69);
}

#[test]
fn a_syntax_error_in_the_kernel_is_shown_at_the_user_s_line() {
    let line = line_of("syntax_error.asc", "THE ERROR");
    for compiler in compilers() {
        run_case("syntax_error.asc", compiler)
            .exits(65)
            .says(&[
                &format!("syntax_error.asc:{line}:"),
                "error:",
                "compilation failed for syntax_error.asc",
            ])
            .says_nothing_of(&["panicked"]);
    }
}

#[test]
fn a_preprocessor_error_is_shown_at_the_user_s_line() {
    let line = line_of("preprocessor_error.asc", "no_such_header.h");
    for compiler in compilers() {
        run_case("preprocessor_error.asc", compiler).exits(65).says(&[
            &format!("preprocessor_error.asc:{line}:"),
            "no_such_header.h",
            "preprocessing failed",
        ]);
    }
}

#[test]
fn kernel_syntax_that_cannot_be_rewritten_is_shown_at_the_user_s_line() {
    let (class, ret) = (line_of("bad_kernels.asc", "IN A CLASS"), line_of("bad_kernels.asc", "RETURNS"));
    for compiler in compilers() {
        run_case("bad_kernels.asc", compiler).exits(65).says(&[
            &format!("bad_kernels.asc:{class}:"),
            "namespace scope",
            &format!("bad_kernels.asc:{ret}:"),
            "kernel 'returns' must return void",
        ]);
    }
}

#[test]
fn a_wrong_number_of_arguments_names_the_kernel_and_both_counts() {
    let line = line_of("argument_count.asc", "scale<<<");
    for compiler in compilers() {
        run_case("argument_count.asc", compiler).exits(65).says(&[
            &format!("argument_count.asc:{line}:"),
            "kernel 'ops::scale' (x, n, by) has the wrong number of arguments",
            "argument_count<3, 2>",
        ]);
    }
}

#[test]
fn an_argument_that_does_not_convert_is_named_by_position() {
    let line = line_of("argument_type.asc", "scale<<<");
    for compiler in compilers() {
        let done =
            run_case("argument_type.asc", compiler).exits(65).says(&[&format!("argument_type.asc:{line}:")]);
        let position = if compiler == "g++" { "argument 2" } else { "2nd argument" };
        done.says(&[position]);
    }
}

#[test]
fn a_wrong_number_of_launch_arguments_and_a_launch_of_no_kernel_are_explained() {
    for compiler in compilers() {
        run_case("launch_arguments.asc", compiler).exits(65).says(&[
            "a launch takes <<<blocks, ubuf>>> or <<<blocks, ubuf, stream>>>",
            "what stands before <<< is not a kernel",
            "the function before <<< returns a value",
        ]);
    }
}

#[test]
fn a_program_without_main_is_told_about_kernel_only() {
    for compiler in compilers() {
        run_case("no_main.asc", compiler).exits(65).says(&["has no main function", "--kernel-only"]);
    }
}

#[test]
fn a_kernel_only_build_without_kernels_is_refused() {
    Toprope::new(["build", "--kernel-only"])
        .arg(case("no_kernels.cpp"))
        .go()
        .exits(69)
        .says(&["defines no kernel", "help: a kernel is"]);
}

#[test]
fn a_dtype_the_hardware_lacks_does_not_compile_and_is_named() {
    let line = line_of("dtype.asc", "Add(");
    for compiler in compilers() {
        run_case("dtype.asc", compiler).exits(65).says(&[&format!("dtype.asc:{line}:"), "double", "Add"]);
    }
}

#[test]
fn foreign_and_missing_runtime_libraries_are_told_apart() {
    let dir = tempfile::tempdir().expect("tempdir");
    let run = || {
        Toprope::new(["run"]).arg(case("no_kernels.cpp")).env("TOPROPE_LIB_DIR", dir.path()).go().exits(69)
    };
    run().says(&["libascendcl.so of this build not found", "TOPROPE_LIB_DIR"]);
    fs::write(dir.path().join("libascendcl.so"), "not a library").expect("write");
    run().says(&["is not toprope's libascendcl.so"]);
}

#[test]
fn doctor_reports_and_fails_when_something_needed_is_missing() {
    let good = Toprope::new(["doctor"]).go().exits(0);
    assert!(good.stdout.contains("toprope can compile and run kernels here."), "{}", good.stdout);
    let bad = Toprope::new(["doctor", "--json"]).compiler("no-such-c++").go().exits(69).json();
    assert_eq!(bad["healthy"], false);
    let compiler =
        bad["checks"].as_array().and_then(|c| c.iter().find(|c| c["name"] == "C++ compiler")).expect("check");
    assert_eq!(compiler["state"], "missing");
    assert!(compiler["help"].as_str().is_some_and(|h| h.contains("install")));
}

#[test]
fn explain_knows_findings_and_codes_and_says_when_it_does_not() {
    Toprope::new(["explain", "507035"]).go().exits(0).prints(&["507035", "help:"]);
    Toprope::new(["explain", "ErrorRead1"]).go().exits(0).prints(&["ErrorRead1"]);
    Toprope::new(["explain", "NoSuch"]).go().exits(69).says(&["neither a finding code nor an ACL error"]);
}

#[test]
fn an_api_the_headers_do_not_have_is_named_with_what_to_do() {
    let line = line_of("missing_api.asc", "THE ERROR");
    for compiler in compilers() {
        run_case("missing_api.asc", compiler).exits(65).says(&[
            &format!("missing_api.asc:{line}:"),
            "help: toprope does not know AscendC::NoSuchFunction yet: docs/ascendc-support.md",
        ]);
    }
}

#[test]
fn a_program_runs_on_the_runtime_it_was_compiled_for() {
    // The shell has the environment of another installation.
    let other = tempfile::tempdir().expect("tempdir");
    std::fs::write(other.path().join("libascendcl.so"), "not a library").expect("write");
    Toprope::new(["run"])
        .arg(case("several_host.cpp"))
        .arg(case("several_device.asc"))
        .env("LD_LIBRARY_PATH", other.path())
        .go()
        .exits(0)
        .prints(&["41 201"]);
}
