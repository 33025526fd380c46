#pragma once

#include "assay/kernels/dropout/explanation.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE DropoutMaskExplanation::DropoutMaskExplanation(const DropoutProblem& problem,
                                                                          const std::vector<unsigned char>& kept)
    : problem_(problem) {
  for (const unsigned char one : kept) {
    draws_.push_back(one > 1 ? -1 : one);
    if (one > 1) continue;
    seen_ += 1;
    kept_ += one;
  }
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> DropoutMaskExplanation::explanation() const {
  using enum FaultClass;
  const double rate = problem_.rate, q = 1 - rate;
  if (seen_ < 2 || rate <= 0 || rate >= 1) return std::nullopt;
  if (kept_ > 0 && kept_ < seen_)
    if (auto repeated = detail::RepeatedDraws(draws_, rate * rate + q * q).explanation()) return repeated;
  if (auto untouched = columns_never_dropped()) return untouched;
  if (probability(q) > chance) return std::nullopt;
  if (kept_ == seen_) return because(missing_work, "nothing_dropped", "every element is kept");
  const std::string share = "of " + detail::number(seen_) + " elements " + detail::number(kept_) + " are kept, ";
  for (int bits = 1; bits <= 8; ++bits)
    for (const double coarse : {std::ceil(std::ldexp(rate, bits)), std::floor(std::ldexp(rate, bits))})
      if (const double drawn = std::ldexp(coarse, -bits); drawn != rate && probability(1 - drawn) > 0.01)
        return because(precision, "coarse_draws",
                       share + "as with random numbers of " + std::to_string(bits) + " bits, by which the rate is " +
                           detail::number(drawn));
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> DropoutMaskExplanation::columns_never_dropped() const {
  Index first = 0, longest = 0, longest_first = 0;
  double seen = 0, longest_seen = 0;
  for (Index column = 0; column < problem_.columns; ++column) {
    bool dropped = false;
    double own = 0;
    for (Index row = 0; row < problem_.rows; ++row) {
      const std::int64_t draw = draws_[static_cast<std::size_t>(row * problem_.columns + column)];
      dropped = dropped || draw == 0;
      own += draw == 1 ? 1 : 0;
    }
    if (dropped) {
      first = column + 1;
      seen = 0;
      continue;
    }
    seen += own;
    if (seen > longest_seen) longest = column + 1 - first, longest_first = first, longest_seen = seen;
  }
  if (longest == 0 || longest == problem_.columns || longest_seen * std::log1p(-problem_.rate) > std::log(chance))
    return std::nullopt;
  return because(FaultClass::missing_work, "columns_never_dropped",
                 "nothing is dropped in columns " + std::to_string(longest_first) + " to " +
                     std::to_string(longest_first + longest - 1) + ", in " + detail::number(longest_seen) +
                     " elements");
}

}  // namespace assay::inline v0
