//! Lane functions of this machine against the plain ones, bit for bit.
//!
//! Unsafe room: calls lane functions on slices of the test.
#![allow(unsafe_code)]

use super::{Env, lane, table};
use toprope_abi::isa::{Kind, OPS, OpRow, ScalarFn};

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
