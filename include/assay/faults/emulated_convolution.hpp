#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

#include "assay/faults/emulated_sum.hpp"
#include "assay/faults/operation_faults.hpp"
#include "assay/kernels/convolution/convolution.hpp"

namespace assay::inline v0::detail {

template <FloatFormat T>
[[nodiscard]] inline double rounded_to(double value) {
  if constexpr (std::is_same_v<T, float32>)
    return static_cast<double>(static_cast<float>(value));
  else
    return round_to<T>(value);
}

/// The products of one result, in the order of the definition.
struct CollectTerms {
  static constexpr bool visits_edges = true;
  struct Term {
    double left, right;
    bool inside;
  };
  std::vector<Term> terms;

  void operator()(double left, double right, bool inside) { terms.push_back({left, right, inside}); }
};

/// Winograd's convolution with every operation rounded to `Accumulator`, and what is transformed to `Transformed`.
template <FloatFormat Accumulator, FloatFormat Transformed>
void emulate_winograd(const ConvolutionTerms& terms, int outputs, const auto& store) {
  const ConvolutionGeometry& geometry = terms.geometry;
  const WinogradTransform transform = WinogradTransform::of(outputs);
  const int m = outputs, size = transform.inputs();
  const auto round = [](double value) { return rounded_to<Accumulator>(value); };
  const auto apply = [&](const auto& matrix, int rows, int columns, const double(&from)[6][6],
                         double(&to)[6][6]) {  // to = fromᵀ-ordered matrix·from
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < size; ++j) {
        double sum = 0;
        for (int k = 0; k < columns; ++k)
          if (matrix[i][k] != 0) sum = round(sum + round(round(matrix[i][k]) * from[k][j]));
        to[j][i] = sum;  // transposed, so that the next application works on the other side
      }
  };
  for (Index n = 0; n < geometry.batch; ++n)
    for (Index channel = 0; channel < geometry.groups * geometry.coarse_channels; ++channel)
      for (Index row = 0; row < geometry.coarse[1]; row += m)
        for (Index column = 0; column < geometry.coarse[2]; column += m) {
          double sums[6][6] = {}, half[6][6] = {}, result[6][6] = {};
          for (Index c = 0; c < geometry.fine_channels; ++c) {
            double input[6][6] = {}, filter[6][6] = {}, whole_input[6][6] = {}, whole_filter[6][6] = {};
            for (int i = 0; i < size; ++i)
              for (int j = 0; j < size; ++j) {
                const Index at[3] = {0, row + i - geometry.padding[1], column + j - geometry.padding[2]};
                if (at[1] >= 0 && at[1] < geometry.fine[1] && at[2] >= 0 && at[2] < geometry.fine[2])
                  input[i][j] = terms.fine.load(n, channel / geometry.coarse_channels * geometry.fine_channels + c, at);
              }
            for (int i = 0; i < 3; ++i)
              for (int j = 0; j < 3; ++j) {
                const Index at[3] = {0, i, j};
                filter[i][j] = terms.weights.load(channel, c, at);
              }
            apply(transform.of_input, size, size, input, half);
            apply(transform.of_input, size, size, half, whole_input);
            double half_filter[6][6] = {};
            apply(transform.of_filter, size, 3, filter, half_filter);
            apply(transform.of_filter, size, 3, half_filter, whole_filter);
            for (int a = 0; a < size; ++a)
              for (int b = 0; b < size; ++b)
                sums[a][b] = round(sums[a][b] + round(rounded_to<Transformed>(whole_input[a][b]) *
                                                      rounded_to<Transformed>(whole_filter[a][b])));
          }
          double half_result[6][6] = {};
          apply(transform.of_output, m, size, sums, half_result);
          apply(transform.of_output, m, size, half_result, result);
          for (Index i = 0; i < m && row + i < geometry.coarse[1]; ++i)
            for (Index j = 0; j < m && column + j < geometry.coarse[2]; ++j)
              store(geometry.image_element({n, channel, {0, row + i, column + j}}, false), result[i][j]);
        }
}

/// A convolution by fast Fourier transforms in single precision.
struct EmulatedFourier {
  using Complex = std::complex<float>;

  /// In place, of `count` = 2^i elements with a stride.
  static void transform(Complex* data, std::size_t count, std::size_t stride, float direction);
  static void transform(std::vector<Complex>& data, const std::size_t (&sizes)[3], float direction);

  static void run(const ConvolutionTerms& terms, const auto& store) {
    const ConvolutionGeometry& geometry = terms.geometry;
    std::size_t sizes[3] = {1, 1, 1};
    for (int d = 0; d < 3; ++d)
      while (geometry.fine[d] > 1 &&
             static_cast<Index>(sizes[d]) < geometry.fine[d] + geometry.kernel[d] + geometry.padding[d])
        sizes[d] *= 2;
    const std::size_t whole = sizes[0] * sizes[1] * sizes[2];
    const auto place = [&](const Index(&at)[3]) {
      return (static_cast<std::size_t>(at[0]) * sizes[1] + static_cast<std::size_t>(at[1])) * sizes[2] +
             static_cast<std::size_t>(at[2]);
    };
    const auto transformed = [&](const ConvolutionTensor& tensor, Index first, Index second, const Index(&extents)[3]) {
      std::vector<Complex> data(whole);
      Index at[3];
      for (at[0] = 0; at[0] < extents[0]; ++at[0])
        for (at[1] = 0; at[1] < extents[1]; ++at[1])
          for (at[2] = 0; at[2] < extents[2]; ++at[2])
            data[place(at)] = static_cast<float>(tensor.load(first, second, at));
      transform(data, sizes, -1.0F);
      return data;
    };
    for (Index n = 0; n < geometry.batch; ++n)
      for (Index channel = 0; channel < geometry.groups * geometry.coarse_channels; ++channel) {
        std::vector<Complex> sum(whole);
        for (Index c = 0; c < geometry.fine_channels; ++c) {
          const auto image = transformed(terms.fine, n, channel / geometry.coarse_channels * geometry.fine_channels + c,
                                         geometry.fine);
          const auto filter = transformed(terms.weights, channel, c, geometry.kernel);
          for (std::size_t i = 0; i < whole; ++i) sum[i] += image[i] * std::conj(filter[i]);
        }
        transform(sum, sizes, 1.0F);
        Index at[3];
        for (at[0] = 0; at[0] < geometry.coarse[0]; ++at[0])
          for (at[1] = 0; at[1] < geometry.coarse[1]; ++at[1])
            for (at[2] = 0; at[2] < geometry.coarse[2]; ++at[2]) {
              Index from[3];
              for (int d = 0; d < 3; ++d)
                from[d] = (at[d] - geometry.padding[d] + static_cast<Index>(sizes[d])) % static_cast<Index>(sizes[d]);
              store(geometry.image_element({n, channel, {at[0], at[1], at[2]}}, false),
                    static_cast<double>(sum[place(from)].real() / static_cast<float>(whole)));
            }
      }
  }
};

/// A convolution in which every result is rounded to `Accumulator`, right or with a fault.
template <FloatFormat Accumulator>
struct EmulatedConvolution {
  enum class Order { sequential, reversed, pairwise, lanes, fused, multiplies_padding, transformed };
  Order order = Order::sequential;
  std::string_view fault = "";

  using Operands = ConvolutionOperands;
  using Term = CollectTerms::Term;

  static double round(double value) { return rounded_to<Accumulator>(value); }

  [[nodiscard]] double sum(std::vector<Term>& terms, bool narrow) const {
    if (fault == "padding_not_zero")
      for (Term& term : terms)
        if (!term.inside) term = {1, term.right, true};
    if (order != Order::multiplies_padding) {
      std::size_t kept = 0;
      for (const Term& term : terms)
        if (term.inside) terms[kept++] = term;
      terms.resize(kept);
    }
    if (fault == "tail_dropped" && terms.size() > 8) terms.resize(terms.size() / 8 * 8);
    if (fault == "narrow_inputs")
      for (Term& term : terms) term = {round_to<bfloat16>(term.left), round_to<bfloat16>(term.right), true};
    const auto product = [&](std::size_t i) {
      return narrow ? round_to<float16>(terms[i].left * terms[i].right) : round(terms[i].left * terms[i].right);
    };
    if (order == Order::pairwise) {
      std::vector<double> level;
      for (std::size_t i = 0; i < terms.size(); ++i) level.push_back(product(i));
      return fold_pairwise(std::move(level), 0.0, [](double a, double b) { return round(a + b); });
    }
    double total = 0;
    if (order == Order::lanes || fault == "rounded_partial_sums") {
      for (std::size_t lane = 0; lane < 8; ++lane) {
        double own = 0;
        for (std::size_t i = lane; i < terms.size(); i += 8) own = round(own + product(i));
        total = round(total + (fault == "rounded_partial_sums" ? round_to<bfloat16>(own) : own));
      }
      return total;
    }
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const std::size_t at = order == Order::reversed ? terms.size() - 1 - i : i;
      if (order == Order::fused)
        total = round(std::fma(terms[at].left, terms[at].right, total));
      else
        total = narrow ? round_to<float16>(total + product(at)) : round(total + product(at));
    }
    return total;
  }

  /// The terms as a kernel with the fault takes them.
  [[nodiscard]] ConvolutionTerms spoiled(const ConvolutionProblem& problem, ConvolutionTerms terms) const {
    ConvolutionGeometry& geometry = terms.geometry;
    Index* summed = geometry.product == ConvolutionProduct::fine ? geometry.coarse : geometry.fine;
    for (int axis = 0; axis < problem.dimensions; ++axis) {
      const int own = 3 - problem.dimensions + axis;
      if (fault == "padding_sides_exchanged") geometry.padding[own] = problem.axes[axis].padding_after;
      if (fault == "dilation_ignored") geometry.dilation[own] = 1;
      if (fault == "output_padding_in_front") geometry.padding[own] -= problem.axes[axis].output_padding;
      if (fault == "kernel_flipped") {
        terms.weights.operand.data =
            static_cast<char*>(terms.weights.operand.data) +
            (geometry.kernel[own] - 1) * terms.weights.strides[own] * terms.weights.operand.format.bytes;
        terms.weights.strides[own] = -terms.weights.strides[own];
      }
    }
    if (fault == "border_off_by_one" && summed[2] > 1) --summed[2];
    if (fault == "stride_of_other_axis") std::swap(geometry.stride[1], geometry.stride[2]);
    return terms;
  }
  [[nodiscard]] ConvolutionTerms of_first_group(ConvolutionTerms terms, Index result) const {
    const ConvolutionGeometry& geometry = terms.geometry;
    const bool to_fine = geometry.product == ConvolutionProduct::fine;
    const Index own = to_fine ? geometry.fine_channels : geometry.coarse_channels,
                summed =
                    geometry.product == ConvolutionProduct::fine ? geometry.coarse_channels : geometry.fine_channels;
    const Index channel = geometry.product == ConvolutionProduct::weights
                              ? geometry.weight_position(result).coarse_channel
                              : geometry.image_position(result, to_fine).channel;
    ConvolutionTensor& image = to_fine ? terms.coarse : terms.fine;
    image.operand.data = static_cast<char*>(image.operand.data) -
                         channel / own * summed * image.second_stride * image.operand.format.bytes;
    return terms;
  }

  void operator()(const ConvolutionProblem& problem, const OperandArray& operands) const {
    const Operand &result = operands[Operands::result(problem)], &bias = operands[Operands::bias];
    const ConvolutionTerms terms = spoiled(problem, Operands::terms(problem, operands));
    const ConvolutionGeometry& geometry = terms.geometry;
    const bool adds_bias = problem.bias && problem.pass == ConvolutionPass::forward;
    const auto store = [&](Index e, double value) {
      if (adds_bias && fault != "bias_forgotten") {
        const Index channel = geometry.image_position(e, geometry.product == ConvolutionProduct::fine).channel;
        value = round(
            value + round(bias.load(fault == "bias_of_neighbor" ? (channel + 1) % problem.output_channels : channel)));
      }
      result.store(e, fault == "truncated_output" ? result.format.round(value, Rounding::toward_zero) : value);
    };
    if (fault == "transformed_in_f16" && problem.algorithm == ConvolutionAlgorithm::winograd)
      return emulate_winograd<Accumulator, float16>(terms, problem.winograd_tile, store);
    if (order == Order::transformed && problem.algorithm == ConvolutionAlgorithm::winograd)
      return emulate_winograd<Accumulator, Accumulator>(terms, problem.winograd_tile, store);
    if (order == Order::transformed && problem.algorithm == ConvolutionAlgorithm::fft)
      return EmulatedFourier::run(terms, store);
    CollectTerms collected;
    for (Index e = 0; e < geometry.results(); ++e) {
      collected.terms.clear();
      if (fault == "groups_ignored")
        of_first_group(terms, e).each(e, collected);
      else
        terms.each(e, collected);
      if (fault == "last_image_only" && problem.pass == ConvolutionPass::backward_weights && problem.batch > 1) {
        const auto image =
            static_cast<std::ptrdiff_t>(collected.terms.size() / static_cast<std::size_t>(problem.batch));
        collected.terms.erase(collected.terms.begin(), collected.terms.end() - image);
      }
      store(e, sum(collected.terms, fault == "narrow_accumulator"));
    }
    if (problem.bias && !adds_bias) store_bias_gradient(problem, operands);
  }

  void store_bias_gradient(const ConvolutionProblem& problem, const OperandArray& operands) const {
    const ConvolutionTerms terms = Operands::terms(problem, operands);
    const ConvolutionTensor& output = problem.transposed ? terms.fine : terms.coarse;
    const Index(&extents)[3] = problem.transposed ? terms.geometry.fine : terms.geometry.coarse;
    for (Index channel = 0; channel < problem.output_channels; ++channel) {
      std::vector<Term> ones;
      Index at[3];
      for (Index n = 0; n < (fault == "bias_gradient_of_first_image" ? 1 : problem.batch); ++n)
        for (at[0] = 0; at[0] < extents[0]; ++at[0])
          for (at[1] = 0; at[1] < extents[1]; ++at[1])
            for (at[2] = 0; at[2] < extents[2]; ++at[2]) ones.push_back({output.load(n, channel, at), 1, true});
      operands[Operands::bias].store(channel, sum(ones, fault == "narrow_accumulator"));
    }
  }
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/faults/emulated_convolution.ipp"
#endif
