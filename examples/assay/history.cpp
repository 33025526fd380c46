#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "assay/core/detect_environment.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/performance/clock_resolution.hpp"
#include "assay/performance/default_detector.hpp"
#include "assay/performance/export_csv.hpp"
#include "assay/performance/history_scan.hpp"
#include "assay/performance/import_results.hpp"
#include "assay/performance/machine_changes.hpp"
#include "assay/suite/glob.hpp"
#include "commands.hpp"
#include "fault.hpp"
#include "history_file.hpp"
#include "output_folder.hpp"
#include "printed_table.hpp"

namespace assay_program {

namespace {

namespace fs = std::filesystem;
using assay::ErrorKind;
using assay::failure;

/// "NAME=VALUE" as both; nothing without a name or '='.
std::optional<std::pair<std::string, std::string>> name_and_value(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  return std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

assay::Result<assay::ImportOptions> import_options(const HistoryOptions& given) {
  assay::ImportOptions options;
  for (const std::string& label : given.labels) {
    const auto both = name_and_value(label);
    if (!both) return failure(ErrorKind::invalid, "--label is '" + label + "'; give NAME=VALUE, such as version=1.2");
    options.labels[both->first] = both->second;
  }
  for (const std::string& direction : given.directions) {
    const auto both = name_and_value(direction);
    if (!both || (both->second != "lower" && both->second != "higher"))
      return failure(ErrorKind::invalid,
                     "--direction is '" + direction + "'; give METRIC=lower or METRIC=higher, whichever is better");
    options.directions[both->first] =
        both->second == "lower" ? assay::Direction::lower_is_better : assay::Direction::higher_is_better;
  }
  if (!given.time.empty()) {
    options.time = assay::parse_utc_time(given.time);
    if (!options.time)
      return failure(ErrorKind::invalid, "--time is '" + given.time + "'; a time reads 2025-01-02T03:04:05Z");
  }
  return options;
}

assay::CsvColumns csv_columns(const HistoryOptions& given) {
  assay::CsvColumns columns;
  if (!given.name_column.empty()) columns.name = given.name_column;
  if (!given.value_columns.empty()) columns.values.clear();
  for (const std::string& value : given.value_columns) {
    const auto both = name_and_value(value);
    columns.values.push_back(both ? both->first : value);
    if (both) columns.units[both->first] = both->second;
  }
  if (!given.metric_column.empty()) columns.metric = given.metric_column;
  if (!given.unit_column.empty()) columns.unit = given.unit_column;
  if (!given.time_column.empty()) columns.time = given.time_column;
  if (!given.separator.empty()) columns.separator = given.separator.size() > 1 ? '\t' : given.separator[0];
  if (!given.decimal.empty()) columns.decimal = given.decimal[0];
  if (!given.label_columns.empty()) columns.labels = given.label_columns;
  columns.benchmark = given.benchmark;
  columns.ignored = given.ignored_columns;
  return columns;
}

/// When a file was last written.
std::optional<assay::UtcTime> written_at(const std::string& path) {
  std::error_code code;
  const auto time = fs::last_write_time(path, code);
  if (code) return std::nullopt;
  const auto ago = fs::file_time_type::clock::now() - time;
  return std::chrono::floor<std::chrono::milliseconds>(
      std::chrono::system_clock::now() - std::chrono::duration_cast<std::chrono::system_clock::duration>(ago));
}

/// The runs of a history as they were appended.
std::vector<assay::HistoryRun> runs_of(const assay::History& history) {
  std::vector<assay::HistoryRun> runs;
  for (const assay::RunOrigin& origin : history.runs) runs.push_back({origin, {}});
  for (const assay::HistorySeries& series : history.series)
    for (const assay::SeriesPoint& point : series.points)
      runs[point.run].points.push_back({series.name,
                                        series.configuration,
                                        {series.metric, series.unit, series.direction, point.samples, point.note}});
  return runs;
}

/// The runs of a history by what they say, so that none is taken twice: that would be two pieces of evidence, which it
/// is not. A file that does not say when it was measured is the same whenever it was written.
class KnownRuns {
 public:
  explicit KnownRuns(const assay::History& history) {
    for (const assay::HistoryRun& run : runs_of(history)) add(run);
  }
  void add(const assay::HistoryRun& run) {
    timed_.insert(text_of(run, true));
    untimed_.insert(text_of(run, false));
  }
  [[nodiscard]] bool hold(const assay::HistoryRun& run, bool has_time) const {
    return has_time ? timed_.count(text_of(run, true)) > 0 : untimed_.count(text_of(run, false)) > 0;
  }

 private:
  /// Its origin and its samples, whatever the order of its points. Labels that a run has beyond are another origin.
  static std::string text_of(const assay::HistoryRun& run, bool with_time) {
    std::string text = with_time ? assay::utc_time_text(run.origin.time) : std::string();
    for (const auto* map : {&run.origin.labels, &run.origin.environment, &run.origin.clocks}) {
      for (const auto& [name, value] : *map) text.append(name).append(1, '\0').append(value).append(1, '\0');
      text.append(1, '\1');
    }
    std::vector<std::string> points;
    for (const assay::HistoryPoint& point : run.points) {
      std::string own = assay::series_key(point.name, point.configuration, point.metric.name);
      own.append(1, '\0').append(reinterpret_cast<const char*>(point.metric.samples.data()),
                                 point.metric.samples.size() * sizeof(double));
      points.push_back(std::move(own));
    }
    std::sort(points.begin(), points.end());
    for (const std::string& point : points) text.append(point).append(1, '\1');
    return text;
  }

  std::unordered_set<std::string> timed_, untimed_;
};

/// Nothing is appended unless every file can be read.
int import_files(const HistoryOptions& given) {
  const auto options = import_options(given);
  if (!options) return fault(options.error().message);
  const bool is_new = !std::filesystem::exists(given.into);  // a store may be made when it is opened
  auto history = open_history(given.into);
  if (!history) return fault(history.error().message);
  std::vector<assay::HistoryRun> runs;
  std::size_t points = 0, known = 0;
  assay::History before;
  if (!is_new) {
    auto loaded = history.value()->load();
    if (!loaded) return fault(loaded.error().message);
    before = std::move(loaded).value();
  }
  KnownRuns there(before);
  for (const std::string& file : given.names) {
    auto imported = assay::import_results(file, options.value(), csv_columns(given));
    if (!imported) return fault(imported.error().message);
    const bool has_time = imported.value().has_time;
    if (!has_time) {
      const auto time = written_at(file);
      if (!time) return fault("'" + file + "' does not say when it was measured; give --time");
      for (assay::HistoryRun& run : imported.value().runs) run.origin.time = *time;
      imported.value().notes.push_back("the file does not say when it was measured: taken as " +
                                       assay::utc_time_text(*time) + ", when it was written");
    }
    std::size_t own = 0;
    for (assay::HistoryRun& run : imported.value().runs) {
      if (const auto checked = assay::check_history_run(run); !checked)
        return fault("'" + file + "': " + checked.error().message);
      own += run.points.size();
      if (there.hold(run, has_time)) {
        ++known;
        continue;
      }
      there.add(run);
      points += run.points.size();
      runs.push_back(std::move(run));
    }
    std::printf("%s: %zu runs, %zu points\n", file.c_str(), imported.value().runs.size(), own);
    for (const std::string& note : imported.value().notes) std::printf("  note: %s\n", assay::visible(note).c_str());
  }
  if (known > 0)
    std::printf("%zu runs are in %s already, with the same origin and samples: they are not appended again\n", known,
                given.into.c_str());
  if (runs.empty() && known > 0) return 0;
  if (runs.empty()) return fault("nothing was measured in what was given; nothing is imported");
  if (const auto appended = history.value()->append(runs); !appended) return fault(appended.error().message);
  std::printf("%s: %zu runs, %zu points appended\n", given.into.c_str(), runs.size(), points);
  return 0;
}

assay::SeriesOrder order_of(const HistoryOptions& given) {
  return given.order == "version" ? assay::SeriesOrder::version : assay::SeriesOrder::time;
}

/// The history with the series that were named, or all.
assay::Result<assay::History> chosen_history(const HistoryOptions& given) {
  auto loaded = load_history(given.names.front());
  if (!loaded) return loaded;
  assay::History history = std::move(loaded).value();
  for (const std::string& warning : history.warnings)
    std::fprintf(stderr, "assay: warning: %s\n", assay::visible(warning).c_str());
  std::erase_if(history.series, [](const assay::HistorySeries& series) { return series.points.empty(); });
  const std::vector<std::string> patterns(given.names.begin() + 1, given.names.end());
  std::vector<std::string> keys;
  for (const assay::HistorySeries& series : history.series) keys.push_back(series.key);
  for (const std::string& pattern : patterns)
    if (std::none_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return assay::glob_matches(pattern, key); }))
      return failure(ErrorKind::not_found,
                     keys.size() <= 20 ? assay::unknown_name("series", pattern, keys)
                                       : "no series matches '" + pattern + "'; assay history list tells their keys");
  if (!patterns.empty())
    std::erase_if(history.series, [&](const assay::HistorySeries& series) {
      return std::none_of(patterns.begin(), patterns.end(),
                          [&](const std::string& pattern) { return assay::glob_matches(pattern, series.key); });
    });
  return history;
}

void print(const assay::Table& table) {
  print_table(table);
}

int list_series(const assay::History& history, assay::SeriesOrder order) {
  assay::Table table{"", {"series", "better", "runs", "first", "newest", "median of newest"}, {}};
  for (const assay::HistorySeries& series : history.series) {
    const auto ordered = history.ordered(series, order);
    const assay::SeriesPoint& first = series.points[ordered.front()];
    const assay::SeriesPoint& newest = series.points[ordered.back()];
    const auto day = [&](const assay::SeriesPoint& point) {
      return assay::utc_time_text(history.runs[point.run].time).substr(0, 10);
    };
    table.rows.push_back({series.key, series.direction == assay::Direction::lower_is_better ? "lower" : "higher",
                          std::to_string(series.points.size()), day(first), day(newest),
                          assay::quantity_text(assay::median(newest.samples), series.unit)});
  }
  print(table);
  std::printf("%zu series over %zu runs\n", history.series.size(), history.runs.size());
  return 0;
}

/// A bar of eighths of a column for a value between `low` and `high`.
std::string bar(double value, double low, double high) {
  static const char* const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  constexpr double width = 24;
  const double share = high > low ? (value - low) / (high - low) : 1;
  const auto parts = static_cast<std::size_t>((0.05 + 0.95 * share) * width * 8);
  std::string text;
  for (std::size_t i = 0; i < parts / 8; ++i) text += "█";
  return text + eighths[parts % 8];
}

void show_series(const assay::History& history, const assay::HistorySeries& series, assay::SeriesOrder order) {
  std::printf("\n%s (%s, %s is better)\n", assay::visible(series.key).c_str(), series.unit.c_str(),
              series.direction == assay::Direction::lower_is_better ? "lower" : "higher");
  const auto ordered = history.ordered(series, order);
  std::vector<double> medians;
  for (const std::size_t i : ordered) medians.push_back(assay::median(series.points[i].samples));
  const double low = std::min(0.0, *std::min_element(medians.begin(), medians.end())),
               high = *std::max_element(medians.begin(), medians.end());
  assay::Table table{"", {"time", "version", "commit", "samples", "median", "±", "from 0"}, {}};
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const assay::SeriesPoint& point = series.points[ordered[i]];
    const assay::RunOrigin& run = history.runs[point.run];
    const double scatter =
        assay::deviations_per_median_absolute_deviation * assay::median_absolute_deviation(point.samples);
    table.rows.push_back({assay::utc_time_text(run.time).substr(0, 16), run.label("version"),
                          run.label("commit").substr(0, 12), std::to_string(point.samples.size()),
                          assay::quantity_text(medians[i], series.unit),
                          medians[i] != 0 ? assay::number_text(100 * scatter / std::abs(medians[i]), 2) + " %" : "-",
                          bar(medians[i], low, high)});
    if (!point.note.empty()) notes.push_back(table.rows.back()[0] + ": " + point.note);
  }
  print(table);
  for (const std::string& note : notes) std::printf("  note of %s\n", assay::visible(note).c_str());
}

int show(const assay::History& history, assay::SeriesOrder order) {
  for (const assay::HistorySeries& series : history.series) show_series(history, series, order);
  return 0;
}

assay::Result<double> number(const char* option, const std::string& text, double least, double most) {
  const auto value = assay::detail::read_number(text);
  if (value && *value >= least && *value <= most) return *value;
  return failure(ErrorKind::invalid, std::string(option) + " is '" + text + "'; give a number from " +
                                         assay::number_text(least) + " to " + assay::number_text(most));
}

assay::Result<assay::HistoryBaseline> baseline_of(const HistoryOptions& given) {
  assay::HistoryBaseline baseline;
  baseline.order = order_of(given);
  const auto both = name_and_value(given.baseline);
  const std::string runs_given = both && both->first == "runs" ? both->second : given.baseline;
  const bool counted = runs_given.find_first_not_of("0123456789") == std::string::npos || runs_given != given.baseline;
  if (counted) {
    const auto runs = number("--baseline", runs_given, 1, 1e6);
    if (!runs) return runs.propagate();
    if (runs.value() != std::floor(runs.value()))
      return failure(ErrorKind::invalid, "--baseline is '" + given.baseline + "'; give a whole number of runs");
    baseline.runs = static_cast<std::size_t>(runs.value());
  } else if (both) {
    baseline.labels = {*both};
  } else {
    baseline.labels = {{"version", given.baseline}};
  }
  if (!counted && given.newest)
    return failure(ErrorKind::invalid,
                   "--newest says how many runs are judged where --baseline is a number of runs; "
                   "all runs after " +
                       given.baseline + " are");
  const auto newest = number("--newest", given.newest.value_or("10"), 1, 1e6);
  if (!newest) return newest.propagate();
  baseline.newest = static_cast<std::size_t>(newest.value());
  return baseline;
}

/// A number may mean so many runs, or the version of that name.
assay::Result<void> check_one_reading(const assay::History& history, const std::string& given) {
  if (given.find_first_not_of("0123456789") != std::string::npos) return {};
  const auto labeled = std::count_if(history.runs.begin(), history.runs.end(), [&](const auto& run) {
    const auto version = run.labels.find("version");
    return version != run.labels.end() && version->second == given;
  });
  if (labeled == 0) return {};
  return failure(ErrorKind::invalid, "--baseline " + given + " can be read in two ways: the " + given +
                                         " runs before the newest, or the version " + given + ", which " +
                                         std::to_string(labeled) + " runs are labeled with; give runs=" + given +
                                         " or version=" + given);
}

int scan(const assay::History& history, const CommandLine& line) {
  const auto baseline = baseline_of(line.history);
  if (!baseline) return fault(baseline.error().message);
  if (const auto one = check_one_reading(history, line.history.baseline); !one) return fault(one.error().message);
  const auto allowed = number("--allow", line.history.allowed, 0, 99);
  if (!allowed) return fault(allowed.error().message);
  std::optional<OutputFolder> output;
  if (!line.output_folder.empty()) {
    auto opened = OutputFolder::open(line.output_folder, line.formats);
    if (!opened) return fault(opened.error().message);
    output = std::move(opened).value();
    if (const auto room = output->has_room_for(history.series.size()); !room) return fault(room.error().message);
  }
  auto detector = assay::default_detector();
  detector.options.minimum_effect = allowed.value() / 100;
  const double start = assay::monotonic_seconds();
  assay::Run run;
  run.title = "Regressions since " + line.history.baseline;
  run.command = line.text;
  run.environment = assay::detect_environment();
  run.outcomes = assay::scan_history(history, baseline.value(), detector);
  run.planned_cases = run.outcomes.size();
  run.require_conclusive = line.require_conclusive;
  run.duration_seconds = assay::monotonic_seconds() - start;

  if (const auto changes = assay::machine_changes(history, baseline.value()); !changes.empty()) {
    std::string text;
    for (const std::string& change : changes) text += (text.empty() ? "" : "; ") + change;
    std::printf("warning: baseline and newest runs are of different machines (%s)\n", text.c_str());
  }
  if (const std::string back = assay::clock_that_went_back(history); !back.empty())
    std::printf("warning: %s\n", back.c_str());
  for (const assay::Outcome& outcome : run.outcomes)
    if (outcome.verdict != assay::Verdict::pass || line.verbosity == assay::Verbosity::verbose)
      std::printf("%s: %s\n    %s\n", std::string(assay::name_of(outcome.verdict)).c_str(),
                  assay::visible(outcome.label("metric")).c_str(), assay::visible(outcome.reason).c_str());
  std::printf("%zu series by %s: %zu regressed, %zu not, %zu undecided, %zu new\n", run.outcomes.size(),
              detector.name().c_str(), run.count(assay::Verdict::fail), run.count(assay::Verdict::pass),
              run.count(assay::Verdict::inconclusive), run.count(assay::Verdict::new_baseline));
  if (output) {
    if (const auto written = output->write(run); !written) return fault(written.error().message);
    for (const auto& file : output->files()) std::printf("report: %s\n", file.string().c_str());
  }
  const bool doubted = std::any_of(run.outcomes.begin(), run.outcomes.end(),
                                   [](const assay::Outcome& outcome) { return !outcome.label("doubt").empty(); });
  const bool decided = run.count(assay::Verdict::fail) > 0 || (run.count(assay::Verdict::pass) > 0 && !doubted);
  return decided ? run.exit_code() : 2;
}

int export_history(const assay::History& history, const std::string& to) {
  std::error_code code;
  if (fs::path(to).extension() == ".csv") {
    if (const auto written = assay::write_file(to, assay::csv_text(history)); !written)
      return fault(written.error().message);
  } else {
    auto target = open_history(to);
    if (!target) return fault(target.error().message + ", or .csv");
    if (fs::exists(to, code))
      return fault("'" + to + "' is there already; an export makes a new file, so that nothing stands in it twice");
    if (const auto appended = target.value()->append(runs_of(history)); !appended)
      return fault(appended.error().message);
  }
  std::printf("%s: %zu runs, %zu series\n", to.c_str(), history.runs.size(), history.series.size());
  return 0;
}

}  // namespace

int history(const CommandLine& line) {
  const HistoryOptions& given = line.history;
  if (given.action == "import") return import_files(given);
  const auto chosen = chosen_history(given);
  if (!chosen) return fault(chosen.error().message);
  if (given.action == "list") return list_series(chosen.value(), order_of(given));
  if (given.action == "show") return show(chosen.value(), order_of(given));
  if (given.action == "scan") return scan(chosen.value(), line);
  return export_history(chosen.value(), given.to);
}

}  // namespace assay_program
