#pragma once

#include "assay/report/detail/account.hpp"

#include <string_view>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string stated_reason(const Outcome& outcome) {
  std::string text;
  const bool plain =
      outcome.verdict == Verdict::pass || outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error;
  if (!plain || outcome.reason.empty())
    text += outcome.verdict == Verdict::new_baseline ? "new baseline" : name_of(outcome.verdict);
  if (!text.empty() && !outcome.reason.empty()) text += ": ";
  text += outcome.reason;
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string account_of(const Outcome& outcome) {
  std::string text = stated_reason(outcome);
  if (!outcome.reproduce.empty()) text.append("\nreproduce: ").append(outcome.reproduce);
  const auto list = [&](std::string_view heading, const std::vector<std::string>& lines) {
    if (!lines.empty()) text.append("\n").append(heading);
    for (const std::string& line : lines) text.append("\n  ").append(line);
  };
  list("diagnosis:", outcome.diagnosis);
  list("tolerance:", outcome.derivation);
  std::vector<std::string> measured;
  for (const Measurement& entry : outcome.measurements) {
    measured.push_back(entry.name);
    measured.back().append(" = ").append(quantity_text(entry.value, entry.unit));
  }
  list("measured:", measured);
  text.append("\nseed: ").append(std::to_string(outcome.seed));
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string shortfall(const Run& run) {
  std::string text;
  if (run.outcomes.size() < run.planned_cases) {
    text.append("cut short: ").append(std::to_string(run.planned_cases - run.outcomes.size())).append(" of ");
    text.append(std::to_string(run.planned_cases)).append(" planned cases did not run");
  } else if (run.exit_code() == 2) {
    text.append("nothing was decided: none of ")
        .append(std::to_string(run.outcomes.size()))
        .append(" cases computed something to judge");
  }
  return text;
}

}  // namespace assay::inline v0::detail
