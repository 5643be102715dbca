//! The latest barriers of a core, to say in a report what stands between two accesses and does not order them.

use super::foreign::Known;
use crate::npu::clock::SLOTS;

/// A barrier.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stand {
    /// How far every part had come.
    pub counts: Known,
    /// Where it is; 0: there was none.
    pub pc: u64,
}

/// The latest barrier of each pipe.
#[derive(Clone, Copy, Debug, Default)]
pub struct History {
    /// By slot.
    pub barriers: [Stand; SLOTS],
}
