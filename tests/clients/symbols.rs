//! What `libascendcl.so` exports: the functions of the table, those of the older runtime that generated code calls, and one name of ours.

use std::collections::BTreeSet;

use toprope_abi::acl::FUNCTIONS;

use crate::support::{Shell, have, prefix};

/// Exports that are not rows of the ACL table. `rt*` and `Msprof*`: the runtime below ACL, as pyasc and generated code call it.
const PREFIXES_BESIDE_ACL: [&str; 2] = ["rt", "Msprof"];

/// Exact names beside those.
const NAMES_BESIDE_ACL: [&str; 1] = ["toprope_runtime_version"];

fn exports() -> BTreeSet<String> {
    let library = prefix().join("lib64/libascendcl.so");
    let text = Shell::new().runs(&format!("nm -D --defined-only '{}'", library.display()));
    text.lines()
        .filter_map(|line| line.split_whitespace().nth(2))
        .map(|n| n.split('@').next().unwrap_or(n).to_string())
        .collect()
}

#[test]
fn the_library_exports_its_table_and_nothing_by_accident() {
    if !have("nm", "binutils") {
        return;
    }
    let exports = exports();
    let table: BTreeSet<String> = FUNCTIONS.iter().map(|f| f.name.to_string()).collect();
    let missing: Vec<_> = table.difference(&exports).collect();
    assert!(missing.is_empty(), "functions of the table that the library does not export: {missing:?}");
    let beside = |name: &&String| {
        let runtime = PREFIXES_BESIDE_ACL.iter().any(|p| {
            name.strip_prefix(p).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
        });
        runtime || NAMES_BESIDE_ACL.contains(&name.as_str())
    };
    let accidents: Vec<_> = exports.difference(&table).filter(|name| !beside(name)).collect();
    assert!(accidents.is_empty(), "exported, but in no list: {accidents:?}");
}

#[test]
fn the_library_has_its_soname_and_needs_only_the_system() {
    if !have("readelf", "binutils") {
        return;
    }
    let dynamic = Shell::new().runs(&format!("readelf -d '{}/lib64/libascendcl.so'", prefix().display()));
    assert!(dynamic.contains("Library soname: [libascendcl.so]"), "{dynamic}");
    for line in dynamic.lines().filter(|l| l.contains("(NEEDED)")) {
        let system =
            ["libc.so", "libm.so", "libgcc_s.so", "libdl.so", "libpthread.so", "librt.so", "ld-linux"];
        assert!(system.iter().any(|name| line.contains(name)), "{line}");
    }
}
