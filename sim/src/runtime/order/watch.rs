//! Pinned buffers that an asynchronous copy reads: are they the same until the host has waited for the copy?
//!
//! The host's stores are not seen, but their effect is: a sample of the buffer is taken at the call and compared when the host
//! waits for the copy (or gives the buffer to another copy, or frees it). So a buffer that is filled again too early is found
//! even if the copy happened to run at once. Not looked at: buffers that other tasks write, and registered memory, which the
//! program may unmap at any time.

use super::clock::{Clock, LineId};
use super::is_on;
use crate::runtime::hostmem::HostBlock;
use crate::runtime::mem_findings;
use crate::runtime::site::CallSite;
use crate::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Copies that are watched at a time.
const MOST: usize = 1024;

/// A copy whose source is watched.
#[derive(Debug)]
pub struct Watch {
    src: u64,
    bytes: u64,
    sample: u64,
    /// Keeps the source mapped.
    _block: Arc<HostBlock>,
    serial: u64,
    stream: String,
    site: CallSite,
    /// Timeline and tick of the copy, once it has begun.
    place: OnceLock<(LineId, u64)>,
}

static WATCHES: Mutex<Vec<Arc<Watch>>> = Mutex::new(Vec::new());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Words of a long source that are compared, evenly spread; of a short one, all are.
const SAMPLE_WORDS: u64 = 256;

/// A few words of a range of host memory that is readable, mixed.
#[allow(unsafe_code)] // reads a block that is kept alive.
pub fn sample(src: u64, bytes: u64) -> u64 {
    let step = (bytes / SAMPLE_WORDS).max(8) & !7;
    let words = if bytes < 8 { 0 } else { (bytes - 8) / step + 1 };
    let word = |i: u64| {
        // SAFETY: `i` is below `words`, so the word ends inside the range, which is readable (contract of callers: known host
        // memory that they keep); the word may be unaligned.
        unsafe { ((src + i * step) as *const u64).read_unaligned() }
    };
    let mix = |mixed: u64, word: u64| (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    // Four chains at a time: one would wait for its own product at every word.
    let mut lanes = [bytes; 4];
    for i in 0..words / 4 {
        for (lane, mixed) in lanes.iter_mut().enumerate() {
            *mixed = mix(*mixed, word(4 * i + lane as u64));
        }
    }
    let rest = (words / 4 * 4..words).map(word);
    lanes.into_iter().chain(rest).fold(bytes, mix)
}

/// A copy that reads a block of pinned memory is about to be queued.
#[derive(Debug)]
pub struct Watched {
    /// First byte it reads.
    pub src: u64,
    /// Length.
    pub bytes: u64,
    /// The block they are in.
    pub block: Arc<HostBlock>,
    /// How messages name the stream.
    pub stream: String,
    /// Where the program called.
    pub site: CallSite,
}

/// Watches the source of a copy.
pub fn begin(of: Watched) -> Option<Arc<Watch>> {
    if !is_on() || of.block.is_registered() {
        return None;
    }
    let Watched { src, bytes, block, stream, site } = of;
    let serial = super::next_serial();
    let sample = sample(src, bytes);
    let watch =
        Arc::new(Watch { src, bytes, sample, _block: block, serial, stream, site, place: OnceLock::new() });
    let mut watches = WATCHES.lock();
    if watches.len() >= MOST {
        watches.remove(0);
    }
    watches.push(watch.clone());
    COUNT.store(watches.len(), Ordering::Relaxed);
    Some(watch)
}

impl Watch {
    /// The copy begins.
    pub fn begins(&self, line: LineId, tick: u64) {
        let _ = self.place.set((line, tick));
    }

    fn is_known_by(&self, clock: &Clock) -> bool {
        self.place.get().is_some_and(|(line, tick)| clock.knows(*line, *tick))
    }

    fn overlaps(&self, start: u64, bytes: u64) -> bool {
        self.src < start.saturating_add(bytes) && start < self.src + self.bytes
    }

    fn compare(&self) {
        let is_written = || super::written_since(self.src..self.src + self.bytes, self.serial);
        if sample(self.src, self.bytes) != self.sample && !is_written() {
            let until = format!("before anything had waited for {} to copy them", self.stream);
            mem_findings::host_buffer_changed(self.src, self.bytes, until, self.site);
        }
    }
}

fn end(which: impl Fn(&Watch) -> bool) {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return;
    }
    let ended: Vec<Arc<Watch>> = {
        let mut watches = WATCHES.lock();
        let (ended, kept) = std::mem::take(&mut *watches).into_iter().partition(|w| which(w));
        *watches = kept;
        COUNT.store(watches.len(), Ordering::Relaxed);
        ended
    };
    ended.iter().for_each(|watch| watch.compare());
}

/// The host has waited, and knows this now.
pub fn host_learnt(clock: &Clock) {
    end(|watch| watch.is_known_by(clock));
}

/// The program gives these bytes to another call.
pub fn used_again(start: u64, bytes: u64) {
    end(|watch| watch.overlaps(start, bytes));
}
