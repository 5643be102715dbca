//! Which findings are likely after-effects of an earlier one.
//!
//! Conservative: the cause was found earlier, and the pair is in a table. Inside a launch (`CAUSES`) the cause is an error, of the same
//! core unless the row says that other cores suffer too. What the host did wrong (`OF_THE_HOST`) may show in a later launch. A finding
//! that is marked is still shown; the mark only says what to repair first.

use super::{Finding, Severity, Verdict};

/// Where the effects of a cause show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    /// On its own core.
    Core,
    /// On any core of the launch.
    Launch,
    /// Where its core has one of the two accesses.
    Side,
}

/// A cause and what it may lead to; both are beginnings of codes.
struct Row(&'static str, Where, &'static [&'static str]);

/// A value is any number: what an address, an index or a loop bound that is made of it may do.
const WILD: &[&str] = &[
    "TR0101", "TR0102", "TR0106", "TR0107", "TR0108", "TR0109", "TR0201", "TR0202", "TR0307", "TR0904",
    "TR100", "TR1010",
];
/// Accesses that nothing orders.
const RACES: &[&str] = &["TR0402", "TR0403", "TR0404", "TR0405", "TR0406"];
/// A step of a tensor is missing, and with it the flag that it sets or waits for.
const LOST_STEP: &[&str] =
    &["TR0402", "TR0403", "TR0404", "TR0405", "TR0406", "TR0504", "TR0505", "TR0506", "TR0703", "TR0709"];

const CAUSES: &[Row] = &[
    // A race, or bytes that nobody wrote: what is read may be any number.
    Row("TR04", Where::Core, WILD),
    Row("TR090", Where::Core, WILD),
    Row("TR0607", Where::Core, WILD),
    // Operands that overlap: what depends on them.
    Row("TR0303", Where::Core, &["TR0909"]),
    Row("TR0303", Where::Core, WILD),
    // The same two cores, the same missing order.
    Row("TR0607", Where::Core, &["TR0608"]),
    // One buffer's accesses land in another one.
    Row("TR0206", Where::Core, RACES),
    Row("TR0206", Where::Core, &["TR0303"]),
    Row("TR0211", Where::Core, RACES),
    Row("TR0716", Where::Core, &["TR0206", "TR0402", "TR0403", "TR0404", "TR0405", "TR0406"]),
    Row(
        "TR0715",
        Where::Core,
        &["TR0206", "TR0211", "TR0402", "TR0403", "TR0404", "TR0405", "TR0406", "TR0504", "TR0505", "TR0506"],
    ),
    // A refused or wrong call of the framework leaves a tensor, and the flags that order it, out.
    Row("TR0204", Where::Core, &["TR0506", "TR0701", "TR0703", "TR0505", "TR04", "TR1003"]),
    Row("TR0701", Where::Core, LOST_STEP),
    Row("TR0702", Where::Core, LOST_STEP),
    Row("TR0704", Where::Core, LOST_STEP),
    Row("TR0706", Where::Core, RACES),
    Row("TR0708", Where::Core, LOST_STEP),
    Row("TR0708", Where::Core, &["TR0706", "TR0710", "TR0711", "TR0712"]),
    Row("TR0709", Where::Core, &["TR0505", "TR0701", "TR0710", "TR0714"]),
    Row("TR0711", Where::Core, LOST_STEP),
    Row("TR0712", Where::Core, LOST_STEP),
    Row("TR0713", Where::Core, LOST_STEP),
    Row("TR0713", Where::Core, &["TR0702", "TR0710", "TR0712"]),
    Row("TR0714", Where::Core, &["TR0701", "TR0710", "TR0506"]),
    // A lost or left flag.
    Row("TR0503", Where::Core, &["TR0506", "TR0505", "TR04"]),
    Row("TR0504", Where::Core, &["TR0506", "TR0505"]),
    // A core that hangs or stops does not reach its own end, nor its flags for others.
    Row("TR0506", Where::Core, &["TR0505", "TR0703", "TR0709", "TR0603", "TR0604"]),
    Row("TR0506", Where::Launch, &["TR0601", "TR0604"]),
    Row("TR0507", Where::Core, &["TR0505", "TR0703", "TR0709", "TR0603", "TR0604"]),
    Row("TR0507", Where::Launch, &["TR0601", "TR0604"]),
    // A flag between cores that counts wrongly.
    Row("TR0614", Where::Launch, &["TR0601", "TR0603", "TR0604", "TR0605", "TR0607", "TR0608"]),
    Row("TR0604", Where::Launch, &["TR0603"]),
    // A core that does not wait is not ordered behind who set the flag for it.
    Row("TR0603", Where::Side, &["TR0607", "TR0608"]),
    Row("TR0605", Where::Launch, &["TR0601", "TR0603", "TR0604"]),
];

/// What the host did wrong, what it may lead to, and whether that is of the kernel that the cause names.
const OF_THE_HOST: &[(&str, bool, &[&str])] = &[
    // Freed too early: the kernel comes later.
    ("TR0802", false, &["TR0103", "TR0104"]),
    ("TR0803", false, &["TR0103", "TR0104"]),
    ("TR0810", false, &["TR0103", "TR0104"]),
    // A number where an address is meant, or another layout.
    ("TR0811", true, WILD),
    ("TR0817", false, WILD),
    // A call that was refused has done nothing.
    ("TR0801", false, &["TR0815", "TR0820"]),
    ("TR0812", false, &["TR0812", "TR0814", "TR0816", "TR0820"]),
    ("TR0813", false, &["TR0814"]),
];

/// The cause of `late` among the findings of the host, `(code, text)` in the order in which they were found.
pub fn of_the_host<'a>(before: &'a [(&'static str, String)], late: &Finding) -> Option<&'a str> {
    let leads = |(code, text): &&(&'static str, String)| {
        OF_THE_HOST.iter().any(|(from, named, to)| {
            code == from
                && to.iter().any(|to| late.code.starts_with(to))
                && (!named || text.contains(&late.kernel))
                && (*code != late.code
                    || late
                        .details
                        .iter()
                        .any(|line| text.starts_with(line.split(':').next().unwrap_or(line))))
        })
    };
    before.iter().find(leads).map(|(code, _)| *code)
}

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
    let known = |Row(from, place, to): &Row| {
        let in_launch = cause.block.is_some() && late.block.is_some();
        let takes_part = || late.sides.iter().any(|s| Some(s.block) == cause.block && s.core == cause.core);
        let reaches = same_core
            || match place {
                Where::Core => false,
                Where::Launch => in_launch,
                Where::Side => in_launch && takes_part(),
            };
        reaches && cause.code.starts_with(from) && to.iter().any(|code| late.code.starts_with(code))
    };
    is_error && cause.code != late.code && CAUSES.iter().any(known)
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

    /// Every row has codes that there are, and none leads to itself.
    #[test]
    fn rows_name_codes() {
        let is_code = |code: &str| c::CATALOGUE.iter().any(|e| e.code.starts_with(code));
        let rows = CAUSES.iter().map(|Row(from, _, to)| (*from, *to));
        for (from, to) in rows.chain(OF_THE_HOST.iter().map(|(from, _, to)| (*from, *to))) {
            assert!(is_code(from) && to.iter().all(|t| is_code(t)), "{from}: {to:?}");
        }
    }

    #[test]
    fn the_first_fault_explains_the_later_ones() {
        let chains: &[&[&'static Entry]] = &[
            &[&c::TOO_MANY_LIVE, &c::FRAMEWORK],
            &[&c::STALE_QUEUE, &c::FLAG_LEFT],
            &[&c::TWO_PIPES, &c::DOUBLE_SET],
            &[&c::PLACED_CONFLICT, &c::RACE_RAW],
            &[&c::CORE_RACE, &c::CORE_OVERLAP],
            &[&c::USE_ENQUEUED, &c::NOT_FREED],
        ];
        for chain in chains {
            let found = marks(chain.iter().map(|e| finding(e, 0)).collect());
            assert_eq!(found, [None, Some(chain[0].code.to_owned())], "{}", chain[1].code);
            let turned = marks(chain.iter().rev().map(|e| finding(e, 0)).collect());
            assert_eq!(turned, [None, None], "{}", chain[0].code);
        }
    }

    #[test]
    fn a_shared_flag_is_felt_on_other_cores() {
        let found = marks(vec![finding(&c::CROSS_RESERVED, 0), finding(&c::CROSS_LEFT, 3)]);
        assert_eq!(found, [None, Some("TR0614".into())]);
        assert_eq!(marks(vec![finding(&c::STALE_QUEUE, 0), finding(&c::FLAG_LEFT, 3)]), [None, None]);
    }

    #[test]
    fn a_core_that_does_not_wait_takes_part_in_the_race() {
        let side = |block: u32| crate::findings::Side {
            block,
            core: format!("AIV {block}"),
            ..crate::findings::Side::default()
        };
        let race = |sides| Finding { sides, ..finding(&c::CORE_RACE, 0) };
        let left = || finding(&c::CROSS_LEFT, 3);
        assert_eq!(marks(vec![left(), race(vec![side(3), side(0)])]), [None, Some("TR0603".into())]);
        assert_eq!(marks(vec![left(), race(vec![side(1), side(0)])]), [None, None], "other cores");
    }

    #[test]
    fn the_host_is_remembered() {
        let before =
            [("TR0810", "aclrtFree: the block".to_owned()), ("TR0811", "add: argument 3".to_owned())];
        let of = |entry, kernel: &str| {
            let late = Finding { kernel: kernel.into(), ..finding(entry, 0) };
            of_the_host(&before, &late).map(str::to_owned)
        };
        assert_eq!(of(&c::GM_READ_FREED, "mul").as_deref(), Some("TR0810"));
        assert_eq!(of(&c::GM_READ_BEYOND, "add").as_deref(), Some("TR0811"));
        assert_eq!(of(&c::GM_READ_BEYOND, "mul"), None, "another kernel");
        assert_eq!(of(&c::RACE_RAW, "add"), None);
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
