//! Several devices, and what depends on processes: each case in a process of its own.

use crate::support::*;
use std::ptr::null_mut;
use toprope_abi::acl::*;

#[test]
fn rule_14_peer_access_is_one_directional() {
    good_child("multi_process::child_peer_access", &[("TOPROPE_DEVICES", "3")]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_peer_access() {
    ok!(aclrtSetDevice(0));
    let mut can = -1;
    ok!(aclrtDeviceCanAccessPeer(&raw mut can, 0, 1));
    assert_eq!(can, 1);
    let status = |from, to| {
        let mut status = -1;
        ok!(aclrtDevicePeerAccessStatus(from, to, &raw mut status));
        status
    };
    assert_eq!(status(0, 1), 0);
    ok!(aclrtDeviceEnablePeerAccess(1, 0));
    ok!(aclrtDeviceEnablePeerAccess(1, 0));
    assert_eq!((status(0, 1), status(1, 0), status(0, 2), status(0, 0)), (1, 0, 0, 0));
    ok!(aclrtDeviceDisablePeerAccess(1));
    assert_eq!(status(0, 1), 0);
    fails!(107_000, aclrtDeviceEnablePeerAccess(0, 0));
    fails!(107_000, aclrtDeviceEnablePeerAccess(1, 1));
    fails!(107_001, aclrtDeviceEnablePeerAccess(3, 0));
    fails!(107_001, aclrtDeviceDisablePeerAccess(-1));
    fails!(107_000, aclrtDeviceCanAccessPeer(&raw mut can, 1, 1));
    fails!(107_001, aclrtDeviceCanAccessPeer(&raw mut can, 0, 3));
    fails!(100_000, aclrtDeviceCanAccessPeer(null_mut(), 0, 1));
    fails!(107_000, aclrtDevicePeerAccessStatus(0, 3, &raw mut can));
    fails!(100_000, aclrtDevicePeerAccessStatus(0, 1, null_mut()));
}

#[test]
fn facts_about_pairs_of_devices() {
    good_child(
        "multi_process::child_pairs",
        &[("TOPROPE_DEVICES", "4"), ("ASCEND_RT_VISIBLE_DEVICES", "1,3")],
    );
}

#[test]
#[ignore = "run in a process of its own"]
fn child_pairs() {
    let mut topology = 0;
    ok!(aclrtGetDevicesTopo(0, 1, &raw mut topology));
    assert_eq!(topology, DEVS_TOPOLOGY_HCCS);
    fails!(107_001, aclrtGetDevicesTopo(0, 2, &raw mut topology));
    let operations = [AtomicOperation::DMA_ADD, AtomicOperation::INTEGER_ADD, AtomicOperation::DMA_MAX];
    let mut can = [9u32; 3];
    ok!(aclrtDeviceGetP2PAtomicCapabilities(can.as_mut_ptr(), operations.as_ptr(), 3, 0, 1));
    assert_eq!(can, [0b11_1001, 0, 0b11_1001]);
    ok!(aclrtDeviceGetHostAtomicCapabilities(can.as_mut_ptr(), operations.as_ptr(), 3, 0));
    assert_eq!(can, [0; 3]);
    fails!(107_000, aclrtDeviceGetHostAtomicCapabilities(can.as_mut_ptr(), operations.as_ptr(), 0, 0));
    fails!(107_000, aclrtDeviceGetP2PAtomicCapabilities(can.as_mut_ptr(), operations.as_ptr(), 3, 1, 1));
    fails!(107_001, aclrtDeviceGetP2PAtomicCapabilities(can.as_mut_ptr(), operations.as_ptr(), 3, 0, 2));
    fails!(100_000, aclrtDeviceGetHostAtomicCapabilities(null_mut(), operations.as_ptr(), 3, 0));
    let unknown = [AtomicOperation(99)];
    fails!(107_000, aclrtDeviceGetHostAtomicCapabilities(can.as_mut_ptr(), unknown.as_ptr(), 1, 0));
    // User numbers 0 and 1 are the devices 1 and 3 of the machine.
    let mut id = -1;
    ok!(aclrtGetLogicDevIdByUserDevId(1, &raw mut id));
    assert_eq!(id, 3);
    ok!(aclrtGetUserDevIdByLogicDevId(3, &raw mut id));
    assert_eq!(id, 1);
    ok!(aclrtGetPhyDevIdByUserDevId(0, &raw mut id));
    assert_eq!(id, 1);
    ok!(aclrtGetUserDevIdByPhyDevId(1, &raw mut id));
    assert_eq!(id, 0);
    // These two say "logical", but mean the user's number, as documented.
    ok!(aclrtGetPhyDevIdByLogicDevId(1, &raw mut id));
    assert_eq!(id, 3);
    ok!(aclrtGetLogicDevIdByPhyDevId(3, &raw mut id));
    assert_eq!(id, 1);
    assert!(fails!(107_001, aclrtGetUserDevIdByPhyDevId(2, &raw mut id)).contains("this process sees 1, 3"));
    fails!(107_001, aclrtGetPhyDevIdByUserDevId(2, &raw mut id));
    fails!(100_000, aclrtGetPhyDevIdByUserDevId(0, null_mut()));
    let uuid = |id| {
        let mut uuid = Uuid { bytes: [toprope_abi::layout::CChar(0); 16] };
        ok!(aclrtDeviceGetUuid(id, &raw mut uuid));
        uuid.bytes.map(|c| c.0)
    };
    assert_eq!(uuid(0), uuid(0));
    assert_ne!(uuid(0), uuid(1));
    // Limits are set through device 0 of the machine, which is hidden.
    assert!(fails!(107_001, aclrtDeviceSetLimit(DeviceLimit::SIMD_STACK_SIZE, 1)).contains("hides"));
}

#[test]
fn memory_of_another_device_needs_peer_access() {
    good_child("multi_process::child_peer_memory", &[("TOPROPE_DEVICES", "2")]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_peer_memory() {
    const BYTES: usize = 1 << 20;
    let both = MemcpyKind::DEVICE_TO_DEVICE;
    ok!(aclrtSetDevice(0));
    let first = malloc(BYTES);
    put(first, &[5u32]);
    let key = crate::ipc::export(first, BYTES, 1);
    ok!(aclrtSetDevice(1));
    let (second, s) = (malloc(BYTES), stream());
    // Copies between the devices.
    let text = fails!(107_000, aclrtMemcpy(second, 4, first, 4, both));
    assert!(
        text.contains("from device 0 to device 1") && text.contains("aclrtDeviceEnablePeerAccess"),
        "{text}"
    );
    fails!(107_000, aclrtMemcpyAsync(second, 4, first, 4, both, s));
    ok!(aclrtDeviceEnablePeerAccess(0, 0));
    ok!(aclrtMemcpyAsync(second, 4, first, 4, both, s));
    sync(s);
    assert_eq!(take::<u32>(second, 1), [5]);
    ok!(aclrtDeviceDisablePeerAccess(0));
    fails!(107_000, aclrtMemcpy(second, 4, first, 4, both));
    // Imported memory of the other device, for copies and kernels of this one.
    let imported = crate::ipc::import(&key, 0);
    let text = fails!(107_000, aclrtMemcpy(second, 4, imported, 4, both));
    assert!(text.contains("memory of device 0 of the machine, imported for device 1"), "{text}");
    assert_eq!(launch("add_one", 1, s, &[imported as u64, 1]).0, 107_000);
    ok!(aclrtDeviceEnablePeerAccess(0, 0));
    run("add_one", 1, s, &[imported as u64, 1]);
    sync(s);
    assert_eq!(take::<u32>(imported, 1), [6]);
    ok!(aclrtDeviceDisablePeerAccess(0));
    crate::ipc::close(&key);
    // The flag of the import opens the way.
    let imported = crate::ipc::import(&key, IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS);
    run("add_one", 1, s, &[imported as u64, 1]);
    sync(s);
    assert_eq!(take::<u32>(imported, 1), [7]);
    ok!(aclrtSetDevice(0));
    assert_eq!(take::<u32>(first, 1), [7]);
    crate::ipc::close(&key);
    crate::ipc::close(&key);
}

#[test]
fn a_forked_child_cannot_share() {
    good_child("multi_process::child_forks_with_exports", &[]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_forks_with_exports() {
    ok!(aclrtSetDevice(0));
    let block = malloc(1 << 20);
    let key = crate::ipc::export(block, 1 << 20, 1);
    let imported = crate::ipc::import(&key, 0);
    put(imported, &[1u32]);
    // SAFETY: the child only makes the calls below and ends without running exit handlers.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let (mut room, mut at, text) = ([toprope_abi::layout::CChar(0); 65], null_mut(), c_text(&key));
        let codes = [
            acl!(aclrtIpcMemGetExportKey(block, 4096, room.as_mut_ptr(), 65, 0)).0,
            acl!(aclrtIpcMemImportByKey(&raw mut at, c_ptr(&text), 0)).0,
            acl!(aclrtIpcMemClose(c_ptr(&text))).0,
            acl!(aclrtNotifySetImportPid(NotifyHandle(8 as *mut _), null_mut(), 1)).0,
        ];
        let (mut pid, mut count) = (0, 0);
        let names = acl!(aclrtDeviceGetBareTgid(&raw mut pid)).0 == 0
            && pid as u32 == std::process::id()
            && acl!(aclrtGetDeviceCount(&raw mut count)).0 == 0;
        // SAFETY: ends the child.
        unsafe { libc::_exit(i32::from(codes != [507_033; 4] || !names)) };
    }
    let mut status = -1;
    // SAFETY: waits for the child made above.
    unsafe { libc::waitpid(pid, &raw mut status, 0) };
    assert_eq!(status, 0);
    // The parent goes on, and its exports with it.
    assert_eq!(take::<u32>(crate::ipc::import(&key, 0), 1), [1]);
}

#[test]
fn the_init_file_sets_limits_until_a_call_does() {
    good_child("multi_process::child_init_limits", &[]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_init_limits() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("acl.json");
    let text = r#"{"StackSize": {"aicore_stack_size": 65536}, "simd_printf_fifo_size_per_core": 2048}"#;
    std::fs::write(&path, text).unwrap();
    let path = c_text(path.to_str().unwrap());
    ok!(aclInit(c_ptr(&path)));
    let get = |limit| {
        let mut value = 0;
        ok!(aclrtDeviceGetLimit(limit, &raw mut value));
        value
    };
    assert_eq!(get(DeviceLimit::SIMD_STACK_SIZE), 65536);
    assert_eq!(get(DeviceLimit::SIMD_PRINTF_FIFO_SIZE_PER_CORE), 2048);
    ok!(aclrtDeviceSetLimit(DeviceLimit::SIMD_STACK_SIZE, 100_000));
    assert_eq!(get(DeviceLimit::SIMD_STACK_SIZE), 114_688);
}
