//! Bad accesses, fields and refusals, each with a golden text and a silent twin.

use crate::harness::{Bench, KernelFn, golden, silent};
use crate::kernel::*;
use toprope_abi::core_face::{Annotation, KernelType, Refusal};
use toprope_abi::isa::{FieldId, Layout, Op, Pipe, Space};
use toprope_sim::gm::BlockRequest;
use toprope_sim::npu::{CheckOptions, LaunchFailure, NpuOptions};

/// `bad` must fail with exactly the golden text, `good` must say nothing.
fn pair(name: &str, bad: KernelFn, good: KernelFn, params: &[(&str, u64)], bench: &Bench) {
    let outcome = bench.run(name, bad, 4, params);
    assert_eq!(outcome.failure, Some(LaunchFailure::Exception), "{name}");
    golden(name, &outcome);
    silent(&bench.run(name, good, 4, params));
}

#[test]
fn gm_out_of_bounds() {
    let bench = Bench::new();
    let (x, z) = (bench.upload(&[1.0; 320]), bench.upload(&[0.0; 320]));
    // Ten rows of 32 floats, four blocks that take three rows each: for the last one only one row is left.
    fn rows(args: &[u64; 8], all: u64, write: bool) {
        known();
        let first = 3 * u64::from(face(|c| c.block_idx));
        let rows = 3.min(all - first);
        if write {
            copy_out(args[1] + first * 128, ub(0), rows * 4);
        } else {
            copy_in(ub(0), args[0] + first * 128, rows * 4);
        }
    }
    pair("gm_read_beyond", |a| rows(a, 12, false), |a| rows(a, 10, false), &[("x", x), ("z", z)], &bench);
    pair("gm_write_beyond", |a| rows(a, 12, true), |a| rows(a, 10, true), &[("x", x), ("z", z)], &bench);
}

#[test]
fn host_pointer_and_freed_memory() {
    let bench = Bench::new();
    let host = vec![0f32; 1024];
    let x = bench.upload(&[1.0; 64]);
    let outcome =
        bench.run("host_pointer", |a| copy_in(ub(0), a[0] + 32, 4), 1, &[("x", host.as_ptr() as u64)]);
    assert_eq!(outcome.failure, Some(LaunchFailure::Exception));
    golden("host_pointer", &outcome);
    silent(&bench.run("device_pointer", |a| copy_in(ub(0), a[0] + 32, 4), 1, &[("x", x)]));
    bench.gm.free(x, "aclrtFree").expect("allocated above");
    golden("use_after_free", &bench.run("freed", |a| copy_in(ub(0), a[0] + 32, 4), 1, &[("x", x)]));
    golden("nowhere", &bench.run("nowhere", |a| copy_in(ub(0), a[0] + (500 << 20), 4), 1, &[("x", x)]));
}

#[test]
fn local_out_of_bounds() {
    let bench = Bench::new();
    const END: u64 = 192 << 10;
    pair(
        "ub_beyond",
        |_| binary(Op::VaddF32, ub(END - 256), ub(0), ub(512), 2),
        |_| binary(Op::VaddF32, ub(END - 512), ub(0), ub(512), 2),
        &[],
        &bench,
    );
    pair(
        "ub_starts_beyond",
        |_| binary(Op::VaddF32, ub(END + 4096), ub(0), ub(512), 2),
        |_| binary(Op::VaddF32, ub(END - 4096), ub(0), ub(512), 2),
        &[],
        &bench,
    );
    pair(
        "ub_unaligned",
        |_| binary(Op::VaddF32, ub(0), ub(528), ub(1024), 1),
        |_| binary(Op::VaddF32, ub(0), ub(544), ub(1024), 1),
        &[],
        &bench,
    );
    let x = bench.upload(&[1.0; 64]);
    pair(
        "wrong_memory",
        |a| binary(Op::VaddF32, ub(0), a[0], ub(512), 1),
        |_| binary(Op::VaddF32, ub(0), ub(256), ub(512), 1),
        &[("x", x)],
        &bench,
    );
    pair(
        "scalar_beyond",
        |_| {
            get_value(ub(END - 3));
        },
        |_| {
            known();
            get_value(ub(END - 4));
        },
        &[("x", x)],
        &bench,
    );
    pair(
        "scalar_gm_beyond",
        |a| {
            get_value(a[0] + 256);
        },
        |a| {
            get_value(a[0] + 252);
        },
        &[("x", x)],
        &bench,
    );
}

#[test]
fn fields_and_refusals() {
    let bench = Bench::new();
    let x = bench.upload(&[1.0; 64]);
    pair(
        "burst_sid",
        |a| {
            let config =
                pack(Layout::Burst, &[(FieldId::Sid, 3), (FieldId::BurstCount, 1), (FieldId::BurstLen, 1)]);
            issue(Op::MovOutToUbV220, [ub(0), a[0], config[0], 0]);
        },
        |a| copy_in(ub(0), a[0], 1),
        &[("x", x)],
        &bench,
    );
    pair(
        "repeat_range",
        |_| refuse(Refusal::FieldRange, Some(c"Add"), FieldId::RepeatTimes as u64, 256, 255),
        |_| {},
        &[],
        &bench,
    );
    pair(
        "unsupported",
        |_| refuse(Refusal::Unsupported, Some(c"MatMul with int64_t"), 0, 0, 0),
        |_| {},
        &[],
        &bench,
    );
    pair("unknown_instruction", |_| issue_number(60_000), |_| {}, &[], &bench);
}

#[test]
fn pipes_of_the_other_core() {
    let bench = Bench::new();
    pair("barrier_fix", |_| barrier(Pipe::Fix), |_| barrier(Pipe::V), &[], &bench);
    pair("barrier_scalar", |_| barrier(Pipe::S), |_| barrier(Pipe::All), &[], &bench);
    pair("event_id", |_| set_flag(Pipe::V, Pipe::Mte3, u64::MAX), |_| {}, &[], &bench);
    let vector_on_cube = |_: &[u64; 8]| binary(Op::VsubF16, local(Space::Ub, 0), ub(256), ub(512), 7);
    let outcome = bench.run_type("vector_on_cube", vector_on_cube, KernelType::AicOnly, 1, &[]);
    assert_eq!(outcome.failure, Some(LaunchFailure::Exception));
    golden("vector_on_cube", &outcome);
    let cube = |_: &[u64; 8]| {
        set_flag(Pipe::M, Pipe::Mte1, 0);
        wait_flag(Pipe::M, Pipe::Mte1, 0);
    };
    silent(&bench.run_type("cube", cube, KernelType::AicOnly, 1, &[]));
    let scalar_pair = |_: &[u64; 8]| {
        set_flag(Pipe::Mte2, Pipe::S, 0);
        wait_flag(Pipe::Mte2, Pipe::S, 0);
    };
    let hints = Bench::with_hints();
    golden("unusual_pair", &hints.run_type("scalar_pair", scalar_pair, KernelType::AicOnly, 1, &[]));
    silent(&bench.run_type("scalar_pair", scalar_pair, KernelType::AicOnly, 1, &[]));
    silent(&bench.run("scalar_pair", scalar_pair, 1, &[]));
}

#[test]
fn rounding_down_is_told_and_goes_on() {
    let bench = Bench::new();
    let kernel = |_: &[u64; 8]| {
        refuse(Refusal::RoundedDown, Some(c"DataCopy"), 0, 48, 32);
        print("went on\n");
    };
    let outcome = bench.run("rounded_down", kernel, 1, &[]);
    assert_eq!((outcome.failure, outcome.printed.as_str()), (None, "went on\n"));
    golden("rounded_down", &outcome);
}

#[test]
fn ub_overflow_shows_who_uses_what() {
    let bench = Bench::new();
    let kernel = |_: &[u64; 8]| {
        annotate(Annotation::Buffer, Space::Ub as u64, 0, 65536);
        annotate(Annotation::Buffer, Space::Ub as u64, 65536, 65536);
        refuse(Refusal::Capacity, None, Space::Ub as u64, 196608, 188416);
    };
    golden("ub_overflow", &bench.run("ub_overflow", kernel, 1, &[]));
    let full = |_: &[u64; 8]| refuse(Refusal::Framework, None, 17, 196608, 188416);
    golden("framework_full", &bench.run("framework_full", full, 1, &[]));
    let free = |_: &[u64; 8]| refuse(Refusal::Framework, None, 6, 0, 0);
    golden("framework_free", &bench.run("framework_free", free, 1, &[]));
}

#[test]
fn assertions_and_traps() {
    let bench = Bench::new();
    let outcome = bench.run("assertion", |_| refuse(Refusal::Assert, Some(c"n > 0"), 0, 0, 0), 1, &[]);
    assert_eq!(outcome.failure, Some(LaunchFailure::Trap));
    golden("assertion", &outcome);
    let outcome = bench.run("trap", |_| refuse(Refusal::Trap, None, 0, 0, 0), 1, &[]);
    assert_eq!(outcome.failure, Some(LaunchFailure::Trap));
    golden("trap", &outcome);
}

/// `rtMalloc` leaves room behind a block: using it is told, and an error with strict bounds.
#[test]
fn room_behind_a_block() {
    let run = |name: &str, strict_bounds, kernel| {
        let checks = CheckOptions { strict_bounds, ..CheckOptions::default() };
        let bench = Bench::with_options(NpuOptions { threads: 1, checks, ..NpuOptions::default() });
        let request =
            BlockRequest { slack_bytes: 4096, is_padded: false, ..BlockRequest::new(128, "rtMalloc", 0) };
        let block = bench.gm.allocate(&request).expect("room");
        bench.run(name, kernel, 1, &[("z", block.start)])
    };
    fn store(args: &[u64; 8], first: u64, blocks: u64) {
        known();
        copy_out(args[0] + first, ub(0), blocks);
    }
    type Body = fn(&[u64; 8]);
    let cases: [(Body, u64); 3] = [
        (|a| store(a, 0, 8), 128),
        // All of it lies behind the end, and ends where the room ends.
        (|a| store(a, 128 + 4096 - 256, 8), 256),
        (|a| store(a, 160, 1), 32),
    ];
    for (kernel, beyond) in cases {
        let outcome = run("room", false, kernel);
        assert_eq!(outcome.failure, None);
        let found = &outcome.findings;
        assert_eq!(found.iter().map(|f| f.code).collect::<Vec<_>>(), ["TR0115"], "{found:#?}");
        assert!(found[0].title.contains(&format!("writes {beyond} bytes beyond")), "{}", found[0].title);
        let strict = run("room_strict", true, kernel);
        assert_eq!(strict.failure, Some(LaunchFailure::Exception));
        assert_eq!(strict.findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["TR0107"]);
    }
    let past = run("past_the_room", false, |a| store(a, 128 + 4096 - 224, 8));
    assert_eq!(past.findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["TR0107"]);
    silent(&run("inside", true, |a| store(a, 0, 4)));
}
