//! Device variables (`__gm__` variables of a kernel file): what the host knows them by, and where they are.
//!
//! Whoever loads a binary [registers](register) its variables under the address of the host's shadow variable. A variable
//! has memory of its own on every device, made with its initial contents when it is first asked for there.
//!
//! Rules: page 11-11 of the public API reference.

use super::copy::Motion;
use super::device::Device;
use super::failure::{Answer, Failure, refuse};
use super::memory::{failure_of, write_block};
use super::site::CallSite;
use super::state::Runtime;
use super::transfer::{Transfer, check_kind, check_not_null, check_room};
use parking_lot::{Mutex, RwLock};
use std::collections::HashMap;
use std::sync::Arc;
use toprope_abi::acl::{AclError, MemcpyKind};

/// What messages say made the memory of a variable.
const BY: &str = "a device variable";

/// Where a variable is.
#[derive(Clone, Debug)]
pub enum Home {
    /// Memory of its own on each device, with these first bytes; the rest is zero.
    PerDevice(Vec<u8>),
}

/// A device variable.
#[derive(Debug)]
pub struct Variable {
    name: String,
    bytes: u64,
    /// Its first bytes; the rest is zero.
    first: Vec<u8>,
    /// Who registered it.
    owner: u64,
    addresses: Mutex<HashMap<u32, u64>>,
}

static VARIABLES: RwLock<Option<HashMap<u64, Arc<Variable>>>> = RwLock::new(None);

/// Makes a variable known under the address of its shadow. `owner` names whoever takes it back, such as a binary.
///
/// # Errors
/// 107000 for a size of 0.
pub fn register(_: &'static Runtime, symbol: u64, name: &str, bytes: u64, home: Home, owner: u64) -> Answer {
    if bytes == 0 {
        return refuse(AclError::RT_PARAM_INVALID, format!("device variable `{name}` has no bytes"));
    }
    let Home::PerDevice(first) = home;
    let variable = Variable { name: name.to_string(), bytes, first, owner, addresses: Mutex::default() };
    VARIABLES.write().get_or_insert_default().insert(symbol, Arc::new(variable));
    Ok(())
}

/// Forgets the variables of an owner and frees their memory.
pub fn forget(owner: u64) {
    let mut variables = VARIABLES.write();
    let Some(variables) = variables.as_mut() else { return };
    variables.retain(|_, variable| {
        if variable.owner == owner {
            variable.end();
        }
        variable.owner != owner
    });
}

/// The variable of a symbol.
///
/// # Errors
/// 107043 if nothing was registered under this address.
pub fn find(symbol: u64) -> Answer<Arc<Variable>> {
    let found = VARIABLES.read().as_ref().and_then(|variables| variables.get(&symbol)).cloned();
    found.ok_or_else(|| {
        let text = format!("`symbol` is {symbol:#x}, which is the address of no device variable");
        Failure::new(AclError::RT_INVALID_SYMBOL, text)
            .help("pass the address of a variable declared with __gm__ in the program that was compiled with its kernels")
    })
}

/// The variable with this name that an owner registered.
pub fn find_named(owner: u64, name: &str) -> Option<Arc<Variable>> {
    let variables = VARIABLES.read();
    variables.as_ref()?.values().find(|v| v.owner == owner && v.name == name).cloned()
}

impl Variable {
    /// Frees its memory.
    fn end(&self) {
        for (device, at) in self.addresses.lock().drain() {
            let memory = super::state::runtime().devices.get(device as usize).and_then(Device::memory);
            if let Some(memory) = memory.filter(|m| m.find(at).is_some_and(|b| b.start == at && b.by == BY)) {
                // Freed already by a reset of the device: nothing left to do.
                let _ = memory.free(at, "the end of its kernel binary");
            }
        }
    }

    /// Size in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Its address on a device.
    ///
    /// # Errors
    /// 207001 if the device has no memory for it.
    pub fn address_on(&self, device: &'static Device) -> Answer<u64> {
        let memory = device.opened_memory()?;
        let mut addresses = self.addresses.lock();
        // A reset of the device takes the block; its address may belong to somebody else now.
        let is_ours = |at: &&u64| memory.find(**at).is_some_and(|b| b.start == **at && b.by == BY);
        if let Some(at) = addresses.get(&device.index).filter(is_ours) {
            return Ok(*at);
        }
        let block = memory.alloc(self.bytes, true, BY).map_err(|e| failure_of(&e))?;
        let mut data = self.first.clone();
        data.resize(block.bytes as usize, 0);
        write_block(&block, &data);
        addresses.insert(device.index, block.start);
        Ok(block.start)
    }
}

/// A copy from or to a device variable as it was asked for.
#[derive(Clone, Copy, Debug)]
pub struct SymbolCopy {
    /// The function, for findings.
    pub function: &'static str,
    /// Address of the shadow variable.
    pub symbol: u64,
    /// Where the variable's bytes start.
    pub offset: u64,
    /// Length.
    pub count: u64,
    /// The other end.
    pub other: u64,
    /// Room at the other end, if it is written.
    pub room: Option<u64>,
    /// Direction as told.
    pub kind: MemcpyKind,
}

impl SymbolCopy {
    /// Checks it; `None`: nothing to do.
    ///
    /// # Errors
    /// 100000 null; 107000 sizes, or a kind of the other direction; 107043 no variable.
    pub fn check(&self, runtime: &'static Runtime) -> Answer<Option<Transfer>> {
        check_not_null("symbol", self.symbol)?;
        if self.count == 0 {
            return Ok(None);
        }
        let is_read = self.room.is_some();
        check_not_null(if is_read { "dst" } else { "src" }, self.other)?;
        check_kind(self.kind)?;
        let wanted = if is_read { MemcpyKind::DEVICE_TO_HOST } else { MemcpyKind::HOST_TO_DEVICE };
        if self.kind != wanted && self.kind != MemcpyKind::DEFAULT {
            let text = format!(
                "`kind` is {}; this function takes {} or ACL_MEMCPY_DEFAULT",
                self.kind.name().unwrap_or("?"),
                wanted.name().unwrap_or("?")
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        if let Some(room) = self.room {
            check_room(self.count, "dstMax", "dst", room)?;
        }
        let variable = find(self.symbol)?;
        if self.offset.checked_add(self.count).is_none_or(|end| end > variable.bytes) {
            let text = format!(
                "`offset` {} and `count` {} leave device variable `{}`, which has {} bytes",
                self.offset, self.count, variable.name, variable.bytes
            );
            return refuse(AclError::RT_PARAM_INVALID, text);
        }
        let at = variable.address_on(runtime.current()?.device)? + self.offset;
        let (dst, src) = if is_read { (self.other, at) } else { (at, self.other) };
        Ok(Some(Transfer {
            function: self.function,
            motion: Motion::Copy { dst, src, bytes: self.count },
            takes_data: false,
            written: if is_read { "dst" } else { "symbol" },
            site: CallSite::here(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::runtime;
    use super::*;

    fn copy(symbol: u64, other: &mut [u8], offset: u64, room: Option<u64>) -> Answer {
        let (function, count) = ("test", other.len() as u64);
        let (other, kind) = (other.as_mut_ptr() as u64, MemcpyKind::DEFAULT);
        let request = SymbolCopy { function, symbol, offset, count, other, room, kind };
        request.check(runtime())?.map_or(Ok(()), |transfer| transfer.run(runtime()))
    }

    #[test]
    fn variables_are_found_by_their_symbol_and_have_memory_per_device() {
        let runtime = runtime();
        runtime.set_device(0).unwrap();
        let device = runtime.current().unwrap().device;
        let symbol = 0x7000_0000;
        register(runtime, symbol, "weights", 8, Home::PerDevice(vec![1, 2, 3]), 7).unwrap();
        let variable = find(symbol).unwrap();
        let at = variable.address_on(device).unwrap();
        assert_eq!((variable.bytes(), variable.address_on(device).unwrap()), (8, at));
        let mut read = [9u8; 8];
        copy(symbol, &mut read, 0, Some(8)).unwrap();
        assert_eq!(read, [1, 2, 3, 0, 0, 0, 0, 0], "its first contents");
        copy(symbol, &mut [5, 6], 6, None).unwrap();
        copy(symbol, &mut read[..4], 4, Some(4)).unwrap();
        assert_eq!(read[..4], [0, 0, 5, 6]);
        assert!(copy(symbol, &mut [5, 6], 7, None).unwrap_err().text.contains("which has 8 bytes"));
        assert_eq!(copy(symbol, &mut read, 0, Some(7)).unwrap_err().code, AclError::RT_PARAM_INVALID);
        assert_eq!(copy(symbol + 1, &mut read, 0, None).unwrap_err().code, AclError::RT_INVALID_SYMBOL);
        let wrong = SymbolCopy {
            function: "test",
            symbol,
            offset: 0,
            count: 1,
            other: 1,
            room: None,
            kind: MemcpyKind::DEVICE_TO_HOST,
        };
        assert!(wrong.check(runtime).unwrap_err().text.contains("HOST_TO_DEVICE or ACL_MEMCPY_DEFAULT"));
        assert!(register(runtime, symbol, "nothing", 0, Home::PerDevice(Vec::new()), 7).is_err());
        forget(7);
        assert!(find(symbol).is_err() && device.memory().unwrap().find(at).is_none());
    }
}
