#pragma once

#include "assay/training/check_sharding.hpp"

#include <bit>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Outcome check_sharding(const TrainingSubject& subject, const TrainingOptions& options) {
  expect(options.sharding != StateSharding::none, [] {
    return "check_sharding() was given options without sharding; set optimizer_state, gradients or weights";
  });
  Outcome outcome = detail::training_outcome("sharding", subject, options);
  TrainingOptions plain = options;
  plain.sharding = StateSharding::none;
  plain.fault = TrainingFault::none;
  const auto whole = subject.train(plain);
  if (!whole) return detail::failed_training(outcome, subject.name + " without sharding", whole.error());
  const auto sharded = subject.train(options);
  if (!sharded) return detail::failed_training(outcome, subject.name, sharded.error());
  TrainingOptions promised = options;
  promised.fault = TrainingFault::none;
  const auto audit = audit_training(promised, sharded.value());
  if (!audit) return detail::failed_training(outcome, subject.name, audit.error());
  detail::add_audit(outcome, audit.value());
  const std::vector<double>&a = whole.value()[0].losses, &b = sharded.value()[0].losses;
  if (a.size() != b.size())
    return detail::failed_training(outcome, subject.name,
                                   {ErrorKind::invalid, "the sharded training has other steps than the whole"});
  Index first = 0;
  for (std::size_t i = a.size(); i-- > 0;)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) first = static_cast<Index>(i) + 1;
  outcome.labels["parity"] = first == 0 ? "bitwise" : "bounded";
  outcome.measure("first_different_step", static_cast<double>(first), "step");
  outcome.series.push_back(detail::loss_series("loss, whole state", a));
  outcome.series.push_back(detail::loss_series("loss, sharded " + std::string(name_of(options.sharding)), b));
  if (first > 0 && options.sharding == StateSharding::optimizer_state) {
    outcome.diagnosis.push_back("losses differ in their bits from step " + std::to_string(first) +
                                " on, though the same all_reduce sums gradients");
  } else if (first > 0) {
    const DriftBound drift = drift_bound(plain, subject.ranks, options.gradient_type == ElementType::bfloat16);
    outcome.derivation.insert(outcome.derivation.end(), drift.derivation.begin(), drift.derivation.end());
    for (std::size_t i = 0; i < static_cast<std::size_t>(drift.useful_steps) && i < a.size(); ++i) {
      if (std::fabs(a[i] - b[i]) <= drift.loss[i]) continue;
      outcome.diagnosis.push_back(
          "step " + std::to_string(i + 1) + ": the loss is " + number_text(std::fabs(a[i] - b[i])) +
          " from that of the whole state; other orders of sums account for " + number_text(drift.loss[i]) + " at most");
      break;
    }
  }
  outcome.verdict = !outcome.diagnosis.empty()        ? Verdict::fail
                    : audit.value().undecided.empty() ? Verdict::pass
                                                      : Verdict::inconclusive;
  outcome.reason = !outcome.diagnosis.empty() ? outcome.diagnosis.front() : audit.value().undecided;
  return outcome;
}

}  // namespace assay::inline v0
