#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/parsed_version.hpp"
#include "assay/core/result.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0 {

/// How a value is compared with that of a clause. `identical` compares texts and nothing else.
enum class VersionOperator { equal, not_equal, less, at_most, greater, at_least, identical };

/// "at least 12.6", "not rocm-*".
struct VersionClause {
  VersionOperator comparison = VersionOperator::equal;  ///< how a version is held against it
  std::string text;                                     ///< the value; for equality it may be a glob
  std::optional<Version> version;                       ///< where the value is one
  std::optional<Version> series;                        ///< where it is "12.4.*" or "12.4.x": all versions of 12.4
};

/// Whether the operator asks for an order of versions, not for a match.
[[nodiscard]] constexpr bool is_ordering(VersionOperator comparison) noexcept {
  return comparison != VersionOperator::equal && comparison != VersionOperator::not_equal &&
         comparison != VersionOperator::identical;
}

/// What values are allowed: any of the alternatives, in each of which all clauses hold.
struct VersionConstraint {
  std::string text;  ///< as it was written
  std::vector<std::vector<VersionClause>> alternatives;

  /// Whether some clause asks for an order, which only versions have.
  [[nodiscard]] bool needs_versions() const {
    for (const auto& clauses : alternatives)
      for (const VersionClause& clause : clauses)
        if (is_ordering(clause.comparison)) return true;
    return false;
  }

  /// Whether the value is allowed. Values that are versions are compared as such ("12" == "12.0"); others as text. What
  /// is no version satisfies no clause that asks for an order. A build or local label counts where the clause has one:
  /// "== 2.5.1" allows 2.5.1+cu121, "== 2.5.1+cu118" does not.
  [[nodiscard]] bool allows(std::string_view value) const {
    const Result<Version> version = parse_version(value);
    return std::any_of(alternatives.begin(), alternatives.end(), [&](const std::vector<VersionClause>& clauses) {
      return std::all_of(clauses.begin(), clauses.end(),
                         [&](const VersionClause& clause) { return holds(clause, value, version); });
    });
  }

 private:
  [[nodiscard]] static bool holds(const VersionClause& clause, std::string_view value, const Result<Version>& version);
};

/// Reads a constraint: clauses that all hold, separated by commas or blanks, and alternatives, separated by "|": ">=
/// 12.6, < 13", "== 2.4.*", "12.x", "12.4 .. 12.8" (both ends belong to it), "H100 | H200", "!= 550.40". A value alone
/// means "==". Besides, with their meanings where they come from:
/// - "~= 2.4.1" (Python): >= 2.4.1 and == 2.4.*; "=== text" (Python): this text;
/// - "~> 2.4.1" (Ruby, Terraform): >= 2.4.1 and below 2.5; "~ 2.4.1" (npm): the same, and "~ 2" all of 2;
/// - "^2.4.1" (npm, Cargo): >= 2.4.1 and below 3; "^0.4.1" below 0.5; "^0.0.1" below 0.0.2.
/// Errors: `malformed`, with the place.
[[nodiscard]] Result<VersionConstraint> parse_version_constraint(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/version_constraint.ipp"
#endif
