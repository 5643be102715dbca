//! Rules 59–61: argument lists, arguments in device memory, arguments one by one.

use crate::support::*;
use std::ffi::c_void;
use std::ptr::null_mut;
use toprope_abi::acl::*;

fn list_for(name: &str) -> ArgsHandle {
    let mut list = ArgsHandle::NULL;
    ok!(aclrtKernelArgsInit(function(name), &raw mut list));
    list
}

fn append<T>(list: ArgsHandle, mut value: T) -> ParamHandle {
    let mut param = ParamHandle::NULL;
    ok!(aclrtKernelArgsAppend(list, (&raw mut value).cast(), size_of::<T>(), &raw mut param));
    param
}

fn launch_list(name: &str, list: ArgsHandle) -> AclError {
    acl!(aclrtLaunchKernelWithConfig(function(name), 1, DEFAULT, null_mut(), list, null_mut()))
}

fn run_list(name: &str, list: ArgsHandle) {
    ok!(aclrtKernelArgsFinalize(list));
    let code = launch_list(name, list);
    assert!(code.is_success(), "{}", message());
    sync(DEFAULT);
}

#[test]
fn rule_60_a_list_is_appended_finalised_and_launched() {
    let _device = device();
    let x = malloc(64);
    put(x, &[1u32; 16]);
    let list = list_for("add_one");
    append(list, x as u64);
    let count = append(list, 4u64);
    run_list("add_one", list);
    assert_eq!(take::<u32>(x, 5), [2, 2, 2, 2, 1]);
    // The list lives on: a new value needs another aclrtKernelArgsFinalize.
    let mut value = 1u64;
    ok!(aclrtKernelArgsParaUpdate(list, count, (&raw mut value).cast(), 8));
    assert_eq!(launch_list("add_one", list).0, 107_000);
    assert!(message().contains("was updated: aclrtKernelArgsFinalize is missing"));
    run_list("add_one", list);
    assert_eq!(take::<u32>(x, 5), [3, 2, 2, 2, 1]);
}

#[test]
fn rule_60_place_holders_are_filled_by_the_runtime() {
    let _device = device();
    let dst = malloc(8);
    put(dst, &[5u64]);
    let list = list_for("combine");
    append(list, dst as u64);
    let mut param = ParamHandle::NULL;
    ok!(aclrtKernelArgsAppendPlaceHolder(list, &raw mut param));
    append(list, 3u64);
    // Without data it is not complete.
    assert!(
        fails!(107_000, aclrtKernelArgsFinalize(list)).contains("parameter 1 is a place holder without data")
    );
    let mut buffer = null_mut::<c_void>();
    fails!(107_000, aclrtKernelArgsGetPlaceHolderBuffer(list, param, 0, &raw mut buffer));
    ok!(aclrtKernelArgsGetPlaceHolderBuffer(list, param, 8, &raw mut buffer));
    // SAFETY: the runtime gave room for 8 bytes, which lie at a multiple of 8.
    unsafe { buffer.cast::<u64>().write(42) };
    let code = acl!(aclrtKernelArgsAppendPlaceHolder(list, &raw mut param));
    assert_eq!(code.0, 207_000, "no parameter after data: {}", message());
    run_list("combine", list);
    assert_eq!(take::<u64>(dst, 1), [mix(5, 42, 3)]);
}

#[test]
fn rule_60_a_list_in_the_memory_of_the_program() {
    let _device = device();
    let x = malloc(64);
    put(x, &[7u32; 16]);
    let func = function("add_one");
    let (mut list_bytes, mut args_bytes) = (0, 0);
    ok!(aclrtKernelArgsGetHandleMemSize(func, &raw mut list_bytes));
    ok!(aclrtKernelArgsGetMemSize(func, 16, &raw mut args_bytes));
    assert!(args_bytes >= 16);
    // Wherever it starts.
    for shift in 0..9 {
        let mut memory = vec![0u8; list_bytes + shift];
        let mut room = vec![0u64; args_bytes.div_ceil(8)];
        let list = ArgsHandle(memory[shift..].as_mut_ptr().cast());
        ok!(aclrtKernelArgsInitByUserMem(func, list, room.as_mut_ptr().cast(), args_bytes));
        append(list, x as u64);
        append(list, 1u64);
        assert_eq!(room[..2], [x as u64, 1]);
        run_list("add_one", list);
        let mut param = ParamHandle::NULL;
        let code = acl!(aclrtKernelArgsAppend(list, x, 8, &raw mut param));
        assert_eq!(code.0, 207_000, "{}", message());
    }
    assert_eq!(take::<u32>(x, 2), [16, 7]);
}

#[test]
fn rule_60_limits_of_a_list() {
    let _device = device();
    let list = list_for("nothing");
    for number in 0..128u8 {
        append(list, number);
    }
    let (mut byte, mut param) = (0u8, ParamHandle::NULL);
    let at = (&raw mut byte).cast();
    assert!(fails!(107_000, aclrtKernelArgsAppend(list, at, 1, &raw mut param)).contains("128 parameters"));
    fails!(107_000, aclrtKernelArgsAppendPlaceHolder(list, &raw mut param));
    let list = list_for("nothing");
    let mut large = vec![0u8; (64 << 10) + 1];
    let at = large.as_mut_ptr().cast();
    fails!(107_000, aclrtKernelArgsAppend(list, at, (64 << 10) + 1, &raw mut param));
    ok!(aclrtKernelArgsAppend(list, at, 64 << 10, &raw mut param));
    fails!(107_000, aclrtKernelArgsAppend(list, at, 1, &raw mut param));
    let mut bytes = 0;
    fails!(107_000, aclrtKernelArgsGetMemSize(function("nothing"), (64 << 10) + 1, &raw mut bytes));
    fails!(107_000, aclrtKernelArgsGetMemSize(function("nothing"), usize::MAX, &raw mut bytes));
    fails!(100_000, aclrtKernelArgsAppend(list, at, 0, &raw mut param));
}

#[test]
fn wrong_lists_and_parameters_are_recognised() {
    let _device = device();
    let (mut value, mut param) = (1u64, ParamHandle::NULL);
    let at = (&raw mut value).cast();
    let mut no_list = [0u64; 1024];
    for wrong in [no_list.as_mut_ptr() as u64, 0xdead_beef_0000, 8, function("nothing").0 as u64] {
        let wrong = ArgsHandle(wrong as *mut c_void);
        fails!(107_017, aclrtKernelArgsAppend(wrong, at, 8, &raw mut param));
        fails!(107_017, aclrtKernelArgsFinalize(wrong));
        assert_eq!(launch_list("nothing", wrong).0, 107_017);
    }
    let list = list_for("add_one");
    let first = append(list, 1u64);
    let wrong = ParamHandle((first.0 as u64 + 1) as *mut c_void);
    fails!(107_000, aclrtKernelArgsParaUpdate(list, wrong, at, 8));
    let behind = ParamHandle((first.0 as u64 + 4096) as *mut c_void);
    fails!(107_000, aclrtKernelArgsParaUpdate(list, behind, at, 8));
    fails!(107_000, aclrtKernelArgsParaUpdate(list, first, at, 4));
    let (mut buffer, mut none) = (null_mut(), ArgsHandle::NULL);
    fails!(107_000, aclrtKernelArgsGetPlaceHolderBuffer(list, first, 8, &raw mut buffer));
    for null in [
        acl!(aclrtKernelArgsInit(FuncHandle::NULL, &raw mut none)),
        acl!(aclrtKernelArgsInit(function("nothing"), null_mut())),
        acl!(aclrtKernelArgsAppend(ArgsHandle::NULL, at, 8, &raw mut param)),
        acl!(aclrtKernelArgsAppend(list, null_mut(), 8, &raw mut param)),
        acl!(aclrtKernelArgsAppend(list, at, 8, null_mut())),
        acl!(aclrtKernelArgsParaUpdate(list, ParamHandle::NULL, at, 8)),
        acl!(aclrtKernelArgsFinalize(ArgsHandle::NULL)),
    ] {
        assert_eq!(null.0, 100_000);
    }
    assert_eq!(launch_list("add_one", list).0, 107_000);
    assert!(message().contains("is not complete"));
    ok!(aclrtKernelArgsFinalize(list));
    assert_eq!(launch_list("add_one", list).0, 107_000);
    assert!(message().contains("takes 16 bytes of arguments"));
}

#[test]
fn rule_60_a_thread_has_one_list_and_its_end_ends_the_list() {
    let _device = device();
    let list = list_for("nothing");
    assert_eq!(list, list_for("nothing"));
    let other = std::thread::spawn(|| {
        let list = list_for("nothing");
        append(list, 1u64);
        list.0 as usize
    });
    let other = ArgsHandle(other.join().unwrap() as *mut c_void);
    assert_ne!(list, other);
    fails!(107_017, aclrtKernelArgsFinalize(other));
    // Alive, it may be used by another thread.
    let list = list.0 as usize;
    std::thread::spawn(move || {
        let list = ArgsHandle(list as *mut c_void);
        append(list, 1u64);
        ok!(aclrtKernelArgsFinalize(list));
    })
    .join()
    .unwrap();
}

#[test]
fn rule_58_zero_blocks_and_reserved_arguments() {
    let _device = device();
    let list = list_for("nothing");
    ok!(aclrtKernelArgsFinalize(list));
    let f = function("nothing");
    fails!(100_000, aclrtLaunchKernelWithConfig(f, 0, DEFAULT, null_mut(), list, null_mut()));
    fails!(100_000, aclrtLaunchKernelWithConfig(f, 1, DEFAULT, null_mut(), list, f.0));
    let x = malloc(64);
    fails!(107_000, aclrtLaunchKernel(function("hold"), 0, x, 8, DEFAULT));
    fails!(107_000, aclrtLaunchKernel(function("hold"), 65_536, x, 8, DEFAULT));
}

#[test]
fn rule_59_device_arguments_are_read_when_the_kernel_starts() {
    let _device = device();
    let (gate, x, args) = (malloc(4), malloc(64), malloc(16));
    put(gate, &[0u32]);
    put(x, &[0u32; 16]);
    put(args, &[0u64, 0]);
    run("hold", 1, DEFAULT, &[gate as u64]);
    ok!(aclrtLaunchKernel(function("add_one"), 1, args, 16, DEFAULT));
    ok!(aclrtLaunchKernelV2(function("add_one"), 1, args, 16, null_mut(), DEFAULT));
    // Written after the launch, before the kernel runs.
    put(args, &[x as u64, 16]);
    put(gate, &[1u32]);
    sync(DEFAULT);
    assert_eq!(take::<u32>(x, 16), [2; 16]);
}

#[test]
fn rule_59_device_arguments_are_checked() {
    let _device = device();
    let args = malloc(16);
    let mut host = [0u64; 2];
    let add_one = function("add_one");
    let text = fails!(107_000, aclrtLaunchKernel(add_one, 1, host.as_mut_ptr().cast(), 16, DEFAULT));
    assert!(text.contains("host memory") && text.contains("aclrtLaunchKernelWithHostArgs"), "{text}");
    fails!(107_000, aclrtLaunchKernel(add_one, 1, args, 8, DEFAULT));
    fails!(107_000, aclrtLaunchKernel(add_one, 1, (args as u64 + 8) as *const c_void, 4096, DEFAULT));
    fails!(100_000, aclrtLaunchKernel(add_one, 1, null_mut(), 16, DEFAULT));
    fails!(100_000, aclrtLaunchKernelV2(add_one, 1, null_mut(), 16, null_mut(), DEFAULT));
    // A host pointer in there is found when the kernel starts, and is the kernel's failure.
    put(args, &[host.as_ptr() as u64, 2]);
    ok!(aclrtLaunchKernel(add_one, 1, args, 16, DEFAULT));
    let text = fails!(507_035, aclrtSynchronizeStream(DEFAULT));
    assert!(text.contains("argument 0 (`x`)") && text.contains("a host pointer"), "{text}");
    run("nothing", 1, DEFAULT, &[]);
    sync(DEFAULT);
}

#[test]
fn rule_59_an_array_of_pointers_by_handle_and_by_function() {
    let _device = device();
    let x = malloc(64);
    put(x, &[0u32; 16]);
    let (mut at, mut count) = (x as u64, 3u64);
    let mut values = [(&raw mut at).cast::<c_void>(), (&raw mut count).cast()];
    let values = values.as_mut_ptr();
    let add_one = function("add_one");
    ok!(aclrtLaunchKernelWithArgsArray(add_one.0, 1, DEFAULT, null_mut(), values));
    let mut entry = null_mut();
    let mut none = add_one.0;
    ok!(aclrtGetFunctionAddr(add_one, &raw mut none, &raw mut entry));
    assert!(none.is_null() && !entry.is_null());
    // The host function of a kernel stands for it.
    ok!(aclrtLaunchKernelWithArgsArray(entry, 1, DEFAULT, null_mut(), values));
    sync(DEFAULT);
    assert_eq!(take::<u32>(x, 4), [2, 2, 2, 0]);
    let mut found = FuncHandle::NULL;
    ok!(aclrtGetFuncBySymbol(entry, &raw mut found));
    assert_eq!(found, add_one);
    let mut missing = [(&raw mut at).cast(), null_mut()];
    let text = fails!(
        107_000,
        aclrtLaunchKernelWithArgsArray(add_one.0, 1, DEFAULT, null_mut(), missing.as_mut_ptr())
    );
    assert!(text.contains("no value for parameter 1 (`count`)"), "{text}");
    fails!(107_000, aclrtLaunchKernelWithArgsArray(add_one.0, 1, DEFAULT, null_mut(), null_mut()));
    ok!(aclrtLaunchKernelWithArgsArray(function("nothing").0, 1, DEFAULT, null_mut(), null_mut()));
    for wrong in [main_address(), 8 as *const c_void, (&raw const at).cast()] {
        fails!(107_044, aclrtGetFuncBySymbol(wrong, &raw mut found));
        assert!(found.is_null());
    }
    fails!(107_017, aclrtGetFuncBySymbol(binary().0, &raw mut found));
}

/// A function that is no kernel.
fn main_address() -> *const c_void {
    main_address as *const c_void
}

#[test]
fn rule_63_attributes_of_kernels() {
    let _device = device();
    let read = |name, attr| {
        let mut value = -1;
        ok!(aclrtGetFunctionAttribute(function(name), attr, &raw mut value));
        value
    };
    let kind = FuncAttribute::KERNEL_TYPE;
    assert_eq!([read("nothing", kind), read("trap_cube", kind)], [2, 1]);
    let ratio = FuncAttribute::KERNEL_RATIO;
    // Vector cores in the low half, cube cores above.
    assert_eq!([read("nothing", ratio), read("trap_cube", ratio)], [1, 1 << 16]);
    assert_eq!(read("nothing", FuncAttribute::KERNEL_SCHED_MODE), 0);
    let mut value = 0;
    fails!(107_000, aclrtGetFunctionAttribute(function("nothing"), FuncAttribute(9), &raw mut value));
    let mut bin = BinHandle::NULL;
    ok!(aclrtFunctionGetBinary(function("nothing"), &raw mut bin));
    assert_eq!(bin, binary());
    let (mut aic, mut aiv) = (9, 9);
    ok!(aclrtGetFunctionSize(function("mixed"), &raw mut aic, &raw mut aiv));
    assert!(aic == 0 && aiv > 0, "{aic} {aiv}");
    let (mut at, mut bytes, mut entry) = (null_mut(), 0, null_mut());
    ok!(aclrtBinaryGetDevAddress(binary(), &raw mut at, &raw mut bytes));
    let mut none = null_mut();
    ok!(aclrtGetFunctionAddr(function("trap_cube"), &raw mut entry, &raw mut none));
    assert!(none.is_null());
    assert!((at as usize..at as usize + bytes).contains(&(entry as usize)));
    let mut ub = 9;
    ok!(aclrtFunctionGetAvailDynUbufPerBlock(function("nothing").0, 0, &raw mut ub));
    assert_eq!(ub, 0);
    fails!(107_000, aclrtFunctionGetAvailDynUbufPerBlock(function("nothing").0, 1, &raw mut ub));
}

#[test]
fn rule_61_the_synchronisation_address_passes_for_a_gm_address() {
    let _device = device();
    let mut addr = null_mut();
    ok!(aclrtGetHardwareSyncAddr(&raw mut addr));
    assert!(!addr.is_null());
    let x = malloc(8);
    put(x, &[1u64]);
    // As the last pointer of `combine` would be read, this one is only stored in a kernel that ignores it.
    run("mixed", 1, DEFAULT, &[1, 0, 0, 0, addr as u64]);
    sync(DEFAULT);
    let other = (addr as u64 + 8) as *mut c_void;
    assert_eq!(launch("mixed", 1, DEFAULT, &[1, 0, 0, 0, other as u64]).0, 107_000);
}

#[test]
fn rule_57_a_description_is_loaded_and_destroyed() {
    let _device = device();
    let bytes = size_of::<toprope_abi::core_face::TrKernelModule>();
    let desc = acl!(aclrtCreateBinary(module().cast(), bytes));
    let mut bin = BinHandle::NULL;
    ok!(aclrtBinaryLoad(desc, &raw mut bin));
    ok!(aclrtDestroyBinary(desc));
    fails!(107_017, aclrtDestroyBinary(desc));
    fails!(107_017, aclrtBinaryLoad(desc, &raw mut bin));
    fails!(100_000, aclrtDestroyBinary(Binary::NULL));
    let mut f = FuncHandle::NULL;
    let name = c_text("nothing");
    ok!(aclrtBinaryGetFunction(bin, c_ptr(&name), &raw mut f));
    ok!(aclrtBinaryUnLoad(bin));
    assert!(acl!(aclrtCreateBinary(null_mut(), 8)).is_null());
    assert!(message().contains("must hold a kernel object"));
    assert!(acl!(aclrtCreateBinary(module().cast(), 0)).is_null());
}

#[test]
fn rule_57_load_options() {
    let _device = device();
    let bytes = size_of::<toprope_abi::core_face::TrKernelModule>();
    let load = |ty, magic| {
        let mut option = BinaryLoadOption { ty, value: BinaryLoadOptionValue { magic } };
        let options = BinaryLoadOptions { options: &raw mut option, num_opt: 1 };
        let mut bin = BinHandle::NULL;
        let code = acl!(aclrtBinaryLoadFromData(module().cast(), bytes, &raw const options, &raw mut bin));
        (code.0, bin)
    };
    for magic in [BINARY_MAGIC_ELF_AICORE, BINARY_MAGIC_ELF_VECTOR_CORE, BINARY_MAGIC_ELF_CUBE_CORE] {
        let (code, bin) = load(BinaryLoadOptionType::MAGIC, magic);
        assert_eq!(code, 0);
        ok!(aclrtBinaryUnLoad(bin));
    }
    assert_eq!(load(BinaryLoadOptionType::MAGIC, 1).0, 107_000);
    assert_eq!(load(BinaryLoadOptionType::LAZY_LOAD, 2).0, 107_000);
    assert_eq!(load(BinaryLoadOptionType::CPU_KERNEL_MODE, 0).0, 207_000);
    assert_eq!(load(BinaryLoadOptionType(77), 0).0, 107_000);
    let (code, lazy) = load(BinaryLoadOptionType::LAZY_LOAD, 1);
    assert_eq!(code, 0);
    let (mut at, mut size) = (function("nothing").0, 0);
    ok!(aclrtBinaryGetDevAddress(lazy, &raw mut at, &raw mut size));
    assert!(at.is_null() && size > 0);
    let mut f = FuncHandle::NULL;
    let name = c_text("nothing");
    fails!(107_000, aclrtRegisterCpuFunc(lazy, c_ptr(&name), c_ptr(&name), &raw mut f));
    let mut variable = null_mut();
    fails!(107_042, aclrtBinaryGetGlobal(lazy, c_ptr(&name), &raw mut variable, null_mut()));
    fails!(100_000, aclrtBinaryGetGlobal(lazy, c_ptr(&name), null_mut(), null_mut()));
    ok!(aclrtBinaryUnLoad(lazy));
    let mut bin = BinHandle::NULL;
    fails!(107_000, aclrtBinaryLoadFromData(module().cast(), 0, null_mut(), &raw mut bin));
}

/// What the callback below was told: kernel, arguments, how often.
static TOLD: std::sync::Mutex<(usize, Vec<u64>, u32)> = std::sync::Mutex::new((0, Vec::new(), 0));

unsafe extern "C" fn on_exception(info: *mut ExceptionInfo, data: *mut c_void) {
    let (mut func, mut args, mut bytes) = (FuncHandle::NULL, null_mut(), 0);
    ok!(aclrtGetFuncHandleFromExceptionInfo(info, &raw mut func));
    ok!(aclrtGetArgsFromExceptionInfo(info, &raw mut args, &raw mut bytes));
    assert_eq!(data as usize, 77);
    // SAFETY: the runtime gave arguments of this size.
    let words = unsafe { std::slice::from_raw_parts(args.cast::<u64>(), bytes as usize / 8) };
    let mut told = TOLD.lock().unwrap();
    *told = (func.0 as usize, words.to_vec(), told.2 + 1);
}

#[test]
fn the_callback_of_a_binary_is_told_of_its_kernels_that_fail() {
    let _device = device();
    let bytes = size_of::<toprope_abi::core_face::TrKernelModule>();
    let mut bin = BinHandle::NULL;
    ok!(aclrtBinaryLoadFromData(module().cast(), bytes, null_mut(), &raw mut bin));
    let get = |name: &str| {
        let (mut f, name) = (FuncHandle::NULL, c_text(name));
        ok!(aclrtBinaryGetFunction(bin, c_ptr(&name), &raw mut f));
        f
    };
    ok!(aclrtBinarySetExceptionCallback(bin, OpExceptionCallback(Some(on_exception)), 77 as *mut c_void));
    let x = malloc(8);
    let mut args = [x as u64, 1 << 40];
    let at = args.as_mut_ptr().cast();
    ok!(aclrtLaunchKernelWithHostArgs(get("load_at"), 1, DEFAULT, null_mut(), at, 16, null_mut(), 0));
    fails!(507_035, aclrtSynchronizeStream(DEFAULT));
    {
        let told = TOLD.lock().unwrap();
        assert_eq!((told.0, &told.1[..], told.2), (get("load_at").0 as usize, &args[..], 1));
    }
    // Kernels that end well, and those of other binaries, are none of its business.
    ok!(aclrtLaunchKernelWithHostArgs(get("nothing"), 1, DEFAULT, null_mut(), at, 0, null_mut(), 0));
    sync(DEFAULT);
    run("load_at", 1, DEFAULT, &args);
    fails!(507_035, aclrtSynchronizeStream(DEFAULT));
    assert_eq!(TOLD.lock().unwrap().2, 1);
    ok!(aclrtBinarySetExceptionCallback(bin, OpExceptionCallback(None), null_mut()));
    ok!(aclrtLaunchKernelWithHostArgs(get("load_at"), 1, DEFAULT, null_mut(), at, 16, null_mut(), 0));
    fails!(507_035, aclrtSynchronizeStream(DEFAULT));
    assert_eq!(TOLD.lock().unwrap().2, 1);
    ok!(aclrtBinaryUnLoad(bin));
    fails!(107_017, aclrtBinarySetExceptionCallback(bin, OpExceptionCallback(None), null_mut()));
    let mut func = FuncHandle::NULL;
    fails!(100_000, aclrtGetFuncHandleFromExceptionInfo(std::ptr::null(), &raw mut func));
}

// ---- arguments against parameters ------------------------------------------------------------------------------------

#[test]
fn an_argument_that_was_left_out_is_named() {
    let _device = device();
    let (dst, src) = (malloc(8) as u64, malloc(8) as u64);
    let refused = |name: &str, args: &[u64]| {
        assert_eq!(launch(name, 1, DEFAULT, args).0, 107_000);
        message()
    };
    let text = refused("combine", &[dst, 3]);
    assert!(text.contains("byte 0    `dst` (address): 0x"), "{text}");
    assert!(text.contains("a block of 8 bytes\n"), "{text}");
    assert!(text.contains("byte 8    `src` (address): 3  <--\n"), "{text}");
    assert!(text.contains("byte 16   `k` (8 bytes): nothing  <--"), "{text}");
    assert!(text.contains("`dst` or `src` was probably left out"), "{text}");
    let text = refused("combine", &[dst, src]);
    assert!(text.contains("`k` was probably left out"), "{text}");
    let text = refused("combine", &[dst, 7, src, 3]);
    assert!(text.contains("the argument at byte 8 is probably surplus"), "{text}");
    // Of the right size, but the address is in the wrong place.
    let text = refused("mixed", &[dst, 1, 2, 3, 4]);
    assert!(text.contains("`small` and `x` are probably exchanged"), "{text}");
}

/// What the ignored test `case` of this file prints on standard error.
fn told(case: &str) -> String {
    good_child(&format!("kernel_args::{case}"), &[]).1
}

#[test]
fn an_address_where_a_number_belongs_is_told() {
    let err = told("child_exchanged");
    assert!(err.contains("error: [TR0811 ArgumentOrder]"), "{err}");
    assert!(err.contains("argument 0 (`small`, 4 bytes) is a number"), "{err}");
    assert!(err.contains("`small` and `x` are probably exchanged"), "{err}");
    let err = told("child_in_order");
    assert!(!err.contains("error: ["), "{err}");
}

#[test]
#[ignore = "run in a process of its own"]
fn child_exchanged() {
    let _device = device();
    let x = malloc(64) as u64;
    run("mixed", 1, DEFAULT, &[x, 1, 2, 3, 0]);
    sync(DEFAULT);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_in_order() {
    let _device = device();
    let x = malloc(64) as u64;
    run("mixed", 1, DEFAULT, &[7, 1, 2, 3, x]);
    // Null for an address, an address in a number of 8 bytes: both may be meant.
    run("mixed", 1, DEFAULT, &[7, 1, 2, 3, 0]);
    put(x as *mut c_void, &[0u32; 2]);
    run("append", 1, DEFAULT, &[x, x]);
    sync(DEFAULT);
}
