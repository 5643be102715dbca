//! Rules 51–55: how faults reach the host; and small helpers (69, 70).

use crate::support::*;
use std::ptr::null_mut;
use toprope_abi::acl::*;

fn peek() -> i32 {
    acl!(aclrtPeekAtLastError(LastErrLevel::THREAD_LEVEL)).0
}

#[test]
fn rule_51_a_launch_only_answers_for_itself() {
    let _device = device();
    assert_eq!(launch("trap", 1, DEFAULT, &[]).0, 0);
    let mut status = StreamStatus::NOT_READY;
    let mut code = AclError::SUCCESS;
    eventually("the fault", || {
        code = acl!(aclrtStreamQuery(DEFAULT, &raw mut status));
        !code.is_success()
    });
    assert_eq!(code.0, 507_036);
    sync(DEFAULT);
    assert_eq!(launch("trap", 1, DEFAULT, &[]).0, 0);
    fails!(507_036, aclrtSynchronizeDevice());
    let mut event = EventHandle::NULL;
    ok!(aclrtCreateEvent(&raw mut event));
    assert_eq!(launch("trap", 1, DEFAULT, &[]).0, 0);
    ok!(aclrtRecordEvent(event, DEFAULT));
    fails!(507_036, aclrtSynchronizeEvent(event));
}

#[test]
fn rule_52_the_last_error_is_per_thread_and_not_for_argument_checks() {
    let _device = device();
    assert_eq!(peek(), 0);
    fails!(100_000, aclrtFree(null_mut()));
    assert_eq!(peek(), 0);
    fails!(107_001, aclrtSetDevice(77));
    assert_eq!((peek(), peek()), (107_001, 107_001));
    std::thread::spawn(|| assert_eq!(peek(), 0)).join().unwrap();
    assert_eq!(acl!(aclrtGetLastError(LastErrLevel::THREAD_LEVEL)).0, 107_001);
    assert_eq!(peek(), 0);
    run("trap", 1, DEFAULT, &[]);
    fails!(507_036, aclrtSynchronizeStream(DEFAULT));
    assert_eq!(peek(), 507_036);
    assert_eq!(acl!(aclrtPeekAtLastError(LastErrLevel(5))).0, 107_000);
}

#[test]
fn rule_53_a_refused_launch_is_seen_in_the_last_error() {
    let _device = device();
    assert_eq!(launch("nothing", 0, DEFAULT, &[]).0, 107_000);
    assert_eq!(peek(), 107_000);
}

#[test]
fn rule_54_messages_are_taken_newest_first() {
    let _device = device();
    fails!(107_001, aclrtSetDevice(77));
    let _ = acl!(aclrtSetDevice(78));
    let _ = acl!(aclrtSetDevice(79));
    assert!(message().starts_with("aclrtSetDevice: there is no device 79"));
    assert!(message().starts_with("aclrtSetDevice: there is no device 78"));
    assert_eq!(message(), "");
    std::thread::spawn(|| assert_eq!(message(), "")).join().unwrap();
}

#[test]
fn rule_55_codes_tell_the_core_and_the_kind_of_fault() {
    let _device = device();
    let x = malloc(64);
    let cases: [(&str, &[u64], i32); 5] = [
        ("trap", &[], 507_036),
        ("trap_cube", &[], 507_016),
        ("load_at", &[x as u64, 64], 507_035),
        ("load_at_cube", &[x as u64, 64], 507_015),
        ("segfault", &[], 507_035),
    ];
    for (kernel, args, code) in cases {
        run(kernel, 2, DEFAULT, args);
        let text = fails!(code, aclrtSynchronizeStream(DEFAULT));
        assert!(text.contains(&format!("kernel `{kernel}` (2 blocks, the default stream)")), "{text}");
        assert!(text.contains("help: ") && text.contains(&format!("code: {code} ")), "{text}");
    }
    run("load_at", 1, DEFAULT, &[x as u64, 60]);
    sync(DEFAULT);
}

#[test]
fn rule_69_half_floats_and_sizes_of_types() {
    let bits = |value: f32| acl!(aclFloatToFloat16(value)).0;
    let value = |bits: u16| acl!(aclFloat16ToFloat(Float16(bits)));
    assert_eq!((bits(1.0), bits(-2.5), bits(65504.0)), (0x3c00, 0xc100, 0x7bff));
    assert_eq!((bits(1e9), bits(f32::NEG_INFINITY), bits(f32::NAN) & 0x7fff), (0x7bff, 0xfbff, 0x7bff));
    assert_eq!(
        (value(0x3c00), value(0x7c00), value(0xfc00), value(0x7e00)),
        (1.0, 65536.0, -65536.0, 98304.0)
    );
    let size = |ty| acl!(aclDataTypeSize(ty));
    assert_eq!((size(DataType::FLOAT), size(DataType::BF16), size(DataType::COMPLEX128)), (4, 2, 16));
    assert_eq!((size(DataType::INT4), size(DataType::STRING), size(DataType(999))), (0, 0, 0));
}

#[test]
fn rule_70_versions() {
    let (mut a, mut b, mut c) = (0, 0, 0);
    ok!(aclrtGetVersion(&raw mut a, &raw mut b, &raw mut c));
    assert_eq!((a, b, c), (1, 17, 0));
    let name = c_text("runtime");
    let mut number = 0;
    ok!(aclsysGetVersionNum(name.as_ptr().cast_mut().cast(), &raw mut number));
    assert_eq!(number, 90_100_000);
    let wrong = c_text("no such package");
    fails!(100_000, aclsysGetVersionNum(wrong.as_ptr().cast_mut().cast(), &raw mut number));
}

#[test]
fn data_buffers_hold_an_address_and_a_size() {
    let mut data = [0u8; 8];
    let at = data.as_mut_ptr().cast();
    let buffer = acl!(aclCreateDataBuffer(at, 5_000_000_000));
    assert_eq!(acl!(aclGetDataBufferAddr(buffer)), at);
    assert_eq!(acl!(aclGetDataBufferSizeV2(buffer)), 5_000_000_000);
    ok!(aclUpdateDataBuffer(buffer, null_mut(), 3));
    assert!(acl!(aclGetDataBufferAddr(buffer)).is_null());
    assert_eq!(acl!(aclGetDataBufferSize(buffer)), 3);
    ok!(aclDestroyDataBuffer(buffer));
    fails!(100_000, aclDestroyDataBuffer(std::ptr::null()));
    assert!(acl!(aclGetDataBufferAddr(std::ptr::null())).is_null());
}
