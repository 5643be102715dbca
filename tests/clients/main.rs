//! Programs that know nothing of toprope drive the embedded runtime, each built the way its users build.
//!
//! | client | how it gets to the runtime |
//! |---|---|
//! | `c/client.c` | `eval "$(toprope env)"`, then a C compiler with `-lascendcl`; with long paths; under every library name |
//! | `cpp/` | an ordinary CMake project with `$ENV{ASCEND_HOME_PATH}`; also installed, and run in a shell without the environment |
//! | `kernels/` | a CMake project with `ascendc_library` and `ascendc_fatbin_library` |
//! | `cmake_asc/` | a CMake project in the language ASC, see [`cmake_asc`] |
//! | `tiling/client.cpp` | a C++ compiler with the library names and folders that pyasc uses, see [`tiling`]; `tiling/matmul.asc` is a kernel that uses what it is told |
//! | `python/client.py` | ctypes, the library by its name |
//! | `package/` | the Python package of this project as a wheel, see [`package`] |
//! | `pyasc/` | the official pyasc package from PyPI, see [`pyasc`] |
//!
//! [`symbols`] holds the library to its list: it exports the functions of the table and nothing by accident. [`prefix`] looks at the folder
//! that all of this is found in.

mod cmake_asc;
mod package;
mod prefix;
mod pyasc;
mod support;
mod symbols;
mod tiling;

use support::{Shell, have};

const CLIENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/clients");

#[test]
fn a_c_program_is_compiled_with_nothing_but_the_library_s_name() {
    for compiler in ["gcc", "clang"] {
        if !have(compiler, if compiler == "gcc" { "gcc" } else { "clang" }) {
            continue;
        }
        for standard in ["c99", "c17"] {
            let shell = Shell::new();
            shell.runs(&format!(
                "{compiler} -std={standard} -pedantic -Wall -Wextra -Werror {CLIENTS}/c/client.c -lascendcl -o client"
            ));
            let out = shell.runs("./client");
            assert!(out.ends_with("PASS\n"), "{compiler} {standard}: {out}");
        }
    }
}

#[test]
fn a_c_program_is_compiled_with_the_paths_that_others_write_out() {
    if !have("gcc", "gcc") {
        return;
    }
    let shell = Shell::new();
    for (include, lib, name) in [
        ("include", "lib64", "ascendcl"),
        ("include", "lib64", "acl_rt"),
        ("runtime/include", "runtime/lib64/stub", "acl_rt"),
        ("compiler/include", "compiler/lib64", "runtime"),
        ("$(uname -m)-linux/include", "$(uname -m)-linux/devlib", "ascendcl"),
        ("include", "tools/simulator/dav_2201/lib", "runtime_camodel -lnpu_drv_camodel"),
    ] {
        // Without the search variables: these builds must not need them.
        shell.runs(&format!(
            "unset C_INCLUDE_PATH LIBRARY_PATH
             gcc {CLIENTS}/c/client.c -I$ASCEND_HOME_PATH/{include} -L$ASCEND_HOME_PATH/{lib} -l{name} -o client"
        ));
        assert!(shell.runs("./client").ends_with("PASS\n"), "{include} {lib} {name}");
        let needed = shell.runs("readelf -d client | grep NEEDED");
        assert!(
            needed.contains("[libascendcl.so]"),
            "-l{name}: the loader is asked for the runtime: {needed}"
        );
    }
}

#[test]
fn a_cmake_project_builds_runs_and_installs() {
    if !have("cmake", "cmake") {
        return;
    }
    let shell = Shell::new();
    shell.runs(&format!(
        "cmake -S {CLIENTS}/cpp -B build -DCMAKE_INSTALL_PREFIX=$PWD/out >log 2>&1 || {{ cat log; exit 1; }}
         cmake --build build >log 2>&1 || {{ cat log; exit 1; }}
         cmake --install build >log 2>&1 || {{ cat log; exit 1; }}"
    ));
    for program in ["build/client", "build/client_acl_rt", "out/bin/client", "out/bin/client_acl_rt"] {
        let out = shell.runs(program);
        assert!(out.ends_with("PASS\n"), "{program}: {out}");
    }
    // CMake wrote the prefix into the program: the build tree works in any shell.
    assert!(Shell::bare(&shell).runs("build/client").ends_with("PASS\n"));
}

#[test]
fn a_kernel_project_builds_with_the_commands_of_ascendc_cmake() {
    if !have("cmake", "cmake") {
        return;
    }
    let shell = Shell::new();
    shell.runs(&format!(
        "cp -r {CLIENTS}/kernels src
         cmake -S src -B build -DCMAKE_INSTALL_PREFIX=$PWD/out >log 2>&1 || {{ cat log; exit 1; }}
         cmake --build build >log 2>&1 || {{ cat log; exit 1; }}
         cmake --install build >log 2>&1 || {{ cat log; exit 1; }}"
    ));
    let run = "out/bin/kernel_client out/fatbin/scale_kernels/scale_kernels.o";
    let out = shell.runs(run);
    assert!(out.contains("block 0 of 6\n") && out.ends_with("PASS\n"), "{out}");
    // A changed header is seen: factor 4 for host and kernel. (Nothing else is older than it, so its time is set forward.)
    let touched =
        "sed -i 's/FACTOR = 3/FACTOR = 4/' src/include/scale.h && touch -d '+2 seconds' src/include/scale.h";
    shell.runs(&format!("{touched} && cmake --build build >log 2>&1 && cmake --install build >>log 2>&1 || {{ cat log; exit 1; }}"));
    assert!(
        shell.runs(run).ends_with("PASS\n"),
        "host and kernel disagree: one of them was not compiled again"
    );
}

#[test]
fn a_python_program_loads_the_library_by_name() {
    if !have("python3", "python3") {
        return;
    }
    let out = Shell::new().runs(&format!("python3 {CLIENTS}/python/client.py"));
    assert!(out.ends_with("PASS\n"), "{out}");
}

/// The line of `c/findings.c` with the comment `mark`, as a finding names it.
fn line_of(mark: &str) -> String {
    let text = std::fs::read_to_string(format!("{CLIENTS}/c/findings.c")).expect("source");
    let at =
        text.lines().position(|line| line.contains(&format!("/* {mark} */"))).expect("a line with the mark");
    format!("findings.c:{}", at + 1)
}

#[test]
fn findings_name_the_program_s_own_lines() {
    if !have("gcc", "gcc") {
        return;
    }
    let shell = Shell::new();
    let said = shell.runs(&format!("gcc -g {CLIENTS}/c/findings.c -lascendcl -o a && ./a 2>&1"));
    for mark in ["allocated", "freed", "freed twice", "lost"] {
        assert!(said.contains(&line_of(mark)), "{mark}: {}\n{said}", line_of(mark));
    }
    assert!(!said.contains("lib.rs"), "a place inside the library is no place of the program: {said}");
}

#[test]
fn a_program_that_calls_what_no_library_has_is_told_by_name() {
    if !have("gcc", "gcc") {
        return;
    }
    let shell = Shell::new();
    let said = shell.fails(
        "printf 'int memcpy_s(void);\\nint main(void) { return memcpy_s(); }\\n' >a.c
         gcc a.c -lc_sec -lascendcl -o a",
    );
    assert!(said.contains("undefined reference to `memcpy_s'"), "{said}");
}

#[test]
fn the_headers_below_acl_compile_where_older_and_newer_releases_have_them() {
    if !have("gcc", "gcc") {
        return;
    }
    let shell = Shell::new();
    shell.runs(
        "printf '#include \"runtime/rt.h\"\\n#include \"profiling/prof_api.h\"\\n#include \"ascendc_runtime.h\"\\n' >a.c
         printf 'int main(void) { return (int)MsprofSysCycleTime() * 0 + rtDeviceSynchronize() * 0; }\\n' >>a.c
         for inner in include/experiment $(uname -m)-linux/pkg_inc; do
             gcc -std=c99 -Wall -Wextra -Werror -pedantic a.c -I$ASCEND_HOME_PATH/$inner -lruntime -lmsprofiler -o a && ./a
             g++ -std=c++11 -x c++ -Wall -Wextra -Werror a.c -I$ASCEND_HOME_PATH/$inner -x none -lruntime -lmsprofiler -o a && ./a
         done",
    );
}
