//! What `libascendcl.so` exports: the functions of the two tables, and a few that no table can hold.

use std::collections::BTreeSet;

use toprope_abi::{acl, rt};

use crate::support::{Shell, have, prefix};

/// Exports that are no rows: name, why.
const BESIDE_THE_TABLES: [(&str, &str); 13] = [
    ("aclAppLog", "takes a list of arguments that no row can describe"),
    ("_ZN3Adx19AdumpPrintWorkSpaceEPKvmPvPKc", "a C++ function that pyasc calls"),
    ("_ZN9tm_engine7tm_timeEv", "a C++ function that pyasc looks for in model mode"),
    ("toprope_report_write", "for programs that read their own report"),
    ("toprope_runtime_version", "tells this library from CANN's"),
    ("tr_platform_find", "behind the inline classes of tiling/*.h"),
    ("tr_tiling_buffer_space", "behind the inline classes of tiling/*.h"),
    ("tr_tiling_compute", "behind the inline classes of tiling/*.h"),
    ("tr_tiling_core_nums", "behind the inline classes of tiling/*.h"),
    ("tr_tiling_fix_split", "behind the inline classes of tiling/*.h"),
    ("tr_tiling_init", "behind the inline classes of tiling/*.h"),
    ("tr_tiling_shape", "behind the inline classes of tiling/*.h"),
    ("tr_tiling_split_range", "behind the inline classes of tiling/*.h"),
];

fn exports() -> BTreeSet<String> {
    let text =
        Shell::new().runs(&format!("nm -D --defined-only '{}/lib64/libascendcl.so'", prefix().display()));
    let names = text.lines().filter_map(|line| line.split_whitespace().nth(2));
    names.map(|name| name.split('@').next().unwrap_or(name).to_string()).collect()
}

#[test]
fn the_library_exports_its_tables_and_nothing_by_accident() {
    if !have("nm", "binutils") {
        return;
    }
    let acl = acl::FUNCTIONS.iter().map(|f| f.name);
    let rt = rt::FUNCTIONS.iter().map(|f| f.name);
    let documented: BTreeSet<String> =
        acl.chain(rt).chain(BESIDE_THE_TABLES.map(|(name, _)| name)).map(String::from).collect();
    let exported = exports();
    let missing: Vec<_> = documented.difference(&exported).collect();
    assert!(missing.is_empty(), "in a table, but not exported: {missing:?}");
    let accidents: Vec<_> = exported.difference(&documented).collect();
    assert!(accidents.is_empty(), "exported, but in no table: {accidents:?}");
}

#[test]
fn the_library_has_its_soname_and_needs_only_the_system() {
    if !have("readelf", "binutils") {
        return;
    }
    let dynamic = Shell::new().runs(&format!("readelf -d '{}/lib64/libascendcl.so'", prefix().display()));
    assert!(dynamic.contains("Library soname: [libascendcl.so]"), "{dynamic}");
    let system = ["libc.so", "libm.so", "libgcc_s.so", "libdl.so", "libpthread.so", "librt.so", "ld-linux"];
    for line in dynamic.lines().filter(|l| l.contains("(NEEDED)")) {
        assert!(system.iter().any(|name| line.contains(name)), "{line}");
    }
}
