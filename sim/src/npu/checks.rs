//! What is checked of every instruction before it executes, in one place.
//!
//! [`Core::check`] sees each decoded instruction once, when it is issued: memory of the right kind on this core, alignment,
//! bounds of local memory, GM inside one live allocation. Field ranges and operand rules are `exec::decode`'s. Order, data and
//! owners of buffers are followed when an instruction executes (`order`, `taint`, `ownership`).
//!
//! Not checked: raw pointer dereferences of C++ code (a signal tells when they leave memory altogether).

use super::clock::SLOT_PIPES;
use super::core::Core;
use super::pipes::Fault;
use crate::exec::{Access, Decoded, ExecFault, Operand, Shape};
use crate::findings::catalogue as c;
use crate::findings::catalogue::Entry;
use crate::findings::{Detail, Draft};
use crate::gm::{AddressKind, Allocation};
use std::ops::Range;
use toprope_abi::isa::{Kind, OpRow, Space};

impl Core {
    /// Checks every access of an instruction.
    ///
    /// # Errors
    /// The first access that breaks a rule.
    #[inline]
    pub fn check(&mut self, slot: usize, decoded: &Decoded) -> Result<(), Fault> {
        for access in decoded.accesses() {
            self.check_access(slot, decoded, access)?;
        }
        if self.watches.on() {
            decoded.accesses().iter().try_for_each(|a| self.check_watches(decoded.row(), slot, a))?;
        }
        Ok(())
    }

    /// Checks one access of an instruction.
    ///
    /// # Errors
    /// The rule it breaks.
    #[inline]
    pub fn check_access(&mut self, slot: usize, decoded: &Decoded, access: &Access) -> Result<(), Fault> {
        if access.align_bytes > 1 && access.addr & u64::from(access.align_bytes - 1) != 0 {
            return Err(self.unaligned(slot, decoded, access));
        }
        let Some(range) = access.extent() else { return Ok(()) };
        let inside = if access.space == Space::Gm {
            self.gm_holds(&range, access.write)
        } else {
            let (start, end) = self.bounds_of(access.space);
            range.start >= start && range.end <= end
        };
        if inside { Ok(()) } else { Err(self.outside(slot, decoded, access, &range)) }
    }

    /// Detail line that says which instruction it is.
    fn instruction_line(&self, slot: usize, row: &OpRow) -> String {
        let step = self.stats.instructions[slot];
        let pipe = SLOT_PIPES[slot].name();
        let iteration = self.runs_so_far(row.op as u32);
        format!("instruction: {}, pipe {pipe}, step {step}, iteration {iteration}", row.intrinsic)
    }

    #[cold]
    fn unaligned(&self, slot: usize, decoded: &Decoded, access: &Access) -> Fault {
        let entry = if access.write { &c::WRITE_UNALIGNED } else { &c::READ_UNALIGNED };
        let offset = match self.region.locate(access.addr) {
            Some((_, offset)) => format!("{offset:#x}"),
            None => format!("{:#x}", access.addr),
        };
        let values = [
            ("op", decoded.row().intrinsic.to_owned()),
            ("memory", access.space.name().to_owned()),
            ("offset", offset),
            ("align", access.align_bytes.to_string()),
        ];
        let beyond = access.addr % u64::from(access.align_bytes);
        let mut draft = Draft::new(entry, &values)
            .op(decoded.row().intrinsic)
            .detail(self.instruction_line(slot, decoded.row()))
            .detail(format!(
                "operand: {}, {beyond} bytes past a multiple of {}",
                access.operand, access.align_bytes
            ));
        let row = self.runs_so_far(decoded.row().op as u32);
        if row > 0 {
            // Else the block had ended there.
            draft = draft.detail(format!(
                "row {row}: the runs before it were aligned; the pitch from one row to the next has to be a multiple of {} bytes",
                access.align_bytes
            ));
        }
        Box::new(draft)
    }

    /// Gaps and lengths of bursts that would fit `room_bytes` if their fields counted something else than blocks of 32 bytes.
    fn stride_lines(&self, row: &OpRow, access: &Access, room_bytes: u64) -> Vec<Detail> {
        let is_whole = matches!(row.kind, Kind::CopyBurst(_));
        let is_padded = matches!(row.kind, Kind::CopyAlign(_)) && access.space != Space::Gm;
        let Shape::Bursts(b) = access.shape else { return Vec::new() };
        if !is_whole && !is_padded {
            return Vec::new();
        }
        let (len, gap) = (u64::from(b.len_bytes), b.step_bytes.saturating_sub(u64::from(b.len_bytes)));
        let extent = |len: u64, gap: u64| u64::from(b.count - 1) * (len + gap) + len;
        let mut lines = fitting("gap between bursts", gap, (FITS, |gap| extent(len, gap) <= room_bytes));
        // A single burst is a copy with a count of elements.
        if lines.is_empty() && is_whole && b.count > 1 {
            lines =
                fitting("length of a burst (blockLen)", len, (FITS, |len| extent(len, gap) <= room_bytes));
        }
        lines.into_iter().map(Detail::Text).collect()
    }

    #[cold]
    fn outside(&self, slot: usize, decoded: &Decoded, access: &Access, range: &Range<u64>) -> Fault {
        let draft = if access.space == Space::Gm {
            self.outside_gm(decoded.row(), access, range)
        } else {
            self.outside_local(decoded.row(), access, range)
        };
        Box::new(draft.op(decoded.row().intrinsic).detail(self.instruction_line(slot, decoded.row())))
    }

    fn outside_local(&self, row: &OpRow, access: &Access, range: &Range<u64>) -> Draft {
        let (start, end) = self.bounds_of(access.space);
        if start == end {
            let what = format!("{}: memory {}", row.intrinsic, access.space.name());
            return Draft::new(&c::WRONG_CORE, &[("what", what), ("core", self.kind_name())]);
        }
        if !self.region.locate(access.addr).is_some_and(|(space, _)| space == access.space) {
            return self.wrong_memory(row.intrinsic, access.operand, access.space, access.addr);
        }
        let first = access.addr - start;
        let entry = if access.write { &c::LOCAL_WRITE_BEYOND } else { &c::LOCAL_READ_BEYOND };
        let values = [
            ("op", row.intrinsic.to_owned()),
            ("beyond", (range.end - range.start.max(end)).to_string()),
            ("memory", access.space.name().to_owned()),
            ("limit", (end - start).to_string()),
        ];
        let mut draft = Draft::new(entry, &values).detail(format!(
            "operand: {}, bytes {:#x}..{:#x} of {}, which has {:#x}",
            access.operand,
            range.start - start,
            range.end - start,
            access.space.name(),
            end - start
        ));
        draft.details.extend(self.room_lines(access.space, first as u32, (range.end - start) as u32));
        draft.details.extend(self.stride_lines(row, access, (end - start).saturating_sub(first)));
        draft
    }

    /// An operand at an address that is not in the memory it has to be in.
    fn misplaced(&self, op: &str, operand: Operand, expected: Space, address: u64) -> Draft {
        match self.region.locate(address) {
            Some((space, offset)) if space == expected => self.starts_beyond(op, operand, space, offset),
            None if expected == Space::Gm && !self.gm.range().contains(&address) => {
                self.gm_fault(op, operand == Operand::Dst, address, &(address..address.saturating_add(1)))
            }
            _ => self.wrong_memory(op, operand, expected, address),
        }
    }

    /// The text of a fault; an address of local memory in it becomes memory and offset.
    fn with_places(&self, fault: &ExecFault) -> String {
        fault.addresses().into_iter().flatten().fold(fault.to_string(), |text, address| {
            let Some((space, offset)) = self.region.locate(address) else { return text };
            text.replace(&format!("{address:#x}"), &format!("{} {offset:#x}", space.name()))
        })
    }

    /// An operand that starts `offset` bytes into memory `space`, behind its end.
    fn starts_beyond(&self, op: &str, operand: Operand, space: Space, offset: u64) -> Draft {
        let entry = if operand == Operand::Dst { &c::LOCAL_WRITE_BEYOND } else { &c::LOCAL_READ_BEYOND };
        let size = u64::from(self.region.bytes(space));
        let values = [
            ("op", op.to_owned()),
            ("beyond", (offset + 1).saturating_sub(size).to_string()),
            ("memory", space.name().to_owned()),
            ("limit", size.to_string()),
        ];
        Draft::new(entry, &values).detail(format!(
            "operand: {operand}, starts at {offset:#x} of {}, which has {size:#x}",
            space.name()
        ))
    }

    fn wrong_memory(&self, op: &str, operand: Operand, expected: Space, addr: u64) -> Draft {
        let found = match self.region.locate(addr) {
            Some((space, offset)) if offset < u64::from(self.region.bytes(space)) => {
                format!("in {}", space.name())
            }
            Some((space, offset)) if self.region.bytes(space) > 0 => {
                format!("at {offset:#x} behind the end of {}", space.name())
            }
            Some((space, _)) => format!("in {}, which this core does not have", space.name()),
            None if self.gm.range().contains(&addr) => "in GM".to_owned(),
            None => "in no memory of the device".to_owned(),
        };
        // Where the region of a core lies is of no interest.
        let address = self.region.locate(addr).map_or(addr, |(_, offset)| offset);
        let values = [
            ("op", op.to_owned()),
            ("operand", operand.to_string()),
            ("expected", expected.name().to_owned()),
            ("address", format!("address {address:#x}")),
            ("found", found),
        ];
        Draft::new(&c::WRONG_MEMORY, &values)
    }

    fn outside_gm(&self, row: &OpRow, access: &Access, range: &Range<u64>) -> Draft {
        if self.region.locate(access.addr).is_some() {
            return self.wrong_memory(row.intrinsic, access.operand, Space::Gm, access.addr);
        }
        let mut draft = self.gm_fault(row.intrinsic, access.write, access.addr, range);
        if let Some(a) = self.gm.find(access.addr) {
            draft.details.extend(self.stride_lines(row, access, a.end() - access.addr));
        }
        draft
    }

    /// The finding for a GM access of `range` by an operand that starts at `addr`.
    pub fn gm_fault(&self, op: &str, write: bool, addr: u64, range: &Range<u64>) -> Draft {
        let pick = |read: &'static Entry, written: &'static Entry| if write { written } else { read };
        let values = |allocation: Option<&Allocation>| {
            vec![
                ("op", op.to_owned()),
                ("address", format!("{addr:#x}")),
                ("argument", self.argument_text(addr, allocation)),
            ]
        };
        match self.gm.classify(range.start) {
            AddressKind::Live(a) if write && a.is_read_only && range.end <= a.end() => {
                Draft::new(&c::GM_WRITE_READ_ONLY, &values(Some(&a)))
                    .at(format!("allocated: by {}", a.by), a.site)
                    .detail(span_line(range, a.start))
            }
            AddressKind::Behind { allocation: a, .. } if self.strayed_from_another(addr, &a).is_some() => {
                let argument = self.strayed_from_another(addr, &a).unwrap_or_default();
                let values =
                    [("op", op.to_owned()), ("address", format!("{addr:#x}")), ("argument", argument)];
                Draft::new(pick(&c::GM_READ_NOWHERE, &c::GM_WRITE_NOWHERE), &values)
            }
            AddressKind::Live(a) | AddressKind::Behind { allocation: a, .. } => {
                self.gm_beyond(op, write, range, &a)
            }
            AddressKind::Freed(stamp) => {
                let a = stamp.allocation;
                let freed = format!("freed: {} bytes at {:#x}, by {}", a.requested_bytes, a.start, stamp.by);
                Draft::new(pick(&c::GM_READ_FREED, &c::GM_WRITE_FREED), &values(Some(&a)))
                    .at(freed, stamp.site)
                    .at(format!("allocated: by {}", a.by), a.site)
                    .detail(span_line(range, a.start))
            }
            AddressKind::Unused => Draft::new(pick(&c::GM_READ_NOWHERE, &c::GM_WRITE_NOWHERE), &values(None)),
            AddressKind::Foreign => {
                let device = self.gm.range();
                Draft::new(pick(&c::GM_READ_FOREIGN, &c::GM_WRITE_FOREIGN), &values(None))
                    .detail(format!("device memory is {:#x}..{:#x}", device.start, device.end))
            }
        }
    }

    fn gm_beyond(&self, op: &str, write: bool, range: &Range<u64>, a: &Allocation) -> Draft {
        let entry = if write { &c::GM_WRITE_BEYOND } else { &c::GM_READ_BEYOND };
        let first = range.start.max(self.end_of(a));
        let values = [
            ("op", op.to_owned()),
            ("beyond", (range.end - first).to_string()),
            ("target", self.target_of(a)),
        ];
        let beyond = format!("beyond: bytes {}..{}", first - a.start, range.end - a.start);
        Draft::new(entry, &values).detail(span_line(range, a.start)).detail(beyond).detail(format!(
            "allocation: {} bytes asked for, {} usable, from {}",
            a.requested_bytes, a.bytes, a.by
        ))
    }

    /// The note for an access of `range` behind the end of `a`, in the room that is left there.
    pub fn slack_note(&self, a: &Allocation, range: &Range<u64>, write: bool) -> Draft {
        let verb = if write { "writes" } else { "reads" };
        let first = range.start.max(a.end());
        let values = [
            ("verb", verb.to_owned()),
            ("beyond", (range.end - first).to_string()),
            ("target", self.target_of(a)),
            ("by", a.by.to_owned()),
        ];
        Draft::new(&c::GM_SLACK, &values).detail(span_line(range, a.start)).detail(format!(
            "allocation: {} bytes asked for, {} of room behind them",
            a.requested_bytes, a.slack_bytes
        ))
    }

    fn target_of(&self, a: &Allocation) -> String {
        match self.argument_of(a) {
            Some((index, name)) => format!("argument {index} (`{name}`)"),
            None => format!("an allocation of {} bytes", a.requested_bytes),
        }
    }

    /// Index and name of the kernel argument that points into allocation `a`.
    fn argument_of(&self, a: &Allocation) -> Option<(usize, String)> {
        self.pointer_arguments()
            .find(|(_, _, value)| a.contains(*value))
            .map(|(index, name, _)| (index, name))
    }

    /// Text for a title: an address behind block `a` that an offset has moved out of another tensor.
    fn strayed_from_another(&self, addr: u64, a: &Allocation) -> Option<String> {
        let base = self.gm_order.strayed(addr).filter(|base| !a.contains(*base))?;
        let (sign, far) = if addr < base { ('-', base - addr) } else { ('+', addr - base) };
        let place = self.place_of(base);
        Some(format!(": {} {sign} {far} bytes", place.strip_suffix(" + 0 bytes").unwrap_or(&place)))
    }

    /// Text for a title: which argument is (or points into the block of) a bad address.
    fn argument_text(&self, addr: u64, allocation: Option<&Allocation>) -> String {
        let near = |value: u64| match allocation {
            Some(a) => a.contains(value),
            None => value <= addr && addr - value < 1 << 32,
        };
        // Of several arguments below the address the nearest one is meant; several may have the same value, null for instance.
        let nearest = self.pointer_arguments().map(|a| a.2).filter(|value| near(*value)).max();
        let Some(value) = nearest else {
            return if allocation.is_none() { self.behind_text(addr) } else { String::new() };
        };
        let same = self.pointer_arguments().filter(|a| a.2 == value);
        let names: Vec<String> =
            same.map(|(index, name, _)| format!("argument {index} (`{name}`)")).collect();
        let names = names.join(" or ");
        if value == addr { format!(": {names}") } else { format!(": {names} + {} bytes", addr - value) }
    }

    /// The same for an address below all arguments: a negative offset, of 32 bits and elements of 8 bytes at most.
    fn behind_text(&self, addr: u64) -> String {
        const FARTHEST: u64 = 1 << 34;
        let above =
            self.pointer_arguments().filter(|(_, _, value)| *value > addr && value - addr <= FARTHEST);
        match above.min_by_key(|(_, _, value)| *value) {
            Some((index, name, value)) => {
                let far = value - addr;
                let hint =
                    if far >= 1 << 30 { ": an offset computed in 32 bits has overflowed?" } else { "" };
                format!(": argument {index} (`{name}`) - {far} bytes{hint}")
            }
            None => String::new(),
        }
    }

    /// A GM address in words.
    pub(super) fn place_of(&self, addr: u64) -> String {
        match self.gm.find(addr).and_then(|a| Some((self.argument_of(&a)?, addr - a.start))) {
            Some(((index, name), offset)) => format!("argument {index} (`{name}`) + {offset} bytes"),
            None => format!("address {addr:#x}"),
        }
    }

    /// Index, name and value of every pointer argument.
    fn pointer_arguments(&self) -> impl Iterator<Item = (usize, String, u64)> + '_ {
        self.launch.as_deref().into_iter().flat_map(|l| l.pointer_arguments())
    }

    /// The finding for an instruction that cannot be decoded.
    #[cold]
    pub fn undecodable(&self, slot: usize, row: &OpRow, fault: &ExecFault) -> Fault {
        let draft = match *fault {
            ExecFault::Unsupported { intrinsic, what } => {
                Draft::new(&c::UNSUPPORTED, &[("what", format!("{intrinsic}: {what}"))])
            }
            ExecFault::WrongSpace { intrinsic, operand, address, expected, .. } => {
                self.misplaced(intrinsic, operand, expected, address)
            }
            ExecFault::FieldRange { intrinsic, field, asked, min, max } => {
                let values = [
                    ("what", intrinsic.to_owned()),
                    ("field", field.text().to_owned()),
                    ("asked", asked.to_string()),
                    ("min", min.to_string()),
                    ("limit", max.to_string()),
                ];
                Draft::new(&c::FIELD_RANGE, &values)
            }
            ref other => Draft::new(&c::BAD_OPERAND, &[("what", self.with_places(other))]),
        };
        Box::new(draft.op(row.intrinsic).detail(self.instruction_line(slot, row)))
    }

    /// Who asked for which part of memory `space`.
    pub fn demand_table(&self, space: Option<Space>) -> Vec<Detail> {
        let wanted = |s: u64| space.is_none_or(|space| s == space as u64);
        let mut lines: Vec<Detail> = Vec::new();
        for b in self.buffers.iter().filter(|b| wanted(b.space)) {
            let memory = toprope_abi::isa::SPACES.get(b.space as usize).map_or("?", |s| s.1);
            let name = if b.name.is_empty() { String::new() } else { format!(" {}", b.name) };
            let text = format!(
                "buffer: {memory} {:#08x}..{:#08x} {:>7} bytes{name}",
                b.offset,
                b.offset + b.bytes,
                b.bytes
            );
            lines.push(Detail::At(text, b.frames.clone()));
        }
        if !lines.is_empty() {
            let total: u64 = self.buffers.iter().filter(|b| wanted(b.space)).map(|b| b.bytes).sum();
            lines.push(Detail::Text(format!("buffers so far: {total} bytes")));
        }
        lines
    }
}

const FITS: &str = "would fit";

/// What a field that counts blocks of 32 bytes may have been meant to count: it is `bytes` now, and another number `helps`.
pub(super) fn fitting(what: &str, bytes: u64, (helps, fits): (&str, impl Fn(u64) -> bool)) -> Vec<String> {
    const BLOCK_BYTES: u64 = 32;
    const UNITS: [(u64, &str); 3] = [(1, "bytes"), (2, "elements of 2 bytes"), (4, "elements of 4 bytes")];
    let field = bytes / BLOCK_BYTES;
    if field == 0 || !bytes.is_multiple_of(BLOCK_BYTES) {
        return Vec::new();
    }
    let meant = |(size, unit): &(u64, &str)| {
        let other = field * size;
        (other.is_multiple_of(BLOCK_BYTES) && fits(other))
            .then(|| format!("{field} {unit}, that is {other} bytes, {helps}"))
    };
    let meant: Vec<String> = UNITS.iter().filter_map(meant).collect();
    if meant.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "did you mean: the {what} counts blocks of 32 bytes, {field} of them are {bytes} bytes; {}",
        meant.join("; ")
    )]
}

fn span_line(range: &Range<u64>, start: u64) -> String {
    format!(
        "bytes: {}..{} from its start",
        range.start.wrapping_sub(start) as i64,
        range.end.wrapping_sub(start) as i64
    )
}

#[cfg(test)]
mod tests {
    use super::{FITS, fitting};

    #[test]
    fn a_field_in_another_unit_is_recognised() {
        // 64 blocks of 32 bytes where 64 elements of 4 bytes, 8 blocks, are meant.
        let lines = fitting("gap", 64 * 32, (FITS, |bytes| bytes <= 300));
        assert_eq!(
            lines,
            ["did you mean: the gap counts blocks of 32 bytes, 64 of them are 2048 bytes; \
              64 bytes, that is 64 bytes, would fit; 64 elements of 2 bytes, that is 128 bytes, would fit; \
              64 elements of 4 bytes, that is 256 bytes, would fit"]
        );
        assert_eq!(fitting("gap", 64 * 32, (FITS, |bytes| bytes <= 64)).len(), 1);
        assert!(fitting("gap", 64 * 32, (FITS, |_| false)).is_empty(), "nothing fits");
        assert!(fitting("gap", 0, (FITS, |_| true)).is_empty(), "no gap");
        assert!(fitting("gap", 7 * 32, (FITS, |_| true)).is_empty(), "7 of no unit are whole blocks");
    }
}
