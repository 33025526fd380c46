#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/rotary_embedding/rotary_embedding.hpp"

namespace assay::inline v0 {

namespace detail {

/// Rotary embeddings in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedRotaryEmbedding {
  enum class Form {
    textbook,
    fused,
    by_exponential,
    complex
  };  ///< by_exponential: frequencies as e^(−2i/r·ln base); complex: (x + iy)·(c + is) by three products
  Form form = Form::textbook;
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }

  [[nodiscard]] double angle(const RotaryEmbeddingProblem& problem, double position, Index pair) const {
    const double base = fault == "base_ignored" ? 10000 : problem.base,
                 scale = fault == "scale_ignored" ? 1 : problem.position_scale;
    double exponent =
        -2 * static_cast<double>(pair) /
        static_cast<double>(fault == "frequency_of_whole_dimension" ? problem.dimension : problem.rotary_dimension);
    if (fault == "frequency_off_by_one") exponent -= 2 / static_cast<double>(problem.rotary_dimension);
    if (fault == "narrow_positions") position = round_to<bfloat16>(position);
    if (problem.angles == AngleArithmetic::exact && fault != "short_angles")
      return position * scale * std::pow(base, exponent);
    if (fault == "narrow_frequencies")
      return round(round(position * scale) * round_to<bfloat16>(std::pow(base, exponent)));
    exponent = round(exponent);
    const double frequency = form == Form::by_exponential ? round(std::exp(round(exponent * round(std::log(base)))))
                                                          : round(std::pow(round(base), exponent));
    return round(round(round(position) * round(scale)) * frequency);
  }

  void operator()(const RotaryEmbeddingProblem& problem, const OperandArray& operands) const {
    const Operand &input = operands[RotaryEmbedding::input], &positions = operands[RotaryEmbedding::positions],
                  &output = operands[RotaryEmbedding::output];
    RotaryEmbeddingProblem own = problem;
    if (fault == "other_layout")
      own.layout = problem.layout == RotaryLayout::interleaved ? RotaryLayout::half_split : RotaryLayout::interleaved;
    if (fault == "partial_ignored") own.rotary_dimension = problem.dimension / 2 * 2;
    if (fault == "direction_ignored") own.inverse = false;
    for (Index row = 0; row < problem.batch * problem.sequence * problem.heads; ++row) {
      const Index token = row / problem.heads, first = row * problem.dimension;
      double position = problem.given_positions && fault != "positions_ignored"
                            ? positions.load(token)
                            : static_cast<double>(problem.offset + token % problem.sequence);
      if (fault == "offset_ignored" && !problem.given_positions) position -= static_cast<double>(problem.offset);
      if (fault == "position_of_batch" && !problem.given_positions)
        position = static_cast<double>(problem.offset + token);
      for (Index column = 0; column < problem.dimension; ++column) {
        const double x = input.load(first + column);
        if (column >= own.rotary_dimension) {
          output.store(first + column, x);
          continue;
        }
        const double y = input.load(first + own.partner(column)), theta = angle(own, position, own.pair(column));
        double cosine = round(std::cos(theta)), sine = round(std::sin(theta));
        if (fault == "narrow_tables") cosine = round_to<bfloat16>(cosine), sine = round_to<bfloat16>(sine);
        if (own.is_first(column) != own.inverse) sine = -sine;
        double result = form == Form::fused ? round(std::fma(x, cosine, round(y * sine)))
                                            : round(round(x * cosine) + round(y * sine));
        if (form == Form::complex) result = round(std::fma(y, sine, round(x * cosine)));
        if (fault == "truncated_output") result = output.format.round(result, Rounding::toward_zero);
        output.store(first + column, result);
      }
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<RotaryEmbedding> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    return {
        {"other_layout", addressing, "rotates the pairs of the other layout", {"rotary_embedding"}},
        {"partial_ignored", addressing, "rotates the whole head where only a part is asked for", {"rotary_embedding"}},
        {"direction_ignored", missing_work, "rotates forward where the inverse is asked for", {"rotary_embedding"}},
        {"offset_ignored", missing_work, "counts positions from 0", {"rotary_embedding"}},
        {"positions_ignored", missing_work, "counts positions instead of reading them", {"rotary_embedding"}},
        {"position_of_batch",
         addressing,
         "goes on counting positions from one sequence of the batch to the next",
         {"rotary_embedding"}},
        {"frequency_of_whole_dimension",
         addressing,
         "takes frequencies of the whole head where a part of it is rotated",
         {"rotary_embedding"}},
        {"frequency_off_by_one", addressing, "starts with the second frequency", {"rotary_embedding"}},
        {"base_ignored", missing_work, "uses the base 10000 whatever is asked for", {"rotary_embedding"}},
        {"scale_ignored", missing_work, "does not interpolate positions", {"rotary_embedding"}},
        {"narrow_positions", precision, "rounds positions to bfloat16", {"rotary_embedding"}},
        {"narrow_frequencies", precision, "rounds frequencies to bfloat16", {"rotary_embedding"}},
        {"narrow_tables", precision, "rounds sines and cosines to bfloat16", {"rotary_embedding"}},
        {"short_angles", precision, "computes angles in float32 where exact ones are promised", {"rotary_embedding"}},
        {"truncated_output", rounding, "cuts its results off instead of rounding them", {"rotary_embedding"}}};
  }
  [[nodiscard]] static OperationSubject<RotaryEmbedding> faulty(std::string_view name) {
    return host_subject<RotaryEmbedding>(std::string(name),
                                         Kernel{Kernel::Form::textbook, own_fault<RotaryEmbedding>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<RotaryEmbedding>> correct() {
    using Narrow = detail::EmulatedRotaryEmbedding<bfloat16>;
    using Half = detail::EmulatedRotaryEmbedding<float16>;
    return {host_subject<RotaryEmbedding>("textbook", Kernel{Kernel::Form::textbook}),
            host_subject<RotaryEmbedding>("fused", Kernel{Kernel::Form::fused}),
            host_subject<RotaryEmbedding>("by_exponential", Kernel{Kernel::Form::by_exponential}),
            host_subject<RotaryEmbedding>("complex", Kernel{Kernel::Form::complex}),
            host_subject<RotaryEmbedding>("in_bf16", Narrow{Narrow::Form::textbook}, arithmetic_in<bfloat16>()),
            host_subject<RotaryEmbedding>("in_f16", Half{Half::Form::fused}, arithmetic_in<float16>())};
  }

 private:
  using Kernel = detail::EmulatedRotaryEmbedding<float32>;
};

}  // namespace assay::inline v0
