#pragma once

#include "assay/validators/relations/check_relation.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::size_t judge_related(const RelatedValues& values, const std::string& relation,
                                                     Outcome& outcome) {
  std::size_t judged = 0, broken = 0, worst = 0;
  double worst_ratio = 0;
  expect(values.found.size() == values.due.size() &&
             (values.allowed.empty() || values.allowed.size() == values.due.size()),
         [&] {
           return "a relation of " + values.output + " compares " + std::to_string(values.found.size()) +
                  " elements with " + std::to_string(values.due.size());
         });
  for (std::size_t e = 0; e < values.found.size(); ++e) {
    const double found = values.found[e], due = values.due[e], allowed = values.allowed.empty() ? 0 : values.allowed[e];
    if (!(allowed < 0x1p1000)) continue;
    ++judged;
    const bool same = found == due || (is_nan(found) && is_nan(due));
    const double ratio = same ? 0
                         : is_finite(found) && is_finite(due) && allowed > 0
                             ? std::fabs(found - due) / allowed
                             : double_of(binary64_layout.infinity_bits());
    broken += ratio > 1 ? 1 : 0;
    if (ratio > worst_ratio || (ratio > 1 && broken == 1)) worst_ratio = ratio, worst = e;
  }
  const auto add = [&](const char* name, double value, const char* unit) {
    for (Measurement& entry : outcome.measurements)
      if (entry.name == name)
        return static_cast<void>(entry.value =
                                     std::string(unit) == "1" ? std::fmax(entry.value, value) : entry.value + value);
    outcome.measure(name, value, unit);
  };
  add(measurement::elements, static_cast<double>(judged), "elements");
  add(measurement::violations, static_cast<double>(broken), "elements");
  add(measurement::worst_error_ratio, worst_ratio, "1");
  if (broken == 0) return judged;
  outcome.verdict = Verdict::fail;
  outcome.reason = "relation " + relation + " does not hold: " + std::to_string(broken) + " of " +
                   std::to_string(judged) + " elements of " + values.output + ", the first of the worst at " +
                   std::to_string(worst) + ": " + ratio_text(values.found[worst]) + " where " +
                   ratio_text(values.due[worst]) +
                   (values.allowed.empty() ? " is due" : " is due within " + ratio_text(values.allowed[worst]));
  return judged;
}

}  // namespace assay::inline v0::detail
