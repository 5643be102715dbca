//! The table of C functions, made from the rows of [`toprope_abi::for_each_acl_fn`].
//!
//! To add a function: add its row in `abi`, then a function of the same name in a module beside this one; a row without
//! a function does not compile.
#![allow(unsafe_code)] // `extern "C"` functions with raw pointers; naked functions that jump to them.

use super::super::failure::{Answer, guarded};
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use super::super::site::call_entry;
use toprope_abi::acl::sig::*;
use toprope_abi::acl::{AclApi, NotSupported};

/// The Rust functions, found by name.
pub(in crate::runtime) mod rust {
    pub use super::super::allocator::*;
    pub use super::super::args::*;
    pub use super::super::callback::*;
    pub use super::super::cmo::*;
    pub use super::super::config::*;
    pub use super::super::context::*;
    pub use super::super::copy::*;
    pub use super::super::device::*;
    pub use super::super::dump::*;
    pub use super::super::event::*;
    pub use super::super::exception::*;
    pub use super::super::graph::*;
    pub use super::super::group::*;
    pub use super::super::init::*;
    pub use super::super::ipc::*;
    pub use super::super::kernel::*;
    pub use super::super::label::*;
    pub use super::super::launch::*;
    pub use super::super::managed::*;
    pub use super::super::mbuf::*;
    pub use super::super::mem_pool::*;
    pub use super::super::memory::*;
    pub use super::super::misc::*;
    pub use super::super::notify::*;
    pub use super::super::snapshot::*;
    pub use super::super::stream::*;
    pub use super::super::symbol::*;
    pub use super::super::value::*;
    pub use super::super::vmm::*;
}

/// How the result of a C function is made of what the Rust function returns.
pub trait CResult<Body> {
    /// Runs the Rust function; nothing may unwind out.
    fn run(name: &'static str, body: impl FnOnce() -> Body) -> Self;
}

impl CResult<Answer> for AclError {
    fn run(name: &'static str, body: impl FnOnce() -> Answer) -> AclError {
        super::super::snapshot::pass(name);
        guarded(name, body)
    }
}

/// A function whose result is a code, but no failure of its own.
impl CResult<AclError> for AclError {
    fn run(name: &'static str, body: impl FnOnce() -> AclError) -> AclError {
        let mut result = AclError::SUCCESS;
        let outcome = guarded(name, || {
            result = body();
            Ok(())
        });
        if outcome.is_success() { result } else { outcome }
    }
}

/// Plain results: no failure to keep, a panic gives the value of a function that is not there.
fn plain<T: NotSupported>(name: &'static str, body: impl FnOnce() -> T) -> T {
    let mut result = T::ANSWER;
    let _ = guarded(name, || {
        result = body();
        Ok(())
    });
    result
}

macro_rules! plain_results {
    ($($ty:ty)*) => { $(impl CResult<$ty> for $ty {
        fn run(name: &'static str, body: impl FnOnce() -> $ty) -> $ty {
            plain(name, body)
        }
    })* };
}
impl CResult<()> for () {
    fn run(name: &'static str, body: impl FnOnce()) {
        plain(name, body)
    }
}
plain_results! { f32 u32 u64 i32 bool usize Float16 AllocatorDesc Binary *mut DataBuffer *mut GroupInfo *mut StreamConfig *mut c_void *const CChar }

macro_rules! define_table {
    ($(
        $(#[doc = $doc:literal])+
        $tier:ident $group:literal $header:ident fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty;
    )*) => {
        /// What the functions of the table jump to.
        mod inner {
            use super::*;
            $(
                #[allow(non_snake_case, reason = "the names are those of the C symbols and headers")]
                pub unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
                    <$ret as CResult<_>>::run(stringify!($name), || {
                        // SAFETY: the C caller keeps the contract of the function of this name, which `AclApi` states.
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

        /// What [`api`] gives, as a place that assembly can name.
        pub static ACL_API: AclApi = AclApi { $($name),* };
    };
}

toprope_abi::for_each_acl_fn!(define_table);

/// The embedded runtime as a table of C functions.
pub fn api() -> &'static AclApi {
    &ACL_API
}

/// The functions that answer 207000 (or a null or zero result) because they are not supported, with the reason.
pub fn not_supported() -> impl Iterator<Item = (&'static str, &'static str)> {
    let groups: &[&[(&str, &str)]] = &[
        super::allocator::NOT_SUPPORTED,
        super::callback::NOT_SUPPORTED,
        super::cmo::NOT_SUPPORTED,
        super::copy::NOT_SUPPORTED,
        super::dump::NOT_SUPPORTED,
        super::event::NOT_SUPPORTED,
        super::exception::NOT_SUPPORTED,
        super::graph::NOT_SUPPORTED,
        super::group::NOT_SUPPORTED,
        super::ipc::NOT_SUPPORTED,
        super::launch::NOT_SUPPORTED,
        super::label::NOT_SUPPORTED,
        super::managed::NOT_SUPPORTED,
        super::mem_pool::NOT_SUPPORTED,
        super::memory::NOT_SUPPORTED,
        super::misc::NOT_SUPPORTED,
        super::notify::NOT_SUPPORTED,
        super::stream::NOT_SUPPORTED,
        super::symbol::NOT_SUPPORTED,
        super::value::NOT_SUPPORTED,
        super::vmm::NOT_SUPPORTED,
    ];
    groups.iter().copied().flatten().copied()
}
