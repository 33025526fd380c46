#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/dropout/dropout.hpp"

namespace assay::inline v0 {

namespace detail {

/// Dropouts in which every result is rounded to `Accumulator`, with different generators, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedDropout {
  enum class Form {
    counter,
    mixed,
    sequential,
    divided
    /// counter: Philox by position, lanes of 4; mixed: a hash of the position; sequential: a congruential generator
    /// with state; divided: x/(1 − p)
  };
  Form form = Form::counter;
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }

  void operator()(const DropoutProblem& asked, const OperandArray& operands) const {
    DropoutProblem problem = asked;
    if (fault == "seed_ignored") problem.seed = 113496;
    const Operand &input = operands[Dropout::input], &output = operands[Dropout::output];
    std::uint64_t state = problem.seed * 2862933555777941757U + 3037000493U;
    double scale = problem.rate < 1 ? round(1 / round(1 - round(problem.rate))) : 0;
    if (fault == "scale_missing") scale = 1;
    if (fault == "scale_by_rate") scale = round(1 / round(problem.rate));
    if (fault == "narrow_scale") scale = round_to<bfloat16>(scale);
    for (Index i = 0; i < problem.rows * problem.columns; ++i) {
      Index place = i;
      if (fault == "same_mask_each_row") place = i % problem.columns;
      if (fault == "lanes_share_draws") place = i / 4 * 4;
      if (fault == "short_period") place = i % 4096;
      const bool kept = draw(problem, place, state);
      const double x = input.load(i);
      double y =
          kept ? (form == Form::divided && fault.empty() ? round(x / round(1 - round(problem.rate))) : round(x * scale))
               : 0;
      if (fault == "truncated_output") y = output.format.round(y, Rounding::toward_zero);
      if (fault == "addend_left" && !kept) y = round(x * 0x1p-10);
      output.store(i, y);
      if (problem.gives_mask) operands[Dropout::mask].store(i, kept != (fault == "mask_inverted") ? 1 : 0);
      if (!problem.with_gradient) continue;
      std::uint64_t again = state;
      const bool passes = fault == "gradient_of_other_mask" ? draw(problem, i + 1, again) : kept;
      operands[Dropout::input_gradient].store(
          i, passes ? round(operands[Dropout::gradient].load(i) * (fault == "gradient_unscaled" ? 1 : scale)) : 0);
    }
  }

 private:
  [[nodiscard]] bool draw(const DropoutProblem& problem, Index place, std::uint64_t& state) const {
    const auto position = static_cast<std::uint64_t>(place);
    double uniform = 0;
    switch (form) {
      case Form::mixed: {
        std::uint64_t bits = (position + problem.seed * 0x9E3779B97F4A7C15U) * 0xBF58476D1CE4E5B9U;
        bits = (bits ^ bits >> 31) * 0x94D049BB133111EBU;
        uniform = static_cast<double>((bits ^ bits >> 29) >> 11) * 0x1p-53;
        break;
      }
      case Form::sequential:
        state = state * 6364136223846793005U + 1442695040888963407U;
        uniform = static_cast<double>(state >> 40) * 0x1p-24;
        break;
      default:
        uniform = static_cast<double>(random_bits(problem.seed, position / 4, 1).words[position % 4]) * 0x1p-32;
        break;
    }
    if (fault == "coarse_draws") uniform = std::floor(uniform * 64) / 64;
    if (fault == "columns_never_dropped" && place % problem.columns < 16) uniform = 1;
    if (fault == "counts_instead_of_drawing") uniform = static_cast<double>(place * 7 % 100) / 100;
    if (fault == "rate_exchanged") return uniform < problem.rate;
    return uniform >= problem.rate;
  }
};

}  // namespace detail

template <>
struct OperationFaults<Dropout> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    return {{"rate_exchanged", addressing, "keeps with the probability with which it is to drop", {"dropout"}},
            {"scale_missing", missing_work, "does not scale what it keeps", {"dropout"}},
            {"scale_by_rate", addressing, "divides by the rate instead of 1 - rate", {"dropout"}},
            {"narrow_scale", precision, "rounds the scale to bfloat16", {"dropout"}},
            {"truncated_output", rounding, "cuts its results off instead of rounding them", {"dropout"}},
            {"addend_left", missing_work, "leaves a thousandth of what it drops", {"dropout"}},
            {"coarse_draws", precision, "draws numbers of 6 bits, so that the rate is a multiple of 1/64", {"dropout"}},
            {"same_mask_each_row", state, "uses the same mask in every row", {"dropout"}},
            {"lanes_share_draws", state, "uses each draw for four neighbors", {"dropout"}},
            {"short_period", state, "repeats its mask after 4096 elements", {"dropout"}},
            {"columns_never_dropped", missing_work, "never drops the first 16 columns", {"dropout"}},
            {"counts_instead_of_drawing", state, "drops at equal distances instead of at random", {"dropout"}},
            {"seed_ignored", state, "draws the same mask whatever the seed", {"dropout"}},
            {"mask_inverted", addressing, "gives the mask of what is dropped", {"dropout"}},
            {"gradient_of_other_mask", state, "draws another mask for the gradient", {"dropout"}},
            {"gradient_unscaled", missing_work, "does not scale the gradient", {"dropout"}}};
  }
  [[nodiscard]] static OperationSubject<Dropout> faulty(std::string_view name) {
    return host_subject<Dropout>(std::string(name), Kernel{Kernel::Form::counter, own_fault<Dropout>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Dropout>> correct() {
    using Narrow = detail::EmulatedDropout<bfloat16>;
    using Half = detail::EmulatedDropout<float16>;
    return {host_subject<Dropout>("counter", Kernel{Kernel::Form::counter}),
            host_subject<Dropout>("mixed", Kernel{Kernel::Form::mixed}),
            host_subject<Dropout>("sequential", Kernel{Kernel::Form::sequential}),
            host_subject<Dropout>("divided", Kernel{Kernel::Form::divided}),
            host_subject<Dropout>("in_bf16", Narrow{Narrow::Form::counter}, arithmetic_in<bfloat16>()),
            host_subject<Dropout>("in_f16", Half{Half::Form::divided}, arithmetic_in<float16>())};
  }

 private:
  using Kernel = detail::EmulatedDropout<float32>;
};

}  // namespace assay::inline v0
