#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "assay/backends/wait_at_end.hpp"
#include "assay/core/outcome.hpp"
#include "assay/formats/small_formats.hpp"
#include "assay/kernels/quantize/quantize.hpp"
#include "assay/tensor/tensor.hpp"

namespace assay::inline v0::detail {

/// A byte of a guarded allocation: any format of 8 bits without infinities serves, whose poison is a fixed pattern.
using GuardedByte = float8_e4m3fn;

struct MarkNone {
  std::uint8_t* marks;
  ASSAY_FUNCTION void operator()(std::size_t index) const { marks[index] = 0; }
};
/// Marks the bytes that belong to codes, or to scales.
struct MarkCodes {
  std::uint8_t* marks;
  Index row_bytes, stride;

  ASSAY_FUNCTION void operator()(std::size_t row) const {
    for (Index i = 0; i < row_bytes; ++i) marks[static_cast<Index>(row) * stride + i] = 1;
  }
};
struct MarkScales {
  std::uint8_t* marks;
  ScaleLayout table;
  Index bytes;  ///< of a scale

  ASSAY_FUNCTION void operator()(std::size_t row) const {
    for (Index column = 0; column < table.padded_columns(); ++column)
      for (Index i = 0; i < bytes; ++i) marks[table.offset(static_cast<Index>(row), column) * bytes + i] = 1;
  }
};

/// Bytes that were not written though they should have been, and bytes between them that were.
struct ByteTally {
  std::uint64_t unwritten = 0;
  std::uint64_t overwritten = 0;
  ASSAY_FUNCTION void join(const ByteTally& other) {
    unwritten += other.unwritten;
    overwritten += other.overwritten;
  }
};

/// A byte that shows the poison after each of two runs with different poisons was not written.
struct CountBytes {
  static constexpr Index chunk = 4096;
  const std::uint8_t *first, *second, *marks;
  Index count;
  std::uint8_t first_poison, second_poison;

  ASSAY_FUNCTION void operator()(std::size_t index, ByteTally& tally) const {
    const Index start = static_cast<Index>(index) * chunk;
    for (Index i = start; i < start + chunk && i < count; ++i) {
      const bool poisoned = first[i] == first_poison && second[i] == second_poison;
      if (marks[i] != 0)
        tally.unwritten += poisoned ? 1 : 0;
      else
        tally.overwritten += poisoned ? 0 : 1;
    }
  }
};

/// An array of bytes that a kernel writes: one allocation, guarded, for each of two runs, and which of its bytes are
/// due.
template <ParallelBackend W>
struct GuardedBytes {
  using Bytes = Tensor<GuardedByte, W>;
  Bytes first, second, marks;

  [[nodiscard]] static Result<GuardedBytes> create(W& worker, typename W::Stream& stream, Index bytes) {
    auto first = Bytes::create(worker, stream, bytes, 0, Guard::output);
    if (!first) return first.propagate();
    auto second = Bytes::create(worker, stream, bytes, 0, Guard::output);
    if (!second) return second.propagate();
    auto marks = Bytes::create(worker, stream, bytes, 0, Guard::output);
    if (!marks) return marks.propagate();
    GuardedBytes made{std::move(first).value(), std::move(second).value(), std::move(marks).value()};
    WaitAtEnd work_on_them(worker, stream);
    if (auto poisoned = made.second.poison(worker, stream, 1); !poisoned) return poisoned.propagate();
    if (auto cleared = worker.parallel_for(stream, static_cast<std::size_t>(bytes), MarkNone{bytes_of(made.marks)});
        !cleared)
      return cleared.propagate();
    if (auto done = work_on_them.wait(); !done) return done.propagate();
    return Result<GuardedBytes>(std::move(made));
  }
  [[nodiscard]] static std::uint8_t* bytes_of(Bytes& tensor) { return reinterpret_cast<std::uint8_t*>(tensor.data()); }

  [[nodiscard]] Result<ByteTally> count(W& worker, typename W::Stream& stream) {
    const CountBytes work{bytes_of(first),
                          bytes_of(second),
                          bytes_of(marks),
                          first.size(),
                          poison_bits<GuardedByte>(0),
                          poison_bits<GuardedByte>(1)};
    return parallel_reduce<ByteTally>(worker, stream,
                                      static_cast<std::size_t>((first.size() + work.chunk - 1) / work.chunk), work);
  }
};

}  // namespace assay::inline v0::detail
