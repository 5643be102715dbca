//! `toprope explain CODE`: the long text of a finding or of an ACL error code.

use std::fmt::Write as _;

use toprope_abi::acl::ERRORS;
use toprope_sim::findings::{catalogue::CATALOGUE, explain as finding};

/// Text for `code`: a finding (`ErrorRead1`), an ACL number (`507035`) or an ACL name (`ACL_ERROR_INVALID_PARAM`).
pub fn explain(code: &str) -> Option<String> {
    let mut out = String::new();
    for entry in finding(code) {
        let _ = writeln!(
            out,
            "{} {} ({})\n  {}\n  {}\n  help: {}\n",
            entry.code,
            entry.name,
            entry.severity.name(),
            entry.title,
            entry.explain,
            entry.help
        );
    }
    let by_number = code.parse::<i32>().ok();
    for row in ERRORS.iter().filter(|r| Some(r.code.0) == by_number || r.name.eq_ignore_ascii_case(code)) {
        let _ = writeln!(out, "{} {}\n  {}\n  help: {}\n", row.code.0, row.name, row.meaning, row.help);
    }
    Some(out.trim_end().to_string()).filter(|text| !text.is_empty())
}

/// Every finding code once, in order of the catalogue.
pub fn finding_codes() -> Vec<&'static str> {
    let mut codes: Vec<&'static str> = Vec::new();
    for entry in CATALOGUE {
        if !codes.contains(&entry.code) {
            codes.push(entry.code);
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_and_acl_codes_are_explained() {
        let code = finding_codes()[0];
        assert!(explain(&code.to_lowercase()).is_some_and(|t| t.contains(code)));
        assert!(explain("507035").is_some_and(|t| t.contains("507035")));
        assert_eq!(explain("NoSuchCode"), None);
    }
}
