//! The `toprope` command.

fn main() -> std::process::ExitCode {
    toprope_toolchain::cli::main()
}
