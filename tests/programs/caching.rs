//! Nothing is compiled twice; runs side by side do not disturb each other.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::thread;

use crate::support::{Done, Toprope, case};

const SOURCE: &str = "#include <cstdio>
#include \"value.h\"
__global__ __aicore__ void kernel(int* x) { *x = 1; }
int main() { std::printf(\"value %d\\n\", VALUE); return 0; }
";

fn project() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("tempdir");
    fs::write(dir.path().join("a.asc"), SOURCE).expect("write");
    fs::write(dir.path().join("value.h"), "#define VALUE 1\n").expect("write");
    // Written just now counts as possibly still changing: give the clock a step.
    thread::sleep(std::time::Duration::from_millis(20));
    dir
}

fn run(dir: &Path) -> Done {
    Toprope::new(["run", "a.asc"]).dir(dir).env("TOPROPE_CACHE_DIR", dir.join("cache")).go()
}

#[test]
fn the_second_run_starts_no_compiler() {
    let dir = project();
    run(dir.path()).exits(0).prints(&["value 1"]).says(&["a.asc: compiled in"]);
    run(dir.path()).exits(0).prints(&["value 1"]).says(&["a.asc: found in the cache"]);
    // Not even one that would fail.
    let broken = dir.path().join("bin");
    fs::create_dir(&broken).expect("mkdir");
    let path = format!("{}:/usr/bin:/bin", broken.display());
    let again = Toprope::new(["run", "a.asc", "--json"])
        .dir(dir.path())
        .env("TOPROPE_CACHE_DIR", dir.path().join("cache"))
        .env("PATH", path);
    assert_eq!(again.go().exits(0).json()["compile"]["cached"], true);
}

#[test]
fn a_changed_header_source_define_or_option_compiles_again() {
    let dir = project();
    run(dir.path()).exits(0).prints(&["value 1"]);
    fs::write(dir.path().join("value.h"), "#define VALUE 2\n").expect("write");
    run(dir.path()).exits(0).prints(&["value 2"]).says(&["compiled in"]);
    fs::write(dir.path().join("a.asc"), SOURCE.replace("value %d", "other %d")).expect("write");
    run(dir.path()).exits(0).prints(&["other 2"]);
    let with = |option: &str| {
        Toprope::new(["run", "a.asc", option])
            .dir(dir.path())
            .env("TOPROPE_CACHE_DIR", dir.path().join("cache"))
            .go()
            .exits(0)
    };
    with("-DUNUSED").says(&["compiled in"]);
    with("-O0").says(&["compiled in"]);
}

#[test]
fn a_touched_file_with_the_same_contents_is_still_cached() {
    let dir = project();
    run(dir.path()).exits(0);
    fs::write(dir.path().join("value.h"), "#define VALUE 1\n").expect("write");
    run(dir.path()).exits(0).says(&["found in the cache"]);
}

#[test]
fn parallel_runs_of_one_file_all_succeed_and_compile_once() {
    let dir = project();
    let path = dir.path();
    let done: Vec<Done> = thread::scope(|scope| {
        let runs: Vec<_> = (0..6).map(|_| scope.spawn(|| run(path))).collect();
        runs.into_iter().map(|r| r.join().expect("run")).collect()
    });
    let compiled = done.iter().filter(|d| d.stderr.contains("compiled in")).count();
    for run in done {
        run.exits(0).prints(&["value 1"]);
    }
    assert_eq!(compiled, 1, "each run but the first waits for it and finds its result");
}

#[test]
fn only_the_changed_source_of_several_is_compiled() {
    let dir = project();
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).expect("write");
    write(
        "host.cpp",
        "#include <cstdio>\nint answer();\nint main() { std::printf(\"answer %d\\n\", answer()); }\n",
    );
    write(
        "device.asc",
        "__global__ __aicore__ void kernel(int* x) { *x = 1; }\nint answer() { return 42; }\n",
    );
    thread::sleep(std::time::Duration::from_millis(20));
    let run = || {
        Toprope::new(["run", "host.cpp", "device.asc"])
            .dir(dir.path())
            .env("TOPROPE_CACHE_DIR", dir.path().join("cache"))
            .go()
            .exits(0)
    };
    let objects = || fs::read_dir(dir.path().join("cache/v1/object")).expect("cache").count();
    run().prints(&["answer 42"]);
    let before = objects();
    write(
        "device.asc",
        "__global__ __aicore__ void kernel(int* x) { *x = 1; }\nint answer() { return 43; }\n",
    );
    run().prints(&["answer 43"]);
    assert_eq!(objects() - before, 2, "one new object and its messages");
}

#[test]
fn warnings_are_shown_again_from_the_cache() {
    let dir = project();
    fs::write(dir.path().join("a.asc"), "int main() { int unused = 0; return 0; }\n").expect("write");
    thread::sleep(std::time::Duration::from_millis(20));
    for how in ["compiled in", "found in the cache"] {
        Toprope::new(["run", "a.asc", "--cxx-option=-Wall"])
            .dir(dir.path())
            .env("TOPROPE_CACHE_DIR", dir.path().join("cache"))
            .go()
            .exits(0)
            .says(&[how, "a.asc:1:", "unused"]);
    }
}

#[test]
fn the_cache_is_owner_only_and_refuses_what_others_can_change() {
    let dir = project();
    run(dir.path()).exits(0);
    let root = dir.path().join("cache/v1");
    assert_eq!(fs::metadata(&root).expect("cache").permissions().mode() & 0o777, 0o700);
    fs::set_permissions(&root, fs::Permissions::from_mode(0o777)).expect("chmod");
    run(dir.path()).exits(69).says(&["can be written by other users", "TOPROPE_CACHE_DIR"]);
    fs::set_permissions(&root, fs::Permissions::from_mode(0o700)).expect("chmod");
    let objects = root.join("object");
    fs::rename(&objects, root.join("elsewhere")).expect("rename");
    symlink(root.join("elsewhere"), &objects).expect("symlink");
    run(dir.path()).exits(69).says(&["is a symbolic link"]);
}

#[test]
fn an_unusable_cache_directory_says_what_to_set() {
    let blocked = case("no_kernels.cpp").join("below-a-file");
    Toprope::new(["run"])
        .arg(case("no_kernels.cpp"))
        .env("TOPROPE_CACHE_DIR", blocked)
        .go()
        .exits(69)
        .says(&["help: set TOPROPE_CACHE_DIR"]);
}
