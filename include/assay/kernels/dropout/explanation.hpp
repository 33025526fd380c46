#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/kernels/detail/repeated_draws.hpp"
#include "assay/kernels/dropout/judge.hpp"

namespace assay::inline v0 {

/// Why a mask is not drawn as it should be: whether draws are used again, columns are passed over, or another rate is
/// drawn with.
class DropoutMaskExplanation {
 public:
  /// Per element 1 for kept, 0 for dropped, 2 where it cannot be seen.
  DropoutMaskExplanation(const DropoutProblem& problem, const std::vector<unsigned char>& kept);

  /// Nothing where no cause is seen. O(elements) for most masks.
  [[nodiscard]] std::optional<Diagnosis> explanation() const;

 private:
  static constexpr double chance = 1e-12;

  [[nodiscard]] double probability(double of_keeping) const { return binomial_tail_bound(kept_, seen_, of_keeping); }
  [[nodiscard]] static Diagnosis because(FaultClass fault_class, const char* kind, std::string sentence) {
    return {fault_class, kind, Confidence::likely, {std::move(sentence)}, {}};
  }

  /// The longest stretch of columns, not all, in which nothing is dropped, if chance hardly leaves one.
  [[nodiscard]] std::optional<Diagnosis> columns_never_dropped() const;

  const DropoutProblem& problem_;
  std::vector<std::int64_t> draws_;
  double seen_ = 0, kept_ = 0;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/dropout/explanation.ipp"
#endif
