#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/outcome.hpp"
#include "assay/release/gate_report.hpp"
#include "assay/report/text.hpp"

namespace assay::inline v0::detail {

/// Judges outcomes by one gate, one after the other.
class GateJudge {
 public:
  GateJudge(const Gate& gate, std::vector<WaiverUse>& waivers, std::vector<QuarantineUse>& quarantine);

  void add(const Outcome& outcome, const std::string& source);

  /// The judgment on all that was added.
  [[nodiscard]] GateResult result();

 private:
  [[nodiscard]] std::string missing_name(const Outcome& outcome) const {
    const GateCondition& condition = result_.gate.condition;
    return outcome.measurement(condition.measurement) ? condition.subtracted : condition.measurement;
  }

  void seen(const Outcome& outcome) {
    if (not_seen_.empty()) return;
    for (const auto& [name, value] : outcome.labels) not_seen_.erase({name, value});
  }
  void right(const Outcome& outcome) {
    ++result_.right;
    seen(outcome);
  }

  void measure(const Outcome& outcome, const std::string& source);
  [[nodiscard]] double distance(double value) const {
    return std::isnan(value) ? HUGE_VAL : std::fabs(value - result_.gate.condition.limit);
  }
  /// Six digits, without zeros at the end.
  [[nodiscard]] static std::string precise_text(double value);

  /// Files an outcome that is not right: as the treatment says, unless a waiver or the quarantine speaks for it.
  void take(const Outcome& outcome, const std::string& source, GateTreatment treatment, const std::string& what);

  [[nodiscard]] bool is_waived(const Outcome& outcome);
  void note(std::size_t waiver) {
    if (std::find(result_.waivers.begin(), result_.waivers.end(), waiver) == result_.waivers.end())
      result_.waivers.push_back(waiver);
  }

  /// Only a failure of which it was measured that it comes and goes is flaky.
  [[nodiscard]] bool is_quarantined(const Outcome& outcome);

  [[nodiscard]] double rate(std::size_t against) const {
    return static_cast<double>(result_.right) / static_cast<double>(result_.right + against);
  }

  [[nodiscard]] bool is_violated();

  [[nodiscard]] double aggregate() const;

  [[nodiscard]] std::string what_is_lacking() const;

  [[nodiscard]] std::string not_counted() const;

  [[nodiscard]] static std::string verdicts_of(const GateFindings& findings);

  [[nodiscard]] std::string measured_text() const {
    return result_.value
               ? condition_left() + " = " + precise_text(*result_.value) + ", demanded: " + result_.gate.condition.text
               : std::string();
  }
  [[nodiscard]] std::string condition_left() const {
    return result_.gate.condition.text.substr(0, result_.gate.condition.text.rfind(')') + 1);
  }

  [[nodiscard]] std::string violation() const;
  [[nodiscard]] std::string exemption() const {
    std::string text = std::to_string(result_.right) + " right";
    if (result_.waived.count > 0) text += ", " + std::to_string(result_.waived.count) + " waived";
    if (result_.quarantined.count > 0)
      text += ", " + std::to_string(result_.quarantined.count) + " flaky in quarantine";
    return text;
  }
  [[nodiscard]] std::string success() const;

  struct WholeWaiver {
    bool violation = false, missing = false;
  };

  /// A waiver without ids speaks for the gate as a whole: for what is wrong, and where it says so for what is missing.
  /// It does not hide one behind the other, or a further waiver could make things worse.
  [[nodiscard]] WholeWaiver waive_whole_gate(bool broken, bool lacking);

  GateResult result_;
  std::vector<WaiverUse>* waivers_;
  std::vector<QuarantineUse>* quarantine_;
  GateTreatment unmeasured_ = GateTreatment::undecided;
  std::set<std::pair<std::string, std::string>> not_seen_;
  std::vector<double> values_;
  std::optional<double> worst_;
  std::string worst_text_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/release/detail/gate_judge.ipp"
#endif
