//! From code to `Result`: each C function once, its prefix turned into a module, nothing else changed.
//!
//! `aclrtCreateStream` is [`stream::create`]. All functions are `unsafe`, because the order of calls and the life of
//! handles are the caller's; the safe layer takes care of them. Each takes the table it calls through.
#![allow(unsafe_code)] // this layer is the C functions

use crate::sys::{AclApi, AclError};

pub mod device;
pub mod event;
pub mod kernel;
pub mod mem;
pub mod runtime;
pub mod stream;

/// Result of this layer: the bare code.
pub type AclResult<T = ()> = Result<T, AclError>;

/// Runs a call that writes its answer through a pointer.
fn answer<T>(empty: T, call: impl FnOnce(&mut T) -> AclError) -> AclResult<T> {
    let mut value = empty;
    call(&mut value).ok()?;
    Ok(value)
}
