#pragma once

#include "assay/serving/workload.hpp"

#include <array>
#include <string_view>

#include "assay/statistics/random_sequence.hpp"

namespace assay::inline v0 {
namespace detail {

inline constexpr std::array<std::string_view, 64> common_words{
    "the",   "of",     "and",   "water",  "from",  "house", "when",  "light", "river", "stone", "time",
    "after", "people", "city",  "small",  "great", "night", "where", "young", "world", "long",  "paper",
    "green", "under",  "north", "school", "never", "often", "music", "table", "ship",  "road",  "about",
    "heart", "voice",  "first", "white",  "field", "story", "year",  "other", "door",  "hand",  "summer",
    "king",  "horse",  "bread", "glass",  "cold",  "earth", "wind",  "early", "south", "blue",  "work",
    "line",  "page",   "tree",  "while",  "quiet", "train", "money", "below", "garden"};

inline std::string words_of(std::uint64_t seed, std::size_t count) {
  RandomSequence random(seed);
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ' ';
    text += common_words[random.below(common_words.size())];
  }
  return text;
}

/// Seeds of different things of one workload differ.
inline std::uint64_t mixed_seed(std::uint64_t seed, std::uint64_t kind, std::uint64_t position) {
  return RandomSequence(RandomSequence(RandomSequence(seed).next() ^ kind).next() ^ position).next();
}

inline std::string salt_of(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::string workload_prompt(const WorkloadOptions& options, std::uint64_t position) {
  const std::uint64_t which = options.distinct > 0 ? position % options.distinct : position;
  std::string prompt;
  if (options.salted) prompt = detail::salt_of(detail::mixed_seed(options.seed, 1, 0)) + " ";
  if (options.prefix_words > 0)
    prompt += detail::words_of(detail::mixed_seed(options.seed, 2, 0), options.prefix_words) + ". ";
  return prompt + detail::words_of(detail::mixed_seed(options.seed, 3, which), options.words);
}

ASSAY_DETAIL_HEADER_INLINE NeedlePrompt needle_prompt(std::uint64_t user, std::size_t words, std::uint64_t seed) {
  const std::uint64_t number = 1'000'000 + detail::mixed_seed(seed, 4, user) % 9'000'000;
  const std::string needle = std::to_string(number);
  return {"Remember this number: " + needle + ". " + detail::words_of(detail::mixed_seed(seed, 5, user), words) +
              ". Repeat the number " + needle + " and nothing else. The number is",
          needle};
}

}  // namespace assay::inline v0
