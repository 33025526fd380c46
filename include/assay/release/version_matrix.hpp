#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
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

[[nodiscard]] inline Result<void> check_axes(const VersionMatrix& matrix) {
  const auto refused = [](const std::string& why) { return failure(ErrorKind::invalid, why); };
  if (matrix.axes.empty()) return refused("the matrix has no axes; give at least one, with its values");
  std::set<std::string> names;
  for (const MatrixAxis& axis : matrix.axes) {
    if (axis.name.empty() || axis.name.find_first_of(" \t\r\n<>=!,|") != std::string::npos)
      return refused("'" + axis.name + "' is no name for an axis; use letters, digits, '_', '-' and '.'");
    if (!names.insert(axis.name).second) return refused("the axis '" + axis.name + "' is given twice");
    if (axis.values.empty()) return refused("the axis '" + axis.name + "' has no values; give at least one, or leave the axis out");
    if (axis.values.size() > std::numeric_limits<std::uint16_t>::max())
      return refused("the axis '" + axis.name + "' has more than 65535 values");
    std::set<std::string> values;
    for (const std::string& value : axis.values) {
      if (value.empty() || value.find_first_of("\r\n") != std::string::npos)
        return refused("the axis '" + axis.name + "' has a value that is empty or of several lines");
      if (!values.insert(value).second) return refused("the axis '" + axis.name + "' has the value '" + value + "' twice");
    }
  }
  return {};
}

}  // namespace detail

/// Whether axes and rules make sense together. Errors: `invalid`; the message names the rule, the axis that is not there with the
/// nearest ones, and a value that a rule would order although it is no version.
[[nodiscard]] inline Result<void> check(const VersionMatrix& matrix) {
  if (const auto axes = detail::check_axes(matrix); !axes) return axes;
  const std::vector<std::string> names = detail::axis_names(matrix);
  for (const MatrixRule& rule : matrix.rules) {
    const auto refused = [&](const std::string& why) { return failure(ErrorKind::invalid, "the rule '" + rule.name + "': " + why); };
    if (rule.when.empty() || rule.then.empty()) return refused("it needs a condition, and what that requires or excludes");
    for (const auto* conditions : {&rule.when, &rule.then})
      for (const MatrixCondition& condition : *conditions) {
        const auto axis = std::find(names.begin(), names.end(), condition.axis);
        if (axis == names.end()) return refused(unknown_name("axis", condition.axis, names));
        if (!condition.constraint.needs_versions()) continue;
        for (const std::string& value : matrix.axes[static_cast<std::size_t>(axis - names.begin())].values)
          if (!parse_version(value))
            return refused("'" + condition.constraint.text + "' orders the values of '" + condition.axis + "', and '" + value +
                           "' is no version; compare with ==, != and globs there");
      }
  }
  return {};
}

/// The combination as a person reads it: "driver=550.54.15 cuda=12.6", in the order of the axes.
[[nodiscard]] inline std::string combination_text(const VersionMatrix& matrix, std::span<const std::uint16_t> combination) {
  std::string text;
  for (std::size_t axis = 0; axis < combination.size(); ++axis)
    text.append(axis == 0 ? "" : " ").append(matrix.axes[axis].name).append("=").append(matrix.axes[axis].values[combination[axis]]);
  return text;
}

}  // namespace assay::inline v0
