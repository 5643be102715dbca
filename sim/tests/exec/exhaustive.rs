//! Every half and every bfloat16, through every unary operation and conversion.

use crate::machine::{Machine, config};
use crate::reference::{self, Modes};
use toprope_abi::isa::{DType, FieldId, Kind, OPS, OpRow, ctrl};

/// Elements per instruction.
const CHUNK: usize = 8192;

fn all_values(row: &'static OpRow, m: &mut Machine, modes: Modes) {
    use FieldId::*;
    m.set_ctrl(ctrl::INF_NAN, !modes.saturate);
    m.set_ctrl(ctrl::CAST_TRUNCATE, modes.truncate);
    let wide = u64::from(row.dst.bits().max(row.src.bits()));
    let unit = |t: DType| 8 * u64::from(t.bits()) / wide;
    let fields = [
        (DstBlockStride, 1),
        (Src0BlockStride, 1),
        (DstRepeatStride, unit(row.dst)),
        (Src0RepeatStride, unit(row.src)),
    ];
    let word = config(row.layout, &fields)[0];
    let (src, dst) = (0, 64 << 10);
    m.counter(CHUNK as u64);
    for first in (0..65536).step_by(CHUNK) {
        for (i, e) in m.ub_bytes()[src..].chunks_exact_mut(2).take(CHUNK).enumerate() {
            e.copy_from_slice(&((first + i) as u16).to_le_bytes());
        }
        m.run(row.op, [m.ub(dst), m.ub(src), word, 0]).unwrap_or_else(|e| panic!("{e}"));
        let out = &m.ub_bytes()[dst..];
        for i in 0..CHUNK {
            let bit = i * row.dst.bits() as usize;
            let raw =
                out[bit / 8..].iter().take(8).rev().fold(0u64, |x, b| x << 8 | u64::from(*b)) >> (bit % 8);
            let got = raw & (u64::MAX >> (64 - row.dst.bits()));
            let want = reference::element(row, (first + i) as u64, 0, 0, modes);
            let off = if reference::tolerance(row) == 0 {
                i64::from(got != want)
            } else {
                reference::ulps(row.dst, got, want)
            };
            let allowed = reference::tolerance(row);
            assert!(
                off <= allowed,
                "{}: {:#x} gives {got:#x}, not {want:#x}, {modes:?}",
                row.intrinsic,
                first + i
            );
        }
    }
}

#[test]
fn every_half_and_every_bfloat16() {
    let mut m = Machine::new();
    let mut rows = 0;
    for row in OPS {
        let short = matches!(row.src, DType::F16 | DType::Bf16);
        if !short || !matches!(row.kind, Kind::Unary(_) | Kind::Convert(_)) {
            continue;
        }
        for (saturate, truncate) in [(false, false), (true, true)] {
            all_values(row, &mut m, Modes { saturate, truncate, deq_scale: 0 });
        }
        rows += 1;
    }
    assert!(rows > 20, "only {rows} rows");
}
