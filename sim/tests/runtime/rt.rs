//! The layer below ACL, as pyasc, older compilers and the host stubs of Ascend C call it.

use crate::support::*;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};
use toprope_abi::acl::*;
use toprope_abi::rt::DevBinary;
use toprope_sim::runtime::rt_api;

/// Calls a C function of the rt table.
macro_rules! rt {
    ($name:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: the tests pass valid pointers, or the wrong ones that the function has to recognise.
        unsafe { (rt_api().$name)($($arg),*) }
    };
}

macro_rules! rt_ok {
    ($name:ident($($arg:expr),* $(,)?)) => {{
        let code = rt!($name($($arg),*));
        assert!(code.is_success(), "{}: {code:?}: {}", stringify!($name), message());
    }};
}

macro_rules! rt_fails {
    ($code:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        let code = rt!($name($($arg),*));
        assert_eq!(code.0, $code, "{}: {}", stringify!($name), message());
        message()
    }};
}

/// The kernels of this program as a binary of the rt layer.
fn binary(magic: u32) -> *mut c_void {
    let length = size_of::<toprope_abi::core_face::TrKernelModule>() as u64;
    let bin = DevBinary { magic, version: 0, data: module().cast(), length };
    let mut handle = null_mut();
    rt_ok!(rtDevBinaryRegister(&raw const bin, &raw mut handle));
    handle
}

#[test]
fn the_calls_of_a_pyasc_launch() {
    let _alone = alone();
    let mut name = [0u8; 32];
    rt_ok!(rtGetSocVersion(name.as_mut_ptr().cast(), 32));
    assert_eq!(CStr::from_bytes_until_nul(&name).unwrap(), c"Ascend910B1");
    assert!(
        rt_fails!(107_000, rtGetSocVersion(name.as_mut_ptr().cast(), 11)).contains("needs 12 characters")
    );
    let (mut count, mut cores) = (0, 0);
    rt_ok!(rtGetDeviceCount(&raw mut count));
    assert!(count >= 1);
    rt_ok!(rtGetDeviceInfo(0, 4, 3, &raw mut cores));
    assert_eq!(cores, 24);
    rt_fails!(207_000, rtGetDeviceInfo(0, 4, 99, &raw mut cores));
    rt_ok!(rtSetDevice(0));
    let mut stream = StreamHandle::NULL;
    rt_ok!(rtStreamCreate(&raw mut stream, 0));
    let (mut c2c, mut bytes) = (0, 0);
    rt_ok!(rtGetC2cCtrlAddr(&raw mut c2c, &raw mut bytes));
    assert_eq!((c2c, bytes), (0xe7ff_e806_4000, 8));
    // One text is stub, name and kernel, and its address may be used again for another one.
    for round in 0..3u32 {
        let bin = binary(0x4141_5246);
        let text = c_text("add_one");
        let stub = text.as_ptr().cast::<c_void>();
        rt_ok!(rtFunctionRegister(bin, stub, text.as_ptr().cast(), stub, 0));
        let mut x = null_mut();
        rt_ok!(rtMalloc(&raw mut x, 64 + 512, 0x2, 33));
        let x = (x as u64).next_multiple_of(512) as *mut c_void;
        let values = [round; 16];
        rt_ok!(rtMemcpy(x, 64, values.as_ptr().cast(), 64, 1));
        let mut args = [x as u64, 16];
        rt_ok!(rtKernelLaunch(stub, 1, args.as_mut_ptr().cast(), 16, null_mut(), stream));
        rt_ok!(rtStreamSynchronize(stream));
        let mut values = [0u32; 16];
        rt_ok!(rtMemcpy(values.as_mut_ptr().cast(), 64, x, 64, 2));
        assert_eq!(values, [round + 1; 16]);
        rt_ok!(rtDevBinaryUnRegister(bin));
        rt_fails!(107_044, rtKernelLaunch(stub, 1, args.as_mut_ptr().cast(), 16, null_mut(), stream));
    }
    rt_ok!(rtStreamDestroy(stream));
    rt_ok!(rtDeviceReset(0));
}

#[test]
fn values_are_packed_like_the_fields_of_a_struct() {
    let _device = device();
    let bin = binary(0x4355_4245);
    let stub = c"packed".as_ptr().cast::<c_void>();
    let kernel = c"mixed".as_ptr().cast();
    rt_ok!(rtFunctionRegister(bin, stub, kernel, kernel.cast(), 0));
    let x = malloc(8);
    // mixed(small: 4 bytes, struct: 20 bytes, x: address): 4 + 20 + 8 in a struct, 40 in slots.
    let mut packed = [0u8; 32];
    packed[24..].copy_from_slice(&(x as u64).to_le_bytes());
    rt_ok!(rtKernelLaunch(stub, 1, packed.as_mut_ptr().cast(), 32, null_mut(), DEFAULT));
    let mut slots = [0u64; 5];
    slots[4] = x as u64;
    rt_ok!(rtKernelLaunch(stub, 1, slots.as_mut_ptr().cast(), 40, null_mut(), DEFAULT));
    // The pointer arrived where the kernel has it: a host address is found there.
    let host = slots.as_ptr() as u64;
    packed[24..].copy_from_slice(&host.to_le_bytes());
    let text =
        rt_fails!(107_000, rtKernelLaunch(stub, 1, packed.as_mut_ptr().cast(), 32, null_mut(), DEFAULT));
    assert!(text.contains("argument 2 (`x`)"), "{text}");
    rt_fails!(107_000, rtKernelLaunch(stub, 1, packed.as_mut_ptr().cast(), 24, null_mut(), DEFAULT));
    sync(DEFAULT);
    rt_ok!(rtDevBinaryUnRegister(bin));
}

#[test]
fn launches_of_older_compilers() {
    let _device = device();
    let bin = binary(0x4141_5246);
    let stub = launches_of_older_compilers as *const c_void;
    rt_ok!(rtFunctionRegister(bin, stub, c"add_one".as_ptr().cast(), null(), 0));
    let x = malloc(64);
    put(x, &[0u32; 16]);
    let (at, count) = (x as u64, 5u64);
    rt_ok!(rtConfigureCall(1, null_mut(), DEFAULT));
    rt_ok!(rtSetupArgument((&raw const at).cast(), 8, 0));
    rt_ok!(rtSetupArgument((&raw const count).cast(), 8, 8));
    rt_ok!(rtLaunch(stub));
    sync(DEFAULT);
    assert_eq!(take::<u32>(x, 6), [1, 1, 1, 1, 1, 0]);
    rt_fails!(107_000, rtLaunch(stub));
    rt_fails!(107_000, rtSetupArgument((&raw const at).cast(), 8, 0));
    // Newer ones: a symbol, and one pointer per argument.
    rt_ok!(rtRegisterFuncSymbol(bin, stub, c"add_one".as_ptr().cast(), null_mut()));
    let mut values = [(&raw const at).cast_mut().cast::<c_void>(), (&raw const count).cast_mut().cast()];
    rt_ok!(rtLaunchKernelWithArgsArray(stub.cast_mut(), 1, DEFAULT, null_mut(), values.as_mut_ptr()));
    sync(DEFAULT);
    assert_eq!(take::<u32>(x, 6), [2, 2, 2, 2, 2, 0]);
    let mut func = null_mut();
    rt_ok!(rtGetFuncBySymbol(stub, &raw mut func));
    let (mut kind, mut ratio, mut size) = (0u32, [0u16; 2], 0);
    rt_ok!(rtFunctionGetMetaInfoSize(func, 1, &raw mut size));
    assert_eq!(size, 4);
    rt_ok!(rtFunctionGetMetaInfo(func, 1, (&raw mut kind).cast(), 4));
    rt_ok!(rtFunctionGetMetaInfo(func, 3, (&raw mut ratio).cast(), 4));
    assert_eq!((kind, ratio), (3, [0, 1]));
    rt_fails!(107_000, rtFunctionGetMetaInfo(func, 1, (&raw mut kind).cast(), 3));
    rt_fails!(207_000, rtFunctionGetMetaInfo(func, 14, (&raw mut kind).cast(), 8));
    rt_ok!(rtDevBinaryUnRegister(bin));
}

#[test]
fn device_variables_have_memory_on_every_device_that_asks() {
    let _device = device();
    let bin = binary(0x4355_4245);
    let host = 0u64;
    let twin = (&raw const host).cast::<c_void>();
    let (mut at, mut bytes) = (null_mut(), 0);
    rt_fails!(107_043, rtSymbolLookup(twin, &raw mut at, &raw mut bytes));
    rt!(rtRegisterVariable(bin, twin, c"table".as_ptr().cast(), 24, 0, null_mut()));
    rt_ok!(rtSymbolLookup(twin, &raw mut at, &raw mut bytes));
    assert_eq!(bytes, 24);
    assert_eq!(take::<u64>(at, 3), [0; 3]);
    put(at, &[1u64, 2, 3]);
    let (mut again, mut size) = (null_mut(), 0);
    ok!(aclrtBinaryGetGlobal(BinHandle(bin), c"table".as_ptr().cast(), &raw mut again, &raw mut size));
    assert_eq!((again, size), (at, 24));
    assert_eq!(take::<u64>(again, 3), [1, 2, 3]);
    rt_ok!(rtDevBinaryUnRegister(bin));
    rt_fails!(107_043, rtSymbolLookup(twin, &raw mut at, &raw mut bytes));
}

#[test]
fn memory_forgives_what_lies_on_the_last_page() {
    let _device = device();
    let mut x = null_mut();
    rt_ok!(rtMalloc(&raw mut x, 560, 0x2, 33));
    // 1,784 bytes behind the block, as pyasc's own tests write.
    rt_ok!(rtMemset(x, 560 + 1784, 7, 560 + 1784));
    assert_eq!(take::<u8>(x, 560 + 1784), vec![7; 560 + 1784]);
    rt_ok!(rtFree(x));
    rt_fails!(107_000, rtMalloc(&raw mut x, 0, 0x2, 33));
    rt_fails!(107_016, rtMalloc(&raw mut x, 8, 0x3f, 33));
    rt_fails!(207_001, rtMalloc(&raw mut x, 1 << 50, 0x802, 33));
    rt_fails!(207_001, rtMalloc(&raw mut x, u64::MAX, 0x802, 33));
    rt_fails!(100_000, rtMalloc(null_mut(), 8, 0x2, 33));
    rt_fails!(100_000, rtMemcpy(x, 8, x, 8, 99));
}

#[test]
fn wrong_binaries_and_stubs_are_named() {
    let _device = device();
    let mut handle = null_mut();
    let bytes = *b"not a kernel at all";
    let bin = |magic, length| DevBinary { magic, version: 0, data: bytes.as_ptr().cast(), length };
    let refuse = |bin: DevBinary, handle: &mut *mut c_void| {
        let code = rt!(rtDevBinaryRegister(&raw const bin, handle));
        (code.0, message())
    };
    let (code, text) = refuse(bin(0x4355_4245, 19), &mut handle);
    assert!(
        code == 107_000 && text.starts_with("rtDevBinaryRegister: ") && text.contains("no ELF file"),
        "{text}"
    );
    assert_eq!(refuse(bin(0x4143_5243, 19), &mut handle).0, 207_000);
    assert_eq!(refuse(bin(1, 19), &mut handle).0, 107_000);
    assert_eq!(refuse(bin(0x4355_4245, 0), &mut handle).0, 107_000);
    rt_fails!(100_000, rtDevBinaryRegister(null(), &raw mut handle));
    rt_fails!(107_017, rtDevBinaryUnRegister(8 as *mut c_void));
    let good = binary(0x4355_4245);
    let text = rt_fails!(
        107_000,
        rtFunctionRegister(good, 8 as *const c_void, c"ad_one".as_ptr().cast(), null(), 0)
    );
    assert!(text.contains("did you mean `add_one`?"), "{text}");
    rt_fails!(100_000, rtFunctionRegister(good, null(), c"add_one".as_ptr().cast(), null(), 0));
    rt_ok!(rtBinaryRegisterToFastMemory(good));
    rt_ok!(rtDependencyRegister(good, good));
    rt_ok!(rtMetadataRegister(good, c"x".as_ptr().cast()));
    rt_ok!(rtDevBinaryUnRegister(good));
    rt_fails!(107_017, rtBinaryRegisterToFastMemory(good));
    rt_fails!(107_017, rtDependencyRegister(good, good));
}

#[test]
fn profiling_hooks_take_records_and_number_texts() {
    let _alone = alone();
    let text = c"AddCustom";
    let id = rt!(MsprofGetHashId(text.as_ptr().cast(), 9));
    assert_eq!(id, rt!(MsprofStr2Id(text.as_ptr().cast(), 9)));
    assert_ne!(id, rt!(MsprofStr2Id(text.as_ptr().cast(), 3)));
    assert_eq!(rt!(MsprofStr2Id(null(), 9)), 0);
    let known = rt!(MsprofId2Str(id));
    // SAFETY: a text that lives as long as the process.
    assert_eq!(unsafe { CStr::from_ptr(known.cast()) }, text);
    assert!(rt!(MsprofId2Str(id + 1)).is_null());
    let (before, after) = (rt!(MsprofSysCycleTime()), rt!(MsprofSysCycleTime()));
    assert!(before > 0 && before <= after);
    assert_eq!(rt!(MsprofReportApi(1, text.as_ptr().cast())), 0);
    assert_ne!(rt!(MsprofReportApi(1, null())), 0);
    assert_ne!(rt!(MsprofRegisterCallback(8, None)), 0);
    assert!(!rt!(GetAscendProfStatus()));
    let mut start = 0;
    rt!(StartAscendProf(text.as_ptr().cast(), &raw mut start));
    assert!(start > 0);
    rt!(ReportAscendProf(text.as_ptr().cast(), 1, 0, start));
    rt!(AscendProfRegister());
}

#[test]
fn host_stubs_of_ascend_c() {
    let _device = device();
    let length = size_of::<toprope_abi::core_face::TrKernelModule>();
    let (mut handle, mut other) = (null_mut(), null_mut());
    assert_eq!(rt!(RegisterAscendBinary(module().cast(), length, 1, &raw mut handle)), 0);
    assert_eq!(rt!(RegisterAscendBinary(module().cast(), length, 3, &raw mut other)), 107_000);
    // No kernel of this program has a key.
    let mut args = [null_mut(); 2];
    assert_eq!(rt!(LaunchAscendKernel(handle, 1, 1, args.as_mut_ptr(), 16, DEFAULT)), 107_000);
    assert_eq!(rt!(UnregisterAscendBinary(handle)), 0);
    assert_eq!(rt!(UnregisterAscendBinary(handle)), 107_017);
    assert_eq!(rt!(AscendDevBinaryLazyRegister(module().cast(), length, &raw mut handle)), 0);
    let mut func = null_mut();
    assert_eq!(rt!(AscendGetFuncFromBinary(handle, c"add_one".as_ptr().cast(), &raw mut func)), 0);
    let mut x = null_mut();
    assert_eq!(rt!(AllocAscendMemDevice(&raw mut x, 64)), 0);
    put(x, &[0u32; 16]);
    let mut args = [x as u64, 16];
    let at = args.as_mut_ptr().cast();
    assert_eq!(rt!(AscendLaunchKernelWithHostArgs(func, 1, null_mut(), at, 16, 0)), 0);
    assert_eq!(rt!(AscendLaunchKernelWithHostArgs(func, 0, null_mut(), at, 16, 0)), 107_000);
    sync(DEFAULT);
    assert_eq!(take::<u32>(x, 16), [1; 16]);
    assert_eq!(rt!(FreeAscendMemDevice(x)), 0);
    let mut addr = null_mut();
    assert_eq!(rt!(GetAscendCoreSyncAddr(&raw mut addr)), 0);
    ok!(aclrtGetHardwareSyncAddr(&raw mut other));
    assert_eq!(addr, other);
    let (mut aic, mut aiv) = (0, 0);
    assert_eq!(rt!(GetCoreNumForMixVectorCore(&raw mut aic, &raw mut aiv)), 0);
    assert_eq!((aic, aiv), (24, 48));
    let mut reason = [0u8; 1024];
    assert!(rt!(AscendCheckSoCVersion(c"Ascend910B2".as_ptr().cast(), reason.as_mut_ptr().cast())));
    assert!(!rt!(AscendCheckSoCVersion(c"Ascend310P1".as_ptr().cast(), reason.as_mut_ptr().cast())));
    let reason = CStr::from_bytes_until_nul(&reason).unwrap().to_str().unwrap();
    assert!(reason.contains("compiled for Ascend310P1, this machine embeds Ascend910B1"), "{reason}");
    ok!(aclrtBinaryUnLoad(BinHandle(handle)));
}
