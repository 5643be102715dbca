//! The table of function pointers, and the same rows as data.
//!
//! `unsafe` is allowed here for one thing: turning the address of a loaded symbol into a function pointer.

#![allow(unsafe_code)]

use super::header::Header;
use super::sig::*;
use crate::layout::{CType, CTyped};
use core::ffi::CStr;
use core::fmt;

/// How early a program needs a function; T0 is what almost every program calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// The 24 functions that nine of ten programs get by with.
    T0,
    /// Asynchronous copies, events, queries, helpers.
    T1,
    /// Loading and launching kernels by handle.
    T2,
    /// The rest of what one process needs: callbacks, notifies, exceptions, limits.
    T3,
    /// Graphs and labels.
    T4,
    /// Sharing between processes.
    T5,
    /// Everything else.
    T6,
}

impl Tier {
    /// All tiers, in order.
    pub const ALL: [Tier; 7] = [Tier::T0, Tier::T1, Tier::T2, Tier::T3, Tier::T4, Tier::T5, Tier::T6];
}

/// One parameter of a C function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Name in the header.
    pub name: &'static str,
    /// Type in C.
    pub ty: CType,
}

/// One function of the ABI as data. Displays as its C prototype without the final semicolon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AclFn {
    /// Symbol.
    pub name: &'static str,
    /// Chapter of the vendor's API reference.
    pub group: &'static str,
    /// How early programs need it.
    pub tier: Tier,
    /// The header that declares it.
    pub header: Header,
    /// Result type in C.
    pub ret: CType,
    /// Parameters in order.
    pub params: &'static [Param],
    /// What it does.
    pub doc: &'static str,
}

impl fmt::Display for AclFn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}(", self.ret, self.name)?;
        if self.params.is_empty() {
            f.write_str("void")?;
        }
        for (i, p) in self.params.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{}", p.ty.declare(p.name))?;
        }
        f.write_str(")")
    }
}

/// What a function that is not there answers.
pub trait NotSupported {
    /// `ACL_ERROR_RT_FEATURE_NOT_SUPPORT` (207000) for a result code; null or zero for a plain value.
    const ANSWER: Self;
}

impl NotSupported for AclError {
    const ANSWER: Self = AclError::RT_FEATURE_NOT_SUPPORT;
}
impl<T> NotSupported for *mut T {
    const ANSWER: Self = core::ptr::null_mut();
}
impl<T> NotSupported for *const T {
    const ANSWER: Self = core::ptr::null();
}
impl NotSupported for AllocatorDesc {
    const ANSWER: Self = AllocatorDesc::NULL;
}
impl NotSupported for Binary {
    const ANSWER: Self = Binary::NULL;
}
impl NotSupported for Float16 {
    const ANSWER: Self = Float16(0);
}
macro_rules! zero_answers {
    ($($ty:ty = $zero:literal)*) => { $(impl NotSupported for $ty { const ANSWER: Self = $zero; })* };
}
zero_answers! { f32 = 0.0 u32 = 0 usize = 0 }

/// The name in C of an argument whose name is a word of Rust.
const fn c_name(name: &'static str) -> &'static str {
    match name.split_at_checked(2) {
        Some((start, rest)) if matches!(start.as_bytes(), b"r#") => rest,
        _ => name,
    }
}

macro_rules! define_api {
    ($(
        $(#[doc = $doc:literal])+
        $tier:ident $group:literal $header:ident fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;
    )*) => {
        /// The runtime as a table of C functions, one field per symbol.
        ///
        /// The embedded runtime fills one; a CANN installation is loaded into one; `host` calls through one.
        /// Fill what you have and take the rest from [`AclApi::NOT_SUPPORTED`].
        ///
        /// # Safety
        ///
        /// Each field is an `unsafe extern "C"` function with the contract that the CANN documentation gives to the
        /// symbol of the same name: pointers valid for the stated sizes, handles alive.
        #[allow(non_snake_case, reason = "a field has the name of its C symbol")]
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct AclApi {
            $( $(#[doc = $doc])+ pub $name: unsafe extern "C" fn($($arg: $ty),*) -> $ret, )*
        }

        impl AclApi {
            /// Every function answers that it is not supported, see [`NotSupported`].
            pub const NOT_SUPPORTED: AclApi = AclApi {
                $( $name: {
                    #[allow(unused_variables, non_snake_case, reason = "generated from the table")]
                    extern "C" fn answer($($arg: $ty),*) -> $ret {
                        <$ret as NotSupported>::ANSWER
                    }
                    answer
                }, )*
            };

            /// Fills a table by asking `find` for the address of every symbol; what it does not find stays
            /// [`NOT_SUPPORTED`](Self::NOT_SUPPORTED) and is handed to `missing`.
            ///
            /// # Safety
            ///
            /// - Every address that `find` returns is a function with the C signature of that name in this table.
            /// - It stays loaded as long as the table or a copy of it is used.
            pub unsafe fn load(
                mut find: impl FnMut(&'static CStr) -> Option<core::ptr::NonNull<c_void>>,
                mut missing: impl FnMut(&'static str),
            ) -> AclApi {
                let mut api = Self::NOT_SUPPORTED;
                $(
                    const _: () = assert!(size_of::<unsafe extern "C" fn($($ty),*) -> $ret>() == size_of::<usize>());
                    // The name has no inner zero, so this is the whole of it.
                    const _: () = assert!(CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()).is_ok());
                    match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()).ok().and_then(&mut find) {
                        // SAFETY: the caller promises that this address is a function of this type.
                        Some(at) => api.$name = unsafe {
                            core::mem::transmute::<*mut c_void, unsafe extern "C" fn($($ty),*) -> $ret>(at.as_ptr())
                        },
                        None => missing(stringify!($name)),
                    }
                )*
                api
            }
        }

        impl fmt::Debug for AclApi {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct("AclApi").finish_non_exhaustive()
            }
        }

        /// All functions of the table as data, in the order of [`AclApi`].
        pub static FUNCTIONS: &[AclFn] = &[$(AclFn {
            name: stringify!($name),
            group: $group,
            tier: Tier::$tier,
            header: Header::$header,
            ret: <$ret as CTyped>::C,
            params: &[$(Param { name: c_name(stringify!($arg)), ty: <$ty as CTyped>::C }),*],
            doc: concat!($($doc, "\n"),+),
        },)*];
    };
}

crate::for_each_acl_fn!(define_api);
