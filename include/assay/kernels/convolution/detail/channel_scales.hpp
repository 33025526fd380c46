#pragma once

#include <cmath>

#include "assay/core/index.hpp"

namespace assay::inline v0::detail {

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
