//! What the tests share: kernels written in Rust behind a kernel table, and short words for the C functions.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};
use toprope_abi::acl::*;
use toprope_abi::core_face::KernelType;
use toprope_abi::core_face::*;
use toprope_abi::isa::{Op, Pipe, Space};
use toprope_abi::layout::CChar;

/// Calls a C function of the table.
#[collapse_debuginfo(yes)] // findings name the caller's line
macro_rules! acl {
    ($name:ident($($arg:expr),* $(,)?)) => {
        // SAFETY: the tests pass valid pointers, or the wrong ones that the function has to recognise.
        unsafe { (toprope_sim::runtime::api().$name)($($arg),*) }
    };
}

/// Calls a C function that has to succeed.
#[collapse_debuginfo(yes)] // findings name the caller's line
macro_rules! ok {
    ($name:ident($($arg:expr),* $(,)?)) => {{
        let code = acl!($name($($arg),*));
        assert!(code.is_success(), "{}: {code:?}: {}", stringify!($name), crate::support::message());
    }};
}

/// Calls a C function that has to fail with this code, and returns its message.
#[collapse_debuginfo(yes)] // findings name the caller's line
macro_rules! fails {
    ($code:expr, $name:ident($($arg:expr),* $(,)?)) => {{
        let code = acl!($name($($arg),*));
        assert_eq!(code.0, $code, "{}: {}", stringify!($name), crate::support::message());
        crate::support::message()
    }};
}

/// The newest message of the thread.
pub fn message() -> String {
    let text = acl!(aclGetRecentErrMsg());
    if text.is_null() {
        return String::new();
    }
    // SAFETY: a text that is valid until the next call.
    unsafe { CStr::from_ptr(text.cast()) }.to_string_lossy().into_owned()
}

/// Forgets messages and the last error.
pub fn forget_errors() {
    while !message().is_empty() {}
    let _ = acl!(aclrtGetLastError(LastErrLevel::THREAD_LEVEL));
}

/// One test at a time has the runtime; it ends with the device reset.
pub struct Session {
    _alone: MutexGuard<'static, ()>,
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = acl!(aclrtResetDeviceForce(0));
        let _ = acl!(aclFinalize());
        forget_errors();
    }
}

static ALONE: Mutex<()> = Mutex::new(());

/// Takes the runtime without selecting a device.
pub fn alone() -> Session {
    let guard = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    forget_errors();
    Session { _alone: guard }
}

/// Takes the runtime and selects device 0.
pub fn device() -> Session {
    let session = alone();
    ok!(aclrtSetDevice(0));
    session
}

pub const DEFAULT: StreamHandle = StreamHandle::NULL;

pub fn stream() -> StreamHandle {
    let mut stream = StreamHandle::NULL;
    ok!(aclrtCreateStream(&raw mut stream));
    stream
}

pub fn sync(stream: StreamHandle) {
    ok!(aclrtSynchronizeStream(stream));
}

pub fn malloc(bytes: usize) -> *mut c_void {
    let mut at = null_mut();
    ok!(aclrtMalloc(&raw mut at, bytes, MemMallocPolicy::HUGE_FIRST));
    at
}

pub fn malloc_host(bytes: usize) -> *mut c_void {
    let mut at = null_mut();
    ok!(aclrtMallocHost(&raw mut at, bytes));
    at
}

/// Writes host values to device memory.
pub fn put<T: Copy>(at: *mut c_void, values: &[T]) {
    let bytes = size_of_val(values);
    ok!(aclrtMemcpy(at, bytes, values.as_ptr().cast(), bytes, MemcpyKind::HOST_TO_DEVICE));
}

/// Reads values from device memory.
pub fn take<T: Copy + Default>(at: *const c_void, count: usize) -> Vec<T> {
    let mut values = vec![T::default(); count];
    let bytes = size_of_val(&values[..]);
    ok!(aclrtMemcpy(values.as_mut_ptr().cast(), bytes, at, bytes, MemcpyKind::DEVICE_TO_HOST));
    values
}

pub fn c_text(text: &str) -> CString {
    CString::new(text).unwrap()
}

pub fn c_ptr(text: &CString) -> *const CChar {
    text.as_ptr().cast()
}

/// Launches a kernel of [`module`]; one 8-byte word per parameter.
pub fn launch(name: &str, blocks: u32, stream: StreamHandle, args: &[u64]) -> AclError {
    launch_with(name, blocks, stream, args, null_mut())
}

pub fn launch_with(
    name: &str,
    blocks: u32,
    on: StreamHandle,
    args: &[u64],
    cfg: *mut LaunchKernelCfg,
) -> AclError {
    let mut words = args.to_vec();
    let (at, bytes) = (words.as_mut_ptr().cast(), size_of_val(&words[..]));
    acl!(aclrtLaunchKernelWithHostArgs(function(name), blocks, on, cfg, at, bytes, null_mut(), 0))
}

/// Launches a kernel and insists that it was queued.
pub fn run(name: &str, blocks: u32, stream: StreamHandle, args: &[u64]) {
    let code = launch(name, blocks, stream, args);
    assert!(code.is_success(), "{name}: {code:?}: {}", message());
}

pub fn binary() -> BinHandle {
    static HANDLE: OnceLock<usize> = OnceLock::new();
    let handle = *HANDLE.get_or_init(|| {
        let mut handle = BinHandle::NULL;
        ok!(aclrtBinaryLoadFromData(module().cast(), size_of::<TrKernelModule>(), null(), &raw mut handle));
        handle.0 as usize
    });
    BinHandle(handle as *mut c_void)
}

pub fn function(name: &str) -> FuncHandle {
    let mut function = FuncHandle::NULL;
    let name = c_text(name);
    ok!(aclrtBinaryGetFunction(binary(), c_ptr(&name), &raw mut function));
    function
}

/// Waits for something that another thread does.
pub fn eventually(what: &str, mut test: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !test() {
        assert!(Instant::now() < end, "{what} did not happen");
        std::thread::yield_now();
    }
}

// ---- kernels ---------------------------------------------------------------------------------------------------------

thread_local! {
    static CORE: Cell<*mut TrCore> = const { Cell::new(null_mut()) };
}

unsafe extern "C" fn set_core(core: *mut TrCore) {
    CORE.set(core);
}

fn core() -> *mut TrCore {
    CORE.get()
}

fn word(args: *const c_void, index: usize) -> u64 {
    // SAFETY: every kernel below reads the words it declares.
    unsafe { args.cast::<u64>().wrapping_add(index).read() }
}

/// The functions of the core this block runs on.
fn face() -> TrCoreFace {
    // SAFETY: the engine set the core before the block was entered.
    let core = unsafe { &*core() };
    TrCoreFace {
        block_idx: core.block_idx,
        refuse: core.refuse,
        scalar_access: core.scalar_access,
        print: core.print,
        issue: core.issue,
        region: core.region,
    }
}

/// What the kernels below use of a core.
struct TrCoreFace {
    block_idx: u32,
    refuse: unsafe extern "C" fn(*mut TrCore, u32, *const c_char, u64, u64, u64),
    scalar_access: unsafe extern "C" fn(*mut TrCore, u64, u32, u32),
    print: unsafe extern "C" fn(*mut TrCore, *const c_char, u64),
    issue: unsafe extern "C" fn(*mut TrCore, u32, u64, u64, u64, u64),
    region: u64,
}

fn block_idx() -> u32 {
    face().block_idx
}

unsafe extern "C" fn nothing(_: *const c_void, _: *const c_void) {}

unsafe extern "C" fn store_index(_: *const c_void, args: *const c_void) {
    let out = word(args, 0) as *mut u32;
    let block = block_idx();
    // SAFETY: the test gives a buffer with one word per block.
    unsafe { out.wrapping_add(block as usize).write(block + 1) };
}

unsafe extern "C" fn add_one(_: *const c_void, args: *const c_void) {
    let (at, count) = (word(args, 0) as *mut u32, word(args, 1));
    for i in 0..count as usize {
        // SAFETY: the test gives `count` words.
        unsafe { *at.wrapping_add(i) += 1 };
    }
}

/// A step whose result depends on order: `*dst = mix(*dst, *src, k)`.
pub fn mix(dst: u64, src: u64, k: u64) -> u64 {
    (dst ^ src.rotate_left(17) ^ k).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
}

unsafe extern "C" fn combine(_: *const c_void, args: *const c_void) {
    let (dst, src, k) = (word(args, 0) as *mut u64, word(args, 1) as *const u64, word(args, 2));
    // SAFETY: the test gives two words.
    let old = unsafe { dst.read() };
    // SAFETY: as above.
    let other = unsafe { src.read() };
    // SAFETY: as above.
    unsafe { dst.write(mix(old, other, k)) };
}

unsafe extern "C" fn spin_us(_: *const c_void, args: *const c_void) {
    let end = Instant::now() + Duration::from_micros(word(args, 0));
    while Instant::now() < end {
        std::hint::spin_loop();
    }
}

/// Block 0 adds its number to a list: shows the order in which launches ran.
unsafe extern "C" fn append(_: *const c_void, args: *const c_void) {
    if block_idx() != 0 {
        return;
    }
    let list = word(args, 0) as *mut u32;
    // SAFETY: the test gives a list whose first word is its length; launches do not overlap.
    let length = unsafe { *list } as usize;
    // SAFETY: as above; there is room.
    unsafe { list.wrapping_add(length + 1).write(word(args, 1) as u32) };
    // SAFETY: as above.
    unsafe { list.write(length as u32 + 1) };
}

/// Runs until the word it is given is not 0.
unsafe extern "C" fn hold(_: *const c_void, args: *const c_void) {
    let gate = word(args, 0) as *const u32;
    // SAFETY: the test gives a word that outlives the launch.
    while unsafe { gate.read_volatile() } == 0 {
        std::hint::spin_loop();
    }
}

unsafe extern "C" fn forever(_: *const c_void, _: *const c_void) {
    loop {
        std::hint::spin_loop();
    }
}

unsafe extern "C" fn trap(_: *const c_void, _: *const c_void) {
    // SAFETY: the core's own function, called as `core_face` says; it does not return.
    unsafe { (face().refuse)(core(), Refusal::Trap as u32, null(), 0, 0, 0) };
}

/// Announces a scalar load of 4 bytes at `x + offset`.
unsafe extern "C" fn load_at(_: *const c_void, args: *const c_void) {
    // SAFETY: as above; it does not return if the access is not legal.
    unsafe { (face().scalar_access)(core(), word(args, 0) + word(args, 1), 4, 0) };
}

unsafe extern "C" fn say(_: *const c_void, args: *const c_void) {
    let text = format!("block {} of {}\n", block_idx(), word(args, 0));
    // SAFETY: as above; the text lives through the call.
    unsafe { (face().print)(core(), text.as_ptr().cast(), text.len() as u64) };
}

/// Adds 128 halves to themselves with vector instructions.
unsafe extern "C" fn double_halves(_: *const c_void, args: *const c_void) {
    let (x, face) = (word(args, 0), face());
    let ub = face.region + ((Space::Ub as u64) << 20);
    let issue = |op: Op, [a, b, c, d]: [u64; 4]| {
        // SAFETY: the engine's own function and core.
        unsafe { (face.issue)(core(), op as u32, a, b, c, d) };
    };
    let eight_blocks = (1 << 4) | (8 << 16);
    let meet = |from: Pipe, to: Pipe| {
        issue(Op::SetFlagImm, [from as u64, to as u64, 0, 0]);
        issue(Op::WaitFlagImm, [from as u64, to as u64, 0, 0]);
    };
    issue(Op::MovOutToUbV220, [ub, x, eight_blocks, 0]);
    meet(Pipe::Mte2, Pipe::V);
    issue(Op::VaddF16, [ub + 256, ub, ub, 0x0000_0808_0801_0101 | (1 << 56)]);
    meet(Pipe::V, Pipe::Mte3);
    issue(Op::MovUbToOutV220, [x, ub + 256, eight_blocks, 0]);
}

/// Copies 128 halves from `x` to `y`.
unsafe extern "C" fn move_halves(_: *const c_void, args: *const c_void) {
    let (x, y, face) = (word(args, 0), word(args, 1), face());
    let ub = face.region + ((Space::Ub as u64) << 20);
    let issue = |op: Op, [a, b, c, d]: [u64; 4]| {
        // SAFETY: the engine's own function and core.
        unsafe { (face.issue)(core(), op as u32, a, b, c, d) };
    };
    let eight_blocks = (1 << 4) | (8 << 16);
    issue(Op::MovOutToUbV220, [ub, x, eight_blocks, 0]);
    issue(Op::SetFlagImm, [Pipe::Mte2 as u64, Pipe::Mte3 as u64, 0, 0]);
    issue(Op::WaitFlagImm, [Pipe::Mte2 as u64, Pipe::Mte3 as u64, 0, 0]);
    issue(Op::MovUbToOutV220, [y, ub, eight_blocks, 0]);
}

unsafe extern "C" fn segfault(_: *const c_void, _: *const c_void) {
    // SAFETY: none; the kernel is wrong on purpose, and the engine has to survive it.
    unsafe { std::ptr::without_provenance::<u32>(0xdead_0000).read_volatile() };
}

type Invoke = unsafe extern "C" fn(*const c_void, *const c_void);

/// Name, bytes, is it a GM address.
type Argument = (&'static CStr, u32, bool);
/// Name, kernel type, code, parameters.
type Row = (&'static CStr, KernelType, Invoke, &'static [Argument]);

const KERNELS: &[Row] = &[
    (c"nothing", KernelType::AivOnly, nothing, &[]),
    (c"store_index", KernelType::AivOnly, store_index, &[(c"out", 8, true)]),
    (c"add_one", KernelType::AivOnly, add_one, &[(c"x", 8, true), (c"count", 8, false)]),
    (c"combine", KernelType::AivOnly, combine, &[(c"dst", 8, true), (c"src", 8, true), (c"k", 8, false)]),
    (c"spin_us", KernelType::AivOnly, spin_us, &[(c"us", 8, false)]),
    (c"append", KernelType::AivOnly, append, &[(c"list", 8, true), (c"number", 8, false)]),
    (c"hold", KernelType::AivOnly, hold, &[(c"gate", 8, true)]),
    (c"forever", KernelType::AivOnly, forever, &[]),
    (c"forever_cube", KernelType::AicOnly, forever, &[]),
    (c"trap", KernelType::AivOnly, trap, &[]),
    (c"trap_cube", KernelType::AicOnly, trap, &[]),
    (c"load_at", KernelType::AivOnly, load_at, &[(c"x", 8, true), (c"offset", 8, false)]),
    (c"load_at_cube", KernelType::AicOnly, load_at, &[(c"x", 8, true), (c"offset", 8, false)]),
    (c"double_halves", KernelType::AivOnly, double_halves, &[(c"x", 8, true)]),
    (c"move_halves", KernelType::AivOnly, move_halves, &[(c"x", 8, true), (c"y", 8, true)]),
    (c"say", KernelType::AivOnly, say, &[(c"number", 8, false)]),
    (c"segfault", KernelType::AivOnly, segfault, &[]),
    (
        c"mixed",
        KernelType::AivOnly,
        nothing,
        &[(c"small", 4, false), (c"struct", 20, false), (c"x", 8, true)],
    ),
];

/// The kernel table of this test program.
pub fn module() -> *const TrKernelModule {
    static MODULE: OnceLock<usize> = OnceLock::new();
    *MODULE.get_or_init(|| {
        let mut next = null();
        for (name, kernel_type, invoke, params) in KERNELS.iter().rev() {
            let row = |p: &Argument| TrParam { size_bytes: p.1, is_pointer: p.2.into(), name: p.0.as_ptr() };
            let rows: Vec<TrParam> = params.iter().map(row).collect();
            let kernel = TrKernel {
                next,
                name: name.as_ptr(),
                file: c"support.rs".as_ptr(),
                line: 1,
                kernel_type: *kernel_type as u32,
                entry: *invoke as *const c_void,
                invoke: *invoke,
                params: Vec::leak(rows).as_ptr(),
                param_count: params.len() as u32,
                args_bytes: params.iter().map(|p| p.1.next_multiple_of(8)).sum(),
            };
            next = Box::leak(Box::new(kernel));
        }
        let module = Box::leak(Box::new(TrKernelModule {
            magic: MODULE_MAGIC,
            abi_version: CORE_ABI_VERSION,
            struct_bytes: size_of::<TrKernelModule>() as u32,
            pid: std::process::id(),
            self_address: null(),
            first: next,
            set_core,
        }));
        module.self_address = &raw const *module;
        &raw const *module as usize
    }) as *const TrKernelModule
}

// ---- child processes -------------------------------------------------------------------------------------------------

/// Runs the ignored test `name` of this program in a process of its own with these variables.
pub fn child(name: &str, variables: &[(&str, &str)]) -> std::process::Output {
    let program = std::env::current_exe().unwrap();
    let mut command = std::process::Command::new(program);
    command.args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"]);
    command.envs(variables.iter().copied());
    command.output().unwrap()
}

/// The same, and insists on success; returns output and error output.
pub fn good_child(name: &str, variables: &[(&str, &str)]) -> (String, String) {
    let output = child(name, variables);
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && out.contains("1 passed"), "{name}: {:?}\n{out}\n{err}", output.status);
    (out, err)
}
