//! Kernel binaries, their kernels, and launches that were checked beforehand.
#![allow(unsafe_code)] // calls the layer below

use super::args::LaunchArgs;
use super::device::{Device, Inner as DeviceInner};
use super::runtime::{c_name, c_path};
use crate::error::{Error, Result};
use crate::result;
use crate::sys::{
    BinHandle, FuncAttribute, FuncHandle, KernelType, LaunchKernelAttr, LaunchKernelAttrId,
    LaunchKernelAttrValue, TimeoutUs,
};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The largest number of blocks of a launch.
pub const MAX_BLOCKS: u32 = 65535;

/// A loaded kernel binary, unloaded when it and its [`Function`]s are gone.
///
/// A binary is code that the program trusts, like a library it links: on the embedded NPU it runs in this process.
#[doc(alias = "aclrtBinHandle")]
#[derive(Debug, Clone)]
pub struct Binary {
    inner: Arc<BinaryInner>,
}

#[derive(Debug)]
struct BinaryInner {
    handle: BinHandle,
    device: Arc<DeviceInner>,
}

// SAFETY: the handle is a name for the runtime, which allows its use in any thread.
unsafe impl Send for BinaryInner {}
// SAFETY: as above.
unsafe impl Sync for BinaryInner {}

/// A kernel of a [`Binary`].
#[doc(alias = "aclrtFuncHandle")]
#[derive(Debug, Clone)]
pub struct Function {
    handle: FuncHandle,
    name: Arc<str>,
    /// Size of every parameter, bytes; or why it is not known.
    params: Result<Arc<[usize]>, crate::sys::AclError>,
    binary: Arc<BinaryInner>,
}

// SAFETY: as for `BinaryInner`.
unsafe impl Send for Function {}
// SAFETY: as for `BinaryInner`.
unsafe impl Sync for Function {}

/// A launch whose number of blocks and arguments fit the kernel. Put it into a stream with
/// [`Scope::launch`](super::Scope::launch).
#[must_use = "a prepared launch does nothing until it is put into a stream"]
#[derive(Clone)]
pub struct PreparedLaunch<'a> {
    pub(crate) function: &'a Function,
    pub(crate) num_blocks: u32,
    pub(crate) args: LaunchArgs<'a>,
    pub(crate) attrs: Vec<LaunchKernelAttr>,
}

impl Binary {
    /// Loads a kernel binary from a file: a shared object made by `toprope build --kernel-only` for the embedded NPU, a
    /// device ELF for a real one.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`], for example 107009 if there is no such file.
    #[doc(alias = "aclrtBinaryLoadFromFile")]
    pub fn load(device: &Device, path: impl AsRef<Path>) -> Result<Binary> {
        let path = c_path("kernel binary", path.as_ref())?;
        device.inner.bind()?;
        // SAFETY: the device is selected and alive; loading trusts the file, which the documentation says.
        let handle = unsafe { result::kernel::load_file(device.inner.api(), &path) };
        Self::loaded(device, "aclrtBinaryLoadFromFile", handle)
    }

    /// Loads a kernel binary from memory.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtBinaryLoadFromData")]
    pub fn load_data(device: &Device, data: &[u8]) -> Result<Binary> {
        device.inner.bind()?;
        // SAFETY: the device is selected and alive; loading trusts the bytes, which the documentation says.
        let handle = unsafe { result::kernel::load_data(device.inner.api(), data) };
        Self::loaded(device, "aclrtBinaryLoadFromData", handle)
    }

    fn loaded(
        device: &Device,
        call: &'static str,
        handle: Result<BinHandle, crate::sys::AclError>,
    ) -> Result<Binary> {
        let handle = device.inner.check(call, handle)?;
        Ok(Binary { inner: Arc::new(BinaryInner { handle, device: Arc::clone(&device.inner) }) })
    }

    /// Finds a kernel by name.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`] with code 107000 if the binary has no such kernel.
    #[doc(alias = "aclrtBinaryGetFunction")]
    pub fn function(&self, name: &str) -> Result<Function> {
        let c_name = c_name("kernel name", name)?;
        let device = &self.inner.device;
        device.bind()?;
        // SAFETY: the binary is alive.
        let handle = unsafe { result::kernel::function(device.api(), self.inner.handle, &c_name) };
        let handle = device.check("aclrtBinaryGetFunction", handle)?;
        let params = param_sizes(device, handle);
        Ok(Function { handle, name: name.into(), params, binary: Arc::clone(&self.inner) })
    }
}

/// Size of every parameter of a kernel, bytes.
fn param_sizes(device: &DeviceInner, function: FuncHandle) -> Result<Arc<[usize]>, crate::sys::AclError> {
    // SAFETY: the function was just found, so its binary is alive.
    let count = unsafe { result::kernel::param_count(device.api(), function) }?;
    (0..count)
        .map(|index| {
            // SAFETY: as above.
            let info = unsafe { result::kernel::param_info(device.api(), function, index) };
            info.map(|(_offset, size_bytes)| size_bytes)
        })
        .collect()
}

/// A property of a launch; see [`PreparedLaunch::with`].
#[doc(alias = "aclrtLaunchKernelAttr")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LaunchAttr {
    /// How blocks are given to cores: 0 normal, 1 all blocks at once, 2 with synchronisation between them.
    SchemMode(u8),
    /// Longest time of the kernel.
    Timeout(Duration),
    /// Fetch the next task early.
    BlockTaskPrefetch(bool),
    /// Dump inputs and outputs.
    DataDump(bool),
    /// Profile this launch.
    Profiling(bool),
}

impl LaunchAttr {
    fn to_c(self) -> LaunchKernelAttr {
        let zero = LaunchKernelAttrValue { rsv: [0; 4] };
        let mut attr = LaunchKernelAttr { id: LaunchKernelAttrId::SCHEM_MODE, value: zero };
        match self {
            LaunchAttr::SchemMode(mode) => attr.value.schem_mode = mode,
            LaunchAttr::Timeout(limit) => {
                let us = u64::try_from(limit.as_micros()).unwrap_or(u64::MAX);
                attr.id = LaunchKernelAttrId::TIMEOUT_US;
                attr.value.timeout_us = TimeoutUs { timeout_low: us as u32, timeout_high: (us >> 32) as u32 };
            }
            LaunchAttr::BlockTaskPrefetch(on) => {
                attr.id = LaunchKernelAttrId::BLOCK_TASK_PREFETCH;
                attr.value.is_block_task_prefetch = on.into();
            }
            LaunchAttr::DataDump(on) => {
                attr.id = LaunchKernelAttrId::DATA_DUMP;
                attr.value.is_data_dump = on.into();
            }
            LaunchAttr::Profiling(on) => {
                attr.id = LaunchKernelAttrId::ENABLE_PROFILING;
                attr.value.enable_profiling = on.into();
            }
        }
        attr
    }
}

impl PreparedLaunch<'_> {
    /// Adds a property.
    pub fn with(mut self, attr: LaunchAttr) -> Self {
        self.attrs.push(attr.to_c());
        self
    }
}

impl std::fmt::Debug for PreparedLaunch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = f.debug_struct("PreparedLaunch");
        text.field("kernel", &self.function.name).field("num_blocks", &self.num_blocks);
        text.field("args", &self.args).field("attrs", &self.attrs.len()).finish()
    }
}

impl Function {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Size of every parameter, bytes; `None` if the binary does not say.
    pub fn param_sizes_bytes(&self) -> Option<&[usize]> {
        self.params.as_deref().ok()
    }

    /// Which cores it runs on.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtGetFunctionAttribute")]
    pub fn kernel_type(&self) -> Result<KernelType> {
        let value = self.attribute(FuncAttribute::KERNEL_TYPE)?;
        Ok(KernelType(i32::try_from(value).unwrap_or(-1)))
    }

    /// Cube and vector cores per block.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtGetFunctionAttribute")]
    pub fn core_ratio(&self) -> Result<(u16, u16)> {
        let value = self.attribute(FuncAttribute::KERNEL_RATIO)?;
        // Two numbers of 16 bits: vector cores below, cube cores above.
        Ok(((value >> 16) as u16, value as u16))
    }

    /// One property of the kernel.
    ///
    /// # Errors
    ///
    /// [`Error::Acl`].
    #[doc(alias = "aclrtGetFunctionAttribute")]
    pub fn attribute(&self, attr: FuncAttribute) -> Result<i64> {
        let device = self.device();
        device.bind()?;
        // SAFETY: the function's binary is alive.
        let value = unsafe { result::launch::function_attribute(device.api(), self.handle, attr) };
        device.check("aclrtGetFunctionAttribute", value)
    }

    /// Checks a launch: 1 to [`MAX_BLOCKS`] blocks; as many arguments as the kernel has parameters, each of its size;
    /// buffers of the kernel's device.
    ///
    /// What the kernel does with its arguments is up to the kernel; on the embedded NPU its accesses are checked while
    /// it runs.
    ///
    /// # Errors
    ///
    /// [`Error::NumBlocks`], [`Error::ArgCount`], [`Error::ArgSize`], [`Error::OtherDevice`], and
    /// [`Error::NoParameterInfo`] if the binary does not describe its parameters.
    pub fn prepare<'a>(&'a self, num_blocks: u32, args: LaunchArgs<'a>) -> Result<PreparedLaunch<'a>> {
        let kernel = || self.name.to_string();
        let params = match &self.params {
            Ok(params) => params,
            Err(code) => return Err(Error::NoParameterInfo { kernel: kernel(), code: *code }),
        };
        if params.len() != args.len() {
            return Err(Error::ArgCount { kernel: kernel(), required: params.len(), actual: args.len() });
        }
        for (index, (&required_bytes, &actual_bytes)) in params.iter().zip(args.sizes()).enumerate() {
            if required_bytes != actual_bytes {
                return Err(Error::ArgSize { kernel: kernel(), index, required_bytes, actual_bytes });
            }
        }
        self.prepared(num_blocks, args)
    }

    /// The same without the check of the arguments, for binaries that do not describe their parameters.
    ///
    /// # Errors
    ///
    /// [`Error::NumBlocks`], [`Error::OtherDevice`].
    ///
    /// # Safety
    /// - `args` are as many as the kernel has parameters, in their order, each with its size.
    pub unsafe fn prepare_unchecked<'a>(
        &'a self,
        num_blocks: u32,
        args: LaunchArgs<'a>,
    ) -> Result<PreparedLaunch<'a>> {
        self.prepared(num_blocks, args)
    }

    fn prepared<'a>(&'a self, num_blocks: u32, args: LaunchArgs<'a>) -> Result<PreparedLaunch<'a>> {
        if num_blocks == 0 || num_blocks > MAX_BLOCKS {
            let kernel = self.name.to_string();
            return Err(Error::NumBlocks { kernel, asked: num_blocks, limit: MAX_BLOCKS });
        }
        if !args.devices().iter().all(|device| device.is_same(self.device())) {
            return Err(Error::OtherDevice { what: "a buffer among the arguments", with: "kernel" });
        }
        Ok(PreparedLaunch { function: self, num_blocks, args, attrs: Vec::new() })
    }

    pub(crate) fn device(&self) -> &Arc<DeviceInner> {
        &self.binary.device
    }

    pub(crate) fn handle(&self) -> FuncHandle {
        self.handle
    }
}

impl Drop for BinaryInner {
    fn drop(&mut self) {
        // SAFETY: functions keep their binary alive and launches borrow their function, so no kernel of it is in use.
        self.device.release("aclrtBinaryUnLoad", self.handle, |api, bin| unsafe {
            result::kernel::unload(api, bin)
        });
    }
}
