//! From Ascend C sources to an executable or a kernel-only shared object.
//!
//! ```text
//! source ──cxx -E──▶ text ──launch::rewrite──▶ C++17 ──cxx -c──▶ object ─┐
//!                                                                        ├─cxx──▶ program  (+ libtoprope_device.a, libascendcl.so)
//! source ──…                                                     object ─┘
//! ```
//! Every step is cached ([`cache`]): a request whose files are unchanged starts no compiler at all; else only the sources whose
//! preprocessed text changed are compiled. Compiler messages are passed on unchanged and name the user's file and line, because the
//! rewriter keeps lines and markers.
//!
//! Not done here: cross compilation, C sources, LTO between kernels and the device library.

pub(crate) mod bundle;
pub mod cache;
pub mod compiler;
pub mod runtime_lib;
pub(crate) mod unit;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

pub use bundle::Bundle;

/// A text that toprope carries, by its path in the bundle.
pub(crate) fn bundled(name: &str) -> Option<&'static str> {
    let (_, contents) = bundle::files().iter().find(|f| f.0 == name)?;
    std::str::from_utf8(contents).ok()
}
use cache::{Cache, Key, Manifest};
use compiler::{Compiler, Version};
use runtime_lib::RuntimeLibrary;
use sha2::{Digest, Sha256};
use toprope_abi::seal::{self, Seal};
use unit::{Unit, UnitCompiler, UnitOptions};

use crate::error::{Result, ToolchainError};
use crate::launch::Purpose;

/// Endings of files that are compiled.
pub const SOURCE_ENDINGS: [&str; 7] = ["asc", "cce", "cpp", "cc", "cxx", "c++", "cp"];

/// Endings of files that go to the linker as they are.
const LINK_ENDINGS: [&str; 3] = ["o", "a", "so"];

/// Environment variables that change what a compiler does without being on its command line.
const COMPILER_VARIABLES: [&str; 5] =
    ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX"];

/// What to build.
#[derive(Clone, Debug)]
pub struct Request {
    /// Source files (`.asc`, `.cce`, `.cpp`, …) and files for the linker (`.o`, `.a`, `.so`).
    pub inputs: Vec<PathBuf>,
    /// `-I` folders.
    pub include_dirs: Vec<PathBuf>,
    /// `-D` definitions, `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// `-O` level.
    pub optimize: String,
    /// Options handed to the compiler as they are.
    pub compiler_options: Vec<String>,
    /// What to make.
    pub form: Form,
}

/// What a build makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// An executable.
    #[default]
    Program,
    /// A shared object that exports `tr_kernel_module`, for a host program to load.
    Kernels,
    /// An object file for somebody else's link, with `libtoprope_device.a` and `libascendcl.so`; what `ascendc_library` is made of.
    Object,
}

impl Request {
    /// A program made of `inputs`, with `-O2`.
    pub fn new(inputs: impl IntoIterator<Item = impl Into<PathBuf>>) -> Request {
        Request {
            inputs: inputs.into_iter().map(Into::into).collect(),
            include_dirs: Vec::new(),
            defines: Vec::new(),
            optimize: "2".into(),
            compiler_options: Vec::new(),
            form: Form::Program,
        }
    }

    /// The same as a kernel-only shared object.
    #[must_use]
    pub fn kernel_only(mut self) -> Request {
        self.form = Form::Kernels;
        self
    }

    /// Options that both preprocessing and compiling see.
    fn options(&self) -> Vec<OsString> {
        let mut options: Vec<OsString> = vec!["-std=c++17".into(), format!("-O{}", self.optimize).into()];
        options.extend(self.defines.iter().map(|d| format!("-D{d}").into()));
        options.extend(self.include_dirs.iter().flat_map(|d| ["-I".into(), d.clone().into_os_string()]));
        options.extend(self.compiler_options.iter().map(OsString::from));
        options
    }

    /// Name of the result: that of the first source.
    fn file_name(&self) -> String {
        let stem = self
            .inputs
            .iter()
            .find(|p| is_source(p))
            .and_then(|p| p.file_stem())
            .map(|s| s.to_string_lossy().into_owned());
        let stem = stem.unwrap_or_else(|| "program".into());
        match self.form {
            Form::Program => stem,
            Form::Kernels => format!("lib{stem}.so"),
            Form::Object => format!("{stem}.o"),
        }
    }
}

/// What was built.
#[derive(Clone, Debug)]
pub struct Built {
    /// Executable, shared object or object file; stays in the cache.
    pub path: PathBuf,
    /// No compiler was started.
    pub cached: bool,
    /// Wall-clock time.
    pub took: Duration,
    /// `g++ 12.2.0`.
    pub compiler: String,
    /// Kernels defined, by qualified name.
    pub kernels: Vec<String>,
    /// What the compiler wrote (warnings).
    pub diagnostics: String,
    /// Files it was made from: sources, headers that are not toprope's, linker inputs.
    pub files: Vec<PathBuf>,
}

/// A compiler, a cache and a runtime library: all that building needs.
#[derive(Clone, Debug)]
pub struct Toolchain {
    compiler: Compiler,
    cache: Cache,
    runtime: RuntimeLibrary,
    color: bool,
}

fn is_source(path: &Path) -> bool {
    ending_in(path, &SOURCE_ENDINGS)
}

fn ending_in(path: &Path, endings: &[&str]) -> bool {
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| endings.contains(&e))
}

/// Whether a file's name is that of a source or of an input of the linker.
pub fn is_input(path: &Path) -> bool {
    is_source(path) || ending_in(path, &LINK_ENDINGS)
}

impl Toolchain {
    /// Finds everything in the environment.
    ///
    /// # Errors
    /// [`ToolchainError::NoCompiler`], [`ToolchainError::Cache`], [`ToolchainError::NoRuntime`].
    pub fn find() -> Result<Toolchain> {
        Toolchain::with_compiler(Compiler::find()?)
    }

    /// As [`Toolchain::find`] with a given compiler.
    ///
    /// # Errors
    /// [`ToolchainError::Cache`], [`ToolchainError::NoRuntime`].
    pub fn with_compiler(compiler: Compiler) -> Result<Toolchain> {
        Ok(Toolchain { compiler, cache: Cache::open()?, runtime: RuntimeLibrary::find()?, color: false })
    }

    /// Asks the compiler for coloured messages.
    #[must_use]
    pub fn color(mut self, color: bool) -> Toolchain {
        self.color = color;
        self
    }

    /// Uses the cache in directory `dir`.
    ///
    /// # Errors
    /// [`ToolchainError::Cache`].
    pub fn cache_at(mut self, dir: &Path) -> Result<Toolchain> {
        self.cache = Cache::at(dir)?;
        Ok(self)
    }

    /// The runtime library programs are linked with.
    pub fn runtime(&self) -> &RuntimeLibrary {
        &self.runtime
    }

    /// The compiler objects are made with.
    pub(crate) fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    /// The cache objects are kept in.
    pub(crate) fn cache(&self) -> &Cache {
        &self.cache
    }

    /// Compiles translation units with this toolchain.
    pub(crate) fn units<'a>(
        &'a self,
        version: &'a Version,
        bundle: &'a Bundle,
        scratch: &'a Path,
    ) -> UnitCompiler<'a> {
        UnitCompiler {
            compiler: &self.compiler,
            version,
            cache: &self.cache,
            bundle,
            scratch,
            color: self.color,
        }
    }

    /// The unpacked headers and device library.
    ///
    /// # Errors
    /// [`ToolchainError::File`] if the cache cannot be written.
    pub fn bundle(&self) -> Result<Bundle> {
        Bundle::unpack(&self.cache)
    }

    /// Builds `request`, or finds it built.
    ///
    /// # Errors
    /// [`ToolchainError::Source`], [`ToolchainError::UnknownKind`] and [`ToolchainError::NoSources`] for bad inputs,
    /// [`ToolchainError::Launch`] and [`ToolchainError::Compile`] for bad source text, others for the environment.
    pub fn build(&self, request: &Request) -> Result<Built> {
        let clock = Instant::now();
        check_inputs(request)?;
        let key = self.request_key(request);
        if let Some(built) = self.cached(request, &key, clock) {
            return Ok(built);
        }
        let _lock = self.cache.lock(&key)?;
        if let Some(built) = self.cached(request, &key, clock) {
            return Ok(built);
        }
        self.build_now(request, &key, clock)
    }

    fn cached(&self, request: &Request, key: &str, clock: Instant) -> Option<Built> {
        let manifest = Manifest::load(&self.cache, key)?;
        let path = self.cache.entry("program", &manifest.program).join(request.file_name());
        path.is_file().then(|| Built {
            path,
            cached: true,
            took: clock.elapsed(),
            files: manifest.files(),
            compiler: manifest.compiler,
            kernels: manifest.kernels,
            diagnostics: manifest.diagnostics,
        })
    }

    /// Everything that decides what a request builds, apart from the contents of files.
    fn request_key(&self, request: &Request) -> String {
        let cwd = env::current_dir().unwrap_or_default();
        let variables =
            COMPILER_VARIABLES.iter().map(|v| env::var_os(v).unwrap_or_default().into_encoded_bytes());
        Key::default()
            .part(env!("CARGO_PKG_VERSION"))
            .part(bundle::HASH)
            .part(self.compiler.identity())
            .part(cwd.as_os_str().as_encoded_bytes())
            .part(self.runtime.path().as_os_str().as_encoded_bytes())
            .part([request.form as u8])
            .parts(request.options().iter().map(|o| o.as_encoded_bytes()))
            .part("inputs")
            .parts(request.inputs.iter().map(|p| p.as_os_str().as_encoded_bytes()))
            .part("variables")
            .parts(variables)
            .finish()
    }

    fn build_now(&self, request: &Request, key: &str, clock: Instant) -> Result<Built> {
        let bundle = self.bundle()?;
        let ours = bundle.include();
        let started = SystemTime::now();
        let version = self.compiler.version()?;
        self.runtime.check()?;
        let job = Job { toolchain: self, request, version: &version, bundle, scratch: self.cache.scratch()? };
        let units = job.compile_all()?;
        let kernels: Vec<String> = units.iter().flat_map(|u| u.kernels.clone()).collect();
        if request.form == Form::Kernels && kernels.is_empty() {
            return Err(ToolchainError::NoKernels { path: request.inputs[0].clone() });
        }
        let (program, link_messages) = job.link(&units)?;
        let mut diagnostics: String = units.iter().map(|u| u.diagnostics.as_str()).collect();
        diagnostics.push_str(&link_messages);
        let compiler = format!("{} {}", version.family.name(), version.number);
        let mut files: Vec<PathBuf> = units.iter().flat_map(|u| u.files.clone()).collect();
        files.extend(request.inputs.iter().cloned());
        // The bundle's files are named by its hash, which is part of the request's key.
        files.retain(|f| !f.starts_with(&ours));
        files.sort();
        files.dedup();
        let manifest = Manifest::new(program.clone(), compiler.clone(), kernels.clone(), diagnostics.clone());
        manifest.store(&self.cache, key, &files, started)?;
        self.cache.prune();
        let path = self.cache.entry("program", &program).join(request.file_name());
        Ok(Built { path, cached: false, took: clock.elapsed(), compiler, kernels, diagnostics, files })
    }
}

fn check_inputs(request: &Request) -> Result<()> {
    for path in &request.inputs {
        if !is_input(path) {
            return Err(ToolchainError::UnknownKind { path: path.clone() });
        }
        // A directory opens but is no source.
        let readable = fs::File::open(path).and_then(|f| f.metadata()).and_then(|m| match m.is_file() {
            true => Ok(()),
            false => Err(std::io::Error::other("is not a file")),
        });
        readable.map_err(|source| ToolchainError::Source { path: path.clone(), source })?;
    }
    if request.inputs.iter().any(|p| is_source(p)) { Ok(()) } else { Err(ToolchainError::NoSources) }
}

/// One build in progress.
struct Job<'a> {
    toolchain: &'a Toolchain,
    request: &'a Request,
    version: &'a Version,
    bundle: Bundle,
    scratch: tempfile::TempDir,
}

impl Job<'_> {
    /// Compiles the sources, several at a time.
    fn compile_all(&self) -> Result<Vec<Unit>> {
        let sources: Vec<&PathBuf> = self.request.inputs.iter().filter(|p| is_source(p)).collect();
        let workers = std::thread::available_parallelism().map_or(1, usize::from).min(sources.len());
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<(usize, Result<Unit>)>> = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(source) = sources.get(index) else { return };
                        let unit = self.compile(source, index);
                        done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((index, unit));
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        done.sort_by_key(|d| d.0);
        done.into_iter().map(|d| d.1).collect()
    }

    fn compile(&self, source: &Path, index: usize) -> Result<Unit> {
        let options = UnitOptions {
            preprocess: self.request.options(),
            compile: self.compile_options(),
            purpose: Purpose { library: self.request.form == Form::Object, cores: None },
        };
        self.units().compile(source, index, &options)
    }

    fn units(&self) -> UnitCompiler<'_> {
        self.toolchain.units(self.version, &self.bundle, self.scratch.path())
    }

    /// Options of the compile step: the user's after ours, so that they win.
    fn compile_options(&self) -> Vec<OsString> {
        let mut options = unit::object_options(self.version);
        if self.request.form != Form::Program {
            options.extend(unit::SHARED_OPTIONS.map(OsString::from));
        }
        if self.request.form == Form::Kernels {
            options.push(unit::KERNELS_ONLY_OPTION.into());
        }
        options.extend(self.request.options());
        options
    }

    fn link_arguments(&self, units: &[Unit]) -> Vec<OsString> {
        let request = self.request;
        let runtime = &self.toolchain.runtime;
        let mut arguments: Vec<OsString> = units.iter().map(|u| u.object.clone().into_os_string()).collect();
        arguments.extend(request.inputs.iter().filter(|p| !is_source(p)).map(|p| p.clone().into_os_string()));
        if request.form == Form::Object {
            arguments.extend(["-r".into(), "-nostdlib".into()]);
            return arguments;
        }
        arguments.push(self.bundle.device_library().into_os_string());
        if request.form == Form::Kernels {
            // Kernels alone need no runtime; the process that loads them has one.
            arguments.extend(["-shared".into(), "-Wl,--as-needed".into()]);
        }
        arguments.extend([OsString::from("-L"), runtime.dir().into(), "-lascendcl".into()]);
        let mut rpath = OsString::from("-Wl,-rpath,");
        rpath.push(runtime.dir());
        // Not the newer run path, which LD_LIBRARY_PATH overrides: the program runs on the runtime it was compiled for, also in a shell with
        // the environment of another toprope or of CANN.
        arguments.push("-Wl,--disable-new-dtags".into());
        arguments.extend([rpath, "-lpthread".into(), "-ldl".into(), "-lm".into()]);
        arguments.extend(request.compiler_options.iter().filter(|o| is_link_option(o)).map(OsString::from));
        arguments
    }

    /// Links and publishes; returns the entry's name under `program/` and the linker's messages.
    fn link(&self, units: &[Unit]) -> Result<(String, String)> {
        let request = self.request;
        let arguments = self.link_arguments(units);
        let linked =
            request.inputs.iter().filter(|p| !is_source(p)).map(|p| cache::hash_file(p).unwrap_or_default());
        let key = Key::default()
            .part(self.toolchain.compiler.identity())
            .parts(units.iter().map(|u| &u.key))
            .parts(linked)
            .parts(arguments.iter().map(|a| a.as_encoded_bytes()))
            .part(request.file_name())
            .part(seal::SEAL_VERSION.to_le_bytes())
            .finish();
        if self.toolchain.cache.hit("program", &key).is_some() {
            return Ok((key, String::new()));
        }
        let staging = self.scratch.path().join(&key);
        fs::create_dir(&staging).map_err(ToolchainError::file(&staging))?;
        let output = staging.join(request.file_name());
        let mut command = self.units().start();
        command.args(&arguments).arg("-o").arg(&output);
        let messages = self
            .units()
            .run(command, "linking", &output)
            .map_err(|e| explain_missing_main(e, Path::new(&request.file_name())))?
            .1;
        if request.form == Form::Kernels {
            seal(&output).map_err(ToolchainError::file(&output))?;
        }
        self.toolchain.cache.publish(&staging, "program", &key)?;
        Ok((key, messages))
    }
}

/// Appends the seal by which a loader knows that the object is whole.
pub(crate) fn seal(path: &Path) -> std::io::Result<()> {
    let object = fs::read(path)?;
    let seal = Seal { length: object.len() as u64, digest: Sha256::digest(&object).into() };
    fs::OpenOptions::new().append(true).open(path)?.write_all(&seal.to_bytes())
}

/// Options of the user that the linker needs too.
fn is_link_option(option: &str) -> bool {
    ["-l", "-L", "-Wl,", "-fsanitize", "-pthread", "-static"].iter().any(|p| option.starts_with(p))
}

/// Adds what to do to the linker errors that a newcomer meets. `output` is what was linked.
pub(crate) fn explain_missing_main(error: ToolchainError, output: &Path) -> ToolchainError {
    let ToolchainError::Compile { step, command, mut diagnostics, .. } = error else { return error };
    if diagnostics.contains("undefined reference to `main'") || diagnostics.contains("undefined symbol: main")
    {
        diagnostics.push_str(
            "note: the program has no main function: add the source with the host code, or build the kernels alone with \
             `toprope build --kernel-only`\n",
        );
    }
    ToolchainError::Compile { step, path: output.to_path_buf(), command, diagnostics }
}
