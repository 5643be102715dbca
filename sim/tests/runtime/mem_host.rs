//! Rule 43: host memory that the device knows.

use crate::support::*;
use std::alloc::Layout;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

/// Memory of the program itself, at a page.
struct Own(*mut c_void, Layout);

impl Own {
    fn new(bytes: usize) -> Own {
        let layout = Layout::from_size_align(bytes, 4096).unwrap();
        // SAFETY: the tests ask for some bytes.
        Own(unsafe { std::alloc::alloc_zeroed(layout) }.cast(), layout)
    }

    fn words(&mut self) -> &mut [u32] {
        // SAFETY: the block has this size and a page's alignment; nobody else uses it now.
        unsafe { std::slice::from_raw_parts_mut(self.0.cast(), self.1.size() / 4) }
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // SAFETY: allocated by `new` with this layout.
        unsafe { std::alloc::dealloc(self.0.cast(), self.1) };
    }
}

const MAPPED: u32 = HOST_REG_MAPPED as u32;
const PINNED: u32 = HOST_REG_PINNED as u32;

#[test]
fn rule_43_host_memory_takes_attributes() {
    let _device = device();
    let mut at = null_mut();
    ok!(aclrtMallocHostWithCfg(&raw mut at, 100, null_mut()));
    assert_eq!(at as usize % 64, 0);
    ok!(aclrtFreeHostWithDevSync(at));
    assert!(fails!(207_002, aclrtFreeHost(at)).contains("freed before"));
    let mut attributes =
        [MallocAttribute { attr: MallocAttrType::VA_FLAG, value: MallocAttrValue { va_flag: 1 } }];
    let mut cfg = MallocConfig { attrs: attributes.as_mut_ptr(), num_attrs: 1 };
    ok!(aclrtMallocHostWithCfg(&raw mut at, 4096, &raw mut cfg));
    let mut on_device = null_mut();
    ok!(aclrtHostRegister(at, 4096, HostRegisterType::MAPPED, &raw mut on_device));
    assert_eq!(on_device, at, "consistent addresses");
    ok!(aclrtHostUnregister(at));
    ok!(aclrtFreeHost(at));
    let mut wrong =
        [MallocAttribute { attr: MallocAttrType::VA_FLAG, value: MallocAttrValue { va_flag: 2 } }];
    cfg.attrs = wrong.as_mut_ptr();
    fails!(107_000, aclrtMallocHostWithCfg(&raw mut at, 4096, &raw mut cfg));
    fails!(100_000, aclrtMallocHostWithCfg(&raw mut at, 0, null_mut()));
    fails!(100_000, aclrtFreeHostWithDevSync(null_mut()));
}

#[test]
fn rule_43_kernels_reach_registered_memory_and_only_that() {
    let _device = device();
    let mut own = Own::new(8192);
    let (start, mut on_device) = (own.0, null_mut());
    assert_eq!(launch("add_one", 1, DEFAULT, &[start as u64, 4]).0, 107_000, "a host pointer");
    ok!(aclrtHostRegister(start, 8192, HostRegisterType::MAPPED, &raw mut on_device));
    run("add_one", 1, DEFAULT, &[on_device as u64, 4]);
    run("load_at", 1, DEFAULT, &[on_device as u64, 8188]);
    sync(DEFAULT);
    assert_eq!(own.words()[..5], [1, 1, 1, 1, 0]);
    run("load_at", 1, DEFAULT, &[on_device as u64, 8192]);
    assert_eq!(acl!(aclrtSynchronizeStream(DEFAULT)).0, 507_035, "behind its end");
    forget_errors();
    ok!(aclrtHostUnregister(start));
    assert_eq!(launch("add_one", 1, DEFAULT, &[start as u64, 4]).0, 107_000, "not any more");
    fails!(507_911, aclrtHostUnregister(start));
}

#[test]
fn rule_43_registering_is_checked() {
    let _device = device();
    let own = Own::new(16384);
    let inside = |bytes: usize| own.0.wrapping_byte_add(bytes);
    assert!(fails!(107_000, aclrtHostRegisterV2(inside(8), 4096, MAPPED)).contains("not a multiple of 4096"));
    fails!(100_000, aclrtHostRegisterV2(null_mut(), 4096, MAPPED));
    fails!(100_000, aclrtHostRegisterV2(own.0, 0, MAPPED));
    fails!(107_000, aclrtHostRegisterV2(own.0, 4096, 0));
    fails!(107_000, aclrtHostRegisterV2(own.0, 4096, 1));
    fails!(107_000, aclrtHostRegisterV2(own.0, 1 << 62, MAPPED));
    fails!(207_000, aclrtHostRegisterV2(own.0, 4096, HOST_REG_READONLY as u32));
    let mut at = null_mut();
    fails!(207_000, aclrtHostRegister(own.0, 4096, HostRegisterType::IOMEMORY, &raw mut at));
    fails!(207_000, aclrtHostRegister(own.0, 4096, HostRegisterType(1), &raw mut at));
    fails!(100_000, aclrtHostRegister(own.0, 4096, HostRegisterType::MAPPED, null_mut()));
    ok!(aclrtHostRegisterV2(own.0, 8192, MAPPED));
    fails!(507_910, aclrtHostRegisterV2(own.0, 8192, MAPPED));
    fails!(507_910, aclrtHostRegisterV2(inside(4096), 8192, MAPPED));
    ok!(aclrtHostRegisterV2(inside(8192), 8192, PINNED));
    assert!(fails!(507_911, aclrtHostUnregister(inside(4096))).contains("inside the registered range"));
    let known = malloc_host(4096);
    assert!(
        fails!(107_000, aclrtHostRegisterV2(known, 4096, PINNED | MAPPED)).contains("for pageable memory")
    );
    fails!(107_000, aclrtHostRegisterV2(known, 8192, MAPPED));
    ok!(aclrtHostRegisterV2(known, 4096, MAPPED));
    fails!(207_002, aclrtFreeHost(own.0));
    for at in [own.0, inside(8192), known] {
        ok!(aclrtHostUnregister(at));
    }
    ok!(aclrtFreeHost(known));
}

#[test]
fn rule_43_the_device_pointer_of_mapped_memory() {
    let _device = device();
    let own = Own::new(8192);
    let mut at = null_mut();
    fails!(107_000, aclrtHostGetDevicePointer(own.0, &raw mut at, 0));
    ok!(aclrtHostRegisterV2(own.0, 4096, PINNED));
    assert!(
        fails!(107_000, aclrtHostGetDevicePointer(own.0, &raw mut at, 0))
            .contains("without ACL_HOST_REG_MAPPED")
    );
    ok!(aclrtHostUnregister(own.0));
    ok!(aclrtHostRegisterV2(own.0, 4096, PINNED | MAPPED));
    ok!(aclrtHostGetDevicePointer(own.0, &raw mut at, 0));
    assert_eq!(at, own.0);
    fails!(100_000, aclrtHostGetDevicePointer(own.0, &raw mut at, 1));
    fails!(100_000, aclrtHostGetDevicePointer(own.0, null_mut(), 0));
    ok!(aclrtHostUnregister(own.0));
}

#[test]
fn rule_46_copies_of_registered_memory_are_asynchronous() {
    let _device = device();
    let mut own = Own::new(4096);
    ok!(aclrtHostRegisterV2(own.0, 4096, PINNED));
    let (gate, dev) = (malloc(4), malloc(4096));
    put(gate, &[0u32]);
    run("hold", 1, DEFAULT, &[gate as u64]);
    ok!(aclrtMemcpyAsync(dev, 4096, own.0, 4096, MemcpyKind::HOST_TO_DEVICE, DEFAULT));
    let mut status = StreamStatus::COMPLETE;
    ok!(aclrtStreamQuery(DEFAULT, &raw mut status));
    assert_eq!(status, StreamStatus::NOT_READY);
    put(gate, &[1u32]);
    sync(DEFAULT);
    own.words().fill(3);
    ok!(aclrtMemcpyAsync(dev, 4096, own.0, 4096, MemcpyKind::HOST_TO_DEVICE, DEFAULT));
    sync(DEFAULT);
    assert_eq!(take::<u32>(dev, 1024), [3; 1024]);
    ok!(aclrtHostUnregister(own.0));
}

#[test]
fn units_that_reach_host_memory() {
    let _device = device();
    let ask = |unit| {
        let mut answer = HostMemMapCapability(9);
        ok!(aclrtHostMemMapCapabilities(0, unit, &raw mut answer));
        answer
    };
    assert_eq!(ask(HacType::AIV), HostMemMapCapability::SUPPORTED);
    assert_eq!(ask(HacType::SDMA), HostMemMapCapability::SUPPORTED);
    assert_eq!(ask(HacType::DVPP), HostMemMapCapability::NOT_SUPPORTED);
    let mut answer = HostMemMapCapability(9);
    fails!(107_000, aclrtHostMemMapCapabilities(0, HacType(77), &raw mut answer));
    fails!(107_001, aclrtHostMemMapCapabilities(9, HacType::AIV, &raw mut answer));
    fails!(100_000, aclrtHostMemMapCapabilities(0, HacType::AIV, null_mut()));
}
