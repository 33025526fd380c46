#pragma once

#include "assay/training/check_gradient_type.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Outcome check_gradient_type(const TrainingSubject& subject, const TrainingOptions& options) {
  Outcome outcome = detail::training_outcome("gradient_type", subject, options);
  const auto traces = subject.train(options);
  if (!traces) return detail::failed_training(outcome, subject.name, traces.error());
  TrainingOptions promised = options;
  promised.fault = TrainingFault::none;
  const auto audit = audit_training(promised, traces.value());
  if (!audit) return detail::failed_training(outcome, subject.name, audit.error());
  detail::add_audit(outcome, audit.value());
  Table table{"Summed gradients, relative to the exact sums",
              {"step", std::string(name_of(options.gradient_type)) + ", measured",
               std::string(name_of(options.gradient_type)) + ", bound", "f32, measured", "f32, bound"},
              {}};
  Series measured{"relative deviation of gradients", "step", "‖G − exact‖/‖exact‖", {}},
      bound{"relative deviation of gradients, bound", "step", "‖E‖/‖exact‖", {}};
  const bool narrow = options.gradient_type == ElementType::bfloat16;
  double largest = 0, largest_wide = 0;
  for (std::size_t k = 0; k < traces.value()[0].audited.size(); ++k) {
    const AuditedStep& record = traces.value()[0].audited[k];
    const detail::BatchGradient batch = detail::batch_gradient(options, record.before);
    std::vector<std::vector<float>> parts;
    for (int rank = 0; rank < subject.ranks; ++rank)
      parts.push_back(
          detail::local_gradient(options, record.before, samples_of(options.global_batch, rank, subject.ranks)).sum);
    std::vector<float> wide(batch.sum.size());
    detail::sum_in_order(parts, GradientOrder::ring, 0, wide.size(), wide.data());
    double exact = 0, error = 0, wide_error = 0, allowed = 0, wide_allowed = 0;
    for (const TrainingTrace& trace : traces.value()) {  // all of the gradient, from its shards where it is sharded
      const AuditedStep& own = trace.audited[k];
      if (trace.rank > 0 && options.sharding < StateSharding::gradients) break;
      for (std::size_t at = 0; at < own.gradient.size(); ++at) {
        const std::size_t i = static_cast<std::size_t>(own.gradient_begin) + at;
        const double wanted = batch.sum[i] / batch.all_tokens;
        const auto square = [](double value) { return value * value; };
        exact += square(wanted);
        error += square(static_cast<double>(own.gradient[at]) - wanted);
        wide_error += square((static_cast<double>(wide[i]) - batch.sum[i]) / batch.all_tokens);
        allowed += square(batch.allowed(i, subject.ranks, narrow));
        wide_allowed += square(batch.allowed(i, subject.ranks, false));
      }
    }
    const auto relative = [&](double squares) { return exact > 0 ? std::sqrt(squares / exact) : 0; };
    largest = std::max(largest, relative(error));
    largest_wide = std::max(largest_wide, relative(wide_error));
    table.rows.push_back({std::to_string(record.step), number_text(relative(error)), number_text(relative(allowed)),
                          number_text(relative(wide_error)), number_text(relative(wide_allowed))});
    measured.points.emplace_back(static_cast<double>(record.step), relative(error));
    bound.points.emplace_back(static_cast<double>(record.step), relative(allowed));
  }
  outcome.measure("relative_deviation", largest);
  outcome.measure("relative_deviation_f32", largest_wide);
  outcome.tables.push_back(std::move(table));
  outcome.series.push_back(std::move(measured));
  outcome.series.push_back(std::move(bound));
  outcome.verdict = !audit.value().findings.empty()   ? Verdict::fail
                    : audit.value().undecided.empty() ? Verdict::pass
                                                      : Verdict::inconclusive;
  outcome.reason = !audit.value().findings.empty() ? audit.value().findings.front().text : audit.value().undecided;
  return outcome;
}

}  // namespace assay::inline v0
