#pragma once

#include "assay/collectives/measurement/sweep_json.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string sweep_json_text(const SweepResult& result) {
  using Json = nlohmann::ordered_json;
  Json results = Json::array();
  const SweepPoint* before = nullptr;
  for (const SweepPoint& point : result.points) {
    if (before == nullptr || !detail::same_row(*before, point))
      results.push_back({{"operation", name_of(point.operation)},
                         {"size", static_cast<std::uint64_t>(point.bytes)},
                         {"count", point.count},
                         {"type", nccl_name_of(point.type)},
                         {"redop", reduces(point.operation) ? nccl_name_of(point.reduction) : "none"},
                         {"root", has_root(point.operation) ? point.root : -1}});
    before = &point;
    Json& row = results.back();
    const std::string placement = point.in_place ? "in_place" : "out_of_place";
    if (point.error) {
      row[placement] = {{"error", point.error->message}};
      continue;
    }
    row[placement] = {{"time", point.seconds * 1e6},
                      {"alg_bw", point.bandwidth.algorithm / 1e9},
                      {"bus_bw", point.bandwidth.bus / 1e9},
                      {"nwrong", point.verified ? Json(point.wrong) : Json()}};
    if (!point.findings.empty()) row[placement]["findings"] = point.findings;
    std::vector<double> times = point.call_seconds;
    for (double& time : times) time *= 1e6;
    row[placement + "_per_iter"] = {{"min_us", point.least_seconds * 1e6},  {"max_us", point.most_seconds * 1e6},
                                    {"p50_us", point.median_seconds * 1e6}, {"p99_us", point.p99_seconds * 1e6},
                                    {"cv_pct", point.variation * 100},      {"times_us", times}};
    row["actual_iterations"] = result.iterations;
  }
  const Json all{{"version", 1},
                 {"runtime", result.runtime},
                 {"config",
                  {{"ranks", result.ranks},
                   {"warmup_iters", result.warm_up},
                   {"iterations", result.iterations},
                   {"seconds", result.seconds}}},
                 {"results", results},
                 {"out_of_bounds", {{"count", result.wrong()}, {"okay", result.wrong() == 0}}},
                 {"average_bus_bandwidth", {{"bandwidth", result.mean_bus_bandwidth() / 1e9}, {"okay", "unchecked"}}}};
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace assay::inline v0
