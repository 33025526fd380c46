#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace assay::inline v0 {

/// What came of a case. Only `pass` says that everything promised was computed and found right.
enum class Verdict {
  pass,          ///< computed, and within tolerance
  fail,          ///< computed, and refuted
  error,         ///< could not be computed: the environment failed
  skipped,       ///< not run, by somebody's choice
  unsupported,   ///< not run: the backend does not offer it
  inconclusive,  ///< run, but what was found decides nothing
  new_baseline   ///< run and recorded for the first time; there was nothing to compare with
};

/// In the order of `Verdict`.
inline constexpr std::array<Verdict, 7> all_verdicts{Verdict::pass,        Verdict::fail,        Verdict::error,
                                                     Verdict::skipped,     Verdict::unsupported, Verdict::inconclusive,
                                                     Verdict::new_baseline};

/// The name in reports, JSON results and policies.
[[nodiscard]] constexpr std::string_view name_of(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::pass: return "pass";
    case Verdict::fail: return "fail";
    case Verdict::error: return "error";
    case Verdict::skipped: return "skipped";
    case Verdict::unsupported: return "unsupported";
    case Verdict::inconclusive: return "inconclusive";
    case Verdict::new_baseline: return "new_baseline";
  }
  return "error";
}

/// The verdict of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<Verdict> verdict_named(std::string_view name) noexcept {
  for (Verdict verdict : all_verdicts)
    if (name_of(verdict) == name) return verdict;
  return std::nullopt;
}

}  // namespace assay::inline v0
