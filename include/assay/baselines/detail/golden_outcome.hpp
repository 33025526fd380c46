#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/baselines/baseline_record.hpp"
#include "assay/baselines/compare_golden.hpp"
#include "assay/baselines/detail/tensor_sums.hpp"
#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/report/utc_time.hpp"
#include "assay/suite/observed_output.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] inline std::string now_text() {
  return second_text(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())) + "Z";
}

[[nodiscard]] inline Outcome begun_outcome(const BaselineSubject& subject, const std::string& key) {
  Outcome outcome;
  outcome.id = "baseline/" + subject.test + (subject.output.empty() ? "" : "/" + subject.output);
  outcome.labels = {{"baseline", key}, {"test", subject.test}};
  return outcome;
}

[[nodiscard]] inline Outcome error_outcome(Outcome outcome, const Error& error) {
  outcome.verdict = Verdict::error;
  outcome.reason = error.message;
  return outcome;
}

[[nodiscard]] inline Outcome absent_outcome(Outcome outcome, const std::string& store) {
  outcome.verdict = Verdict::new_baseline;
  outcome.reason = "there is no golden output in " + store + "; record one (assay baseline record)";
  return outcome;
}

[[nodiscard]] Outcome recorded_outcome(Outcome outcome, const BaselineRecord& record, const std::string& store);

/// Of what a golden record is.
void tell_golden(Outcome& outcome, const BaselineRecord& golden);

/// The comparison of an output with a golden record, told. `found` is the output in the form of the golden tensor.
[[nodiscard]] Outcome compared_outcome(Outcome outcome, const BaselineRecord& golden, const GoldenTensor& found,
                                       const ObservedOutput& output);

/// The comparison that came before, as the refusal to record.
[[nodiscard]] Outcome refused_outcome(Outcome outcome, const std::string& key);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/baselines/detail/golden_outcome.ipp"
#endif
