//! The face of a core towards a kernel, and the table of kernels a module carries.
//!
//! The engine hands a [`TrCore`] to the module that holds the kernel by calling the module's `set_core`
//! before every entry or resumption of a block; the module keeps it in a thread-local that `tr_core()`
//! reads. Everything a kernel asks of the hardware goes through the function pointers of that struct.
//!
//! **Local memories** lie in one region per core, aligned to [`REGION_BYTES`]: a memory starts at
//! `region + (space << SPACE_SHIFT)` with `space` = [`crate::isa::Space`]. So space and offset follow
//! from an address. Bytes beyond a memory's size inside its slot are not mapped.
//!
//! Arguments of a kernel lie in one block, each starting at a multiple of 8 bytes; a struct passed by
//! value takes its size rounded up to 8.

use crate::isa::CoreKind;
use core::ffi::{c_char, c_void};
use core::fmt::{self, Write};

/// Version of the structs in this module. A module built against another version is refused.
pub const CORE_ABI_VERSION: u32 = 1;
/// Size and alignment of a core's local-memory region.
pub const REGION_BYTES: u64 = 8 << 20;
/// `region + (space << SPACE_SHIFT)` is the start of a memory.
pub const SPACE_SHIFT: u32 = 20;
/// Added to the number of a register in [`TrCore::read_spr`]: the API reads what its own instruction has just left there, to hand it out.
/// Kernels cannot put a flag between the two, so none is missed.
pub const SPR_OWN: u32 = 1 << 8;
/// First word of a [`TrKernelModule`]: "TRKM" in memory order.
pub const MODULE_MAGIC: u32 = u32::from_le_bytes(*b"TRKM");

macro_rules! refusals {
    ($($variant:ident = $value:literal, $name:literal, $text:literal;)*) => {
        /// Why kernel-side code (headers, device-lib) refuses to go on; argument of [`TrCore::refuse`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum Refusal { $(#[doc = $text] $variant = $value,)* }

        /// Every refusal with the name used in the C header and what it means.
        pub static REFUSALS: &[(Refusal, &str, &str)] = &[$((Refusal::$variant, $name, $text),)*];
    };
}

refusals! {
    FieldRange = 1, "FIELD_RANGE", "a configuration field is out of range: detail = field id, asked, limit";
    Unsupported = 2, "UNSUPPORTED", "an API, data type or form that is not modelled: text names it";
    Assert = 3, "ASSERT", "an assertion of the kernel failed: text is the condition";
    Framework = 4, "FRAMEWORK", "TPipe, TQue, TBuf or TBufPool misuse: detail = framework error code + address of the object << 16";
    RoundedDown = 5, "ROUNDED_DOWN", "a byte count that is not a multiple of 32 would be rounded down: detail = bits of an element (0: bytes are given), asked bytes, moved bytes; not fatal";
    Misaligned = 6, "MISALIGNED", "an address or size is not aligned: asked, required alignment";
    Capacity = 7, "CAPACITY", "buffers do not fit their memory: detail = memory, asked bytes, limit bytes";
    OutOfRange = 8, "OUT_OF_RANGE", "an index or count is outside its tensor: asked, limit; text names the access";
    WrongCore = 9, "WRONG_CORE", "an API that this kind of core does not have: text names it";
    Trap = 10, "TRAP", "the kernel called Trap()";
    NoSuchForm = 11, "NO_SUCH_FORM", "a form of an API that this hardware does not have (known at run time only): text names it";
    ApiMisuse = 12, "API_MISUSE", "a library used against its rules: text is what was done, a line feed, what to do; asked and limit where it counts something";
}

macro_rules! annotations {
    ($($variant:ident = $value:literal, $name:literal, $text:literal;)*) => {
        /// What an annotation tells; argument of [`TrCore::annotate`]. Annotations never change results.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum Annotation { $(#[doc = $text] $variant = $value,)* }

        /// Every annotation with the name used in the C header and its operands.
        pub static ANNOTATIONS: &[(Annotation, &str, &str)] = &[$((Annotation::$variant, $name, $text),)*];
    };
}

annotations! {
    Buffer = 1, "BUFFER", "InitBuffer reserved memory: a = space, b = offset bytes, c = bytes, d = owner address";
    ResetBuffers = 2, "RESET_BUFFERS", "all buffers of the pipe are gone";
    GmTensor = 3, "GM_TENSOR", "SetGlobalBuffer: a = address, b = bytes (0: unknown), c = 0 or the address of two words of the kernel's: they get the first byte and the length of the block of device memory that holds a, if it is known";
    LocalTensor = 4, "LOCAL_TENSOR", "a tensor made from an offset in its memory: a = space, b = offset bytes, c = bytes, d = 1 if TPipe gave it out (GetAbsAddr, PopStackBuffer), 2 if an API uses its reserved part of UB";
    PollBegin = 5, "POLL_BEGIN", "a look at GM begins, in a loop that waits for another core";
    PollAgain = 6, "POLL_AGAIN", "the look was in vain: a = address; other cores may run, and the look takes no time";
    PollEnd = 7, "POLL_END", "the look found a word to be d at b addresses, a and on in steps of c bytes";
    PollEndAtLeast = 8, "POLL_END_AT_LEAST", "as POLL_END, the word is d or more";
    Signal = 9, "SIGNAL", "a word that other cores look for is written and is d now: b addresses, a and on in steps of c bytes";
    SignalAdd = 10, "SIGNAL_ADD", "as SIGNAL, d is added to the word";
    Reserved = 11, "RESERVED", "InitBuffer or InitBufPool gave memory: a = space + kind << 8 (0 queue, 1 TBuf, 2 pool, +16 at places the kernel named) + source position << 16 + destination position << 24 + buffers << 32, b = offset bytes of the first, c = bytes of one, d = address of the queue, TBuf or pool";
    QueueOp = 12, "QUEUE_OP", "a queue operation was done: a = space + operation << 8 (0 AllocTensor, 1 EnQue, 2 DeQue, 3 FreeTensor) + event of EnQue << 16, b = offset bytes, c = bytes, d = address of the queue";
    Pipe = 13, "PIPE", "a TPipe begins (a = 0), is reset (1) or destroyed (2): b = its address";
    PoolReset = 14, "POOL_RESET", "a TBufPool gave its memory up: a = its address, b = space, c = offset bytes, d = bytes";
    GmStray = 15, "GM_STRAY", "a GlobalTensor was moved out of its block of device memory: a = address, b = address before";
    RawPointer = 40, "RAW_POINTER", "GetPhyAddr was called: a = address, b = bytes behind it, which the kernel may write unseen";
    SyncAll = 20, "SYNC_ALL", "SyncAll with flags begins (a = 1) or ends (a = 0)";
}

macro_rules! scalar_accesses {
    ($($variant:ident = $value:literal, $name:literal, $text:literal;)*) => {
        /// A scalar access; last argument of [`TrCore::scalar_access`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u32)]
        pub enum ScalarAccess { $(#[doc = $text] $variant = $value,)* }

        /// Every scalar access with the name used in the C header.
        pub static SCALAR_ACCESSES: &[(ScalarAccess, &str, &str)] = &[$((ScalarAccess::$variant, $name, $text),)*];
    };
}

scalar_accesses! {
    Load = 0, "LOAD", "GetValue; GM through the data cache";
    Store = 1, "STORE", "SetValue; GM through the data cache";
    LoadUncached = 2, "LOAD_UNCACHED", "GM around the data cache";
    StoreUncached = 3, "STORE_UNCACHED", "GM around the data cache";
    Dump = 4, "DUMP", "a debugging interface reads any memory; takes no time";
}

/// What a kernel sees of its core. Filled by the engine, read-only for the kernel.
#[derive(Debug)]
#[repr(C)]
pub struct TrCore {
    /// [`CORE_ABI_VERSION`].
    pub abi_version: u32,
    /// [`CoreKind`] as a number: 1 AIC, 2 AIV.
    pub kind: u32,
    /// Launch block this core works for (the same on both AIVs of a 1:2 kernel).
    pub block_idx: u32,
    /// Number of blocks of the launch.
    pub block_num: u32,
    /// Sub-block index inside the AI Core (0 unless 1:2).
    pub sub_block_idx: u32,
    /// AIV sub-blocks per AI Core of this launch (1 or 2).
    pub sub_block_num: u32,
    /// 1 while checks are on; headers may skip their own checks when 0.
    pub checked: u32,
    /// Reserved, 0.
    pub reserved: u32,
    /// Base of the local-memory region.
    pub region: u64,
    /// Return address of the instruction being issued; written by the engine's entry code.
    pub pc: u64,
    /// The engine's own data.
    pub engine: *mut c_void,
    /// Issues instruction `op` (index into [`crate::isa::OPS`]).
    pub issue: unsafe extern "C" fn(*mut TrCore, u32, u64, u64, u64, u64),
    /// Reads special register `spr` ([`crate::isa::Spr`], with [`SPR_OWN`] or without).
    pub read_spr: unsafe extern "C" fn(*mut TrCore, u32) -> u64,
    /// Announces a scalar access of `bytes` at `addr`, of a kind of [`ScalarAccess`].
    /// The access itself is the kernel's; the call does not return if it is not legal.
    pub scalar_access: unsafe extern "C" fn(*mut TrCore, u64, u32, u32),
    /// Reports [`Refusal`] `why`; does not return unless the refusal is not fatal.
    /// `text` may be null, else a NUL-terminated string.
    pub refuse: unsafe extern "C" fn(*mut TrCore, u32, *const c_char, u64, u64, u64),
    /// Appends `bytes` of text to the output of this core (device printf).
    pub print: unsafe extern "C" fn(*mut TrCore, *const c_char, u64),
    /// Tells the engine about buffers and tensors ([`Annotation`]); `text` as in `refuse`.
    pub annotate: unsafe extern "C" fn(*mut TrCore, u32, *const c_char, u64, u64, u64, u64),
    /// Address in the kernel of the framework call in progress (TPipe, TQue, …), or 0. Written by the
    /// headers around calls of `device-lib`, whose hooks issue instructions from compiled library code:
    /// while it is not 0 a message shows the source line of `api_pc` instead of `pc`.
    pub api_pc: u64,
    /// Room for the kernel side (current TPipe and the like). When a block starts the engine writes zeros, and the address
    /// of the system workspace, if a parameter is one, into the last word.
    pub kernel_side: [u64; 8],
}

/// Cores a kernel runs on; the value of [`TrKernel::kernel_type`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
#[doc(alias("KERNEL_TYPE_AIV_ONLY", "KERNEL_TYPE_AIC_ONLY", "KERNEL_TYPE_MIX_AIC_1_2"))]
pub enum KernelType {
    /// No qualifier: runs as `AivOnly`.
    Auto = 0,
    /// `__vector__`.
    AivOnly = 1,
    /// `__cube__`.
    AicOnly = 2,
    /// `__mix__(0, 1)`.
    MixAiv1_0 = 3,
    /// `__mix__(1, 0)`.
    MixAic1_0 = 4,
    /// `__mix__(1, 1)`.
    MixAic1_1 = 5,
    /// `__mix__(1, 2)`.
    MixAic1_2 = 6,
}

/// Every kernel type with its C name.
pub const KERNEL_TYPES: [(KernelType, &str); 7] = [
    (KernelType::Auto, "AUTO"),
    (KernelType::AivOnly, "AIV_ONLY"),
    (KernelType::AicOnly, "AIC_ONLY"),
    (KernelType::MixAiv1_0, "MIX_AIV_1_0"),
    (KernelType::MixAic1_0, "MIX_AIC_1_0"),
    (KernelType::MixAic1_1, "MIX_AIC_1_1"),
    (KernelType::MixAic1_2, "MIX_AIC_1_2"),
];

impl KernelType {
    /// The kernel type with this number, if there is one.
    pub fn from_code(code: u32) -> Option<KernelType> {
        KERNEL_TYPES.get(code as usize).map(|t| t.0)
    }

    /// AIC and AIV cores per block.
    pub fn cores_per_block(self) -> (u32, u32) {
        match self {
            KernelType::Auto | KernelType::AivOnly | KernelType::MixAiv1_0 => (0, 1),
            KernelType::AicOnly | KernelType::MixAic1_0 => (1, 0),
            KernelType::MixAic1_1 => (1, 1),
            KernelType::MixAic1_2 => (1, 2),
        }
    }

    /// The core kind whose error codes a fault of this kernel uses.
    pub fn main_core(self) -> CoreKind {
        if self.cores_per_block().0 > 0 { CoreKind::Aic } else { CoreKind::Aiv }
    }
}

/// One parameter of a kernel.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TrParam {
    /// Size in bytes before rounding up to 8.
    pub size_bytes: u32,
    /// 1 if the parameter is a pointer (GM address), 2 if it is the system workspace (`__kfc_workspace__`), else 0.
    pub is_pointer: u32,
    /// Parameter name, NUL-terminated, or null.
    pub name: *const c_char,
}

/// One kernel of a module. Lives as long as its module.
#[derive(Debug)]
#[repr(C)]
pub struct TrKernel {
    /// Next kernel of the module, or null.
    pub next: *const TrKernel,
    /// Qualified name, NUL-terminated.
    pub name: *const c_char,
    /// Source file, NUL-terminated, or null.
    pub file: *const c_char,
    /// Line of the definition in `file`.
    pub line: u32,
    /// [`KernelType`] as a number.
    pub kernel_type: u32,
    /// The kernel function, only ever passed to `invoke`.
    pub entry: *const c_void,
    /// Calls `entry` with the arguments in the block `args` (layout: see module).
    pub invoke: unsafe extern "C" fn(entry: *const c_void, args: *const c_void),
    /// `param_count` parameters, or null.
    pub params: *const TrParam,
    /// Number of parameters.
    pub param_count: u32,
    /// Size of the argument block in bytes.
    pub args_bytes: u32,
}

/// The kernels of an executable or shared object. A kernel-only shared object exports a function
/// `const TrKernelModule *tr_kernel_module(void)`; an executable passes the address of this struct (and
/// its size) to `aclrtBinaryLoadFromData`.
#[derive(Debug)]
#[repr(C)]
pub struct TrKernelModule {
    /// [`MODULE_MAGIC`].
    pub magic: u32,
    /// [`CORE_ABI_VERSION`].
    pub abi_version: u32,
    /// `size_of::<TrKernelModule>()`.
    pub struct_bytes: u32,
    /// Process that made the struct; pointers are only followed in that process.
    pub pid: u32,
    /// Address of this struct itself, so that a copy (data read from a file) is recognised.
    pub self_address: *const TrKernelModule,
    /// First kernel, or null.
    pub first: *const TrKernel,
    /// Stores the core for the calling thread; called before every entry or resumption of a block, and with null when
    /// the thread leaves it.
    pub set_core: unsafe extern "C" fn(*mut TrCore),
}

/// Name, size and fields (name, offset) of one shared struct.
pub type StructLayout = (&'static str, usize, &'static [(&'static str, usize)]);

macro_rules! layout_of {
    ($t:ident: $($field:ident),* $(,)?) => {
        (stringify!($t), core::mem::size_of::<$t>(), &[$((stringify!($field), core::mem::offset_of!($t, $field))),*])
    };
}

/// Layout of every struct of this module, for the C comparison in `tests/abi`.
pub static LAYOUTS: &[StructLayout] = &[
    layout_of!(TrCore: abi_version, kind, block_idx, block_num, sub_block_idx, sub_block_num, checked, reserved,
        region, pc, engine, issue, read_spr, scalar_access, refuse, print, annotate, api_pc, kernel_side),
    layout_of!(TrParam: size_bytes, is_pointer, name),
    layout_of!(TrKernel: next, name, file, line, kernel_type, entry, invoke, params, param_count, args_bytes),
    layout_of!(TrKernelModule: magic, abi_version, struct_bytes, pid, self_address, first, set_core),
];

static_assertions::const_assert_eq!(core::mem::size_of::<TrCore>(), 176);
static_assertions::const_assert_eq!(core::mem::offset_of!(TrCore, pc), 40);
static_assertions::const_assert_eq!(core::mem::size_of::<TrParam>(), 16);
static_assertions::const_assert_eq!(core::mem::size_of::<TrKernel>(), 64);
static_assertions::const_assert_eq!(core::mem::size_of::<TrKernelModule>(), 40);

/// Writes `include/toprope/core.h`.
///
/// # Errors
/// Only those of `out`.
pub fn write_header(out: &mut dyn Write) -> fmt::Result {
    out.write_str(
        "/* The face of a core towards a kernel. Generated from abi/src/core_face.rs; do not edit. */\n\
         #ifndef TOPROPE_CORE_H\n#define TOPROPE_CORE_H\n\n#include <stdint.h>\n\n\
         #ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
    )?;
    writeln!(out, "#define TR_CORE_ABI_VERSION {CORE_ABI_VERSION}u")?;
    writeln!(out, "#define TR_REGION_BYTES {REGION_BYTES}ull")?;
    writeln!(out, "#define TR_SPACE_SHIFT {SPACE_SHIFT}u")?;
    writeln!(out, "#define TR_SPR_OWN {SPR_OWN}u")?;
    writeln!(out, "#define TR_MODULE_MAGIC {MODULE_MAGIC:#x}u")?;
    writeln!(out, "#define TR_CORE_AIC {}u", CoreKind::Aic as u32)?;
    writeln!(out, "#define TR_CORE_AIV {}u\n", CoreKind::Aiv as u32)?;
    for (why, name, text) in REFUSALS {
        writeln!(out, "#define TR_REFUSE_{name} {}u /* {text} */", *why as u32)?;
    }
    out.write_char('\n')?;
    for (what, name, text) in ANNOTATIONS {
        writeln!(out, "#define TR_NOTE_{name} {}u /* {text} */", *what as u32)?;
    }
    out.write_char('\n')?;
    for (what, name, text) in SCALAR_ACCESSES {
        writeln!(out, "#define TR_SCALAR_{name} {}u /* {text} */", *what as u32)?;
    }
    out.write_char('\n')?;
    for (kind, name) in KERNEL_TYPES {
        writeln!(out, "#define TR_KERNEL_{name} {}u", kind as u32)?;
    }
    out.write_str(STRUCTS)
}

/// The C spelling of the structs above; `tests/abi` compares sizes and offsets.
const STRUCTS: &str = r#"
typedef struct TrCore {
  uint32_t abi_version;
  uint32_t kind;
  uint32_t block_idx;
  uint32_t block_num;
  uint32_t sub_block_idx;
  uint32_t sub_block_num;
  uint32_t checked;
  uint32_t reserved;
  uint64_t region;
  uint64_t pc;
  void *engine;
  void (*issue)(struct TrCore *core, uint32_t op, uint64_t x0, uint64_t x1, uint64_t x2, uint64_t x3);
  uint64_t (*read_spr)(struct TrCore *core, uint32_t spr);
  void (*scalar_access)(struct TrCore *core, uint64_t addr, uint32_t bytes, uint32_t what);
  void (*refuse)(struct TrCore *core, uint32_t why, const char *text, uint64_t detail, uint64_t asked, uint64_t limit);
  void (*print)(struct TrCore *core, const char *text, uint64_t bytes);
  void (*annotate)(struct TrCore *core, uint32_t what, const char *text, uint64_t a, uint64_t b, uint64_t c, uint64_t d);
  uint64_t api_pc;
  uint64_t kernel_side[8];
} TrCore;

typedef struct TrParam {
  uint32_t size_bytes;
  uint32_t is_pointer;
  const char *name;
} TrParam;

typedef struct TrKernel {
  const struct TrKernel *next;
  const char *name;
  const char *file;
  uint32_t line;
  uint32_t kernel_type;
  const void *entry;
  void (*invoke)(const void *entry, const void *args);
  const TrParam *params;
  uint32_t param_count;
  uint32_t args_bytes;
} TrKernel;

typedef struct TrKernelModule {
  uint32_t magic;
  uint32_t abi_version;
  uint32_t struct_bytes;
  uint32_t pid;
  const struct TrKernelModule *self_address;
  const TrKernel *first;
  void (*set_core)(TrCore *core);
} TrKernelModule;

#ifdef __cplusplus
}
#endif

#endif
"#;
