//! Placeholder, filled in by its owner.
#![no_std]
