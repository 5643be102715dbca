//! The life of a host program in eight steps: what every program on an NPU does, in its order.
//!
//! ```text
//! cargo run --release -p toprope-host --example lifecycle [-- KERNEL.so]
//! ```
//!
//! Runs on the embedded NPU; `TOPROPE_BACKEND=cann` runs the same program on a CANN installation (with a kernel binary
//! made for its chip). Steps in the words of ACL stand at the right.

mod common;

use half::f16;
use toprope_host::{Backend, Binary, Runtime, launch_args};

/// What the kernel `add` of kernels/ascendc/add adds: 8 blocks of 4 tiles of 2048 elements.
const BLOCKS: u32 = 8;
const ELEMENTS: usize = 8 * 4 * 2048;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let kernel_binary = common::kernel_binary()?;

    // Step 1: initialise the runtime.                                                         aclInit
    let runtime = Runtime::new(Backend::from_env())?;

    // Step 2: select a device. A thread works on one device at a time.                        aclrtSetDevice
    let device = runtime.device(0)?;
    println!("device {} is an {}, one of {}", device.id(), device.soc_name()?, runtime.device_count()?);

    // Step 3: make a stream, a queue of work that the device does in order.                   aclrtCreateStream
    let stream = device.create_stream()?;

    // Step 4: allocate device memory for the kernel, pinned host memory for the copies.       aclrtMalloc, aclrtMallocHost
    let x_device = device.alloc::<f16>(ELEMENTS)?;
    let y_device = device.alloc::<f16>(ELEMENTS)?;
    let z_device = device.alloc::<f16>(ELEMENTS)?;
    let mut x = device.host_buffer::<f16>(ELEMENTS)?;
    let mut y = device.host_buffer::<f16>(ELEMENTS)?;
    let mut z = device.host_buffer::<f16>(ELEMENTS)?;
    for i in 0..ELEMENTS {
        x[i] = f16::from_f32((i % 1000) as f32);
        y[i] = f16::from_f32(0.5);
    }

    // The kernel comes from a binary, and is found by its name.                               aclrtBinaryLoadFromFile
    let binary = Binary::load(&device, &kernel_binary)?;
    let add = binary.function("add")?;

    // Everything put into the stream inside `scope` may borrow memory, because `scope` returns only when the stream is
    // done with it. None of these calls waits: the host runs ahead of the device.
    stream.scope(|s| {
        // Step 5: copy the inputs to the device, asynchronously.                              aclrtMemcpyAsync
        s.copy_to_device(&x_device, &x)?;
        s.copy_to_device(&y_device, &y)?;

        // Step 6: launch the kernel. `prepare` compares the arguments with its parameters.    <<<BLOCKS, nullptr, stream>>>
        let launch = add.prepare(BLOCKS, launch_args![&x_device, &y_device, &z_device])?;
        s.launch(launch)?;

        // … and copy the result back. In one stream it waits for the kernel by itself.
        s.copy_to_host(&mut z, &z_device)
    })?; // Step 7: wait for the stream. What went wrong in a kernel comes out here.           aclrtSynchronizeStream
    device.synchronize()?; // The same for all streams of the device; here there is only one.  aclrtSynchronizeDevice

    let wrong = (0..ELEMENTS).filter(|&i| z[i] != f16::from_f32(x[i].to_f32() + y[i].to_f32())).count();
    println!("{ELEMENTS} sums, {wrong} wrong");

    // Step 8: give everything back, last made first.
    drop((x, y, z)); //                                                                        aclrtFreeHost
    drop((x_device, y_device, z_device)); //                                                   aclrtFree
    drop((add, binary)); //                                                                    aclrtBinaryUnLoad
    drop(stream); //                                                                           aclrtDestroyStream
    drop(device); //                                                                           aclrtResetDevice
    drop(runtime); //                                                                          aclFinalize
    if wrong == 0 { Ok(()) } else { Err("the result is wrong".into()) }
}
