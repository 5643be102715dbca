//! Kernel objects given to the loader: whole, in memory, damaged, truncated, foreign.
#![allow(unsafe_code)] // calls the C functions of the runtime.

use std::ffi::{CStr, c_void};
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use crate::support::case;
use toprope_abi::acl::*;
use toprope_abi::rt::DevBinary;
use toprope_abi::seal::SEAL_BYTES;
use toprope_sim::runtime::{api, rt_api};
use toprope_toolchain::compile::{Request, Toolchain};

/// The bytes of a kernel-only shared object.
fn object() -> &'static [u8] {
    static OBJECT: OnceLock<Vec<u8>> = OnceLock::new();
    OBJECT.get_or_init(|| {
        let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("loader");
        let toolchain = Toolchain::find().and_then(|t| t.cache_at(&cache)).expect("toolchain");
        let built = toolchain.build(&Request::new([case("only_kernels.asc")]).kernel_only()).expect("build");
        std::fs::read(built.path).expect("object")
    })
}

fn message() -> String {
    // SAFETY: it takes nothing.
    let text = unsafe { (api().aclGetRecentErrMsg)() };
    if text.is_null() {
        return String::new();
    }
    // SAFETY: NUL-terminated, valid until the next call.
    unsafe { CStr::from_ptr(text.cast()) }.to_string_lossy().into_owned()
}

fn good(code: AclError) {
    assert!(code.is_success(), "{code:?}: {}", message());
}

/// Loads bytes: the handle, or code and message.
fn load(bytes: &[u8]) -> Result<BinHandle, (i32, String)> {
    let mut bin = BinHandle::NULL;
    // SAFETY: readable for its length.
    let code =
        unsafe { (api().aclrtBinaryLoadFromData)(bytes.as_ptr().cast(), bytes.len(), null(), &raw mut bin) };
    if code.is_success() { Ok(bin) } else { Err((code.0, message())) }
}

fn unload(bin: BinHandle) {
    // SAFETY: a handle of `load`.
    good(unsafe { (api().aclrtBinaryUnLoad)(bin) });
}

fn select_device() {
    // SAFETY: no pointers.
    good(unsafe { (api().aclrtSetDevice)(0) });
}

/// Runs `fill(out, 40, 4)` on 3 blocks through a stub of the rt layer and looks at the result.
fn run_fill(bin: *mut c_void) {
    let stub = c"fill".as_ptr().cast::<c_void>();
    let mut out = null_mut();
    // SAFETY: valid for writing.
    good(unsafe { (rt_api().rtMalloc)(&raw mut out, 96, 0x2, 33) });
    // SAFETY: a handle, a text.
    good(unsafe { (rt_api().rtFunctionRegister)(bin, stub, stub.cast(), stub, 0) });
    let mut args = [out as u64, 40, 4];
    // SAFETY: 24 bytes of arguments.
    good(unsafe {
        (rt_api().rtKernelLaunch)(stub, 3, args.as_mut_ptr().cast(), 24, null_mut(), StreamHandle::NULL)
    });
    // SAFETY: the default stream.
    good(unsafe { (rt_api().rtStreamSynchronize)(StreamHandle::NULL) });
    let mut values = [0i64; 12];
    // SAFETY: 96 bytes on both sides.
    good(unsafe { (rt_api().rtMemcpy)(values.as_mut_ptr().cast(), 96, out, 96, 2) });
    assert_eq!(values, [40, 40, 40, 40, 41, 41, 41, 41, 42, 42, 42, 42]);
    // SAFETY: a block of `rtMalloc`.
    good(unsafe { (rt_api().rtFree)(out) });
}

#[test]
fn an_object_in_memory_is_loaded_and_run_again_and_again() {
    select_device();
    // The same bytes at every launch, as pyasc does; the buffer may go as soon as it is registered.
    for _ in 0..3 {
        let copy = object().to_vec();
        let bin = DevBinary {
            magic: BINARY_MAGIC_ELF_VECTOR_CORE,
            version: 0,
            data: copy.as_ptr().cast(),
            length: copy.len() as u64,
        };
        let mut handle = null_mut();
        // SAFETY: a description of readable bytes.
        good(unsafe { (rt_api().rtDevBinaryRegister)(&raw const bin, &raw mut handle) });
        drop(copy);
        run_fill(handle);
        // SAFETY: a handle that was just made.
        good(unsafe { (rt_api().rtDevBinaryUnRegister)(handle) });
    }
}

#[test]
fn an_object_without_seal_is_loaded_if_it_is_whole() {
    select_device();
    let plain = &object()[..object().len() - SEAL_BYTES];
    let bin = load(plain).expect("a whole object");
    run_fill(bin.0);
    unload(bin);
    // What a cut takes away is missed, wherever it is.
    for part in 1..200 {
        let length = plain.len() * part / 200;
        let (code, text) = load(&plain[..length]).expect_err("a truncated object");
        assert_eq!(code, 107_000, "{length}: {text}");
    }
    let (_, text) = load(&plain[..plain.len() - 1]).expect_err("a truncated object");
    assert!(text.contains("it is truncated"), "{text}");
}

#[test]
fn a_seal_finds_every_damage() {
    let whole = object();
    let plain = whole.len() - SEAL_BYTES;
    let mut seed = 0x2545_f491_4f6c_dd1du64;
    for round in 0..400 {
        let mut damaged = whole.to_vec();
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        // Not its first bytes: those say what kind of file it is.
        let at = 64 + (seed >> 8) as usize % (plain - 64);
        damaged[at] ^= 1 << (seed & 7);
        let (code, text) = load(&damaged).expect_err("a damaged object");
        assert!(code == 107_000 && text.contains("its seal is broken"), "round {round}, byte {at}: {text}");
    }
    // A wrong seal.
    let mut damaged = whole.to_vec();
    damaged[plain + 40] ^= 1;
    assert!(load(&damaged).expect_err("a damaged seal").1.contains("its seal is broken"));
    damaged.extend_from_slice(&whole[plain..]);
    assert!(load(&damaged).expect_err("two seals").1.contains("its seal is broken"));
}

#[test]
fn foreign_files_are_named() {
    let mut elf = vec![0u8; 4096];
    elf[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    let machine = |number: u16, elf: &[u8]| {
        let mut elf = elf.to_vec();
        elf[18..20].copy_from_slice(&number.to_le_bytes());
        load(&elf).expect_err("no code for this machine").1
    };
    let other = if cfg!(target_arch = "aarch64") { 62 } else { 183 };
    assert!(machine(other, &elf).contains("an ELF file for "));
    assert!(machine(0x1029, &elf).contains("code for real AI Cores, which cannot run here"));
    for (bytes, what) in [
        (&b"#!/bin/sh\necho hello\n"[..], "no ELF file"),
        (&b"\x7fELF"[..], "ends inside the ELF header"),
        (&[0u8; 64][..], "no ELF file"),
        (&object()[..8], "ends inside the ELF header"),
    ] {
        let (code, text) = load(bytes).expect_err("no kernel object");
        assert!(code == 107_000 && text.contains(what), "{text}");
    }
    // A shared object of this machine without kernels, from a file.
    let dir = tempfile::tempdir().expect("tempdir");
    let path = dir.path().join("object.o");
    let mut cut = object().to_vec();
    cut.truncate(cut.len() / 2);
    std::fs::write(&path, cut).expect("write");
    let text = std::ffi::CString::new(path.to_str().expect("path")).expect("path");
    let mut bin = BinHandle::NULL;
    // SAFETY: a text, valid for writing.
    let code = unsafe { (api().aclrtBinaryLoadFromFile)(text.as_ptr().cast(), null_mut(), &raw mut bin) };
    assert_eq!(code.0, 107_000);
    let said = message();
    assert!(said.contains("object.o") && said.contains("truncated"), "{said}");
}

#[test]
fn threads_load_the_same_object_at_the_same_time() {
    let loaders: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                select_device();
                for _ in 0..20 {
                    let bin = load(object()).expect("a whole object");
                    let mut function = FuncHandle::NULL;
                    let name = c"ops::twice".as_ptr().cast();
                    // SAFETY: a handle, a text, valid for writing.
                    good(unsafe { (api().aclrtBinaryGetFunction)(bin, name, &raw mut function) });
                    unload(bin);
                    let mut count = 0;
                    // SAFETY: valid for writing; the handle is dead, which has to be recognised.
                    let code = unsafe { (api().aclrtFunctionGetParamCount)(function.0, &raw mut count) };
                    assert_eq!(code.0, 107_017);
                }
            })
        })
        .collect();
    for loader in loaders {
        loader.join().expect("no panic");
    }
}
