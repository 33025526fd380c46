#pragma once

#include "assay/suite/merge_runs.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

/// The values, each once, in the order in which they come.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string joined_once(const std::vector<std::string>& values) {
  std::string text;
  std::set<std::string> seen;
  for (const std::string& value : values)
    if (!value.empty() && seen.insert(value).second) text += (text.empty() ? "" : "; ") + value;
  return text;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Environment merged_environment(const std::vector<Run>& runs) {
  Environment merged = runs.front().environment;
  const auto join = [&](std::string Environment::*member) {
    std::vector<std::string> values;
    for (const Run& run : runs) values.push_back(run.environment.*member);
    merged.*member = joined_once(values);
  };
  for (const auto member : {&Environment::host_name, &Environment::operating_system, &Environment::processor,
                            &Environment::instruction_sets, &Environment::compiler, &Environment::compiler_flags})
    join(member);
  for (const Run& run : runs) {
    if (!run.environment.started_at.empty() &&
        (merged.started_at.empty() || run.environment.started_at < merged.started_at))
      merged.started_at = run.environment.started_at;
    for (const std::string& device : run.environment.devices)
      if (std::find(merged.devices.begin(), merged.devices.end(), device) == merged.devices.end())
        merged.devices.push_back(device);
    for (const auto& library : run.environment.libraries)
      if (std::find(merged.libraries.begin(), merged.libraries.end(), library) == merged.libraries.end())
        merged.libraries.push_back(library);
  }
  return merged;
}

/// How much an outcome says against a kernel.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE int gravity(Verdict verdict) {
  switch (verdict) {
    case Verdict::fail: return 6;
    case Verdict::error: return 5;
    case Verdict::inconclusive: return 4;
    case Verdict::pass: return 3;
    case Verdict::new_baseline: return 2;
    case Verdict::unsupported: return 1;
    case Verdict::skipped: return 0;
  }
  return 0;
}

/// The shards of runs that are parts of one, all of one count. Empty where the runs are whole.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<std::vector<Shard>> shards_of(const std::vector<Run>& runs) {
  std::vector<Shard> shards;
  for (const Run& run : runs) {
    if (run.shard.empty()) {
      if (!shards.empty())
        return failure(ErrorKind::invalid,
                       "the run '" + run.title + "' is whole, and others are parts of a run; merge parts with parts");
      continue;
    }
    const auto shard = parse_shard(run.shard);
    if (!shard) return shard.propagate();
    if ((shards.empty() && &run != &runs.front()) || (!shards.empty() && shards.front().count != shard.value().count))
      return failure(ErrorKind::invalid, "shard " + run.shard + " was given beside " +
                                             (shards.empty() ? std::string("a whole run")
                                                             : "parts of " + std::to_string(shards.front().count)) +
                                             "; merge the parts of one run");
    shards.push_back(shard.value());
  }
  return shards;
}

/// Ascending by shard, runs and shards alike.
ASSAY_DETAIL_HEADER_INLINE void sort_by_shard(std::vector<Run>& runs, std::vector<Shard>& shards) {
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  stable_sort(order, [&](std::size_t a, std::size_t b) { return shards[a].index < shards[b].index; });
  std::vector<Run> sorted_runs;
  std::vector<Shard> sorted_shards;
  for (const std::size_t index : order) {
    sorted_runs.push_back(std::move(runs[index]));
    sorted_shards.push_back(shards[index]);
  }
  runs = std::move(sorted_runs);
  shards = std::move(sorted_shards);
}

/// Nothing wrong if the runs can be parts of one selection: no case is in two parts, and their sizes are as cards are
/// dealt. Only the first may be larger, by errors: plugins that could not be loaded. Precondition: ascending by shard.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_parts(const std::vector<Run>& runs,
                                                                  const std::vector<Shard>& shards) {
  std::map<std::string, std::size_t> part_of;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto refused = [&](const std::string& why) {
      return failure(ErrorKind::invalid, "shard " + runs[i].shard + " is no part of the same run as the others: " +
                                             why + "; run all with the same selection, program and libraries");
    };
    if (runs[i].title != runs.front().title)
      return refused("its title is '" + runs[i].title + "', theirs '" + runs.front().title + "'");
    for (const Outcome& outcome : runs[i].outcomes)
      if (const auto [found, added] = part_of.emplace(outcome.id, shards[i].index);
          !added && found->second != shards[i].index)
        return refused("the case '" + outcome.id + "' is in shard " + name_of(Shard{found->second, shards[i].count}) +
                       ", too");
    for (std::size_t j = 0; j < i; ++j) {
      const bool same = shards[j].index == shards[i].index;
      const std::size_t sooner = runs[j].planned_cases, later = runs[i].planned_cases;
      const std::size_t errors = shards[j].index > 1 ? 0
                                 : sooner > runs[j].outcomes.size()
                                     ? sooner - runs[j].outcomes.size() + runs[j].count(Verdict::error)
                                     : runs[j].count(Verdict::error);
      if (!same && (later > sooner || sooner - later > 1 + errors))
        return refused("it has " + std::to_string(later) + " cases, and shard " + runs[j].shard + " has " +
                       std::to_string(sooner));
    }
  }
  return {};
}

/// Nothing wrong if cases that are judged by these rules were judged in the same way. Where there are no rules, nothing
/// is known.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Result<void> check_rules(const std::map<std::string, std::string>& some,
                                                                  const std::map<std::string, std::string>& others) {
  if (some.empty() || others.empty()) return {};
  const auto value = [](const std::map<std::string, std::string>& rules, const std::string& name) {
    const auto found = rules.find(name);
    return found == rules.end() ? std::string("not given") : "'" + found->second + "'";
  };
  std::map<std::string, std::string> all = some;
  all.insert(others.begin(), others.end());
  for (const auto& [name, rule] : all)
    if (value(some, name) != value(others, name))
      return failure(ErrorKind::invalid, "runs that were judged by different rules are not parts of one: " + name +
                                             " is " + value(some, name) + " in one of them and " + value(others, name) +
                                             " in another; run all with the same");
  return {};
}

/// How many planned cases neither ran nor are named; what is named `not_run` and did not run in another of the runs
/// either stays there.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::size_t unnamed_cases(const std::vector<Run>& runs,
                                                                   std::set<std::string>& not_run) {
  std::size_t unnamed = 0;
  for (const Run& run : runs) {
    const std::size_t named = run.outcomes.size() + run.cases_not_run.size();
    unnamed += run.planned_cases > named ? run.planned_cases - named : 0;
    not_run.insert(run.cases_not_run.begin(), run.cases_not_run.end());
  }
  for (const Run& run : runs)
    for (const Outcome& outcome : run.outcomes) not_run.erase(outcome.id);
  return unnamed;
}

/// Of every case the gravest outcome, where it stood first; its diagnosis says how often it ran and with what verdicts.
template <class Ordered>
[[nodiscard]] std::vector<Outcome> gravest_of_each(Ordered& ordered) {
  std::vector<Outcome> outcomes;
  std::map<std::string, std::size_t> places;
  std::map<std::size_t, std::vector<std::string>> repeated;
  for (auto& [place, outcome] : ordered) {
    const auto [found, added] = places.emplace(outcome.id, outcomes.size());
    if (added) {
      outcomes.push_back(std::move(outcome));
      continue;
    }
    Outcome& kept = outcomes[found->second];
    std::vector<std::string>& verdicts = repeated[found->second];
    if (verdicts.empty()) verdicts.emplace_back(name_of(kept.verdict));
    verdicts.emplace_back(name_of(outcome.verdict));
    if (gravity(outcome.verdict) > gravity(kept.verdict)) kept = std::move(outcome);
  }
  for (const auto& [place, verdicts] : repeated)
    outcomes[place].diagnosis.push_back("ran in " + std::to_string(verdicts.size()) +
                                        " of the merged runs: " + joined_once(verdicts));
  return outcomes;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<Run> merge_runs(std::vector<Run> runs) {
  expect(!runs.empty(), [] { return "merge_runs was given no runs; give at least one"; });
  Run merged;
  for (const Run& run : runs) {
    if (run.seed != runs.front().seed)
      return failure(ErrorKind::invalid, "runs with the seeds " + std::to_string(runs.front().seed) + " and " +
                                             std::to_string(run.seed) +
                                             " are not parts of one; run all with the same --seed");
    if (run.environment.assay_version != runs.front().environment.assay_version)
      return failure(ErrorKind::invalid, "runs by Assay " + runs.front().environment.assay_version + " and " +
                                             run.environment.assay_version +
                                             " are not parts of one; run all with the same version");
    if (const auto checked = detail::check_rules(merged.rules, run.rules); !checked) return checked.propagate();
    if (merged.rules.empty()) merged.rules = run.rules;
  }
  auto parts = detail::shards_of(runs);
  if (!parts) return parts.propagate();
  std::vector<Shard>& shards = parts.value();
  if (!shards.empty()) {
    detail::sort_by_shard(runs, shards);
    if (const auto checked = detail::check_parts(runs, shards); !checked) return checked.propagate();
    if (shards.front().count > runs.size() + detail::most_missing_parts)
      return failure(ErrorKind::invalid, "shard " + runs.front().shard + " is one of " +
                                             std::to_string(shards.front().count) + " parts, and only " +
                                             std::to_string(runs.size()) + (runs.size() == 1 ? " was" : " were") +
                                             " given; give all parts of the run");
  }

  merged.title = runs.front().title;
  merged.seed = runs.front().seed;
  merged.environment = detail::merged_environment(runs);
  std::vector<std::string> commands, hosts;
  for (const Run& run : runs) {
    commands.push_back(run.command);
    hosts.push_back(run.environment.host_name);
    merged.require_conclusive = merged.require_conclusive || run.require_conclusive;
    merged.duration_seconds += run.duration_seconds;
  }
  merged.command = detail::joined_once(commands);
  std::set<std::string> not_run;
  const std::size_t unnamed = detail::unnamed_cases(runs, not_run);
  const bool several_hosts = std::set<std::string>(hosts.begin(), hosts.end()).size() > 1;

  struct Place {
    std::size_t round, part;
    auto operator<=>(const Place&) const = default;
  };
  std::map<Place, Outcome> ordered;
  std::set<std::size_t> given;
  for (const Shard& shard : shards) given.insert(shard.index);
  const bool complete =
      !shards.empty() && given.size() == shards.size() && given.size() == shards.front().count &&
      std::all_of(runs.begin(), runs.end(), [](const Run& run) { return run.outcomes.size() == run.planned_cases; });
  for (std::size_t part = 0; part < runs.size(); ++part)
    for (std::size_t position = 0; position < runs[part].outcomes.size(); ++position) {
      Outcome& outcome = runs[part].outcomes[position];
      if (several_hosts) outcome.labels.emplace("host", hosts[part]);
      ordered.emplace(complete ? Place{position, part} : Place{part, position}, std::move(outcome));
    }

  merged.outcomes = detail::gravest_of_each(ordered);
  merged.cases_not_run.assign(not_run.begin(), not_run.end());
  merged.planned_cases = merged.outcomes.size() + merged.cases_not_run.size() + unnamed;
  std::vector<std::string> names;
  for (const Run& run : runs) names.push_back(run.shard);
  for (const std::string& shard : detail::missing_shards(names, std::numeric_limits<std::size_t>::max())) {
    Outcome missing = detail::error_outcome("no result of this part was given; run it, or give its file too");
    missing.id = "shard/" + shard;
    missing.labels = {{"shard", shard}};
    merged.outcomes.push_back(std::move(missing));
    ++merged.planned_cases;
  }
  return merged;
}

}  // namespace assay::inline v0
