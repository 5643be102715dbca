//! Wrong calls that a user makes: the code, and a message that says what to do.

use crate::support::*;
use std::ptr::null_mut;
use toprope_abi::acl::*;

/// Insists that every part is in the text.
fn says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

fn refused(name: &str, blocks: u32, args: &[u64]) -> String {
    assert_eq!(launch(name, blocks, DEFAULT, args).0, 107_000);
    message()
}

#[test]
fn kernel_name_not_found() {
    let _device = device();
    let name = c_text("add_onn");
    let mut f = FuncHandle(8 as *mut _);
    let text = fails!(107_000, aclrtBinaryGetFunction(binary(), c_ptr(&name), &raw mut f));
    says(&text, &["has no kernel `add_onn`", "`store_index`, `add_one`", "did you mean `add_one`?"]);
    assert!(f.is_null());
}

#[test]
fn launch_of_0_blocks_or_too_many() {
    let _device = device();
    says(
        &refused("nothing", 0, &[]),
        &["kernel `nothing`: the number of blocks is 0; it must be 1 to 65535", "<<<"],
    );
    says(&refused("nothing", 65_536, &[]), &["the number of blocks is 65536"]);
    says(&refused("nothing", u32::MAX, &[]), &["negative or too large"]);
    run("nothing", 1, DEFAULT, &[]);
    sync(DEFAULT);
}

#[test]
fn wrong_size_of_arguments() {
    let _device = device();
    let text = refused("add_one", 1, &[0]);
    says(
        &text,
        &[
            "kernel `add_one` takes 16 bytes of arguments",
            "2 parameters: x: address, count: 8 bytes",
            "but 8 bytes were given",
        ],
    );
    refused("nothing", 1, &[0]);
}

#[test]
fn host_pointer_as_device_memory() {
    let _device = device();
    let host = [0u32; 16];
    let text = refused("add_one", 1, &[host.as_ptr() as u64, 16]);
    says(
        &text,
        &["kernel `add_one`: argument 0 (`x`) is 0x", "a host pointer", "aclrtMalloc", "aclrtMemcpy"],
    );
    let pinned = malloc_host(64);
    says(&refused("add_one", 1, &[pinned as u64, 16]), &["a host pointer (memory of aclrtMallocHost)"]);
    ok!(aclrtFreeHost(pinned));
    let device = malloc(64);
    run("add_one", 1, DEFAULT, &[device as u64, 16]);
    sync(DEFAULT);
}

#[test]
fn freeing_what_is_not_a_block() {
    let _device = device();
    let block = malloc(100);
    let inside = block.wrapping_byte_add(32);
    says(&fails!(207_002, aclrtFree(inside)), &["is not the start of a block", "32 bytes into block"]);
    ok!(aclrtFree(block));
    says(&fails!(207_002, aclrtFree(block)), &["(100 bytes) was freed before, by aclrtFree"]);
    let local = 0u64;
    says(&fails!(207_002, aclrtFree((&raw const local).cast_mut().cast())), &["is no device memory"]);
}

#[test]
fn copies_outside_their_blocks() {
    let _device = device();
    let block = malloc(100);
    let host = [0u8; 4096];
    let copy =
        |dst, count| acl!(aclrtMemcpy(dst, count, host.as_ptr().cast(), count, MemcpyKind::HOST_TO_DEVICE)).0;
    assert_eq!(copy(block, 128), 0, "rounded up to 32");
    assert_eq!(copy(block, 129), 107_000);
    says(
        &message(),
        &["`dst`: 129 bytes from 0x", "(100 bytes, from aclrtMalloc) ends after 128: 1 bytes too many"],
    );
    ok!(aclrtFree(block));
    assert_eq!(copy(block, 10), 107_000);
    says(&message(), &["`dst` is 0x", "which was freed by aclrtFree"]);
    assert_eq!(copy(0x10 as *mut _, 10), 107_000);
    says(&message(), &["is no memory of this process"]);
    let pinned = malloc_host(100);
    assert_eq!(copy(pinned, 101), 107_000);
    says(&message(), &["the block of aclrtMallocHost (100 bytes) ends after 100: 1 bytes too many"]);
    ok!(aclrtFreeHost(pinned));
}

#[test]
fn access_beyond_a_block_names_the_block() {
    let _device = device();
    let x = malloc(100);
    run("load_at", 3, DEFAULT, &[x as u64, 128]);
    let text = fails!(507_035, aclrtSynchronizeStream(DEFAULT));
    says(&text, &["kernel `load_at` (3 blocks, the default stream) failed", "block 0"]);
    ok!(aclrtFree(x));
    run("load_at", 1, DEFAULT, &[x as u64, 0]);
    let text = fails!(507_035, aclrtSynchronizeStream(DEFAULT));
    says(&text, &["freed"]);
}

#[test]
fn wild_handles() {
    let _device = device();
    let wild = 0x1234_5678 as *mut _;
    says(
        &fails!(107_017, aclrtSynchronizeStream(StreamHandle(wild))),
        &["no handle that this runtime gave out"],
    );
    says(&fails!(107_017, aclrtDestroyEvent(EventHandle(wild))), &["an event is expected"]);
    fails!(100_000, aclrtDestroyEvent(EventHandle::NULL));
    fails!(107_017, aclrtBinaryUnLoad(BinHandle(wild)));
    fails!(
        107_000,
        aclrtLaunchKernelWithHostArgs(FuncHandle::NULL, 1, DEFAULT, null_mut(), null_mut(), 0, null_mut(), 0)
    );
}
