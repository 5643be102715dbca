//! Keys: how another process finds what was exported.
//!
//! | bytes of the text | meaning |
//! |---|---|
//! | 8 | process id, hexadecimal |
//! | 2 | which of its sockets |
//! | 2 | kind of the thing |
//! | 52 | 208 random bits |
//!
//! A shareable handle of physical memory is a number of 64 bits, so it only has room for 38 random bits; together with
//! the checks of user and process id that both sides make this is enough.

use super::super::failure::{Answer, Failure, refuse};
use toprope_abi::acl::AclError;

/// Length of a key as text, without the end.
pub const TEXT_BYTES: usize = 64;
/// Room that a program must give for a key.
pub const ROOM_BYTES: usize = TEXT_BYTES + 1;
const RANDOM_BYTES: usize = 26;
const HANDLE_RANDOM_BITS: u32 = 38;
const HANDLE_SOCKET_BITS: u32 = 4;

/// Sockets a process tries to listen on, one after the other.
pub const SOCKETS: u8 = 1 << HANDLE_SOCKET_BITS;

/// What is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A piece of a block (`aclrtIpcMemGetExportKey`).
    Memory = 1,
    /// Physical memory (`aclrtMemExportToShareableHandle`).
    Physical = 2,
    /// An event (`aclrtIpcGetEventHandle`).
    Event = 3,
    /// A notify (`aclrtNotifyGetExportKey`).
    Notify = 4,
}

const KINDS: [(Kind, &str); 4] = [
    (Kind::Memory, "shared memory"),
    (Kind::Physical, "shared physical memory"),
    (Kind::Event, "a shared event"),
    (Kind::Notify, "a shared notify"),
];

impl Kind {
    fn from_number(number: u8) -> Option<Kind> {
        KINDS.into_iter().map(|row| row.0).find(|kind| *kind as u8 == number)
    }

    /// For messages.
    pub fn name(self) -> &'static str {
        KINDS[self as usize - 1].1
    }
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Process that exports.
    pub pid: u32,
    /// Which of its sockets.
    pub socket: u8,
    /// What it is.
    pub kind: Kind,
    random: [u8; RANDOM_BYTES],
}

impl Key {
    /// A new key of this process.
    ///
    /// # Errors
    /// 507022 if the system gives no random numbers.
    pub fn new(socket: u8, kind: Kind) -> Answer<Key> {
        let mut random = [0u8; RANDOM_BYTES];
        let wanted = match kind {
            Kind::Physical => HANDLE_RANDOM_BITS.div_ceil(8) as usize,
            _ => RANDOM_BYTES,
        };
        match rustix::rand::getrandom(&mut random[..wanted], rustix::rand::GetRandomFlags::empty()) {
            Ok(got) if got == wanted => {}
            _ => return refuse(AclError::RT_IPC_ERROR, "the system gives no random numbers for a key"),
        }
        if kind == Kind::Physical {
            random[wanted - 1] &= (1 << (HANDLE_RANDOM_BITS % 8)) - 1;
        }
        Ok(Key { pid: std::process::id(), socket, kind, random })
    }

    /// The key as text.
    pub fn text(&self) -> String {
        let mut text = format!("{:08x}{:02x}{:02x}", self.pid, self.socket, self.kind as u8);
        for byte in self.random {
            text.push_str(&format!("{byte:02x}"));
        }
        text
    }

    /// Reads a key of this kind.
    ///
    /// # Errors
    /// 107000 with what the text is instead.
    pub fn parse(text: &str, kind: Kind) -> Answer<Key> {
        let wrong = |why: String| {
            Err(Failure::new(AclError::RT_PARAM_INVALID, format!("the key is {why}"))
                .help("pass all 64 characters as the exporting process got them"))
        };
        if text.len() != TEXT_BYTES || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return wrong(format!("{} characters that no export gave out", text.len()));
        }
        let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap_or(0);
        let found = Kind::from_number(byte(10));
        if found != Some(kind) {
            let what = found.map_or("one that no export gave out", Kind::name);
            return wrong(format!("that of {what}, but {} is expected", kind.name()));
        }
        let random = std::array::from_fn(|i| byte(12 + 2 * i));
        Ok(Key { pid: u32::from_str_radix(&text[..8], 16).unwrap_or(0), socket: byte(8), kind, random })
    }

    /// The key of physical memory as a number.
    pub fn handle(&self) -> u64 {
        let mut low = [0u8; 8];
        low.copy_from_slice(&self.random[..8]);
        u64::from(self.pid) << (HANDLE_RANDOM_BITS + HANDLE_SOCKET_BITS)
            | u64::from(self.socket) << HANDLE_RANDOM_BITS
            | u64::from_le_bytes(low)
    }

    /// The key that is this number.
    pub fn from_handle(handle: u64) -> Key {
        let mut random = [0u8; RANDOM_BYTES];
        random[..8].copy_from_slice(&(handle & ((1 << HANDLE_RANDOM_BITS) - 1)).to_le_bytes());
        let socket = (handle >> HANDLE_RANDOM_BITS) as u8 & (SOCKETS - 1);
        let pid = (handle >> (HANDLE_RANDOM_BITS + HANDLE_SOCKET_BITS)) as u32;
        Key { pid, socket, kind: Kind::Physical, random }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_survive_text_and_number() {
        let key = Key::new(5, Kind::Memory).unwrap();
        assert_eq!(key.text().len(), TEXT_BYTES);
        assert_eq!(Key::parse(&key.text(), Kind::Memory).unwrap(), key);
        for socket in 0..SOCKETS {
            let key = Key::new(socket, Kind::Physical).unwrap();
            assert_eq!(Key::from_handle(key.handle()), key);
        }
        // The largest process id that Linux gives.
        let key = Key { pid: (1 << 22) - 1, ..Key::new(15, Kind::Physical).unwrap() };
        assert_eq!(Key::from_handle(key.handle()), key);
    }

    #[test]
    fn keys_differ_and_wrong_ones_are_told() {
        let keys: std::collections::HashSet<String> =
            (0..1000).map(|_| Key::new(0, Kind::Event).unwrap().text()).collect();
        assert_eq!(keys.len(), 1000);
        let key = Key::new(0, Kind::Event).unwrap().text();
        let say = |text: &str| Key::parse(text, Kind::Notify).unwrap_err();
        assert!(say(&key).text.contains("that of a shared event, but a shared notify is expected"));
        assert!(say(&key[1..]).text.contains("63 characters"));
        assert!(say(&"z".repeat(64)).text.contains("no export gave out"));
        assert_eq!(say("").code, AclError::RT_PARAM_INVALID);
    }
}
