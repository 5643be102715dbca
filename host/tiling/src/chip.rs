//! What the tiling needs to know of a chip. The numbers live in the simulator's chip files; whoever has them fills this.

/// A copy path: cycles per call, bytes per cycle of one core.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CopyRate {
    /// Cycles per call.
    pub fixed_cycles: f64,
    /// Bytes per cycle.
    pub bytes_per_cycle: f64,
}

impl CopyRate {
    /// Cycles of `calls` calls that move `bytes` in all.
    pub fn cycles(self, calls: f64, bytes: f64) -> f64 {
        calls * self.fixed_cycles + bytes / self.bytes_per_cycle
    }
}

impl Default for CopyRate {
    /// Free but for the bytes: one byte per cycle.
    fn default() -> Self {
        CopyRate { fixed_cycles: 0.0, bytes_per_cycle: 1.0 }
    }
}

/// Counts, sizes and rates of one SoC of NpuArch 2201.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ChipFacts {
    /// Number by which the exporting layer knows the SoC.
    pub soc: i32,
    /// Cube cores.
    pub aic_count: u32,
    /// Vector cores.
    pub aiv_count: u32,
    /// Core clock, MHz.
    pub mhz: u32,
    /// L1 of a cube core, bytes.
    pub l1_bytes: u32,
    /// L0A of a cube core, bytes.
    pub l0a_bytes: u32,
    /// L0B of a cube core, bytes.
    pub l0b_bytes: u32,
    /// L0C of a cube core, bytes.
    pub l0c_bytes: u32,
    /// UB of a vector core, bytes.
    pub ub_bytes: u32,
    /// Bias table of a cube core, bytes.
    pub bt_bytes: u32,
    /// Bytes at the end of L1 and of UB that the high-level APIs keep for themselves.
    pub reserved_bytes: u32,
    /// Bytes of a GM request.
    pub granule_bytes: u32,
    /// What all cores together move from and to GM, bytes per second.
    pub hbm_bytes_per_second: u64,
    /// GM to L1.
    pub gm_to_l1: CopyRate,
    /// L1 to L0A.
    pub l1_to_l0a: CopyRate,
    /// L1 to L0B.
    pub l1_to_l0b: CopyRate,
    /// L0C to GM, in bytes written.
    pub l0c_to_gm: CopyRate,
    /// Cycles of one multiplication, besides its steps.
    pub mmad_fixed_cycles: f64,
    /// Cycles per step of 16 x 16 x 32 bytes of depth.
    pub mmad_step_cycles: f64,
}

impl ChipFacts {
    /// Bytes that all cores together move from and to GM in a cycle.
    pub fn hbm_bytes_per_cycle(&self) -> f64 {
        self.hbm_bytes_per_second as f64 / (f64::from(self.mhz.max(1)) * 1e6)
    }
}
