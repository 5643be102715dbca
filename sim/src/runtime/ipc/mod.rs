//! Sharing between the processes of this machine: memory, events, notifies.
//!
//! ```text
//!  exporter                                                     importer
//!  export ─▶ key (pid, socket, 208 random bits) ··· program ···▶ import
//!  table of exports ◀── helper thread ◀══ unix socket ══▶ helper thread ─▶ waiters
//!        pages of a block: a sealed memfd, sent once ─────────▶ mapped into the importer's device range
//!        records of events and notifies: messages
//! ```
//! * **Rendezvous.** A process that exports listens on one abstract unix socket (nothing on disk, so nothing to clean up
//!   and no symlink to follow; the kernel removes the name with the process). Names of such sockets are public, so both
//!   sides check that the other one belongs to the same user, the exporter that the peer's process id is on the
//!   whitelist (unless the export said that anyone may), and a key has to be known: it is random.
//! * **Death.** Each side holds a process descriptor of the other, so the end of a peer (also by SIGKILL, also if a child
//!   of it keeps its sockets open) ends every wait for it with 507022. Imported memory stays: the pages belong to both.
//! * **One helper thread per process**, started by the first export or import; it sleeps in `poll`.
//!
//! Modelled: sharing on one machine. Not modelled: sharing between servers (Atlas A3 only, answered with 207000).
//! Processes in different network or process-id namespaces (containers) do not find each other.
//! Sources: public CANN runtime documentation, chapters 7, 8, 11-04, 11-07 and the guide to inter-process communication.

pub mod event;
pub mod exports;
pub mod key;
pub mod link;
pub mod memory;
pub mod notify;
pub mod physical;
mod wire;
