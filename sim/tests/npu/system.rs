//! Caches, data barriers, watches on UB, and the kinds of scalar access.

use crate::harness::{Bench, golden, silent};
use crate::kernel::*;
use toprope_abi::core_face::ScalarAccess;
use toprope_abi::isa::{FieldId, Layout, Op, Spr};
use toprope_sim::npu::LaunchFailure;

/// What a kernel of a case does with its arguments.
type Body = fn(&[u64; 8]);

/// Units of a watch, as in [`FieldId::WatchUnits`].
const MTE_WRITE: u64 = 1;
const VECTOR_WRITE: u64 = 4;
const VECTOR_READ: u64 = 8;
const SCALAR_READ: u64 = 32;

/// Blocks of UB `(start, end]`.
fn watch(number: u64, units: u64, start: u64, end: u64, on: bool) {
    let fields = [
        (FieldId::WatchUnits, units),
        (FieldId::WatchStart, start),
        (FieldId::WatchEnd, end),
        (FieldId::WatchEnable, u64::from(on)),
    ];
    issue(Op::SetDataExp, [number, pack(Layout::Watch, &fields)[0], 0, 0]);
}

#[test]
fn a_watch_finds_the_units_and_directions_it_was_told() {
    let bench = Bench::new();
    let x = bench.upload(&[1.0; 256]);
    let fails = |name: &str, kernel: fn(&[u64; 8])| {
        let outcome = bench.run(name, kernel, 1, &[("x", x)]);
        assert_eq!(outcome.failure, Some(LaunchFailure::Exception), "{name}");
        outcome
    };
    // Writes at blocks 16..24, the watch covers 24: one block too far, and just right.
    golden(
        "watch_vector",
        &fails("watch_vector", |_| {
            watch(0, VECTOR_WRITE, 22, 30, true);
            binary(Op::VaddF32, ub(512), ub(8192), ub(4096), 1);
        }),
    );
    silent(&bench.run(
        "watch_vector_twin",
        |_| {
            watch(0, VECTOR_WRITE, 23, 30, true);
            binary(Op::VaddF32, ub(512), ub(8192), ub(4096), 1);
        },
        1,
        &[],
    ));
    // The end is included, the start is not.
    fails("watch_end", |_| {
        watch(3, VECTOR_WRITE, 8, 16, true);
        binary(Op::VaddF32, ub(512), ub(8192), ub(4096), 1);
    });
    silent(&bench.run(
        "watch_end_twin",
        |_| {
            watch(3, VECTOR_WRITE, 8, 15, true);
            binary(Op::VaddF32, ub(512), ub(8192), ub(4096), 1);
        },
        1,
        &[],
    ));
    fails("watch_read", |_| {
        watch(1, VECTOR_READ, 127, 128, true);
        binary(Op::VaddF32, ub(512), ub(8192), ub(4096), 1);
    });
    fails("watch_mte", |a| {
        watch(2, MTE_WRITE, 0, 6143, true);
        copy_in(ub(64), a[0], 4);
    });
    golden(
        "watch_scalar",
        &fails("watch_scalar", |_| {
            watch(2, SCALAR_READ, 1, 2, true);
            get_value(ub(64));
        }),
    );
    // Other units, the other direction, GM, and a watch that is off.
    silent(&bench.run(
        "watch_others",
        |a| {
            known();
            watch(0, MTE_WRITE | SCALAR_READ, 127, 300, true);
            watch(1, VECTOR_WRITE | VECTOR_READ, 0, 1, true);
            watch(2, VECTOR_WRITE, 0, 6143, true);
            watch(2, VECTOR_WRITE, 0, 6143, false);
            copy_out(a[0], ub(4096), 4);
            binary(Op::VaddF32, ub(512), ub(8192), ub(4096), 1);
            get_value(ub(64));
        },
        1,
        &[("x", x)],
    ));
}

#[test]
fn a_watch_ends_with_its_block() {
    let bench = Bench::with_threads(1);
    silent(&bench.run(
        "watch_blocks",
        |_| {
            if face(|c| c.block_idx) == 0 {
                watch(0, VECTOR_WRITE, 0, 6143, true);
            } else {
                binary(Op::VaddF32, ub(512), ub(8192), ub(4096), 1);
            }
        },
        2,
        &[],
    ));
}

#[test]
fn cache_instructions_name_live_memory() {
    let bench = Bench::new();
    let x = bench.upload(&[1.0; 16]);
    let params = [("x", x)];
    let clean: fn(&[u64; 8]) = |a| {
        issue(Op::Dcci, [a[0], 0, 2, 0]);
        issue(Op::Dcci, [0, 1, 0, 0]);
        issue(Op::Dcci, [ub(64), 0, 1, 0]);
        issue(Op::DcPreload, [a[0], 60, 0, 0]);
        issue(Op::DcPreload, [a[0] + 64, (-4i64) as u64, 0, 0]);
        (0..4).for_each(|what| issue(Op::Dsb, [what, 0, 0, 0]));
    };
    silent(&bench.run("cache_right", clean, 1, &params));
    let cases: [(&str, Body); 5] = [
        ("cache_beyond", |a| issue(Op::Dcci, [a[0] + (1 << 21), 0, 2, 0])),
        ("cache_lines", |a| issue(Op::Dcci, [a[0], 2, 2, 0])),
        ("cache_target", |a| issue(Op::Dcci, [a[0], 0, 4, 0])),
        ("cache_preload", |a| issue(Op::DcPreload, [a[0], (-64i64) as u64, 0, 0])),
        ("barrier_memory", |_| issue(Op::Dsb, [4, 0, 0, 0])),
    ];
    for (name, kernel) in cases {
        let outcome = bench.run(name, kernel, 1, &params);
        assert_eq!(outcome.failure, Some(LaunchFailure::Exception), "{name}");
        assert_eq!(outcome.findings.len(), 1, "{name}");
    }
}

#[test]
fn scalar_accesses_are_checked_by_their_kind() {
    use ScalarAccess::{Dump, Load, LoadUncached, Store, StoreUncached};
    let bench = Bench::new();
    let x = bench.upload(&[1.0; 64]);
    let params = [("x", x)];
    silent(&bench.run(
        "scalar_right",
        |a| {
            for what in [Load, Store, LoadUncached, StoreUncached, Dump] {
                scalar(a[0] + 252, 4, what);
            }
            for what in [Store, Load, Dump] {
                scalar(ub((192 << 10) - 8), 8, what);
            }
        },
        1,
        &params,
    ));
    let cases: [(&str, &str, Body); 5] = [
        ("uncached_beyond", "ReadGmByPassDCache", |a| scalar(a[0] + (1 << 21), 4, LoadUncached)),
        ("uncached_local", "WriteGmByPassDCache on UB", |_| scalar(ub(0), 4, StoreUncached)),
        ("dump_beyond", "DumpTensor reads", |_| scalar(ub((192 << 10) - 8), 16, Dump)),
        ("store_beyond", "SetValue", |a| scalar(a[0] + (1 << 21), 4, Store)),
        ("unknown", "a scalar access", |a| scalar_number(a[0] + (1 << 21), 9)),
    ];
    for (name, says, kernel) in cases {
        let outcome = bench.run(name, kernel, 1, &params);
        assert_eq!(outcome.failure, Some(LaunchFailure::Exception), "{name}");
        let text = outcome.findings[0].to_string();
        assert!(text.contains(says), "{name}: {text}");
    }
}

#[test]
fn the_cache_is_a_matter_of_time_and_a_barrier_waits() {
    let bench = Bench::new();
    let x = bench.upload(&[1.0; 4096]);
    let cycles = |name: &str, kernel: fn(&[u64; 8])| {
        let outcome = bench.run(name, kernel, 1, &[("x", x)]);
        assert_eq!(outcome.failure, None, "{name}");
        outcome.stats.cycles
    };
    let none = cycles("none", |_| {});
    let miss_hit = cycles("miss_hit", |a| (0..2).for_each(|_| scalar(a[0], 4, ScalarAccess::Load))) - none;
    let uncached =
        cycles("uncached", |a| (0..2).for_each(|_| scalar(a[0], 4, ScalarAccess::LoadUncached))) - none;
    let cleaned = cycles("cleaned", |a| {
        scalar(a[0], 4, ScalarAccess::Load);
        issue(Op::Dcci, [a[0], 0, 2, 0]);
        scalar(a[0], 4, ScalarAccess::Load);
    }) - none;
    let preloaded = cycles("preloaded", |a| {
        issue(Op::DcPreload, [a[0], 0, 0, 0]);
        (0..2).for_each(|_| scalar(a[0], 4, ScalarAccess::Load));
    }) - none;
    assert!(uncached > miss_hit, "two accesses around the cache {uncached}, a miss and a hit {miss_hit}");
    assert!(cleaned > miss_hit && preloaded < miss_hit, "{cleaned} {miss_hit} {preloaded}");
    // Behind a copy the counter stands later after a barrier of GM than without one; SEQ waits for nothing.
    let counter = |name: &str, kernel: fn(&[u64; 8])| {
        let z = bench.upload(&[0.0; 2]);
        let outcome = bench.run(name, kernel, 1, &[("x", x), ("z", z)]);
        assert_eq!(outcome.failure, None, "{name}");
        u64::from(bench.download(z, 1)[0].to_bits())
    };
    fn copy_and_read(a: &[u64; 8], barrier: Option<u64>) {
        copy_in(ub(0), a[0], 512);
        if let Some(what) = barrier {
            issue(Op::Dsb, [what, 0, 0, 0]);
        }
        let count = read_spr(Spr::SysCnt) as u32;
        (0..4).for_each(|byte| poke(a[1] + byte, count.to_le_bytes()[byte as usize]));
    }
    let free = counter("free", |a| copy_and_read(a, None));
    let ddr = counter("ddr", |a| copy_and_read(a, Some(1)));
    let all = counter("all", |a| copy_and_read(a, Some(0)));
    let seq = counter("seq", |a| copy_and_read(a, Some(3)));
    assert!(ddr > free && all == ddr && seq == free, "{free} {ddr} {all} {seq}");
}
