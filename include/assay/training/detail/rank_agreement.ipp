#pragma once

#include "assay/training/detail/rank_agreement.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<void> check_traces(const TrainingOptions& options,
                                                     std::span<const TrainingTrace> traces) {
  expect_valid(options);
  const auto refuse = [](std::size_t rank, const std::string& what) {
    return Result<void>(failure(ErrorKind::invalid, "the trace of rank " + std::to_string(rank) + " " + what));
  };
  if (traces.empty())
    return failure(ErrorKind::invalid, "there are no traces; give those of all ranks, in their order");
  const auto total = static_cast<std::size_t>(LanguageModelLayout(options.model).count);
  for (std::size_t r = 0; r < traces.size(); ++r) {
    const TrainingTrace& trace = traces[r];
    if (trace.rank != static_cast<int>(r) || trace.size != static_cast<int>(traces.size()))
      return refuse(r, "says that it is of rank " + std::to_string(trace.rank) + " of " + std::to_string(trace.size) +
                           "; give those of all ranks, in their order");
    if (trace.losses.size() != trace.checksums.size() || trace.losses.size() != traces[0].losses.size() ||
        trace.first_step != traces[0].first_step)
      return refuse(r, "has other steps than that of rank 0, or losses and checksums of different numbers");
    if (trace.audited.size() != traces[0].audited.size())
      return refuse(r, "has other recorded steps than that of rank 0");
    const Index shard = options.sharding == StateSharding::none
                            ? static_cast<Index>(total)
                            : weights_of(static_cast<Index>(total), trace.rank, trace.size).count();
    for (std::size_t k = 0; k < trace.audited.size(); ++k) {
      const AuditedStep& record = trace.audited[k];
      if (record.step != traces[0].audited[k].step || record.step < trace.first_step ||
          record.step >= trace.first_step + static_cast<Index>(trace.losses.size()))
        return refuse(r, "has other recorded steps than that of rank 0, or one without a loss");
      for (const TrainingState* state : {&record.before, &record.after})
        if (state->weights.size() != total || state->first.size() != static_cast<std::size_t>(shard) ||
            state->second.size() != static_cast<std::size_t>(shard))
          return refuse(r, "has weights or moments of another model or sharding than the options say, in step " +
                               std::to_string(record.step));
      const bool shards = options.sharding >= StateSharding::gradients;
      const RankShare own = shards ? weights_of(static_cast<Index>(total), trace.rank, trace.size)
                                   : RankShare{0, static_cast<Index>(total)};
      if (record.gradient_begin != own.begin || record.gradient.size() != static_cast<std::size_t>(own.count()))
        return refuse(r,
                      "has a gradient of another extent than the options say, in step " + std::to_string(record.step));
    }
  }
  return {};
}

/// The ranks whose value is not that of most; where as many have another, those without rank 0's.
template <class Value>
[[nodiscard]] std::vector<int> ranks_apart(const std::vector<Value>& values) {
  std::map<Value, std::size_t> count;
  for (const Value& value : values) ++count[value];
  Value common = values[0];
  for (const Value& value : values)
    if (count[value] > count[common]) common = value;
  std::vector<int> apart;
  for (std::size_t r = 0; r < values.size(); ++r)
    if (values[r] != common) apart.push_back(static_cast<int>(r));
  return apart;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string rank_names(const std::vector<int>& ranks) {
  std::string names = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i) names += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
  return names;
}

/// Whether the rank's weights elsewhere than in its own shard are still those of the step before, though its own have
/// changed.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool kept_others(const TrainingTrace& trace, const std::vector<float>& before,
                                                          const std::vector<float>& after) {
  const RankShare own = weights_of(static_cast<Index>(before.size()), trace.rank, trace.size);
  bool others_same = true, own_same = true;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool mine = static_cast<Index>(i) >= own.begin && static_cast<Index>(i) < own.end;
    if (std::bit_cast<std::uint32_t>(before[i]) != std::bit_cast<std::uint32_t>(after[i]))
      (mine ? own_same : others_same) = false;
  }
  return others_same && !own_same;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<TrainingFinding> disagreements_before(const TrainingOptions& options,
                                                                             std::span<const TrainingTrace> traces,
                                                                             std::size_t k) {
  std::vector<TrainingFinding> findings;
  const Index step = traces[0].audited[k].step;
  const std::string place = "step " + std::to_string(step) + ": ";
  if (step == 1) {
    const std::vector<float> initial = initial_weights(options.model, options.seed);
    for (const TrainingTrace& trace : traces)
      if (!same_bits(trace.audited[k].before.weights, initial))
        findings.push_back({TrainingFault::other_seed, trace.rank,
                            place + "rank " + std::to_string(trace.rank) +
                                " begins with other weights than those of seed " + std::to_string(options.seed) +
                                ": another seed, or they were not broadcast"});
    if (!findings.empty()) return findings;
  }
  std::vector<std::uint64_t> weights, moments;
  for (const TrainingTrace& trace : traces) {
    const TrainingState& state = trace.audited[k].before;
    weights.push_back(bits_checksum(state.weights));
    moments.push_back(
        options.sharding == StateSharding::none ? bits_checksum(state.first) * 31 + bits_checksum(state.second) : 0);
    const auto expected = static_cast<std::uint64_t>((step - 1) * options.global_batch);
    if (state.next_sample != expected || state.steps_done != step - 1 ||
        state.random_state != traces[0].audited[k].before.random_state)
      findings.push_back({TrainingFault::unknown, trace.rank,
                          place + "rank " + std::to_string(trace.rank) + " stands at sample " +
                              std::to_string(state.next_sample) + " after " + std::to_string(state.steps_done) +
                              " steps; it should at sample " + std::to_string(expected) + " after " +
                              std::to_string(step - 1) + ", with the same random state as rank 0"});
    if (step == 1 && std::any_of(state.first.begin(), state.first.end(), [](float m) { return m != 0; }))
      findings.push_back({TrainingFault::unsynchronized_moments, trace.rank,
                          place + "rank " + std::to_string(trace.rank) + " begins with moments that are not 0"});
  }
  if (!findings.empty()) return findings;
  if (const std::vector<int> apart = ranks_apart(weights); !apart.empty()) {
    for (const TrainingTrace& trace : traces)
      if (k > 0 && traces[0].audited[k - 1].step == step - 1 && options.sharding != StateSharding::none &&
          kept_others(trace, trace.audited[k - 1].before.weights, trace.audited[k].before.weights))
        findings.push_back({TrainingFault::missing_all_gather, trace.rank,
                            place + "rank " + std::to_string(trace.rank) +
                                " has only its own shard's new weights, and the others' of the step before: its "
                                "all_gather is missing, or "
                                "its result is not used"});
    if (findings.empty())
      findings.push_back({TrainingFault::unknown, apart.size() == 1 ? apart[0] : -1,
                          place + rank_names(apart) + " has other weights than the rest"});
  } else if (const std::vector<int> odd = ranks_apart(moments); !odd.empty()) {
    findings.push_back({TrainingFault::unsynchronized_moments, odd.size() == 1 ? odd[0] : -1,
                        place + rank_names(odd) + " has other moments than the rest"});
  }
  return findings;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<TrainingFinding> disagreements_after(const TrainingOptions& options,
                                                                            std::span<const TrainingTrace> traces,
                                                                            std::size_t k) {
  if (options.sharding == StateSharding::weights) return {};
  std::vector<TrainingFinding> findings;
  std::vector<std::uint64_t> weights, gradients;
  for (const TrainingTrace& trace : traces) {
    weights.push_back(bits_checksum(trace.audited[k].after.weights));
    gradients.push_back(options.sharding >= StateSharding::gradients ? 0 : bits_checksum(trace.audited[k].gradient));
  }
  const std::string place = "step " + std::to_string(traces[0].audited[k].step) + ": ";
  if (const std::vector<int> apart = ranks_apart(gradients); !apart.empty())
    findings.push_back(
        {TrainingFault::unknown, apart.size() == 1 ? apart[0] : -1,
         place + rank_names(apart) +
             " got another sum of gradients than the rest; an all_reduce must give every rank the same bits"});
  if (const std::vector<int> apart = ranks_apart(weights); !apart.empty() && findings.empty()) {
    for (const TrainingTrace& trace : traces)
      if (options.sharding != StateSharding::none &&
          kept_others(trace, trace.audited[k].before.weights, trace.audited[k].after.weights))
        findings.push_back(
            {TrainingFault::missing_all_gather, trace.rank,
             place + "rank " + std::to_string(trace.rank) +
                 " has updated its own shard, and still has the others' old weights: its all_gather is missing, or its "
                 "result is not used"});
    if (findings.empty())
      findings.push_back({TrainingFault::unknown, apart.size() == 1 ? apart[0] : -1,
                          place + rank_names(apart) + " has other weights than the rest"});
  }
  return findings;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<TrainingFinding> disagreements_of_checksums(
    std::span<const TrainingTrace> traces) {
  for (std::size_t i = 0; i < traces[0].losses.size(); ++i) {
    std::vector<std::uint64_t> weights, losses;
    for (const TrainingTrace& trace : traces) {
      weights.push_back(trace.checksums[i]);
      losses.push_back(std::bit_cast<std::uint64_t>(trace.losses[i]));
    }
    const std::string place = "step " + std::to_string(traces[0].first_step + static_cast<Index>(i)) + ": ";
    if (const std::vector<int> apart = ranks_apart(weights); !apart.empty())
      return {
          {TrainingFault::unknown, apart.size() == 1 ? apart[0] : -1,
           place + rank_names(apart) +
               " has other weights than the rest; the step before was not recorded, so that the cause is not known"}};
    if (const std::vector<int> apart = ranks_apart(losses); !apart.empty())
      return {{TrainingFault::unknown, apart.size() == 1 ? apart[0] : -1,
               place + rank_names(apart) + " tells another loss than the rest"}};
  }
  return {};
}

}  // namespace assay::inline v0::detail
