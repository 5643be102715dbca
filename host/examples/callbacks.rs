//! Functions of the program that a stream calls in its order: closures that borrow, send, and fail safely.
//!
//! ```text
//! cargo run --release -p toprope-host --example callbacks
//! ```

use std::sync::mpsc::channel;
use toprope_host::{Backend, Error, Runtime};

const PIECES: usize = 4;
const ELEMENTS: usize = 1 << 16;

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let runtime = Runtime::new(Backend::from_env())?;
    let device = runtime.device(0)?;
    let stream = device.create_stream()?;
    let there = device.alloc::<u8>(ELEMENTS)?;

    // 1. Inside a scope a closure may borrow: here it counts into a local, between two copies.  aclrtLaunchHostFunc
    let mut pieces =
        (0..PIECES).map(|_| device.host_buffer::<u8>(ELEMENTS)).collect::<Result<Vec<_>, _>>()?;
    let mut arrived = 0;
    let counter = std::sync::Mutex::new(&mut arrived);
    stream.scope(|s| {
        for (number, piece) in pieces.iter_mut().enumerate() {
            s.fill_bytes(&there, number as u8 + 1)?;
            s.copy_to_host(piece, &there)?;
            s.launch_host_func(|| **counter.lock().unwrap() += 1)?;
        }
        Ok(())
    })?;
    let right = pieces.iter().enumerate().all(|(number, piece)| piece.iter().all(|&x| x == number as u8 + 1));
    println!("{arrived} pieces arrived, each {}", if right { "right" } else { "WRONG" });

    // 2. Without a scope it owns what it uses. The stream is the order: the numbers come in theirs.
    let (sender, receiver) = channel();
    for number in 0..3 {
        let sender = sender.clone();
        stream.launch_host_func(move || sender.send(number).unwrap())?;
    }
    drop(sender);
    let order: Vec<i32> = receiver.iter().collect();
    println!("called in the order {order:?}");

    // 3. A panic does not reach C. It is the error of the next synchronisation, and later work runs.
    std::panic::set_hook(Box::new(|_| ())); // it is told below; no need for a backtrace here
    stream.launch_host_func(|| panic!("the disk is full"))?;
    let error = stream.synchronize().expect_err("the panic comes out here");
    println!("error: {error}");
    let is_panic = matches!(error, Error::HostFunctionPanicked { .. });

    // 4. Inside a function the stream stands still, so the runtime refuses to be called.
    let (sender, receiver) = channel();
    let inner = device.clone();
    stream.launch_host_func(move || sender.send(inner.alloc::<u8>(1).map(drop)).unwrap())?;
    stream.synchronize()?;
    let refused = receiver.recv()?;
    println!("error: {}", refused.as_ref().expect_err("refused"));

    if right && arrived == PIECES && order == [0, 1, 2] && is_panic {
        Ok(())
    } else {
        Err("something is missing".into())
    }
}
