#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/performance/detail/json_place.hpp"
#include "assay/performance/import_options.hpp"
#include "assay/report/read_file.hpp"

namespace assay::inline v0::detail {

class NvbenchReader {
 public:
  NvbenchReader(const ImportOptions& options, std::filesystem::path folder)
      : options_(options), folder_(std::move(folder)) {}

  [[nodiscard]] Imported read(const JsonPlace& document);

 private:
  HistoryRun& run() { return imported_.runs.front(); }

  /// nvbench writes null for a list without entries. `required` is the member that must be there, if any.
  static std::vector<JsonPlace> list(const std::optional<JsonPlace>& there, const JsonPlace& parent,
                                     const std::string& required) {
    if (!there && !required.empty() && !parent.value().contains(required))
      parent.refuse("the member \"" + required + "\" is missing");
    return there ? there->elements() : std::vector<JsonPlace>();
  }

  void read_origin(const JsonPlace& document);

  void read_state(const std::string& name, const JsonPlace& state);

  /// The entry of a summary's "data" of that name.
  static std::optional<JsonPlace> entry(const JsonPlace& summary, const std::string& name) {
    for (const JsonPlace& data : list(summary.find("data"), summary, ""))
      if (data.at("name").text() == name) return data.at("value");
    return std::nullopt;
  }

  /// The metric that a tag stands for; empty for others.
  static std::string metric_of(std::string_view tag) {
    if (tag == "nv/cold/sample_times" || tag == "nv/cold/time/gpu/mean") return "gpu_time";
    if (tag == "nv/cpu_only/sample_times" || tag == "nv/cold/time/cpu/mean" || tag == "nv/cpu_only/time/cpu/mean")
      return "cpu_time";
    return tag == "nv/batch/time/gpu/mean" ? "batch_gpu_time" : "";
  }

  /// Samples that nvbench wrote beside the file (--jsonbin): 32-bit floating-point numbers, least significant byte
  /// first.
  void read_samples(const HistoryPoint& subject, const JsonPlace& summary, const std::string& described);

  void read_summary(const HistoryPoint& subject, const JsonPlace& summary, const std::vector<JsonPlace>& all);

  /// The first that a state says of a metric; of a state that stands there again, its samples are further ones.
  void add(HistoryPoint subject, const std::string& metric, const std::string& unit, std::vector<double> samples,
           const std::string& note);

  const ImportOptions& options_;
  std::filesystem::path folder_;
  Imported imported_;
  std::map<std::string, std::string> devices_;
  struct Place {
    std::size_t point, state;
  };
  std::map<std::string, Place> points_;
  std::size_t state_ = 0;  ///< that is read
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/performance/detail/nvbench_reader.ipp"
#endif
