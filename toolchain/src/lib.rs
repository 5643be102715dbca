//! The `toprope` command and what it is made of.
//!
//! | module | does |
//! |---|---|
//! | [`launch`] | rewrites kernel qualifiers and `<<<…>>>` in preprocessed text |

pub mod launch;
