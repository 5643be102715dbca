//! Vector clocks of the host and of streams.

use std::sync::Arc;

/// Number of a timeline: the host is [`HOST`], every stream has one of its own.
pub type LineId = u32;

/// The host. Its threads are one timeline: how they wait for each other is not seen, so they count as in order.
pub const HOST: LineId = 0;

/// How far each timeline is known to have come. What is not listed is not known at all.
///
/// A stream knows little that is new from one task to the next but that it has come further itself: this is kept apart, and the rest is
/// shared between the clocks that are copied from each other.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    shared: Arc<Vec<u64>>,
    /// The timeline that advances most.
    own: (LineId, u64),
}

/// A clock that several tasks share.
pub type Told = Arc<Clock>;

impl Clock {
    /// How far timeline `line` is known to have come.
    fn known(&self, line: LineId) -> u64 {
        let shared = self.shared.get(line as usize).copied().unwrap_or(0);
        if line == self.own.0 { shared.max(self.own.1) } else { shared }
    }

    /// Whether task `tick` of timeline `line` is known to be over.
    pub fn knows(&self, line: LineId, tick: u64) -> bool {
        self.known(line) >= tick
    }

    /// Timeline `line` has come to `tick`.
    pub fn advance(&mut self, line: LineId, tick: u64) {
        if self.own.1 == 0 || self.own.0 == line {
            self.own = (line, self.own.1.max(tick));
        } else if !self.knows(line, tick) {
            let shared = Arc::make_mut(&mut self.shared);
            let at = line as usize;
            if shared.len() <= at {
                shared.resize(at + 1, 0);
            }
            shared[at] = tick;
        }
    }

    /// Adds what `other` knows.
    pub fn join(&mut self, other: &Clock) {
        if !Arc::ptr_eq(&self.shared, &other.shared) {
            let news = |(line, tick): (usize, &u64)| *tick != 0 && !self.knows(line as LineId, *tick);
            if other.shared.iter().enumerate().any(news) {
                let shared = Arc::make_mut(&mut self.shared);
                shared.resize(shared.len().max(other.shared.len()), 0);
                for (ours, theirs) in shared.iter_mut().zip(other.shared.iter()) {
                    *ours = (*ours).max(*theirs);
                }
            }
        }
        if other.own.1 != 0 {
            self.advance(other.own.0, other.own.1);
        }
    }

    /// Whether it knows all that `other` knows.
    pub fn covers(&self, other: &Clock) -> bool {
        let known = |(line, tick): (usize, &u64)| *tick == 0 || self.knows(line as LineId, *tick);
        let own = other.own.1 == 0 || self.knows(other.own.0, other.own.1);
        own && (Arc::ptr_eq(&self.shared, &other.shared) || other.shared.iter().enumerate().all(known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_keeps_the_later_tick() {
        let (mut a, mut b) = (Clock::default(), Clock::default());
        a.advance(1, 5);
        b.advance(3, 2);
        b.advance(1, 4);
        assert!(!a.covers(&b));
        a.join(&b);
        assert!(a.covers(&b) && a.knows(1, 5) && a.knows(3, 2) && !a.knows(3, 3) && !a.knows(9, 1));
        assert!(!b.covers(&a));
        a.advance(1, 1);
        assert!(a.knows(1, 5), "time does not run back");
    }
}
