//! `libascendcl.so`: the functions of the embedded CANN runtime as C symbols.
//!
//! | symbols | rows | implemented in |
//! |---|---|---|
//! | `acl*` | [`toprope_abi::for_each_acl_fn`] | [`toprope_sim::runtime::api`] |
//! | `rt*`, `Msprof*`, start-up code of Ascend C | [`toprope_abi::for_each_rt_fn`] | [`toprope_sim::runtime::rt_api`] |
//! | `tr_tiling_*`, `tr_platform_find`: behind the inline classes of `tiling/*.h` | [`toprope_tiling`] |
//! | `aclAppLog` (variable arguments), two C++ functions | the modules of this crate | [`toprope_sim::runtime`] |
//!
//! Each export jumps, in the literal sense, through a table, which is where behaviour, error handling and the catching of panics are.
//! Not part of CANN: `toprope_runtime_version` tells toprope's own library from a real one and which kernel interface it speaks;
//! `toprope_report_write` brings the report up to date for a program that reads it while it runs.
//!
//! **One object, many names.** A process must have one runtime, whichever of `libascendcl.so`, `libacl_rt.so`,
//! `libruntime.so`, `libruntime_camodel.so`, `libmsprofiler.so`, `libprofapi.so` and `libascend_dump.so` it names. So
//! this one object carries all their symbols, and the other names are links (symbolic or hard) to it: the dynamic
//! linker compares device and inode and loads it once. A *copy* of the file under another name would be a second
//! runtime in the process; install links. Loading the object has no effect: everything begins with the first call, so
//! it may be preloaded into any program.
#![allow(unsafe_code)] // exports C symbols.

/// Body of an export: jumps to the entry of `$table`, so that the entry sees the program's call and not one of this library's.
#[cfg(target_arch = "x86_64")]
macro_rules! jump {
    ($table:path, $rows:ty, $name:ident) => {
        std::arch::naked_asm!(
            "mov rax, qword ptr [rip + {table} + {offset}]",
            "jmp rax",
            table = sym $table,
            offset = const std::mem::offset_of!($rows, $name),
        )
    };
}

/// Body of an export: jumps to the entry of `$table`, so that the entry sees the program's call and not one of this library's.
#[cfg(target_arch = "aarch64")]
macro_rules! jump {
    ($table:path, $rows:ty, $name:ident) => {
        std::arch::naked_asm!(
            "adrp x16, {table} + {offset}",
            "ldr x16, [x16, :lo12:{table} + {offset}]",
            "br x16",
            table = sym $table,
            offset = const std::mem::offset_of!($rows, $name),
        )
    };
}

mod app_log;
mod cxx;
mod rt;
mod tiling;

use toprope_abi::acl::AclApi;
use toprope_abi::acl::sig::*;
use toprope_sim::runtime::ACL_API;

macro_rules! export {
    ($(
        $(#[doc = $doc:literal])+
        $tier:ident $group:literal $header:ident fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;
    )*) => {
        $(
            $(#[doc = $doc])+
            ///
            /// # Safety
            /// - Pointers are valid for the sizes stated, handles come from this library.
            #[allow(non_snake_case, reason = "the names are those of the C symbols and headers")]
            #[unsafe(no_mangle)]
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            #[unsafe(naked)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
                jump!(ACL_API, AclApi, $name)
            }
            $(#[doc = $doc])+
            ///
            /// # Safety
            /// - Pointers are valid for the sizes stated, handles come from this library.
            #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
            #[allow(non_snake_case, reason = "the names are those of the C symbols and headers")]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
                // SAFETY: the caller keeps the contract of the C function, which is that of the table's entry.
                unsafe { (ACL_API.$name)($($arg),*) }
            }
        )*
    };
}

toprope_abi::for_each_acl_fn!(export);

/// Name and version of this library and the version of the kernel interface, NUL-terminated.
///
/// ```
/// let text = std::ffi::CStr::from_bytes_with_nul(ascendcl::VERSION.as_bytes()).unwrap();
/// assert!(text.to_str().unwrap().starts_with("toprope "));
/// ```
pub const VERSION: &str = concat!("toprope ", env!("CARGO_PKG_VERSION"), " core-abi 1\0");
const _: () = assert!(toprope_abi::core_face::CORE_ABI_VERSION == 1, "VERSION names the kernel interface");

/// [`VERSION`] as a C string. A library without this symbol is not toprope's.
#[unsafe(no_mangle)]
pub extern "C" fn toprope_runtime_version() -> *const std::ffi::c_char {
    VERSION.as_ptr().cast()
}

/// Writes the report (`TOPROPE_REPORT`) with everything that is known now; before the first call of the runtime there is nothing to write. 0; -1 if
/// the runtime began without a report, so that there will be none.
///
/// New findings are written by themselves, but not each at once, and one that is made again only counts.
#[unsafe(no_mangle)]
pub extern "C" fn toprope_report_write() -> std::ffi::c_int {
    // A panic is ours and must not reach the C caller; the report is what it was.
    let written = std::panic::catch_unwind(toprope_sim::runtime::write_report);
    if written.unwrap_or(true) { 0 } else { -1 }
}
