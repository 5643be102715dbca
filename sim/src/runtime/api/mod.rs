//! The functions of the C ABI, one Rust function each, and the table made of them.
//!
//! A function here takes the C arguments and returns [`Answer`]; [`table`] wraps it: failures are kept for
//! `aclGetRecentErrMsg`, panics become 500000. Each checks its pointers itself; sizes behind pointers are the caller's
//! promise, as in C.
#![allow(unsafe_code)] // writes through pointers that C programs pass in.

/// Functions that answer 207000 with a reason: `name(types of the arguments) = "reason";`, with `-> type` for a plain result.
macro_rules! not_supported {
    ($($name:ident($($ty:ty),*) $(-> $ret:ty)? = $why:literal;)*) => {
        mod unsupported {
            #[allow(unused_imports, reason = "not every group needs one")]
            use toprope_abi::acl::sig::*;
            $(not_supported!(@one $name [$($ty),*] [$($ret)?] $why);)*
        }
        #[allow(unused_imports, reason = "a group may have none")]
        pub use unsupported::*;

        /// The functions of this group that are not supported, with the reason.
        pub const NOT_SUPPORTED: &[(&str, &str)] = &[$((stringify!($name), $why)),*];
    };
    (@one $name:ident [$($ty:ty),*] [] $why:literal) => {
        #[allow(clippy::too_many_arguments, reason = "as many as the C function has")]
        pub unsafe fn $name($(_: $ty),*) -> $crate::runtime::failure::Answer {
            $crate::runtime::api::refuse_unsupported(stringify!($name), $why)
        }
    };
    (@one $name:ident [$($ty:ty),*] [$ret:ty] $why:literal) => {
        pub unsafe fn $name($(_: $ty),*) -> $ret {
            <$ret as toprope_abi::acl::NotSupported>::ANSWER
        }
    };
}

mod allocator;
mod args;
mod callback;
mod cmo;
mod config;
mod context;
mod copy;
mod device;
mod dump;
mod event;
mod exception;
mod graph;
mod group;
mod init;
mod ipc;
mod kernel;
mod label;
mod launch;
mod managed;
mod mbuf;
mod mem_pool;
mod memory;
mod misc;
mod notify;
mod snapshot;
mod stream;
mod symbol;
mod table;
mod value;
mod vmm;

pub(super) use launch::{host_bytes, launch};
pub use table::{ACL_API, api, not_supported};
pub(super) use table::{CResult, rust};

use super::failure::{Answer, Failure, invalid};
use std::ffi::CStr;
use toprope_abi::acl::AclError;
use toprope_abi::layout::CChar;

/// Writes a result through a pointer argument.
///
/// # Errors
/// 100000 if it is null.
///
/// # Safety
/// `at` is null or valid for writing a `T`.
pub(super) unsafe fn give<T>(name: &str, at: *mut T, value: T) -> Answer {
    check_out(name, at)?;
    // SAFETY: not null (checked), valid for writing (contract); C may pass any alignment.
    unsafe { at.write_unaligned(value) };
    Ok(())
}

/// Checks a pointer argument for null before work is done.
pub(super) fn check_out<T>(name: &str, at: *const T) -> Answer {
    if at.is_null() { invalid(format!("`{name}` is null")) } else { Ok(()) }
}

/// Most entries of an array that are believed; a larger number was never meant as a count.
const MAX_ENTRIES: usize = 1 << 20;

/// An array argument that holds at least one entry.
///
/// # Errors
/// 100000 if it is null; 107000 for a count that cannot be, or an address that is not aligned.
///
/// # Safety
/// `first` is null or points to `count` elements that live as long as the result.
unsafe fn array<'a, T>(name: &str, first: *const T, count: usize) -> Answer<&'a [T]> {
    check_out(name, first)?;
    if count == 0 || count > MAX_ENTRIES || !first.is_aligned() {
        let text = format!(
            "`{name}` is {first:p} with {count} entries; it must be aligned to {} bytes and have 1 to {MAX_ENTRIES}",
            align_of::<T>()
        );
        return Err(Failure::new(AclError::RT_PARAM_INVALID, text));
    }
    // SAFETY: not null, aligned (checked) and `count` long (contract).
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// A text argument.
///
/// # Errors
/// 100000 if it is null.
///
/// # Safety
/// `at` is null or a NUL-terminated string that lives as long as the result.
pub(super) unsafe fn text<'a>(name: &str, at: *const CChar) -> Answer<std::borrow::Cow<'a, str>> {
    check_out(name, at)?;
    // SAFETY: not null (checked), NUL-terminated (contract).
    Ok(unsafe { CStr::from_ptr(at.cast()) }.to_string_lossy())
}

/// Copies a text into an array of C characters, cut to its size, always terminated.
///
/// # Safety
/// `at` is valid for writing `room` characters; `room` is at least 1.
pub(super) unsafe fn give_text(at: *mut CChar, room: usize, text: &str) {
    let length = text.len().min(room - 1);
    // SAFETY: `length` is below `room` (contract), and a string does not overlap the caller's array.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), at.cast::<u8>(), length) };
    // SAFETY: `length` < `room`, so this is inside the array.
    let end = unsafe { at.cast::<u8>().add(length) };
    // SAFETY: as above.
    unsafe { end.write(0) };
}

/// The answer of a function that is there by name only.
fn refuse_unsupported(name: &str, why: &str) -> Answer {
    Err(Failure::new(AclError::RT_FEATURE_NOT_SUPPORT, format!("{name} is not supported by toprope: {why}"))
        .help("docs/acl-support.md lists what is supported"))
}
