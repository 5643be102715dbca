//! What both sides agree on, proven: our headers are what the tables say, C and bindgen see the same sizes, offsets and
//! values as Rust, and every prototype is the public one.

mod bindgen_view;
mod c_view;
mod drift;
mod facts;
mod signatures;
mod support_table;
