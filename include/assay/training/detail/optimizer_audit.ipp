#pragma once

#include "assay/training/detail/optimizer_audit.hpp"

#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE AdamWElement::AdamWElement(const AdamW& optimizer, Index step, double g, double w, double m,
                                                      double v, double new_first, double new_second) {
  constexpr double u = float32_unit;
  const auto complement_error = [](double beta) { return beta == 0 ? 0 : u * (1 + beta) / (1 - beta); };
  const auto moment = [&](double beta, double old, double value, double& result, double& error) {
    const double kept = beta * old, added = (1 - beta) * value;
    result = kept + added;
    error = 4 * u * (std::fabs(kept) + std::fabs(added)) + complement_error(beta) * std::fabs(added) + 0x1p-125;
  };
  moment(optimizer.beta1, m, g, first, first_error);
  moment(optimizer.beta2, v, g * g, second, second_error);
  const double t = static_cast<double>(step),
               first_share = optimizer.bias_correction ? 1 - std::pow(optimizer.beta1, t) : 1,
               second_share = optimizer.bias_correction ? 1 - std::pow(optimizer.beta2, t) : 1;
  const double update =
      optimizer.learning_rate * (new_first / first_share) / (std::sqrt(new_second / second_share) + optimizer.epsilon);
  const double decay = optimizer.learning_rate * optimizer.weight_decay;
  weight = w - decay * w - update;
  weight_error = u * (4 * std::fabs(w) + 16 * std::fabs(update) + 4 * std::fabs(decay * w)) + 0x1p-125;
}

ASSAY_DETAIL_HEADER_INLINE OptimizerAudit audit_optimizer(const TrainingOptions& options, const TrainingTrace& trace,
                                                          std::size_t k) {
  OptimizerAudit audit;
  const AuditedStep& record = trace.audited[k];
  const auto total = static_cast<Index>(record.before.weights.size());
  const RankShare shard =
      options.sharding == StateSharding::none ? RankShare{0, total} : weights_of(total, trace.rank, trace.size);
  AdamW uncorrected = options.optimizer;
  uncorrected.bias_correction = false;
  std::size_t wrong = 0, untouched = 0, uncorrected_too = 0;
  Index worst_element = 0, first_untouched = -1, last_untouched = -1;
  const auto ratio_of = [](double value, double expected, double error) {
    return std::fabs(value - expected) <= error ? std::fabs(value - expected) / error
           : std::isfinite(value)               ? std::fabs(value - expected) / error
                                                : std::numeric_limits<double>::infinity();
  };
  for (Index i = shard.begin; i < shard.end; ++i) {
    const auto at = static_cast<std::size_t>(i), own = static_cast<std::size_t>(i - shard.begin);
    const double g = static_cast<double>(record.gradient[static_cast<std::size_t>(i - record.gradient_begin)]);
    const double w = static_cast<double>(record.before.weights[at]), m = static_cast<double>(record.before.first[own]),
                 v = static_cast<double>(record.before.second[own]);
    const double new_w = static_cast<double>(record.after.weights[at]),
                 new_m = static_cast<double>(record.after.first[own]),
                 new_v = static_cast<double>(record.after.second[own]);
    const auto ratio_under = [&](const AdamW& optimizer) {
      const AdamWElement expected(optimizer, record.step, g, w, m, v, new_m, new_v);
      const double moments = std::max(ratio_of(new_m, expected.first, expected.first_error),
                                      ratio_of(new_v, expected.second, expected.second_error));
      return std::max(moments, ratio_of(new_w, expected.weight, expected.weight_error));
    };
    const double ratio = ratio_under(options.optimizer);
    if (ratio > audit.worst_ratio) audit.worst_ratio = ratio, worst_element = i;
    if (ratio <= 1) continue;
    ++wrong;
    if (new_w == w && new_m == m && new_v == v) {
      ++untouched;
      if (first_untouched < 0) first_untouched = i;
      last_untouched = i;
    }
    if (ratio_under(uncorrected) <= 1) ++uncorrected_too;
  }
  if (wrong == 0) return audit;
  const std::string place = "step " + std::to_string(record.step) + ", rank " + std::to_string(trace.rank) + ": ";
  if (untouched == wrong) {
    const bool boundary = wrong == 1 && shard.count() > 1 &&
                          (last_untouched == shard.end - 1 || first_untouched == shard.begin) &&
                          options.sharding != StateSharding::none;
    audit.findings.push_back({boundary ? TrainingFault::shard_off_by_one : TrainingFault::unknown, trace.rank,
                              place + std::to_string(wrong) + " of the weights " + std::to_string(shard.begin) +
                                  " to " + std::to_string(shard.end - 1) + " that it has to update " +
                                  (wrong == 1 ? "was" : "were") +
                                  " not: " + parameter_name(options.model, first_untouched) +
                                  (wrong > 1 ? " to " + parameter_name(options.model, last_untouched) : "") +
                                  (boundary ? ", at the boundary of its shard: the boundary is off by one" : "")});
  } else if (uncorrected_too == wrong && options.optimizer.bias_correction) {
    audit.findings.push_back({TrainingFault::no_bias_correction, trace.rank,
                              place + "the step is that of AdamW without bias correction, m/(√v + ε): " +
                                  std::to_string(wrong) + " weights"});
  } else {
    audit.findings.push_back({TrainingFault::unknown, trace.rank,
                              place + std::to_string(wrong) +
                                  " weights or moments after the step are not AdamW's of its gradient; the worst, " +
                                  parameter_name(options.model, worst_element) + ", is off by " +
                                  number_text(audit.worst_ratio) + " times what rounding allows"});
  }
  return audit;
}

}  // namespace assay::inline v0::detail
