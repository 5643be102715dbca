//! What the host, the device library and the embedded NPU agree on.
//!
//! `no_std`, plain data only: the CANN runtime table ([`acl`]), the framework state ([`fwk`]), the
//! instruction table ([`isa`]), the face of a core towards a kernel ([`core_face`]) and tiling structs
//! ([`tiling`]). Each contract is defined here once; enums, C headers, dispatch and documentation follow from it.
//! Generated C headers are committed under `include/`; `tests/abi` fails when they drift.
#![no_std]

pub mod acl;
pub mod core_face;
pub mod fwk;
pub mod host_tiling;
pub mod isa;
pub mod layout;
pub mod rt;
pub mod seal;
pub mod tiling;
