//! `toprope env` as a command: idempotent, parallel, and careful with directories that are not its own; and what pyasc looks for in the prefix.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;

use crate::support::{Shell, TOPROPE, have, prefix, toprope};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn it_prints_the_same_every_time_and_writes_once() {
    let dir = tempfile::tempdir().expect("tempdir");
    let place = dir.path().join("cann");
    let args = ["env", "--prefix", place.to_str().expect("text")];
    let first = toprope(&args);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let made = fs::metadata(place.join("lib64/libascendcl.so")).expect("library").ino();
    let root = fs::metadata(&place).expect("prefix").ino();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(text(&toprope(&args).stdout), text(&first.stdout)));
        }
    });
    assert_eq!(fs::metadata(place.join("lib64/libascendcl.so")).expect("library").ino(), made);
    assert_eq!(fs::metadata(&place).expect("prefix").ino(), root, "the directory is the one it was");
    assert!(text(&first.stdout).contains(&format!("ASCEND_HOME_PATH='{}'", place.display())));
    assert_eq!(fs::read_to_string(place.join("set_env.sh")).expect("script"), text(&first.stdout));
}

#[test]
fn json_is_for_programs() {
    let output = toprope(&["env", "--prefix", prefix().to_str().expect("text"), "--format", "json"]);
    let data: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(data["set"]["ASCEND_HOME_PATH"], data["prefix"]);
    for list in [
        "PATH",
        "LD_LIBRARY_PATH",
        "LIBRARY_PATH",
        "C_INCLUDE_PATH",
        "CPLUS_INCLUDE_PATH",
        "CMAKE_PREFIX_PATH",
    ] {
        let dir = data["put_first"][list].as_str().unwrap_or_else(|| panic!("{list} is missing"));
        assert!(fs::metadata(dir).is_ok_and(|m| m.is_dir()), "{list}: {dir}");
    }
}

#[test]
fn a_directory_of_somebody_else_is_not_touched() {
    let dir = tempfile::tempdir().expect("tempdir");
    fs::write(dir.path().join("notes.txt"), "mine").expect("write");
    let output = toprope(&["env", "--prefix", dir.path().to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(69));
    assert!(output.stdout.is_empty(), "nothing for eval");
    let said = text(&output.stderr);
    assert!(said.contains("did not make") && said.contains("help:"), "{said}");
    let inside: Vec<_> =
        fs::read_dir(dir.path()).expect("readable").flatten().map(|e| e.file_name()).collect();
    assert_eq!(inside, ["notes.txt"]);
}

#[test]
fn folders_are_the_owner_s_and_the_command_is_in_the_path() {
    let mode = |path: &str| fs::metadata(prefix().join(path)).expect(path).mode() & 0o777;
    for folder in ["", "bin", "lib64", "include", "search"] {
        assert_eq!(mode(folder), 0o700, "{folder}");
    }
    let (ours, linked) = (
        fs::metadata(TOPROPE).expect("command"),
        fs::metadata(prefix().join("bin/toprope")).expect("command"),
    );
    assert_eq!(ours.len(), linked.len());
}

#[test]
fn no_link_in_it_dangles() {
    fn look(dir: &std::path::Path, seen: &mut usize) {
        for entry in fs::read_dir(dir).expect("readable").flatten() {
            let path = entry.path();
            let meta = fs::symlink_metadata(&path).expect("entry");
            if meta.is_symlink() {
                *seen += 1;
                assert!(fs::metadata(&path).is_ok(), "{} dangles", path.display());
            } else if meta.is_dir() {
                look(&path, seen);
            }
        }
    }
    let mut links = 0;
    look(prefix(), &mut links);
    assert!(links > 40, "only {links} links: the test looks in the wrong place");
}

/// The names of the SoCs for which pyasc looks for a simulator.
const SOCS: [&str; 12] = [
    "Ascend910B1",
    "Ascend910B2",
    "Ascend910B2C",
    "Ascend910B3",
    "Ascend910B4",
    "Ascend910B4-1",
    "Ascend910_9362",
    "Ascend910_9372",
    "Ascend910_9381",
    "Ascend910_9382",
    "Ascend910_9391",
    "Ascend910_9392",
];

/// Every SoC has its folder, and is the one that the runtime is when it is asked for.
#[test]
fn every_soc_that_pyasc_knows_is_there() {
    if !have("g++", "g++") {
        return;
    }
    let shell = Shell::new();
    shell.runs(
        "printf '#include \"runtime/rt.h\"\\n#include <stdio.h>\\nint main() { char name[32]; if (rtGetSocVersion(name, 32)) return 1; puts(name); }\\n' >a.cpp
         g++ a.cpp -I$ASCEND_HOME_PATH/pkg_inc -L$ASCEND_HOME_PATH/tools/simulator/Ascend910B1/lib -lruntime_camodel -o a",
    );
    for soc in SOCS {
        assert!(prefix().join(format!("tools/simulator/{soc}/lib/libruntime_camodel.so")).is_file(), "{soc}");
        assert_eq!(shell.runs(&format!("TOPROPE_SOC={soc} ./a")), format!("{soc}\n"));
    }
    let said = shell.runs("TOPROPE_SOC=Ascend310P3 ./a 2>&1 && echo no refusal || true");
    assert!(!said.contains("no refusal"), "{said}");
}

/// The compiler lines of pyasc 1.1.1 for its wrappers, with every symbol that those ask for (`nm -u` of the built wrappers).
#[test]
fn the_link_lines_of_pyasc_find_all_they_ask_for() {
    if !have("g++", "g++") {
        return;
    }
    let runtime = "rtGetSocVersion rtGetDeviceCount rtGetDeviceInfo rtSetDevice rtDeviceReset rtDeviceSynchronize rtStreamCreate \
         rtStreamDestroy rtStreamSynchronize rtStreamSynchronizeWithTimeout rtMalloc rtFree rtMemcpy rtDevBinaryRegister \
         rtDevBinaryUnRegister rtFunctionRegister rtKernelLaunch rtGetC2cCtrlAddr rtProfSetProSwitch";
    let profiler = "aclInit aclFinalize MsprofSysCycleTime MsprofGetHashId MsprofReportApi MsprofReportCompactInfo \
         MsprofReportAdditionalInfo MsprofRegisterCallback";
    let old = "-I$P/include -I$P/include/experiment -I$P/include/experiment/msprof";
    let new = "-DSEPARATE_PKG_ARCH -I$P/include -I$P/$(uname -m)-linux/pkg_inc -I$P/$(uname -m)-linux/pkg_inc/profiling -I$P/$(uname -m)-linux/pkg_inc/runtime";
    let model = "-L$P/lib64 -L$P/tools/simulator/Ascend910B4-1/lib -lruntime_camodel -lascendcl";
    let npu = "-L$P/lib64 -lruntime -lmsprofiler -lascendcl";
    let host = "-L$P/$(uname -m)-linux/lib64 -L$P/runtime/lib64 -ltiling_api -lplatform -lregister -O2";
    let dump = "-L$P/lib64 -lascend_dump -lc_sec";
    let old_runtime = "experiment/runtime/runtime/rt.h";
    let old_profiler = "acl/acl.h experiment/msprof/toolchain/prof_api.h experiment/msprof/toolchain/prof_data_config.h experiment/runtime/runtime/rt.h";
    let new_profiler =
        "acl/acl.h profiling/prof_api.h profiling/prof_common.h profiling/aprof_pub.h runtime/rt.h";
    let host_headers = "kernel_tiling/kernel_tiling.h tiling/tiling_api.h tiling/platform/platform_ascendc.h";
    let print = "namespace Adx { void AdumpPrintWorkSpace(const void*, size_t, void*, const char*); }";
    let rows: [(&str, &str, &str, &str, String); 7] = [
        ("model", old, model, old_runtime, format!("{runtime} tm_engine::tm_time")),
        ("NPU", old, npu, old_runtime, runtime.into()),
        (
            "profiler",
            old,
            npu,
            old_profiler,
            format!("{runtime} {profiler} PROF_TASK_TIME PROF_TASK_TIME_L1"),
        ),
        ("newer model", new, model, "runtime/rt.h", runtime.into()),
        (
            "newer profiler",
            new,
            npu,
            new_profiler,
            format!("{runtime} {profiler} PROF_TASK_TIME_MASK PROF_TASK_TIME_L1_MASK"),
        ),
        ("tiling", old, host, host_headers, String::new()),
        ("print", old, dump, "stddef.h", "Adx::AdumpPrintWorkSpace".into()),
    ];
    let shell = Shell::new();
    for (what, include, link, headers, symbols) in rows {
        let includes: String = headers.split(' ').map(|h| format!("#include \"{h}\"\n")).collect();
        let value =
            |name: &str| if name.starts_with("PROF_") { String::from(name) } else { format!("&{name}") };
        let uses: String = symbols.split_whitespace().map(|s| format!("(void*){},\n", value(s))).collect();
        let text = format!(
            "{includes}#include <stddef.h>\n{print}\nnamespace tm_engine {{ unsigned long tm_time(); }}\nvoid* used[] = {{ {uses} nullptr }};\n"
        );
        std::fs::write(shell.dir().join("wrapper.cpp"), text).expect("written");
        // The search variables must not help: pyasc's lines are complete.
        shell.runs(&format!(
            "P=$ASCEND_HOME_PATH; unset CPLUS_INCLUDE_PATH C_INCLUDE_PATH LIBRARY_PATH
             echo '{what}'; g++ wrapper.cpp {include} {link} -std=c++17 -shared -fPIC -Wl,--no-undefined -o wrapper.so"
        ));
    }
}

/// pyasc's smoke script preloads the model library into everything that it starts, compilers included.
#[test]
fn the_model_library_may_be_preloaded_into_any_program() {
    if !have("g++", "g++") {
        return;
    }
    let shell = Shell::new();
    let out = shell.runs(
        "export LD_PRELOAD=$ASCEND_HOME_PATH/tools/simulator/Ascend910B1/lib/libruntime_camodel.so
         printf 'int main() { return 7; }\\n' >a.cpp
         g++ a.cpp -o a 2>said
         ./a 2>>said || echo code $?
         toprope --version 2>>said >/dev/null && echo command
         python3 -c 'print(6 * 7)' 2>>said || echo 42
         cat said",
    );
    assert_eq!(
        out, "code 7\ncommand\n42\n",
        "nothing is printed by, and nothing is different with, the library"
    );
}

/// A first `toprope env` in many processes at once, each with the cache of nobody yet: one prefix, the same text from all.
#[test]
fn many_processes_make_one_prefix_at_the_same_time() {
    let dir = tempfile::tempdir().expect("tempdir");
    let start = || {
        let mut command = std::process::Command::new(TOPROPE);
        command.arg("env").env("TOPROPE_CACHE_DIR", dir.path()).env_remove("TOPROPE_LIB_DIR");
        command
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("starts")
    };
    let all: Vec<_> = (0..8).map(|_| start()).collect();
    let texts: BTreeSet<String> = all
        .into_iter()
        .map(|child| {
            let output = child.wait_with_output().expect("ends");
            assert!(output.status.success(), "{}", text(&output.stderr));
            text(&output.stdout)
        })
        .collect();
    assert_eq!(texts.len(), 1);
    let prefixes = fs::read_dir(dir.path().join("v1/prefix")).expect("the cache's folder");
    let names: Vec<_> = prefixes.flatten().map(|e| e.file_name()).collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

/// Whoever makes a prefix may be killed at any moment: what is at its place is nothing or all of it, and the next one makes it.
#[test]
fn a_prefix_is_there_as_a_whole_or_not_at_all() {
    let dir = tempfile::tempdir().expect("tempdir");
    let place = dir.path().join("cann");
    let args = ["env", "--prefix", place.to_str().expect("text")];
    for wait in [0, 5, 20, 60, 150] {
        let _ = fs::remove_dir_all(&place);
        let mut command = std::process::Command::new(TOPROPE);
        command.args(args).env("TOPROPE_CACHE_DIR", dir.path().join("cache"));
        let mut child = command.stdout(std::process::Stdio::null()).spawn().expect("starts");
        std::thread::sleep(std::time::Duration::from_millis(wait));
        child.kill().expect("killed, or ended already");
        child.wait().expect("ends");
        if place.exists() {
            for file in
                [".toprope-prefix", "set_env.sh", "lib64/libascendcl.so", "version.cfg", "bin/toprope"]
            {
                assert!(place.join(file).exists(), "killed after {wait} ms: {file} is missing");
            }
        }
    }
    assert!(toprope(&args).status.success());
}

/// pyasc keeps its built wrappers under the text of this file: another build of toprope must not find them.
#[test]
fn version_cfg_names_the_build() {
    let cfg = fs::read_to_string(prefix().join("version.cfg")).expect("version.cfg");
    let marker = fs::read_to_string(prefix().join(".toprope-prefix")).expect("marker");
    let identity = marker.lines().nth(1).expect("the hash of the contents");
    assert!(identity.len() >= 32 && cfg.contains(identity), "{cfg}");
    let script = fs::read_to_string(prefix().join("set_env.sh")).expect("script");
    let cache = script.lines().find(|l| l.starts_with("export PYASC_CACHE_DIR=")).expect("pyasc's cache");
    assert!(cache.contains(identity), "{cache}");
}
