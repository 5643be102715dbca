//! The `toprope` command under a name of its own: cargo builds the binaries of a package before its tests, so the suite always runs
//! the command of this very source tree.

fn main() -> std::process::ExitCode {
    toprope_toolchain::cli::main()
}
