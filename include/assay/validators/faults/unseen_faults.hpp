#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A fault that an operation's default suite does not see. No formats mean all of them.
struct UnseenFault {
  std::string_view operation, formats, fault, why;
};

/// Those that nobody can see in the outputs, each with its proof.
[[nodiscard]] inline const std::vector<UnseenFault>& invisible_faults() {
  static constexpr std::string_view
      either_zero = "-0 equals 0, and which of them an exact sum of zero gives depends on the order of additions: the contract leaves it open",
      integers = "its outputs are integers: there is nothing to round, and no NaN, infinity, subnormal number or negative zero",
      moves = "it moves numbers that have the format already: nothing rounds",
      vectors = "its operands are vectors: there is one row, and no gap between rows",
      exchangeable = "the draws of a row are independent and of one distribution: in another order they are as likely",
      boxes = "a box has four numbers: a row ends within the first tile",
      tiny_boxes = "coordinates below the smallest normal number change areas by less than that: no threshold lies there",
      gradients = "where values are not finite, products of 0 and infinity make gradients NaN in one right order and not in another: nothing is promised",
      infinite = "a weight of 0 may multiply an infinity or leave it out: nothing is promised where inputs are infinite",
      exact_products = "products of 16-bit numbers are exact in float32: no bit changes",
      counted = "the rounding of a product is at most u|ab|, which the bound counts: both ways are right unless the same bits are promised",
      eight_bits = "bf16 has 8 significand bits, TF32 keeps 11: no bit changes",
      eleven_bits = "f16 has 11 significand bits, TF32 keeps 11: no bit changes",
      same_format = "the sum has the output's format already: no bit changes";
  static const std::vector<UnseenFault> all{
      {"attention", "", "negative_zero", either_zero}, {"attention_merge", "", "negative_zero", either_zero}, {"attention_backward", "", "negative_zero", either_zero},
      {"convolution", "", "negative_zero", either_zero}, {"cross_entropy", "", "negative_zero", either_zero}, {"dropout", "", "negative_zero", either_zero},
      {"elementwise", "", "negative_zero", either_zero}, {"linear", "", "negative_zero", either_zero}, {"normalisation", "", "negative_zero", either_zero},
      {"normalisation_backward", "", "negative_zero", either_zero}, {"optimizer", "", "negative_zero", either_zero}, {"pooling", "", "negative_zero", either_zero},
      {"reduction", "", "negative_zero", either_zero}, {"resize", "", "negative_zero", either_zero}, {"rotary_embedding", "", "negative_zero", either_zero},
      {"softmax", "", "negative_zero", either_zero}, {"softmax_backward", "", "negative_zero", either_zero}, {"sort", "", "negative_zero", either_zero},
      {"gemm", "", "negative_zero", either_zero}, {"non_maximum_suppression", "", "swallowed_nan", integers}, {"sampling", "", "swallowed_nan", integers},
      {"non_maximum_suppression", "", "swallowed_infinity", integers}, {"sampling", "", "swallowed_infinity", integers}, {"non_maximum_suppression", "", "invented_nan", integers},
      {"sampling", "", "invented_nan", integers}, {"non_maximum_suppression", "", "nan_for_zero", integers}, {"sampling", "", "nan_for_zero", integers},
      {"non_maximum_suppression", "", "negative_zero", integers}, {"sampling", "", "negative_zero", integers}, {"non_maximum_suppression", "", "flushed_output", integers},
      {"sampling", "", "flushed_output", integers}, {"non_maximum_suppression", "", "rounded_toward_zero", integers}, {"sampling", "", "rounded_toward_zero", integers},
      {"non_maximum_suppression", "", "rounded_away_from_zero", integers}, {"sampling", "", "rounded_away_from_zero", integers},
      {"non_maximum_suppression", "", "rounded_at_random", integers}, {"sampling", "", "rounded_at_random", integers}, {"non_maximum_suppression", "", "rounded_twice", integers},
      {"sampling", "", "rounded_twice", integers}, {"sort", "", "rounded_toward_zero", moves}, {"sort", "", "rounded_away_from_zero", moves},
      {"sort", "", "rounded_at_random", moves}, {"sort", "", "rounded_twice", moves}, {"optimizer", "", "row_edge_of_4", vectors}, {"optimizer", "", "row_edge_of_16", vectors},
      {"optimizer", "", "row_overrun", vectors}, {"optimizer", "", "first_row_for_all", vectors}, {"optimizer", "", "tiles_transposed", vectors},
      {"optimizer", "", "ignored_strides", vectors}, {"optimizer", "", "input_strides_ignored", vectors}, {"optimizer", "", "first_input_row_for_all", vectors},
      {"sampling", "", "shifted_output", exchangeable}, {"sampling", "", "lanes_exchanged", exchangeable}, {"sampling", "", "tiles_transposed", exchangeable},
      {"non_maximum_suppression", "", "input_row_edge", boxes}, {"non_maximum_suppression", "", "flushed_input", tiny_boxes},
      {"attention_backward", "", "swallowed_infinity", gradients}, {"attention_backward", "", "invented_nan", gradients}, {"attention_backward", "", "nan_read_as_zero", gradients},
      {"resize", "", "swallowed_infinity", infinite}, {"resize", "", "invented_nan", infinite}, {"gemm", "bf16.f32.bf16", "fused_products", exact_products},
      {"gemm", "f16.f32.f16", "fused_products", exact_products}, {"gemm", "f32.f32.f32", "fused_products", counted}, {"gemm", "bf16.f32.bf16", "narrow_inputs", eight_bits},
      {"gemm", "f16.f32.f16", "narrow_inputs", eleven_bits}, {"gemm", "f32.f32.f32", "truncated_output", same_format}, {"gemm", "f32.f32.f32", "rounded_before_beta", same_format},
      {"gemm", "f32.f32.f32", "rounded_toward_zero", same_format}, {"gemm", "f32.f32.f32", "rounded_away_from_zero", same_format},
      {"gemm", "f32.f32.f32", "rounded_at_random", same_format}, {"gemm", "f32.f32.f32", "rounded_twice", same_format}};
  return all;
}

/// Those that default suites miss although they could be seen, and what the suite lacks. Each is work to be done.
[[nodiscard]] inline const std::vector<UnseenFault>& known_gaps() {
  static const std::vector<UnseenFault> all{
      {"attention", "", "flushed_output", "no pattern has subnormal values"},
      {"attention", "", "flushed_input", "no pattern has subnormal values"},
      {"attention_backward", "", "flushed_input", "no pattern has subnormal values"},
      {"softmax", "", "flushed_input", "no pattern has subnormal values"},
      {"cross_entropy", "", "flushed_input", "no pattern has subnormal values"},
      {"attention", "", "nan_read_as_zero", "no pattern has NaN in queries"},
      {"softmax_backward", "", "nan_read_as_zero", "no pattern has NaN in the saved output"},
      {"non_maximum_suppression", "", "nan_read_as_zero", "no pattern has NaN in boxes"},
      {"sampling", "", "nan_read_as_zero", "no pattern has NaN in logits"},
      {"attention", "", "rounded_twice", "weights may be kept in the output's 16 bits, and the bound is then wider than an eighth of a unit"},
      {"sampling", "", "column_edge_of_8", "every number of draws is a multiple of 32"},
      {"sampling", "", "column_edge_of_16", "every number of draws is a multiple of 32"},
      {"sampling", "", "column_edge_of_32", "every number of draws is a multiple of 32"},
      {"sampling", "", "row_edge_of_4", "tokens are judged by their frequencies, and there are few rows"},
      {"sampling", "", "row_edge_of_16", "tokens are judged by their frequencies, and there are few rows"},
      {"sampling", "", "row_overrun", "tokens are judged by their frequencies, and there are few rows"},
      {"sampling", "", "wrong_lane", "draws are judged by their frequencies, which copies of other draws leave as they are"},
      {"sampling", "", "wrong_warp", "draws are judged by their frequencies, which copies of other draws leave as they are"},
      {"non_maximum_suppression", "", "row_edge_of_4", "kept boxes are lists of few rows"},
      {"non_maximum_suppression", "", "row_edge_of_16", "kept boxes are lists of few rows"},
      {"non_maximum_suppression", "", "tiles_transposed", "kept boxes are lists of few rows"}};
  return all;
}

namespace detail {
[[nodiscard]] inline std::string why_unseen(const std::vector<UnseenFault>& list, std::string_view operation, std::string_view fault, std::string_view formats) {
  for (const UnseenFault& entry : list)
    if (entry.fault == fault && entry.operation == operation && (entry.formats.empty() || entry.formats == formats)) return std::string(entry.why);
  return "";
}
}  // namespace detail

/// Why a fault is invisible in an operation; empty where it is not.
[[nodiscard]] inline std::string proof_of_invisibility(std::string_view operation, std::string_view fault, std::string_view formats = {}) {
  return detail::why_unseen(invisible_faults(), operation, fault, formats);
}

/// What an operation's default suite lacks to see a fault; empty where it sees it, or nobody can.
[[nodiscard]] inline std::string gap_of_suite(std::string_view operation, std::string_view fault, std::string_view formats = {}) {
  return detail::why_unseen(known_gaps(), operation, fault, formats);
}

}  // namespace assay
