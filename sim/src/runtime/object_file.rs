//! Is this file something that can be loaded? Asked before the dynamic linker sees a byte of it.
//!
//! | file | verdict |
//! |---|---|
//! | sealed by `toprope build` ([`toprope_abi::seal`]) | loaded if length and SHA-256 are right |
//! | other shared object of this machine | loaded if everything the dynamic linker follows lies inside the file |
//! | anything else | refused, and named: AI Core code, another processor, truncated, no ELF |
//!
//! A seal finds every change. Without one the checks below find truncation and wild tables, relocations and symbols,
//! but not changed code: a kernel-only object that may be damaged should be one that `toprope build` made.

use object::elf;
use sha2::{Digest, Sha256};
use toprope_abi::seal::Seal;

/// Symbol of a kernel-only shared object.
pub const MODULE_SYMBOL: &[u8] = b"tr_kernel_module\0";
/// First bytes of every ELF file.
pub const ELF_MAGIC: [u8; 4] = *b"\x7fELF";

#[cfg(target_arch = "x86_64")]
const HOST_MACHINE: u16 = elf::EM_X86_64;
#[cfg(target_arch = "aarch64")]
const HOST_MACHINE: u16 = elf::EM_AARCH64;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const HOST_MACHINE: u16 = elf::EM_NONE;

/// Relocations that only add a number: no symbol is looked up.
#[cfg(target_arch = "x86_64")]
const KNOWN_RELOCATIONS: &[u32] = &[
    elf::R_X86_64_NONE,
    elf::R_X86_64_64,
    elf::R_X86_64_GLOB_DAT,
    elf::R_X86_64_JUMP_SLOT,
    elf::R_X86_64_RELATIVE,
    elf::R_X86_64_DTPMOD64,
    elf::R_X86_64_DTPOFF64,
    elf::R_X86_64_TPOFF64,
    elf::R_X86_64_TLSDESC,
];
#[cfg(target_arch = "aarch64")]
const KNOWN_RELOCATIONS: &[u32] = &[
    elf::R_AARCH64_NONE,
    elf::R_AARCH64_ABS64,
    elf::R_AARCH64_GLOB_DAT,
    elf::R_AARCH64_JUMP_SLOT,
    elf::R_AARCH64_RELATIVE,
    elf::R_AARCH64_TLS_DTPMOD,
    elf::R_AARCH64_TLS_DTPREL,
    elf::R_AARCH64_TLS_TPREL,
    elf::R_AARCH64_TLSDESC,
];
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const KNOWN_RELOCATIONS: &[u32] = &[];

/// Packed relocations (not in `object`).
const DT_RELR: u32 = 36;
/// Most program headers that are believed.
const MAX_SEGMENTS: usize = 64;
/// Largest span of addresses of an object.
const MAX_SPAN: u64 = 1 << 32;

/// A file that may be handed to the dynamic linker.
#[derive(Debug)]
pub struct Checked<'a> {
    /// The object without its seal.
    pub object: &'a [u8],
    /// SHA-256 of it.
    pub digest: [u8; 32],
}

/// Looks at a file.
///
/// # Errors
/// What it is, or what is wrong with it, in words.
pub fn check(file: &[u8]) -> Result<Checked<'_>, String> {
    if !file.starts_with(&ELF_MAGIC) {
        return Err(if file.is_empty() {
            "it is empty".into()
        } else {
            "it is no kernel table of toprope and no ELF file".into()
        });
    }
    let machine = u16_at(file, 18).ok_or("it ends inside the ELF header")?;
    if machine != HOST_MACHINE {
        return Err(foreign(machine));
    }
    if let Some((object, seal)) = Seal::split(file) {
        let digest: [u8; 32] = Sha256::digest(object).into();
        if seal.length != object.len() as u64 || seal.digest != digest {
            return Err("its seal is broken: it was changed or damaged after `toprope build` wrote it".into());
        }
        return Ok(Checked { object, digest });
    }
    Object::check(file)
        .map_err(|what| format!("it is damaged, or not a kernel-only shared object: {what}"))?;
    Ok(Checked { object: file, digest: Sha256::digest(file).into() })
}

/// Names code of another processor.
fn foreign(machine: u16) -> String {
    let of = match machine {
        elf::EM_AARCH64 => "an ELF file for aarch64 (AI CPU kernels look like this)".to_string(),
        elf::EM_X86_64 => "an ELF file for x86_64".into(),
        _ => format!(
            "an ELF file for another processor (machine {machine}), probably code for real AI Cores, which cannot run here"
        ),
    };
    format!("it is {of}")
}

fn u16_at(file: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(file.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn u32_at(file: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(file.get(at..at.checked_add(4)?)?.try_into().ok()?))
}

fn u64_at(file: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(file.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

fn range(file: &[u8], at: u64, bytes: u64) -> Option<&[u8]> {
    let (at, bytes) = (usize::try_from(at).ok()?, usize::try_from(bytes).ok()?);
    file.get(at..at.checked_add(bytes)?)
}

/// A loaded piece of the file.
#[derive(Clone, Copy, Debug)]
struct Segment {
    flags: u32,
    offset: u64,
    addr: u64,
    file_bytes: u64,
    memory_bytes: u64,
}

impl Segment {
    fn holds(&self, addr: u64, bytes: u64) -> bool {
        addr.checked_sub(self.addr)
            .and_then(|from| from.checked_add(bytes))
            .is_some_and(|end| end <= self.memory_bytes)
    }
}

/// What the dynamic linker follows of an unsealed object.
struct Object<'a> {
    file: &'a [u8],
    segments: Vec<Segment>,
    dynamic: Vec<(u64, u64)>,
}

type Verdict<T = ()> = Result<T, String>;

impl<'a> Object<'a> {
    fn check(file: &'a [u8]) -> Verdict {
        let ident = file.get(4..7).ok_or("it ends inside the ELF header")?;
        if ident != [elf::ELFCLASS64, elf::ELFDATA2LSB, elf::EV_CURRENT]
            || file.get(9..16).is_none_or(|pad| pad.iter().any(|b| *b != 0))
        {
            return Err("its ELF header is not that of a 64-bit little-endian object".into());
        }
        if u16_at(file, 16) != Some(elf::ET_DYN) || u32_at(file, 20) != Some(1) {
            return Err("it is no shared object".into());
        }
        let mut object = Object { file, segments: Vec::new(), dynamic: Vec::new() };
        let dynamic = object.read_segments()?;
        object.check_sections()?;
        object.read_dynamic(dynamic)?;
        object.check_tables()
    }

    fn read_segments(&mut self) -> Verdict<Segment> {
        let (at, count) = (u64_at(self.file, 32), u16_at(self.file, 56).map(usize::from));
        let (Some(at), Some(count), Some(56)) = (at, count, u16_at(self.file, 54)) else {
            return Err("its program headers are not readable".into());
        };
        let table = range(self.file, at, count as u64 * 56).filter(|_| (1..=MAX_SEGMENTS).contains(&count));
        let table = table.ok_or("its program headers lie outside the file")?;
        let mut dynamic = None;
        let mut end = 0;
        for row in table.chunks_exact(56) {
            let field = |at| u64_at(row, at).unwrap_or_default();
            let kind = u32_at(row, 0).unwrap_or_default();
            let segment = Segment {
                flags: u32_at(row, 4).unwrap_or_default(),
                offset: field(8),
                addr: field(16),
                file_bytes: field(32),
                memory_bytes: field(40),
            };
            match kind {
                elf::PT_LOAD => {
                    let align = field(48);
                    let fits = range(self.file, segment.offset, segment.file_bytes).is_some()
                        && segment.memory_bytes >= segment.file_bytes
                        && segment.addr >= end
                        && segment.addr.checked_add(segment.memory_bytes).is_some_and(|e| e <= MAX_SPAN)
                        && align.is_power_of_two()
                        && align >= 4096
                        && segment.addr % align == segment.offset % align;
                    if !fits {
                        return Err("a segment lies outside the file: it may be truncated".into());
                    }
                    end = segment.addr + segment.memory_bytes;
                    self.segments.push(segment);
                }
                elf::PT_DYNAMIC if dynamic.replace(segment).is_some() => {
                    return Err("it has two dynamic sections".into());
                }
                elf::PT_INTERP => return Err("it is a program, not a kernel-only shared object".into()),
                elf::PT_TLS | elf::PT_GNU_RELRO | elf::PT_NOTE
                    if range(self.file, segment.offset, segment.file_bytes).is_none() =>
                {
                    return Err("a segment lies outside the file: it may be truncated".into());
                }
                _ => {}
            }
        }
        let spans = |s: &Segment| self.segments.iter().any(|l| l.holds(s.addr, s.memory_bytes));
        dynamic.filter(spans).ok_or_else(|| "it has no dynamic section".into())
    }

    /// Section headers are not loaded; they stand last, so that a cut file lacks them.
    fn check_sections(&self) -> Verdict {
        let at = u64_at(self.file, 40).unwrap_or_default();
        let bytes = u64::from(u16_at(self.file, 58).unwrap_or_default())
            * u64::from(u16_at(self.file, 60).unwrap_or_default());
        if at != 0 && range(self.file, at, bytes).is_none() {
            return Err("its section headers lie outside the file: it is truncated".into());
        }
        Ok(())
    }

    fn read_dynamic(&mut self, segment: Segment) -> Verdict {
        let table =
            self.loaded(segment.addr, segment.file_bytes).ok_or("its dynamic section is not loaded")?;
        for row in table.chunks_exact(16) {
            let (tag, value) = (u64_at(row, 0).unwrap_or_default(), u64_at(row, 8).unwrap_or_default());
            if tag == u64::from(elf::DT_NULL) {
                return Ok(());
            }
            self.dynamic.push((tag, value));
        }
        Err("its dynamic section has no end".into())
    }

    fn tag(&self, tag: u32) -> Option<u64> {
        self.dynamic.iter().find(|row| row.0 == u64::from(tag)).map(|row| row.1)
    }

    /// Bytes of the file at an address.
    fn loaded(&self, addr: u64, bytes: u64) -> Option<&'a [u8]> {
        let segment = self.segments.iter().find(|s| s.holds(addr, bytes))?;
        let from = addr - segment.addr;
        (from + bytes <= segment.file_bytes).then(|| range(self.file, segment.offset + from, bytes))?
    }

    fn has(&self, addr: u64, bytes: u64, flag: u32) -> bool {
        self.segments.iter().any(|s| s.flags & flag != 0 && s.holds(addr, bytes))
    }

    fn table(&self, at: u32, bytes: u32) -> Verdict<&'a [u8]> {
        match (self.tag(at), self.tag(bytes)) {
            (None, None) => Ok(&[]),
            (Some(at), Some(bytes)) => self
                .loaded(at, bytes)
                .ok_or_else(|| "a table of its dynamic section lies outside the file".into()),
            _ => Err("a table of its dynamic section lacks place or size".into()),
        }
    }

    fn check_tables(&self) -> Verdict {
        let strings = self.table(elf::DT_STRTAB, elf::DT_STRSZ)?;
        if strings.last() != Some(&0) {
            return Err("its table of names has no end".into());
        }
        let names = [elf::DT_NEEDED, elf::DT_SONAME, elf::DT_RPATH, elf::DT_RUNPATH].map(u64::from);
        for (tag, value) in &self.dynamic {
            if names.contains(tag) && *value >= strings.len() as u64 {
                return Err("a name of its dynamic section lies outside the table of names".into());
            }
            if [elf::DT_REL, elf::DT_TEXTREL, DT_RELR].map(u64::from).contains(tag) {
                return Err(
                    "it has relocations of a form that is not checked (DT_REL, DT_TEXTREL, DT_RELR)".into()
                );
            }
        }
        let symbols = self.check_symbols(strings)?;
        for (at, bytes) in [(elf::DT_RELA, elf::DT_RELASZ), (elf::DT_JMPREL, elf::DT_PLTRELSZ)] {
            self.check_relocations(self.table(at, bytes)?, symbols)?;
        }
        for (at, bytes) in
            [(elf::DT_INIT_ARRAY, elf::DT_INIT_ARRAYSZ), (elf::DT_FINI_ARRAY, elf::DT_FINI_ARRAYSZ)]
        {
            self.table(at, bytes)?;
        }
        for tag in [elf::DT_INIT, elf::DT_FINI] {
            if self.tag(tag).is_some_and(|at| !self.has(at, 1, elf::PF_X)) {
                return Err("its start-up code lies outside the code".into());
            }
        }
        Ok(())
    }

    /// Checks the symbols; returns how many there are.
    fn check_symbols(&self, strings: &[u8]) -> Verdict<u32> {
        let count = self.symbol_count().ok_or("its table of symbols is not readable")?;
        let at = self.tag(elf::DT_SYMTAB).ok_or("it has no symbols")?;
        let table =
            self.loaded(at, u64::from(count) * 24).ok_or("its table of symbols lies outside the file")?;
        let mut exported = false;
        for row in table.chunks_exact(24) {
            let name = u32_at(row, 0).unwrap_or_default() as usize;
            let text = strings.get(name..).ok_or("the name of a symbol lies outside the table of names")?;
            let (section, value) = (u16_at(row, 6).unwrap_or_default(), u64_at(row, 8).unwrap_or_default());
            if text.starts_with(MODULE_SYMBOL) && section != elf::SHN_UNDEF {
                exported = row[4] & 0xf == elf::STT_FUNC && self.has(value, 1, elf::PF_X);
            }
        }
        if exported {
            Ok(count)
        } else {
            Err("it exports no tr_kernel_module, so it holds no kernels of toprope".into())
        }
    }

    /// Number of symbols, from the hash table the dynamic linker would use.
    fn symbol_count(&self) -> Option<u32> {
        if let Some(at) = self.tag(elf::DT_GNU_HASH) {
            let head = self.loaded(at, 16)?;
            let (buckets, first, bloom) = (u32_at(head, 0)?, u32_at(head, 4)?, u32_at(head, 8)?);
            if buckets == 0 || !bloom.is_power_of_two() {
                return None;
            }
            let table = at + 16 + u64::from(bloom) * 8;
            let rows = self.loaded(table, u64::from(buckets) * 4)?;
            let mut last = first.saturating_sub(1);
            // Buckets may share a chain only in a damaged file, which must not cost more than its size.
            let mut steps = self.file.len();
            let chains = table + u64::from(buckets) * 4;
            for row in rows.chunks_exact(4) {
                let mut symbol = u32_at(row, 0)?;
                if symbol == 0 {
                    continue;
                }
                // Each chain ends at a set low bit; one that leaves the file ends the search with `None`.
                loop {
                    steps = steps.checked_sub(1)?;
                    let word = self.loaded(chains + u64::from(symbol.checked_sub(first)?) * 4, 4)?;
                    last = last.max(symbol);
                    if u32_at(word, 0)? & 1 == 1 {
                        break;
                    }
                    symbol = symbol.checked_add(1)?;
                }
            }
            return last.checked_add(1);
        }
        u32_at(self.loaded(self.tag(elf::DT_HASH)?, 8)?, 4)
    }

    fn check_relocations(&self, table: &[u8], symbols: u32) -> Verdict {
        for row in table.chunks(24) {
            let (Some(at), Some(info), Some(addend)) = (u64_at(row, 0), u64_at(row, 8), u64_at(row, 16))
            else {
                return Err("its relocations end in the middle of one".into());
            };
            let (kind, symbol) = (info as u32, (info >> 32) as u32);
            if !KNOWN_RELOCATIONS.contains(&kind) || symbol >= symbols.max(1) || !self.has(at, 8, elf::PF_W) {
                return Err(format!(
                    "a relocation (kind {kind}, symbol {symbol}, address {at:#x}) makes no sense"
                ));
            }
            let end = self.segments.last().map_or(0, |s| s.addr + s.memory_bytes);
            if symbol == 0 && addend > end {
                return Err(format!("a relocation points to {addend:#x}, outside the object"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn formats_are_named() {
        let mut file = vec![0u8; 64];
        file[..4].copy_from_slice(&ELF_MAGIC);
        file[18..20].copy_from_slice(&0x1029u16.to_le_bytes());
        let say = |file: &[u8]| check(file).unwrap_err();
        assert!(say(&file).contains("machine 4137), probably code for real AI Cores"));
        assert!(say(b"hello").contains("no ELF file"));
        assert!(say(b"").contains("empty"));
        assert!(say(&file[..10]).contains("ends inside the ELF header"));
        let other = if HOST_MACHINE == elf::EM_AARCH64 { elf::EM_X86_64 } else { elf::EM_AARCH64 };
        file[18..20].copy_from_slice(&other.to_le_bytes());
        assert!(say(&file).contains("an ELF file for "));
        file[18..20].copy_from_slice(&HOST_MACHINE.to_le_bytes());
        assert!(say(&file).contains("it is damaged, or not a kernel-only shared object"));
    }

    /// A shared object of this process: the test program itself is position independent.
    fn own_object() -> Vec<u8> {
        std::fs::read("/proc/self/exe").unwrap()
    }

    fn object_start() -> &'static [u8] {
        static START: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
        START.get_or_init(|| own_object()[..6000].to_vec())
    }

    #[test]
    fn a_program_is_no_kernel_object() {
        assert!(check(&own_object()).unwrap_err().contains("it is a program"));
    }

    #[test]
    fn a_seal_finds_every_change() {
        let mut file = vec![0u8; 200];
        file[..4].copy_from_slice(&ELF_MAGIC);
        file[18..20].copy_from_slice(&HOST_MACHINE.to_le_bytes());
        let digest = Sha256::digest(&file).into();
        let seal = Seal { length: file.len() as u64, digest };
        file.extend(seal.to_bytes());
        assert_eq!(check(&file).unwrap().digest, digest);
        for at in 20..200 {
            let mut changed = file.clone();
            changed[at] ^= 1;
            assert!(check(&changed).unwrap_err().contains("seal is broken"), "{at}");
        }
        for length in 0..file.len() {
            assert!(check(&file[..length]).is_err(), "{length}");
        }
    }

    proptest! {
        #[test]
        fn nothing_makes_the_checks_fail_themselves(
            mut tail in proptest::collection::vec(any::<u8>(), 0..400),
            changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        ) {
            let mut file = object_start().to_vec();
            file.append(&mut tail);
            for (at, value) in changes {
                let at = at.index(file.len());
                file[at] = value;
            }
            let _ = check(&file);
        }
    }
}
