//! A graph calls its functions in every run, so they cannot give away what they own.
use std::sync::mpsc::Sender;
use toprope_host::{CaptureMode, Result, Stream};

fn main() {}

fn f(stream: &Stream, sender: Sender<Vec<u8>>) -> Result<()> {
    let message = vec![1, 2, 3];
    stream.capture(CaptureMode::Global, |r| r.launch_host_func(move || sender.send(message).unwrap())).map(drop)
}
