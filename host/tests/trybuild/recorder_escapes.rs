//! A recorder cannot be kept: work put in later would not be part of the graph.
use toprope_host::{CaptureMode, Recorder, Result, Stream};

fn main() {}

fn f(stream: &Stream) -> Result<()> {
    let mut kept: Option<&Recorder> = None;
    stream
        .capture(CaptureMode::Global, |r| {
            kept = Some(r);
            Ok(())
        })
        .map(drop)
}
