//! One translation unit: preprocessed, rewritten, compiled; the object is kept in the cache.
//!
//! Used by [`Toolchain::build`](super::Toolchain::build) and by the compiler driver ([`cc`](crate::cc)), so both find each other's objects when text
//! and options are the same.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::bundle::Bundle;
use super::cache::{self, Cache, Key};
use super::compiler::{Compiler, Version};
use crate::error::{Result, ToolchainError};
use crate::launch::{self, Purpose, Rewritten};

/// Architecture of every Ascend C unit, for `#if __NPU_ARCH__` that stands before the first header.
const ARCH_MACRO: &str = "-D__NPU_ARCH__=2201";

/// Preprocessor option of kernels that a program generates: what the architecture does not have is refused by the launch, not by the compiler
/// (`toprope/ascendc/refuse.h`).
pub(crate) const REFUSE_AT_LAUNCH: &str = "-DTOPROPE_REFUSE_AT_LAUNCH";

/// Option of units that become a kernel-only object: inline functions of two loaded modules must not replace each other, each has its own
/// thread-local.
pub(crate) const KERNELS_ONLY_OPTION: &str = "-fvisibility=hidden";

/// Options of the two compiler runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnitOptions {
    /// Of the preprocessor run.
    pub preprocess: Vec<OsString>,
    /// Of the compiler run.
    pub compile: Vec<OsString>,
    /// What the unit is compiled for.
    pub purpose: Purpose,
}

/// One compiled source.
pub(crate) struct Unit {
    /// In the cache.
    pub object: PathBuf,
    /// Its name there.
    pub key: String,
    /// Kernels defined, by qualified name.
    pub kernels: Vec<String>,
    /// Source and headers.
    pub files: Vec<PathBuf>,
    /// What the compiler wrote.
    pub diagnostics: String,
}

/// What compiling a unit needs.
pub(crate) struct UnitCompiler<'a> {
    pub compiler: &'a Compiler,
    pub version: &'a Version,
    pub cache: &'a Cache,
    pub bundle: &'a Bundle,
    /// Folder for temporary files.
    pub scratch: &'a Path,
    pub color: bool,
}

impl UnitCompiler<'_> {
    /// A compiler command without options.
    pub fn start(&self) -> Command {
        let mut command = self.compiler.start();
        if self.color {
            command.arg("-fdiagnostics-color=always");
        }
        command
    }

    /// Preprocesses `source`; text and messages.
    pub fn preprocess(&self, source: &Path, options: &[OsString]) -> Result<(String, String)> {
        let mut command = self.start();
        command.args(options).args([
            "-E",
            "-D__TOPROPE_REWRITE__",
            ARCH_MACRO,
            "-include",
            "toprope/launch.h",
        ]);
        command.arg("-isystem").arg(self.bundle.include()).args(["-x", "c++"]).arg(source);
        let (bytes, diagnostics) = self.run(command, "preprocessing", source)?;
        Ok((String::from_utf8_lossy(&bytes).into_owned(), diagnostics))
    }

    /// Preprocesses and rewrites `source`: standard C++ and the preprocessor's messages.
    pub fn rewrite(&self, source: &Path, options: &UnitOptions) -> Result<(Rewritten, String)> {
        let (text, diagnostics) = self.preprocess(source, &options.preprocess)?;
        let rewritten = launch::rewrite_for(&text, options.purpose)
            .map_err(|problems| ToolchainError::Launch { path: source.to_path_buf(), problems })?;
        Ok((rewritten, diagnostics))
    }

    /// Compiles rewritten text with `options` to `output`; the compiler's messages. `index` tells units of one job apart.
    pub fn compile_text(
        &self,
        source: &Path,
        index: usize,
        text: &str,
        options: &[OsString],
        output: Option<&Path>,
    ) -> Result<String> {
        let input = self.scratch.join(format!("{index}.ii"));
        fs::write(&input, text).map_err(ToolchainError::file(&input))?;
        let mut command = self.start();
        command.args(options).args(["-x", "c++-cpp-output"]).arg(&input);
        if let Some(output) = output {
            command.arg("-o").arg(output);
        }
        Ok(self.run(command, "compilation", source)?.1)
    }

    /// Compiles `source` to an object in the cache, or finds it there.
    pub fn compile(&self, source: &Path, index: usize, options: &UnitOptions) -> Result<Unit> {
        let (rewritten, mut diagnostics) = self.rewrite(source, options)?;
        let key = Key::default()
            .part(&rewritten.text)
            .part(self.compiler.identity())
            .part(&self.version.banner)
            .part(env::current_dir().unwrap_or_default().as_os_str().as_encoded_bytes())
            .parts(options.compile.iter().map(|o| o.as_encoded_bytes()))
            .finish();
        let (object_name, messages_name) = (format!("{key}.o"), format!("{key}.txt"));
        let messages_file = self.cache.entry("object", &messages_name);
        let object = match self.cache.hit("object", &object_name) {
            Some(object) => {
                diagnostics.push_str(&fs::read_to_string(messages_file).unwrap_or_default());
                object
            }
            None => {
                let output = self.scratch.join(format!("{index}.o"));
                let mut compile = options.compile.clone();
                compile.push("-c".into());
                let messages = self.compile_text(source, index, &rewritten.text, &compile, Some(&output))?;
                cache::write_atomic(&messages_file, messages.as_bytes())?;
                diagnostics.push_str(&messages);
                self.cache.publish(&output, "object", &object_name)?
            }
        };
        let is_file = |name: &&String| !name.starts_with('<');
        let files =
            rewritten.files.iter().filter(is_file).map(PathBuf::from).filter(|f| f.is_file()).collect();
        let kernels = rewritten.kernels.into_iter().filter(|k| k.defined).map(|k| k.name).collect();
        Ok(Unit { object, key, kernels, files, diagnostics })
    }

    /// Runs a compiler step: its standard output and its messages.
    pub fn run(&self, mut command: Command, step: &'static str, path: &Path) -> Result<(Vec<u8>, String)> {
        let shown = self.compiler.shown();
        let output =
            command.output().map_err(|source| ToolchainError::Spawn { command: shown.clone(), source })?;
        let diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            return Ok((output.stdout, diagnostics));
        }
        Err(ToolchainError::Compile { step, path: path.to_path_buf(), command: shown, diagnostics })
    }
}

/// Options that every Ascend C object needs, whoever asks for it: places of instructions in messages come from them.
pub(crate) fn object_options(version: &Version) -> Vec<OsString> {
    let mut options: Vec<OsString> = vec!["-g".into(), "-fno-omit-frame-pointer".into()];
    options.extend(version.family.options().iter().map(OsString::from));
    options
}

/// Options of objects that may become part of a shared object. One 8-byte thread-local per module: the initial-exec model saves a call per
/// instruction and fits the static reserve.
pub(crate) const SHARED_OPTIONS: [&str; 2] = ["-fPIC", "-ftls-model=initial-exec"];
