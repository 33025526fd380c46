#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/profile/matrix_unit.hpp"
#include "assay/profile/numeric_profile.hpp"
#include "assay/profile/summation_tree.hpp"

namespace assay::inline v0::detail {

/// A term that is not zero: the factors in A and B.
struct PlacedProduct {
  Index term;
  double a, b;
};

/// The largest and the smallest exponents of numbers in a layout.
struct ExponentRange {
  int largest, normal, subnormal;
  explicit ExponentRange(const FloatLayout& layout)
      : largest(exponent_of(decode(layout, layout.max_finite_bits()))),
        normal(layout.min_exponent()),
        subnormal(layout.has_zero() ? layout.min_exponent() - layout.fraction_bits : layout.min_exponent()) {}
};

/// Puts sums of a few products to a unit, whose other terms are zero. The first error of the unit stops all further
/// questions.
class UnitQuestions {
 public:
  explicit UnitQuestions(const MatrixUnit& asked)
      : unit(asked), a(asked.a.layout), b(asked.b.layout), c(asked.c.layout) {}

  const MatrixUnit& unit;
  const ExponentRange a, b, c;
  Index terms = 0;
  std::optional<Error> error;

  /// ±f·2^exponent as a product: the whole significand in A, both factors near the square root of the size.
  [[nodiscard]] PlacedProduct product(Index term, double value) const;

  [[nodiscard]] DotProbe probe(const std::vector<PlacedProduct>& products) const;

  [[nodiscard]] std::vector<std::uint64_t> codes(const std::vector<DotProbe>& probes);
  /// The answers as values.
  [[nodiscard]] std::vector<double> answers(const std::vector<DotProbe>& probes) {
    std::vector<double> values;
    for (const std::uint64_t code : codes(probes)) values.push_back(unit.c.decode(code));
    return values;
  }
  /// One sum of products of these sizes a probe.
  [[nodiscard]] std::vector<double> sums(const std::vector<std::vector<std::pair<Index, double>>>& asked);
};

/// One value that was rounded: a quarter, a half or three quarters of a unit beyond an even or odd number, and whether
/// its magnitude grew.
struct SeenRounding {
  bool odd;
  unsigned quarters;
  bool negative;
  bool away;
  bool explained = true;  ///< it came out as one of the two neighbors
};

/// The rounding that explains what was seen, of which each case was seen several times.
[[nodiscard]] Determined<UnitRounding> rounding_that_explains(const std::vector<SeenRounding>& seen);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/profile/detail/unit_questions.ipp"
#endif
