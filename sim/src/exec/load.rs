//! Moves into and out of the memories of the cube core.

use super::table::Entry;
use toprope_abi::isa::{LoadKind, OpRow};

/// Decoder and lane functions of a row of this family; `fast`: for this machine, else plain ones.
pub(super) fn make(_row: &OpRow, kind: LoadKind, _fast: bool) -> Entry {
    match kind {}
}
