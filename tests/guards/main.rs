//! Guards over the tree itself: rooms, file sizes, unsafe rooms, machine paths, dependency directions.
//! Each guard first proves on a canary that it can fail.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ lies in the workspace").to_path_buf()
}

/// Every file of ours below `dir`, build output and version control left out.
fn files(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("readable directory").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" {
                files(&path, out);
            }
        } else if name != ".git" {
            // A file of that name marks a second work tree.
            out.push(path);
        }
    }
}

fn ours() -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    files(&root(), &mut all);
    all.into_iter().filter_map(|p| std::fs::read_to_string(&p).ok().map(|text| (p, text))).collect()
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| wanted.contains(&e))
}

#[test]
fn top_level_folders_are_the_agreed_ones() {
    let agreed = ["abi", "benches", "device-lib", "docs", "host", "kernels", "sim", "tests", "toolchain"];
    let mut found: Vec<String> = std::fs::read_dir(root())
        .expect("readable root")
        .flatten()
        .filter(|e| e.path().is_dir())
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .filter(|n| !n.starts_with('.') && n != "target")
        .collect();
    found.sort();
    assert_eq!(found, agreed);
}

/// Lines that name a place on somebody's machine or a package registry.
fn machine_places(text: &str) -> Vec<usize> {
    let markers = ["/ro", "/wo", "/ho"];
    let tails = ["ot/", "rk/", "me/"];
    let registries =
        [["static.", "crates.io"].concat(), ["pypi.", "org"].concat(), ["deb.", "debian.org"].concat()];
    text.lines()
        .enumerate()
        .filter(|(_, line)| {
            markers.iter().zip(tails).any(|(m, t)| {
                let place = [*m, t].concat();
                line.match_indices(&place).any(|(at, _)| {
                    // A path starts there: no path character before it.
                    !line[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || "._-/<>}".contains(c))
                })
            }) || registries.iter().any(|r| line.contains(r.as_str()))
        })
        .map(|(i, _)| i + 1)
        .collect()
}

#[test]
fn no_machine_paths_or_registry_hosts() {
    let canary = ["see /ro", "ot/x/y"].concat();
    assert_eq!(machine_places(&canary), [1], "the guard cannot find its own canary");
    let mut bad = Vec::new();
    for (path, text) in ours() {
        if path.ends_with("Cargo.lock") {
            continue;
        }
        bad.extend(machine_places(&text).into_iter().map(|l| format!("{}:{l}", path.display())));
    }
    assert!(bad.is_empty(), "machine paths or registry hosts in the tree:\n{}", bad.join("\n"));
}

#[test]
fn files_stay_readable() {
    let generated =
        |text: &str| text.lines().take(5).any(|l| l.contains("do not edit") || l.contains("@generated"));
    let mut bad = Vec::new();
    for (path, text) in ours() {
        let lines = text.lines().count();
        if has_extension(&path, &["rs", "h", "hpp", "cpp", "asc", "py", "sh"])
            && lines > 850
            && !generated(&text)
        {
            bad.push(format!("{} has {lines} lines", path.display()));
        }
    }
    assert!(bad.is_empty(), "split these files by topic:\n{}", bad.join("\n"));
}

/// Whether a source uses `unsafe` without being a declared room (its own or its parents' attribute).
fn opens_a_room(text: &str) -> bool {
    text.contains("allow(unsafe_code)")
}

#[test]
fn docs_holds_what_it_is_for() {
    // Explanations live in module headers and the three pages at the root; here is what has no better place.
    let mut pages: Vec<String> = std::fs::read_dir(root().join("docs"))
        .expect("docs")
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    pages.sort();
    assert_eq!(
        pages,
        [
            "acl-support.md",
            "ascendc-support.md",
            "checking.md",
            "examples.md",
            "findings.md",
            "lowering.md",
            "pyasc.md",
            "semantics.md",
            "tiling.md"
        ]
    );
}

#[test]
fn every_crate_takes_the_workspace_lints() {
    let mut seen = 0;
    for (path, text) in ours() {
        if path.ends_with("Cargo.toml")
            && text.contains("[package]")
            && !path.to_string_lossy().contains("canary")
        {
            seen += 1;
            assert!(
                text.contains("[lints]\nworkspace = true"),
                "{} does not take the workspace lints",
                path.display()
            );
        }
    }
    assert!(seen >= 8, "only {seen} packages found: the guard looks in the wrong place");
}

#[test]
fn unsafe_rooms_say_why() {
    assert!(opens_a_room("#![allow(unsafe_code)]"));
    let mut bad = Vec::new();
    let mut rooms = 0;
    for (path, text) in ours() {
        if !has_extension(&path, &["rs"]) || path.ends_with("tests/guards/main.rs") || !opens_a_room(&text) {
            continue;
        }
        rooms += 1;
        if !text.lines().take(3).any(|l| l.starts_with("//!")) {
            bad.push(path.display().to_string());
        }
    }
    assert!(rooms > 0, "no unsafe room found: the guard looks in the wrong place");
    assert!(bad.is_empty(), "unsafe rooms without a header that says what they are:\n{}", bad.join("\n"));
}

#[test]
fn dependencies_point_one_way() {
    let forbidden = [
        ("abi", &["toprope-device-lib", "toprope-sim", "toprope-host", "toprope-toolchain"][..]),
        ("device-lib", &["toprope-sim", "toprope-host", "toprope-toolchain"][..]),
        ("sim", &["toprope-device-lib", "toprope-host", "toprope-toolchain"][..]),
        ("host", &["toprope-device-lib", "toprope-toolchain"][..]),
        ("host/tiling", &["toprope-device-lib", "toprope-sim", "toprope-host", "toprope-toolchain"][..]),
        ("toolchain", &["toprope-device-lib"][..]),
    ];
    for (room, others) in forbidden {
        let text = std::fs::read_to_string(root().join(room).join("Cargo.toml")).expect("manifest");
        for line in text.lines() {
            for other in others {
                assert!(!line.starts_with(other), "{room} must not depend on {other}");
            }
        }
    }
}
