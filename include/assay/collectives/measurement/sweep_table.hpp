#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/collectives/measurement/nccl_names.hpp"
#include "assay/collectives/measurement/sweep_options.hpp"
#include "assay/collectives/measurement/sweep_result.hpp"
#include "assay/core/printed_number.hpp"

/// The table of nccl-tests, column by column, so that scripts that read it read ours. Lines that are no rows begin with
/// '#'.
namespace assay::inline v0 {

namespace detail {

/// A number in `width` columns, with as many of two decimals as fit; beyond, in powers of ten.
[[nodiscard]] std::string fitted_number(double value, int width);

[[nodiscard]] inline bool same_row(const SweepPoint& a, const SweepPoint& b) {
  return a.operation == b.operation && a.type == b.type && a.reduction == b.reduction && a.root == b.root &&
         a.count == b.count;
}

}  // namespace detail

/// The lines above the rows of an operation.
[[nodiscard]] std::vector<std::string> sweep_heading(const std::string& runtime, int ranks,
                                                     CollectiveOperation operation, const SweepOptions& options);

/// A row from the points of one size, either of which may be null. What was not measured is a comment with the reason.
[[nodiscard]] std::string sweep_row(const SweepPoint* out_of_place, const SweepPoint* in_place);

/// The lines below all rows.
[[nodiscard]] std::vector<std::string> sweep_footing(const SweepResult& result);

/// Prints a sweep point by point: give `take` as its observer, and call `finish` when it has ended.
class SweepTable {
 public:
  /// Prints to `to`, which must outlive it.
  explicit SweepTable(std::string runtime, int ranks, SweepOptions options, std::FILE* to = stdout)
      : runtime_(std::move(runtime)), ranks_(ranks), options_(std::move(options)), to_(to) {}

  void take(const SweepPoint& point);
  void finish(const SweepResult& result) {
    flush();
    for (const std::string& line : sweep_footing(result)) print(line);
  }

 private:
  void flush() {
    if (held_) print(sweep_row(&*held_, nullptr));
    held_.reset();
  }
  void print(const std::string& line) {
    std::fprintf(to_, "%s\n", line.c_str());
    std::fflush(to_);
  }

  std::string runtime_;
  int ranks_;
  SweepOptions options_;
  std::FILE* to_;
  std::optional<SweepPoint> held_;  ///< out of place, until the one in place comes
  std::optional<CollectiveOperation> operation_;
};

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/collectives/measurement/sweep_table.ipp"
#endif
