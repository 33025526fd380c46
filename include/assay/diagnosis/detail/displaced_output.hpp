#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/diagnosis.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/validators/failures/failing_output.hpp"

namespace assay::inline v0::detail {

/// Whether wrong elements are right ones of other places: shifted, copied from another slice, transposed, reversed.
/// `repeats`: launches are known to give the same every time, so that nothing races.
class DisplacedOutput {
 public:
  explicit DisplacedOutput(const FailingOutput& output, bool repeats = false);

  /// The permutation that explains most, if it explains `share` of the violations and chance does not.
  [[nodiscard]] std::optional<Diagnosis> explanation();

 private:
  struct Candidate {
    std::string kind, effect;
    double share = 0;
  };

  /// Whether wrong elements stand together or at equal distances, as those of a wrong address do and those of a race do
  /// not.
  [[nodiscard]] bool regular() const;

  /// Whether the element holds what belongs to `source`, and not by chance: zeros and what many elements have tell
  /// nothing.
  [[nodiscard]] bool holds(Index element, Index source) const {
    const auto i = static_cast<std::size_t>(element), j = static_cast<std::size_t>(source);
    if (source < 0 || source >= size_ || source == element) return false;
    return output_.accepted(j).contains(output_.actual[i]) && !output_.accepted(j).undetermined;
  }

  void attempt(const std::string& kind, const std::string& effect, const std::function<Index(Index)>& source);

  /// The same of elements that are not displaced: where values are few or bounds wide, anything fits anything. Few
  /// elements have to fit much better than that, since many permutations are tried.
  [[nodiscard]] bool by_chance(const std::function<Index(Index)>& source, std::size_t held) const;

  void try_slices();

  /// One row's results in all rows.
  void try_one_row();

  void try_transpositions();

  /// Square tiles of usual sizes, each transposed in its place.
  void try_tiles();

  /// Rows written nearer to each other, or farther apart, than they lie.
  void try_pitches();

  /// The same distance for all: votes of elements whose value is rare.
  void try_offsets();

  const FailingOutput& output_;
  Index size_;
  bool repeats_;
  std::vector<Index> wrong_, sample_;
  std::optional<Candidate> best_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/displaced_output.ipp"
#endif
