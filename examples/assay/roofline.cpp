#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/fleet/roofline/roofline_chart.hpp"
#include "assay/report/json.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"
#include "chips.hpp"
#include "fault.hpp"
#include "fleet_options.hpp"
#include "printed_table.hpp"

namespace assay_program {

namespace {

int list_formulas() {
  assay::Table table{"Formulas", {"operation", "extents", "FLOP", "elements moved"}, {}};
  for (const assay::OperationFormula& formula : assay::operation_formulas()) {
    std::string extents;
    for (const char* extent : formula.extents) extents += (extents.empty() ? "" : " ") + std::string(extent);
    table.rows.push_back(
        {std::string(formula.operation), extents, std::string(formula.flop), std::string(formula.elements)});
  }
  print_table(table);
  return 0;
}

/// "NAME=GB/s[,NAME=GB/s]".
assay::Result<std::vector<assay::BandwidthCeiling>> ceilings_of(const std::string& text) {
  std::vector<assay::BandwidthCeiling> ceilings;
  std::istringstream list(text);
  for (std::string one; std::getline(list, one, ',');) {
    const std::size_t equals = one.find('=');
    const auto rate = equals == std::string::npos ? std::nullopt : assay::detail::read_number(one.substr(equals + 1));
    if (!rate || !(*rate > 0 && *rate < 1e12) || equals == 0)
      return assay::failure(assay::ErrorKind::invalid,
                            "--ceiling '" + assay::visible(one) + "': give a name and GB/s, as in L2=12000");
    ceilings.push_back({one.substr(0, equals), *rate * 1e9});
  }
  return ceilings;
}

}  // namespace

int roofline(const RooflineOptions& options, const std::string& command) {
  if (options.list) return list_formulas();
  if (options.problems.empty()) return fault("roofline asks for a problem, such as 'gemm m=4096 n=4096 k=4096'");
  if (!(options.minimum_share >= 0 && options.minimum_share <= 1)) return fault("--minimum-share lies from 0 to 1");
  if (!(options.byte_width >= 0 && options.byte_width <= 16)) return fault("--element-bytes lies above 0, to 16");
  const auto catalog = catalog_with(options.chip_files);
  if (!catalog) return fault(catalog.error().message);
  const auto chosen =
      chips_named(catalog.value(),
                  options.chips.empty() ? std::vector<std::string>{"H100 SXM", "MI300X", "Gaudi3"} : options.chips);
  if (!chosen) return fault(chosen.error().message);
  const auto further = ceilings_of(options.cache_bandwidth);
  if (!further) return fault(further.error().message);
  std::vector<assay::RooflineMachine> machines;
  for (const assay::Chip& chip : chosen.value()) {
    auto machine = assay::machine_of(chip, options.format);
    if (!machine) return fault(machine.error().message);
    for (const assay::BandwidthCeiling& ceiling : further.value()) machine.value().ceilings.push_back(ceiling);
    machines.push_back(std::move(machine).value());
  }
  const double width = options.byte_width > 0 ? options.byte_width : bytes_of_chip_format(options.format);
  std::vector<assay::RooflinePoint> points;
  assay::Run run;
  for (const std::string& text : options.problems) {
    const std::size_t at = text.rfind('@');
    const auto problem = assay::parse_problem(text.substr(0, at));
    if (!problem) return fault(problem.error().message);
    double seconds = 0;
    if (at != std::string::npos) {
      const auto read = assay::detail::read_number(text.substr(at + 1));
      if (!read || !(*read > 0)) return fault("'" + assay::visible(text) + "': behind @ stands a time in seconds");
      seconds = *read;
      if (machines.size() > 1) return fault("a time was measured on one chip; name it with --chip");
    }
    const assay::OperationWork work = problem.value().work(width);
    for (std::size_t i = 0; i < machines.size(); ++i) points.push_back({problem.value().name, work, seconds, i});
    if (seconds > 0)
      run.outcomes.push_back(
          assay::judge_roofline(problem.value().name, work, seconds, machines[0], options.minimum_share));
  }
  if (!options.report.empty() && run.outcomes.empty()) return fault("--report is of measured times; give one behind @");
  print_table(assay::ridge_table(machines));
  std::printf("\n");
  print_table(assay::bound_table(machines, points));
  for (const assay::Outcome& outcome : run.outcomes)
    if (!outcome.reason.empty())
      std::printf("%s: %s\n", std::string(name_of(outcome.verdict)).c_str(), outcome.reason.c_str());
  if (!options.html.empty())
    if (const auto written = assay::write_file(options.html, assay::roofline_page("Rooflines", machines, points));
        !written)
      return fault(written.error().message);
  run.title = "Roofline";
  run.command = command;
  run.environment = assay::detect_environment();
  run.planned_cases = run.outcomes.size();
  if (!options.report.empty())
    if (const auto written = assay::write_json(run, options.report); !written) return fault(written.error().message);
  return run.outcomes.empty() ? 0 : run.exit_code();
}

}  // namespace assay_program
