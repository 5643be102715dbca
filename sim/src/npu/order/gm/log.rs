//! What one core did to GM: for the comparison with other cores when the launch has ended, and for the host's with copies and
//! other launches ([`used`](super::used)).
//!
//! Accesses of one place that know the same of other cores and continue each other are one [`Piece`]. What other cores can
//! know of this one are instruction numbers, told at certain moments: between two of them accesses need not be told apart.
//! So a linear copy of a gigabyte is a piece or two, and a hand-off between cores costs one piece per place.
//!
//! A core that is alone in its launch needs no pieces: only the bytes are kept.
//!
//! Nothing here is shared: no lock is taken while a kernel runs. Beyond [`MOST_PIECES`] only bytes are kept. Memory: 80 bytes
//! per piece, up to 48 to find it again, 32 for what a small write tells: at most 10 MiB per core, until the launch ends.

use super::runs::Runs;
use super::used::GmUse;
use crate::npu::order::CoreId;
use crate::npu::order::foreign::{Foreign, Known, LOADS};
use crate::npu::order::hash::FastMap;
use crate::npu::pipes::Frames;

/// Pieces kept per core.
pub const MOST_PIECES: usize = 1 << 16;
/// Pieces from which on accesses between two flags are joined as well.
const MANY_PIECES: usize = 4096;
/// Largest write that may be a word others look for.
pub const WORD_BYTES: u64 = 64;

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    Read,
    Write,
    /// Atomic addition, maximum or minimum.
    Atomic,
}

impl Class {
    /// Whether two unordered accesses to the same bytes are a conflict.
    pub fn conflicts(self, other: Class) -> bool {
        self != other || self == Class::Write
    }
}

/// Whether a read looks for what another core writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Look {
    /// It reads data.
    No,
    /// A barrier of the headers, which tells itself whom it waited for.
    Announced,
    /// A loop of the kernel.
    User,
}

/// How much an access is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// More than [`WORD_BYTES`]: data.
    Large,
    /// It may read or write a word that others look for.
    Word,
    /// A store of a word that stays in the data cache.
    CachedWord,
}

/// Where an access comes from.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub op: &'static str,
    pub frames: Frames,
    pub slot: usize,
}

/// What makes accesses one piece, beside their addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    pub place: u32,
    /// Pipe, or the loads of the scalar unit.
    pub part: u8,
    pub class: Class,
    pub look: Look,
    /// What was known of other cores.
    pub view: u32,
    /// Of a load that hit the data cache: what was known when the line was read.
    pub fill: u32,
    pub size: Size,
}

/// Accesses that belong together.
#[derive(Clone, Debug)]
pub struct Piece {
    pub key: Key,
    pub runs: Runs,
    /// Numbers of the first and the last instruction.
    pub first: u32,
    pub last: u32,
    pub iteration: u32,
    /// Number from which on others can see it; more than `last` for stores that stayed in the cache. `u32::MAX`: never.
    pub visible: u32,
    /// Of a small write: what its pipe knew to be complete.
    pub told: Option<Box<Known>>,
    moment: Moment,
}

/// Accesses of one pipe at the same moment cannot be told apart by others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// Exports of the core so far.
    pub exports: u32,
    /// Messages of the pipe so far.
    pub messages: u32,
}

/// What was known of other cores at some time.
#[derive(Clone, Debug, Default)]
pub struct View {
    pub foreign: Foreign,
    /// Looks of the kernel's own loops so far.
    pub looks: u32,
}

/// One access of a core.
#[derive(Clone, Debug)]
pub struct Record {
    pub key: Key,
    pub runs: Runs,
    pub number: u32,
    pub iteration: u32,
    pub moment: Moment,
    /// Of a small write: what its pipe knew to be complete.
    pub told: Option<Known>,
}

/// What a core leaves behind.
#[derive(Debug)]
pub struct CoreLog {
    pub core: CoreId,
    pub places: Vec<Place>,
    pub views: Vec<View>,
    pub pieces: Vec<Piece>,
    pub overflowed: bool,
}

/// The log of a core while it runs.
#[derive(Debug, Default)]
pub struct Log {
    pieces: Vec<Piece>,
    /// Bytes that are in no piece.
    used: GmUse,
    open: FastMap<Key, u32>,
    recent: [Option<(Key, u32)>; 4],
    places: Vec<Place>,
    views: Vec<View>,
    overflowed: bool,
}

impl Log {
    /// Number of a new place.
    pub fn add_place(&mut self, place: Place) -> u32 {
        self.places.push(place);
        self.places.len() as u32 - 1
    }

    /// A place.
    pub fn place(&self, number: u32) -> &Place {
        &self.places[number as usize]
    }

    /// Pieces so far.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Number of what is known of other cores now.
    #[inline]
    pub fn view(&mut self, foreign: &Foreign, looks: u32) -> u32 {
        let same = |v: &View| v.looks == looks && v.foreign.is_same(foreign);
        // The views of the pipes follow the scalar unit's.
        if let Some(i) = self.views.iter().rev().take(8).position(same) {
            return (self.views.len() - 1 - i) as u32;
        }
        self.views.push(View { foreign: foreign.clone(), looks });
        self.views.len() as u32 - 1
    }

    /// Notes bytes that no other core can meet.
    #[inline]
    pub fn note(&mut self, class: Class, runs: &Runs) {
        self.used.note(class, runs);
    }

    /// Notes an access; the number of its piece.
    #[inline]
    pub fn record(&mut self, r: Record) -> Option<u32> {
        let slot = (r.key.place as usize ^ usize::from(r.key.part)) % self.recent.len();
        let open = match self.recent[slot] {
            Some((key, i)) if key == r.key => Some(i),
            _ => self.open.get(&r.key).copied(),
        };
        if let Some(i) = open.filter(|i| self.joins(*i, &r)) {
            self.recent[slot] = Some((r.key, i));
            return Some(i);
        }
        if self.pieces.len() >= MOST_PIECES {
            self.overflowed = true;
            self.used.note(r.key.class, &r.runs);
            return None;
        }
        let i = self.pieces.len() as u32;
        self.recent[slot] = Some((r.key, i));
        self.open.insert(r.key, i);
        self.pieces.push(Piece {
            key: r.key,
            runs: r.runs,
            first: r.number,
            last: r.number,
            iteration: r.iteration,
            visible: if r.key.size == Size::CachedWord { u32::MAX } else { r.number },
            told: r.told.map(Box::new),
            moment: r.moment,
        });
        Some(i)
    }

    #[inline]
    fn joins(&mut self, i: u32, r: &Record) -> bool {
        let many = self.pieces.len() > MANY_PIECES;
        let p = &mut self.pieces[i as usize];
        if p.moment.exports != r.moment.exports
            || (p.moment.messages != r.moment.messages && !many && r.key.look != Look::User)
        {
            return false;
        }
        if r.key.size == Size::CachedWord {
            let line = |a: u64| a / WORD_BYTES;
            let is_open = p.visible == u32::MAX && line(p.runs.start) == line(r.runs.end() - 1);
            if !is_open {
                return false;
            }
        }
        let seen_before = r.key.look == Look::User && p.runs.covers(&r.runs);
        if !seen_before && !p.runs.join(&r.runs) {
            return false;
        }
        p.last = r.number;
        if r.key.size != Size::CachedWord {
            p.visible = r.number;
        }
        if seen_before {
            return true;
        }
        match (&mut p.told, r.told) {
            (Some(told), Some(known)) if p.runs.bytes() <= WORD_BYTES => **told = known,
            (told, known) => *told = known.filter(|_| p.runs.bytes() <= WORD_BYTES).map(Box::new),
        }
        true
    }

    /// Store piece `i` was written back: others can see it, and whatever is issued from now on knows that it is done, as behind
    /// load `number` of the scalar unit.
    pub fn cleaned(&mut self, i: u32, number: u32) {
        let Some(p) = self.pieces.get_mut(i as usize) else { return };
        p.key.part = LOADS as u8;
        (p.first, p.last, p.visible) = (number, number, number);
    }

    /// Small read `i` turns out to be a look of the kernel.
    pub fn is_look(&mut self, i: u32) {
        self.pieces[i as usize].key.look = Look::User;
    }

    /// A piece.
    pub fn piece(&self, i: u32) -> &Piece {
        &self.pieces[i as usize]
    }

    /// Ends the log of `core`: its pieces, `None` if there are none, and all bytes it used.
    pub fn take(&mut self, core: CoreId) -> (Option<Box<CoreLog>>, GmUse) {
        let mut log = std::mem::take(self);
        log.pieces.iter().for_each(|p| log.used.note(p.key.class, &p.runs));
        log.used.end();
        let pieces = (!log.pieces.is_empty()).then(|| {
            Box::new(CoreLog {
                core,
                places: log.places,
                views: log.views,
                pieces: log.pieces,
                overflowed: log.overflowed,
            })
        });
        (pieces, log.used)
    }
}

const _: () = assert!(size_of::<Piece>() == 80, "docs/checking.md states the memory of the log");
