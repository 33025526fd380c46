#pragma once

#include "assay/baselines/detail/golden_outcome.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Outcome recorded_outcome(Outcome outcome, const BaselineRecord& record,
                                                    const std::string& store) {
  outcome.verdict = Verdict::new_baseline;
  outcome.reason = "recorded for the first time in " + store +
                   (record.approved_by.empty() ? ", approved by nobody yet (assay baseline approve)"
                                               : ", approved by " + record.approved_by);
  outcome.measure(measurement::elements, static_cast<double>(record.tensor.elements()), "elements");
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE void tell_golden(Outcome& outcome, const BaselineRecord& golden) {
  const Environment& by = golden.environment;
  std::string made = "golden of " + golden.created_at;
  if (!by.host_name.empty()) made += " on " + by.host_name;
  for (const std::string& device : by.devices) made += ", " + device;
  for (const auto& [library, version] : by.libraries) made += ", " + library + " " + version;
  outcome.derivation.push_back(made);
  outcome.derivation.push_back(golden.approved_by.empty()
                                   ? "approved by nobody yet"
                                   : "approved by " + golden.approved_by + " at " + golden.approved_at);
  if (!golden.note.empty()) outcome.derivation.push_back("note: " + golden.note);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE GoldenAllowance allowance_of(const ObservedOutput& output,
                                                                      const GoldenTensor& golden) {
  GoldenAllowance allowance;
  if (output.allowed.empty()) return allowance;
  if (golden.whole()) {
    allowance.elements = output.allowed;
    return allowance;
  }
  for (const Index position : golden.sampled)
    allowance.elements.push_back(output.allowed[static_cast<std::size_t>(position)]);
  sum_allowances(output.allowed, golden.sums.columns, allowance.rows, allowance.columns);
  return allowance;
}

ASSAY_DETAIL_HEADER_INLINE Outcome compared_outcome(Outcome outcome, const BaselineRecord& golden,
                                                    const GoldenTensor& found, const ObservedOutput& output) {
  const bool same_form = found.format == golden.tensor.format && found.extents == golden.tensor.extents;
  const GoldenComparison compared = compare_golden(
      golden.tensor, found, same_form ? allowance_of(output, golden.tensor) : GoldenAllowance{}, golden.tolerance);
  outcome.verdict = compared.verdict;
  outcome.reason = compared.reason;
  outcome.derivation.push_back("compared by " + compared.rule);
  outcome.labels["rule"] = compared.identical ? "identical" : golden.tolerance;
  const auto count = [&](const char* name, std::size_t number) {
    outcome.measure(name, static_cast<double>(number), "elements");
  };
  count(measurement::elements, compared.elements);
  count(measurement::violations, compared.violations);
  if (compared.identical || !same_form) return outcome;
  count("differing_elements", compared.differing);
  count("undecided_elements", compared.undecided);
  outcome.measure(measurement::worst_error_ratio, compared.worst_ratio);
  outcome.measure(measurement::max_absolute_error, compared.max_absolute_error);
  outcome.measure(measurement::max_relative_error, compared.max_relative_error);
  outcome.measure(measurement::max_ulp_error, compared.max_ulp_error, "ulp");
  if (compared.worst_element >= 0) outcome.measure("worst_element", static_cast<double>(compared.worst_element));
  if (golden.tensor.whole()) return outcome;
  outcome.labels["check"] = "sampled";
  outcome.derivation.push_back("the golden output has " + std::to_string(golden.tensor.elements()) +
                               " elements: compared were " + std::to_string(compared.elements) + " samples and " +
                               std::to_string(compared.sums) + " sums of rows and columns");
  outcome.measure("sum_violations", static_cast<double>(compared.sum_violations));
  return outcome;
}

ASSAY_DETAIL_HEADER_INLINE Outcome refused_outcome(Outcome outcome, const std::string& key) {
  const bool within = outcome.verdict == Verdict::pass;
  if (outcome.verdict == Verdict::error) return outcome;
  outcome.reason =
      "not recorded: there is a golden output with other bits" +
      (within ? std::string(", within tolerance of which this one lies") : " (" + outcome.reason + ")") +
      "; it stays, and this one is kept as its candidate. If the new one is right: assay baseline approve " +
      key.substr(0, 12);
  outcome.verdict = Verdict::fail;
  return outcome;
}

}  // namespace assay::inline v0::detail
