//! Races that would be none if a copy's gap between bursts counted in the other unit: the hint that a stride was given in bytes where blocks
//! of 32 bytes are counted, or the other way round.
//!
//! Gaps of DataCopy, and of DataCopyPad in local memory, count blocks; those of DataCopyPad in GM count bytes. Not looked at: strides of vector
//! steps, bursts that the log has joined with those of other copies.

use crate::findings::Detail;
use crate::npu::checks::fitting;
use toprope_abi::isa::{Kind, OPS};

const BLOCK_BYTES: u64 = 32;

/// Bursts of a copy.
#[derive(Clone, Copy, Debug)]
pub struct Bursts {
    pub start: u64,
    pub len: u64,
    pub step: u64,
    pub count: u64,
}

/// What the gap of the bursts of instruction `op` may have been meant to be, if it meets nothing then; `in_gm`: they lie there.
pub fn hint(op: &str, bursts: Bursts, in_gm: bool, meets: impl Fn(Bursts) -> bool) -> Option<Detail> {
    let kind = OPS.iter().find(|row| row.intrinsic == op)?.kind;
    let gap = bursts.step.checked_sub(bursts.len).filter(|gap| *gap > 0 && bursts.count > 1)?;
    let is_apart = |gap: u64| !meets(Bursts { step: bursts.len + gap, ..bursts });
    let line = match (kind, in_gm) {
        (Kind::CopyBurst(_), _) | (Kind::CopyAlign(_), false) => {
            fitting("gap between bursts", gap, ("would not meet the other access", is_apart)).pop()
        }
        (Kind::CopyAlign(_), true) => {
            let other = gap * BLOCK_BYTES;
            is_apart(other).then(|| {
                format!(
                    "did you mean: the gap between bursts counts bytes in GM, {gap} of them; {gap} blocks of 32 bytes, that is {other} bytes, \
                     would not meet the other access"
                )
            })
        }
        _ => None,
    };
    line.map(Detail::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_in_the_other_unit_is_named_if_it_helps() {
        let bursts = |gap: u64| Bursts { start: 0, len: 64, step: 64 + gap, count: 4 };
        let text = |op, gap, in_gm, meets: &dyn Fn(Bursts) -> bool| match hint(op, bursts(gap), in_gm, meets)
        {
            Some(Detail::Text(text)) => text,
            _ => String::new(),
        };
        let pad = OPS.iter().find(|r| matches!(r.kind, Kind::CopyAlign(_))).expect("in the table").intrinsic;
        let burst =
            OPS.iter().find(|r| matches!(r.kind, Kind::CopyBurst(_))).expect("in the table").intrinsic;
        // Rows of 64 bytes, of which another core has those from 256 on: 192 bytes apart were meant, 6 are given.
        let near = |b: Bursts| b.step < 256;
        assert!(text(pad, 6, true, &near).contains("6 blocks of 32 bytes, that is 192 bytes"));
        assert_eq!(text(pad, 5, true, &near), "");
        let far = |b: Bursts| b.step > 128;
        assert!(text(burst, 64 * 32, true, &far).contains("64 bytes, that is 64 bytes, would not meet"));
        assert_eq!(text(burst, 64 * 32, true, &|_| true), "");
    }
}
