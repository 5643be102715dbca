/* Written by toprope from a tiling_struct! in Rust; do not edit. */
#ifndef LEAKY_RELU_TILING_H
#define LEAKY_RELU_TILING_H

#include <stddef.h>
#include <stdint.h>

// How a leaky ReLU is cut into tiles.
typedef struct LeakyReluTiling {
    // Number of elements of the whole input.
    uint32_t total_elements;
    // Number of elements of one full tile.
    uint32_t tile_elements;
    // Number of full tiles.
    uint32_t num_tiles;
    // Number of elements after the last full tile; need not fill a 32-byte data block.
    uint32_t tail_elements;
    // What negative elements are multiplied with.
    float negative_slope;
    // Zero; rounds the struct up to the 8 bytes of a kernel argument.
    uint32_t pad;
} LeakyReluTiling;

#if defined(__cplusplus)
#define TR_TILING_ASSERT(what, text) static_assert(what, text)
#else
#define TR_TILING_ASSERT(what, text) _Static_assert(what, text)
#endif
TR_TILING_ASSERT(sizeof(LeakyReluTiling) == 24, "size of LeakyReluTiling as in Rust");
TR_TILING_ASSERT(offsetof(LeakyReluTiling, total_elements) == 0, "place of LeakyReluTiling.total_elements as in Rust");
TR_TILING_ASSERT(offsetof(LeakyReluTiling, tile_elements) == 4, "place of LeakyReluTiling.tile_elements as in Rust");
TR_TILING_ASSERT(offsetof(LeakyReluTiling, num_tiles) == 8, "place of LeakyReluTiling.num_tiles as in Rust");
TR_TILING_ASSERT(offsetof(LeakyReluTiling, tail_elements) == 12, "place of LeakyReluTiling.tail_elements as in Rust");
TR_TILING_ASSERT(offsetof(LeakyReluTiling, negative_slope) == 16, "place of LeakyReluTiling.negative_slope as in Rust");
TR_TILING_ASSERT(offsetof(LeakyReluTiling, pad) == 20, "place of LeakyReluTiling.pad as in Rust");
#undef TR_TILING_ASSERT

#endif /* LEAKY_RELU_TILING_H */
