//! The stream may be calling the function right now: what it changes is seen when the scope has ended.
use toprope_host::{Result, Stream};

fn main() {}

fn f(stream: &Stream) -> Result<()> {
    let mut calls = 0;
    stream.scope(|s| {
        s.launch_host_func(|| calls += 1)?;
        println!("{calls}");
        Ok(())
    })
}
