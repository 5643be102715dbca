//! Makes the `toprope` binary self-contained: builds device-lib as the static library that kernels link and embeds it with the
//! Ascend C headers and the ACL headers.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

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
            files.push((format!("include/{}", relative.to_str().expect("header names are UTF-8")), path));
        }
    }
}

/// Builds `device-lib` with the profile `device`, in its own target directory: the outer cargo holds the lock of its own.
fn build_device_lib(root: &Path, out: &Path) -> PathBuf {
    let target_dir = out.join("device");
    let target = env::var("TARGET").expect("cargo sets TARGET");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).args(["rustc", "-p", "toprope-device-lib", "--lib", "--crate-type", "staticlib"]);
    cargo.args([
        "--profile",
        "device",
        "--features",
        "staticlib",
        "--offline",
        "--quiet",
        "--target",
        &target,
        "--target-dir",
    ]);
    cargo.arg(&target_dir);
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
    let output = cargo.output().expect("cargo runs");
    assert!(
        output.status.success(),
        "building device-lib as a static library failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    target_dir.join(target).join("device/libtoprope_device_lib.a")
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
