#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/backends/parallel_backend.hpp"
#include "assay/backends/parallel_reduce.hpp"
#include "assay/hardware/memory/march_test.hpp"
#include "assay/hardware/memory/memory_defect.hpp"

namespace assay::inline v0 {

/// What one chunk of words said to an element of a march test.
struct MarchChunkFindings {
  std::uint64_t wrong_reads = 0;                       ///< that found another word
  std::uint64_t word = 0;                              ///< the first wrong one
  std::uint64_t expected = 0, actual = 0, reread = 0;  ///< of that word; `reread` is a second read
  std::uint64_t operation = 0;                         ///< of the element
};

/// One element of a march test on a chunk of words, as work for `parallel_partials` on any device: all operations on
/// one word, then on the next. Between chunks there is no order.
struct MarchChunk {
  static constexpr std::size_t words_per_chunk = 4096;
  static constexpr std::size_t most_operations = 8;

  std::uint64_t* memory = nullptr;
  std::uint64_t words = 0;
  Background background;
  bool descending = false;
  std::size_t operations = 0;
  bool writes[most_operations] = {};
  bool inverted[most_operations] = {};

  ASSAY_FUNCTION void operator()(std::size_t chunk, MarchChunkFindings& found) const {
    const std::uint64_t first = chunk * words_per_chunk;
    const std::uint64_t count = words - first < words_per_chunk ? words - first : words_per_chunk;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t word = first + (descending ? count - 1 - i : i);
      volatile std::uint64_t* const cell = memory + word;
      const std::uint64_t zero = background.at(word);
      for (std::size_t o = 0; o < operations; ++o) {
        const std::uint64_t value = inverted[o] ? ~zero : zero;
        if (writes[o]) {
          *cell = value;
          continue;
        }
        const std::uint64_t actual = *cell;
        if (actual == value) continue;
        if (found.wrong_reads++ == 0) {
          found.word = word;
          found.expected = value;
          found.actual = actual;
          found.reread = *cell;
          found.operation = o;
        }
      }
    }
  }
};

/// What a march test found in a backend's memory.
struct MarchBackendResult {
  std::vector<MemoryDefect> defects;  ///< the first of each chunk and element, as far as they were kept
  std::uint64_t wrong_reads = 0;      ///< that found another word
  std::size_t backgrounds = 0;        ///< that were run
};

/// Runs a march test on memory of a backend. Chunks run in parallel, so that the order of addresses holds within 32 KiB
/// only, and a device's caches answer what they hold: faults that couple cells further apart are found by chance,
/// whatever the test promises (see `march_coverage` with `VisitingOrder::any`). Pauses are left out: the caller waits.
/// Misuse: an element of more than 8 operations. Errors: the backend's. O(words × operations × backgrounds).
template <ParallelBackend B>
[[nodiscard]] Result<MarchBackendResult> march_on_backend(B& backend, typename B::Stream& stream, std::uint64_t* memory,
                                                          std::size_t words, const MarchTest& test,
                                                          std::span<const Background> backgrounds,
                                                          std::size_t most_defects = 64) {
  MarchBackendResult result;
  const std::size_t chunks = (words + MarchChunk::words_per_chunk - 1) / MarchChunk::words_per_chunk;
  for (const Background& background : backgrounds) {
    for (std::size_t e = 0; e < test.elements.size(); ++e) {
      const MarchElement& element = test.elements[e];
      expect(element.operations.size() <= MarchChunk::most_operations,
             [&] { return "march test '" + test.name + "' has an element of more than 8 operations; split it"; });
      if (element.pause()) continue;
      MarchChunk work;
      work.memory = memory;
      work.words = words;
      work.background = background;
      work.descending = element.order == AddressOrder::descending;
      work.operations = element.operations.size();
      for (std::size_t o = 0; o < element.operations.size(); ++o) {
        work.writes[o] = element.operations[o].write;
        work.inverted[o] = element.operations[o].inverted;
      }
      auto partials = parallel_partials<MarchChunkFindings>(backend, stream, chunks, work);
      if (!partials) return partials.propagate();
      for (const MarchChunkFindings& found : partials.value()) {
        result.wrong_reads += found.wrong_reads;
        if (found.wrong_reads == 0 || result.defects.size() >= most_defects) continue;
        MemoryDefect defect;
        defect.offset = found.word * 8;
        defect.expected = found.expected;
        defect.actual = found.actual;
        defect.reread = found.reread;
        defect.element = e;
        defect.operation = found.operation;
        defect.test = test.name;
        defect.background = background.text();
        result.defects.push_back(std::move(defect));
      }
    }
    ++result.backgrounds;
  }
  return result;
}

}  // namespace assay::inline v0
