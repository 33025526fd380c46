#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/validators/diagnosis/detail/surrounded_operands.hpp"
#include "assay/validators/diagnosis/failing_output.hpp"

namespace assay::inline v0::detail {

/// Which wrong elements hold what poisons outputs.
[[nodiscard]] inline std::vector<std::uint8_t> unwritten_elements(const FailingOutput& output) {
  const double poison = output.format.decode(poison_code(output.format));
  std::vector<std::uint8_t> unwritten(output.size());
  for (std::size_t i = 0; i < output.size(); ++i)
    unwritten[i] = output.violated[i] != 0 &&
                           (output.actual[i] == poison || (is_nan(poison) && is_nan(output.actual[i]) && !is_nan(output.expected[i])))
                       ? 1
                       : 0;
  return unwritten;
}

/// Whether what an output held before the launch is among its wrong elements, of a format whose poison is a number like others: often enough that it is no result.
[[nodiscard]] inline bool holds_poison(const FailingOutput& output) {
  if (is_nan(output.format.decode(poison_code(output.format)))) return false;
  std::size_t count = 0;
  for (const std::uint8_t one : unwritten_elements(output)) count += one;
  return output.format.bytes >= 4 ? count > 0 : count >= 4 && 2 * count >= output.violations;
}

/// Few elements are written, at equal distances that are not that of rows, and not for a bound of a loop. Right results that a power of two lies between are those of one lane of a vector
/// or a warp, whose others store nothing; else an index is multiplied wrongly. `written`: nothing where the right value is what was there before.
[[nodiscard]] inline std::optional<Diagnosis> by_lattice_of_written(const FailingOutput& output,
                                                                    const std::vector<std::optional<bool>>& written) {
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
    return Diagnosis{FaultClass::memory, "unwritten_output", Confidence::likely, {what + "the other lanes of a vector store nothing"}, {}};
  return Diagnosis{FaultClass::addressing, "wrong_index", Confidence::likely, {what + "indices are multiplied wrongly"}, {}};
}

/// Which end of an output stays unwritten, where its values would be right in other places, too: results that lie elsewhere rather than results that nobody made. Of values
/// that tell places `DisplacedOutput` tells more.
class UnwrittenEnds {
 public:
  /// `written` as above. `drawn`: any value may stand in any place.
  UnwrittenEnds(const FailingOutput& output, const std::vector<std::optional<bool>>& written, bool drawn)
      : output_(output), written_(written), drawn_(drawn) {}

  [[nodiscard]] std::optional<Diagnosis> explanation() const {
    const std::size_t size = written_.size();
    if (size < 2 * few) return std::nullopt;
    const auto missing = [](std::optional<bool> place) { return place == std::optional(false); };
    const auto first = static_cast<std::size_t>(std::find_if(written_.begin(), written_.end(), missing) - written_.begin());
    if (first == size) return std::nullopt;
    const auto last =
        static_cast<std::size_t>(written_.rend() - std::find_if(written_.rbegin(), written_.rend(), missing));  // one behind it
    if (std::count(written_.begin() + static_cast<Index>(first), written_.begin() + static_cast<Index>(last), std::optional(true)) > 0)
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

 private:
  static constexpr std::size_t few = 4;

  [[nodiscard]] bool right_at(std::size_t source, std::size_t place) const {
    return drawn_ || output_.accepted(source).contains(output_.actual[place]);
  }
  /// Whether what was written is right as far behind, too.
  [[nodiscard]] bool right_at_distance(Index distance) const {
    for (std::size_t i = 0; i < written_.size(); ++i) {
      const Index source = static_cast<Index>(i) + distance;
      if (written_[i] == std::optional(true) && source >= 0 && source < static_cast<Index>(written_.size()) &&
          !right_at(static_cast<std::size_t>(source), i))
        return false;
    }
    return true;
  }
  /// The same of some multiple of the distance for each.
  [[nodiscard]] bool right_at_multiples(std::size_t distance) const {
    for (std::size_t i = 0; i < distance; ++i) {
      bool right = written_[i] != std::optional(true);
      for (std::size_t source = i + distance; !right && source < written_.size(); source += distance) right = right_at(source, i);
      if (!right) return false;
    }
    return true;
  }
  /// What is left over by vectors of some length, which a kernel may forget.
  [[nodiscard]] bool rest_of_vector(std::size_t count) const {
    const std::size_t vector = std::bit_ceil(count + 1);
    return written_.size() % vector == count || output_.columns() % vector == count;
  }
  [[nodiscard]] Diagnosis displaced(const std::string& unwritten, const std::string& how) const {
    return {FaultClass::addressing,
            "displaced",
            Confidence::likely,
            {unwritten + " of " + output_.name +
             ", and no others, are not written: what was written would be right if it had been written " + how},
            {}};
  }
  [[nodiscard]] Diagnosis wrong_index(const std::string& what) const {
    return {FaultClass::addressing, "wrong_index", Confidence::likely, {"of " + output_.name + " " + what}, {}};
  }

  const FailingOutput& output_;
  const std::vector<std::optional<bool>>& written_;
  bool drawn_;
};

}  // namespace assay::inline v0::detail
