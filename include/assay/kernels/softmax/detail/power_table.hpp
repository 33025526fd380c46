#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "assay/kernels/softmax/expected.hpp"

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // unknown attributes: the host compiler knows them
#endif

namespace assay::inline v0::detail {

class SoftmaxPowerTable;

#if ASSAY_DETAIL_VECTOR_VARIANTS
inline namespace ASSAY_DETAIL_UNIT_VARIANT {

/// The largest and the smallest of the codes of a row, in the order of their values, and Σ e^z by a table.
struct SoftmaxCodes {
  std::int16_t largest = INT16_MIN, smallest = INT16_MAX;
  double sum = 0;

  /// Negative numbers come in the order of their codes from behind. Its own inverse.
  ASSAY_DETAIL_INLINE static std::int16_t in_order(std::int16_t code) {
    return static_cast<std::int16_t>(code ^ (code >> 15 & INT16_MAX));
  }

  struct Body {
    static constexpr Index together = 512;    ///< codes: while they are added up, memory is waited for that comes next
    static constexpr std::size_t chains = 8;  ///< of additions: as many as are on their way

    template <std::size_t Bytes>
    ASSAY_DETAIL_INLINE static void run(const std::int16_t* const& codes, const Index& count,
                                        const double* const& table, SoftmaxCodes& found) {
      using Codes = typename Vector<std::int16_t, Bytes>::Type;
      constexpr Index lanes = Bytes / 2;
      Codes largest = Codes{} + found.largest, smallest = Codes{} + found.smallest;
      double sums[chains] = {};
      for (Index first = 0; first < count; first += together) {
        const Index end = count - first < together ? count : first + together;
        Index i = first;
        for (; i + lanes <= end; i += lanes) {
          foresee<Bytes>(codes + i);
          Codes code = *reinterpret_cast<const typename Vector<std::int16_t, Bytes>::Unaligned*>(codes + i);
          code ^= code >> 15 & INT16_MAX;
          largest = code > largest ? code : largest;
          smallest = code < smallest ? code : smallest;
        }
        for (; i < end; ++i) {
          const std::int16_t code = in_order(codes[i]);
          found.largest = code > found.largest ? code : found.largest;
          found.smallest = code < found.smallest ? code : found.smallest;
        }
        add(codes + first, end - first, table, sums);
      }
      for (Index lane = 0; lane < lanes; ++lane) {
        found.largest = largest[lane] > found.largest ? largest[lane] : found.largest;
        found.smallest = smallest[lane] < found.smallest ? smallest[lane] : found.smallest;
      }
      found.sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    }
    /// Two codes are loaded at once: what processors can load in a cycle is needed for the table, what they can begin
    /// for the rest.
    ASSAY_DETAIL_INLINE static void add(const std::int16_t* codes, Index count, const double* table,
                                        double (&sums)[chains]) {
      Index i = 0;
      for (; i + 8 <= count; i += 8) {
#pragma GCC unroll 4
        for (std::size_t pair = 0; pair < chains / 2; ++pair) {
          std::uint32_t two;
          __builtin_memcpy(&two, codes + i + 2 * pair, sizeof two);
          sums[2 * pair] += table[two & 0xffff];
          sums[2 * pair + 1] += table[two >> 16];
        }
      }
      for (; i < count; ++i) sums[0] += table[static_cast<std::uint16_t>(codes[i])];
    }
  };
};

}  // namespace ASSAY_DETAIL_UNIT_VARIANT

/// The exponentials of all codes of a 16-bit input, by which the sum of a row takes an addition an element instead of
/// an exponential: a third of the time. One of 512 KiB for all rows.
class SoftmaxPowerTable {
 public:
  static constexpr Index least_elements = Index{1} << 21;  ///< below it the table is not worth its making
  static constexpr double most =
      300;  ///< of a row's maximum: exponentials relative to 0 are far from both ends of doubles

  /// Empty where it does not serve: other formats, masks, temperatures, few elements.
  [[nodiscard]] static SoftmaxPowerTable of(const SoftmaxExpected& expected) {
    const SoftmaxProblem& problem = expected.problem;
    SoftmaxPowerTable table;
    if (!expected.on_vectors() || expected.input.format.bytes != 2 || problem.temperature != 1 ||
        problem.outer * problem.length < least_elements)
      return table;
    constexpr Index codes = 1 << 16, block = most_singles;
    std::vector<double> powers(codes);
    std::uint16_t stored[block];
    Operand own = contiguous_operand(static_cast<bfloat16*>(nullptr), {block});
    own.format = expected.input.format;
    own.data = stored;
    for (Index first = 0; first < codes; first += block) {
      for (Index i = 0; i < block; ++i) stored[i] = static_cast<std::uint16_t>(first + i);
      float buffer[block], exponents[block];
      double power[block], errors[block];
      const float* const z = row_singles(own, 0, block, buffer);
      const auto reached = [](float exponent) { return exponent >= -least_exponent && exponent <= most; };
      for (Index i = 0; i < block; ++i) exponents[i] = reached(z[i]) ? z[i] : 0;
      const float* const values = exponents;
      const std::ptrdiff_t count = block;
      std::ptrdiff_t done = 0;
      const SoftmaxElements row{0, 1, 1, 0, 0, 0, 0, 0, false, power, errors};
      run_variant<SoftmaxElements::Body>(instruction_set(), values, count, done, row);
      for (Index i = 0; i < block; ++i)
        if (reached(z[i])) powers[static_cast<std::size_t>(first + i)] = power[i];
    }
    table.powers_ = std::move(powers);
    return table;
  }

  /// What a row shares; false where a row has NaN or infinities, or a maximum that the table does not reach.
  /// Precondition: `ready()`.
  [[nodiscard]] bool row_of(const SoftmaxExpected& expected, Index index, SoftmaxRow& row) const {
    const Operand& input = expected.input;
    const auto* const codes = static_cast<const std::int16_t*>(input.data) + input.offset(index);
    const Index count = expected.problem.length;
    const double* const powers = powers_.data();
    SoftmaxCodes found;
    run_variant<SoftmaxCodes::Body>(instruction_set(), codes, count, powers, found);
    const auto value_of = [&](std::int16_t key) {
      return input.format.decode(static_cast<std::uint16_t>(SoftmaxCodes::in_order(key)));
    };
    row.maximum = value_of(found.largest);
    row.least = value_of(found.smallest);
    if (!is_finite(row.maximum) || !is_finite(row.least) || absolute(row.maximum) > most) return false;
    row = expected.prepared(expected.summed(row, found.sum * std::exp(-row.maximum), row.least));
    return true;
  }
  [[nodiscard]] bool ready() const { return !powers_.empty(); }

 private:
  static constexpr double least_exponent = 708;
  std::vector<double> powers_;
};
#endif

}  // namespace assay::inline v0::detail

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
