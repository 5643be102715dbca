//! Messages between two processes: one packet each, at most with one file.

use super::key::{Key, Kind, TEXT_BYTES};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// Longest message.
const MAX_BYTES: usize = 1024;
/// First bytes of every message: name and version of the protocol.
const MAGIC: &[u8; 8] = b"toprope1";
const HEAD_BYTES: usize = 8 + 1 + 8 + TEXT_BYTES + 8 * WORDS;
/// Numbers in a message.
pub const WORDS: usize = 4;

/// What a message wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    /// Import something; answered with what it is, and its pages.
    Open = 1,
    /// The import is given back.
    Close = 2,
    /// A question about something imported; answered.
    Ask = 3,
    /// News about something imported; not answered.
    Tell = 4,
    /// The answer to `number`; word 0 is 0 or the code of a failure, the text is its reason.
    Answer = 5,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What it wants.
    pub op: Op,
    /// Number of the question.
    pub number: u64,
    /// What it is about.
    pub key: Key,
    /// Figures; their meaning depends on what it is about.
    pub words: [u64; WORDS],
    /// Reason of a failure.
    pub text: String,
}

impl Message {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD_BYTES + self.text.len());
        bytes.extend_from_slice(MAGIC);
        bytes.push(self.op as u8);
        bytes.extend_from_slice(&self.number.to_le_bytes());
        bytes.extend_from_slice(self.key.text().as_bytes());
        for word in self.words {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(self.text.as_bytes());
        bytes.truncate(MAX_BYTES);
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Message> {
        let (head, text) = bytes.split_at_checked(HEAD_BYTES)?;
        let op = [Op::Open, Op::Close, Op::Ask, Op::Tell, Op::Answer]
            .into_iter()
            .find(|op| *op as u8 == head[8])?;
        let word = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("8 bytes"));
        let key = std::str::from_utf8(&head[17..17 + TEXT_BYTES]).ok()?;
        let kinds = [Kind::Memory, Kind::Physical, Kind::Event, Kind::Notify];
        let key = kinds.into_iter().find_map(|kind| Key::parse(key, kind).ok())?;
        let words = std::array::from_fn(|i| word(17 + TEXT_BYTES + 8 * i));
        let text = String::from_utf8_lossy(text).into_owned();
        (head[..8] == *MAGIC).then_some(Message { op, number: word(9), key, words, text })
    }

    /// Sends it without waiting.
    ///
    /// # Errors
    /// `WouldBlock` if the other side is behind; otherwise it is gone.
    pub fn send(&self, to: BorrowedFd<'_>, file: Option<&OwnedFd>) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = rustix::net::SendAncillaryBuffer::new(&mut space);
        let files: Vec<BorrowedFd<'_>> = file.iter().map(|f| f.as_fd()).collect();
        if !files.is_empty() {
            control.push(rustix::net::SendAncillaryMessage::ScmRights(&files));
        }
        let flags = rustix::net::SendFlags::DONTWAIT | rustix::net::SendFlags::NOSIGNAL;
        rustix::net::sendmsg(to, &[IoSlice::new(&self.encode())], &mut control, flags)?;
        Ok(())
    }

    /// Takes the next one; `None` if the other side has closed, or does not speak this protocol.
    ///
    /// # Errors
    /// `WouldBlock` if there is none; otherwise the other side is gone.
    pub fn receive(from: BorrowedFd<'_>) -> io::Result<Option<(Message, Option<OwnedFd>)>> {
        let mut bytes = [0u8; MAX_BYTES];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut control = rustix::net::RecvAncillaryBuffer::new(&mut space);
        let flags = rustix::net::RecvFlags::DONTWAIT | rustix::net::RecvFlags::CMSG_CLOEXEC;
        let got = rustix::net::recvmsg(from, &mut [IoSliceMut::new(&mut bytes)], &mut control, flags)?;
        let mut file = None;
        for item in control.drain() {
            if let rustix::net::RecvAncillaryMessage::ScmRights(files) = item {
                file = files.last();
            }
        }
        Ok(Message::decode(&bytes[..got.bytes]).map(|message| (message, file)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_files_arrive_whole() {
        use rustix::net::*;
        let (a, b) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None).unwrap();
        let key = Key::new(3, Kind::Event).unwrap();
        let message = Message { op: Op::Ask, number: 7, key, words: [1, 2, 3, u64::MAX], text: "why".into() };
        let file = rustix::fs::memfd_create("t", rustix::fs::MemfdFlags::CLOEXEC).unwrap();
        message.send(a.as_fd(), Some(&file)).unwrap();
        message.send(a.as_fd(), None).unwrap();
        let (got, got_file) = Message::receive(b.as_fd()).unwrap().unwrap();
        assert_eq!(got, message);
        assert_eq!(
            rustix::fs::fstat(got_file.unwrap()).unwrap().st_ino,
            rustix::fs::fstat(&file).unwrap().st_ino
        );
        assert!(Message::receive(b.as_fd()).unwrap().unwrap().1.is_none());
        assert_eq!(Message::receive(b.as_fd()).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        send(&a, b"something else", SendFlags::empty()).unwrap();
        assert!(Message::receive(b.as_fd()).unwrap().is_none());
        drop(a);
        assert!(Message::receive(b.as_fd()).unwrap().is_none());
    }

    #[test]
    fn any_bytes_are_refused_or_read_back() {
        let key = Key::new(3, Kind::Event).unwrap();
        let good = Message { op: Op::Open, number: 1, key, words: [0; 4], text: String::new() }.encode();
        for cut in 0..good.len() {
            assert!(Message::decode(&good[..cut]).is_none());
        }
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x80;
            if let Some(message) = Message::decode(&bad) {
                assert_eq!(message.encode().len(), bad.len());
            }
        }
        let long = Message { text: "x".repeat(5000), ..Message::decode(&good).unwrap() };
        assert!(Message::decode(&long.encode()).is_some());
    }
}
