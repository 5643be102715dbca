//! Not every byte is a `bool`, so it cannot come from another side.
fn main() {}

toprope_host::abi::tiling_struct! {
    /// Tiling.
    pub struct Tiling {
        /// Whether the last tile is short.
        pub is_short: bool,
    }
}
