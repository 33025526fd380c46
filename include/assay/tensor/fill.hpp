#pragma once

#include <cstdint>

#include "assay/core/rounding_model.hpp"
#include "assay/formats/limits.hpp"
#include "assay/tensor/fill_kind.hpp"
#include "assay/tensor/random_values.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0 {

/// A deterministic pattern for one tensor: the value at (lane, position), where a lane is a vector along the dimension
/// that an operation reduces, of `length` elements. A pure function of its members, so the same for any thread count,
/// rank of the tensor, backend and compiler. One type for all kinds: one instantiation per format and backend.
///
/// Sums along a lane follow `rounding_model()`. A canceling lane of even length sums to exactly 0: operations that want
/// more of it disturb it.
struct Fill {
  FillKind kind = FillKind::normal;
  std::uint64_t seed = 0;
  Index length = 1;                                    ///< elements in a lane
  FloatLayout format = FormatTraits<float32>::layout;  ///< of the stored values: what is subnormal, largest, a tie

  /// What a sum over one lane does to rounding errors, in an accumulator with so many significand bits. Integers are
  /// exact only as far as it can count.
  [[nodiscard]] constexpr RoundingModel rounding_model(
      int accumulator_precision = FormatTraits<float32>::layout.precision()) const {
    switch (kind) {
      case FillKind::exact_integer:
        return 2 * static_cast<double>(length) <= power_of_two(accumulator_precision) ? RoundingModel::exact
                                                                                      : RoundingModel::statistical;
      case FillKind::one_hot: return RoundingModel::exact;
      case FillKind::constant:
      case FillKind::swamping:
      case FillKind::near_tie:
      case FillKind::extreme: return RoundingModel::worst_case;
      default: return RoundingModel::statistical;
    }
  }

  /// The random bits of that place: a pure function of seed, stream, lane and position.
  [[nodiscard]] ASSAY_FUNCTION constexpr RandomBits bits(Index lane, Index position, std::uint64_t stream = 0) const {
    return random_bits(seed + stream * 0x9E3779B97F4A7C15u, static_cast<std::uint64_t>(lane),
                       static_cast<std::uint64_t>(position));
  }
  /// A position drawn once per lane.
  [[nodiscard]] ASSAY_FUNCTION constexpr Index chosen_position(Index lane, std::uint64_t stream) const {
    return static_cast<Index>(bits(lane, -1, stream).low() % static_cast<std::uint64_t>(length > 0 ? length : 1));
  }
  /// A standard normal number of that place.
  [[nodiscard]] ASSAY_FUNCTION constexpr double normal(Index lane, Index position, std::uint64_t stream = 0) const {
    return standard_normal(bits(lane, position, stream));
  }

  [[nodiscard]] ASSAY_FUNCTION constexpr double operator()(Index lane, Index position) const {
    switch (kind) {
      case FillKind::uniform: return uniform_positive(bits(lane, position));
      case FillKind::normal: return normal(lane, position);
      case FillKind::log_uniform: return log_uniform(bits(lane, position), -10, 2);
      case FillKind::exact_integer: return nonzero_integer(bits(lane, position), 2);
      case FillKind::one_hot: return position == chosen_position(lane, 2) ? log_uniform_power(lane) : 0.0;
      case FillKind::constant: return 0.1;
      case FillKind::canceling: return canceling(lane, position);
      case FillKind::swamping:
        return position == chosen_position(lane, 2)
                   ? 1.0
                   : uniform_positive(bits(lane, position)) * power_of_two(lane % 2 == 0 ? -12 : -25);
      case FillKind::near_tie: return near_tie(lane, position);
      case FillKind::subnormal: return subnormal(lane, position);
      case FillKind::extreme: return extreme(lane, position);
      case FillKind::special: return special(lane, position);
    }
    return 0.0;
  }

  /// ±2^e, one per lane, −1 ≤ e ≤ 1.
  [[nodiscard]] ASSAY_FUNCTION constexpr double log_uniform_power(Index lane) const {
    const RandomBits drawn = bits(lane, -1, 3);
    const double magnitude = power_of_two(static_cast<int>(uniform_below(drawn.words[0], 3)) - 1);
    return (drawn.words[1] & 1) != 0 ? -magnitude : magnitude;
  }
  /// The second half repeats the first with the other sign; the element that is left over is small.
  [[nodiscard]] ASSAY_FUNCTION constexpr double canceling(Index lane, Index position) const {
    const Index half = length / 2;
    if (position >= 2 * half) return normal(lane, position) * power_of_two(-6);
    return position < half ? normal(lane, position) : -normal(lane, position - half);
  }
  /// One integer that fills the significand, and a quarter, half or three quarters of its last place elsewhere.
  [[nodiscard]] ASSAY_FUNCTION constexpr double near_tie(Index lane, Index position) const {
    const Index first = chosen_position(lane, 2);
    const RandomBits drawn = bits(lane, -1, 3);
    if (position == first) {
      const std::uint64_t lead = std::uint64_t{1} << format.fraction_bits;
      return static_cast<double>(lead | (drawn.low() & (lead - 1)));
    }
    if (length > 1 && position == (first + 1) % length)
      return static_cast<double>(1 + uniform_below(drawn.words[2], 3)) * 0.25;
    return 0.0;
  }
  /// A subnormal number of `format`, of either sign.
  [[nodiscard]] ASSAY_FUNCTION constexpr double subnormal(Index lane, Index position) const {
    const RandomBits drawn = bits(lane, position);
    const std::uint64_t limit = (std::uint64_t{1} << format.fraction_bits) - 1;
    const double magnitude =
        static_cast<double>(1 + drawn.low() % limit) * power_of_two(format.min_exponent() - format.fraction_bits);
    return (drawn.words[3] & 1) != 0 ? -magnitude : magnitude;
  }
  /// Zero but for one element a lane: the largest finite value, half of it, the smallest normal or subnormal one.
  [[nodiscard]] ASSAY_FUNCTION constexpr double extreme(Index lane, Index position) const {
    if (position != chosen_position(lane, 2)) return 0.0;
    const RandomBits drawn = bits(lane, -1, 3);
    double magnitude = 0;
    switch (lane % 4) {
      case 0: magnitude = decode(format, format.max_finite_bits()); break;
      case 1: magnitude = decode(format, format.max_finite_bits()) * 0.5; break;
      case 2: magnitude = power_of_two(format.min_exponent()); break;
      default: magnitude = power_of_two(format.min_exponent() - format.fraction_bits); break;
    }
    return (drawn.words[1] & 1) != 0 ? -magnitude : magnitude;
  }
  /// Normal, with one special value in a quarter of the lanes.
  [[nodiscard]] ASSAY_FUNCTION constexpr double special(Index lane, Index position) const {
    const RandomBits drawn = bits(lane, -1, 3);
    if (drawn.words[0] % 4 == 0 && position == chosen_position(lane, 2)) {
      const std::uint64_t sign = static_cast<std::uint64_t>(drawn.words[1] & 1) << 63;
      switch (drawn.words[2] % 3) {
        case 0: return detail::double_of(binary64_layout.nan_bits());
        case 1: return detail::double_of(sign | binary64_layout.infinity_bits());
        default: return detail::double_of(sign);
      }
    }
    return normal(lane, position);
  }
};

}  // namespace assay::inline v0
