#pragma once

// Path 1 of README.md, second half: kernels that are right in their own ways, and kernels with the operation's faults.

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/faults/summation_order.hpp"
#include "norm_rope_quantize.hpp"

namespace custom {

/// Rounds every result to `Accumulator`.
template <FloatFormat Accumulator>
struct NormRopeQuantizeKernel {
  SummationOrder order = SummationOrder::sequential;
  bool fused = false;  ///< weight times inverse first, fused multiply-adds, one reciprocal a row
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }

  void operator()(const NormRopeQuantizeProblem& problem, const OperandArray& operands) const {
    const auto has = [&](std::string_view name) { return fault == name; };
    const Operand &input = operands[0], &weight = operands[1], &codes = operands[2], &scales = operands[3];
    RotaryEmbeddingProblem rotary = problem.rotary;
    if (has("other_pairs")) rotary.layout = RotaryLayout(rotary.layout == RotaryLayout::interleaved);
    const Index n = rotary.dimension;
    double scale_before = 1;
    for (Index row = 0; row < problem.rows(); ++row) {
      double mean = 0;
      for (Index c = 0; c < n && has("mean_subtracted"); ++c) mean += input.load(row * n + c) / static_cast<double>(n);
      const auto squares = [&](Index c) {
        return std::pair(input.load(row * n + c) - mean, input.load(row * n + c) - mean);
      };
      const double sum =
          has("narrow_sum") ? sum_in_order<bfloat16>(order, squares, n) : sum_in_order<Accumulator>(order, squares, n);
      const double square = round(sum / static_cast<double>(n)), epsilon = has("epsilon_missing") ? 0 : problem.epsilon;
      const double root =
          has("epsilon_outside_root") ? std::sqrt(square) + epsilon : round(std::sqrt(round(square + epsilon)));
      const double inverse = round(1 / root);

      std::vector<double> z(static_cast<std::size_t>(n)), y = z;
      const auto weighted = [&](double value, Index c) { return round(value * weight.load(c)); };
      for (Index c = 0; c < n; ++c) {
        const double x = input.load(row * n + c), scaled = round(x * inverse);
        z[at(c)] = has("weight_after_turn") ? scaled : fused ? round(x * weighted(inverse, c)) : weighted(scaled, c);
      }
      double amax = 0x1p-40;
      for (Index c = 0; c < n; ++c) {
        y[at(c)] = c < rotary.rotary_dimension ? turned(rotary, row, c, z[at(c)], z[at(rotary.partner(c))]) : z[at(c)];
        if (has("weight_after_turn")) y[at(c)] = weighted(y[at(c)], c);
        const double size = has("amax_before_turn") ? z[at(c)] : y[at(c)];
        amax = std::max(amax, has("amax_signed") ? size : std::fabs(size));
      }
      double scale = round(amax / problem.largest());
      scales.store(row, scale);
      if (has("scale_of_row_before")) std::swap(scale, scale_before);
      for (Index c = 0; c < n; ++c) {
        const double code = fused ? round(y[at(c)] * round(problem.largest() / amax)) : round(y[at(c)] / scale);
        const double kept = std::clamp(code, -problem.largest(), problem.largest());
        codes.store(row * n + c, has("truncated_codes") ? codes.format.round(kept, Rounding::toward_zero) : kept);
      }
    }
  }

 private:
  static std::size_t at(Index position) { return static_cast<std::size_t>(position); }

  [[nodiscard]] double turned(const RotaryEmbeddingProblem& rotary, Index row, Index column, double own,
                              double other) const {
    double position = static_cast<double>(rotary.offset + row / rotary.heads % rotary.sequence);
    if (fault == "narrow_positions") position = round_to<bfloat16>(position);
    const double exponent =
        -2 * static_cast<double>(rotary.pair(column)) / static_cast<double>(rotary.rotary_dimension);
    const double angle = rotary.angles == AngleArithmetic::exact
                             ? position * std::pow(rotary.base, exponent)
                             : round(round(position) * round(std::pow(round(rotary.base), round(exponent))));
    const double cosine = round(std::cos(angle)), sine = round(std::sin(angle));
    const double across = rotary.is_first(column) != (fault == "turned_backward") ? -other : other;
    return fused ? round(std::fma(own, cosine, round(across * sine)))
                 : round(round(own * cosine) + round(across * sine));
  }
};

}  // namespace custom

template <>
struct assay::OperationFaults<custom::NormRopeQuantize> {
  using Op = custom::NormRopeQuantize;
  using Single = custom::NormRopeQuantizeKernel<float32>;

  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const auto fault = [](const char* name, FaultClass kind, const char* effect) {
      return Fault{name, kind, effect, {Op::name()}};
    };
    return {fault("epsilon_missing", missing_work, "divides by the root mean square alone"),
            fault("epsilon_outside_root", missing_work, "adds epsilon to the root"),
            fault("mean_subtracted", addressing, "normalizes as LayerNorm does"),
            fault("other_pairs", addressing, "turns the pairs of the other layout"),
            fault("turned_backward", addressing, "turns by the negative angle"),
            fault("weight_after_turn", addressing, "multiplies by the weight after the turn, which does not commute"),
            fault("amax_before_turn", addressing,
                  "takes the scale before the turn: a pair may grow by the square root of 2"),
            fault("amax_signed", special_value, "takes the largest value for the largest magnitude"),
            fault("scale_of_row_before", state, "divides by the scale of the row before"),
            fault("truncated_codes", rounding, "cuts codes off instead of rounding them"),
            fault("narrow_sum", precision, "adds squares in bfloat16"),
            fault("narrow_positions", precision, "rounds positions to bfloat16")};
  }
  [[nodiscard]] static OperationSubject<Op> faulty(std::string_view name) {
    return host_subject<Op>(std::string(name), Single{SummationOrder::sequential, false, own_fault<Op>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Op>> correct() {
    using enum SummationOrder;
    using Narrow = custom::NormRopeQuantizeKernel<bfloat16>;
    using Half = custom::NormRopeQuantizeKernel<float16>;
    using Double = custom::NormRopeQuantizeKernel<float64>;
    std::vector<OperationSubject<Op>> all;
    for (const SummationOrder order : {sequential, reversed, pairwise, lanes, split_8, SummationOrder::fused}) {
      all.push_back(host_subject<Op>(std::string(name_of(order)), Single{order}));
      all.push_back(host_subject<Op>(std::string(name_of(order)) + "_folded", Single{order, true}));
    }
    all.push_back(host_subject<Op>("in_bf16", Narrow{sequential}, arithmetic_in<bfloat16>()));
    all.push_back(host_subject<Op>("in_bf16_pairwise", Narrow{pairwise, true}, arithmetic_in<bfloat16>()));
    all.push_back(host_subject<Op>("in_f16", Half{lanes}, arithmetic_in<float16>()));
    all.push_back(host_subject<Op>("in_f64", Double{sequential}, arithmetic_in<float64>()));
    return all;
  }
};
