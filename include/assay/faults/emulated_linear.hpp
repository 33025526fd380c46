#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/faults/summation_order.hpp"
#include "assay/kernels/linear/linear.hpp"

namespace assay::inline v0::detail {

/// What a matrix unit promises that aligns 32 products with the sum so far and keeps 14 bits; and after how many
/// products it adds the sum to one in float32.
[[nodiscard]] AccumulationModel short_accumulation(Index promotion = 0);

/// The operands as a kernel reads them, right or with a fault: codes and factors of all elements, vector after vector.
struct LinearElements {
  std::vector<double> codes, factors, zero_points;
  Index terms = 0;

  [[nodiscard]] double code(Index vector, Index term) const {
    return codes[static_cast<std::size_t>(vector * terms + term)];
  }
  [[nodiscard]] double factor(Index vector, Index term) const {
    return factors[static_cast<std::size_t>(vector * terms + term)];
  }

  [[nodiscard]] static LinearElements read(const LinearReader& reader, Index groups, std::string_view fault, bool is_b);

 private:
  [[nodiscard]] static double faulty_code(const LinearReader& reader, std::string_view fault, bool is_b, Index group,
                                          Index vector, Index term);
  [[nodiscard]] static double faulty_block_code(const LinearReader& reader, std::string_view fault, Index group,
                                                Index vector, Index term);
  [[nodiscard]] static double faulty_sparse_code(const LinearReader& reader, std::string_view fault, Index group,
                                                 Index vector, Index term);
  [[nodiscard]] static double faulty_factor(const LinearReader& reader, std::string_view fault, Index group,
                                            Index vector, Index term);
};

/// A linear layer in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedLinear {
  enum class Style {
    dequantized_first,    ///< elements times their scales, then products
    scaled_partial_sums,  ///< sums of the codes of a block, times both scales
    dequantized_narrow,   ///< elements times their scales in the narrowest format that the problem admits
    bias_first,           ///< sums begin with the bias where nothing scales them
    other_formulas        ///< activations by erfc and by the sigmoid, zero points expanded where the problem admits it
  };
  SummationOrder order = SummationOrder::sequential;
  Style style = Style::dequantized_first;
  std::string_view fault = "";
  Index promotion = 0;  ///< of a short accumulator

  static double round(double value) { return round_to<Accumulator>(value); }

  void operator()(const LinearProblem& problem, const OperandArray& operands) const {
    using Position = LinearOperands;
    const LinearReader a = LinearReader::of_a(problem, operands), b = LinearReader::of_b(problem, operands);
    const LinearElements left = LinearElements::read(a, 1, fault, false),
                         right = LinearElements::read(b, problem.matrices(), fault, true);
    const Operand &bias = operands[Position::bias], &residual = operands[Position::residual],
                  &output = operands[Position::output];
    for (Index row = 0; row < problem.m; ++row) {
      const Index group = group_of(problem, row);
      const auto before = [&](Index column) {
        const bool scaled = problem.a.scales != LinearGranularity::none || problem.b.scales != LinearGranularity::none;
        const double own_bias =
            bias.present() ? bias.load(fault == "bias_shifted" ? (column + 1) % problem.columns_of_b() : column) : 0;
        const bool begins_with_bias = style == Style::bias_first && !scaled && !problem.is_integer();
        const double start = begins_with_bias ? round(own_bias) : 0;
        double z = problem.is_integer() ? integer_sum(problem, a, left, right, row, group * b.vectors + column, column)
                                        : sum(problem, left, right, row, group * b.vectors + column, start);
        if (fault == "double_rounded" && problem.has_epilogue()) z = problem.output.round(z);
        if (problem.is_integer() && problem.has_epilogue()) z = round(z);
        if (problem.a.scales != LinearGranularity::none) z = round(z * a.vector_scale(0, row));
        if (problem.b.scales != LinearGranularity::none)
          z = round(z * b.vector_scale(group, fault == "scale_of_row_for_column" ? row % b.vectors : column));
        return bias.present() && !begins_with_bias && fault != "bias_after_activation" ? round(z + own_bias) : z;
      };
      for (Index column = 0; column < problem.n; ++column) {
        const bool gated = problem.activation == LinearActivation::swiglu,
                   exchanged = gated && fault == "halves_exchanged";
        double z = before(exchanged ? problem.n + column : column);
        const double added = residual.present() ? residual.load(row * problem.n + column) : 0;
        if (residual.present() && fault == "residual_before_activation") z = round(z + added);
        z = activated(problem.activation, z);
        if (gated) z = round(z * before(exchanged ? column : problem.n + column));
        if (bias.present() && fault == "bias_after_activation") z = round(z + bias.load(column));
        if (residual.present() && fault != "residual_before_activation") z = round(z + added);
        if (problem.output_scaled) {
          const double scale = operands[Position::whole_scales].load(2);
          z = fault == "output_scale_multiplied" ? round(z * scale) : round(z / scale);
        }
        store(problem, output, row * problem.n + column, z);
      }
    }
  }

 private:
  [[nodiscard]] Index group_of(const LinearProblem& problem, Index row) const {
    if (fault == "weights_of_first_group") return 0;
    Index group = 0, filled = 0;
    while (group + 1 < problem.groups && row >= problem.first_row(group + 1)) {
      filled += problem.first_row(group + 1) > problem.first_row(group) ? 1 : 0;
      ++group;
    }
    if (fault == "empty_groups_not_counted") return filled;
    if (fault == "last_row_of_group" && group + 1 < problem.groups && row + 1 == problem.first_row(group + 1))
      return group + 1;
    return group;
  }

  void store(const LinearProblem& problem, const Operand& output, Index element, double z) const {
    const ElementFormat& format = output.format;
    const Rounding rounding = fault == "truncated_output" ? Rounding::toward_zero : Rounding::nearest_even;
    if (!problem.output_scaled)
      return format.store_code(output.data, output.offset_of(element), format.encode(z, rounding));
    std::uint64_t code = format.encode(z, rounding, fault == "overflow_wraps" ? Overflow::ieee : Overflow::saturate);
    if (fault == "overflow_wraps" && !format.is_float() && is_finite(z))
      code = static_cast<std::uint64_t>(static_cast<std::int64_t>(std::nearbyint(std::fmod(z, 256)))) & 255;
    format.store_code(output.data, output.offset_of(element), code);
  }

  [[nodiscard]] double integer_sum(const LinearProblem& problem, const LinearReader& a, const LinearElements& left,
                                   const LinearElements& right, Index row, Index vector, Index column) const {
    const bool tail = fault == "zero_point_tail" && column >= problem.columns_of_b() / 16 * 16;
    const double shift = tail ? a.zero_point(0, row) : 0;
    const Index terms = problem.k - (fault == "dropped_tail_of_terms" ? problem.k % 16 : 0);
    std::int64_t sum = 0;
    double rounded = 0;
    for (Index term = 0; term < terms; ++term) {
      const auto product = [&](Index at) {
        return static_cast<std::int64_t>((left.code(row, at) + shift) * right.code(vector, at));
      };
      if (fault == "pairs_saturated" && term + 1 < terms) {
        sum += std::clamp<std::int64_t>(product(term) + product(term + 1), -32768, 32767);
        ++term;
        continue;
      }
      sum += product(term) * (fault == "repeated_term" && term == 0 ? 2 : 1);
      rounded = round_to<float32>(rounded + static_cast<double>(product(term)));
    }
    if (fault == "sixteen_bit_sum") return static_cast<double>(static_cast<std::int16_t>(sum));
    return fault == "float_sum" ? rounded : static_cast<double>(sum);
  }

  [[nodiscard]] double sum(const LinearProblem& problem, const LinearElements& left, const LinearElements& right,
                           Index row, Index vector, double start) const {
    const Index terms = problem.k - (fault == "dropped_tail_of_terms" ? problem.k % 16 : 0);
    const auto element = [&](const LinearMatrix& matrix, const LinearElements& elements, Index of, Index term) {
      const double code = elements.code(of, term);
      if (!matrix.is_block_scaled() || style == Style::scaled_partial_sums) return code;
      double value = round(code * elements.factor(of, term));
      if (style == Style::other_formulas && problem.expanded_zero_points) {
        const double zero_point = elements.zero_points[static_cast<std::size_t>(of * elements.terms + term)],
                     factor = elements.factor(of, term);
        value = round(problem.dequantized.round((code + zero_point) * factor) -
                      problem.dequantized.round(zero_point * factor));
      }
      return style == Style::dequantized_narrow && problem.dequantized.unit_roundoff() > unit_roundoff<Accumulator>()
                 ? problem.dequantized.round(value)
                 : value;
    };
    const auto products = [&](Index term) -> std::pair<double, double> {
      const double value = element(problem.a, left, row, term);
      return {fault == "repeated_term" && term == 0 ? 2 * value : value, element(problem.b, right, vector, term)};
    };
    if (fault == "narrow_accumulator") return sum_in_order<float16>(order, products, terms);
    if (fault == "short_accumulator" || fault == "promotion_left_out") return sum_short(products, 0, terms);
    if (promotion > 0) {
      double total = 0;
      for (Index first = 0; first < terms; first += promotion)
        total = round(total + sum_short(products, first, std::min(first + promotion, terms)));
      return total;
    }
    if (fault == "rounded_partial_sums") {
      double total = 0;
      const Index part = terms / 4 + 1;
      for (Index first = 0; first < terms; first += part)
        total = round(total + round_to<bfloat16>(
                                  sum_sequential<Accumulator>(products, first, std::min(first + part, terms), false)));
      return total;
    }
    if (start != 0) return begun(products, terms, start);
    if (style != Style::scaled_partial_sums || !problem.b.is_block_scaled())
      return sum_in_order<Accumulator>(order, products, terms);
    Index block = terms;
    for (const LinearMatrix* matrix : {&problem.a, &problem.b})
      if (matrix->is_block_scaled()) block = std::min(block, matrix->scheme.columns_of_block(problem.k));
    double total = 0;
    for (Index first = 0; first < terms; first += block) {
      const double factor = round(left.factor(row, first) * right.factor(vector, first));
      total = round(
          total + round(sum_sequential<Accumulator>(products, first, std::min(first + block, terms), false) * factor));
    }
    return total;
  }

  template <class Products>
  [[nodiscard]] static double begun(const Products& products, Index terms, double start) {
    for (Index term = 0; term < terms; ++term)
      start = accumulate<Accumulator>(start, products(term).first, products(term).second);
    return start;
  }

  /// As `short_accumulation` says.
  template <class Products>
  [[nodiscard]] static double sum_short(const Products& products, Index begin, Index terms) {
    double sum = 0;
    for (Index first = begin; first < terms; first += 32) {
      const Index last = std::min(first + 32, terms);
      double largest = std::fabs(sum), plain = sum;
      for (Index term = first; term < last; ++term) {
        const double product = products(term).first * products(term).second;
        plain += product;
        largest = std::max(largest, std::fabs(product));
      }
      if (!is_finite(plain) || largest == 0 || largest > max_finite<float32>() ||
          std::fabs(plain) > max_finite<float32>()) {
        sum = round_to<float32>(plain);
        continue;
      }
      const int quantum = std::max(exponent_of(largest) - 13, -149);
      double exact = cut(sum, quantum);
      for (Index term = first; term < last; ++term) exact += cut(products(term).first * products(term).second, quantum);
      sum = exact == 0 ? 0 : cut(exact, std::max(exponent_of(exact) - 13, -149));
    }
    return sum;
  }

  [[nodiscard]] double activated(LinearActivation activation, double x) const {
    if (fault == "other_gelu" && activation == LinearActivation::gelu) activation = LinearActivation::gelu_tanh;
    const bool other = style == Style::other_formulas;
    const auto sigmoid = [](double z) { return round(1 / round(1 + round(std::exp(-z)))); };
    switch (activation) {
      case LinearActivation::relu: return x > 0 || is_nan(x) ? x : 0;
      case LinearActivation::gelu: {
        const double argument = round(x * round(0.70710678118654752));
        return other ? round(round(0.5 * x) * round(std::erfc(-argument)))
                     : round(round(0.5 * x) * round(1 + round(std::erf(argument))));
      }
      case LinearActivation::gelu_tanh: {
        const double cube = round(round(x * x) * x),
                     inner = round(round(0.79788456080286536) * round(x + round(round(0.044715) * cube)));
        return other ? round(x * sigmoid(round(2 * inner)))
                     : round(round(0.5 * x) * round(1 + round(std::tanh(inner))));
      }
      case LinearActivation::silu:
      case LinearActivation::swiglu: return other ? round(x * sigmoid(x)) : round(x / round(1 + round(std::exp(-x))));
      case LinearActivation::none: break;
    }
    return x;
  }
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/faults/emulated_linear.ipp"
#endif
