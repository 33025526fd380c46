#include "collectives.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/measurement/sweep.hpp"
#include "assay/collectives/measurement/sweep_csv.hpp"
#include "assay/collectives/measurement/sweep_outcomes.hpp"
#include "assay/collectives/measurement/sweep_table.hpp"
#include "assay/collectives/preflight/preflight.hpp"
#include "assay/collectives/stragglers/measure_links.hpp"
#include "assay/collectives/stragglers/slow_links.hpp"
#include "assay/collectives/verification/collective_suite.hpp"
#include "assay/core/detect_environment.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/report/write_file.hpp"
#include "collectives_runtime.hpp"
#include "collectives_topology.hpp"
#include "fault.hpp"
#include "printed_table.hpp"
#include "report_format.hpp"

namespace assay_program {

namespace {

using assay::AnyCollective;
using assay::Coordinator;

/// One rank's view of the command.
struct Job {
  const CollectivesOptions& options;
  const std::string& command;
  AnyCollective& collective;
  Coordinator& coordinator;

  [[nodiscard]] bool tells() const { return collective.rank() == 0; }
  void line(const std::string& text) const {
    if (tells()) std::printf("%s\n", text.c_str());
  }
  [[nodiscard]] int trouble(const assay::Error& error) const { return tells() ? fault(error.message) : 2; }
};

/// Writes what rank 0 found; a failure to write is one of the command.
assay::Result<void> write_reports(const Job& job, const std::string& title, std::vector<assay::Outcome> outcomes,
                                  double seconds) {
  if (!job.tells()) return {};
  assay::Run run;
  run.title = title;
  run.command = job.command;
  run.seed = job.options.seed;
  run.environment = assay::detect_environment();
  describe_runtime(job.options.runtime, run.environment);
  run.planned_cases = outcomes.size();
  run.outcomes = std::move(outcomes);
  run.duration_seconds = seconds;
  const std::string json = job.options.action == "sweep" ? std::string() : job.options.json;
  for (const auto& [format, path] :
       {std::pair{"json", job.options.report}, std::pair{"json", json}, std::pair{"html", job.options.html}}) {
    if (path.empty()) continue;
    const auto formats = report_formats_named({format});
    if (auto written = formats.value().front()->write(run, path); !written) return written;
  }
  return {};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What stands below the table, as comments that scripts skip: theory, latency, bandwidth and knee.
void tell_theory(const Job& job, const assay::SweepResult& result, const std::optional<assay::SweepTheory>& theory) {
  if (!job.tells()) return;
  std::vector<const assay::SweepPoint*> curves;
  for (const assay::SweepPoint& point : result.points) {
    bool known = point.error || point.operation == assay::CollectiveOperation::barrier;
    for (const assay::SweepPoint* curve : curves)
      known = known || (curve->operation == point.operation && curve->type == point.type &&
                        curve->reduction == point.reduction && curve->in_place == point.in_place);
    if (!known) curves.push_back(&point);
  }
  for (const assay::SweepPoint* curve : curves) {
    const auto fit = assay::fit_of(result, *curve);
    if (!fit) continue;
    std::printf("# %s %s%s: latency %s", std::string(name_of(curve->operation)).c_str(),
                std::string(name_of(curve->type)).c_str(), curve->in_place ? ", in place" : "",
                assay::duration_text(fit->latency_seconds.estimate).c_str());
    if (fit->seconds_per_byte.estimate > 0)
      std::printf(", algbw %s GB/s, half of it from %s bytes on",
                  assay::detail::printed_number(1e-9 / fit->seconds_per_byte.estimate, 3).c_str(),
                  assay::number_text(std::floor(fit->knee_bytes())).c_str());
    std::printf(" (fitted, median error %s %%)\n",
                assay::detail::printed_number(100 * fit->median_relative_error, 0, std::chars_format::fixed).c_str());
  }
  if (!theory) return;
  assay::Table table{
      "",
      {"# operation", "size", "placement", "time (us)", "busbw (GB/s)", "expected by", "expected (us)", "of theory"},
      {}};
  for (const assay::SweepPoint& point : result.points) {
    if (point.error) continue;
    const assay::Prediction best =
        assay::expected_collective(point.operation, point.bytes, theory->topology, theory->fitted);
    table.rows.push_back({"# " + std::string(name_of(point.operation)), assay::number_text(point.bytes),
                          point.in_place ? "in" : "out", assay::number_text(point.seconds * 1e6),
                          assay::number_text(point.bandwidth.bus / 1e9),
                          std::string(name_of(best.model)) + (best.extrapolated ? " (extrapolated)" : ""),
                          assay::number_text(best.seconds * 1e6), assay::number_text(best.seconds / point.seconds, 2)});
  }
  std::printf("#\n# Theory: %s\n", theory->source.c_str());
  for (const std::string& line : assay::text_lines(table))
    std::printf("%s%s\n", line.rfind("#", 0) == 0 ? "" : "# ", line.c_str());
}

int sweep_ranks(const Job& job) {
  const assay::SweepOptions options = sweep_options_of(job.options).value();
  std::optional<assay::SweepTheory> theory;
  if (!job.options.topology.empty()) {
    auto topology = topology_named(job.options.topology);
    if (!topology) return job.trouble(topology.error());
    theory = assay::SweepTheory{topology.value().with_ranks(job.collective.size()), {}, topology.value().name};
  } else if (job.options.measured_theory) {
    auto measured = assay::measured_theory(job.collective, job.coordinator, options);
    if (!measured) return job.trouble(measured.error());
    theory = measured.value();
  }
  assay::SweepTable table(job.collective.name(), job.collective.size(), options);
  const auto result = assay::sweep(job.collective, job.coordinator, options, [&](const assay::SweepPoint& point) {
    if (job.tells()) table.take(point);
  });
  if (!result) return job.trouble(result.error());
  if (!job.tells()) return 0;
  table.finish(result.value());
  tell_theory(job, result.value(), theory);
  std::vector<assay::Outcome> outcomes = assay::sweep_outcomes(result.value(), theory);
  assay::Run decided;
  decided.outcomes = outcomes;
  decided.planned_cases = outcomes.size();
  if (auto written = write_reports(
          job,
          "sweep of collectives, " + result.value().runtime + ", " + std::to_string(result.value().ranks) + " ranks",
          std::move(outcomes), result.value().seconds);
      !written)
    return fault(written.error().message);
  if (!job.options.json.empty())
    if (auto written = write_collectives_json(result.value(), job.options.json); !written)
      return fault(written.error().message);
  if (!job.options.csv.empty())
    if (auto written = assay::write_file(job.options.csv, assay::csv_text(result.value())); !written)
      return fault(written.error().message);
  if (decided.count(assay::Verdict::fail) + decided.count(assay::Verdict::error) > 0) return 1;
  const bool measured = decided.count(assay::Verdict::pass) + decided.count(assay::Verdict::inconclusive) > 0;
  return measured ? 0 : 2;
}

/// The suite of results, narrowed to what was asked for.
int verify_ranks(const Job& job) {
  const auto start = std::chrono::steady_clock::now();
  const assay::SweepOptions chosen = sweep_options_of(job.options).value();
  if (auto checked = check(chosen, job.collective.size()); !checked) return job.trouble(checked.error());
  assay::CollectiveSuiteOptions options;
  if (!job.options.operations.empty()) options.operations = chosen.operations;
  if (!job.options.types.empty()) options.types = chosen.types;
  if (!job.options.reductions.empty()) options.reductions = chosen.reductions;
  options.seed = chosen.seed;
  options.check.timeout = chosen.deadline;
  // Where sizes are named, as many calls as a sweep makes: some libraries are wrong in one of many large calls only.
  if (job.options.iterations || job.options.names_sizes()) options.check.calls = chosen.iterations;
  if (job.options.names_sizes()) options.sizes = sizes_of(chosen);
  options.root = job.options.root;
  options.out_of_place = chosen.out_of_place;
  options.in_place = chosen.in_place;
  const std::vector<assay::CollectiveProblem> problems = assay::collective_problems(job.collective.size(), options);
  std::vector<assay::Outcome> outcomes = assay::check_collectives(
      job.collective, job.coordinator, problems, options.check, [&](const assay::Outcome& outcome) {
        if (outcome.verdict == assay::Verdict::fail || outcome.verdict == assay::Verdict::error)
          job.line(std::string(name_of(outcome.verdict)) + "  " + outcome.id + ": " + outcome.reason);
      });
  assay::Run run;
  run.outcomes = outcomes;
  run.planned_cases = problems.size();
  if (job.tells())
    std::printf("%zu right, %zu wrong, %zu failed, %zu unsupported, %zu not reached; %s, %d ranks\n",
                run.count(assay::Verdict::pass), run.count(assay::Verdict::fail), run.count(assay::Verdict::error),
                run.count(assay::Verdict::unsupported), problems.size() - outcomes.size(),
                job.collective.name().c_str(), job.collective.size());
  const int code = run.exit_code();
  if (auto written = write_reports(job, "results of collectives, " + job.collective.name(), std::move(outcomes),
                                   seconds_since(start));
      !written)
    return fault(written.error().message);
  return code;
}

int preflight_ranks(const Job& job) {
  assay::PreflightOptions options;
  options.budget = std::chrono::milliseconds(static_cast<long long>(job.options.budget_seconds * 1000));
  options.operation_deadline =
      std::min(options.operation_deadline,
               std::chrono::milliseconds(static_cast<long long>(job.options.timeout_seconds * 1000)));
  options.least_slowdown = job.options.slowdown;
  options.seed = job.options.seed;
  assay::PreflightResult result = assay::preflight(job.collective, job.coordinator, options);
  job.line(std::string(name_of(result.health)) + ": " + result.reason);
  if (auto written = write_reports(
          job, "preflight, " + job.collective.name() + ", " + std::to_string(job.collective.size()) + " ranks",
          std::move(result.outcomes), result.duration_seconds);
      !written)
    return fault(written.error().message);
  return result.exit_code();
}

/// A matrix as a table with ranks at its edges; of many ranks only the page has it.
void print_map(const assay::HeatMap& map) {
  constexpr std::size_t most = 16;
  std::printf("%s\n", map.title.c_str());
  if (map.columns > most) {
    std::printf("  %zu × %zu: see --html\n", map.rows, map.columns);
    return;
  }
  assay::Table table{"", {"from \\ to"}, {}};
  for (std::size_t to = 0; to < map.columns; ++to) table.columns.push_back(std::to_string(to));
  for (std::size_t from = 0; from < map.rows; ++from) {
    std::vector<std::string> row{std::to_string(from)};
    for (std::size_t to = 0; to < map.columns; ++to)
      row.push_back(from == to ? "-" : assay::number_text(map.at(from, to)));
    table.rows.push_back(std::move(row));
  }
  print_table(table, "  ");
}

int link_ranks(const Job& job) {
  const auto start = std::chrono::steady_clock::now();
  if (job.collective.size() < 2)
    return job.trouble({assay::ErrorKind::invalid, "one rank has no links; start two or more"});
  const auto matrix = assay::measure_links(
      job.collective, job.coordinator,
      assay::deadline_after(std::chrono::milliseconds(static_cast<long long>(job.options.budget_seconds * 1000))));
  if (!matrix) return job.trouble(matrix.error());
  const assay::StragglerReport report =
      assay::find_slow_links(matrix.value().bandwidth, assay::compared_by_host(matrix.value(), job.options.slowdown));
  assay::Outcome outcome =
      assay::straggler_outcome(report, "links/" + job.collective.name() + "/n" + std::to_string(job.collective.size()));
  outcome.heat_maps.push_back(matrix.value().bandwidth_map());
  outcome.heat_maps.push_back(matrix.value().latency_map());
  outcome.heat_maps.push_back(assay::slowdown_map(report, matrix.value().bandwidth, job.options.slowdown));
  if (job.tells()) {
    for (std::size_t i = 0; i < 2; ++i) print_map(outcome.heat_maps[i]);
    std::printf("%s: %s\n", std::string(name_of(outcome.verdict)).c_str(), report.reason.c_str());
  }
  const int code = outcome.verdict == assay::Verdict::pass ? 0 : outcome.verdict == assay::Verdict::fail ? 1 : 2;
  if (auto written = write_reports(job, "links, " + job.collective.name(), {outcome}, seconds_since(start)); !written)
    return fault(written.error().message);
  return code;
}

}  // namespace

int collectives(const CollectivesOptions& given, const std::string& command) {
  const CollectivesOptions options = with_action(given);
  if (options.action == "predict") return predict_collectives(options);
  const auto code = with_ranks(options, [&](AnyCollective& collective, Coordinator& coordinator) {
    const Job job{options, command, collective, coordinator};
    if (options.action == "sweep") return sweep_ranks(job);
    if (options.action == "verify") return verify_ranks(job);
    return options.action == "links" ? link_ranks(job) : preflight_ranks(job);
  });
  return code ? code.value() : fault(code.error().message);
}

}  // namespace assay_program
