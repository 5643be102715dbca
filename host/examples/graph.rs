//! A graph: many small steps recorded once, put into a stream by one call in every round.
//!
//! ```text
//! cargo run --release -p toprope-host --example graph
//! ```
//!
//! Each round copies a table to the device, works on it in many small steps and copies it back. The host calls once per
//! step, or once per round with a graph. Needs no kernel, so it also runs where there is no compiler.

use std::time::{Duration, Instant};
use toprope_host::{Backend, CaptureMode, DeviceBuffer, HostBuffer, Result, Runtime, Stream};

const ELEMENTS: usize = 256;
const STEPS: usize = 100;
const ROUNDS: u32 = 200;

/// Time of all rounds: until the host had put everything in, and until the stream had done it.
struct Times {
    put: Duration,
    done: Duration,
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let runtime = Runtime::new(Backend::from_env())?;
    let device = runtime.device(0)?;
    let stream = device.create_stream()?;
    let buffers = [device.alloc_zeroed::<u32>(ELEMENTS)?, device.alloc_zeroed::<u32>(ELEMENTS)?];
    let input = device.host_buffer_from(&(0..ELEMENTS as u32).collect::<Vec<_>>())?;
    let mut output = device.host_buffer::<u32>(ELEMENTS)?;

    // One call per step.
    let single = one_by_one(&stream, &buffers, &input, &mut output)?;
    let expected = output.to_vec();

    // The same work goes into a recorder instead of a scope: it does not run, it becomes a graph. The graph owns the host
    // buffers, because it reads and writes them in every run, and borrows the device buffers.   aclmdlRICaptureBegin/End
    output.fill(0);
    let (mut graph, output) = stream.capture(CaptureMode::default(), |r| {
        let (input, output) = (r.own(input), r.own(output));
        r.copy_to_device(&buffers[0], &input)?;
        for step in 0..STEPS {
            r.copy_on_device(&buffers[(step + 1) % 2], &buffers[step % 2])?;
        }
        r.copy_to_host(&output, &buffers[STEPS % 2])?;
        Ok(output)
    })?;

    // One call per round.                                                                       aclmdlRIExecuteAsync
    let clock = Instant::now();
    let mut put = Duration::ZERO;
    for _ in 0..ROUNDS {
        stream.scope(|s| {
            let clock = Instant::now();
            s.launch_graph(&graph)?;
            put += clock.elapsed();
            Ok(())
        })?;
    }
    let replayed = Times { put, done: clock.elapsed() };

    // While no run can be under way, the host looks at what the graph owns.
    let is_same = graph.host(&output)? == expected;
    println!("{ROUNDS} rounds of {} steps on {}", STEPS + 2, device.soc_name()?);
    for (name, times) in [("one by one", &single), ("graph", &replayed)] {
        let us = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(ROUNDS);
        println!(
            "{name:10}  host busy {:8.1} us per round, round done after {:8.1} us",
            us(times.put),
            us(times.done)
        );
    }
    println!(
        "gain        host free {:.1} times as early, round {:.2} times as fast",
        single.put.as_secs_f64() / replayed.put.as_secs_f64(),
        single.done.as_secs_f64() / replayed.done.as_secs_f64()
    );
    if is_same { Ok(()) } else { Err("the graph computed something else".into()) }
}

fn one_by_one(
    stream: &Stream,
    buffers: &[DeviceBuffer<u32>; 2],
    input: &HostBuffer<u32>,
    output: &mut HostBuffer<u32>,
) -> Result<Times> {
    let clock = Instant::now();
    let mut put = Duration::ZERO;
    for _ in 0..ROUNDS {
        stream.scope(|s| {
            let clock = Instant::now();
            s.copy_to_device(&buffers[0], input)?;
            for step in 0..STEPS {
                s.copy_on_device(&buffers[(step + 1) % 2], &buffers[step % 2])?;
            }
            s.copy_to_host(output, &buffers[STEPS % 2])?;
            put += clock.elapsed();
            Ok(())
        })?;
    }
    Ok(Times { put, done: clock.elapsed() })
}
