//! Matrix multiplication and Fixpipe.

use super::table::Entry;
use toprope_abi::isa::{CubeKind, OpRow};

/// Decoder and lane functions of a row of this family; `fast`: for this machine, else plain ones.
pub(super) fn make(_row: &OpRow, kind: CubeKind, _fast: bool) -> Entry {
    match kind {}
}
