//! Versions, data buffers, stream configurations and what fits nowhere else.

use crate::sys::{
    CChar, CannAttr, CannPackageName, CannPackageVersion, DataBuffer, DataType, DeviceInfo, Float16,
    StreamConfig, StreamConfigAttr, StreamHandle,
};
use std::ffi::{CStr, c_void};

super::calls! {
    /// Version of a package as text parts; old query.
    fn cann_version(name: CannPackageName) -> (version: CannPackageVersion) = aclsysGetCANNVersion(name, version);
    /// Version of a package as text; `versionStr` has room for 128 bytes.
    fn version_str(pkg_name: *mut CChar, version_str: *mut CChar) = aclsysGetVersionStr(pkg_name, version_str);
    /// Version of a package as a number that grows with it.
    fn version_num(pkg_name: *mut CChar) -> (version_num: i32) = aclsysGetVersionNum(pkg_name, version_num);
    /// Half float to float; infinity becomes 65536, NaN 98304.
    fn float16_to_float(value: Float16) => f32 = aclFloat16ToFloat(value);
    /// Float to half float; NaN and what is too large become the largest half float of that sign.
    fn float_to_float16(value: f32) => Float16 = aclFloatToFloat16(value);
    /// Size of one element, bytes; 0 for types smaller than a byte or unknown.
    fn data_type_size(data_type: DataType) => usize = aclDataTypeSize(data_type);
    /// Makes an address-and-size object; owns nothing. Null if memory ran out.
    fn create_data_buffer(data: *mut c_void, size: usize) => *mut DataBuffer = aclCreateDataBuffer(data, size);
    /// Destroys the object, not the memory it names.
    fn destroy_data_buffer(data_buffer: *const DataBuffer) = aclDestroyDataBuffer(data_buffer);
    /// Names other memory.
    fn update_data_buffer(data_buffer: *mut DataBuffer, data: *mut c_void, size: usize) = aclUpdateDataBuffer(data_buffer, data, size);
    /// The address; null for a null object.
    fn data_buffer_addr(data_buffer: *const DataBuffer) => *mut c_void = aclGetDataBufferAddr(data_buffer);
    /// The size cut to 32 bits; old form of `aclGetDataBufferSizeV2`.
    fn data_buffer_size(data_buffer: *const DataBuffer) => u32 = aclGetDataBufferSize(data_buffer);
    /// The size, bytes; 0 for a null object.
    fn data_buffer_size_v2(data_buffer: *const DataBuffer) => usize = aclGetDataBufferSizeV2(data_buffer);
    /// List the toolkit feature flags this build offers.
    fn cann_attribute_list() -> (cann_attr_list: *const CannAttr, num: usize) = aclGetCannAttributeList(cann_attr_list, num);
    /// Query one toolkit feature flag.
    fn cann_attribute(cann_attr: CannAttr) -> (value: i32) = aclGetCannAttribute(cann_attr, value);
    /// Query one numeric property of a device (old enum).
    fn device_capability(device_id: u32, device_info: DeviceInfo) -> (value: i64) = aclGetDeviceCapability(device_id, device_info, value);
    /// Set field in stream config handle.
    fn set_stream_config_opt(handle: *mut StreamConfig, attr: StreamConfigAttr, attr_value: *const c_void, value_size: usize) = aclrtSetStreamConfigOpt(handle, attr, attr_value, value_size);
    /// New queue from config handle.
    fn create_stream_v2(handle: *const StreamConfig) -> (stream: StreamHandle) = aclrtCreateStreamV2(stream, handle);
    /// Tie a thread to host-function tasks of stream.
    fn subscribe_host_func(host_func_thread_id: u64, exe_stream: StreamHandle) = aclrtSubscribeHostFunc(host_func_thread_id, exe_stream);
    /// Run pending host-function tasks.
    fn process_host_func(timeout: i32) = aclrtProcessHostFunc(timeout);
    /// Untie it.
    fn unsubscribe_host_func(host_func_thread_id: u64, exe_stream: StreamHandle) = aclrtUnSubscribeHostFunc(host_func_thread_id, exe_stream);
    /// Enqueue user profiling mark.
    fn prof_trace(userdata: *mut c_void, length: i32, stream: StreamHandle) = aclrtProfTrace(userdata, length, stream);
    /// Attach shape info to last captured task.
    fn cache_last_task_op_info(info_ptr: *const c_void, info_size: usize) = aclrtCacheLastTaskOpInfo(info_ptr, info_size);
    /// Attach debug info to last captured task.
    fn cache_last_task_extend_info(extend_info_ptr: &CStr, info_size: usize) = aclrtCacheLastTaskExtendInfo(extend_info_ptr.as_ptr().cast(), info_size);
    /// Flush device L2.
    fn device_l2_cache_flush(rsv: *mut c_void) = aclrtDeviceL2CacheFlush(rsv);
    /// Make stream config handle.
    fn create_stream_config_handle() => *mut StreamConfig = aclrtCreateStreamConfigHandle();
    /// Free stream config handle.
    fn destroy_stream_config_handle(handle: *mut StreamConfig) = aclrtDestroyStreamConfigHandle(handle);
    /// Can binary for one arch run here.
    fn check_arch_compatibility(soc_version: &CStr) -> (can_compatible: i32) = aclrtCheckArchCompatibility(soc_version.as_ptr().cast(), can_compatible);
}
