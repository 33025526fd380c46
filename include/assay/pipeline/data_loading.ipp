#pragma once

#include "assay/pipeline/data_loading.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "assay/accuracy/accuracy_outcome.hpp"
#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

namespace detail {

/// Why epochs show nothing of a promise; empty where they do.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string nothing_loaded(const LoaderPromise& promise,
                                                                    const std::vector<LoadedEpoch>& epochs) {
  if (promise.dataset.empty()) return "the dataset is empty";
  const bool any =
      std::any_of(epochs.begin(), epochs.end(), [](const LoadedEpoch& epoch) { return !epoch.samples.empty(); });
  return any ? "" : "no sample was loaded";
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome loading_outcome(const std::string& name, const char* check) {
  Outcome outcome;
  outcome.id = "pipeline/" + name + "/" + check;
  outcome.labels = {{"pipeline", name}, {"check", check}};
  return outcome;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome check_coverage(const std::string& name, const LoaderPromise& promise,
                                                                const std::vector<LoadedEpoch>& epochs) {
  Outcome outcome = loading_outcome(name, "coverage");
  std::vector<std::string> twice, missing, unknown;
  double samples = 0, seconds = 0, stalled = 0;
  for (std::size_t e = 0; e < epochs.size(); ++e) {
    std::map<std::int64_t, std::size_t> seen;
    for (const std::int64_t id : promise.dataset) seen[id] = 0;
    const std::string where = " in epoch " + std::to_string(e);
    std::vector<std::string> absent;
    for (const std::int64_t id : epochs[e].samples) {
      const auto found = seen.find(id);
      if (found == seen.end())
        unknown.push_back(std::to_string(id) + where);
      else if (++found->second == 2)
        twice.push_back(std::to_string(id) + where);
    }
    for (const auto& [id, count] : seen)
      if (count == 0) absent.push_back(std::to_string(id) + where);
    if (!(promise.drops_last && absent.size() == promise.dataset.size() % promise.batch))
      missing.insert(missing.end(), absent.begin(), absent.end());
    samples += static_cast<double>(epochs[e].samples.size());
    seconds += epochs[e].seconds;
    stalled += epochs[e].stalled_seconds;
  }
  outcome.verdict = twice.empty() && missing.empty() && unknown.empty() ? Verdict::pass : Verdict::fail;
  if (const std::string nothing = nothing_loaded(promise, epochs);
      !nothing.empty() && outcome.verdict == Verdict::pass) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = nothing;
  }
  const auto tell = [&](const std::vector<std::string>& names, const char* what) {
    if (!names.empty())
      outcome.reason += (outcome.reason.empty() ? "" : "; ") + std::to_string(names.size()) + " samples " + what +
                        ": " + listed_names(names);
  };
  tell(missing, "were not loaded");
  tell(twice, "were loaded twice");
  tell(unknown, "are not in the dataset");
  outcome.measure("samples", samples, "samples");
  outcome.measure("missing", static_cast<double>(missing.size()), "samples");
  outcome.measure("twice", static_cast<double>(twice.size()), "samples");
  if (seconds > 0) {
    outcome.measure("samples_per_second", samples / seconds, "samples/s");
    outcome.measure("stalled_share", stalled / seconds);
  }
  return outcome;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome check_order(const std::string& name, const LoaderPromise& promise,
                                                             const std::vector<LoadedEpoch>& epochs) {
  Outcome outcome = loading_outcome(name, "order");
  const std::string nothing = nothing_loaded(promise, epochs);
  outcome.verdict = !promise.in_order ? Verdict::skipped : nothing.empty() ? Verdict::pass : Verdict::inconclusive;
  outcome.reason = promise.in_order ? nothing : "no order is promised";
  for (std::size_t e = 0; promise.in_order && e < epochs.size(); ++e) {
    const auto& samples = epochs[e].samples;
    const std::size_t length = std::min(samples.size(), promise.dataset.size());
    const auto [ours, theirs] =
        std::mismatch(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(length), promise.dataset.begin());
    if (ours == samples.begin() + static_cast<std::ptrdiff_t>(length)) continue;
    outcome.verdict = Verdict::fail;
    outcome.reason = "epoch " + std::to_string(e) + " has sample " + std::to_string(*ours) + " at " +
                     std::to_string(ours - samples.begin()) + " instead of " + std::to_string(*theirs);
    break;
  }
  return outcome;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome check_determinism(const std::string& name,
                                                                   const LoaderPromise& promise,
                                                                   const std::vector<LoadedEpoch>& epochs) {
  Outcome outcome = loading_outcome(name, "determinism");
  const std::string nothing = nothing_loaded(promise, epochs);
  outcome.verdict = !promise.deterministic                  ? Verdict::skipped
                    : epochs.size() < 2 || !nothing.empty() ? Verdict::inconclusive
                                                            : Verdict::pass;
  if (!promise.deterministic)
    outcome.reason = "no determinism is promised";
  else if (!nothing.empty())
    outcome.reason = nothing;
  else if (epochs.size() < 2)
    outcome.reason = "one epoch shows nothing of determinism; load another with the same seed";
  bool data = !epochs.empty();
  for (const LoadedEpoch& epoch : epochs) data = data && epoch.checksums.size() == epoch.samples.size();
  for (std::size_t e = 1; outcome.verdict == Verdict::pass && e < epochs.size(); ++e) {
    const LoadedEpoch &first = epochs[0], &other = epochs[e];
    for (std::size_t i = 0; i < std::max(first.samples.size(), other.samples.size()); ++i) {
      const bool there = i < first.samples.size() && i < other.samples.size();
      const bool same_sample = there && first.samples[i] == other.samples[i];
      if (same_sample && (!data || first.checksums[i] == other.checksums[i])) continue;
      outcome.verdict = Verdict::fail;
      outcome.reason =
          "epochs 0 and " + std::to_string(e) + " of the same seed part at " + std::to_string(i) +
          (same_sample ? ": other data of sample " + std::to_string(first.samples[i])
           : there     ? ": samples " + std::to_string(first.samples[i]) + " and " + std::to_string(other.samples[i])
                       : ": one of them has ended");
      break;
    }
  }
  if (!data) outcome.derivation.push_back("data of samples have no checksums: their order alone was compared");
  return outcome;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> check_loading(const std::string& name, const LoaderPromise& promise,
                                                              const std::vector<LoadedEpoch>& epochs) {
  expect(promise.batch > 0, [] { return "LoaderPromise::batch is 0; a loader hands out a sample at a time at least"; });
  return {detail::check_coverage(name, promise, epochs), detail::check_order(name, promise, epochs),
          detail::check_determinism(name, promise, epochs)};
}

}  // namespace assay::inline v0
