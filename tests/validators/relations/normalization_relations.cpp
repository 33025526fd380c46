#include "assay/validators/relations/normalization_relations.hpp"

#include "assay/faults/normalization_faults.hpp"
#include "validators/relations/relation_conformance.hpp"

using namespace assay;

TEST_CASE("right norms keep their relations") {
  testing::require_right_kernels_keep<Normalization>(OperationFaults<Normalization>::correct());
}

TEST_CASE("faults of norms break the relations that they do not commute with") {
  testing::require_table<Normalization>({{"affine_per_group", {}},
                                         {"beta_ignored", {}},
                                         {"epsilon_missing", {}},
                                         {"epsilon_outside_root", {"scaled"}},
                                         {"first_slice", {}},
                                         {"folded_shift", {}},
                                         {"gamma_ignored", {"parameters_scaled"}},
                                         {"last_term_missing", {"shifted"}},
                                         {"mean_not_subtracted", {"shifted"}},
                                         {"narrow_squares", {"scaled"}},
                                         {"narrow_sum", {"shifted"}},
                                         {"one_pass_variance", {"shifted"}},
                                         {"own_statistics", {}},
                                         {"padded_divisor", {"shifted"}},
                                         {"scratch_not_zeroed", {"shifted"}},
                                         {"shifted_output", {}},
                                         {"short_inverse_root", {}},
                                         {"truncated_output", {}},
                                         {"unbiased_variance", {}},
                                         {"variance_clamped", {"scaled"}},
                                         {"wrong_statistic", {}},
                                         {"zero_output", {}}},
                                        testing::faulty_kernel<Normalization>);
}
