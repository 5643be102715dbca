//! Caches and barriers of data.

use super::core::Core;
use super::pipes::Fault;
use toprope_abi::isa::{OpRow, SystemKind};

impl Core {
    /// Issues an instruction of the family `System`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn system(
        &mut self,
        _row: &'static OpRow,
        kind: SystemKind,
        _x: &[u64; 4],
    ) -> Result<(), Fault> {
        match kind {}
    }
}
