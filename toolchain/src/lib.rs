//! The `toprope` command and what it is made of.
//!
//! | module | does |
//! |---|---|
//! | [`launch`] | rewrites kernel qualifiers and `<<<…>>>` in preprocessed text |
//! | [`compile`] | sources to an executable or a kernel-only shared object, cached |
//! | [`error`] | what can go wrong |

pub mod compile;
pub mod error;
pub mod launch;
