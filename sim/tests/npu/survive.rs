//! Kernels that crash or never end: the process, the device and other launches go on.

use crate::harness::{Bench, KernelFn, golden, silent};
use crate::kernel::*;
use std::time::{Duration, Instant};
use toprope_abi::isa::{Op, Space};
use toprope_sim::npu::LaunchFailure;

fn crashes(name: &str, kernel: KernelFn, params: &[(&str, u64)], bench: &Bench) {
    let outcome = bench.run(name, kernel, 5, params);
    assert_eq!(outcome.failure, Some(LaunchFailure::Exception), "{name}");
    golden(name, &outcome);
    silent(&bench.run("after", |_| binary(Op::VaddF32, ub(0), ub(256), ub(512), 1), 5, &[]));
}

#[test]
fn crashes_are_findings() {
    let bench = Bench::new();
    crashes("null_pointer", |_| poke(std::hint::black_box(8), 1), &[], &bench);
    crashes("local_guard", |_| poke(ub((192 << 10) + 16), 1), &[], &bench);
    crashes("wild_pointer", |_| poke(std::hint::black_box(0x0dea_dbee_f000), 1), &[], &bench);
    crashes("not_a_pointer", |_| poke(std::hint::black_box(0xdead_beef_dead_beef), 1), &[], &bench);
    crashes("gm_pointer", |a| poke(a[0] + (900 << 20), 1), &[("x", bench.upload(&[0.0; 8]))], &bench);
    #[cfg(target_arch = "x86_64")]
    crashes(
        "division",
        |_| {
            #[allow(unsafe_code)] // Rust checks divisions itself; C++ does not.
            // SAFETY: raises SIGFPE, which the engine turns into a finding; no memory is touched.
            unsafe {
                std::arch::asm!("xor edx, edx", "mov eax, 1", "xor ecx, ecx", "div ecx", out("eax") _, out("edx") _, out("ecx") _);
            }
        },
        &[],
        &bench,
    );
}

#[inline(never)]
fn recurse(depth: u64) -> u64 {
    let page = std::hint::black_box([depth; 512]);
    if depth == u64::MAX { 0 } else { recurse(depth + 1).wrapping_add(page[(depth % 512) as usize]) }
}

#[test]
fn stack_overflow_is_a_finding() {
    crashes(
        "stack_overflow",
        |_| {
            std::hint::black_box(recurse(0));
        },
        &[],
        &Bench::new(),
    );
    silent(&Bench::new().run(
        "shallow",
        |_| {
            std::hint::black_box(recurse(u64::MAX - 50));
        },
        1,
        &[],
    ));
}

fn never_ends(kernel: KernelFn, name: &str) {
    let mut bench = Bench::new();
    bench.time_limit = Some(Duration::from_millis(100));
    let start = Instant::now();
    let outcome = bench.run(name, kernel, 1, &[]);
    assert!(start.elapsed() < Duration::from_secs(10), "the limit works");
    assert_eq!(outcome.failure, Some(LaunchFailure::Timeout));
    golden(name, &outcome);
    silent(&bench.run("after", |_| binary(Op::VaddF32, ub(0), ub(256), ub(512), 1), 5, &[]));
}

#[test]
fn infinite_loops_end() {
    fn busy(_: &[u64; 8]) {
        let mut i = 0u64;
        while std::hint::black_box(i) != 1 {
            i = i.wrapping_add(2);
        }
    }
    fn issuing(_: &[u64; 8]) {
        while std::hint::black_box(true) {
            binary(Op::VaddF32, ub(0), ub(256), ub(512), 255);
        }
    }
    never_ends(busy, "endless_scalar");
    never_ends(issuing, "endless_vector");
}

#[test]
fn a_limit_that_is_not_reached_says_nothing() {
    let mut bench = Bench::new();
    bench.time_limit = Some(Duration::from_secs(20));
    silent(&bench.run("quick", |_| {}, 300, &[]));
}

#[test]
fn poison_shows_what_was_never_written() {
    let options = toprope_sim::npu::NpuOptions { poison: true, threads: 1, ..Default::default() };
    let bench = Bench::with_options(options);
    let z = bench.upload(&[0.0; 8]);
    let outcome = bench.run("unwritten", |a| copy_out(a[0], local(Space::Ub, 0), 1), 1, &[("z", z)]);
    assert_eq!((outcome.failure, outcome.findings[0].code), (None, "TR0903"));
    assert!(bench.download(z, 8).iter().all(|v| v.is_nan()));
}
