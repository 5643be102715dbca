//! Chapters 3, 20, 21, 24: parameters, shared buffers, snapshots, capabilities.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};
use toprope_abi::acl::*;
use toprope_abi::layout::CInt;

#[test]
fn parameters_of_the_process_are_kept() {
    let _alone = alone();
    let read = |option| {
        let mut value = -1;
        ok!(aclrtGetSysParamOpt(option, &raw mut value));
        value
    };
    for (option, largest) in [(SysParamOpt::DETERMINISTIC, 3), (SysParamOpt::ENABLE_DEBUG_KERNEL, 1)] {
        assert_eq!(read(option), 0);
        ok!(aclrtSetSysParamOpt(option, largest));
        assert_eq!(read(option), largest);
        fails!(107_000, aclrtSetSysParamOpt(option, largest + 1));
        fails!(107_000, aclrtSetSysParamOpt(option, -1));
        assert_eq!(read(option), largest);
        ok!(aclrtSetSysParamOpt(option, 0));
    }
    let mut value = 0;
    fails!(107_000, aclrtGetSysParamOpt(SysParamOpt(99), &raw mut value));
    fails!(107_000, aclrtSetSysParamOpt(SysParamOpt(99), 0));
    fails!(100_000, aclrtGetSysParamOpt(SysParamOpt::DETERMINISTIC, null_mut()));
}

#[test]
fn attributes_and_capabilities() {
    let _alone = alone();
    let (mut list, mut count) = (std::ptr::null(), 0);
    ok!(aclGetCannAttributeList(&raw mut list, &raw mut count));
    // SAFETY: the runtime gave a list of this length, which lives as long as the process.
    let list: &[CannAttr] = unsafe { std::slice::from_raw_parts(list, count) };
    for attr in [CannAttr::INF_NAN, CannAttr::BF16, CannAttr::JIT_COMPILE] {
        let mut value = -1;
        ok!(aclGetCannAttribute(attr, &raw mut value));
        assert_eq!(value == 1, list.contains(&attr), "{attr:?}");
    }
    let mut value = 0;
    fails!(100_000, aclGetCannAttribute(CannAttr::UNDEFINED, &raw mut value));
    fails!(100_000, aclGetCannAttribute(CannAttr(9), &raw mut value));
    fails!(100_000, aclGetCannAttributeList(null_mut(), &raw mut count));
    let mut number = 0;
    ok!(aclGetDeviceCapability(0, DeviceInfo::AI_CORE_NUM, &raw mut number));
    assert_eq!(number, 24);
    ok!(aclGetDeviceCapability(0, DeviceInfo::VECTOR_CORE_NUM, &raw mut number));
    assert_eq!(number, 48);
    ok!(aclGetDeviceCapability(0, DeviceInfo::L2_SIZE, &raw mut number));
    assert!(number > 1 << 20);
    fails!(100_000, aclGetDeviceCapability(99, DeviceInfo::L2_SIZE, &raw mut number));
    fails!(100_000, aclGetDeviceCapability(0, DeviceInfo(7), &raw mut number));
}

#[test]
fn cache_flush_and_profiling_marks_need_a_device() {
    {
        let _alone = alone();
        fails!(107_002, aclrtDeviceL2CacheFlush(null_mut()));
    }
    let _device = device();
    ok!(aclrtDeviceL2CacheFlush(null_mut()));
    let mut data = [7u8; 18];
    let at = data.as_mut_ptr().cast::<c_void>();
    fails!(100_000, aclrtDeviceL2CacheFlush(at));
    let on = stream();
    ok!(aclrtProfTrace(at, 18, on));
    ok!(aclrtProfTrace(at, 1, DEFAULT));
    fails!(107_000, aclrtProfTrace(at, 19, on));
    fails!(107_000, aclrtProfTrace(at, 0, on));
    fails!(107_000, aclrtProfTrace(at, -1, on));
    fails!(100_000, aclrtProfTrace(null_mut(), 18, on));
    sync(on);
}

#[test]
fn data_buffers_are_handles() {
    let _alone = alone();
    let mut data = [0u8; 4];
    let buffer = acl!(aclCreateDataBuffer(data.as_mut_ptr().cast(), 4));
    assert_eq!(acl!(aclGetDataBufferAddr(buffer)), data.as_mut_ptr().cast());
    assert_eq!(acl!(aclGetDataBufferSizeV2(buffer)), 4);
    ok!(aclUpdateDataBuffer(buffer, null_mut(), 5 << 32));
    assert_eq!(acl!(aclGetDataBufferSizeV2(buffer)), 5 << 32);
    assert_eq!(acl!(aclGetDataBufferSize(buffer)), 0);
    ok!(aclDestroyDataBuffer(buffer));
    fails!(107_017, aclDestroyDataBuffer(buffer));
    fails!(107_017, aclUpdateDataBuffer(buffer, null_mut(), 0));
    assert!(acl!(aclGetDataBufferAddr(buffer)).is_null());
    assert!(acl!(aclGetDataBufferAddr(data.as_ptr().cast())).is_null());
    fails!(100_000, aclDestroyDataBuffer(null_mut()));
}

// ---- shared buffers --------------------------------------------------------------------------------------------------

fn mbuf(bytes: usize) -> MbufHandle {
    let mut buf = MbufHandle::NULL;
    ok!(aclrtAllocBuf(&raw mut buf, bytes));
    buf
}

fn data_of(buf: MbufHandle) -> (*mut c_void, usize) {
    let (mut at, mut bytes) = (null_mut(), 0);
    ok!(aclrtGetBufData(buf, &raw mut at, &raw mut bytes));
    (at, bytes)
}

fn live_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    ok!(aclrtGetMemInfo(MemAttr::HBM, &raw mut free, &raw mut total));
    total - free
}

#[test]
fn a_shared_buffer_has_data_a_length_and_user_data() {
    let _device = device();
    let before = live_bytes();
    let buf = mbuf(100);
    let (at, bytes) = data_of(buf);
    assert_eq!(bytes, 100);
    put(at, &[3u32; 25]);
    assert_eq!(take::<u32>(at, 25), [3; 25]);
    let mut length = 9;
    ok!(aclrtGetBufDataLen(buf, &raw mut length));
    assert_eq!(length, 0);
    ok!(aclrtSetBufDataLen(buf, 100));
    fails!(107_000, aclrtSetBufDataLen(buf, 101));
    ok!(aclrtGetBufDataLen(buf, &raw mut length));
    assert_eq!(length, 100);
    let (written, mut read) = ([5u8; 6], [0u8; 8]);
    ok!(aclrtSetBufUserData(buf, written.as_ptr().cast(), 6, 90));
    ok!(aclrtGetBufUserData(buf, read.as_mut_ptr().cast(), 8, 88));
    assert_eq!(read, [0, 0, 5, 5, 5, 5, 5, 5]);
    fails!(107_000, aclrtSetBufUserData(buf, written.as_ptr().cast(), 6, 91));
    fails!(107_000, aclrtGetBufUserData(buf, read.as_mut_ptr().cast(), 8, usize::MAX));
    fails!(107_000, aclrtGetBufUserData(buf, read.as_mut_ptr().cast(), 0, 0));
    ok!(aclrtFreeBuf(buf));
    fails!(107_017, aclrtFreeBuf(buf));
    assert_eq!(live_bytes(), before);
    let mut none = MbufHandle::NULL;
    fails!(107_000, aclrtAllocBuf(&raw mut none, 0));
    fails!(107_000, aclrtAllocBuf(&raw mut none, (4 << 30) + 1));
    fails!(100_000, aclrtAllocBuf(null_mut(), 1));
    fails!(100_000, aclrtFreeBuf(MbufHandle::NULL));
}

#[test]
fn references_share_the_data() {
    let _device = device();
    let before = live_bytes();
    let (buf, mut other) = (mbuf(64), MbufHandle::NULL);
    ok!(aclrtSetBufDataLen(buf, 10));
    ok!(aclrtCopyBufRef(buf, &raw mut other));
    assert_ne!(buf, other);
    assert_eq!(data_of(buf), data_of(other));
    ok!(aclrtFreeBuf(buf));
    put(data_of(other).0, &[1u64; 8]);
    let mut length = 0;
    ok!(aclrtGetBufDataLen(other, &raw mut length));
    assert_eq!(length, 10);
    ok!(aclrtFreeBuf(other));
    assert_eq!(live_bytes(), before);
}

#[test]
fn chains_are_freed_with_their_head() {
    let _device = device();
    let before = live_bytes();
    let head = mbuf(32);
    let members: Vec<MbufHandle> = (0..127).map(|_| mbuf(32)).collect();
    let mut count = 0;
    ok!(aclrtGetBufChainNum(head, &raw mut count));
    assert_eq!(count, 1);
    for member in &members {
        ok!(aclrtAppendBufChain(head, *member));
    }
    ok!(aclrtGetBufChainNum(head, &raw mut count));
    assert_eq!(count, 128);
    let mut found = MbufHandle::NULL;
    ok!(aclrtGetBufFromChain(head, 0, &raw mut found));
    assert_eq!(found, head);
    ok!(aclrtGetBufFromChain(head, 127, &raw mut found));
    assert_eq!(found, members[126]);
    fails!(107_000, aclrtGetBufFromChain(head, 128, &raw mut found));
    let one_more = mbuf(32);
    fails!(207_012, aclrtAppendBufChain(head, one_more));
    fails!(107_000, aclrtAppendBufChain(one_more, members[0]));
    fails!(107_000, aclrtAppendBufChain(members[0], one_more));
    fails!(107_000, aclrtAppendBufChain(one_more, one_more));
    fails!(107_000, aclrtAppendBufChain(one_more, head));
    fails!(107_000, aclrtFreeBuf(members[3]));
    ok!(aclrtFreeBuf(head));
    fails!(107_017, aclrtFreeBuf(members[3]));
    ok!(aclrtFreeBuf(one_more));
    assert_eq!(live_bytes(), before);
}

#[test]
fn a_reset_takes_shared_buffers_away() {
    let session = device();
    let buf = mbuf(32);
    ok!(aclrtResetDeviceForce(0));
    let (mut at, mut bytes) = (null_mut(), 0);
    let text = fails!(107_017, aclrtGetBufData(buf, &raw mut at, &raw mut bytes));
    assert!(text.contains("device 0 was reset"), "{text}");
    ok!(aclrtFreeBuf(buf));
    drop(session);
}

// ---- snapshots -------------------------------------------------------------------------------------------------------

fn pid() -> CInt {
    CInt(std::process::id() as i32)
}

static STAGES: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn on_stage(device: i32, args: *mut c_void) -> u32 {
    assert_eq!(device, 0);
    STAGES.fetch_add(1 << (args as usize * 4), Ordering::SeqCst);
    0
}

unsafe extern "C" fn refuse_stage(_: i32, _: *mut c_void) -> u32 {
    1
}

#[test]
fn a_snapshot_brings_the_memory_back() {
    let _device = device();
    let x = malloc(64);
    put(x, &[1u32; 16]);
    ok!(aclrtSnapShotProcessLock(pid(), null_mut()));
    ok!(aclrtSnapShotProcessBackup(pid(), null_mut()));
    // The device loses what it held; no call could do that to a frozen process.
    // SAFETY: a live block of 64 bytes that nothing else uses now.
    unsafe { x.cast::<u8>().write_bytes(9, 64) };
    ok!(aclrtSnapShotProcessRestore(pid(), null_mut()));
    ok!(aclrtSnapShotProcessUnlock(pid(), null_mut()));
    assert_eq!(take::<u32>(x, 16), [1; 16]);
}

#[test]
fn snapshots_have_an_order() {
    let _device = device();
    fails!(507_907, aclrtSnapShotProcessUnlock(pid(), null_mut()));
    fails!(507_908, aclrtSnapShotProcessBackup(pid(), null_mut()));
    fails!(507_909, aclrtSnapShotProcessRestore(pid(), null_mut()));
    ok!(aclrtSnapShotProcessLock(pid(), null_mut()));
    fails!(507_906, aclrtSnapShotProcessLock(pid(), null_mut()));
    fails!(507_909, aclrtSnapShotProcessRestore(pid(), null_mut()));
    ok!(aclrtSnapShotProcessBackup(pid(), null_mut()));
    let text = fails!(507_908, aclrtSnapShotProcessBackup(pid(), null_mut()));
    assert!(text.contains("the process is BACKED_UP, but must be LOCKED"), "{text}");
    ok!(aclrtSnapShotProcessUnlock(pid(), null_mut()));
    ok!(aclrtSnapShotProcessLock(pid(), null_mut()));
    fails!(507_909, aclrtSnapShotProcessRestore(pid(), null_mut()));
    ok!(aclrtSnapShotProcessUnlock(pid(), null_mut()));
    fails!(100_000, aclrtSnapShotProcessLock(CInt(1), null_mut()));
    fails!(100_000, aclrtSnapShotProcessLock(pid(), 8 as *mut c_void));
}

#[test]
fn calls_of_other_threads_wait_while_the_process_is_frozen() {
    let _device = device();
    let x = malloc(64);
    run("spin_us", 1, DEFAULT, &[2000]);
    ok!(aclrtSnapShotProcessLock(pid(), null_mut()));
    // Locking waited for the kernel; looking is still possible.
    let mut device = -1;
    ok!(aclrtGetDevice(&raw mut device));
    let arrived = std::sync::Arc::new(AtomicU32::new(0));
    let (mine, at) = (arrived.clone(), x as usize);
    let waiter = std::thread::spawn(move || {
        mine.store(1, Ordering::SeqCst);
        ok!(aclrtSetDevice(0));
        ok!(aclrtFree(at as *mut c_void));
        mine.store(2, Ordering::SeqCst);
    });
    eventually("the other thread begins", || arrived.load(Ordering::SeqCst) >= 1);
    for _ in 0..1000 {
        std::thread::yield_now();
    }
    assert_eq!(arrived.load(Ordering::SeqCst), 1);
    ok!(aclrtSnapShotProcessUnlock(pid(), null_mut()));
    waiter.join().unwrap();
    assert_eq!(arrived.load(Ordering::SeqCst), 2);
    ok!(aclrtResetDevice(0));
}

#[test]
fn callbacks_of_snapshots_run_at_their_stages() {
    let _device = device();
    let callback = SnapShotCallback(Some(on_stage));
    for stage in 0..6 {
        ok!(aclrtSnapShotCallbackRegister(SnapShotStage(stage), callback, stage as usize as *mut c_void));
    }
    fails!(507_913, aclrtSnapShotCallbackRegister(SnapShotStage::LOCK_PRE, callback, null_mut()));
    STAGES.store(0, Ordering::SeqCst);
    ok!(aclrtSnapShotProcessLock(pid(), null_mut()));
    assert_eq!(STAGES.load(Ordering::SeqCst), 0x1);
    ok!(aclrtSnapShotProcessBackup(pid(), null_mut()));
    assert_eq!(STAGES.load(Ordering::SeqCst), 0x111);
    ok!(aclrtSnapShotProcessRestore(pid(), null_mut()));
    ok!(aclrtSnapShotProcessUnlock(pid(), null_mut()));
    assert_eq!(STAGES.load(Ordering::SeqCst), 0x11_1111);
    for stage in 0..6 {
        ok!(aclrtSnapShotCallbackUnregister(SnapShotStage(stage), callback));
    }
    fails!(507_913, aclrtSnapShotCallbackUnregister(SnapShotStage::LOCK_PRE, callback));
    fails!(100_000, aclrtSnapShotCallbackRegister(SnapShotStage(9), callback, null_mut()));
    fails!(
        100_000,
        aclrtSnapShotCallbackRegister(SnapShotStage::LOCK_PRE, SnapShotCallback(None), null_mut())
    );
    // One that refuses stops its stage.
    let refusing = SnapShotCallback(Some(refuse_stage));
    ok!(aclrtSnapShotCallbackRegister(SnapShotStage::LOCK_PRE, refusing, null_mut()));
    fails!(507_912, aclrtSnapShotProcessLock(pid(), null_mut()));
    ok!(aclrtSnapShotCallbackUnregister(SnapShotStage::LOCK_PRE, refusing));
    ok!(aclrtMemset(malloc(8), 8, 0, 8));
}
