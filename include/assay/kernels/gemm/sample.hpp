#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "assay/backends/block_backend.hpp"
#include "assay/backends/parallel_reduce.hpp"
#include "assay/kernels/gemm/bound.hpp"
#include "assay/kernels/gemm/detail/reference_work.hpp"
#include "assay/kernels/gemm/detail/sample_work.hpp"
#include "assay/tensor/random_bits.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0 {

/// Where an output is looked at: positions in ascending order, each once.
struct GemmSamplePlaces {
  std::vector<GemmPosition> positions;
  Index drawn = 0;  ///< of them at random, each element being equally likely; the others were chosen
};

/// How many elements a sample has unless told: m + n, so that it costs O((m + n)·k), but at least 64, or all.
[[nodiscard]] inline Index default_gemm_sample(const GemmProblem& problem) {
  return std::min(std::max(problem.m + problem.n, Index{64}), problem.batch * problem.m * problem.n);
}

/// `count` elements: the four corners of the first, the last and a random matrix; the first and last element of as many
/// matrices as take a quarter; crossings of tile edges in the three matrices up to half; the rest at random.
/// The same for the same seed. Precondition: a problem that `lay_out` accepts.
[[nodiscard]] GemmSamplePlaces gemm_sample_places(const GemmProblem& problem, Index count, std::uint64_t seed);

/// Some elements of an output, and what is expected of them, on a backend.
template <class Op, Backend B>
struct GemmSample {
  typename B::template Buffer<typename Op::FormatC> actual;  ///< what the kernel stored for the sampled elements
  typename B::template Buffer<double> value;                 ///< r of the sampled elements
  typename B::template Buffer<double> error;                 ///< E of the sampled elements
  Index size = 0;                                            ///< number of sampled elements

  /// For `compare`: what is expected of the element that stands in this row.
  struct Expected {
    const double* value;
    const double* error;

    ASSAY_FUNCTION ExpectedElement operator()(Index row, Index) const { return {value[row], error[row]}; }
  };
  /// What the comparison takes; valid as long as this lives.
  [[nodiscard]] Expected expected() { return {value.data(), error.data()}; }
  /// What the comparison takes: the sampled elements as a column.
  [[nodiscard]] StridedView<const typename Op::FormatC, 2> view() const { return {actual.data(), {size, 1}, {1, 1}}; }
};

/// The outputs at `positions`, with the exact sums (in double-double) and the bound of each as `gemm_reference` has
/// them. `arguments.c` is the kernel's output; `before` what C was, not read where β = 0. O(positions·k) time.
template <class Op, ParallelBackend B>
[[nodiscard]] Result<GemmSample<Op, B>> gemm_sample(B& backend, typename B::Stream& stream,
                                                    const typename Op::Arguments& arguments,
                                                    const StridedView<const typename Op::FormatC, 3>& before,
                                                    const std::vector<GemmPosition>& positions,
                                                    const GemmBound& bound) {
  using Output = typename Op::FormatC;
  const std::size_t count = positions.size();
  auto places = backend.template allocate<GemmPosition>(count);
  if (!places) return places.propagate();
  auto actual = backend.template allocate<Output>(count);
  if (!actual) return actual.propagate();
  auto initial = backend.template allocate<Output>(count);
  if (!initial) return initial.propagate();
  auto product = backend.template allocate<double>(count);
  if (!product) return product.propagate();
  auto residual = backend.template allocate<double>(count);
  if (!residual) return residual.propagate();
  auto magnitude = backend.template allocate<double>(count);
  if (!magnitude) return magnitude.propagate();
  const auto submit = [&]() -> Result<void> {
    if (count == 0) return {};
    if (auto copied = backend.copy_to_device(stream, places.value().data(), positions.data(), count); !copied)
      return copied;
    const detail::SampleElement<Op> work{arguments,
                                         before,
                                         places.value().data(),
                                         actual.value().data(),
                                         initial.value().data(),
                                         product.value().data(),
                                         residual.value().data(),
                                         magnitude.value().data()};
    const auto summed = [&]() -> Result<void> {
      if constexpr (BlockBackend<B> && !backend_runs_on_host<B>)
        return backend.parallel_blocks(stream, count, detail::SampleBlock<Op>{work});
      else
        return backend.parallel_for(stream, count, work);
    }();
    if (!summed) return summed;
    const Index size = static_cast<Index>(count);
    const detail::FinishReference<Output, true> finish{
        {product.value().data(), residual.value().data(), magnitude.value().data()},
        {initial.value().data(), {1, 1, size}, {size, size, 1}},
        bound};
    return backend.parallel_for(stream, count, finish);
  };
  const auto submitted = submit();
  const auto done =
      backend.synchronize(stream);  // also where something was refused: what was submitted before uses the memory
  if (!submitted) return submitted.propagate();
  if (!done) return done.propagate();
  return GemmSample<Op, B>{std::move(actual).value(), std::move(product).value(), std::move(magnitude).value(),
                           static_cast<Index>(count)};
}

namespace detail {

/// A scan of every line.
template <Format T, ParallelBackend B>
[[nodiscard]] Result<std::vector<LineScan>> scan_lines(B& backend, typename B::Stream& stream,
                                                       const StridedView<const T, 3>& lines) {
  const std::size_t count = static_cast<std::size_t>(lines.extents[0] * lines.extents[1]);
  if constexpr (BlockBackend<B> && !backend_runs_on_host<B>) {
    auto scans = backend.template allocate<LineScan>(count);
    if (!scans) return scans.propagate();
    std::vector<LineScan> on_host(count);
    const auto submit = [&]() -> Result<void> {
      if (auto scanned = backend.parallel_blocks(stream, count, ScanBlock<T>::of(lines, scans.value().data()));
          !scanned)
        return scanned;
      return backend.copy_to_host(stream, on_host.data(), scans.value().data(), count);
    };
    const auto submitted = submit();
    const auto done =
        backend.synchronize(stream);  // also where something was refused: what was submitted before uses the memory
    if (!submitted) return submitted.propagate();
    if (!done) return done.propagate();
    return on_host;
  } else {
    return parallel_partials<LineScan>(backend, stream, count, ScanLine<T>{lines});
  }
}

}  // namespace detail

/// The elements of an output that are NaN or infinite.
struct GemmNonfinite {
  std::uint64_t count = 0;              ///< NaN and infinities among the elements
  std::vector<GemmPosition> positions;  ///< the first and last of each row (or column, as stored), at most `limit`
};

/// Finds them in one pass along the memory.
template <Format T, ParallelBackend B>
[[nodiscard]] Result<GemmNonfinite> find_nonfinite(B& backend, typename B::Stream& stream,
                                                   const StridedView<const T, 3>& output, Index limit) {
  StridedView<const T, 3> lines = output;
  const bool by_columns = output.strides[2] != 1 && output.strides[1] == 1;
  if (by_columns) {
    std::swap(lines.extents[1], lines.extents[2]);
    std::swap(lines.strides[1], lines.strides[2]);
  }
  GemmNonfinite found;
  if (output.size() == 0) return found;
  const auto scans = detail::scan_lines(backend, stream, lines);
  if (!scans) return scans.propagate();
  for (std::size_t index = 0; index < scans.value().size(); ++index) {
    const detail::LineScan& scan = scans.value()[index];
    found.count += scan.count;
    const Index batch = static_cast<Index>(index) / lines.extents[1],
                line = static_cast<Index>(index) % lines.extents[1];
    const auto add = [&](Index position) {
      if (static_cast<Index>(found.positions.size()) < limit)
        found.positions.push_back(by_columns ? GemmPosition{batch, position, line}
                                             : GemmPosition{batch, line, position});
    };
    if (scan.count > 0) add(scan.first);
    if (scan.count > 1) add(scan.last);
  }
  return found;
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/kernels/gemm/sample.ipp"
#endif
