#pragma once

#include "assay/performance/import_tool_json.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/config.hpp"
#include "assay/performance/detail/imported_run.hpp"
#include "assay/performance/detail/json_place.hpp"
#include "assay/report/read_file.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Imported read_hyperfine(const JsonPlace& document,
                                                                 const ImportOptions& options) {
  ImportedRun run(options);
  for (const JsonPlace& result : document.at("results").elements()) {
    HistoryPoint subject;
    subject.name = result.at("command").text();
    if (subject.name.empty()) result.refuse("the command is empty");
    if (const auto parameters = result.find("parameters"))
      for (const auto& [name, value] : parameters->members()) subject.configuration[name] = value.scalar_text();
    const auto codes = result.find("exit_codes");
    const std::vector<JsonPlace> ended = codes ? codes->elements() : std::vector<JsonPlace>();
    const auto times = result.find("times");
    if (!times) {
      run.add(subject, "seconds", "s", result.at("median").number(), "a median; the times were not written");
      continue;
    }
    std::size_t failed = 0, index = 0;
    for (const JsonPlace& time : times->elements()) {
      const bool right = index >= ended.size() || (ended[index].value().is_number() && ended[index].number() == 0);
      ++index;
      if (right)
        run.add(subject, "seconds", "s", time.number());
      else
        ++failed;
    }
    if (failed > 0)
      run.note("'" + visible(subject.name) + "': " + std::to_string(failed) +
               " runs ended with another code than 0 and are left out");
  }
  return run.finish();
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Imported read_jmh(const JsonPlace& document, const ImportOptions& options) {
  ImportedRun run(options);
  for (const JsonPlace& result : document.elements()) {
    HistoryPoint subject;
    subject.name = result.at("benchmark").text();
    if (subject.name.empty()) result.refuse("the benchmark's name is empty");
    if (const auto parameters = result.find("params"))
      for (const auto& [name, value] : parameters->members()) subject.configuration[name] = value.scalar_text();
    subject.configuration["mode"] = result.text_of("mode");
    subject.configuration["threads"] = result.text_of("threads");
    for (const char* known : {"jdkVersion", "vmName", "vmVersion", "jmhVersion"})
      if (const std::string value = result.text_of(known); !value.empty()) run.origin().environment[known] = value;
    const JsonPlace metric = result.at("primaryMetric");
    const std::string unit = metric.at("scoreUnit").text();
    const auto raw = metric.find("rawData");
    if (!raw) {
      run.add(subject, "score", unit, metric.at("score").number(), "a mean; the iterations were not written");
      continue;
    }
    for (const JsonPlace& fork : raw->elements())
      for (const JsonPlace& iteration : fork.elements()) run.add(subject, "score", unit, iteration.number());
  }
  return run.finish();
}

/// The name of a benchmark of criterion: as benchmark.json has it, else the folders above "new".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string criterion_name(const std::filesystem::path& folder) {
  if (const auto text = read_file(folder / "benchmark.json")) {
    const auto name = read_json_document(text.value(), "benchmark.json of criterion",
                                         [](const JsonPlace& document) { return document.text_of("full_id"); });
    if (name && !name.value().empty()) return name.value();
  }
  std::error_code code;
  const std::filesystem::path whole = std::filesystem::absolute(folder, code).lexically_normal();
  std::filesystem::path above = whole.filename().empty() ? whole.parent_path() : whole;
  if (above.filename() == "new" || above.filename() == "base") above = above.parent_path();
  return above.filename().empty() ? "criterion" : above.filename().string();
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Imported read_criterion(const JsonPlace& document,
                                                                 const ImportOptions& options,
                                                                 const std::filesystem::path& folder) {
  ImportedRun run(options);
  HistoryPoint subject;
  subject.name = criterion_name(folder);
  if (const auto times = document.find("times")) {
    const std::vector<JsonPlace> iterations = document.at("iters").elements(), all = times->elements();
    if (iterations.size() != all.size()) times->expected("as many as \"iters\"");
    for (std::size_t i = 0; i < all.size(); ++i)
      run.add(subject, "seconds", "ns", all[i].number() / iterations[i].number());
  } else {
    run.add(subject, "seconds", "ns", document.at("median").at("point_estimate").number(),
            "a median; sample.json beside it has the samples");
  }
  return run.finish();
}

ASSAY_DETAIL_HEADER_INLINE void read_nccl_place(ImportedRun& run, HistoryPoint subject, const JsonPlace& line,
                                                const char* place) {
  const auto measured = line.find(place);
  if (!measured) return;
  subject.configuration["place"] = place;
  if (const auto wrong = measured->find("nwrong"); wrong && wrong->number() != 0)
    return run.note("'" + visible(series_key(subject.name, subject.configuration, "")) + "' had " +
                    number_text(wrong->number()) + " wrong values and is left out");
  if (const auto time = measured->find("time")) run.add(subject, "seconds", "us", time->number());
  if (const auto time = measured->find("cpu_time")) run.add(subject, "cpu_seconds", "us", time->number());
  run.add(subject, "algbw", "GB/s", measured->at("alg_bw").number());
  run.add(subject, "busbw", "GB/s", measured->at("bus_bw").number());
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Imported read_nccl_tests(const JsonPlace& document,
                                                                  const ImportOptions& options) {
  ImportedRun run(options);
  run.measured_at(document.text_of("start_time"));
  std::string program = "nccl-tests";
  if (const auto arguments = document.find("args"); arguments && !arguments->elements().empty())
    program = std::filesystem::path(arguments->elements().front().text()).filename().string();
  if (const std::string version = document.text_of("nccl_version"); !version.empty())
    run.origin().environment["library nccl"] = version;
  std::size_t ranks = 0;
  if (const auto configuration = document.find("config"))
    if (const auto devices = configuration->find("devices"))
      for (const JsonPlace& device : devices->elements()) {
        ++ranks;
        run.origin().environment["devices"] = device.text_of("device_info");
        run.origin().environment["host"] = device.text_of("hostname");
      }
  for (const JsonPlace& line : document.at("results").elements()) {
    HistoryPoint subject;
    subject.name = program;
    for (const char* known : {"size", "type", "redop", "root"}) {
      const std::string text = line.text_of(known);
      subject.configuration[known] = std::string(without_blanks(text));
    }
    if (ranks > 0) subject.configuration["ranks"] = std::to_string(ranks);
    read_nccl_place(run, subject, line, "out_of_place");
    read_nccl_place(run, subject, line, "in_place");
  }
  if (const auto bounds = document.find("out_of_bounds"))
    if (const auto right = bounds->find("okay"); right && right->value().is_boolean() && !right->is_true())
      run.note("the run says that values were out of bounds: what it measured was wrong");
  return run.finish();
}

/// "20250102-030405" as a time that is read everywhere.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string spread_time(const std::string& text) {
  if (text.size() != 15 || text[8] != '-') return text;
  return text.substr(0, 4) + "-" + text.substr(4, 2) + "-" + text.substr(6, 2) + "T" + text.substr(9, 2) + ":" +
         text.substr(11, 2) + ":" + text.substr(13, 2);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Imported read_vllm_bench(const JsonPlace& document,
                                                                  const ImportOptions& options) {
  ImportedRun run(options);
  run.measured_at(spread_time(document.text_of("date")));
  HistoryPoint subject;
  subject.name = "vllm bench serve";
  if (const std::string label = document.text_of("label"); !label.empty()) subject.configuration["label"] = label;
  for (const char* known :
       {"model_id", "backend", "endpoint_type", "num_prompts", "request_rate", "burstiness", "max_concurrency"})
    if (const std::string text = document.text_of(known); !text.empty()) subject.configuration[known] = text;
  const std::pair<const char*, const char*> rates[]{{"request_throughput", "requests/s"},
                                                    {"request_goodput", "requests/s"},
                                                    {"request_goodput:", "requests/s"},
                                                    {"output_throughput", "tok/s"},
                                                    {"total_token_throughput", "tok/s"}};
  for (const auto& [name, unit] : rates)
    if (const auto value = document.find(name))
      run.add(subject, std::string(name).substr(0, std::string(name).find(':')), unit, value->number());
  for (const auto& [name, value] : document.members()) {
    if (!name.ends_with("_ms") || !value.value().is_number() || name.starts_with("std_")) continue;
    run.add(subject, name.substr(0, name.size() - 3), "ms", value.number());
  }
  const auto asked = document.find("num_prompts"), completed = document.find("completed");
  if (asked && completed && completed->number() < asked->number())
    run.note(number_text(asked->number() - completed->number(), 6) + " of " + number_text(asked->number(), 6) +
             " requests were not completed");
  return run.finish();
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE Imported read_aiperf(const JsonPlace& document, const ImportOptions& options) {
  ImportedRun run(options);
  run.measured_at(document.text_of("start_time"));
  if (const std::string version = document.text_of("aiperf_version"); !version.empty())
    run.origin().environment["library aiperf"] = version;
  HistoryPoint subject;
  subject.name = "aiperf";
  if (const auto configuration = document.find("input_config"))
    for (const auto& [group, members] : configuration->members()) {
      if (!members.value().is_object()) continue;
      for (const char* known : {"concurrency", "request_rate", "model_names", "streaming", "url"})
        if (const auto value = members.find(known)) {
          const bool list = value->value().is_array() && !value->elements().empty();
          const std::string text = list ? value->elements().front().scalar_text() : value->scalar_text();
          if (!text.empty() && std::string(known) != "url") subject.configuration[known] = text;
        }
    }
  const JsonPlace metrics = document.find("records").value_or(document);
  for (const auto& [name, metric] : metrics.members()) {
    if (!metric.value().is_object() || !metric.find("unit")) continue;
    const std::string unit = metric.text_of("unit");
    for (const char* statistic : {"avg", "p50", "p99"})
      if (const auto value = metric.find(statistic); value && value->value().is_number())
        run.add(subject, std::string(statistic) == "avg" ? name : name + "_" + statistic, unit, value->number());
  }
  if (const auto cancelled = document.find("was_cancelled"); cancelled && cancelled->is_true())
    run.note("the run was cancelled: it measured less than was asked for");
  return run.finish();
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_hyperfine(std::string_view text, const ImportOptions& options) {
  return detail::read_json_document(text, "results of hyperfine", [&](const detail::JsonPlace& document) {
    return detail::read_hyperfine(document, options);
  });
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_jmh(std::string_view text, const ImportOptions& options) {
  return detail::read_json_document(
      text, "results of JMH", [&](const detail::JsonPlace& document) { return detail::read_jmh(document, options); });
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_criterion(std::string_view text, const ImportOptions& options,
                                                             const std::filesystem::path& folder) {
  return detail::read_json_document(text, "results of criterion", [&](const detail::JsonPlace& document) {
    return detail::read_criterion(document, options, folder);
  });
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_cargo_criterion(std::string_view text,
                                                                   const ImportOptions& options) {
  detail::ImportedRun run(options);
  std::size_t number = 0;
  for (const std::string_view line : detail::lines_of(text)) {
    ++number;
    if (detail::without_blanks(line).empty()) continue;
    const auto read =
        detail::read_json_document(line, "results of cargo criterion", [&](const detail::JsonPlace& place) {
          if (place.text_of("reason") != "benchmark-complete") return true;
          HistoryPoint subject;
          subject.name = place.at("id").text();
          if (subject.name.empty()) place.refuse("the id is empty");
          const auto iterations = place.at("iteration_count").elements(),
                     values = place.at("measured_values").elements();
          if (iterations.size() != values.size())
            place.at("measured_values").expected("as many as \"iteration_count\"");
          for (std::size_t i = 0; i < values.size(); ++i)
            run.add(subject, "seconds", place.at("unit").text(), values[i].number() / iterations[i].number());
          return true;
        });
    if (!read) return failure(read.error().kind, "line " + std::to_string(number) + ": " + read.error().message);
  }
  return run.finish();
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_nccl_tests_json(std::string_view text,
                                                                   const ImportOptions& options) {
  return detail::read_json_document(text, "results of nccl-tests", [&](const detail::JsonPlace& document) {
    return detail::read_nccl_tests(document, options);
  });
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_vllm_bench(std::string_view text, const ImportOptions& options) {
  return detail::read_json_document(text, "results of vllm bench", [&](const detail::JsonPlace& document) {
    return detail::read_vllm_bench(document, options);
  });
}

ASSAY_DETAIL_HEADER_INLINE Result<Imported> import_aiperf(std::string_view text, const ImportOptions& options) {
  return detail::read_json_document(text, "results of AIPerf", [&](const detail::JsonPlace& document) {
    return detail::read_aiperf(document, options);
  });
}

}  // namespace assay::inline v0
