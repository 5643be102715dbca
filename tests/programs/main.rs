//! Real kernels and host programs through the real `toprope` command.
//!
//! | module | proves |
//! |---|---|
//! | [`kernels`] | every program in `kernels/ascendc` runs, matches its reference and gets a summary, with every compiler found |
//! | [`launch`] | the launch syntax: templates, namespaces, pointers, macros, overloads, kernel-only objects loaded by a host program |
//! | [`loader`] | kernel objects in memory, damaged, truncated, foreign: loaded if whole, else refused in words |
//! | [`sources`] | bad input: what is said, where it points, the exit code |
//! | [`caching`] | nothing is compiled twice, parallel runs do not disturb each other |
//! | [`headers`] | the Ascend C headers: every API form against a naive loop; what does not exist does not compile, with its name |
//! | [`support_list`] | `docs/ascendc-support.md` is what the headers have |
//! | [`checked`] | `toprope check`: forms, exit codes, suppressions, limits, programs that are built |
//! | [`faults`] | kernels that do wrong: findings, codes and exit code |
//!
//! Compiled programs are cached below cargo's target directory; a changed header, kernel or compiler compiles anew.

mod caching;
mod checked;
mod deadlocks;
mod faults;
mod headers;
mod kernels;
mod launch;
mod loader;
mod sources;
mod support;
mod support_list;
