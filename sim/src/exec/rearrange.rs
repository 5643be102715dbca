//! Transposition, sort and merge.

use super::table::Entry;
use toprope_abi::isa::{OpRow, RearrangeKind};

/// Decoder and lane functions of a row of this family; `fast`: for this machine, else plain ones.
pub(super) fn make(_row: &OpRow, kind: RearrangeKind, _fast: bool) -> Entry {
    match kind {}
}
