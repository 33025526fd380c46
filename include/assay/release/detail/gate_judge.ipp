#pragma once

#include "assay/release/detail/gate_judge.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE GateJudge::GateJudge(const Gate& gate, std::vector<WaiverUse>& waivers,
                                                std::vector<QuarantineUse>& quarantine)
    : waivers_(&waivers), quarantine_(&quarantine) {
  result_.gate = gate;
  const GateSelection& selection = gate.selection;
  const bool chosen = !selection.ids.empty() || !selection.labels.empty();
  unmeasured_ = gate.treatments.unmeasured.value_or(chosen ? GateTreatment::undecided : GateTreatment::ignored);
  for (const auto& [label, values] : gate.cover)
    for (const std::string& value : values) not_seen_.emplace(label, value);
}

ASSAY_DETAIL_HEADER_INLINE void GateJudge::add(const Outcome& outcome, const std::string& source) {
  const Gate& gate = result_.gate;
  if (!gate.selection.takes(outcome)) return;
  ++result_.selected;
  const bool measured = gate.condition.kind == GateCondition::Kind::measurement;
  if (measured && !gate.condition.measured_in(outcome)) {
    const std::string what = "no measurement '" + missing_name(outcome) + "'";
    if (unmeasured_ == GateTreatment::ignored)
      ++result_.unmeasured;
    else
      take(outcome, source, unmeasured_, what);
  } else if (outcome.verdict != Verdict::pass && outcome.verdict != Verdict::fail) {
    take(outcome, source, gate.treatments.of(outcome.verdict), outcome.reason);
  } else if (measured) {
    measure(outcome, source);
  } else if (outcome.verdict == Verdict::pass) {
    right(outcome);
  } else {
    take(outcome, source, GateTreatment::bad, outcome.reason);
  }
}

ASSAY_DETAIL_HEADER_INLINE GateResult GateJudge::result() {
  for (const auto& [label, value] : not_seen_) result_.not_covered.push_back(label + "=" + value);
  const bool broken = is_violated();
  const std::string lacking = what_is_lacking();
  const WholeWaiver waived = waive_whole_gate(broken, !lacking.empty());
  if (broken && !waived.violation) {
    result_.state = GateState::violated;
    result_.reason = violation();
  } else if (!lacking.empty() && !waived.missing) {
    result_.state = GateState::cannot_tell;
    result_.reason = lacking;
  } else if (broken || !lacking.empty()) {
    result_.state = GateState::waived;
    result_.reason = broken ? "waived, though violated: " + violation() : "waived, though it cannot tell: " + lacking;
  } else {
    result_.state = result_.waived.count + result_.quarantined.count > 0 ? GateState::waived : GateState::passed;
    result_.reason = result_.state == GateState::waived ? exemption() : success();
  }
  return std::move(result_);
}

ASSAY_DETAIL_HEADER_INLINE void GateJudge::measure(const Outcome& outcome, const std::string& source) {
  const GateCondition& condition = result_.gate.condition;
  const double value = condition.value_in(outcome);
  std::string unit;
  for (const Measurement& entry : outcome.measurements)
    if (entry.name == condition.measurement) {
      unit = entry.unit;
      break;
    }
  if (!result_.gate.unit.empty() && unit != result_.gate.unit)
    return take(outcome, source, GateTreatment::undecided,
                condition.measurement + " is in '" + unit + "', expected '" + result_.gate.unit + "'");
  values_.push_back(value);
  if (!condition.of_each() || condition.holds(value)) return right(outcome);
  const std::string name =
      condition.subtracted.empty() ? condition.measurement : condition.measurement + " - " + condition.subtracted;
  const std::string what = (condition.absolute ? "|" + name + "|" : name) + " = " + precise_text(value) +
                           (unit == "1" || unit.empty() ? "" : " " + unit);
  const std::size_t before = result_.bad.count;
  take(outcome, source, GateTreatment::bad, what);
  if (result_.bad.count == before) return;
  if (!worst_ || distance(value) > distance(*worst_)) {
    worst_ = value;
    worst_text_ = what;
  }
}

ASSAY_DETAIL_HEADER_INLINE std::string GateJudge::precise_text(double value) {
  std::string text = number_text(value, 6);
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

ASSAY_DETAIL_HEADER_INLINE void GateJudge::take(const Outcome& outcome, const std::string& source,
                                                GateTreatment treatment, const std::string& what) {
  if (treatment == GateTreatment::ignored) {
    ++result_.ignored[static_cast<std::size_t>(outcome.verdict)];
    return;
  }
  const bool bad = treatment == GateTreatment::bad;
  if (bad) seen(outcome);
  GateFinding finding{outcome.id, source, outcome.verdict, what, outcome.reproduce};
  if (is_waived(outcome)) {
    result_.decided_exempt += bad ? 1 : 0;
    result_.waived.add(std::move(finding));
  } else if (bad && is_quarantined(outcome)) {
    ++result_.decided_exempt;
    result_.quarantined.add(std::move(finding));
  } else {
    (bad ? result_.bad : result_.undecided).add(std::move(finding));
  }
}

ASSAY_DETAIL_HEADER_INLINE bool GateJudge::is_waived(const Outcome& outcome) {
  bool waived = false;
  for (std::size_t i = 0; i < waivers_->size(); ++i) {
    WaiverUse& use = (*waivers_)[i];
    const Waiver& waiver = use.waiver;
    if (!any_glob(waiver.ids, outcome.id) || (!waiver.gates.empty() && !any_glob(waiver.gates, result_.gate.name)))
      continue;
    ++use.matched;
    if (use.expired || waived) continue;
    waived = true;
    note(i);
  }
  return waived;
}

ASSAY_DETAIL_HEADER_INLINE bool GateJudge::is_quarantined(const Outcome& outcome) {
  const bool failure = outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error;
  if (!failure || result_.gate.condition.kind == GateCondition::Kind::measurement) return false;
  for (QuarantineUse& use : *quarantine_) {
    if (!any_glob(use.quarantine.ids, outcome.id)) continue;
    const double attempts = outcome.measurement("attempts").value_or(1),
                 rate = outcome.measurement("failure_rate").value_or(1);
    std::string refused;
    if (use.expired)
      refused = "the quarantine expired on " + date_text(use.quarantine.expires);
    else if (!(attempts >= 2))
      refused = "it was tried once, so that nothing says that it is flaky; run it with --retries 3";
    else if (!(rate >= 0 && rate < 1))
      refused = "it failed in all of " + number_text(attempts) + " attempts: that is no flaky test";
    else if (rate > use.quarantine.maximum_failure_rate)
      refused = "it failed in " + number_text(100 * rate) + " % of " + number_text(attempts) +
                " attempts, more than the " + number_text(100 * use.quarantine.maximum_failure_rate) + " % allowed";
    if (refused.empty()) {
      ++use.overridden;
      return true;
    }
    const std::string line = outcome.id + ": " + refused;
    if (use.refused.size() < 10 && std::find(use.refused.begin(), use.refused.end(), line) == use.refused.end())
      use.refused.push_back(line);
  }
  return false;
}

ASSAY_DETAIL_HEADER_INLINE bool GateJudge::is_violated() {
  const GateCondition& condition = result_.gate.condition;
  if (condition.kind == GateCondition::Kind::no_fail) return result_.bad.count > 0;
  if (condition.kind == GateCondition::Kind::pass_rate) {
    if (result_.right + result_.bad.count == 0) return false;
    result_.value = rate(result_.bad.count);
    return !condition.holds(*result_.value);
  }
  if (!condition.of_each()) {
    if (values_.empty()) return result_.bad.count > 0;
    result_.value = aggregate();
    return result_.bad.count > 0 || !condition.holds(*result_.value);
  }
  result_.value = worst_;
  return result_.bad.count > 0;
}

ASSAY_DETAIL_HEADER_INLINE double GateJudge::aggregate() const {
  double sum = 0, largest = -HUGE_VAL, smallest = HUGE_VAL;
  for (const double value : values_) {
    if (std::isnan(value)) return value;
    sum += value;
    largest = std::fmax(largest, value);
    smallest = std::fmin(smallest, value);
  }
  const auto count = static_cast<double>(values_.size());
  switch (result_.gate.condition.aggregate) {
    case GateAggregate::max: return largest;
    case GateAggregate::min: return smallest;
    case GateAggregate::mean: return sum / count;
    case GateAggregate::count: return count;
    default: return sum;
  }
}

ASSAY_DETAIL_HEADER_INLINE std::string GateJudge::what_is_lacking() const {
  const Gate& gate = result_.gate;
  if (result_.selected == 0) return "saw no results: no outcome is selected";
  const std::size_t undecided = result_.undecided.count;
  if (undecided > 0) {
    // Even if all of them were failures, the rate may be kept.
    const bool sure = gate.condition.kind == GateCondition::Kind::pass_rate &&
                      gate.condition.comparison != GateComparison::equal && result_.right > 0 &&
                      gate.condition.holds(rate(result_.bad.count + undecided));
    if (!sure)
      return std::to_string(undecided) + " of " + std::to_string(result_.selected) + " decided nothing (" +
             verdicts_of(result_.undecided) + ")";
  }
  if (result_.decided() == 0 && result_.unmeasured == result_.selected)
    return "saw no results: no outcome has '" + gate.condition.measurement + "'";
  if (result_.decided() < gate.minimum)
    return "saw " + std::to_string(result_.decided()) + " results that say right or wrong, and needs " +
           std::to_string(gate.minimum) + not_counted();
  if (!result_.not_covered.empty()) {
    std::string list;
    for (std::size_t i = 0; i < result_.not_covered.size() && i < 4; ++i)
      list += (i == 0 ? "" : ", ") + result_.not_covered[i];
    return "saw nothing of " + list +
           (result_.not_covered.size() > 4 ? " and " + std::to_string(result_.not_covered.size() - 4) + " more" : "");
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE std::string GateJudge::not_counted() const {
  std::string text;
  for (const Verdict verdict : all_verdicts)
    if (const std::size_t number = result_.ignored[static_cast<std::size_t>(verdict)]; number > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(number) + " " + std::string(name_of(verdict));
  if (result_.unmeasured > 0)
    text += (text.empty() ? "" : ", ") + std::to_string(result_.unmeasured) + " without the measurement";
  return text.empty() ? text : " (not counted: " + text + ")";
}

ASSAY_DETAIL_HEADER_INLINE std::string GateJudge::verdicts_of(const GateFindings& findings) {
  std::set<std::string> names;
  for (const GateFinding& finding : findings.kept)
    names.insert(finding.verdict == Verdict::pass || finding.verdict == Verdict::fail
                     ? finding.what
                     : std::string(name_of(finding.verdict)));
  std::string text;
  std::size_t told = 0;
  for (const std::string& name : names) {
    if (++told > 3) return text + ", …";
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

ASSAY_DETAIL_HEADER_INLINE std::string GateJudge::violation() const {
  const GateCondition& condition = result_.gate.condition;
  const std::string share =
      std::to_string(result_.bad.count) + " of " + std::to_string(result_.right + result_.bad.count);
  if (condition.kind == GateCondition::Kind::pass_rate)
    return "pass rate " + precise_text(100 * *result_.value) + " % (" + share + " bad), demanded: " + condition.text;
  if (condition.kind == GateCondition::Kind::no_fail) return share + (result_.bad.count == 1 ? " is bad" : " are bad");
  if (result_.bad.count == 0) return measured_text();
  return share + " break it" + (worst_text_.empty() ? "" : ", worst " + worst_text_) + ", demanded: " + condition.text;
}

ASSAY_DETAIL_HEADER_INLINE std::string GateJudge::success() const {
  std::string text = std::to_string(result_.right) + " right";
  if (result_.gate.condition.kind == GateCondition::Kind::pass_rate)
    text += ", pass rate " + precise_text(100 * result_.value.value_or(0)) + " %";
  if (result_.gate.condition.kind == GateCondition::Kind::measurement && result_.value) text += ", " + measured_text();
  return text + not_counted();
}

ASSAY_DETAIL_HEADER_INLINE GateJudge::WholeWaiver GateJudge::waive_whole_gate(bool broken, bool lacking) {
  WholeWaiver waived;
  for (std::size_t i = 0; i < waivers_->size(); ++i) {
    WaiverUse& use = (*waivers_)[i];
    if (!use.waiver.ids.empty() || !any_glob(use.waiver.gates, result_.gate.name)) continue;
    const bool of_missing = lacking && use.waiver.missing_results;
    if (!broken && !of_missing) continue;
    ++use.matched;
    if (use.expired) continue;
    note(i);
    waived.violation = waived.violation || broken;
    waived.missing = waived.missing || of_missing;
  }
  return waived;
}

}  // namespace assay::inline v0::detail
