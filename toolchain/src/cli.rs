//! The `toprope` command line.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde_json::json;

use crate::compile::{Built, Form, Request, Toolchain};
use crate::error::{Result, ToolchainError};
use crate::lower::command::{LowerArgs, lower_command};
use crate::observe::{CheckArgs, RunArgs, check_command, run_command};
use crate::prefix::Prefix;
use crate::run::{EXIT_CODES, EXIT_MISSING};
use crate::{cc, doctor, env, explain, lower, summary};

/// Write, run, check and time Ascend AI Core kernels on any Linux machine.
#[derive(Parser, Debug)]
#[command(name = "toprope", version, about, after_help = after_help(), max_term_width = 120)]
struct Cli {
    #[command(subcommand)]
    command: Cmd,
}

#[derive(Subcommand, Debug)]
enum Cmd {
    /// Compile an Ascend C program and run it on the embedded NPU.
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Run a program for what is wrong with it, for CI: sources, or a program that is built.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Compile without running: a program, or kernels alone as a shared object for a host program.
    #[command(after_help = BUILD_EXAMPLES)]
    Build(BuildArgs),
    /// Compile and link with the command line of g++, for build systems: see `toprope cc --help`.
    #[command(disable_help_flag = true)]
    Cc {
        /// Options and files, as for g++.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGS")]
        args: Vec<OsString>,
    },
    /// Print the environment in which programs made for CANN build and run on the embedded NPU.
    #[command(after_help = ENV_EXAMPLES)]
    Env(EnvArgs),
    /// Say what is found on this machine and what is missing.
    Doctor(DoctorArgs),
    /// Turn Rust into IR for the AI Core (LLVM 15 text): the device library, or what rustc wrote of a kernel.
    #[command(after_help = lower::command::EXAMPLES)]
    Lower(LowerArgs),
    /// Explain a finding code or an ACL error code.
    Explain(ExplainArgs),
}

const RUN_EXAMPLES: &str = "Examples:
  toprope run kernels/ascendc/add/add.asc
  toprope run main.cpp kernel.asc -I include -D BLOCKS=8 -- --size 4096
  toprope run add.asc --soc Ascend910B4 --time-limit 10s --json";

const CHECK_EXAMPLES: &str = "Examples:
  toprope check add.asc
  toprope check main.cpp kernel.asc --seeds 16 --deny warnings -- --size 4096
  toprope check ./a.out --format sarif > toprope.sarif      (built in the environment of `toprope env`)

Exit code 70: something was found. docs/checking.md has formats, suppressions and all exit codes.";

const BUILD_EXAMPLES: &str = "Examples:
  toprope build add.asc -o add
  toprope build -c kernel.asc -o kernel.o
  toprope build --kernel-only kernels.asc -o libkernels.so   (load with aclrtBinaryLoadFromFile or toprope_host::Binary)";

const ENV_EXAMPLES: &str = "Examples:
  eval \"$(toprope env)\"                      (sh, bash, dash, zsh; may be repeated)
  g++ main.cpp -lascendcl && ./a.out
  toprope env --prefix /opt/toprope --format json

Without --prefix the folder lies in the cache and is removed when `toprope env` has not been called for 30 days.";

/// Exit codes and environment variables, from the tables in the code.
fn after_help() -> String {
    let mut text = String::from("Exit codes:\n");
    for (code, meaning) in EXIT_CODES {
        text.push_str(&format!("  {code:<6} {meaning}\n"));
    }
    text.push_str("\nEnvironment:\n");
    for (name, meaning) in ENVIRONMENT {
        text.push_str(&format!("  {name:<21} {meaning}\n"));
    }
    text
}

/// Environment variables that the command and the runtime read.
pub(crate) const ENVIRONMENT: [(&str, &str); 14] = [
    ("TOPROPE_CXX", "C++ compiler (else CXX, g++, clang++, c++)"),
    ("TOPROPE_CACHE_DIR", "cache of compiled programs (else toprope in the user's cache directory)"),
    ("TOPROPE_LIB_DIR", "folder of libascendcl.so (else beside the toprope binary)"),
    ("TOPROPE_SOC", "chip to model, e.g. Ascend910B1; --soc sets it"),
    ("TOPROPE_TIME_LIMIT", "limit on one launch in seconds; --time-limit sets it"),
    ("TOPROPE_SEED", "chooses among the legal orders of execution; --seed sets it"),
    ("TOPROPE_CHECK", "`off`: no checks of order, data and framework protocol; --no-check sets it"),
    ("TOPROPE_AUTO_SYNC", "`on` or `off`: what the compiler for the card inserts; --auto-sync sets it"),
    ("TOPROPE_COVERAGE", "`on`: outputs that nobody wrote; --coverage sets it"),
    ("TOPROPE_HINTS", "`on`: needless synchronisation; --hints sets it"),
    ("TOPROPE_STRICT_BOUNDS", "`on`: bounds without what an allocator adds; --strict-bounds sets it"),
    ("TOPROPE_MAX_FINDINGS", "findings shown in full (20); --max-findings sets it"),
    ("TOPROPE_QUIET", "`1`: the runtime prints no findings; `run` and `check` set it and show them"),
    ("TOPROPE_REPORT", "file the runtime writes its JSON report to; `run` and `check` set it"),
];

#[derive(Args, Debug)]
pub(crate) struct SourceArgs {
    /// Sources (.asc .cce .cpp .cc .cxx) and linker inputs (.o .a .so).
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Add a folder to the include path.
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Define a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Optimisation level of the compiler.
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = ["0", "1", "2", "3", "s", "g", "fast"])]
    optimize: String,
    /// Hand an option to the compiler as it is, e.g. --cxx-option=-Wall.
    #[arg(long = "cxx-option", value_name = "OPTION", allow_hyphen_values = true)]
    compiler_options: Vec<String>,
}

impl SourceArgs {
    fn request(&self, form: Form) -> Request {
        Request {
            inputs: self.files.clone(),
            include_dirs: self.include.clone(),
            defines: self.define.clone(),
            optimize: self.optimize.clone(),
            compiler_options: self.compiler_options.clone(),
            form,
        }
    }

    pub(crate) fn shown(&self) -> String {
        self.files.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(" ")
    }
}

#[derive(Args, Debug)]
struct BuildArgs {
    #[command(flatten)]
    sources: SourceArgs,
    /// Result; by default the name of the first source.
    #[arg(short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Build a shared object with the kernels alone.
    #[arg(long)]
    kernel_only: bool,
    /// Build an object file for a link of your own, with libtoprope_device.a and libascendcl.so of `toprope env`.
    #[arg(long, short = 'c', conflicts_with = "kernel_only")]
    object: bool,
    /// Write the files the result was made from as a rule for make.
    #[arg(long, value_name = "FILE")]
    depfile: Option<PathBuf>,
}

impl BuildArgs {
    fn form(&self) -> Form {
        match (self.kernel_only, self.object) {
            (true, _) => Form::Kernels,
            (_, true) => Form::Object,
            _ => Form::Program,
        }
    }
}

#[derive(Args, Debug)]
struct EnvArgs {
    /// What to print.
    #[arg(long, value_enum, default_value_t = EnvFormat::Sh)]
    format: EnvFormat,
    /// Make the CANN-shaped folder here instead of in the cache. Must not exist, be empty, or have been made by this command.
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
}

/// How `toprope env` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EnvFormat {
    /// Commands for a shell to evaluate.
    Sh,
    /// One JSON object.
    Json,
}

#[derive(Args, Debug)]
struct DoctorArgs {
    /// Print the checks as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct ExplainArgs {
    /// Finding (TR0106), class of findings (ErrorRead3), ACL number (507035) or ACL name; without it, all findings are listed.
    code: Option<String>,
}

/// Runs the command with the process's arguments.
pub fn main() -> ExitCode {
    // The compiler driver reads its command line itself: it has options that no other command line has.
    let mut words = std::env::args_os();
    let name = words.next().map(PathBuf::from).unwrap_or_default();
    match name.file_name().and_then(|n| n.to_str()) {
        Some(name) if cc::NAMES.contains(&name) => return cc::main(words),
        Some(cc::kernel_linker::NAME) => return cc::kernel_linker::main(words),
        _ => {}
    }
    if std::env::args_os().nth(1).is_some_and(|word| word == "cc") {
        return cc::main(words.skip(1));
    }
    let cli = Cli::parse();
    let done = match &cli.command {
        Cmd::Run(args) => run_command(args),
        Cmd::Check(args) => check_command(args),
        Cmd::Build(args) => build_command(args),
        Cmd::Cc { args } => return cc::main(args.iter().cloned()),
        Cmd::Env(args) => env_command(args),
        Cmd::Doctor(args) => Ok(doctor_command(args)),
        Cmd::Lower(args) => lower_command(args),
        Cmd::Explain(args) => Ok(explain_command(args)),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            say(&format!("toprope: error: {error}\n"), &error);
            ExitCode::from(error.exit_code())
        }
    }
}

/// Compiler messages go out first and as they are; our own line comes last.
pub(crate) fn say(text: &str, error: &ToolchainError) {
    match error {
        ToolchainError::Compile { diagnostics, .. } if !diagnostics.is_empty() => {
            let rest = text.trim_start_matches("toprope: error: ");
            let own = rest.strip_prefix(diagnostics.as_str()).unwrap_or(rest).trim_start_matches('\n');
            warn(&format!(
                "{diagnostics}{}toprope: error: {own}",
                if diagnostics.ends_with('\n') { "" } else { "\n" }
            ));
        }
        ToolchainError::Launch { problems, path } => {
            let lines: String = problems.iter().map(|p| format!("{p}\n")).collect();
            warn(&format!("{lines}toprope: error: kernel syntax of {} was not understood\n", path.display()));
        }
        _ => warn(text),
    }
}

/// Standard error; a closed one is no reason to fail.
pub(crate) fn warn(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Standard output; a closed one is no reason to fail.
pub(crate) fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

pub(crate) fn build(sources: &SourceArgs, form: Form) -> Result<Built> {
    let toolchain = Toolchain::find()?.color(std::io::stderr().is_terminal());
    let built = toolchain.build(&sources.request(form))?;
    warn(&built.diagnostics);
    Ok(built)
}

fn build_command(args: &BuildArgs) -> Result<u8> {
    let built = build(&args.sources, args.form())?;
    let default = || PathBuf::from(built.path.file_name().unwrap_or_default());
    let output = args.output.clone().unwrap_or_else(default);
    // A new file that is renamed: a running program of the same name stays as it is.
    let dir = output
        .parent()
        .filter(|d| !d.as_os_str().is_empty())
        .map_or_else(|| PathBuf::from("."), PathBuf::from);
    let staged = tempfile::NamedTempFile::new_in(&dir).map_err(ToolchainError::file(&dir))?;
    std::fs::copy(&built.path, staged.path()).map_err(ToolchainError::file(&output))?;
    staged.persist(&output).map_err(|e| ToolchainError::File { path: output.clone(), source: e.error })?;
    if let Some(depfile) = &args.depfile {
        std::fs::write(depfile, make_rule(&output, &built.files)).map_err(ToolchainError::file(depfile))?;
    }
    warn(&format!(
        "{}\ntoprope: wrote {} ({})\n",
        summary::compiled(&args.sources.shown(), &built),
        output.display(),
        kernels(&built)
    ));
    Ok(0)
}

/// A rule in the syntax of make: `target` depends on `files`.
fn make_rule(target: &Path, files: &[PathBuf]) -> String {
    let word =
        |path: &Path| path.display().to_string().replace('$', "$$").replace('#', "\\#").replace(' ', "\\ ");
    let here = std::env::current_dir().unwrap_or_default();
    let words: Vec<String> = files.iter().map(|file| word(&here.join(file))).collect();
    format!("{}: \\\n  {}\n", word(target), words.join(" \\\n  "))
}

fn kernels(built: &Built) -> String {
    match built.kernels.len() {
        0 => "no kernels".into(),
        1 => format!("kernel {}", built.kernels[0]),
        _ => format!("kernels {}", built.kernels.join(", ")),
    }
}

fn env_command(args: &EnvArgs) -> Result<u8> {
    let prefix = match &args.prefix {
        Some(dir) => Prefix::at(dir)?,
        None => Prefix::in_cache()?,
    };
    let text = match args.format {
        EnvFormat::Sh => env::script(prefix.root(), prefix.identity()),
        EnvFormat::Json => format!("{}\n", env::json(prefix.root(), prefix.identity())?),
    };
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(0)
}

fn doctor_command(args: &DoctorArgs) -> u8 {
    let checks = doctor::examine();
    let healthy = doctor::healthy(&checks);
    let text = if args.json {
        format!("{}\n", json!({"healthy": healthy, "checks": checks}))
    } else {
        doctor::render(&checks)
    };
    let _ = std::io::stdout().write_all(text.as_bytes());
    if healthy { 0 } else { EXIT_MISSING }
}

fn explain_command(args: &ExplainArgs) -> u8 {
    const WIDTH: usize = 120;
    let Some(code) = &args.code else {
        print(&explain::list(WIDTH));
        return 0;
    };
    match explain::explain(code, WIDTH) {
        Some(text) => {
            print(&text);
            0
        }
        None => {
            warn(&format!(
                "toprope: `{code}` is neither a finding code nor an ACL error\n  help: `toprope explain` lists the finding codes\n"
            ));
            EXIT_MISSING
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn arguments_after_two_dashes_are_the_program_s() {
        let cli = Cli::parse_from([
            "toprope", "run", "a.asc", "b.cpp", "-I", "inc", "-DN=3", "-O0", "--", "-x", "--soc",
        ]);
        let Cmd::Run(args) = cli.command else { panic!("not run") };
        assert_eq!(args.observe.args, ["-x", "--soc"]);
        assert_eq!(args.sources.files.len(), 2);
        assert_eq!(args.sources.define, ["N=3"]);
        assert_eq!(args.sources.optimize, "0");
    }

    #[test]
    fn rules_for_make_quote_what_make_would_read() {
        let rule = make_rule(Path::new("/o/a b.o"), &["/x/$y".into(), "/z#1".into()]);
        assert_eq!(rule, "/o/a\\ b.o: \\\n  /x/$$y \\\n  /z\\#1\n");
    }

    #[test]
    fn help_lists_every_variable_and_exit_code() {
        let help = after_help();
        assert!(ENVIRONMENT.iter().all(|(name, _)| help.contains(name)));
        assert!(EXIT_CODES.iter().all(|(code, _)| help.contains(code)));
    }
}
