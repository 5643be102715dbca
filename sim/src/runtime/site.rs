//! Where the program called us: the return address of the C function that is running.
//!
//! Every function of the table starts with a few instructions of assembly ([`call_entry`]) that store its return
//! address for the thread and then jump to the Rust function. That costs about a nanosecond per call, needs neither frame
//! pointers nor unwind tables, and is exact in every build. Source lines are looked up only when something is reported
//! ([`place`](crate::findings::symbols::place)).
//!
//! On other processors than x86-64 and AArch64 no call site is known. A call site is one frame: a program that wraps ACL
//! in functions of its own sees the line in its wrapper.
#![allow(unsafe_code)] // reads a thread-local word that assembly writes.

use crate::findings::{Detail, symbols};

/// A place in the program's code; 0: unknown, or the runtime itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallSite(pub u64);

// One word per thread, outside Rust's own thread-locals because assembly has to name it.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
std::arch::global_asm!(
    ".pushsection .tbss,\"awT\",@nobits",
    // Weak: a program may hold this file twice.
    ".weak toprope_call_site",
    ".hidden toprope_call_site",
    ".type toprope_call_site, @object",
    ".size toprope_call_site, 8",
    ".p2align 3",
    "toprope_call_site:",
    ".zero 8",
    ".popsection",
);

/// Body of a naked function: stores the return address and jumps to `$inner`, which has the same signature.
#[cfg(target_arch = "x86_64")]
macro_rules! call_entry {
    ($inner:path) => {
        std::arch::naked_asm!(
            "mov rax, qword ptr [rip + toprope_call_site@GOTTPOFF]",
            "mov r11, qword ptr [rsp]",
            "mov qword ptr fs:[rax], r11",
            "jmp {inner}",
            inner = sym $inner,
        )
    };
}

/// Body of a naked function: stores the return address and jumps to `$inner`, which has the same signature.
#[cfg(target_arch = "aarch64")]
macro_rules! call_entry {
    ($inner:path) => {
        std::arch::naked_asm!(
            "mrs x16, tpidr_el0",
            "adrp x17, :gottprel:toprope_call_site",
            "ldr x17, [x17, :gottprel_lo12:toprope_call_site]",
            "str x30, [x16, x17]",
            "b {inner}",
            inner = sym $inner,
        )
    };
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use call_entry;

impl CallSite {
    /// The call that this thread is in.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn here() -> CallSite {
        let site: u64;
        // SAFETY: reads this thread's own word, which always exists; nothing else is touched.
        unsafe {
            std::arch::asm!(
                "mov {site}, qword ptr [rip + toprope_call_site@GOTTPOFF]",
                "mov {site}, qword ptr fs:[{site}]",
                site = out(reg) site,
                options(nostack, readonly, preserves_flags),
            );
        }
        CallSite(site)
    }

    /// The call that this thread is in.
    #[cfg(target_arch = "aarch64")]
    #[inline]
    pub fn here() -> CallSite {
        let site: u64;
        // SAFETY: reads this thread's own word, which always exists; nothing else is touched.
        unsafe {
            std::arch::asm!(
                "mrs {base}, tpidr_el0",
                "adrp {site}, :gottprel:toprope_call_site",
                "ldr {site}, [{site}, :gottprel_lo12:toprope_call_site]",
                "ldr {site}, [{base}, {site}]",
                base = out(reg) _,
                site = out(reg) site,
                options(nostack, readonly, preserves_flags),
            );
        }
        CallSite(site)
    }

    /// The call that this thread is in: some call of the program, more is not known on this processor.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub fn here() -> CallSite {
        CallSite(1)
    }

    /// Whether there is one.
    pub fn is_known(self) -> bool {
        self.0 != 0
    }

    /// A line of a finding: `text`, and the source line if there is one.
    pub fn line(self, text: String) -> Detail {
        if self.is_known() { Detail::At(text, vec![self.0]) } else { Detail::Text(text) }
    }

    /// `text` with the source line behind it, for messages.
    pub fn say(self, text: &str) -> String {
        match symbols::place(&[self.0]).filter(|_| self.is_known()) {
            Some(place) if place.line > 0 => format!("{text} at {}:{}", place.file, place.line),
            _ => text.to_owned(),
        }
    }
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;

    #[allow(clippy::inline_always, reason = "the address must be that of the caller's line")]
    extern "C" fn inner(a: u64, b: u64) -> u64 {
        std::hint::black_box(a + b);
        CallSite::here().0
    }

    #[unsafe(naked)]
    extern "C" fn entry(a: u64, b: u64) -> u64 {
        call_entry!(inner)
    }

    #[test]
    fn the_call_site_is_the_callers_line() {
        let entry = std::hint::black_box(entry as extern "C" fn(u64, u64) -> u64);
        let (site, line) = (std::hint::black_box(entry(1, 2)), line!());
        let place = symbols::place(&[site]).expect("debug information");
        assert!(place.file.ends_with("site.rs"), "{place:?}");
        assert_eq!(place.line, line);
        let other = std::thread::spawn(move || std::hint::black_box(entry(3, 4))).join().expect("ran");
        assert_ne!(other, site);
        assert_eq!(CallSite::here().0, site, "each thread has its own");
    }
}
