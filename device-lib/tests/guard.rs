//! The static library that kernels link calls nothing but its hooks and cannot panic.
//!
//! Builds it as `toolchain` does and reads the object file. Before the verdict counts, the same inspection must catch
//! two canaries: a library that panics and one that calls `memcpy`.

use object::{Object, ObjectSymbol, read::archive::ArchiveFile};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use toprope_abi::fwk::{FLAG_PAIRS, FUNCTIONS, HOOKS};

/// Symbols of the library's own objects (the archive also carries the compiler's run-time library).
struct Symbols {
    defined: BTreeSet<String>,
    undefined: BTreeSet<String>,
}

fn symbols(archive: &Path, own: &str) -> Symbols {
    let bytes = std::fs::read(archive).unwrap_or_else(|e| panic!("{}: {e}", archive.display()));
    let file = ArchiveFile::parse(&*bytes).expect("a static library is an archive");
    let mut found = Symbols { defined: BTreeSet::new(), undefined: BTreeSet::new() };
    let mut members = 0;
    for member in file.members() {
        let member = member.expect("a member can be read");
        let name = String::from_utf8_lossy(member.name()).into_owned();
        if !name.starts_with(own) {
            continue;
        }
        members += 1;
        let object = object::File::parse(member.data(&*bytes).expect("member data")).expect("an object file");
        for symbol in object.symbols().filter(|s| !s.name_bytes().unwrap_or_default().is_empty()) {
            let name = symbol.name().expect("symbol names are text").to_owned();
            if symbol.is_undefined() {
                found.undefined.insert(name)
            } else {
                found.defined.insert(name)
            };
        }
    }
    assert!(members > 0, "no object of {own} in {}", archive.display());
    found
}

fn allowed() -> BTreeSet<String> {
    let hooks = HOOKS.iter().map(|h| h.name);
    let flags = FLAG_PAIRS.iter().flat_map(|p| [p.set, p.wait]);
    hooks.chain(flags).map(str::to_owned).collect()
}

/// What is wrong with a library, or nothing.
fn verdict(symbols: &Symbols) -> Vec<String> {
    let allowed = allowed();
    let strangers = symbols.undefined.iter().filter(|s| !allowed.contains(*s));
    let mut wrong: Vec<String> = strangers.map(|s| format!("calls {s}, which is not a hook")).collect();
    let all = symbols.defined.iter().chain(&symbols.undefined);
    wrong.extend(all.filter(|s| s.contains("panicking")).map(|s| format!("can panic: {s}")));
    wrong
}

fn target_dir() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("guard")
}

#[test]
fn canaries_are_caught() {
    let canaries = [
        ("panics", "pub extern \"C\" fn f(a: &[u8; 4], i: usize) -> u8 { a[i] }", "panicking"),
        (
            "copies",
            "pub extern \"C\" fn f(a: *mut [u8; 4096], b: *const [u8; 4096]) { unsafe { *a = *b } }",
            "calls mem",
        ),
    ];
    for (name, body, clue) in canaries {
        let dir = target_dir().join(name);
        std::fs::create_dir_all(&dir).expect("a directory for the canary");
        let source = dir.join("canary.rs");
        let text = format!(
            "#![no_std]\n#[panic_handler] fn p(_: &core::panic::PanicInfo<'_>) -> ! {{ loop {{}} }}\n\
             #[unsafe(no_mangle)] {body}\n"
        );
        std::fs::write(&source, text).expect("canary source");
        let status = Command::new("rustc")
            .args(["--edition", "2024", "--crate-type", "staticlib", "--crate-name", "canary"])
            .args(["-C", "opt-level=3", "-C", "panic=abort", "-C", "lto", "-C", "codegen-units=1"])
            .arg("--out-dir")
            .arg(&dir)
            .arg(&source)
            .status()
            .expect("rustc runs");
        assert!(status.success(), "canary {name} does not compile");
        let wrong = verdict(&symbols(&dir.join("libcanary.a"), "canary"));
        assert!(wrong.iter().any(|w| w.contains(clue)), "canary {name} was not caught: {wrong:?}");
    }
}

#[test]
fn library_calls_only_hooks_and_cannot_panic() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut cargo = Command::new(env!("CARGO"));
    // The library is the same whatever the outer build is: clippy, a sanitizer build.
    for name in [
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_TARGET",
    ] {
        cargo.env_remove(name);
    }
    let status = cargo
        .current_dir(root)
        .args(["rustc", "-q", "-p", "toprope-device-lib", "--lib", "--crate-type", "staticlib"])
        .args(["--profile", "device", "--features", "staticlib", "--target-dir"])
        .arg(target_dir())
        .args(["--", "-C", "relro-level=off"])
        .status()
        .expect("cargo runs");
    assert!(status.success(), "the static library does not build");
    let symbols = symbols(&target_dir().join("device/libtoprope_device_lib.a"), "toprope_device_lib");
    let wrong = verdict(&symbols);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let missing: Vec<&str> =
        FUNCTIONS.iter().map(|f| f.name).filter(|f| !symbols.defined.contains(*f)).collect();
    assert!(missing.is_empty(), "not exported: {missing:?}");
    // Every kind of hook is really used, so the list names nothing that no kernel needs.
    let unused: Vec<String> = allowed().into_iter().filter(|h| !symbols.undefined.contains(h)).collect();
    assert!(unused.is_empty(), "never called: {unused:?}");
    println!("{} functions, {} hooks, nothing else", FUNCTIONS.len(), allowed().len());
}
