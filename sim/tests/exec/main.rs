//! Instruction semantics against a naive reference.
//!
//! The reference ([`reference`]) is written from the public description with per-element loops on f64, i128 and
//! tables of all values, so simple that it is unlikely to be wrong. Every row of the instruction table is
//! compared over masks, strides, repeats, both mask modes, special values, and the footprints the decoder
//! reports are compared byte by byte with what the reference touches.
//!
//! Unsafe room: runs instructions on memory that the test owns.
#![allow(unsafe_code)]

mod compare;
mod compound;
mod copies;
mod coverage;
mod cube;
mod exhaustive;
mod faults;
mod gather;
mod load;
mod machine;
mod overlap;
mod rearrange;
mod reduce;
mod reference;
mod vector;
