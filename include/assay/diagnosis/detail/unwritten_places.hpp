#pragma once

#include <bit>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/diagnosis/detail/surrounded_operands.hpp"
#include "assay/validators/failures/failing_output.hpp"

namespace assay::inline v0::detail {

/// Which wrong elements hold what poisons outputs.
[[nodiscard]] std::vector<std::uint8_t> unwritten_elements(const FailingOutput& output);

/// Whether what an output held before the launch is among its wrong elements, of a format whose poison is a number like
/// others: often enough that it is no result.
[[nodiscard]] inline bool holds_poison(const FailingOutput& output) {
  if (is_nan(output.format.decode(poison_code(output.format)))) return false;
  std::size_t count = 0;
  for (const std::uint8_t one : unwritten_elements(output)) count += one;
  return output.format.bytes >= 4 ? count > 0 : count >= 4 && 2 * count >= output.violations;
}

/// Few elements are written, at equal distances that are not that of rows, and not for a bound of a loop. Right results
/// that a power of two lies between are those of one lane of a vector or a warp, whose others store nothing; else an
/// index is multiplied wrongly. `written`: nothing where the right value is what was there before.
[[nodiscard]] std::optional<Diagnosis> by_lattice_of_written(const FailingOutput& output,
                                                             const std::vector<std::optional<bool>>& written);

/// Which end of an output stays unwritten, where its values would be right in other places, too: results that lie
/// elsewhere rather than results that nobody made. Of values that tell places `DisplacedOutput` tells more.
class UnwrittenEnds {
 public:
  /// `written` as above. `drawn`: any value may stand in any place.
  UnwrittenEnds(const FailingOutput& output, const std::vector<std::optional<bool>>& written, bool drawn)
      : output_(output), written_(written), drawn_(drawn) {}

  [[nodiscard]] std::optional<Diagnosis> explanation() const;

 private:
  static constexpr std::size_t few = 4;

  [[nodiscard]] bool right_at(std::size_t source, std::size_t place) const {
    return drawn_ || output_.accepted(source).contains(output_.actual[place]);
  }
  /// Whether what was written is right as far behind, too.
  [[nodiscard]] bool right_at_distance(Index distance) const;
  /// The same of some multiple of the distance for each.
  [[nodiscard]] bool right_at_multiples(std::size_t distance) const;
  /// What is left over by vectors of some length, which a kernel may forget.
  [[nodiscard]] bool rest_of_vector(std::size_t count) const {
    const std::size_t vector = std::bit_ceil(count + 1);
    return written_.size() % vector == count || output_.columns() % vector == count;
  }
  [[nodiscard]] Diagnosis displaced(const std::string& unwritten, const std::string& how) const;
  [[nodiscard]] Diagnosis wrong_index(const std::string& what) const {
    return {FaultClass::addressing, "wrong_index", Confidence::likely, {"of " + output_.name + " " + what}, {}};
  }

  const FailingOutput& output_;
  const std::vector<std::optional<bool>>& written_;
  bool drawn_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/unwritten_places.ipp"
#endif
