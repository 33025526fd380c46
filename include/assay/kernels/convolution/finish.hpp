#pragma once

#include <cmath>
#include <cstddef>

#include "assay/kernels/convolution/bound.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0 {

/// A result by its definition: Σ x·w and Σ |x·w|.
struct ConvolutionSum {
  static constexpr bool visits_edges = true;
  double product = 0;
  double magnitude = 0;
  bool meets_padding =
      false;  ///< a factor that is no number beyond the edge of the other: 0·∞ is NaN, leaving it out is not

  ASSAY_FUNCTION void operator()(double left, double right, bool inside) {
    if (!inside) {
      meets_padding = meets_padding || !is_finite(right);
      return;
    }
    const double term = left * right;
    product += term;
    magnitude += detail::absolute(term);
  }
};

/// Makes the reference and E of a result from its sums.
struct ConvolutionFinish {
  ConvolutionTerms terms;
  Operand bias;
  bool adds_bias = false;
  const double* norms =
      nullptr;  ///< what errors are relative to in place of Σ |x·w|, where the algorithm is not direct
  GemmBound bound;
  double output_max = 0;
  const double* losses = nullptr;  ///< what underflow in transforms may change of results, where the algorithm has any

  /// What is expected where nothing is known.
  [[nodiscard]] ASSAY_FUNCTION static ExpectedElement undetermined() {
    return {0, detail::double_of(binary64_layout.infinity_bits())};
  }
  /// The bias of a result; 0 without.
  [[nodiscard]] ASSAY_FUNCTION double bias_of(Index result) const {
    return adds_bias
               ? bias.load(
                     terms.geometry.image_position(result, terms.geometry.product == ConvolutionProduct::fine).channel)
               : 0;
  }
  /// Σ and Σ of magnitudes by the definition. O(products).
  [[nodiscard]] ASSAY_FUNCTION ConvolutionSum by_definition(Index result) const {
    ConvolutionSum sum;
    terms.each(result, sum);
    return sum;
  }
  /// From Σ x·w, in which padding may have been multiplied, and Σ |x·w| or an upper bound of it.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement operator()(Index result, double product, double magnitude) const {
    if (is_nan(product)) {
      const ConvolutionSum sum = by_definition(result);
      if (sum.meets_padding && !is_nan(sum.product)) return undetermined();
    }
    return settle(result, product, magnitude);
  }
  /// The reference and E of the result of that number.
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement of(Index result) const {
    const ConvolutionSum sum = by_definition(result);
    return sum.meets_padding && !is_nan(sum.product) ? undetermined() : settle(result, sum.product, sum.magnitude);
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION ExpectedElement settle(Index result, double product, double magnitude) const {
    if (norms != nullptr) {
      magnitude = norms[result];
      if (!is_finite(magnitude)) return undetermined();  // what is no number spreads over its tile or image
    }
    const double added = bias_of(result), value = product + added;
    if (!is_finite(value)) return {value, 0};
    const double lost = losses != nullptr ? (1 + bound.growth) * losses[result] : 0;
    return {value, bound.error(product, magnitude, added, output_max) + lost};
  }
};

/// ‖x_c‖ of the fine image's channels, then ‖w_c‖ of all filters.
struct ConvolutionNorms {
  ConvolutionTerms terms;
  double* norms;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const ConvolutionGeometry& geometry = terms.geometry;
    const Index own = static_cast<Index>(index), channels = geometry.groups * geometry.fine_channels,
                images = geometry.batch * channels;
    const bool of_image = own < images;
    const Index(&extents)[3] = of_image ? geometry.fine : geometry.kernel;
    const ConvolutionTensor& tensor = of_image ? terms.fine : terms.weights;
    const Index vector = of_image ? own : own - images, width = of_image ? channels : geometry.fine_channels;
    double sum = 0;
    Index at[3];
    for (at[0] = 0; at[0] < extents[0]; ++at[0])
      for (at[1] = 0; at[1] < extents[1]; ++at[1])
        for (at[2] = 0; at[2] < extents[2]; ++at[2]) {
          const double value = tensor.load(vector / width, vector % width, at);
          sum += value * value;
        }
    norms[own] = std::sqrt(sum);
  }
};

/// Σ_c ‖x_c‖·‖w_c‖ of each result, and what underflow in the transforms may change of it: with images and filters off
/// by a vector of norm e, Σ_c e·(‖x_c‖ + ‖w_c‖ + e).
struct FourierMagnitudes {
  ConvolutionGeometry geometry;
  const double* image_norms;
  const double* filter_norms;
  double* magnitudes;
  double underflow = 0;      ///< e
  double* losses = nullptr;  ///< null: not asked for

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const ImagePosition position = geometry.image_position(static_cast<Index>(index), false);
    const double* images =
        image_norms +
        (position.batch * geometry.groups + position.channel / geometry.coarse_channels) * geometry.fine_channels;
    const double* filters = filter_norms + position.channel * geometry.fine_channels;
    double sum = 0, loss = 0;
    for (Index channel = 0; channel < geometry.fine_channels; ++channel) {
      sum += images[channel] * filters[channel];
      loss += underflow * (images[channel] + filters[channel] + underflow);
    }
    magnitudes[index] = sum;
    if (losses != nullptr) losses[index] = loss;
  }
};

/// Results by their definition, on any backend: O(results × terms).
struct FinishConvolution {
  ConvolutionFinish finish;
  double* value;
  double* error;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const ExpectedElement element = finish.of(static_cast<Index>(index));
    value[index] = element.value;
    error[index] = element.error;
  }
};

/// The gradient of a channel's bias.
struct FinishBiasGradient {
  ConvolutionTensor output;
  Index batch, extents[3];
  GemmBound bound;
  double output_max;
  double* value;
  double* error;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    double sum = 0, magnitude = 0;
    Index at[3];
    for (Index image = 0; image < batch; ++image)
      for (at[0] = 0; at[0] < extents[0]; ++at[0])
        for (at[1] = 0; at[1] < extents[1]; ++at[1])
          for (at[2] = 0; at[2] < extents[2]; ++at[2]) {
            const double gradient = output.load(image, static_cast<Index>(index), at);
            sum += gradient;
            magnitude += detail::absolute(gradient);
          }
    value[index] = sum;
    error[index] = is_finite(sum) ? bound.error(sum, magnitude, 0, output_max) : 0;
  }
};

}  // namespace assay::inline v0
