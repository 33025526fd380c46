#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"

namespace assay::inline v0 {

/// What an operation computes and moves at least: each operand read once, each result written once.
struct OperationWork {
  double flop = 0;   ///< floating-point operations, a multiply-add counting two
  double bytes = 0;  ///< read and written

  /// FLOP a byte; infinity where nothing is moved.
  [[nodiscard]] double intensity() const noexcept;
};

/// The formulas of an operation, by named extents.
struct OperationFormula {
  std::string_view operation;                       ///< as `assay list ops` names it
  std::span<const char* const> extents;             ///< names, in their order
  std::string_view flop;                            ///< in words
  std::string_view elements;                        ///< read and written, in words
  double (*count_flop)(const double* extents);      ///< by values of the extents, in their order
  double (*count_elements)(const double* extents);  ///< the same for `elements`
};

/// All formulas. A multiply-add is two operations; exp, rsqrt and the like count as one each, which is below what
/// hardware spends on them: shares of ceilings are then lower bounds.
[[nodiscard]] std::span<const OperationFormula> operation_formulas() noexcept;

/// A problem with the formula that holds for it.
struct RooflineProblem {
  std::string name;  ///< "gemm m=4096 n=4096 k=4096"
  const OperationFormula* formula = nullptr;
  std::vector<double> extents;  ///< values, in the order of the formula's names

  /// By elements of `element_bytes` bytes.
  [[nodiscard]] OperationWork work(double element_bytes) const;
};

/// Reads "gemm m=4096 n=4096 k=4096". Errors: `not_found` (an operation or extent, with the nearest), `invalid` (an
/// extent missing, twice, or no whole number of 1 or more).
[[nodiscard]] Result<RooflineProblem> parse_problem(std::string_view text);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/fleet/roofline/operation_work.ipp"
#endif
