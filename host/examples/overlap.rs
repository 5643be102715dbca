//! Two streams: while one computes, the other copies.
//!
//! ```text
//! one stream    in0 k0 out0 in1 k1 out1 in2 k2 out2 …
//!
//! two streams   in0 k0 out0 in2 k2 out2 …
//!               in1 k1 out1 in3 k3 out3 …
//! ```
//!
//! ```text
//! cargo run --release -p toprope-host --example overlap [-- KERNEL.so]
//! ```
//!
//! Times are device time, taken by events in the streams; on the embedded NPU they come from its model and are the same
//! in every run. The model gives each stream the device to itself, so what it hides is the most that could be hidden. The
//! clock on the wall says how long this machine took to play the device.

mod common;

use half::f16;
use std::time::{Duration, Instant};
use toprope_host::{Backend, Binary, Device, DeviceBuffer, Event, Function, HostBuffer, Result};
use toprope_host::{Runtime, Scope, Stream, launch_args};

/// What one launch of the kernel `add` of kernels/ascendc/add handles: 8 blocks of 4 tiles of 2048 elements.
const BLOCKS: u32 = 8;
const CHUNK: usize = 8 * 4 * 2048;
/// How many times that.
const CHUNKS: usize = 16;

/// Input and output of one chunk on the host.
struct Chunk {
    x: HostBuffer<f16>,
    y: HostBuffer<f16>,
    z: HostBuffer<f16>,
}

/// A stream with device memory for one chunk.
struct Lane {
    stream: Stream,
    x: DeviceBuffer<f16>,
    y: DeviceBuffer<f16>,
    z: DeviceBuffer<f16>,
}

/// Device time and wall time of a run.
struct Times {
    device_ms: f32,
    wall: Duration,
}

impl Lane {
    fn new(device: &Device) -> Result<Lane> {
        Ok(Lane {
            stream: device.create_stream()?,
            x: device.alloc(CHUNK)?,
            y: device.alloc(CHUNK)?,
            z: device.alloc(CHUNK)?,
        })
    }

    /// Puts the work for one chunk into the stream.
    fn put<'scope>(
        &'scope self,
        s: &'scope Scope<'scope, '_>,
        add: &'scope Function,
        c: &'scope mut Chunk,
    ) -> Result<()> {
        s.copy_to_device(&self.x, &c.x)?;
        s.copy_to_device(&self.y, &c.y)?;
        s.launch(add.prepare(BLOCKS, launch_args![&self.x, &self.y, &self.z])?)?;
        s.copy_to_host(&mut c.z, &self.z)
    }
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let kernel_binary = common::kernel_binary()?;
    let runtime = Runtime::new(Backend::from_env())?;
    let device = runtime.device(0)?;
    let binary = Binary::load(&device, &kernel_binary)?;
    let add = binary.function("add")?;
    let lanes = [Lane::new(&device)?, Lane::new(&device)?];
    let marks = [device.create_event()?, device.create_event()?, device.create_event()?];
    let mut chunks = (0..CHUNKS).map(|i| Chunk::new(&device, i)).collect::<Result<Vec<_>>>()?;

    let (copies_ms, kernel_ms) = parts(&device, &lanes[0], &add, &mut chunks[0])?;
    let one = one_stream(&lanes[0], &marks, &add, &mut chunks)?;
    check(&mut chunks)?;
    let two = two_streams(&lanes, &marks, &add, &mut chunks)?;
    check(&mut chunks)?;

    println!(
        "{CHUNKS} chunks of {CHUNK} sums; one chunk: copies {copies_ms:.3} ms, kernel {kernel_ms:.3} ms"
    );
    println!(
        "one stream   {:8.3} ms device time, {:6.1} ms on the wall",
        one.device_ms,
        one.wall.as_secs_f64() * 1e3
    );
    println!(
        "two streams  {:8.3} ms device time, {:6.1} ms on the wall",
        two.device_ms,
        two.wall.as_secs_f64() * 1e3
    );
    let hidden_ms = one.device_ms - two.device_ms;
    println!(
        "overlap      {hidden_ms:8.3} ms hidden: {:.0} % of the time of one stream ({:.2} times as fast)",
        100.0 * hidden_ms / one.device_ms,
        one.device_ms / two.device_ms
    );
    if hidden_ms > 0.0 { Ok(()) } else { Err("nothing was hidden".into()) }
}

impl Chunk {
    fn new(device: &Device, number: usize) -> Result<Chunk> {
        let fill = |step: usize| {
            (0..CHUNK).map(|i| f16::from_f32(((i * step + number) % 512) as f32)).collect::<Vec<_>>()
        };
        Ok(Chunk {
            x: device.host_buffer_from(&fill(3))?,
            y: device.host_buffer_from(&fill(5))?,
            z: device.host_buffer(CHUNK)?,
        })
    }
}

/// Device time of the copies and of the kernel of one chunk.
fn parts(device: &Device, lane: &Lane, add: &Function, chunk: &mut Chunk) -> Result<(f32, f32)> {
    let events = (0..4).map(|_| device.create_event()).collect::<Result<Vec<_>>>()?;
    lane.stream.scope(|s| {
        s.record(&events[0])?;
        s.copy_to_device(&lane.x, &chunk.x)?;
        s.copy_to_device(&lane.y, &chunk.y)?;
        s.record(&events[1])?;
        s.launch(add.prepare(BLOCKS, launch_args![&lane.x, &lane.y, &lane.z])?)?;
        s.record(&events[2])?;
        s.copy_to_host(&mut chunk.z, &lane.z)?;
        s.record(&events[3])
    })?;
    let ms = |i: usize| events[i + 1].ms_since(&events[i]);
    Ok((ms(0)? + ms(2)?, ms(1)?))
}

/// All chunks, one after the other.
fn one_stream(
    lane: &Lane,
    [start, end, _]: &[Event; 3],
    add: &Function,
    chunks: &mut [Chunk],
) -> Result<Times> {
    let clock = Instant::now();
    lane.stream.scope(|s| {
        s.record(start)?;
        for chunk in chunks {
            lane.put(s, add, chunk)?;
        }
        s.record(end)
    })?;
    Ok(Times { device_ms: end.ms_since(start)?, wall: clock.elapsed() })
}

/// Even chunks in one stream, odd ones in the other.
fn two_streams(
    [a, b]: &[Lane; 2],
    marks: &[Event; 3],
    add: &Function,
    chunks: &mut [Chunk],
) -> Result<Times> {
    let [start, end, done_b] = marks;
    let clock = Instant::now();
    a.stream.scope(|in_a| {
        b.stream.scope(|in_b| {
            // Both begin together …
            in_a.record(start)?;
            in_b.wait(start)?;
            for (i, chunk) in chunks.iter_mut().enumerate() {
                if i % 2 == 0 { a.put(in_a, add, chunk)? } else { b.put(in_b, add, chunk)? }
            }
            // … and the end is where both have arrived.
            in_b.record(done_b)?;
            in_a.wait(done_b)?;
            in_a.record(end)
        })
    })?;
    Ok(Times { device_ms: end.ms_since(start)?, wall: clock.elapsed() })
}

/// Compares with sums made here, and forgets the results for the next run.
fn check(chunks: &mut [Chunk]) -> std::result::Result<(), Box<dyn std::error::Error>> {
    for (number, c) in chunks.iter_mut().enumerate() {
        for i in 0..CHUNK {
            if c.z[i] != f16::from_f32(c.x[i].to_f32() + c.y[i].to_f32()) {
                return Err(format!(
                    "chunk {number}, element {i}: {} + {} is not {}",
                    c.x[i], c.y[i], c.z[i]
                )
                .into());
            }
        }
        c.z.fill(f16::ZERO);
    }
    Ok(())
}
