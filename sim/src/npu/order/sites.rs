//! Places of a kernel that access memory, numbered, and how often each has run.
//!
//! Shadow memory keeps a number and an iteration per access instead of addresses. A place is known by the user's call, the
//! call of the engine inside the API, and the instruction; its return addresses are read only when it is new.

use crate::npu::pipes::Frames;
use std::collections::HashMap;

/// Number of a place in [`Sites`].
pub type SiteId = u32;

/// What makes two accesses the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// Address in the user's code.
    pub here: u64,
    /// Address of the call into the engine.
    pub pc: u64,
    /// Row of the instruction table, or [`SCALAR_OP`] and the kind of a scalar access.
    pub op: u32,
}

/// Added to the number of a scalar access, so that it is no row of the instruction table.
pub const SCALAR_OP: u32 = 1 << 16;

/// A place.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    place: Place,
    /// Instruction, e.g. `vadd`, or `GetValue`.
    pub op: &'static str,
    /// Slot of its pipe.
    pub slot: usize,
    /// Return addresses, innermost first, 0 behind the last.
    pub frames: Frames,
    /// How often it has run in this block.
    pub runs: u32,
    epoch: u32,
}

impl Site {
    /// Return addresses without the filling.
    pub fn frames(&self) -> Vec<u64> {
        self.frames.iter().copied().filter(|f| *f != 0).collect()
    }

    /// Address in the user's code.
    pub fn here(&self) -> u64 {
        self.place.here
    }
}

/// One run of a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Visit {
    /// The place.
    pub site: SiteId,
    /// How often it had run before in this block.
    pub iteration: u32,
}

/// Places found without a search.
const RECENT: usize = 64;

#[inline]
fn slot_of(place: Place) -> usize {
    (place.pc ^ (place.here >> 3) ^ u64::from(place.op)) as usize % RECENT
}

/// The places of one core.
#[derive(Debug)]
pub struct Sites {
    all: Vec<Site>,
    numbers: HashMap<Place, SiteId>,
    /// Number of the last place with this hash.
    recent: [SiteId; RECENT],
    epoch: u32,
}

impl Default for Sites {
    fn default() -> Sites {
        Sites { all: Vec::new(), numbers: HashMap::new(), recent: [0; RECENT], epoch: 0 }
    }
}

impl Sites {
    /// Another block begins: no place has run.
    pub fn begin(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
    }

    /// Forgets all places: code may have moved.
    pub fn clear(&mut self) {
        if !self.all.is_empty() {
            self.all.clear();
            self.numbers.clear();
        }
    }

    /// The place runs; `None` if it is not among the latest ones.
    #[inline]
    pub fn again(&mut self, place: Place) -> Option<Visit> {
        let guess = self.recent[slot_of(place)];
        let known = self.all.get(guess as usize).is_some_and(|s| s.place == place);
        known.then(|| self.run(guess))
    }

    /// The place runs; it may be a new one.
    #[cold]
    pub fn visit(&mut self, place: Place, op: &'static str, slot: usize, frames: Frames) -> Visit {
        let (all, epoch) = (&mut self.all, self.epoch);
        let site = *self.numbers.entry(place).or_insert_with(|| {
            all.push(Site { place, op, slot, frames, runs: 0, epoch });
            all.len() as SiteId - 1
        });
        self.recent[slot_of(place)] = site;
        self.run(site)
    }

    /// How often a place has run in this block.
    pub fn runs(&self, place: Place) -> u32 {
        let site = self.numbers.get(&place).map(|site| self.get(*site));
        site.filter(|s| s.epoch == self.epoch).map_or(0, |s| s.runs)
    }

    #[inline]
    fn run(&mut self, site: SiteId) -> Visit {
        let epoch = self.epoch;
        let s = &mut self.all[site as usize];
        if s.epoch != epoch {
            (s.epoch, s.runs) = (epoch, 0);
        }
        s.runs += 1;
        Visit { site, iteration: s.runs - 1 }
    }

    /// How often the place had run in this block before its last run; 0 if it is not known.
    pub fn last_run(&self, place: Place) -> u32 {
        let site = self.numbers.get(&place).map(|n| self.get(*n)).filter(|s| s.epoch == self.epoch);
        site.map_or(0, |s| s.runs.saturating_sub(1))
    }

    /// A place.
    pub fn get(&self, site: SiteId) -> &Site {
        &self.all[site as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_count_per_place_and_block() {
        let mut sites = Sites::default();
        let place = |here, op| Place { here, pc: 0x10, op };
        let visit =
            |s: &mut Sites, p: Place| s.again(p).unwrap_or_else(|| s.visit(p, "vadd", 1, [p.here, 0, 0, 0]));
        sites.begin();
        let first = visit(&mut sites, place(0x100, 1));
        let other = visit(&mut sites, place(0x200, 1));
        let again = visit(&mut sites, place(0x100, 1));
        assert_eq!((first.site, first.iteration, again.iteration, other.iteration), (again.site, 0, 1, 0));
        assert_ne!(visit(&mut sites, place(0x100, 2)).site, first.site, "another instruction");
        assert_eq!(sites.get(other.site).frames(), [0x200]);
        sites.begin();
        assert_eq!(visit(&mut sites, place(0x100, 1)), Visit { site: first.site, iteration: 0 });
        sites.clear();
        assert_eq!(visit(&mut sites, place(0x300, 1)).site, 0);
    }
}
