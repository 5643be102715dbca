//! What a core knows of other cores: how far each of their pipes had come.
//!
//! Such knowledge travels with cross-core flags (`cross_flags`) and is shared: a view is never changed, only replaced, and
//! cloning one is counting a reference.

use super::CoreId;
use std::sync::Arc;

/// Parts of a core that have an order of their own: its pipes by slot, and at [`LOADS`] the loads of the scalar unit.
pub const PARTS: usize = 8;
/// Part of the scalar unit's loads: they are done before anything is issued behind them.
pub const LOADS: usize = 7;
/// Per part, the number of its last instruction that is known to be complete; 0: none.
pub type Known = [u32; PARTS];

/// Takes the larger number of every part.
#[inline]
pub fn join(into: &mut Known, from: &Known) {
    for (a, b) in into.iter_mut().zip(from) {
        *a = (*a).max(*b);
    }
}

/// Knowledge of other cores.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foreign(Option<Arc<[(CoreId, Known)]>>);

impl Foreign {
    /// How far part `part` of `core` is known to have come.
    pub fn knows(&self, core: CoreId, part: usize) -> u32 {
        self.of(core).map_or(0, |known| known[part])
    }

    /// How far `core` is known to have come.
    pub fn of(&self, core: CoreId) -> Option<&Known> {
        let cores = self.0.as_ref()?;
        cores.binary_search_by_key(&core, |c| c.0).ok().map(|i| &cores[i].1)
    }

    /// Whether both are one view.
    #[inline]
    pub fn is_same(&self, other: &Foreign) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// This, and `core` as far as `known`.
    pub fn with(&self, core: CoreId, known: Known) -> Foreign {
        let mut all = self.clone();
        all.join(&Foreign(Some([(core, known)].into())));
        all
    }

    /// Adds what `other` knows.
    pub fn join(&mut self, other: &Foreign) {
        let Some(theirs) = &other.0 else { return };
        let Some(ours) = &self.0 else {
            *self = other.clone();
            return;
        };
        if Arc::ptr_eq(ours, theirs) || covers(ours, theirs) {
            return;
        }
        *self = if covers(theirs, ours) { other.clone() } else { Foreign(Some(merged(ours, theirs).into())) };
    }
}

/// Whether `a` knows all that `b` knows. Both are sorted.
fn covers(a: &[(CoreId, Known)], b: &[(CoreId, Known)]) -> bool {
    let mut rest = a.iter();
    b.iter().all(|(core, known)| {
        let found = rest.by_ref().find(|(c, _)| c >= core);
        found.is_some_and(|(c, k)| c == core && k.iter().zip(known).all(|(a, b)| a >= b))
    })
}

fn merged(a: &[(CoreId, Known)], b: &[(CoreId, Known)]) -> Vec<(CoreId, Known)> {
    let mut all: Vec<(CoreId, Known)> = a.iter().chain(b).copied().collect();
    all.sort_by_key(|c| c.0);
    all.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            join(&mut first.1, &later.1);
        }
        same
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn core(block: u32) -> CoreId {
        CoreId { block, seat: 1 }
    }

    fn known(v: u32) -> Known {
        [v, 0, 0, 0, 2 * v, 0, 0, 0]
    }

    #[test]
    fn joins_take_the_larger_of_each() {
        let mut a = Foreign::default().with(core(1), known(3)).with(core(5), known(1));
        let b = Foreign::default().with(core(5), known(4)).with(core(2), known(7));
        a.join(&b);
        let knows = |c| (a.knows(core(c), 0), a.knows(core(c), 4));
        assert_eq!([knows(1), knows(2), knows(5), knows(9)], [(3, 6), (7, 14), (4, 8), (0, 0)]);
    }

    #[test]
    fn a_view_that_covers_the_other_is_shared() {
        let small = Foreign::default().with(core(1), known(3));
        let mut large = small.with(core(2), known(1));
        let before = large.clone();
        large.join(&small);
        let mut grown = small;
        grown.join(&large);
        let same =
            |a: &Foreign, b: &Foreign| Arc::ptr_eq(a.0.as_ref().expect("some"), b.0.as_ref().expect("some"));
        assert!(same(&large, &before) && same(&grown, &large));
    }
}
