#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/core/verdict.hpp"
#include "assay/release/calendar_date.hpp"
#include "assay/release/gate_condition.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0 {

namespace detail {

/// Whether one of the names or globs matches.
[[nodiscard]] inline bool any_glob(const std::vector<std::string>& patterns, std::string_view text) noexcept {
  for (const std::string& pattern : patterns)
    if (glob_matches(pattern, text)) return true;
  return false;
}

}  // namespace detail

/// What an outcome that neither passed nor failed is to a gate. There is no way to make it a pass.
enum class GateTreatment {
  ignored,    ///< it is counted and told, and neither here nor there
  undecided,  ///< the gate cannot tell
  bad         ///< it counts as a failure
};

/// How a gate takes what is neither pass nor fail.
struct GateTreatments {
  GateTreatment error = GateTreatment::bad;               ///< never `ignored`
  GateTreatment skipped = GateTreatment::undecided;       ///< how it is taken
  GateTreatment unsupported = GateTreatment::ignored;     ///< how it is taken
  GateTreatment inconclusive = GateTreatment::undecided;  ///< how it is taken
  GateTreatment new_baseline = GateTreatment::undecided;  ///< how it is taken
  /// An outcome without the measurement that the gate asks for. Empty: ignored where nothing but the measurement
  /// selects outcomes, undecided where ids or labels say which must have it.
  std::optional<GateTreatment> unmeasured;

  /// Precondition: neither pass nor fail.
  [[nodiscard]] GateTreatment of(Verdict verdict) const noexcept;
};

/// Which outcomes: by id, and by label. Lists are "any of these", joined by "and"; an empty list lets everything
/// through.
struct GateSelection {
  std::vector<std::string> ids;                            ///< names or globs
  std::vector<std::string> exclude;                        ///< ids
  std::map<std::string, std::vector<std::string>> labels;  ///< names of labels, and globs of their values

  /// Whether the gate looks at this outcome.
  [[nodiscard]] bool takes(const Outcome& outcome) const;
};

/// One demand.
struct Gate {
  std::string name;    ///< unique in the policy
  std::string group;   ///< hardware, kernels, frameworks, models, distributed, release, …
  bool hard = true;    ///< blocks; otherwise it warns
  std::string why;     ///< what it protects
  std::string remedy;  ///< what to do where it is not green
  GateSelection selection;
  GateCondition condition;
  std::string unit;         ///< that measurements must have; empty: any
  std::size_t minimum = 1;  ///< results that must be decided; fewer: the gate cannot tell
  /// Values of labels, each of which must be seen in a decided result: device → H100, MI300X.
  std::map<std::string, std::vector<std::string>> cover;
  GateTreatments treatments;
};

/// Lets what is known to be wrong through, for a time, in somebody's name.
struct Waiver {
  std::vector<std::string> ids;    ///< names or globs of outcomes; none: the gates as a whole
  std::vector<std::string> gates;  ///< names or globs of gates; none: all
  std::string owner;               ///< who answers for it
  std::string reason;              ///< why it is let through
  CalendarDate expires;            ///< the last day on which it holds
  bool missing_results = false;    ///< without ids: also where the gates see too few results
};

/// Keeps tests that are known to be flaky from deciding. They still run, and are told.
struct Quarantine {
  std::vector<std::string> ids;       ///< globs
  std::string owner;                  ///< who answers for it
  std::string reason;                 ///< why they are flaky
  CalendarDate expires;               ///< the last day on which it holds
  double maximum_failure_rate = 0.5;  ///< a measured rate above it, and always one of 1, is a failure
};

/// What a release needs.
struct GatePolicy {
  std::string title;  ///< heads the report
  std::vector<Gate> gates;
  std::vector<Waiver> waivers;
  std::vector<Quarantine> quarantine;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/release/gate_policy.ipp"
#endif
