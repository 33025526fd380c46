#pragma once

#include "assay/report/prometheus.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_metric_name(std::string_view name, bool colons) {
  const auto letter = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (colons && c == ':');
  };
  if (name.empty() || !letter(name.front())) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

[[nodiscard]] inline bool ends_with(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

/// Valid UTF-8, escaped as help texts and labels are; of help in the older form quotes stay.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string metric_escaped(std::string_view text, bool quotes) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_sequence_length(text.substr(at));
    if (length == 0) {
      escaped += "\xEF\xBF\xBD";
      ++at;
      continue;
    }
    const char c = text[at];
    if (length > 1)
      escaped += text.substr(at, length);
    else if (c == '\\')
      escaped += "\\\\";
    else if (c == '\n')
      escaped += "\\n";
    else if (c == '"' && quotes)
      escaped += "\\\"";
    else
      escaped += c;
    at += length;
  }
  return escaped;
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string metric_labels(const std::map<std::string, std::string>& labels) {
  std::string text;
  for (const auto& [name, value] : labels)
    text += (text.empty() ? "{" : ",") + name + "=\"" + metric_escaped(value, true) + "\"";
  return text.empty() ? text : text + "}";
}

/// Why a family cannot be written; empty if it can.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string metric_problem(const MetricFamily& family) {
  static const std::vector<std::string> units{"seconds", "bytes", "joules", "watts", "celsius", "volts",     "amperes",
                                              "hertz",   "ratio", "meters", "grams", "tokens",  "operations"};
  if (!is_metric_name(family.name, true)) return "a name has letters, digits, '_' and ':' alone, no digit first";
  const bool counter = family.kind == MetricKind::counter;
  if (counter != ends_with(family.name, "_total"))
    return counter ? "a counter's name ends in _total" : "_total ends names of counters only";
  if (family.help.empty()) return "it has no help";
  if (!family.unit.empty()) {
    if (std::find(units.begin(), units.end(), family.unit) == units.end())
      return unknown_name("base unit", family.unit, units);
    const std::string_view base(family.name.data(), family.name.size() - (counter ? 6 : 0));
    if (!ends_with(base, "_" + family.unit)) return "its name does not end in its unit, _" + family.unit;
  }
  std::set<std::string> seen;
  for (const MetricSample& sample : family.samples) {
    for (const auto& [name, value] : sample.labels)
      if (!is_metric_name(name, false) || name.substr(0, 2) == "__")
        return "'" + visible(name) + "' is no name of a label; give letters, digits and '_', not __ first";
    const std::string labels = metric_labels(sample.labels);
    if (!seen.insert(labels).second) return "two samples have the labels " + (labels.empty() ? "{}" : labels);
    if (counter && sample.value && *sample.value < 0) return "a counter is never below 0";
  }
  return {};
}

ASSAY_DETAIL_HEADER_INLINE void write_family(const MetricFamily& family, MetricForm form, std::string& text) {
  const bool open = form == MetricForm::open_metrics, counter = family.kind == MetricKind::counter;
  const std::string name = open && counter ? family.name.substr(0, family.name.size() - 6) : family.name;
  if (open) {
    text += "# TYPE " + name + (counter ? " counter\n" : " gauge\n");
    if (!family.unit.empty()) text += "# UNIT " + name + " " + family.unit + "\n";
    text += "# HELP " + name + " " + metric_escaped(family.help, true) + "\n";
  } else {
    text += "# HELP " + name + " " + metric_escaped(family.help, false) + "\n# TYPE " + name +
            (counter ? " counter\n" : " gauge\n");
  }
  char number[32];
  for (const MetricSample& sample : family.samples)
    if (sample.value && std::isfinite(*sample.value)) {
      const auto end = std::to_chars(number, number + sizeof number, *sample.value).ptr;
      text += family.name + metric_labels(sample.labels) + " " + std::string(number, end) + "\n";
    }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<std::string> metrics_text(const std::vector<MetricFamily>& families,
                                                            MetricForm form) {
  std::string text;
  std::set<std::string> names;
  const auto write = [&](const MetricFamily& family) -> Result<void> {
    std::string problem = detail::metric_problem(family);
    if (problem.empty() && !names.insert(family.name).second) problem = "it is given twice";
    if (!problem.empty())
      return failure(ErrorKind::invalid, "metric '" + clipped(visible(family.name), 80) + "': " + problem);
    detail::write_family(family, form, text);
    return {};
  };
  for (const MetricFamily& family : families) {
    if (auto written = write(family); !written) return written.propagate();
    if (!family.presence) continue;
    const std::string base =
        family.kind == MetricKind::counter ? family.name.substr(0, family.name.size() - 6) : family.name;
    MetricFamily present{base + "_present", MetricKind::gauge, {}, "Whether " + family.name + " could be read.", {}};
    for (const MetricSample& sample : family.samples)
      present.samples.push_back({sample.labels, sample.value && std::isfinite(*sample.value) ? 1.0 : 0.0});
    if (auto written = write(present); !written) return written.propagate();
  }
  if (form == MetricForm::open_metrics) text += "# EOF\n";
  return text;
}

ASSAY_DETAIL_HEADER_INLINE Result<void> write_metrics(const std::vector<MetricFamily>& families,
                                                      const std::filesystem::path& path) {
  if (path.extension() != ".prom")
    return failure(ErrorKind::invalid, "'" + path.string() +
                                           "' does not end in .prom, and textfile collectors read no "
                                           "other files; name it so");
  const auto text = metrics_text(families);
  if (!text) return text.propagate();
  return write_file(path, text.value());
}

ASSAY_DETAIL_HEADER_INLINE std::vector<MetricFamily> run_metrics(const Run& run,
                                                                 const std::map<std::string, std::string>& labels,
                                                                 std::size_t most_cases) {
  const auto with = [&](std::map<std::string, std::string> more) {
    more.insert(labels.begin(), labels.end());
    return more;
  };
  MetricFamily outcomes{"assay_run_outcomes", MetricKind::gauge, {}, "Outcomes of the newest run, by verdict.", {}};
  for (const Verdict verdict : all_verdicts)
    outcomes.samples.push_back(
        {with({{"verdict", std::string(name_of(verdict))}}), static_cast<double>(run.count(verdict))});
  MetricFamily failed{"assay_case_failed", MetricKind::gauge, {}, "Cases that failed or erred in the newest run.", {}};
  std::set<std::string> told;
  for (const Outcome& outcome : run.outcomes)
    if ((outcome.verdict == Verdict::fail || outcome.verdict == Verdict::error) && failed.samples.size() < most_cases &&
        told.insert(outcome.id).second)
      failed.samples.push_back({with({{"case", outcome.id}}), 1.0});
  return {outcomes,
          {"assay_run_planned_cases",
           MetricKind::gauge,
           {},
           "Cases that the newest run was to have; more than outcomes if it was cut short.",
           {{with({}), static_cast<double>(run.planned_cases)}}},
          {"assay_run_duration_seconds",
           MetricKind::gauge,
           "seconds",
           "Wall-clock time of the newest run.",
           {{with({}), run.duration_seconds}}},
          {"assay_run_exit_code",
           MetricKind::gauge,
           {},
           "0: the newest run passed, 1: it failed, 2: it decided nothing.",
           {{with({}), static_cast<double>(run.exit_code())}}},
          failed};
}

}  // namespace assay::inline v0
