//! Vector clocks of the host and of streams.

use std::sync::Arc;

/// Number of a timeline: the host is [`HOST`], every stream has one of its own.
pub type LineId = u32;

/// The host. Its threads are one timeline: how they wait for each other is not seen, so they count as in order.
pub const HOST: LineId = 0;

/// How far each timeline is known to have come. What is not listed is not known at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock(Vec<u64>);

/// A clock that several tasks share.
pub type Told = Arc<Clock>;

impl Clock {
    /// Whether task `tick` of timeline `line` is known to be over.
    pub fn knows(&self, line: LineId, tick: u64) -> bool {
        self.0.get(line as usize).is_some_and(|known| *known >= tick)
    }

    /// Timeline `line` has come to `tick`.
    pub fn advance(&mut self, line: LineId, tick: u64) {
        let at = line as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = self.0[at].max(tick);
    }

    /// Adds what `other` knows.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (ours, theirs) in self.0.iter_mut().zip(&other.0) {
            *ours = (*ours).max(*theirs);
        }
    }

    /// Whether it knows all that `other` knows.
    pub fn covers(&self, other: &Clock) -> bool {
        other.0.iter().enumerate().all(|(line, tick)| *tick == 0 || self.knows(line as LineId, *tick))
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
