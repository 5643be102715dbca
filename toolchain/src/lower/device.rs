//! The device library itself: its IR, as rustc wrote it when toprope was built, and what a user of the lowered one includes.

use super::{LowerErrors, LowerOptions, Machine, lower};

/// rustc's text of the device library (`toprope_device_lib` with its C functions); empty if rustc gave none.
const RUSTC_TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/device.ll"));

/// The text as rustc wrote it.
#[cfg(test)]
pub(super) fn library_text() -> &'static str {
    RUSTC_TEXT
}

/// Whether this build has it.
pub fn available() -> bool {
    !RUSTC_TEXT.is_empty()
}

/// The device library for `machine`.
///
/// # Errors
/// What of it was refused: this rustc writes something that the list does not have.
pub fn device_library(machine: Machine) -> Result<String, LowerErrors> {
    let what = match machine {
        Machine::AiCore => "dav-c220, vector and cube",
        Machine::Host => "x86-64, for kernels of the embedded NPU",
    };
    let title = format!(
        "toprope {}: TPipe, TQue, TBuf, TBufPool as LLVM 15 IR ({what}). Generated.",
        env!("CARGO_PKG_VERSION")
    );
    lower(&[RUSTC_TEXT], &LowerOptions { machine, exports: Vec::new(), title })
}

/// What a kernel includes: the functions and the state of `toprope/fwk.h`, and the hooks that the IR leaves to the compiler.
pub fn header() -> String {
    let functions = crate::compile::bundled("toprope-include/toprope/fwk.h").unwrap_or_default();
    format!("{functions}\n{OPEN_HOOKS}")
}

/// The hooks that stay calls ([`super::open_hooks`]), by the compiler's own names.
const OPEN_HOOKS: &str = "\
/* Hooks that toprope_device.ll leaves to the compiler: no public bitcode names their instruction. */
#if defined(__CCE_AICORE__) || defined(__CCE__)
extern \"C\" __attribute__((weak)) __aicore__ void tr_hook_set_l1_3d_size(uint64_t value) { set_l1_3d_size(value); }
#endif
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::open_hooks;

    #[test]
    fn the_header_defines_every_open_hook_and_declares_every_function() {
        let header = header();
        for hook in open_hooks() {
            assert!(OPEN_HOOKS.contains(&format!("void {hook}(")), "{hook}");
        }
        for function in toprope_abi::fwk::api::FUNCTIONS {
            assert!(header.contains(function.name), "{}", function.name);
        }
    }

    #[test]
    fn every_function_of_the_library_is_lowered_and_exported() {
        for machine in [Machine::AiCore, Machine::Host] {
            let text = device_library(machine).unwrap_or_else(|e| panic!("{e}"));
            for function in toprope_abi::fwk::api::FUNCTIONS {
                let exported = text.lines().any(|l| {
                    l.starts_with("define weak_odr ") && l.contains(&format!("@{}(", function.name))
                });
                assert!(exported, "{} for {machine:?}", function.name);
            }
        }
    }

    #[test]
    fn only_intrinsics_and_open_hooks_stay_undefined() {
        let text = device_library(Machine::AiCore).unwrap_or_else(|e| panic!("{e}"));
        let open: Vec<String> = open_hooks().map(|h| format!("@{h}(")).collect();
        for declare in text.lines().filter(|l| l.starts_with("declare ")) {
            assert!(declare.contains("@llvm.hivm.") || open.iter().any(|h| declare.contains(h)), "{declare}");
        }
        assert!(!text.contains("@_ZN") && !text.contains("tr_hook_set_flag"));
    }
}
