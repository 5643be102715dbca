//! Finds the public `ascendnpu-ir` wheel and takes the library out of it. Never part of the repository: its licence is not ours to give.

use flate2::read::DeflateDecoder;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The release that the suite was written against.
pub const VERSION: &str = "1.2.0";
/// Its vector and cube modules for dav-2201.
pub const MODULES: [&str; 2] = ["meta_op.aiv.bc", "meta_op.aic.bc"];

/// Where intermediate files go.
pub fn scratch() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle")
}

fn wheel_in(dir: &Path) -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(dir).ok()?.flatten().map(|e| e.path()).collect();
    found.retain(|p| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("ascendnpu_ir-") && name.ends_with(".whl")
    });
    found.sort();
    found.pop()
}

/// Words of pip when it cannot reach an index; anything else is a mistake of ours or a release that is gone.
const UNREACHABLE: [&str; 6] = [
    "ConnectionError",
    "NewConnectionError",
    "Max retries exceeded",
    "timed out",
    "ProxyError",
    "Name or service not known",
];

/// Whether `why` (of [`find`]) says that the network refused.
pub fn network_refused(why: &str) -> bool {
    UNREACHABLE.iter().any(|u| why.contains(u))
}

/// The wheel, or why there is none. Looked for once: tests run side by side.
pub fn find() -> Result<PathBuf, String> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    FOUND.get_or_init(fetch).clone()
}

fn fetch() -> Result<PathBuf, String> {
    if let Some(given) = std::env::var_os("TOPROPE_ASCENDNPU_IR").map(PathBuf::from) {
        let wheel = if given.is_dir() { wheel_in(&given) } else { Some(given.clone()) };
        return wheel.filter(|w| w.is_file()).ok_or(format!("no wheel at {}", given.display()));
    }
    let dir = scratch().join("wheel");
    if let Some(wheel) = wheel_in(&dir) {
        return Ok(wheel);
    }
    let got = Command::new("python3")
        .args([
            "-m",
            "pip",
            "download",
            "--disable-pip-version-check",
            "--no-deps",
            "--retries=1",
            "--timeout=20",
        ])
        .args(["--only-binary=:all:", "--python-version=3.11", "--platform=manylinux_2_28_x86_64"])
        .arg(format!("ascendnpu-ir=={VERSION}"))
        .arg("--dest")
        .arg(&dir)
        .output()
        .map_err(|e| format!("python3 does not start: {e}"))?;
    if !got.status.success() {
        return Err(format!("pip download failed: {}", String::from_utf8_lossy(&got.stderr).trim()));
    }
    wheel_in(&dir).ok_or("pip downloaded no wheel".to_owned())
}

fn number(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let field = bytes.get(at..at + width)?;
    Some(field.iter().rev().fold(0, |n, b| n << 8 | usize::from(*b)))
}

/// The member of a zip file whose path ends in `/name`.
fn member(zip: &[u8], name: &str) -> Option<Vec<u8>> {
    let end = zip.windows(4).rposition(|w| w == b"PK\x05\x06")?;
    let mut at = number(zip, end + 16, 4)?;
    for _ in 0..number(zip, end + 10, 2)? {
        let (name_bytes, extra, comment) =
            (number(zip, at + 28, 2)?, number(zip, at + 30, 2)?, number(zip, at + 32, 2)?);
        let path = std::str::from_utf8(zip.get(at + 46..at + 46 + name_bytes)?).ok()?;
        if path.rsplit('/').next() == Some(name) {
            let (packed, bytes) = (number(zip, at + 20, 4)?, number(zip, at + 24, 4)?);
            let local = number(zip, at + 42, 4)?;
            let start = local + 30 + number(zip, local + 26, 2)? + number(zip, local + 28, 2)?;
            let data = zip.get(start..start + packed)?;
            let mut out = Vec::with_capacity(bytes);
            match number(zip, at + 10, 2)? {
                0 => out.extend_from_slice(data),
                8 => drop(DeflateDecoder::new(data).read_to_end(&mut out).ok()?),
                _ => return None,
            }
            return Some(out);
        }
        at += 46 + name_bytes + extra + comment;
    }
    None
}

/// A module of the library as a file of bitcode.
pub fn bitcode(wheel: &Path, module: &str) -> Result<PathBuf, String> {
    let file =
        scratch().join(format!("{}-{module}", wheel.file_stem().unwrap_or_default().to_string_lossy()));
    if !file.is_file() {
        let zip = std::fs::read(wheel).map_err(|e| format!("{}: {e}", wheel.display()))?;
        let bitcode = member(&zip, module).ok_or(format!("{} has no {module}", wheel.display()))?;
        std::fs::create_dir_all(scratch()).map_err(|e| e.to_string())?;
        // Another test process may be doing the same.
        let unfinished = file.with_extension(format!("{}.part", std::process::id()));
        std::fs::write(&unfinished, bitcode).map_err(|e| e.to_string())?;
        std::fs::rename(&unfinished, &file).map_err(|e| e.to_string())?;
    }
    Ok(file)
}

/// A module of the library as text.
pub fn disassemble(wheel: &Path, module: &str, llvm_dis: &str) -> Result<String, String> {
    let text =
        scratch().join(format!("{}-{module}.ll", wheel.file_stem().unwrap_or_default().to_string_lossy()));
    if let Ok(text) = std::fs::read_to_string(&text) {
        return Ok(text);
    }
    let zip = std::fs::read(wheel).map_err(|e| format!("{}: {e}", wheel.display()))?;
    let bitcode = member(&zip, module).ok_or(format!("{} has no {module}", wheel.display()))?;
    std::fs::create_dir_all(scratch()).map_err(|e| e.to_string())?;
    // Another test process may be doing the same.
    let unfinished = text.with_extension(format!("{}.part", std::process::id()));
    let input = unfinished.with_extension("bc");
    std::fs::write(&input, bitcode).map_err(|e| e.to_string())?;
    let disassembled = run_llvm_dis(llvm_dis, &input, &unfinished);
    std::fs::remove_file(&input).map_err(|e| e.to_string())?;
    disassembled?;
    std::fs::rename(&unfinished, &text).map_err(|e| e.to_string())?;
    std::fs::read_to_string(&text).map_err(|e| e.to_string())
}

/// LLVM 14 reads opaque pointers only when told to; later ones do not know the option.
fn run_llvm_dis(program: &str, input: &Path, output: &Path) -> Result<(), String> {
    let mut why = String::new();
    for extra in [&[][..], &["--opaque-pointers"]] {
        let out = Command::new(program).args(extra).arg(input).arg("-o").arg(output).output();
        match out {
            Ok(o) if o.status.success() => return Ok(()),
            Ok(o) => why = String::from_utf8_lossy(&o.stderr).into_owned(),
            Err(e) => why = e.to_string(),
        }
    }
    Err(format!("{program}: {why}"))
}
