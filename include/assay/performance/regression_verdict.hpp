#pragma once

#include <optional>
#include <string_view>

namespace assay::inline v0 {

/// Whether something got worse by more than the effect that matters. The third answer is the honest one where samples
/// do not tell.
enum class RegressionVerdict {
  regressed,      ///< worse by more than the minimum effect, with the confidence asked for
  not_regressed,  ///< not worse by more than that, with the same confidence
  rerun           ///< neither is shown: measure more
};

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(RegressionVerdict verdict) noexcept {
  switch (verdict) {
    case RegressionVerdict::regressed: return "regressed";
    case RegressionVerdict::not_regressed: return "not_regressed";
    case RegressionVerdict::rerun: return "rerun";
  }
  return "rerun";
}

/// The verdict of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<RegressionVerdict> regression_verdict_named(std::string_view name) noexcept {
  for (const RegressionVerdict verdict :
       {RegressionVerdict::regressed, RegressionVerdict::not_regressed, RegressionVerdict::rerun})
    if (name_of(verdict) == name) return verdict;
  return std::nullopt;
}

}  // namespace assay::inline v0
