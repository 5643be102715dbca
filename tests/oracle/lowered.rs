//! What `toprope lower` makes of the device library, beside the vendor's own: LLVM 15 links them without a complaint, as a kernel build does.
//!
//! Proved: same triple, same data layout, no clash of symbols, one signature per intrinsic in both. Not proved: code generation (the
//! vendor's compiler is not public) and what runs on hardware.

use crate::{first_that_runs, wheel};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use toprope_toolchain::lower::{Machine, device};

/// Every module for dav-2201 that the wheel has.
const MODULES: [&str; 4] =
    ["meta_op.aiv.c220.bc", "meta_op.aic.c220.bc", "meta_op.mix.aiv.c220.bc", "meta_op.mix.aic.c220.bc"];

/// A tool that must run without a word.
fn silent(program: &str, args: &[&Path], output: &Path) {
    let out = Command::new(program)
        .args(args)
        .arg("-o")
        .arg(output)
        .output()
        .unwrap_or_else(|e| panic!("{program}: {e}"));
    let words = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && words.is_empty(), "{program} {args:?}: {words}");
}

/// Signature of each intrinsic that a module declares.
fn intrinsics(text: &str) -> BTreeMap<String, String> {
    let declared = text.lines().filter(|l| l.starts_with("declare ") && l.contains("@llvm.hivm."));
    let parts = declared.filter_map(|line| {
        let (result, rest) = line["declare ".len()..].split_once('@')?;
        let (name, args) = rest.split_once('(')?;
        // Types alone: attributes of parameters differ between compilers.
        let args = args.split_once(')').map(|_| &args[..args.rfind(')').unwrap_or(0)])?;
        let words = |w: &&str| {
            w.starts_with('i') && w[1..].parse::<u32>().is_ok()
                || w.starts_with("ptr")
                || w.starts_with("addrspace")
        };
        let types: Vec<String> =
            args.split(", ").map(|a| a.split(' ').filter(words).collect::<Vec<_>>().join(" ")).collect();
        let result = result
            .split(' ')
            .filter(|w| !w.is_empty() && !["dso_local", "noundef"].contains(w))
            .collect::<Vec<_>>()
            .join(" ");
        Some((name.to_owned(), format!("{result} ({})", types.join(", "))))
    });
    parts.collect()
}

#[test]
fn the_lowered_device_library_links_with_every_vendor_module() {
    let tools = ["llvm-as-15", "llvm-link-15", "llvm-dis-15"]
        .map(|tool| first_that_runs(&[tool]).ok_or(format!("{tool} is not installed")));
    let found =
        tools.into_iter().collect::<Result<Vec<_>, _>>().and_then(|tools| Ok((tools, wheel::find()?)));
    let (tools, wheel) = match found {
        Ok(found) => found,
        Err(why) => {
            let required = std::env::var("CI").as_deref() == Ok("true") && !wheel::network_refused(&why);
            assert!(!required, "CI needs LLVM 15 and the wheel: {why}");
            eprintln!("SKIPPED: linking with the vendor's library: {why}");
            return;
        }
    };
    let path = |name: &str| wheel::scratch().join(name);
    let text = device::device_library(Machine::AiCore).unwrap_or_else(|e| panic!("{e}"));
    std::fs::create_dir_all(wheel::scratch()).expect("scratch folder");
    std::fs::write(path("lowered.ll"), &text).expect("write");
    silent(&tools[0], &[&path("lowered.ll")], &path("lowered.bc"));
    let ours = intrinsics(&text);
    assert!(ours.len() > 10, "{ours:?}");
    let mut seen = BTreeMap::new();
    for module in MODULES {
        let vendor = wheel::bitcode(&wheel, module).unwrap_or_else(|e| panic!("{e}"));
        silent(&tools[1], &[&path("lowered.bc"), &vendor], &path("linked.bc"));
        silent(&tools[1], &[&vendor, &path("lowered.bc")], &path("linked.bc"));
        silent(&tools[2], &[&vendor], &path("vendor.ll"));
        seen.extend(intrinsics(&std::fs::read_to_string(path("vendor.ll")).expect("text")));
    }
    let same: Vec<&String> = ours.keys().filter(|name| seen.contains_key(*name)).collect();
    for name in &same {
        assert_eq!(ours[*name], seen[*name], "{name}");
    }
    let alone: Vec<&String> = ours.keys().filter(|name| !seen.contains_key(*name)).collect();
    eprintln!("{} intrinsics as the vendor declares them; not in its library: {alone:?}", same.len());
    assert!(alone.is_empty(), "spellings that no public module shows: {alone:?}");
}
