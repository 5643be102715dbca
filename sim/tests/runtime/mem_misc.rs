//! Cache operations, allocators of the program, device variables that are not there.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

#[test]
fn prefetching_into_the_cache_keeps_the_contents() {
    let _device = device();
    let (at, gate) = (malloc(100), malloc(4));
    put(at, &[3u8; 100]);
    put(gate, &[0u32]);
    let s = stream();
    run("hold", 1, s, &[gate as u64]);
    ok!(aclrtCmoAsync(at, 100, CmoType::PREFETCH, s));
    let mut status = StreamStatus::COMPLETE;
    ok!(aclrtStreamQuery(s, &raw mut status));
    assert_eq!(status, StreamStatus::NOT_READY, "queued");
    put(gate, &[1u32]);
    sync(s);
    assert_eq!(take::<u8>(at, 100), [3; 100]);
    fails!(100_000, aclrtCmoAsync(null_mut(), 100, CmoType::PREFETCH, s));
    fails!(100_000, aclrtCmoAsync(at, 0, CmoType::PREFETCH, s));
    fails!(107_000, aclrtCmoAsync(at, 129, CmoType::PREFETCH, s));
    fails!(107_000, aclrtCmoAsync(at, 100, CmoType(4), s));
    for other in [CmoType::WRITEBACK, CmoType::INVALID, CmoType::FLUSH] {
        assert!(fails!(207_000, aclrtCmoAsync(at, 100, other, s)).contains("prefetching only"));
    }
    let host = malloc_host(64);
    fails!(107_000, aclrtCmoAsync(host, 64, CmoType::PREFETCH, s));
    ok!(aclrtFreeHost(host));
    fails!(207_000, aclrtCmoAsyncWithBarrier(at, 100, CmoType::INVALID, 1, s));
    fails!(207_000, aclrtCmoWaitBarrier(null_mut(), s, 0));
}

#[test]
fn cache_operations_take_descriptors() {
    let _device = device();
    let mut size = 0;
    ok!(aclrtCmoGetDescSize(&raw mut size));
    let (desc, at) = (malloc(size), malloc(100));
    ok!(aclrtCmoSetDesc(desc, at, 100));
    ok!(aclrtCmoAsyncWithDesc(desc, CmoType::PREFETCH, DEFAULT, std::ptr::null()));
    sync(DEFAULT);
    fails!(107_000, aclrtCmoSetDesc(desc, at, 129));
    fails!(107_000, aclrtCmoSetDesc(at.wrapping_byte_add(96), at, 8));
    fails!(100_000, aclrtCmoSetDesc(desc, null_mut(), 8));
    fails!(100_000, aclrtCmoSetDesc(desc, at, 0));
    fails!(100_000, aclrtCmoGetDescSize(null_mut()));
    fails!(100_000, aclrtCmoAsyncWithDesc(desc, CmoType::PREFETCH, DEFAULT, desc));
    fails!(207_000, aclrtCmoAsyncWithDesc(desc, CmoType::FLUSH, DEFAULT, std::ptr::null()));
    ok!(aclrtMemset(desc, size, 0, size));
    ok!(aclrtCmoAsyncWithDesc(desc, CmoType::PREFETCH, DEFAULT, std::ptr::null()));
    assert!(fails!(107_000, aclrtSynchronizeStream(DEFAULT)).contains("holds no descriptor"));
}

// ---- allocators ----------------------------------------------------------------------------------------------------

unsafe extern "C" fn allocate(object: Allocator, _bytes: usize) -> *mut c_void {
    object.0
}

unsafe extern "C" fn allocate_at(object: Allocator, _bytes: usize, _at: AllocatorAddr) -> *mut c_void {
    object.0
}

unsafe extern "C" fn free(_object: Allocator, _block: AllocatorBlock) {}

unsafe extern "C" fn address_of(block: AllocatorBlock) -> *mut c_void {
    block.0
}

#[test]
fn an_allocator_is_found_by_its_stream() {
    let _device = device();
    let (s, other) = (stream(), stream());
    let object = Allocator(std::ptr::without_provenance_mut(0x1234));
    let desc = acl!(aclrtAllocatorCreateDesc());
    assert!(!desc.is_null());
    ok!(aclrtAllocatorSetObjToDesc(desc, object));
    ok!(aclrtAllocatorSetAllocFuncToDesc(desc, AllocatorAllocFunc(Some(allocate))));
    ok!(aclrtAllocatorSetFreeFuncToDesc(desc, AllocatorFreeFunc(Some(free))));
    assert!(fails!(100_000, aclrtAllocatorRegister(s, desc)).contains("tells addresses"), "not whole yet");
    ok!(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, AllocatorGetAddrFromBlockFunc(Some(address_of))));
    ok!(aclrtAllocatorRegister(s, desc));
    ok!(aclrtAllocatorSetAllocAdviseFuncToDesc(desc, AllocatorAllocAdviseFunc(Some(allocate_at))));
    let (mut found, mut found_object) = (AllocatorDesc::NULL, Allocator::NULL);
    let (mut alloc, mut free_func) = (AllocatorAllocFunc(None), AllocatorFreeFunc(None));
    let (mut advise, mut addr) = (AllocatorAllocAdviseFunc(None), AllocatorGetAddrFromBlockFunc(None));
    let mut ask = |stream| {
        acl!(aclrtAllocatorGetByStream(
            stream,
            &raw mut found,
            &raw mut found_object,
            &raw mut alloc,
            &raw mut free_func,
            &raw mut advise,
            &raw mut addr
        ))
        .0
    };
    assert_eq!(ask(s), 0, "{}", message());
    assert_eq!(ask(other), 100_000);
    assert_eq!((found.0, found_object.0), (desc.0, object.0));
    assert!(advise.0.is_none(), "set after the registration");
    // SAFETY: the functions above, which take any value.
    assert_eq!(unsafe { alloc.0.unwrap()(object, 8) }, object.0);
    // SAFETY: as above.
    assert_eq!(unsafe { addr.0.unwrap()(AllocatorBlock(object.0)) }, object.0);
    assert!(free_func.0.is_some());
    // The last registration counts; a description may go before its registration.
    ok!(aclrtAllocatorRegister(s, desc));
    ok!(aclrtAllocatorDestroyDesc(desc));
    fails!(107_017, aclrtAllocatorDestroyDesc(desc));
    let null = null_mut::<c_void>();
    ok!(aclrtAllocatorGetByStream(
        s,
        &raw mut found,
        null.cast(),
        null.cast(),
        null.cast(),
        &raw mut advise,
        null.cast()
    ));
    assert!(advise.0.is_some());
    ok!(aclrtAllocatorUnregister(s));
    ok!(aclrtAllocatorUnregister(s));
    fails!(
        100_000,
        aclrtAllocatorGetByStream(
            s,
            &raw mut found,
            null.cast(),
            null.cast(),
            null.cast(),
            null.cast(),
            null.cast()
        )
    );
    fails!(100_000, aclrtAllocatorUnregister(StreamHandle::NULL));
    fails!(100_000, aclrtAllocatorRegister(StreamHandle::NULL, desc));
    fails!(107_017, aclrtAllocatorRegister(s, desc));
    let whole = acl!(aclrtAllocatorCreateDesc());
    fails!(100_000, aclrtAllocatorSetObjToDesc(whole, Allocator::NULL));
    fails!(100_000, aclrtAllocatorSetFreeFuncToDesc(whole, AllocatorFreeFunc(None)));
    fails!(107_017, aclrtAllocatorSetObjToDesc(AllocatorDesc(s.0), object));
    ok!(aclrtAllocatorDestroyDesc(whole));
}

#[test]
fn what_is_no_device_variable_is_told() {
    let _device = device();
    let (own, mut at, mut size, mut data) = (5u32, null_mut(), 0, [0u8; 4]);
    let symbol = (&raw const own).cast::<c_void>();
    assert!(fails!(107_043, aclrtGetSymbolAddress(symbol, &raw mut at)).contains("no device variable"));
    fails!(107_043, aclrtGetSymbolSize(symbol, &raw mut size));
    fails!(107_043, aclrtMemcpyToSymbol(symbol, data.as_ptr().cast(), 4, 0, MemcpyKind::HOST_TO_DEVICE));
    fails!(
        107_043,
        aclrtMemcpyFromSymbolAsync(data.as_mut_ptr().cast(), 4, symbol, 4, 0, MemcpyKind::DEFAULT, DEFAULT)
    );
    fails!(100_000, aclrtGetSymbolSize(std::ptr::null(), &raw mut size));
    fails!(100_000, aclrtGetSymbolAddress(symbol, null_mut()));
}
