//! A launch uses the kernel until the stream has passed it, so the kernel has to live longer than the scope's closure.
use toprope_host::{Binary, Result, Stream, launch_args};

fn main() {}

fn f(binary: &Binary, stream: &Stream) -> Result<()> {
    stream.scope(|s| {
        let kernel = binary.function("k")?;
        s.launch(kernel.prepare(1, launch_args![])?)
    })
}
