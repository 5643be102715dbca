//! The few functions of OpenCL 1.2 that a comparison needs, loaded at run time: launching an empty kernel and waiting.

#![allow(unsafe_code)] // a C library.

use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};

type Status = i32;
type Object = *mut c_void;
type GetPlatformIds = unsafe extern "C" fn(u32, *mut Object, *mut u32) -> Status;
type GetInfo = unsafe extern "C" fn(Object, u32, usize, *mut c_void, *mut usize) -> Status;
type GetDeviceIds = unsafe extern "C" fn(Object, u64, u32, *mut Object, *mut u32) -> Status;
type CreateContext =
    unsafe extern "C" fn(*const isize, u32, *const Object, *const c_void, *mut c_void, *mut Status) -> Object;
type CreateQueue = unsafe extern "C" fn(Object, Object, u64, *mut Status) -> Object;
type CreateProgram =
    unsafe extern "C" fn(Object, u32, *const *const c_char, *const usize, *mut Status) -> Object;
type BuildProgram =
    unsafe extern "C" fn(Object, u32, *const Object, *const c_char, *const c_void, *mut c_void) -> Status;
type CreateKernel = unsafe extern "C" fn(Object, *const c_char, *mut Status) -> Object;
type EnqueueKernel = unsafe extern "C" fn(
    Object,
    Object,
    u32,
    *const usize,
    *const usize,
    *const usize,
    u32,
    *const Object,
    *mut Object,
) -> Status;
type Finish = unsafe extern "C" fn(Object) -> Status;

const DEVICE_TYPE_ALL: u64 = 0xFFFF_FFFF;
const PLATFORM_NAME: u32 = 0x0902;
const PLATFORM_VERSION: u32 = 0x0901;
const EMPTY_KERNEL: &CStr = c"__kernel void empty_kernel() {}";

/// An in-order queue of the first OpenCL device, and a kernel that does nothing.
#[derive(Debug)]
pub struct EmptyKernel {
    enqueue: EnqueueKernel,
    finish: Finish,
    queue: Object,
    kernel: Object,
    /// Name and version of the platform.
    pub platform: String,
    _library: Library,
}

fn check(what: &str, status: Status) -> Result<(), String> {
    if status == 0 { Ok(()) } else { Err(format!("{what} answers {status}")) }
}

impl EmptyKernel {
    /// Finds a platform and builds the kernel.
    ///
    /// # Errors
    /// What is missing, in words.
    pub fn new() -> Result<EmptyKernel, String> {
        // SAFETY: loading the ICD loader runs its initialisers, nothing else.
        let library = unsafe { Library::new("libOpenCL.so.1") }.map_err(|e| e.to_string())?;
        macro_rules! symbol {
            ($name:literal: $ty:ty) => {{
                // SAFETY: the OpenCL 1.2 specification gives this symbol this type.
                *unsafe { library.get::<$ty>($name) }.map_err(|e| e.to_string())?
            }};
        }
        let get_platforms = symbol!(b"clGetPlatformIDs\0": GetPlatformIds);
        let get_info = symbol!(b"clGetPlatformInfo\0": GetInfo);
        let get_devices = symbol!(b"clGetDeviceIDs\0": GetDeviceIds);
        let create_context = symbol!(b"clCreateContext\0": CreateContext);
        let create_queue = symbol!(b"clCreateCommandQueue\0": CreateQueue);
        let create_program = symbol!(b"clCreateProgramWithSource\0": CreateProgram);
        let build = symbol!(b"clBuildProgram\0": BuildProgram);
        let create_kernel = symbol!(b"clCreateKernel\0": CreateKernel);
        let enqueue = symbol!(b"clEnqueueNDRangeKernel\0": EnqueueKernel);
        let finish = symbol!(b"clFinish\0": Finish);

        let (mut platform, mut device, mut count, mut status) = (null_mut(), null_mut(), 0, 0);
        // SAFETY: room for one platform and the count.
        check("clGetPlatformIDs", unsafe { get_platforms(1, &raw mut platform, &raw mut count) })?;
        let text = |what| {
            let mut text = [0u8; 256];
            // SAFETY: the array has the size that is told.
            unsafe { get_info(platform, what, text.len() - 1, text.as_mut_ptr().cast(), null_mut()) };
            CStr::from_bytes_until_nul(&text).map_or_else(|_| String::new(), |t| t.to_string_lossy().into())
        };
        let platform_name = format!("{} ({})", text(PLATFORM_NAME), text(PLATFORM_VERSION));
        // SAFETY: room for one device.
        check("clGetDeviceIDs", unsafe {
            get_devices(platform, DEVICE_TYPE_ALL, 1, &raw mut device, &raw mut count)
        })?;
        // SAFETY: one device, no properties, no callback.
        let context =
            unsafe { create_context(null(), 1, &raw const device, null(), null_mut(), &raw mut status) };
        check("clCreateContext", status)?;
        // SAFETY: context and device were just made.
        let queue = unsafe { create_queue(context, device, 0, &raw mut status) };
        check("clCreateCommandQueue", status)?;
        let source = EMPTY_KERNEL.as_ptr();
        // SAFETY: one NUL-terminated source.
        let program = unsafe { create_program(context, 1, &raw const source, null(), &raw mut status) };
        check("clCreateProgramWithSource", status)?;
        // SAFETY: the program is for this device; no callback.
        check("clBuildProgram", unsafe { build(program, 1, &raw const device, null(), null(), null_mut()) })?;
        let name = CString::from(c"empty_kernel");
        // SAFETY: a kernel of the program.
        let kernel = unsafe { create_kernel(program, name.as_ptr(), &raw mut status) };
        check("clCreateKernel", status)?;
        Ok(EmptyKernel { enqueue, finish, queue, kernel, platform: platform_name, _library: library })
    }

    /// Enqueues it with one work item.
    pub fn launch(&self) {
        let one = 1usize;
        // SAFETY: queue and kernel live; one dimension of one item; no events.
        let status = unsafe {
            (self.enqueue)(
                self.queue,
                self.kernel,
                1,
                null(),
                &raw const one,
                &raw const one,
                0,
                null(),
                null_mut(),
            )
        };
        assert_eq!(status, 0, "clEnqueueNDRangeKernel");
    }

    /// Waits for everything enqueued.
    pub fn finish(&self) {
        // SAFETY: the queue lives.
        let status = unsafe { (self.finish)(self.queue) };
        assert_eq!(status, 0, "clFinish");
    }
}
