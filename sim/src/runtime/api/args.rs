//! Arguments of a launch, put together one by one.
#![allow(unsafe_code, non_snake_case)] // C names, C pointers.
#![allow(clippy::missing_safety_doc)] // the contract of every function is that of its C symbol, see `AclApi`.

not_supported! {
    aclrtKernelArgsGetHandleMemSize(FuncHandle, *mut usize) = "not modelled yet";
    aclrtKernelArgsGetMemSize(FuncHandle, usize, *mut usize) = "not modelled yet";
    aclrtKernelArgsInit(FuncHandle, *mut ArgsHandle) = "not modelled yet";
    aclrtKernelArgsInitByUserMem(FuncHandle, ArgsHandle, *mut c_void, usize) = "not modelled yet";
    aclrtKernelArgsAppend(ArgsHandle, *mut c_void, usize, *mut ParamHandle) = "not modelled yet";
    aclrtKernelArgsAppendPlaceHolder(ArgsHandle, *mut ParamHandle) = "not modelled yet";
    aclrtKernelArgsGetPlaceHolderBuffer(ArgsHandle, ParamHandle, usize, *mut *mut c_void) = "not modelled yet";
    aclrtKernelArgsParaUpdate(ArgsHandle, ParamHandle, *mut c_void, usize) = "not modelled yet";
    aclrtKernelArgsFinalize(ArgsHandle) = "not modelled yet";
}
