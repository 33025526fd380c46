#pragma once

#include <cmath>
#include <cstddef>

#include "assay/core/index.hpp"

namespace assay::inline v0::detail {

/// Σ x² of `count` numbers.
[[nodiscard]] inline double sum_of_squares(const float* x, Index count) {
  constexpr Index lanes = 8;
  double sums[lanes] = {}, sum = 0;
  Index i = 0;
  for (; i + lanes <= count; i += lanes)
    for (Index lane = 0; lane < lanes; ++lane) sums[lane] += static_cast<double>(x[i + lane]) * static_cast<double>(x[i + lane]);
  for (; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  for (const double part : sums) sum += part;
  return sum;
}

/// Σ x² of a channel of an image.
struct ChannelSquares {
  const float* images;  ///< image × channel × place
  Index places;
  double* squares;

  void operator()(std::size_t channel) const { squares[channel] = sum_of_squares(images + static_cast<Index>(channel) * places, places); }
};

/// Σ w² of the weights of a channel that is summed over.
struct WeightSquares {
  const float* matrix;  ///< group × own × channel × tap
  Index own, channels, taps;
  double* squares;  ///< group × channel

  void operator()(std::size_t task) const {
    const Index group = static_cast<Index>(task) / channels, channel = static_cast<Index>(task) % channels;
    double sum = 0;
    for (Index row = 0; row < own; ++row) sum += sum_of_squares(matrix + ((group * own + row) * channels + channel) * taps, taps);
    squares[task] = sum;
  }
};

/// Whether Cauchy and Schwarz over chunks of channels bound Σ_c ‖x_c‖·‖w_c‖ closely: not where channels differ much in scale, and weights the other way.
[[nodiscard]] inline bool channels_alike(const double* images, const double* weights, Index channels, Index chunk_channels) {
  constexpr double most = 2;
  for (Index first = 0; first < channels; first += chunk_channels) {
    double of_images = 0, of_weights = 0, of_products = 0;
    for (Index channel = first; channel < channels && channel < first + chunk_channels; ++channel) {
      of_images += images[channel];
      of_weights += weights[channel];
      of_products += std::sqrt(images[channel] * weights[channel]);
    }
    if (!(std::sqrt(of_images * of_weights) <= most * of_products)) return false;
  }
  return true;
}

}  // namespace assay::inline v0::detail
