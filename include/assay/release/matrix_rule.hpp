#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/release/version_constraint.hpp"

namespace assay::inline v0 {

/// One axis, and which of its values are meant.
struct MatrixCondition {
  std::string axis;
  VersionConstraint constraint;
};

/// Which combinations cannot be: where all of `when` holds, all of `then` must hold (requires), or must not (excludes).
struct MatrixRule {
  /// What a rule says.
  enum class Kind { needs, excludes };

  std::string name;         ///< what messages call it; by default its text
  Kind kind = Kind::needs;  ///< which of them
  std::vector<MatrixCondition> when;
  std::vector<MatrixCondition> then;
  std::string reason;  ///< why, for reports
};

namespace detail {

[[nodiscard]] std::vector<std::string> words_of(std::string_view text);

}  // namespace detail

/// Reads "cuda >= 12.6 requires driver >= 550" or "device == MI300X excludes toolkit == cuda*"; on either side
/// conditions may be joined by "and". Errors: `malformed`; the message names the rule.
[[nodiscard]] Result<MatrixRule> parse_matrix_rule(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/matrix_rule.ipp"
#endif
