#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/report/markup.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// "failed 1 of 4 attempts", from the measurements that retries leave; empty where there were none.
[[nodiscard]] inline std::string attempts_text(const Outcome& outcome) {
  const auto attempts = outcome.measurement("attempts"), rate = outcome.measurement("failure_rate");
  if (!attempts || !rate || !(*attempts > 1) || !std::isfinite(*attempts) || !(*rate >= 0 && *rate <= 1)) return "";
  return "failed " + number_text(std::round(*attempts * *rate)) + " of " + number_text(*attempts) + " attempts";
}

/// The measurements of a case: what decides comes first, times last.
[[nodiscard]] std::string measurements_markup(const std::vector<Measurement>& measurements);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/report/detail/html_measurements.ipp"
#endif
