#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/table.hpp"

namespace assay::inline v0 {

/// The label of outcomes under which the outputs' digest stands: cases of two backends whose digests are equal gave the
/// same bits.
inline constexpr const char* outputs_label = "outputs";
/// The label of outcomes that tells which nodes were computed in a narrower format than the graph's.
inline constexpr const char* lowered_label = "computed";

/// What two modes made of the same problems and data.
struct ModeAgreement {
  std::string first, second;                        ///< backends
  std::string family;                               ///< of operations
  std::size_t same_bits = 0;                        ///< cases
  std::size_t first_nearer = 0, second_nearer = 0;  ///< of the others, to the reference: by worst error / allowed error
  std::size_t equally_far = 0;                      ///< of the others, or where a distance is not known
  std::size_t only_first_fails = 0, only_second_fails = 0;  ///< of the others
};

/// The seed of a case without its backend: from `case_seed(run seed, id)` to `case_seed(run seed, id without backend)`,
/// so that cases that differ in their backend only draw the same data. O(|id|).
[[nodiscard]] std::uint64_t seed_of_any_backend(std::uint64_t seed, const std::string& id, const std::string& backend);

/// Cases that differ in their backend only, pair by pair of backends in the order of the outcomes, family by family.
/// Outcomes without a digest are left out, and so are
/// pairs that drew their data from different seeds. O(outcomes·backends).
[[nodiscard]] std::vector<ModeAgreement> compare_modes(const std::vector<Outcome>& outcomes);

/// The same for people. No rows where there is nothing to compare.
[[nodiscard]] Table mode_agreement_table(const std::vector<ModeAgreement>& pairs);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/door/mode_agreement.ipp"
#endif
