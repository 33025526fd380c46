#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/verification/detail/movement_plan.hpp"
#include "assay/collectives/verification/detail/reduction_pattern.hpp"
#include "assay/collectives/verification/detail/within_bounds.hpp"
#include "assay/collectives/verification/stream_places.hpp"

namespace assay::inline v0 {

/// Consecutive elements.
struct ElementRun {
  /// In elements.
  Index begin = 0, length = 0;
};

/// What ranks send and what must come of it. All of it is made once, as a table of some thousand places; a stream of
/// data is tiles of that table at places that a hash of (seed, call, source, tile) tells. So writing and comparing run
/// at the memory's speed whatever the type, any tile of any call is at hand without the others, and tiles that are
/// swapped, left out or left over from another call differ. Construction is O(places · digits) and O(places · ranks)
/// for random extremes.
class CollectiveData {
 public:
  static constexpr std::size_t most_runs = 4096;  ///< of wrong elements that `compare` appends

  /// The data of `rank` of `size`, for every call.
  CollectiveData(const CollectiveProblem& problem, int rank, int size);

  /// The byte that outputs are filled with before a call: NaN in floats.
  [[nodiscard]] unsigned char poison() const { return is_integer(problem_.type) ? 0xA7 : 0xFF; }
  /// What the data are for.
  [[nodiscard]] const CollectiveProblem& problem() const { return problem_; }
  /// The table.
  [[nodiscard]] const detail::ReductionPattern& pattern() const { return pattern_; }
  /// Number of ranks.
  [[nodiscard]] int size() const { return size_; }
  /// Whether the result is the same in every order of reduction.
  [[nodiscard]] bool is_exact() const { return exact_; }

  /// Writes what this rank sends (of movements: what any `source` sends), from element `from` of its stream on.
  void write(void* to, std::uint64_t call, int source, Index from, Index length) const {
    char* out = static_cast<char*>(to);
    for_each_tile(call, source, from, length, [&](Index at, Index place, Index part) {
      std::memcpy(out + at * width(), sent() + place * width(), static_cast<std::size_t>(part) * bytes_);
    });
  }

  /// Elements of `out` that differ from what `source`'s stream (or the reduction, `of_all`) may be. Appends runs of
  /// them.
  [[nodiscard]] Index compare(const void* out, std::uint64_t call, int source, Index from, Index length, Index at,
                              std::vector<ElementRun>& runs) const;

  /// The code that `source` gives at an element of its stream in a call. O(digits).
  [[nodiscard]] std::uint64_t given(std::uint64_t call, int source, Index element) const {
    const Index place = place_of(call, source, element);
    return reduces(problem_.operation) ? pattern_.contribution(source, place) : tag(place);
  }
  /// Whether a code may be the reduction of all ranks' at an element. O(1).
  [[nodiscard]] bool allows(std::uint64_t call, Index element, std::uint64_t code) const {
    return is_right(reinterpret_cast<const char*>(&code), false, place_of(call, detail::of_all, element), 1);
  }
  /// The place in the table where an element comes from. The streams of all ranks in a reduction have the same places.
  [[nodiscard]] Index place_of(std::uint64_t call, int source, Index element) const {
    return places(call, source).place_of(element);
  }
  /// Where the data of `source` in that call come from.
  [[nodiscard]] detail::StreamPlaces places(std::uint64_t call, int source) const {
    const std::uint64_t stream = reduces(problem_.operation) ? 0 : static_cast<std::uint64_t>(source) + 1;
    return {problem_.seed + stream * 0xA24BAED4963EE407u, call, static_cast<std::uint64_t>(places_ - span_ + 1), tile_};
  }
  /// Codes by place, for who writes and compares elsewhere: what this rank sends, and, of exact data, what must come of
  /// it.
  [[nodiscard]] const std::vector<char>& sent_codes() const {
    return reduces(problem_.operation) ? given_ : expected_->low;
  }
  /// What must come of it, one code an element of the table.
  [[nodiscard]] const std::vector<char>& expected_codes() const { return expected_->low; }

 private:
  /// What is the same for all ranks, by place: tags, or the least code allowed (as a key where there are several) and
  /// how far the highest is from it.
  struct Tables {
    std::vector<char> low, span;
    std::vector<detail::Allowed> allowed;
  };
  /// One process with many ranks makes them once.
  static std::shared_ptr<const Tables> shared_tables(const CollectiveData& data);

  [[nodiscard]] const char* sent() const { return sent_codes().data(); }
  [[nodiscard]] Index width() const { return static_cast<Index>(bytes_); }
  [[nodiscard]] bool special() const {
    return reduces(problem_.operation) && pattern_.kind() == CollectiveDataKind::special;
  }
  [[nodiscard]] std::uint64_t tag(Index place) const {
    const std::uint64_t code = detail::mixed(problem_.seed, static_cast<std::uint64_t>(place), 7) &
                               detail::code_mask(problem_.type),
                        poisoned = code_of_poison();
    return code == poisoned ? code ^ 1 : code;
  }
  /// Of an element all of whose bytes are `poison`.
  [[nodiscard]] std::uint64_t code_of_poison() const {
    return poison() * 0x0101010101010101u & detail::code_mask(problem_.type);
  }
  [[nodiscard]] std::uint64_t key(std::uint64_t code) const {
    return detail::order_of(problem_.type, code) - (std::uint64_t{1} << 63) + (std::uint64_t{1} << (8 * bytes_ - 1));
  }

  template <class Visit>
  void for_each_tile(std::uint64_t call, int source, Index from, Index length, const Visit& visit) const {
    const detail::StreamPlaces stream = places(call, source);
    for (Index at = 0; at < length;) {
      const Index element = from + at, within = element % tile_, part = std::min(tile_ - within, length - at);
      visit(at, stream.start_of(element / tile_) + within, part);
      at += part;
    }
  }

  [[nodiscard]] bool is_right(const char* found, bool tags, Index place, Index part) const;
  template <class Word>
  [[nodiscard]] bool within(const char* found, std::size_t begin, Index part) const {
    const char* const low = expected_->low.data() + begin;
    const char* const span = expected_->span.data() + begin;
    const auto count = static_cast<std::size_t>(part);
    bool right = false;
    detail::run_variant<detail::WithinBounds<Word>>(instruction_set(), found, low, span, count, right);
    return right;
  }
  [[nodiscard]] bool is_allowed(const char* found, Index place, Index part) const;
  static void append(std::vector<ElementRun>& runs, Index element) {
    if (!runs.empty() && runs.back().begin + runs.back().length == element)
      ++runs.back().length;
    else if (runs.size() < most_runs)
      runs.push_back({element, 1});
  }

  CollectiveProblem problem_;
  int size_;
  std::size_t bytes_;
  detail::ReductionPattern pattern_;
  bool exact_;
  Index tile_ = 1024;  ///< elements that lie together in the table
  Index span_ = 1;
  Index places_ = 0;
  std::vector<char> given_;  ///< of reductions; tags are the same for all ranks
  std::shared_ptr<const Tables> expected_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/verification/collective_data.ipp"
#endif
