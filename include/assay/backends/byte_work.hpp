#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "assay/backends/block_backend.hpp"
#include "assay/backends/parallel_reduce.hpp"
#include "assay/backends/wait_at_end.hpp"

namespace assay::inline v0::detail {

/// Bytes written with one value, or with those of other memory.
struct WriteBytes {
  unsigned char* to;
  const unsigned char* from;  ///< null: `value` everywhere
  std::size_t bytes;
  std::size_t each;  ///< bytes of one index, a multiple of 8
  unsigned char value;

  ASSAY_FUNCTION void operator()(std::size_t index) const {
    const std::size_t begin = index * each, end = bytes - begin < each ? bytes : begin + each;
    const bool words = (reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from)) % 8 == 0;
    std::size_t at = begin;
    for (; words && at + 8 <= end; at += 8)
      *reinterpret_cast<std::uint64_t*>(to + at) = from != nullptr ? *reinterpret_cast<const std::uint64_t*>(from + at)
                                                                   : value * std::uint64_t{0x0101010101010101};
    for (; at < end; ++at) to[at] = from != nullptr ? from[at] : value;
  }
};

template <ParallelBackend B>
[[nodiscard]] Result<void> write_bytes(B& backend, typename B::Stream& stream, void* to, const void* from,
                                       std::size_t bytes, unsigned char value) {
  const std::size_t each = backend_runs_on_host<B> ? 4096 : 8;
  return backend.parallel_for(
      stream, (bytes + each - 1) / each,
      WriteBytes{static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), bytes, each, value});
}

/// Asynchronous, as `parallel_for` is.
template <ParallelBackend B>
[[nodiscard]] Result<void> fill_bytes(B& backend, typename B::Stream& stream, void* to, std::size_t bytes,
                                      unsigned char value) {
  return write_bytes(backend, stream, to, nullptr, bytes, value);
}
/// Within the backend's memory. Asynchronous.
template <ParallelBackend B>
[[nodiscard]] Result<void> copy_bytes(B& backend, typename B::Stream& stream, void* to, const void* from,
                                      std::size_t bytes) {
  return write_bytes(backend, stream, to, from, bytes, 0);
}

/// Elements that differ.
struct ElementDifferences {
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::uint64_t count = 0;
  std::uint64_t first = none;
  std::uint64_t farthest = 0;  ///< in units in the last place; `none` if one is NaN and the other is not

  ASSAY_FUNCTION void join(const ElementDifferences& other) {
    count += other.count;
    first = other.first < first ? other.first : first;
    farthest = other.farthest > farthest ? other.farthest : farthest;
  }
};
struct JoinDifferences {
  ASSAY_FUNCTION ElementDifferences operator()(ElementDifferences a, const ElementDifferences& b) const {
    a.join(b);
    return a;
  }
};

/// Compares elements of 1, 2, 4 or 8 bytes (others byte by byte in the sense that any difference counts) with those of
/// other memory, or with bytes of one value. Elements that are `allowed` units in the last place apart at most, as IEEE
/// formats count them, are alike.
struct CompareElements {
  static constexpr std::size_t chunk_bytes = std::size_t{1} << 16;
  const unsigned char* found;
  const unsigned char* expected;  ///< null: every byte is `value`
  std::size_t elements;
  std::size_t element_bytes;
  std::uint64_t allowed;
  std::uint64_t infinity;  ///< the code of infinity, behind which codes are NaN; 0: not told
  unsigned char value;

  [[nodiscard]] ASSAY_FUNCTION std::size_t per_chunk() const {
    return element_bytes < chunk_bytes ? chunk_bytes / element_bytes : 1;
  }
  [[nodiscard]] ASSAY_FUNCTION std::size_t chunks() const { return (elements + per_chunk() - 1) / per_chunk(); }

  /// Elements first, first + step, … of a chunk.
  ASSAY_FUNCTION void compare(std::size_t chunk, std::size_t first, std::size_t step,
                              ElementDifferences& differences) const {
    const std::size_t begin = chunk * per_chunk(),
                      end = elements - begin < per_chunk() ? elements : begin + per_chunk();
    for (std::size_t i = begin + first; i < end; i += step) {
      const unsigned char* const a = found + i * element_bytes;
      bool same = true;
      for (std::size_t byte = 0; byte < element_bytes; ++byte)
        same = same && a[byte] == (expected != nullptr ? expected[i * element_bytes + byte] : value);
      if (same) continue;
      const std::uint64_t apart = distance(i);
      if (apart <= allowed) continue;
      differences.join({1, i, apart});
    }
  }
  ASSAY_FUNCTION void operator()(std::size_t chunk, ElementDifferences& differences) const {
    compare(chunk, 0, 1, differences);
  }

 private:
  [[nodiscard]] ASSAY_FUNCTION std::uint64_t distance(std::size_t element) const {
    if (element_bytes > 8 || expected == nullptr) return ElementDifferences::none;
    std::uint64_t codes[2] = {0, 0};
    for (std::size_t byte = 0; byte < element_bytes; ++byte) {
      codes[0] |= std::uint64_t{found[element * element_bytes + byte]} << (8 * byte);
      codes[1] |= std::uint64_t{expected[element * element_bytes + byte]} << (8 * byte);
    }
    const std::uint64_t sign = std::uint64_t{1} << (8 * element_bytes - 1);
    const std::uint64_t a = codes[0] & (sign - 1), b = codes[1] & (sign - 1);
    if (infinity != 0 && (a > infinity || b > infinity)) return ElementDifferences::none;
    if ((codes[0] & sign) != (codes[1] & sign)) return a + b;
    return a > b ? a - b : b - a;
  }
};

/// One block a chunk of work that compares: `compare(chunk, first, step, differences)`, `chunks()`.
template <class Work>
struct CompareElementBlocks {
  static constexpr int threads = 256;
  struct Shared {};
  Work work;
  ElementDifferences* partials;

  template <class Block>
  ASSAY_FUNCTION void operator()(Block& block, Shared&) const {
    typename Block::template PerThread<ElementDifferences> own;
    block.each(
        [&](int thread) { work.compare(block.index(), static_cast<std::size_t>(thread), threads, own[thread]); });
    const ElementDifferences all = block.reduce(own, JoinDifferences{});
    block.each([&](int thread) {
      if (thread == 0) partials[block.index()] = all;
    });
  }
};

/// Synchronizes the stream. 24 bytes a chunk are copied to the host.
template <ParallelBackend B, class Work>
[[nodiscard]] Result<ElementDifferences> compare_elements(B& backend, typename B::Stream& stream, const Work& work) {
  if constexpr (backend_runs_on_host<B> || !BlockBackend<B>) {
    return parallel_reduce<ElementDifferences>(backend, stream, work.chunks(), work);
  } else {
    ElementDifferences all;
    if (work.chunks() == 0) return all;
    auto partials = backend.template allocate<ElementDifferences>(work.chunks());
    if (!partials) return partials.propagate();
    std::vector<ElementDifferences> on_host(work.chunks());
    WaitAtEnd work_on_them(backend, stream);
    if (auto run =
            backend.parallel_blocks(stream, work.chunks(), CompareElementBlocks<Work>{work, partials.value().data()});
        !run)
      return run.propagate();
    if (auto copied = backend.copy_to_host(stream, on_host.data(), partials.value().data(), on_host.size()); !copied)
      return copied.propagate();
    if (auto done = work_on_them.wait(); !done) return done.propagate();
    for (const ElementDifferences& partial : on_host) all.join(partial);
    return all;
  }
}

/// Bytes that are not `value`. Synchronizes the stream.
template <ParallelBackend B>
[[nodiscard]] Result<ElementDifferences> find_altered_bytes(B& backend, typename B::Stream& stream, const void* at,
                                                            std::size_t bytes, unsigned char value) {
  return compare_elements(backend, stream,
                          CompareElements{static_cast<const unsigned char*>(at), nullptr, bytes, 1, 0, 0, value});
}

}  // namespace assay::inline v0::detail
