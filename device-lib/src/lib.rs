//! What a kernel links: TPipe, TQue, TQueBind, TBuf and TBufPool.
//!
//! The library does the bookkeeping of a kernel's buffers and event ids and asks for flags through hooks. It does not
//! compute on data. `no_std`, no allocation, no panic.
//!
//! ```text
//! include/*.h (Ascend C names) ──▶ capi (tr_*, C ABI) ─┐
//! face (TPipe, TQue<…> in Rust) ───────────────────────┴─▶ fwk (rules, on the state structs of toprope-abi) ──▶ hooks
//! ```
//!
//! NpuArch 2201 (vector and cube core) and 2002. What differs is data: `toprope_abi::fwk::target`.
#![no_std]
// A stand-alone static library must not call memset or memcpy: the AI Core has neither.
#![cfg_attr(feature = "staticlib", no_builtins)]

#[cfg(feature = "capi")]
pub mod capi;
pub mod extern_hooks;
pub mod face;
pub mod fwk;
pub mod hooks;

/// The release library contains no call that could panic (a guard test proves it); the language wants a handler.
#[cfg(feature = "staticlib")]
#[panic_handler]
fn never(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
