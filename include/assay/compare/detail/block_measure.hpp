#pragma once

#include <cstdint>

#include "assay/compare/detail/block_arithmetic.hpp"
#include "assay/compare/detail/block_findings.hpp"
#include "assay/compare/detail/vector_rule.hpp"

namespace assay::inline v0::detail {

/// What a few neighboring elements are measured to be, approximately: all errors to 2^−20 of their size, if `ordinary`.
/// Then every one is accepted, and its error over what is allowed of it below `limit`. Sums are of singles, or of
/// doubles.
template <class Real>
struct MeasuredVector {
  Real signed_error = 0, squared_error = 0, squared_reference = 0, chance = 0;
  float most[measures] = {};
  std::uint32_t misrounded = 0, inward = 0;
  bool only_zeros = false;  ///< references, as far as that was asked
  bool odd = false;

  ASSAY_FUNCTION void keep(Measure measure, float value) { most[measure] = larger_single(most[measure], value); }
  static constexpr Real small =
      static_cast<Real>(sizeof(Real) == 4 ? 0x1p-120 : 0x1p-220);  ///< squares above do not vanish

  [[nodiscard]] ASSAY_FUNCTION bool has_references() const { return squared_reference >= static_cast<Real>(small); }
  /// Squares neither overflow nor vanish, nothing is NaN or infinite, and no error stands at a reference of 0.
  [[nodiscard]] ASSAY_FUNCTION bool ordinary(Real large, float limit) const {
    const bool sums = squared_error < large && squared_reference < large && (has_references() || only_zeros) &&
                      (squared_error >= static_cast<Real>(small) || most[absolute_measure] == 0);
    return sums && most[relative_measure] < 0x1p100F && most[ratio_measure] < limit && !odd;
  }
};

/// The constants of a rule, as singles.
struct SingleRule {
  VectorRule::Kind kind = VectorRule::Kind::none;
  float absolute = 0, relative = 0;
  std::uint32_t places = 0;

  [[nodiscard]] static SingleRule of(const VectorRule& rule) {
    return {rule.kind, static_cast<float>(rule.absolute), static_cast<float>(rule.relative), rule.places};
  }
};

/// A number of moderate size, or none.
[[nodiscard]] inline bool moderate(double value, double least) {
  return value == 0 || (value >= least && value <= 0x1p60);
}

/// Stored values against stored values without an error bound, in singles. Near each other their differences are exact.
template <class T>
struct MeasureSingles {
  using Sum = float;
  using Measured = MeasuredVector<float>;
  static constexpr FloatLayout layout = FormatTraits<T>::layout;
  static constexpr double quarter = max_finite<T>() * 0.25;
  static constexpr float large = quarter < 0x1p50 ? static_cast<float>(quarter * quarter) : 0x1p100F;

  SingleRule rule;

  /// Without an error bound, what is derived is what is nearest, which stored references are.
  [[nodiscard]] static MeasureSingles of(const VectorRule& rule) {
    MeasureSingles measure{SingleRule::of(rule)};
    if (rule.kind == VectorRule::Kind::derived) measure.rule = {VectorRule::Kind::places, 0, 0, 0};
    if (rule.kind == VectorRule::Kind::absolute_relative &&
        (!moderate(rule.absolute, 0x1p-100) || !moderate(rule.relative, 0x1p-60)))
      measure.rule.kind = VectorRule::Kind::none;
    return measure;
  }

  template <int N>
  ASSAY_FUNCTION void add(const float (&out)[N], const float (&reference)[N], Measured& measured) const {
    float difference[N];
    for (int i = 0; i < N; ++i) {
      difference[i] = out[i] - reference[i];
      const float size = single_size(difference[i]), reference_size = single_size(reference[i]);
      measured.signed_error += difference[i];
      measured.squared_error = fused_single(difference[i], difference[i], measured.squared_error);
      measured.squared_reference = fused_single(reference[i], reference[i], measured.squared_reference);
      measured.misrounded += size != 0 ? 1 : 0;
      measured.inward += single_size(out[i]) < reference_size ? 1 : 0;
      constexpr auto least_normal = static_cast<std::uint32_t>(layout.min_exponent() + 127) << 23;
      const std::uint32_t exponent = single_bits(reference_size) & 0x7f800000u;
      const float inverse =
          single_of_bits((std::uint32_t{254} << 23) - (exponent > least_normal ? exponent : least_normal));
      measured.keep(absolute_measure, size);
      measured.keep(ulp_measure, size * inverse);
      measured.keep(relative_measure, near_quotient(size, reference_size));
    }
    if (rule.kind == VectorRule::Kind::absolute_relative) {
      for (int i = 0; i < N; ++i)
        measured.keep(ratio_measure,
                      near_quotient(single_size(difference[i]),
                                    fused_single(rule.relative, single_size(reference[i]), rule.absolute)));
    } else if (rule.places == 0) {
      measured.keep(ratio_measure, measured.most[absolute_measure] * 0x1p120F);  // whatever differs is looked at
    } else {
      for (int i = 0; i < N; ++i) measured.keep(ratio_measure, share_of_places(difference[i], reference[i], measured));
    }
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION float share_of_places(float difference, float reference, Measured& measured) const {
    constexpr float least = 2 * static_cast<float>(min_normal<T>());
    const float size = single_size(difference), reference_size = single_size(reference);
    const bool outward = ((single_bits(difference) ^ single_bits(reference)) >> 31) == 0;
    const std::uint32_t places = rule.places << (23 - layout.fraction_bits);
    const float last =
        single_of_bits(outward ? single_bits(reference_size) + places : single_bits(reference_size) - places);
    measured.odd = measured.odd || (reference_size < least &&
                                    size != 0);  // places of numbers below the normal ones are not the bits of singles
    return near_quotient(size, single_size(last - reference_size));
  }
};

/// Stored values against references and error bounds in double.
template <class T>
struct MeasureDoubles {
  using Sum = double;
  using Measured = MeasuredVector<double>;
  static constexpr FloatLayout layout = FormatTraits<T>::layout;
  static constexpr double quarter = max_finite<T>() * 0.25;
  static constexpr double large = quarter < 0x1p60 ? quarter * quarter : 0x1p120;
  /// High words of doubles: singles hold references and bounds between the first two, and errors above the last.
  static constexpr std::uint32_t least_word = std::uint32_t{1023 - 90} << 20,
                                 most_word = std::uint32_t{1023 + 90} << 20,
                                 tiny_word = std::uint32_t{1023 - 110} << 20;

  SingleRule rule;

  [[nodiscard]] static MeasureDoubles of(const VectorRule& rule) {
    MeasureDoubles measure{SingleRule::of(rule)};
    const bool absolute_relative = rule.kind == VectorRule::Kind::absolute_relative;
    if (absolute_relative &&
        (!moderate(rule.absolute, 0x1p-90) || !moderate(rule.relative, 0x1p-30) || rule.relative == 0))
      measure.rule.kind = VectorRule::Kind::none;
    const bool plain = layout.domain == Domain::real && layout.fraction_bits > 0;
    if (rule.kind == VectorRule::Kind::places || !plain) measure.rule.kind = VectorRule::Kind::none;
    return measure;
  }

  template <int N>
  ASSAY_FUNCTION void add(const double (&out)[N], const double (&reference)[N], const double (&error)[N],
                          Measured& measured) const {
    for (int i = 0; i < N; ++i) add_one(out[i], reference[i], error[i], measured);
    if (rule.kind == VectorRule::Kind::absolute_relative) {
      for (int i = 0; i < N; ++i) {
        const auto size = static_cast<float>(__builtin_fabs(out[i] - reference[i])),
                   reference_size = static_cast<float>(__builtin_fabs(reference[i]));
        measured.keep(ratio_measure, near_quotient(size, fused_single(rule.relative, reference_size, rule.absolute)));
      }
    } else {
      for (int i = 0; i < N; ++i)
        measured.keep(ratio_measure, share_of_bound(out[i], reference[i], error[i], measured));
    }
  }

 private:
  ASSAY_FUNCTION static void add_one(double out, double reference, double error, Measured& measured) {
    const double difference = out - reference, size = __builtin_fabs(difference),
                 reference_size = __builtin_fabs(reference), out_size = __builtin_fabs(out);
    measured.signed_error += difference;
    measured.squared_error += difference * difference;
    measured.squared_reference += reference * reference;
    const std::uint32_t word = high_word(reference_size), error_word = high_word(error);
    // neither NaN nor infinite, nor too small or large for singles; 0 is ordinary
    measured.odd = measured.odd || between_zero_and(reference_size, least_word) || between_zero_and(size, tiny_word) ||
                   error_word > most_word || between_zero_and(error, least_word);
    constexpr auto least_normal =
        static_cast<std::uint32_t>(layout.min_exponent() > -90 ? layout.min_exponent() + 1023 : 1023 - 90) << 20;
    const std::uint32_t exponent = word & 0x7ff00000u, binade = exponent > least_normal ? exponent : least_normal;
    const double inverse = double_of_high_word((std::uint32_t{2046} << 20) - binade);
    constexpr double unit = power_of_two(-layout.fraction_bits);
    const double share = error * inverse;
    measured.chance += share < unit ? share : unit;
    double rounded = reference;
    if constexpr (layout.fraction_bits < 52) {
      const double magic =
          double_of_high_word(binade + (static_cast<std::uint32_t>(52 - layout.fraction_bits) << 20) + 0x80000u);
      rounded = (reference + magic) - magic;
    }
    measured.misrounded += out != rounded ? 1 : 0;
    measured.inward += out_size < __builtin_fabs(rounded) ? 1 : 0;
    const auto single_size = static_cast<float>(size);
    measured.keep(absolute_measure, single_size);
    measured.keep(ulp_measure, single_size * static_cast<float>(inverse));
    measured.keep(relative_measure, near_quotient(single_size, static_cast<float>(reference_size)));
  }

  /// Of a number that is not negative, 0 excluded.
  [[nodiscard]] ASSAY_FUNCTION static bool between_zero_and(double value, std::uint32_t word) {
    return high_word(value) - (static_cast<std::uint32_t>(bits_of(value)) == 0 ? 1 : 0) < word - 1;
  }

  /// The error before out was rounded, over E.
  [[nodiscard]] ASSAY_FUNCTION static float share_of_bound(double out, double reference, double error,
                                                           Measured& measured) {
    const double difference = out - reference, out_size = __builtin_fabs(out);
    // the gap between out and its neighbor toward r, half of which rounds to out
    constexpr double least_normal = min_normal<T>();
    const bool toward_zero = ((bits_of(difference) ^ bits_of(out)) >> 63) == 0;
    const double floor = out_size > least_normal ? out_size : least_normal;
    const double nearer = double_of((bits_of(floor) - (toward_zero ? 1 : 0)) & (std::uint64_t{0x7ff} << 52));
    const double half_gap = (nearer > least_normal ? nearer : least_normal) * power_of_two(-layout.fraction_bits - 1);
    const double excess = __builtin_fabs(difference) - half_gap;
    measured.odd = measured.odd ||
                   high_word(excess) < tiny_word;  // also at ties: which of two numbers is right, the exact look knows
    return near_quotient(static_cast<float>(excess), static_cast<float>(error));
  }
};

}  // namespace assay::inline v0::detail
