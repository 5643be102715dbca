//! Kernel binaries and their kernels.
//!
//! A binary here is a [`TrKernelModule`]: the table of kernels that toprope links into an executable (handed over by
//! address) or into a kernel-only shared object (from a file or from its bytes in memory), which is found through its
//! exported `tr_kernel_module`. Code for a real AI Core is recognised and refused in words: this machine cannot run it.
//!
//! Kernels are named by name or by entry key: the number behind the last `_` of the name (`gemm_7`), which is how the
//! public runtime reads it from names. Objects loaded from memory are kept by content, so that a program that
//! registers the same bytes at every launch (pyasc does) loads them once.
#![allow(unsafe_code)] // follows the pointers of the kernel table and loads shared objects.

use super::failure::{Answer, Failure, refuse};
use super::handle::HandleTable;
use super::object_file::{self, ELF_MAGIC, MODULE_SYMBOL};
use crate::npu::KernelRef;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::ffi::{CStr, c_char, c_void};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::sync::Arc;
use toprope_abi::acl::{AclError, ExceptionInfo};
use toprope_abi::core_face::{CORE_ABI_VERSION, KernelType, MODULE_MAGIC, TrKernel, TrKernelModule};
use toprope_abi::isa::CoreKind;

/// Largest table of kernels that is believed (a cycle in the list would otherwise hang).
const MAX_KERNELS: usize = 1 << 20;
/// Largest kernel object that is read.
const MAX_OBJECT_BYTES: u64 = 1 << 30;
/// Objects loaded from memory that stay loaded after the last binary is gone.
const KEPT_OBJECTS: usize = 16;

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
    /// Handle given to the program.
    pub handle: u64,
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

    /// The entry key that its name carries.
    pub fn entry_key(&self) -> Option<u64> {
        entry_key(&self.name)
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

/// `void (*)(aclrtExceptionInfo *, void *)`.
pub type OpExceptionFn = unsafe extern "C" fn(*mut ExceptionInfo, *mut c_void);

/// What to call when a kernel of a binary fails: function and its argument.
#[derive(Clone, Copy, Debug)]
pub struct ExceptionHook {
    /// `aclrtOpExceptionCallback`.
    pub callback: OpExceptionFn,
    /// `userData`.
    pub user_data: u64,
}

/// A loaded binary.
#[derive(Debug)]
pub struct Binary {
    /// Handle given to the program.
    pub handle: u64,
    /// Where it came from, for messages.
    pub origin: String,
    /// Loaded with `ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD`.
    pub is_lazy: bool,
    /// `aclrtBinarySetExceptionCallback`.
    pub on_exception: Mutex<Option<ExceptionHook>>,
    module: Module,
    known: Mutex<HashMap<usize, u64>>,
    // Dropped last: unloads the code.
    _code: Option<Arc<Code>>,
}

/// Loaded code.
#[derive(Debug)]
struct Code {
    module: Module,
    // Unloads the code.
    _library: Library,
    // The dynamic linker knows an object from memory as `/proc/self/fd/N`; source lines are read through it.
    _file: Option<File>,
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

const REBUILD: &str = "compile the kernel's source with `toprope` (toprope run, or toprope build for a kernel-only shared object)";

impl Code {
    /// Loads a shared object and finds its kernels.
    fn load(path: &str, file: Option<File>) -> Result<Code, String> {
        // SAFETY: loading runs the object's initialisers; the caller of ACL chose to run this code, as with any library.
        let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
        let library = library.map_err(|e| e.to_string())?;
        type Find = unsafe extern "C" fn() -> *const TrKernelModule;
        // SAFETY: the symbol has this signature (`core_face`).
        let find = unsafe { library.get::<Find>(MODULE_SYMBOL) };
        let find = find
            .map_err(|_| "it exports no tr_kernel_module, so it holds no kernels of toprope".to_string())?;
        // SAFETY: as above; the function takes nothing and returns the address of the table.
        let module = unsafe { find() };
        if module.is_null() || !module.is_aligned() {
            return Err("its tr_kernel_module returns no table".into());
        }
        Ok(Code { module: Module(module), _library: library, _file: file })
    }

    /// Loads an object from its bytes, or finds it loaded.
    fn from_bytes(object: &[u8], digest: [u8; 32]) -> Result<Arc<Code>, String> {
        static LOADED: Mutex<VecDeque<([u8; 32], Arc<Code>)>> = Mutex::new(VecDeque::new());
        // Held while loading: two threads with the same bytes load them once.
        let mut loaded = LOADED.lock();
        if let Some(at) = loaded.iter().position(|(known, _)| *known == digest)
            && let Some(found) = loaded.remove(at)
        {
            let code = found.1.clone();
            loaded.push_front(found);
            return Ok(code);
        }
        let file = in_memory(object).map_err(|e| format!("no room for it in memory: {e}"))?;
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        let code = Arc::new(Code::load(&path, Some(file))?);
        loaded.push_front((digest, code.clone()));
        loaded.truncate(KEPT_OBJECTS);
        Ok(code)
    }
}

/// A file without a name that holds these bytes.
fn in_memory(bytes: &[u8]) -> std::io::Result<File> {
    // SAFETY: the name is NUL-terminated; the call touches nothing else.
    let fd = unsafe { libc::memfd_create(c"toprope-kernels".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // SAFETY: a descriptor that was just made and that nobody else owns.
    let mut file = unsafe { File::from_raw_fd(fd) };
    file.write_all(bytes)?;
    Ok(file)
}

impl Binary {
    fn new(handle: u64, origin: String, module: Module, code: Option<Arc<Code>>) -> Answer<Binary> {
        // SAFETY: not null and aligned (checked by whoever found it); a table of this process.
        check_module(unsafe { &*module.0 })?;
        Ok(Binary {
            handle,
            origin,
            is_lazy: false,
            on_exception: Mutex::default(),
            module,
            known: Mutex::default(),
            _code: code,
        })
    }

    /// A binary from bytes in memory: a [`TrKernelModule`] of this process, or a kernel-only shared object.
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
        if isize::try_from(length).is_err() {
            return Err(no(format!("{length} bytes are more than the address space")));
        }
        // SAFETY: readable for `length` bytes (contract).
        let bytes = unsafe { std::slice::from_raw_parts(data, length) };
        if bytes.starts_with(&ELF_MAGIC) || !bytes.starts_with(&MODULE_MAGIC.to_le_bytes()) {
            let checked = object_file::check(bytes).map_err(no)?;
            let code = Code::from_bytes(checked.object, checked.digest).map_err(no)?;
            return Binary::new(handle, "the kernel object".into(), code.module, Some(code));
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
        Binary::new(handle, "the program".into(), Module(module), None)
    }

    /// A binary from a kernel-only shared object.
    ///
    /// # Errors
    /// 107009 if the file cannot be read; 107000 with what it is.
    pub fn from_file(handle: u64, path: &str) -> Answer<Binary> {
        let unreadable = |e: &dyn std::fmt::Display| {
            Failure::new(AclError::RT_FILE_OPEN, format!("`{path}` cannot be loaded: {e}"))
        };
        let no = |why: String| {
            Failure::new(AclError::RT_PARAM_INVALID, format!("`{path}` cannot be loaded: {why}"))
                .help(REBUILD)
        };
        let file = read_file(path).map_err(|e| unreadable(&e))?;
        object_file::check(&file).map_err(no)?;
        let whole = std::fs::canonicalize(path).map_err(|e| unreadable(&e))?;
        let code = Code::load(&whole.to_string_lossy(), None).map_err(no)?;
        Binary::new(handle, format!("`{path}`"), code.module, Some(Arc::new(code)))
    }

    /// The binary whose table of kernels this object of the process exports, for a kernel function `symbol` in it.
    pub fn of_symbol(handle: u64, symbol: *const c_void) -> Option<Binary> {
        // SAFETY: all zeros is a valid value of this struct of pointers.
        let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
        // SAFETY: `dladdr` only compares the address; `info` is valid for writing.
        if unsafe { libc::dladdr(symbol, &raw mut info) } == 0 || info.dli_fname.is_null() {
            return None;
        }
        // SAFETY: a NUL-terminated name of a loaded object.
        let name = unsafe { CStr::from_ptr(info.dli_fname) };
        // The program itself has no name for the dynamic linker.
        let program = std::fs::read_link("/proc/self/exe").ok();
        let is_program = std::fs::canonicalize(name.to_string_lossy().as_ref()).ok() == program;
        let file = if is_program { std::ptr::null() } else { name.as_ptr() };
        // SAFETY: null or NUL-terminated; an object that is loaded already runs no code again.
        let object = unsafe { libc::dlopen(file, libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        if object.is_null() {
            return None;
        }
        // SAFETY: a handle that was just opened, a NUL-terminated name.
        let find = unsafe { libc::dlsym(object, MODULE_SYMBOL.as_ptr().cast()) };
        if find.is_null() {
            return None;
        }
        // SAFETY: a function of this name has this type (`core_face`). The object stays open: its reference is kept.
        let find: unsafe extern "C" fn() -> *const TrKernelModule = unsafe { std::mem::transmute(find) };
        // SAFETY: as above; it takes nothing and returns the address of the table.
        let module = unsafe { find() };
        if module.is_null() || !module.is_aligned() {
            return None;
        }
        let binary = Binary::new(handle, "the program".into(), Module(module), None).ok()?;
        binary.kernel_at(symbol).map(|_| binary)
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

    /// An address of its code, or of its table if it has no kernels.
    pub fn code_address(&self) -> u64 {
        // SAFETY: a member of the module's list.
        self.kernels().next().map_or(self.module.0 as u64, |k| unsafe { (*k).entry } as u64)
    }

    /// The kernel whose function this is.
    fn kernel_at(&self, entry: *const c_void) -> Option<*const TrKernel> {
        // SAFETY: members of the module's list.
        self.kernels().find(|k| std::ptr::eq(unsafe { (**k).entry }, entry))
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

    /// The kernel with this entry key: the number behind the last `_` of its name.
    ///
    /// # Errors
    /// 107000 with the keys there are.
    pub fn function_by_entry(self: &Arc<Self>, key: u64, functions: &HandleTable<Function>) -> Answer<u64> {
        if let Some(kernel) = self.kernels().find(|k| entry_key(&Self::name_of(*k)) == Some(key)) {
            return self.handle_of(kernel, functions);
        }
        let mut keys: Vec<u64> = self.kernels().filter_map(|k| entry_key(&Self::name_of(k))).collect();
        keys.sort_unstable();
        let text = format!("{} has no kernel with entry key {key}", self.origin);
        let failure = Failure::new(AclError::RT_PARAM_INVALID, text);
        Err(failure.help(match keys.is_empty() {
            true => {
                "no kernel name ends in `_` and a number; use aclrtBinaryGetFunction with the kernel's name"
                    .into()
            }
            false => format!("the names of its kernels give these keys: {keys:?}"),
        }))
    }

    /// The kernel whose function this is, if it is of this binary.
    ///
    /// # Errors
    /// 107000 for a kernel of unknown type.
    pub fn function_at(
        self: &Arc<Self>,
        entry: *const c_void,
        functions: &HandleTable<Function>,
    ) -> Option<Answer<u64>> {
        self.kernel_at(entry).map(|kernel| self.handle_of(kernel, functions))
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
            handle,
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

/// The entry key that a name carries.
fn entry_key(name: &str) -> Option<u64> {
    let name = name.strip_suffix("_mix_aic").or_else(|| name.strip_suffix("_mix_aiv")).unwrap_or(name);
    let digits = name.rsplit_once('_')?.1;
    if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None }
}

fn read_file(path: &str) -> std::io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(std::io::Error::other("it is not a regular file"));
    }
    if meta.len() > MAX_OBJECT_BYTES {
        return Err(std::io::Error::other(format!(
            "it has {} bytes, at most {MAX_OBJECT_BYTES} are read",
            meta.len()
        )));
    }
    let mut bytes = Vec::with_capacity(meta.len() as usize);
    file.take(MAX_OBJECT_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
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
    fn names_carry_entry_keys() {
        assert_eq!(entry_key("gemm_12"), Some(12));
        assert_eq!(entry_key("gemm_12_mix_aic"), Some(12));
        for none in ["gemm", "gemm_", "gemm_x1", "12", "gemm_99999999999999999999999"] {
            assert_eq!(entry_key(none), None, "{none}");
        }
    }

    #[test]
    fn distances_are_edits() {
        assert_eq!(distance("add_custom", "addcustom"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
