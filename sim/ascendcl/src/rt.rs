//! The exports of the `rt*`, `Msprof*` and Ascend C start-up functions.
#![allow(unsafe_code)] // exports C symbols.

use toprope_abi::rt::RtApi;
use toprope_abi::rt::sig::*;
use toprope_sim::runtime::RT_API;

macro_rules! export {
    ($(
        $(#[doc = $doc:literal])+
        $library:ident fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;
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
                jump!(RT_API, RtApi, $name)
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
                unsafe { (RT_API.$name)($($arg),*) }
            }
        )*
    };
}

toprope_abi::for_each_rt_fn!(export);
