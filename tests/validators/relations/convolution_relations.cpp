#include "assay/validators/relations/convolution_relations.hpp"

#include "assay/faults/convolution_faults.hpp"
#include "validators/relations/relation_conformance.hpp"

using namespace assay;

TEST_CASE("right convolutions keep their relations") {
  testing::require_right_kernels_keep<Convolution>(OperationFaults<Convolution>::correct());
}

TEST_CASE("faults of convolutions break the relations that they do not commute with") {
  testing::require_table<Convolution>({{"bias_forgotten", {}},
                                       {"bias_gradient_of_first_image", {}},
                                       {"bias_of_neighbor", {"channels_reversed"}},
                                       {"border_off_by_one", {"single_tap", "translated"}},
                                       {"dilation_ignored", {"single_tap"}},
                                       {"first_slice", {"single_tap"}},
                                       {"groups_ignored", {"single_tap"}},
                                       {"kernel_flipped", {"single_tap"}},
                                       {"last_image_only", {}},
                                       {"narrow_accumulator", {"single_tap"}},
                                       {"narrow_inputs", {"single_tap"}},
                                       {"output_padding_in_front", {}},
                                       {"padding_not_zero", {"scaled", "single_tap"}},
                                       {"padding_sides_exchanged", {"single_tap", "translated"}},
                                       {"rounded_partial_sums", {"single_tap"}},
                                       {"shifted_output", {"channels_reversed", "single_tap", "translated"}},
                                       {"stride_of_other_axis", {"single_tap", "translated"}},
                                       {"tail_dropped", {"single_tap"}},
                                       {"transformed_in_f16", {}},
                                       {"truncated_output", {}},
                                       {"zero_output", {"single_tap"}}},
                                      testing::faulty_kernel<Convolution>);
}
