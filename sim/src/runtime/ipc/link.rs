//! Connections between processes, and the helper thread that serves them.
//!
//! The helper thread never waits for a peer: what does not fit into a socket lines up and is sent when there is room.
//! Threads of the program ask with [`Peer::ask`] and sleep until the helper has the answer.

use super::super::failure::{Answer, Failure, refuse};
use super::exports;
use super::key::{Key, SOCKETS};
use super::wire::{Message, Op, WORDS};
use parking_lot::{Condvar, Mutex};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, sockopt};
use std::collections::{HashMap, VecDeque};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use toprope_abi::acl::AclError;

/// Longest wait for the answer of a living process whose helper thread gets no processor.
const PATIENCE: Duration = Duration::from_secs(20);
/// Connections that may wait to be accepted.
const BACKLOG: i32 = 128;

/// What a question was answered with.
#[derive(Debug, Default)]
pub struct Reply {
    /// Figures.
    pub words: [u64; WORDS],
    /// Pages that came along.
    pub file: Option<OwnedFd>,
}

/// Gets an answer, or why there will be none. Called once, usually on the helper thread, so it must not wait for a peer.
pub type Waiter = Box<dyn FnOnce(Answer<Reply>) + Send>;

#[derive(Default)]
struct Waiters {
    ended: Option<Failure>,
    by_number: HashMap<u64, Waiter>,
}

/// The other end of a connection.
pub struct Peer {
    /// Number of the connection in this process.
    pub id: u64,
    /// The process.
    pub pid: u32,
    socket: OwnedFd,
    /// Becomes readable when the process ends.
    process: Option<OwnedFd>,
    outgoing: Mutex<VecDeque<(Message, Option<OwnedFd>)>>,
    waiters: Mutex<Waiters>,
    is_gone: AtomicBool,
}

impl std::fmt::Debug for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {}", self.pid)
    }
}

fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Peer {
    /// Checks who is at the other end.
    fn new(socket: OwnedFd) -> Answer<Arc<Peer>> {
        let who =
            sockopt::socket_peercred(&socket).map_err(|e| trouble("who the other process is", &e.into()))?;
        if who.uid != rustix::process::geteuid() {
            let text =
                format!("process {} belongs to another user; only processes of one user share", who.pid);
            return refuse(AclError::RT_NO_PERMISSION, text);
        }
        let process = match rustix::process::pidfd_open(who.pid, rustix::process::PidfdFlags::empty()) {
            Ok(process) => Some(process),
            // A child that it left behind keeps its sockets open.
            Err(rustix::io::Errno::SRCH) => {
                return refuse(AclError::RT_IPC_ERROR, format!("process {} has ended", who.pid));
            }
            // A system without process descriptors: the socket tells of the end.
            Err(_) => None,
        };
        Ok(Arc::new(Peer {
            id: next_number(),
            pid: who.pid.as_raw_nonzero().get().unsigned_abs(),
            socket,
            process,
            outgoing: Mutex::default(),
            waiters: Mutex::default(),
            is_gone: AtomicBool::new(false),
        }))
    }

    /// Whether it is known to be gone.
    pub fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Acquire)
    }

    /// Sends without waiting; to a process that is gone, nothing happens.
    pub fn send(&self, message: Message, file: Option<OwnedFd>) {
        let mut outgoing = self.outgoing.lock();
        if outgoing.is_empty() {
            match message.send(self.socket.as_fd(), file.as_ref()) {
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {}
                _ => return,
            }
        }
        outgoing.push_back((message, file));
        drop(outgoing);
        wake();
    }

    /// Sends what lined up.
    fn flush(&self) {
        let mut outgoing = self.outgoing.lock();
        while let Some((message, file)) = outgoing.front() {
            match message.send(self.socket.as_fd(), file.as_ref()) {
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return,
                _ => drop(outgoing.pop_front()),
            }
        }
    }

    /// Calls `waiter` when the answer with the number that is returned arrives, or when the process ends.
    pub fn expect(&self, waiter: Waiter) -> u64 {
        let number = next_number();
        let mut waiters = self.waiters.lock();
        match waiters.ended.clone() {
            Some(failure) => {
                drop(waiters);
                waiter(Err(failure));
            }
            None => drop(waiters.by_number.insert(number, waiter)),
        }
        number
    }

    /// Takes a waiter back; `None` if it was called.
    pub fn forget(&self, number: u64) -> Option<Waiter> {
        self.waiters.lock().by_number.remove(&number)
    }

    /// Asks and waits for the answer. Not for the helper thread.
    ///
    /// # Errors
    /// What the other process refuses with; 507022 if it ends or does not answer.
    pub fn ask(&self, op: Op, key: Key, words: [u64; WORDS]) -> Answer<Reply> {
        type Slot = (Mutex<Option<Answer<Reply>>>, Condvar);
        let slot: Arc<Slot> = Arc::default();
        let filled = slot.clone();
        let number = self.expect(Box::new(move |answer| {
            *filled.0.lock() = Some(answer);
            filled.1.notify_all();
        }));
        self.send(Message { op, number, key, words, text: String::new() }, None);
        let until = Instant::now() + PATIENCE;
        let mut answer = slot.0.lock();
        loop {
            if let Some(answer) = answer.take() {
                return answer;
            }
            if slot.1.wait_until(&mut answer, until).timed_out() && answer.is_none() {
                self.forget(number);
                let text = format!("process {} did not answer in {PATIENCE:?}; is it stopped?", self.pid);
                return refuse(AclError::RT_IPC_ERROR, text);
            }
        }
    }

    /// News that need no answer.
    pub fn tell(&self, key: Key, words: [u64; WORDS]) {
        self.send(Message { op: Op::Tell, number: 0, key, words, text: String::new() }, None);
    }

    /// Answers `number`.
    pub fn answer(&self, number: u64, key: Key, answer: Answer<Reply>) {
        let (words, text, file) = match answer {
            Ok(reply) => ([0, reply.words[0], reply.words[1], reply.words[2]], String::new(), reply.file),
            Err(failure) => ([failure.code.0 as u64, 0, 0, 0], failure.text, None),
        };
        self.send(Message { op: Op::Answer, number, key, words, text }, file);
    }

    fn answered(&self, message: Message, file: Option<OwnedFd>) {
        let Some(waiter) = self.forget(message.number) else { return };
        let [code, first, second, third] = message.words;
        waiter(match i32::try_from(code) {
            Ok(0) => Ok(Reply { words: [first, second, third, 0], file }),
            code => Err(Failure::new(code.map_or(AclError::RT_IPC_ERROR, AclError), message.text)),
        });
    }

    /// Reads what arrived; `false` when the other side is gone.
    fn read(self: &Arc<Self>) -> bool {
        loop {
            match Message::receive(self.socket.as_fd()) {
                Ok(Some((message, file))) if message.op == Op::Answer => self.answered(message, file),
                Ok(Some((message, _))) => exports::serve(self, message),
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return true,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Ok(None) | Err(_) => return false,
            }
        }
    }

    /// It is gone: everybody who waits is told.
    fn ended(self: &Arc<Self>) {
        self.is_gone.store(true, Ordering::Release);
        let failure = Failure::new(
            AclError::RT_IPC_ERROR,
            format!("process {} ended, or closed the connection, while something of it was in use", self.pid),
        )
        .help("keep the process alive until everybody has closed what it shares");
        let waiting: Vec<Waiter> = {
            let mut waiters = self.waiters.lock();
            waiters.ended = Some(failure.clone());
            waiters.by_number.drain().map(|(_, waiter)| waiter).collect()
        };
        for waiter in waiting {
            waiter(Err(failure.clone()));
        }
        exports::peer_ended(self);
    }
}

/// The connections of this process.
#[derive(Debug)]
struct Link {
    wake: OwnedFd,
    listener: OnceLock<(OwnedFd, u8)>,
    peers: Mutex<Vec<Arc<Peer>>>,
    /// Those of `peers` that this process imports from.
    exporters: Mutex<HashMap<(u32, u8), Arc<Peer>>>,
}

static LINK: OnceLock<Answer<&'static Link>> = OnceLock::new();

fn trouble(what: &str, error: &io::Error) -> Failure {
    Failure::new(AclError::RT_IPC_ERROR, format!("{what}: {error}"))
        .help("raise the limit of open files (ulimit -n) if there are too many")
}

fn link() -> Answer<&'static Link> {
    let made = LINK.get_or_init(|| {
        let flags = rustix::event::EventfdFlags::CLOEXEC | rustix::event::EventfdFlags::NONBLOCK;
        let wake = rustix::event::eventfd(0, flags);
        let wake = wake.map_err(|e| trouble("sharing between processes cannot begin", &e.into()))?;
        let link: &'static Link = Box::leak(Box::new(Link {
            wake,
            listener: OnceLock::new(),
            peers: Mutex::default(),
            exporters: Mutex::default(),
        }));
        let named = std::thread::Builder::new().name("toprope-ipc".into());
        named.spawn(|| link.work()).map_err(|e| trouble("no helper thread", &e))?;
        Ok(link)
    });
    made.clone()
}

fn wake() {
    if let Some(Ok(link)) = LINK.get() {
        // Full: the helper thread is about to wake up anyway.
        let _ = rustix::io::write(&link.wake, &1u64.to_ne_bytes());
    }
}

/// Abstract names: the first byte of the address is zero.
fn address(pid: u32, socket: u8) -> io::Result<SocketAddrUnix> {
    Ok(SocketAddrUnix::new_abstract_name(format!("toprope-{pid}-{socket}").as_bytes())?)
}

fn new_socket(extra: SocketFlags) -> io::Result<OwnedFd> {
    let flags = SocketFlags::CLOEXEC | extra;
    Ok(rustix::net::socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?)
}

/// Listens, if not done before; the number of the socket for keys.
///
/// # Errors
/// 507022 with the reason.
pub fn listen() -> Answer<u8> {
    let link = link()?;
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _alone = ONE_AT_A_TIME.lock();
    if let Some((_, number)) = link.listener.get() {
        return Ok(*number);
    }
    let pid = std::process::id();
    let mut last = io::Error::from(io::ErrorKind::AddrInUse);
    // A name can be taken by somebody who wants to be in the way; there are others.
    for number in 0..SOCKETS {
        let bound = new_socket(SocketFlags::NONBLOCK).and_then(|socket| {
            rustix::net::bind(&socket, &address(pid, number)?)?;
            rustix::net::listen(&socket, BACKLOG)?;
            Ok(socket)
        });
        match bound {
            Ok(socket) => {
                let _ = link.listener.set((socket, number));
                wake();
                return Ok(number);
            }
            Err(e) => last = e,
        }
    }
    Err(trouble("this process cannot listen for those who import", &last))
}

/// The connection to the process that made a key.
///
/// # Errors
/// 507022 if it is not there any more; 207006 if it belongs to another user.
pub fn connect(key: &Key) -> Answer<Arc<Peer>> {
    let link = link()?;
    let mut known = link.exporters.lock();
    known.retain(|_, peer| !peer.is_gone());
    if let Some(peer) = known.get(&(key.pid, key.socket)) {
        return Ok(peer.clone());
    }
    let gone = |why: &dyn std::fmt::Display| {
        let text = format!("process {}, which made the key, exports nothing (any more): {why}", key.pid);
        Failure::new(AclError::RT_IPC_ERROR, text)
            .help("import while the exporting process lives and has not closed the export; both must run in one container")
    };
    let socket = new_socket(SocketFlags::empty()).map_err(|e| trouble("no socket", &e))?;
    // A full queue of connections makes `connect` wait.
    sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(PATIENCE))
        .map_err(|e| trouble("no time limit for a connection", &e.into()))?;
    let address = address(key.pid, key.socket).map_err(|e| gone(&e))?;
    rustix::net::connect(&socket, &address).map_err(|e| gone(&io::Error::from(e)))?;
    let peer = Peer::new(socket)?;
    if peer.pid != key.pid {
        return Err(gone(&format_args!("process {} answers in its place", peer.pid)));
    }
    known.insert((key.pid, key.socket), peer.clone());
    link.peers.lock().push(peer.clone());
    wake();
    Ok(peer)
}

/// Gives peers that are behind until `deadline` to take what was sent to them; the process is about to end.
pub fn drain(deadline: Instant) {
    let Some(Ok(link)) = LINK.get() else { return };
    let peers = link.peers.lock().clone();
    for peer in peers {
        loop {
            peer.flush();
            let left = deadline.saturating_duration_since(Instant::now());
            if peer.outgoing.lock().is_empty() || left.is_zero() || peer.is_gone() {
                break;
            }
            let Ok(left) = rustix::event::Timespec::try_from(left) else { break };
            if poll(&mut [PollFd::new(&peer.socket, PollFlags::OUT)], Some(&left)).is_err() {
                break;
            }
        }
    }
}

impl Link {
    /// The helper thread.
    fn work(&self) {
        loop {
            let peers = self.peers.lock().clone();
            let gone = self.poll(&peers);
            if !gone.is_empty() {
                self.peers.lock().retain(|peer| !gone.iter().any(|g| Arc::ptr_eq(g, peer)));
                for peer in gone {
                    peer.ended();
                }
            }
        }
    }

    /// Sleeps until something happens and serves it; returns the peers that are gone.
    fn poll(&self, peers: &[Arc<Peer>]) -> Vec<Arc<Peer>> {
        let listener = self.listener.get().map(|l| &l.0);
        let mut fds = vec![PollFd::new(&self.wake, PollFlags::IN)];
        fds.extend(listener.map(|l| PollFd::new(l, PollFlags::IN)));
        let first = fds.len();
        let mut owner = Vec::new();
        for (index, peer) in peers.iter().enumerate() {
            let waits = if peer.outgoing.lock().is_empty() { PollFlags::empty() } else { PollFlags::OUT };
            fds.push(PollFd::new(&peer.socket, PollFlags::IN | waits));
            owner.push(index);
            if let Some(process) = &peer.process {
                fds.push(PollFd::new(process, PollFlags::IN));
                owner.push(index);
            }
        }
        if poll(&mut fds, None).is_err() {
            return Vec::new();
        }
        let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        drop(fds);
        if ready[0] {
            let mut count = [0u8; 8];
            let _ = rustix::io::read(&self.wake, &mut count);
        }
        if let Some(listener) = listener
            && ready[1]
        {
            self.accept(listener);
        }
        let mut gone: Vec<Arc<Peer>> = Vec::new();
        for (entry, &index) in owner.iter().enumerate().filter(|(entry, _)| ready[first + entry]) {
            let peer = &peers[index];
            // The second descriptor of a peer only gets ready when its process has ended; what it sent before counts.
            let has_ended = entry > 0 && owner[entry - 1] == index;
            peer.flush();
            if (!peer.read() || has_ended) && !gone.iter().any(|g| Arc::ptr_eq(g, peer)) {
                gone.push(peer.clone());
            }
        }
        gone
    }

    fn accept(&self, listener: &OwnedFd) {
        while let Ok(socket) = rustix::net::accept_with(listener, SocketFlags::CLOEXEC) {
            // Somebody else's process: the connection ends here.
            if let Ok(peer) = Peer::new(socket) {
                self.peers.lock().push(peer);
            }
        }
    }
}
