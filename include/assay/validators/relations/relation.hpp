#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/kernels/operation.hpp"

namespace assay::inline v0 {

/// What a kernel is given and what it gave, in host memory: values by operand, row-major; of absent operands none.
template <Operation Op>
struct RelatedLaunch {
  typename Op::Problem problem;  ///< what was asked
  std::vector<std::vector<double>> operands;
};

/// Elements of an output and what they have to be by a relation. Zeros are equal whatever their sign.
struct RelatedValues {
  std::string output;
  /// Of equal length.
  std::vector<double> found, due;
  std::vector<double> allowed;  ///< |found − due| at most; empty: none; infinite: this element is not judged
};

/// What must hold between launches of a right kernel, without knowing the right result of any. A relation cannot see
/// faults that commute with it: it says which.
template <Operation Op>
struct Relation {
  using Problem = typename Op::Problem;  ///< of the operation
  using Launch = RelatedLaunch<Op>;      ///< of the operation

  std::string name;          ///< for the outcome's id
  std::string statement;     ///< how inputs are changed, and how outputs then relate
  std::string blind_to;      ///< faults that commute with the relation
  bool exact = true;         ///< to the bit, but for the sign of zeros; else within a bound that needs no reference
  bool needs_range = false;  ///< void where the accumulator may underflow
  std::string contract;      ///< what it asks of a kernel beyond mathematics, to be promised first; empty: nothing
  std::function<bool(const Problem&)> holds;  ///< whether the relation can be asked of that problem; empty: of all
  std::function<void(Launch&)>
      prepare;  ///< changes the inputs of the first launch, so that the relation holds; may be null
  std::function<Launch(const Launch&)>
      transform;  ///< the second launch from the first, outputs included; null: there is one launch
  /// What must agree, from both launches.
  std::function<std::vector<RelatedValues>(const Launch& first, const Launch& second, const Arithmetic&)> relate;
};

/// The relations of an operation: a specialization has `static std::vector<Relation<Op>> all()`.
template <Operation Op>
struct OperationRelations;

namespace detail {

/// Of a value's sign and about its fraction, with a magnitude from 1/4 to 4: neither overflow nor underflow is near.
[[nodiscard]] inline double moderate(double value) {
  if (!is_finite(value)) value = 1;
  const double magnitude = std::fabs(value), kept = 0.25 + magnitude - std::floor(magnitude / 3.5) * 3.5;
  return std::copysign(kept, value);
}
/// −1, 0 or 1: sums of them are exact in any order for as long as they are short.
[[nodiscard]] inline double unit_integer(double value) {
  return value > 0.4 ? 1 : value < -0.4 ? -1 : 0;
}

inline void change(std::vector<double>& values, double (*to)(double)) {
  for (double& value : values) value = to(value);
}
inline void scale(std::vector<double>& values, double factor) {
  for (double& value : values) value *= factor;
}
[[nodiscard]] inline std::vector<double> scaled(std::vector<double> values, double factor) {
  scale(values, factor);
  return values;
}
/// The values with the positions of a middle dimension in reverse: (outer, length, inner).
[[nodiscard]] inline std::vector<double> reversed(const std::vector<double>& values, Index length, Index inner) {
  std::vector<double> result(values.size());
  for (Index e = 0; e < static_cast<Index>(values.size()); ++e) {
    const Index position = e / inner % length, other = e + (length - 1 - 2 * position) * inner;
    result[static_cast<std::size_t>(other)] = values[static_cast<std::size_t>(e)];
  }
  return result;
}

}  // namespace detail
}  // namespace assay::inline v0
