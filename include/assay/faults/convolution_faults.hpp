#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_convolution.hpp"

namespace assay::inline v0 {

template <>
struct OperationFaults<Convolution> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> all{"convolution"};
    return {
        {"border_off_by_one", missing_work, "takes the last column of its images for padding", all},
        {"padding_sides_exchanged", addressing, "pads in front as much as was asked for behind", all},
        {"padding_not_zero", special_value, "pads with ones", all},
        {"dilation_ignored", addressing, "ignores the dilation", all},
        {"stride_of_other_axis", addressing, "takes the strides of the last two axes for each other", all},
        {"output_padding_in_front", addressing, "puts the additional outputs of a transposed convolution in front",
         all},
        {"kernel_flipped", addressing, "flips the kernel, as the convolution of mathematics does", all},
        {"groups_ignored", addressing, "reads the first group's channels for every group", all},
        {"tail_dropped", missing_work, "leaves out the products beyond the last multiple of eight", all},
        {"narrow_accumulator", precision, "keeps its sums in float16", all},
        {"rounded_partial_sums", precision, "stores partial sums in bfloat16 before it adds them", all},
        {"narrow_inputs", precision, "rounds its inputs to bfloat16", all},
        {"truncated_output", rounding, "cuts its results off instead of rounding them", all},
        {"transformed_in_f16", precision, "keeps the tiles that Winograd's algorithm transforms in float16", all},
        {"bias_forgotten", missing_work, "does not add the bias", all},
        {"bias_of_neighbor", addressing, "adds the bias of the next channel", all},
        {"last_image_only", missing_work, "overwrites the gradient of the weights with every image of the batch", all},
        {"bias_gradient_of_first_image", missing_work, "sums the gradient of the bias over the first image only", all}};
  }
  [[nodiscard]] static OperationSubject<Convolution> faulty(std::string_view name) {
    using Kernel = detail::EmulatedConvolution<float32>;
    return host_subject<Convolution>(std::string(name),
                                     Kernel{Kernel::Order::sequential, own_fault<Convolution>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Convolution>> correct() {
    using Kernel = detail::EmulatedConvolution<float32>;
    using Narrow = detail::EmulatedConvolution<bfloat16>;
    using Half = detail::EmulatedConvolution<float16>;
    return {host_subject<Convolution>("sequential", Kernel{Kernel::Order::sequential}),
            host_subject<Convolution>("reversed", Kernel{Kernel::Order::reversed}),
            host_subject<Convolution>("pairwise", Kernel{Kernel::Order::pairwise}),
            host_subject<Convolution>("lanes", Kernel{Kernel::Order::lanes}),
            host_subject<Convolution>("fused", Kernel{Kernel::Order::fused}),
            host_subject<Convolution>("multiplies_padding", Kernel{Kernel::Order::multiplies_padding}),
            host_subject<Convolution>("transformed", Kernel{Kernel::Order::transformed}),
            host_subject<Convolution>("in_bf16", Narrow{Narrow::Order::pairwise}, arithmetic_in<bfloat16>()),
            host_subject<Convolution>("in_f16", Half{Half::Order::lanes}, arithmetic_in<float16>())};
  }
};

}  // namespace assay::inline v0
