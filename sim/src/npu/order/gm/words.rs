//! Words that small copies have brought to UB, until the scalar unit takes one: then the kernel has looked at it.
//!
//! Vector steps over few bytes (a sum, a comparison) carry a word on to their result. Not followed: copies inside UB by other
//! pipes, steps over more than [`WORD_BYTES`], more than [`MOST`] words at a time.

use super::log::WORD_BYTES;
use crate::exec::Decoded;
use std::ops::Range;
use toprope_abi::isa::Space;

/// Words followed at a time.
const MOST: usize = 8;

/// Bytes of UB that hold a word, or were made of one.
#[derive(Clone, Debug)]
struct Word {
    ub: Range<u64>,
    /// The copy, in the log.
    piece: u32,
    /// A vector step has read it, whose result may be in a register.
    stepped: bool,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Words {
    latest: Vec<Word>,
    next: usize,
}

impl Words {
    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.latest.is_empty()
    }

    /// Small copy `piece` wrote these bytes of UB.
    pub fn copied(&mut self, ub: Range<u64>, piece: u32) {
        let word = Word { ub, piece, stepped: false };
        if self.latest.len() < MOST {
            return self.latest.push(word);
        }
        self.latest[self.next] = word;
        self.next = (self.next + 1) % MOST;
    }

    /// A vector step runs.
    pub fn step(&mut self, decoded: &Decoded) {
        let of_ub = |write: bool| {
            let accesses =
                decoded.accesses().iter().filter(move |a| a.space == Space::Ub && a.write == write);
            accesses.filter_map(|a| a.extent().map(|e| a.addr..e.end))
        };
        for read in of_ub(false).filter(|r| r.end - r.start <= WORD_BYTES) {
            let piece = self.latest.iter_mut().find(|w| overlap(&w.ub, &read)).map(|w| {
                w.stepped = true;
                w.piece
            });
            let Some(piece) = piece else { continue };
            of_ub(true).for_each(|result| {
                if !self.latest.iter().any(|w| w.piece == piece && w.ub == result) {
                    self.copied(result, piece);
                }
            });
        }
    }

    /// The scalar unit reads UB: the copies whose words it takes.
    pub fn read(&mut self, range: &Range<u64>) -> Vec<u32> {
        self.take(|w| overlap(&w.ub, range))
    }

    /// The scalar unit reads a register: the copies whose words may be in it.
    pub fn read_register(&mut self) -> Vec<u32> {
        self.take(|w| w.stepped)
    }

    fn take(&mut self, is: impl Fn(&Word) -> bool) -> Vec<u32> {
        let taken: Vec<u32> = self.latest.iter().filter(|w| is(w)).map(|w| w.piece).collect();
        if !taken.is_empty() {
            self.latest.retain(|w| !taken.contains(&w.piece));
            self.next = 0;
        }
        taken
    }
}

fn overlap(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.start < b.end && b.start < a.end
}
