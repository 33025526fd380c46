#pragma once

#include "assay/release/version_matrix.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_axes(const VersionMatrix& matrix) {
  const auto refused = [](const std::string& why) { return failure(ErrorKind::invalid, why); };
  if (matrix.axes.empty()) return refused("the matrix has no axes; give at least one, with its values");
  std::set<std::string> names;
  for (const MatrixAxis& axis : matrix.axes) {
    if (axis.name.empty() || axis.name.find_first_of(" \t\r\n<>=!,|") != std::string::npos)
      return refused("'" + axis.name + "' is no name for an axis; use letters, digits, '_', '-' and '.'");
    if (!names.insert(axis.name).second) return refused("the axis '" + axis.name + "' is given twice");
    if (axis.values.empty())
      return refused("the axis '" + axis.name + "' has no values; give at least one, or leave the axis out");
    if (axis.values.size() > std::numeric_limits<std::uint16_t>::max())
      return refused("the axis '" + axis.name + "' has more than 65535 values");
    std::set<std::string> values;
    for (const std::string& value : axis.values) {
      if (value.empty() || value.find_first_of("\r\n") != std::string::npos)
        return refused("the axis '" + axis.name + "' has a value that is empty or of several lines");
      if (!values.insert(value).second)
        return refused("the axis '" + axis.name + "' has the value '" + value + "' twice");
    }
  }
  return {};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const VersionMatrix& matrix) {
  if (const auto axes = detail::check_axes(matrix); !axes) return axes;
  const std::vector<std::string> names = detail::axis_names(matrix);
  for (const MatrixRule& rule : matrix.rules) {
    const auto refused = [&](const std::string& why) {
      return failure(ErrorKind::invalid, "the rule '" + rule.name + "': " + why);
    };
    if (rule.when.empty() || rule.then.empty())
      return refused("it needs a condition, and what that requires or excludes");
    for (const auto* conditions : {&rule.when, &rule.then})
      for (const MatrixCondition& condition : *conditions) {
        const auto axis = std::find(names.begin(), names.end(), condition.axis);
        if (axis == names.end()) return refused(unknown_name("axis", condition.axis, names));
        if (!condition.constraint.needs_versions()) continue;
        for (const std::string& value : matrix.axes[static_cast<std::size_t>(axis - names.begin())].values)
          if (!parse_version(value))
            return refused("'" + condition.constraint.text + "' orders the values of '" + condition.axis + "', and '" +
                           value + "' is no version; compare with ==, != and globs there");
      }
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> rule_remarks(const VersionMatrix& matrix) {
  std::vector<std::string> remarks;
  const auto met = [&](const MatrixCondition& condition) {
    std::size_t count = 0;
    for (const MatrixAxis& axis : matrix.axes)
      if (axis.name == condition.axis)
        for (const std::string& value : axis.values) count += condition.constraint.allows(value) ? 1 : 0;
    return count;
  };
  for (const MatrixRule& rule : matrix.rules) {
    const bool needs = rule.kind == MatrixRule::Kind::needs;
    const auto remark = [&](const MatrixCondition& condition, const std::string& so) {
      remarks.push_back("the rule '" + rule.name + "' " + so + ": no value of '" + condition.axis + "' is '" +
                        condition.constraint.text + "'");
    };
    for (const MatrixCondition& condition : rule.when)
      if (met(condition) == 0) remark(condition, "binds nothing");
    for (const MatrixCondition& condition : rule.then)
      if (met(condition) == 0) remark(condition, needs ? "removes everything that it binds" : "excludes nothing");
  }
  return remarks;
}

}  // namespace assay::inline v0
