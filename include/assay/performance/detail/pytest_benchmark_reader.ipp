#pragma once

#include "assay/performance/detail/pytest_benchmark_reader.hpp"

#include <set>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Imported PytestBenchmarkReader::read(const JsonPlace& document) {
  imported_.runs.emplace_back();
  read_origin(document);
  const std::vector<JsonPlace> benchmarks = document.at("benchmarks").elements();
  std::multiset<std::string> keys;
  for (const JsonPlace& benchmark : benchmarks)
    keys.insert(series_key(subject_of(benchmark).name, subject_of(benchmark).configuration, ""));
  for (const JsonPlace& benchmark : benchmarks) {
    HistoryPoint point = subject_of(benchmark);
    if (keys.count(series_key(point.name, point.configuration, "")) > 1)
      point = {benchmark.at("fullname").text(), {}, {}};
    read_samples(benchmark, std::move(point));
  }
  finish_import(imported_, options_);
  return std::move(imported_);
}

ASSAY_DETAIL_HEADER_INLINE void PytestBenchmarkReader::read_origin(const JsonPlace& document) {
  RunOrigin& origin = run().origin;
  const auto time = parse_utc_time(document.text_of("datetime"));
  imported_.has_time = time.has_value();
  if (time) origin.time = *time;
  if (const auto commit = document.find("commit_info")) {
    if (const std::string id = commit->text_of("id"); !id.empty() && id != "unversioned") origin.labels["commit"] = id;
    if (const std::string branch = commit->text_of("branch"); !branch.empty() && branch != "(unknown)")
      origin.labels["branch"] = branch;
    if (const auto dirty = commit->find("dirty"); dirty && dirty->is_true()) {
      origin.labels["dirty"] = "true";
      imported_.notes.push_back("the working tree had changes that the commit does not have");
    }
  }
  if (const auto machine = document.find("machine_info")) {
    const auto keep = [&](const char* as, const std::string& text) {
      if (!text.empty()) origin.environment[as] = text;
    };
    keep("host", machine->text_of("node"));
    keep("operating_system", machine->text_of("system") + " " + machine->text_of("release"));
    keep("python", machine->text_of("python_implementation") + " " + machine->text_of("python_version"));
    if (const auto processor = machine->find("cpu")) {
      keep("processor", processor->text_of("brand_raw"));
      keep("logical_processors", processor->text_of("count"));
      if (const std::string clock = processor->text_of("hz_actual_friendly"); !clock.empty())
        origin.clocks["frequency"] = clock;
    }
  }
  if (const std::string version = document.text_of("version"); !version.empty())
    origin.environment["library pytest-benchmark"] = version;
}

ASSAY_DETAIL_HEADER_INLINE HistoryPoint PytestBenchmarkReader::subject_of(const JsonPlace& benchmark) {
  HistoryPoint point;
  point.name = benchmark.at("fullname").text();
  if (point.name.empty()) benchmark.refuse("the name is empty");
  const auto parameters = benchmark.find("params");
  const std::size_t bracket = point.name.find('[');
  if (!parameters || bracket == std::string::npos || bracket == 0) return point;
  for (const auto& [name, value] : parameters->members()) {
    const std::string text = value.scalar_text();
    const bool plain = (value.value().is_string() || value.value().is_number() || value.value().is_boolean()) &&
                       text.find("UNSERIALIZABLE") == std::string::npos;
    if (!plain) return {benchmark.at("fullname").text(), {}, {}};
    point.configuration[name] = text;
  }
  point.name.resize(bracket);
  return point;
}

ASSAY_DETAIL_HEADER_INLINE void PytestBenchmarkReader::read_samples(const JsonPlace& benchmark, HistoryPoint point) {
  const JsonPlace stats = benchmark.at("stats");
  point.metric = {"seconds", "s", direction_of(options_, "seconds", "s").value_or(Direction::lower_is_better), {}, ""};
  std::size_t left_out = 0;
  const auto keep = [&](double sample) {
    if (are_samples({&sample, 1}))
      point.metric.samples.push_back(sample);
    else
      ++left_out;
  };
  if (const auto data = stats.find("data")) {
    for (const JsonPlace& sample : data->elements()) keep(sample.number());
  } else {
    keep(stats.at("median").number());
    point.metric.note =
        "the median of " + stats.text_of("rounds") + " rounds; the samples were not written (--benchmark-save-data)";
  }
  if (left_out > 0)
    imported_.notes.push_back("'" + visible(point.name) + "': " + std::to_string(left_out) +
                              " samples that are no numbers are left out");
  if (!point.metric.samples.empty()) run().points.push_back(std::move(point));
}

}  // namespace assay::inline v0::detail
