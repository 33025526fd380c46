#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/release/detail/commented_json.hpp"
#include "assay/release/gate_policy.hpp"
#include "assay/suite/shard.hpp"

/// What is to be run before a release, in which order and time; a leaf (component `json`).
namespace assay::inline v0 {

inline constexpr const char* plan_schema = "assay-plan/1";  ///< name and version of the form

/// One command whose outcomes are evidence.
struct PlanStage {
  std::string name;                  ///< of its folder below `evidence`
  std::string why;                   ///< for people
  std::vector<std::string> command;  ///< program and arguments; "assay" is the tool that certifies
  std::vector<std::string> answers;  ///< gates (globs of their names) that its outcomes answer
  double minutes = 10;               ///< after which it is killed, and is no evidence
  bool measures = true;  ///< times, rates or power: nothing runs beside it; what a plan does not say, its command does
  bool everywhere = false;  ///< of a certification in shards each runs it: what it finds is its machine's own

  /// Whether each shard does a part of it: its command has the place "{shard}", which becomes "2/4".
  [[nodiscard]] bool divided() const noexcept;
};

/// Whether a command measures, or has the machine to itself for another reason, by its kind: false for those of the
/// tool that compute and compare (`assay run` without --roofline, `collectives verify`, `baseline`, `accuracy`, …);
/// true for all others, since nobody knows what a foreign program does.
[[nodiscard]] bool command_measures(const std::vector<std::string>& command);

/// Stages, and the gates that judge them all.
struct CertificationPlan {
  std::string title;              ///< heads the page
  double minutes = 0;             ///< for all stages together; 0: as long as they take
  std::string policy;             ///< a file, relative to the plan's; empty: `certification_policy`
  std::vector<std::string> rows;  ///< gates (globs) that count; none: all of the policy
  std::vector<PlanStage> stages;
};

/// Reads a plan. Errors: `malformed`: no such form, an unknown member, no stage, a stage twice or with a name that is
/// no folder's, a command without a place ("{out}" or "{report}") for what it finds, times that are not above 0 or
/// exceed the plan's own.
[[nodiscard]] Result<CertificationPlan> parse_plan(std::string_view text);
/// The same of a file; messages name it. Errors: `not_found`, `io`, `malformed`.
[[nodiscard]] Result<CertificationPlan> read_plan(const std::filesystem::path& path);

/// The policy whose gates count in a plan. Errors: `not_found` for a pattern of `rows` or `answers` that names no gate.
[[nodiscard]] Result<GatePolicy> policy_for(const CertificationPlan& plan, GatePolicy policy);

/// The places in `plan.stages` of what a shard runs, ascending: what is divided or runs everywhere, and its share of
/// the others, which are dealt out by their minutes, longest first, each to the shard that has least; the same
/// everywhere. O(stages · (log stages + shards)). Precondition: a valid shard.
[[nodiscard]] std::vector<std::size_t> stages_of_shard(const CertificationPlan& plan, const Shard& shard);

/// The stages that answer a gate, by name.
[[nodiscard]] std::vector<std::string> stages_that_answer(const CertificationPlan& plan, const std::string& gate);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/certification_plan.ipp"
#endif
