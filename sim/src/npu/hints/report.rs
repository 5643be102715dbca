//! Hints in words, for all cores of a launch together.

use super::{Sync, Use, Uses, coverage, resources};
use crate::findings::catalogue::{BROAD_BARRIER, USELESS_SYNC};
use crate::findings::{Detail, Draft, symbols};
use crate::npu::chip::Chip;
use crate::npu::core::Core;
use std::collections::{BTreeMap, HashMap};

/// Share of the kernel's time below which nothing is told.
pub(super) const LEAST_PERCENT: f64 = 1.0;
/// Pairs that a barrier of all pipes may order to be called too broad.
const MOST_PAIRS: u32 = 2;
/// Calls that a kernel can leave out; flags of other functions belong to the framework.
pub(super) const APIS: &[&str] = &[
    "SetFlag",
    "WaitFlag",
    "PipeBarrier",
    "set_flag",
    "wait_flag",
    "pipe_barrier",
    "barrier",
    "asc_sync_notify",
    "asc_sync_wait",
    "asc_sync_pipe",
];

/// What of the kernel that begins at `entry` did not run on any core.
pub fn not_exercised(cores: &[Box<Uses>], entry: u64) -> Option<Draft> {
    if cores.is_empty() {
        return None;
    }
    coverage::draft(entry, &cores.iter().flat_map(|u| &u.calls).copied().collect())
}

/// Flags and barriers that stand or fall together.
type Group = Vec<(Sync, Use)>;

/// The hints of a launch.
pub fn drafts(cores: &[Box<Uses>], chip: &Chip, auto_sync: bool) -> Vec<Draft> {
    let time =
        Time { cores: cores.len() as f64, cycles: cores.iter().map(|u| u.cycles).sum(), mhz: chip.mhz };
    let mut told_of = resources::drafts(cores, &time);
    if cores.iter().any(|u| u.gave_up) {
        return told_of;
    }
    let mut all: BTreeMap<Sync, Use> = BTreeMap::new();
    for (sync, one) in cores.iter().flat_map(|u| &u.all) {
        let sum = all.entry(*sync).or_default();
        sum.runs += one.runs;
        sum.idle_cycles += one.idle_cycles;
        sum.pairs |= one.pairs;
    }
    told_of.extend(groups(all).into_iter().filter_map(|group| told(&group, &time, auto_sync)));
    told_of
}

/// Time of a launch, to compare gains with.
pub(super) struct Time {
    cores: f64,
    /// Of all cores.
    cycles: u64,
    mhz: u32,
}

impl Time {
    pub(super) fn percent(&self, cycles: u64) -> f64 {
        100.0 * cycles as f64 / self.cycles.max(1) as f64
    }

    pub(super) fn per_core(&self, cycles: u64) -> f64 {
        cycles as f64 / self.cores.max(1.0)
    }

    /// Cycles of all cores as what each could win.
    pub(super) fn won(&self, cycles: u64) -> String {
        let per_core = self.per_core(cycles);
        let micros = per_core / f64::from(self.mhz);
        format!("{per_core:.0} cycles per core ({micros:.2} us): {:.0} % of the kernel", self.percent(cycles))
    }

    /// What could be won at most.
    fn text(&self, cycles: u64, runs: u64) -> String {
        let per_core = self.per_core(cycles);
        format!(
            "ran {runs} times; work stood still for it {per_core:.0} cycles per core ({:.2} us), which is the most that can be won: {:.0} % of the kernel",
            per_core / f64::from(self.mhz),
            self.percent(cycles)
        )
    }
}

/// Flags whose calls meet (a set that several waits take, a wait that takes several sets) are one group.
fn groups(all: BTreeMap<Sync, Use>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut of_call: HashMap<u64, usize> = HashMap::new();
    for entry in all {
        let Sync::Flag { set, wait, .. } = entry.0 else {
            groups.push(vec![entry]);
            continue;
        };
        let found: Vec<usize> = [set, wait].iter().filter_map(|pc| of_call.get(pc).copied()).collect();
        let group = found.first().copied().unwrap_or_else(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        if let Some(other) = found.get(1).filter(|other| **other != group) {
            let moved = std::mem::take(&mut groups[*other]);
            groups[group].extend(moved);
            of_call.values_mut().filter(|g| **g == *other).for_each(|g| *g = group);
        }
        groups[group].push(entry);
        of_call.extend([(set, group), (wait, group)]);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

fn told(group: &Group, time: &Time, auto_sync: bool) -> Option<Draft> {
    let judged = group.iter().all(|(sync, _)| Core::is_judged(*sync, auto_sync));
    let idle: u64 = group.iter().map(|(_, u)| u.idle_cycles).sum();
    if !judged || time.percent(idle) < LEAST_PERCENT {
        return None;
    }
    let pairs = group.iter().fold(0, |all, (_, u)| all | u.pairs);
    let (sync, _) = group.iter().max_by_key(|(_, u)| u.idle_cycles)?;
    let pc = match *sync {
        Sync::Flag { wait, .. } => wait,
        Sync::Barrier { pc, .. } | Sync::All { pc } => pc,
    };
    let api = symbols::place_and_api(&[pc]).1?;
    if !APIS.contains(&api.as_str()) {
        return None;
    }
    let mut draft = match sync {
        _ if pairs == 0 => Draft::new(&USELESS_SYNC, &[("what", text(*sync))]),
        Sync::All { .. } if pairs.count_ones() <= MOST_PAIRS => broad(pairs),
        _ => return None,
    };
    let runs = group.iter().map(|(_, u)| u.runs).sum();
    draft.details.push(Detail::Text(time.text(idle, runs)));
    if let Sync::Flag { set, .. } = sync {
        draft.details.push(Detail::At("set".into(), vec![*set]));
    }
    draft.frames = vec![pc];
    Some(draft)
}

fn text(sync: Sync) -> String {
    let name = Core::pipe_name;
    match sync {
        Sync::Flag { src, dst, .. } => format!("flag {}_{}", name(src), name(dst)),
        Sync::Barrier { slot, .. } => format!("PipeBarrier<PIPE_{}>", name(slot)),
        Sync::All { .. } => "PipeBarrier<PIPE_ALL>".into(),
    }
}

fn broad(pairs: u64) -> Draft {
    let pairs: Vec<(usize, usize)> =
        (0..64).filter(|bit| pairs & (1 << bit) != 0).map(|bit| (bit / 8, bit % 8)).collect();
    let name = Core::pipe_name;
    let order = |(part, slot): &(usize, usize)| {
        if part == slot {
            format!("{} with itself", name(*slot))
        } else {
            format!("{} before {}", name(*part), name(*slot))
        }
    };
    let instead = |(part, slot): &(usize, usize)| {
        if part == slot {
            format!("PipeBarrier<PIPE_{}>", name(*slot))
        } else {
            format!("SetFlag and WaitFlag<HardEvent::{}_{}>", name(*part), name(*slot))
        }
    };
    let list =
        |f: &dyn Fn(&(usize, usize)) -> String| pairs.iter().map(f).collect::<Vec<String>>().join(" and ");
    Draft::new(&BROAD_BARRIER, &[("order", list(&order)), ("instead", list(&instead))])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(set: u64, wait: u64) -> (Sync, Use) {
        (Sync::Flag { set, wait, src: 4, dst: 1 }, Use { runs: 1, ..Use::default() })
    }

    #[test]
    fn calls_that_meet_are_one_group() {
        let all = [flag(1, 2), flag(3, 4), flag(5, 6), flag(5, 2), flag(7, 7)];
        let mut sizes: Vec<usize> = groups(all.into_iter().collect()).iter().map(Vec::len).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [1, 1, 3]);
    }
}
