//! The CANN runtime on the embedded NPU.
