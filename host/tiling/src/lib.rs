//! Host tiling: how a matrix multiplication is cut for the cores and memories of an NPU.
//!
//! ```text
//! setters ──▶ TrTilingRequest ──▶ Problem (resolved, checked) ──▶ search ◀── cost model ◀── ChipFacts
//!                                                                    └──▶ Plan ──▶ TCubeTiling
//! ```
//!
//! The three classes are those of Ascend C (`matmul_tiling::MatmulApiTiling`, `MultiCoreMatmulTiling`, `BatchMatmulTiling`),
//! with the setters' rules of the public reference. The answer respects the memories of a core whatever was asked, and is
//! the best one the [cost model](cost) finds; a request that cannot be met is a [`TilingError`] that says why.
//!
//! Pure computation: no device, no environment, no global state. Chip figures are passed in as [`ChipFacts`].
//! The model is NpuArch 2201: MX types are refused by name.
//!
//! ```
//! use toprope_tiling::{ChipFacts, CubeFormat, DataType, MultiCoreMatmulTiling, TPosition};
//! # let chip = ChipFacts { aic_count: 24, aiv_count: 48, mhz: 1850, l1_bytes: 524_288, l0a_bytes: 65_536, l0b_bytes: 65_536,
//! #   l0c_bytes: 131_072, ub_bytes: 196_608, bt_bytes: 1024, reserved_bytes: 256, granule_bytes: 512,
//! #   hbm_bytes_per_second: 1_600_000_000_000, ..ChipFacts::default() };
//! let mut tiling = MultiCoreMatmulTiling::new(&chip);
//! tiling.set_dim(24);
//! tiling.set_a_type(TPosition::Gm, CubeFormat::Nd, DataType::Float16, false);
//! tiling.set_b_type(TPosition::Gm, CubeFormat::Nd, DataType::Float16, false);
//! tiling.set_c_type(TPosition::Gm, CubeFormat::Nd, DataType::Float);
//! tiling.set_shape(1024, 640, 256);
//! let answer = tiling.get_tiling()?;
//! assert!(answer.usedCoreNum > 1 && answer.usedCoreNum <= 24);
//! assert_eq!(answer.baseM % 16, 0);
//! # Ok::<(), toprope_tiling::TilingError>(())
//! ```
#![forbid(unsafe_code)]

mod api;
mod chip;
pub mod cost;
mod error;
mod plan;
mod problem;
pub mod request;
mod search;
mod types;

pub use api::{BatchMatmulTiling, Kind, MatmulApiTiling, MultiCoreMatmulTiling, Tiling, compute, core_nums};
pub use chip::{ChipFacts, CopyRate};
pub use error::TilingError;
pub use plan::{Blocks, CoreGrid, Plan};
pub use problem::{Matrix, Problem};
pub use search::best;
pub use toprope_abi::host_tiling::{TCubeTiling, TrTilingRequest};
pub use types::{CubeFormat, DataType, DequantType, MatrixMadType, MatrixTraverse, ScheduleType, TPosition};
