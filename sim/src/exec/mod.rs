//! What instructions do to bytes.
