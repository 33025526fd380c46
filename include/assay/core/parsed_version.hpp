#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// A version: numbers with dots between them, as drivers and toolkits have, and what SemVer 2.0.0, Python and
/// distributions put around them.
///
/// The order is that of SemVer 2.0.0, clause 11, for any count of numbers: number by number ("550.9" < "550.54"),
/// numbers that are not there count as 0 ("12" equals "12.0"), a prerelease comes before its release, its identifiers
/// are compared one by one, numerically where both are numbers, and the build is ignored. An epoch comes before all,
/// and a revision of a distribution ("6.2.0-66") after its release. Equality is that of the order.
struct Version {
  std::vector<std::string> numbers;     ///< decimal digits without leading zeros: of any size
  std::vector<std::string> prerelease;  ///< identifiers; none: a release
  std::string build;                    ///< what is behind '+': "cu121"
  std::string epoch = "0";              ///< "1" of "1:2.4", decimal digits
  std::vector<std::string> revision;    ///< "66" and "generic" of "5.15.0-66-generic"
};

namespace detail {

inline constexpr std::size_t longest_version = 256;

/// Identifiers of a prerelease that stand for "dev" and for '~', which are before anything else. No identifier of
/// SemVer has such characters.
inline constexpr std::string_view development = ".dev", before_all = "~";

[[nodiscard]] Result<Version> read_version(std::string_view text, bool semantic);

}  // namespace detail

/// By numbers, a missing one counting as 0; then by what follows them, a release after its own candidates.
[[nodiscard]] std::weak_ordering operator<=>(const Version& left, const Version& right) noexcept;
/// Equal in order: 12.0 and 12.
[[nodiscard]] inline bool operator==(const Version& left, const Version& right) noexcept {
  return (left <=> right) == 0;
}

/// Reads a version as people write them: numbers with dots between them ("450.80.02": leading zeros mean nothing), with
/// or without a "v" or "R" before them ("v2.18", "R535") or an epoch ("1:2.4"), and behind them
/// - a prerelease, with or without a separator: "-rc1", "rc1", ".dev20250101", "a0", "-alpha.2", "~beta1". Words of one
///   meaning are one (alpha and a; beta and b; pre, preview, c, ea and rc; nightly, snapshot, canary and dev), and dev
///   comes first;
/// - or a revision, which is what anything else behind '-', '.' or '~' is: "-66", "-0ubuntu3.1", "-generic", ".post1";
/// - and a build or local label: "+cu121".
/// Errors: `malformed`.
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
#include "assay/core/parsed_version.ipp"
#endif
