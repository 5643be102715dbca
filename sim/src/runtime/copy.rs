//! Moving bytes: copies and fills, done by a few copy threads and by whoever waits for them.
//!
//! A large job is cut in two pieces; copy threads and waiting host threads take piece after piece. Small jobs are done
//! at once by whoever starts them (see [`Motion::is_small`]): waking a thread would cost more than it saves.
#![allow(unsafe_code)] // copies between raw addresses that the callers have checked.

use super::failure::panic_text;
use super::hostmem::HostBlock;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Jobs up to this size are done at once by whoever starts them (tens of microseconds at most).
const SMALL_BYTES: u64 = 1 << 20;
/// Smallest piece of a cut job.
const PIECE_BYTES: u64 = 4 << 20;
/// Pieces per job, at most. Few, because `memcpy` decides by the length of a piece whether to bypass the caches.
const PIECES: u64 = 2;
/// Jobs from this size on are one piece: memory is the limit then, and one `memcpy` uses it best.
const WHOLE_BYTES: u64 = 128 << 20;

/// What a job does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Copies `bytes` from `src` to `dst`; the ranges may overlap.
    Copy {
        /// First address written.
        dst: u64,
        /// First address read.
        src: u64,
        /// Length.
        bytes: u64,
    },
    /// Copies `height` rows of `width` bytes.
    Rows {
        /// First address written.
        dst: u64,
        /// Bytes from row to row there.
        dst_pitch: u64,
        /// First address read.
        src: u64,
        /// Bytes from row to row there.
        src_pitch: u64,
        /// Bytes of a row, at most the pitches.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// Sets `bytes` at `dst` to `value`.
    Fill {
        /// First address written.
        dst: u64,
        /// Value of each byte.
        value: u8,
        /// Length.
        bytes: u64,
    },
    /// Sets `count` words at `dst` to `value`.
    FillWords {
        /// First address written, a multiple of 4.
        dst: u64,
        /// Value of each word.
        value: u32,
        /// Number of words.
        count: u64,
    },
}

/// Bytes from the first to the last one of rows.
fn span(pitch: u64, width: u64, height: u64) -> u64 {
    if width == 0 || height == 0 { 0 } else { pitch * (height - 1) + width }
}

impl Motion {
    /// Bytes that are moved.
    pub fn bytes(self) -> u64 {
        match self {
            Motion::Copy { bytes, .. } | Motion::Fill { bytes, .. } => bytes,
            Motion::Rows { width, height, .. } => width * height,
            Motion::FillWords { count, .. } => count * 4,
        }
    }

    /// Whether a thread switch would cost more than the job.
    pub fn is_small(self) -> bool {
        self.bytes() <= SMALL_BYTES
    }

    /// What is written: start and length.
    pub fn written(self) -> (u64, u64) {
        match self {
            Motion::Copy { dst, bytes, .. } | Motion::Fill { dst, bytes, .. } => (dst, bytes),
            Motion::Rows { dst, dst_pitch, width, height, .. } => (dst, span(dst_pitch, width, height)),
            Motion::FillWords { dst, count, .. } => (dst, count * 4),
        }
    }

    /// What is read: start and length.
    pub fn read(self) -> Option<(u64, u64)> {
        match self {
            Motion::Copy { src, bytes, .. } => Some((src, bytes)),
            Motion::Rows { src, src_pitch, width, height, .. } => Some((src, span(src_pitch, width, height))),
            Motion::Fill { .. } | Motion::FillWords { .. } => None,
        }
    }

    fn overlaps(self) -> bool {
        let (dst, bytes) = self.written();
        self.read().is_some_and(|(src, length)| src < dst + bytes && dst < src + length)
    }

    /// Whether it reads or writes one of `start..start + length`.
    pub fn touches(self, start: u64, length: u64) -> bool {
        let near = |(at, bytes): (u64, u64)| at < start + length && start < at + bytes;
        near(self.written()) || self.read().is_some_and(near)
    }

    /// Whether it writes one of `start..start + length`.
    pub fn writes(self, start: u64, length: u64) -> bool {
        let (at, bytes) = self.written();
        at < start + length && start < at + bytes
    }

    /// Does the part `from..from + length` of the job; words are not cut.
    ///
    /// # Safety
    /// - The source of that part is readable and its destination writable memory of this process, and stays so.
    /// - No Rust reference to any of it is live.
    unsafe fn part(self, from: u64, length: u64) {
        match self {
            Motion::Copy { dst, src, .. } => {
                let (dst, src) = ((dst + from) as *mut u8, (src + from) as *const u8);
                if self.overlaps() {
                    // SAFETY: both ranges are valid (contract of this function); `copy` allows overlap.
                    unsafe { std::ptr::copy(src, dst, length as usize) };
                } else {
                    // SAFETY: both ranges are valid (contract) and do not overlap (tested above).
                    unsafe { std::ptr::copy_nonoverlapping(src, dst, length as usize) };
                }
            }
            Motion::Rows { dst, dst_pitch, src, src_pitch, width, .. } => {
                let (mut at, end) = (from, from + length);
                while at < end {
                    let (row, column) = (at / width, at % width);
                    let run = (width - column).min(end - at);
                    let dst = (dst + row * dst_pitch + column) as *mut u8;
                    let src = (src + row * src_pitch + column) as *const u8;
                    // SAFETY: the run lies inside one row of each side, which is valid (contract); `copy` allows overlap.
                    unsafe { std::ptr::copy(src, dst, run as usize) };
                    at += run;
                }
            }
            // SAFETY: the range is writable (contract of this function).
            Motion::Fill { dst, value, .. } => unsafe {
                std::ptr::write_bytes((dst + from) as *mut u8, value, length as usize);
            },
            Motion::FillWords { dst, value, .. } => {
                let at = (dst + from) as *mut u32;
                // SAFETY: the range is writable (contract), `dst` and `from` are multiples of 4, nobody has a reference.
                let words = unsafe { std::slice::from_raw_parts_mut(at, length as usize / 4) };
                words.fill(value);
            }
        }
    }

    /// Does the whole job now.
    ///
    /// # Safety
    /// - Its source is readable and its destination writable memory of this process.
    /// - No Rust reference to any of it is live.
    pub unsafe fn run(self) {
        // SAFETY: the same contract.
        unsafe { self.part(0, self.bytes()) };
    }
}

/// Called when a job is done, on the thread that did the last piece.
pub type Done = Box<dyn FnOnce() + Send>;

struct Job {
    motion: Motion,
    priority: u32,
    /// When copy threads may begin it; whoever waits for it need not wait for that.
    begin: Option<Instant>,
    piece_bytes: u64,
    pieces: u64,
    next: AtomicU64,
    left: AtomicU64,
    done: Mutex<Option<Done>>,
    _keep: Vec<Arc<HostBlock>>,
}

impl Job {
    fn exhausted(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.pieces
    }

    /// Does one piece; `false` if all were taken.
    fn step(&self) -> bool {
        let piece = self.next.fetch_add(1, Ordering::Relaxed);
        if piece >= self.pieces {
            return false;
        }
        let from = piece * self.piece_bytes;
        let length = self.piece_bytes.min(self.motion.bytes() - from);
        // SAFETY: `CopyPool::submit` has this contract for the whole job; pieces are disjoint parts of it.
        unsafe { self.motion.part(from, length) };
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1
            && let Some(done) = self.done.lock().take()
            && let Err(payload) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(done))
        {
            eprintln!("toprope: bug: a copy's completion panicked: {}", panic_text(&*payload));
        }
        true
    }
}

/// The copy threads of the process.
#[derive(Default)]
pub struct CopyPool {
    jobs: Mutex<VecDeque<Arc<Job>>>,
    more: Condvar,
}

impl std::fmt::Debug for CopyPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CopyPool").field("jobs", &self.jobs.lock().len()).finish_non_exhaustive()
    }
}

/// The pool; its threads start at the first use.
pub fn pool() -> &'static CopyPool {
    static POOL: OnceLock<&'static CopyPool> = OnceLock::new();
    POOL.get_or_init(|| {
        let pool: &'static CopyPool = Box::leak(Box::default());
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        for number in 0..(processors / 2).clamp(1, 4) {
            let named = std::thread::Builder::new().name(format!("toprope-copy-{number}"));
            if let Err(e) = named.spawn(|| pool.work()) {
                // Waiting host threads do the work then.
                eprintln!("toprope: no copy thread: {e}; copies are done when a stream is synchronised");
            }
        }
        pool
    })
}

impl CopyPool {
    fn work(&self) -> ! {
        loop {
            let job = {
                let mut jobs = self.jobs.lock();
                loop {
                    if let Some(job) = next_job(&mut jobs) {
                        break job;
                    }
                    self.more.wait(&mut jobs);
                }
            };
            if let Some(begin) = job.begin {
                std::thread::sleep(begin.saturating_duration_since(Instant::now()));
            }
            while job.step() {}
        }
    }

    /// Hands a job over, which copy threads begin after `delay`; `done` is called once, on another thread or on one that [`help`](Self::help)s.
    /// `keep` are host blocks that must live until then. Lower `priority` goes first.
    ///
    /// # Safety
    /// Until `done` is called, source and destination are readable and writable memory of this process that no Rust
    /// reference covers (`keep` included).
    pub unsafe fn submit(
        &self,
        motion: Motion,
        priority: u32,
        delay: Duration,
        keep: Vec<Arc<HostBlock>>,
        done: Done,
    ) {
        let bytes = motion.bytes();
        let piece_bytes = if motion.overlaps() || bytes >= WHOLE_BYTES {
            bytes
        } else {
            bytes.div_ceil(PIECES).max(PIECE_BYTES).next_multiple_of(64)
        };
        let pieces = bytes.div_ceil(piece_bytes.max(1)).max(1);
        let job = Arc::new(Job {
            motion,
            priority,
            begin: (!delay.is_zero()).then(|| Instant::now() + delay),
            piece_bytes,
            pieces,
            next: AtomicU64::new(0),
            left: AtomicU64::new(pieces),
            done: Mutex::new(Some(done)),
            _keep: keep,
        });
        let mut jobs = self.jobs.lock();
        let at = jobs.partition_point(|other| other.priority <= priority);
        jobs.insert(at, job);
        drop(jobs);
        self.more.notify_one();
    }

    /// Does one piece of the first job; `false` if there is none.
    pub fn help(&self) -> bool {
        let job = next_job(&mut self.jobs.lock());
        job.is_some_and(|job| job.step())
    }

    /// Does a job now, with the help of the copy threads if it is large.
    ///
    /// # Safety
    /// As [`Motion::run`].
    pub unsafe fn run(&self, motion: Motion) {
        if motion.bytes() < 2 * PIECE_BYTES || motion.overlaps() {
            // SAFETY: the same contract.
            return unsafe { motion.run() };
        }
        let finished = Arc::new(super::progress::Progress::default());
        let signal = finished.clone();
        // SAFETY: the contract of this function, which does not return before the job is done.
        unsafe { self.submit(motion, 0, Duration::ZERO, Vec::new(), Box::new(move || signal.advance(1))) };
        finished.wait(1, None, || self.help());
    }
}

fn next_job(jobs: &mut VecDeque<Arc<Job>>) -> Option<Arc<Job>> {
    while jobs.front().is_some_and(|job| job.exhausted()) {
        jobs.pop_front();
    }
    jobs.front().cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_copies_and_fills_are_whole() {
        for bytes in [PIECE_BYTES + 1, 3 * PIECE_BYTES + 17] {
            whole_copy_and_fill(bytes as usize);
        }
    }

    fn whole_copy_and_fill(bytes: usize) {
        let src: Vec<u8> = (0..bytes).map(|i| (i * 31 % 251) as u8).collect();
        let mut dst = vec![0u8; bytes];
        let copy =
            Motion::Copy { dst: dst.as_mut_ptr() as u64, src: src.as_ptr() as u64, bytes: bytes as u64 };
        // SAFETY: both vectors are that long and are not touched before `run` returns.
        unsafe { pool().run(copy) };
        assert!(src == dst);
        let fill = Motion::Fill { dst: dst.as_mut_ptr() as u64, value: 9, bytes: bytes as u64 };
        // SAFETY: as above.
        unsafe { pool().run(fill) };
        assert!(dst.iter().all(|b| *b == 9));
    }

    #[test]
    fn overlapping_copies_move() {
        let mut data: Vec<u8> = (0..100).collect();
        let at = data.as_mut_ptr() as u64;
        // SAFETY: both ranges lie in `data`, which is not touched meanwhile.
        unsafe { Motion::Copy { dst: at + 10, src: at, bytes: 90 }.run() };
        assert!(data[10..].iter().enumerate().all(|(i, b)| *b == i as u8));
    }

    #[test]
    fn rows_leave_the_rest_alone() {
        let src: Vec<u8> = (0..60).collect();
        let mut dst = vec![255u8; 80];
        let (width, height) = (10, 4);
        let rows = Motion::Rows {
            dst: dst.as_mut_ptr() as u64,
            dst_pitch: 20,
            src: src.as_ptr() as u64,
            src_pitch: 15,
            width,
            height,
        };
        assert_eq!((rows.bytes(), rows.written().1, rows.read().unwrap().1), (40, 70, 55));
        for (from, length) in [(0, 7), (7, 20), (27, 13)] {
            // SAFETY: both vectors hold four rows of these pitches and are not touched meanwhile.
            unsafe { rows.part(from, length) };
        }
        for (i, b) in dst.iter().enumerate() {
            let (row, column) = (i / 20, i % 20);
            assert_eq!(*b, if column < 10 { (row * 15 + column) as u8 } else { 255 });
        }
    }

    #[test]
    fn words_are_filled() {
        let mut words = vec![0u32; 3 << 20];
        let (dst, count) = (words.as_mut_ptr() as u64, words.len() as u64);
        // SAFETY: the vector is that long and is not touched before `run` returns.
        unsafe { pool().run(Motion::FillWords { dst, value: 0x0102_0304, count }) };
        assert!(words.iter().all(|w| *w == 0x0102_0304));
    }

    #[test]
    fn touching_is_by_range() {
        let copy = Motion::Copy { dst: 100, src: 500, bytes: 10 };
        assert!(copy.touches(109, 1) && copy.touches(0, 101) && copy.touches(505, 100));
        assert!(!copy.touches(110, 390) && !copy.touches(510, 5));
    }
}
