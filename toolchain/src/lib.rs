//! The `toprope` command and what it is made of.
//!
//! | module | does |
//! |---|---|
//! | [`launch`] | rewrites kernel qualifiers and `<<<…>>>` in preprocessed text |
//! | [`compile`] | sources to an executable or a kernel-only shared object, cached |
//! | [`cc`] | the same with the command line of g++, for build systems |
//! | [`run`], [`report`], [`summary`] | runs a program, reads what the runtime reports, sums it up |
//! | [`check`] | what was found, with suppressions, as text, JSON lines and SARIF |
//! | [`prefix`], [`env`](mod@env) | a folder shaped like a CANN installation, and the shell text that makes it the one in use |
//! | [`doctor`], [`explain`] | what the machine has; what a code means |
//! | [`cli`], `observe` | the command line; its commands `run` and `check` |
//! | [`names`] | names of the public basic API, and those a compiler did not find |
//! | [`error`] | what can go wrong |
//!
//! Tests and benches use the library: `Toolchain::find()?.build(&Request::new(["add.asc"]).kernel_only())?.path`.

pub mod cc;
pub mod check;
pub mod cli;
pub mod compile;
pub mod doctor;
pub mod env;
pub mod error;
pub mod explain;
pub mod launch;
pub mod lower;
pub mod names;
mod observe;
pub mod prefix;
pub mod report;
pub mod run;
pub mod summary;
