#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/baselines/golden_comparison.hpp"
#include "assay/baselines/golden_tensor.hpp"
#include "assay/compare/operand_chunk.hpp"
#include "assay/core/misuse.hpp"
#include "assay/formats/element_format_named.hpp"
#include "assay/report/text.hpp"
#include "assay/tolerance/tolerance_named.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline std::string shape_text(const GoldenTensor& tensor) {
  std::string text;
  for (const Index extent : tensor.extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return (text.empty() ? "a scalar" : text) + " of " + tensor.format;
}

/// One comparison, element by element and sum by sum.
class GoldenComparer {
 public:
  GoldenComparer(const GoldenTensor& golden, const GoldenTensor& found, const GoldenAllowance& allowance,
                 const ChosenTolerance& tolerance, const ElementFormat& format);

  [[nodiscard]] GoldenComparison take();

 private:
  /// Difference and what is allowed of it; an allowance that is not finite decides nothing.
  struct Judgment {
    double error = 0;
    double allowed = 0;
    bool inside = false;
  };

  [[nodiscard]] Judgment judge(std::size_t i, double now, double then) const;

  void element(std::size_t i);

  /// What the elements of a row may differ by together, of whose golden ones the magnitudes sum to `magnitude`.
  [[nodiscard]] double allowed_of_sum(double derived, double count, double magnitude) const;

  void all_sums(const std::vector<double>& golden, const std::vector<double>& found,
                const std::vector<double>& golden_magnitudes, const std::vector<double>& found_magnitudes,
                const std::vector<double>& allowed, double count);

  const GoldenTensor& golden_;
  const GoldenTensor& found_;
  const GoldenAllowance& allowance_;
  const ChosenTolerance& tolerance_;
  const ElementFormat& format_;
  const bool derived_;
  GoldenComparison result_;
};

/// Verdict and reason of what was counted.
void conclude(GoldenComparison& result, bool sampled, bool specials_agree);

}  // namespace detail

/// Compares an output with a golden one: equal bits are right by any rule; else by the allowance of the case where
/// `tolerance` is "derived", by the rule that it names otherwise (`tolerance_named`).
///
/// Derived: two right kernels may each lie within `allowed` of the exact value r, so that |new − golden| ≤ |new − r| +
/// |r − golden| ≤ 2·allowed. For the sum over a row likewise |Σnew − Σgolden| ≤ Σ 2·allowed, beside the rounding of the
/// two sums. NaN equals NaN only, an infinity only itself.
///
/// Fail: something lies outside, or formats or extents differ. Inconclusive: nothing does, and of something nobody
/// knows, because the allowance is infinite, none was derived, or the format is unknown. Of sampled tensors only
/// samples and sums are seen, unless the digests agree. Misuse: `found` is not in the same form (the same samples), or
/// allowances of other numbers. O(elements kept).
[[nodiscard]] GoldenComparison compare_golden(const GoldenTensor& golden, const GoldenTensor& found,
                                              const GoldenAllowance& allowance, const std::string& tolerance);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/baselines/compare_golden.ipp"
#endif
