//! Physical memory between processes (shareable handles of chapter 11-04), with real child processes.

use crate::ipc::{Other, number, serve};
use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

const BYTES: usize = 2 << 20;

fn prop() -> PhysicalMemProp {
    PhysicalMemProp {
        handle_type: MemHandleType::NONE,
        allocation_type: MemAllocationType::PINNED,
        mem_attr: MemAttr::HBM_HUGE,
        location: MemLocation { id: 0, ty: MemLocationType::DEVICE },
        reserve: 0,
    }
}

fn physical() -> DrvMemHandle {
    let (mut handle, prop) = (DrvMemHandle::NULL, prop());
    ok!(aclrtMallocPhysical(&raw mut handle, BYTES, &raw const prop, 0));
    handle
}

fn map(handle: DrvMemHandle) -> *mut c_void {
    let mut at = null_mut();
    ok!(aclrtReserveMemAddress(&raw mut at, BYTES, 0, null_mut(), 0));
    ok!(aclrtMapMem(at, BYTES, 0, handle, 0));
    at
}

fn unmap(at: *mut c_void, handle: DrvMemHandle) {
    ok!(aclrtUnmapMem(at));
    ok!(aclrtReleaseMemAddress(at));
    ok!(aclrtFreePhysical(handle));
}

fn share(handle: DrvMemHandle, flags: u64) -> u64 {
    let mut shareable = 0;
    ok!(aclrtMemExportToShareableHandle(handle, MemHandleType::NONE, flags, &raw mut shareable));
    shareable
}

/// The importing process of the tests below.
#[test]
#[ignore = "run in a process of its own"]
fn child_physical() {
    ok!(aclrtSetDevice(0));
    let (mut handle, mut at) = (DrvMemHandle::NULL, null_mut());
    serve(|words| {
        match words {
            ["import", shareable] => {
                let shareable = number(shareable) as u64;
                let code = acl!(aclrtMemImportFromShareableHandle(shareable, 0, &raw mut handle)).0;
                if code == 0 {
                    at = map(handle);
                }
                return format!("{code} {}", message().replace('\n', " "));
            }
            ["import2", shareable] => {
                let mut shareable = number(shareable) as u64;
                let (share_type, at_handle) = (MemSharedHandleType::DEFAULT, &raw mut shareable);
                ok!(aclrtMemImportFromShareableHandleV2(at_handle.cast(), share_type, 0, &raw mut handle));
                at = map(handle);
            }
            ["read"] => return take::<u32>(at, 1)[0].to_string(),
            ["add"] => {
                run("add_one", 1, DEFAULT, &[at as u64, 1]);
                sync(DEFAULT);
            }
            ["unmap"] => unmap(at, handle),
            _ => panic!("{words:?}"),
        }
        "ok".into()
    });
}

fn other() -> Other {
    Other::start("ipc_physical::child_physical", &[])
}

#[test]
fn physical_memory_is_mapped_in_two_processes() {
    let _device = device();
    let handle = physical();
    let at = map(handle);
    put(at, &[40u32]);
    let shareable = share(handle, VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
    let mut other = other();
    assert!(other.ask(&format!("import {shareable}")).starts_with('0'));
    assert_eq!(other.ask("read"), "40");
    other.ask("add");
    run("add_one", 1, DEFAULT, &[at as u64, 1]);
    sync(DEFAULT);
    assert_eq!(other.ask("read"), "42");
    // The exporter lets go first; the importer keeps the pages.
    unmap(at, handle);
    other.ask("add");
    assert_eq!(other.ask("read"), "43");
    other.ask("unmap");
    assert!(other.ask(&format!("import {shareable}")).starts_with("507022"));
    other.finish();
}

#[test]
fn rule_35_the_whitelist_holds_for_physical_memory() {
    let _device = device();
    let handle = physical();
    let shareable = share(handle, VMM_EXPORT_FLAG_DEFAULT);
    let mut other = other();
    let refused = other.ask(&format!("import {shareable}"));
    assert!(
        refused.starts_with("207006") && refused.contains("whitelist of shared physical memory"),
        "{refused}"
    );
    let mut pid = [other.pid()];
    ok!(aclrtMemSetPidToShareableHandle(shareable, pid.as_mut_ptr(), 1));
    assert!(other.ask(&format!("import {shareable}")).starts_with('0'));
    other.finish();
    ok!(aclrtFreePhysical(handle));
    fails!(107_000, aclrtMemSetPidToShareableHandle(shareable + 1, pid.as_mut_ptr(), 1));
    fails!(100_000, aclrtMemSetPidToShareableHandle(shareable, null_mut(), 1));
}

#[test]
fn the_typed_forms_share_within_a_server_only() {
    let _device = device();
    let handle = physical();
    let (mut shareable, default) = (0u64, MemSharedHandleType::DEFAULT);
    let place = (&raw mut shareable).cast::<c_void>();
    ok!(aclrtMemExportToShareableHandleV2(handle, 0, default, place));
    let mut other = other();
    let mut pid = [other.pid()];
    ok!(aclrtMemSetPidToShareableHandleV2(place, default, pid.as_mut_ptr(), 1));
    let at = map(handle);
    put(at, &[7u32]);
    other.ask(&format!("import2 {shareable}"));
    assert_eq!(other.ask("read"), "7");
    other.finish();
    let mut fabric = MemFabricHandle { data: [0; 128] };
    let (place, fabric_type) = ((&raw mut fabric).cast::<c_void>(), MemSharedHandleType::FABRIC);
    let second = physical();
    let text = fails!(207_000, aclrtMemExportToShareableHandleV2(second, 0, fabric_type, place));
    assert!(text.contains("between servers"), "{text}");
    let mut out = DrvMemHandle::NULL;
    fails!(207_000, aclrtMemImportFromShareableHandleV2(place, fabric_type, 0, &raw mut out));
    fails!(207_000, aclrtMemSetPidToShareableHandleV2(place, fabric_type, pid.as_mut_ptr(), 1));
    fails!(107_000, aclrtMemExportToShareableHandleV2(second, 0, MemSharedHandleType(7), place));
    fails!(107_000, aclrtMemImportFromShareableHandleV2(place, default, 1, &raw mut out));
    ok!(aclrtFreePhysical(second));
    unmap(at, handle);
}

#[test]
fn what_cannot_be_shared_is_told() {
    let _device = device();
    let handle = physical();
    let mut shareable = 0;
    let mut export = |handle, kind, flags| {
        acl!(aclrtMemExportToShareableHandle(handle, kind, flags, &raw mut shareable)).0
    };
    let none = MemHandleType::NONE;
    assert_eq!(export(DrvMemHandle::NULL, none, 0), 100_000);
    assert_eq!(export(DrvMemHandle(8 as *mut c_void), none, 0), 107_017);
    assert_eq!(export(handle, MemHandleType::POSIX, 0), 107_000);
    assert_eq!(export(handle, none, 2), 107_000);
    assert_eq!(export(handle, none, 0), 0);
    assert_eq!(export(handle, none, 0), 107_000);
    assert!(message().contains("was exported before"));
    let mut out = DrvMemHandle::NULL;
    // Not in the same process, and not from one that never was.
    let text = fails!(107_000, aclrtMemImportFromShareableHandle(shareable, 0, &raw mut out));
    assert!(text.contains("made by this very process"), "{text}");
    fails!(507_022, aclrtMemImportFromShareableHandle(u64::MAX, 0, &raw mut out));
    fails!(107_001, aclrtMemImportFromShareableHandle(shareable, 9, &raw mut out));
    fails!(100_000, aclrtMemImportFromShareableHandle(shareable, 0, null_mut()));
    fails!(100_000, aclrtMemExportToShareableHandle(handle, none, 0, null_mut()));
    ok!(aclrtFreePhysical(handle));
}
