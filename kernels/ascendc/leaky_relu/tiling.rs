//! How a leaky ReLU is cut into tiles; the C header beside this file is written from it
//! (`TOPROPE_BLESS=1 cargo test -p toprope-tests --test abi`).

toprope_abi::tiling_struct! {
    /// How a leaky ReLU is cut into tiles.
    pub struct LeakyReluTiling {
        /// Number of elements of the whole input.
        pub total_elements: u32,
        /// Number of elements of one full tile.
        pub tile_elements: u32,
        /// Number of full tiles.
        pub num_tiles: u32,
        /// Number of elements after the last full tile; need not fill a 32-byte data block.
        pub tail_elements: u32,
        /// What negative elements are multiplied with.
        pub negative_slope: f32,
        /// Zero; rounds the struct up to the 8 bytes of a kernel argument.
        pub pad: u32,
    }
}
