#pragma once

#include <cmath>
#include <cstddef>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/resize/problem.hpp"

namespace assay::inline v0 {

/// What one output position reads along one dimension, in single precision: elements from `first` on, each with its
/// weight.
struct PortableResizeTaps {
  Index first = 0;
  Index count = 1;       ///< taps of one axis
  float coordinate = 0;  ///< of the output in the input
  float stretch = 1;     ///< of the kernel where images shrink
  float sum = 1;         ///< of the weights before they are normalized

  /// The cubic kernel of Keys with parameter a.
  [[nodiscard]] ASSAY_FUNCTION static float cubic(float x, float a) {
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
  }
  /// The taps of a position of the output on that axis.
  [[nodiscard]] ASSAY_FUNCTION static PortableResizeTaps of(const ResizeProblem& problem, int d, Index position) {
    PortableResizeTaps taps;
    if (d >= problem.dimensions) return taps;
    const float n = static_cast<float>(problem.input[d]), m = static_cast<float>(problem.output[d]),
                o = static_cast<float>(position);
    float s = 0;
    if (problem.coordinates == ResizeCoordinates::half_pixel) s = (o + 0.5f) * (n / m) - 0.5f;
    if (problem.coordinates == ResizeCoordinates::align_corners) s = m > 1 ? o * ((n - 1) / (m - 1)) : 0;
    if (problem.coordinates == ResizeCoordinates::asymmetric) s = o * (n / m);
    if (problem.mode == ResizeMode::nearest) {
      if (problem.rounding == NearestRounding::floor) s = std::floor(s);
      if (problem.rounding == NearestRounding::ceil) s = std::ceil(s);
      if (problem.rounding == NearestRounding::half_down) s = std::ceil(s - 0.5f);
      if (problem.rounding == NearestRounding::half_up) s = std::floor(s + 0.5f);
      taps.first = static_cast<Index>(s);
      return taps;
    }
    taps.coordinate = s;
    if (problem.antialias && n > m) taps.stretch = n / m;
    const float reach = (problem.mode == ResizeMode::cubic ? 2.0f : 1.0f) * taps.stretch;
    taps.first = static_cast<Index>(std::floor(s - reach)) + 1;
    Index last = static_cast<Index>(std::ceil(s + reach)) - 1;
    const bool normalized = problem.antialias || (problem.exclude_outside && problem.mode == ResizeMode::cubic);
    if (normalized) {
      taps.first = taps.first > 0 ? taps.first : 0;
      last = last < problem.input[d] ? last : problem.input[d] - 1;
    }
    taps.count = last - taps.first + 1;
    if (!normalized) return taps;
    float sum = 0;
    for (Index t = 0; t < taps.count; ++t) sum += taps.weight(problem, t);
    taps.sum = sum;
    return taps;
  }
  /// The weight of a tap.
  [[nodiscard]] ASSAY_FUNCTION float weight(const ResizeProblem& problem, Index tap) const {
    if (problem.mode == ResizeMode::nearest) return 1;
    const float distance = std::fabs(static_cast<float>(first + tap) - coordinate) / stretch;
    if (problem.mode == ResizeMode::cubic) return cubic(distance, static_cast<float>(problem.cubic_coefficient)) / sum;
    return (distance < 1 ? 1 - distance : 0) / sum;
  }
  /// The position in the input that a tap reads.
  [[nodiscard]] ASSAY_FUNCTION Index position(Index tap, Index extent) const {
    const Index at = first + tap;
    return at < 0 ? 0 : at < extent ? at : extent - 1;
  }
};

/// One channel of one image: outputs are gathered, or gradients scattered into sums in single precision.
struct PortableResize {
  ResizeProblem problem;
  Operand from, to;
  float* sums = nullptr;  ///< backward: one for every element written

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index image = static_cast<Index>(index) / problem.channels,
                channel = static_cast<Index>(index) % problem.channels;
    if (problem.backward)
      for (Index place = 0; place < plane(true); ++place) sums[element(image, channel, place, true)] = 0;
    for (Index a = 0; a < problem.output[0]; ++a)
      for (Index b = 0; b < problem.output[1]; ++b)
        for (Index c = 0; c < problem.output[2]; ++c) {
          const Index own =
              element(image, channel, (a * problem.output[1] + b) * problem.output[2] + c, !problem.backward);
          const PortableResizeTaps i = PortableResizeTaps::of(problem, 0, a), j = PortableResizeTaps::of(problem, 1, b),
                                   k = PortableResizeTaps::of(problem, 2, c);
          float sum = 0;
          for (Index p = 0; p < i.count; ++p)
            for (Index q = 0; q < j.count; ++q)
              for (Index r = 0; r < k.count; ++r) {
                const float weight = (dimension(0) ? i.weight(problem, p) : 1) *
                                     (dimension(1) ? j.weight(problem, q) : 1) *
                                     (dimension(2) ? k.weight(problem, r) : 1);
                const Index place =
                    (i.position(p, problem.input[0]) * problem.input[1] + j.position(q, problem.input[1])) *
                        problem.input[2] +
                    k.position(r, problem.input[2]);
                const Index other = element(image, channel, place, problem.backward);
                if (weight == 0) continue;
                if (problem.backward)
                  sums[other] += weight * static_cast<float>(from.load(own));
                else
                  sum += weight * static_cast<float>(from.load(other));
              }
          if (!problem.backward) to.store(own, sum);
        }
    if (problem.backward)
      for (Index place = 0; place < plane(true); ++place)
        to.store(element(image, channel, place, true), sums[element(image, channel, place, true)]);
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION bool dimension(int d) const { return d < problem.dimensions; }
  [[nodiscard]] ASSAY_FUNCTION Index plane(bool written) const {
    return written ? problem.written(0) * problem.written(1) * problem.written(2)
                   : problem.read(0) * problem.read(1) * problem.read(2);
  }
  [[nodiscard]] ASSAY_FUNCTION Index element(Index image, Index channel, Index place, bool written) const {
    return problem.channels_last ? (image * plane(written) + place) * problem.channels + channel
                                 : (image * problem.channels + channel) * plane(written) + place;
  }
};

/// A resize for any parallel backend and format, written to be read. It is validated like everybody else's.
template <ParallelBackend B>
[[nodiscard]] Result<void> portable_resize(B& backend, typename B::Stream& stream, const ResizeProblem& problem,
                                           const OperandArray& operands) {
  if (problem.coordinate_unit < 0x1p-24)
    return failure(ErrorKind::unsupported,
                   "the portable resize computes coordinates in single precision; coordinate_unit promises better");
  PortableResize work{problem, operands[0], operands[1], nullptr};
  if (!problem.backward)
    return backend.parallel_for(stream, static_cast<std::size_t>(problem.batch * problem.channels), work);
  auto sums = backend.template allocate<float>(static_cast<std::size_t>(operands[1].size()) + 1);
  if (!sums) return sums.propagate();
  work.sums = sums.value().data();
  if (auto run = backend.parallel_for(stream, static_cast<std::size_t>(problem.batch * problem.channels), work); !run)
    return run;
  return backend.synchronize(stream);
}

}  // namespace assay::inline v0
