#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/printed_number.hpp"
#include "assay/diagnosis/detail/evidence.hpp"
#include "assay/diagnosis/detail/machine_patterns.hpp"
#include "assay/diagnosis/detail/places.hpp"
#include "assay/diagnosis/detail/unwritten_places.hpp"
#include "assay/validators/failures/diagnosed_case.hpp"

namespace assay::inline v0::detail {

/// Of the elements for which `missing(i)`, whether they are the second half of the output and no other: a result that
/// was not awaited, rather than a tail that nobody writes.
template <class Missing>
[[nodiscard]] bool second_half(const FailingOutput& output, Missing missing) {
  if (output.size() < 8) return false;
  for (std::size_t i = 0; i < output.size(); ++i)
    if (missing(i) != (2 * i >= output.size())) return false;
  return true;
}

/// Every wrong element of an updated operand holds what stood there before the launch.
[[nodiscard]] std::optional<Diagnosis> by_former_contents(const DiagnosedCase& given, const FailingOutput& output);

[[nodiscard]] inline bool only_unwritten(const DiagnosedCase& given) {
  for (const std::string& finding : given.memory_findings)
    if (finding.find("never written") == std::string::npos) return false;
  return true;
}

/// Nothing but elements that stay unwritten: not awaited, or not computed; but where results went elsewhere, that is
/// the cause. `irregular`: outputs of other data, where places are told best.
[[nodiscard]] Diagnosis by_unwritten(const DiagnosedCase& given, const std::vector<FailingOutput>& irregular);

/// What was done to memory is what is wrong, whatever the numbers.
[[nodiscard]] Diagnosis by_memory(const DiagnosedCase& given);

/// What launches on irregular data tell: nothing, or there was none; that the kernel fails on normal numbers, too; that
/// it fails with special values only; that it overflows with numbers of some size.
enum class DataTell { nothing, all_fail, special_fail, size_fail };

/// Whether most wrong elements, and not few of all, are NaN or infinite where numbers other than 0 are due.
[[nodiscard]] inline bool overflown(const FailingOutput& output) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < output.size(); ++i)
    count +=
        output.violated[i] && !is_finite(output.actual[i]) && is_finite(output.expected[i]) && output.expected[i] != 0
            ? 1
            : 0;
  return count >= 2 && 2 * count >= output.violations && 16 * count >= output.size();
}

/// What is wrong is small: every wrong element is, and should be, near the smallest normal number of the format.
struct SmallResults {
  double limit = 0;                 ///< no wrong element is, or should be, larger
  std::size_t due = 0, places = 0;  ///< elements whose right value is not 0: no larger than that, and all
};

/// Whether all wrong elements are small where few elements of the output are, so few that it is no chance (one in
/// sixteen).
[[nodiscard]] std::optional<SmallResults> small_results(const FailingOutput& output);

/// When nothing explains every element: what sizes and places suggest. `terms_are_right`: no term of the sums is known
/// to be missing; `tells_places`: the output holds indices. `data`: what a launch on irregular data told.
[[nodiscard]] Diagnosis by_appearance(const FailingOutput& output, const FailureSizes& sizes,
                                      const FailurePlaces& places, const Arithmetic& arithmetic, bool terms_are_right,
                                      bool tells_places, DataTell data);

/// One box of wrong elements in an output that is right else, which fills a tile of a usual size: what was there
/// before. Edges of the tile may be right by chance.
[[nodiscard]] std::optional<Diagnosis> by_tile(const FailingOutput& output, const FailurePlaces& places);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/diagnosis/detail/appearance.ipp"
#endif
