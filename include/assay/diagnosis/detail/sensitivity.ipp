#pragma once

#include "assay/diagnosis/detail/sensitivity.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> ProbeReactions::explanation() {
  const auto first = std::chrono::steady_clock::now();
  const auto base = run(case_.before);
  if (std::chrono::duration<double>(std::chrono::steady_clock::now() - first).count() > seconds_ / 4)
    return std::nullopt;
  if (base.empty()) return std::nullopt;
  const auto started = std::chrono::steady_clock::now();
  std::vector<Reaction> reactions;
  for (const auto& [position, element] : probes()) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() > seconds_) break;
    ChangedOperands changed(case_.before);
    const Operand& operand = changed.own(position);
    const double value = operand.load(element);
    operand.store(element, is_finite(value) && value != 0 ? -1.5 * value : 1);
    const auto probed = run(changed.array());
    if (probed.size() != base.size()) continue;
    reactions.push_back(react(base, probed, position, element));
  }
  return judge(reactions);
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::pair<int, Index>> ProbeReactions::probes() const {
  std::vector<std::pair<int, Index>> chosen;
  for (const int position : float_inputs(case_)) {
    const Operand& operand = case_.before[position];
    std::vector<Index> elements{operand.size() - 1, 0};
    std::uint64_t state = 0x9E3779B97F4A7C15u;
    const auto random = [&] {
      return static_cast<Index>((state = state * 6364136223846793005u + 1442695040888963407u) >> 33) % operand.size();
    };
    Index inner = operand.size();
    for (int d = 0; d < operand.rank; ++d) {
      const Index extent = operand.extents[d];
      inner /= extent;
      const auto with = [&](Index index) {
        return [&, index](Index element) { return element + (index - element / inner % extent) * inner; }(random());
      };
      elements.push_back(with(extent - 1));
      elements.push_back(with(0));
    }
    for (int extra = 0; extra < 6; ++extra) elements.push_back(random());
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    for (const Index element : elements) chosen.emplace_back(position, element);
  }
  return chosen;
}

ASSAY_DETAIL_HEADER_INLINE Reaction ProbeReactions::react(const std::vector<FailingOutput>& base,
                                                          const std::vector<FailingOutput>& probed, int position,
                                                          Index element) const {
  Reaction reaction;
  reaction.position = position;
  reaction.in_second_half = 2 * element >= case_.before[position].size();
  reaction.where = case_.specs[static_cast<std::size_t>(position)].name + "[";
  Index inner = case_.before[position].size();
  for (int d = 0; d < case_.before[position].rank; ++d) {
    inner /= case_.before[position].extents[d];
    reaction.where += (d > 0 ? ", " : "") + std::to_string(element / inner % case_.before[position].extents[d]);
  }
  reaction.where += "]";
  for (std::size_t o = 0; o < base.size(); ++o)
    for (std::size_t i = 0; i < base[o].size(); ++i) {
      const double due = probed[o].expected[i] - base[o].expected[i], got = probed[o].actual[i] - base[o].actual[i];
      if (!is_finite(due) || !is_finite(got)) continue;
      const double noise = static_cast<double>(base[o].error[i]) + static_cast<double>(probed[o].error[i]) +
                           base[o].format.unit_in_last_place(base[o].expected[i]) +
                           base[o].format.unit_in_last_place(probed[o].expected[i]) +
                           base[o].format.unit_in_last_place(base[o].actual[i]) +
                           base[o].format.unit_in_last_place(probed[o].actual[i]);
      if (std::fabs(due) > 16 * noise) {
        ++reaction.due;
        const double gain = got / due;
        reaction.absent += std::fabs(gain) < 0.1 ? 1 : 0;
        reaction.doubled += gain > 1.8 && gain < 2.2 ? 1 : 0;
        reaction.right += gain > 0.85 && gain < 1.15 ? 1 : 0;
        reaction.noisy += (gain >= 0.1 && gain <= 0.85) || (gain >= 1.15 && gain <= 1.8) ? 1 : 0;
      } else if (std::fabs(due) < noise && std::fabs(got) > 16 * noise) {
        ++reaction.undue;
      }
    }
  return reaction;
}

ASSAY_DETAIL_HEADER_INLINE int ProbeReactions::not_ready(const std::vector<Reaction>& reactions) {
  int found = -1;
  for (const Reaction& one : reactions) {
    if (one.due == 0) continue;
    const bool blind = one.absent == one.due && one.undue == 0;
    if (!blind) continue;
    if (!one.in_second_half || (found >= 0 && found != one.position)) return -1;
    found = one.position;
  }
  if (found < 0) return -1;
  std::size_t first_half = 0;
  for (const Reaction& one : reactions) {
    if (one.position != found || one.due == 0) continue;
    if (one.in_second_half && one.absent != one.due) return -1;
    first_half += one.in_second_half ? 0 : 1;
  }
  return first_half >= 2 ? found : -1;
}

ASSAY_DETAIL_HEADER_INLINE int ProbeReactions::read_from_few_places(const std::vector<Reaction>& reactions) {
  struct Count {
    std::size_t due = 0, blind = 0, undue = 0;
  };
  std::map<int, Count> counts;
  for (const Reaction& one : reactions) {
    Count& of_operand = counts[one.position];
    of_operand.due += one.due > 0 ? 1 : 0;
    of_operand.blind += one.due > 0 && one.absent == one.due ? 1 : 0;
    of_operand.undue += one.undue > 0 ? 1 : 0;
  }
  for (const auto& [position, count] : counts)
    if (count.due >= 4 && 2 * count.blind >= count.due && count.undue > 0 && 2 * count.undue >= count.due - count.blind)
      return position;
  return -1;
}

ASSAY_DETAIL_HEADER_INLINE std::optional<Diagnosis> ProbeReactions::judge(const std::vector<Reaction>& reactions) {
  std::vector<const Reaction*> absent, doubled, undue, moved;
  std::size_t right = 0, noisy = 0;
  for (const Reaction& one : reactions) {
    noisy += one.noisy > 0 ? 1 : 0;
    if (one.absent > 0 && one.undue == 0 && 8 * one.absent < one.due) continue;  // swallowed by roundings
    if (one.absent > 0 && one.undue > 0)
      moved.push_back(&one);
    else if (one.absent > 0)
      absent.push_back(&one);
    else if (one.doubled > 0)
      doubled.push_back(&one);
    else if (one.undue > 0)
      undue.push_back(&one);
    else
      right += one.due > 0 && one.right == one.due ? 1 : 0;
  }
  const auto named = [&](FaultClass fault_class, const char* kind, const std::vector<const Reaction*>& which,
                         const std::string& what) {
    Diagnosis diagnosis{fault_class, kind, Confidence::likely, {}, {}};
    std::string places;
    for (std::size_t i = 0; i < which.size() && i < 4; ++i) places += (i > 0 ? ", " : "") + which[i]->where;
    diagnosis.evidence.push_back(
        what + " " + places + (which.size() > 4 ? " and " + std::to_string(which.size() - 4) + " more" : "") + ", of " +
        std::to_string(reactions.size()) + " elements that were changed one by one; to " + std::to_string(right) +
        " it reacts as it should");
    return diagnosis;
  };
  using enum FaultClass;
  if (const int position = not_ready(reactions); position >= 0 && absent.size() >= 3 && moved.empty())
    return named(state, "input_not_ready", absent,
                 "the kernel reacts to the first half of an operand, and nowhere to the second half, as if that had "
                 "not arrived:");
  if (moved.size() >= 3 && moved.size() > 2 * (absent.size() + doubled.size() + undue.size()))
    return named(addressing, "wrong_element_read", moved,
                 "elements of the output that should not react do so, and others that should do not, to");
  if (const int position = read_from_few_places(reactions); position >= 0) {
    std::vector<const Reaction*> of_operand;
    for (const Reaction& one : reactions)
      if (one.position == position && one.absent > 0) of_operand.push_back(&one);
    return named(
        addressing, "few_elements_read", of_operand,
        "the kernel reacts to some elements of an operand where it should not, and does not react where it should to");
  }
  if (absent.size() + moved.size() + doubled.size() + undue.size() <= std::max<std::size_t>(1, noisy))
    return std::nullopt;  // too little to tell it from coarse arithmetic
  if (right <= absent.size() + moved.size() + doubled.size() + undue.size())
    return std::nullopt;  // it is wrong altogether
  if (!moved.empty() && moved.size() >= absent.size())
    return named(addressing, "wrong_element_read", moved,
                 "elements of the output that should not react do so, and others that should do not, to");
  if (!absent.empty() && absent.size() >= doubled.size())
    return named(missing_work, "terms_missing", absent, "the kernel does not react where it should to");
  if (!doubled.empty())
    return named(repeated_work, "terms_repeated", doubled, "the kernel reacts twice as much as it should to");
  if (!undue.empty()) return named(repeated_work, "terms_too_many", undue, "the kernel reacts where it should not to");
  return std::nullopt;
}

}  // namespace assay::inline v0::detail
