//! What a host program may rely on, whatever the backend.

use super::kernels::{ScaleTiling, module_bytes};
use std::time::{Duration, Instant};
use toprope_host::sys::AclError;
use toprope_host::{Backend, Binary, Device, Error, Function, Runtime, launch_args};

const N: usize = 10_000;

/// A device of a backend with the kernels of the suite.
pub struct Bench {
    pub backend: Backend,
    pub runtime: Runtime,
    pub device: Device,
    binary: Binary,
}

/// Opens device 0.
pub fn open(backend: Backend) -> Bench {
    let runtime = Runtime::new(backend.clone()).expect("backend opens");
    // A context of its own: a fault is the business of one test.
    let device = runtime.device(0).and_then(|device| device.create_context()).expect("device 0");
    let binary = Binary::load_data(&device, module_bytes()).expect("kernels load");
    Bench { backend, runtime, device, binary }
}

impl Bench {
    pub fn kernel(&self, name: &str) -> Function {
        self.binary.function(name).expect("kernel of the suite")
    }
}

fn ramp() -> Vec<f32> {
    (0..N).map(|i| i as f32).collect()
}

pub fn copies_there_and_back(b: &Bench) {
    let there = b.device.alloc_from(&ramp()).unwrap();
    assert_eq!(there.to_vec().unwrap(), ramp());
    let short = there.copy_from_host(&[1.0]).unwrap_err();
    assert!(
        matches!(short, Error::LengthMismatch { destination_elements: N, source_elements: 1 }),
        "{short}"
    );
}

pub fn async_copies_there_and_back(b: &Bench) {
    let stream = b.device.create_stream().unwrap();
    let source = b.device.host_buffer_from(&ramp()).unwrap();
    let mut back = b.device.host_buffer::<f32>(N).unwrap();
    assert!(back.iter().all(|&x| x == 0.0));
    let there = b.device.alloc::<f32>(N).unwrap();
    stream
        .scope(|s| {
            s.copy_to_device(&there, &source)?;
            s.copy_to_host(&mut back, &there)
        })
        .unwrap();
    assert_eq!(back[..], source[..]);
    // Memory that is not pinned works too.
    let mut plain = vec![0.0; N];
    stream.scope(|s| s.copy_to_host(&mut plain, &there)).unwrap();
    assert_eq!(plain, ramp());
}

pub fn kernel_adds(b: &Bench) {
    let add = b.kernel("add");
    assert_eq!(add.param_sizes_bytes(), Some(&[8, 8, 8, 4][..]));
    for stream in [b.device.create_stream().unwrap(), b.device.default_stream()] {
        let x = b.device.host_buffer_from(&ramp()).unwrap();
        let mut z = b.device.host_buffer::<f32>(N).unwrap();
        let (dx, dz) = (b.device.alloc::<f32>(N).unwrap(), b.device.alloc::<f32>(N).unwrap());
        stream
            .scope(|s| {
                s.copy_to_device(&dx, &x)?;
                s.launch(add.prepare(7, launch_args![&dx, &dx, &dz, N as u32])?)?;
                s.copy_to_host(&mut z, &dz)
            })
            .unwrap();
        assert!(z.iter().zip(x.iter()).all(|(z, x)| *z == x + x));
    }
}

pub fn tiling_struct_reaches_the_kernel(b: &Bench) {
    let scale = b.kernel("scale");
    let x = b.device.alloc_from(&ramp()).unwrap();
    let tiling = ScaleTiling { elements: 10, factor: 3.0 };
    let stream = b.device.create_stream().unwrap();
    stream.scope(|s| s.launch(scale.prepare(1, launch_args![&x, &tiling])?)).unwrap();
    let x = x.to_vec().unwrap();
    assert_eq!((x[9], x[10]), (27.0, 10.0));
}

pub fn blocks_know_their_number(b: &Bench) {
    let number = b.kernel("number");
    let out = b.device.alloc_zeroed::<u32>(100).unwrap();
    let stream = b.device.create_stream().unwrap();
    stream.scope(|s| s.launch(number.prepare(100, launch_args![&out])?)).unwrap();
    assert_eq!(out.to_vec().unwrap(), (0..100).collect::<Vec<u32>>());
}

pub fn launches_are_checked(b: &Bench) {
    let add = b.kernel("add");
    let x = b.device.alloc::<f32>(N).unwrap();
    let blocks = add.prepare(0, launch_args![&x, &x, &x, 1u32]).unwrap_err();
    assert!(matches!(blocks, Error::NumBlocks { asked: 0, limit: 65535, .. }), "{blocks}");
    let count = add.prepare(1, launch_args![&x, &x, &x]).unwrap_err();
    assert!(matches!(count, Error::ArgCount { required: 4, actual: 3, .. }), "{count}");
    let size = add.prepare(1, launch_args![&x, &x, &x, 1u64]).unwrap_err();
    assert!(matches!(size, Error::ArgSize { index: 3, required_bytes: 4, actual_bytes: 8, .. }), "{size}");
    // The twin that must pass.
    assert!(add.prepare(1, launch_args![&x, &x, &x, 1u32]).is_ok());
}

pub fn kernel_not_found(b: &Bench) {
    let error = b.binary.function("ad").unwrap_err();
    assert_eq!(error.code(), Some(AclError::RT_PARAM_INVALID), "{error}");
    assert!(matches!(b.binary.function("a\0d"), Err(Error::ZeroByte { .. })));
}

pub fn binary_not_found(b: &Bench) {
    let error = Binary::load(&b.device, "no/such/file.so").unwrap_err();
    assert!(matches!(error, Error::Acl { call: "aclrtBinaryLoadFromFile", .. }), "{error}");
    assert!(error.to_string().contains("no/such/file.so"), "the message names the file: {error}");
}

pub fn device_not_found(b: &Bench) {
    let count = b.runtime.device_count().unwrap();
    let error = b.runtime.device(count as i32).unwrap_err();
    assert_eq!(error.code(), Some(AclError::RT_INVALID_DEVICEID), "{error}");
}

pub fn kernel_that_is_refused_reports_at_the_scope_end(b: &Bench) {
    let refuse = b.kernel("refuse");
    let stream = b.device.create_stream().unwrap();
    let error = stream
        .scope(|s| {
            s.launch(refuse.prepare(1, launch_args![])?)?;
            Ok(())
        })
        .unwrap_err();
    assert!(matches!(error, Error::Acl { call: "aclrtSynchronizeStream", .. }), "{error}");
    assert_eq!(error.code(), Some(AclError::RT_VECTOR_CORE_TRAP_EXCEPTION), "{error}");
}

pub fn work_after_a_fault_still_runs(b: &Bench) {
    let (refuse, number) = (b.kernel("refuse"), b.kernel("number"));
    let out = b.device.alloc_from(&[7u32; 3]).unwrap();
    let stream = b.device.create_stream().unwrap();
    let failed = stream.scope(|s| {
        s.launch(refuse.prepare(1, launch_args![])?)?;
        s.launch(number.prepare(3, launch_args![&out])?)
    });
    assert!(failed.is_err());
    assert_eq!(out.to_vec().unwrap(), [0, 1, 2]);
    stream.synchronize().unwrap();
}

pub fn a_panic_in_a_scope_waits_for_the_stream(b: &Bench) {
    let nap = b.kernel("nap");
    let stream = b.device.create_stream().unwrap();
    let start = Instant::now();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let done: toprope_host::Result<()> = stream.scope(|s| {
            s.launch(nap.prepare(1, launch_args![40u32])?)?;
            panic!("on purpose")
        });
        done
    }));
    assert!(caught.is_err());
    assert!(start.elapsed() >= Duration::from_millis(40));
    assert!(stream.is_empty().unwrap());
}

pub fn an_error_in_a_scope_wins(b: &Bench) {
    let refuse = b.kernel("refuse");
    let stream = b.device.create_stream().unwrap();
    let error = stream
        .scope(|s| {
            s.launch(refuse.prepare(1, launch_args![])?)?;
            b.device.alloc::<u8>(0).map(drop)
        })
        .unwrap_err();
    assert!(matches!(error, Error::EmptyBuffer { .. }), "{error}");
    stream.synchronize().unwrap();
}

pub fn events_order_streams(b: &Bench) {
    let (nap, scale) = (b.kernel("nap"), b.kernel("scale"));
    let x = b.device.alloc_from(&[1.0f32]).unwrap();
    let (first, second) = (b.device.create_stream().unwrap(), b.device.create_stream().unwrap());
    let ready = b.device.create_event().unwrap();
    let mut seen = b.device.host_buffer::<f32>(1).unwrap();
    let tiling = ScaleTiling { elements: 1, factor: 5.0 };
    first
        .scope(|first| {
            second.scope(|second| {
                first.launch(nap.prepare(1, launch_args![30u32])?)?;
                first.launch(scale.prepare(1, launch_args![&x, &tiling])?)?;
                first.record(&ready)?;
                second.wait(&ready)?;
                second.copy_to_host(&mut seen, &x)
            })
        })
        .unwrap();
    assert_eq!(seen[0], 5.0);
    assert!(ready.is_complete().unwrap());
}

pub fn event_time_is_positive_and_forward(b: &Bench) {
    let number = b.kernel("number");
    let out = b.device.alloc::<u32>(8).unwrap();
    let stream = b.device.create_stream().unwrap();
    let (start, end) = (b.device.create_event().unwrap(), b.device.create_event().unwrap());
    stream
        .scope(|s| {
            s.record(&start)?;
            s.launch(number.prepare(8, launch_args![&out])?)?;
            s.record(&end)
        })
        .unwrap();
    end.synchronize().unwrap();
    assert!(end.ms_since(&start).unwrap() >= 0.0);
}

pub fn streams_are_asynchronous(b: &Bench) {
    let nap = b.kernel("nap");
    let stream = b.device.create_stream().unwrap();
    stream
        .scope(|s| {
            let start = Instant::now();
            s.launch(nap.prepare(1, launch_args![100u32])?)?;
            assert!(start.elapsed() < Duration::from_millis(60), "a launch does not wait for its kernel");
            assert!(!s.is_empty()?);
            Ok(())
        })
        .unwrap();
    assert!(stream.is_empty().unwrap());
}

pub fn synchronize_for_times_out(b: &Bench) {
    let nap = b.kernel("nap");
    let stream = b.device.create_stream().unwrap();
    stream
        .scope(|s| {
            s.launch(nap.prepare(1, launch_args![80u32])?)?;
            let error = s.synchronize_for(Duration::from_millis(5)).unwrap_err();
            assert_eq!(error.code(), Some(AclError::RT_STREAM_SYNC_TIMEOUT), "{error}");
            s.synchronize_for(Duration::from_secs(60))
        })
        .unwrap();
    let error = stream.synchronize_for(Duration::ZERO).unwrap_err();
    assert!(matches!(error, Error::TimeLimit { limit_ms: 0 }), "{error}");
}

pub fn errors_of_drops_come_with_the_next_call(b: &Bench) {
    // A runtime of its own, so that no other test sees the error.
    let error = std::thread::scope(|scope| scope.spawn(|| double_free(b)).join().unwrap());
    assert!(matches!(error, Error::Acl { call: "aclrtFree", .. }), "{error}");
}

/// Frees a buffer behind the back of its owner and gives back what the call after its drop says.
fn double_free(b: &Bench) -> Error {
    let api = &toprope_host::sys::Library::open(&b.backend).unwrap().api;
    let runtime = Runtime::new(b.backend.clone()).unwrap();
    let device = runtime.device(0).unwrap();
    let buffer = device.alloc::<u8>(1000).unwrap();
    // SAFETY: on purpose not: the buffer frees it again below, which the runtime has to refuse.
    unsafe { toprope_host::result::mem::free(api, buffer.as_ptr().cast()) }.unwrap();
    drop(buffer);
    let error = device.synchronize().unwrap_err();
    device.synchronize().unwrap();
    error
}

pub fn buffers_and_devices_move_between_threads(b: &Bench) {
    let add = b.kernel("add");
    let x = b.device.alloc_from(&ramp()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let z = b.device.alloc::<f32>(N).unwrap();
                let stream = b.device.create_stream().unwrap();
                stream.scope(|s| s.launch(add.prepare(3, launch_args![&x, &x, &z, N as u32])?)).unwrap();
                assert_eq!(z.to_vec().unwrap()[N - 1], 2.0 * (N - 1) as f32);
            });
        }
    });
}

pub fn bad_buffers_are_refused(b: &Bench) {
    assert!(matches!(b.device.alloc::<u32>(0), Err(Error::EmptyBuffer { kind: "device" })));
    assert!(matches!(b.device.host_buffer::<u32>(0), Err(Error::EmptyBuffer { kind: "host" })));
    assert!(matches!(b.device.alloc::<u64>(usize::MAX / 2), Err(Error::TooLarge { element_bytes: 8, .. })));
    let huge = b.device.alloc::<u8>(1 << 50).unwrap_err();
    assert_eq!(huge.code(), Some(AclError::RT_MEMORY_ALLOCATION), "{huge}");
}

pub fn slices_are_checked(b: &Bench) {
    let x = b.device.alloc_from(&ramp()).unwrap();
    let part = x.slice(10..20).unwrap();
    let mut host = [0.0; 10];
    part.copy_to_host(&mut host).unwrap();
    assert_eq!(host[..], ramp()[10..20]);
    assert!(matches!(part.slice(5..11), Err(Error::OutOfRange { start: 5, end: 11, elements: 10 })));
    assert!(matches!(x.slice(3..3), Err(Error::OutOfRange { .. })));
}

pub fn fill_and_copy_on_device(b: &Bench) {
    let (x, y) = (b.device.alloc_from(&[1u8; 64]).unwrap(), b.device.alloc_zeroed::<u8>(64).unwrap());
    let stream = b.device.create_stream().unwrap();
    stream
        .scope(|s| {
            s.fill_bytes(x.slice(0..32)?, 9)?;
            s.copy_on_device(&y, &x)
        })
        .unwrap();
    let y = y.to_vec().unwrap();
    assert_eq!((y[31], y[32]), (9, 1));
}

pub fn a_device_may_be_opened_twice(b: &Bench) {
    let again = Runtime::new(b.backend.clone()).unwrap().device(0).unwrap();
    let x = again.alloc_from(&[4.0f32]).unwrap();
    let tiling = ScaleTiling { elements: 1, factor: 0.5 };
    let scale = b.kernel("scale");
    let stream = again.create_stream().unwrap();
    stream.scope(|s| s.launch(scale.prepare(1, launch_args![&x, &tiling])?)).unwrap();
    drop(stream);
    drop(again);
    // The buffer keeps the device open.
    assert_eq!(x.to_vec().unwrap(), [2.0]);
}
