//! `aclAppLog` with arguments of every kind, called as C calls it. One test: the log's settings are read once.
#![allow(unsafe_code)] // calls a C function, sets variables.

use std::ffi::{c_char, c_int, c_uint};
use std::os::unix::fs::PermissionsExt;

// The library's symbols.
use ascendcl as _;

unsafe extern "C" {
    fn aclAppLog(
        level: c_int,
        func: *const c_char,
        file: *const c_char,
        line: u32,
        format: *const c_char,
        ...
    );
}

#[test]
fn lines_go_to_a_file_with_their_arguments() {
    let dir = std::env::temp_dir().join(format!("toprope-app-log-{}", std::process::id()));
    // SAFETY: the only test of this program, before anything reads the variables.
    unsafe { std::env::set_var("ASCEND_PROCESS_LOG_PATH", &dir) };
    // SAFETY: as above.
    unsafe { std::env::set_var("ASCEND_GLOBAL_LOG_LEVEL", "1") };
    let (func, file) = (c"main".as_ptr(), c"main.cpp".as_ptr());
    // More arguments than registers, integers and floating point mixed.
    // SAFETY: the arguments are those that the format names.
    unsafe {
        aclAppLog(
            2,
            func,
            file,
            17,
            c"%d %s %u %ld %.2f %c %.3f %lld %s %.1f %.1f %.1f %.1f %.1f %.1f %.1f %.1f".as_ptr(),
            -1 as c_int,
            c"two".as_ptr(),
            3 as c_uint,
            4_i64,
            5.25_f64,
            c_int::from(b'x'),
            6.125_f64,
            7_i64,
            c"eight".as_ptr(),
            1.0_f64,
            2.0_f64,
            3.0_f64,
            4.0_f64,
            5.0_f64,
            6.0_f64,
            7.0_f64,
            8.5_f64,
        );
    }
    // SAFETY: no arguments are named.
    unsafe { aclAppLog(0, func, file, 18, c"below the level".as_ptr()) };
    // SAFETY: as above; the other texts may be null.
    unsafe { aclAppLog(3, std::ptr::null(), std::ptr::null(), 19, c"plain".as_ptr()) };
    let long = std::ffi::CString::new("y".repeat(5000)).unwrap();
    // SAFETY: one text, as the format names.
    unsafe { aclAppLog(1, func, file, 20, c"%s".as_ptr(), long.as_ptr()) };
    // SAFETY: nothing is named; what is wrong is ignored.
    unsafe { aclAppLog(99, func, file, 21, c"no such level".as_ptr()) };
    // SAFETY: as above.
    unsafe { aclAppLog(3, func, file, 22, std::ptr::null()) };

    let folder = dir.join("debug/plog");
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let text = std::fs::read_to_string(&files[0]).unwrap();
    let mode = std::fs::metadata(&files[0]).unwrap().permissions().mode();
    std::fs::remove_dir_all(&dir).unwrap();
    assert_eq!(mode & 0o777, 0o600);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("[WARNING] APP(") && lines[0].contains("[main.cpp:17]"), "{}", lines[0]);
    let values = "main: -1 two 3 4 5.25 x 6.125 7 eight 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.5";
    assert!(lines[0].ends_with(values), "{}", lines[0]);
    assert!(lines[1].starts_with("[ERROR] ") && lines[1].ends_with("?: plain"), "{}", lines[1]);
    assert_eq!(lines[2].matches('y').count(), 1023);
}
