#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/core/heat_map.hpp"
#include "assay/core/measurement.hpp"
#include "assay/core/series.hpp"
#include "assay/core/table.hpp"
#include "assay/core/verdict.hpp"

namespace assay::inline v0 {

/// What a validator found. Baselines, reports, history and gates read outcomes and nothing else.
struct Outcome {
  /// Stable and hierarchical, parts joined by '/': operation/backend/formats/shape/data.
  std::string id;
  Verdict verdict = Verdict::inconclusive;
  /// One sentence: why this verdict. Never empty unless the verdict is `pass`.
  std::string reason;
  /// What is known of the cause of a failure, one finding a line, most telling first.
  std::vector<std::string> diagnosis;
  /// How the tolerance came about, in words and numbers, one step a line.
  std::vector<std::string> derivation;
  std::vector<Measurement> measurements;
  std::vector<Table> tables;
  std::vector<Series> series;
  std::vector<HeatMap> heat_maps;
  /// What the case is about, for selection and grouping: "operation", "backend", "formats", "shape", "data", …
  std::map<std::string, std::string> labels;
  std::uint64_t seed = 0;       ///< what the case drew its data from; the same seed draws the same data
  double duration_seconds = 0;  ///< wall-clock time of the whole case, reference and comparison included
  /// The command that runs this case again, and only this.
  std::string reproduce;

  /// The value of the measurement of that name; nothing where it was not taken. O(measurements).
  [[nodiscard]] std::optional<double> measurement(std::string_view name) const {
    for (const Measurement& entry : measurements)
      if (entry.name == name) return entry.value;
    return std::nullopt;
  }
  /// Adds a measurement; `unit` as in `Measurement`.
  void measure(std::string name, double value, std::string unit = "1") {
    measurements.push_back({std::move(name), value, std::move(unit)});
  }
  /// The label of that name; empty where there is none.
  [[nodiscard]] std::string label(const std::string& name) const {
    const auto found = labels.find(name);
    return found == labels.end() ? std::string() : found->second;
  }
};

/// Names of measurements that reports and gates rely on.
namespace measurement {
inline constexpr const char* worst_error_ratio = "worst_error_ratio";  ///< largest error / allowed error; ≤ 1 in a pass
inline constexpr const char* max_absolute_error = "max_absolute_error";  ///< in the unit of the output
inline constexpr const char* max_relative_error =
    "max_relative_error";                                      ///< |out − r|/|r|, of finite elements with r ≠ 0
inline constexpr const char* max_ulp_error = "max_ulp_error";  ///< units in the last place of the output's format
inline constexpr const char* violations = "violations";        ///< elements outside their acceptance interval
inline constexpr const char* elements = "elements";            ///< elements that were compared
inline constexpr const char* kernel_seconds =
    "kernel_seconds";  ///< time of one launch of the kernel under test, in seconds
inline constexpr const char* reference_seconds = "reference_seconds";    ///< time of the reference, in seconds
inline constexpr const char* comparison_seconds = "comparison_seconds";  ///< time of the comparison, in seconds
}  // namespace measurement

}  // namespace assay::inline v0
