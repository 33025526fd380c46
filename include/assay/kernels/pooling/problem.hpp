#pragma once

#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/kernels/operation_names.hpp"
#include "assay/tensor/operand.hpp"

namespace assay::inline v0 {

/// What is taken of a window.
enum class PoolingKind { maximum, average };

/// Which index is right where several elements of a window are largest.
enum class IndexTies {
  any,
  first  ///< the first in row-major order; of several NaNs any
};

/// Maximum or average over windows of one to three spatial dimensions, or the gradient of it.
///
/// A window of output position o covers the inputs at o·stride − padding_before + i·dilation, 0 ≤ i < window, along
/// every dimension; padding is never a maximum. Where `adaptive`, it covers ⌊o·input/output⌋ to ⌈(o + 1)·input/output⌉
/// instead, and window, stride, dilation and padding are not looked at. NaN in a window gives NaN. Global pooling is a
/// window as large as the input. Entries beyond `dimensions` stay as they are here.
struct PoolingProblem {
  PoolingKind kind = PoolingKind::maximum;
  bool backward = false;  ///< from the gradient of the output, and the indices of maxima, the gradient of the input
  Index batch = 1;        ///< images
  Index channels = 1;     ///< of every image
  int dimensions = 2;
  Index input[3] = {1, 1, 1};
  Index window[3] = {1, 1, 1};
  Index stride[3] = {1, 1, 1};
  Index dilation[3] = {1, 1, 1};
  Index padding_before[3] = {0, 0, 0};
  Index padding_after[3] = {0, 0, 0};  ///< elements behind the last one, on each axis
  bool adaptive = false;
  Index adaptive_output[3] = {1, 1, 1};  ///< extents of the output where windows adapt
  bool include_padding = false;  ///< averages are divided by the window's whole size, also where it covers padding
  Index divisor = 0;  ///< averages are divided by it, whatever their windows cover: PyTorch's divisor_override; 0: none
  Index uncounted_after[3] = {
      0, 0, 0};  ///< of `padding_after`, what is not counted even then: what PyTorch's and ONNX's ceil_mode adds
  bool indices = false;  ///< maxima: a second output gives their places, row-major within the spatial dimensions
  IndexTies ties = IndexTies::any;
  bool channels_last = false;  ///< (batch, spatial…, channels) instead of (batch, channels, spatial…)
  ElementFormat format = element_format<float32>();
  ElementFormat index_format = element_format<std::int64_t>();  ///< integers

  /// Extent of the output on that axis.
  [[nodiscard]] ASSAY_FUNCTION Index output(int d) const {
    if (adaptive) return adaptive_output[d];
    return (input[d] + padding_before[d] + padding_after[d] - dilation[d] * (window[d] - 1) - 1) / stride[d] + 1;
  }
  /// Elements of a whole window.
  [[nodiscard]] ASSAY_FUNCTION Index window_size() const {
    if (!adaptive) return window[0] * window[1] * window[2];
    Index size = 1;
    for (int d = 0; d < 3; ++d) size *= (input[d] + adaptive_output[d] - 1) / adaptive_output[d] + 1;
    return size;
  }
  /// The most terms of a sum: elements of a window or, in the backward pass, windows that cover an element.
  [[nodiscard]] ASSAY_FUNCTION Index most_terms() const {
    if (!adaptive || !backward) return window_size();
    Index windows = 1;
    for (int d = 0; d < 3; ++d) windows *= (adaptive_output[d] + input[d] - 1) / input[d] + 1;
    return windows;
  }
};

/// Names the members, as files and those who shrink a problem need them: `visit(name, member, name, member, …)`.
template <class Visit>
void fields(PoolingProblem& problem, Visit&& visit) {
  visit("kind", problem.kind, "backward", problem.backward, "batch", problem.batch, "channels", problem.channels,
        "dimensions", problem.dimensions, "input", problem.input, "window", problem.window, "stride", problem.stride,
        "dilation", problem.dilation, "padding_before", problem.padding_before, "padding_after", problem.padding_after,
        "adaptive", problem.adaptive, "adaptive_output", problem.adaptive_output, "include_padding",
        problem.include_padding, "divisor", problem.divisor, "uncounted_after", problem.uncounted_after, "indices",
        problem.indices, "ties", problem.ties, "channels_last", problem.channels_last, "format", problem.format,
        "index_format", problem.index_format);
}

/// `ErrorKind::invalid` names the field at fault: extents, a window that is larger than the padded input, windows that
/// cover padding only.
[[nodiscard]] Result<void> check(const PoolingProblem& problem);

/// "avg-backward-2x3x14x14-w3x3-s2x2-p1x1_0x0-include_padding".
[[nodiscard]] std::string name_of(const PoolingProblem& problem);

/// Where a position lies in a tensor of an operation with channels and spatial dimensions, and which position an
/// element has.
struct PoolingPlace {
  /// Image and channel.
  Index batch = 0, channel = 0;
  Index position[3] = {0, 0, 0};

  /// The place of the element of that row-major number.
  [[nodiscard]] ASSAY_FUNCTION static PoolingPlace of(Index element, const PoolingProblem& problem, bool of_output) {
    PoolingPlace place;
    if (problem.channels_last) {
      place.channel = element % problem.channels;
      element /= problem.channels;
    }
    for (int d = 2; d >= 0; --d) {
      const Index extent = of_output ? problem.output(d) : problem.input[d];
      place.position[d] = element % extent;
      element /= extent;
    }
    if (!problem.channels_last) {
      place.channel = element % problem.channels;
      element /= problem.channels;
    }
    place.batch = element;
    return place;
  }
  /// The element at another position of the same image and channel.
  [[nodiscard]] ASSAY_FUNCTION Index element(const PoolingProblem& problem, bool of_output, Index a, Index b,
                                             Index c) const {
    const Index extents[3] = {of_output ? problem.output(0) : problem.input[0],
                              of_output ? problem.output(1) : problem.input[1],
                              of_output ? problem.output(2) : problem.input[2]};
    const Index place = (a * extents[1] + b) * extents[2] + c, plane = extents[0] * extents[1] * extents[2];
    return problem.channels_last ? (batch * plane + place) * problem.channels + channel
                                 : (batch * problem.channels + channel) * plane + place;
  }
};

/// The inputs that one output position sees.
struct PoolingWindow {
  Index first[3] = {0, 0, 0};  ///< that is not padding
  Index count[3] = {1, 1, 1};  ///< elements on each axis
  Index step[3] = {1, 1, 1};   ///< between elements, on each axis
  Index divisor = 1;           ///< of an average

  /// Elements of the window.
  [[nodiscard]] ASSAY_FUNCTION Index elements() const { return count[0] * count[1] * count[2]; }
  /// Whether the window has that position of the axis.
  [[nodiscard]] ASSAY_FUNCTION bool covers(int d, Index position) const {
    const Index distance = position - first[d];
    return distance >= 0 && distance % step[d] == 0 && distance / step[d] < count[d];
  }

  /// The window of an output at that position.
  [[nodiscard]] ASSAY_FUNCTION static PoolingWindow of(const PoolingProblem& problem, const Index (&position)[3]) {
    PoolingWindow window;
    Index whole = 1;
    for (int d = 0; d < 3; ++d) {
      const Index extent = problem.input[d];
      if (problem.adaptive) {
        const Index out = problem.adaptive_output[d];
        window.first[d] = position[d] * extent / out;
        window.count[d] = ((position[d] + 1) * extent + out - 1) / out - window.first[d];
        continue;
      }
      const Index step = problem.dilation[d], start = position[d] * problem.stride[d] - problem.padding_before[d],
                  skipped = start < 0 ? (-start + step - 1) / step : 0;
      const Index reachable = (extent - 1 - start) / step + 1;
      window.first[d] = start + skipped * step;
      window.count[d] = (reachable < problem.window[d] ? reachable : problem.window[d]) - skipped;
      window.step[d] = step;
      const Index counted = (extent + problem.padding_after[d] - problem.uncounted_after[d] - 1 - start) / step + 1;
      whole *= counted < problem.window[d] ? counted : problem.window[d];
    }
    window.divisor = problem.divisor > 0                            ? problem.divisor
                     : problem.include_padding && !problem.adaptive ? whole
                                                                    : window.elements();
    return window;
  }
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/pooling/problem.ipp"
#endif
