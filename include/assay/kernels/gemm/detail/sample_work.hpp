#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/formats/classify.hpp"
#include "assay/formats/double_double.hpp"
#include "assay/kernels/gemm/gemm.hpp"

namespace assay::inline v0 {

/// An element of the output of a GEMM.
struct GemmPosition {
  Index batch = 0, row = 0, column = 0;

  friend constexpr bool operator==(const GemmPosition&, const GemmPosition&) = default;
  friend constexpr auto operator<=>(const GemmPosition&, const GemmPosition&) = default;
};

namespace detail {

/// Σ a·b, what it lost, and Σ |a·b|.
struct SampleSums {
  double high = 0, low = 0, size = 0;

  ASSAY_FUNCTION void add(const DoubleDouble& exact, double magnitude) {
    const DoubleDouble sum = two_sum(high, exact.high);
    high = sum.high;
    low += sum.low + exact.low;
    size += magnitude;
  }
};

/// Fetches the output and the old C of one position, and computes its exact Σ a·b and Σ |a·b|.
template <class Op>
struct SampleElement {
  typename Op::Arguments arguments;
  StridedView<const typename Op::FormatC, 3> before;  ///< null where β = 0
  const GemmPosition* positions;
  typename Op::FormatC* actual;
  typename Op::FormatC* initial;
  double* product;
  double* residual;
  double* magnitude;

  ASSAY_FUNCTION void operator()(std::size_t index) const { write(index, sums(index, 0, 1)); }

  /// Of every `step`th term.
  [[nodiscard]] ASSAY_FUNCTION SampleSums sums(std::size_t index, Index first, Index step) const {
    const auto& [a, b, c] = arguments;
    const GemmPosition at = positions[index];
    const Index terms = a.extents[2], stride_a = a.strides[2], stride_b = b.strides[1];
    const Index left = at.batch * a.strides[0] + at.row * a.strides[1],
                right = at.batch * b.strides[0] + at.column * b.strides[2];
    SampleSums sums;
    for (Index k = first; k < terms; k += step) {
      const DoubleDouble exact = two_product(decode(a.data[left + k * stride_a]), decode(b.data[right + k * stride_b]));
      sums.add(exact, exact.high < 0 ? -exact.high : exact.high);
    }
    return sums;
  }
  ASSAY_FUNCTION void write(std::size_t index, const SampleSums& sums) const {
    const GemmPosition at = positions[index];
    actual[index] = arguments.c(at.batch, at.row, at.column);
    if (before.data != nullptr) initial[index] = before(at.batch, at.row, at.column);
    product[index] = sums.high;
    residual[index] = sums.low;
    magnitude[index] = sums.size;
  }
};

/// The same on a device: the threads of a block share the terms of one element.
template <class Op>
struct SampleBlock {
  static constexpr int threads = 64;
  struct Shared {};
  SampleElement<Op> element;

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    typename Block::template PerThread<SampleSums> sums;
    block.each([&](int thread) { sums[thread] = element.sums(block.index(), thread, threads); });
    const SampleSums total = block.reduce(sums, [&](SampleSums one, const SampleSums& other) {
      one.add({other.high, other.low}, other.size);
      return one;
    });
    block.each([&](int thread) {
      if (thread == 0) element.write(block.index(), total);
    });
  }
};

/// NaN and infinities of one line of an output: how many, the first and the last.
struct LineScan {
  std::uint64_t count = 0;
  Index first = -1, last = -1;

  ASSAY_FUNCTION void add(Index position) {
    if (first < 0 || position < first) first = position;
    if (position > last) last = position;
    ++count;
  }
};

/// Scans one line (a row, or a column where columns are contiguous) of one matrix of the batch.
template <Format T>
struct ScanLine {
  StridedView<const T, 3> matrix;  ///< (batch, line, position)

  ASSAY_FUNCTION void operator()(std::size_t index, LineScan& scan) const {
    const Index batch = static_cast<Index>(index) / matrix.extents[1],
                line = static_cast<Index>(index) % matrix.extents[1];
    const T* element = matrix.data + batch * matrix.strides[0] + line * matrix.strides[1];
    for (Index position = 0; position < matrix.extents[2]; ++position, element += matrix.strides[2])
      if (!is_finite(*element)) scan.add(position);
  }
};

/// The same on a device: the threads of a block read a line side by side, 16 bytes at once where lines are contiguous
/// and aligned.
template <Format T>
struct ScanBlock {
  static constexpr int threads = 128;
  static constexpr Index length = 16 / static_cast<Index>(sizeof(T));
  struct Shared {};
  struct alignas(16) Chunk {
    T elements[length];
  };

  StridedView<const T, 3> matrix;  ///< (batch, line, position)
  bool aligned;
  LineScan* scans;

  [[nodiscard]] static ScanBlock of(const StridedView<const T, 3>& matrix, LineScan* scans) {
    return {matrix,
            matrix.strides[2] == 1 && matrix.strides[1] % length == 0 && matrix.strides[0] % length == 0 &&
                reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0,
            scans};
  }

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    const Index index = static_cast<Index>(block.index()), batch = index / matrix.extents[1],
                line = index % matrix.extents[1];
    const T* const start = matrix.data + batch * matrix.strides[0] + line * matrix.strides[1];
    const Index positions = matrix.extents[2], in_chunks = aligned ? positions / length * length : 0;
    typename Block::template PerThread<LineScan> found;
    block.each([&](int thread) {
      LineScan& scan = found[thread];
      for (Index position = thread * length; position < in_chunks; position += threads * length) {
        const Chunk chunk = *reinterpret_cast<const Chunk*>(start + position);
        for (Index e = 0; e < length; ++e)
          if (!is_finite(chunk.elements[e])) scan.add(position + e);
      }
      for (Index position = in_chunks + thread; position < positions; position += threads)
        if (!is_finite(start[position * matrix.strides[2]])) scan.add(position);
    });
    const LineScan total = block.reduce(found, [&](const LineScan& one, const LineScan& other) {
      const bool only_other = one.first < 0 || (other.first >= 0 && other.first < one.first);
      return LineScan{one.count + other.count, only_other ? other.first : one.first,
                      one.last > other.last ? one.last : other.last};
    });
    block.each([&](int thread) {
      if (thread == 0) scans[index] = total;
    });
  }
};

}  // namespace detail
}  // namespace assay::inline v0
