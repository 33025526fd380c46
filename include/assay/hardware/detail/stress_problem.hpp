#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "assay/hardware/detail/integer_gemm.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0::detail {

/// Operands in panels, golden results and signatures of one product.
template <class T>
class StressProblem {
 public:
  StressProblem(InstructionSet set, std::size_t depth, std::uint64_t seed)
      : set(set),
        shape(tile_shape<T>(set)),
        depth(depth),
        row_tiles(96 / shape.rows),
        column_tiles(96 / shape.columns),
        a(96 * depth),
        b(96 * depth),
        golden(96 * 96),
        signatures(row_tiles * column_tiles * vector_bytes(set) / 8) {
    // K·x² stays below 2^24 in float32, 2^31 in int32 and 2^53 in float64
    constexpr std::int64_t largest = std::is_same_v<T, float> ? 127 : std::is_same_v<T, double> ? 4095 : 1023;
    RandomSequence random(seed);
    const auto draw = [&](std::vector<T>& values) {
      for (T& value : values)
        value = static_cast<T>(static_cast<std::int64_t>(random.below(2 * largest + 1)) - largest);
    };
    draw(a);
    draw(b);
    for (std::size_t tile = 0; tile < row_tiles * column_tiles; ++tile) compute_golden(tile);
  }

  [[nodiscard]] IntegerGemm<T> work() const {
    IntegerGemm<T> work;
    work.a = a.data();
    work.b = b.data();
    work.row_tiles = row_tiles;
    work.column_tiles = column_tiles;
    work.depth = depth;
    work.signatures = signatures.data();
    return work;
  }
  [[nodiscard]] std::size_t tiles() const { return row_tiles * column_tiles; }
  [[nodiscard]] const T* golden_tile(std::size_t tile) const {
    return golden.data() + tile * shape.rows * shape.columns;
  }
  [[nodiscard]] double operations() const { return 2.0 * 96 * 96 * static_cast<double>(depth); }

  InstructionSet set;
  TileShape shape;
  std::size_t depth, row_tiles, column_tiles;
  std::vector<T> a, b, golden;
  std::vector<std::uint64_t> signatures;

 private:
  void compute_golden(std::size_t tile) {
    const T* const panel_a = a.data() + tile % row_tiles * shape.rows * depth;
    const T* const panel_b = b.data() + tile / row_tiles * shape.columns * depth;
    T* const values = golden.data() + tile * shape.rows * shape.columns;
    for (std::size_t q = 0; q < shape.columns; ++q)
      for (std::size_t r = 0; r < shape.rows; ++r) {
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < depth; ++k)
          sum += static_cast<std::int64_t>(panel_a[k * shape.rows + r]) *
                 static_cast<std::int64_t>(panel_b[k * shape.columns + q]);
        values[q * shape.rows + r] = static_cast<T>(sum);
      }
    // the signature as registers make it, word by word
    const std::size_t words = vector_bytes(set) / 8, lanes = vector_bytes(set) / sizeof(T);
    for (std::size_t word = 0; word < words; ++word) {
      std::uint64_t sums[3] = {};
      for (std::size_t part = 0; part < 3; ++part)
        for (std::size_t q = 0; q < shape.columns; ++q) {
          std::uint64_t bits = 0;
          std::memcpy(&bits, reinterpret_cast<const char*>(values + q * shape.rows + part * lanes) + word * 8, 8);
          sums[part] = std::rotl(sums[part], 1) ^ bits;
        }
      signatures[tile * words + word] = sums[0] ^ std::rotl(sums[1], 21) ^ std::rotl(sums[2], 42);
    }
  }
};

}  // namespace assay::inline v0::detail
