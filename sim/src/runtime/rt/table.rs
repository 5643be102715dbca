//! The table of C functions, made from the rows of [`toprope_abi::for_each_rt_fn`].
#![allow(unsafe_code)] // `extern "C"` functions with raw pointers; naked functions that jump to them.

use super::super::api::CResult;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::super::site::call_entry;
use toprope_abi::rt::RtApi;
use toprope_abi::rt::sig::*;

/// The Rust functions, found by name.
mod rust {
    pub use super::super::ascendc::*;
    pub use super::super::device::*;
    pub use super::super::kernel::*;
    pub use super::super::prof::*;
}

macro_rules! define_table {
    ($(
        $(#[doc = $doc:literal])+
        $library:ident fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;
    )*) => {
        /// What the functions of the table jump to.
        mod inner {
            use super::*;
            $(
                #[allow(non_snake_case, reason = "the names are those of the C symbols and headers")]
                pub unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
                    <$ret as CResult<_>>::run(stringify!($name), || {
                        // SAFETY: the C caller keeps the contract of the function of this name, which `RtApi` states.
                        unsafe { rust::$name($($arg),*) }
                    })
                }
            )*
        }

        $(
            // Notes where it is called from, see `site`.
            #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
            #[allow(non_snake_case, reason = "the names are those of the C symbols and headers")]
            #[unsafe(naked)]
            unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
                call_entry!(inner::$name)
            }
        )*
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        use inner::*;

        /// What [`rt_api`] gives, as a place that assembly can name.
        pub static RT_API: RtApi = RtApi { $($name),* };
    };
}

toprope_abi::for_each_rt_fn!(define_table);

/// The `rt*`, `Msprof*` and Ascend C start-up functions as a table.
pub fn rt_api() -> &'static RtApi {
    &RT_API
}
