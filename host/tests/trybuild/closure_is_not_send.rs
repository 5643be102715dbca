//! The stream calls the function on another thread.
use std::rc::Rc;
use toprope_host::{Result, Stream};

fn main() {}

fn f(stream: &Stream) -> Result<()> {
    let shared = Rc::new(1);
    stream.launch_host_func(move || println!("{shared}"))
}
