//! Two processes: memory, a notify and an event of one are used by the other.
#![allow(unsafe_code)] // imports memory, which is a promise about the other process

use std::process::Command;
use toprope_host::sys::IpcEventHandle;
use toprope_host::{Device, EventUse, Importers, Result, Runtime};

const ELEMENTS: usize = 4096;
/// Variable by which the second process gets the keys: memory, notify, event (hexadecimal).
const KEYS: &str = "TOPROPE_TEST_KEYS";

fn device() -> Device {
    Runtime::embedded().and_then(|runtime| runtime.device(0)).expect("device 0")
}

/// Starts this program again, as the second process of a test.
fn other(keys: &[String]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("path of this test"));
    command.args(["--exact", "the_other_process", "--ignored", "--nocapture"]).env(KEYS, keys.join(","));
    command
}

fn hex(handle: &IpcEventHandle) -> String {
    handle.reserved.iter().map(|byte| format!("{:02x}", byte.0 as u8)).collect()
}

fn unhex(text: &str) -> IpcEventHandle {
    let mut handle = IpcEventHandle { reserved: [toprope_host::sys::CChar(0); 64] };
    for (byte, digits) in handle.reserved.iter_mut().zip(text.as_bytes().chunks(2)) {
        let digits = std::str::from_utf8(digits).expect("digits");
        byte.0 = u8::from_str_radix(digits, 16).expect("digits") as std::ffi::c_char;
    }
    handle
}

#[test]
fn memory_notifies_and_events_are_shared() -> Result<()> {
    let device = device();
    let x = device.alloc_from(&[1u32; ELEMENTS])?;
    let (notify, event) = (device.create_notify()?, device.create_event_for(&[EventUse::Ipc])?);
    let stream = device.create_stream()?;
    let keys = [x.export_key(Importers::All)?, notify.export_key(Importers::All)?, hex(&event.ipc_handle()?)];
    stream.record(&event)?;
    // In the stream, and so before the other process is there.
    stream.wait_notify(&notify, None)?;
    let done = other(&keys).status().expect("this program starts again");
    assert!(done.success(), "the other process");
    let mut seen = vec![0; ELEMENTS];
    stream.scope(|s| s.copy_to_host(&mut seen, &x))?;
    assert_eq!(seen, [2; ELEMENTS], "what the other process wrote");
    Ok(())
}

#[test]
fn only_listed_processes_import() -> Result<()> {
    let device = device();
    let (x, notify) = (device.alloc_from(&[1u32; ELEMENTS])?, device.create_notify()?);
    let event = device.create_event_for(&[EventUse::Ipc])?;
    let nobody = Importers::Pids(&[device.bare_tgid()?]);
    let keys = [x.export_key(nobody)?, notify.export_key(Importers::All)?, hex(&event.ipc_handle()?)];
    let output = other(&keys).output().expect("this program starts again");
    assert!(!output.status.success(), "the import is refused");
    assert_eq!(x.to_vec()?, [1; ELEMENTS]);
    Ok(())
}

#[test]
#[ignore = "the second process of the tests above"]
fn the_other_process() -> Result<()> {
    let keys = std::env::var(KEYS).expect("the keys");
    let [memory, notify, event] = keys.split(',').collect::<Vec<_>>().try_into().expect("three keys");
    let device = device();
    let stream = device.create_stream()?;
    // SAFETY: the first process exported `ELEMENTS` elements and waits for this one to end.
    let x = unsafe { device.import_memory::<u32>(memory, ELEMENTS) }?;
    let (notify, event) = (device.import_notify(notify)?, device.open_ipc_event(unhex(event))?);
    stream.wait(&event)?;
    let twos = device.host_buffer_from(&[2u32; ELEMENTS])?;
    stream.scope(|s| s.copy_to_device(&x, &twos))?;
    stream.record_notify(&notify)?;
    stream.synchronize()
}
