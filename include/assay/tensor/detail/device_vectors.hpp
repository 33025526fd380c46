#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "assay/backends/block_backend.hpp"
#include "assay/backends/wait_at_end.hpp"
#include "assay/formats/format_traits.hpp"
#include "assay/tensor/strided_view.hpp"

namespace assay::inline v0::detail {

/// 16 bytes, stored at once.
struct alignas(16) FourWords {
  std::uint32_t words[4] = {};
};

/// Elements of `Bytes` as the places of a 16-byte vector.
template <std::size_t Bytes>
ASSAY_FUNCTION void put_in(FourWords& vector, std::size_t place, std::uint64_t code) {
  if constexpr (Bytes == 8) {
    vector.words[2 * place] = static_cast<std::uint32_t>(code);
    vector.words[2 * place + 1] = static_cast<std::uint32_t>(code >> 32);
  } else {
    constexpr std::size_t of_word = 4 / Bytes;
    vector.words[place / of_word] |= static_cast<std::uint32_t>(code) << (8 * Bytes * (place % of_word));
  }
}

/// An array as vectors of 16 bytes that begin at multiples of 16: the first and the last may hold fewer elements of it.
template <class T>
struct AlignedVectors {
  static_assert(16 % sizeof(T) == 0);
  static constexpr std::size_t width = 16 / sizeof(T);

  T* data;
  std::size_t count;
  std::size_t skipped;  ///< elements of the first vector that are none of the array

  /// `data` is aligned to its elements.
  [[nodiscard]] static AlignedVectors of(T* data, std::size_t count) {
    return {data, count, reinterpret_cast<std::uintptr_t>(data) % 16 / sizeof(T)};
  }
  [[nodiscard]] ASSAY_FUNCTION std::size_t vectors() const {
    return count == 0 ? 0 : (skipped + count + width - 1) / width;
  }
  /// The elements [first, last) of the array that a vector holds.
  ASSAY_FUNCTION void range(std::size_t vector, std::size_t& first, std::size_t& last) const {
    const std::size_t begin = vector * width, end = begin + width;
    first = begin > skipped ? begin - skipped : 0;
    last = end - skipped < count ? end - skipped : count;
  }
};

/// Writes one code into all elements of an array.
template <class T>
struct WriteVectors {
  AlignedVectors<T> array;
  T value;
  FourWords whole;

  [[nodiscard]] static WriteVectors of(T* data, std::size_t count, std::uint64_t code, T value) {
    WriteVectors work{AlignedVectors<T>::of(data, count), value, {}};
    for (std::size_t i = 0; i < AlignedVectors<T>::width; ++i) put_in<sizeof(T)>(work.whole, i, code);
    return work;
  }
  ASSAY_FUNCTION void operator()(std::size_t vector) const {
    std::size_t first = 0, last = 0;
    array.range(vector, first, last);
    if (last - first == array.width) {
      *reinterpret_cast<FourWords*>(array.data + first) = whole;
    } else {
      for (std::size_t i = first; i < last; ++i) array.data[i] = value;
    }
  }
};

/// Fills a view with a pattern, a vector of 16 bytes of a row at once where its columns follow each other and it is
/// aligned.
template <Format T, class Pattern>
struct FillVectors {
  static constexpr Index width = sizeof(T) <= 16 ? static_cast<Index>(16 / sizeof(T)) : 1;
  StridedView<T, 3> view;
  Pattern pattern;
  bool lanes_along_columns;

  [[nodiscard]] ASSAY_FUNCTION Index of_row() const { return (view.extents[2] + width - 1) / width; }
  [[nodiscard]] std::size_t vectors() const {
    return static_cast<std::size_t>(view.extents[0] * view.extents[1] * of_row());
  }

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const Index rows = view.extents[1], columns = view.extents[2];
    const auto place = static_cast<Index>(index);
    const Index line = place / of_row(), first = (place - line * of_row()) * width, slice = line / rows,
                row = line - slice * rows;
    T* const start = view.data + slice * view.strides[0] + row * view.strides[1] + first * view.strides[2];
    if (view.strides[2] == 1 && first + width <= columns && reinterpret_cast<std::uintptr_t>(start) % 16 == 0) {
      FourWords vector;
      for (Index i = 0; i < width; ++i)
        put_in<sizeof(T)>(vector, static_cast<std::size_t>(i),
                          static_cast<std::uint64_t>(FormatTraits<T>::to_bits(value_at(slice, row, first + i))));
      *reinterpret_cast<FourWords*>(start) = vector;
    } else {
      for (Index i = 0; i < width && first + i < columns; ++i)
        start[i * view.strides[2]] = value_at(slice, row, first + i);
    }
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION T value_at(Index slice, Index row, Index column) const {
    const Index rows = view.extents[1], columns = view.extents[2];
    return encode<T>(lanes_along_columns ? pattern(slice * columns + column, row)
                                         : pattern(slice * rows + row, column));
  }
};

/// A block's share of Σ work(i), which is exact and so the same in any order.
template <class Work>
struct SumWords {
  static constexpr int threads = 256;
  static constexpr std::size_t most_blocks = 1024;
  struct Shared {};
  struct Add {
    ASSAY_FUNCTION std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
  };

  Work work;
  std::size_t count, blocks;
  std::uint64_t* sums;

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    typename Block::template PerThread<std::uint64_t> own;
    block.each([&](int thread) {
      std::uint64_t sum = 0;
      for (std::size_t i = block.index() * threads + static_cast<std::size_t>(thread); i < count; i += blocks * threads)
        sum += work(i);
      own[thread] = sum;
    });
    const std::uint64_t sum = block.reduce(own, Add{});
    block.each([&](int thread) {
      if (thread == 0) sums[block.index()] = sum;
    });
  }
};

/// Σ work(i), i < count, modulo 2⁶⁴, by blocks of threads whose neighbors take neighboring i. At most 8 KiB travel.
/// Synchronizes the stream.
template <BlockBackend B, class Work>
[[nodiscard]] Result<std::uint64_t> sum_in_blocks(B& backend, typename B::Stream& stream, std::size_t count,
                                                  const Work& work) {
  using Sum = SumWords<Work>;
  if (count == 0) return std::uint64_t{0};
  const std::size_t wished = (count + Sum::threads - 1) / Sum::threads,
                    blocks = wished < Sum::most_blocks ? wished : Sum::most_blocks;
  auto sums = backend.template allocate<std::uint64_t>(blocks);
  if (!sums) return sums.propagate();
  std::vector<std::uint64_t> on_host(blocks);
  WaitAtEnd work_on_them(backend, stream);
  if (auto run = backend.parallel_blocks(stream, blocks, Sum{work, count, blocks, sums.value().data()}); !run)
    return run.propagate();
  if (auto copied = backend.copy_to_host(stream, on_host.data(), sums.value().data(), blocks); !copied)
    return copied.propagate();
  if (auto done = work_on_them.wait(); !done) return done.propagate();
  std::uint64_t total = 0;
  for (const std::uint64_t sum : on_host) total += sum;
  return total;
}

/// Σ over the elements of an array of `Each{}(element, position)`, a vector of 16 bytes at once.
template <class T, class Each>
struct SumOfVector {
  AlignedVectors<const T> array;
  Each each;

  ASSAY_FUNCTION std::uint64_t operator()(std::size_t vector) const {
    std::size_t first = 0, last = 0;
    array.range(vector, first, last);
    std::uint64_t sum = 0;
    if (last - first == array.width) {
      const FourWords whole = *reinterpret_cast<const FourWords*>(array.data + first);
      for (std::size_t i = 0; i < array.width; ++i) sum += each(code_in(whole, i), first + i);
    } else {
      for (std::size_t i = first; i < last; ++i)
        sum += each(static_cast<std::uint64_t>(FormatTraits<T>::to_bits(array.data[i])), i);
    }
    return sum;
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION static std::uint64_t code_in(const FourWords& vector, std::size_t i) {
    if constexpr (sizeof(T) == 8) {
      return vector.words[2 * i] | static_cast<std::uint64_t>(vector.words[2 * i + 1]) << 32;
    } else {
      constexpr std::size_t of_word = 4 / sizeof(T);
      constexpr std::uint32_t mask =
          sizeof(T) == 4 ? ~std::uint32_t{0} : (std::uint32_t{1} << (8 * sizeof(T) % 32)) - 1;
      return vector.words[i / of_word] >> (8 * sizeof(T) * (i % of_word)) & mask;
    }
  }
};

}  // namespace assay::inline v0::detail
