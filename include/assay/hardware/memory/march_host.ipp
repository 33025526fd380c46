#pragma once

#include "assay/hardware/memory/march_host.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/hardware/detail/cache_flush.hpp"
#include "assay/hardware/detail/march_blocks.hpp"
#include "assay/hardware/detail/pinned_threads.hpp"
#include "assay/hardware/processor_topology.hpp"

namespace assay::inline v0 {

namespace detail {

/// One thread's part of a march test.
class MarchPart {
 public:
  MarchPart(std::span<std::uint64_t> memory, std::size_t first_word, const MarchTest& test,
            const MarchHostOptions& options, std::size_t cache_bytes)
      : memory_(memory),
        first_word_(first_word),
        test_(test),
        options_(options),
        flush_words_(std::min(cache_bytes / 8, memory.size())) {}

  /// How many of the backgrounds were run.
  std::size_t run(const std::vector<Background>& backgrounds, std::chrono::steady_clock::time_point start) {
    start_ = start;
    processor_ = processor_of_this_thread();
    for (std::size_t b = 0; b < backgrounds.size(); ++b)
      for (std::size_t e = 0; e < test_.elements.size(); ++e) {
        if (options_.stop && options_.stop()) return b;
        element_ = e;
        background_ = &backgrounds[b];
        visit(test_.elements[e]);
        if (options_.after_element) options_.after_element(b, e);
        if (e + 1 < test_.elements.size()) flush_before(test_.elements[e], test_.elements[e + 1]);
      }
    return backgrounds.size();
  }

  std::vector<MemoryDefect> defects;
  std::uint64_t wrong_reads = 0;

 private:
  void visit(const MarchElement& element) {
    if (element.pause()) {
      flush_cache(memory_.data(), memory_.size_bytes());
      std::this_thread::sleep_for(std::chrono::duration<double>(options_.pause_seconds));
      return;
    }
    MarchBlocks blocks{
        memory_.data(),        memory_.size() / march_block_words, first_word_, *background_, &element, this,
        &MarchPart::take_block};
    visit_march_blocks(blocks);
  }

  void flush_before(const MarchElement& done, const MarchElement& next) {
    const bool turns = (done.order == AddressOrder::descending) != (next.order == AddressOrder::descending);
    if (flush_words_ == memory_.size())
      flush_cache(memory_.data(), memory_.size_bytes());
    else if (turns)
      flush_cache(
          done.order == AddressOrder::descending ? memory_.data() : memory_.data() + (memory_.size() - flush_words_),
          flush_words_ * 8);
  }

  static void take_block(void* self, const std::uint64_t* block, const std::uint64_t* actual, std::size_t operation) {
    static_cast<MarchPart*>(self)->note(block, actual, operation);
  }

  void note(const std::uint64_t* block, const std::uint64_t* actual, std::size_t operation) {
    const bool inverted = test_.elements[element_].operations[operation].inverted;
    for (std::size_t i = 0; i < march_block_words; ++i) {
      const std::uint64_t word = static_cast<std::uint64_t>(block - memory_.data()) + i + first_word_;
      const std::uint64_t expected = inverted ? ~background_->at(word) : background_->at(word);
      if (actual[i] == expected) continue;
      ++wrong_reads;
      if (defects.size() >= options_.most_defects) continue;
      flush_cache(block + i, 8);
      MemoryDefect defect;
      defect.offset = word * 8;
      defect.address = reinterpret_cast<std::uintptr_t>(block + i);
      defect.physical = physical_address(block + i);
      defect.expected = expected;
      defect.actual = actual[i];
      defect.reread = *static_cast<const volatile std::uint64_t*>(block + i);
      defect.element = element_;
      defect.operation = operation;
      defect.test = test_.name;
      defect.background = background_->text();
      defect.processor = processor_;
      defect.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
      defects.push_back(std::move(defect));
    }
  }

  std::span<std::uint64_t> memory_;
  std::size_t first_word_;
  const MarchTest& test_;
  const MarchHostOptions& options_;
  std::size_t flush_words_;
  std::size_t element_ = 0;
  const Background* background_ = nullptr;
  std::chrono::steady_clock::time_point start_;
  int processor_ = -1;
};

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t last_level_cache_or(std::size_t asked) {
  if (asked > 0) return asked;
  const auto topology = read_processor_topology();
  const std::size_t known = topology ? topology.value().last_level_cache_bytes : 0;
  return known > 0 ? known : std::size_t{64} << 20;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE MarchHostResult march_host(std::span<std::uint64_t> memory, const MarchTest& test,
                                                      const MarchHostOptions& options) {
  constexpr std::size_t words = detail::march_block_words;
  expect(memory.size() % words == 0 && reinterpret_cast<std::uintptr_t>(memory.data()) % 64 == 0, [&] {
    return "march_host was given " + std::to_string(memory.size_bytes()) +
           " bytes; it takes memory that is aligned to 64 bytes, in multiples of " + std::to_string(words * 8);
  });
  const std::vector<Background> backgrounds = backgrounds_of(test.backgrounds, options.word_bits, options.seed);
  std::vector<int> processors = detail::chosen_processors(options.processors);
  const std::size_t blocks = memory.size() / words;
  processors.resize(std::min(processors.size(), blocks));
  const std::size_t cache_bytes = detail::last_level_cache_or(options.cache_bytes);

  MarchHostResult result;
  result.planned_backgrounds = backgrounds.size();
  result.parts = processors.size();
  result.flushed = detail::can_flush_cache;
  std::mutex mutex;
  std::size_t least_done = backgrounds.size();
  const auto start = std::chrono::steady_clock::now();
  result.missing = detail::run_pinned(processors, [&](std::size_t i, int) {
    const std::size_t first = blocks * i / processors.size() * words;
    const std::size_t end = blocks * (i + 1) / processors.size() * words;
    detail::MarchPart part(memory.subspan(first, end - first), first, test, options, cache_bytes);
    const std::size_t done = part.run(backgrounds, start);
    const std::lock_guard lock(mutex);
    least_done = std::min(least_done, done);
    result.bytes += done > 0 ? (end - first) * 8 : 0;
    result.wrong_reads += part.wrong_reads;
    for (MemoryDefect& defect : part.defects) result.defects.push_back(std::move(defect));
  });
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.backgrounds = least_done;
  result.complete = blocks > 0 && result.missing.empty() && least_done == backgrounds.size();
  std::sort(result.defects.begin(), result.defects.end(),
            [](const MemoryDefect& a, const MemoryDefect& b) { return a.seconds < b.seconds; });
  return result;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<std::uint64_t> physical_address([[maybe_unused]] const void* memory) {
#if defined(__linux__)
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  std::ifstream pages("/proc/self/pagemap", std::ios::binary);
  std::uint64_t entry = 0;
  if (!pages.seekg(static_cast<std::streamoff>(address / page * 8)) ||
      !pages.read(reinterpret_cast<char*>(&entry), sizeof entry))
    return std::nullopt;
  const std::uint64_t frame = entry & ((std::uint64_t{1} << 55) - 1);  // 0 for who may not know it
  if ((entry >> 63) == 0 || frame == 0) return std::nullopt;
  return frame * page + address % page;
#else
  return std::nullopt;
#endif
}

}  // namespace assay::inline v0
