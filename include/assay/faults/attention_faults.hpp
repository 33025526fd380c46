#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_attention.hpp"

namespace assay::inline v0 {

template <>
struct OperationFaults<Attention> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> own{"attention"};
    return {
        {"fully_masked_nan", special_value, "gives NaN for rows that see nothing, where zeros are asked for", own},
        {"fully_masked_mean", special_value, "gives rows that see nothing the mean of all values", own},
        {"wrong_alignment", addressing, "begins the causal mask at the other corner", own},
        {"diagonal_hidden", missing_work, "hides the key on the diagonal", own},
        {"future_seen", repeated_work, "sees one key behind the diagonal", own},
        {"missing_rescale", missing_work, "does not rescale its output when the maximum rises from tile to tile", own},
        {"sum_not_rescaled", missing_work, "does not rescale its sum when the maximum rises from tile to tile", own},
        {"empty_part_nan", special_value, "gives NaN where no part of a split sees anything", own},
        {"log_sum_exp_permuted", addressing, "writes the log-sum-exp with heads and queries exchanged", own},
        {"log_sum_exp_base_two", precision, "writes the logarithm to base 2", own},
        {"log_sum_exp_unshifted", missing_work, "does not add the maximum to the log-sum-exp", own},
        {"hidden_nan_leaks", special_value, "multiplies hidden values by 0 instead of leaving them out", own},
        {"wrong_head_group", addressing, "takes key head h mod key_heads", own},
        {"window_off_by_one", repeated_work, "sees one key before its window", own},
        {"window_ignored", repeated_work, "sees all keys before its window", own},
        {"slope_of_next_head", addressing, "takes the ALiBi slope of the next head", own},
        {"block_table_ignored", addressing, "reads the pages of a cache in their order", own},
        {"ragged_tail_read", memory, "reads the last page to its end", own},
        {"padding_read", memory, "reads keys behind the length of a sequence", own},
        {"sequence_start_ignored", addressing, "reads the keys of a packed sequence from a wrong place", own},
        {"scale_forgotten", missing_work, "does not scale its scores", own},
        {"key_scale_forgotten", missing_work, "does not multiply by the scale of quantized keys", own},
        {"value_scale_forgotten", missing_work, "does not multiply by the scale of quantized values", own},
        {"scale_of_head_0", addressing, "takes the scale of the first head for all keys", own},
        {"cap_after_mask", addressing, "caps scores after masks are added", own},
        {"cap_ignored", missing_work, "does not cap its scores", own},
        {"mask_ignored", missing_work, "ignores the additive mask", own},
        {"mask_of_head_0", addressing, "adds the mask of the first head to all", own},
        {"no_maximum", precision, "takes exponentials without subtracting the maximum", own},
        {"narrow_scores", precision, "keeps scores in bfloat16 without saying so", own},
        {"narrow_weights", precision, "keeps weights in bfloat16 where more is promised", own},
        {"narrow_accumulator", precision, "adds up its output in float16", own},
        {"last_key_missing", missing_work, "leaves out the last key", own},
        {"last_tile_missing", missing_work, "leaves out keys behind the last whole tile", own},
        {"depth_tail", missing_work, "leaves out the end of a depth that is no multiple of 8", own},
        {"truncated_output", rounding, "cuts its results off instead of rounding them", own}};
  }
  [[nodiscard]] static OperationSubject<Attention> faulty(std::string_view name) {
    using Kernel = detail::EmulatedAttention<float32>;
    return host_subject<Attention>(std::string(name), Kernel{Kernel::Order::two_pass, 8, own_fault<Attention>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Attention>> correct() {
    using Kernel = detail::EmulatedAttention<float32>;
    using Narrow = detail::EmulatedAttention<bfloat16>;
    using Half = detail::EmulatedAttention<float16>;
    return {host_subject<Attention>("two_pass", Kernel{Kernel::Order::two_pass}),
            host_subject<Attention>("flash", Kernel{Kernel::Order::flash, 16}),
            host_subject<Attention>("flash_of_4", Kernel{Kernel::Order::flash, 4}),
            host_subject<Attention>("backwards", Kernel{Kernel::Order::backwards, 5}),
            host_subject<Attention>("split", Kernel{Kernel::Order::split, 16}),
            host_subject<Attention>("base_two", Kernel{Kernel::Order::base_two}),
            host_subject<Attention>("composed", Kernel{Kernel::Order::composed}),
            host_subject<Attention>("in_bf16", Narrow{Narrow::Order::flash, 8}, arithmetic_in<bfloat16>()),
            host_subject<Attention>("in_f16", Half{Half::Order::split, 8}, arithmetic_in<float16>())};
  }
};

}  // namespace assay::inline v0
