//! Two devices: peers, copies between them, threads with one each.
#![allow(unsafe_code)] // sets an environment variable

use toprope_host::sys::AclError;
use toprope_host::{Error, Result, Runtime};

#[test]
fn two_devices() -> Result<()> {
    // SAFETY: the only test of this program, and the runtime reads the variable when it is first used, below.
    unsafe { std::env::set_var("TOPROPE_DEVICES", "2") };
    let runtime = Runtime::embedded()?;
    assert_eq!(runtime.device_count()?, 2);
    let (near, far) = (runtime.device(0)?, runtime.device(1)?);
    let (here, there) = (near.alloc_from(&[1u8, 2, 3])?, far.alloc_zeroed::<u8>(3)?);
    let stream = near.create_stream()?;

    // Things of the other device are refused …
    assert!(matches!(stream.scope(|s| s.fill_bytes(&there, 0)), Err(Error::OtherDevice { .. })));
    assert!(matches!(stream.scope(|s| s.copy_on_device(&there, &here)), Err(Error::OtherDevice { .. })));
    assert!(matches!(stream.record(&far.create_event()?), Err(Error::OtherDevice { .. })));
    // … except by copies between devices, once the way is open.
    assert!(near.can_access_peer(&far)?);
    near.enable_peer_access(&far)?;
    assert!(near.enable_peer_access(&near.clone()).is_err(), "no device is its own peer");
    stream.scope(|s| s.copy_between_devices(&there, &here))?;
    assert_eq!(there.to_vec()?, [1, 2, 3]);
    here.copy_from_host(&[0; 3])?;
    stream.scope(|s| s.copy_between_devices(&here, &there))?;
    assert_eq!(here.to_vec()?, [1, 2, 3]);
    let third = far.alloc_zeroed::<u8>(3)?;
    let neither = stream.scope(|s| s.copy_between_devices(&there, &third));
    assert!(matches!(neither, Err(Error::OtherDevice { .. })));
    near.disable_peer_access(&far)?;

    // Each call selects its device, whatever the thread did before.
    std::thread::scope(|threads| {
        for device in [&near, &far] {
            threads.spawn(move || {
                for value in 0..20 {
                    let x = device.alloc::<u8>(100).unwrap();
                    device.default_stream().scope(|s| s.fill_bytes(&x, value)).unwrap();
                    assert_eq!(x.to_vec().unwrap(), [value; 100]);
                }
            });
        }
    });
    let error = runtime.device(2).unwrap_err();
    assert_eq!(error.code(), Some(AclError::RT_INVALID_DEVICEID), "{error}");
    Ok(())
}
