//! Makes the `toprope` binary self-contained: builds device-lib as the static library that kernels link and embeds it with the
//! Ascend C headers and the ACL headers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSymbol as _};
use sha2::{Digest, Sha256};

fn main() {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    let root = manifest.parent().expect("toolchain/ is inside the workspace").to_path_buf();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for watched in [
        "device-lib/src",
        "device-lib/Cargo.toml",
        "device-lib/include",
        "abi/src",
        "abi/Cargo.toml",
        "abi/include",
        "Cargo.toml",
        "Cargo.lock",
        "toolchain/build.rs",
        "toolchain/src/lower/rustc_flags.rs",
    ] {
        println!("cargo::rerun-if-changed={}", root.join(watched).display());
    }
    let mut files = Vec::new();
    for include in ["abi/include", "device-lib/include"] {
        collect(&root.join(include), &root.join(include), &mut files);
    }
    files.sort();
    files.push(("lib/libtoprope_device.a".to_string(), build_device_lib(&root, &out)));
    fs::write(out.join("bundle.rs"), bundle_source(&files)).expect("write bundle.rs");
    fs::write(out.join("device.ll"), device_ir(&root, &out)).expect("write device.ll");
}

/// What `toprope lower` wants of rustc.
const IR_FLAGS: &[&str] = include!("src/lower/rustc_flags.rs");

/// The device library as rustc's LLVM text, for `toprope lower`. Empty if rustc does not give it: lowering then says so, everything else works.
fn device_ir(root: &Path, out: &Path) -> String {
    let target_dir = out.join("device-ir");
    let target = env::var("TARGET").expect("cargo sets TARGET");
    let file = out.join("device.rustc.ll");
    let emit = format!("--emit=llvm-ir={}", file.display());
    let flags: Vec<&str> = ["--", emit.as_str()].iter().chain(IR_FLAGS).copied().collect();
    let run = |first: &[&str]| {
        let args: Vec<&str> = first
            .iter()
            .chain(["--config", "profile.device.lto=false"].iter())
            .chain(&flags)
            .copied()
            .collect();
        cargo(root, &target_dir, &target, "rlib", &args)
    };
    let built = run(&["--offline"]).or_else(|_| run(&[]));
    match built.and_then(|()| fs::read_to_string(&file).map_err(|e| e.to_string())) {
        // Metadata and comments are not read; they are half of the text.
        Ok(text) => {
            let says = |line: &&str| {
                !line.starts_with(['!', ';']) && !line.trim_start().starts_with("; ") && !line.is_empty()
            };
            text.lines()
                .filter(says)
                .map(|line| line.split("; preds").next().unwrap_or(line).trim_end())
                .collect::<Vec<_>>()
                .join("\n")
        }
        Err(words) => {
            println!(
                "cargo::warning=`toprope lower --device-lib` will not work: {}",
                words.replace('\n', " ")
            );
            String::new()
        }
    }
}

/// Header files under `dir` as (path in the bundle, path on disk).
fn collect(base: &Path, dir: &Path, files: &mut Vec<(String, PathBuf)>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries {
        let path = entry.expect("directory entry").path();
        if path.is_dir() {
            collect(base, &path, files);
        } else {
            let relative = path.strip_prefix(base).expect("entry is under its base");
            files.push((
                format!("toprope-include/{}", relative.to_str().expect("header names are UTF-8")),
                path,
            ));
        }
    }
}

/// Builds `device-lib` with the profile `device`, in its own target directory: the outer cargo holds the lock of its own.
fn build_device_lib(root: &Path, out: &Path) -> PathBuf {
    let target_dir = out.join("device");
    let target = env::var("TARGET").expect("cargo sets TARGET");
    // Everything it needs was fetched for the outer build; only an unusual set-up has to ask the registry.
    let built = cargo(root, &target_dir, &target, "staticlib", &["--offline"])
        .or_else(|_| cargo(root, &target_dir, &target, "staticlib", &[]));
    if let Err(words) = built {
        panic!("building device-lib as a static library failed:\n{words}");
    }
    let whole = target_dir.join(target).join("device/libtoprope_device_lib.a");
    let ours = out.join("libtoprope_device.a");
    fs::write(&ours, only_device_lib(&fs::read(&whole).expect("the archive was built")))
        .expect("write the archive");
    ours
}

/// Runs the nested cargo; `Err` holds its messages.
fn cargo(root: &Path, target_dir: &Path, target: &str, kind: &str, more: &[&str]) -> Result<(), String> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["rustc", "-p", "toprope-device-lib", "--lib", "--crate-type", kind]);
    cargo.args(["--profile", "device", "--features", "staticlib", "--locked", "--quiet", "--target", target]);
    cargo.arg("--target-dir").arg(target_dir).args(more);
    // The library is the same whatever the outer build is: clippy, a sanitizer build, a coverage run.
    for name in [
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "RUSTC",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_BUILD_TARGET",
        "CARGO_TARGET_DIR",
        "CARGO_INCREMENTAL",
    ] {
        cargo.env_remove(name);
    }
    let output = cargo.output().map_err(|e| e.to_string())?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// The archive without rustc's compiler_builtins, which define `fmod`, `memcpy` and other names of the host's own libraries. Device-lib
/// needs none of them (its guard test checks that).
fn only_device_lib(archive: &[u8]) -> Vec<u8> {
    let file = ArchiveFile::parse(archive).expect("rustc writes an archive");
    let members: Vec<&[u8]> = file
        .members()
        .map(|m| m.expect("archive member"))
        .filter(|m| m.name().starts_with(b"toprope_device_lib"))
        .map(|m| m.data(archive).expect("member data"))
        .collect();
    assert!(!members.is_empty(), "the archive has no object of device-lib");
    write_archive(&members)
}

/// A System V archive: index of defined global symbols, then the members.
fn write_archive(members: &[&[u8]]) -> Vec<u8> {
    let symbols: Vec<Vec<Vec<u8>>> = members.iter().map(|m| defined_globals(m)).collect();
    let count: usize = symbols.iter().map(Vec::len).sum();
    let names: usize = symbols.iter().flatten().map(|n| n.len() + 1).sum();
    let index_bytes = 4 + 4 * count + names;
    let padded = |bytes: usize| bytes + bytes % 2;
    // Where each member's header begins: after the magic and the index.
    let mut offset = 8 + 60 + padded(index_bytes);
    let mut index = u32::try_from(count).expect("few symbols").to_be_bytes().to_vec();
    for (member, names) in members.iter().zip(&symbols) {
        let here = u32::try_from(offset).expect("small archive").to_be_bytes();
        index.extend(names.iter().flat_map(|_| here));
        offset += 60 + padded(member.len());
    }
    for name in symbols.iter().flatten() {
        index.extend(name);
        index.push(0);
    }
    let mut out = b"!<arch>\n".to_vec();
    let mut put = |name: &str, contents: &[u8]| {
        out.extend(
            format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, contents.len()).into_bytes(),
        );
        out.extend(contents);
        out.extend(vec![b'\n'; contents.len() % 2]);
    };
    put("/", &index);
    for (number, member) in members.iter().enumerate() {
        put(&format!("device{number}.o/"), member);
    }
    out
}

fn defined_globals(object: &[u8]) -> Vec<Vec<u8>> {
    let file = object::File::parse(object).expect("rustc writes object files");
    let defined = file.symbols().filter(|s| s.is_definition() && s.is_global());
    defined.map(|s| s.name_bytes().expect("symbol name").to_vec()).collect()
}

/// `FILES` and `HASH` as Rust source.
fn bundle_source(files: &[(String, PathBuf)]) -> String {
    let mut hash = Sha256::new();
    let mut source = String::from(
        "/// Path in the bundle and contents of every file.\npub(crate) static FILES: &[(&str, &[u8])] = &[\n",
    );
    for (name, path) in files {
        let contents = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        hash.update(name.as_bytes());
        hash.update([0]);
        hash.update((contents.len() as u64).to_le_bytes());
        hash.update(&contents);
        let _ = writeln!(source, "    ({name:?}, include_bytes!({:?})),", path.display().to_string());
    }
    let digest = hash.finalize().iter().fold(String::new(), |mut all, byte| {
        let _ = write!(all, "{byte:02x}");
        all
    });
    let _ = write!(source, "];\n/// SHA-256 over all of them.\npub(crate) static HASH: &str = {digest:?};\n");
    source
}
