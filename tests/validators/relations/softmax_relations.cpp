#include "assay/validators/relations/softmax_relations.hpp"

#include "assay/faults/softmax_faults.hpp"
#include "validators/relations/relation_conformance.hpp"

using namespace assay;

TEST_CASE("right softmax kernels keep their relations") {
  testing::require_right_kernels_keep<Softmax>(OperationFaults<Softmax>::correct());
}

TEST_CASE("faults of a softmax break the relations that they do not commute with") {
  testing::require_table<Softmax>({{"no_shift", {"shifted"}},
                                   {"wrong_maximum", {}},
                                   {"missing_rescale", {"reversed", "sums_to_one"}},
                                   {"padding_counted", {"shifted", "sums_to_one"}},
                                   {"last_term_missing", {"reversed", "sums_to_one"}},
                                   {"narrow_sum", {"reversed", "sums_to_one"}},
                                   {"narrow_inputs", {}},
                                   {"truncated_output", {"sums_to_one"}},
                                   {"temperature_ignored", {}},
                                   {"temperature_inverted", {}},
                                   {"zero_output", {"sums_to_one"}},
                                   {"first_slice", {}},
                                   {"shifted_output", {"reversed"}}},
                                  testing::faulty_kernel<Softmax>,
                                  {element_format<float32>(), element_format<bfloat16>()});
}
