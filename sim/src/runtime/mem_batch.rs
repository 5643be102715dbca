//! Batches of copies (`aclrtMemcpyBatch`): many pieces, one direction, no order among them.
//!
//! Rules: page 11-03 of the public API reference. Every piece is checked before any is moved, so a batch that is
//! refused has moved nothing. Attributes say where the ends of a run of pieces are; that is checked against the addresses.

use super::device::Direction;
use super::failure::{Answer, Failure};
use super::memory::Place;
use super::site::CallSite;
use super::state::Runtime;
use super::stream::Stream;
use super::transfer::{Ends, Transfer, check_not_null, check_room};
use crate::runtime::copy::Motion;
use std::sync::Arc;
use toprope_abi::acl::{AclError, MemLocation, MemLocationType};

/// Most pieces of a batch.
const MAX_PIECES: usize = 4096;

/// One copy.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// First address written.
    pub dst: u64,
    /// Room there.
    pub room: u64,
    /// First address read.
    pub src: u64,
    /// Length.
    pub bytes: u64,
}

/// A batch as it was asked for.
pub struct Batch {
    /// The function, for findings.
    pub function: &'static str,
    /// Its copies.
    pub pieces: Vec<Piece>,
    /// Where the ends are: destination, source.
    pub attributes: Vec<(MemLocation, MemLocation)>,
    /// First piece of each attribute.
    pub indexes: Vec<usize>,
    /// Where the program called.
    pub site: CallSite,
}

/// A failure, and the piece it is about (`usize::MAX`: none).
type Failed = (Failure, usize);

impl Batch {
    /// Copies now.
    ///
    /// # Errors
    /// 107000 or 100000, with the piece if it is one's fault.
    pub fn run(&self, runtime: &'static Runtime) -> Result<(), Failed> {
        for (index, (transfer, _)) in self.check(runtime)?.into_iter().enumerate() {
            transfer.run(runtime).map_err(|failure| (failure, index))?;
        }
        Ok(())
    }

    /// Copies in stream order.
    ///
    /// # Errors
    /// As [`run`](Self::run); those of the stream.
    pub fn enqueue(&self, runtime: &'static Runtime, stream: &Arc<Stream>) -> Result<(), Failed> {
        for (index, (transfer, ends)) in self.check(runtime)?.into_iter().enumerate() {
            transfer.enqueue_located(runtime, stream, &ends).map_err(|failure| (failure, index))?;
        }
        Ok(())
    }

    fn check(&self, runtime: &'static Runtime) -> Result<Vec<(Transfer, Ends)>, Failed> {
        self.check_indexes().map_err(|failure| (failure, usize::MAX))?;
        let mut found: Vec<(Transfer, Ends)> = Vec::with_capacity(self.pieces.len());
        let mut direction = None;
        for (index, piece) in self.pieces.iter().enumerate() {
            let about = |failure: Failure| {
                (Failure { text: format!("piece {index}: {}", failure.text), ..failure }, index)
            };
            let Some((transfer, ends)) = self.locate(runtime, piece).map_err(about)? else { continue };
            let way = ends.direction().filter(|way| *way != Direction::DeviceToDevice);
            let first = *direction.get_or_insert(way);
            if way.is_none() || way != first {
                let text = "all pieces of a batch go from the host to the device, or all from the device to the host";
                return Err(about(Failure::new(AclError::RT_PARAM_INVALID, text)));
            }
            self.check_places(index, &ends).map_err(about)?;
            found.push((transfer, ends));
        }
        Ok(found)
    }

    fn check_indexes(&self) -> Answer {
        let problem = if self.pieces.len() > MAX_PIECES {
            format!("`numBatches` is {}, at most {MAX_PIECES} are copied by one call", self.pieces.len())
        } else if self.attributes.len() > self.pieces.len() {
            format!("`numAttrs` is {}, but there are {} pieces", self.attributes.len(), self.pieces.len())
        } else if self.indexes.first() != Some(&0) {
            format!("`attrsIndexes[0]` is {:?}, it must be 0", self.indexes.first())
        } else if let Some(i) = (1..self.indexes.len()).find(|i| self.indexes[*i] <= self.indexes[*i - 1]) {
            format!("`attrsIndexes[{i}]` is {}, not more than the one before it", self.indexes[i])
        } else if let Some(last) = self.indexes.last().filter(|last| **last >= self.pieces.len()) {
            format!("the last of `attrsIndexes` is {last}, but there are {} pieces", self.pieces.len())
        } else {
            return Ok(());
        };
        Err(Failure::new(AclError::RT_PARAM_INVALID, problem))
    }

    fn locate(&self, runtime: &'static Runtime, piece: &Piece) -> Answer<Option<(Transfer, Ends)>> {
        if piece.bytes == 0 {
            return Ok(None);
        }
        check_not_null("dsts", piece.dst)?;
        check_not_null("srcs", piece.src)?;
        check_room(piece.bytes, "destMaxs", "dsts", piece.room)?;
        let transfer = Transfer {
            function: self.function,
            motion: Motion::Copy { dst: piece.dst, src: piece.src, bytes: piece.bytes },
            takes_data: false,
            written: "dsts",
            site: self.site,
        };
        let ends = transfer.locate(runtime)?;
        Ok(Some((transfer, ends)))
    }

    /// Compares where the ends are with what the attributes say.
    fn check_places(&self, index: usize, ends: &Ends) -> Answer {
        let run = self.indexes.partition_point(|first| *first <= index) - 1;
        let (dst, src) = &self.attributes[run];
        let ends = [("dstLoc", dst, Some(&ends.dst)), ("srcLoc", src, ends.src.as_ref())];
        for (name, told, is) in ends.into_iter().filter_map(|(name, told, is)| Some((name, told, is?))) {
            let fits = match is {
                Place::Device(device) => told.ty == MemLocationType::DEVICE && told.id == *device,
                Place::Managed => true,
                Place::Pinned(_) | Place::Pageable => told.ty != MemLocationType::DEVICE,
            };
            if !fits {
                let text = format!(
                    "`{name}` says {} {}, but the address is {}",
                    told.ty.name().unwrap_or("an unknown place"),
                    told.id,
                    match is {
                        Place::Device(device) => format!("memory of device {device}"),
                        _ => "host memory".into(),
                    }
                );
                return Err(Failure::new(AclError::RT_PARAM_INVALID, text));
            }
        }
        Ok(())
    }
}
