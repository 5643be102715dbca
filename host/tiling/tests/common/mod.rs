//! Chips of the simulator, as the tiling takes them.

use serde::Deserialize;
use toprope_tiling::{ChipFacts, CopyRate, CubeFormat, DataType, MultiCoreMatmulTiling, TPosition};

#[derive(Deserialize)]
struct File {
    soc: Vec<Soc>,
    memory: Memory,
    shared: Shared,
    copy: Copies,
    cube: Cube,
}

#[derive(Deserialize)]
struct Soc {
    name: String,
    aic_count: u32,
    aiv_count: u32,
    mhz: u32,
}

#[derive(Deserialize)]
struct Memory {
    ub: u32,
    l1: u32,
    l0a: u32,
    l0b: u32,
    l0c: u32,
    bt: u32,
}

#[derive(Deserialize)]
struct Shared {
    hbm_bytes_per_second: u64,
    granule_bytes: u32,
}

#[derive(Deserialize)]
struct Rate {
    fixed: f64,
    bytes_per_cycle: f64,
}

#[derive(Deserialize)]
struct Copies {
    gm_to_l1: Rate,
    l1_to_l0a: Rate,
    l1_to_l0b: Rate,
}

#[derive(Deserialize)]
struct Cube {
    mmad: Mmad,
    l0c_to_gm: Rate,
}

#[derive(Deserialize)]
struct Mmad {
    fixed: f64,
    per_step: f64,
}

fn rate(rate: &Rate) -> CopyRate {
    CopyRate { fixed_cycles: rate.fixed, bytes_per_cycle: rate.bytes_per_cycle }
}

fn facts(name: &str) -> ChipFacts {
    let file: File =
        toml::from_str(include_str!("../../../../sim/chips/dav-2201.toml")).expect("a chip file");
    let soc = file.soc.iter().find(|soc| soc.name == name).expect("a SoC of the file");
    ChipFacts {
        soc: 0,
        aic_count: soc.aic_count,
        aiv_count: soc.aiv_count,
        mhz: soc.mhz,
        l1_bytes: file.memory.l1,
        l0a_bytes: file.memory.l0a,
        l0b_bytes: file.memory.l0b,
        l0c_bytes: file.memory.l0c,
        ub_bytes: file.memory.ub,
        bt_bytes: file.memory.bt,
        reserved_bytes: 256,
        granule_bytes: file.shared.granule_bytes,
        hbm_bytes_per_second: file.shared.hbm_bytes_per_second,
        gm_to_l1: rate(&file.copy.gm_to_l1),
        l1_to_l0a: rate(&file.copy.l1_to_l0a),
        l1_to_l0b: rate(&file.copy.l1_to_l0b),
        l0c_to_gm: rate(&file.cube.l0c_to_gm),
        mmad_fixed_cycles: file.cube.mmad.fixed,
        mmad_step_cycles: file.cube.mmad.per_step,
    }
}

/// Ascend910B1: 24 cube cores.
pub fn b1() -> ChipFacts {
    facts("Ascend910B1")
}

/// Ascend910B4: 20 cube cores, a slower clock.
#[allow(dead_code, reason = "not every test file asks for it")]
pub fn b4() -> ChipFacts {
    facts("Ascend910B4")
}

/// A tiling of A and B in GM over `dim` cores, result in the type that the cube unit accumulates in.
#[allow(dead_code, reason = "not every test file asks for it")]
pub fn in_gm(chip: &ChipFacts, dim: i32, ty: DataType, transposed: [bool; 2]) -> MultiCoreMatmulTiling {
    let mut tiling = MultiCoreMatmulTiling::new(chip);
    tiling.set_dim(dim);
    tiling.set_a_type(TPosition::Gm, CubeFormat::Nd, ty, transposed[0]);
    tiling.set_b_type(TPosition::Gm, CubeFormat::Nd, ty, transposed[1]);
    let out = if matches!(ty, DataType::Int8 | DataType::Int4) { DataType::Int32 } else { DataType::Float };
    tiling.set_c_type(TPosition::Gm, CubeFormat::Nd, out);
    tiling
}
