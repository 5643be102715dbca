//! Device memory.
