#pragma once

#include "assay/release/check_policy.hpp"

#include <algorithm>
#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool matches_everything(const std::string& pattern) {
  return !pattern.empty() && pattern.find_first_not_of('*') == std::string::npos;
}

template <class Exemption>
[[nodiscard]] Result<void> check_exemption(const Exemption& entry, const std::string& what) {
  const auto refused = [&](const std::string& why) { return failure(ErrorKind::invalid, what + ": " + why); };
  if (trimmed(entry.owner).empty()) return refused("it has no owner; name who answers for it");
  if (trimmed(entry.reason).empty()) return refused("it has no reason; say why, and where that is tracked");
  if (entry.expires == CalendarDate()) return refused("it has no date of expiry; give the last day on which it holds");
  for (const std::string& id : entry.ids)
    if (id.empty()) return refused("an id in it is empty");
  return {};
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_gate(const Gate& gate) {
  const auto refused = [&](const std::string& why) {
    return failure(ErrorKind::invalid, "the gate '" + gate.name + "': " + why);
  };
  if (gate.minimum == 0) return refused("its minimum is 0, and a gate that saw nothing is not green; give 1 or more");
  if (gate.treatments.error == GateTreatment::ignored)
    return refused("an error cannot be ignored; take it as bad or undecided");
  for (const auto* lists : {&gate.selection.labels, &gate.cover})
    for (const auto& [label, values] : *lists)
      if (label.empty() || values.empty()) return refused("the label '" + label + "' is given without values");
  return {};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const GatePolicy& policy) {
  const auto refused = [](const std::string& why) { return failure(ErrorKind::invalid, why); };
  std::set<std::string> names;
  bool some_hard = false;
  for (const Gate& gate : policy.gates) {
    if (detail::trimmed(gate.name).empty()) return refused("a gate has no name");
    if (!names.insert(gate.name).second) return refused("the gate '" + gate.name + "' is given twice");
    some_hard = some_hard || gate.hard;
    if (const auto checked = detail::check_gate(gate); !checked) return checked;
  }
  if (!some_hard)
    return refused("the policy has no hard gate: nothing could block a release; make at least one gate hard");
  const std::vector<std::string> known(names.begin(), names.end());
  for (std::size_t i = 0; i < policy.waivers.size(); ++i) {
    const Waiver& waiver = policy.waivers[i];
    const std::string what = "waiver " + std::to_string(i + 1);
    if (const auto checked = detail::check_exemption(waiver, what); !checked) return checked;
    if (waiver.ids.empty() && waiver.gates.empty())
      return refused(what + ": it names neither ids nor gates; say what it waives");
    if (waiver.gates.empty() && std::any_of(waiver.ids.begin(), waiver.ids.end(), detail::matches_everything))
      return refused(what + ": it waives everything; name gates, or narrower ids");
    if (waiver.ids.empty() && std::any_of(waiver.gates.begin(), waiver.gates.end(), detail::matches_everything))
      return refused(what + ": it waives every gate; name those that are meant");
    if (waiver.missing_results && !waiver.ids.empty())
      return refused(what + ": missing results have no ids; leave out the ids, or 'missing_results'");
    for (const std::string& pattern : waiver.gates)
      if (std::none_of(known.begin(), known.end(),
                       [&](const std::string& name) { return glob_matches(pattern, name); }))
        return refused(what + ": " + unknown_name("gate", pattern, known));
  }
  for (std::size_t i = 0; i < policy.quarantine.size(); ++i) {
    const Quarantine& entry = policy.quarantine[i];
    const std::string what = "entry " + std::to_string(i + 1) + " of the quarantine";
    if (const auto checked = detail::check_exemption(entry, what); !checked) return checked;
    if (entry.ids.empty() || std::any_of(entry.ids.begin(), entry.ids.end(), detail::matches_everything))
      return refused(what + ": name the tests that are flaky, not all");
    if (!(entry.maximum_failure_rate > 0 && entry.maximum_failure_rate < 1))
      return refused(
          what +
          ": the largest failure rate lies between 0 and 1, both excluded: a test that always fails is not flaky");
  }
  return {};
}

}  // namespace assay::inline v0
