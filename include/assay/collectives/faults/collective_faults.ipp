#pragma once

#include "assay/collectives/faults/collective_faults.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::vector<CollectiveFault> collective_faults() {
  using Operations = std::vector<std::string>;
  using enum ElementType;
  using enum ReductionOperator;
  const Operations reducing{"all_reduce", "reduce_scatter", "reduce"},
      rooted{"broadcast", "reduce", "gather", "scatter"};
  const Operations blocks{"reduce_scatter", "all_gather", "gather", "scatter", "all_to_all"}, barrier{"barrier"};
  const Operations data{"all_reduce", "reduce_scatter", "all_gather", "broadcast", "reduce",
                        "all_to_all", "all_to_all_v",   "gather",     "scatter",   "send_receive"};
  const Operations counted{"all_reduce", "reduce_scatter", "all_gather", "broadcast",   "reduce",
                           "all_to_all", "gather",         "scatter",    "send_receive"};
  const Operations collective{"all_reduce", "reduce_scatter", "all_gather", "broadcast", "reduce",
                              "all_to_all", "all_to_all_v",   "gather",     "scatter"};
  const Operations summed_or_placed{"all_reduce", "reduce_scatter", "reduce", "all_gather", "gather", "all_to_all"};
  const Operations in_place{"all_reduce", "reduce_scatter", "reduce", "all_gather", "gather", "all_to_all"};
  const std::vector<ReductionOperator> adding{sum, product, average, premultiplied_sum}, choosing{minimum, maximum};
  const std::vector<ElementType> floats{float16, bfloat16, float32, float64, float8_e4m3fn, float8_e5m2},
      wide{float16, float32, float64};
  const std::vector<ElementType> several_adds_round{float16, bfloat16, float32, float64},
      integers{int8, uint8, int16, uint16, int32, uint32, int64, uint64};
  using enum FaultClass;
  using Symptom = FaultSymptom;
  return {
      {{"rank_dropped", missing_work,
        "leaves out what the guilty rank gives; receives nothing there, where one rank gives all", data}},
      {{"chunk_dropped", missing_work,
        "leaves out one chunk of what the guilty rank gives, or receives where one rank gives all", data}},
      {{"contribution_duplicated", repeated_work, "counts the guilty rank twice", reducing}, Symptom::values, adding},
      {{"duplicate_and_drop", repeated_work, "takes the guilty rank's block for the next rank's as well",
        summed_or_placed},
       Symptom::values,
       adding},
      {{"chunks_swapped", addressing, "exchanges two chunks of a block of the guilty rank's output", data}},
      {{"ranks_permuted", addressing, "takes the guilty rank and the next for each other in the order of blocks",
        blocks}},
      {{"stale_input", state, "gives the guilty rank's input of the call before", counted}},
      {{"previous_output", state, "leaves on the guilty rank the output of the call before", counted}},
      {{"narrow_accumulator", precision, "rounds partial sums to a narrower format", reducing},
       Symptom::values,
       adding,
       wide},
      {{"type_reinterpreted", addressing, "reduces the codes as those of another type of the same width", reducing}},
      {{"wrong_reduction", addressing,
        "reduces by another operator: sum for product, maximum for the rest, minimum for maximum", reducing}},
      {{"average_not_divided", missing_work, "gives the sum for the average", reducing}, Symptom::values, {average}},
      {{"average_rounded_down", rounding, "rounds averages of integers down, those of integers without sign up",
        reducing},
       Symptom::values,
       {average},
       integers},
      {{"multiplier_of_wrong_rank", addressing, "multiplies the guilty rank's elements by the next rank's multiplier",
        reducing},
       Symptom::values,
       {premultiplied_sum}},
      {{"remainder_lost", missing_work, "leaves out the elements beyond a multiple of the number of ranks", counted}},
      {{"off_by_one", addressing,
        "gives the first element of the guilty rank's second chunk the value of the one before it", data}},
      {{"in_place_aliasing", memory,
        "in place, overwrites one chunk of the guilty rank's input before it has been read", in_place}},
      {{"input_overwritten", memory, "alters one element of the guilty rank's input, out of place", data},
       Symptom::memory},
      {{"out_of_bounds_write", memory, "writes the element behind the guilty rank's output", data}, Symptom::memory},
      {{"bit_flip", state, "flips one bit of the guilty rank's output in every call", data}},
      {{"intermittent_bit_flip", state, "flips one bit of the guilty rank's output in few calls", data}},
      {{"torn_tail", memory, "leaves the last 16 bytes of the guilty rank's output as they were", data}},
      {{"wrong_root", addressing, "takes the rank after the root for the root", rooted}},
      {{"nan_lost", special_value, "takes the number where the minimum or maximum of it and NaN is NaN", reducing},
       Symptom::values,
       choosing,
       floats},
      {{"zero_sign_lost", special_value, "takes -0 for equal to +0 in minima and maxima", reducing},
       Symptom::values,
       choosing,
       floats},
      {{"subnormals_flushed", special_value, "gives zero for results that are subnormal numbers", reducing},
       Symptom::values,
       {},
       floats},
      {{"nondeterministic_order", state, "adds in another order in every call", reducing},
       Symptom::order,
       {sum, average, premultiplied_sum},
       several_adds_round},
      {{"ranks_disagree", state, "adds in another order on the guilty rank", {"all_reduce"}},
       Symptom::order,
       {sum, average, premultiplied_sum},
       several_adds_round},
      {{"count_mismatch", progress, "calls with one element less on the guilty rank", counted}, Symptom::mismatch},
      {{"type_mismatch", progress, "calls with another type on the guilty rank", data}, Symptom::mismatch},
      {{"order_inversion", progress,
        "calls a barrier before the operation on the guilty rank, as if two calls had changed places", collective},
       Symptom::mismatch},
      {{"rank_hang", progress, "does not come on the guilty rank, and waits", {}}, Symptom::absence},
      {{"rank_crash", progress, "ends the guilty rank", {}}, Symptom::absence},
      {{"slow_rank", progress, "delays every call of the guilty rank", {}}, Symptom::time},
      {{"slow_link", progress, "delays what the guilty rank sends to the next rank", {"send_receive"}}, Symptom::time},
      {{"early_barrier_exit", progress, "lets the guilty rank leave before all have come", barrier}, Symptom::absence},
      {{"offset_overflow", addressing, "lets offsets in bytes wrap at 2^32, or where it is told to", data}},
  };
}

}  // namespace assay::inline v0
