//! Padding has to be written out, so that host and kernel cannot disagree about it.
fn main() {}

toprope_host::abi::tiling_struct! {
    /// Tiling.
    pub struct Tiling {
        /// Number of tiles.
        pub tiles: u32,
        /// Number of elements.
        pub elements: u64,
    }
}
