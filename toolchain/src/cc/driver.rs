//! Carries out a command line of `toprope cc`.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use super::options::{CommandLine, Goal, Item, Language};
use super::{FAILED, depfile, misused};
use crate::cli;
use crate::compile::bundle::Bundle;
use crate::compile::compiler::{Version, find_program};
use crate::compile::unit::{self, UnitCompiler, UnitOptions};
use crate::compile::{Toolchain, explain_missing_main};
use crate::error::{Result, ToolchainError};
use crate::launch::Purpose;
use crate::prefix::layout;

/// Hands a question to the host compiler.
pub(super) fn ask(toolchain: &Toolchain, question: &OsStr) -> Result<u8> {
    status(toolchain.compiler().start().arg(question))
}

/// Runs a command on our own streams; its exit code.
fn status(command: &mut Command) -> Result<u8> {
    let spawned = command.status();
    let status = spawned.map_err(|source| ToolchainError::Spawn {
        command: command.get_program().to_string_lossy().into_owned(),
        source,
    })?;
    Ok(if status.success() { 0 } else { FAILED })
}

/// One command line, the tools, and a folder for what is on the way.
pub(super) struct Driver<'a> {
    toolchain: &'a Toolchain,
    line: &'a CommandLine,
    version: Version,
    bundle: Bundle,
    scratch: tempfile::TempDir,
}

/// A host compiler has said what is wrong and failed.
struct HostFailed;

impl<'a> Driver<'a> {
    pub fn new(toolchain: &'a Toolchain, line: &'a CommandLine) -> Result<Driver<'a>> {
        Ok(Driver {
            toolchain,
            line,
            version: toolchain.compiler().version()?,
            bundle: toolchain.bundle()?,
            scratch: toolchain.cache().scratch()?,
        })
    }

    pub fn run(&self) -> Result<u8> {
        let inputs: Vec<(&Path, Language)> = self
            .line
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Input(path, language) => Some((path.as_path(), *language)),
                Item::Option(_) => None,
            })
            .collect();
        if inputs.is_empty() {
            return Err(misused("no input files\n  help: `toprope cc --help` shows how it is used"));
        }
        for (path, _) in inputs.iter().filter(|(path, _)| *path != Path::new("-")) {
            let there = fs::metadata(path).and_then(|m| match m.is_dir() {
                true => Err(io::Error::other("is a directory")),
                false => Ok(()),
            });
            there.map_err(|source| ToolchainError::Source { path: path.to_path_buf(), source })?;
        }
        let sources: Vec<(&Path, Language)> =
            inputs.iter().copied().filter(|(_, language)| *language != Language::Linker).collect();
        match self.line.goal {
            Goal::Link => self.link(),
            Goal::Archive => self.archive(),
            _ => self.each(&sources),
        }
    }

    /// Goals that leave every source by itself.
    fn each(&self, sources: &[(&Path, Language)]) -> Result<u8> {
        if sources.is_empty() {
            return Err(misused("no source files: objects and libraries are only linked"));
        }
        if sources.len() > 1 && self.line.output.is_some() && self.line.goal != Goal::Preprocess {
            return Err(misused(
                "-o names one file for several sources\n  help: leave -o away or compile one at a time",
            ));
        }
        for (index, (source, language)) in sources.iter().enumerate() {
            let code = match language {
                Language::AscendC => self.ascend_c(source, index)?,
                Language::Host(_) => {
                    self.host(source, *language, self.goal_options(), self.line.output.as_deref())?
                }
                Language::Linker => 0,
            };
            if code != 0 {
                return Ok(code);
            }
        }
        Ok(0)
    }

    fn goal_options(&self) -> &'static [&'static str] {
        match self.line.goal {
            Goal::Preprocess => &["-E"],
            Goal::Assembly => &["-S"],
            Goal::Check => &["-fsyntax-only"],
            _ => &["-c"],
        }
    }

    /// One Ascend C source on the way to the command line's goal.
    fn ascend_c(&self, source: &Path, index: usize) -> Result<u8> {
        let read;
        let source = if source == Path::new("-") {
            read = self.standard_input()?;
            read.as_path()
        } else {
            source
        };
        let units = self.units();
        let output =
            |ending: &str| self.line.output.clone().unwrap_or_else(|| default_output(source, ending));
        let mut options = self.unit_options();
        match self.line.goal {
            Goal::Depend => {
                self.depend_only(source, &options)?;
            }
            Goal::Preprocess => {
                let (rewritten, messages) = units.rewrite(source, &options)?;
                cli::warn(&messages);
                match &self.line.output {
                    Some(path) => fs::write(path, rewritten.text).map_err(ToolchainError::file(path))?,
                    None => cli::print(&rewritten.text),
                }
            }
            Goal::Assembly | Goal::Check => {
                let (rewritten, messages) = units.rewrite(source, &options)?;
                cli::warn(&messages);
                options.compile.extend(self.goal_options().iter().map(OsString::from));
                let path = (self.line.goal == Goal::Assembly).then(|| output("s"));
                let messages =
                    units.compile_text(source, index, &rewritten.text, &options.compile, path.as_deref())?;
                cli::warn(&messages);
            }
            _ => {
                let path = output("o");
                let object = self.object(source, index, &path)?;
                put(&object, &path)?;
            }
        }
        Ok(0)
    }

    /// Compiles an Ascend C source; the object in the cache. Writes the rule for make that was asked for.
    fn object(&self, source: &Path, index: usize, target: &Path) -> Result<PathBuf> {
        let mut options = self.unit_options();
        let written = self.scratch.path().join(format!("{index}.d"));
        let depend = &self.line.depend;
        if let Some(write) = &depend.write {
            options.preprocess.extend([write.clone(), "-MF".into(), written.clone().into()]);
            options.preprocess.extend(depend.more.iter().cloned());
            match depend.targets.is_empty() {
                true => options.preprocess.extend(["-MQ".into(), target.as_os_str().to_os_string()]),
                false => options.preprocess.extend(depend.targets.iter().cloned()),
            }
        }
        if self.line.kernels.is_some() && source.is_absolute() {
            options.compile.push(self.shown_as(source)?);
        }
        let unit = self.units().compile(source, index, &options)?;
        cli::warn(&unit.diagnostics);
        if depend.write.is_some() {
            let place = depend.file.clone().unwrap_or_else(|| target.with_extension("d"));
            let rule = fs::read_to_string(&written).map_err(ToolchainError::file(&written))?;
            fs::write(&place, depfile::without(&rule, &self.bundle.include()))
                .map_err(ToolchainError::file(&place))?;
        }
        Ok(unit.object)
    }

    /// The option by which debug information names a copy of `source`. Programs that generate kernels remove the text when it is compiled;
    /// findings show lines of it afterwards.
    fn shown_as(&self, source: &Path) -> Result<OsString> {
        let mut option = OsString::from("-fdebug-prefix-map=");
        option.push(source.parent().unwrap_or(Path::new("")));
        option.push("=");
        option.push(self.toolchain.cache().keep_source(source)?);
        Ok(option)
    }

    /// `-M`: the rule alone.
    fn depend_only(&self, source: &Path, options: &UnitOptions) -> Result<()> {
        let mut preprocess = options.preprocess.clone();
        preprocess.extend(self.line.depend.more.iter().cloned());
        preprocess.extend(self.line.depend.targets.iter().cloned());
        let (rule, messages) = self.units().preprocess(source, &preprocess)?;
        cli::warn(&messages);
        let rule = depfile::without(&rule, &self.bundle.include());
        match self.line.depend.file.as_ref().or(self.line.output.as_ref()) {
            Some(path) => fs::write(path, rule).map_err(ToolchainError::file(path)),
            None => {
                cli::print(&rule);
                Ok(())
            }
        }
    }

    /// A source for the host compiler. The headers of ACL are found, as with `toprope env`.
    fn host(&self, source: &Path, language: Language, goal: &[&str], output: Option<&Path>) -> Result<u8> {
        let mut command = self.toolchain.compiler().start();
        let line = self.line;
        if let Some(standard) = &line.standard {
            command.arg(format!("-std={standard}"));
        }
        command.args(&line.common).args(&line.preprocess);
        let depend = &line.depend;
        command.args(&depend.write).args(&depend.targets).args(&depend.more);
        if let Some(file) = &depend.file {
            command.arg("-MF").arg(file);
        }
        command.arg("-isystem").arg(self.bundle.include());
        if let Language::Host(Some(name)) = language {
            command.args(["-x", name]);
        }
        command.arg(source).args(goal);
        if let Some(output) = output {
            command.arg("-o").arg(output);
        }
        self.tell(&command);
        let code = status(&mut command)?;
        if code != 0
            && fs::read_to_string(source).is_ok_and(|text| text.contains("<<<") && text.contains(">>>("))
        {
            cli::warn(&format!(
                "toprope: note: {} has launches (<<<…>>>): name it .asc or compile it with -x asc\n",
                source.display()
            ));
        }
        if let (0, Some(_), Some(file)) = (code, &depend.write, &depend.file) {
            let rule = fs::read_to_string(file).map_err(ToolchainError::file(file))?;
            fs::write(file, depfile::without(&rule, &self.bundle.include()))
                .map_err(ToolchainError::file(file))?;
        }
        Ok(code)
    }

    /// The inputs as the linker takes them: sources are compiled, everything else stays.
    fn objects(&self) -> Result<std::result::Result<Vec<OsString>, HostFailed>> {
        let mut words = Vec::new();
        for (index, item) in self.line.items.iter().enumerate() {
            match item {
                Item::Option(word) => words.push(word.clone()),
                Item::Input(path, Language::Linker) => words.push(path.clone().into_os_string()),
                Item::Input(path, Language::AscendC) => {
                    let target = default_output(path, "o");
                    words.push(self.object(path, index, &target)?.into_os_string());
                }
                Item::Input(path, language) => {
                    let object = self.scratch.path().join(format!("{index}.o"));
                    if self.host(path, *language, &["-c"], Some(&object))? != 0 {
                        return Ok(Err(HostFailed));
                    }
                    words.push(object.into_os_string());
                }
            }
        }
        Ok(Ok(words))
    }

    fn link(&self) -> Result<u8> {
        let Ok(words) = self.objects()? else { return Ok(FAILED) };
        let line = self.line;
        let output = line.output.clone().unwrap_or_else(|| PathBuf::from("a.out"));
        let mut command = self.units().start();
        command.args(&line.common);
        if line.verbose {
            command.arg("-v");
        }
        command.args(self.without_own_libraries(&words));
        if !line.relocatable {
            command.args(self.runtime_arguments());
        }
        command.arg("-o").arg(&output);
        self.tell(&command);
        let linked =
            self.units().run(command, "linking", &output).map_err(|e| explain_missing_main(e, &output))?;
        cli::warn(&linked.1);
        self.toolchain.cache().prune();
        Ok(0)
    }

    /// Libraries of CANN that a link line names are all the runtime, which is linked anyway. A library of the same name in a folder of the
    /// user's stays.
    fn without_own_libraries(&self, words: &[OsString]) -> Vec<OsString> {
        let folders = library_folders(words);
        let has = |name: &str| {
            folders
                .iter()
                .any(|dir| [".so", ".a"].iter().any(|e| dir.join(format!("lib{name}{e}")).is_file()))
        };
        let mut kept = Vec::new();
        let mut rest = words.iter().peekable();
        while let Some(word) = rest.next() {
            let joined = word.to_str().and_then(|w| w.strip_prefix("-l"));
            let name = match joined {
                Some("") => rest.peek().and_then(|next| next.to_str()),
                given => given,
            };
            if name.is_some_and(|n| layout::is_library(n) && !has(n)) {
                if joined == Some("") {
                    rest.next();
                }
                continue;
            }
            kept.push(word.clone());
            if joined == Some("") {
                kept.extend(rest.next().cloned());
            }
        }
        kept
    }

    /// Device library, runtime and run path.
    fn runtime_arguments(&self) -> Vec<OsString> {
        let runtime = self.toolchain.runtime();
        let mut words: Vec<OsString> = Vec::new();
        if self.line.shared {
            // Kernels of a module use the core pointer of their module: what two modules have in common (inline functions, the device
            // library) must not be replaced by the other's.
            words.extend(
                ["-Wl,-Bsymbolic-functions", "-Wl,--exclude-libs,libtoprope_device.a"].map(OsString::from),
            );
        }
        words.push(self.bundle.device_library().into_os_string());
        words.extend([OsString::from("-L"), runtime.dir().into()]);
        words.extend(["-Wl,--push-state,--as-needed", "-lascendcl", "-Wl,--pop-state"].map(OsString::from));
        let mut rpath = OsString::from("-Wl,-rpath,");
        rpath.push(runtime.dir());
        // The older run path, as in `Toolchain::build`: LD_LIBRARY_PATH does not override it.
        words.extend(["-Wl,--disable-new-dtags".into(), rpath]);
        words.extend(["-lpthread", "-ldl", "-lm"].map(OsString::from));
        words
    }

    fn archive(&self) -> Result<u8> {
        let Ok(words) = self.objects()? else { return Ok(FAILED) };
        let first = self.line.items.iter().find_map(|item| match item {
            Item::Input(path, _) => path.file_stem(),
            Item::Option(_) => None,
        });
        let by_name = || format!("lib{}.a", first.unwrap_or_default().to_string_lossy()).into();
        let output = self.line.output.clone().unwrap_or_else(by_name);
        let staged = self.scratch.path().join("archive.a");
        let archiver = find_program("ar").ok_or_else(|| misused("-lib needs `ar`, which is not in PATH"))?;
        let members = words.iter().filter(|w| !w.as_encoded_bytes().starts_with(b"-"));
        let mut command = Command::new(archiver);
        command.arg("rcs").arg(&staged).args(members);
        self.tell(&command);
        match status(&mut command)? {
            0 => put(&staged, &output).map(|()| 0),
            code => Ok(code),
        }
    }

    fn units(&self) -> UnitCompiler<'_> {
        self.toolchain.units(&self.version, &self.bundle, self.scratch.path())
    }

    fn unit_options(&self) -> UnitOptions {
        let line = self.line;
        let mut both: Vec<OsString> = vec![format!("-std={}", standard(line.standard.as_deref())).into()];
        if !line.optimized {
            both.push("-O2".into());
        }
        both.extend(line.common.iter().cloned());
        let mut preprocess = both.clone();
        preprocess.extend(line.preprocess.iter().cloned());
        let mut compile = unit::object_options(&self.version);
        let [position, thread_local] = unit::SHARED_OPTIONS;
        if !line.position {
            compile.push(position.into());
        }
        compile.push(thread_local.into());
        if line.kernels.is_some() {
            preprocess.push(unit::REFUSE_AT_LAUNCH.into());
            compile.push(unit::KERNELS_ONLY_OPTION.into());
        }
        compile.extend(both);
        UnitOptions { preprocess, compile, purpose: Purpose { library: false, cores: line.kernels } }
    }

    /// Standard input as a file.
    fn standard_input(&self) -> Result<PathBuf> {
        let path = self.scratch.path().join("stdin.asc");
        let mut text = Vec::new();
        io::stdin().read_to_end(&mut text).map_err(ToolchainError::file("standard input"))?;
        fs::write(&path, text).map_err(ToolchainError::file(&path))?;
        Ok(path)
    }

    /// `-v`: shows a command before it runs.
    fn tell(&self, command: &Command) {
        if self.line.verbose {
            let words: Vec<_> = std::iter::once(command.get_program()).chain(command.get_args()).collect();
            let shown: Vec<_> = words.iter().map(|w| w.to_string_lossy()).collect();
            cli::warn(&format!(" {}\n", shown.join(" ")));
        }
    }
}

/// `k.o` for `dir/k.asc`, in the current folder.
fn default_output(source: &Path, ending: &str) -> PathBuf {
    PathBuf::from(source.file_name().unwrap_or_default()).with_extension(ending)
}

/// C++17 or newer, as asked for: older ones lack what the headers need.
fn standard(asked: Option<&str>) -> String {
    let Some(asked) = asked else { return "c++17".into() };
    let old = ["98", "03", "11", "14", "0x", "1y"].iter().any(|year| asked.ends_with(year));
    match (old, asked.starts_with("gnu")) {
        (false, _) => asked.into(),
        (true, true) => "gnu++17".into(),
        (true, false) => "c++17".into(),
    }
}

/// `-L` folders among link words.
fn library_folders(words: &[OsString]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match word.to_str().and_then(|w| w.strip_prefix("-L")) {
            Some("") => found.extend(rest.next().map(PathBuf::from)),
            Some(dir) => found.push(PathBuf::from(dir)),
            None => {}
        }
    }
    found
}

/// Copies a file to its place in one step.
fn put(from: &Path, to: &Path) -> Result<()> {
    // A place that is no regular file (/dev/null, where build systems probe) is written to.
    if fs::metadata(to).is_ok_and(|m| !m.is_file()) {
        return fs::read(from).and_then(|bytes| fs::write(to, bytes)).map_err(ToolchainError::file(to));
    }
    let dir = to.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let staged = tempfile::NamedTempFile::new_in(dir).map_err(ToolchainError::file(dir))?;
    fs::copy(from, staged.path()).map_err(ToolchainError::file(to))?;
    staged.persist(to).map_err(|e| ToolchainError::File { path: to.to_path_buf(), source: e.error })?;
    Ok(())
}
