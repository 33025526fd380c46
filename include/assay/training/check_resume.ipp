#pragma once

#include "assay/training/check_resume.hpp"

#include <bit>
#include <cmath>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// Which pieces were not restored, by what the losses would then have been; empty: nothing explains them.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::vector<CheckpointPiece> missing_pieces(const TrainingOptions& options,
                                                                                     int ranks, Index resumed_after,
                                                                                     std::span<const double> losses) {
  using enum CheckpointPiece;
  std::vector<std::vector<CheckpointPiece>> hypotheses{{first_moments, second_moments},
                                                       {first_moments, second_moments, step},
                                                       {data_position, random_state},
                                                       {data_position, random_state, step}};
  for (const CheckpointPiece piece : all_checkpoint_pieces) hypotheses.push_back({piece});
  SerialTrainer whole(options, ranks, GradientOrder::ascending);
  std::vector<float> gradient;
  while (whole.state.steps_done < resumed_after) static_cast<void>(whole.step(gradient));
  const TrainingState at = whole.state;
  const std::size_t count = std::min<std::size_t>(losses.size(), 6);
  const auto distance = [&](SerialTrainer& trainer) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += std::fabs(trainer.step(gradient) - losses[i]);
    return sum;
  };
  const double apart = distance(whole);
  double least = apart / 100;  // other orders of sums account for less
  std::vector<CheckpointPiece> best;
  for (const std::vector<CheckpointPiece>& pieces : hypotheses) {
    SerialTrainer trainer(options, ranks, GradientOrder::ascending);
    trainer.state = at;
    for (const CheckpointPiece piece : pieces) trainer.state = without(trainer.state, piece, options);
    if (const double found = distance(trainer); found < least) {
      least = found;
      best = pieces;
    }
  }
  return best;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool same_state(const TrainingState& a, const TrainingState& b) {
  return a.steps_done == b.steps_done && a.next_sample == b.next_sample && a.random_state == b.random_state &&
         same_bits(a.weights, b.weights) && same_bits(a.first, b.first) && same_bits(a.second, b.second);
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Outcome check_resume(const std::string& name, const TrainingOptions& options,
                                                std::span<const TrainingTrace> whole,
                                                std::span<const TrainingTrace> resumed) {
  Outcome outcome = detail::training_outcome("resume", {name, static_cast<int>(whole.size()), {}}, options);
  const auto refuse = [&](const std::string& why) {
    outcome.verdict = Verdict::error;
    outcome.reason = why;
    return outcome;
  };
  if (whole.empty() || whole.size() != resumed.size())
    return refuse("there are traces of " + std::to_string(whole.size()) + " ranks of the whole training and of " +
                  std::to_string(resumed.size()) + " of the resumed; give those of all ranks of both");
  const Index after = resumed[0].first_step - 1;
  if (after < 1)
    return refuse("the resumed training begins at step " + std::to_string(resumed[0].first_step) +
                  ": it was begun anew, and no checkpoint was used; was there a whole one?");
  for (std::size_t rank = 0; rank < whole.size(); ++rank) {
    const TrainingTrace &a = whole[rank], &b = resumed[rank];
    if (a.first_step != 1 || b.first_step != after + 1 ||
        a.losses.size() != static_cast<std::size_t>(after) + b.losses.size() || b.losses.empty() ||
        a.checksums.size() != a.losses.size() || b.checksums.size() != b.losses.size())
      return refuse("rank " + std::to_string(rank) + " was resumed after step " + std::to_string(b.first_step - 1) +
                    " and recorded " + std::to_string(b.losses.size()) + " steps more, and the whole training has " +
                    std::to_string(a.losses.size()) +
                    ": they do not end at the same step, or not all ranks resume at the same");
  }
  Index first_loss = 0;
  for (std::size_t rank = 0; rank < whole.size(); ++rank) {
    const TrainingTrace &a = whole[rank], &b = resumed[rank];
    const std::string who = "rank " + std::to_string(rank) + ": ";
    for (std::size_t i = 0; i < b.losses.size(); ++i) {
      const std::size_t at = static_cast<std::size_t>(after) + i;
      const bool loss = std::bit_cast<std::uint64_t>(a.losses[at]) != std::bit_cast<std::uint64_t>(b.losses[i]),
                 weights = a.checksums[at] != b.checksums[i];
      if (!loss && !weights) continue;
      if (first_loss == 0 && loss) first_loss = static_cast<Index>(at) + 1;
      outcome.diagnosis.push_back(who + "from step " + std::to_string(at + 1) + " on, " + std::to_string(i + 1) +
                                  ". after resuming, " + (weights ? "weights" : "losses") +
                                  " are not those of the whole training: loss " + number_text(b.losses[i], 17) +
                                  " for " + number_text(a.losses[at], 17));
      break;
    }
    if (!detail::same_state(a.last, b.last) && outcome.diagnosis.empty())
      outcome.diagnosis.push_back(who +
                                  "the state at the end (weights, moments, step or place in the data) is not that of "
                                  "the whole training, though all losses are");
  }
  outcome.measure("resumed_after", static_cast<double>(after), "steps");
  outcome.measure("compared_steps", static_cast<double>(resumed[0].losses.size()), "steps");
  outcome.series.push_back(detail::loss_series("loss, whole", whole[0].losses));
  outcome.series.push_back(detail::loss_series("loss, resumed", resumed[0].losses, after + 1));
  outcome.derivation.push_back("the same arithmetic on the same state gives the same bits: nothing is allowed for");
  if (outcome.diagnosis.empty()) {
    outcome.verdict = Verdict::pass;
    return outcome;
  }
  outcome.verdict = Verdict::fail;
  std::string missing;
  for (const CheckpointPiece piece :
       detail::missing_pieces(options, static_cast<int>(whole.size()), after, resumed[0].losses))
    missing += (missing.empty() ? "" : ", ") + std::string(name_of(piece));
  if (!missing.empty()) {
    outcome.labels["named"] = missing;
    outcome.diagnosis.insert(outcome.diagnosis.begin(),
                             "not restored: " + missing + ": going on without gives these losses");
  }
  outcome.reason = outcome.diagnosis.front();
  return outcome;
}

}  // namespace assay::inline v0
