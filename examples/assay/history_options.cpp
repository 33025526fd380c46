#include "history_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "assay/core/nearest_name.hpp"

namespace assay_program {

namespace {

constexpr const char* history_examples =
    "Examples:\n"
    "  assay history import gb.json --into perf.jsonl --label version=1.2 --label commit=$(git rev-parse HEAD)\n"
    "  assay history show perf.jsonl 'gemm/*'               values of series over time\n"
    "  assay history scan perf.jsonl --baseline 1.2 --out report\n"
    "  assay history export perf.jsonl --to perf.csv        also .jsonl, .sqlite\n\n"
    "A history is a file .jsonl (or .json) or .sqlite (or .db); it is made by the first import.\n"
    "Exit code of scan: 0 nothing regressed, 1 something did, 2 nothing was decided, a series is no longer measured "
    "or\n"
    "looks as if nothing was measured, or usage and environment.";

void add_history_list(CLI::App& app, const std::string& name, std::vector<std::string>& list, const std::string& help,
                      const std::string& type) {
  app.add_option(name, list, help)->allow_extra_args(false)->type_name(type);
}

}  // namespace

CLI::App& add_history_command(CLI::App& app, HistoryOptions& options) {
  CLI::App& command =
      *app.add_subcommand("history", "keep results of benchmarks for years, look at them, and tell what got worse");
  command.add_option("action", options.action, "import, list, show, scan or export")
      ->required()
      ->type_name("import|list|show|scan|export");
  command
      .add_option(
          "names", options.names,
          "import: files of Google Benchmark, nvbench, pytest-benchmark, hyperfine, JMH, criterion, nccl-tests, "
          "vllm bench, AIPerf (JSON), Catch2 (XML), go test -bench, nccl-tests, LoadGen (text) or CSV; others: "
          "the history, and series by key or glob")
      ->required()
      ->type_name("FILE…|HISTORY [SERIES…]");
  command.option_defaults()->group("Import");
  command.add_option("--into", options.into, "the history to append to")->type_name("HISTORY");
  add_history_list(command, "--label", options.labels, "of what was measured: version, commit, build, …", "NAME=VALUE");
  add_history_list(command, "--direction", options.directions,
                   "which way a metric gets better whose unit does not tell", "METRIC=lower|higher");
  command
      .add_option("--time", options.time, "when it was measured, UTC (what the file says, else when it was written)")
      ->type_name("2025-01-02T03:04:05Z");
  command.option_defaults()->group("Import of CSV (columns not named are configuration)");
  command.add_option("--name-column", options.name_column, "of the benchmarks' names (name)")->type_name("COLUMN");
  command.add_option("--benchmark", options.benchmark, "the name of all rows, where no column has it")
      ->type_name("NAME");
  add_history_list(command, "--value-column", options.value_columns,
                   "of values; its heading is the metric, with the unit in brackets or behind '=' (value)",
                   "COLUMN[=UNIT]");
  command.add_option("--metric-column", options.metric_column, "of the metrics' names (metric)")->type_name("COLUMN");
  command.add_option("--unit-column", options.unit_column, "of units (unit)")->type_name("COLUMN");
  command.add_option("--time-column", options.time_column, "of times of day (time)")->type_name("COLUMN");
  add_history_list(command, "--label-column", options.label_columns, "of labels (version, commit, build, branch)",
                   "COLUMN");
  add_history_list(command, "--ignore-column", options.ignored_columns, "of nothing that matters", "COLUMN");
  command.add_option("--separator", options.separator, "between columns (what the first line has)")
      ->type_name("CHARACTER|tab");
  command
      .add_option("--decimal", options.decimal, "the character before decimals (',' where that is certain, else '.')")
      ->type_name("CHARACTER");
  command.option_defaults()->group("Scan");
  command
      .add_option(
          "--baseline", options.baseline,
          "the version whose runs later ones are held against, another label, or how many runs before the newest")
      ->type_name("VERSION|NAME=VALUE|N|runs=N");
  command.add_option("--newest", options.newest, "with --baseline N: how many runs are judged (10)")->type_name("N");
  command.add_option("--allow", options.allowed, "what may get worse, in percent (1)")->type_name("PERCENT");
  command.option_defaults()->group("List, show, scan");
  command.add_option("--order", options.order, "of the runs: by time, or by the label version (time)")
      ->type_name("time|version");
  command.option_defaults()->group("Export");
  command.add_option("--to", options.to, "the file to write: .csv, or a history that is not there yet")
      ->type_name("FILE");
  command.option_defaults()->group("Options");
  command.footer(history_examples);
  return command;
}

assay::Result<void> check_history_options(const HistoryOptions& options) {
  const auto refused = [](const std::string& message) { return assay::failure(assay::ErrorKind::invalid, message); };
  const std::vector<std::string> actions{"import", "list", "show", "scan", "export"};
  const auto is = [&](const char* action) { return options.action == action; };
  if (std::find(actions.begin(), actions.end(), options.action) == actions.end())
    return assay::failure(assay::ErrorKind::not_found, assay::unknown_name("action", options.action, actions));
  if (is("import") && options.into.empty()) return refused("import asks for --into HISTORY");
  if (options.separator.size() > 1 && options.separator != "tab" && options.separator != "\\t")
    return refused("--separator is '" + options.separator + "'; give one character, or tab");
  if (options.decimal.size() > 1) return refused("--decimal is '" + options.decimal + "'; give one character");
  if (is("scan") && options.baseline.empty())
    return refused("scan asks for --baseline: a version, a label NAME=VALUE, or a number of runs");
  if (is("export") && options.to.empty()) return refused("export asks for --to FILE");
  if (is("export") && options.names.size() != 1) return refused("export takes one history, and all of it");
  if (options.order != "time" && options.order != "version")
    return assay::failure(assay::ErrorKind::not_found,
                          assay::unknown_name("order", options.order, {"time", "version"}));
  return {};
}

}  // namespace assay_program
