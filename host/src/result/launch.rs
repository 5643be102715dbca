//! Binaries, arguments and launches: what [`kernel`](super::kernel) has not.

use crate::sys::{
    ArgsHandle, BinHandle, Binary, CChar, Dim3, ExceptionInfo, FuncAttribute, FuncHandle, LaunchKernelCfg,
    OpExceptionCallback, ParamHandle, PlaceHolderInfo, StreamHandle,
};
use std::ffi::{CStr, c_void};

super::calls! {
    /// Finds a kernel by its entry number (tiling key).
    fn binary_get_function_by_entry(bin_handle: BinHandle, func_entry: u64) -> (func_handle: FuncHandle) = aclrtBinaryGetFunctionByEntry(bin_handle, func_entry, func_handle);
    /// Name of a kernel, cut to `maxLen` bytes with its final zero.
    fn function_name(func_handle: FuncHandle, max_len: u32, name: *mut CChar) = aclrtGetFunctionName(func_handle, max_len, name);
    /// Fault record: kernel argument pointer and length.
    fn args_from_exception_info(info: *const ExceptionInfo) -> (dev_args_ptr: *mut c_void, dev_args_len: u32) = aclrtGetArgsFromExceptionInfo(info, dev_args_ptr, dev_args_len);
    /// Fault record: kernel handle.
    fn func_handle_from_exception_info(info: *const ExceptionInfo) -> (func: FuncHandle) = aclrtGetFuncHandleFromExceptionInfo(info, func);
    /// Attach a fault hook to one kernel binary.
    fn binary_set_exception_callback(bin_handle: BinHandle, callback: OpExceptionCallback, user_data: *mut c_void) = aclrtBinarySetExceptionCallback(bin_handle, callback, user_data);
    /// Launch with args already on device.
    fn launch_kernel(func_handle: FuncHandle, num_blocks: u32, args_data: *const c_void, args_size: usize, stream: StreamHandle) = aclrtLaunchKernel(func_handle, num_blocks, args_data, args_size, stream);
    /// Kernel handle from host stub symbol.
    fn func_by_symbol(symbol: *const c_void) -> (func_handle: FuncHandle) = aclrtGetFuncBySymbol(symbol, func_handle);
    /// Bytes for user-owned args handle.
    fn kernel_args_get_handle_mem_size(func_handle: FuncHandle) -> (mem_size: usize) = aclrtKernelArgsGetHandleMemSize(func_handle, mem_size);
    /// Bytes for user-owned args buffer.
    fn kernel_args_get_mem_size(func_handle: FuncHandle, user_args_size: usize) -> (actual_args_size: usize) = aclrtKernelArgsGetMemSize(func_handle, user_args_size, actual_args_size);
    /// Begin argument list.
    fn kernel_args_init(func_handle: FuncHandle) -> (args_handle: ArgsHandle) = aclrtKernelArgsInit(func_handle, args_handle);
    /// Begin argument list in user memory.
    fn kernel_args_init_by_user_mem(func_handle: FuncHandle, args_handle: ArgsHandle, user_host_mem: *mut c_void, actual_args_size: usize) = aclrtKernelArgsInitByUserMem(func_handle, args_handle, user_host_mem, actual_args_size);
    /// Add argument.
    fn kernel_args_append(args_handle: ArgsHandle, param: *mut c_void, param_size: usize) -> (param_handle: ParamHandle) = aclrtKernelArgsAppend(args_handle, param, param_size, param_handle);
    /// Add pointer filled by runtime.
    fn kernel_args_append_place_holder(args_handle: ArgsHandle) -> (param_handle: ParamHandle) = aclrtKernelArgsAppendPlaceHolder(args_handle, param_handle);
    /// Host scratch behind placeholder.
    fn kernel_args_get_place_holder_buffer(args_handle: ArgsHandle, param_handle: ParamHandle, data_size: usize) -> (buffer_addr: *mut c_void) = aclrtKernelArgsGetPlaceHolderBuffer(args_handle, param_handle, data_size, buffer_addr);
    /// Rewrite one argument.
    fn kernel_args_para_update(args_handle: ArgsHandle, param_handle: ParamHandle, param: *mut c_void, param_size: usize) = aclrtKernelArgsParaUpdate(args_handle, param_handle, param, param_size);
    /// Launch with args handle and attributes.
    fn launch_kernel_with_config(func_handle: FuncHandle, num_blocks: u32, stream: StreamHandle, cfg: *mut LaunchKernelCfg, args_handle: ArgsHandle, reserve: *mut c_void) = aclrtLaunchKernelWithConfig(func_handle, num_blocks, stream, cfg, args_handle, reserve);
    /// End argument list.
    fn kernel_args_finalize(args_handle: ArgsHandle) = aclrtKernelArgsFinalize(args_handle);
    /// Launch with device args and attributes.
    fn launch_kernel_v2(func_handle: FuncHandle, num_blocks: u32, args_data: *const c_void, args_size: usize, cfg: *mut LaunchKernelCfg, stream: StreamHandle) = aclrtLaunchKernelV2(func_handle, num_blocks, args_data, args_size, cfg, stream);
    /// Launch with pointer-array args.
    fn launch_kernel_with_args_array(func: *mut c_void, num_blocks: u32, stream: StreamHandle, cfg: *mut LaunchKernelCfg, args: *mut *mut c_void) = aclrtLaunchKernelWithArgsArray(func, num_blocks, stream, cfg, args);
    /// Device address used by inter-core sync.
    fn hardware_sync_addr() -> (addr: *mut c_void) = aclrtGetHardwareSyncAddr(addr);
    /// Kernel property (type, ratio, ...).
    fn function_attribute(func_handle: FuncHandle, attr_type: FuncAttribute) -> (attr_value: i64) = aclrtGetFunctionAttribute(func_handle, attr_type, attr_value);
    /// Binary owning a kernel.
    fn function_get_binary(func_handle: FuncHandle) -> (bin_handle: BinHandle) = aclrtFunctionGetBinary(func_handle, bin_handle);
    /// Host-side kernel binary descriptor (old).
    fn create_binary(data: *const c_void, data_len: usize) => Binary = aclrtCreateBinary(data, data_len);
    /// Free that descriptor.
    fn destroy_binary(binary: Binary) = aclrtDestroyBinary(binary);
    /// Load descriptor to device (old).
    fn binary_load(binary: Binary) -> (bin_handle: BinHandle) = aclrtBinaryLoad(binary, bin_handle);
    /// Device image address and size.
    fn binary_get_dev_address(bin_handle: BinHandle) -> (bin_addr: *mut c_void, bin_size: usize) = aclrtBinaryGetDevAddress(bin_handle, bin_addr, bin_size);
    /// Device variable by name.
    fn binary_get_global(bin_handle: BinHandle, name: &CStr) -> (dptr: *mut c_void, size: usize) = aclrtBinaryGetGlobal(bin_handle, name.as_ptr().cast(), dptr, size);
    /// Device entry addresses of kernel.
    fn function_addr(func_handle: FuncHandle) -> (aic_addr: *mut c_void, aiv_addr: *mut c_void) = aclrtGetFunctionAddr(func_handle, aic_addr, aiv_addr);
    /// Code sizes of kernel.
    fn function_size(func_handle: FuncHandle) -> (aic_size: usize, aiv_size: usize) = aclrtGetFunctionSize(func_handle, aic_size, aiv_size);
    /// Register AICPU kernel.
    fn register_cpu_func(handle: BinHandle, func_name: &CStr, kernel_name: &CStr) -> (func_handle: FuncHandle) = aclrtRegisterCpuFunc(handle, func_name.as_ptr().cast(), kernel_name.as_ptr().cast(), func_handle);
    /// SIMT launch, pointer-array args (950).
    fn launch_simt_kernel_with_args_array(func: *mut c_void, grid_dim: Dim3, block_dim: Dim3, dyn_ubuf_size: usize, stream: StreamHandle, cfg: *mut LaunchKernelCfg, args: *mut *mut c_void) = aclrtLaunchSIMTKernelWithArgsArray(func, grid_dim, block_dim, dyn_ubuf_size, stream, cfg, args);
    /// SIMT launch, packed args (950).
    fn launch_simt_kernel_with_host_args(func: *mut c_void, grid_dim: Dim3, block_dim: Dim3, dyn_ubuf_size: usize, stream: StreamHandle, cfg: *mut LaunchKernelCfg, host_args: *mut c_void, args_size: usize, place_holder_array: *mut PlaceHolderInfo, place_holder_num: usize) = aclrtLaunchSIMTKernelWithHostArgs(func, grid_dim, block_dim, dyn_ubuf_size, stream, cfg, host_args, args_size, place_holder_array, place_holder_num);
    /// Free UB bytes for dynamic use.
    fn function_get_avail_dyn_ubuf_per_block(func: *mut c_void, flags: u32) -> (dynamic_ubuf_size: usize) = aclrtFunctionGetAvailDynUbufPerBlock(func, flags, dynamic_ubuf_size);
}
