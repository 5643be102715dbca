//! How dirt spreads through the cube unit: rows of A and columns of B to elements of C, and those to what Fixpipe writes.
//!
//! The cube unit works on whole pieces of 32 bytes of k. Of a last piece that is not whole the rest does not count, whatever a copy put there; but if no copy
//! put anything there, what is multiplied is what an earlier block left (an int8 tail of 1 to 16 that is loaded in fractals for 16-bit elements).

use super::shadow::{DIRTY, Dirty, Shadow};
use crate::exec::{Decoded, FixpipeRow, Product, ProductStart};

/// Columns of a cell of C, bytes of one of its rows.
pub const CELL: u64 = 16;
const ROW: usize = 64;

/// The dirty bytes of a piece of A or B that count.
fn dirty_piece(shadow: &mut Shadow, (at, used, there): (u64, u64, u64)) -> Option<Dirty> {
    if shadow.is_clean(&(at..at + there)) {
        return None;
    }
    let counts = shadow.first_dirty(&(at..at + used));
    if counts.is_some() || used == there {
        return counts;
    }
    shadow.never_written(&(at + used..at + there))
}

/// For every row of A (or column of B): its first dirty bytes.
fn lines(
    shadow: &mut Shadow,
    p: &Product,
    count: u64,
    piece: impl Fn(u64, u64) -> (u64, u64, u64),
) -> Vec<Option<Dirty>> {
    (0..count).map(|i| (0..p.k_pieces()).find_map(|k| dirty_piece(shadow, piece(i, k)))).collect()
}

/// Dirt of the columns of group `group` in what row `i` of C starts from.
fn start_row(shadow: &mut Shadow, p: &Product, i: u64, group: u64) -> [u8; ROW] {
    let mut row = [0; ROW];
    let columns = CELL.min(p.n - group * CELL) as usize;
    let at = match p.start {
        ProductStart::Zero => return row,
        ProductStart::Keep => p.c_cell(None, i, group),
        ProductStart::Place(from) => p.c_cell(Some(from), i, group),
        ProductStart::Row(bias) => bias + group * ROW as u64,
    };
    shadow.read(at, &mut row[..columns * 4]);
    row
}

/// The first dirty bytes that the product depends on.
pub fn first_dirty_of_product(shadow: &mut Shadow, d: &Decoded) -> Option<Dirty> {
    let p = d.product()?;
    let rows = lines(shadow, &p, p.m, |i, k| p.a_piece(i, k));
    if let Some(found) = rows.into_iter().flatten().next() {
        return Some(found);
    }
    let columns = lines(shadow, &p, p.n, |j, k| p.b_piece(j, k));
    if let Some(found) = columns.into_iter().flatten().next() {
        return Some(found);
    }
    for group in 0..p.n.div_ceil(CELL) {
        for i in 0..p.m {
            let bytes = 4 * CELL.min(p.n - group * CELL);
            let at = match p.start {
                ProductStart::Zero => return None,
                ProductStart::Keep => p.c_cell(None, i, group),
                ProductStart::Place(from) => p.c_cell(Some(from), i, group),
                ProductStart::Row(bias) => bias + group * ROW as u64,
            };
            if let Some(found) = shadow.first_dirty(&(at..at + bytes)) {
                return Some(found);
            }
        }
    }
    None
}

/// Spreads dirt of origin `id` through a product.
pub fn spread_product(shadow: &mut Shadow, d: &Decoded, id: u32) {
    let Some(p) = d.product() else { return };
    let rows = lines(shadow, &p, p.m, |i, k| p.a_piece(i, k));
    let columns = lines(shadow, &p, p.n, |j, k| p.b_piece(j, k));
    for group in 0..p.n.div_ceil(CELL) {
        let these = &columns[(group * CELL) as usize..p.n.min(group * CELL + CELL) as usize];
        for i in 0..p.m {
            let mut row = start_row(shadow, &p, i, group);
            for (element, column) in row.chunks_exact_mut(4).zip(these) {
                if rows[i as usize].is_some() || column.is_some() || element != [0; 4] {
                    element.fill(DIRTY);
                }
            }
            shadow.write(p.c_cell(None, i, group), &row[..these.len() * 4], id);
        }
    }
}

/// Flags of the columns of a row on its way out.
pub fn flags_of_row(shadow: &mut Shadow, row: &FixpipeRow) -> [bool; CELL as usize] {
    let mut flags = [false; CELL as usize];
    let columns = row.columns as usize;
    let mut words = [0; ROW];
    shadow.read(row.src, &mut words[..columns * 4]);
    let mut parameters = [0; 8 * CELL as usize];
    if row.parameters != 0 {
        shadow.read(row.parameters, &mut parameters[..columns * 8]);
    }
    for i in 0..columns {
        flags[i] = words[4 * i..4 * i + 4] != [0; 4] || parameters[8 * i..8 * i + 8] != [0; 8];
    }
    flags
}

/// The first dirty bytes that a Fixpipe writes something of.
pub fn first_dirty_of_fixpipe(shadow: &mut Shadow, d: &Decoded) -> Option<Dirty> {
    let mut found = None;
    d.for_each_fixpipe_row(|row| {
        if found.is_none() {
            found = shadow.first_dirty(&(row.src..row.src + 4 * row.columns));
            if found.is_none() && row.parameters != 0 {
                found = shadow.first_dirty(&(row.parameters..row.parameters + 8 * row.columns));
            }
        }
    });
    found
}

/// Calls `f` with the address of every run of a row's result and the state of its bytes.
pub fn for_each_result(row: &FixpipeRow, flags: &[bool; CELL as usize], mut f: impl FnMut(u64, &[u8])) {
    let bytes = |columns: &[bool]| -> Vec<u8> {
        let element = row.element_bytes as usize;
        columns
            .iter()
            .flat_map(|dirty| std::iter::repeat_n(if *dirty { DIRTY } else { 0 }, element))
            .collect()
    };
    let (first, columns) = (row.first as usize, row.columns as usize);
    f(row.dst[0], &bytes(&flags[..first]));
    if first < columns {
        f(row.dst[1], &bytes(&flags[first..columns]));
    }
}

/// Spreads dirt of origin `id` to L1.
pub fn spread_fixpipe(shadow: &mut Shadow, d: &Decoded, id: u32) {
    d.for_each_fixpipe_row(|row| {
        let flags = flags_of_row(shadow, row);
        for_each_result(row, &flags, |at, bytes| shadow.write(at, bytes, id));
    });
}
