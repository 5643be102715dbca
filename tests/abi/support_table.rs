//! `docs/acl-support.md` is what the table of functions and the runtime's own lists say (`TOPROPE_BLESS=1` writes it).

use std::collections::BTreeMap;
use std::fmt::Write;

use toprope_abi::acl::{AclFn, FUNCTIONS, Tier};
use toprope_sim::runtime::not_supported;

use crate::drift::{assert_committed, root};

const HEAD: &str = "# ACL functions: what is supported

Written from the rows of `abi` and the lists of `sim/src/runtime/api` by `TOPROPE_BLESS=1 cargo test -p toprope-tests --test abi`; do not edit.

- *Supported*: does what the documentation of CANN 9.1 says, shown by a test. Every other function exists, links, and answers with the code
  in the table; `aclGetRecentErrMsg` says why.
- Tiers, from what almost every program needs to what few do: T0 the 24 functions nine of ten programs get by with, T1 asynchronous copies and
  events, T2 kernels by handle, T3 the rest of what one process needs, T4 graphs and labels, T5 sharing between processes, T6 everything else.
- The 35 C++ overloads of `acl/acl_rt_api.h` are header only and call the functions listed here.
";

/// What a function answers that is not supported: its code, or its plain result.
fn answer(f: &AclFn) -> &'static str {
    match f.ret.to_string().as_str() {
        "aclError" => "207000",
        result if result.ends_with('*') || result.starts_with("aclrt") => "null",
        _ => "0",
    }
}

fn share(out: &mut String, name: &str, functions: &[&AclFn], reasons: &BTreeMap<&str, &str>) {
    let supported = functions.iter().filter(|f| !reasons.contains_key(f.name)).count();
    let _ = writeln!(out, "| {name} | {} | {supported} | {} |", functions.len(), functions.len() - supported);
}

fn table() -> String {
    let reasons: BTreeMap<&str, &str> = not_supported().collect();
    let mut groups: BTreeMap<&str, Vec<&AclFn>> = BTreeMap::new();
    for f in FUNCTIONS {
        groups.entry(f.group).or_default().push(f);
    }
    let mut out = String::from(HEAD);
    out.push_str("\n## Totals\n\n| tier | functions | supported | not |\n|---|---|---|---|\n");
    for tier in Tier::ALL {
        let of_tier: Vec<&AclFn> = FUNCTIONS.iter().filter(|f| f.tier == tier).collect();
        share(&mut out, &format!("{tier:?}"), &of_tier, &reasons);
    }
    share(&mut out, "**all**", &FUNCTIONS.iter().collect::<Vec<_>>(), &reasons);
    out.push_str(
        "\n| group (chapter of the vendor's reference) | functions | supported | not |\n|---|---|---|---|\n",
    );
    for (group, functions) in &groups {
        share(&mut out, group, functions, &reasons);
    }
    for (group, functions) in &groups {
        let _ = write!(out, "\n## {group}\n\n| function | tier | |\n|---|---|---|\n");
        for f in functions {
            let status = match reasons.get(f.name) {
                None => "supported".to_string(),
                Some(why) => format!("not supported, answers {}: {why}", answer(f)),
            };
            let _ = writeln!(out, "| `{}` | {:?} | {status} |", f.name, f.tier);
        }
    }
    out
}

#[test]
fn the_support_table_is_current() {
    assert_committed(&root().join("docs/acl-support.md"), &table());
}

#[test]
fn every_reason_belongs_to_a_function_and_says_something() {
    let mut seen = BTreeMap::new();
    for (name, why) in not_supported() {
        assert!(FUNCTIONS.iter().any(|f| f.name == name), "{name} is not in the table");
        assert!(seen.insert(name, why).is_none(), "{name} is listed twice");
        assert!(!why.is_empty() && !why.contains('|') && !why.contains('\n'), "{name}: {why}");
    }
}
