//! `toprope env` as a command: idempotent, parallel, and careful with directories that are not its own.

use std::fs;
use std::os::unix::fs::MetadataExt;

use crate::support::{TOPROPE, prefix, toprope};

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
