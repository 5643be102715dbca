//! Kernel binaries and their kernels.
//!
//! A binary here is a [`TrKernelModule`]: the table of kernels that toprope links into an executable (handed over by
//! address) or into a kernel-only shared object (found through its exported `tr_kernel_module`). Code for a real AI
//! Core is recognised and refused in words: this machine cannot run it.
#![allow(unsafe_code)] // follows the pointers of the kernel table and loads shared objects.

use super::failure::{Answer, Failure, refuse};
use super::handle::HandleTable;
use crate::npu::KernelRef;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::ffi::{CStr, c_char};
use std::sync::Arc;
use toprope_abi::acl::AclError;
use toprope_abi::core_face::{CORE_ABI_VERSION, KernelType, MODULE_MAGIC, TrKernel, TrKernelModule};
use toprope_abi::isa::CoreKind;

/// Symbol of a kernel-only shared object.
const MODULE_SYMBOL: &[u8] = b"tr_kernel_module\0";
const ELF_MAGIC: [u8; 4] = *b"\x7fELF";
/// Largest table of kernels that is believed (a cycle in the list would otherwise hang).
const MAX_KERNELS: usize = 1 << 20;

#[cfg(target_arch = "x86_64")]
const HOST_ELF_MACHINE: u16 = 62;
#[cfg(target_arch = "aarch64")]
const HOST_ELF_MACHINE: u16 = 183;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const HOST_ELF_MACHINE: u16 = 0;

/// One parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name, or `argument N`.
    pub name: String,
    /// Place in the argument block, bytes.
    pub offset: usize,
    /// Size, bytes.
    pub size_bytes: usize,
    /// Whether it is a GM address.
    pub is_pointer: bool,
}

/// A kernel of a loaded binary.
#[derive(Debug)]
pub struct Function {
    /// The binary; loaded as long as somebody holds this.
    pub binary: Arc<Binary>,
    /// What the engine runs.
    pub kernel: KernelRef,
    /// Qualified name.
    pub name: String,
    /// Parameters in order.
    pub parameters: Vec<Parameter>,
    /// Size of the argument block, bytes.
    pub args_bytes: usize,
    /// Cores it runs on.
    pub kernel_type: KernelType,
    /// The core kind whose codes its faults use.
    pub main_core: CoreKind,
}

impl Function {
    /// The GM addresses among the arguments.
    pub fn pointers<'a>(&'a self, args: &'a [u64]) -> impl Iterator<Item = u64> + 'a {
        self.parameters.iter().filter(|p| p.is_pointer).filter_map(|p| args.get(p.offset / 8).copied())
    }

    /// `x: address, y: address, length: 4 bytes`.
    pub fn parameter_list(&self) -> String {
        let one = |p: &Parameter| {
            if p.is_pointer {
                format!("{}: address", p.name)
            } else {
                format!("{}: {} bytes", p.name, p.size_bytes)
            }
        };
        self.parameters.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// `AIV`, `AIC` or `MIX`.
    pub fn core_kind_name(&self) -> &'static str {
        match self.kernel_type.cores_per_block() {
            (0, _) => "AIV",
            (_, 0) => "AIC",
            _ => "MIX",
        }
    }
}

/// A loaded binary.
#[derive(Debug)]
pub struct Binary {
    /// Handle given to the program.
    pub handle: u64,
    /// Where it came from, for messages.
    pub origin: String,
    module: Module,
    known: Mutex<HashMap<usize, u64>>,
    // Dropped last: unloads the code.
    _library: Option<Library>,
}

#[derive(Clone, Copy, Debug)]
struct Module(*const TrKernelModule);
// SAFETY: a module's table is only read; it is complete once static initialisation of its code has run.
unsafe impl Send for Module {}
// SAFETY: as above.
unsafe impl Sync for Module {}

fn text(at: *const c_char) -> Option<String> {
    if at.is_null() {
        return None;
    }
    // SAFETY: strings of a kernel table are null or NUL-terminated and live as long as the module (`core_face`).
    Some(unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned())
}

/// What some bytes are that are no kernel table.
fn name_format(bytes: &[u8]) -> String {
    if !bytes.starts_with(&ELF_MAGIC) {
        return "it is no kernel table of toprope and no ELF file".into();
    }
    let machine = bytes.get(18..20).map_or(0, |m| u16::from_le_bytes([m[0], m[1]]));
    if machine == HOST_ELF_MACHINE {
        return "it is a shared object of this machine; give its path to aclrtBinaryLoadFromFile".into();
    }
    format!(
        "it is an ELF file for another processor (machine {machine}), probably code for real AI Cores, which cannot run here"
    )
}

const REBUILD: &str = "compile the kernel's source with `toprope` (toprope run, or toprope build for a kernel-only shared object)";

impl Binary {
    /// A binary from bytes in memory: a [`TrKernelModule`] of this process.
    ///
    /// # Errors
    /// 107000 with what the bytes are.
    ///
    /// # Safety
    /// `data..data + length` is readable; if it is a module, its pointers follow `core_face` and stay valid.
    pub unsafe fn from_data(handle: u64, data: *const u8, length: usize) -> Answer<Binary> {
        let no = |why: String| {
            Failure::new(AclError::RT_PARAM_INVALID, format!("the data cannot be loaded: {why}"))
                .help(REBUILD)
        };
        // SAFETY: readable for `length` bytes (contract).
        let bytes = unsafe { std::slice::from_raw_parts(data, length) };
        if !bytes.starts_with(&MODULE_MAGIC.to_le_bytes()) {
            return Err(no(name_format(bytes)));
        }
        if length < size_of::<TrKernelModule>() {
            return Err(no(format!(
                "it has {length} bytes, a kernel table has {}",
                size_of::<TrKernelModule>()
            )));
        }
        let module = data.cast::<TrKernelModule>();
        // SAFETY: long enough (tested above); an address that is not aligned is read as bytes.
        let head = unsafe { module.read_unaligned() };
        check_module(&head)?;
        if head.pid != std::process::id() || !std::ptr::eq(head.self_address, module) {
            let why = "it is a copy of a kernel table; pass the address of the table itself, in the process that holds it";
            return Err(no(why.into()));
        }
        Ok(Binary {
            handle,
            origin: "the program".into(),
            module: Module(module),
            known: Mutex::default(),
            _library: None,
        })
    }

    /// A binary from a kernel-only shared object.
    ///
    /// # Errors
    /// 107009 if the file cannot be read; 107000 with what it is.
    pub fn from_file(handle: u64, path: &str) -> Answer<Binary> {
        let unreadable = |e: &dyn std::fmt::Display| {
            Failure::new(AclError::RT_FILE_OPEN, format!("`{path}` cannot be loaded: {e}"))
        };
        let no = |why: &dyn std::fmt::Display| {
            Failure::new(AclError::RT_PARAM_INVALID, format!("`{path}` cannot be loaded: {why}"))
                .help(REBUILD)
        };
        let head = read_head(path).map_err(|e| unreadable(&e))?;
        let machine = head.get(18..20).map_or(0, |m| u16::from_le_bytes([m[0], m[1]]));
        if !head.starts_with(&ELF_MAGIC) || machine != HOST_ELF_MACHINE {
            return Err(no(&name_format(&head)));
        }
        let whole = std::fs::canonicalize(path).map_err(|e| unreadable(&e))?;
        // SAFETY: loading runs the object's initialisers; the caller of ACL chose to run this code, as with any library.
        let library = unsafe { Library::open(Some(&whole), RTLD_NOW | RTLD_LOCAL) };
        let library = library.map_err(|e| no(&e))?;
        type Find = unsafe extern "C" fn() -> *const TrKernelModule;
        // SAFETY: the symbol has this signature (`core_face`).
        let find = unsafe { library.get::<Find>(MODULE_SYMBOL) };
        let Ok(find) = find else {
            return Err(no(&"it exports no tr_kernel_module, so it holds no kernels of toprope"));
        };
        // SAFETY: as above; the function takes nothing and returns the address of the table.
        let module = unsafe { find() };
        if module.is_null() || !module.is_aligned() {
            return Err(no(&"its tr_kernel_module returns no table"));
        }
        // SAFETY: not null, aligned, and a table of the loaded object.
        check_module(unsafe { &*module })?;
        Ok(Binary {
            handle,
            origin: format!("`{path}`"),
            module: Module(module),
            known: Mutex::default(),
            _library: Some(library),
        })
    }

    fn kernels(&self) -> impl Iterator<Item = *const TrKernel> {
        // SAFETY: checked when the binary was made; loaded as long as `self`.
        let mut at = unsafe { (*self.module.0).first };
        std::iter::from_fn(move || {
            let kernel = at;
            if kernel.is_null() {
                return None;
            }
            // SAFETY: a member of the module's list.
            at = unsafe { (*kernel).next };
            Some(kernel)
        })
        .take(MAX_KERNELS)
    }

    /// Name of a kernel.
    fn name_of(kernel: *const TrKernel) -> String {
        // SAFETY: `kernels` only yields members of the module's list.
        text(unsafe { (*kernel).name }).unwrap_or_default()
    }

    /// The kernel with this name; the same handle every time.
    ///
    /// # Errors
    /// 107000 with the kernels there are and the nearest name.
    pub fn function(self: &Arc<Self>, name: &str, functions: &HandleTable<Function>) -> Answer<u64> {
        match self.kernels().find(|k| Self::name_of(*k) == name) {
            Some(kernel) => self.handle_of(kernel, functions),
            None => Err(self.no_kernel(name)),
        }
    }

    fn no_kernel(&self, name: &str) -> Failure {
        let names: Vec<String> = self.kernels().map(Self::name_of).collect();
        let text = format!("{} has no kernel `{name}`", self.origin);
        let failure = Failure::new(AclError::RT_PARAM_INVALID, text);
        if names.is_empty() {
            return failure.help("it has no kernels at all: mark a kernel with `__global__ __aicore__`");
        }
        let nearest = names
            .iter()
            .min_by_key(|n| distance(n, name))
            .filter(|n| distance(n, name) <= 1 + name.len() / 3);
        let guess = nearest.map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
        let shown = names.iter().take(20).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        let more = if names.len() > 20 { format!(" and {} more", names.len() - 20) } else { String::new() };
        failure.help(format!("it has {shown}{more}{guess}"))
    }

    fn handle_of(
        self: &Arc<Self>,
        kernel: *const TrKernel,
        functions: &HandleTable<Function>,
    ) -> Answer<u64> {
        let mut known = self.known.lock();
        if let Some(handle) = known.get(&(kernel as usize)) {
            return Ok(*handle);
        }
        let name = Self::name_of(kernel);
        // SAFETY: a member of the module's list.
        let row = unsafe { &*kernel };
        let Some(kernel_type) = KernelType::from_code(row.kernel_type) else {
            let text = format!("kernel `{name}` has the unknown kernel type {}", row.kernel_type);
            return refuse(AclError::RT_PARAM_INVALID, text);
        };
        let handle = functions.reserve();
        let function = Function {
            binary: self.clone(),
            // SAFETY: table and kernel follow `core_face`; `binary` keeps them loaded as long as this function or a
            // launch that holds it.
            kernel: unsafe { KernelRef::new(self.module.0, kernel) },
            name,
            parameters: parameters_of(row),
            args_bytes: row.args_bytes as usize,
            kernel_type,
            main_core: kernel_type.main_core(),
        };
        functions.insert(handle, Arc::new(function));
        known.insert(kernel as usize, handle);
        Ok(handle)
    }
}

fn read_head(path: &str) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let file = std::fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::other("it is not a regular file"));
    }
    let mut head = Vec::new();
    file.take(64).read_to_end(&mut head)?;
    Ok(head)
}

fn check_module(module: &TrKernelModule) -> Answer {
    let wanted = (MODULE_MAGIC, CORE_ABI_VERSION, size_of::<TrKernelModule>() as u32);
    let found = (module.magic, module.abi_version, module.struct_bytes);
    if found == wanted {
        return Ok(());
    }
    let text = format!(
        "the kernels were built for version {} of toprope's kernel interface, this runtime has version {CORE_ABI_VERSION}",
        module.abi_version
    );
    Err(Failure::new(AclError::RT_PARAM_INVALID, text).help("build the kernels again with this toprope"))
}

fn parameters_of(kernel: &TrKernel) -> Vec<Parameter> {
    if kernel.params.is_null() {
        return Vec::new();
    }
    // SAFETY: `params` holds `param_count` entries (`core_face`).
    let rows = unsafe { std::slice::from_raw_parts(kernel.params, kernel.param_count as usize) };
    let mut offset = 0;
    rows.iter()
        .enumerate()
        .map(|(index, row)| {
            let name =
                text(row.name).filter(|n| !n.is_empty()).unwrap_or_else(|| format!("argument {index}"));
            let size_bytes = row.size_bytes as usize;
            let here = Parameter { name, offset, size_bytes, is_pointer: row.is_pointer != 0 };
            offset += size_bytes.next_multiple_of(8);
            here
        })
        .collect()
}

/// Edit distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let keep = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = keep.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_named() {
        let mut elf = vec![0u8; 64];
        elf[..4].copy_from_slice(&ELF_MAGIC);
        elf[18..20].copy_from_slice(&0x1029u16.to_le_bytes());
        assert!(name_format(&elf).contains("machine 4137), probably code for real AI Cores"));
        assert!(name_format(b"hello").contains("no ELF file"));
        assert_eq!(distance("add_custom", "addcustom"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
