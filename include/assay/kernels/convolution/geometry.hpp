#pragma once

#include <numeric>

#include "assay/kernels/convolution/problem.hpp"

namespace assay::inline v0 {

/// Which of the three tensors of a convolution is computed from the two others.
enum class ConvolutionProduct { coarse, fine, weights };

/// Where an element of an image is.
struct ImagePosition {
  Index batch = 0;          ///< image of the batch
  Index channel = 0;        ///< within its group
  Index at[3] = {0, 0, 0};  ///< on the three axes
};

/// Where an element of the weights is.
struct WeightPosition {
  Index coarse_channel = 0;  ///< within its group
  Index fine_channel = 0;    ///< within its group
  Index at[3] = {0, 0, 0};   ///< tap on the three axes
};

/// Every pass of a convolution and of a transposed one as one relation of three tensors, on three axes (missing ones,
/// in front, have one element):
///
///   coarse[n, y, o] = Σ_{x, k} fine[n, x, o·stride + k·dilation − padding]·weights[y, x, k].
///
/// The fine image is the input of a convolution or the output of a transposed one. Channels are counted within a group.
struct ConvolutionGeometry {
  ConvolutionProduct product = ConvolutionProduct::coarse;
  bool channels_last = false;  ///< the order of the images in memory
  Index batch = 1;             ///< images
  Index groups = 1;            ///< of channels
  Index fine_channels = 1;     ///< of a group
  Index coarse_channels = 1;   ///< of a group
  Index fine[3] = {1, 1, 1};
  Index coarse[3] = {1, 1, 1};
  Index kernel[3] = {1, 1, 1};  ///< extents on the three axes
  Index stride[3] = {1, 1, 1};
  Index dilation[3] = {1, 1, 1};
  Index padding[3] = {0, 0, 0};

  /// The geometry of that problem. O(1).
  [[nodiscard]] static ConvolutionGeometry of(const ConvolutionProblem& problem);

  /// Positions of the kernel.
  [[nodiscard]] ASSAY_FUNCTION Index taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  /// Positions of a fine image.
  [[nodiscard]] ASSAY_FUNCTION Index fine_positions() const { return fine[0] * fine[1] * fine[2]; }
  /// Positions of a coarse image.
  [[nodiscard]] ASSAY_FUNCTION Index coarse_positions() const { return coarse[0] * coarse[1] * coarse[2]; }
  /// The coordinate on the fine axis that tap k of coarse position o meets; it may lie outside.
  [[nodiscard]] ASSAY_FUNCTION Index met(int axis, Index o, Index k) const {
    return o * stride[axis] + k * dilation[axis] - padding[axis];
  }

  /// Elements of what is computed.
  [[nodiscard]] Index results() const {
    switch (product) {
      case ConvolutionProduct::coarse: return batch * groups * coarse_channels * coarse_positions();
      case ConvolutionProduct::fine: return batch * groups * fine_channels * fine_positions();
      case ConvolutionProduct::weights: break;
    }
    return groups * coarse_channels * fine_channels * taps();
  }
  /// Products in one result, at most.
  [[nodiscard]] Index terms() const {
    Index aligned = 1;
    for (int d = 0; d < 3; ++d) {
      const Index common = std::gcd(stride[d], dilation[d]), step = stride[d] / common;
      aligned *= (kernel[d] + step - 1) / step;
    }
    switch (product) {
      case ConvolutionProduct::coarse: return fine_channels * taps();
      case ConvolutionProduct::fine: return coarse_channels * aligned;
      case ConvolutionProduct::weights: break;
    }
    return batch * coarse_positions();
  }

  /// Where the element of the fine or the coarse image with that row-major position is.
  [[nodiscard]] ASSAY_FUNCTION ImagePosition image_position(Index element, bool of_fine) const {
    const Index* extents = of_fine ? fine : coarse;
    const Index channels = groups * (of_fine ? fine_channels : coarse_channels);
    ImagePosition position;
    if (channels_last) split(element, position.channel, channels);
    for (int d = 2; d >= 0; --d) split(element, position.at[d], extents[d]);
    if (!channels_last) split(element, position.channel, channels);
    position.batch = element;
    return position;
  }
  /// The inverse of `image_position`.
  [[nodiscard]] ASSAY_FUNCTION Index image_element(const ImagePosition& position, bool of_fine) const {
    const Index* extents = of_fine ? fine : coarse;
    const Index channels = groups * (of_fine ? fine_channels : coarse_channels);
    Index element = position.batch;
    if (!channels_last) element = element * channels + position.channel;
    for (int d = 0; d < 3; ++d) element = element * extents[d] + position.at[d];
    return channels_last ? element * channels + position.channel : element;
  }
  /// Where the element of that row-major number is, as weights are stored.
  [[nodiscard]] ASSAY_FUNCTION WeightPosition weight_position(Index element) const {
    WeightPosition position;
    if (channels_last) split(element, position.fine_channel, fine_channels);
    for (int d = 2; d >= 0; --d) split(element, position.at[d], kernel[d]);
    if (!channels_last) split(element, position.fine_channel, fine_channels);
    position.coarse_channel = element;
    return position;
  }

 private:
  ASSAY_FUNCTION static void split(Index& element, Index& part, Index extent) {
    part = element % extent;
    element /= extent;
  }
};

/// A tensor with its axes named, whatever their order in memory: images have batch and channel first, weights coarse
/// and fine channel.
struct ConvolutionTensor {
  Operand operand;
  Index first_stride = 0;        ///< of the batch; of weights: of the first channel
  Index second_stride = 0;       ///< of the channel; of weights: of the second channel
  Index strides[3] = {0, 0, 0};  ///< of the axes

  /// Names the axes of an operand.
  [[nodiscard]] static ConvolutionTensor of(const Operand& operand, bool channels_last);
  /// Where an element is, from the first one, in elements.
  [[nodiscard]] ASSAY_FUNCTION Index offset(Index first, Index second, const Index (&at)[3]) const {
    return first * first_stride + second * second_stride + at[0] * strides[0] + at[1] * strides[1] + at[2] * strides[2];
  }
  /// The value of that element.
  [[nodiscard]] ASSAY_FUNCTION double load(Index first, Index second, const Index (&at)[3]) const {
    return operand.format.load(operand.data, offset(first, second, at));
  }
  /// The value at that position of an image.
  [[nodiscard]] ASSAY_FUNCTION double load(const ImagePosition& position) const {
    return load(position.batch, position.channel, position.at);
  }
  /// The value at that position of the weights.
  [[nodiscard]] ASSAY_FUNCTION double load(const WeightPosition& position) const {
    return load(position.coarse_channel, position.fine_channel, position.at);
  }
};

/// The products that a result is the sum of, by the definition.
struct ConvolutionTerms {
  ConvolutionGeometry geometry;
  /// The three tensors.
  ConvolutionTensor fine, coarse, weights;

  /// Calls visit(left, right, inside) for every product of the result with that row-major position: left of the image
  /// that is summed over, right of the weights (or of the coarse image where weights are computed). Where the image
  /// ends, left is 0 and inside false; visitors with `static constexpr bool visits_edges = false` are spared that.
  template <class Visit>
  ASSAY_FUNCTION void each(Index result, Visit& visit) const {
    switch (geometry.product) {
      case ConvolutionProduct::coarse: return of_image(geometry.image_position(result, false), fine, visit);
      case ConvolutionProduct::fine: return of_image(geometry.image_position(result, true), coarse, visit);
      case ConvolutionProduct::weights: return of_weights(geometry.weight_position(result), visit);
    }
  }

 private:
  /// Whether tap k of a position meets an element of the other image on an axis, and which.
  [[nodiscard]] ASSAY_FUNCTION bool meets(int axis, Index at, Index k, Index& met) const {
    if (geometry.product != ConvolutionProduct::fine) {
      met = geometry.met(axis, at, k);
      return met >= 0 && met < geometry.fine[axis];
    }
    const Index distance = at + geometry.padding[axis] - k * geometry.dilation[axis], stride = geometry.stride[axis];
    met = stride == 1 ? distance : distance / stride;
    return distance >= 0 && met < geometry.coarse[axis] && (stride == 1 || met * stride == distance);
  }

  template <class Visit>
  ASSAY_FUNCTION void of_image(const ImagePosition& position, const ConvolutionTensor& image, Visit& visit) const {
    const bool to_fine = geometry.product == ConvolutionProduct::fine;
    const Index summed = to_fine ? geometry.coarse_channels : geometry.fine_channels,
                own = to_fine ? geometry.fine_channels : geometry.coarse_channels;
    const Index first = position.channel / own * summed;
    Index k[3], from[3];
    bool inside[3];
    for (Index channel = 0; channel < summed; ++channel)
      for (k[0] = 0; k[0] < geometry.kernel[0]; ++k[0]) {
        inside[0] = meets(0, position.at[0], k[0], from[0]);
        if (!Visit::visits_edges && !inside[0]) continue;
        for (k[1] = 0; k[1] < geometry.kernel[1]; ++k[1]) {
          inside[1] = meets(1, position.at[1], k[1], from[1]);
          if (!Visit::visits_edges && !inside[1]) continue;
          for (k[2] = 0; k[2] < geometry.kernel[2]; ++k[2]) {
            inside[2] = meets(2, position.at[2], k[2], from[2]);
            const bool all = inside[0] && inside[1] && inside[2];
            if (!Visit::visits_edges && !all) continue;
            const double left = all ? image.load(position.batch, first + channel, from) : 0.0;
            visit(left,
                  to_fine ? weights.load(first + channel, position.channel % own, k)
                          : weights.load(position.channel, channel, k),
                  all);
          }
        }
      }
  }
  template <class Visit>
  ASSAY_FUNCTION void of_weights(const WeightPosition& position, Visit& visit) const {
    const Index channel =
        position.coarse_channel / geometry.coarse_channels * geometry.fine_channels + position.fine_channel;
    Index o[3], from[3];
    bool inside[3];
    for (Index image = 0; image < geometry.batch; ++image)
      for (o[0] = 0; o[0] < geometry.coarse[0]; ++o[0]) {
        inside[0] = meets(0, o[0], position.at[0], from[0]);
        if (!Visit::visits_edges && !inside[0]) continue;
        for (o[1] = 0; o[1] < geometry.coarse[1]; ++o[1]) {
          inside[1] = meets(1, o[1], position.at[1], from[1]);
          if (!Visit::visits_edges && !inside[1]) continue;
          for (o[2] = 0; o[2] < geometry.coarse[2]; ++o[2]) {
            inside[2] = meets(2, o[2], position.at[2], from[2]);
            const bool all = inside[0] && inside[1] && inside[2];
            if (!Visit::visits_edges && !all) continue;
            visit(all ? fine.load(image, channel, from) : 0.0, coarse.load(image, position.coarse_channel, o), all);
          }
        }
      }
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/convolution/geometry.ipp"
#endif
