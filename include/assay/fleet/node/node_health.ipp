#pragma once

#include "assay/fleet/node/node_health.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/stable_sort.hpp"
#include "assay/report/text.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0 {

namespace detail {

/// CRITICAL is told before UNKNOWN, that before WARNING.
[[nodiscard]] inline int severity(HealthLevel level) {
  constexpr int order[] = {0, 1, 3, 2};
  return order[static_cast<std::size_t>(level)];
}

/// Collects findings about one node.
class NodeJudge {
 public:
  NodeJudge(const NodeManifest& manifest, const NodeObservation& observation, const NodeState& before)
      : manifest_(manifest), seen_(observation), before_(before) {
    report.node = observation.node;
    report.state.seconds = observation.seconds;
  }

  NodeReport report;

  void judge_devices();
  void judge_versions();
  void judge_readings();
  void judge_outcomes();
  void judge_history();

 private:
  void find(HealthLevel level, std::string what, std::string remedy = {}) {
    report.findings.push_back({level, std::move(what), std::move(remedy)});
  }
  [[nodiscard]] const NodeReading* reading(const std::string& device, const std::string& name) const {
    for (const NodeReading& one : seen_.readings)
      if (one.device == device && one.name == name) return &one;
    return nullptr;
  }
  void judge(const NodeLimit& limit, const NodeReading& reading);
  void judge_at_least(const NodeLimit& limit, const NodeReading& reading);

  const NodeManifest& manifest_;
  const NodeObservation& seen_;
  const NodeState& before_;
};

ASSAY_DETAIL_HEADER_INLINE void NodeJudge::judge_devices() {
  std::vector<std::string> present = seen_.devices;
  std::sort(present.begin(), present.end());
  for (std::size_t i = 1; i < present.size(); ++i)
    if (present[i] == present[i - 1]) find(HealthLevel::unknown, present[i] + " is reported twice");
  present.erase(std::unique(present.begin(), present.end()), present.end());
  report.devices_present = present.size();
  if (manifest_.devices.empty() && !manifest_.device_count) {
    report.notes.emplace_back("no manifest says which devices there must be: absent ones cannot be told");
    return;
  }
  report.devices_expected = manifest_.device_count.value_or(manifest_.devices.size());
  ++report.checks;
  for (const std::string& device : manifest_.devices)
    if (!std::binary_search(present.begin(), present.end(), device))
      find(HealthLevel::critical, device + " is absent", "reseat or replace the device, then power-cycle");
  if (manifest_.devices.empty() && present.size() < *report.devices_expected)
    find(HealthLevel::critical,
         std::to_string(*report.devices_expected - present.size()) + " of " + std::to_string(*report.devices_expected) +
             " devices are absent",
         "reseat or replace the device, then power-cycle");
  if (present.size() > *report.devices_expected)
    find(HealthLevel::warning, std::to_string(present.size()) + " devices, where the manifest has " +
                                   std::to_string(*report.devices_expected));
}

ASSAY_DETAIL_HEADER_INLINE void NodeJudge::judge_versions() {
  for (const auto& [name, wanted] : manifest_.versions) {
    ++report.checks;
    const auto found = seen_.versions.find(name);
    if (found == seen_.versions.end())
      find(HealthLevel::unknown, name + ": version unknown, expected " + wanted);
    else if (found->second != wanted)
      find(HealthLevel::critical, name + " is " + found->second + ", expected " + wanted, "install " + wanted);
  }
}

ASSAY_DETAIL_HEADER_INLINE void NodeJudge::judge(const NodeLimit& limit, const NodeReading& reading) {
  const std::string what = reading.device + " " + reading.name;
  ++report.checks;
  if (reading.state == ReadingState::lost) {
    find(HealthLevel::critical, what + " is lost: the device no longer answers", limit.remedy);
    return;
  }
  if (reading.state == ReadingState::failed ||
      (reading.state == ReadingState::value && !std::isfinite(reading.value))) {
    find(HealthLevel::unknown, what + " could not be read", limit.remedy);
    return;
  }
  if (reading.state == ReadingState::unsupported) {
    if (!limit.optional) find(HealthLevel::unknown, what + " is not offered, and there is a limit on it");
    return;
  }
  if (limit.maximum && reading.value > *limit.maximum)
    find(limit.level, what + " is " + number_text(reading.value, 4) + ", at most " + number_text(*limit.maximum, 4),
         limit.remedy);
  if (limit.minimum && reading.value < *limit.minimum)
    find(limit.level, what + " is " + number_text(reading.value, 4) + ", at least " + number_text(*limit.minimum, 4),
         limit.remedy);
  if (limit.at_least) judge_at_least(limit, reading);
  const auto earlier = before_.counters.find(reading.device + "/" + reading.name);
  if (limit.most_increase && earlier != before_.counters.end()) {
    const bool fell = reading.value < earlier->second;
    const double increase = fell ? reading.value : reading.value - earlier->second;
    if (fell) report.notes.push_back(what + " fell: it was reset, and counts from 0");
    if (increase > *limit.most_increase)
      find(limit.level,
           what + " rose by " + number_text(increase, 4) + " since the last check, at most " +
               number_text(*limit.most_increase, 4),
           limit.remedy);
  }
}

/// What cannot be held against the other reading has not kept the limit.
ASSAY_DETAIL_HEADER_INLINE void NodeJudge::judge_at_least(const NodeLimit& limit, const NodeReading& reading) {
  const std::string what = reading.device + " " + reading.name;
  const NodeReading* other = this->reading(reading.device, *limit.at_least);
  const auto undecided = [&](const char* why) {
    find(HealthLevel::unknown, what + " cannot be held against " + *limit.at_least + ", which " + why, limit.remedy);
  };
  if (other == nullptr || other->state == ReadingState::unsupported) {
    if (!limit.optional) undecided(other == nullptr ? "nothing reads" : "is not offered");
  } else if (other->state == ReadingState::lost) {
    undecided("is lost");
  } else if (other->state == ReadingState::failed || !std::isfinite(other->value)) {
    undecided("could not be read");
  } else if (reading.value < other->value) {
    find(limit.level, what + " is " + number_text(reading.value, 4) + " of " + number_text(other->value, 4),
         limit.remedy);
  }
}

ASSAY_DETAIL_HEADER_INLINE void NodeJudge::judge_readings() {
  for (const NodeLimit& limit : manifest_.limits) {
    bool any = false;
    for (const NodeReading& one : seen_.readings)
      if (glob_matches(limit.device, one.device) && glob_matches(limit.reading, one.name)) {
        any = true;
        judge(limit, one);
      }
    if (!any && !limit.optional)
      find(HealthLevel::unknown,
           "nothing reads " + limit.reading + " of " + limit.device + ", and there is a limit on it");
  }
  for (const auto& [glob, wanted] : manifest_.paths) {
    ++report.checks;
    const NodeReading* count = reading("path:" + glob, "count");
    if (count == nullptr)
      find(HealthLevel::unknown, glob + " was not looked for");
    else if (count->value < static_cast<double>(wanted))
      find(HealthLevel::critical, number_text(count->value) + " of " + std::to_string(wanted) + " are there: " + glob);
  }
  for (const NodeReading& one : seen_.readings) {
    const bool counter = one.name.size() > 6 && one.name.compare(one.name.size() - 6, 6, "_total") == 0;
    if (counter && one.state == ReadingState::value && std::isfinite(one.value))
      report.state.counters[one.device + "/" + one.name] = one.value;
  }
  for (const auto& [name, value] : before_.counters) report.state.counters.try_emplace(name, value);
}

ASSAY_DETAIL_HEADER_INLINE void NodeJudge::judge_outcomes() {
  std::size_t passed = 0;
  for (const Outcome& outcome : seen_.outcomes) {
    ++report.checks;
    const std::string what = outcome.id + (outcome.reason.empty() ? "" : ": " + outcome.reason);
    if (outcome.verdict == Verdict::fail) find(HealthLevel::critical, what);
    // A device whose sensors fell silent is not known to be well.
    const bool silent = outcome.verdict == Verdict::inconclusive && outcome.label("operation") == "sensors";
    if (outcome.verdict == Verdict::error || silent) find(HealthLevel::unknown, what);
    passed += outcome.verdict == Verdict::pass || outcome.verdict == Verdict::new_baseline ? 1 : 0;
  }
  const bool told = std::any_of(report.findings.begin(), report.findings.end(), [](const NodeFinding& finding) {
    return finding.level == HealthLevel::critical || finding.level == HealthLevel::unknown;
  });
  if (!seen_.outcomes.empty() && passed == 0 && !told)
    find(HealthLevel::unknown, "none of " + std::to_string(seen_.outcomes.size()) + " outcomes passed");
}

ASSAY_DETAIL_HEADER_INLINE void NodeJudge::judge_history() {
  if (before_.seconds > seen_.seconds)
    find(HealthLevel::warning, "the clock went back by " + duration_text(before_.seconds - seen_.seconds),
         "synchronize the clock");
  detail::stable_sort(report.findings,
                      [](const NodeFinding& a, const NodeFinding& b) { return severity(a.level) > severity(b.level); });
  if (report.checks == 0 && report.findings.empty())
    find(HealthLevel::unknown, "nothing was checked: no manifest, no readings, no results");
  report.level = report.findings.empty() ? HealthLevel::ok : report.findings.front().level;
  std::vector<HealthLevel>& history = report.state.history;
  history = before_.history;
  history.push_back(report.level);
  if (history.size() > NodeState::most_history)
    history.erase(history.begin(), history.end() - static_cast<std::ptrdiff_t>(NodeState::most_history));
  const auto bad = [](HealthLevel level) { return level == HealthLevel::critical || level == HealthLevel::unknown; };
  std::size_t bad_checks = 0, changes = 0;
  for (std::size_t i = 0; i < history.size(); ++i) {
    bad_checks += bad(history[i]) ? 1 : 0;
    changes += i > 0 && bad(history[i]) != bad(history[i - 1]) ? 1 : 0;
  }
  const std::string of = " of the last " + std::to_string(history.size()) + " checks";
  if (bad_checks >= 3 && bad(report.level))
    report.notes.push_back("repeated offender: bad in " + std::to_string(bad_checks) + of);
  if (changes >= 4) {
    const std::string what = "flapping: " + std::to_string(changes) + " changes in" + of.substr(3);
    report.notes.push_back(what);
    if (report.level == HealthLevel::ok) {
      find(HealthLevel::warning, what, "keep it out of service until it stays well");
      report.level = HealthLevel::warning;
    }
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<NodeLimit> default_node_limits() {
  const auto limit = [](std::string device, std::string reading, HealthLevel level, std::string remedy) {
    NodeLimit one;
    one.device = std::move(device);
    one.reading = std::move(reading);
    one.level = level;
    one.remedy = std::move(remedy);
    one.optional = true;
    return one;
  };
  std::vector<NodeLimit> limits;
  limits.push_back(limit("*", "pci_link_width", HealthLevel::warning, "reseat the device or its riser"));
  limits.back().at_least = "pci_link_width_maximum";
  limits.push_back(limit("*", "memory_errors_uncorrected_total", HealthLevel::critical, "replace the module"));
  limits.back().most_increase = 0;
  limits.push_back(limit("*", "memory_errors_corrected_total", HealthLevel::warning, "watch it; replace the module"));
  limits.back().most_increase = 100;
  limits.push_back(limit("*", "pci_errors_fatal_total", HealthLevel::critical, "reseat or replace the device"));
  limits.back().most_increase = 0;
  limits.push_back(limit("host", "clock_synchronized", HealthLevel::warning, "start a time service"));
  limits.back().minimum = 1;
  limits.push_back(limit("disk:*", "free_ratio", HealthLevel::critical, "make room"));
  limits.back().minimum = 0.02;
  return limits;
}

ASSAY_DETAIL_HEADER_INLINE NodeReport judge_node(const NodeManifest& manifest, const NodeObservation& observation,
                                                 const NodeState& before) {
  detail::NodeJudge judge(manifest, observation, before);
  judge.judge_devices();
  judge.judge_versions();
  judge.judge_readings();
  judge.judge_outcomes();
  judge.judge_history();
  return std::move(judge.report);
}

ASSAY_DETAIL_HEADER_INLINE Run node_run(const NodeReport& report) {
  Run run;
  run.title = "Node " + report.node + ": " + std::string(name_of(report.level));
  const auto add = [&](std::string id, Verdict verdict, std::string reason, const std::string& remedy) {
    Outcome outcome;
    outcome.id = std::move(id);
    outcome.verdict = verdict;
    outcome.reason = std::move(reason);
    if (!remedy.empty()) outcome.diagnosis.push_back("to do: " + remedy);
    outcome.labels = {{"node", report.node}};
    run.outcomes.push_back(std::move(outcome));
  };
  std::size_t number = 0;
  for (const NodeFinding& finding : report.findings)
    add("node/" + report.node + "/" + std::to_string(++number),
        finding.level == HealthLevel::critical  ? Verdict::fail
        : finding.level == HealthLevel::unknown ? Verdict::error
                                                : Verdict::inconclusive,
        finding.what, finding.remedy);
  if (report.findings.empty()) add("node/" + report.node, Verdict::pass, {}, {});
  if (report.level == HealthLevel::warning) add("node/" + report.node, Verdict::pass, "with warnings", {});
  run.outcomes.front().measure("checks", static_cast<double>(report.checks));
  run.outcomes.front().measure("devices_present", static_cast<double>(report.devices_present));
  run.planned_cases = run.outcomes.size();
  return run;
}

}  // namespace assay::inline v0
