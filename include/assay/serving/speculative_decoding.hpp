#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {

/// How a drafted token is accepted, and what is drawn in its place. All but the first are mistakes that were made.
enum class SpeculationRule : std::uint8_t {
  correct,             ///< accept x with min(1, p/q), else draw from (p − q)₊ normalized
  redraw_from_target,  ///< in its place, draw from p
  always_accept,       ///< the draft's distribution comes out
  absolute_residual,   ///< draw from |p − q|
  inflated_ratio,      ///< accept with 1.05·p/q
  no_division          ///< accept with p
};
/// In the order of `SpeculationRule`; the first is right.
inline constexpr std::array<std::string_view, 6> speculation_rule_names{
    "correct", "redraw_from_target", "always_accept", "absolute_residual", "inflated_ratio", "no_division"};
/// All rules, the right one first.
inline constexpr std::array<SpeculationRule, 6> all_speculation_rules{
    SpeculationRule::correct,           SpeculationRule::redraw_from_target, SpeculationRule::always_accept,
    SpeculationRule::absolute_residual, SpeculationRule::inflated_ratio,     SpeculationRule::no_division};
/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(SpeculationRule rule) noexcept {
  return speculation_rule_names[static_cast<std::size_t>(rule)];
}

/// A drafted token judged by a rule.
struct SpeculatedToken {
  std::size_t token = 0;
  bool accepted = false;  ///< it is the drafted one
};

/// One token of speculative decoding: x is drawn from the draft's q, then accepted or replaced. Source: Leviathan,
/// Kalman, Matias, "Fast inference from transformers via speculative decoding", ICML 2023, algorithm 1. O(V).
/// Misuse: distributions of different sizes, or empty ones. Precondition: each sums to 1.
[[nodiscard]] SpeculatedToken speculate(SpeculationRule rule, std::span<const double> target,
                                        std::span<const double> draft, detail::RandomSequence& random);

/// The distribution of tokens that the rule brings forth, exactly. With `correct` it is the target's. O(V).
/// Misuse: as of `speculate`.
[[nodiscard]] std::vector<double> speculation_distribution(SpeculationRule rule, std::span<const double> target,
                                                           std::span<const double> draft);

/// The share of drafted tokens that the right rule accepts: Σ min(p, q). O(V). Misuse: as of `speculate`.
[[nodiscard]] double acceptance_rate(std::span<const double> target, std::span<const double> draft);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/serving/speculative_decoding.ipp"
#endif
