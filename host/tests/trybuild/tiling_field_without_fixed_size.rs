//! `usize` has another size on an AI Core.
fn main() {}

toprope_host::abi::tiling_struct! {
    /// Tiling.
    pub struct Tiling {
        /// Number of elements.
        pub elements: usize,
    }
}
