//! The command line of `toprope cc`, in the spelling of g++ with the options that public Ascend C documents have besides.
//!
//! Options are sorted into what preprocessing, compiling and linking need. What no table knows goes to the host compiler, which says
//! what is wrong with it. Options of `bisheng` for the device code are honoured where they mean something here and dropped where they do
//! not (see [`DROPPED`]); none is silently turned into something else.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use toprope_abi::core_face::KernelType;

use super::arch;

/// What to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Goal {
    /// `-E`: the standard C++ that the host compiler is given.
    Preprocess,
    /// `-M`, `-MM`: a rule for make, nothing else.
    Depend,
    /// `-S`.
    Assembly,
    /// `-fsyntax-only`.
    Check,
    /// `-c`, `-dc`.
    Object,
    /// `-lib`: a static library.
    Archive,
    /// An executable, or with `-shared` a shared library.
    #[default]
    Link,
}

/// Language of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Ascend C: preprocessed, rewritten, compiled.
    AscendC,
    /// Handed to the host compiler (C++, C, assembly), under this `-x` name if one was given.
    Host(Option<&'static str>),
    /// An object, an archive, a shared library, a linker script.
    Linker,
}

/// A word of the link line, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An input file.
    Input(PathBuf, Language),
    /// An option of the linker.
    Option(OsString),
}

/// A command line, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// What to make.
    pub goal: Goal,
    /// `-o`.
    pub output: Option<PathBuf>,
    /// Inputs and linker options in order.
    pub items: Vec<Item>,
    /// Options of the preprocessor alone (`-I`, `-D`, `-include`).
    pub preprocess: Vec<OsString>,
    /// Options of every compiler run (`-O2`, `-Wall`, `-fPIC`).
    pub common: Vec<OsString>,
    /// `-MD`, `-MF` and their kind.
    pub depend: DependOptions,
    /// `-std=` value.
    pub standard: Option<String>,
    /// An `-O` option was given.
    pub optimized: bool,
    /// One of `-fPIC`, `-fpie`, `-fno-pic` … was given.
    pub position: bool,
    /// `-shared`.
    pub shared: bool,
    /// `-r`: a relocatable object.
    pub relocatable: bool,
    /// `-v`.
    pub verbose: bool,
    /// `--version`.
    pub version: bool,
    /// `--help`.
    pub help: bool,
    /// A question for the host compiler (`-dumpmachine`, `-print-search-dirs`).
    pub question: Option<OsString>,
    /// `--cce-aicore-only`: kernels alone, for these cores.
    pub kernels: Option<KernelType>,
}

/// Options about rules for make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DependOptions {
    /// `-MD` or `-MMD`, as given.
    pub write: Option<OsString>,
    /// `-MF`.
    pub file: Option<PathBuf>,
    /// `-MT x` and `-MQ x`.
    pub targets: Vec<OsString>,
    /// `-MP`, `-MG`.
    pub more: Vec<OsString>,
}

/// Options whose value is the next word; also accepted in one word where the last column says so.
const WITH_VALUE: [(&str, Group, Joined); 24] = [
    ("-I", Group::Preprocess, Joined::Yes),
    ("-D", Group::Preprocess, Joined::Yes),
    ("-U", Group::Preprocess, Joined::Yes),
    ("-isystem", Group::Preprocess, Joined::Yes),
    ("-iquote", Group::Preprocess, Joined::Yes),
    ("-idirafter", Group::Preprocess, Joined::Yes),
    ("-iprefix", Group::Preprocess, Joined::Yes),
    ("-iwithprefix", Group::Preprocess, Joined::Yes),
    ("-imacros", Group::Preprocess, Joined::Yes),
    ("-include", Group::Preprocess, Joined::Yes),
    ("-Xpreprocessor", Group::Preprocess, Joined::No),
    ("-isysroot", Group::Common, Joined::Yes),
    ("--sysroot", Group::Common, Joined::No),
    ("--param", Group::Common, Joined::No),
    ("-Xassembler", Group::Common, Joined::No),
    ("-target", Group::Common, Joined::No),
    ("-l", Group::Link, Joined::Yes),
    ("-L", Group::Link, Joined::Yes),
    ("-T", Group::Link, Joined::Yes),
    ("-u", Group::Link, Joined::No),
    ("-z", Group::Link, Joined::Yes),
    ("-e", Group::Link, Joined::No),
    ("-Xlinker", Group::Link, Joined::No),
    // Options of the device compiler's optimiser.
    ("-mllvm", Group::Dropped, Joined::No),
];

/// Options of the linker in one word.
const LINKER: [&str; 12] = [
    "-Wl,",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-s",
    "-static-libgcc",
    "-static-libstdc++",
    "-fuse-ld=",
    "-nostdlib",
    "-nodefaultlibs",
    "-nostartfiles",
    "-Bdynamic",
];

/// Options of the device compiler that mean nothing here, by how they begin: one machine runs host code and kernels, there is one run
/// mode, every launch is checked.
const DROPPED: [&str; 19] = [
    "--cce-",
    "--asc-",
    "-cce-",
    "--sanitizer",
    "-lineinfo",
    "--run-mode",
    "--gcc-toolchain",
    "-Xaicore-start",
    "-Xaicore-end",
    "-Xaicpu-start",
    "-Xaicpu-end",
    "-Xhost-start",
    "-Xhost-end",
    "--no-cce-",
    "--soc-version",
    "--relocatable-device-code",
    "-rdc=",
    "--hipcc-",
    "-fcce-",
];

/// Questions that the host compiler answers.
const QUESTIONS: [&str; 4] = ["-dumpmachine", "-dumpversion", "-dumpfullversion", "-print-"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Preprocess,
    Common,
    Link,
    Dropped,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joined {
    Yes,
    No,
}

/// What `-x` names mean. Assembly and C go to the host compiler as they are.
const LANGUAGES: [(&str, Language); 10] = [
    ("asc", Language::AscendC),
    ("cce", Language::AscendC),
    ("c++", Language::Host(Some("c++"))),
    ("c++-header", Language::Host(Some("c++-header"))),
    ("c++-cpp-output", Language::Host(Some("c++-cpp-output"))),
    ("c", Language::Host(Some("c"))),
    ("c-header", Language::Host(Some("c-header"))),
    ("cpp-output", Language::Host(Some("cpp-output"))),
    ("assembler", Language::Host(Some("assembler"))),
    ("assembler-with-cpp", Language::Host(Some("assembler-with-cpp"))),
];

/// Endings of files, with their language. Others go to the linker.
const ENDINGS: [(&[&str], Language); 3] = [
    (&["asc", "cce"], Language::AscendC),
    // A C++ driver takes C for C++ unless it is told.
    (&["c"], Language::Host(Some("c"))),
    (
        &["cpp", "cc", "cxx", "c++", "cp", "C", "CPP", "i", "ii", "s", "S", "sx", "h", "hpp", "hh", "hxx"],
        Language::Host(None),
    ),
];

/// Language of `path` by its ending. `-` is standard input.
fn language_of(path: &OsStr) -> Language {
    let ending = std::path::Path::new(path).extension().and_then(OsStr::to_str).unwrap_or_default();
    if path == "-" {
        return Language::AscendC;
    }
    ENDINGS
        .iter()
        .find(|(endings, _)| endings.contains(&ending))
        .map_or(Language::Linker, |(_, language)| *language)
}

/// Reads a command line whose response files are expanded.
///
/// # Errors
/// What is wrong, with what to do.
pub fn read(arguments: &[OsString]) -> Result<CommandLine, String> {
    let mut reader = Reader::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        reader.take(argument, &mut rest)?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    line: CommandLine,
    /// `-x`.
    language: Option<Language>,
    arch: Option<String>,
    soc: Option<String>,
    /// `--asc-aicore-lang` before a file.
    next_is_asc: bool,
    /// `--cce-aicore-only`.
    kernels_only: bool,
    /// `-cce-enable-mix`: a kernel on cube and vector cores, compiled once for each.
    mix: bool,
    /// [`ONE_VECTOR_CORE`].
    one_vector_core: bool,
}

/// Definition by which callers of the device compiler ask for one vector core per cube core instead of two.
const ONE_VECTOR_CORE: &str = "-D__MIX_CORE_AIC_RATION__=1";

type Rest<'a> = std::slice::Iter<'a, OsString>;

/// The value of option `name`: the rest of its word or the next word.
fn value<'a>(name: &str, joined: &'a OsStr, rest: &mut Rest<'a>) -> Result<&'a OsStr, String> {
    if !joined.is_empty() {
        return Ok(joined);
    }
    rest.next().map(OsString::as_os_str).ok_or_else(|| format!("option {name} needs a value"))
}

fn after<'a>(word: &'a OsStr, prefix: &str) -> Option<&'a OsStr> {
    word.as_bytes().strip_prefix(prefix.as_bytes()).map(OsStr::from_bytes)
}

impl Reader {
    fn take<'a>(&mut self, argument: &'a OsString, rest: &mut Rest<'a>) -> Result<(), String> {
        let text = argument.to_string_lossy();
        if !text.starts_with('-') || text == "-" {
            self.input(argument);
            return Ok(());
        }
        self.cores(&text);
        if self.architecture(argument, rest)? || self.goal(&text) || self.about(argument, &text) {
            return Ok(());
        }
        if self.output_and_language(argument, rest)? || self.depend(argument, &text, rest)? {
            return Ok(());
        }
        self.passed_on(argument, &text, rest)
    }

    fn input(&mut self, argument: &OsString) {
        let by_name = language_of(argument);
        let language = match self.language {
            _ if std::mem::take(&mut self.next_is_asc) => Language::AscendC,
            Some(given) if by_name != Language::Linker || argument == "-" => given,
            // `-x` is for every file that follows, but an object or a library is never meant.
            Some(given) if !is_linker_ending(argument) => given,
            _ => by_name,
        };
        self.line.items.push(Item::Input(PathBuf::from(argument), language));
    }

    /// `--npu-arch`, `--npu-soc` and their kin, joined by `=` or not.
    fn architecture<'a>(&mut self, argument: &'a OsString, rest: &mut Rest<'a>) -> Result<bool, String> {
        for (name, of_soc) in [
            ("--npu-architecture", false),
            ("--npu-arch", false),
            ("--cce-aicore-arch", false),
            ("--npu-soc", true),
            ("--cce-soc-version", true),
        ] {
            let Some(tail) = after(argument, name) else { continue };
            let given = match after(tail, "=") {
                Some(joined) => joined,
                None => value(name, tail, rest)?,
            };
            let given = given.to_string_lossy().into_owned();
            if of_soc {
                self.soc = Some(given)
            } else {
                self.arch = Some(given)
            }
            return Ok(true);
        }
        Ok(false)
    }

    /// What says which cores kernels are compiled for; the words mean nothing else, so others may still read or drop them.
    fn cores(&mut self, text: &str) {
        self.kernels_only |= text == "--cce-aicore-only";
        self.mix |= matches!(text, "-cce-enable-mix" | "--cce-enable-mix");
        self.one_vector_core |= text == ONE_VECTOR_CORE;
    }

    fn goal(&mut self, text: &str) -> bool {
        let goal = match text {
            "-E" => Goal::Preprocess,
            "-M" | "-MM" => {
                self.line.depend.more.push(text.into());
                Goal::Depend
            }
            "-S" => Goal::Assembly,
            "-fsyntax-only" => Goal::Check,
            "-c" | "-dc" | "--device-c" => Goal::Object,
            "-lib" | "--cce-build-static-lib" => Goal::Archive,
            _ => return false,
        };
        // The earliest stop wins, as in g++.
        let order = |g: Goal| match g {
            Goal::Depend => 0,
            Goal::Preprocess => 1,
            Goal::Check => 2,
            Goal::Assembly => 3,
            Goal::Object => 4,
            Goal::Archive => 5,
            Goal::Link => 6,
        };
        if order(goal) < order(self.line.goal) {
            self.line.goal = goal;
        }
        true
    }

    fn about(&mut self, argument: &OsString, text: &str) -> bool {
        match text {
            "--version" => self.line.version = true,
            "--help" | "-help" => self.line.help = true,
            "-v" | "--verbose" => self.line.verbose = true,
            _ if QUESTIONS.iter().any(|q| text.starts_with(q)) => self.line.question = Some(argument.clone()),
            _ => return false,
        }
        true
    }

    fn output_and_language<'a>(
        &mut self,
        argument: &'a OsString,
        rest: &mut Rest<'a>,
    ) -> Result<bool, String> {
        if let Some(joined) = after(argument, "-o") {
            self.line.output = Some(value("-o", joined, rest)?.into());
        } else if let Some(joined) = after(argument, "-x") {
            let name = value("-x", joined, rest)?.to_string_lossy().into_owned();
            self.language = match name.as_str() {
                "none" => None,
                _ => Some(LANGUAGES.iter().find(|(known, _)| *known == name).map(|(_, l)| *l).ok_or_else(
                    || {
                        let known: Vec<&str> = LANGUAGES.iter().map(|(n, _)| *n).collect();
                        format!(
                            "-x {name}: not a language this compiler knows\n  help: use one of {}, none",
                            known.join(", ")
                        )
                    },
                )?),
            };
        } else if ["--asc-aicore-lang", "--cce-aicore-lang"].iter().any(|l| argument == l) {
            self.next_is_asc = true;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn depend<'a>(
        &mut self,
        argument: &'a OsString,
        text: &str,
        rest: &mut Rest<'a>,
    ) -> Result<bool, String> {
        let depend = &mut self.line.depend;
        match text {
            "-MD" | "-MMD" => depend.write = Some(argument.clone()),
            "-MP" | "-MG" => depend.more.push(argument.clone()),
            _ if text.starts_with("-MF") => {
                depend.file = Some(value("-MF", after(argument, "-MF").unwrap_or_default(), rest)?.into());
            }
            _ if text.starts_with("-MT") || text.starts_with("-MQ") => {
                let name = &text[..3];
                let given = value(name, after(argument, name).unwrap_or_default(), rest)?;
                depend.targets.extend([OsString::from(name), given.to_os_string()]);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn passed_on<'a>(
        &mut self,
        argument: &'a OsString,
        text: &str,
        rest: &mut Rest<'a>,
    ) -> Result<(), String> {
        // First: `-lineinfo` is no library.
        if DROPPED.iter().any(|prefix| text.starts_with(prefix)) {
            return Ok(());
        }
        for (name, group, joined) in WITH_VALUE {
            let separate = text == name;
            let attached = joined == Joined::Yes && text.starts_with(name);
            if !separate && !attached {
                continue;
            }
            let mut words = vec![argument.clone()];
            if separate {
                words.push(value(name, OsStr::new(""), rest)?.to_os_string());
            }
            self.put(group, words);
            return Ok(());
        }
        if text == "--enable-simt" {
            return Err("--enable-simt: SIMT programs are for NpuArch 3510, which is not modelled\n  help: toprope models dav-2201".into());
        }
        if text == "-static" {
            return Err("-static: the embedded NPU is a shared library (libascendcl.so)\n  help: link without -static; -static-libstdc++ and -static-libgcc are fine".into());
        }
        if let Some(standard) = text.strip_prefix("-std=").or_else(|| text.strip_prefix("--std=")) {
            self.line.standard = Some(standard.to_string());
            return Ok(());
        }
        self.line.shared |= matches!(text, "-shared" | "--shared");
        self.line.relocatable |= text == "-r";
        self.line.optimized |= text.starts_with("-O");
        self.line.position |=
            ["-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-pic", "-fno-PIC", "-fno-pie", "-fno-PIE"]
                .contains(&text);
        let of_linker = LINKER.iter().any(|o| text == *o || (o.ends_with([',', '=']) && text.starts_with(o)))
            || matches!(text, "-shared" | "--shared" | "-r");
        let group = if of_linker { Group::Link } else { Group::Common };
        let word = if text == "--shared" { OsString::from("-shared") } else { argument.clone() };
        self.put(group, vec![word]);
        Ok(())
    }

    fn put(&mut self, group: Group, words: Vec<OsString>) {
        match group {
            Group::Preprocess => self.line.preprocess.extend(words),
            Group::Common => self.line.common.extend(words),
            Group::Link => self.line.items.extend(words.into_iter().map(Item::Option)),
            Group::Dropped => {}
        }
    }

    /// The cores that the kernels are for.
    fn kernel_type(&self) -> KernelType {
        let arch = self.arch.as_deref().unwrap_or_default();
        match (self.mix, self.one_vector_core) {
            (true, true) => KernelType::MixAic1_1,
            (true, false) => KernelType::MixAic1_2,
            _ if arch.ends_with("-vec") => KernelType::AivOnly,
            _ if arch.ends_with("-cube") => KernelType::AicOnly,
            _ => KernelType::Auto,
        }
    }

    fn finish(mut self) -> Result<CommandLine, String> {
        self.line.kernels = self.kernels_only.then(|| self.kernel_type());
        // As documented: where both are given, the architecture counts.
        match (&self.arch, &self.soc) {
            (Some(arch), _) if !arch::is_modelled(arch) => Err(arch::refusal("--npu-arch", arch)),
            (None, Some(soc)) if !arch::is_modelled(soc) => Err(arch::refusal("--npu-soc", soc)),
            _ => Ok(self.line),
        }
    }
}

/// `x.o`, `x.a`, `libx.so.1`.
fn is_linker_ending(path: &OsStr) -> bool {
    let name = path.to_string_lossy();
    [".o", ".a", ".so", ".lo", ".obj", ".ld"].iter().any(|e| name.ends_with(e)) || name.contains(".so.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &str) -> CommandLine {
        read(&words.split_whitespace().map(OsString::from).collect::<Vec<_>>()).expect(words)
    }

    fn refused(words: &str) -> String {
        read(&words.split_whitespace().map(OsString::from).collect::<Vec<_>>()).expect_err(words)
    }

    fn inputs(line: &CommandLine) -> Vec<(String, Language)> {
        let of = |item: &Item| match item {
            Item::Input(path, language) => Some((path.display().to_string(), *language)),
            Item::Option(_) => None,
        };
        line.items.iter().filter_map(of).collect()
    }

    #[test]
    fn a_compile_line_of_cmake_is_sorted() {
        let read = line(
            "-DSCENARIO_NUM=2 -I/opt/inc -isystem /opt/sys -O2 -g -std=gnu++17 --npu-arch=dav-2201 -fPIC -Wall -MD -MT x.o -MF x.o.d \
             -x asc -c a/x.asc -o x.o",
        );
        assert_eq!(read.goal, Goal::Object);
        assert_eq!(read.output.as_deref(), Some("x.o".as_ref()));
        assert_eq!(read.preprocess, ["-DSCENARIO_NUM=2", "-I/opt/inc", "-isystem", "/opt/sys"]);
        assert_eq!(read.common, ["-O2", "-g", "-fPIC", "-Wall"]);
        assert_eq!(read.standard.as_deref(), Some("gnu++17"));
        assert!(read.optimized && read.position);
        assert_eq!(read.depend.write.as_deref(), Some("-MD".as_ref()));
        assert_eq!(read.depend.targets, ["-MT", "x.o"]);
        assert_eq!(read.depend.file.as_deref(), Some("x.o.d".as_ref()));
        assert_eq!(inputs(&read), [("a/x.asc".into(), Language::AscendC)]);
    }

    #[test]
    fn a_link_line_keeps_its_order() {
        let read =
            line("a.o -Wl,--start-group libx.a -lregister -L /opt/lib -Wl,--end-group -o demo -rdynamic");
        assert_eq!(read.goal, Goal::Link);
        let words: Vec<String> = read
            .items
            .iter()
            .map(|i| match i {
                Item::Input(path, _) => path.display().to_string(),
                Item::Option(word) => word.to_string_lossy().into_owned(),
            })
            .collect();
        assert_eq!(
            words.join(" "),
            "a.o -Wl,--start-group libx.a -lregister -L /opt/lib -Wl,--end-group -rdynamic"
        );
    }

    #[test]
    fn options_of_the_device_compiler_are_dropped() {
        let read = line(
            "--cce-auto-sync --cce-auto-sync-log=x --sanitizer -lineinfo --gcc-toolchain=/usr --run-mode=sim --npu-soc Ascend910B1 \
             -mllvm -cce-aicore-jump-expand=true -Xhost-start -Wextra -Xhost-end -dc k.asc",
        );
        assert_eq!(read.goal, Goal::Object, "-dc makes an object");
        assert_eq!(read.common, ["-Wextra"], "what is for the host compiler arrives");
        assert_eq!(read.preprocess.len() + read.items.len(), 1);
    }

    #[test]
    fn libraries_are_made_as_documented() {
        assert_eq!(line("-lib k.asc -o libk.a --npu-arch=dav-2201").goal, Goal::Archive);
        let shared = line("--shared k.asc -o libk.so -fPIC");
        assert!(shared.shared && shared.goal == Goal::Link);
        assert_eq!(line("-c -lib k.asc").goal, Goal::Object);
    }

    #[test]
    fn languages_follow_x_and_endings() {
        let read = line("a.cpp -x asc b.cpp c.o -x none d.asc e.c libf.so.1 g.a");
        let languages: Vec<Language> = inputs(&read).into_iter().map(|i| i.1).collect();
        use Language::{AscendC, Host, Linker};
        assert_eq!(languages, [Host(None), AscendC, Linker, AscendC, Host(Some("c")), Linker, Linker]);
        assert!(refused("-x fortran a.f").contains("fortran"));
        assert_eq!(inputs(&line("-c --asc-aicore-lang k.txt"))[0].1, AscendC);
    }

    #[test]
    fn what_is_not_modelled_is_refused_by_name() {
        for words in [
            "--npu-arch=dav-3510 k.asc",
            "--npu-arch dav-3510 k.asc",
            "--npu-soc=Ascend310P3 k.asc",
            "--npu-arch= k.asc",
        ] {
            assert!(refused(words).contains("NpuArch 2201"), "{words}");
        }
        assert!(refused("--enable-simt k.asc").contains("SIMT"));
        assert!(refused("-static a.o").contains("shared library"));
        assert!(refused("-o").contains("-o needs a value"));
        // The architecture counts, not the chip.
        line("--npu-soc=Ascend310P3 --npu-arch=dav-2201 k.asc");
    }
}
