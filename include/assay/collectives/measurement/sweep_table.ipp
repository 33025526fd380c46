#pragma once

#include "assay/collectives/measurement/sweep_table.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string aligned_right(const std::string& text, std::size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

ASSAY_DETAIL_HEADER_INLINE std::string fitted_number(double value, int width) {
  const auto columns = static_cast<std::size_t>(width);
  for (int decimals = 2; decimals >= 0; --decimals)
    if (const std::string text = printed_number(value, decimals, std::chars_format::fixed); text.size() <= columns)
      return aligned_right(text, columns);
  return aligned_right(printed_number(value, width >= 7 ? 1 : 0, std::chars_format::scientific), columns);
}

[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string whole_bytes(double bytes) {
  return printed_number(bytes, 0, std::chars_format::fixed);
}

/// Time in µs, algbw and busbw in GB/s, wrong elements: nccl-tests' half of a row.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string sweep_cells(const SweepPoint* point) {
  if (point == nullptr) return std::string(33, ' ');
  const std::string wrong =
      aligned_right(point->verified ? printed_number(static_cast<double>(point->wrong)) : "N/A", 6);
  return "  " + fitted_number(point->seconds * 1e6, 7) + "  " + fitted_number(point->bandwidth.algorithm / 1e9, 6) +
         "  " + fitted_number(point->bandwidth.bus / 1e9, 6) + "  " + wrong;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> sweep_heading(const std::string& runtime, int ranks,
                                                                  CollectiveOperation operation,
                                                                  const SweepOptions& options) {
  char line[256];
  std::vector<std::string> lines;
  std::snprintf(line, sizeof line, "# Collective test starting: %s", std::string(name_of(operation)).c_str());
  lines.emplace_back(line);
  const std::vector<double> sizes = sizes_of(options);
  std::snprintf(
      line, sizeof line,
      "# runtime %s ranks %d minBytes %s maxBytes %s step: %s(factor) warmup iters: %u iters: %u validation: %d",
      runtime.c_str(), ranks, detail::whole_bytes(sizes.empty() ? 0 : sizes.front()).c_str(),
      detail::whole_bytes(sizes.empty() ? 0 : sizes.back()).c_str(),
      detail::printed_number(options.step_factor).c_str(), options.warm_up, options.iterations, options.verify ? 1 : 0);
  lines.emplace_back(line);
  lines.emplace_back("#");
  std::snprintf(line, sizeof line,
                "# %10s  %12s  %8s  %6s  %6s           out-of-place                       in-place          ", "", "",
                "", "", "");
  lines.emplace_back(line);
  const auto columns = [&](const char* a, const char* b, const char* c, const char* d, const char* e, const char* time,
                           const char* algorithm, const char* bus, const char* wrong) {
    std::snprintf(line, sizeof line, "# %10s  %12s  %8s  %6s  %6s  %7s  %6s  %6s  %6s  %7s  %6s  %6s  %6s", a, b, c, d,
                  e, time, algorithm, bus, wrong, time, algorithm, bus, wrong);
    lines.emplace_back(line);
  };
  columns("size", "count", "type", "redop", "root", "time", "algbw", "busbw", "#wrong");
  columns("(B)", "(elements)", "", "", "", "(us)", "(GB/s)", "(GB/s)", "");
  return lines;
}

ASSAY_DETAIL_HEADER_INLINE std::string sweep_row(const SweepPoint* out_of_place, const SweepPoint* in_place) {
  std::string notes;
  for (const SweepPoint* point : {out_of_place, in_place})
    if (point != nullptr && point->error)
      notes += "# " + std::string(name_of(point->operation)) + (point->in_place ? ", in place" : ", out of place") +
               ": not measured: " + point->error->message + "\n";
  if (out_of_place != nullptr && out_of_place->error) out_of_place = nullptr;
  if (in_place != nullptr && in_place->error) in_place = nullptr;
  const SweepPoint* one = out_of_place != nullptr ? out_of_place : in_place;
  if (one == nullptr) return notes.empty() ? notes : notes.substr(0, notes.size() - 1);
  char line[256];
  const std::string type(one->operation == CollectiveOperation::barrier ? "none" : nccl_name_of(one->type));
  const std::string reduction(reduces(one->operation) ? nccl_name_of(one->reduction) : "none");
  std::snprintf(line, sizeof line, "%12s  %12lld  %8s  %6s  %6d", detail::whole_bytes(one->bytes).c_str(),
                static_cast<long long>(one->count), type.c_str(), reduction.c_str(),
                has_root(one->operation) ? one->root : -1);
  std::string row = notes + line + detail::sweep_cells(out_of_place) + detail::sweep_cells(in_place);
  row.erase(row.find_last_not_of(' ') + 1);
  for (const SweepPoint* point : {out_of_place, in_place})
    if (point != nullptr)
      for (const std::string& finding : point->findings) row += "\n# " + finding;
  return row;
}

ASSAY_DETAIL_HEADER_INLINE std::vector<std::string> sweep_footing(const SweepResult& result) {
  char line[160];
  std::vector<std::string> lines;
  std::size_t wrong = 0, failed = 0, unverified = 0;
  for (const SweepPoint& point : result.points) {
    wrong += point.wrong > 0 ? 1 : 0;
    failed += point.error ? 1 : 0;
    unverified += !point.error && !point.verified ? 1 : 0;
  }
  std::snprintf(line, sizeof line, "# %-20s : %zu %s", "Out of bounds values", wrong,
                wrong > 0        ? "FAILED"
                : unverified > 0 ? "NOT VERIFIED"
                                 : "OK");
  lines.emplace_back(line);
  if (failed > 0) {
    std::snprintf(line, sizeof line, "# %-20s : %zu", "Not measured", failed);
    lines.emplace_back(line);
  }
  std::snprintf(line, sizeof line, "# %-20s : %s", "Avg bus bandwidth",
                detail::printed_number(result.mean_bus_bandwidth() / 1e9).c_str());
  lines.emplace_back(line);
  lines.emplace_back("#");
  return lines;
}

ASSAY_DETAIL_HEADER_INLINE void SweepTable::take(const SweepPoint& point) {
  if (held_ && detail::same_row(*held_, point) && point.in_place && !held_->in_place) {
    print(sweep_row(&*held_, &point));
    held_.reset();
    return;
  }
  flush();
  if (!operation_ || *operation_ != point.operation) {
    for (const std::string& line : sweep_heading(runtime_, ranks_, point.operation, options_)) print(line);
    operation_ = point.operation;
  }
  if (point.in_place)
    print(sweep_row(nullptr, &point));
  else
    held_ = point;
}

}  // namespace assay::inline v0
