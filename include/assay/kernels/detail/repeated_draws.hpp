#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/diagnosis.hpp"

namespace assay::inline v0::detail {

/// What a generator's draws have in common that independent ones have not. A draw that cannot be seen is negative.
class RepeatedDraws {
 public:
  /// `alike`: the probability with which two draws are equal.
  RepeatedDraws(const std::vector<std::int64_t>& draws, double alike)
      : draws_(draws), needed_(alike < 1 ? std::log(chance) / std::log(alike) : HUGE_VAL) {}

  /// Draws that come several times in succession, or again and again after some distance; equal throughout. O(draws²)
  /// at worst, O(draws) for most.
  [[nodiscard]] std::optional<Diagnosis> explanation() const {
    const auto always = [](std::size_t, std::size_t) { return true; };
    if (all_alike(1, always)) return because("constant_draw", "all draws are equal");
    for (std::size_t run = max_run; run >= 2; run /= 2)
      if (all_alike(1, [run](std::size_t draw, std::size_t) { return draw % run + 1 < run; }))
        return because("draws_shared", "each draw is used for " + std::to_string(run) + " in succession");
    for (std::size_t period = 2; 2 * period <= draws_.size(); ++period)
      if (all_alike(period, always))
        return because("draws_repeated", "draws repeat themselves after " + std::to_string(period));
    return std::nullopt;
  }

 private:
  static constexpr double chance =
      1e-12;  ///< with which independent draws are taken for repeated ones, each time that is asked
  static constexpr std::size_t max_run = 64;

  /// Whether every draw for which `asked` equals that `lag` behind it, and there are so many that chance is not why.
  template <class Asked>
  [[nodiscard]] bool all_alike(std::size_t lag, Asked asked) const {
    double pairs = 0;
    for (std::size_t draw = 0; draw + lag < draws_.size(); ++draw) {
      if (draws_[draw] < 0 || draws_[draw + lag] < 0 || !asked(draw, lag)) continue;
      if (draws_[draw] != draws_[draw + lag]) return false;
      ++pairs;
    }
    return pairs >= needed_;
  }
  [[nodiscard]] static Diagnosis because(const char* kind, std::string sentence) {
    return {FaultClass::state, kind, Confidence::likely, {std::move(sentence)}, {}};
  }

  const std::vector<std::int64_t>& draws_;
  double needed_;  ///< pairs
};

}  // namespace assay::inline v0::detail
