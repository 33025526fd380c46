#pragma once

#include "assay/collectives/faults/in_process_faults.hpp"

#include <algorithm>
#include <thread>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

ASSAY_DETAIL_HEADER_INLINE MessageFate FaultInside::message(InProcessMessage& message) const {
  if (message.from != how.rank) return MessageFate::deliver;
  if (is("slow_link")) {
    if (message.to != (how.rank + 1) % size) return MessageFate::deliver;
    message.delay = how.delay;
    took_effect();
    return MessageFate::deliver;
  }
  if (!hits(message.place)) return MessageFate::deliver;
  const bool first_addend = adds(message.place.phase) && message.place.level == 0 && message.place.step == 0 &&
                            message.chunk == std::min(how.chunk, message.chunks - 1);
  const bool lost = is("chunk_dropped") && (first_addend || !reduces(message.place.operation)),
             doubled = is("contribution_duplicated") && first_addend;
  if ((lost || doubled) && !message.bytes.empty()) {
    took_effect();
    return lost ? MessageFate::lose : MessageFate::duplicate;
  }
  if ((is("bit_flip") || is("intermittent_bit_flip")) && !message.bytes.empty() && !adds(message.place.phase) &&
      message.place.level == 0 && message.chunk == 0) {
    const std::uint64_t bit = mixed(how.seed, message.place.call, 2) % (8 * message.bytes.size());
    took_effect();
    message.bytes[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
  }
  return MessageFate::deliver;
}

ASSAY_DETAIL_HEADER_INLINE bool FaultInside::reduce(const InProcessReduction& step) const {
  if (!hits(step.place) || !fault.fits(step.place.operation, step.reduction, step.place.type)) return false;
  const bool narrow = is("narrow_accumulator");
  if (!narrow && !is("wrong_reduction")) return false;
  const ElementType type = step.place.type,
                    narrower = type == ElementType::float64 ? ElementType::float32 : ElementType::bfloat16;
  const ReductionOperator wrong = step.reduction == ReductionOperator::maximum   ? ReductionOperator::minimum
                                  : step.reduction == ReductionOperator::product ? ReductionOperator::sum
                                                                                 : ReductionOperator::maximum;
  const std::size_t bytes = bytes_of(type);
  for (Index i = 0; i < step.count; ++i) {
    std::uint64_t code =
        reduced(type, narrow ? step.reduction : wrong, load_code(step.into, i, bytes), load_code(step.with, i, bytes));
    if (narrow) code = code_of(type, value_of(narrower, code_of(narrower, value_of(type, code))));
    if (code != reduced(type, step.reduction, load_code(step.into, i, bytes), load_code(step.with, i, bytes)))
      took_effect();
    store_code(step.into, i, bytes, code);
  }
  return true;
}

ASSAY_DETAIL_HEADER_INLINE CallFate FaultInside::call(const InProcessArrival& arrival) const {
  const bool hit = arrival.rank == how.rank &&
                   std::any_of(arrival.calls.begin(), arrival.calls.end(), [&](const CollectiveCall& call) {
                     InProcessPlace place = arrival.place;
                     place.operation = call.operation;
                     return hits(place);
                   });
  if (!hit) return CallFate::proceed;
  took_effect();
  if (is("slow_rank")) std::this_thread::sleep_for(how.delay);
  if (is("rank_hang")) return CallFate::hang;
  if (is("rank_crash")) return CallFate::crash;
  return is("early_barrier_exit") ? CallFate::leave_early : CallFate::proceed;
}

ASSAY_DETAIL_HEADER_INLINE void FaultInside::returned(const InProcessArrival& arrival) const {
  if (!is("ranks_disagree") || arrival.rank != how.rank) return;
  for (const CollectiveCall& call : arrival.calls) {
    InProcessPlace place = arrival.place;
    place.operation = call.operation;
    if (!hits(place) || call.count == 0 || is_integer(call.type)) continue;
    const std::size_t bytes = bytes_of(call.type);
    const Index at = static_cast<Index>(mixed(how.seed, place.call, 1) % static_cast<std::uint64_t>(call.count));
    store_code(call.receive, at, bytes, load_code(call.receive, at, bytes) ^ 1);
    took_effect();
  }
}

ASSAY_DETAIL_HEADER_INLINE void FaultInside::order(const InProcessPlace& place, std::vector<int>& ranks) const {
  if (!hits(place)) return;
  const std::vector<int> permutation =
      FaultyReduction::shuffled(static_cast<int>(ranks.size()), mixed(how.seed, place.call));
  std::vector<int> permuted;
  for (const int position : permutation) permuted.push_back(ranks[static_cast<std::size_t>(position)]);
  ranks = permuted;
  took_effect();
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE InProcessHooks in_process_hooks(FaultInjection how, int size,
                                                           std::atomic<std::uint64_t>* effects) {
  const auto fault = collective_fault_named(how.fault);
  expect(fault && std::find(faults_inside_in_process.begin(), faults_inside_in_process.end(), how.fault) !=
                      faults_inside_in_process.end(),
         [&] {
           return "the in-process algorithms have no fault '" + how.fault +
                  "' inside of them; `faults_inside_in_process` lists them, and FaultyCollective has all";
         });
  expect(how.rank >= 0 && how.rank < size, [&] {
    return "the guilty rank is " + std::to_string(how.rank) + "; it must be a rank, 0 to " + std::to_string(size - 1);
  });
  if (how.rate == 0) how.rate = how.fault == "intermittent_bit_flip" ? 1e-4 : 1;
  const auto inside = std::make_shared<const detail::FaultInside>(detail::FaultInside{how, *fault, size, effects});
  InProcessHooks hooks;
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), how.fault) != names.end();
  };
  if (is_one_of({"chunk_dropped", "contribution_duplicated", "bit_flip", "intermittent_bit_flip", "slow_link"}))
    hooks.on_message = [inside](InProcessMessage& message) { return inside->message(message); };
  if (is_one_of({"narrow_accumulator", "wrong_reduction"}))
    hooks.on_reduce = [inside](const InProcessReduction& step) { return inside->reduce(step); };
  if (is_one_of({"slow_rank", "rank_hang", "rank_crash", "early_barrier_exit"}))
    hooks.on_call = [inside](const InProcessArrival& arrival) { return inside->call(arrival); };
  if (is_one_of({"ranks_disagree"}))
    hooks.on_return = [inside](const InProcessArrival& arrival) { inside->returned(arrival); };
  if (is_one_of({"nondeterministic_order"}))
    hooks.on_order = [inside](const InProcessPlace& place, std::vector<int>& ranks) { inside->order(place, ranks); };
  return hooks;
}

}  // namespace assay::inline v0
