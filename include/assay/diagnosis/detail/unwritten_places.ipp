#pragma once

#include "assay/diagnosis/detail/unwritten_places.hpp"

#include <algorithm>
#include <numeric>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<std::uint8_t> unwritten_elements(const FailingOutput& output) {
  const double poison = output.format.decode(poison_code(output.format));
  std::vector<std::uint8_t> unwritten(output.size());
  for (std::size_t i = 0; i < output.size(); ++i)
    unwritten[i] =
        output.violated[i] != 0 && (output.actual[i] == poison ||
                                    (is_nan(poison) && is_nan(output.actual[i]) && !is_nan(output.expected[i])))
            ? 1
            : 0;
  return unwritten;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> by_lattice_of_written(
    const FailingOutput& output, const std::vector<std::optional<bool>>& written) {
  std::size_t left = 0, known = 0, first = 0, distance = 0;
  bool right = true;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (!written[i]) continue;
    right = right && !(*written[i] && output.violated[i] != 0);
    if (!*written[i])
      ++left;
    else if (known++ == 0)
      first = i;
    else
      distance = std::gcd(distance, i - first);
  }
  if (known < 2 || known > left || distance < 2 || distance == output.columns()) return std::nullopt;
  for (std::size_t i = first % distance; i < written.size(); i += distance)
    if (written[i] && !*written[i]) return std::nullopt;
  const std::string what =
      "of " + output.name + " every " + std::to_string(distance) + "th element is written, across rows, and no other: ";
  if (right && std::has_single_bit(distance))
    return Diagnosis{FaultClass::memory,
                     "unwritten_output",
                     Confidence::likely,
                     {what + "the other lanes of a vector store nothing"},
                     {}};
  return Diagnosis{
      FaultClass::addressing, "wrong_index", Confidence::likely, {what + "indices are multiplied wrongly"}, {}};
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> UnwrittenEnds::explanation() const {
  const std::size_t size = written_.size();
  if (size < 2 * few) return std::nullopt;
  const auto missing = [](std::optional<bool> place) { return place == std::optional(false); };
  const auto first =
      static_cast<std::size_t>(std::find_if(written_.begin(), written_.end(), missing) - written_.begin());
  if (first == size) return std::nullopt;
  const auto last = static_cast<std::size_t>(
      written_.rend() - std::find_if(written_.rbegin(), written_.rend(), missing));  // one behind it
  if (std::count(written_.begin() + static_cast<Index>(first), written_.begin() + static_cast<Index>(last),
                 std::optional(true)) > 0)
    return std::nullopt;
  const std::size_t count = last - first;
  const auto distance = static_cast<Index>(count);
  if (first == 0 && count < few && right_at_distance(-distance))
    return displaced("the first " + std::to_string(count) + " elements", "too far");
  if (last != size) return std::nullopt;
  if (count < few && right_at_distance(distance) && !(drawn_ && rest_of_vector(count)))
    return displaced("the last " + std::to_string(count) + " elements", "too early");
  if (first == 1 && output_.rows() > 1 && output_.columns() > 1)
    return wrong_index("the first element alone is written: indices are multiplied wrongly");
  if (first > 1 && 2 * first <= size && std::has_single_bit(first) && right_at_multiples(first))
    return wrong_index("the first " + std::to_string(first) +
                       " elements alone are written, a power of two: they are counted with too few bits");
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE bool UnwrittenEnds::right_at_distance(Index distance) const {
  for (std::size_t i = 0; i < written_.size(); ++i) {
    const Index source = static_cast<Index>(i) + distance;
    if (written_[i] == std::optional(true) && source >= 0 && source < static_cast<Index>(written_.size()) &&
        !right_at(static_cast<std::size_t>(source), i))
      return false;
  }
  return true;
}

ASSAY_DETAIL_HEADER_INLINE bool UnwrittenEnds::right_at_multiples(std::size_t distance) const {
  for (std::size_t i = 0; i < distance; ++i) {
    bool right = written_[i] != std::optional(true);
    for (std::size_t source = i + distance; !right && source < written_.size(); source += distance)
      right = right_at(source, i);
    if (!right) return false;
  }
  return true;
}

ASSAY_DETAIL_HEADER_INLINE Diagnosis UnwrittenEnds::displaced(const std::string& unwritten,
                                                              const std::string& how) const {
  return {FaultClass::addressing,
          "displaced",
          Confidence::likely,
          {unwritten + " of " + output_.name +
           ", and no others, are not written: what was written would be right if it had been written " + how},
          {}};
}

}  // namespace assay::inline v0::detail
