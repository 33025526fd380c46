#pragma once

#include "assay/kernels/linear/problem.hpp"
#include "assay/tolerance/accumulation_model.hpp"
#include "assay/tolerance/bounded.hpp"

namespace assay::inline v0 {

namespace detail {

/// The smallest number that the accumulator holds in full precision.
[[nodiscard]] constexpr double least_normal_of(const AccumulationModel& accumulation) {
  return accumulation.min_subnormal * power_of_two(accumulation.precision - 1);
}

}  // namespace detail

/// In what kernels may hold the elements of an operand between dequantizing and multiplying them: what bounds need of
/// its range, which is the narrower of the dequantized elements' format and the accumulator's.
struct LinearHolding {
  double largest = 0;         ///< finite number
  double least_normal = 0;    ///< smallest number of full precision
  double least = 0;           ///< smallest number at all
  double underflow = 0;       ///< h, what an element below `least_normal` may be off by; 0: the range does not matter
  double relative_error = 0;  ///< of an element before it is rounded a last time

  /// That of a block-scaled operand whose elements are rounded so many times by `unit_roundoff`; where they are exact,
  /// once by their range.
  [[nodiscard]] static LinearHolding of(const LinearProblem& problem, const LinearMatrix& matrix, int roundings,
                                        double unit_roundoff, const AccumulationModel& accumulation);
};

/// Magnitudes of numbers: of codes, or of the scales that they are multiplied by. Infinities and NaN are left out.
struct LinearMagnitudes {
  double sum = 0;           ///< of all
  double largest = 0;       ///< of all; 0 of none
  double least = 0x1p1023;  ///< that is not zero

  /// Adds the magnitude of a number.
  ASSAY_FUNCTION void add(double magnitude) {
    if (!is_finite(magnitude)) return;
    sum += magnitude;
    if (magnitude > largest) largest = magnitude;
    if (magnitude > 0 && magnitude < least) least = magnitude;
  }
};

/// What the elements of a vector, a row of A or a column of B, come to where they are held so.
struct LinearHeld {
  double size = 0;                 ///< Σ|x| of the finite ones
  double lost = 0;                 ///< the largest error of an element by underflow; ∞ where one may overflow
  LinearMagnitudes codes, scales;  ///< of each element: x = code·scale
  bool infinite_scale = false;     ///< one of its scales is infinite

  /// Adds the two factors of an element.
  ASSAY_FUNCTION void add_factors(double code, double scale) {
    codes.add(detail::absolute(code));
    scales.add(detail::absolute(scale));
    infinite_scale = infinite_scale || is_infinite(scale);
  }
  /// Adds an element, or a part of it that is held by itself.
  ASSAY_FUNCTION void add(const LinearHolding& holding, double element) {
    const double magnitude = detail::absolute(element);
    if (!is_finite(magnitude)) return;
    size += magnitude;
    if (holding.underflow == 0) return;
    if (magnitude * (1 + holding.relative_error) > holding.largest) lost = BoundedArithmetic::infinity();
    if (magnitude < holding.least_normal && !holds(holding, magnitude) && lost < holding.underflow)
      lost = holding.underflow;
  }

 private:
  /// Whether a number below the normal ones is one of the format's.
  [[nodiscard]] ASSAY_FUNCTION static bool holds(const LinearHolding& holding, double magnitude) {
    const double units = magnitude / holding.least;
    return units == static_cast<double>(static_cast<Index>(units));
  }
};

/// What products of codes and scales lose on the way where they leave the accumulator's range before they meet,
/// although the elements stay within it. With η the accumulator's smallest number, which is what an underflow errs by
/// at most, a sum of a·b = c_a·s_a·c_b·s_b may err
/// - by η·Σ|c_a|·|b| where a scale s_a is below the normal numbers, and by η·Σ|a|·|c_b| where s_b is;
/// - by η·Σ|c_a·c_b| where a product of two scales is, and by η·Σ|s_a·s_b| where a sum of products of codes is, for
///   what is lost is multiplied by the other two factors;
/// - by η·Σ|s_b| where s_a times a sum of products of codes is, and by η·Σ|s_a| where s_b is multiplied first. Where
///   codes cancel, their sum may be smaller than their least product by the bits that it has: 24 of them are allowed
///   for. It is infinite where such a product may pass the largest number. Kernels whose sums of products of codes may
///   do so themselves are no right ones, and but for the first line nothing is allowed for.
struct LinearScaling {
  double largest = 0;       ///< finite number of the accumulator
  double least_normal = 0;  ///< its smallest number of full precision
  double underflow = 0;     ///< η; 0: nothing is lost

  /// Of the accumulator.
  [[nodiscard]] static LinearScaling of(const AccumulationModel& accumulation) {
    return {accumulation.max_finite, detail::least_normal_of(accumulation), accumulation.min_subnormal};
  }
  /// The sum of what may be lost in an element of the product.
  [[nodiscard]] ASSAY_FUNCTION double lost(const LinearHeld& row, const LinearHeld& column) const {
    const double of_scales = row.scales.least * column.scales.least,
                 of_codes = row.codes.least * column.codes.least * 0x1p-24,
                 sum_of_codes = of_products(row.codes, column.codes);
    double numbers = 0;
    if (row.scales.least < least_normal) numbers += row.codes.largest * column.size;
    if (column.scales.least < least_normal) numbers += column.codes.largest * row.size;
    if (!(sum_of_codes <= largest)) return underflow * numbers;
    if (row.scales.largest * column.scales.largest > largest || row.size * column.codes.largest > largest ||
        column.size * row.codes.largest > largest)
      return BoundedArithmetic::infinity();
    if (of_scales < least_normal) numbers += sum_of_codes;
    if (of_codes < least_normal) numbers += of_products(row.scales, column.scales);
    if (of_codes * row.scales.least < least_normal) numbers += column.scales.sum;
    if (of_codes * column.scales.least < least_normal) numbers += row.scales.sum;
    return underflow * numbers;
  }

 private:
  /// Not less than the sum of products.
  [[nodiscard]] ASSAY_FUNCTION static double of_products(const LinearMagnitudes& a, const LinearMagnitudes& b) {
    const double first = a.sum * b.largest, second = a.largest * b.sum;
    return first < second ? first : second;
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/linear/holding.ipp"
#endif
