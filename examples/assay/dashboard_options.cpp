#include "dashboard_options.hpp"

#include <CLI/CLI.hpp>

#include "assay/core/nearest_name.hpp"

namespace assay_program {

void add_dashboard_options(CLI::App& report, DashboardCommandOptions& options) {
  report.option_defaults()->group(
      "A dashboard: one page of any of these, and of any number of runs; --out then names it");
  report.add_option("--history", options.history, "trends of its metrics, change points marked")->type_name("HISTORY");
  report.add_option("--matrix", options.matrix, "axes and rules: which combinations were promised; asks for --results")
      ->type_name("MATRIX.json");
  report.add_option("--results", options.results, "folders of results, as assay matrix shard makes them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("DIR[,DIR…]");
  report.add_flag("--pairwise", options.pairs,
                  "with --matrix: every pair of values was promised, not every combination");
  report.add_option("--gate", options.gate, "the report.json that assay gate --out wrote")->type_name("REPORT.json");
  report.add_option("--order", options.order, "of the runs of a trend: time, or version (time)")
      ->type_name("time|version");
  report.add_option("--title", options.title, "what stands above it")->type_name("TEXT");
  report.option_defaults()->group("Options");
}

assay::Result<void> check_dashboard_options(const DashboardCommandOptions& options, std::size_t runs, bool formats) {
  const auto refused = [](const std::string& message) { return assay::failure(assay::ErrorKind::invalid, message); };
  if (options.order != "time" && options.order != "version")
    return assay::failure(assay::ErrorKind::not_found,
                          assay::unknown_name("order", options.order, {"time", "version"}));
  if (!options.asked()) {
    if (runs == 0)
      return refused("run is required: name a report.json, or what a dashboard shows: --history, --matrix, --gate");
    if (runs > 1)
      return refused("report writes one run in other formats, and " + std::to_string(runs) +
                     " are given; a dashboard takes several, with --history, --results or --gate");
    if (!options.title.empty() || options.pairs)
      return refused("--title and --pairwise are for a dashboard; give --history, --matrix or --gate, too");
    return {};
  }
  if (formats) return refused("--format is for one run in other formats; a dashboard is one HTML page");
  if (!options.matrix.empty() && options.results.empty())
    return refused("--matrix says what was promised, and --results is missing; give the folder of its results");
  if (options.pairs && options.matrix.empty())
    return refused("--pairwise says what a matrix promises, and --matrix is missing");
  return {};
}

}  // namespace assay_program
