//! Findings about memory: each is reported with the places of both sides, and each has a twin that is right and silent.
//! Every case runs in a process of its own; what it prints on standard error is what counts.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

const HERE: &str = "mem_findings.rs";

/// What a case prints on standard error.
fn told(case: &str) -> String {
    good_child(&format!("mem_findings::{case}"), &[]).1
}

/// Whether this program was built with line numbers. Without them findings name functions, and places are not compared.
fn has_lines() -> bool {
    let here = has_lines as fn() -> bool as usize as u64;
    toprope_sim::findings::symbols::frames_of(here + 1).iter().any(|place| place.line > 0)
}

/// Insists that the report is told and holds these lines.
fn expect(err: &str, code: &str, lines: &[String]) {
    assert!(err.contains(&format!(" {code}]")), "{err}");
    for line in lines.iter().filter(|line| has_lines() || !line.contains(HERE)) {
        assert!(err.contains(line.as_str()), "`{line}` is missing in:\n{err}");
    }
}

fn silent(case: &str) {
    let err = told(case);
    assert!(!err.contains("error: [") && !err.contains("warning: ["), "{err}");
}

/// Lines that a child prints for its parent: name and line number.
fn note(name: &str, line: u32) {
    eprintln!("NOTE {name}={line}");
}

fn noted(err: &str, name: &str) -> String {
    let key = format!("NOTE {name}=");
    let at = err.find(&key).unwrap_or_else(|| panic!("{key} in {err}")) + key.len();
    format!("{HERE}:{}", err[at..].lines().next().unwrap())
}

/// One line that allocates and notes itself.
macro_rules! here {
    ($name:literal, $call:expr) => {{
        note($name, line!());
        $call
    }};
}

// ---- use after free --------------------------------------------------------------------------------------------------

#[test]
fn copies_from_freed_memory_name_who_freed_and_who_allocated_it() {
    let err = told("child_use_after_free");
    let [made, freed, used] = ["made", "freed", "used"].map(|name| noted(&err, name));
    expect(
        &err,
        "UseAfterFree",
        &[
            "aclrtMemset: `devPtr` is 0x".into(),
            "8 bytes into a block of 64 bytes that aclrtFree freed".into(),
            used,
            format!("freed by aclrtFree at {}", path(&err, &freed)),
            format!("allocated by aclrtMalloc (64 bytes) at {}", path(&err, &made)),
        ],
    );
    expect(&err, "UseAfterFree", &["aclrtMemcpyAsync: `src`".into()]);
    silent("child_use_before_free");
}

/// The place as the finding prints it (the directory depends on where the tests run).
fn path(err: &str, place: &str) -> String {
    if !has_lines() {
        return place.to_string();
    }
    let at = err.find(place).unwrap_or_else(|| panic!("{place} in {err}"));
    let start = err[..at].rfind(' ').map_or(0, |space| space + 1);
    err[start..at + place.len()].to_string()
}

#[test]
#[ignore = "run in a process of its own"]
fn child_use_after_free() {
    ok!(aclrtSetDevice(0));
    let (mut at, mut data) = (null_mut(), [0u8; 8]);
    here!("made", ok!(aclrtMalloc(&raw mut at, 64, MemMallocPolicy::HUGE_FIRST)));
    here!("freed", ok!(aclrtFree(at)));
    let inside = at.wrapping_byte_add(8);
    let text = here!("used", fails!(107_000, aclrtMemset(inside, 8, 0, 8)));
    assert!(text.contains("which was freed by aclrtFree"), "{text}");
    assert!(!has_lines() || text.contains(HERE), "{text}");
    let host = data.as_mut_ptr().cast();
    fails!(107_000, aclrtMemcpyAsync(host, 8, at, 8, MemcpyKind::DEVICE_TO_HOST, DEFAULT));
    ok!(aclrtResetDevice(0));
}

#[test]
#[ignore = "run in a process of its own"]
fn child_use_before_free() {
    ok!(aclrtSetDevice(0));
    let at = malloc(64);
    put(at, &[1u8; 64]);
    ok!(aclrtMemsetAsync(at, 64, 0, 64, DEFAULT));
    sync(DEFAULT);
    ok!(aclrtFree(at));
    // A pointer just behind a block is wrong, but nothing was freed there.
    let at = malloc(64);
    fails!(107_000, aclrtMemset(at.wrapping_byte_add(64), 8, 0, 8));
    ok!(aclrtFree(at));
    ok!(aclrtResetDevice(0));
}

#[test]
fn a_kernel_that_uses_freed_memory_names_both_places() {
    let err = told("child_kernel_after_free");
    let [made, freed] = ["made", "freed"].map(|name| noted(&err, name));
    expect(
        &err,
        "ErrorRead1",
        &[
            format!("by aclrtFree at {}", path(&err, &freed)),
            format!("allocated: by aclrtMalloc at {}", path(&err, &made)),
        ],
    );
}

#[test]
#[ignore = "run in a process of its own"]
fn child_kernel_after_free() {
    ok!(aclrtSetDevice(0));
    let mut at = null_mut();
    here!("made", ok!(aclrtMalloc(&raw mut at, 64, MemMallocPolicy::HUGE_FIRST)));
    here!("freed", ok!(aclrtFree(at)));
    run("load_at", 1, DEFAULT, &[at as u64, 0]);
    assert_eq!(acl!(aclrtSynchronizeStream(DEFAULT)).0, 507_035);
    ok!(aclrtResetDevice(0));
}

// ---- double free -----------------------------------------------------------------------------------------------------

#[test]
fn freeing_twice_names_the_first_time() {
    let err = told("child_double_free");
    let [first, second, host] = ["first", "second", "host"].map(|name| noted(&err, name));
    expect(
        &err,
        "DoubleFree",
        &[
            "aclrtFree: the block at 0x".into(),
            "(64 bytes) was freed before, by aclrtFree".into(),
            format!("freed by aclrtFree at {}", path(&err, &first)),
            second,
            "aclrtFreeHost: the block at 0x".into(),
            format!("freed by aclrtFreeHost at {}", path(&err, &host)),
        ],
    );
    silent("child_single_free");
}

#[test]
#[ignore = "run in a process of its own"]
fn child_double_free() {
    ok!(aclrtSetDevice(0));
    let at = malloc(64);
    here!("first", ok!(aclrtFree(at)));
    here!("second", fails!(207_002, aclrtFree(at)));
    let at = malloc_host(100);
    here!("host", ok!(aclrtFreeHost(at)));
    fails!(207_002, aclrtFreeHost(at));
    ok!(aclrtResetDevice(0));
}

#[test]
#[ignore = "run in a process of its own"]
fn child_single_free() {
    ok!(aclrtSetDevice(0));
    let (at, host) = (malloc(64), malloc_host(100));
    // Wrong, but no second free.
    fails!(207_002, aclrtFree(at.wrapping_byte_add(32)));
    fails!(207_002, aclrtFree(host));
    ok!(aclrtFree(at));
    ok!(aclrtFreeHost(host));
    ok!(aclrtResetDevice(0));
}

// ---- leaks -----------------------------------------------------------------------------------------------------------

#[test]
fn leaks_are_told_at_the_reset_by_place() {
    let err = told("child_leak");
    let [many, one] = ["many", "one"].map(|name| noted(&err, name));
    expect(
        &err,
        "MemoryLeak",
        &[
            "aclrtResetDevice: 4 blocks (3100 bytes) of device 0 had not been freed".into(),
            format!("3 blocks (3000 bytes) from aclrtMalloc at {}", path(&err, &many)),
            format!("1 block (100 bytes) from aclrtMallocAlign32 at {}", path(&err, &one)),
        ],
    );
    silent("child_no_leak");
}

#[test]
#[ignore = "run in a process of its own"]
fn child_leak() {
    ok!(aclrtSetDevice(0));
    let mut at = null_mut();
    for _ in 0..3 {
        here!("many", ok!(aclrtMalloc(&raw mut at, 1000, MemMallocPolicy::HUGE_FIRST)));
    }
    here!("one", ok!(aclrtMallocAlign32(&raw mut at, 100, MemMallocPolicy::HUGE_FIRST)));
    let freed = malloc(50);
    ok!(aclrtFree(freed));
    ok!(aclrtResetDevice(0));
}

#[test]
#[ignore = "run in a process of its own"]
fn child_no_leak() {
    ok!(aclrtSetDevice(0));
    let at = malloc(8);
    ok!(aclrtSetDevice(0));
    // Not the last one: the device stays.
    ok!(aclrtResetDevice(0));
    run("nothing", 1, DEFAULT, &[]);
    ok!(aclrtFree(at));
    ok!(aclrtResetDevice(0));
}

// ---- memory in use ---------------------------------------------------------------------------------------------------

#[test]
fn freeing_what_work_still_uses_names_the_work() {
    let err = told("child_free_in_use");
    let [queued, freed, copied, host] = ["queued", "freed", "copied", "host"].map(|name| noted(&err, name));
    expect(
        &err,
        "FreeInUse",
        &[
            "aclrtFree: the block at 0x".into(),
            freed,
            format!("the work was queued at {}", path(&err, &queued)),
            "aclrtFreeHost: the block at 0x".into(),
            host,
            format!("the work was queued at {}", path(&err, &copied)),
        ],
    );
    silent("child_free_after_use");
}

#[test]
#[ignore = "run in a process of its own"]
fn child_free_in_use() {
    ok!(aclrtSetDevice(0));
    let (gate, data, host) = (malloc(4), malloc(64), malloc_host(64));
    put(gate, &[0u32]);
    let s = stream();
    run("hold", 1, s, &[gate as u64]);
    here!("queued", ok!(aclrtMemsetAsync(data, 64, 0, 64, s)));
    let other = malloc(64);
    here!("copied", ok!(aclrtMemcpyAsync(other, 64, host, 64, MemcpyKind::HOST_TO_DEVICE, s)));
    here!("freed", ok!(aclrtFree(data)));
    here!("host", ok!(aclrtFreeHost(host)));
    put(gate, &[1u32]);
    sync(s);
    ok!(aclrtResetDeviceForce(0));
}

#[test]
#[ignore = "run in a process of its own"]
fn child_free_after_use() {
    ok!(aclrtSetDevice(0));
    let (gate, data, unused, host) = (malloc(4), malloc(64), malloc(64), malloc_host(64));
    put(gate, &[0u32]);
    let s = stream();
    ok!(aclrtMemcpyAsync(data, 64, host, 64, MemcpyKind::HOST_TO_DEVICE, s));
    sync(s);
    run("hold", 1, s, &[gate as u64]);
    // Work is queued, but it uses other memory.
    ok!(aclrtFree(unused));
    ok!(aclrtFree(data));
    ok!(aclrtFreeHost(host));
    put(gate, &[1u32]);
    sync(s);
    ok!(aclrtFree(gate));
    ok!(aclrtResetDevice(0));
}

// ---- host buffers of queued copies -----------------------------------------------------------------------------------

#[test]
fn a_source_that_changes_before_its_copy_runs_is_told() {
    let err = told("child_changed_source");
    let copied = noted(&err, "copied");
    expect(
        &err,
        "HostBufferChanged",
        &["the 4096 bytes at 0x".into(), "changed after they were given".into(), copied],
    );
    assert_eq!(err.matches("HostBufferChanged]").count(), 1, "{err}");
    silent("child_unchanged_sources");
}

#[test]
#[ignore = "run in a process of its own"]
fn child_changed_source() {
    ok!(aclrtSetDevice(0));
    let (gate, data, host) = (malloc(4), malloc(4096), malloc_host(4096));
    put(gate, &[0u32]);
    // SAFETY: the block is that long and nobody reads it yet.
    unsafe { host.cast::<u8>().write_bytes(1, 4096) };
    run("hold", 1, DEFAULT, &[gate as u64]);
    here!("copied", ok!(aclrtMemcpyAsync(data, 4096, host, 4096, MemcpyKind::HOST_TO_DEVICE, DEFAULT)));
    // SAFETY: as above; this is the mistake that the test is about.
    unsafe { host.cast::<u8>().write_bytes(2, 4096) };
    put(gate, &[1u32]);
    sync(DEFAULT);
    assert_eq!(take::<u8>(data, 1), [2], "the copy took the new bytes");
    for at in [gate, data] {
        ok!(aclrtFree(at));
    }
    ok!(aclrtFreeHost(host));
    ok!(aclrtResetDevice(0));
}

fn fill(host: *mut c_void, value: u8) {
    // SAFETY: the tests pass a block of 4096 bytes and order the accesses.
    unsafe { host.cast::<u8>().write_bytes(value, 4096) };
}

#[test]
#[ignore = "run in a process of its own"]
fn child_unchanged_sources() {
    const UP: MemcpyKind = MemcpyKind::HOST_TO_DEVICE;
    ok!(aclrtSetDevice(0));
    let (gate, data, host, taken) = (malloc(4), malloc(4096), malloc_host(4096), malloc_host(4096));
    let (s, other) = (stream(), stream());
    // The copy has run before the buffer is written again.
    fill(host, 1);
    ok!(aclrtMemcpyAsync(data, 4096, host, 4096, UP, s));
    sync(s);
    fill(host, 2);
    // An earlier copy of the same stream fills the buffer.
    put(gate, &[0u32]);
    run("hold", 1, s, &[gate as u64]);
    ok!(aclrtMemcpyAsync(host, 4096, data, 4096, MemcpyKind::DEVICE_TO_HOST, s));
    ok!(aclrtMemcpyAsync(data, 4096, host, 4096, UP, s));
    // The data are taken at the call.
    fill(taken, 3);
    ok!(aclrtMemcpyAsync(data, 4096, taken, 4096, MemcpyKind::HOST_TO_BUF_TO_DEVICE, s));
    fill(taken, 4);
    put(gate, &[1u32]);
    sync(s);
    // An event orders the change: the copy waits for what the host does in between.
    put(gate, &[0u32]);
    run("hold", 1, other, &[gate as u64]);
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    ok!(aclrtRecordEvent(event, other));
    ok!(aclrtStreamWaitEvent(s, event));
    ok!(aclrtMemcpyAsync(data, 4096, taken, 4096, UP, s));
    fill(taken, 5);
    put(gate, &[1u32]);
    sync(s);
    ok!(aclrtDestroyEvent(event));
    for at in [gate, data] {
        ok!(aclrtFree(at));
    }
    for at in [host, taken] {
        ok!(aclrtFreeHost(at));
    }
    ok!(aclrtResetDevice(0));
}

#[test]
fn rule_46_pageable_copies_may_be_queued_as_older_versions_did() {
    let (_, err) = good_child("mem_findings::child_queued_pageable", &[("TOPROPE_PAGEABLE_COPY", "queue")]);
    let copied = noted(&err, "copied");
    expect(&err, "HostBufferGone", &["the 8192 bytes at 0x".into(), "were unmapped before".into(), copied]);
    assert_eq!(err.matches("error: [").count(), 1, "the twin is silent: {err}");
}

#[test]
#[ignore = "run in a process of its own"]
fn child_queued_pageable() {
    ok!(aclrtSetDevice(0));
    let (gate, data) = (malloc(4), malloc(8192));
    let map = || {
        // SAFETY: an anonymous mapping at an address the system chooses replaces nothing.
        let at = unsafe {
            libc::mmap(
                null_mut(),
                8192,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(at, libc::MAP_FAILED);
        at
    };
    let hold = || {
        put(gate, &[0u32]);
        run("hold", 1, DEFAULT, &[gate as u64]);
    };
    let (kept, gone) = (map(), map());
    hold();
    ok!(aclrtMemcpyAsync(data, 8192, kept, 8192, MemcpyKind::HOST_TO_DEVICE, DEFAULT));
    let mut status = StreamStatus::COMPLETE;
    ok!(aclrtStreamQuery(DEFAULT, &raw mut status));
    assert_eq!(status, StreamStatus::NOT_READY, "queued");
    put(gate, &[1u32]);
    sync(DEFAULT);
    hold();
    here!("copied", ok!(aclrtMemcpyAsync(data, 8192, gone, 8192, MemcpyKind::HOST_TO_DEVICE, DEFAULT)));
    // SAFETY: the mapping made above; that a queued copy still needs it is what the test is about.
    unsafe { libc::munmap(gone, 8192) };
    put(gate, &[1u32]);
    fails!(507_052, aclrtSynchronizeStream(DEFAULT));
    for at in [gate, data] {
        ok!(aclrtFree(at));
    }
    ok!(aclrtResetDevice(0));
}

#[test]
fn findings_of_memory_are_in_the_report() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("report.json");
    good_child("mem_findings::child_double_free", &[("TOPROPE_REPORT", file.to_str().unwrap())]);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let found = findings.iter().find(|f| f["name"] == "DoubleFree").expect("reported");
    assert!(!has_lines() || found["place"]["file"].as_str().unwrap().ends_with(HERE), "{found}");
    assert!(found["details"][0].as_str().unwrap().starts_with("freed by aclrtFree"), "{found}");
}
