#pragma once

#include "assay/accuracy/accuracy_outcome.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string id_part(std::string_view name) {
  std::string part(name.empty() ? std::string_view("model") : name);
  std::replace_if(
      part.begin(), part.end(), [](char c) { return c == '/' || static_cast<unsigned char>(c) <= ' '; }, '_');
  return part;
}

/// Whatever else was found: a model that answers with NaN, or whose score is infinite, is wrong.
ASSAY_DETAIL_HEADER_INLINE void fail_broken(Outcome& outcome, const Score& score, const AccuracyContext& context) {
  if (!context.broken.empty()) {
    outcome.verdict = Verdict::fail;
    outcome.reason = std::to_string(context.broken.size()) + " samples are broken: " + listed_names(context.broken);
  } else if (!std::isfinite(score.value)) {
    outcome.verdict = Verdict::fail;
    outcome.reason = score.name + (std::isnan(score.value) ? " is NaN: " : " is infinite: ") +
                     std::to_string(score.statistics.size()) + " samples have no finite value together";
  }
  outcome.measure("broken_samples", static_cast<double>(context.broken.size()), "samples");
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome measured_outcome(const Score& score, const AccuracyContext& context) {
  Outcome outcome;
  outcome.id = "model/" + id_part(context.model) + "/" +
               (context.dataset.empty() ? std::string() : id_part(context.dataset) + "/") + score.name;
  outcome.labels = {{"model", context.model}, {"metric", score.name}};
  if (!context.dataset.empty()) outcome.labels["dataset"] = context.dataset;
  outcome.measure(score.name, score.value, score.unit);
  for (const Measurement& part : score.parts) outcome.measurements.push_back(part);
  if (score.statistics.size() > 0 && !outcome.measurement("samples"))
    outcome.measure("samples", static_cast<double>(score.statistics.size()), "samples");
  outcome.derivation.push_back(score.name + ": " + score.convention + "; " +
                               (score.higher_is_better ? "higher" : "lower") + " is better");
  for (const std::string& note : context.notes) outcome.derivation.push_back(note);
  return outcome;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string listed_names(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

ASSAY_DETAIL_HEADER_INLINE Outcome accuracy_outcome(const Score& score, const AccuracyContext& context) {
  Outcome outcome = detail::measured_outcome(score, context);
  outcome.verdict = Verdict::new_baseline;
  outcome.reason = score.name + " is " + detail::printed_number(score.value) + "; there was nothing to compare it with";
  detail::fail_broken(outcome, score, context);
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE Outcome accuracy_outcome(const Score& score, double baseline,
                                                    const EquivalenceJudgment& judgment, double margin,
                                                    const AccuracyContext& context) {
  Outcome outcome = detail::measured_outcome(score, context);
  outcome.verdict = judgment.verdict;
  outcome.reason = judgment.reason;
  outcome.derivation.push_back(judgment.method);
  outcome.measure(score.name + "_baseline", baseline, score.unit);
  outcome.measure("difference", judgment.interval.estimate, score.unit);
  outcome.measure("difference_lower", judgment.interval.lower, score.unit);
  outcome.measure("difference_upper", judgment.interval.upper, score.unit);
  outcome.measure("margin", margin, score.unit);
  if (!std::isnan(judgment.p_difference)) outcome.measure("p_difference", judgment.p_difference);
  if (judgment.samples_needed > 0)
    outcome.measure("samples_needed", static_cast<double>(judgment.samples_needed), "samples");
  detail::fail_broken(outcome, score, context);
  return outcome;
}

}  // namespace assay::inline v0
