//! Gives `libascendcl.so` its soname: a program linked against the file under any of the names of a CANN installation asks the loader for
//! this one, and a process that meets the library again under another path gets the instance it has.

fn main() {
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libascendcl.so");
    println!("cargo::rerun-if-changed=build.rs");
}
