#pragma once

#include <cstddef>
#include <cstring>

#include "assay/formats/small_formats.hpp"
#include "assay/kernels/convolution/detail/gather.hpp"

namespace assay::inline v0::detail {

/// Images in single precision as a product reads them: with zeros where results meet nothing, and with lines split by
/// the remainder of a position by the stride, so that neighboring results meet neighbors. Result (line, q) and a tap
/// meet at place(line, q) + place_of_tap(tap).
struct PaddedLayout {
  ConvolutionClass of{};
  Index extents[3] = {1, 1, 1};  ///< of an image
  Index before[3] = {0, 0, 0};   ///< zeros in front
  Index padded[3] = {1, 1, 1};   ///< extents as far as results reach
  Index part = 1;                ///< places of a part of a line

  [[nodiscard]] static PaddedLayout over(const ConvolutionClass& of, const Index (&extents)[3]) {
    PaddedLayout layout;
    layout.of = of;
    for (int d = 0; d < 3; ++d) {
      Index least = 0, most = 0;
      for (Index tap = 0; tap < of.taps; ++tap) {
        const Index offset = of.offsets[tap * 3 + d];
        least = offset < least ? offset : least;
        most = offset > most ? offset : most;
      }
      layout.extents[d] = extents[d];
      layout.before[d] = -least;
      layout.padded[d] = (of.count[d] - 1) * of.scale[d] + most - least + 1;
    }
    layout.part = (layout.padded[2] + of.scale[2] - 1) / of.scale[2];
    return layout;
  }

  [[nodiscard]] Index line() const { return part * of.scale[2]; }
  [[nodiscard]] Index places() const { return padded[0] * padded[1] * line(); }
  [[nodiscard]] Index positions() const { return of.lines() * of.count[2]; }
  [[nodiscard]] Index place_of_line(Index line_of_results) const {
    return (line_of_results / of.count[1] * of.scale[0] * padded[1] + line_of_results % of.count[1] * of.scale[1]) *
           line();
  }
  [[nodiscard]] Index place_of_tap(Index tap) const {
    const Index* const offset = of.offsets + tap * 3;
    const Index last = offset[2] + before[2];
    return ((offset[0] + before[0]) * padded[1] + offset[1] + before[1]) * line() + last % of.scale[2] * part +
           last / of.scale[2];
  }
};

/// Copies a channel of one of several images.
struct UnpackPadded {
  ConvolutionTensor tensor;
  PaddedLayout layout;
  Index first_image, channels;
  float* to;

  void operator()(std::size_t index) const {
    const ElementFormat& format = tensor.operand.format;
    if (format == element_format<float32>())
      return copy(index, [&](Index at) { return static_cast<const float*>(tensor.operand.data)[at]; });
    if (format == element_format<bfloat16>())
      return copy(index, [&](Index at) {
        return static_cast<float>(decode(static_cast<const bfloat16*>(tensor.operand.data)[at]));
      });
    copy(index, [&](Index at) { return static_cast<float>(format.load(tensor.operand.data, at)); });
  }

 private:
  template <class Load>
  void copy(std::size_t index, const Load& load) const {
    const Index channel = static_cast<Index>(index) % channels,
                image = first_image + static_cast<Index>(index) / channels, stride = tensor.strides[2],
                phases = layout.of.scale[2];
    float* const target = to + static_cast<Index>(index) * layout.places();
    std::memset(target, 0, static_cast<std::size_t>(layout.places()) * sizeof(float));
    const Index room = layout.padded[2] - layout.before[2], count = room < layout.extents[2] ? room : layout.extents[2];
    Index at[3] = {0, 0, 0};
    for (at[0] = 0; at[0] < layout.extents[0] && at[0] + layout.before[0] < layout.padded[0]; ++at[0])
      for (at[1] = 0; at[1] < layout.extents[1] && at[1] + layout.before[1] < layout.padded[1]; ++at[1]) {
        const Index first = tensor.offset(image, channel, at);
        float* const line =
            target + ((at[0] + layout.before[0]) * layout.padded[1] + at[1] + layout.before[1]) * layout.line();
        if (phases == 1) {
          for (Index i = 0; i < count; ++i) line[layout.before[2] + i] = load(first + i * stride);
        } else {
          for (Index i = 0; i < count; ++i)
            line[(layout.before[2] + i) % phases * layout.part + (layout.before[2] + i) / phases] =
                load(first + i * stride);
        }
      }
  }
};

}  // namespace assay::inline v0::detail
