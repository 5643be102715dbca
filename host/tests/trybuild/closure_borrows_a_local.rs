//! The stream may call the function long after this function has returned, so it cannot borrow from it.
use toprope_host::{Result, Stream};

fn main() {}

fn f(stream: &Stream) -> Result<()> {
    let mut calls = 0;
    stream.launch_host_func(|| calls += 1)
}
