#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/suite/case.hpp"
#include "assay/suite/detail/label_filter.hpp"
#include "assay/suite/detail/vocabulary.hpp"
#include "assay/suite/glob.hpp"
#include "assay/suite/shard.hpp"

namespace assay::inline v0 {

/// The tag of cases that take so long that they run only when asked for.
inline constexpr std::string_view large_tag = "large";

/// Which cases of a suite to run. Every list is "any of these", the lists are joined by "and", and an empty list lets
/// everything through. Entries are whole names or globs (see `glob_matches`).
struct Selection {
  std::vector<std::string> operations;  ///< names or globs
  std::vector<std::string> backends;    ///< names or globs
  /// Whole combinations ("bf16.f32.bf16"), or single formats: "bf16" selects the cases that have a bf16 input.
  std::vector<std::string> formats;
  std::vector<std::string> data;     ///< names or globs
  std::vector<std::string> shapes;   ///< names or globs
  std::vector<std::string> tags;     ///< names or globs
  std::vector<std::string> only;     ///< ids
  std::vector<std::string> exclude;  ///< ids
  /// Cases tagged "large" need this, or "large" among `tags`, or their whole id in `only`.
  bool include_large = false;
  Shard shard;
};

namespace detail {

/// What select() has kept so far, and the story of how it came to that.
class Narrowing {
 public:
  explicit Narrowing(const Suite& suite) : suite_(&suite) {
    for (std::size_t index = 0; index < suite.size(); ++index) kept_.push_back(index);
  }

  /// Keeps the positions for which `keep(case, position)` holds; fails if that leaves none.
  template <class Keep>
  [[nodiscard]] Result<void> apply(const std::string& filter, const Keep& keep, const std::string& advice = {}) {
    std::vector<std::size_t> kept;
    for (std::size_t position = 0; position < kept_.size(); ++position)
      if (keep((*suite_)[kept_[position]], position)) kept.push_back(kept_[position]);
    if (kept.empty()) return failure(ErrorKind::not_found, emptied_by(filter) + (advice.empty() ? "" : "; " + advice));
    if (kept.size() != kept_.size()) filters_.push_back(filter);
    kept_ = std::move(kept);
    return {};
  }

  [[nodiscard]] std::vector<std::size_t> take() && { return std::move(kept_); }

 private:
  [[nodiscard]] std::string emptied_by(const std::string& filter) const {
    const std::string cases = kept_.size() == 1 ? " case" : " cases";
    std::string message =
        "nothing is selected: " + filter + " leaves none of the " + std::to_string(kept_.size()) + cases;
    if (filters_.empty()) return message + " of the suite";
    return message + " that passed " + joined(filters_, " and ");
  }

  const Suite* suite_;
  std::vector<std::size_t> kept_;
  std::vector<std::string> filters_;
};

}  // namespace detail

/// The positions in `suite` of the cases selected, ascending; never empty.
///
/// Errors: `not_found` for an entry that names nothing in the suite (with the nearest names), and if nothing is
/// selected (the message tells which filter took the last case); `invalid` for a shard outside 1 ≤ index ≤ count. The
/// shard is taken last, by position among the cases selected, so that the shards of one selection partition it; one
/// that would be empty is an error. O(cases · entries).
[[nodiscard]] Result<std::vector<std::size_t>> select(const Suite& suite, const Selection& selection);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/suite/selection.ipp"
#endif
