//! Every function of the table has the public prototype.
//!
//! `acl_signatures.tsv` holds name and signature of these functions as the public headers of runtime 9.1.0 declare them.

use std::collections::BTreeMap;
use toprope_abi::acl::FUNCTIONS;

/// Brings a signature to one form: `()` and `(void)` are the same; `const` of a parameter that is no pointer (such as
/// `const aclrtBinHandle binHandle`) is not part of a function's type.
fn normal(signature: &str) -> String {
    let (ret, args) = signature.split_once('(').expect("a signature has parentheses");
    let args = args.trim_end_matches(')').trim();
    let args = if args == "void" { "" } else { args };
    let args: Vec<String> = args
        .split(',')
        .map(|arg| arg.split_whitespace().collect::<Vec<_>>().join(" "))
        .map(|arg| arg.replace(" *", "* ").replace("* const ", "* ").replace("  ", " "))
        .map(|arg| if arg.contains('*') { arg } else { arg.trim_start_matches("const ").to_owned() })
        .collect();
    format!("{} ({})", ret.trim(), args.join(", "))
}

#[test]
fn prototypes_are_the_public_ones() {
    let public: BTreeMap<&str, &str> =
        include_str!("acl_signatures.tsv").lines().filter_map(|line| line.split_once('\t')).collect();
    assert_eq!(public.len(), FUNCTIONS.len(), "acl_signatures.tsv and the table list the same functions");
    for f in FUNCTIONS {
        let theirs = public.get(f.name).unwrap_or_else(|| panic!("{} is not in acl_signatures.tsv", f.name));
        let ours = f.to_string().replacen(&format!(" {}(", f.name), "(", 1);
        assert_eq!(normal(&ours), normal(theirs), "{}", f.name);
    }
}

#[test]
fn normal_form_keeps_differences_that_matter() {
    assert_eq!(normal("aclError ()"), normal("aclError(void)"));
    assert_eq!(normal("aclError (const aclrtBinHandle h)"), normal("aclError (aclrtBinHandle h)"));
    assert_ne!(normal("aclError (const void* p)"), normal("aclError (void* p)"));
    assert_ne!(normal("aclError (uint32_t n)"), normal("aclError (int32_t n)"));
}
