#pragma once

#include "assay/training/detail/gradient_audit.hpp"

#include <algorithm>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<GradientHypothesis> gradient_hypotheses(
    const TrainingOptions& options, int ranks, const BatchGradient& batch, const BatchGradient* before, Index step) {
  std::vector<GradientHypothesis> list;
  const bool narrow = options.gradient_type == ElementType::bfloat16;
  const double tokens = batch.all_tokens, n = ranks;
  const auto share = [total = options.global_batch, ranks](int rank) { return samples_of(total, rank, ranks); };
  const auto add = [&](TrainingFault fault, int rank, std::string text, std::function<double(int, std::size_t)> value,
                       double growth = 1) {
    list.push_back({fault, rank, std::move(text), std::move(value), narrow, growth});
  };
  if (step == 1)
    add(TrainingFault::stale_gradients, -1, "the sum is 0 everywhere: it was taken before gradients were written",
        [](int, std::size_t) { return 0.0; });
  if (before != nullptr)
    add(TrainingFault::stale_gradients, -1, "the sum is that of the step before",
        [before](int, std::size_t i) { return before->sum[i] / before->all_tokens; });
  for (int q = 0; q < ranks; ++q) {
    const RankShare part = share(q);
    if (part.count() == 0) continue;
    add(TrainingFault::dropped_rank, q, "the gradients of rank " + std::to_string(q) + " are not in the sum",
        [&batch, part, tokens](int, std::size_t i) { return (batch.sum[i] - batch.of_samples(part, i)) / tokens; });
    add(
        TrainingFault::doubled_rank, q, "the gradients of rank " + std::to_string(q) + " are in the sum twice",
        [&batch, part, tokens](int, std::size_t i) { return (batch.sum[i] + batch.of_samples(part, i)) / tokens; }, 2);
  }
  if (ranks > 1) {
    add(TrainingFault::average_for_sum, -1,
        "gradients are averaged over ranks and then divided by the tokens of all: " + std::to_string(ranks) +
            " times too small",
        [&batch, tokens, n](int, std::size_t i) { return batch.sum[i] / n / tokens; });
    add(
        TrainingFault::average_for_sum, -1,
        "gradients are " + std::to_string(ranks) + " times too large: they are summed where an average was meant",
        [&batch, tokens, n](int, std::size_t i) { return batch.sum[i] * n / tokens; }, n);
    add(
        TrainingFault::mean_of_means, -1,
        "the means over each rank's tokens are averaged; ranks have unequal numbers of tokens, and each token must "
        "count alike",
        [&batch, share, ranks, n](int, std::size_t i) {
          double sum = 0;
          for (int q = 0; q < ranks; ++q)
            if (share(q).count() > 0) sum += batch.of_samples(share(q), i) / batch.tokens_of(share(q));
          return sum / n;
        },
        3);
    add(TrainingFault::skipped_bucket, -1, "each rank has its own part: these elements were not summed over ranks",
        [&batch, share, tokens](int rank, std::size_t i) { return batch.of_samples(share(rank), i) / tokens; });
  }
  for (Index s = 0; s < options.global_batch; ++s) {
    int owner = 0;
    while (share(owner).end <= s) ++owner;
    add(TrainingFault::lost_microbatch, owner,
        "the gradients of sample " + std::to_string(s) + " of the batch, one of rank " + std::to_string(owner) +
            "'s, are not in the sum",
        [&batch, s, tokens](int, std::size_t i) {
          return (batch.sum[i] - static_cast<double>(batch.samples[static_cast<std::size_t>(s)][i])) / tokens;
        });
  }
  add(TrainingFault::narrow_accumulation, -1,
      "the errors are those of bfloat16: gradients were summed in fewer bits than the float32 that was promised",
      [&batch, tokens](int, std::size_t i) { return batch.sum[i] / tokens; });
  list.back().narrow = true;
  return list;
}

ASSAY_DETAIL_HEADER_INLINE GradientAudit audit_gradients(const TrainingOptions& options,
                                                         std::span<const TrainingTrace> traces, std::size_t k,
                                                         const BatchGradient& batch, const BatchGradient* before) {
  GradientAudit audit;
  const Index step = traces[0].audited[k].step;
  const int ranks = static_cast<int>(traces.size());
  const std::string place = "step " + std::to_string(step) + ": ";
  const bool narrow = options.gradient_type == ElementType::bfloat16;
  if (!std::isfinite(gamma_of(static_cast<double>(batch.samples.size()) + ranks + 2, float32_unit)) ||
      (narrow && !std::isfinite(gamma_of(ranks + 1, bfloat16_unit)))) {
    audit.undecided = place + "sums over " + std::to_string(ranks) + " ranks in " +
                      std::string(name_of(options.gradient_type)) +
                      " have no error bound: too many roundings for its digits";
    return audit;
  }
  for (std::size_t i = 0; i < batch.sum.size(); ++i)
    if (!std::isfinite(batch.sum[i])) {
      audit.undecided =
          place + "the gradient is not finite, so that nothing can be said of its sum: training has diverged";
      return audit;
    }
  const double loss = batch.all_losses / batch.all_tokens;
  for (const TrainingTrace& trace : traces) {
    const double told = trace.losses[static_cast<std::size_t>(step - trace.first_step)];
    if (std::fabs(told - loss) <= 1e-12 * std::fabs(loss)) continue;
    double means = 0;
    for (int q = 0; q < ranks; ++q) {
      const RankShare part = samples_of(options.global_batch, q, ranks);
      double sum = 0;
      for (Index s = part.begin; s < part.end; ++s) sum += batch.losses[static_cast<std::size_t>(s)];
      if (part.count() > 0) means += sum / batch.tokens_of(part) / ranks;
    }
    const bool of_means = std::fabs(told - means) <= 1e-12 * std::fabs(means);
    audit.findings.push_back({of_means ? TrainingFault::mean_of_means : TrainingFault::unknown, trace.rank,
                              place + "the loss of rank " + std::to_string(trace.rank) + " is " +
                                  number_text(told, 17) + "; over all tokens it is " + number_text(loss, 17) +
                                  (of_means ? "; the mean of the ranks' means was taken" : "")});
    break;
  }

  std::vector<GradientViolation> wrong;
  double worst = 0;
  std::size_t worst_element = 0;
  for (const TrainingTrace& trace : traces) {
    const AuditedStep& record = trace.audited[k];
    for (std::size_t at = 0; at < record.gradient.size(); ++at) {
      const std::size_t i = static_cast<std::size_t>(record.gradient_begin) + at;
      const double value = static_cast<double>(record.gradient[at]), allowed = batch.allowed(i, ranks, narrow),
                   error = std::fabs(value - batch.sum[i] / batch.all_tokens);
      const double ratio = error <= allowed                      ? (allowed > 0 ? error / allowed : 0)
                           : std::isfinite(value) && allowed > 0 ? error / allowed
                                                                 : std::numeric_limits<double>::infinity();
      if (ratio > worst) worst = ratio, worst_element = i;
      if (!(ratio <= 1)) wrong.push_back({trace.rank, i, value});
    }
  }
  audit.worst_ratio = worst;
  if (wrong.empty()) return audit;
  const auto explains = [&](const GradientHypothesis& hypothesis) {
    return std::all_of(wrong.begin(), wrong.end(), [&](const GradientViolation& violation) {
      const double limit = 2 * hypothesis.growth * batch.allowed(violation.element, ranks, hypothesis.narrow) +
                           (before != nullptr && hypothesis.fault == TrainingFault::stale_gradients
                                ? before->allowed(violation.element, ranks, narrow)
                                : 0);
      return std::fabs(violation.value - hypothesis.value(violation.rank, violation.element)) <= limit;
    });
  };
  const std::string extent =
      " (" + std::to_string(wrong.size()) + " elements over all ranks, between " +
      parameter_name(
          options.model,
          static_cast<Index>(std::min_element(wrong.begin(), wrong.end(),
                                              [](const auto& a, const auto& b) { return a.element < b.element; })
                                 ->element)) +
      " and " +
      parameter_name(
          options.model,
          static_cast<Index>(std::max_element(wrong.begin(), wrong.end(),
                                              [](const auto& a, const auto& b) { return a.element < b.element; })
                                 ->element)) +
      "; the worst, " + parameter_name(options.model, static_cast<Index>(worst_element)) + ", is off by " +
      number_text(worst) + " times what rounding allows)";
  const std::vector<GradientHypothesis> hypotheses = gradient_hypotheses(options, ranks, batch, before, step);
  const auto cause = std::find_if(hypotheses.begin(), hypotheses.end(), explains);
  if (cause == hypotheses.end())
    audit.findings.insert(
        audit.findings.begin(),
        {TrainingFault::unknown, -1, place + "the summed gradients are wrong in no way that is known here" + extent});
  else
    audit.findings.insert(audit.findings.begin(), {cause->fault, cause->rank, place + cause->text + extent});
  return audit;
}

}  // namespace assay::inline v0::detail
