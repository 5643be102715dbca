//! Compiles a vendor module and runs its templates as kernels of the embedded NPU.
//!
//! Unsafe room: loads what was compiled and copies to device memory that the bench owns.
#![allow(unsafe_code)]

use crate::case::{Arg, Case, Tensor, compare};
use crate::ir::{Extract, Module};
use crate::{shim, wheel};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use toprope_abi::core_face::TrKernelModule;
use toprope_abi::isa::{CoreKind, Space};
use toprope_sim::gm::{DeviceMemory, MemoryOptions};
use toprope_sim::npu::chip::Chip;
use toprope_sim::npu::{CheckOptions, KernelRef, Launch, Npu, NpuOptions};

/// First byte of UB (and of every other local memory) that tensors use.
const FIRST_BYTE: u64 = 0;

/// A compiled module, ready to run.
pub struct Bench {
    gm: Arc<DeviceMemory>,
    npu: Arc<Npu>,
    module: *const TrKernelModule,
    roots: Vec<String>,
    _library: libloading::Library,
}

fn compile(kind: CoreKind, extract: &Extract, entries: usize, clang: &str) -> Result<PathBuf, String> {
    let name = if kind == CoreKind::Aiv { "vector" } else { "cube" };
    let dir = wheel::scratch();
    let path = |ext: &str| dir.join(format!("{name}-{}.{ext}", std::process::id()));
    std::fs::write(path("ll"), &extract.text).map_err(|e| e.to_string())?;
    std::fs::write(path("c"), shim::write(kind, entries, &extract.intrinsics)).map_err(|e| e.to_string())?;
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../abi/include");
    // clang 14 knows opaque pointers as an option only.
    let mut why = String::new();
    for extra in [&[][..], &["-mllvm", "-opaque-pointers"]] {
        let out = Command::new(clang)
            .args(["-O0", "-shared", "-fPIC", "-fno-strict-aliasing", "-Wno-override-module"])
            .args(extra)
            .arg("-I")
            .arg(&include)
            .args([path("ll"), path("c")])
            .arg("-o")
            .arg(path("so"))
            .output()
            .map_err(|e| format!("{clang}: {e}"))?;
        if out.status.success() {
            return Ok(path("so"));
        }
        why = String::from_utf8_lossy(&out.stderr).lines().take(12).collect::<Vec<_>>().join("\n");
    }
    Err(format!("{clang} refuses {}: {why}", path("ll").display()))
}

impl Bench {
    /// Compiles `roots` (full names) of `module`.
    pub fn new(
        kind: CoreKind,
        module: &Module<'_>,
        roots: Vec<String>,
        clang: &str,
    ) -> Result<Bench, String> {
        let so = compile(kind, &module.extract(&roots), roots.len(), clang)?;
        // SAFETY: compiled just now; it has no initialisers.
        let library = unsafe { libloading::Library::new(&so) }.map_err(|e| e.to_string())?;
        // SAFETY: the shim defines it with this signature.
        let get = unsafe { library.get::<extern "C" fn() -> *const TrKernelModule>(b"tr_kernel_module\0") };
        let module = get.map_err(|e| e.to_string())?();
        let gm = DeviceMemory::new(MemoryOptions { capacity_bytes: 1 << 30, ..MemoryOptions::default() })
            .map_err(|e| e.to_string())?;
        let chip = Chip::by_name("Ascend910B1").map_err(|e| e.to_string())?;
        // Numbers are compared; operands are put into UB from outside, where nobody sees them written.
        let checks = CheckOptions { on: false, ..CheckOptions::default() };
        let npu = Npu::new(chip, gm.clone(), NpuOptions { threads: 1, checks, ..NpuOptions::default() });
        Ok(Bench { gm, npu, module, roots, _library: library })
    }

    fn upload(&self, bytes: &[u8]) -> u64 {
        let a = self.gm.alloc(bytes.len().max(1) as u64, true, "oracle").expect("room");
        // SAFETY: a fresh allocation of that size that nobody else uses.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), a.start as *mut u8, bytes.len()) };
        a.start
    }

    fn download(&self, at: u64, bytes: usize) -> Vec<u8> {
        // SAFETY: inside an allocation made by `upload` that no launch writes any more.
        unsafe { std::slice::from_raw_parts(at as *const u8, bytes) }.to_vec()
    }

    /// Runs a case; `Err` says what is wrong.
    pub fn run(&self, case: &Case) -> Result<(), String> {
        let root = format!("_mlir_ciface_{}", case.template);
        let entry = self.roots.iter().position(|r| *r == root).ok_or("not in the library")?;
        let mut place = Placement { bench: self, next: [FIRST_BYTE; 8], freed: Vec::new() };
        let placed: Vec<Placed> = case.args.iter().map(|a| place.put(a)).collect();
        let mut job = vec![entry as u64, 0, 0, 0];
        for p in placed.iter().filter(|p| p.is_local()) {
            job[1] += 1;
            job.extend([p.space as u64, p.at, p.bytes, p.mirror]);
        }
        for p in placed.iter().filter(|p| p.is_local() && p.written) {
            job[2] += 1;
            job.extend([p.space as u64, p.at, p.bytes, p.mirror]);
        }
        job.extend(placed.iter().map(|p| p.word));
        let job: Vec<u8> = job.iter().flat_map(|w| w.to_le_bytes()).collect();
        let job = place.upload(&job);
        let ran = self.launch(job);
        let compared = ran.and_then(|()| self.compare(case, &placed));
        for a in place.freed {
            self.gm.free(a, "oracle").map_err(|e| e.to_string())?;
        }
        compared
    }

    fn launch(&self, job: u64) -> Result<(), String> {
        // SAFETY: the module lives as long as the library.
        let first = unsafe { (*self.module).first };
        // SAFETY: it is the module's only kernel.
        let kernel = unsafe { KernelRef::new(self.module, first) };
        let launch = Launch {
            kernel,
            num_blocks: 1,
            args: vec![job],
            launch_id: 0,
            stream_id: 0,
            time_limit: Some(Duration::from_secs(20)),
            start_cycle: 0,
            saturates: false,
        };
        let (send, receive) = mpsc::channel();
        self.npu.submit(launch, Box::new(move |o| drop(send.send(o))));
        let outcome = receive.recv_timeout(Duration::from_secs(60)).map_err(|e| e.to_string())?;
        let said: Vec<String> = outcome.findings.iter().map(ToString::to_string).collect();
        match (outcome.failure, said.is_empty()) {
            (None, true) => Ok(()),
            _ => Err(summary(&said.concat())),
        }
    }

    fn compare(&self, case: &Case, placed: &[Placed]) -> Result<(), String> {
        for (n, (arg, p)) in case.args.iter().zip(placed).enumerate() {
            let Arg::Out(tensor, want, close) = arg else { continue };
            let bytes = self.download(p.mirror, p.bytes as usize);
            compare(tensor.dtype, &tensor.elements(&bytes), want, *close)
                .map_err(|e| format!("argument {n}: {e}"))?;
        }
        Ok(())
    }
}

/// The finding in one line: what is missing, or its first lines.
fn summary(text: &str) -> String {
    if let Some(at) = text.find("missing: ") {
        let line = text[at..].lines().next().unwrap_or_default();
        return line.split(" is not modelled").next().unwrap_or_default().to_owned();
    }
    text.lines().map(str::trim).filter(|l| !l.starts_with("help")).take(6).collect::<Vec<_>>().join(" | ")
}

/// An argument in memory.
struct Placed {
    space: Space,
    /// Offset in a local memory, address in GM.
    at: u64,
    bytes: u64,
    /// Copy in GM (the tensor itself if it lies there).
    mirror: u64,
    written: bool,
    /// What the template gets.
    word: u64,
    scalar: bool,
}

impl Placed {
    fn is_local(&self) -> bool {
        !self.scalar && self.space != Space::Gm
    }
}

struct Placement<'a> {
    bench: &'a Bench,
    next: [u64; 8],
    freed: Vec<u64>,
}

impl Placement<'_> {
    fn upload(&mut self, bytes: &[u8]) -> u64 {
        let at = self.bench.upload(bytes);
        self.freed.push(at);
        at
    }

    fn put(&mut self, arg: &Arg) -> Placed {
        match arg {
            Arg::In(t) => self.tensor(t, false),
            Arg::Out(t, ..) => self.tensor(t, true),
            Arg::Word(w) => Placed {
                space: Space::Gm,
                at: 0,
                bytes: 0,
                mirror: 0,
                written: false,
                word: *w,
                scalar: true,
            },
        }
    }

    fn tensor(&mut self, t: &Tensor, written: bool) -> Placed {
        let bytes = t.bytes();
        let mirror = self.upload(&bytes);
        let at = if t.space == Space::Gm {
            mirror
        } else {
            let next = &mut self.next[t.space as usize];
            let at = *next;
            // Fractals are 512 bytes, repeats 256: nobody depends on a neighbour.
            *next = (at + bytes.len() as u64).next_multiple_of(1024);
            at
        };
        let (shape, strides) = t.told.clone().unwrap_or((t.shape.clone(), t.strides.clone()));
        let mut memref = vec![at, at, 0];
        memref.extend(shape.iter().chain(&strides).map(|n| *n as u64));
        let memref: Vec<u8> = memref.iter().flat_map(|w| w.to_le_bytes()).collect();
        let word = self.upload(&memref);
        Placed { space: t.space, at, bytes: bytes.len() as u64, mirror, written, word, scalar: false }
    }
}
