//! Compare and select: what they compute and touch.

use super::table::Entry;
use toprope_abi::isa::{CompareKind, OpRow};

/// Decoder and lane functions of a row of this family; `fast`: for this machine, else plain ones.
pub(super) fn make(_row: &OpRow, kind: CompareKind, _fast: bool) -> Entry {
    match kind {}
}
