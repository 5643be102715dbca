//! The engine, driven by kernels written in Rust: no C++ compiler, no framework, no runtime.
//!
//! `golden/*.txt` hold the findings as a user reads them (`TOPROPE_BLESS=1` rewrites them); each case that must report has
//! a twin that must stay silent.
#![allow(missing_docs)]

mod bench;
mod cores;
mod faults;
mod gm_order;
mod gm_property;
mod harness;
mod hints;
#[path = "toprope-include/kernel.rs"]
mod kernel;
mod lines;
mod order;
mod order_property;
mod order_races;
mod ownership;
mod recipes;
mod registers;
mod seeds;
mod survive;
mod system;
mod taint;
mod timing;
