#ifdef ASSAY_HAS_OPENSSL
#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/baselines/compare_golden.hpp"
#include "assay/baselines/prune.hpp"
#include "assay/baselines/record_archive.hpp"
#include "assay/report/json.hpp"
#include "assay/report/text.hpp"
#include "assay/report/text_table.hpp"
#include "baseline_options.hpp"
#include "baseline_store.hpp"
#include "fault.hpp"

namespace assay_program {

namespace {

using AnyBaseline = assay::Baseline<assay::AnyStore>;

bool is_candidate(const NamedRecord& named) {
  return named.key != named.record.key;
}

/// Tells records that cannot be read, and gives the exit code for them.
int tell_unreadable(const std::vector<std::string>& unreadable) {
  for (const std::string& message : unreadable) static_cast<void>(fault(message));
  return unreadable.empty() ? 0 : 2;
}

std::string approval_of(const assay::BaselineRecord& record) {
  return record.approved_by.empty() ? "nobody" : record.approved_by + " " + record.approved_at;
}

int list(const AnyBaseline& baseline, const BaselineCommandOptions& options) {
  std::vector<std::string> unreadable;
  const auto found = records_named(baseline, options.names, unreadable);
  if (!found) return fault(found.error().message);
  for (const NamedRecord& named : found.value()) {
    const assay::BaselineRecord& record = named.record;
    std::printf("%s  %-9s  %s  %s  tolerance %s, made %s, approved by %s\n", record.key.substr(0, 12).c_str(),
                is_candidate(named) ? "candidate" : "golden", assay::visible(title_of(record)).c_str(),
                assay::detail::shape_text(record.tensor).c_str(), record.tolerance.c_str(), record.created_at.c_str(),
                assay::visible(approval_of(record)).c_str());
  }
  return tell_unreadable(unreadable);
}

/// The one record that a name means, the golden one where there is a candidate, too.
assay::Result<NamedRecord> only_record(const AnyBaseline& baseline, const std::string& name) {
  std::vector<std::string> unreadable;
  auto found = records_named(baseline, {name}, unreadable);
  if (!found) return found.propagate();
  std::set<std::string> keys;
  for (const NamedRecord& named : found.value()) keys.insert(named.record.key);
  if (keys.size() > 1)
    return assay::failure(assay::ErrorKind::invalid, "'" + name + "' fits " + std::to_string(keys.size()) +
                                                         " baselines; give more of a key (assay baseline list)");
  return found.value().front();
}

int show(const AnyBaseline& baseline, const BaselineCommandOptions& options) {
  const auto chosen = only_record(baseline, options.names.front());
  if (!chosen) return fault(chosen.error().message);
  const std::string text = assay::record_text(chosen.value().record);
  const std::size_t first = text.find('\n') + 1, last = text.find("\n}\n", first) + 3;
  std::printf("%s", text.substr(first, last - first).c_str());
  return 0;
}

int approve(AnyBaseline& baseline, const BaselineCommandOptions& options) {
  std::vector<std::string> unreadable;
  const auto found = records_named(baseline, options.names, unreadable);
  if (!found) return fault(found.error().message);
  std::map<std::string, bool> keys;  // whether there is a candidate
  for (const NamedRecord& named : found.value())
    if (is_candidate(named) || named.record.approved_by.empty()) keys[named.record.key] |= is_candidate(named);
  if (keys.empty()) return fault("nothing to approve: these baselines are approved, and have no candidates");
  for (const auto& [key, candidate] : keys) {
    const auto approved = baseline.approve(key, options.by, options.note);
    if (!approved) return fault(approved.error().message);
    std::printf("%s  %s  %s, approved by %s\n", key.substr(0, 12).c_str(), title_of(approved.value()).c_str(),
                candidate ? "the candidate took the place of the golden output" : "golden", options.by.c_str());
  }
  return 0;
}

/// What two records differ in; empty if in nothing that a comparison sees.
std::string difference(const assay::BaselineRecord& one, const assay::BaselineRecord& other) {
  std::string text;
  if (one.tolerance != other.tolerance) text += "tolerance " + one.tolerance + " / " + other.tolerance + "; ";
  if (one.tensor.digest == other.tensor.digest && one.tensor.format == other.tensor.format &&
      one.tensor.extents == other.tensor.extents)
    return text;
  if (one.tensor.sampled != other.tensor.sampled || one.tensor.sums.columns != other.tensor.sums.columns)
    return text + "other bits, kept in other ways";
  const assay::GoldenComparison compared = assay::compare_golden(one.tensor, other.tensor, {}, "exact");
  if (compared.elements == 0 || compared.differing == 0) return text + compared.reason;
  return text + std::to_string(compared.differing) + " of " + std::to_string(compared.elements) +
         " elements differ, by " + assay::number_text(compared.max_absolute_error) + " at most (" +
         assay::number_text(compared.max_ulp_error) + " ulp); element " + std::to_string(compared.worst_element) +
         " is " + assay::number_text(compared.worst_golden, 9) + " / " + assay::number_text(compared.worst_new, 9);
}

int tell_difference(const std::string& title, const assay::BaselineRecord& one, const assay::BaselineRecord& other) {
  const std::string text = difference(one, other);
  std::printf("%s: %s\n", title.c_str(), text.empty() ? "equal" : text.c_str());
  return text.empty() ? 0 : 1;
}

int diff_records(const AnyBaseline& baseline, const BaselineCommandOptions& options) {
  const auto one = only_record(baseline, options.names.front());
  if (!one) return fault(one.error().message);
  const std::string& key = one.value().record.key;
  if (options.names.size() == 2) {
    const auto other = only_record(baseline, options.names.back());
    if (!other) return fault(other.error().message);
    return tell_difference(title_of(one.value().record) + " / " + title_of(other.value().record), one.value().record,
                           other.value().record);
  }
  const auto candidate = baseline.load(AnyBaseline::candidate_key(key));
  if (!candidate) return fault(candidate.error().message);
  if (!candidate.value() || is_candidate(one.value()))
    return fault("of " + key.substr(0, 12) + " there is " + (candidate.value() ? "a candidate only" : "no candidate") +
                 "; name two baselines, or another store by --with");
  return tell_difference(title_of(one.value().record) + ", golden / candidate", one.value().record, *candidate.value());
}

int diff_stores(const AnyBaseline& baseline, const BaselineCommandOptions& options) {
  auto opened = open_baseline_store(options.other_store, assay::StoreAccess::existing);
  if (!opened) return fault(opened.error().message);
  const AnyBaseline other(std::move(opened).value());
  std::vector<std::string> unreadable;
  const auto first = records_named(baseline, options.names, unreadable),
             second = records_named(other, options.names, unreadable);
  if (!first && !second) return fault(first.error().message);
  for (const auto* side : {&first, &second})
    if (!*side && side->error().kind != assay::ErrorKind::not_found) return fault(side->error().message);
  std::map<std::string, std::pair<const NamedRecord*, const NamedRecord*>> pairs;
  if (first)
    for (const NamedRecord& named : first.value()) pairs[named.key].first = &named;
  if (second)
    for (const NamedRecord& named : second.value()) pairs[named.key].second = &named;
  int code = 0, equal = 0;
  for (const auto& [key, both] : pairs) {
    const NamedRecord& either = both.first != nullptr ? *both.first : *both.second;
    const std::string title =
        key.substr(0, 12) + (is_candidate(either) ? " (candidate)  " : "  ") + title_of(either.record);
    if (both.first == nullptr || both.second == nullptr) {
      std::printf("%s: only in %s\n", title.c_str(),
                  (both.first != nullptr ? baseline : other).store().describe().c_str());
      code = 1;
    } else if (difference(both.first->record, both.second->record).empty()) {
      ++equal;
    } else {
      code = tell_difference(title, both.first->record, both.second->record);
    }
  }
  std::printf("%d equal, of %zu\n", equal, pairs.size());
  const int trouble = tell_unreadable(unreadable);
  return trouble != 0 ? trouble : code;
}

assay::Result<assay::PruneRule> prune_rule(const BaselineCommandOptions& options) {
  assay::PruneRule rule;
  rule.candidates_only = options.candidates;
  if (!options.older_than.empty()) {
    int days = 0;
    const char* const end = options.older_than.data() + options.older_than.size();
    const auto [stopped, code] = std::from_chars(options.older_than.data(), end, days);
    if (code != std::errc() || stopped != end || days < 0)
      return assay::failure(assay::ErrorKind::invalid,
                            "--older-than is '" + options.older_than + "'; give a whole number of days");
    rule.older_than = std::chrono::days(days);
  }
  for (const std::string& file : options.unused_in) {
    const auto run = assay::read_json(file);
    if (!run) return run.propagate();
    if (!rule.used) rule.used.emplace();
    for (const assay::Outcome& outcome : run.value().outcomes)
      if (!outcome.label("baseline").empty()) rule.used->insert(outcome.label("baseline"));
  }
  if (rule.used && rule.used->empty())
    return assay::failure(
        assay::ErrorKind::invalid,
        "the reports of --unused-in hold no comparison with a baseline: all would be unused. Name reports that assay "
        "baseline compare wrote");
  return rule;
}

int prune(AnyBaseline& baseline, const BaselineCommandOptions& options) {
  const auto rule = prune_rule(options);
  if (!rule) return fault(rule.error().message);
  const auto entries = assay::chosen_by(rule.value(), baseline);
  if (!entries) return fault(entries.error().message);
  std::size_t erased = 0, kept = 0;
  std::vector<std::string> unreadable;
  for (const assay::PruneEntry& entry : entries.value()) {
    if (!entry.chosen) {
      ++kept;
      if (entry.test.empty()) unreadable.push_back(entry.reason);
      continue;
    }
    std::printf("%s  %s: %s\n", entry.key.substr(0, 12).c_str(), entry.test.c_str(), entry.reason.c_str());
    if (!options.dry_run)
      if (const auto gone = baseline.store().erase(entry.key); !gone) return fault(gone.error().message);
    ++erased;
  }
  std::printf("%zu %s, %zu kept\n", erased, options.dry_run ? "would be erased" : "erased", kept);
  return tell_unreadable(unreadable);
}

int export_to(const AnyBaseline& baseline, const BaselineCommandOptions& options) {
  std::vector<std::string> unreadable, keys;
  const auto found = records_named(baseline, options.names, unreadable);
  if (!found) return fault(found.error().message);
  if (const int code = tell_unreadable(unreadable); code != 0)
    return fault("nothing was exported, for an archive without these records would pass for the whole");
  for (const NamedRecord& named : found.value()) keys.push_back(named.key);
  const auto written = assay::export_records(baseline.store(), keys, options.to);
  if (!written) return fault(written.error().message);
  std::printf("%zu records exported to %s\n", written.value(), options.to.c_str());
  return 0;
}

int import_from(AnyBaseline& baseline, const BaselineCommandOptions& options) {
  const auto done = assay::import_records(baseline.store(), options.names.front());
  if (!done) return fault(done.error().message);
  const assay::ImportReport& report = done.value();
  for (const std::string& key : report.conflicts)
    std::printf("%s  not imported: the store has another record, which stays\n", key.substr(0, 12).c_str());
  std::printf("%zu imported, %zu there already, %zu in conflict\n", report.imported, report.unchanged,
              report.conflicts.size());
  return report.conflicts.empty() ? 0 : 1;
}

}  // namespace

int manage_baselines(const BaselineCommandOptions& options) {
  auto opened = open_baseline_store(
      options.store, options.action == "import" ? assay::StoreAccess::create : assay::StoreAccess::existing);
  if (!opened) return fault(opened.error().message);
  AnyBaseline baseline(std::move(opened).value());
  if (options.action == "list") return list(baseline, options);
  if (options.action == "show") return show(baseline, options);
  if (options.action == "approve") return approve(baseline, options);
  if (options.action == "diff")
    return options.other_store.empty() ? diff_records(baseline, options) : diff_stores(baseline, options);
  if (options.action == "prune") return prune(baseline, options);
  if (options.action == "export") return export_to(baseline, options);
  return import_from(baseline, options);
}

}  // namespace assay_program
#endif
