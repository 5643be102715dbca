//! Every row that writes a register: what is written is what is read.

use crate::harness::{Bench, silent};
use crate::kernel::{issue, read_spr};
use parking_lot::Mutex;
use toprope_abi::core_face::KernelType;
use toprope_abi::isa::{Kind, OPS, Op, Spr};

/// Row, what must be read, what was read.
static SEEN: Mutex<Vec<(&str, u64, u64)>> = Mutex::new(Vec::new());

/// A value that no other row writes.
fn value(n: usize) -> u64 {
    0x0001_0203_0405_0607_u64.rotate_left(n as u32) ^ n as u64
}

fn write_and_read(_: &[u64; 8]) {
    let found = read_spr(Spr::Ctrl);
    for (n, row) in OPS.iter().enumerate() {
        let note = |spr, wanted| SEEN.lock().push((row.intrinsic, wanted, read_spr(spr)));
        match row.kind {
            Kind::SetSpr(spr) => {
                let before = read_spr(Spr::Ctrl);
                issue(row.op, [value(n), 0, 0, 0]);
                note(spr, value(n));
                if spr == Spr::Ctrl {
                    issue(row.op, [before, 0, 0, 0]);
                }
            }
            Kind::MoveMask => {
                for (half, spr) in [(0, Spr::MaskLow), (1, Spr::MaskHigh)] {
                    issue(row.op, [half, value(n), 0, 0]);
                    note(spr, value(n));
                }
            }
            Kind::SetCtrlBit | Kind::ClearCtrlBit => {
                for bit in [0, 48, 56, 63] {
                    let before = read_spr(Spr::Ctrl);
                    issue(row.op, [bit, 0, 0, 0]);
                    let wanted =
                        if row.kind == Kind::SetCtrlBit { before | 1 << bit } else { before & !(1 << bit) };
                    note(Spr::Ctrl, wanted);
                }
            }
            _ => {}
        }
    }
    // As a kernel has to leave them.
    issue(Op::SetCtrl, [found, 0, 0, 0]);
    issue(Op::Movemask, [0, u64::MAX, 0, 0]);
    issue(Op::Movemask, [1, u64::MAX, 0, 0]);
}

#[test]
fn what_is_written_is_read() {
    for kind in [KernelType::AivOnly, KernelType::AicOnly] {
        SEEN.lock().clear();
        silent(&Bench::new().run_type("registers", write_and_read, kind, 1, &[]));
        let seen = SEEN.lock();
        for (row, wanted, read) in seen.iter() {
            assert_eq!(read, wanted, "{row}");
        }
        let rows = OPS.iter().filter(|r| {
            matches!(r.kind, Kind::SetSpr(_) | Kind::MoveMask | Kind::SetCtrlBit | Kind::ClearCtrlBit)
        });
        for row in rows {
            assert!(seen.iter().any(|s| s.0 == row.intrinsic), "{} was not written", row.intrinsic);
        }
    }
}
