#pragma once

#include <cstddef>
#include <utility>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/convolution/detail/padded_images.hpp"
#include "assay/kernels/convolution/detail/reserve.hpp"
#include "assay/kernels/convolution/finish.hpp"
#include "assay/kernels/gemm/reference.hpp"
#if ASSAY_DETAIL_VECTOR_VARIANTS
#include "assay/kernels/convolution/detail/row_products.hpp"
#endif

namespace assay::inline v0::detail {

/// From so many products on scales are bounded from above.
inline constexpr double bounded_products = 0x1p26;

/// Puts a block of results, computed for one image and a range of lines, where they belong, finished.
struct PlaceResults {
  ConvolutionFinish finish;
  ConvolutionClass of;
  Index image, first_line, lines;
  const double* products;
  const double* magnitudes;
  double* value;
  double* error;
  const unsigned char* marks = nullptr;  ///< of `MarkWeights`, or null where all are finite or none is left out

  void operator()(std::size_t index) const {
    const Index channel = static_cast<Index>(index), width = of.count[2];
    const double bias = bias_of(channel);
    for (Index line = 0; line < lines; ++line) {
      const Index from = (channel * lines + line) * width;
      place(channel, first_line + line, 0, width, bias, products + from, magnitudes + from);
    }
  }
  [[nodiscard]] double bias_of(Index channel) const { return finish.adds_bias ? finish.bias.load(channel) : 0; }

  /// `count` results of a line from its q-th on.
  void place(Index channel, Index line, Index q, Index count, double bias, const double* product_of,
             const double* magnitude_of) const {
    const ConvolutionGeometry& geometry = finish.terms.geometry;
    const bool to_fine = geometry.product == ConvolutionProduct::fine,
               misses_edges = marks != nullptr && MarkWeights::any_beside(marks, of, geometry.taps(), channel),
               plain = finish.norms == nullptr && !misses_edges;
    const Index* extents = to_fine ? geometry.fine : geometry.coarse;
    const Index channels = geometry.groups * (to_fine ? geometry.fine_channels : geometry.coarse_channels);
    const Index plane = of.first[0] + line / of.count[1] * of.step[0],
                height = of.first[1] + line % of.count[1] * of.step[1], place = of.first[2] + q * of.step[2];
    const Index step = geometry.channels_last ? of.step[2] * channels : of.step[2];
    Index result =
        geometry.channels_last
            ? (((image * extents[0] + plane) * extents[1] + height) * extents[2] + place) * channels + channel
            : (((image * channels + channel) * extents[0] + plane) * extents[1] + height) * extents[2] + place;
    const double most = finish.bound.accumulator_max / (1 + finish.bound.growth) - absolute(bias),
                 growth = finish.bound.growth + finish.bound.reference_growth;
#if ASSAY_DETAIL_VECTOR_VARIANTS
    if (plain && step == 1) {
      const FinishColumns work{product_of, magnitude_of,           count,          bias,          most,
                               growth,     finish.bound.underflow, value + result, error + result};
      bool all_plain = false;
      run_variant<FinishColumns>(instruction_set(), work, all_plain);
      if (all_plain) return;
    }
#endif
    for (Index i = 0; i < count; ++i, result += step) {
      const double product = product_of[i], magnitude = magnitude_of[i];
      if (plain && magnitude > 0 && magnitude < most && product - product == 0) {
        value[result] = product + bias;
        error[result] = growth * (magnitude + absolute(bias)) + finish.bound.underflow;
      } else {
        const bool open = misses_edges && !is_nan(product);
        const ExpectedElement element = open ? ConvolutionFinish::undetermined() : finish(result, product, magnitude);
        value[result] = element.value;
        error[result] = element.error;
      }
    }
  }
};

/// Results of groups of few channels, as of depthwise convolutions, from a padded image, without a matrix of columns.
struct MultiplyFew {
  static constexpr Index block = 512;
  PlaceResults results;
  PaddedLayout layout;
  const float* image;   ///< group × channel
  const float* matrix;  ///< group × own × depth
  const Index* terms;   ///< places of (channel, tap)
  Index own, depth, group_places;

  void operator()(std::size_t index) const {
    const Index channel = static_cast<Index>(index), width = layout.of.count[2], pitch = layout.line();
    const float *const source = image + channel / own * group_places, *const weights = matrix + channel * depth;
    const double bias = results.bias_of(channel);
    // lines that follow each other are one run, with what lies between them
    const Index joined = layout.of.scale[1] == 1 ? layout.of.count[1] : 1;
    double products[block], magnitudes[block];
    for (Index line = 0; line < layout.of.lines(); line += joined) {
      const Index length = (joined - 1) * pitch + width;
      for (Index start = 0; start < length; start += block) {
        const Index count = length - start < block ? length - start : block;
        multiply(weights, source + layout.place_of_line(line) + start, count, products, magnitudes);
        for (Index at = start; at < start + count;) {
          const Index q = at % pitch, left = start + count - at,
                      part = q < width ? (width - q < left ? width - q : left) : 0;
          if (part > 0)
            results.place(channel, line + at / pitch, q, part, bias, products + at - start, magnitudes + at - start);
          at += part > 0 ? part : pitch - q;
        }
      }
    }
  }

 private:
  void multiply(const float* weights, const float* source, Index count, double* products, double* magnitudes) const {
#if ASSAY_DETAIL_VECTOR_VARIANTS
    run_variant<RowProducts>(instruction_set(), weights, source, terms, depth, count, products, magnitudes);
#else
    for (Index i = 0; i < count; ++i) {
      products[i] = magnitudes[i] = 0;
      for (Index term = 0; term < depth; ++term) {
        const double summand = static_cast<double>(weights[term]) * static_cast<double>(source[terms[term] + i]);
        products[i] += summand;
        magnitudes[i] += absolute(summand);
      }
    }
#endif
  }
};

/// Adds the sums of a part of the images to those of the parts before.
struct AddSums {
  static constexpr Index chunk = 4096;
  const double* from;
  double* to;
  Index count;

  void operator()(std::size_t index) const {
    const Index first = static_cast<Index>(index) * chunk, last = first + chunk < count ? first + chunk : count;
    for (Index i = first; i < last; ++i) to[i] += from[i];
  }
  [[nodiscard]] static std::size_t chunks(Index count) { return static_cast<std::size_t>((count + chunk - 1) / chunk); }
};

/// Finishes the gradients of weights from their sums, in place of which they are put, from (coarse channel, fine
/// channel, tap) into the layout's order.
struct PlaceWeights {
  ConvolutionFinish finish;
  const double* products;
  const double* magnitudes;
  double* value;
  double* error;

  void operator()(std::size_t index) const {
    const ConvolutionGeometry& geometry = finish.terms.geometry;
    const WeightPosition at = geometry.weight_position(static_cast<Index>(index));
    const Index tap = (at.at[0] * geometry.kernel[1] + at.at[1]) * geometry.kernel[2] + at.at[2];
    const Index from = (at.coarse_channel * geometry.fine_channels + at.fine_channel) * geometry.taps() + tap;
    const ExpectedElement element = finish(static_cast<Index>(index), products[from], magnitudes[from]);
    value[index] = element.value;
    error[index] = element.error;
  }
};

}  // namespace assay::inline v0::detail
