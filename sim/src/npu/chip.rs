//! Chip facts as data: one file per architecture under `sim/chips/`, read once.
//!
//! What it is: counts, clock, memory sizes and the figures of the cost model of one SoC. The file has a row of what its SoCs differ
//! in, then what they have in common, and says where each number comes from. What it does not hold: behaviour; NpuArch 2201 is the
//! only architecture modelled, so two SoCs differ in numbers only.
//!
//! ```
//! use toprope_sim::npu::chip::Chip;
//! assert_eq!(Chip::by_name("Ascend910B1")?.aiv_count, 48);
//! assert!(Chip::by_name("Ascend910").unwrap_err().to_string().contains("Ascend910B4"));
//! # Ok::<(), toprope_sim::npu::chip::UnknownSoc>(())
//! ```

use serde::Deserialize;
use std::sync::OnceLock;
use toprope_abi::isa::{CoreKind, Cost, Space};

/// The SoC that runs if nobody asks for another.
pub const DEFAULT_SOC: &str = "Ascend910B1";
/// Environment variable that chooses the SoC.
pub const SOC_VARIABLE: &str = "TOPROPE_SOC";

/// The SoCs of NpuArch 2201.
const FILE: &str = include_str!("../../chips/dav-2201.toml");

/// A SoC name that no data file has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown SoC `{asked}`: modelled are {}; set {SOC_VARIABLE} to one of them or leave it unset", known.join(", "))]
pub struct UnknownSoc {
    /// The name asked for.
    pub asked: String,
    /// The names there are.
    pub known: Vec<&'static str>,
}

/// One SoC.
#[doc(alias = "SoC_version")]
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chip {
    /// SoC name as CANN spells it.
    pub name: String,
    /// Cube cores.
    pub aic_count: u32,
    /// Vector cores.
    pub aiv_count: u32,
    /// Core clock in MHz.
    pub mhz: u32,
    /// Device memory in bytes.
    pub hbm_bytes: u64,
    /// L2 cache in bytes.
    pub l2_bytes: u64,
    /// Sizes of a core's memories.
    pub memory: MemorySizes,
    /// What all cores share.
    pub shared: Shared,
    /// What a host program is told of the rates of memories.
    pub platform: PlatformRates,
    /// Scalar unit.
    pub scalar: ScalarCosts,
    /// Flags and barriers.
    pub sync: SyncCosts,
    /// Vector unit.
    pub vector: VectorCosts,
    /// Copies.
    pub copy: CopyCosts,
    /// Cube unit.
    pub cube: CubeCosts,
}

/// Sizes of a core's memories in bytes; UB on the AIV, the others on the AIC.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct MemorySizes {
    pub ub: u32,
    pub l1: u32,
    pub l0a: u32,
    pub l0b: u32,
    pub l0c: u32,
    pub bt: u32,
    pub fb: u32,
}

/// Figures of the whole chip.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shared {
    /// Bytes per second all cores together move from and to GM.
    pub hbm_bytes_per_second: u64,
    /// Size of a GM request in bytes.
    pub granule_bytes: u64,
    /// Clock of the counter kernels read, MHz.
    #[doc(alias = "GetSystemCycle")]
    pub system_counter_mhz: u32,
    /// Time of an empty launch on the whole chip, microseconds; not part of [`super::LaunchStats::cycles`].
    pub launch_overhead_us: u32,
}

/// Rates as host programs are told them: bytes per cycle of one core. The clock does not use them.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlatformRates {
    /// Device memory.
    #[doc(alias = "GetCoreMemBw")]
    pub hbm_bytes_per_cycle: u32,
    /// L2 cache, reading.
    pub l2_bytes_per_cycle: u32,
}

/// Scalar unit, cycles.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScalarCosts {
    /// Issuing one instruction.
    pub issue_cycles: u64,
    /// One load or store in UB.
    pub ub_cycles: u64,
    /// One load or store in GM that hits the data cache.
    pub gm_hit_cycles: u64,
    /// One that misses.
    pub gm_miss_cycles: u64,
    /// Bytes of a cache line.
    pub cache_line_bytes: u64,
}

/// Flags and barriers, cycles.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SyncCosts {
    /// A set or wait as an entry of its queue.
    pub flag_cycles: u64,
    /// A barrier, besides the drain.
    pub barrier_cycles: u64,
    /// A cross-core flag from the last set to the cores that wait for it.
    pub cross_core_cycles: u64,
}

/// One class of vector instructions: figures for elements of up to 16, 32 and 64 bits.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VectorCost {
    /// Cycles paid once per run of instructions.
    pub fixed: [u64; 3],
    /// Cycles per repeat (256 B).
    pub per_repeat: [u64; 3],
}

/// Vector unit.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct VectorCosts {
    /// Extra cycles of a counter-mode instruction whose last repeat is not whole.
    pub counter_tail_cycles: u64,
    /// Factor on the work when the two sources lie in the same bank group.
    pub read_conflict_factor: u64,
    pub binary: VectorCost,
    pub scalar: VectorCost,
    pub reduce: VectorCost,
    pub reduce_block: VectorCost,
    pub gather: VectorCost,
    pub gather_block: VectorCost,
    pub gather_mask: VectorCost,
    pub div: VectorCost,
    pub exp: VectorCost,
    pub ln: VectorCost,
    pub sqrt: VectorCost,
    pub convert: VectorCost,
    pub brcb: VectorCost,
    pub fused: VectorCost,
    pub transpose: VectorCost,
    pub sort: VectorCost,
    pub merge: VectorCost,
}

/// One copy path.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyCost {
    /// Cycles per call.
    pub fixed: u64,
    /// Rate of one core.
    pub bytes_per_cycle: f64,
}

/// Copies.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct CopyCosts {
    pub gm_to_ub: CopyCost,
    pub ub_to_gm: CopyCost,
    pub ub_to_ub: CopyCost,
    pub gm_to_l1: CopyCost,
    pub l1_to_gm: CopyCost,
    pub l1_to_l0a: CopyCost,
    pub l1_to_l0b: CopyCost,
    /// L1 to the bias table, to the fixpipe buffer and to L0C.
    pub l1_to_buffer: CopyCost,
    pub fill: CopyCost,
}

/// Cube unit.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CubeCosts {
    /// Multiplication: cycles per instruction, and per step of 16 × 16 × 32 bytes of depth.
    pub mmad: MmadCost,
    /// Fixpipe to GM.
    pub l0c_to_gm: CopyCost,
    /// Fixpipe to L1, in bytes of the source.
    pub l0c_to_l1: CopyCost,
}

/// Matrix multiplication.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MmadCost {
    /// Cycles per instruction.
    pub fixed: u64,
    /// Cycles per step.
    pub per_step: u64,
}

/// Figures of one cost class.
#[derive(Debug, Clone, Copy)]
pub enum CostFigures {
    /// By repeats.
    Vector(VectorCost),
    /// By bytes.
    Copy(CopyCost),
    /// By steps.
    Mmad(MmadCost),
    /// Flags, barriers, register writes: priced where they are executed.
    Issue,
}

/// A data file: a row per SoC, and the figures that all of them have.
#[derive(Deserialize)]
struct File {
    soc: Vec<toml::Table>,
    #[serde(flatten)]
    common: toml::Table,
}

fn read(text: &str) -> Result<Vec<Chip>, toml::de::Error> {
    let File { soc, common } = toml::from_str(text)?;
    soc.into_iter()
        .map(|row| common.clone().into_iter().chain(row).collect::<toml::Table>().try_into())
        .collect()
}

fn chips() -> &'static [Chip] {
    static CHIPS: OnceLock<Vec<Chip>> = OnceLock::new();
    CHIPS.get_or_init(|| read(FILE).expect("the built-in chip file is valid (tested)"))
}

impl Chip {
    /// The SoC with this name.
    ///
    /// # Errors
    /// [`UnknownSoc`], which lists the names there are.
    pub fn by_name(name: &str) -> Result<&'static Chip, UnknownSoc> {
        chips()
            .iter()
            .find(|c| c.name == name)
            .ok_or_else(|| UnknownSoc { asked: name.to_owned(), known: Chip::names() })
    }

    /// The SoC of [`SOC_VARIABLE`], or [`DEFAULT_SOC`] if it is unset or empty.
    ///
    /// # Errors
    /// [`UnknownSoc`] if the variable names none.
    pub fn from_env() -> Result<&'static Chip, UnknownSoc> {
        match std::env::var(SOC_VARIABLE) {
            Ok(name) if !name.is_empty() => Chip::by_name(&name),
            _ => Chip::by_name(DEFAULT_SOC),
        }
    }

    /// Every name.
    pub fn names() -> Vec<&'static str> {
        chips().iter().map(|c| c.name.as_str()).collect()
    }

    /// Cores of this kind.
    pub fn core_count(&self, kind: CoreKind) -> u32 {
        match kind {
            CoreKind::Aic => self.aic_count,
            CoreKind::Aiv => self.aiv_count,
        }
    }

    /// Bytes of memory `space` on a core of this kind; 0 if that core does not have it. GM is not a core's memory: 0.
    pub fn local_bytes(&self, kind: CoreKind, space: Space) -> u32 {
        let m = &self.memory;
        match (kind, space) {
            (CoreKind::Aiv, Space::Ub) => m.ub,
            (CoreKind::Aic, Space::L1) => m.l1,
            (CoreKind::Aic, Space::L0a) => m.l0a,
            (CoreKind::Aic, Space::L0b) => m.l0b,
            (CoreKind::Aic, Space::L0c) => m.l0c,
            (CoreKind::Aic, Space::Bt) => m.bt,
            (CoreKind::Aic, Space::Fb) => m.fb,
            _ => 0,
        }
    }

    /// The figures of a cost class.
    pub fn cost(&self, class: Cost) -> CostFigures {
        let (v, c) = (&self.vector, &self.copy);
        match class {
            Cost::Vector => CostFigures::Vector(v.binary),
            Cost::VectorScalar => CostFigures::Vector(v.scalar),
            Cost::VectorReduce => CostFigures::Vector(v.reduce),
            Cost::VectorReduceBlock => CostFigures::Vector(v.reduce_block),
            Cost::VectorGather => CostFigures::Vector(v.gather),
            Cost::VectorGatherBlock => CostFigures::Vector(v.gather_block),
            Cost::VectorGatherMask => CostFigures::Vector(v.gather_mask),
            Cost::VectorDiv => CostFigures::Vector(v.div),
            Cost::VectorExp => CostFigures::Vector(v.exp),
            Cost::VectorLn => CostFigures::Vector(v.ln),
            Cost::VectorSqrt => CostFigures::Vector(v.sqrt),
            Cost::VectorConvert => CostFigures::Vector(v.convert),
            Cost::VectorBrcb => CostFigures::Vector(v.brcb),
            Cost::VectorFused => CostFigures::Vector(v.fused),
            Cost::VectorTranspose => CostFigures::Vector(v.transpose),
            Cost::VectorSort => CostFigures::Vector(v.sort),
            Cost::VectorMerge => CostFigures::Vector(v.merge),
            Cost::UbToUb => CostFigures::Copy(c.ub_to_ub),
            Cost::GmToUb => CostFigures::Copy(c.gm_to_ub),
            Cost::UbToGm => CostFigures::Copy(c.ub_to_gm),
            Cost::GmToL1 => CostFigures::Copy(c.gm_to_l1),
            Cost::L1ToGm => CostFigures::Copy(c.l1_to_gm),
            Cost::L1ToL0a => CostFigures::Copy(c.l1_to_l0a),
            Cost::L1ToL0b => CostFigures::Copy(c.l1_to_l0b),
            Cost::L1ToBuffer => CostFigures::Copy(c.l1_to_buffer),
            Cost::Fill => CostFigures::Copy(c.fill),
            Cost::Mmad => CostFigures::Mmad(self.cube.mmad),
            Cost::L0cToGm => CostFigures::Copy(self.cube.l0c_to_gm),
            Cost::L0cToL1 => CostFigures::Copy(self.cube.l0c_to_l1),
            Cost::Sync | Cost::Scalar => CostFigures::Issue,
        }
    }

    /// Bytes per core cycle that all cores together move from and to GM.
    pub fn hbm_bytes_per_cycle(&self) -> f64 {
        self.shared.hbm_bytes_per_second as f64 / (f64::from(self.mhz) * 1e6)
    }

    /// Cycles of the core clock in nanoseconds.
    pub fn cycles_to_ns(&self, cycles: u64) -> u64 {
        (cycles as u128 * 1000 / u128::from(self.mhz)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_parses_and_names_are_unique() {
        let mut names = Chip::names();
        assert_eq!(names.len(), 12);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 12);
        for name in names {
            let chip = Chip::by_name(name).expect("listed");
            assert_eq!(chip.aiv_count, 2 * chip.aic_count);
            assert_eq!(chip.local_bytes(CoreKind::Aiv, Space::Ub), 192 << 10);
            assert_eq!(chip.local_bytes(CoreKind::Aic, Space::Ub), 0);
        }
    }

    /// A row that misses a figure, or has one that nobody reads, is an error and not a zero.
    #[test]
    fn a_row_has_what_it_needs_and_nothing_else() {
        assert!(read(FILE).is_ok());
        for (was, is) in [("mhz = 1850, ", ""), ("mhz = 1850", "mhz = 1850, mhZ = 1")] {
            assert!(read(&FILE.replacen(was, is, 1)).is_err(), "{is}");
        }
    }

    #[test]
    fn unknown_name_lists_the_known_ones() {
        let text = Chip::by_name("Ascend910").expect_err("another architecture").to_string();
        assert_eq!(
            text,
            "unknown SoC `Ascend910`: modelled are Ascend910B1, Ascend910B2, Ascend910B2C, Ascend910B3, Ascend910B4, \
             Ascend910B4-1, Ascend910_9362, Ascend910_9372, Ascend910_9381, Ascend910_9382, Ascend910_9391, Ascend910_9392; \
             set TOPROPE_SOC to one of them or leave it unset"
        );
    }
}
