#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "assay/kernels/convolution/geometry.hpp"

namespace assay::inline v0::detail {

/// Copies the channels of one image of a tensor into single precision, channel by channel.
struct UnpackImage {
  ConvolutionTensor tensor;
  Index image;
  Index extents[3];
  float* to;

  void operator()(std::size_t index) const {
    const Index channel = static_cast<Index>(index), stride = tensor.strides[2];
    const bool single = tensor.operand.format == element_format<float32>();
    float* target = to + channel * extents[0] * extents[1] * extents[2];
    Index at[3] = {0, 0, 0};
    for (at[0] = 0; at[0] < extents[0]; ++at[0])
      for (at[1] = 0; at[1] < extents[1]; ++at[1], target += extents[2]) {
        const Index first = tensor.offset(image, channel, at);
        if (single) {
          const float* source = static_cast<const float*>(tensor.operand.data) + first;
          for (Index i = 0; i < extents[2]; ++i) target[i] = source[i * stride];
        } else {
          for (Index i = 0; i < extents[2]; ++i)
            target[i] = static_cast<float>(tensor.operand.format.load(tensor.operand.data, first + i * stride));
        }
      }
  }
};

/// The results whose coordinates leave the same remainder by the stride on every axis (all of them, where what is
/// computed is not the fine image), and the taps that they are summed over: result `first + q·step` and tap t meet the
/// gathered image at q·scale + offsets[t].
struct ConvolutionClass {
  Index first[3];
  Index step[3];
  Index count[3];  ///< of q
  Index scale[3];
  const Index* offsets;     ///< taps × 3
  const Index* tap_places;  ///< of each tap among the kernel's, row-major
  Index taps;

  [[nodiscard]] Index lines() const { return count[0] * count[1]; }

  /// The class of that remainder on each axis. `offsets` and `places` have room for all taps.
  [[nodiscard]] static ConvolutionClass of(const ConvolutionGeometry& geometry, const Index (&remainder)[3],
                                           Index* offsets, Index* places) {
    const bool to_fine = geometry.product == ConvolutionProduct::fine;
    ConvolutionClass made{};
    made.offsets = offsets;
    made.tap_places = places;
    for (int d = 0; d < 3; ++d) {
      made.first[d] = to_fine ? remainder[d] : 0;
      made.step[d] = to_fine ? geometry.stride[d] : 1;
      made.scale[d] = to_fine ? 1 : geometry.stride[d];
      made.count[d] = !to_fine ? geometry.coarse[d]
                      : remainder[d] < geometry.fine[d]
                          ? (geometry.fine[d] - remainder[d] + geometry.stride[d] - 1) / geometry.stride[d]
                          : 0;
    }
    Index k[3], place = 0;
    for (k[0] = 0; k[0] < geometry.kernel[0]; ++k[0])
      for (k[1] = 0; k[1] < geometry.kernel[1]; ++k[1])
        for (k[2] = 0; k[2] < geometry.kernel[2]; ++k[2], ++place) {
          bool aligned = true;
          Index own[3];
          for (int d = 0; d < 3; ++d) {
            const Index distance =
                to_fine ? remainder[d] + geometry.padding[d] - k[d] * geometry.dilation[d] : geometry.met(d, 0, k[d]);
            aligned = aligned && (!to_fine || distance % geometry.stride[d] == 0);
            own[d] = to_fine ? distance / geometry.stride[d] : distance;
          }
          if (!aligned) continue;
          for (int d = 0; d < 3; ++d) offsets[made.taps * 3 + d] = own[d];
          places[made.taps++] = place;
        }
    return made;
  }
};

/// One row of the matrix that turns a convolution into a product: for a channel and tap, what all results of a range of
/// lines meet; 0 beyond the edges.
struct GatherColumns {
  const float* image;
  Index extents[3];  ///< of the image
  ConvolutionClass of;
  Index first_line, lines;
  float* columns;  ///< (channel, tap) × (line, q)

  void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index), channel = row / of.taps, width = of.count[2], scale = of.scale[2];
    const Index* offset = of.offsets + row % of.taps * 3;
    float* to = columns + row * lines * width;
    // q·scale + offset lies within the line for q in [begin, end)
    const Index begin = least(offset[2] < 0 ? (-offset[2] + scale - 1) / scale : 0, width);
    const Index inside = extents[2] - offset[2];
    const Index end = inside <= 0 ? begin : greatest(begin, least((inside + scale - 1) / scale, width));
    for (Index line = first_line; line < first_line + lines; ++line, to += width) {
      const Index plane = line / of.count[1] * of.scale[0] + offset[0],
                  height = line % of.count[1] * of.scale[1] + offset[1];
      const bool present = plane >= 0 && plane < extents[0] && height >= 0 && height < extents[1];
      const Index from = present ? begin : width, until = present ? end : width;
      for (Index q = 0; q < from; ++q) to[q] = 0;
      if (from < until) {
        const float* source = image + ((channel * extents[0] + plane) * extents[1] + height) * extents[2] + offset[2];
        if (scale == 1)
          std::memcpy(to + from, source + from, static_cast<std::size_t>(until - from) * sizeof(float));
        else
          for (Index q = from; q < until; ++q) to[q] = source[q * scale];
      }
      for (Index q = until; q < width; ++q) to[q] = 0;
    }
  }

 private:
  static Index least(Index a, Index b) { return a < b ? a : b; }
  static Index greatest(Index a, Index b) { return a > b ? a : b; }
};

/// The weights of one class as a matrix a group: one row for every channel of the result, by (channel of the gathered
/// image, tap).
struct GatherWeights {
  ConvolutionTensor weights;
  ConvolutionGeometry geometry;
  ConvolutionClass of;
  float* to;

  /// Where the weights already are that matrix; null elsewhere.
  [[nodiscard]] const float* in_place() const {
    if (geometry.product != ConvolutionProduct::coarse || !taps_in_a_row() || weights.second_stride != of.taps ||
        weights.first_stride != geometry.fine_channels * of.taps)
      return nullptr;
    return static_cast<const float*>(weights.operand.data);
  }

  void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index);
    const bool to_coarse = geometry.product == ConvolutionProduct::coarse;
    const Index summed = to_coarse ? geometry.fine_channels : geometry.coarse_channels,
                own = to_coarse ? geometry.coarse_channels : geometry.fine_channels;
    float* target = to + row * summed * of.taps;
    if (taps_in_a_row()) {
      const Index first =
          to_coarse ? row * weights.first_stride
                    : row / own * geometry.coarse_channels * weights.first_stride + row % own * weights.second_stride;
      const Index step = to_coarse ? weights.second_stride : weights.first_stride;
      const bool without_gaps = step == of.taps;
      const float* source = static_cast<const float*>(weights.operand.data) + first;
      const Index pieces = without_gaps ? 1 : summed, length = without_gaps ? summed * of.taps : of.taps;
      for (Index piece = 0; piece < pieces; ++piece, target += length, source += step)
        std::copy_n(source, length, target);  // of nothing, too, where there is no memory
      return;
    }
    const Index plane_of_taps = geometry.kernel[1] * geometry.kernel[2];
    for (Index channel = 0; channel < summed; ++channel)
      for (Index tap = 0; tap < of.taps; ++tap) {
        const Index place = of.tap_places[tap];
        const Index at[3] = {place / plane_of_taps, place / geometry.kernel[2] % geometry.kernel[1],
                             place % geometry.kernel[2]};
        const double value = to_coarse ? weights.load(row, channel, at)
                                       : weights.load(row / own * geometry.coarse_channels + channel, row % own, at);
        *target++ = static_cast<float>(value);
      }
  }

 private:
  /// Whether each pair of channels has its taps side by side, all of the class, in single precision.
  [[nodiscard]] bool taps_in_a_row() const {
    const auto follow = [&](int axis, Index distance) {
      return geometry.kernel[axis] == 1 || weights.strides[axis] == distance;
    };
    return weights.operand.format == element_format<float32>() && of.taps == geometry.taps() && follow(2, 1) &&
           follow(1, geometry.kernel[2]) && follow(0, geometry.kernel[1] * geometry.kernel[2]);
  }
};

/// Which taps have a weight that is no finite number, for every channel of the fine image.
struct MarkWeights {
  ConvolutionTensor weights;
  ConvolutionGeometry geometry;
  unsigned char* marks;  ///< (fine channel, tap)

  void operator()(std::size_t index) const {
    const Index row = static_cast<Index>(index), own = geometry.fine_channels,
                first = row / own * geometry.coarse_channels;
    unsigned char* mark = marks + row * geometry.taps();
    Index at[3];
    for (at[0] = 0; at[0] < geometry.kernel[0]; ++at[0])
      for (at[1] = 0; at[1] < geometry.kernel[1]; ++at[1])
        for (at[2] = 0; at[2] < geometry.kernel[2]; ++at[2]) {
          bool finite = true;
          for (Index channel = 0; channel < geometry.coarse_channels; ++channel)
            finite = finite && is_finite(weights.load(first + channel, row % own, at));
          *mark++ = finite ? 0 : 1;
        }
  }
  /// Whether a tap of that row is marked on which the stride puts nothing in a class of results.
  [[nodiscard]] static bool any_beside(const unsigned char* marks, const ConvolutionClass& of, Index taps, Index row) {
    for (Index tap = 0, aligned = 0; tap < taps; ++tap) {
      const bool met = aligned < of.taps && of.tap_places[aligned] == tap;
      aligned += met ? 1 : 0;
      if (!met && marks[row * taps + tap] != 0) return true;
    }
    return false;
  }
};

}  // namespace assay::inline v0::detail
