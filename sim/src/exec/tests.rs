//! Lane functions of this machine against the plain ones, bit for bit.
//!
//! Unsafe room: calls lane functions on slices of the test.
#![allow(unsafe_code)]

use super::{Env, PipeState, Regs, execute, lane, table};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use toprope_abi::core_face::{REGION_BYTES, SPACE_SHIFT};
use toprope_abi::isa::{CompareKind, Kind, OPS, OpRow, ScalarFn, Space, ctrl};

/// Longer than the largest group, and not a multiple of anything.
const ELEMENTS: usize = 218;

fn noise(seed: u64) -> impl FnMut() -> u64 {
    let mut x = seed;
    move || {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        x ^ (x >> 29)
    }
}

/// Bytes that are often special as halves and floats.
fn bytes(seed: u64) -> Vec<u8> {
    let mut next = noise(seed);
    let words = (0..ELEMENTS * 2).flat_map(|_| {
        let any = next() as u32;
        let special =
            [0, 0x8000_8000, 0x7f80_7c00, 0xff80_fc00, 0x7fc0_7e00, 0x7f81_7c01, 0x0001_0001, 0x7f7f_7bff];
        let word = if any & 7 < 3 { special[(any >> 8) as usize % special.len()] } else { next() as u32 };
        word.to_le_bytes()
    });
    words.collect()
}

fn run(row: &OpRow, fast: bool, clamp: bool, n: usize, env: &Env) -> Vec<u8> {
    let function = table::make(row, fast).lanes[usize::from(!clamp)];
    let (a, b) = (bytes(n as u64 + 1), bytes(n as u64 + 1000));
    let mut to = vec![0xa5; ELEMENTS * 8];
    // SAFETY: all three hold ELEMENTS elements of 8 bytes; `fast` only on machines that have it.
    unsafe { function(to.as_mut_ptr(), a.as_ptr(), b.as_ptr(), n, env) };
    to
}

#[test]
fn fast_and_plain_lane_functions_agree() {
    if !lane::has_fast_lanes() {
        eprintln!("this machine has only plain lane functions: nothing to compare");
        return;
    }
    for row in OPS.iter().filter(|row| row.dst.bits() > 0) {
        let shift = matches!(row.kind, Kind::Scalar(ScalarFn::ShiftLeft | ScalarFn::ShiftRight));
        for n in (0..ELEMENTS).step_by(2) {
            let value = if shift { n as u64 % (u64::from(row.dst.bits()) + 1) } else { noise(n as u64)() };
            let env = Env { value, ..Env::default() };
            for clamp in [false, true] {
                let (fast, plain) = (run(row, true, clamp, n, &env), run(row, false, clamp, n, &env));
                assert!(fast == plain, "{} n {n} clamp {clamp}", row.intrinsic);
            }
        }
    }
}

/// Instructions with bodies of their own: the same bytes and registers from both.
#[test]
fn fast_and_plain_bodies_agree() {
    if !lane::has_fast_lanes() {
        eprintln!("this machine has only plain bodies: nothing to compare");
        return;
    }
    let layout =
        Layout::from_size_align(REGION_BYTES as usize, REGION_BYTES as usize).expect("a power of two");
    // SAFETY: the layout is not empty.
    let region = unsafe { alloc_zeroed(layout) };
    let base = region.expose_provenance() as u64;
    let ub = base + ((Space::Ub as u64) << SPACE_SHIFT);
    let image = |seed: u64| (0..16).flat_map(|i| bytes(seed + i)).collect::<Vec<u8>>();
    let has_body = |kind| matches!(kind, Kind::Reduce(_) | Kind::Compare(CompareKind::Select));
    for row in OPS.iter().filter(|row| has_body(row.kind)) {
        for case in 0..24u64 {
            let mut regs = Regs::new(base);
            regs.mask = [[u64::MAX; 2], [case * 77 + 1, 0], [noise(case)() | 1, noise(case + 9)()]]
                [case as usize % 3];
            regs.ctrl = ((case & 1) << ctrl::INF_NAN) | (u64::from(case % 3 == 1) << ctrl::MASK_COUNTER);
            let x = match row.kind {
                Kind::Reduce(_) => [ub, ub + 8192, 1 | 1 << 16 | 8 << 32 | 3 << 56, case / 2 % 2],
                _ => [ub, ub + 8192, ub + 12288, 0x0000_0808_0801_0101 | ((case % 2) << 48) | (3 << 56)],
            };
            let x = if matches!(
                row.kind,
                Kind::Reduce(toprope_abi::isa::ReduceKind::DataBlock(_) | toprope_abi::isa::ReduceKind::Pair)
            ) {
                [x[0], x[1], x[2], 0]
            } else {
                x
            };
            let both = [false, true].map(|fast| {
                let entry = Box::leak(Box::new(table::make(row, fast)));
                let mut state = PipeState::default();
                state.set(toprope_abi::isa::Spr::CmpMaskLow, noise(case)());
                let memory = std::ptr::with_exposed_provenance_mut::<u8>(ub as usize);
                let fill = image(case);
                // SAFETY: UB has 1 MiB of the region that this test owns.
                unsafe { std::ptr::copy_nonoverlapping(fill.as_ptr(), memory, fill.len()) };
                let row = row.op.row();
                let d = (entry.decode)(row, entry, &x, &regs).unwrap_or_else(|e| panic!("{e}"));
                // SAFETY: every operand lies inside the bytes filled above.
                unsafe { execute(&d, &mut state) };
                let mut result = vec![0; fill.len()];
                // SAFETY: as above.
                unsafe { std::ptr::copy_nonoverlapping(memory, result.as_mut_ptr(), result.len()) };
                (result, state)
            });
            assert!(both[0] == both[1], "{} case {case}", row.intrinsic);
        }
    }
    // SAFETY: allocated above with the same layout.
    unsafe { dealloc(region, layout) };
}
