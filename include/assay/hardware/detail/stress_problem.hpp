#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "assay/hardware/detail/integer_gemm.hpp"
#include "assay/hardware/detail/stress_format.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0::detail {

/// Operands in panels, golden results and signatures of one product. Where K is no multiple of the format's group, the
/// last group ends in zeros.
template <class Format>
class StressProblem {
 public:
  using A = typename Format::A;
  using B = typename Format::B;
  using Sum = typename Format::Sum;
  static constexpr std::size_t group = Format::group;

  StressProblem(InstructionSet set, std::size_t depth, std::uint64_t seed)
      : set(set),
        shape(tile_shape<Sum>(set)),
        depth(depth),
        steps((depth + group - 1) / group),
        row_tiles(96 / shape.rows),
        column_tiles(96 / shape.columns),
        a(96 * steps * group),
        b(96 * steps * group),
        golden(96 * 96),
        signatures(row_tiles * column_tiles * vector_bytes(set) / 8) {
    RandomSequence random(seed);
    draw(random, a, shape.rows, Format::least_a, Format::most_a);
    draw(random, b, shape.columns, Format::least_b, Format::most_b);
    for (std::size_t tile = 0; tile < row_tiles * column_tiles; ++tile) compute_golden(tile);
  }

  [[nodiscard]] IntegerGemm<Format> work() const {
    IntegerGemm<Format> work;
    work.a = a.data();
    work.b = b.data();
    work.row_tiles = row_tiles;
    work.column_tiles = column_tiles;
    work.steps = steps;
    work.signatures = signatures.data();
    return work;
  }
  [[nodiscard]] std::size_t tiles() const { return row_tiles * column_tiles; }
  [[nodiscard]] const Sum* golden_tile(std::size_t tile) const {
    return golden.data() + tile * shape.rows * shape.columns;
  }
  [[nodiscard]] double operations() const { return 2.0 * 96 * 96 * static_cast<double>(depth); }

  InstructionSet set;
  TileShape shape;
  std::size_t depth, steps, row_tiles, column_tiles;
  std::vector<A> a;
  std::vector<B> b;
  std::vector<Sum> golden;
  std::vector<std::uint64_t> signatures;

 private:
  /// Where (line, k) lies in a panel of `lines` rows of A, or columns of B.
  [[nodiscard]] static std::size_t place(std::size_t lines, std::size_t line, std::size_t k) {
    return (k / group * lines + line) * group + k % group;
  }

  template <class Element>
  void draw(RandomSequence& random, std::vector<Element>& panels, std::size_t lines, std::int64_t least,
            std::int64_t most) const {
    const auto choices = static_cast<std::uint64_t>(most - least + 1);
    for (std::size_t panel = 0; panel < 96 / lines; ++panel)
      for (std::size_t k = 0; k < depth; ++k)
        for (std::size_t line = 0; line < lines; ++line)
          panels[panel * lines * steps * group + place(lines, line, k)] =
              Format::template encode<Element>(static_cast<std::int64_t>(random.below(choices)) + least);
  }

  void compute_golden(std::size_t tile) {
    const A* const panel_a = a.data() + tile % row_tiles * shape.rows * steps * group;
    const B* const panel_b = b.data() + tile / row_tiles * shape.columns * steps * group;
    Sum* const values = golden.data() + tile * shape.rows * shape.columns;
    for (std::size_t q = 0; q < shape.columns; ++q)
      for (std::size_t r = 0; r < shape.rows; ++r) {
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < depth; ++k)
          sum += Format::decode(panel_a[place(shape.rows, r, k)]) * Format::decode(panel_b[place(shape.columns, q, k)]);
        values[q * shape.rows + r] = static_cast<Sum>(sum);
      }
    // the signature as registers make it, word by word
    const std::size_t words = vector_bytes(set) / 8, lanes = vector_bytes(set) / sizeof(Sum);
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
