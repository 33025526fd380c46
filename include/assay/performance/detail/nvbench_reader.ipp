#pragma once

#include "assay/performance/detail/nvbench_reader.hpp"

#include <algorithm>
#include <bit>
#include <system_error>

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Imported NvbenchReader::read(const JsonPlace& document) {
  imported_.runs.emplace_back();
  imported_.has_time = false;
  read_origin(document);
  for (const JsonPlace& benchmark : list(document.find("benchmarks"), document, "benchmarks"))
    for (const JsonPlace& state : list(benchmark.find("states"), benchmark, ""))
      read_state(benchmark.at("name").text(), state);
  finish_import(imported_, options_);
  return std::move(imported_);
}

ASSAY_DETAIL_HEADER_INLINE void NvbenchReader::read_origin(const JsonPlace& document) {
  const auto meta = document.find("meta");
  if (!meta)
    document.refuse(
        "the member \"meta\" is missing; files of nvbench from before its JSON form 1.0 (2022) cannot be read");
  const JsonPlace version = meta->at("version"), major = version.at("json").at("major");
  if (major.number() != 1) major.expected("1, the form that this version of Assay reads");
  if (const auto own = version.find("nvbench")) run().origin.environment["library nvbench"] = own->text_of("string");
  std::map<std::string, int> same_name;
  std::string all;
  const std::vector<JsonPlace> devices = list(document.find("devices"), document, "devices");
  for (const JsonPlace& device : devices) ++same_name[device.at("name").text()];
  for (const JsonPlace& device : devices) {
    const std::string name = device.at("name").text(), id = device.at("id").scalar_text();
    devices_[id] = same_name[name] > 1 ? name + " #" + id : name;
    all += (all.empty() ? "" : "; ") + name;
  }
  if (!all.empty()) run().origin.environment["devices"] = all;
}

ASSAY_DETAIL_HEADER_INLINE void NvbenchReader::read_state(const std::string& name, const JsonPlace& state) {
  HistoryPoint subject;
  ++state_;
  subject.name = name;
  if (name.empty()) state.refuse("the benchmark's name is empty");
  for (const JsonPlace& axis : list(state.find("axis_values"), state, ""))
    subject.configuration[axis.at("name").text()] = axis.at("value").scalar_text();
  if (const auto device = state.find("device")) {
    const auto known = devices_.find(device->scalar_text());
    if (known == devices_.end()) device->expected("the id of one of \"devices\"");
    subject.configuration["device"] = known->second;
  }
  const std::string described = "'" + visible(series_key(name, subject.configuration, "")) + "'";
  if (const auto skipped = state.find("is_skipped"); skipped && skipped->is_true()) {
    imported_.notes.push_back(described + " was skipped: '" + visible(state.text_of("skip_reason")) + "'");
    return;
  }
  const std::vector<JsonPlace> summaries = list(state.find("summaries"), state, "");
  for (const JsonPlace& summary : summaries) read_samples(subject, summary, described);
  for (const JsonPlace& summary : summaries) read_summary(subject, summary, summaries);
}

ASSAY_DETAIL_HEADER_INLINE void NvbenchReader::read_samples(const HistoryPoint& subject, const JsonPlace& summary,
                                                            const std::string& described) {
  constexpr std::string_view prefix = "nv/json/bin:";
  const std::string tag = summary.at("tag").text();
  if (tag.substr(0, prefix.size()) != prefix) return;
  const std::string metric = metric_of(std::string_view(tag).substr(prefix.size()));
  const auto file = entry(summary, "filename"), size = entry(summary, "size");
  if (metric.empty() || !file || !size) return;
  const std::filesystem::path given = file->text();
  // Beside the document in newer versions; before, as seen from where the benchmark ran. Files elsewhere are nobody's
  // samples.
  std::string bytes;
  for (const std::filesystem::path& path :
       {folder_ / (given.is_relative() && given.string().find("..") == std::string::npos ? given : given.filename()),
        folder_ / given.parent_path().filename() / given.filename()}) {
    std::error_code code;
    if (!std::filesystem::is_regular_file(path, code)) continue;
    if (auto read = read_file(path)) bytes = std::move(read).value();
    if (!bytes.empty()) break;
  }
  const double count = size->number();
  if (!(count >= 1) || bytes.size() != static_cast<std::size_t>(std::min(count, 1e12)) * 4) {
    imported_.notes.push_back(described + ": the file of samples '" + visible(given.string()) +
                              "' is absent or has another size than " + number_text(count) +
                              " samples; their mean is taken");
    return;
  }
  std::vector<double> samples;
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    std::uint32_t bits = 0;
    for (std::size_t byte = 4; byte-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[at + byte]);
    samples.push_back(static_cast<double>(std::bit_cast<float>(bits)));
  }
  if (!are_samples(samples)) {
    imported_.notes.push_back(described + ": a sample in '" + visible(given.string()) +
                              "' is no number; their mean is taken");
    return;
  }
  add(subject, metric, "s", std::move(samples), "");
}

ASSAY_DETAIL_HEADER_INLINE void NvbenchReader::read_summary(const HistoryPoint& subject, const JsonPlace& summary,
                                                            const std::vector<JsonPlace>& all) {
  const std::string tag = summary.at("tag").text(), hint = summary.text_of("hint");
  std::string metric = metric_of(tag), unit = "s", note;
  if (!metric.empty()) {
    note = "a mean; the samples were not written (--jsonbin)";
    for (const JsonPlace& other : all)
      if (other.at("tag").text() == tag.substr(0, tag.find('/', 3)) + "/sample_size")
        if (const auto count = entry(other, "value"))
          note = "the mean of " + count->scalar_text() + " samples, which were not written (--jsonbin)";
  } else if (hint == "byte_rate" || hint == "item_rate") {
    metric = hint == "byte_rate" ? "bytes_per_second" : "items_per_second";
    unit = hint == "byte_rate" ? "B/s" : "1/s";
    note = "from a mean";
  } else {
    return;
  }
  const auto value = entry(summary, "value");
  if (!value) return;
  const double sample = value->number();
  if (!are_samples({&sample, 1}))
    return note_once(imported_.notes,
                     "'" + visible(subject.name) + "': " + tag + " is " + number_text(sample) + " and left out");
  add(subject, metric, unit, {sample}, note);
}

ASSAY_DETAIL_HEADER_INLINE void NvbenchReader::add(HistoryPoint subject, const std::string& metric,
                                                   const std::string& unit, std::vector<double> samples,
                                                   const std::string& note) {
  const auto direction = direction_of(options_, metric, unit);
  if (!direction) return;
  const std::string key = series_key(subject.name, subject.configuration, metric);
  const auto [found, added] = points_.emplace(key, Place{run().points.size(), state_});
  if (added) {
    subject.metric = {metric, unit, *direction, std::move(samples), note};
    run().points.push_back(std::move(subject));
  } else if (found->second.state != state_) {
    found->second.state = state_;
    std::vector<double>& there = run().points[found->second.point].metric.samples;
    there.insert(there.end(), samples.begin(), samples.end());
    note_once(imported_.notes, "'" + visible(series_key(subject.name, subject.configuration, "")) +
                                   "' stands there more than once; all of its samples are taken together");
  }
}

}  // namespace assay::inline v0::detail
