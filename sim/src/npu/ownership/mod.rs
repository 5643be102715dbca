//! Ownership: which queue, TBuf or pool each byte of a local memory belongs to, and how far each tensor has come.
//!
//! All of it comes from annotations, which `device-lib` sends through its hooks (so C++, Rust and Python kernels alike do);
//! a kernel without them is not judged here.

use super::core::{BufferNote, Core};
use super::pipes::Fault;
use toprope_abi::core_face::Annotation;
use toprope_abi::fwk::TPosition;

/// Name of a position as the kernel writes it: `VECIN`.
fn position_name(number: u64) -> &'static str {
    TPosition::from_number(number as u32).map_or("?", TPosition::name)
}

/// Position where a queue from `src` to `dst` has its buffers: the destination, unless that is in GM.
fn held_at(src: u64, dst: u64) -> u64 {
    if [TPosition::Gm as u64, TPosition::Co2 as u64].contains(&dst) { src } else { dst }
}

impl Core {
    /// What the kernel side tells of buffers and tensors.
    ///
    /// # Errors
    /// None yet.
    pub(super) fn note(&mut self, what: u32, text: &str, [a, b, c, d]: [u64; 4]) -> Result<(), Fault> {
        let is = |annotation: Annotation| what == annotation as u32;
        if is(Annotation::Buffer) {
            self.add_buffer(a, b, c, text.to_owned());
        } else if is(Annotation::Reserved) {
            let num = a >> 32;
            let position = position_name(held_at(a >> 16 & 255, a >> 24 & 255));
            let name = match a >> 8 & 15 {
                0 => format!("TQue<{position}>, {num} x {c}"),
                1 => format!("TBuf<{position}>"),
                _ => format!("TBufPool<{position}>"),
            };
            self.add_buffer(a & 255, b, c * num, name);
        } else if is(Annotation::ResetBuffers) || is(Annotation::Pipe) && a < 2 {
            self.buffers.clear();
        } else if is(Annotation::RawPointer) {
            self.taint_raw(a..a.saturating_add(b));
        }
        let _ = d;
        Ok(())
    }

    fn add_buffer(&mut self, space: u64, offset: u64, bytes: u64, name: String) {
        let frames = self.quick_frames().iter().copied().filter(|f| *f != 0).collect();
        self.buffers.push(BufferNote { space, offset, bytes, name, frames });
    }
}
