//! The stream calls the function before the scope ends, but not before the scope's closure does.
use toprope_host::{Result, Stream};

fn main() {}

fn f(stream: &Stream) -> Result<()> {
    stream.scope(|s| {
        let mut calls = 0;
        s.launch_host_func(|| calls += 1)
    })
}
