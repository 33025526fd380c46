#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/result.hpp"
#include "assay/release/matrix_rule.hpp"

namespace assay::inline v0 {

/// What may vary, and the values that it takes: "driver": 525.60.13, 550.54.15.
struct MatrixAxis {
  std::string name;  ///< unique in the matrix
  std::vector<std::string> values;
};

/// Everything that was promised: the product of the axes, without what the rules say cannot be.
struct VersionMatrix {
  std::string title;  ///< heads reports
  std::vector<MatrixAxis> axes;
  std::vector<MatrixRule> rules;
};

namespace detail {

[[nodiscard]] inline std::vector<std::string> axis_names(const VersionMatrix& matrix) {
  std::vector<std::string> names;
  for (const MatrixAxis& axis : matrix.axes) names.push_back(axis.name);
  return names;
}

}  // namespace detail

/// Whether axes and rules make sense together. Errors: `invalid`; the message names the rule, the axis that is not
/// there with the nearest ones, and a value that a rule would order although it is no version.
[[nodiscard]] Result<void> check(const VersionMatrix& matrix);

/// What is to be told of rules that do nothing, or all: conditions that no value of their axis meets, so that the rule
/// binds nothing or removes all that it binds. Precondition: `check(matrix)`. O(rules · values).
[[nodiscard]] std::vector<std::string> rule_remarks(const VersionMatrix& matrix);

/// The combination as a person reads it: "driver=550.54.15 cuda=12.6", in the order of the axes.
[[nodiscard]] inline std::string combination_text(const VersionMatrix& matrix,
                                                  std::span<const std::uint16_t> combination) {
  std::string text;
  for (std::size_t axis = 0; axis < combination.size(); ++axis)
    text.append(axis == 0 ? "" : " ")
        .append(matrix.axes[axis].name)
        .append("=")
        .append(matrix.axes[axis].values[combination[axis]]);
  return text;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/version_matrix.ipp"
#endif
