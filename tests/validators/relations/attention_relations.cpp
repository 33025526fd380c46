#include "assay/validators/relations/attention_relations.hpp"

#include "assay/faults/attention_faults.hpp"
#include "validators/relations/relation_conformance.hpp"

using namespace assay;

TEST_CASE("right attentions keep their relations") {
  testing::require_right_kernels_keep<Attention>(OperationFaults<Attention>::correct());
}

TEST_CASE("faults of attentions break the relations that they do not commute with") {
  testing::require_table<Attention>({{"block_table_ignored", {}},
                                     {"cap_after_mask", {}},
                                     {"cap_ignored", {}},
                                     {"depth_tail", {}},
                                     {"diagonal_hidden", {}},
                                     {"empty_part_nan", {}},
                                     {"first_slice", {"equal_keys"}},
                                     {"fully_masked_mean", {"causal"}},
                                     {"fully_masked_nan", {}},
                                     {"future_seen", {"causal"}},
                                     {"hidden_nan_leaks", {}},
                                     {"key_scale_forgotten", {}},
                                     {"last_key_missing", {"equal_keys", "keys_reversed"}},
                                     {"last_tile_missing", {"equal_keys", "keys_reversed"}},
                                     {"log_sum_exp_base_two", {}},
                                     {"log_sum_exp_permuted", {}},
                                     {"log_sum_exp_unshifted", {}},
                                     {"mask_ignored", {}},
                                     {"mask_of_head_0", {}},
                                     {"missing_rescale", {"keys_reversed"}},
                                     {"narrow_accumulator", {"equal_keys", "keys_reversed"}},
                                     {"narrow_scores", {}},
                                     {"narrow_weights", {}},
                                     {"no_maximum", {}},
                                     {"padding_read", {}},
                                     {"ragged_tail_read", {}},
                                     {"scale_forgotten", {}},
                                     {"scale_of_head_0", {}},
                                     {"sequence_start_ignored", {}},
                                     {"shifted_output", {"equal_keys"}},
                                     {"slope_of_next_head", {}},
                                     {"sum_not_rescaled", {"keys_reversed"}},
                                     {"truncated_output", {}},
                                     {"value_scale_forgotten", {}},
                                     {"window_ignored", {}},
                                     {"window_off_by_one", {}},
                                     {"wrong_alignment", {"causal"}},
                                     {"wrong_head_group", {"equal_keys"}},
                                     {"zero_output", {"equal_keys"}}},
                                    testing::faulty_kernel<Attention>);
}
