#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/coordinator.hpp"
#include "assay/training/data_parallel_trainer.hpp"
#include "assay/training/detail/byte_archive.hpp"

namespace assay {

/// Whoever trains: with the options given on all ranks, and gives what each recorded, in the order of ranks. One's own trainer of the language model
/// is such a function; it may ignore `options.fault`.
struct TrainingSubject {
  std::string name;  ///< short and stable, a part of ids of cases
  int ranks = 1;
  std::function<Result<std::vector<TrainingTrace>>(const TrainingOptions& options)> train;
};

/// Trains on this rank of a collective and gives every rank the traces of all, so that all judge alike. Every rank makes one and calls it in the
/// same order. `collective` and `coordinator` must outlive it. Errors: the collective's; `timed_out`, naming the ranks whose traces did not come.
[[nodiscard]] inline TrainingSubject collective_training(AnyCollective& collective, Coordinator& coordinator) {
  return {collective.name(), collective.size(), [&collective, &coordinator](const TrainingOptions& options) -> Result<std::vector<TrainingTrace>> {
            auto trained = train(collective, options);
            auto exchanged = coordinator.exchange(trained ? "+" + detail::to_bytes(trained.value()) : "-" + trained.error().message, deadline_after(options.deadline));
            if (!trained) return trained.propagate();
            if (!exchanged) return exchanged.propagate();
            std::vector<TrainingTrace> traces(exchanged.value().size());
            for (std::size_t rank = 0; rank < traces.size(); ++rank) {
              const auto& text = exchanged.value()[rank];
              const std::string who = "rank " + std::to_string(rank);
              if (!text) return failure(ErrorKind::timed_out, who + " has not told what it recorded in time");
              if (text->empty() || text->front() == '-') return failure(ErrorKind::aborted, who + " did not come to the end of its training: " + (text->empty() ? "" : text->substr(1)));
              if (!detail::from_bytes(std::string_view(*text).substr(1), traces[rank])) return failure(ErrorKind::malformed, "what " + who + " recorded cannot be read: is it another version of this program?");
            }
            return traces;
          }};
}

/// In which order the gradients of ranks are added up by `serial_training`.
enum class GradientOrder {
  ascending,  ///< ((g₀ + g₁) + g₂) + …
  ring        ///< element q of p nearly equal pieces: ((g_{q+1} + g_{q+2}) + …) + g_q, as a ring's reduce-scatter has it
};

namespace detail {

/// to[i] = Σ parts[r][begin + i], added up in the order given. Precondition: there are parts.
template <class Real>
void sum_in_order(const std::vector<std::vector<Real>>& parts, GradientOrder order, std::size_t begin, std::size_t count, Real* to) {
  const std::size_t ranks = parts.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t last = ranks - 1;
    if (order == GradientOrder::ring) {
      const std::size_t each = count / ranks, longer = count % ranks;
      last = i < longer * (each + 1) ? i / (each + 1) : longer + (i - longer * (each + 1)) / each;
    }
    Real sum = parts[(last + 1) % ranks][begin + i];
    for (std::size_t k = 2; k <= ranks; ++k) sum += parts[(last + k) % ranks][begin + i];
    to[i] = sum;
  }
}

}  // namespace detail

/// Without a collective: one process computes the gradients of `ranks` ranks and adds them up, in float32, in the order given, a bucket at a time. It gives one
/// trace. Options of gradient type, sharding and fault do not touch it: it is the reference.
[[nodiscard]] inline TrainingSubject serial_training(int ranks = 1, GradientOrder order = GradientOrder::ascending) {
  expect(ranks >= 1, [] { return "serial_training() needs a rank at least"; });
  return {"serial", ranks, [ranks, order](const TrainingOptions& given) -> Result<std::vector<TrainingTrace>> {
            TrainingOptions options = given;
            options.sharding = StateSharding::none;
            options.gradient_type = ElementType::float32;
            expect_valid(options);
            TrainingTrace trace;
            TrainingState state = initial_state(options, 0, 1);
            std::vector<std::vector<float>> parts(static_cast<std::size_t>(ranks));
            std::vector<std::vector<double>> totals(static_cast<std::size_t>(ranks));
            while (state.steps_done < options.steps) {
              AuditedStep record;
              if (options.audits(state.steps_done + 1)) record.before = state;
              trace.checksums.push_back(bits_checksum(state.weights));
              for (int rank = 0; rank < ranks; ++rank) {
                detail::LocalGradient local = detail::local_gradient(options, state, samples_of(options.global_batch, rank, ranks));
                parts[static_cast<std::size_t>(rank)] = std::move(local.sum);
                totals[static_cast<std::size_t>(rank)] = {local.loss, local.tokens};
              }
              double all[2];
              detail::sum_in_order(totals, order, 0, 2, all);
              trace.losses.push_back(all[0] / all[1]);
              std::vector<float> gradient(state.weights.size());
              for (std::size_t begin = 0; begin < gradient.size(); begin += static_cast<std::size_t>(options.bucket_elements))
                detail::sum_in_order(parts, order, begin, std::min(gradient.size() - begin, static_cast<std::size_t>(options.bucket_elements)), gradient.data() + begin);
              detail::divide_by_tokens(gradient, all[1]);
              adamw_step(options.optimizer, state.steps_done + 1, gradient, state.weights, state.first, state.second);
              advance(state, options);
              if (options.audits(state.steps_done)) {
                record.step = state.steps_done;
                record.after = state;
                record.gradient = std::move(gradient);
                trace.audited.push_back(std::move(record));
              }
            }
            trace.last = std::move(state);
            return std::vector<TrainingTrace>{std::move(trace)};
          }};
}

}  // namespace assay
