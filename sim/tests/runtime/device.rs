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
