#pragma once

#include "assay/performance/detail/google_benchmark_reader.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

/// Members of a benchmark that are no counters of the user's.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_google_benchmark_member(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 24> known{"name",
                                                   "run_name",
                                                   "run_type",
                                                   "family_index",
                                                   "per_family_instance_index",
                                                   "repetitions",
                                                   "repetition_index",
                                                   "threads",
                                                   "iterations",
                                                   "real_time",
                                                   "cpu_time",
                                                   "time_unit",
                                                   "label",
                                                   "aggregate_name",
                                                   "aggregate_unit",
                                                   "error_occurred",
                                                   "error_message",
                                                   "skipped",
                                                   "skip_message",
                                                   "big_o",
                                                   "cpu_coefficient",
                                                   "real_coefficient",
                                                   "rms",
                                                   "allocs_per_iter"};
  return std::find(known.begin(), known.end(), name) != known.end();
}

ASSAY_DETAIL_HEADER_INLINE Imported GoogleBenchmarkReader::read(const JsonPlace& document) {
  imported_.runs.emplace_back();
  read_context(document.at("context"));
  const std::vector<JsonPlace> benchmarks = document.at("benchmarks").elements();
  for (const JsonPlace& benchmark : benchmarks) read_repetition(benchmark);
  for (const JsonPlace& benchmark : benchmarks) read_aggregate(benchmark);
  finish_import(imported_, options_);
  return std::move(imported_);
}

ASSAY_DETAIL_HEADER_INLINE void GoogleBenchmarkReader::read_context(const JsonPlace& context) {
  const auto time = parse_utc_time(context.text_of("date"));
  imported_.has_time = time.has_value();
  if (time) run().origin.time = *time;
  for (const auto& [name, member] : context.members()) {
    const std::string text = member.scalar_text();
    if (text.empty() || name == "date") continue;
    if (name == "version" || name == "commit" || name == "build" || name == "branch")
      run().origin.labels[name] = text;  // --benchmark_context=commit=…
    else if (name == "cpu_scaling_enabled")
      run().origin.clocks["frequency_scaling"] = member.is_true() ? "on" : "off";
    else if (name == "mhz_per_cpu")
      run().origin.clocks["nominal_mhz"] = text;
    else
      run().origin.environment[name == "host_name" ? "host" : name == "num_cpus" ? "logical_processors" : name] = text;
  }
  if (const auto scaling = context.find("cpu_scaling_enabled"); scaling && scaling->is_true())
    imported_.notes.push_back("the processor's frequency scaling was on: times move with its clock");
}

ASSAY_DETAIL_HEADER_INLINE bool GoogleBenchmarkReader::measured(const JsonPlace& benchmark) {
  const auto error = benchmark.find("error_occurred"), skipped = benchmark.find("skipped");
  const bool failed = error && error->is_true(), left_out = skipped && skipped->is_true();
  if (failed)
    note_once(imported_.notes, "'" + visible(name_of_benchmark(benchmark)) +
                                   "' has no result: it reported the error '" +
                                   visible(benchmark.text_of("error_message")) + "'");
  if (left_out)
    note_once(imported_.notes, "'" + visible(name_of_benchmark(benchmark)) + "' was skipped: '" +
                                   visible(benchmark.text_of("skip_message")) + "'");
  return !failed && !left_out;
}

ASSAY_DETAIL_HEADER_INLINE void GoogleBenchmarkReader::read_aggregate(const JsonPlace& benchmark) {
  const std::string name = name_of_benchmark(benchmark);
  if (benchmark.text_of("run_type") != "aggregate" || benchmark.text_of("aggregate_name") != "median" ||
      repeated_.count(name) > 0 || !measured(benchmark))
    return;
  read_values(benchmark, name,
              "the median of " + benchmark.text_of("repetitions") +
                  " repetitions; the samples were not written (--benchmark_report_aggregates_only)");
}

ASSAY_DETAIL_HEADER_INLINE void GoogleBenchmarkReader::read_values(const JsonPlace& benchmark, const std::string& name,
                                                                   const std::string& note) {
  if (note.empty()) repeated_[name] = true;
  const std::string unit_text = benchmark.find("time_unit") ? benchmark.at("time_unit").text() : "ns";
  const auto unit = seconds_per(unit_text);
  if (!unit) benchmark.at("time_unit").expected("s, ms, us or ns");
  add(name, "real_time", "s", benchmark.at("real_time"), *unit, note);
  add(name, "cpu_time", "s", benchmark.at("cpu_time"), *unit, note);
  for (const auto& [member, value] : benchmark.members()) {
    if (is_google_benchmark_member(member) || !(value.value().is_number() || value.value().is_string())) continue;
    if (value.value().is_string() && !parse_infinity(value)) continue;
    const bool rate = member.size() > 11 && member.substr(member.size() - 11) == "_per_second";
    add(name, member, member == "bytes_per_second" ? "B/s" : rate ? "1/s" : "1", value, 1, note);
  }
}

ASSAY_DETAIL_HEADER_INLINE void GoogleBenchmarkReader::add(const std::string& name, const std::string& metric,
                                                           const std::string& unit, const JsonPlace& value,
                                                           double scale, const std::string& note) {
  const auto direction = direction_of(options_, metric, unit);
  if (!direction) return note_once(imported_.notes, unknown_direction(metric, unit));
  const double sample = value.number() * scale;
  if (!are_samples({&sample, 1}))
    return imported_.notes.push_back("'" + visible(name) + "': a sample of " + visible(metric) + " is " +
                                     number_text(sample) + " and left out");
  const auto [found, added] = points_.emplace(series_key(name, {}, metric), run().points.size());
  if (added) run().points.push_back({name, {}, {metric, unit, *direction, {}, note}});
  run().points[found->second].metric.samples.push_back(sample);
}

}  // namespace assay::inline v0::detail
