#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/accuracy/equivalence.hpp"
#include "assay/accuracy/score.hpp"
#include "assay/core/outcome.hpp"

namespace assay::inline v0 {

/// What an outcome is told beside the score.
struct AccuracyContext {
  std::string model = "model";      ///< part of the id; '/' becomes '_'
  std::string dataset;              ///< part of the id where it is named
  std::vector<std::string> broken;  ///< samples that the model answered with NaN or not at all, by line or id
  std::vector<std::string> notes;   ///< what the reader of the score must know: empty references, unused predictions
};

/// The outcome `model/<model>[/<dataset>]/<metric>` of a score that nothing is claimed of: `new_baseline`, or `fail`
/// where samples are broken or the value is NaN. The score's parts become measurements, its convention the derivation.
[[nodiscard]] Outcome accuracy_outcome(const Score& score, const AccuracyContext& context);

/// The same with what came of a comparison: its verdict, and the measurements `<metric>_baseline`, `difference`,
/// `difference_lower`, `difference_upper`, `margin`, `p_difference`, `samples_needed`. Broken samples fail it whatever
/// the comparison says.
[[nodiscard]] Outcome accuracy_outcome(const Score& score, double baseline, const EquivalenceJudgment& judgment,
                                       double margin, const AccuracyContext& context);

/// "a, b, c and 7 more": at most `most` of them.
[[nodiscard]] std::string listed_names(const std::vector<std::string>& names, std::size_t most = 3);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/accuracy_outcome.ipp"
#endif
