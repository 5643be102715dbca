//! The runtime through its C functions. Tests are named after the rules of the runtime's documentation
//! (`rule_NN_…`: init 1–6, devices 7–14, contexts 15–16, streams 17–26, events 27–34, memory 40–50, errors 51–56,
//! kernels 57–64); bad input is in `bad_input`.

#![allow(unsafe_code)] // every call of a C function is unsafe; `acl!` says why it is sound.

#[macro_use]
mod support;

mod abort;
mod attributes;
mod bad_input;
mod builtin;
mod callback;
mod children;
mod device;
mod errors;
mod event;
mod graph;
mod graph_build;
mod graph_cond;
mod graph_order;
mod graph_tasks;
mod init;
mod ipc;
mod ipc_physical;
mod ipc_sync;
mod kernel;
mod kernel_args;
mod mem_copy;
mod mem_device;
mod mem_findings;
mod mem_host;
mod mem_managed;
mod mem_misc;
mod mem_pools;
mod mem_virtual;
mod memory;
mod misc;
mod multi_process;
mod notify;
mod order;
mod overflow;
mod rt;
mod speed;
mod stream;
mod stream_order;
