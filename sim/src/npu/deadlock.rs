//! What the cores of a launch were doing when it was stopped, as one finding: the wait-for graph.
//!
//! Each thread leaves a [`Note`] for every core it gave up. Here the notes become the lines of one finding: the core it is told
//! from, whose sets that core misses and what those cores do instead, and who else waits. Also: flags that are uneven when a
//! launch has ended well.

use super::block::BlockRecord;
use super::chip::Chip;
use super::core::{Core, core_name};
use super::cross_flags::{CoreId, Leftover, Wait};
use super::launch::LaunchShared;
use crate::findings::catalogue::{self as c, Entry};
use crate::findings::{Detail, Draft};
use std::collections::BTreeMap;
use toprope_abi::isa::CoreKind;

/// Why a core was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// Every core of the launch waits.
    Deadlocked,
    /// The launch is over its limit, aborted, or has failed elsewhere.
    Stopped,
}

/// What a core was doing when it was given up.
#[derive(Debug)]
pub struct Note {
    core: CoreId,
    kind: NoteKind,
    /// It polls, or was about to run: its text and place.
    runs: Option<(String, Vec<u64>)>,
    /// Sets of cross-core flags that wait in a pipe.
    stuck: Vec<(u8, String, Vec<u64>)>,
}

impl Note {
    /// Notes what `core` does.
    pub fn new(core: &Core, kind: NoteKind, runs: bool) -> Note {
        let text = || core.polling_text().unwrap_or_else(|| "runs".to_owned());
        let runs = runs.then(|| (text(), core.polling_frames()));
        Note { core: core.id, kind, runs, stuck: core.stuck_sets() }
    }
}

/// Lines of a kind before the rest is only counted.
const SHOWN: usize = 4;

impl LaunchShared {
    /// Makes one finding of the notes, unless a block has failed by itself: then whoever waits for it is no news.
    pub(super) fn explain_stop(&self, records: &mut [BlockRecord], notes: Vec<Note>, chip: &Chip) {
        let by_itself = |r: &BlockRecord| r.fatal.is_some_and(|e| !std::ptr::eq(e, &c::TIME_LIMIT));
        if records.iter().any(by_itself) {
            return;
        }
        let notes: BTreeMap<CoreId, Note> = notes.into_iter().map(|n| (n.core, n)).collect();
        let deadlocked = notes.values().any(|n| n.kind == NoteKind::Deadlocked);
        let waits: BTreeMap<CoreId, Wait> = self.residents().with_flags(|f| f.waiting().collect());
        let started = records.last().map_or(0, |r| r.block + 1);
        let graph = Graph { launch: self, chip, notes: &notes, waits: &waits, started };
        // Of a launch over its limit, a core that runs says more than one that waits for it.
        let runs = notes.values().find(|n| n.runs.is_some()).map(|n| n.core);
        let waiting = waits.keys().find(|core| notes.contains_key(*core)).copied();
        let stopped = records.iter().find(|r| r.fatal.is_some()).map(|r| r.block);
        let told = if deadlocked { waiting } else { runs.or(waiting.filter(|_| stopped.is_none())) };
        let draft = told.filter(|core| stopped.is_none_or(|block| core.block < block));
        let block = draft.map(|core| core.block).or(stopped);
        let Some(record) = records.iter_mut().find(|r| Some(r.block) == block) else { return };
        if let Some(core) = draft {
            let entry = match deadlocked {
                true if graph.waits_for_unstarted(core) => &c::OCCUPANCY,
                true => &c::DEADLOCK,
                false => &c::TIME_LIMIT,
            };
            record.drafts.push(graph.draft(core, entry));
            record.fatal = Some(entry);
        }
        if let Some(last) = record.drafts.last_mut() {
            let told = draft.map(|core| (core, waits.get(&core)));
            graph.describe(last, told);
        }
    }

    /// Findings for flags that are uneven.
    pub(super) fn explain_leftovers(&self, records: &mut [BlockRecord], chip: &Chip) {
        if records.len() < self.num_blocks() as usize || records.iter().any(|r| r.fatal.is_some()) {
            return;
        }
        for leftover in self.residents().with_flags(|f| f.leftovers()) {
            let name = |core: CoreId| core_name(chip, core, self.residents().shape().aivs);
            let (core, pc, mut draft) = match leftover {
                Leftover::Counts { core, flag, count, pc } => {
                    let values =
                        [("flag", flag.to_string()), ("core", name(core)), ("count", count.to_string())];
                    (core, pc, Draft::new(&c::CROSS_LEFT, &values))
                }
                Leftover::Overflow { core, flag, pc } => {
                    let values = [("flag", flag.to_string()), ("core", name(core))];
                    (core, pc, Draft::new(&c::CROSS_OVERFLOW, &values))
                }
                Leftover::Unmatched { core, flag, mode, arrived, members, pc } => {
                    let values = [
                        ("flag", flag.to_string()),
                        ("mode", mode.to_string()),
                        ("arrived", arrived.to_string()),
                        ("members", members.to_string()),
                    ];
                    (core, pc, Draft::new(&c::CROSS_UNMATCHED, &values))
                }
            };
            draft.frames = vec![pc];
            draft.block = core.block;
            draft.core = name(core);
            if let Some(record) = records.iter_mut().find(|r| r.block == core.block) {
                record.drafts.push(draft);
            }
        }
    }
}

/// Who waits for whom.
struct Graph<'a> {
    launch: &'a LaunchShared,
    chip: &'a Chip,
    notes: &'a BTreeMap<CoreId, Note>,
    waits: &'a BTreeMap<CoreId, Wait>,
    /// Blocks that were started.
    started: u32,
}

impl Graph<'_> {
    fn name(&self, core: CoreId) -> String {
        core_name(self.chip, core, self.launch.residents().shape().aivs)
    }

    /// Whether only blocks that cannot start are missing in what a core waits for.
    fn waits_for_unstarted(&self, core: CoreId) -> bool {
        let Some(wait) = self.waits.get(&core) else { return false };
        let missing = self.launch.residents().with_flags(|f| f.missing(core, wait.flag));
        let mut cores = missing.iter().flat_map(|m| &m.1).peekable();
        cores.peek().is_some() && cores.all(|c| c.block >= self.started)
    }

    fn draft(&self, core: CoreId, entry: &'static Entry) -> Draft {
        let limit = self.launch.launch().time_limit.unwrap_or_default();
        let flag = self.waits.get(&core).map_or(0, |w| w.flag);
        let cores = if self.launch.residents().shape().aics == 0 { "vector cores" } else { "AI Cores" };
        let is_occupancy = std::ptr::eq(entry, &c::OCCUPANCY);
        let limit =
            if is_occupancy { self.launch.residents().capacity().to_string() } else { format!("{limit:?}") };
        let values = [
            ("limit", limit),
            ("core", self.name(core)),
            ("flag", flag.to_string()),
            ("blocks", self.launch.num_blocks().to_string()),
            ("cores", cores.to_owned()),
        ];
        let mut draft = Draft::new(entry, &values);
        draft.block = core.block;
        draft.core = self.name(core);
        draft.frames = match (self.waits.get(&core), self.notes.get(&core).and_then(|n| n.runs.as_ref())) {
            (Some(wait), _) => trimmed(&wait.frames),
            (None, Some((_, frames))) => frames.clone(),
            (None, None) => Vec::new(),
        };
        draft
    }

    /// Adds the graph, told from a core (and what it waits for, if it waits).
    fn describe(&self, draft: &mut Draft, told: Option<(CoreId, Option<&Wait>)>) {
        match told {
            Some((core, Some(wait))) => {
                let counting = self.counting(core);
                if !counting.is_empty() {
                    let name = self.name(core);
                    draft.details.push(Detail::Text(format!(
                        "{name} does not wait for what counts there{counting}: is the id of the set or of the wait wrong?"
                    )));
                }
                self.tell_missing(draft, core, wait.flag);
            }
            Some((core, None)) => {
                if let Some((text, _)) = self.notes.get(&core).and_then(|n| n.runs.as_ref()) {
                    draft.details.push(Detail::Text(format!("{}: {text}", self.name(core))));
                }
            }
            None => {}
        }
        let told = told.map(|t| t.0);
        self.tell_runners(draft, told);
        self.tell_waiters(draft, told);
        self.tell_unstarted(draft);
    }

    /// Whose sets flag `flag` of `core` misses, and what they do.
    fn tell_missing(&self, draft: &mut Draft, core: CoreId, flag: u8) {
        let missing = self.launch.residents().with_flags(|f| f.missing(core, flag));
        if missing.is_empty() {
            draft.details.push(Detail::Text(format!("no core has set flag {flag}")));
        }
        for (mode, cores) in missing {
            draft.details.push(Detail::Text(self.rule(mode, core, flag)));
            let (here, later): (Vec<CoreId>, Vec<CoreId>) =
                cores.into_iter().partition(|m| m.block < self.started);
            for member in here.iter().take(SHOWN) {
                draft.details.push(self.doing(*member, core, flag));
                self.tell_other_modes(draft, *member, core, flag);
            }
            if here.len() > SHOWN {
                draft
                    .details
                    .push(Detail::Text(format!("  and {} more have not set it", here.len() - SHOWN)));
            }
            if !later.is_empty() {
                let text = match later.len() {
                    1 => "  a core of a block that has not started".to_owned(),
                    n => format!("  {n} cores of blocks that have not started"),
                };
                draft.details.push(Detail::Text(text));
            }
        }
    }

    /// Sets of the flag that do not count where it is waited for.
    fn tell_other_modes(&self, draft: &mut Draft, member: CoreId, told: CoreId, flag: u8) {
        let kind = told.kind();
        let sets = self.launch.residents().with_flags(|f| f.sets_for_others(member, flag, kind));
        for (mode, times) in sets {
            let whom = match (mode, member.kind()) {
                (0, CoreKind::Aic) => "the AICs of the launch",
                (0, CoreKind::Aiv) => "the AIVs of the launch",
                (1, _) => "the AIVs of the block",
                _ => "the AIC of the block",
            };
            let often = if times == 1 { "once".to_owned() } else { format!("{times} times") };
            draft.details.push(Detail::Text(format!(
                "  {} has set flag {flag} with mode {mode} ({often}), which counts on {whom} only: is another mode meant?",
                self.name(member)
            )));
        }
    }

    fn rule(&self, mode: u8, core: CoreId, flag: u8) -> String {
        let shape = self.launch.residents().shape();
        let kind = if core.kind() == CoreKind::Aic { "AIC" } else { "AIV" };
        let all = |count: u32, what: &str| {
            if count == 1 { what.to_owned() } else { format!("all {count} {what}s") }
        };
        let who = match (mode, core.kind()) {
            (0, _) => format!("{} of the launch", all(shape.cores(core.kind()), kind)),
            (1, _) | (2, CoreKind::Aic) => format!("{} of the block", all(shape.aivs, "AIV")),
            _ => "the AIC of the block".to_owned(),
        };
        format!("flag {flag} counts when set by {who} (mode {mode}); it is not set by")
    }

    /// What a core does instead of setting the flag.
    fn doing(&self, member: CoreId, told: CoreId, flag: u8) -> Detail {
        let name = self.name(member);
        let note = self.notes.get(&member);
        if let Some((_, text, frames)) = note.and_then(|n| n.stuck.iter().find(|s| s.0 == flag)) {
            return Detail::At(format!("  {name}: {text}"), frames.clone());
        }
        if member == told {
            return Detail::Text(format!("  {name}, this core itself"));
        }
        if let Some(wait) = self.waits.get(&member) {
            let counting = self.counting(member);
            let text = format!("  {name}: waits for cross-core flag {}{counting}", wait.flag);
            return Detail::At(text, trimmed(&wait.frames));
        }
        match note.and_then(|n| n.runs.as_ref()) {
            Some((text, frames)) => Detail::At(format!("  {name}: {text}"), frames.clone()),
            None => Detail::Text(format!("  {name}: has ended")),
        }
    }

    /// Flags that count on a core although it waits for another one.
    fn counting(&self, core: CoreId) -> String {
        let counting = self.launch.residents().with_flags(|f| f.counting(core));
        let text: Vec<String> =
            counting.iter().map(|(flag, count)| format!("flag {flag} counts {count}")).collect();
        if text.is_empty() { String::new() } else { format!(" ({})", text.join(", ")) }
    }

    fn tell_runners(&self, draft: &mut Draft, told: Option<CoreId>) {
        let runners = self.notes.values().filter(|n| Some(n.core) != told);
        let runners: Vec<_> = runners.filter_map(|n| Some((n.core, n.runs.as_ref()?))).collect();
        for (core, (text, frames)) in runners.iter().take(SHOWN) {
            draft.details.push(Detail::At(format!("{}: {text}", self.name(*core)), frames.clone()));
        }
        if runners.len() > SHOWN {
            draft.details.push(Detail::Text(format!("and {} more that run", runners.len() - SHOWN)));
        }
    }

    /// The other cores that wait, those at the same place in one line.
    fn tell_waiters(&self, draft: &mut Draft, told: Option<CoreId>) {
        let mut places: Vec<(u8, [u64; 4], Vec<CoreId>)> = Vec::new();
        for (&core, wait) in self.waits.iter().filter(|(core, _)| Some(**core) != told) {
            match places.iter_mut().find(|p| (p.0, p.1[0]) == (wait.flag, wait.frames[0])) {
                Some(place) => place.2.push(core),
                None => places.push((wait.flag, wait.frames, vec![core])),
            }
        }
        for (flag, frames, cores) in places.iter().take(2 * SHOWN) {
            let first = self.name(cores[0]);
            let who = match cores.len() {
                1 => format!("{first} waits"),
                2 => format!("{first} and 1 more core wait"),
                n => format!("{first} and {} more cores wait", n - 1),
            };
            draft.details.push(Detail::At(format!("{who} for cross-core flag {flag}"), trimmed(frames)));
        }
    }

    fn tell_unstarted(&self, draft: &mut Draft) {
        let (started, blocks) = (self.started, self.launch.num_blocks());
        if started == blocks {
            return;
        }
        let cores = match self.launch.residents().shape().aics {
            0 => format!("{} vector cores", self.chip.aiv_count),
            _ => format!("{} AI Cores", self.chip.aic_count),
        };
        let who = match blocks - started {
            1 => format!("block {started} has"),
            _ => format!("blocks {started} to {} have", blocks - 1),
        };
        draft.details.push(Detail::Text(format!(
            "{who} not started: the {cores} of {} are held by blocks that have not ended",
            self.chip.name
        )));
    }
}

fn trimmed(frames: &[u64]) -> Vec<u64> {
    frames.iter().copied().filter(|f| *f != 0).collect()
}
