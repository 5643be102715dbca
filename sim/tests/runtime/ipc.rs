//! Sharing memory between processes (chapter 11-07), with real child processes.

use crate::support::*;
use std::ffi::c_void;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::ptr::null_mut;
use toprope_abi::acl::*;
use toprope_abi::layout::CChar;

pub const MIB: usize = 1 << 20;

/// A child process that talks by lines: it reads its instructions from standard input and answers with lines that
/// begin with `> `.
pub struct Other {
    pub child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Other {
    /// Starts the ignored test `name` of this program in a process of its own.
    pub fn start(name: &str, variables: &[(&str, &str)]) -> Other {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"]);
        command.envs(variables.iter().copied()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Other { child, to, from }
    }

    pub fn say(&mut self, line: &str) {
        writeln!(self.to, "{line}").unwrap();
        self.to.flush().unwrap();
    }

    /// The next answer.
    pub fn hear(&mut self) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(
                self.from.read_line(&mut line).unwrap(),
                0,
                "the child ended: {:?}",
                self.child.wait()
            );
            if let Some(at) = line.find("> ") {
                return line[at + 2..].trim().to_string();
            }
        }
    }

    pub fn ask(&mut self, line: &str) -> String {
        self.say(line);
        self.hear()
    }

    pub fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).unwrap()
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Lets it end and insists on success.
    pub fn finish(mut self) {
        drop(self.to);
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.from, &mut rest).unwrap();
        assert!(self.child.wait().unwrap().success(), "{rest}");
    }
}

/// In the child: serves lines until there are no more.
pub fn serve(mut command: impl FnMut(&[&str]) -> String) {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        println!("> {}", command(&words));
    }
}

pub fn number(text: &str) -> usize {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

pub fn export(at: *mut c_void, bytes: usize, flags: u64) -> String {
    let mut key = [0u8; 65];
    ok!(aclrtIpcMemGetExportKey(at, bytes, key.as_mut_ptr().cast::<CChar>(), 65, flags));
    assert_eq!(key[64], 0);
    String::from_utf8(key[..64].to_vec()).unwrap()
}

pub fn import(key: &str, flags: u64) -> *mut c_void {
    let (mut at, key) = (null_mut(), c_text(key));
    ok!(aclrtIpcMemImportByKey(&raw mut at, c_ptr(&key), flags));
    at
}

pub fn close(key: &str) {
    let key = c_text(key);
    ok!(aclrtIpcMemClose(c_ptr(&key)));
}

fn try_import(key: &str) -> (i32, String) {
    let (mut at, key) = (null_mut(), c_text(key));
    let code = acl!(aclrtIpcMemImportByKey(&raw mut at, c_ptr(&key), 0)).0;
    (code, message())
}

/// The importing side of the tests below.
#[test]
#[ignore = "run in a process of its own"]
fn child_memory() {
    ok!(aclrtSetDevice(0));
    let mut at = null_mut();
    serve(|words| match words {
        ["pid"] => {
            let mut pid = 0;
            ok!(aclrtDeviceGetBareTgid(&raw mut pid));
            pid.to_string()
        }
        ["import", key] => {
            at = import(key, 0);
            "ok".into()
        }
        ["try", key] => {
            let (code, text) = try_import(key);
            format!("{code} {}", text.replace('\n', " "))
        }
        ["read", offset] => {
            let at = at.wrapping_byte_add(number(offset));
            take::<u32>(at, 1)[0].to_string()
        }
        ["write", offset, value] => {
            put(at.wrapping_byte_add(number(offset)), &[number(value) as u32]);
            "ok".into()
        }
        ["kernel", count] => {
            run("add_one", 1, DEFAULT, &[at as u64, number(count) as u64]);
            sync(DEFAULT);
            "ok".into()
        }
        ["beyond", bytes] => {
            let data = vec![0u8; number(bytes)];
            let code = acl!(aclrtMemcpy(
                at,
                data.len(),
                data.as_ptr().cast(),
                data.len(),
                MemcpyKind::HOST_TO_DEVICE
            ));
            code.0.to_string()
        }
        ["free"] => acl!(aclrtFree(at)).0.to_string(),
        ["close", key] => {
            close(key);
            "ok".into()
        }
        ["fork"] => {
            // SAFETY: the child only sleeps until it is killed.
            let pid = unsafe { libc::fork() };
            if pid == 0 {
                loop {
                    // SAFETY: as above.
                    unsafe { libc::pause() };
                }
            }
            pid.to_string()
        }
        ["export"] => {
            let block = malloc(MIB);
            put(block, &[77u32]);
            export(block, MIB, 1)
        }
        _ => panic!("{words:?}"),
    });
}

#[test]
fn two_processes_use_the_same_bytes() {
    let _device = device();
    let block = malloc(3 * MIB);
    put(block, &[1u32, 2, 3]);
    let key = export(block, 3 * MIB, 1);
    let mut other = Other::start("ipc::child_memory", &[]);
    assert_eq!(other.ask(&format!("import {key}")), "ok");
    assert_eq!(other.ask("read 4"), "2");
    other.ask("write 0 41");
    assert_eq!(take::<u32>(block, 3), [41, 2, 3]);
    // A kernel of the other process works on it, and one of this process.
    other.ask("kernel 3");
    run("add_one", 1, DEFAULT, &[block as u64, 1]);
    sync(DEFAULT);
    assert_eq!(take::<u32>(block, 3), [43, 3, 4]);
    assert_eq!(other.ask("read 0"), "43");
    // The importer's block has the size of the export, and is not freed but closed.
    assert_eq!(other.ask(&format!("beyond {}", 3 * MIB + 64)), "107000");
    assert_eq!(other.ask("free"), "207002");
    other.ask(&format!("close {key}"));
    other.finish();
    close(&key);
    ok!(aclrtFree(block));
}

#[test]
fn rule_35_only_listed_processes_may_import() {
    let _device = device();
    let block = malloc(MIB);
    let key = export(block, MIB, 0);
    let mut other = Other::start("ipc::child_memory", &[]);
    let refused = other.ask(&format!("try {key}"));
    assert!(refused.starts_with("207006") && refused.contains("is not on the whitelist"), "{refused}");
    let text = c_text(&key);
    let mut wrong = [1];
    ok!(aclrtIpcMemSetImportPid(c_ptr(&text), wrong.as_mut_ptr(), 1));
    assert!(other.ask(&format!("try {key}")).contains("(there: 1)"));
    let mut pid = [number(&other.ask("pid")) as i32];
    assert_eq!(pid[0], other.pid());
    ok!(aclrtIpcMemSetImportPid(c_ptr(&text), pid.as_mut_ptr(), 1));
    assert_eq!(other.ask(&format!("import {key}")), "ok");
    other.finish();
    close(&key);
    fails!(107_000, aclrtIpcMemSetImportPid(c_ptr(&text), pid.as_mut_ptr(), 1));
}

#[test]
fn a_key_dies_with_its_export_its_block_and_its_process() {
    let _device = device();
    let mut other = Other::start("ipc::child_memory", &[]);
    let block = malloc(MIB);
    let closed = export(block, MIB, 1);
    let freed = export(block, MIB, 1);
    assert_ne!(closed, freed, "every export has a key of its own");
    close(&closed);
    let refused = other.ask(&format!("try {closed}"));
    assert!(
        refused.starts_with("507022") && refused.contains("does not export this (any more)"),
        "{refused}"
    );
    ok!(aclrtFree(block));
    let refused = other.ask(&format!("try {freed}"));
    assert!(
        refused.starts_with("507022") && refused.contains("was freed by the process that exported it"),
        "{refused}"
    );
    // The other way round: the child exports and is killed.
    let key = other.ask("export");
    let imported = import(&key, 0);
    assert_eq!(take::<u32>(imported, 1), [77]);
    other.kill();
    assert_eq!(take::<u32>(imported, 1), [77], "what was imported stays");
    put(imported, &[78u32]);
    close(&key);
    let (code, text) = try_import(&key);
    assert_eq!(code, 507_022, "{text}");
    assert!(text.contains("exports nothing (any more)"), "{text}");
}

#[test]
fn an_importer_that_is_killed_leaves_nothing_behind() {
    let _device = device();
    let block = malloc(MIB);
    let key = export(block, MIB, 1);
    for round in 0..3u32 {
        let mut other = Other::start("ipc::child_memory", &[]);
        other.ask(&format!("import {key}"));
        other.ask(&format!("write 0 {round}"));
        other.kill();
        assert_eq!(take::<u32>(block, 1), [round]);
    }
    close(&key);
    ok!(aclrtFree(block));
    let block = malloc(MIB);
    close(&export(block, MIB, 1));
    assert!(
        !std::fs::read_to_string("/proc/net/unix").unwrap_or_default().contains("/toprope"),
        "nothing on disk"
    );
}

#[test]
fn a_child_that_the_exporter_left_behind_does_not_keep_the_export_alive() {
    let _device = device();
    let mut other = Other::start("ipc::child_memory", &[]);
    let key = other.ask("export");
    // It inherits the sockets, also one that is connected already.
    import(&key, 0);
    let orphan = number(&other.ask("fork")) as i32;
    other.kill();
    let (code, text) = try_import(&key);
    // SAFETY: the process was started by the line above for this test.
    unsafe { libc::kill(orphan, libc::SIGKILL) };
    assert_eq!(code, 507_022, "{text}");
    close(&key);
}

/// A socket with an abstract name, as this runtime uses it.
fn listen_as(pid: u32, number: u8) -> std::os::fd::OwnedFd {
    use rustix::net::*;
    let name = SocketAddrUnix::new_abstract_name(format!("toprope-{pid}-{number}").as_bytes()).unwrap();
    let socket = socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
    bind(&socket, &name).unwrap();
    listen(&socket, 8).unwrap();
    socket
}

#[test]
fn somebody_who_answers_in_place_of_a_dead_exporter_is_not_believed() {
    let _device = device();
    let mut other = Other::start("ipc::child_memory", &[]);
    let key = other.ask("export");
    let pid = other.pid() as u32;
    other.kill();
    let _impostor = listen_as(pid, 0);
    let (code, text) = try_import(&key);
    assert_eq!(code, 507_022, "{text}");
    assert!(text.contains("answers in its place"), "{text}");
}

#[test]
fn a_taken_name_is_no_obstacle() {
    good_child("ipc::child_with_a_taken_name", &[]);
}

#[test]
#[ignore = "run in a process of its own"]
fn child_with_a_taken_name() {
    let _squatter = listen_as(std::process::id(), 0);
    ok!(aclrtSetDevice(0));
    let block = malloc(MIB);
    let key = export(block, MIB, 1);
    assert_eq!(&key[8..10], "01");
    put(import(&key, 0), &[3u32]);
    assert_eq!(take::<u32>(block, 1), [3]);
}

#[test]
fn garbage_on_the_socket_does_no_harm() {
    use rustix::net::*;
    let _device = device();
    let block = malloc(MIB);
    let key = export(block, MIB, 1);
    let number = u8::from_str_radix(&key[8..10], 16).unwrap();
    let name = format!("toprope-{}-{number}", std::process::id());
    for length in [0, 1, 8, 100, 1000, 5000] {
        let name = SocketAddrUnix::new_abstract_name(name.as_bytes()).unwrap();
        let socket = socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
        connect(&socket, &name).unwrap();
        let bytes: Vec<u8> = (0..length).map(|i: u32| (i * 37 + length) as u8).collect();
        let _ = send(&socket, &bytes, SendFlags::NOSIGNAL);
        // The right magic, the wrong rest.
        let _ = send(&socket, b"toprope1 and nonsense", SendFlags::NOSIGNAL);
    }
    put(import(&key, 0), &[4u32]);
    assert_eq!(take::<u32>(block, 1), [4]);
    close(&key);
    close(&key);
}

#[test]
fn a_process_may_import_its_own_export() {
    let _device = device();
    let block = malloc(MIB);
    let key = export(block, MIB, 1);
    let again = import(&key, 0);
    assert_ne!(again, block);
    put(again, &[5u32]);
    assert_eq!(take::<u32>(block, 1), [5]);
    // The first close ends the import, the second one the export, a third one has nothing to end.
    close(&key);
    assert_eq!(take::<u32>(block, 1), [5]);
    close(&key);
    let text = c_text(&key);
    assert!(fails!(107_000, aclrtIpcMemClose(c_ptr(&text))).contains("neither exports nor imports"));
}

#[test]
fn a_piece_of_a_block_is_shared_alone() {
    let _device = device();
    let block = malloc(MIB);
    put(block.wrapping_byte_add(8192), &[6u32]);
    let key = export(block.wrapping_byte_add(8192), 4096, 1);
    let piece = import(&key, 0);
    assert_eq!(take::<u32>(piece, 1), [6]);
    let data = [0u8; 5000];
    fails!(107_000, aclrtMemcpy(piece, 5000, data.as_ptr().cast(), 5000, MemcpyKind::HOST_TO_DEVICE));
    close(&key);
    fails!(107_000, aclrtMemcpy(piece, 4, data.as_ptr().cast(), 4, MemcpyKind::HOST_TO_DEVICE));
}

#[test]
fn work_that_runs_while_memory_is_shared_is_not_lost() {
    let _device = device();
    let (block, gate) = (malloc(16 * MIB), malloc(64));
    put(gate, &[0u32]);
    let count = (16 * MIB / 4) as u64;
    ok!(aclrtMemset(block, 16 * MIB, 0, 16 * MIB));
    for _ in 0..20 {
        run("add_one", 1, DEFAULT, &[block as u64, count]);
    }
    let key = export(block, 16 * MIB, 1);
    let seen = import(&key, 0);
    sync(DEFAULT);
    assert!(take::<u32>(seen, count as usize).iter().all(|word| *word == 20));
    close(&key);
    close(&key);
}

#[test]
fn what_cannot_be_shared_is_told() {
    let _device = device();
    let block = malloc(MIB);
    let mut key = [CChar(0); 65];
    let at = key.as_mut_ptr();
    fails!(100_000, aclrtIpcMemGetExportKey(null_mut(), MIB, at, 65, 0));
    fails!(100_000, aclrtIpcMemGetExportKey(block, MIB, null_mut(), 65, 0));
    assert!(fails!(107_000, aclrtIpcMemGetExportKey(block, MIB, at, 64, 0)).contains("65 bytes are needed"));
    assert!(fails!(107_000, aclrtIpcMemGetExportKey(block, MIB, at, 65, 2)).contains("`flags` is 0x2"));
    for bytes in [0, MIB + 64, usize::MAX] {
        fails!(107_000, aclrtIpcMemGetExportKey(block, bytes, at, 65, 0));
    }
    let inside = block.wrapping_byte_add(64);
    assert!(fails!(107_000, aclrtIpcMemGetExportKey(inside, 64, at, 65, 0)).contains("page of its own"));
    let small = malloc(100);
    assert!(fails!(107_000, aclrtIpcMemGetExportKey(small, 100, at, 65, 0)).contains("at least 4096 bytes"));
    let host = malloc_host(MIB);
    assert!(fails!(107_000, aclrtIpcMemGetExportKey(host, MIB, at, 65, 0)).contains("no device memory"));
    ok!(aclrtFreeHost(host));
    let mut out = null_mut();
    for (wrong, code) in
        [("", 107_000), ("short", 107_000), (&"0".repeat(64), 107_000), (&"g".repeat(64), 107_000)]
    {
        let wrong = c_text(wrong);
        fails!(code, aclrtIpcMemImportByKey(&raw mut out, c_ptr(&wrong), 0));
        fails!(code, aclrtIpcMemClose(c_ptr(&wrong)));
    }
    // A key of the right shape that nobody gave out: the last digit of a good one changed.
    let good = export(block, MIB, 1);
    let last = if good.ends_with('0') { "1" } else { "0" };
    assert_eq!(try_import(&format!("{}{last}", &good[..63])).0, 507_022);
    let good = c_text(&good);
    fails!(100_000, aclrtIpcMemImportByKey(null_mut(), c_ptr(&good), 0));
    fails!(107_000, aclrtIpcMemImportByKey(&raw mut out, c_ptr(&good), 4));
    let mut pids = [0, 5];
    fails!(107_000, aclrtIpcMemSetImportPid(c_ptr(&good), pids.as_mut_ptr(), 0));
    fails!(107_000, aclrtIpcMemSetImportPid(c_ptr(&good), pids.as_mut_ptr(), 2));
    fails!(100_000, aclrtIpcMemSetImportPid(c_ptr(&good), null_mut(), 1));
    ok!(aclrtIpcMemClose(c_ptr(&good)));
}

#[test]
fn a_reset_ends_imports_and_exports_of_the_device() {
    let _device = device();
    let block = malloc(MIB);
    let key = export(block, MIB, 1);
    import(&key, 0);
    ok!(aclrtResetDeviceForce(0));
    ok!(aclrtSetDevice(0));
    let text = c_text(&key);
    assert_eq!(try_import(&key).0, 507_022);
    // The import went with the device; the close meets the export.
    ok!(aclrtIpcMemClose(c_ptr(&text)));
    fails!(107_000, aclrtIpcMemClose(c_ptr(&text)));
}

#[test]
fn many_exports_and_imports_at_once() {
    let _device = device();
    let block = malloc(64 * MIB);
    let keys: Vec<String> = (0..500).map(|i| export(block.wrapping_byte_add(i * 4096), 4096, 1)).collect();
    std::thread::scope(|scope| {
        for part in keys.chunks(125) {
            scope.spawn(move || {
                ok!(aclrtSetDevice(0));
                for key in part {
                    put(import(key, 0), &[9u32]);
                    close(key);
                }
            });
        }
    });
    for (i, key) in keys.iter().enumerate() {
        assert_eq!(take::<u32>(block.wrapping_byte_add(i * 4096), 1), [9]);
        close(key);
    }
}
