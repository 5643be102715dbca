//! The runtime under load: very many tasks, streams and threads, and ends at the worst moment. Nothing here is timed.

#![allow(unsafe_code)] // every call of a C function is unsafe; `acl!` says why it is sound.
#![allow(dead_code, unused_macros)] // the helpers are those of the other test program.

#[macro_use]
#[path = "../runtime/support.rs"]
mod support;

mod ends;
mod many;
mod memory;

#[global_allocator]
static COUNTING: memory::Counting = memory::Counting;
