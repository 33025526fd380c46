#pragma once

#include "assay/collectives/measurement/sweep_csv.hpp"

#include <charconv>

#include "assay/core/config.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string csv_text(const SweepResult& result) {
  std::string text =
      "operation,runtime,ranks,type,reduction,root,placement,size [B],count,time [us],algbw [GB/s],busbw "
      "[GB/s],wrong,min [us],p50 "
      "[us],p99 [us],max [us],variation\n";
  const auto number = [](double value) {
    char buffer[64];
    return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  };
  for (const SweepPoint& point : result.points) {
    if (point.error) continue;
    const bool reduced = reduces(point.operation);
    for (const std::string& cell :
         {std::string(name_of(point.operation)), result.runtime, std::to_string(point.ranks),
          std::string(name_of(point.type)), std::string(reduced ? name_of(point.reduction) : ""),
          std::string(has_root(point.operation) ? std::to_string(point.root) : ""),
          std::string(point.in_place ? "in_place" : "out_of_place"), number(point.bytes), std::to_string(point.count),
          number(point.seconds * 1e6), number(point.bandwidth.algorithm / 1e9), number(point.bandwidth.bus / 1e9),
          point.verified ? std::to_string(point.wrong) : std::string(), number(point.least_seconds * 1e6),
          number(point.median_seconds * 1e6), number(point.p99_seconds * 1e6), number(point.most_seconds * 1e6)})
      text += cell + ",";
    text += number(point.variation) + "\n";
  }
  return text;
}

}  // namespace assay::inline v0
