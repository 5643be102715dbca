//! A scope cannot be kept: work put in later would not be waited for.
use toprope_host::{Result, Scope, Stream};

fn main() {}

fn f(stream: &Stream) -> Result<()> {
    let mut kept: Option<&Scope> = None;
    stream.scope(|s| {
        kept = Some(s);
        Ok(())
    })
}
