#pragma once

#include "assay/performance/import_tool_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/performance/detail/imported_run.hpp"
#include "assay/report/csv.hpp"
#include "assay/report/xml_element.hpp"

namespace assay::inline v0 {

namespace detail {

/// "BenchmarkSum/n=10/kind=a-8": the name without what is configuration.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE HistoryPoint go_subject(std::string text) {
  HistoryPoint subject;
  const std::size_t dash = text.rfind('-');
  if (dash != text.npos && dash + 1 < text.size() && text.find_first_not_of("0123456789", dash + 1) == text.npos) {
    subject.configuration["procs"] = text.substr(dash + 1);
    text.resize(dash);
  }
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    const std::string part = text.substr(at, end - at);
    const std::size_t equals = part.find('=');
    if (at > 0 && equals != part.npos && equals > 0)
      subject.configuration[part.substr(0, equals)] = part.substr(equals + 1);
    else
      subject.name += (at == 0 ? "" : "/") + part;
    at = end + 1;
  }
  return subject;
}

/// The places of the columns of one half of a table of nccl-tests.
struct NcclColumns {
  std::size_t time = 0, algorithm = 0, bus = 0, wrong = 0;
};

/// One line of sizes and measurements of nccl-tests; false if it is none.
ASSAY_DETAIL_HEADER_INLINE bool read_nccl_line(ImportedRun& run, const std::string& name,
                                               const std::map<std::string, std::size_t>& named,
                                               const std::vector<NcclColumns>& halves,
                                               const std::vector<std::string>& words) {
  HistoryPoint subject;
  subject.name = name;
  for (const char* known : {"size", "type", "redop", "root"})
    if (const auto at = named.find(known); at != named.end()) {
      if (at->second >= words.size()) return false;
      subject.configuration[known] = words[at->second];
    }
  for (std::size_t half = 0; half < halves.size(); ++half) {
    const NcclColumns& columns = halves[half];
    if (columns.wrong >= words.size()) return false;
    HistoryPoint own = subject;
    own.configuration["place"] = half == 0 ? "out_of_place" : "in_place";
    const auto time = read_number(words[columns.time]), algorithm = read_number(words[columns.algorithm]),
               bus = read_number(words[columns.bus]);
    if (!time || !algorithm || !bus) return false;
    const auto wrong = read_number(words[columns.wrong]);
    if (wrong && *wrong != 0) {
      run.note("'" + visible(series_key(own.name, own.configuration, "")) + "' had " + number_text(*wrong) +
               " wrong values and is left out");
      continue;
    }
    run.add(own, "seconds", "us", *time);
    run.add(own, "algbw", "GB/s", *algorithm);
    run.add(own, "busbw", "GB/s", *bus);
  }
  return true;
}

/// "99.00 percentile latency (ns)" and the like: a metric and its unit; nothing for lines that are no measurements.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::optional<std::pair<std::string, std::string>> loadgen_metric(
    std::string_view key) {
  for (const auto& [end, unit] : {std::pair<std::string_view, std::string_view>{" (ns)", "ns"}, {" (ms)", "ms"}})
    if (key.ends_with(end)) {
      const std::string name(key.substr(0, key.size() - end.size()));
      const bool latency = name.find("latency") != name.npos || name.find("token") != name.npos ||
                           name.find("output token") != name.npos;
      return latency ? std::optional(std::pair{name, std::string(unit)}) : std::nullopt;
    }
  for (const auto& [end, unit] : {std::pair<std::string_view, std::string_view>{"amples per second", "samples/s"},
                                  {"okens per second", "tok/s"},
                                  {"ueries per second", "queries/s"},
                                  {"QPS w/o loadgen overhead", "queries/s"},
                                  {"QPS w/ loadgen overhead", "queries/s"}})
    if (key.ends_with(end)) return std::pair{std::string(key), std::string(unit)};
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE void read_catch2(const XmlElement& element, const std::string& path, ImportedRun& run) {
  const bool named = element.name == "TestCase" || element.name == "Section" || element.name == "Group";
  const std::string own = named && !element.attribute("name").empty() ? path + element.attribute("name") + "/" : path;
  if (element.name == "BenchmarkResults") {
    HistoryPoint subject;
    subject.name = path + element.attribute("name");
    const XmlElement* mean = element.child("mean");
    const auto value = mean == nullptr ? std::nullopt : read_number(mean->attribute("value"));
    if (const XmlElement* failed = element.child("failed"))
      run.note("'" + visible(subject.name) + "' has no result: '" + visible(failed->attribute("message")) + "'");
    else if (!value)
      run.note("'" + visible(subject.name) + "' has no mean");
    else
      run.add(subject, "seconds", "ns", *value,
              "the mean of " + element.attribute("samples") + " samples, which Catch2 does not write");
  }
  for (const XmlElement& child : element.children) read_catch2(child, own, run);
}

/// What an aggregate of Google Benchmark ends with in CSV.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string aggregate_suffix(const std::string& name) {
  for (const char* suffix : {"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS", "_min", "_max"})
    if (name.ends_with(suffix)) return suffix;
  return {};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_go_benchmark(std::string_view text, const ImportOptions& options) {
  detail::ImportedRun run(options);
  std::string package;
  std::size_t found = 0;
  for (const std::string_view line : detail::lines_of(text)) {
    const auto value_behind = [&](std::string_view key) {
      return std::string(detail::without_blanks(line.substr(key.size())));
    };
    if (line.starts_with("pkg:")) package = value_behind("pkg:");
    if (line.starts_with("goos:")) run.origin().environment["operating_system"] = value_behind("goos:");
    if (line.starts_with("goarch:")) run.origin().environment["architecture"] = value_behind("goarch:");
    if (line.starts_with("cpu:")) run.origin().environment["processor"] = value_behind("cpu:");
    if (line.starts_with("--- FAIL") || line.starts_with("FAIL") || line.starts_with("panic:"))
      run.note("a test failed: '" + clipped(visible(line), 100) + "'");
    if (!line.starts_with("Benchmark")) continue;
    const std::vector<std::string> words = detail::words_of_line(line);
    if (words.size() < 4 || words[1].find_first_not_of("0123456789") != std::string::npos) continue;
    HistoryPoint subject = detail::go_subject(words[0]);
    if (!package.empty()) subject.configuration["pkg"] = package;
    ++found;
    for (std::size_t i = 2; i + 1 < words.size(); i += 2) {
      const auto value = detail::read_number(words[i]);
      if (!value) {
        run.note("'" + visible(subject.name) + "': '" + clipped(visible(words[i]), 20) + "' is no number");
        break;
      }
      const std::string& unit = words[i + 1];
      run.add(subject, unit == "ns/op" ? "seconds" : unit, unit == "ns/op" ? "ns" : unit, *value);
    }
  }
  if (found == 0) return failure(ErrorKind::malformed, "not results of go test -bench: no line is a benchmark's");
  return run.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_nccl_tests(std::string_view text, const ImportOptions& options,
                                                              const std::string& name) {
  detail::ImportedRun run(options);
  std::string program = name;
  std::map<std::string, std::size_t> named;
  std::vector<detail::NcclColumns> halves;
  std::size_t number = 0, measured = 0;
  for (const std::string_view line : detail::lines_of(text)) {
    ++number;
    const std::vector<std::string> words = detail::words_of_line(line);
    if (words.empty()) continue;
    if (words[0].starts_with('#')) {
      constexpr std::string_view starting = "Collective test starting:";
      if (const std::size_t at = line.find(starting); at != line.npos)
        program = std::string(detail::without_blanks(line.substr(at + starting.size())));
      if (line.find("Out of bounds values") != line.npos && line.find("FAILED") != line.npos)
        run.note("the run says that values were out of bounds: what it measured was wrong");
      if (const std::size_t device = line.find("] "); device != line.npos && line.find(" device ") != line.npos)
        run.origin().environment["devices"] = std::string(detail::without_blanks(line.substr(device + 2)));
      if (std::find(words.begin(), words.end(), "size") == words.end() ||
          std::find(words.begin(), words.end(), "busbw") == words.end())
        continue;
      named.clear();
      halves.clear();
      for (std::size_t i = 1; i < words.size(); ++i) {
        const std::size_t column = i - 1;  // behind '#'
        if (words[i] == "time" || words[i] == "cputime") halves.push_back({column, 0, 0, 0});
        if (halves.empty()) {
          named.emplace(words[i], column);
        } else if (words[i] == "algbw") {
          halves.back().algorithm = column;
        } else if (words[i] == "busbw") {
          halves.back().bus = column;
        } else if (words[i] == "#wrong" || words[i] == "error") {
          halves.back().wrong = column;
        }
      }
      continue;
    }
    if (halves.empty() || words[0].find_first_not_of("0123456789") != std::string::npos) continue;
    if (!detail::read_nccl_line(run, program, named, halves, words))
      return failure(ErrorKind::malformed, "not results of nccl-tests: line " + std::to_string(number) + " has " +
                                               std::to_string(words.size()) +
                                               " columns, which do not fit the table's heading");
    ++measured;
  }
  if (halves.empty())
    return failure(ErrorKind::malformed, "not results of nccl-tests: no heading with 'size' and 'busbw'");
  if (measured == 0) run.note("the table has no line of measurements");
  return run.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_loadgen(std::string_view text, const ImportOptions& options) {
  detail::ImportedRun run(options);
  HistoryPoint subject;
  subject.name = "mlperf";
  std::string result, mode;
  std::vector<std::pair<std::pair<std::string, std::string>, double>> measured;
  for (const std::string_view line : detail::lines_of(text)) {
    const std::size_t colon = line.find(':');
    if (colon == line.npos) continue;
    const std::string key(detail::without_blanks(line.substr(0, colon))),
        value(detail::without_blanks(line.substr(colon + 1)));
    if (key == "SUT name") subject.configuration["sut"] = value;
    if (key == "Scenario") subject.configuration["scenario"] = value;
    if (key == "Mode") mode = value;
    if (key == "Result is") result = value;
    for (const char* parameter : {"target_qps", "samples_per_query", "target_latency (ns)", "max_async_queries"})
      if (key == parameter) subject.configuration[parameter] = value;
    const auto metric = detail::loadgen_metric(key);
    const auto sample = detail::read_number(value);
    if (metric && sample) measured.emplace_back(*metric, *sample);
  }
  if (result.empty() || mode.empty())
    return failure(ErrorKind::malformed, "not a summary of LoadGen: 'Mode' or 'Result is' is missing; was it cut off?");
  if (result != "VALID")
    run.note("the result is '" + clipped(visible(result), 40) + "' by LoadGen's own rules and left out");
  else if (mode != "PerformanceOnly")
    run.note("the mode is '" + clipped(visible(mode), 40) + "', which measures no performance; it is left out");
  else
    for (const auto& [metric, sample] : measured) run.add(subject, metric.first, metric.second, sample);
  return run.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_catch2(std::string_view text, const ImportOptions& options) {
  const auto document = parse_xml(text);
  if (!document) return failure(document.error().kind, "not results of Catch2: " + document.error().message);
  if (document.value().name != "Catch2TestRun" && document.value().name != "Catch")
    return failure(ErrorKind::malformed, "not results of Catch2: the document is a '" +
                                             clipped(visible(document.value().name), 40) +
                                             "'; Catch2 writes benchmarks with -r xml");
  detail::ImportedRun run(options);
  detail::read_catch2(document.value(), "", run);
  return run.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_google_benchmark_csv(std::string_view text,
                                                                        const ImportOptions& options) {
  const std::size_t start = text.find("name,iterations,");
  if (start == text.npos)
    return failure(ErrorKind::malformed, "not CSV of Google Benchmark: no heading begins with 'name,iterations,'");
  const auto rows = csv_rows(text.substr(start), ',');
  if (!rows) return rows.propagate();
  const std::vector<std::string>& header = rows.value()[0].cells;
  std::map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < header.size(); ++i) at.emplace(header[i], i);
  for (const char* needed : {"real_time", "cpu_time", "time_unit"})
    if (at.count(needed) == 0)
      return failure(ErrorKind::malformed,
                     std::string("not CSV of Google Benchmark: the column '") + needed + "' is missing");
  std::set<std::string> repeated;
  for (const CsvRow& row : rows.value())
    if (!row.cells.empty() && detail::aggregate_suffix(row.cells[0]).empty()) repeated.insert(row.cells[0]);
  detail::ImportedRun run(options);
  for (std::size_t r = 1; r < rows.value().size(); ++r) {
    std::vector<std::string> cells = rows.value()[r].cells;
    if (cells.size() > header.size())
      return failure(ErrorKind::malformed, "not CSV of Google Benchmark: row " + std::to_string(r) + " has " +
                                               std::to_string(cells.size()) + " cells, and the heading " +
                                               std::to_string(header.size()));
    cells.resize(header.size());  // counters are left off behind an error
    const auto cell = [&](const std::string& name) { return at.count(name) == 0 ? std::string() : cells[at.at(name)]; };
    HistoryPoint subject;
    subject.name = cells[0];
    std::string note;
    if (const std::string suffix = detail::aggregate_suffix(cells[0]); !suffix.empty()) {
      subject.name.resize(subject.name.size() - suffix.size());
      if (suffix != "_median" || repeated.count(subject.name) > 0) continue;
      note = "a median; the repetitions were not written (--benchmark_report_aggregates_only)";
    }
    if (subject.name.empty()) continue;
    if (cell("error_occurred") == "true") {
      run.note("'" + visible(subject.name) + "' has no result: it reported the error '" +
               visible(cell("error_message")) + "'");
      continue;
    }
    for (std::size_t i = 0; i < header.size(); ++i) {
      const std::string& name = header[i];
      static constexpr std::array<std::string_view, 6> others{"name",  "iterations",     "time_unit",
                                                              "label", "error_occurred", "error_message"};
      if (std::find(others.begin(), others.end(), name) != others.end() || cells[i].empty()) continue;
      const auto value = detail::read_number(cells[i]);
      if (!value) {
        run.note("'" + visible(subject.name) + "': '" + clipped(visible(cells[i]), 40) + "' of " + visible(name) +
                 " is no number and left out");
        continue;
      }
      const bool time = name == "real_time" || name == "cpu_time";
      const std::string unit = time                            ? cell("time_unit")
                               : name == "bytes_per_second"    ? "B/s"
                               : name.ends_with("_per_second") ? "1/s"
                                                               : "1";
      run.add(subject, name, unit, *value, note);
    }
  }
  return run.finish();
}

}  // namespace assay::inline v0
