#pragma once

#include <array>
#include <cmath>
#include <string_view>
#include <type_traits>

#include "assay/kernels/gemm/portable.hpp"
#include "assay/tolerance/accumulation_model.hpp"

namespace assay::inline v0 {

/// Ways in which correct kernels add up products.
enum class SummationOrder {
  sequential,
  reversed,
  pairwise,
  blocked,
  lanes,
  split_2,
  split_4,
  split_8,
  fused,
  truncating_blocks
};

/// In the order of `SummationOrder`.
inline constexpr std::array<SummationOrder, 10> all_summation_orders{
    SummationOrder::sequential, SummationOrder::reversed,         SummationOrder::pairwise, SummationOrder::blocked,
    SummationOrder::lanes,      SummationOrder::split_2,          SummationOrder::split_4,  SummationOrder::split_8,
    SummationOrder::fused,      SummationOrder::truncating_blocks};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(SummationOrder order) noexcept {
  switch (order) {
    case SummationOrder::sequential: return "sequential";
    case SummationOrder::reversed: return "reversed";
    case SummationOrder::pairwise: return "pairwise";
    case SummationOrder::blocked: return "blocked";
    case SummationOrder::lanes: return "lanes";
    case SummationOrder::split_2: return "split_2";
    case SummationOrder::split_4: return "split_4";
    case SummationOrder::split_8: return "split_8";
    case SummationOrder::fused: return "fused";
    case SummationOrder::truncating_blocks: return "truncating_blocks";
  }
  return "sequential";
}

namespace detail {

/// Products per step of the emulated matrix unit, and the bits to which it aligns them.
inline constexpr Index matrix_unit_block = 16;
inline constexpr int matrix_unit_bits = 25;

/// `value` cut (toward zero) to a multiple of 2^quantum. Precondition: |value| < 2^(quantum + 62).
[[nodiscard]] inline double cut(double value, int quantum) {
  const double scaled = value * power_of_two(-quantum);
  return static_cast<double>(static_cast<std::int64_t>(scaled)) * power_of_two(quantum);
}

/// Sums `product(k)`, k in [first, last), in one order. `Products` gives (a, b) pairs as doubles.
template <Format Accumulator, class Products>
[[nodiscard]] double sum_sequential(const Products& products, Index first, Index last, bool backwards) {
  double sum = 0;
  for (Index step = 0; step < last - first; ++step) {
    const auto [a, b] = products(backwards ? last - 1 - step : first + step);
    sum = accumulate<Accumulator>(sum, a, b);
  }
  return sum;
}

/// Eight sums of every eighth product, added at the end.
template <Format Accumulator, class Products>
[[nodiscard]] double sum_lanes(const Products& products, Index terms) {
  double total = 0;
  for (Index lane = 0; lane < 8 && lane < terms; ++lane)
    total =
        round_to<Accumulator>(total + sum_sequential<Accumulator>([&](Index step) { return products(lane + 8 * step); },
                                                                  0, (terms - lane + 7) / 8, false));
  return total;
}

/// Each product is added unrounded: one rounding a step.
template <Format Accumulator, class Products>
[[nodiscard]] double sum_fused(const Products& products, Index terms) {
  double sum = 0;
  for (Index k = 0; k < terms; ++k) {
    const auto [a, b] = products(k);
    if constexpr (std::is_same_v<Accumulator, float32>)
      sum = static_cast<double>(std::fma(static_cast<float>(a), static_cast<float>(b), static_cast<float>(sum)));
    else
      sum = round_to<Accumulator>(std::fma(a, b, sum));
  }
  return sum;
}

template <Format Accumulator, class Products>
[[nodiscard]] double sum_pairwise(const Products& products, Index first, Index last) {
  if (last - first <= 8) return sum_sequential<Accumulator>(products, first, last, false);
  const Index middle = first + (last - first) / 2;
  return round_to<Accumulator>(sum_pairwise<Accumulator>(products, first, middle) +
                               sum_pairwise<Accumulator>(products, middle, last));
}

/// As a matrix unit that aligns a block of products and the accumulator to the largest exponent, cuts what lies below,
/// adds exactly, and cuts the sum to 24 bits.
template <class Products>
[[nodiscard]] double sum_truncating(const Products& products, Index first, Index last) {
  double sum = 0;
  for (Index start = first; start < last; start += matrix_unit_block) {
    const Index end = start + matrix_unit_block < last ? start + matrix_unit_block : last;
    double terms[matrix_unit_block + 1];
    std::size_t count = 0;
    double largest = sum < 0 ? -sum : sum, plain = sum;
    terms[count++] = sum;
    for (Index k = start; k < end; ++k) {
      const auto [a, b] = products(k);
      terms[count] = a * b;
      plain += terms[count];
      const double size = terms[count] < 0 ? -terms[count] : terms[count];
      if (size > largest) largest = size;
      ++count;
    }
    if (!is_finite(plain) || largest == 0 || largest > max_finite<float32>()) {
      sum = decode(encode<float32>(plain));
      continue;
    }
    const int exponent = exponent_of(largest);
    const int quantum = exponent - matrix_unit_bits + 1 > -149 ? exponent - matrix_unit_bits + 1 : -149;
    double exact = 0;
    for (std::size_t term = 0; term < count; ++term) exact += cut(terms[term], quantum);
    const bool overflows = exact >= 0x1p128 || exact <= -0x1p128;  // to infinity, as to nearest: units do not saturate
    sum = round_to<float32>(exact, overflows ? Rounding::nearest_even : Rounding::toward_zero);
  }
  return sum;
}

}  // namespace detail

/// Σ products(k) for k in [0, terms), each addition rounded in `Accumulator`, in the order asked for.
template <Format Accumulator, class Products>
[[nodiscard]] double sum_in_order(SummationOrder order, const Products& products, Index terms) {
  const auto blocks = [&](Index length) {
    double sum = 0;
    for (Index start = 0; start < terms; start += length) {
      const Index end = start + length < terms ? start + length : terms;
      sum = round_to<Accumulator>(sum + detail::sum_sequential<Accumulator>(products, start, end, false));
    }
    return sum;
  };
  const auto split = [&](Index parts) {
    return blocks((terms + parts - 1) / parts > 0 ? (terms + parts - 1) / parts : 1);
  };
  switch (order) {
    case SummationOrder::sequential: return detail::sum_sequential<Accumulator>(products, 0, terms, false);
    case SummationOrder::reversed: return detail::sum_sequential<Accumulator>(products, 0, terms, true);
    case SummationOrder::pairwise: return detail::sum_pairwise<Accumulator>(products, 0, terms);
    case SummationOrder::blocked: return blocks(64);
    case SummationOrder::lanes: return detail::sum_lanes<Accumulator>(products, terms);
    case SummationOrder::split_2: return split(2);
    case SummationOrder::split_4: return split(4);
    case SummationOrder::split_8: return split(8);
    case SummationOrder::fused: return detail::sum_fused<Accumulator>(products, terms);
    case SummationOrder::truncating_blocks: return detail::sum_truncating(products, 0, terms);
  }
  return 0;
}

/// What a kernel that adds in this order declares: its accumulator, and for the matrix unit that it cuts instead of
/// rounds.
template <Format Accumulator>
[[nodiscard]] constexpr AccumulationModel accumulation_of(SummationOrder order) {
  if (order != SummationOrder::truncating_blocks) return accumulation_in<Accumulator>();
  AccumulationModel model = accumulation_in<float32>();
  model.format_name = "f32 by truncating blocks of 16";
  model.unit_roundoff = power_of_two(-23);
  model.truncating = true;
  model.block = detail::matrix_unit_block;
  return model;
}

}  // namespace assay::inline v0
