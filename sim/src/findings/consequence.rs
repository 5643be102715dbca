//! Which findings are likely after-effects of an earlier one.
//!
//! Conservative: the cause is an error found earlier in the same launch on the same core, and the pair is in [`CAUSES`]. A
//! finding that is marked is still shown; the mark only says what to repair first. Not modelled: effects on other cores.

use super::{Finding, Severity, Verdict};

/// Beginning of the cause's code, beginnings of the codes of what it may lead to.
const CAUSES: [(&str, &[&str]); 8] = [
    // A race or a value that nobody wrote: what is read may be any number, also an address, an index or a loop bound.
    (
        "TR04",
        &["TR0101", "TR0102", "TR0106", "TR0107", "TR0108", "TR0109", "TR0201", "TR0202", "TR0307", "TR100"],
    ),
    (
        "TR090",
        &["TR0101", "TR0102", "TR0106", "TR0107", "TR0108", "TR0109", "TR0201", "TR0202", "TR0307", "TR100"],
    ),
    // A refused call of the framework leaves a tensor, and the events that order it, out.
    ("TR0204", &["TR0506", "TR0701", "TR0703", "TR0505", "TR04", "TR1003"]),
    ("TR0701", &["TR0506", "TR0703", "TR0505", "TR04"]),
    ("TR0702", &["TR0506", "TR0703", "TR0505", "TR04"]),
    // A lost or left event.
    ("TR0503", &["TR0506", "TR0505", "TR04"]),
    ("TR0504", &["TR0506", "TR0505"]),
    // A core that hangs does not reach its own end.
    ("TR0506", &["TR0505", "TR0703", "TR0603", "TR0604"]),
];

/// Marks the findings of one launch that may be consequences; they are in the order in which they were found.
pub fn mark(findings: &mut [Finding]) {
    for i in 1..findings.len() {
        let (before, rest) = findings.split_at_mut(i);
        let Some(late) = rest.first_mut() else { continue };
        late.consequence_of =
            before.iter().find(|cause| leads(cause, late)).map(|cause| cause.code.to_owned());
    }
}

fn leads(cause: &Finding, late: &Finding) -> bool {
    let same_core = cause.block.is_some() && cause.block == late.block && cause.core == late.core;
    let is_error = cause.severity == Severity::Error && cause.verdict == Verdict::Program;
    let known = |(from, to): &(&str, &[&str])| {
        cause.code.starts_with(from) && to.iter().any(|code| late.code.starts_with(code))
    };
    same_core && is_error && cause.code != late.code && CAUSES.iter().any(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::catalogue::{self as c, Entry};

    fn finding(entry: &'static Entry, block: u32) -> Finding {
        Finding { block: Some(block), core: format!("AIV {block}"), ..Finding::new(entry, &[]) }
    }

    fn marks(mut findings: Vec<Finding>) -> Vec<Option<String>> {
        mark(&mut findings);
        findings.into_iter().map(|f| f.consequence_of).collect()
    }

    #[test]
    fn a_hang_after_a_lost_event_is_marked() {
        let found = marks(vec![finding(&c::DOUBLE_SET, 0), finding(&c::HANG, 0)]);
        assert_eq!(found, [None, Some("TR0504".into())]);
    }

    #[test]
    fn other_cores_other_orders_and_other_pairs_are_not() {
        assert_eq!(marks(vec![finding(&c::DOUBLE_SET, 0), finding(&c::HANG, 1)]), [None, None]);
        assert_eq!(marks(vec![finding(&c::HANG, 0), finding(&c::DOUBLE_SET, 0)]), [None, None]);
        assert_eq!(marks(vec![finding(&c::ROUNDED_DOWN, 0), finding(&c::HANG, 0)]), [None, None]);
        let host = Finding::new(&c::DOUBLE_SET, &[]);
        assert_eq!(
            marks(vec![host, Finding::new(&c::HANG, &[])]),
            [None, None],
            "without a core nothing is known"
        );
        // A warning is no cause.
        assert_eq!(
            marks(vec![finding(&c::CONVERT_OVERLAP, 0), finding(&c::GM_READ_NOWHERE, 0)]),
            [None, None]
        );
    }
}
