#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/core/run.hpp"
#include "assay/report/text.hpp"

/// What reports in plain text say of a case and of a run as a whole, so that no two of them disagree.
namespace assay::inline v0::detail {

/// The reason; behind the verdict's name where a reader could take the case for passed or failed: "inconclusive: …".
[[nodiscard]] inline std::string stated_reason(const Outcome& outcome) {
  std::string text;
  const bool plain = outcome.verdict == Verdict::pass || outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error;
  if (!plain || outcome.reason.empty()) text += outcome.verdict == Verdict::new_baseline ? "new baseline" : name_of(outcome.verdict);
  if (!text.empty() && !outcome.reason.empty()) text += ": ";
  text += outcome.reason;
  return text;
}

/// Everything that a case has to say in plain text, the two lines that matter most first, since some readers show no more.
[[nodiscard]] inline std::string account_of(const Outcome& outcome) {
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

/// Why the run as a whole says less than it promised: it was cut short, or it decided nothing. Empty if neither.
[[nodiscard]] inline std::string shortfall(const Run& run) {
  std::string text;
  if (run.outcomes.size() < run.planned_cases) {
    text.append("cut short: ").append(std::to_string(run.planned_cases - run.outcomes.size())).append(" of ");
    text.append(std::to_string(run.planned_cases)).append(" planned cases did not run");
  } else if (run.exit_code() == 2) {
    text.append("nothing was decided: none of ").append(std::to_string(run.outcomes.size())).append(" cases computed something to judge");
  }
  return text;
}

}  // namespace assay::inline v0::detail
