#pragma once

#include <cstddef>
#include <utility>

#include "assay/backends/parallel_backend.hpp"
#include "assay/kernels/convolution/detail/padded_images.hpp"
#include "assay/kernels/convolution/detail/place_results.hpp"
#include "assay/kernels/convolution/detail/reserve.hpp"
#include "assay/kernels/convolution/finish.hpp"
#include "assay/kernels/gemm/reference.hpp"
#if ASSAY_DETAIL_VECTOR_VARIANTS
#include "assay/kernels/convolution/detail/row_products.hpp"
#endif

namespace assay::inline v0::detail {

/// References of a convolution on a backend that runs in threads of this process: images are gathered into the columns
/// of matrices, a few lines at a time, and multiplied as references of GEMMs are, or read as they are by groups of few
/// channels. At most 4 MiB of columns and one image, in single precision, at once.
template <ParallelBackend B>
class HostConvolution {
  using Op = Gemm<float32, float32, float32, float32>;
  using Floats = typename B::template Buffer<float>;
  using Doubles = typename B::template Buffer<double>;
  using Indices = typename B::template Buffer<Index>;
  using Marks = typename B::template Buffer<unsigned char>;

 public:
  HostConvolution(B& backend, typename B::Stream& stream, const ConvolutionFinish& finish)
      : backend_(backend), stream_(stream), finish_(finish), geometry_(finish.terms.geometry) {
    sums_.growth = 1;  // E is then S itself
    sums_.accumulator_max = 0x1p1000;
  }

  [[nodiscard]] Result<void> run(double* value, double* error) {
    if (geometry_.results() == 0) return {};
    return geometry_.product == ConvolutionProduct::weights ? weights(value, error) : images(value, error);
  }
  /// After `run`: whether errors are upper bounds of E, of scales that are at most `tolerated_looseness` times too
  /// large.
  [[nodiscard]] bool bounded() const { return bounded_ && finish_.norms == nullptr; }

 private:
  static constexpr Index column_budget = (Index{4} << 20) / static_cast<Index>(sizeof(float));

  [[nodiscard]] GemmReferenceOptions options() const {
    const double products = static_cast<double>(geometry_.results()) * static_cast<double>(geometry_.terms());
    GemmReferenceOptions options;
    options.scales = products < bounded_products ? GemmScales::exact : GemmScales::bounded;
    return options;
  }
  /// Lines of the results whose columns fit the budget.
  [[nodiscard]] static Index lines_at_once(const ConvolutionClass& of, Index rows) {
    const Index line = rows * of.count[2], fitting = line > 0 ? column_budget / line : of.lines();
    return fitting < 1 ? 1 : fitting < of.lines() ? fitting : of.lines();
  }

  [[nodiscard]] Result<void> images(double* value, double* error) {
    const bool to_fine = geometry_.product == ConvolutionProduct::fine;
    const Index summed = to_fine ? geometry_.coarse_channels : geometry_.fine_channels,
                own = to_fine ? geometry_.fine_channels : geometry_.coarse_channels, groups = geometry_.groups;
    const ConvolutionTensor& source = to_fine ? finish_.terms.coarse : finish_.terms.fine;
    const Index* extents = to_fine ? geometry_.coarse : geometry_.fine;
    auto image = backend_.template allocate<float>(
        own <= 4 ? 0 : static_cast<std::size_t>(groups * summed * extents[0] * extents[1] * extents[2]));
    if (!image) return image.propagate();
    auto matrix = backend_.template allocate<float>(static_cast<std::size_t>(groups * own * summed * geometry_.taps()));
    if (!matrix) return matrix.propagate();
    Index classes = 1;
    for (int d = 0; to_fine && d < 3; ++d)
      classes *= geometry_.stride[d] < geometry_.fine[d] ? geometry_.stride[d] : geometry_.fine[d];
    auto lists = backend_.template allocate<Index>(static_cast<std::size_t>(geometry_.taps() * 4));
    if (!lists) return lists.propagate();
    if (auto marked = mark_weights(groups * own); !marked) return marked;
    for (Index number = 0; number < classes; ++number) {
      Index remainder[3] = {0, 0, 0}, rest = number;
      for (int d = 2; to_fine && d >= 0; --d) {
        const Index remainders = geometry_.stride[d] < geometry_.fine[d] ? geometry_.stride[d] : geometry_.fine[d];
        remainder[d] = rest % remainders;
        rest /= remainders;
      }
      const ConvolutionClass of =
          ConvolutionClass::of(geometry_, remainder, lists.value().data(), lists.value().data() + geometry_.taps() * 3);
      if (auto gathered =
              backend_.parallel_for(stream_, static_cast<std::size_t>(groups * own),
                                    GatherWeights{finish_.terms.weights, geometry_, of, matrix.value().data()});
          !gathered)
        return gathered;
      if (own <= 4) {
        if (auto done =
                few(of, {extents[0], extents[1], extents[2]}, source, summed, own, matrix.value().data(), value, error);
            !done)
          return done;
        continue;
      }
      for (Index n = 0; n < geometry_.batch; ++n) {
        const UnpackImage unpack{source, n, {extents[0], extents[1], extents[2]}, image.value().data()};
        if (auto unpacked = backend_.parallel_for(stream_, static_cast<std::size_t>(groups * summed), unpack);
            !unpacked)
          return unpacked;
        if (auto done = class_of_image(of, n, {extents[0], extents[1], extents[2]}, summed, own, image.value().data(),
                                       matrix.value().data(), value, error);
            !done)
          return done;
      }
    }
    return backend_.synchronize(stream_);
  }

  /// Marks weights where a stride leaves some out.
  [[nodiscard]] Result<void> mark_weights(Index rows) {
    bool strided = false;
    for (const Index stride : geometry_.stride) strided = strided || stride > 1;
    if (!strided || geometry_.product != ConvolutionProduct::fine) return {};
    const Index count = rows * geometry_.taps();
    if (auto room = reserve(backend_, marks_, count); !room) return room;
    if (auto marked = backend_.parallel_for(stream_, static_cast<std::size_t>(rows),
                                            MarkWeights{finish_.terms.weights, geometry_, marks_.data()});
        !marked)
      return marked;
    if (auto done = backend_.synchronize(stream_); !done) return done;
    for (Index i = 0; i < count; ++i) any_marked_ = any_marked_ || marks_.data()[i] != 0;
    return {};
  }
  [[nodiscard]] const unsigned char* marks() const { return any_marked_ ? marks_.data() : nullptr; }

  [[nodiscard]] Result<void> few(const ConvolutionClass& of, const Index (&extents)[3], const ConvolutionTensor& source,
                                 Index summed, Index own, const float* matrix, double* value, double* error) {
    if (of.lines() * of.count[2] == 0) return {};
    const PaddedLayout layout = PaddedLayout::over(of, extents);
    const Index groups = geometry_.groups, depth = summed * of.taps;
    auto terms = backend_.template allocate<Index>(static_cast<std::size_t>(depth));
    if (!terms) return terms.propagate();
    for (Index term = 0; term < depth; ++term)
      terms.value().data()[term] = term / of.taps * layout.places() + layout.place_of_tap(term % of.taps);
    if (auto room = reserve(backend_, columns_, groups * summed * layout.places()); !room) return room;
    for (Index n = 0; n < geometry_.batch; ++n) {
      if (auto unpacked = backend_.parallel_for(stream_, static_cast<std::size_t>(groups * summed),
                                                UnpackPadded{source, layout, n, groups * summed, columns_.data()});
          !unpacked)
        return unpacked;
      const PlaceResults place{finish_, of, n, 0, of.lines(), nullptr, nullptr, value, error, marks()};
      const MultiplyFew multiply{place, layout, columns_.data(),         matrix, terms.value().data(),
                                 own,   depth,  summed * layout.places()};
      if (auto done = backend_.parallel_for(stream_, static_cast<std::size_t>(groups * own), multiply); !done)
        return done;
    }
    return backend_.synchronize(stream_);
  }

  [[nodiscard]] Result<void> class_of_image(const ConvolutionClass& of, Index n, const Index (&extents)[3],
                                            Index summed, Index own, const float* image, const float* matrix,
                                            double* value, double* error) {
    const Index groups = geometry_.groups, depth = summed * of.taps, at_once = lines_at_once(of, groups * depth);
    if (of.lines() * of.count[2] == 0) return {};
    if (auto room = reserve(backend_, columns_, groups * depth * at_once * of.count[2]); !room) return room;
    for (Index line = 0; line < of.lines(); line += at_once) {
      const Index lines = of.lines() - line < at_once ? of.lines() - line : at_once, width = lines * of.count[2];
      const GatherColumns gather{image, {extents[0], extents[1], extents[2]}, of, line, lines, columns_.data()};
      if (auto gathered = backend_.parallel_for(stream_, static_cast<std::size_t>(groups * depth), gather); !gathered)
        return gathered;
      const Op::Arguments product{{matrix, {groups, own, depth}, {own * depth, depth, 1}},
                                  {columns_.data(), {groups, depth, width}, {depth * width, width, 1}},
                                  {nullptr, {groups, own, width}, {own * width, width, 1}}};
      auto sums = multiply(product);
      if (!sums) return sums.propagate();
      const PlaceResults place{
          finish_, of, n, line, lines, sums.value().value.data(), sums.value().error.data(), value, error, marks()};
      if (auto placed = backend_.parallel_for(stream_, static_cast<std::size_t>(groups * own), place); !placed)
        return placed;
      if (auto done = backend_.synchronize(stream_); !done) return done;
    }
    return {};
  }

  [[nodiscard]] Result<void> weights(double* value, double* error) {
    const Index groups = geometry_.groups, fine_channels = geometry_.fine_channels,
                coarse_channels = geometry_.coarse_channels, rows = fine_channels * geometry_.taps();
    const Index positions = geometry_.coarse_positions(), results = geometry_.results();
    auto fine = backend_.template allocate<float>(
        static_cast<std::size_t>(groups * fine_channels * geometry_.fine_positions()));
    if (!fine) return fine.propagate();
    auto coarse = backend_.template allocate<float>(static_cast<std::size_t>(groups * coarse_channels * positions));
    if (!coarse) return coarse.propagate();
    auto lists = backend_.template allocate<Index>(static_cast<std::size_t>(geometry_.taps() * 4));
    if (!lists) return lists.propagate();
    auto sums = backend_.template allocate<double>(static_cast<std::size_t>(2 * results));
    if (!sums) return sums.propagate();
    double* products = sums.value().data();
    double* magnitudes = products + results;
    for (Index i = 0; i < 2 * results; ++i) products[i] = 0;
    const ConvolutionClass of =
        ConvolutionClass::of(geometry_, {0, 0, 0}, lists.value().data(), lists.value().data() + geometry_.taps() * 3);
    const Index at_once = lines_at_once(of, groups * rows);
    if (auto room = reserve(backend_, columns_, groups * rows * at_once * of.count[2]); !room) return room;
    for (Index n = 0; n < geometry_.batch; ++n) {
      const UnpackImage unpack_fine{
          finish_.terms.fine, n, {geometry_.fine[0], geometry_.fine[1], geometry_.fine[2]}, fine.value().data()};
      if (auto unpacked = backend_.parallel_for(stream_, static_cast<std::size_t>(groups * fine_channels), unpack_fine);
          !unpacked)
        return unpacked;
      const UnpackImage unpack_coarse{finish_.terms.coarse,
                                      n,
                                      {geometry_.coarse[0], geometry_.coarse[1], geometry_.coarse[2]},
                                      coarse.value().data()};
      if (auto unpacked =
              backend_.parallel_for(stream_, static_cast<std::size_t>(groups * coarse_channels), unpack_coarse);
          !unpacked)
        return unpacked;
      for (Index line = 0; line < of.lines(); line += at_once) {
        const Index lines = of.lines() - line < at_once ? of.lines() - line : at_once, width = lines * of.count[2];
        const GatherColumns gather{
            fine.value().data(), {geometry_.fine[0], geometry_.fine[1], geometry_.fine[2]}, of, line, lines,
            columns_.data()};
        if (auto gathered = backend_.parallel_for(stream_, static_cast<std::size_t>(groups * rows), gather); !gathered)
          return gathered;
        const Op::Arguments product{{coarse.value().data() + line * of.count[2],
                                     {groups, coarse_channels, width},
                                     {coarse_channels * positions, positions, 1}},
                                    {columns_.data(), {groups, width, rows}, {rows * width, 1, width}},
                                    {nullptr, {groups, coarse_channels, rows}, {coarse_channels * rows, rows, 1}}};
        auto part = multiply(product);
        if (!part) return part.propagate();
        if (auto added = backend_.parallel_for(stream_, AddSums::chunks(results),
                                               AddSums{part.value().value.data(), products, results});
            !added)
          return added;
        if (auto added = backend_.parallel_for(stream_, AddSums::chunks(results),
                                               AddSums{part.value().error.data(), magnitudes, results});
            !added)
          return added;
        if (auto done = backend_.synchronize(stream_); !done) return done;
      }
    }
    if (auto placed = backend_.parallel_for(stream_, static_cast<std::size_t>(results),
                                            PlaceWeights{finish_, products, magnitudes, value, error});
        !placed)
      return placed;
    return backend_.synchronize(stream_);
  }

  [[nodiscard]] Result<GemmReference<Op, B>> multiply(const Op::Arguments& arguments) {
    GemmProblem problem;
    problem.batch = arguments.c.extents[0];
    problem.m = arguments.c.extents[1];
    problem.n = arguments.c.extents[2];
    problem.k = arguments.a.extents[2];
    auto sums = gemm_reference<Op>(backend_, stream_, problem, arguments, sums_, options());
    if (sums && !sums.value().exact_scales) bounded_ = true;
    return sums;
  }

  B& backend_;
  typename B::Stream& stream_;
  ConvolutionFinish finish_;
  ConvolutionGeometry geometry_;
  GemmBound sums_;
  Floats columns_{};
  Marks marks_{};
  bool bounded_ = false, any_marked_ = false;
};

}  // namespace assay::inline v0::detail
