//! Rule 69: saturation mode and the overflow status (chapters 04 and 06).

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

const MAX: u16 = 0x7bff;
const INFINITE: u16 = 0x7c00;
const NAN: u16 = 0x7e00;
const ONE: u16 = 0x3c00;
const TWO: u16 = 0x4000;

/// What the kernel makes of these halves.
fn doubled(stream: StreamHandle, values: &[u16]) -> Vec<u16> {
    let x = malloc(256);
    let mut all = [0u16; 128];
    all[..values.len()].copy_from_slice(values);
    put(x, &all);
    run("double_halves", 1, stream, &[x as u64]);
    sync(stream);
    let all = take::<u16>(x, 128);
    ok!(aclrtFree(x));
    all[..values.len()].to_vec()
}

fn saturating_stream(switch: u32) -> StreamHandle {
    ok!(aclrtSetDeviceSatMode(FloatOverflowMode::SATURATION));
    let s = stream();
    ok!(aclrtSetDeviceSatMode(FloatOverflowMode::INFNAN));
    ok!(aclrtSetStreamOverflowSwitch(s, switch));
    s
}

fn status(stream: StreamHandle, at: *mut c_void) -> u32 {
    put(at, &[9u32; 16]);
    ok!(aclrtGetOverflowStatus(at, 64, stream));
    sync(stream);
    let words = take::<u32>(at, 16);
    assert!(words[1..].iter().all(|word| *word == 0), "{words:?}");
    words[0]
}

fn clear(stream: StreamHandle) {
    ok!(aclrtResetOverflowStatus(stream));
    sync(stream);
}

#[test]
fn streams_keep_the_mode_that_the_device_had_when_they_were_made() {
    let _device = device();
    let before = stream();
    let saturating = saturating_stream(0);
    let after = stream();
    let values = [ONE, MAX, INFINITE, NAN];
    assert_eq!(doubled(before, &values), [TWO, INFINITE, INFINITE, NAN]);
    assert_eq!(doubled(saturating, &values), [TWO, MAX, MAX, 0]);
    assert_eq!(doubled(after, &values), [TWO, INFINITE, INFINITE, NAN]);
}

#[test]
fn a_clamped_result_sets_the_flag_until_it_is_cleared() {
    let _device = device();
    let (s, at) = (saturating_stream(1), malloc(64));
    clear(s);
    assert_eq!(status(s, at), 0);
    doubled(s, &[ONE]);
    assert_eq!(status(s, at), 0, "nothing was clamped");
    doubled(s, &[ONE, MAX]);
    doubled(s, &[ONE]);
    assert_eq!(status(s, at), 1, "it stays");
    // The flag is that of the process: another stream reads and clears it.
    let other = stream();
    assert_eq!(status(other, at), 1);
    clear(other);
    assert_eq!(status(s, at), 0);
}

#[test]
fn nothing_is_flagged_without_the_switch_or_in_the_other_mode() {
    let _device = device();
    let (quiet, usual, at) = (saturating_stream(0), stream(), malloc(64));
    ok!(aclrtSetStreamOverflowSwitch(usual, 1));
    clear(usual);
    doubled(quiet, &[MAX]);
    doubled(usual, &[MAX]);
    assert_eq!(status(usual, at), 0);
}

#[test]
fn the_older_names_read_the_same_flag_in_stream_order() {
    let _device = device();
    let (s, at, gate) = (saturating_stream(1), malloc(64), malloc(4));
    ok!(aclrtResetFloatOverflowStatus(s));
    doubled(s, &[MAX]);
    put(at, &[9u32; 16]);
    put(gate, &[0u32]);
    run("hold", 1, s, &[gate as u64]);
    ok!(aclrtGetFloatOverflowStatus(at, 64, s));
    ok!(aclrtNpuClearFloatOverFlowStatus(0, s));
    assert_eq!(take::<u32>(at, 1), [9], "the stream is not there yet");
    put(gate, &[1u32]);
    sync(s);
    assert_eq!(take::<u32>(at, 1), [1]);
    ok!(aclrtNpuGetFloatOverFlowStatus(at, 64, 0, s));
    sync(s);
    assert_eq!(take::<u32>(at, 1), [0]);
}

#[test]
fn the_status_needs_64_bytes_of_the_streams_device() {
    let _device = device();
    let (s, at) = (stream(), malloc(128));
    fails!(100_000, aclrtGetOverflowStatus(null_mut(), 64, s));
    assert!(fails!(107_000, aclrtGetOverflowStatus(at, 32, s)).contains("the status has 64 bytes"));
    fails!(107_000, aclrtGetOverflowStatus(at.wrapping_byte_add(96), 64, s));
    let host = malloc_host(64);
    assert!(fails!(107_000, aclrtGetOverflowStatus(host, 64, s)).contains("no memory of device 0"));
    ok!(aclrtFreeHost(host));
    fails!(107_000, aclrtSetStreamOverflowSwitch(s, 2));
    let mut switch = 9;
    ok!(aclrtGetStreamOverflowSwitch(s, &raw mut switch));
    assert_eq!(switch, 0);
    fails!(100_000, aclrtGetStreamOverflowSwitch(s, null_mut()));
    fails!(107_017, aclrtResetOverflowStatus(StreamHandle(8 as *mut c_void)));
}
