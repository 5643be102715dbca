//! Placeholder, filled in by its owner.

mod version;
