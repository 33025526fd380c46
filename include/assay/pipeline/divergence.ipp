#pragma once

#include "assay/pipeline/divergence.hpp"

#include <cmath>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/printed_number.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<StageComparison> compared(const StageOutput* ours,
                                                                                 const StageOutput& theirs,
                                                                                 const StageBound& bound,
                                                                                 const char* way,
                                                                                 std::string& trouble) {
  const auto tell = [&](const std::string& why) { trouble += (trouble.empty() ? "" : "; ") + std::string(way) + why; };
  if (ours == nullptr) return tell(": nothing was recorded"), std::nullopt;
  if (!ours->value) return tell(": " + ours->value.error().message), std::nullopt;
  if (!theirs.value) return tell(": the reference failed: " + theirs.value.error().message), std::nullopt;
  return compare_stage(ours->value.value(), theirs.value.value(), bound);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Outcome stage_outcome(const std::string& name, const StageDivergence& own) {
  Outcome outcome;
  outcome.id = "pipeline/" + name + "/" + own.stage;
  outcome.labels = {{"pipeline", name}, {"stage", own.stage}};
  outcome.derivation.push_back("bound, " + own.bound.origin + ": " + printed_number(own.bound.absolute) + " + " +
                               printed_number(own.bound.relative) + " x |reference|");
  const auto measure = [&](const char* way, const std::optional<StageComparison>& comparison) {
    if (!comparison) return;
    outcome.measure(std::string("difference_") + way, comparison->difference);
    if (std::isfinite(comparison->error_ratio))
      outcome.measure(std::string("error_ratio_") + way, comparison->error_ratio);
    outcome.measure(std::string("wrong_") + way, static_cast<double>(comparison->wrong), "elements");
    outcome.measure("elements", static_cast<double>(comparison->compared), "elements");
  };
  measure("fed", own.fed);
  measure("free", own.free);
  if (own.fed && !own.fed->within) {
    outcome.verdict = Verdict::fail;
    outcome.reason = "on the reference's own inputs this stage differs: " + own.fed->detail;
  } else if (!own.trouble.empty()) {
    outcome.verdict = Verdict::error;
    outcome.reason = own.trouble;
  } else if (own.fed) {
    outcome.verdict = Verdict::pass;
    if (own.free && !own.free->within)
      outcome.reason = "right on the reference's inputs; what stages before it did reaches here: " + own.free->detail;
  } else if (own.free && own.free->within) {
    outcome.verdict = Verdict::pass;
    outcome.reason = "within the bound, with whatever the stages before it did";
  } else if (own.free) {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "differs where all runs free: " + own.free->detail +
                     "; whether this stage is to blame takes its output on the reference's inputs";
  } else {
    outcome.verdict = Verdict::error;
    outcome.reason = "nothing was compared";
  }
  return outcome;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Table divergence_table(const Divergence& divergence) {
  Table table{"Where the implementations part",
              {"stage", "on the reference's inputs", "running free", "amplified by", "what differs"},
              {}};
  double before = 0;
  for (const StageDivergence& own : divergence.stages) {
    const auto text = [](const std::optional<StageComparison>& comparison) {
      if (!comparison) return std::string("-");
      return printed_number(comparison->difference, 3) + (comparison->within ? "" : " beyond");
    };
    const double now = own.free ? own.free->difference : 0;
    const StageComparison* const shown = own.fed && !own.fed->within ? &*own.fed : own.free ? &*own.free : nullptr;
    table.rows.push_back({own.stage, text(own.fed), text(own.free),
                          before > 0 && now > 0 ? printed_number(now / before, 3) : "-",
                          shown != nullptr ? shown->detail : own.trouble});
    if (own.free) before = now;
  }
  return table;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Divergence find_divergence(const std::vector<StageOutput>& reference,
                                                      const std::vector<StageOutput>& free,
                                                      const std::vector<StageOutput>& fed,
                                                      const std::vector<StageBound>& bounds) {
  expect(bounds.size() == reference.size(), [] { return "find_divergence() needs a bound for each stage"; });
  Divergence divergence;
  divergence.fed_given = !fed.empty();
  for (std::size_t i = 0; i < reference.size(); ++i) {
    StageDivergence own{reference[i].stage, bounds[i], {}, {}, {}};
    own.free =
        detail::compared(detail::output_named(free, own.stage), reference[i], own.bound, "running free", own.trouble);
    if (divergence.fed_given)
      own.fed = detail::compared(detail::output_named(fed, own.stage), reference[i], own.bound,
                                 "on the reference's inputs", own.trouble);
    if (own.fed && !own.fed->within) divergence.guilty.push_back(own.stage);
    if (divergence.first_visible.empty() && own.free && !own.free->within) divergence.first_visible = own.stage;
    divergence.stages.push_back(std::move(own));
  }
  return divergence;
}

ASSAY_DETAIL_HEADER_INLINE Divergence find_divergence(const Pipeline& reference, const Pipeline& candidate) {
  expect(reference.stages.size() == candidate.stages.size(),
         [] { return "find_divergence() was given pipelines of different numbers of stages"; });
  std::vector<StageBound> bounds;
  for (std::size_t i = 0; i < reference.stages.size(); ++i) {
    expect(reference.stages[i].name == candidate.stages[i].name, [&] {
      return "stage " + std::to_string(i) + " is '" + reference.stages[i].name + "' in one pipeline and '" +
             candidate.stages[i].name + "' in the other";
    });
    bounds.push_back(reference.stages[i].bound);
  }
  const std::vector<StageOutput> expected = run_free(reference);
  return find_divergence(expected, run_free(candidate), run_fed(candidate, expected), bounds);
}

ASSAY_DETAIL_HEADER_INLINE std::vector<Outcome> divergence_outcomes(const std::string& name,
                                                                    const Divergence& divergence) {
  std::vector<Outcome> outcomes;
  Outcome whole;
  whole.id = "pipeline/" + name;
  whole.labels = {{"pipeline", name}};
  whole.verdict = Verdict::pass;
  std::size_t errors = 0;
  for (const StageDivergence& own : divergence.stages) {
    outcomes.push_back(detail::stage_outcome(name, own));
    errors += outcomes.back().verdict == Verdict::error ? 1 : 0;
  }
  std::string guilty;
  for (const std::string& stage : divergence.guilty) guilty += (guilty.empty() ? "" : ", ") + stage;
  if (!guilty.empty()) {
    whole.verdict = Verdict::fail;
    whole.reason =
        "the first stage to blame is " + divergence.guilty.front() +
        (divergence.guilty.size() > 1 ? "; beyond their bounds on the reference's own inputs are " + guilty : "");
  } else if (!divergence.first_visible.empty()) {
    whole.verdict = Verdict::fail;
    const bool all_fed = divergence.fed_given && errors == 0;
    whole.reason = all_fed ? "every stage is within its bound, yet together they leave it at " +
                                 divergence.first_visible + ": small errors add up"
                           : "differs from " + divergence.first_visible +
                                 " on; which stage is to blame takes outputs on the reference's inputs" +
                                 (divergence.fed_given ? ", and some of them could not be compared" : "");
  } else if (errors > 0) {
    whole.verdict = Verdict::error;
    whole.reason = std::to_string(errors) + " stages could not be compared";
  }
  if (divergence.stages.empty()) whole.verdict = Verdict::inconclusive, whole.reason = "there is no stage";
  whole.measure("stages", static_cast<double>(divergence.stages.size()), "stages");
  whole.measure("guilty_stages", static_cast<double>(divergence.guilty.size()), "stages");
  whole.tables.push_back(detail::divergence_table(divergence));
  outcomes.insert(outcomes.begin(), std::move(whole));
  return outcomes;
}

}  // namespace assay::inline v0
