//! `aclAppLog(level, func, file, line, fmt, ...)`.
//!
//! Rust cannot define a function with a variable argument list, and a cdylib does not export functions of C code it is
//! linked with. So the entry is a few instructions: they store the argument registers where `va_arg` of this machine
//! looks for them, and hand a `va_list` to Rust, which passes it on to `vsnprintf` without looking inside.
#![allow(unsafe_code)] // exports a C symbol; reads C text.

use std::ffi::{CStr, c_char, c_int, c_void};
use toprope_sim::runtime::app_log;

/// Documented length of a line.
const MAX_LINE: usize = 1024;

unsafe extern "C" {
    /// Of the C library. A `va_list` that is an argument is passed as a pointer on both machines below.
    fn vsnprintf(out: *mut c_char, room: usize, format: *const c_char, list: *mut c_void) -> c_int;
}

/// Formats the line and keeps it.
///
/// # Safety
/// - Texts are null or NUL-terminated; `list` is a `va_list` with what `format` names.
unsafe extern "C" fn log_line(
    level: c_int,
    func: *const c_char,
    file: *const c_char,
    line: u32,
    format: *const c_char,
    list: *mut c_void,
) {
    if format.is_null() {
        return;
    }
    let mut text = [0 as c_char; MAX_LINE];
    // SAFETY: room for `MAX_LINE` characters; format and list belong together (contract).
    let length = unsafe { vsnprintf(text.as_mut_ptr(), MAX_LINE, format, list) };
    if length < 0 {
        return;
    }
    // SAFETY: `vsnprintf` terminates what it writes.
    let message = unsafe { CStr::from_ptr(text.as_ptr()) }.to_string_lossy();
    let words = |at: *const c_char| match at.is_null() {
        true => "?".into(),
        // SAFETY: not null, NUL-terminated (contract).
        false => unsafe { CStr::from_ptr(at) }.to_string_lossy(),
    };
    app_log(level, &words(func), &words(file), line, &message);
}

/// Writes a line of the program to the log; see `toprope_sim::runtime::app_log`.
///
/// # Safety
/// - Texts are null or NUL-terminated; what follows `format` is what it names.
#[cfg(target_arch = "x86_64")]
#[allow(non_snake_case, reason = "the name is that of the C symbol")]
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub unsafe extern "C" fn aclAppLog(
    level: c_int,
    func: *const c_char,
    file: *const c_char,
    line: u32,
    format: *const c_char,
) {
    // System V ABI: a save area of 6 general (48 bytes) and 8 vector registers (128 bytes), then the va_list: offsets of
    // the next general (5 taken: 40) and vector argument (48), arguments on the stack, save area. 8 bytes keep the stack
    // aligned.
    std::arch::naked_asm!(
        "sub rsp, 216",
        "mov [rsp + 40], r9",
        "test al, al",
        "je 2f",
        "movaps [rsp + 48], xmm0",
        "movaps [rsp + 64], xmm1",
        "movaps [rsp + 80], xmm2",
        "movaps [rsp + 96], xmm3",
        "movaps [rsp + 112], xmm4",
        "movaps [rsp + 128], xmm5",
        "movaps [rsp + 144], xmm6",
        "movaps [rsp + 160], xmm7",
        "2:",
        "mov dword ptr [rsp + 184], 40",
        "mov dword ptr [rsp + 188], 48",
        "lea rax, [rsp + 224]",
        "mov [rsp + 192], rax",
        "mov [rsp + 200], rsp",
        "lea r9, [rsp + 184]",
        "call {log}",
        "add rsp, 216",
        "ret",
        log = sym log_line,
    )
}

/// Writes a line of the program to the log; see `toprope_sim::runtime::app_log`.
///
/// # Safety
/// - Texts are null or NUL-terminated; what follows `format` is what it names.
#[cfg(target_arch = "aarch64")]
#[allow(non_snake_case, reason = "the name is that of the C symbol")]
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub unsafe extern "C" fn aclAppLog(
    level: c_int,
    func: *const c_char,
    file: *const c_char,
    line: u32,
    format: *const c_char,
) {
    // AAPCS64: the va_list is {stack, end of the general save area, end of the vector save area, offsets from these ends}.
    // Frame: 0 fp and lr, 16 va_list (32 bytes), 48 x5 to x7 (24 bytes, then 8 free), 80 q0 to q7 (128 bytes).
    std::arch::naked_asm!(
        "sub sp, sp, #208",
        "stp x29, x30, [sp]",
        "mov x29, sp",
        "stp x5, x6, [sp, #48]",
        "str x7, [sp, #64]",
        "stp q0, q1, [sp, #80]",
        "stp q2, q3, [sp, #112]",
        "stp q4, q5, [sp, #144]",
        "stp q6, q7, [sp, #176]",
        "add x9, sp, #208",
        "str x9, [sp, #16]",
        "add x10, sp, #72",
        "str x10, [sp, #24]",
        "str x9, [sp, #32]",
        "mov w10, #-24",
        "mov w11, #-128",
        "stp w10, w11, [sp, #40]",
        "add x5, sp, #16",
        "bl {log}",
        "ldp x29, x30, [sp]",
        "add sp, sp, #208",
        "ret",
        log = sym log_line,
    )
}
