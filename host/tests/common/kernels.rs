//! The kernels of the suite, and the bytes by which a runtime finds them.

#![allow(clippy::multiple_unsafe_ops_per_block, reason = "a kernel is one contract with its launch")]

use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};
use std::time::Duration;
use toprope_abi::core_face::{
    CORE_ABI_VERSION, KernelType, MODULE_MAGIC, Refusal, TrCore, TrKernel, TrKernelModule, TrParam,
};

toprope_abi::tiling_struct! {
    /// What `scale` needs to know.
    pub struct ScaleTiling {
        /// Number of elements.
        pub elements: u32,
        /// Factor.
        pub factor: f32,
    }
}

thread_local! { static CORE: Cell<*mut TrCore> = const { Cell::new(null_mut()) }; }

unsafe extern "C" fn set_core(core: *mut TrCore) {
    CORE.set(core);
}

/// Reads argument `index` of the argument block; every one starts at a multiple of 8 bytes and has at most 8.
unsafe fn arg<T: Copy>(args: *const c_void, index: usize) -> T {
    // SAFETY: the launch checked that the block holds the parameters declared below.
    unsafe { args.cast::<u64>().add(index).cast::<T>().read() }
}

/// add(x, y, z, elements): z = x + y, one block after the other.
unsafe extern "C" fn add(_entry: *const c_void, args: *const c_void) {
    // SAFETY: parameters of `add` below; the suite gives buffers of `elements` elements. GM addresses are real.
    unsafe {
        let (x, y, z) = (arg::<*const f32>(args, 0), arg::<*const f32>(args, 1), arg::<*mut f32>(args, 2));
        let (n, core) = (arg::<u32>(args, 3) as usize, &*CORE.get());
        let (block, blocks) = (core.block_idx as usize, core.block_num as usize);
        for i in (n * block / blocks)..(n * (block + 1) / blocks) {
            z.add(i).write(x.add(i).read() + y.add(i).read());
        }
    }
}

/// scale(x, tiling): x *= factor.
unsafe extern "C" fn scale(_entry: *const c_void, args: *const c_void) {
    // SAFETY: as in `add`.
    unsafe {
        let (x, tiling) = (arg::<*mut f32>(args, 0), arg::<ScaleTiling>(args, 1));
        for i in 0..tiling.elements as usize {
            x.add(i).write(x.add(i).read() * tiling.factor);
        }
    }
}

/// number(out): out[block] = block.
unsafe extern "C" fn number(_entry: *const c_void, args: *const c_void) {
    // SAFETY: as in `add`; the suite gives one element per block.
    unsafe {
        let block = (*CORE.get()).block_idx;
        arg::<*mut u32>(args, 0).add(block as usize).write(block);
    }
}

/// refuse(): what a failed assertion of a kernel does.
unsafe extern "C" fn refuse(_entry: *const c_void, _args: *const c_void) {
    let core = CORE.get();
    // SAFETY: the engine set the core before it entered the kernel; the text is static.
    unsafe { ((*core).refuse)(core, Refusal::Assert as u32, c"1 == 2".as_ptr(), 0, 0, 0) };
}

/// nap(ms): takes a while.
unsafe extern "C" fn nap(_entry: *const c_void, args: *const c_void) {
    // SAFETY: one number.
    std::thread::sleep(Duration::from_millis(unsafe { arg::<u32>(args, 0) }.into()));
}

const POINTER: TrParam = TrParam { size_bytes: 8, is_pointer: 1, name: null() };
const NUMBER: TrParam = TrParam { size_bytes: 4, is_pointer: 0, name: null() };
const TILING: TrParam = TrParam { size_bytes: size_of::<ScaleTiling>() as u32, is_pointer: 0, name: null() };

type Kernel = unsafe extern "C" fn(*const c_void, *const c_void);

/// A module with all kernels. Leaked, as modules live as long as the process.
fn module() -> *const TrKernelModule {
    let kernels: [(&'static std::ffi::CStr, Kernel, &'static [TrParam]); 5] = [
        (c"add", add, &[POINTER, POINTER, POINTER, NUMBER]),
        (c"scale", scale, &[POINTER, TILING]),
        (c"number", number, &[POINTER]),
        (c"refuse", refuse, &[]),
        (c"nap", nap, &[NUMBER]),
    ];
    let mut first: *const TrKernel = null();
    for (name, invoke, params) in kernels {
        first = Box::leak(Box::new(TrKernel {
            next: first,
            name: name.as_ptr(),
            file: concat!(file!(), "\0").as_ptr().cast::<c_char>(),
            line: line!(),
            kernel_type: KernelType::AivOnly as u32,
            entry: invoke as *const c_void,
            invoke,
            params: params.as_ptr(),
            param_count: params.len() as u32,
            args_bytes: params.iter().map(|p| p.size_bytes.div_ceil(8) * 8).sum(),
        }));
    }
    let module = Box::leak(Box::new(TrKernelModule {
        magic: MODULE_MAGIC,
        abi_version: CORE_ABI_VERSION,
        struct_bytes: size_of::<TrKernelModule>() as u32,
        pid: std::process::id(),
        self_address: null(),
        first,
        set_core,
    }));
    module.self_address = module;
    module
}

/// What `aclrtBinaryLoadFromData` takes for an in-process module.
pub fn module_bytes() -> &'static [u8] {
    // SAFETY: a leaked module; all its bytes are initialised (four u32, three pointers, no padding).
    unsafe { std::slice::from_raw_parts(module().cast::<u8>(), size_of::<TrKernelModule>()) }
}
