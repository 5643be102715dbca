//! Without the check of the arguments a launch is a promise of the caller.
use toprope_host::{Function, Result, launch_args};

fn main() {}

fn f(kernel: &Function) -> Result<()> {
    kernel.prepare_unchecked(1, launch_args![]).map(drop)
}
