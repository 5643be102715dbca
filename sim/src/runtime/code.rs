//! Where the code of kernels lies and how large it is, for the functions that tell a program so.
//!
//! The embedded NPU runs kernels in this process, so their "device addresses" are the addresses of their code here: a
//! kernel's address lies in the image of its binary, which is the loaded object (program or shared object) it is in.
#![allow(unsafe_code)] // dl_iterate_phdr: the modules of the process have no safe face in std.

use super::failure::{Answer, bug};
use object::{Object, ObjectSymbol};
use std::ffi::{CStr, c_int, c_void};

/// A loaded object.
#[derive(Debug, Default)]
struct Image {
    wanted: u64,
    start: u64,
    end: u64,
    /// What is added to addresses of the file.
    bias: u64,
    /// File it was loaded from; empty for the program.
    path: String,
}

/// First address and size of the loaded object that holds an address.
///
/// # Errors
/// A bug of toprope if no object does.
pub fn image(addr: u64) -> Answer<(u64, usize)> {
    let image = find(addr).ok_or_else(|| bug("a kernel that lies in no loaded object"))?;
    Ok((image.start, (image.end - image.start) as usize))
}

/// Size of the function at an address, from the symbols of its file.
pub fn function_bytes(entry: u64) -> Option<usize> {
    let image = find(entry)?;
    let path = if image.path.is_empty() { "/proc/self/exe" } else { &image.path };
    let data = std::fs::read(path).ok()?;
    let file = object::File::parse(&*data).ok()?;
    let at = entry - image.bias;
    let is_it = |s: &object::Symbol<'_, '_>| s.address() == at && s.size() > 0;
    let symbol = file.symbols().find(is_it).or_else(|| file.dynamic_symbols().find(is_it));
    symbol.map(|s| s.size() as usize)
}

fn find(addr: u64) -> Option<Image> {
    let mut image = Image { wanted: addr, ..Image::default() };
    let data = (&raw mut image).cast();
    // SAFETY: `visit` matches the callback's contract and `image` outlives the call.
    let found = unsafe { libc::dl_iterate_phdr(Some(visit), data) };
    (found != 0).then_some(image)
}

/// Fills the [`Image`] behind `data` if this object holds the wanted address.
unsafe extern "C" fn visit(info: *mut libc::dl_phdr_info, _size: usize, data: *mut c_void) -> c_int {
    // SAFETY: the dynamic linker passes a valid description.
    let info = unsafe { &*info };
    // SAFETY: `data` is the `Image` that `find` passed.
    let image = unsafe { &mut *data.cast::<Image>() };
    if info.dlpi_phdr.is_null() {
        return 0;
    }
    // SAFETY: `dlpi_phnum` program headers at `dlpi_phdr`.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let loaded = headers.iter().filter(|h| h.p_type == libc::PT_LOAD);
    let (mut start, mut end) = (u64::MAX, 0);
    for header in loaded {
        start = start.min(info.dlpi_addr + header.p_vaddr);
        end = end.max(info.dlpi_addr + header.p_vaddr + header.p_memsz);
    }
    if !(start..end).contains(&image.wanted) {
        return 0;
    }
    (image.start, image.end, image.bias) = (start, end, info.dlpi_addr);
    if !info.dlpi_name.is_null() {
        // SAFETY: not null, NUL-terminated.
        image.path = unsafe { CStr::from_ptr(info.dlpi_name) }.to_string_lossy().into_owned();
    }
    1
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_function_of_this_program_is_found_with_its_size() {
        let entry = super::find as *const () as u64;
        let (start, bytes) = super::image(entry).unwrap();
        assert!((start..start + bytes as u64).contains(&entry));
        assert!(super::function_bytes(entry).is_some_and(|size| size > 16));
        assert!(super::function_bytes(entry + 1).is_none());
        assert!(super::image(8).is_err());
    }
}
