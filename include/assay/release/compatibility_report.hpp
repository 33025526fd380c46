#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/release/certification.hpp"
#include "assay/release/combination_list.hpp"
#include "assay/release/version_matrix.hpp"
#include "assay/suite/missing_shards.hpp"

namespace assay::inline v0 {

/// What is known of a combination. A hole is what nobody tested: it is never a pass.
enum class CompatibilityState { certified, failed, undecided, conflict, hole };

/// The name in reports.
[[nodiscard]] constexpr std::string_view name_of(CompatibilityState state) noexcept {
  switch (state) {
    case CompatibilityState::certified: return "certified";
    case CompatibilityState::failed: return "failed";
    case CompatibilityState::undecided: return "undecided";
    case CompatibilityState::conflict: return "conflict";
    case CompatibilityState::hole: return "hole";
  }
  return "hole";
}

/// A combination that was promised, and what runs say of it.
struct CompatibilityEntry {
  std::vector<std::string> values;  ///< in the order of the axes
  CompatibilityState state = CompatibilityState::hole;
  std::vector<std::size_t> certifications;  ///< positions in the report's list
};

/// Runs of one combination that disagree.
struct CompatibilityConflict {
  std::string combination;
  std::string what;  ///< which outcome, and who says what
};

/// Who certified what, when, in which environment, and what nobody did.
struct CompatibilityReport {
  std::string title;                        ///< of the matrix
  std::vector<MatrixAxis> axes;             ///< of the matrix
  std::vector<CompatibilityEntry> entries;  ///< one a combination that was promised
  std::vector<Certification> certifications;
  std::vector<CompatibilityConflict> conflicts;
  std::vector<std::pair<std::size_t, std::string>>
      strangers;  ///< certifications of what was not promised, and why it was not

  /// Entries of this state. O(entries).
  [[nodiscard]] std::size_t count(CompatibilityState state) const {
    return static_cast<std::size_t>(std::count_if(
        entries.begin(), entries.end(), [&](const CompatibilityEntry& entry) { return entry.state == state; }));
  }
  /// 0: every combination is certified. 1: one failed, or runs disagree. 2: neither, but something is undecided or was
  /// not tested, or nothing was promised.
  [[nodiscard]] int exit_code() const {
    if (count(CompatibilityState::failed) + count(CompatibilityState::conflict) > 0) return 1;
    return entries.empty() || count(CompatibilityState::certified) < entries.size() ? 2 : 0;
  }
};

namespace detail {

[[nodiscard]] CompatibilityState state_of(const CompatibilityReport& report, const CompatibilityEntry& entry);

}  // namespace detail

/// Puts runs beside what was promised: `promised` are combinations of the matrix, all that its rules allow, or its
/// pairs. Where several runs speak of one combination, all must pass, and of parts (`Run::shard`) none may be missing;
/// where they disagree on an outcome, that is a conflict, and named. Runs of what was not promised are told apart.
/// O(promised + outcomes · log outcomes).
[[nodiscard]] CompatibilityReport compatibility_report(const VersionMatrix& matrix, const CombinationList& promised,
                                                       std::vector<Certification> certifications);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/compatibility_report.ipp"
#endif
