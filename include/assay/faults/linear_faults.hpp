#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_linear.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/linear/linear.hpp"

namespace assay::inline v0 {

template <>
struct OperationFaults<Linear> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> all{"fused_gemm",  "grouped_gemm",     "int8_gemm",
                                       "scaled_gemm", "weight_only_gemm", "sparse_gemm"},
        int8{"int8_gemm"}, fused{"fused_gemm"}, grouped{"grouped_gemm"},
        scaled{"scaled_gemm", "grouped_gemm", "weight_only_gemm"}, weights{"weight_only_gemm"}, sparse{"sparse_gemm"};
    return {
        {"dropped_tail_of_terms", missing_work, "leaves out the terms beyond a multiple of 16", all},
        {"repeated_term", repeated_work, "counts the first term twice", all},
        {"narrow_accumulator", precision, "keeps sums in float16", all},
        {"rounded_partial_sums", precision, "stores partial sums of four splits of k in bfloat16", all},
        {"narrow_inputs", precision, "rounds float32 inputs to 11 significand bits, as TF32 does", fused},
        {"short_accumulator", precision,
         "keeps 14 bits of sums of 32 products, as some matrix units do for 8-bit numbers", scaled},
        {"promotion_left_out", missing_work,
         "promises to add a short accumulator's sums of 128 products in float32, and goes on in the short one", scaled},
        {"truncated_output", rounding, "cuts its results off instead of rounding them", all},
        {"pairs_saturated", precision, "adds products of bytes in pairs that saturate at 16 bits", int8},
        {"sixteen_bit_sum", precision, "adds products of bytes modulo 2^16", int8},
        {"float_sum", precision, "adds products of bytes in float32", int8},
        {"unsigned_as_signed", special_value, "reads unsigned bytes as signed ones", int8},
        {"zero_point_ignored", missing_work, "does not subtract zero points", {"int8_gemm", "weight_only_gemm"}},
        {"zero_point_of_columns_ignored", missing_work, "does not subtract B's zero points", int8},
        {"zero_point_tail", missing_work,
         "does not subtract A's zero point in the last columns, beyond a multiple of 16", int8},
        {"zero_point_plus_one", addressing, "subtracts zero points that are greater by one", weights},
        {"bias_after_activation", addressing, "adds the bias after the activation", fused},
        {"residual_before_activation", addressing, "adds the residual before the activation", fused},
        {"other_gelu", precision, "takes GELU by tanh for that by the error function", fused},
        {"double_rounded", rounding, "rounds the sum to the output's format before what follows", fused},
        {"scale_of_row_for_column", addressing, "scales columns by the factors of the rows' numbers", fused},
        {"bias_shifted", addressing, "adds the bias of the next column", fused},
        {"halves_exchanged", addressing, "takes the halves of SwiGLU for each other", fused},
        {"output_scale_multiplied", addressing, "multiplies by the output's scale instead of dividing by it", fused},
        {"overflow_wraps", special_value,
         "lets what lies beyond the range of a quantized output wrap around, or become NaN", fused},
        {"weights_of_first_group", addressing, "multiplies all rows by the first group's weights", grouped},
        {"empty_groups_not_counted", addressing, "numbers groups without the empty ones", grouped},
        {"last_row_of_group", addressing, "counts the last row of each group to the next one", grouped},
        {"exponent_off_by_one", special_value, "reads scales of powers of two as twice as large", scaled},
        {"scale_row_of_neighbor", addressing, "scales rows from 32 on by the factors of the row before", scaled},
        {"tensor_scale_ignored", missing_work, "leaves out the scales of whole tensors", scaled},
        {"scales_of_half_blocks", addressing, "takes blocks for twice as long as they are", scaled},
        {"padding_scale", special_value, "takes 1 for the scale of a last block that is partly filled", scaled},
        {"scale_tiles_as_rows", addressing, "reads scales that are stored in tiles row by row", scaled},
        {"nibbles_swapped", addressing, "exchanges the two codes of a byte", scaled},
        {"metadata_ignored", addressing, "takes the first two of four terms for those that sparse weights keep",
         sparse},
        {"metadata_swapped", addressing, "exchanges the two weights of four terms", sparse},
        {"metadata_of_neighbor", addressing, "reads the metadata of the column before", sparse}};
  }
  [[nodiscard]] static OperationSubject<Linear> faulty(std::string_view name) {
    using Kernel = detail::EmulatedLinear<float32>;
    Arithmetic promise;
    if (name == "promotion_left_out") promise.accumulation = detail::short_accumulation(128);
    return host_subject<Linear>(
        std::string(name),
        Kernel{SummationOrder::sequential, Kernel::Style::dequantized_first, own_fault<Linear>(name)}, promise);
  }
  /// Right kernels: orders of summation, scales applied to elements or to partial sums, elements dequantized to the
  /// narrow format that the problem admits, sums that begin with the bias, activations by other formulas, matrix units
  /// that cut off, and accumulators of 16 and 14 bits.
  [[nodiscard]] static std::vector<OperationSubject<Linear>> correct() {
    using Kernel = detail::EmulatedLinear<float32>;
    using Narrow = detail::EmulatedLinear<bfloat16>;
    using Half = detail::EmulatedLinear<float16>;
    using enum SummationOrder;
    Arithmetic cutting, brief, promoted;
    cutting.accumulation = accumulation_of<float32>(truncating_blocks);
    brief.accumulation = detail::short_accumulation();
    promoted.accumulation = detail::short_accumulation(128);
    auto half = host_subject<Linear>("in_f16", Half{split_4, Half::Style::bias_first}, arithmetic_in<float16>());
    half.run = [run = half.run](const LinearProblem& problem, const OperandArray& operands) -> Result<void> {
      if (problem.b.is_block_scaled() || problem.is_integer())
        return failure(ErrorKind::unsupported, "float16 has not the range for sums of codes");
      return run(problem, operands);
    };
    return {
        host_subject<Linear>("sequential", Kernel{sequential, Kernel::Style::dequantized_first}),
        host_subject<Linear>("reversed", Kernel{reversed, Kernel::Style::other_formulas}),
        host_subject<Linear>("pairwise", Kernel{pairwise, Kernel::Style::bias_first}),
        host_subject<Linear>("scaled_partial_sums", Kernel{sequential, Kernel::Style::scaled_partial_sums}),
        host_subject<Linear>("dequantized_narrow", Kernel{split_4, Kernel::Style::dequantized_narrow}),
        host_subject<Linear>("truncating_blocks", Kernel{truncating_blocks, Kernel::Style::dequantized_first}, cutting),
        host_subject<Linear>("short_accumulator",
                             Kernel{sequential, Kernel::Style::dequantized_first, "short_accumulator"}, brief),
        host_subject<Linear>("short_promoted", Kernel{sequential, Kernel::Style::dequantized_first, "", 128}, promoted),
        host_subject<Linear>("in_bf16", Narrow{pairwise, Narrow::Style::dequantized_first}, arithmetic_in<bfloat16>()),
        std::move(half)};
  }
};

}  // namespace assay::inline v0
