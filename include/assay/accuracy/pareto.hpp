#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/core/table.hpp"

namespace assay::inline v0 {

/// One way to run a model: a format of its weights, a precision, a batch.
struct TradeOff {
  std::string name;                                              ///< "int4_g128"
  double accuracy = 0;                                           ///< of any metric
  std::optional<double> lower, upper;                            ///< of the accuracy's interval, where there is one
  double bytes = 0;                                              ///< of the weights as stored
  std::optional<double> seconds;                                 ///< of a unit of work, where it was timed
  std::optional<double> seconds_lower = {}, seconds_upper = {};  ///< of that time's interval, where there is one
};

/// Where a way stands among the others.
struct ParetoPlace {
  bool on_front = false;                  ///< no other is at least as good in all respects and better in one
  bool surely_dominated = false;          ///< one that is measured to be is so even where intervals favor this one
  std::vector<std::string> dominated_by;  ///< those that are measured to be, surely or not
};

/// The places of all, in their order: more accuracy is better (less, unless `higher_is_better`), fewer bytes and
/// seconds are. Seconds count between two that have them. A way without a finite accuracy is on no front. O(n²).
[[nodiscard]] std::vector<ParetoPlace> pareto_places(std::span<const TradeOff> ways, bool higher_is_better = true);

/// Format × accuracy × size × speed, smallest first; a star marks the front, "?" who lies behind it by less than the
/// intervals tell apart. The last column names those that are measured to be better.
[[nodiscard]] Table pareto_table(std::span<const TradeOff> ways, const std::string& metric,
                                 bool higher_is_better = true);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/pareto.ipp"
#endif
