//! Other people's CMake projects: `find_package(ASC)`, `project(… LANGUAGES ASC CXX)`, and nothing of toprope in their files.
//!
//! The project `cmake_asc/` has what public examples have: mixed targets, static and shared libraries with kernels, separate compilation, kernels
//! in namespaces and templates, all forms of launches.

use crate::support::{Shell, have};

const PROJECT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/clients/cmake_asc");

/// A shell without the search variables: these builds must not need them.
const WITHOUT_SEARCH: &str = "unset C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH";

fn configure(options: &str) -> String {
    format!("{WITHOUT_SEARCH}\ncmake -S {PROJECT} -B build {options} >log 2>&1 || {{ cat log >&2; exit 1; }}")
}

const BUILD: &str = "cmake --build build >log 2>&1 || { cat log >&2; exit 1; }";

#[test]
fn a_project_in_ascend_c_and_cpp_builds_runs_and_installs() {
    if !have("cmake", "cmake") {
        return;
    }
    let shell = Shell::new();
    shell.runs(&format!(
        "{}\n{BUILD}\ncmake --install build >log",
        configure("-DCMAKE_INSTALL_PREFIX=$PWD/out")
    ));
    let bare = Shell::bare(&shell);
    for program in ["build/client", "build/separate", "build/plain", "build/other_ending", "out/bin/client"] {
        let out = bare.runs(program);
        assert!(out.ends_with("PASS\n"), "{program}: {out}");
    }
    // Nothing is built twice; a changed header is seen.
    let again = shell.runs("cmake --build build");
    assert!(!again.contains("Building"), "{again}");
}

#[test]
fn ninja_and_every_run_mode_build_the_same() {
    if !have("cmake", "cmake") || !have("ninja", "ninja-build") {
        return;
    }
    let shell = Shell::new();
    for mode in ["cpu", "sim"] {
        let options = format!("-G Ninja -DCMAKE_ASC_RUN_MODE={mode} -DCMAKE_BUILD_TYPE=Release");
        shell.runs(&format!("{}\n{BUILD}", configure(&options)));
        assert!(Shell::bare(&shell).runs("build/client").ends_with("PASS\n"), "{mode}");
    }
    let again = shell.runs("cmake --build build");
    assert!(again.contains("no work to do"), "{again}");
    shell.runs("test -s build/build.ninja && ! ls build/CMakeFiles/client.dir/*.d 2>/dev/null");
}

#[test]
fn what_is_not_modelled_is_told_when_the_project_is_configured() {
    if !have("cmake", "cmake") {
        return;
    }
    let shell = Shell::new();
    let said = shell.fails(&configure("-DCMAKE_ASC_ARCHITECTURES=dav-3510"));
    assert!(said.contains("dav-3510 is not modelled") && said.contains("dav-2201"), "{said}");
    let said = shell.fails(&format!("rm -rf build; {}", configure("-DCMAKE_ASC_RUN_MODE=fpga")));
    assert!(said.contains("npu, cpu or sim"), "{said}");
}

#[test]
fn a_name_that_toprope_does_not_know_is_told_with_where_the_list_is() {
    if !have("cmake", "cmake") {
        return;
    }
    let shell = Shell::new();
    let said = shell.fails(&format!(
        "{}\ncmake --build build --target client >log 2>&1 || {{ cat log >&2; exit 1; }}",
        configure("-DWRONG_NAME=ON")
    ));
    assert!(said.contains("forms.asc:"), "{said}");
    assert!(
        said.contains("toprope does not know AscendC::NoSuchFunction yet: docs/ascendc-support.md"),
        "{said}"
    );
}

#[test]
fn the_compiler_driver_makes_what_public_documents_show() {
    let shell = Shell::new();
    shell.runs(&format!("ln -s {PROJECT}/lib lib; ln -s {PROJECT}/include include; cp {PROJECT}/plain.cpp {PROJECT}/separate/*.asc ."));
    // Programs, objects, libraries; response files; the name of the documents.
    shell.runs("bisheng plain.cpp lib/offset.asc -Iinclude -o one --npu-arch=dav-2201 && ./one");
    shell.runs("bisheng -c lib/offset.asc -Iinclude -o offset.o && bisheng -c plain.cpp -Iinclude -o plain.o && bisheng offset.o plain.o -o two && ./two");
    shell.runs("toprope cc -shared lib/offset.asc -Iinclude -o liboffset.so -fPIC && toprope cc plain.o -L. -loffset -Wl,-rpath,$PWD -o three && ./three");
    shell.runs("toprope cc -lib lib/offset.asc -Iinclude -o liboffset_static.a && toprope cc plain.o liboffset_static.a -lregister -ltiling_api -o four && ./four");
    shell.runs("printf '%s\\n' '-Iinclude -O1' '\"lib/offset.asc\" plain.cpp' >words && toprope cc @words -o five && ./five");
    // Rules for make name the user's headers and none of toprope's.
    let rule = shell.runs("toprope cc -MD -MT x.o -MF x.d -Iinclude -c lib/offset.asc -o x.o && cat x.d");
    assert!(rule.starts_with("x.o:") && rule.contains("include/stage.h"), "{rule}");
    assert!(!rule.contains("toprope-include"), "{rule}");
    let text = shell.runs("toprope cc -E -Iinclude lib/offset.asc");
    assert!(
        text.contains("::toprope::kernel_launch(") && !text.contains("<<<BLOCKS"),
        "the text that is compiled"
    );
    assert!(shell.runs("toprope cc --version").contains("dav-2201"));
    assert!(shell.runs("toprope cc -dumpmachine").contains("linux"));
    for (words, said) in [
        ("--npu-arch=dav-3510 -c lib/offset.asc", "dav-3510 is not modelled"),
        ("-c gone.asc", "gone.asc"),
        ("-o x", "no input files"),
        ("-c -o x.o a.asc lib/offset.asc", "a.asc"),
        ("plain.o -o x", "undefined reference"),
    ] {
        let text = shell.fails(&format!("toprope cc {words}"));
        assert!(text.contains(said), "{words}: {text}");
    }
}

#[test]
fn headers_of_kernels_and_of_host_tiling_fit_into_one_source() {
    let shell = Shell::new();
    let headers = "#include \"kernel_operator.h\"\n#include \"tiling/tiling_api.h\"\n#include \"tiling/platform/platform_ascendc.h\"\n\
                   #include \"kernel_tiling/kernel_tiling.h\"\n#include \"lib/matmul_intf.h\"\n#include \"register/tilingdata_base.h\"\n";
    let compile = |body: &str| format!("cat >a.asc <<'END'\n{headers}{body}\nEND\ntoprope cc -c a.asc");
    shell.runs(&compile("int main() { return 0; }"));
    shell.runs(&compile(
        "using namespace matmul_tiling;
         BEGIN_TILING_DATA_DEF(T)
         TILING_DATA_FIELD_DEF(uint32_t, length);
         TILING_DATA_FIELD_DEF_STRUCT(optiling::TCubeTiling, cube);
         END_TILING_DATA_DEF;
         REGISTER_TILING_DATA_CLASS(Op, T)
         int64_t f(T& t) {
           MultiCoreMatmulTiling tiling(*platform_ascendc::PlatformAscendCManager::GetInstance());
           t.set_length(tiling.SetDim(2));
           return tiling.GetTiling(t.cube);
         }",
    ));
    for (body, said) in [
        ("void f() { REGIST_MATMUL_OBJ(1, 2); }", "REGIST"),
        ("int f(matmul_tiling::MatmulApiTiling& t) { return t.SetDim(2); }", "has no member named 'SetDim'"),
    ] {
        let text = shell.fails(&compile(body)).replace(['\u{2018}', '\u{2019}'], "'");
        assert!(text.contains(said), "{body}: {text}");
    }
}

/// User and system time of the children of a shell, from the last line of its `times`.
fn child_seconds(times: &str) -> f64 {
    let seconds = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    let words = times.lines().last().unwrap_or_default().split_whitespace();
    let parts: Vec<f64> = words.map(|w| seconds(w).expect("a time")).collect();
    assert_eq!(parts.len(), 2, "{times}");
    parts.iter().sum()
}

/// Processor time, so that other work on the machine does not count.
#[test]
fn a_unit_with_all_headers_compiles_in_the_time_promised() {
    let shell = Shell::new();
    let compile = |text: &str| {
        let once = |n: u32| {
            // A text of its own: nothing is in the cache.
            let unit = format!("printf '{text}int main() {{ return 0 * {n}; }}\\n' >t.asc");
            child_seconds(&shell.runs(&format!("{unit} && toprope cc -c t.asc && times")))
        };
        (1..=3).map(once).fold(f64::INFINITY, f64::min)
    };
    let (empty, full) = (compile(""), compile("#include \"kernel_operator.h\"\\n"));
    eprintln!("empty unit {empty:.2} s, with kernel_operator.h {full:.2} s");
    assert!(full <= 1.5 * empty + 1.5, "{full:.2} s, an empty unit {empty:.2} s");
}
