#pragma once

#include <cstdint>
#include <type_traits>

#include "assay/core/index.hpp"
#include "assay/tolerance/acceptance_interval.hpp"
#include "assay/tolerance/expected_element.hpp"

namespace assay::inline v0 {

/// What is expected, with an E that is cheap and perhaps much too large, and an exact one on request.
///
/// `expected(row, column)` gives r with an upper bound of E. `refine(row, column)` gives the same r with the exact E:
/// it may be costly, and is called for elements in doubt only, from the chunk's thread. `doubt_ratio()`, in (0, 1], is
/// the error / allowed from which on an accepted element is in doubt: with a bound that is loose by at most the factor
/// f, nothing below 1/f is. Undetermined elements are in doubt always, as are infinities that are accepted beside
/// finite numbers: they have no distance from r. What is refuted under the larger E is refuted for certain. Optional:
/// `bool refines()`, where that is known at run time only; `std::uint64_t most_refinements()`, where another number of
/// elements of a chunk may be refined than `most_refinements_per_chunk`.
template <class Expected>
concept RefinableExpectation = requires(const Expected& expected, Index index) {
  requires std::is_same_v<decltype(expected.refine(index, index)), ExpectedElement>;
  requires std::is_same_v<decltype(expected.doubt_ratio()), double>;
};

namespace detail {

/// Whether an element that is accepted beside a larger E may not be beside the exact one, by its error / allowed.
[[nodiscard]] ASSAY_FUNCTION inline bool leaves_doubt(double out, double reference, const AcceptanceInterval& accepted,
                                                      double ratio, double doubt_ratio) {
  return is_finite(out) || !is_finite(reference) ? ratio >= doubt_ratio : accepted.contains_others_than(out);
}

}  // namespace detail

/// So many elements of a chunk are refined, the first ones in doubt; the others count in `Comparison::in_doubt`, and
/// whoever compares must decide them otherwise before he says that the output passes. An output has at most 384 chunks.
inline constexpr std::uint64_t most_refinements_per_chunk = 256;

}  // namespace assay::inline v0
