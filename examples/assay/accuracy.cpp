#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accuracy_inputs.hpp"
#include "assay/accuracy/accuracy_outcome.hpp"
#include "assay/accuracy/compare_detections.hpp"
#include "assay/accuracy/equivalence.hpp"
#include "assay/accuracy/pareto.hpp"
#include "assay/accuracy/pareto_page.hpp"
#include "assay/core/detect_environment.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/report/read_file.hpp"
#include "assay/report/text.hpp"
#include "assay/report/text_table.hpp"
#include "assay/report/write_file.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "output_folder.hpp"
#include "trade_offs.hpp"

namespace assay_program {

namespace {

using assay::ErrorKind;
using assay::failure;

/// What the score is held against.
struct Comparison {
  double other = 0;
  double margin = 0;
  assay::EquivalenceJudgment judgment;
};

/// "0.5" in the metric's unit, "1%" of the other value.
assay::Result<double> margin_of(const std::string& text, double other) {
  const bool relative = !text.empty() && text.back() == '%';
  const auto number = accuracy_number("--within", relative ? text.substr(0, text.size() - 1) : text);
  if (!number) return number;
  const double margin = relative ? number.value() / 100 * std::abs(other) : number.value();
  if (margin > 0 && std::isfinite(margin)) return margin;
  return failure(ErrorKind::invalid, "--within is '" + text + "', a margin of " +
                                         assay::detail::printed_number(margin) + "; it must be above 0");
}

assay::Result<Comparison> compare(const AccuracyOptions& options, const ScoredFile& scored) {
  Comparison comparison;
  assay::EquivalenceClaim claim;
  claim.error_rate = accuracy_number("--error-rate", options.error_rate).value();
  const assay::ResamplingOptions resampling{options.resamples, 0.95, options.resampling_seed, 4096};
  std::optional<ScoredFile> baseline;
  if (!options.against.empty()) {
    auto read = score_file(options, options.against, &scored);
    if (!read) return read.propagate();
    baseline = std::move(read).value();
    comparison.other = baseline->score.value;
    if (!baseline->broken.empty())
      return failure(ErrorKind::malformed, "the baseline '" + options.against +
                                               "' has broken samples: " + assay::listed_names(baseline->broken));
    if (baseline->score.statistics.size() != scored.score.statistics.size())
      return failure(ErrorKind::malformed,
                     "'" + options.predictions + "' has " + std::to_string(scored.score.statistics.size()) +
                         " samples and '" + options.against + "' has " +
                         std::to_string(baseline->score.statistics.size()) + "; a paired test needs the same");
  } else {
    const auto stated = accuracy_number("--stated", options.stated);
    if (!stated) return stated.propagate();
    comparison.other = stated.value();
  }
  const auto margin = margin_of(options.within, comparison.other);
  if (!margin) return margin.propagate();
  comparison.margin = claim.margin = margin.value();
  if (!scored.broken.empty()) {  // which fails whatever a test would say of the rest
    comparison.judgment.reason = "samples are broken";
    comparison.judgment.p_difference = std::nan("");
    comparison.judgment.interval = {scored.score.value - comparison.other, -INFINITY, INFINITY};
    return comparison;
  }
  if (scored.detections)
    comparison.judgment =
        baseline ? assay::compare_detections(*scored.detections, *baseline->detections, claim, resampling)
                 : assay::compare_detections_with_stated(*scored.detections, comparison.other, claim, resampling);
  else
    comparison.judgment = baseline ? assay::compare_scores(scored.score, baseline->score, claim, resampling)
                                   : assay::compare_with_stated(scored.score, comparison.other, claim, resampling);
  return comparison;
}

void print(const assay::Outcome& outcome, assay::Verbosity verbosity) {
  std::printf("%s: %s\n    %s\n", std::string(assay::name_of(outcome.verdict)).c_str(),
              assay::visible(outcome.id).c_str(), assay::visible(outcome.reason).c_str());
  if (verbosity == assay::Verbosity::quiet) return;
  for (const std::string& line : outcome.derivation) std::printf("    %s\n", assay::visible(line).c_str());
  assay::Table table{"", {"measurement", "value", "unit"}, {}};
  for (const assay::Measurement& measured : outcome.measurements)
    table.rows.push_back({measured.name, assay::detail::printed_number(measured.value, 17), measured.unit});
  for (const std::string& line : assay::text_lines(table)) std::printf("%s\n", line.c_str());
}

int report_run(assay::Run run, const CommandLine& line) {
  run.command = line.text;
  run.environment = assay::detect_environment();
  run.planned_cases = run.outcomes.size();
  run.require_conclusive = line.require_conclusive;
  for (const assay::Outcome& outcome : run.outcomes) print(outcome, line.verbosity);
  if (!line.output_folder.empty()) {
    const auto output = OutputFolder::open(line.output_folder, line.formats);
    if (!output) return fault(output.error().message);
    if (const auto written = output.value().write(run); !written) return fault(written.error().message);
    for (const auto& file : output.value().files()) std::printf("report: %s\n", file.string().c_str());
  }
  return run.exit_code();
}

int pareto(const CommandLine& line) {
  const auto text = assay::read_file(line.accuracy.predictions, "JSON lines of name, accuracy, bytes");
  if (!text) return fault(text.error().message);
  const auto read = parse_trade_offs(text.value(), line.accuracy.predictions);
  if (!read) return fault(read.error().message);
  const auto& [ways, metric, higher_is_better] = read.value();
  const std::string model = line.accuracy.model.empty() ? std::string("formats") : line.accuracy.model;
  const assay::Table table = assay::pareto_table(ways, metric, higher_is_better);
  for (const std::string& row : assay::text_lines(table)) std::printf("%s\n", row.c_str());
  std::printf("* nothing is as small and better; ? beaten by less than the intervals tell apart\n");
  if (!line.accuracy.page.empty()) {
    const auto written =
        assay::write_file(line.accuracy.page, assay::pareto_page(ways, metric, higher_is_better, model, line.text));
    if (!written) return fault(written.error().message);
    std::printf("page: %s\n", line.accuracy.page.c_str());
  }
  if (line.output_folder.empty()) return 0;
  assay::Outcome outcome;
  outcome.id = "model/" + model + "/pareto";
  outcome.verdict = assay::Verdict::new_baseline;
  outcome.reason = "formats were compared with each other; nothing is claimed of them";
  outcome.tables.push_back(table);
  assay::Series front{metric + " by size", "MB", metric, {}};
  const auto places = assay::pareto_places(ways, higher_is_better);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i].on_front) front.points.emplace_back(ways[i].bytes / 1e6, ways[i].accuracy);
  std::sort(front.points.begin(), front.points.end());
  outcome.series.push_back(std::move(front));
  assay::Run run;
  run.title = "What accuracy costs";
  run.outcomes = {std::move(outcome)};
  return report_run(std::move(run), line);
}

}  // namespace

int accuracy(const CommandLine& line) {
  const AccuracyOptions& options = line.accuracy;
  if (options.metric == "pareto") return pareto(line);
  const auto scored = score_file(options, options.predictions);
  if (!scored) return fault(scored.error().message);
  assay::AccuracyContext context{
      options.model.empty() ? std::filesystem::path(options.predictions).stem().string() : options.model,
      options.dataset, scored.value().broken, scored.value().notes};
  assay::Run run;
  run.title = "Accuracy: " + options.metric + " of " + context.model;
  run.seed = options.resampling_seed;
  if (options.within.empty()) {
    run.outcomes = {assay::accuracy_outcome(scored.value().score, context)};
  } else {
    const auto comparison = compare(options, scored.value());
    if (!comparison) return fault(comparison.error().message);
    run.outcomes = {assay::accuracy_outcome(scored.value().score, comparison.value().other, comparison.value().judgment,
                                            comparison.value().margin, context)};
  }
  run.outcomes.front().reproduce = line.text;
  return report_run(std::move(run), line);
}

}  // namespace assay_program
