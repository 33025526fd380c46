#pragma once

#include "assay/training/check_convergence_parity.hpp"

#include <bit>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Table rules_table(const ParityRuns& runs,
                                                           const PairedEquivalence& equivalence) {
  Table table{"What other rules say of the losses", {"rule", "verdict", "why"}, {}};
  const auto range = [](double from, double to) { return number_text(from) + " to " + number_text(to); };
  table.rows.push_back({"two one-sided t-tests, paired by seed",
                        equivalence.equivalent()  ? "equivalent"
                        : equivalence.different() ? "different"
                                                  : "undecided",
                        "mean difference in " + range(equivalence.lower, equivalence.upper) + ", margin ±" +
                            number_text(equivalence.margin)});
  std::size_t failing = 0, accepted = 0;
  for (std::size_t i = 0; i < runs.subject.size(); ++i) {
    const MegatronVerdict verdict = megatron_rule(runs.reference[i], runs.subject[i]);
    failing = std::max(failing, verdict.failing_steps);
    accepted += verdict.accepted() ? 1 : 0;
  }
  table.rows.push_back({"Megatron-LM: 5 % a step", accepted == runs.subject.size() ? "accepted" : "refused",
                        std::to_string(accepted) + " of " + std::to_string(runs.subject.size()) +
                            " seeds accepted; at most " + std::to_string(failing) + " failing steps"});
  if (runs.subject.size() < 2) return table;
  double target = 0;
  for (std::size_t i = 0; i < runs.reference.size(); ++i)
    target = std::max(target, runs.reference_final[i] + (runs.reference[i].front() - runs.reference_final[i]) / 4);
  const ReferenceConvergenceVerdict points = reference_convergence_rule(runs.reference, runs.subject, target);
  table.rows.push_back({"MLPerf: reference convergence points",
                        !points.reached     ? "target not reached"
                        : points.accepted() ? "accepted"
                                            : "refused",
                        "steps to a loss of " + number_text(target) + ": " + number_text(points.subject_steps) +
                            ", reference " + number_text(points.reference_steps) + ", fewest accepted " +
                            number_text(points.fewest)});
  return table;
}

/// Beyond the first-order bound of the early steps: `found` of step, difference and bound.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string drift_violation(const std::vector<double>& reference,
                                                                     const std::vector<double>& subject,
                                                                     const DriftBound& bound) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(bound.useful_steps) && i < subject.size(); ++i) {
    const double difference = std::fabs(subject[i] - reference[i]);
    if (!(difference <= bound.loss[i]))
      return "step " + std::to_string(i + 1) + ": the loss is " + number_text(difference) +
             " from the reference's; other orders of sums account for " + number_text(bound.loss[i]) + " at most";
  }
  return {};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Outcome check_convergence_parity(const TrainingSubject& subject,
                                                            const ParityOptions& options,
                                                            const TrainingSubject& reference) {
  expect(options.pairs >= 1, [] {
    return "ParityOptions::pairs is less than 1; a comparison takes a seed, an equivalence test three at least";
  });
  expect(options.relative_margin > 0, [] { return "ParityOptions::relative_margin must be positive"; });
  Outcome outcome = detail::training_outcome("convergence_parity", subject, options.training);
  detail::ParityRuns runs;
  std::vector<std::string> refuted;
  TrainingOptions seeded = options.training;
  for (int pair = 0; pair < options.pairs; ++pair) {
    seeded.seed = options.training.seed + static_cast<std::uint64_t>(pair);
    const auto expected = reference.train(seeded);
    if (!expected) return detail::failed_training(outcome, "the reference", expected.error());
    const auto found = subject.train(seeded);
    if (!found) return detail::failed_training(outcome, subject.name, found.error());
    if (pair == 0) {
      TrainingOptions promised = seeded;
      promised.fault = TrainingFault::none;
      const auto audit = audit_training(promised, found.value());
      if (!audit) return detail::failed_training(outcome, subject.name, audit.error());
      detail::add_audit(outcome, audit.value());
      for (const TrainingFinding& finding : audit.value().findings) refuted.push_back(finding.text);
      if (!audit.value().undecided.empty()) outcome.reason = audit.value().undecided;
    }
    if (expected.value().empty() || found.value().empty() ||
        expected.value()[0].losses.size() != found.value()[0].losses.size())
      return detail::failed_training(outcome, subject.name,
                                     {ErrorKind::invalid, "its losses are not of as many steps as the reference's"});
    runs.reference.push_back(expected.value()[0].losses);
    runs.subject.push_back(found.value()[0].losses);
    for (std::size_t i = 0; i < runs.subject.back().size(); ++i)
      if (std::bit_cast<std::uint64_t>(runs.reference.back()[i]) !=
              std::bit_cast<std::uint64_t>(runs.subject.back()[i]) &&
          (runs.first_difference == 0 || static_cast<Index>(i) < runs.first_difference - 1))
        runs.first_difference = static_cast<Index>(i) + 1;
    if (!detail::all_finite(runs.reference.back()))
      return detail::failed_training(
          outcome, "the reference",
          {ErrorKind::invalid,
           "its losses are not finite with seed " + std::to_string(seeded.seed) + "; choose a smaller learning rate"});
    if (!detail::all_finite(runs.subject.back()))
      refuted.push_back("losses are not finite with seed " + std::to_string(seeded.seed) + ", and the reference's are");
    runs.reference_final.push_back(final_loss(runs.reference.back()));
    runs.subject_final.push_back(final_loss(runs.subject.back()));
  }

  const bool bitwise = runs.first_difference == 0, finite = detail::all_finite(runs.subject_final);
  outcome.labels["parity"] = bitwise ? "bitwise" : "statistical";
  if (!bitwise && options.must_be_bitwise)
    refuted.push_back("losses differ in their bits from step " + std::to_string(runs.first_difference) +
                      " on, though the same order of sums was promised");
  double mean = 0;
  for (const double loss : runs.reference_final) mean += loss / options.pairs;
  const double margin = options.relative_margin * std::fabs(mean);
  PairedEquivalence equivalence;
  equivalence.margin = margin;
  if (finite) equivalence = paired_equivalence(runs.reference_final, runs.subject_final, margin, options.significance);
  if (!bitwise) {
    const DriftBound drift =
        drift_bound(options.training, subject.ranks, options.training.gradient_type == ElementType::bfloat16);
    outcome.derivation.insert(outcome.derivation.end(), drift.derivation.begin(), drift.derivation.end());
    if (const std::string violation = detail::drift_violation(runs.reference[0], runs.subject[0], drift);
        !violation.empty())
      refuted.push_back(violation);
    outcome.measure("useful_drift_steps", static_cast<double>(drift.useful_steps), "steps");
    Series bound{"allowed |difference of losses|, first order", "step", "nats a token", {}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(drift.useful_steps); ++i)
      bound.points.emplace_back(static_cast<double>(i + 1), drift.loss[i]);
    outcome.series.push_back(std::move(bound));
    outcome.derivation.push_back("margin = " + number_text(margin) + ": " + number_text(100 * options.relative_margin) +
                                 " % of the reference's final loss");
    outcome.derivation.push_back("equivalent if the interval of the mean difference of final losses, of confidence " +
                                 number_text(100 * (1 - 2 * options.significance)) +
                                 " %, lies within ± margin (two one-sided t-tests; Schuirmann, 1987)");
    if (finite && equivalence.different())
      refuted.push_back("final losses differ by " + number_text(equivalence.mean_difference) +
                        " on average, more than the margin of " + number_text(margin));
  }

  outcome.measure("final_loss", runs.subject_final[0], "nats");
  outcome.measure("reference_final_loss", runs.reference_final[0], "nats");
  outcome.measure("mean_difference", bitwise ? 0 : equivalence.mean_difference, "nats");
  outcome.measure("equivalence_margin", margin, "nats");
  outcome.measure("first_different_step", static_cast<double>(runs.first_difference), "step");
  Table table{"Final losses", {"seed", "reference", subject.name, "difference", "largest difference of a step"}, {}};
  for (std::size_t i = 0; i < runs.subject.size(); ++i) {
    double largest = 0;
    for (std::size_t k = 0; k < runs.subject[i].size(); ++k)
      largest = std::max(largest, std::fabs(runs.subject[i][k] - runs.reference[i][k]));
    table.rows.push_back({std::to_string(options.training.seed + i), number_text(runs.reference_final[i], 8),
                          number_text(runs.subject_final[i], 8),
                          number_text(runs.subject_final[i] - runs.reference_final[i]), number_text(largest)});
  }
  outcome.tables.push_back(std::move(table));
  if (finite) outcome.tables.push_back(detail::rules_table(runs, equivalence));
  outcome.series.push_back(detail::loss_series("loss, reference", runs.reference[0]));
  outcome.series.push_back(detail::loss_series("loss, " + subject.name, runs.subject[0]));
  outcome.series.push_back(detail::difference_series(runs.reference[0], runs.subject[0]));

  if (!refuted.empty()) {
    outcome.verdict = Verdict::fail;
    outcome.reason = refuted.front();
    outcome.diagnosis = refuted;
  } else if (!outcome.reason.empty()) {
    outcome.verdict = Verdict::inconclusive;
  } else if (bitwise || equivalence.equivalent()) {
    outcome.verdict = Verdict::pass;
  } else {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "final losses differ by " + number_text(equivalence.mean_difference) + " on average over " +
                     std::to_string(options.pairs) + " seeds, in " + number_text(equivalence.lower) + " to " +
                     number_text(equivalence.upper) + ", which is neither within the margin of ±" +
                     number_text(margin) + " nor beyond it: take more seeds";
  }
  return outcome;
}

}  // namespace assay::inline v0
