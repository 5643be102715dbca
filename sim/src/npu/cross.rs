//! Instructions that order cores against each other.

use super::core::Core;
use super::pipes::Fault;
use toprope_abi::isa::{CrossKind, OpRow};

impl Core {
    /// Issues an instruction of the family `Cross`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn cross(
        &mut self,
        _row: &'static OpRow,
        kind: CrossKind,
        _x: &[u64; 4],
    ) -> Result<(), Fault> {
        match kind {}
    }
}
