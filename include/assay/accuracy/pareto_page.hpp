#pragma once

#include <span>
#include <string>

#include "assay/accuracy/pareto.hpp"

namespace assay::inline v0 {

/// A page of its own with a picture, the metric against the size with intervals as lines, the front joined and names of
/// what is surely dominated pale, a second picture against the time where all were timed, and `pareto_table`. `subject`
/// names the model, `command` what made the page; it may be empty.
[[nodiscard]] std::string pareto_page(std::span<const TradeOff> ways, const std::string& metric, bool higher_is_better,
                                      const std::string& subject, const std::string& command);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/accuracy/pareto_page.ipp"
#endif
