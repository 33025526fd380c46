#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/result.hpp"
#include "assay/release/certification_plan.hpp"

namespace assay_program {

inline constexpr const char* part_file = "shard.json";
inline constexpr const char* part_schema = "assay-certification-part/1";

/// A folder in which one shard of a certification ran its stages.
struct CertificationPart {
  std::filesystem::path folder;
  assay::Shard shard;
  std::string version, machine;  ///< of the program, and where it ran
  std::string plan, policy;      ///< word by word
};

/// Says in a folder which part of a certification is made there. Errors: `invalid` where it is another's already; `io`.
[[nodiscard]] assay::Result<void> mark_part(const std::filesystem::path& folder, const assay::Shard& shard);
/// Keeps how the stages of a part ended, for `join_evidence`. Errors: `io`.
[[nodiscard]] assay::Result<void> write_part_outcomes(const std::filesystem::path& folder,
                                                      std::vector<assay::Outcome> outcomes, const std::string& command);

/// Parts of one certification, in the order of their shards; some may be missing. Errors: `not_found` for a folder that
/// is no part; `malformed`; `invalid` for parts of different plans, policies, versions or numbers of shards, and for a
/// shard that is there twice.
[[nodiscard]] assay::Result<std::vector<CertificationPart>> read_parts(const std::vector<std::string>& folders);

/// Copies what the stages of parts found below `folder`/evidence: NAME, or NAME/shard-2-of-4 of stages that more than
/// one shard runs. Gives an outcome for each stage of each shard that was to run it: what is not there is `skipped`.
/// Errors: `invalid` where evidence is not what it was when its stage ended; `io`.
[[nodiscard]] assay::Result<std::vector<assay::Outcome>> join_evidence(const assay::CertificationPlan& plan,
                                                                       const std::vector<CertificationPart>& parts,
                                                                       const std::filesystem::path& folder);

}  // namespace assay_program
