//! Streams and `async`: work that owns its buffers is awaited; the executor sleeps until a stream wakes it.
//!
//! ```text
//! cargo run --release -p toprope-host --features async --example async
//! ```
//!
//! Any executor will do. This one is twenty lines: it polls a list of tasks and parks its thread while nothing is ready.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Wake};
use std::thread::Thread;
use std::time::{Duration, Instant};
use toprope_host::{Backend, Device, Result, Runtime, Stream};

const TASKS: usize = 8;
const ROUNDS: u8 = 5;
const ELEMENTS: usize = 1 << 14;
/// How long the work of a round takes at least.
const STEP: Duration = Duration::from_millis(2);

/// One task: in every round its buffers go into the work of a stream and come back with the result.
async fn work(device: &Device, stream: &Stream, number: usize) -> Result<usize> {
    let mut buffers = (device.alloc::<u8>(ELEMENTS)?, device.host_buffer::<u8>(ELEMENTS)?);
    let mut right = 0;
    for round in 0..ROUNDS {
        let value = number as u8 * 16 + round;
        // Dropping this future instead of awaiting it would be fine: the buffers would be freed behind the work.
        let submitted = stream.submit(buffers, move |s, (there, here)| {
            s.fill_bytes(&*there, value)?;
            s.launch_host_func(|| std::thread::sleep(STEP))?; // stands for a long kernel
            s.copy_to_host(here, &*there)
        });
        buffers = submitted.await?;
        right += usize::from(buffers.1.iter().all(|&x| x == value));
    }
    Ok(right)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let runtime = Runtime::new(Backend::from_env())?;
    let device = runtime.device(0)?;
    let streams = (0..TASKS).map(|_| device.create_stream()).collect::<Result<Vec<_>>>()?;
    let tasks = streams.iter().enumerate().map(|(number, stream)| work(&device, stream, number)).collect();
    let clock = Instant::now();
    let (results, polls) = run_all(tasks);
    let took = clock.elapsed();
    let right: usize = results.into_iter().sum::<Result<usize>>()?;
    let rounds = TASKS * usize::from(ROUNDS);
    println!("{TASKS} tasks on one thread, {right} of {rounds} rounds right, {polls} polls");
    println!("{took:.1?} for {:.1?} of work: the streams work side by side", STEP * rounds as u32);
    if right == rounds { Ok(()) } else { Err("a round is wrong".into()) }
}

/// Runs all futures in this thread; also says how often it looked at them.
fn run_all<F: Future>(futures: Vec<F>) -> (Vec<F::Output>, u32) {
    struct Unpark(Thread, AtomicU32);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.unpark();
        }
    }
    let unpark = Arc::new(Unpark(std::thread::current(), AtomicU32::new(0)));
    let waker = Arc::clone(&unpark).into();
    let mut context = Context::from_waker(&waker);
    let mut futures: Vec<Pin<Box<F>>> = futures.into_iter().map(Box::pin).collect();
    let (mut results, mut polls) = (Vec::new(), 0);
    while !futures.is_empty() {
        futures.retain_mut(|future| {
            polls += 1;
            let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) else { return true };
            results.push(value);
            false
        });
        if !futures.is_empty() {
            std::thread::park();
        }
    }
    (results, polls)
}
