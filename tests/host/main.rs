//! Ascend C kernels launched from Rust: `toprope build --kernel-only`, then the host API, on the embedded runtime and on
//! our `libascendcl.so` through `dlopen`. The tiling struct is the one Rust definition both sides share.

use std::path::{Path, PathBuf};
use toprope_host::sys::AclError;
use toprope_host::{Backend, Binary, Device, Function, Result, Runtime, launch_args};
use toprope_toolchain::compile::{Request, Toolchain};

#[path = "../../kernels/ascendc/leaky_relu/tiling.rs"]
mod tiling;
use tiling::LeakyReluTiling;

/// Elements of a full tile.
const TILE: usize = 512;

/// `kernels/ascendc/<name>/<name>.asc` as a kernel binary; compiled once, then from the cache.
fn kernel_binary(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../kernels/ascendc/{name}/{name}.asc"));
    let toolchain =
        Toolchain::find().expect("a C++ compiler and libascendcl.so (`toprope doctor` says what is missing)");
    toolchain.build(&Request::new([source]).kernel_only()).expect("the kernel compiles").path
}

/// Both backends: inside this process, and through the library that cargo built beside this test.
fn backends() -> [Backend; 2] {
    let exe = std::env::current_exe().expect("path of this test");
    let library =
        exe.ancestors().skip(1).take(2).map(|dir| dir.join("libascendcl.so")).find(|path| path.is_file());
    [Backend::Embedded, Backend::Cann { path: Some(library.expect("libascendcl.so beside the test")) }]
}

/// Device 0 and a kernel on it.
fn open(backend: Backend, name: &str) -> Result<(Device, Function)> {
    let device = Runtime::new(backend)?.device(0)?;
    let kernel = Binary::load(&device, kernel_binary(name))?.function(name)?;
    Ok((device, kernel))
}

fn cut(elements: usize) -> LeakyReluTiling {
    LeakyReluTiling {
        total_elements: elements as u32,
        tile_elements: TILE as u32,
        num_tiles: (elements / TILE) as u32,
        tail_elements: (elements % TILE) as u32,
        negative_slope: 0.25,
        pad: 0,
    }
}

/// Runs leaky_relu on `blocks` blocks; `cut` says what the kernel is told about `x`.
fn leaky_relu(
    device: &Device,
    kernel: &Function,
    x: &[f32],
    blocks: u32,
    cut: LeakyReluTiling,
) -> Result<Vec<f32>> {
    let (x, mut y) = (device.host_buffer_from(x)?, device.host_buffer::<f32>(x.len())?);
    let (x_device, y_device) = (device.alloc::<f32>(x.len())?, device.alloc::<f32>(x.len())?);
    device.create_stream()?.scope(|s| {
        s.copy_to_device(&x_device, &x)?;
        s.launch(kernel.prepare(blocks, launch_args![&x_device, &y_device, &cut])?)?;
        s.copy_to_host(&mut y, &y_device)
    })?;
    Ok(y.to_vec())
}

#[test]
fn a_tiling_struct_of_rust_drives_an_ascend_c_kernel() {
    for backend in backends() {
        let (device, kernel) = open(backend.clone(), "leaky_relu").expect("kernel loads");
        // Less than a data block, a tail that is no multiple of one, full tiles only, more blocks than tiles.
        for (elements, blocks) in [(1, 1), (3 * TILE + 13, 2), (4 * TILE, 3), (2 * TILE + 1, 20)] {
            let x: Vec<f32> = (0..elements).map(|i| i as f32 - 700.0).collect();
            let y = leaky_relu(&device, &kernel, &x, blocks, cut(elements)).expect("kernel runs");
            let expected: Vec<f32> = x.iter().map(|x| if *x > 0.0 { *x } else { 0.25 * x }).collect();
            assert_eq!(y, expected, "{backend:?}: {elements} elements on {blocks} blocks");
        }
    }
}

#[test]
fn a_wrong_tiling_is_a_finding_and_the_device_lives_on() {
    for backend in backends() {
        let (device, kernel) = open(backend, "leaky_relu").expect("kernel loads");
        let x = vec![1.0; 4 * TILE];
        // The kernel is told of four tiles more than the buffers have.
        let error =
            leaky_relu(&device, &kernel, &x, 2, cut(8 * TILE)).expect_err("it reads beyond the input");
        assert_eq!(error.code(), Some(AclError::RT_VECTOR_CORE_EXCEPTION), "{error}");
        assert!(error.to_string().contains("leaky_relu.asc:"), "the message names the user's line: {error}");
        // The twin that must stay silent, on the same device.
        assert_eq!(leaky_relu(&device, &kernel, &x, 2, cut(4 * TILE)).expect("kernel runs"), x);
    }
}

#[test]
fn arguments_are_checked_against_the_compiled_kernel() {
    let (device, kernel) = open(Backend::Embedded, "leaky_relu").expect("kernel loads");
    assert_eq!(kernel.param_sizes_bytes(), Some(&[8, 8, 24][..]));
    let x = device.alloc::<f32>(8).expect("memory");
    let error = kernel.prepare(1, launch_args![&x, &x, 1u32]).expect_err("the third argument is a struct");
    assert!(matches!(
        error,
        toprope_host::Error::ArgSize { index: 2, required_bytes: 24, actual_bytes: 4, .. }
    ));
    let error = kernel.prepare(1, launch_args![&x, &x]).expect_err("two arguments for three parameters");
    assert!(matches!(error, toprope_host::Error::ArgCount { required: 3, actual: 2, .. }), "{error}");
}
