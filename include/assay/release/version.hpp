#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// A version: numbers with dots between them, as drivers and toolkits have, and what SemVer 2.0.0 puts behind them.
///
/// The order is that of SemVer 2.0.0, clause 11, for any count of numbers: number by number ("550.9" < "550.54"),
/// numbers that are not there count as 0 ("12" equals "12.0"), a prerelease comes before its release, its identifiers
/// are compared one by one, numerically where both are numbers, and the build is ignored. Equality is that of the
/// order.
struct Version {
  std::vector<std::string> numbers;     ///< decimal digits without leading zeros: of any size
  std::vector<std::string> prerelease;  ///< identifiers; none: a release
  std::string build;
};

namespace detail {

inline constexpr std::size_t longest_version = 256;

[[nodiscard]] Result<Version> read_version(std::string_view text, bool semantic);

}  // namespace detail

/// By numbers, a missing one counting as 0; then by what follows them, a release after its own candidates.
[[nodiscard]] std::weak_ordering operator<=>(const Version& left, const Version& right) noexcept;
/// Equal in order: 12.0 and 12.
[[nodiscard]] inline bool operator==(const Version& left, const Version& right) noexcept {
  return (left <=> right) == 0;
}

/// Reads one or more numbers with dots between them ("450.80.02": leading zeros mean nothing), optionally with a
/// prerelease and a build as in SemVer. Errors: `malformed`.
[[nodiscard]] inline Result<Version> parse_version(std::string_view text) {
  return detail::read_version(text, false);
}

/// Reads a version that keeps to every letter of SemVer 2.0.0 (https://semver.org/spec/v2.0.0.html). Errors:
/// `malformed`.
[[nodiscard]] inline Result<Version> parse_semantic_version(std::string_view text) {
  return detail::read_version(text, true);
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/version.ipp"
#endif
