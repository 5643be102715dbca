//! Random programs over the whole table of C functions: null, destroyed, foreign and wild handles, sizes of 0, over the
//! room and over the address space, wrong order, several threads. A program must not crash, hang or meet a bug of
//! toprope; every answer is a documented code.
//!
//! Each program is a number (the seed) and runs in a process of its own. What follows from the C contract is kept: a
//! pointer to a result points to enough memory, a text ends, a struct's pointers are null or valid, memory is not freed
//! while another thread copies through it. Everything else is random.
//!
//! ```text
//! FUZZ_SEEDS=1000..2000 cargo test -p toprope-sim --test fuzz                # more programs
//! FUZZ_SEED=17 cargo test -p toprope-sim --test fuzz -- --ignored child      # one program, its calls on stderr
//! ```

#![allow(unsafe_code)] // every call of a C function is unsafe; `values` keeps the contract.
#![allow(dead_code, unused_macros)] // the helpers are those of the other test program.

#[macro_use]
#[path = "../runtime/support.rs"]
mod support;

mod calls;
mod programs;
mod values;
