#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"

namespace assay::inline v0 {

namespace detail {

/// Elementwise functions in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedElementwise {
  /// textbook: as the definitions read; reformulated: gelu by σ and erfc, σ by the sign of x, products before sums;
  /// fused: one rounding for x·y + z, 2^(x·log2 e); approximate: textbook, with elementary functions that err by 6 to 7
  /// units of roundoff.
  enum class Form { textbook, reformulated, fused, approximate };
  Form form = Form::textbook;
  std::string_view fault = "";

  [[nodiscard]] double round(double value) const {
    return fault == "narrow_arithmetic" ? round_to<bfloat16>(value) : round_to<Accumulator>(value);
  }
  /// An elementary function's result.
  [[nodiscard]] double called(double exact) const {
    if (form != Form::approximate || !is_finite(exact)) return round(exact);
    return round(exact * (1 + (detail::bits_of(exact) % 2 == 0 ? 6 : -6) * unit_roundoff<Accumulator>()));
  }
  [[nodiscard]] double power(double x) const {
    if (form == Form::fused) return round(std::exp2(round(x * 1.4426950408889634)));
    return called(std::exp(x));
  }
  [[nodiscard]] double multiply_add(double x, double y, double z) const {
    if (form == Form::fused) return round(std::fma(x, y, z));
    return round(round(x * y) + z);
  }
  [[nodiscard]] double sigmoid(double x) const {
    if (fault == "overflowing_sigmoid") return round(power(x) / round(1 + power(x)));
    if (form == Form::reformulated && x < 0) return round(power(x) / round(1 + power(x)));
    return round(1 / round(1 + power(-x)));
  }
  [[nodiscard]] double tanh(double x) const {
    if (fault == "canceling_tanh") return round(1 - round(2 / round(1 + power(round(2 * x)))));
    return is_finite(x) ? called(std::tanh(x)) : std::tanh(x);  // the limits of right functions are exact
  }
  [[nodiscard]] double inner(double x) const {
    const double coefficient = round(fault == "short_coefficient" ? 0.0447 : 0.044715), c = round(0.7978845608028654);
    if (form == Form::textbook || form == Form::approximate)
      return round(c * multiply_add(coefficient, round(round(x * x) * x), x));
    return round(round(x * c) * multiply_add(round(coefficient * x), x, 1));
  }
  [[nodiscard]] double gelu(double x) const {
    const double z = round(x * round(0.70710678118654752));
    if (form == Form::reformulated) return round(round(0.5 * x) * called(std::erfc(-z)));
    return round(round(0.5 * x) * round(1 + called(std::erf(z))));
  }
  [[nodiscard]] double gelu_tanh(double x) const {
    if (form == Form::reformulated) return round(x * sigmoid(round(2 * inner(x))));
    return round(round(0.5 * x) * round(1 + tanh(inner(x))));
  }
  [[nodiscard]] double softplus(double x) const {
    if (fault == "softplus_without_log1p") return round(std::log(round(1 + power(x))));
    if (form != Form::reformulated && x > 20) return x;
    if (form == Form::textbook && std::exp(x) < max_finite<Accumulator>()) return called(std::log1p(power(x)));
    return round((x > 0 ? x : 0) + called(std::log1p(power(-std::fabs(x)))));
  }
  [[nodiscard]] static double larger(double x, double y, bool number) {
    if (is_nan(x) || is_nan(y)) return number ? (is_nan(x) ? y : x) : std::numeric_limits<double>::quiet_NaN();
    return x > y ? x : y;
  }
  [[nodiscard]] double sine(double x, double phase) const {
    if (fault == "short_reduction")
      x = round(x - round(round(6.283185307179586) * std::nearbyint(round(x / round(6.283185307179586)))));
    return called(phase == 0 ? std::sin(x) : std::cos(x));
  }

  [[nodiscard]] double value(const ElementwiseProblem& problem, double x, double y, double z) const {
    const bool number = problem.nan_policy == NanPolicy::number;
    switch (problem.function) {
      case ElementwiseFunction::cast: return x;
      case ElementwiseFunction::relu: return fault == "unordered_maximum" ? (x > 0 ? x : 0) : larger(x, 0, number);
      case ElementwiseFunction::gelu: return fault == "tanh_for_erf" ? gelu_tanh(x) : gelu(x);
      case ElementwiseFunction::gelu_tanh: return gelu_tanh(x);
      case ElementwiseFunction::silu:
        return form == Form::textbook ? round(x / round(1 + power(-x))) : round(x * sigmoid(x));
      case ElementwiseFunction::sigmoid: return sigmoid(x);
      case ElementwiseFunction::tanh: return tanh(x);
      case ElementwiseFunction::softplus: return softplus(x);
      case ElementwiseFunction::exp: return power(x);
      case ElementwiseFunction::log: return called(std::log(x));
      case ElementwiseFunction::sqrt: return called(std::sqrt(x));
      case ElementwiseFunction::rsqrt:
        return form == Form::textbook ? round(1 / round(std::sqrt(x))) : called(1 / std::sqrt(x));
      case ElementwiseFunction::sin: return sine(x, 0);
      case ElementwiseFunction::cos: return sine(x, 1);
      case ElementwiseFunction::erf: return called(std::erf(x));
      case ElementwiseFunction::scale_shift:
        return multiply_add(round(problem.a), x, fault == "shift_missing" ? 0 : round(problem.b));
      case ElementwiseFunction::add: return round(x + y);
      case ElementwiseFunction::subtract: return round(x - y);
      case ElementwiseFunction::multiply: return round(x * y);
      case ElementwiseFunction::divide:
        return fault == "short_reciprocal" ? round(x * round_to<float16>(1 / y)) : called(x / y);
      case ElementwiseFunction::maximum: return fault == "unordered_maximum" ? (x > y ? x : y) : larger(x, y, number);
      case ElementwiseFunction::minimum: return -larger(-x, -y, number);
      case ElementwiseFunction::multiply_add: return multiply_add(x, y, z);
    }
    return x;
  }
  [[nodiscard]] double slope(const ElementwiseProblem& problem, double x) const {
    const double s = sigmoid(x), t = tanh(problem.function == ElementwiseFunction::tanh ? x : inner(x));
    switch (problem.function) {
      case ElementwiseFunction::relu: return x > 0 || (fault == "gradient_at_zero" && x == 0) ? 1 : 0;
      case ElementwiseFunction::sigmoid: return round(s * round(1 - s));
      case ElementwiseFunction::tanh: return multiply_add(-t, t, 1);
      case ElementwiseFunction::softplus: return s;
      case ElementwiseFunction::silu:
        return fault == "gradient_term_missing" ? s : round(s * multiply_add(x, round(1 - s), 1));
      case ElementwiseFunction::gelu: {
        const double phi = round(0.5 * round(1 + called(std::erf(round(x * round(0.70710678118654752))))));
        return multiply_add(x, round(round(0.3989422804014327) * power(round(-0.5 * round(x * x)))), phi);
      }
      default: {
        const double steep = round(round(0.7978845608028654) * multiply_add(round(0.134145), round(x * x), 1));
        return round(round(0.5 * round(1 + t)) + round(round(round(0.5 * x) * multiply_add(-t, t, 1)) * steep));
      }
    }
  }

  void operator()(const ElementwiseProblem& problem, const OperandArray& operands) const {
    BroadcastOffset offsets[3];
    for (int i = 0; i < problem.inputs(); ++i) offsets[i] = BroadcastOffset(operands[i]);
    const bool transposed =  // an operand that is repeated, so that no place need lie beyond it
        fault == "broadcast_transposed" && problem.inputs() > 1 && problem.rank == 2 &&
        operands[1].size() != problem.size();
    if (transposed) std::swap(offsets[1].strides[0], offsets[1].strides[1]);
    const Operand& output = operands[Elementwise::output];
    for (Index e = 0; e < problem.size(); ++e) {
      double v[3] = {0, 0, 0};
      for (int i = 0; i < problem.inputs(); ++i) {
        Index place = offsets[i](problem, e / problem.columns(), e % problem.columns());
        if (transposed && i == 1) place %= operands[i].size();
        v[i] = operands[i].format.load(operands[i].data, place);
        if (fault == "flushed_subnormals" && std::fabs(v[i]) < power_of_two(operands[i].format.layout.min_exponent()))
          v[i] = 0;
      }
      double result = problem.backward ? round(slope(problem, v[0]) * v[1]) : value(problem, v[0], v[1], v[2]);
      if (problem.backward && problem.function == ElementwiseFunction::relu)
        result = slope(problem, v[0]) != 0 ? v[1] : 0;
      if (fault == "vector_remainder" && e >= problem.size() / 8 * 8) result = v[0];
      if (fault == "truncated_output") result = output.format.round(result, Rounding::toward_zero);
      if (problem.function != ElementwiseFunction::cast) {
        output.store(e, result);
        continue;
      }
      Rounding rounding = problem.rounding;
      if (fault == "ties_away" && rounding == Rounding::nearest_even) rounding = Rounding::nearest_away;
      if (fault == "cast_truncates_integers" && !output.format.is_float()) rounding = Rounding::toward_zero;
      if (fault == "cast_through_bf16") result = round_to<bfloat16>(result);
      const bool saturate = problem.saturating != (fault == "saturation_ignored");
      output.format.store_code(output.data, output.offset_of(e),
                               output.format.encode(result, rounding, saturate ? Overflow::saturate : Overflow::ieee));
    }
  }
};

}  // namespace detail

template <>
struct OperationFaults<Elementwise> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    return {
        {"narrow_arithmetic", precision, "rounds intermediate results to bfloat16", {"elementwise"}},
        {"truncated_output", rounding, "cuts its results off instead of rounding them", {"elementwise"}},
        {"ties_away", rounding, "rounds ties away from zero when it casts", {"elementwise"}},
        {"cast_truncates_integers",
         rounding,
         "truncates to integers where rounding to nearest is asked for",
         {"elementwise"}},
        {"cast_through_bf16", rounding, "rounds twice: to bfloat16 before the output's format", {"elementwise"}},
        {"saturation_ignored",
         special_value,
         "overflows to infinity or NaN where saturation is due, or the reverse",
         {"elementwise"}},
        {"vector_remainder", missing_work, "copies the elements that do not fill a vector of 8", {"elementwise"}},
        {"broadcast_transposed", addressing, "repeats an operand along the wrong dimension", {"elementwise"}},
        {"tanh_for_erf",
         precision,
         "computes gelu by its tanh approximation where the exact one is asked for",
         {"elementwise"}},
        {"short_coefficient", precision, "uses 0.0447 in gelu's tanh approximation", {"elementwise"}},
        {"short_reduction", precision, "reduces arguments of sin and cos by a rounded 2 pi", {"elementwise"}},
        {"softplus_without_log1p", precision, "computes log(1 + e^x) as it stands", {"elementwise"}},
        {"overflowing_sigmoid", special_value, "computes e^x/(1 + e^x), which is NaN for large x", {"elementwise"}},
        {"canceling_tanh", precision, "computes 1 - 2/(1 + e^2x), which cancels near 0", {"elementwise"}},
        {"short_reciprocal", precision, "divides by multiplying with a reciprocal of 11 bits", {"elementwise"}},
        {"flushed_subnormals", special_value, "reads subnormal operands as 0", {"elementwise"}},
        {"unordered_maximum",
         special_value,
         "takes x > y ? x : y for the maximum, whatever the policy for NaN",
         {"elementwise"}},
        {"shift_missing", missing_work, "scales without shifting", {"elementwise"}},
        {"gradient_at_zero", special_value, "passes the gradient of relu at 0", {"elementwise"}},
        {"gradient_term_missing", missing_work, "leaves the second term out of silu's derivative", {"elementwise"}}};
  }
  [[nodiscard]] static OperationSubject<Elementwise> faulty(std::string_view name) {
    return host_subject<Elementwise>(std::string(name), Kernel{Kernel::Form::textbook, own_fault<Elementwise>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Elementwise>> correct() {
    using Narrow = detail::EmulatedElementwise<bfloat16>;
    using Half = detail::EmulatedElementwise<float16>;
    return {host_subject<Elementwise>("textbook", Kernel{Kernel::Form::textbook}),
            host_subject<Elementwise>("reformulated", Kernel{Kernel::Form::reformulated}),
            host_subject<Elementwise>("fused", Kernel{Kernel::Form::fused}),
            host_subject<Elementwise>("approximate", Kernel{Kernel::Form::approximate}),
            host_subject<Elementwise>("in_bf16", Narrow{Narrow::Form::textbook}, arithmetic_in<bfloat16>()),
            host_subject<Elementwise>("in_f16", Half{Half::Form::reformulated}, arithmetic_in<float16>())};
  }

 private:
  using Kernel = detail::EmulatedElementwise<float32>;
};

}  // namespace assay::inline v0
