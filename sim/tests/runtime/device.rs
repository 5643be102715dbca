//! Rules 7–16: devices and contexts.

use crate::support::*;
use std::ffi::CStr;
use std::ptr::null_mut;
use toprope_abi::acl::*;

fn current() -> ContextHandle {
    let mut context = ContextHandle::NULL;
    ok!(aclrtGetCurrentContext(&raw mut context));
    context
}

#[test]
fn rule_07_threads_share_the_default_context_but_select_it_themselves() {
    let _device = device();
    let mine = current().0 as usize;
    std::thread::spawn(move || {
        let mut id = -1;
        assert!(
            fails!(107_002, aclrtGetDevice(&raw mut id)).contains("no device is selected in this thread")
        );
        ok!(aclrtSetDevice(0));
        assert_eq!(current().0 as usize, mine);
        ok!(aclrtGetDevice(&raw mut id));
        assert_eq!(id, 0);
    })
    .join()
    .unwrap();
}

#[test]
fn rule_08_resets_are_counted_and_free_everything() {
    let _device = device();
    ok!(aclrtSetDevice(0));
    let block = malloc(100);
    let s = stream();
    ok!(aclrtResetDevice(0));
    ok!(aclrtMemset(block, 100, 1, 100));
    ok!(aclrtResetDevice(0));
    let text = fails!(107_002, aclrtMemset(block, 100, 1, 100));
    assert!(text.contains("the context of this thread is gone: aclrtResetDevice ended it"), "{text}");
    assert!(text.contains("call aclrtSetDevice"), "{text}");
    fails!(507_007, aclrtResetDevice(0));
    ok!(aclrtSetDevice(0));
    let text = fails!(107_017, aclrtSynchronizeStream(s));
    assert!(text.contains("a stream that was destroyed, or whose device was reset"), "{text}");
    let text = fails!(207_002, aclrtFree(block));
    assert!(text.contains("freed before, by aclrtResetDevice"), "{text}");
}

#[test]
fn rule_08_a_forced_reset_ends_it_at_once() {
    let _device = device();
    ok!(aclrtSetDevice(0));
    ok!(aclrtResetDeviceForce(0));
    assert!(fails!(507_007, aclrtResetDeviceForce(0)).contains("was reset by force before"));
    fails!(507_007, aclrtResetDevice(0));
    ok!(aclrtSetDevice(0));
    malloc(10);
}

#[test]
fn rule_10_bad_ids_and_missing_selections_are_told_apart() {
    let _alone = alone();
    for id in [-1, 1, 1000] {
        let text = fails!(107_001, aclrtSetDevice(id));
        assert!(text.contains(&format!("there is no device {id}; ids go from 0 to 0")), "{text}");
    }
    let mut count = 0;
    ok!(aclrtGetDeviceCount(&raw mut count));
    assert_eq!(count, 1);
    std::thread::spawn(|| {
        let mut at = null_mut();
        fails!(107_002, aclrtMalloc(&raw mut at, 8, MemMallocPolicy::HUGE_FIRST));
        let mut s = StreamHandle::NULL;
        fails!(107_002, aclrtCreateStream(&raw mut s));
    })
    .join()
    .unwrap();
}

#[test]
fn rule_12_synchronizing_the_device_waits_for_all_streams_and_can_time_out() {
    let _device = device();
    let gate = malloc(4);
    put(gate, &[0u32]);
    let s = stream();
    run("hold", 1, s, &[gate as u64]);
    let text = fails!(507_046, aclrtSynchronizeDeviceWithTimeout(20));
    assert!(text.contains("it runs kernel `hold`"), "{text}");
    for bad in [0, -2] {
        fails!(107_000, aclrtSynchronizeDeviceWithTimeout(bad));
    }
    put(gate, &[1u32]);
    ok!(aclrtSynchronizeDeviceWithTimeout(-1));
    let mut status = StreamStatus::NOT_READY;
    ok!(aclrtStreamQuery(s, &raw mut status));
    assert_eq!(status, StreamStatus::COMPLETE);
    ok!(aclrtSynchronizeDevice());
}

#[test]
fn rule_13_name_mode_and_figures_of_the_device() {
    let _alone = alone();
    let name = acl!(aclrtGetSocName());
    // SAFETY: a static text.
    let name = unsafe { CStr::from_ptr(name.cast()) };
    assert_eq!(name.to_str().unwrap(), "Ascend910B1");
    let mut mode = RunMode::DEVICE;
    ok!(aclrtGetRunMode(&raw mut mode));
    assert_eq!(mode, RunMode::HOST);
    let info = |attr| {
        let mut value = -1;
        ok!(aclrtGetDeviceInfo(0, attr, &raw mut value));
        value
    };
    assert_eq!(info(DevAttr::VECTOR_CORE_NUM), 48);
    assert_eq!(info(DevAttr::CUBE_CORE_NUM), 24);
    assert_eq!(info(DevAttr::TOTAL_GLOBAL_MEM_SIZE), 64 << 30);
    assert_eq!(info(DevAttr::WARP_SIZE), 0);
    assert_eq!(info(DevAttr::NPU_ARCH), 2201);
    let mut value = 0;
    fails!(107_001, aclrtGetDeviceInfo(7, DevAttr::NPU_ARCH, &raw mut value));
    fails!(107_000, aclrtGetDeviceInfo(0, DevAttr(9999), &raw mut value));
    fails!(100_000, aclrtGetDeviceInfo(0, DevAttr::NPU_ARCH, null_mut()));
}

#[test]
fn rule_15_explicit_contexts_have_their_own_streams_and_can_be_destroyed() {
    let _device = device();
    let default = current();
    assert!(fails!(107_000, aclrtDestroyContext(default)).contains("default context"));
    let mut own = ContextHandle::NULL;
    ok!(aclrtCreateContext(&raw mut own, 0));
    assert_eq!(current(), own);
    let s = stream();
    run("nothing", 1, s, &[]);
    ok!(aclrtSetCurrentContext(default));
    let text = message();
    assert_eq!(launch("nothing", 1, s, &[]).0, 107_003, "{text}");
    ok!(aclrtDestroyContext(own));
    fails!(107_017, aclrtSynchronizeStream(s));
    assert!(fails!(107_017, aclrtSetCurrentContext(own)).contains("a context that was destroyed"));
    assert_eq!(current(), default);
}

#[test]
fn rule_15_contexts_of_a_reset_device_are_dead() {
    let _device = device();
    let mut own = ContextHandle::NULL;
    ok!(aclrtCreateContext(&raw mut own, 0));
    ok!(aclrtResetDevice(0));
    let mut s = StreamHandle::NULL;
    assert!(fails!(107_002, aclrtCreateStream(&raw mut s)).contains("aclrtResetDevice ended it"));
    ok!(aclrtSetDevice(0));
    fails!(107_017, aclrtSetCurrentContext(own));
}

#[test]
fn rule_16_the_last_selection_wins() {
    let _device = device();
    let default = current();
    let mut own = ContextHandle::NULL;
    ok!(aclrtCreateContext(&raw mut own, 0));
    ok!(aclrtSetDevice(0));
    assert_eq!(current(), default);
    ok!(aclrtSetCurrentContext(own));
    assert_eq!(current(), own);
    fails!(100_000, aclrtSetCurrentContext(ContextHandle::NULL));
    fails!(100_000, aclrtDestroyContext(ContextHandle::NULL));
    ok!(aclrtDestroyContext(own));
}

fn context_option(opt: SysParamOpt) -> i64 {
    let mut value = -1;
    ok!(aclrtCtxGetSysParamOpt(opt, &raw mut value));
    value
}

#[test]
fn rule_16_options_of_a_context_have_no_default() {
    let _device = device();
    let default = current();
    let mut value = 0;
    let text = fails!(107_021, aclrtCtxGetSysParamOpt(SysParamOpt::DETERMINISTIC, &raw mut value));
    assert!(text.contains("ACL_OPT_DETERMINISTIC was never set in this context"), "{text}");
    ok!(aclrtCtxSetSysParamOpt(SysParamOpt::DETERMINISTIC, 3));
    ok!(aclrtCtxSetSysParamOpt(SysParamOpt::DETERMINISTIC, 1));
    assert_eq!(context_option(SysParamOpt::DETERMINISTIC), 1);
    // Of this context only, and of this option only.
    let mut own = ContextHandle::NULL;
    ok!(aclrtCreateContext(&raw mut own, 0));
    fails!(107_021, aclrtCtxGetSysParamOpt(SysParamOpt::DETERMINISTIC, &raw mut value));
    ok!(aclrtCtxSetSysParamOpt(SysParamOpt::ENABLE_DEBUG_KERNEL, 1));
    ok!(aclrtSetCurrentContext(default));
    fails!(107_021, aclrtCtxGetSysParamOpt(SysParamOpt::ENABLE_DEBUG_KERNEL, &raw mut value));
    for (opt, bad) in [
        (SysParamOpt::DETERMINISTIC, 4),
        (SysParamOpt::DETERMINISTIC, -1),
        (SysParamOpt::STRONG_CONSISTENCY, 2),
    ] {
        assert!(fails!(107_000, aclrtCtxSetSysParamOpt(opt, bad)).contains("it must be from 0 to"));
    }
    fails!(107_000, aclrtCtxSetSysParamOpt(SysParamOpt(77), 0));
    fails!(107_000, aclrtCtxGetSysParamOpt(SysParamOpt(-1), &raw mut value));
    fails!(100_000, aclrtCtxGetSysParamOpt(SysParamOpt::DETERMINISTIC, null_mut()));
}

#[test]
fn the_default_stream_of_a_context_is_the_one_that_null_means() {
    let _device = device();
    let mut default = StreamHandle::NULL;
    ok!(aclrtCtxGetCurrentDefaultStream(&raw mut default));
    let x = malloc(4);
    put(x, &[1u32]);
    run("add_one", 1, default, &[x as u64, 1]);
    sync(DEFAULT);
    assert_eq!(take::<u32>(x, 1), [2]);
    let mut own = ContextHandle::NULL;
    ok!(aclrtCreateContext(&raw mut own, 0));
    let mut other = StreamHandle::NULL;
    ok!(aclrtCtxGetCurrentDefaultStream(&raw mut other));
    assert_ne!(default, other);
    ok!(aclrtDestroyContext(own));
    fails!(100_000, aclrtCtxGetCurrentDefaultStream(null_mut()));
    std::thread::spawn(|| {
        let mut none = StreamHandle::NULL;
        fails!(107_002, aclrtCtxGetCurrentDefaultStream(&raw mut none));
    })
    .join()
    .unwrap();
}

#[test]
fn the_default_context_is_active_from_selection_to_reset() {
    let _alone = alone();
    let state = || {
        let (mut flags, mut active) = (9, -1);
        ok!(aclrtGetPrimaryCtxState(0, &raw mut flags, &raw mut active));
        ok!(aclrtGetPrimaryCtxState(0, null_mut(), &raw mut active));
        active
    };
    assert_eq!(state(), 0);
    ok!(aclrtSetDevice(0));
    assert_eq!(state(), 1);
    ok!(aclrtResetDevice(0));
    assert_eq!(state(), 0);
    let mut active = 0;
    fails!(107_001, aclrtGetPrimaryCtxState(1, null_mut(), &raw mut active));
    fails!(100_000, aclrtGetPrimaryCtxState(0, null_mut(), null_mut()));
}

#[test]
fn overflow_flags_of_a_context_are_device_memory_until_it_ends() {
    let _device = device();
    let mut own = ContextHandle::NULL;
    ok!(aclrtCreateContext(&raw mut own, 0));
    let (mut at, mut again) = (null_mut(), null_mut());
    ok!(aclrtCtxGetFloatOverflowAddr(&raw mut at));
    ok!(aclrtCtxGetFloatOverflowAddr(&raw mut again));
    assert_eq!(at, again);
    assert_eq!(take::<u32>(at, 16), [0; 16]);
    ok!(aclrtDestroyContext(own));
    ok!(aclrtSetDevice(0));
    fails!(107_000, aclrtMemset(at, 64, 0, 64));
    fails!(100_000, aclrtCtxGetFloatOverflowAddr(null_mut()));
}

#[test]
fn facts_about_a_device() {
    let _alone = alone();
    let mut status = DeviceStatus::ABNORMAL;
    ok!(aclrtQueryDeviceStatus(0, &raw mut status));
    assert_eq!(status, DeviceStatus::NORMAL);
    fails!(107_001, aclrtQueryDeviceStatus(1, &raw mut status));
    let (mut least, mut greatest) = (-1, -1);
    ok!(aclrtDeviceGetStreamPriorityRange(&raw mut least, &raw mut greatest));
    assert_eq!((least, greatest), (7, 0));
    fails!(100_000, aclrtDeviceGetStreamPriorityRange(&raw mut least, null_mut()));
    let mut pid = 0;
    ok!(aclrtDeviceGetBareTgid(&raw mut pid));
    assert_eq!(pid as u32, std::process::id());
    let mut has = -1;
    ok!(aclrtGetDeviceCapability(0, DevFeatureType::SYSTEM_MEMQ_EVENT_CROSS_DEV, &raw mut has));
    assert_eq!(has, DEV_FEATURE_NOT_SUPPORT);
    fails!(107_000, aclrtGetDeviceCapability(0, DevFeatureType(5), &raw mut has));
    fails!(107_001, aclrtGetDeviceCapability(3, DevFeatureType::SYSTEM_MEMQ_EVENT_CROSS_DEV, &raw mut has));
    ok!(aclrtSetTsDevice(TsId::AICORE));
    ok!(aclrtSetTsDevice(TsId::AIVECTOR));
    fails!(107_000, aclrtSetTsDevice(TsId::RESERVED));
}

#[test]
fn a_device_is_found_by_its_pci_address() {
    let _alone = alone();
    let mut room = [toprope_abi::layout::CChar(0); 13];
    ok!(aclrtDeviceGetPCIBusId(0, room.as_mut_ptr(), 13));
    // SAFETY: the function ends the text inside the array.
    let text = unsafe { CStr::from_ptr(room.as_ptr().cast()) }.to_str().unwrap();
    assert_eq!(text.len(), 12);
    assert!(text.starts_with("0000:") && text.ends_with(":00.0"), "{text}");
    let mut id = -1;
    ok!(aclrtDeviceGetByPCIBusId(room.as_ptr(), &raw mut id));
    assert_eq!(id, 0);
    let wrong = c_text("0000:ff:00.0");
    assert!(fails!(107_000, aclrtDeviceGetByPCIBusId(c_ptr(&wrong), &raw mut id)).contains(text));
    assert!(fails!(107_000, aclrtDeviceGetPCIBusId(0, room.as_mut_ptr(), 12)).contains("13 characters"));
    fails!(107_001, aclrtDeviceGetPCIBusId(5, room.as_mut_ptr(), 13));
    fails!(100_000, aclrtDeviceGetPCIBusId(0, null_mut(), 13));
    fails!(100_000, aclrtDeviceGetByPCIBusId(std::ptr::null(), &raw mut id));
}

#[test]
fn sizes_of_device_resources_are_rounded_as_documented() {
    let _alone = alone();
    let get = |limit| {
        let mut value = 0;
        ok!(aclrtDeviceGetLimit(limit, &raw mut value));
        value
    };
    let (stack, print) = (DeviceLimit::SIMD_STACK_SIZE, DeviceLimit::SIMD_PRINTF_FIFO_SIZE_PER_CORE);
    assert_eq!((get(stack), get(print)), (32 << 10, 32 << 10));
    for (asked, is) in [(1, 32 << 10), (40_000, 48 << 10), (196_608, 196_608), (32 << 10, 32 << 10)] {
        ok!(aclrtDeviceSetLimit(stack, asked));
        assert_eq!(get(stack), is);
    }
    for (asked, is) in [(1025, 1032), (64 << 20, 64 << 20), (32 << 10, 32 << 10)] {
        ok!(aclrtDeviceSetLimit(print, asked));
        assert_eq!(get(print), is);
    }
    for (limit, bad) in [(stack, 196_609), (stack, usize::MAX), (print, 1000), (print, (64 << 20) + 1)] {
        assert!(fails!(107_000, aclrtDeviceSetLimit(limit, bad)).contains("must be"), "{bad}");
    }
    let mut value = 0;
    for simt in [
        DeviceLimit::SIMT_STACK_SIZE,
        DeviceLimit::SIMT_DVG_WARP_STACK_SIZE,
        DeviceLimit::SIMT_PRINTF_FIFO_SIZE,
    ] {
        fails!(207_000, aclrtDeviceSetLimit(simt, 1 << 20));
        assert!(fails!(207_000, aclrtDeviceGetLimit(simt, &raw mut value)).contains("dav-2201 has none"));
    }
    fails!(107_000, aclrtDeviceGetLimit(DeviceLimit(9), &raw mut value));
    fails!(100_000, aclrtDeviceGetLimit(stack, null_mut()));
}

#[test]
fn cores_are_limited_by_stream_then_device_then_chip() {
    let _device = device();
    let (cube, vector) = (DevResLimitType::CUBE_CORE, DevResLimitType::VECTOR_CORE);
    let s = stream();
    let of_device = |kind| {
        let mut value = 0;
        ok!(aclrtGetDeviceResLimit(0, kind, &raw mut value));
        value
    };
    let of_stream = |stream, kind| {
        let mut value = 0;
        ok!(aclrtGetStreamResLimit(stream, kind, &raw mut value));
        value
    };
    let here = |kind| {
        let mut value = 0;
        ok!(aclrtGetResInCurrentThread(kind, &raw mut value));
        value
    };
    assert_eq!((of_device(cube), of_device(vector), of_stream(s, vector), here(vector)), (24, 48, 48, 48));
    ok!(aclrtSetDeviceResLimit(0, vector, 10));
    assert_eq!((of_device(vector), of_stream(s, vector), here(vector), of_device(cube)), (10, 10, 10, 24));
    ok!(aclrtSetStreamResLimit(s, vector, 3));
    assert_eq!(
        (of_device(vector), of_stream(s, vector), of_stream(DEFAULT, vector), here(vector)),
        (10, 3, 10, 10)
    );
    ok!(aclrtUseStreamResInCurrentThread(s));
    assert_eq!((here(vector), here(cube)), (3, 24));
    std::thread::spawn(move || {
        ok!(aclrtSetDevice(0));
        let mut value = 0;
        ok!(aclrtGetResInCurrentThread(vector, &raw mut value));
        assert_eq!(value, 10, "another thread has not chosen the stream");
    })
    .join()
    .unwrap();
    assert!(fails!(107_000, aclrtUnuseStreamResInCurrentThread(DEFAULT)).contains("does not use the limits"));
    ok!(aclrtUnuseStreamResInCurrentThread(s));
    assert_eq!(here(vector), 10);
    ok!(aclrtResetStreamResLimit(s));
    assert_eq!(of_stream(s, vector), 10);
    ok!(aclrtResetDeviceResLimit(0));
    assert_eq!(of_device(vector), 48);
    assert!(fails!(107_000, aclrtSetDeviceResLimit(0, vector, 49)).contains("has 48 vector cores"));
    fails!(107_000, aclrtSetStreamResLimit(s, cube, 25));
    fails!(107_000, aclrtSetDeviceResLimit(0, DevResLimitType(2), 1));
    fails!(107_001, aclrtSetDeviceResLimit(4, vector, 1));
    fails!(100_000, aclrtGetDeviceResLimit(0, vector, null_mut()));
    // A chosen stream that is gone is no limit any more.
    ok!(aclrtSetStreamResLimit(s, vector, 5));
    ok!(aclrtUseStreamResInCurrentThread(s));
    ok!(aclrtDestroyStream(s));
    assert_eq!(here(vector), 48);
}

#[test]
fn state_callbacks_see_selection_and_reset() {
    static SEEN: std::sync::Mutex<Vec<(i32, i32)>> = std::sync::Mutex::new(Vec::new());
    unsafe extern "C" fn note(device: i32, state: DeviceState, args: *mut std::ffi::c_void) {
        SEEN.lock().unwrap().push((device + args as i32, state.0));
    }
    let _alone = alone();
    let name = c_text("test");
    let args = 40 as *mut std::ffi::c_void;
    ok!(aclrtRegDeviceStateCallback(c_ptr(&name), DeviceStateCallback(Some(note)), args));
    let text =
        fails!(107_000, aclrtRegDeviceStateCallback(c_ptr(&name), DeviceStateCallback(Some(note)), args));
    assert!(text.contains("a callback `test` is registered already"), "{text}");
    ok!(aclrtSetDevice(0));
    ok!(aclrtResetDevice(0));
    ok!(aclrtRegDeviceStateCallback(c_ptr(&name), DeviceStateCallback(None), null_mut()));
    ok!(aclrtSetDevice(0));
    assert_eq!(*SEEN.lock().unwrap(), [(40, 0), (40, 1), (40, 2), (40, 3)]);
    fails!(107_000, aclrtRegDeviceStateCallback(c_ptr(&name), DeviceStateCallback(None), null_mut()));
    let empty = c_text("");
    fails!(107_000, aclrtRegDeviceStateCallback(c_ptr(&empty), DeviceStateCallback(Some(note)), args));
    fails!(100_000, aclrtRegDeviceStateCallback(std::ptr::null(), DeviceStateCallback(Some(note)), args));
}

#[test]
fn the_saturation_mode_is_the_devices() {
    let _device = device();
    let mode = || {
        let mut mode = FloatOverflowMode::UNDEF;
        ok!(aclrtGetDeviceSatMode(&raw mut mode));
        mode
    };
    assert_eq!(mode(), FloatOverflowMode::INFNAN);
    ok!(aclrtSetDeviceSatMode(FloatOverflowMode::SATURATION));
    assert_eq!(mode(), FloatOverflowMode::SATURATION);
    ok!(aclrtSetDeviceSatMode(FloatOverflowMode::INFNAN));
    assert_eq!(mode(), FloatOverflowMode::INFNAN);
    fails!(107_000, aclrtSetDeviceSatMode(FloatOverflowMode::UNDEF));
    fails!(100_000, aclrtGetDeviceSatMode(null_mut()));
}

#[test]
fn utilization_is_the_share_of_occupied_cores() {
    let _device = device();
    let busy = || {
        let mut info = UtilizationInfo {
            cube_utilization: -7,
            vector_utilization: -7,
            aicpu_utilization: -7,
            memory_utilization: -7,
            utilization_extend: null_mut(),
        };
        ok!(aclrtGetDeviceUtilizationRate(0, &raw mut info));
        assert_eq!((info.aicpu_utilization, info.memory_utilization), (0, -1));
        (info.cube_utilization, info.vector_utilization)
    };
    assert_eq!(busy(), (0, 0));
    let gate = malloc(4);
    put(gate, &[0u32]);
    run("hold", 12, DEFAULT, &[gate as u64]);
    assert_eq!(busy(), (0, 25), "12 of 48 vector cores");
    put(gate, &[1u32]);
    sync(DEFAULT);
    eventually("the cores are free", || busy() == (0, 0));
    fails!(100_000, aclrtGetDeviceUtilizationRate(0, null_mut()));
    fails!(107_001, aclrtGetDeviceUtilizationRate(1, null_mut::<UtilizationInfo>().wrapping_add(1)));
}
