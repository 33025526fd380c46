#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "assay/faults/emulated_sum.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/pooling/pooling.hpp"

namespace assay::inline v0 {

namespace detail {

/// A pooling in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedPooling {
  enum class Order { sequential, separable, pairwise, multiplied_first, inverse };
  Order order = Order::sequential;
  std::string_view fault = "";

  static double round(double value) { return round_to<Accumulator>(value); }

  [[nodiscard]] double add_all(std::vector<double> terms, Index row) const {
    if (order == Order::pairwise)
      return fold_pairwise(std::move(terms), 0.0, [](double a, double b) { return round(a + b); });
    double sum = 0, part = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (fault == "narrow_sum")
        sum = round_to<float16>(sum + terms[i]);
      else if (order != Order::separable)
        sum = round(sum + terms[i]);
      else {
        part = round(part + terms[i]);
        if ((static_cast<Index>(i) + 1) % row == 0 || i + 1 == terms.size()) {
          sum = round(sum + part);
          part = 0;
        }
      }
    }
    return sum;
  }
  [[nodiscard]] double quotient(double x, double divisor) const {
    return order == Order::inverse || order == Order::multiplied_first ? round(x * round(1 / divisor))
                                                                       : round(x / divisor);
  }

  void forward(const PoolingProblem& problem, const PoolingProblem& own, const OperandArray& operands) const {
    const Operand &input = operands[Pooling::input], &output = operands[Pooling::output],
                  &indices = operands[Pooling::indices];
    const bool maximum = problem.kind == PoolingKind::maximum;
    for (Index element = 0; element < output.size(); ++element) {
      const PoolingPlace place = PoolingPlace::of(element, problem, true);
      PoolingWindow window = PoolingWindow::of(own, place.position);
      if (fault == "last_column_missing" && window.count[problem.dimensions - 1] > 1)
        --window.count[problem.dimensions - 1];
      if (fault == "adaptive_end" && problem.adaptive)
        for (int d = 0; d < problem.dimensions; ++d)
          window.count[d] =
              std::max(Index{1}, (place.position[d] + 1) * problem.input[d] / problem.output(d) - window.first[d]);
      const bool padded = window.elements() < own.window_size() && !problem.adaptive;
      double best = fault == "starts_at_lowest" ? -output.format.max_finite()
                    : fault == "starts_at_zero" || (fault == "padding_in_maximum" && padded)
                        ? 0
                        : -std::numeric_limits<double>::infinity();
      Index where = -1, local = 0, best_local = 0;
      std::vector<double> terms;
      for (Index a = 0; a < window.count[0]; ++a)
        for (Index b = 0; b < window.count[1]; ++b)
          for (Index c = 0; c < window.count[2]; ++c, ++local) {
            const Index i = std::clamp(window.first[0] + a * window.step[0], Index{0}, problem.input[0] - 1),
                        j = std::clamp(window.first[1] + b * window.step[1], Index{0}, problem.input[1] - 1),
                        k = std::clamp(window.first[2] + c * window.step[2], Index{0}, problem.input[2] - 1);
            const double x = input.load(place.element(problem, false, i, j, k));
            const bool ignores_nan = fault == "nan_lost";
            const bool later = fault == "last_maximum" && x == best;
            if (x > best || later || (is_nan(x) && !ignores_nan && !is_nan(best)) || where < 0) {
              if (!(ignores_nan && is_nan(x)) && !is_nan(best)) {
                if (!(where < 0 && x < best)) best = x;
                const Index pitch = fault == "padded_indices"
                                        ? problem.input[2] + (problem.dimensions == 3 ? problem.padding_before[2] : 0)
                                        : problem.input[2];
                where = (i * problem.input[1] + j) * pitch + k;
                if (fault == "padded_indices" && problem.dimensions == 2)
                  where = i * (problem.input[1] + problem.padding_before[1]) + j;
                best_local = local;
              }
            }
            terms.push_back(x);
          }
      if (indices.present()) indices.store(element, static_cast<double>(fault == "local_indices" ? best_local : where));
      if (maximum) {
        output.store(element, best);
        continue;
      }
      double divisor = static_cast<double>(window.divisor);
      if (fault == "wrong_divisor")
        divisor = static_cast<double>(problem.include_padding || problem.adaptive ? window.elements()
                                                                                  : problem.window_size());
      if (order == Order::multiplied_first)
        for (double& x : terms) x = quotient(x, divisor);
      double y = add_all(std::move(terms), window.count[problem.dimensions - 1]);
      if (order != Order::multiplied_first) y = quotient(y, divisor);
      output.store(element, fault == "truncated_output"
                                ? output.format.decode(output.format.encode(y, Rounding::toward_zero))
                                : y);
    }
  }

  void backward(const PoolingProblem& problem, const PoolingProblem& own, const OperandArray& operands) const {
    const Operand &gradient = operands[Pooling::input], &maxima = operands[Pooling::maxima],
                  &output = operands[Pooling::output];
    std::vector<std::vector<double>> terms(static_cast<std::size_t>(output.size()));
    const auto give = [&](Index element, double value) {
      std::vector<double>& own_terms = terms[static_cast<std::size_t>(element)];
      if (fault == "gradient_overwritten") own_terms.clear();
      own_terms.push_back(value);
    };
    for (Index element = 0; element < gradient.size(); ++element) {
      const PoolingPlace place = PoolingPlace::of(element, problem, true);
      const double g = gradient.load(element);
      if (problem.kind == PoolingKind::maximum) {
        const Index index = static_cast<Index>(maxima.load(element));
        give(place.element(problem, false, index / problem.input[2] / problem.input[1],
                           index / problem.input[2] % problem.input[1], index % problem.input[2]),
             g);
        continue;
      }
      const PoolingWindow window = PoolingWindow::of(own, place.position);
      const double divisor = static_cast<double>(
          fault == "wrong_divisor"
              ? (problem.include_padding || problem.adaptive ? window.elements() : problem.window_size())
              : window.divisor);
      for (Index a = 0; a < window.count[0]; ++a)
        for (Index b = 0; b < window.count[1]; ++b)
          for (Index c = 0; c < window.count[2]; ++c) {
            const Index i = window.first[0] + a * window.step[0], j = window.first[1] + b * window.step[1],
                        k = window.first[2] + c * window.step[2];
            if (i < problem.input[0] && j < problem.input[1] && k < problem.input[2])
              give(place.element(problem, false, i, j, k), quotient(g, divisor));
          }
    }
    for (Index element = 0; element < output.size(); ++element)
      output.store(element, add_all(std::move(terms[static_cast<std::size_t>(element)]), 3));
  }

  void operator()(const PoolingProblem& problem, const OperandArray& operands) const {
    PoolingProblem own = problem;
    if (fault == "dilation_ignored") std::fill(own.dilation, own.dilation + 3, 1);
    if (fault == "swapped_strides") std::swap(own.stride[0], own.stride[1]);
    if (fault == "padding_shifted") std::swap(own.padding_before, own.padding_after);
    if (problem.backward)
      backward(problem, own, operands);
    else
      forward(problem, own, operands);
  }
};

}  // namespace detail

template <>
struct OperationFaults<Pooling> {
  [[nodiscard]] static std::vector<Fault> faults() {
    using enum FaultClass;
    const std::vector<std::string> operations{"pooling", "pooling_backward"};
    return {
        {"starts_at_zero", special_value, "starts maxima at 0 instead of minus infinity", operations},
        {"starts_at_lowest", special_value,
         "starts maxima at the lowest finite number instead of minus infinity, and gives it for windows of nothing "
         "larger",
         operations},
        {"padding_in_maximum", repeated_work, "lets padding take part in maxima as zeros", operations},
        {"nan_lost", special_value, "passes over NaN in maxima", operations},
        {"wrong_divisor", repeated_work, "counts padding in the divisor where it must not, and does not where it must",
         operations},
        {"last_column_missing", missing_work, "leaves the last column of each window out", operations},
        {"adaptive_end", addressing, "rounds the end of adaptive windows down", operations},
        {"dilation_ignored", addressing, "ignores the dilation", operations},
        {"swapped_strides", addressing, "exchanges the strides of the first two dimensions", operations},
        {"padding_shifted", addressing, "exchanges the padding before and after", operations},
        {"local_indices", addressing, "counts indices within the window", operations},
        {"padded_indices", addressing, "counts indices within the padded input", operations},
        {"last_maximum", addressing, "gives the index of the last maximum where the first is asked for", operations},
        {"gradient_overwritten", missing_work, "stores gradients where windows overlap instead of adding them",
         operations},
        {"narrow_sum", precision, "keeps sums in float16", operations},
        {"truncated_output", rounding, "cuts averages off instead of rounding them", operations}};
  }
  [[nodiscard]] static OperationSubject<Pooling> faulty(std::string_view name) {
    using Kernel = detail::EmulatedPooling<float32>;
    return host_subject<Pooling>(std::string(name), Kernel{Kernel::Order::sequential, own_fault<Pooling>(name)});
  }
  [[nodiscard]] static std::vector<OperationSubject<Pooling>> correct() {
    using Kernel = detail::EmulatedPooling<float32>;
    using Narrow = detail::EmulatedPooling<bfloat16>;
    using Half = detail::EmulatedPooling<float16>;
    return {host_subject<Pooling>("sequential", Kernel{Kernel::Order::sequential}),
            host_subject<Pooling>("separable", Kernel{Kernel::Order::separable}),
            host_subject<Pooling>("pairwise", Kernel{Kernel::Order::pairwise}),
            host_subject<Pooling>("multiplied_first", Kernel{Kernel::Order::multiplied_first}),
            host_subject<Pooling>("inverse", Kernel{Kernel::Order::inverse}),
            host_subject<Pooling>("in_bf16", Narrow{Narrow::Order::pairwise}, arithmetic_in<bfloat16>()),
            host_subject<Pooling>("in_f16", Half{Half::Order::multiplied_first}, arithmetic_in<float16>())};
  }
};

}  // namespace assay::inline v0
