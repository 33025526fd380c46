#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_sum.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/softmax/softmax.hpp"

namespace assay::inline v0 {

namespace detail {

/// A softmax in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedSoftmax {
  using Sum = EmulatedSum<Accumulator, float16>;
  using Order = typename Sum::Order;
  enum class Form { shifted, online, base_two };
  Order order = Order::sequential;
  Form form = Form::shifted;
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }
  /// So many significand bits of a number.
  static double cut_to(double value, int bits) {
    const double rest = value * power_of_two(53 - bits);
    return is_finite(rest) ? (value + rest) - rest : value;
  }
  static double power(double exponent) { return round(std::exp(exponent)); }
  [[nodiscard]] double exponential(double shifted) const {
    if (fault == "short_exponential") return cut_to(power(shifted), 11);
    return form == Form::base_two ? round(std::exp2(round(shifted * 1.4426950408889634))) : power(shifted);
  }
  void operator()(const SoftmaxProblem& problem, const OperandArray& operands) const {
    const double infinity = std::numeric_limits<double>::infinity();
    const Operand &input = operands[Softmax::input], &mask = operands[Softmax::mask],
                  &output = operands[Softmax::output];
    for (Index row = 0; row < problem.outer * problem.inner; ++row) {
      const Index first = row / problem.inner * problem.length * problem.inner + row % problem.inner;
      std::vector<double> z;
      for (Index j = 0; j < problem.length; ++j) {
        const Index e = first + j * problem.inner;
        double x = input.load(e);
        if (fault == "narrow_inputs") x = round_to<bfloat16>(x);
        if (problem.temperature != 1 && fault != "temperature_ignored")
          x = round(fault == "temperature_inverted" ? x * problem.temperature : x / problem.temperature);
        if (mask.present() && mask.load(e) == 0 && fault != "mask_ignored")
          x = fault == "mask_finite" ? -30.0 : -infinity;
        z.push_back(x);
      }
      double maximum = -infinity;
      for (std::size_t j = 0; j < z.size(); ++j)
        maximum = is_nan(z[j]) || is_nan(maximum) ? std::numeric_limits<double>::quiet_NaN() : std::max(maximum, z[j]);
      if (maximum == -infinity && problem.fully_masked == FullyMasked::zeros && fault != "fully_masked_nan") {
        for (Index j = 0; j < problem.length; ++j)
          output.store(first + j * problem.inner, problem.logarithm ? -infinity : 0);
        continue;
      }
      if (fault == "no_shift") maximum = 0;
      if (fault == "wrong_maximum" && !z.empty()) maximum = z[0];
      std::vector<double> terms;
      double online_sum = 0, online_maximum = -infinity;
      for (std::size_t block = 0; block < z.size(); block += 16) {
        double block_maximum = online_maximum;
        for (std::size_t j = block; j < std::min(block + 16, z.size()); ++j)
          block_maximum = std::max(block_maximum, z[j]);
        if (block_maximum == -infinity) continue;
        if (fault != "missing_rescale") online_sum = round(online_sum * power(round(online_maximum - block_maximum)));
        for (std::size_t j = block; j < std::min(block + 16, z.size()); ++j)
          online_sum = round(online_sum + power(round(z[j] - block_maximum)));
        online_maximum = block_maximum;
      }
      for (std::size_t j = 0; j < z.size(); ++j) terms.push_back(exponential(round(z[j] - maximum)));
      if (fault == "padding_counted") terms.push_back(exponential(round(0 - maximum)));
      const bool use_online = (form == Form::online || fault == "missing_rescale") && !is_nan(maximum);
      const double sum = use_online ? online_sum : Sum{order, fault}(terms);
      for (std::size_t j = 0; j < z.size(); ++j) {
        const double shifted = round(z[j] - maximum);
        double y = problem.logarithm ? round(shifted - round(std::log(sum)))
                                     : round(fault == "short_reciprocal" ? exponential(shifted) * cut_to(1 / sum, 11)
                                                                         : exponential(shifted) / sum);
        if (fault == "truncated_output") y = output.format.round(y, Rounding::toward_zero);
        output.store(first + static_cast<Index>(j) * problem.inner, y);
      }
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<Softmax> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    return {
        {"no_shift", precision, "takes exponentials without subtracting the maximum", {"softmax"}},
        {"wrong_maximum", missing_work, "subtracts the first element instead of the maximum", {"softmax"}},
        {"missing_rescale",
         missing_work,
         "adds the sums of blocks without rescaling them to the new maximum",
         {"softmax"}},
        {"padding_counted", repeated_work, "counts an element of padding in the denominator", {"softmax"}},
        {"last_term_missing", missing_work, "leaves the last element out of the denominator", {"softmax"}},
        {"short_exponential",
         precision,
         "keeps 11 bits of exponentials, as an approximate instruction does",
         {"softmax"}},
        {"short_reciprocal", precision, "multiplies by 11 bits of the sum's reciprocal", {"softmax"}},
        {"narrow_sum", precision, "keeps the denominator in float16", {"softmax"}},
        {"narrow_inputs", precision, "rounds its inputs to bfloat16", {"softmax"}},
        {"truncated_output", rounding, "cuts its results off instead of rounding them", {"softmax"}},
        {"temperature_ignored", missing_work, "ignores the temperature", {"softmax"}},
        {"temperature_inverted", addressing, "multiplies by the temperature instead of dividing by it", {"softmax"}},
        {"mask_ignored", missing_work, "ignores the mask", {"softmax"}},
        {"mask_finite", precision, "gives masked elements -30 instead of minus infinity", {"softmax"}},
        {"fully_masked_nan",
         special_value,
         "gives NaN for rows without unmasked elements where zeros are asked for",
         {"softmax"}}};
  }
  [[nodiscard]] static OperationSubject<Softmax> faulty(std::string_view name) {
    using Kernel = detail::EmulatedSoftmax<float32>;
    return host_subject<Softmax>(std::string(name), Kernel{.fault = own_fault<Softmax>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Softmax>> correct() {
    using Kernel = detail::EmulatedSoftmax<float32>;
    using Narrow = detail::EmulatedSoftmax<bfloat16>;
    using Half = detail::EmulatedSoftmax<float16>;
    return {host_subject<Softmax>("sequential", Kernel{}),
            host_subject<Softmax>("pairwise", Kernel{Kernel::Order::pairwise}),
            host_subject<Softmax>("strided", Kernel{Kernel::Order::strided}),
            host_subject<Softmax>("online", Kernel{.form = Kernel::Form::online}),
            host_subject<Softmax>("base_two", Kernel{.form = Kernel::Form::base_two}),
            host_subject<Softmax>("in_bf16", Narrow{Narrow::Order::pairwise}, arithmetic_in<bfloat16>()),
            host_subject<Softmax>("in_f16", Half{Half::Order::strided}, arithmetic_in<float16>())};
  }
};

}  // namespace assay::inline v0
