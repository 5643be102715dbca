//! Which pipe last read and wrote every 32 bytes, as numbers of instructions.
//!
//! Coarser than the race checker's shadow on purpose: two accesses of one granule that do not meet count as meeting, so that a flag between
//! them is not called useless.

use crate::npu::order::foreign::{Known, join};
use std::collections::HashMap;
use std::ops::Range;

const GRANULE_SHIFT: u32 = 5;
const PAGE_GRANULES: u64 = 128;

#[derive(Clone, Copy, Debug, Default)]
struct Granule {
    read: Known,
    written: Known,
}

type Page = Box<[Granule; PAGE_GRANULES as usize]>;

/// The granules of one core.
#[derive(Debug, Default)]
pub struct Touched {
    pages: HashMap<u64, Page>,
}

impl Touched {
    fn for_each(&mut self, range: Range<u64>, mut f: impl FnMut(&mut Granule)) {
        let (mut at, end) = (range.start >> GRANULE_SHIFT, range.end.div_ceil(1 << GRANULE_SHIFT));
        while at < end {
            let page = self.pages.entry(at / PAGE_GRANULES);
            let page = page.or_insert_with(|| Box::new([Granule::default(); PAGE_GRANULES as usize]));
            let first = at % PAGE_GRANULES;
            let last = (first + (end - at)).min(PAGE_GRANULES);
            page[first as usize..last as usize].iter_mut().for_each(&mut f);
            at += last - first;
        }
    }

    /// Adds to `needed` what has to come before an access.
    pub fn before(&mut self, range: Range<u64>, write: bool, needed: &mut Known) {
        self.for_each(range, |granule| {
            join(needed, &granule.written);
            if write {
                join(needed, &granule.read);
            }
        });
    }

    /// Notes an access: number `number` of `part`.
    pub fn note(&mut self, range: Range<u64>, write: bool, part: usize, number: u32) {
        self.for_each(range, |granule| {
            let numbers = if write { &mut granule.written } else { &mut granule.read };
            numbers[part] = number;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_matter_to_writes_only() {
        let mut touched = Touched::default();
        touched.note(100..5000, false, 1, 7);
        touched.note(4096..4100, true, 4, 2);
        let needed = |touched: &mut Touched, range, write| {
            let mut needed = Known::default();
            touched.before(range, write, &mut needed);
            (needed[1], needed[4])
        };
        assert_eq!(needed(&mut touched, 96..128, true), (7, 0));
        assert_eq!(needed(&mut touched, 96..128, false), (0, 0));
        assert_eq!(needed(&mut touched, 4000..4097, true), (7, 2));
        assert_eq!(needed(&mut touched, 5024..9000, true), (0, 0));
    }
}
