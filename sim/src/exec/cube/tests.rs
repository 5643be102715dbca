//! Kernels of this machine against plain ones, bit for bit.
//!
//! Unsafe room: multiplies on buffers of the test.
#![allow(unsafe_code)]

use super::kernel::{self, Job, Kernels, Start};
use super::mmad;
use toprope_abi::isa::DType;

fn noise(seed: u32) -> impl FnMut() -> u32 {
    let mut x = seed;
    move || {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        x ^ (x >> 15)
    }
}

/// Words that are often special as halves and floats.
fn words(count: usize, seed: u32) -> Vec<u32> {
    let mut next = noise(seed);
    let special =
        [0, 0x8000_8000, 0x7f80_7c00, 0xff80_fc00, 0x7fc0_7e00, 0x0001_0001, 0x7f7f_7bff, 0x3f80_3c00];
    let mut one = || {
        let any = next();
        match any % 64 {
            0 => special[(any >> 8) as usize % special.len()],
            // Exponents near those of 1, so that sums do not all overflow.
            _ => (any & 0x83ff_83ff) | 0x3c00_3400,
        }
    };
    (0..count).map(|_| one()).collect()
}

fn product(kernels: &Kernels, t: DType, (m, n, k): (usize, usize, usize), clamp: bool) -> Vec<u32> {
    let k0 = 256 / t.bits() as usize;
    let fractals = k.div_ceil(k0);
    let a = words(m.div_ceil(16) * fractals * 128, 1);
    let b = words(n.div_ceil(16) * fractals * 128, 2);
    let mut c = words(n.div_ceil(16) * m.next_multiple_of(16) * 16, 3);
    let job = Job {
        m,
        n,
        k,
        k0,
        a: a.as_ptr().cast(),
        a_is_row: m == 1,
        a_row_fractals: fractals,
        b: b.as_ptr().cast(),
        index: None,
        c: c.as_mut_ptr(),
        start: Start::Keep,
        clamp,
    };
    // SAFETY: the buffers hold the fractals of the sizes; the kernels are this machine's.
    unsafe { kernel::multiply(&job, kernels) };
    c
}

fn others(t: DType, hf32: Option<bool>) -> Vec<Kernels> {
    let mut all = vec![mmad::kernels(t, hf32, true)];
    #[cfg(target_arch = "x86_64")]
    if kernel::x86::best().is_some() {
        let mut avx2 = mmad::kernels(t, hf32, false);
        mmad::on_x86(&mut avx2, t, hf32, kernel::x86::Isa::Avx2);
        all.push(avx2);
    }
    all
}

#[test]
fn every_instruction_set_gives_the_same_bits() {
    let types = [
        (DType::F16, None),
        (DType::Bf16, None),
        (DType::F32, None),
        (DType::F32, Some(false)),
        (DType::F32, Some(true)),
        (DType::S8, None),
        (DType::S4, None),
    ];
    for (t, hf32) in types {
        for size in [
            (1, 16, 40),
            (1, 33, 300),
            (5, 17, 64),
            (16, 16, 16),
            (23, 50, 70),
            (130, 40, 280),
            (14, 31, 600),
        ] {
            for clamp in [false, true] {
                let clamp = clamp && t.bits() >= 16;
                let plain = product(&mmad::kernels(t, hf32, false), t, size, clamp);
                for other in others(t, hf32) {
                    assert!(
                        product(&other, t, size, clamp) == plain,
                        "{t:?} {hf32:?} {size:?} clamp {clamp}"
                    );
                }
            }
        }
    }
}
