#pragma once

#include "assay/hardware/pools/allocation_trace.hpp"

#include <charconv>
#include <unordered_map>

#include "assay/core/config.hpp"
#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<AllocationTrace> read_allocation_trace(std::string_view text) {
  AllocationTrace trace;
  std::unordered_map<std::uint64_t, bool> living;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    std::vector<std::string_view> words;
    while (!line.empty()) {
      const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
      line.remove_prefix(begin);
      const std::size_t end = std::min(line.find_first_of(" \t\r"), line.size());
      if (end > 0) words.push_back(line.substr(0, end));
      line.remove_prefix(end);
    }
    if (words.empty() || words[0].front() == '#') continue;
    const auto refuse = [&](const std::string& why) {
      return failure(ErrorKind::malformed, "line " + std::to_string(number) + " of the trace: " + why +
                                               "; lines are 'alloc ID BYTES [ALIGNMENT]' and 'free ID'");
    };
    std::uint64_t numbers[3] = {0, 0, 256};
    if (words.size() > 4) return refuse("it has more than four words");
    for (std::size_t i = 1; i < words.size(); ++i) {
      const char* const end = words[i].data() + words[i].size();
      const auto read = std::from_chars(words[i].data(), end, numbers[i - 1]);
      if (read.ec != std::errc() || read.ptr != end) return refuse("'" + std::string(words[i]) + "' is no number");
    }
    AllocationEvent event{words[0] == "free", numbers[0], numbers[1], numbers[2]};
    if (event.free ? words.size() != 2 : words[0] != "alloc" || words.size() < 3) return refuse("it is neither");
    bool& lives = living[event.id];
    if (event.free && !lives) return refuse("allocation " + std::to_string(event.id) + " does not live");
    if (!event.free && lives) return refuse("allocation " + std::to_string(event.id) + " lives already");
    if (!event.free &&
        ((event.alignment & (event.alignment - 1)) != 0 || event.alignment == 0 || event.alignment > 2u << 20))
      return refuse("an alignment is a power of two, at most 2 MiB");
    lives = !event.free;
    if (event.free) event.alignment = 256;
    trace.push_back(event);
  }
  return trace;
}

ASSAY_DETAIL_HEADER_INLINE std::string allocation_trace_text(const AllocationTrace& trace) {
  std::string text;
  for (const AllocationEvent& event : trace)
    text += event.free ? "free " + std::to_string(event.id) + "\n"
                       : "alloc " + std::to_string(event.id) + " " + std::to_string(event.bytes) + " " +
                             std::to_string(event.alignment) + "\n";
  return text;
}

ASSAY_DETAIL_HEADER_INLINE AllocationTrace serving_trace(std::size_t events, std::size_t living_bytes,
                                                         std::uint64_t seed) {
  AllocationTrace trace;
  detail::RandomSequence random(seed);
  std::vector<AllocationEvent> living;
  std::size_t bytes = 0;
  std::uint64_t next = 0;
  while (trace.size() < events) {
    const bool scratch = random.below(4) == 0;
    const std::size_t size = scratch ? std::size_t{64} << random.below(12) : std::size_t{4096} * (1 + random.below(64));
    while (!living.empty() && (bytes + size > living_bytes || random.below(3) == 0)) {
      const std::size_t which = random.below(living.size());
      bytes -= living[which].bytes;
      trace.push_back({true, living[which].id, 0, 256});
      living[which] = living.back();
      living.pop_back();
    }
    if (bytes + size > living_bytes) continue;
    living.push_back({false, next++, size + random.below(63), scratch ? std::size_t{16} : std::size_t{256}});
    bytes += living.back().bytes;
    trace.push_back(living.back());
  }
  for (const AllocationEvent& event : living) trace.push_back({true, event.id, 0, 256});
  return trace;
}

}  // namespace assay::inline v0
