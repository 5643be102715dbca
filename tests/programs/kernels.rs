//! Filled in when the runtime is there.
