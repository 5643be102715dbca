//! `toprope explain CODE`: the page of a finding or of an ACL error code.

use std::fmt::Write as _;

use toprope_abi::acl::ERRORS;
use toprope_sim::findings::{explain as finding, pages};

/// Text for `code`: a finding (`TR0106`), a class (`ErrorRead1`, every finding of it), an ACL number (`507035`) or an ACL
/// name (`ACL_ERROR_INVALID_PARAM`).
pub fn explain(code: &str, width: usize) -> Option<String> {
    let mut parts: Vec<String> = finding(code).iter().map(|entry| entry.explained(width)).collect();
    let by_number = code.parse::<i32>().ok();
    for row in ERRORS.iter().filter(|r| Some(r.code.0) == by_number || r.name.eq_ignore_ascii_case(code)) {
        let mut text = String::new();
        let _ = writeln!(text, "{} {}\n  {}\n  help: {}", row.code.0, row.name, row.meaning, row.help);
        parts.push(text);
    }
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

/// Every finding in one line.
pub fn list(width: usize) -> String {
    pages::list(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_and_acl_codes_are_explained() {
        let page = explain("tr0106", 100).expect("a code, whatever its case");
        assert!(
            page.contains("TR0106 ErrorRead3") && page.contains("wrong: ") && page.contains("help: "),
            "{page}"
        );
        let class = explain("ErrorSync4", 100).expect("a class");
        assert!(class.contains("TR0504") && class.contains("TR0605"), "{class}");
        assert!(explain("507035", 100).is_some_and(|t| t.contains("507035")));
        assert_eq!(explain("NoSuchCode", 100), None);
        assert_eq!(explain("TR9999", 100), None);
    }
}
