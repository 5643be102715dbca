//! Setters with a rule, on the plain request. The C++ classes call these through the C interface; the others store a number.

use crate::{ChipFacts, DataType, TilingError};
use toprope_abi::host_tiling::TrTilingRequest;

/// Edge of a fractal, in elements.
pub const FRACTAL: i32 = 16;
/// Bytes of a fractal along the depth.
pub const DEPTH_BYTES: i32 = 32;
/// Granularity of buffer sizes, bytes.
const BUFFER_ALIGN_BYTES: i32 = 32;

/// An empty request to a class (`kind` as in the field), with the memories of `chip`.
pub fn new(chip: &ChipFacts, kind: i32) -> TrTilingRequest {
    let bytes = |size: u32| i32::try_from(size).unwrap_or(i32::MAX);
    TrTilingRequest {
        kind,
        soc: chip.soc,
        m: -1,
        n: -1,
        k: -1,
        org_m: -1,
        org_n: -1,
        org_ka: -1,
        org_kb: -1,
        dim: 1,
        single_m: -1,
        single_n: -1,
        single_k: -1,
        max_single_m: -1,
        max_single_n: -1,
        max_single_k: -1,
        min_single_m: -1,
        min_single_n: -1,
        min_single_k: -1,
        base_m: -1,
        base_n: -1,
        base_k: -1,
        max_base_m: -1,
        max_base_n: -1,
        max_base_k: -1,
        min_base_m: -1,
        min_base_n: -1,
        min_base_k: -1,
        l1_bytes: bytes(chip.l1_bytes.saturating_sub(chip.reserved_bytes)),
        l0a_bytes: bytes(chip.l0a_bytes),
        l0b_bytes: bytes(chip.l0b_bytes),
        l0c_bytes: bytes(chip.l0c_bytes),
        ub_bytes: bytes(chip.ub_bytes.saturating_sub(chip.reserved_bytes)),
        bt_bytes: bytes(chip.bt_bytes),
        config_type: 1,
        double_a: 1,
        double_b: 1,
        double_c: 1,
        ..TrTilingRequest::default()
    }
}

/// `SetShape`: what to compute. If nothing is said of the stored shape yet, it is the same.
pub fn set_shape(request: &mut TrTilingRequest, m: i32, n: i32, k: i32) {
    (request.m, request.n, request.k) = (m, n, k);
    if [request.org_m, request.org_n, request.org_ka, request.org_kb] == [-1; 4] {
        (request.org_m, request.org_n, request.org_ka, request.org_kb) = (m, n, k, k);
    }
}

/// Multiple of which a depth is, from the type of A.
fn depth_step(request: &TrTilingRequest) -> i32 {
    let bits = DataType::from_raw(request.a_type).and_then(DataType::cube_input_bits);
    bits.map_or(FRACTAL, |bits| DEPTH_BYTES * 8 / bits as i32)
}

/// `SetFixSplit`: the base tile; -1 leaves a size to the tiling.
///
/// # Errors
/// [`TilingError::BaseAlignment`] for a size that is not whole fractals; nothing is stored then.
pub fn set_fix_split(
    request: &mut TrTilingRequest,
    base_m: i32,
    base_n: i32,
    base_k: i32,
) -> Result<(), TilingError> {
    let depth = depth_step(request);
    for (field, value, multiple) in
        [("baseM", base_m, FRACTAL), ("baseN", base_n, FRACTAL), ("baseK", base_k, depth)]
    {
        if value != -1 && (value <= 0 || value % multiple != 0) {
            return Err(TilingError::BaseAlignment { field, value, multiple });
        }
    }
    for (field, value) in
        [(&mut request.base_m, base_m), (&mut request.base_n, base_n), (&mut request.base_k, base_k)]
    {
        if value != -1 {
            *field = value;
        }
    }
    Ok(())
}

/// `SetSplitRange`: limits of the base tile in elements, most first; -1 sets none. Sizes are rounded down to whole fractals.
///
/// # Errors
/// [`TilingError::Range`] when a lower limit is above its upper one, or an upper one below a fractal; nothing is stored then.
pub fn set_split_range(
    request: &mut TrTilingRequest,
    most: [i32; 3],
    least: [i32; 3],
) -> Result<(), TilingError> {
    let fractal = [FRACTAL, FRACTAL, depth_step(request)];
    for (axis, field) in ["baseM", "baseN", "baseK"].into_iter().enumerate() {
        if most[axis] != -1 && most[axis] < fractal[axis].max(least[axis]) {
            return Err(TilingError::Range {
                field,
                least: least[axis].max(fractal[axis]),
                most: most[axis],
            });
        }
    }
    let whole = |sizes: [i32; 3]| {
        [0, 1, 2].map(|axis| if sizes[axis] <= 0 { -1 } else { sizes[axis] - sizes[axis] % fractal[axis] })
    };
    [request.max_base_m, request.max_base_n, request.max_base_k] = whole(most);
    [request.min_base_m, request.min_base_n, request.min_base_k] = whole(least);
    Ok(())
}

/// `SetBufferSpace`: bytes of L1, L0C, UB and the bias table that may be used; -1 leaves what there is.
///
/// # Errors
/// [`TilingError::BufferSpace`] for more than is left or less than -1; nothing is stored then.
pub fn set_buffer_space(
    request: &mut TrTilingRequest,
    l1: i32,
    l0c: i32,
    ub: i32,
    bt: i32,
) -> Result<(), TilingError> {
    let spaces = [
        ("L1", l1, request.l1_bytes),
        ("L0C", l0c, request.l0c_bytes),
        ("UB", ub, request.ub_bytes),
        ("the bias table", bt, request.bt_bytes),
    ];
    for (memory, asked, most) in spaces {
        if asked < -1 || asked > most {
            return Err(TilingError::BufferSpace { memory, asked, most });
        }
    }
    let whole = |bytes: i32| bytes - bytes % BUFFER_ALIGN_BYTES;
    for (field, asked) in [
        (&mut request.l1_bytes, l1),
        (&mut request.l0c_bytes, l0c),
        (&mut request.ub_bytes, ub),
        (&mut request.bt_bytes, bt),
    ] {
        if asked != -1 {
            *field = whole(asked);
        }
    }
    Ok(())
}
