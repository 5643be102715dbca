//! Rules 57–62: binaries and launches.

use crate::support::*;
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};
use toprope_abi::acl::*;
use toprope_abi::core_face::TrKernelModule;

#[test]
fn rule_57_kernels_are_found_by_name_and_describe_themselves() {
    let _device = device();
    let mixed = function("mixed");
    assert_eq!(mixed, function("mixed"));
    let mut count = 0;
    ok!(aclrtFunctionGetParamCount(mixed.0, &raw mut count));
    assert_eq!(count, 3);
    let info = |index| {
        let (mut offset, mut size) = (0, 0);
        ok!(aclrtFunctionGetParamInfo(mixed.0, index, &raw mut offset, &raw mut size));
        (offset, size)
    };
    assert_eq!([info(0), info(1), info(2)], [(0, 4), (8, 20), (32, 8)]);
    let (mut offset, mut size) = (0, 0);
    assert!(
        fails!(107_000, aclrtFunctionGetParamInfo(mixed.0, 3, &raw mut offset, &raw mut size))
            .contains("has 3 parameters")
    );
    let mut name = [1u8; 8];
    ok!(aclrtGetFunctionName(mixed, 4, name.as_mut_ptr().cast()));
    assert_eq!(CStr::from_bytes_until_nul(&name).unwrap(), c"mix");
    fails!(107_000, aclrtGetFunctionName(mixed, 0, name.as_mut_ptr().cast()));
    let mut by_entry = FuncHandle::NULL;
    assert!(
        fails!(107_000, aclrtBinaryGetFunctionByEntry(binary(), 5, &raw mut by_entry))
            .contains("has no kernel with entry key 5")
    );
}

#[test]
fn rule_57_unloading_takes_the_kernels_away() {
    let _device = device();
    let mut bin = BinHandle::NULL;
    ok!(aclrtBinaryLoadFromData(module().cast(), size_of::<TrKernelModule>(), null(), &raw mut bin));
    let mut f = FuncHandle::NULL;
    let name = c_text("nothing");
    ok!(aclrtBinaryGetFunction(bin, c_ptr(&name), &raw mut f));
    ok!(aclrtBinaryUnLoad(bin));
    let code = fails!(
        107_017,
        aclrtLaunchKernelWithHostArgs(f, 1, DEFAULT, null_mut(), null_mut(), 0, null_mut(), 0)
    );
    assert!(code.contains("a kernel that was destroyed"), "{code}");
    fails!(107_017, aclrtBinaryUnLoad(bin));
    run("nothing", 1, DEFAULT, &[]);
    sync(DEFAULT);
}

#[test]
fn rule_59_arguments_are_copied_at_the_launch() {
    let _device = device();
    let (gate, x) = (malloc(4), malloc(64));
    put(gate, &[0u32]);
    put(x, &[0u32; 16]);
    run("hold", 1, DEFAULT, &[gate as u64]);
    let mut args = [x as u64, 16];
    let at = args.as_mut_ptr().cast();
    ok!(aclrtLaunchKernelWithHostArgs(function("add_one"), 1, DEFAULT, null_mut(), at, 16, null_mut(), 0));
    args = [0, 0];
    put(gate, &[1u32]);
    sync(DEFAULT);
    assert_eq!(take::<u32>(x, 16), [1; 16]);
    assert_eq!(args, [0, 0]);
}

#[test]
fn rule_59_place_holders_carry_data_to_the_device() {
    let _device = device();
    let x = malloc(8);
    put(x, &[5u64]);
    let before = free_bytes();
    // combine(dst, src, k) with the source word behind the arguments.
    let mut args = [x as u64, 0, 3, 42];
    let mut holder = PlaceHolderInfo { addr_offset: 8, data_offset: 24 };
    let at = args.as_mut_ptr().cast();
    ok!(aclrtLaunchKernelWithHostArgs(
        function("combine"),
        1,
        DEFAULT,
        null_mut(),
        at,
        32,
        &raw mut holder,
        1
    ));
    sync(DEFAULT);
    assert_eq!(take::<u64>(x, 1), [mix(5, 42, 3)]);
    eventually("the data's memory is free", || free_bytes() == before);
    holder.addr_offset = 9;
    let text = fails!(
        107_000,
        aclrtLaunchKernelWithHostArgs(
            function("combine"),
            1,
            DEFAULT,
            null_mut(),
            at,
            32,
            &raw mut holder,
            1
        )
    );
    assert!(text.contains("place holder 0 has addrOffset 9 and dataOffset 24"), "{text}");
}

fn free_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    ok!(aclrtGetMemInfo(MemAttr::HBM, &raw mut free, &raw mut total));
    free
}

fn attr(id: LaunchKernelAttrId, value: LaunchKernelAttrValue) -> LaunchKernelAttr {
    LaunchKernelAttr { id, value }
}

#[test]
fn rule_62_launch_attributes() {
    let _device = device();
    let launch = |attrs: &mut [LaunchKernelAttr], kernel: &str| {
        let mut cfg = LaunchKernelCfg { attrs: attrs.as_mut_ptr(), num_attrs: attrs.len() };
        launch_with(kernel, 1, DEFAULT, &[], &raw mut cfg).0
    };
    let us = |low| LaunchKernelAttrValue { timeout_us: TimeoutUs { timeout_low: low, timeout_high: 0 } };
    let seconds = LaunchKernelAttrValue { timeout_s: 1 };
    let (id_s, id_us) = (LaunchKernelAttrId::TIMEOUT, LaunchKernelAttrId::TIMEOUT_US);
    assert_eq!(launch(&mut [attr(id_s, seconds)], "nothing"), 0);
    assert_eq!(
        launch(
            &mut [attr(LaunchKernelAttrId::SCHEM_MODE, LaunchKernelAttrValue { schem_mode: 1 })],
            "nothing"
        ),
        0
    );
    assert_eq!(launch(&mut [attr(id_s, seconds), attr(id_us, us(5))], "nothing"), 107_000);
    assert!(message().contains("given twice"));
    assert_eq!(launch(&mut [attr(LaunchKernelAttrId(77), seconds)], "nothing"), 107_000);
    assert!(message().contains("launch attribute 77 is not known"));
    sync(DEFAULT);
    // An endless loop ends at the limit, and the device goes on.
    for (kernel, code) in [("forever", 507_034), ("forever_cube", 507_014)] {
        let begin = Instant::now();
        assert_eq!(launch(&mut [attr(id_us, us(50_000))], kernel), 0);
        let text = fails!(code, aclrtSynchronizeStream(DEFAULT));
        assert!(text.contains(&format!("kernel `{kernel}`")), "{text}");
        assert!(begin.elapsed() < Duration::from_secs(10));
    }
    run("nothing", 48, DEFAULT, &[]);
    sync(DEFAULT);
}

#[test]
fn device_output_arrives_in_the_order_of_blocks() {
    let (out, _) = good_child("kernel::child_says", &[]);
    assert!(out.contains("block 0 of 7\nblock 1 of 7\nblock 2 of 7\nsynchronised\n"), "{out}");
    assert!(out.ends_with("block 0 of 8\n"), "{out}");
}

#[test]
#[ignore = "run in a process of its own"]
fn child_says() {
    ok!(aclrtSetDevice(0));
    run("say", 3, DEFAULT, &[7]);
    sync(DEFAULT);
    println!("synchronised");
    // Printed when the process ends.
    run("say", 1, DEFAULT, &[8]);
}

#[test]
fn bytes_that_are_no_kernel_table_are_named() {
    let _device = device();
    let mut bin = BinHandle::NULL;
    let load = |bytes: &[u8]| {
        let mut bin = BinHandle::NULL;
        fails!(107_000, aclrtBinaryLoadFromData(bytes.as_ptr().cast(), bytes.len(), null(), &raw mut bin))
    };
    let mut elf = [0u8; 64];
    elf[..4].copy_from_slice(b"\x7fELF");
    elf[18] = 0x29;
    elf[19] = 0x10;
    assert!(load(&elf).contains("code for real AI Cores, which cannot run here"));
    assert!(load(b"hello").contains("no kernel table of toprope and no ELF file"));
    // SAFETY: the table of this program, as bytes.
    let copy =
        unsafe { std::slice::from_raw_parts(module().cast::<u8>(), size_of::<TrKernelModule>()) }.to_vec();
    assert!(load(&copy).contains("it is a copy of a kernel table"));
    assert!(load(&copy[..20]).contains("it has 20 bytes"));
    let mut old = copy.clone();
    old[4] = 200;
    assert!(load(&old).contains("built for version 200 of toprope's kernel interface"));
    fails!(100_000, aclrtBinaryLoadFromData(null(), 8, null(), &raw mut bin));
    fails!(100_000, aclrtBinaryLoadFromData(elf.as_ptr().cast(), 64, null(), null_mut()));
}

#[test]
fn files_that_are_no_kernels_are_named() {
    let _device = device();
    let load = |code: i32, path: &str| {
        let path = c_text(path);
        let mut bin = BinHandle::NULL;
        fails!(code, aclrtBinaryLoadFromFile(c_ptr(&path), null_mut(), &raw mut bin))
    };
    assert!(load(107_009, "no/such/kernel.so").contains("`no/such/kernel.so` cannot be loaded"));
    load(107_009, ".");
    assert!(load(107_000, "Cargo.toml").contains("no ELF file"));
    // This test program is an ELF file of this machine, but no shared object with kernels.
    let own = std::env::current_exe().unwrap();
    let text = load(107_000, own.to_str().unwrap());
    assert!(text.contains("cannot be loaded"), "{text}");
    let mut bin = BinHandle::NULL;
    fails!(100_000, aclrtBinaryLoadFromFile(null(), null_mut(), &raw mut bin));
}

#[test]
fn unused_pointers_may_be_null() {
    let _device = device();
    run("mixed", 1, DEFAULT, &[1, 0, 0, 0, 0]);
    sync(DEFAULT);
    let _: *const c_void = null();
}
