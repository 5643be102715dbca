//! From code to `Result`: each C function once, its prefix turned into a module, nothing else changed.
//!
//! `aclrtCreateStream` is [`stream::create`]. All functions are `unsafe`, because the order of calls and the life of
//! handles are the caller's; the safe layer takes care of them. Each takes the table it calls through. What a C function
//! writes through a pointer is a result here, unless the pointer is an array or is also read.
#![allow(unsafe_code)] // this layer is the C functions
#![allow(clippy::too_many_arguments)] // theirs

use crate::sys::{AclApi, AclError};

/// Functions that do nothing but call the C function named on the right.
///
/// `fn name(arguments) -> (outputs) = aclName(arguments and outputs in C's order);`
macro_rules! calls {
    ($( $(#[doc = $doc:literal])+ fn $name:ident($($arg:ident: $ty:ty),*) $(-> ($($out:ident: $oty:ty),+))? $(=> $ret:ty)? = $c:ident($($pass:expr),*); )*) => { $(
        #[doc = concat!("`", stringify!($c), "`.")]
        ///
        $(#[doc = $doc])+
        ///
        /// # Safety
        /// - As the documentation of the C function asks: handles are alive, pointers valid for what is behind them, and
        ///   the context of a stream among the arguments is current in this thread.
        pub unsafe fn $name(api: &$crate::sys::AclApi, $($arg: $ty),*) -> $crate::result::calls!(@result $(($($oty),+))? $(=> $ret)?) {
            $crate::result::calls!(@body api $c ($($pass),*) $(($($out: $oty),+))? $(=> $ret)?)
        }
    )* };
    (@result) => { $crate::result::AclResult };
    (@result ($oty:ty)) => { $crate::result::AclResult<$oty> };
    (@result ($($oty:ty),+)) => { $crate::result::AclResult<($($oty),+)> };
    (@result => $ret:ty) => { $ret };
    (@body $api:ident $c:ident ($($pass:expr),*)) => {
        // SAFETY: promised by the caller.
        unsafe { ($api.$c)($($pass),*) }.ok()
    };
    (@body $api:ident $c:ident ($($pass:expr),*) ($($out:ident: $oty:ty),+)) => {{
        // SAFETY: all are C types (numbers, handles, nullable pointers, structs of those), for which zeros are a value.
        $(let mut $out: $oty = unsafe { std::mem::zeroed() };)+
        {
            $(let $out = &raw mut $out;)+
            // SAFETY: promised by the caller; the outputs are live values to write to.
            unsafe { ($api.$c)($($pass),*) }.ok()?;
        }
        Ok(($($out),+))
    }};
    (@body $api:ident $c:ident ($($pass:expr),*) => $ret:ty) => {
        // SAFETY: promised by the caller.
        unsafe { ($api.$c)($($pass),*) }
    };
}
use calls;

pub mod allocator;
pub mod cmo;
pub mod cnt_notify;
pub mod config;
pub mod context;
pub mod copy;
pub mod device;
pub mod dump;
pub mod event;
pub mod exception;
pub mod execution;
pub mod graph;
pub mod group;
pub mod host_mem;
pub mod ipc_mem;
pub mod kernel;
pub mod label;
pub mod launch;
pub mod managed;
pub mod mbuf;
pub mod mem;
pub mod mem_pool;
pub mod misc;
pub mod notify;
pub mod runtime;
pub mod snapshot;
pub mod stream;
pub mod symbol;
pub mod value;
pub mod vmm;

/// Result of this layer: the bare code.
pub type AclResult<T = ()> = Result<T, AclError>;

/// Runs a call that writes its answer through a pointer.
fn answer<T>(empty: T, call: impl FnOnce(&mut T) -> AclError) -> AclResult<T> {
    let mut value = empty;
    call(&mut value).ok()?;
    Ok(value)
}
