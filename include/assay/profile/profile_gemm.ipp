#pragma once

#include "assay/profile/profile_gemm.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::vector<OtherLaunch> other_launches(const GemmProblem& first) {
  std::vector<OtherLaunch> launches;
  const auto add = [&](std::string name, auto change) {
    OtherLaunch launch{std::move(name), first, 0};
    change(launch);
    launches.push_back(std::move(launch));
  };
  const std::string larger = std::to_string(4 * first.m);
  add("one row", [](OtherLaunch& launch) { launch.problem.m = 1; });
  add("one column", [](OtherLaunch& launch) { launch.problem.n = 1; });
  add("a tile less a row and a column", [](OtherLaunch& launch) { --launch.problem.m, --launch.problem.n; });
  add(larger + " × " + larger, [](OtherLaunch& launch) { launch.problem.m *= 4, launch.problem.n *= 4; });
  add("the last of three in a batch", [](OtherLaunch& launch) { launch.problem.batch = 3; });
  add("misaligned by one element", [](OtherLaunch& launch) { launch.offset = 1; });
  add("leading dimensions 3 above the tightest", [](OtherLaunch& launch) {
    launch.problem.leading_dimension_a = launch.problem.k + 3;
    launch.problem.leading_dimension_b = (launch.problem.transpose_b ? launch.problem.k : launch.problem.n) + 3;
    launch.problem.leading_dimension_c = launch.problem.n + 3;
  });
  add("A transposed", [](OtherLaunch& launch) { launch.problem.transpose_a = true; });
  add(first.transpose_b ? "B not transposed" : "B transposed",
      [](OtherLaunch& launch) { launch.problem.transpose_b = !launch.problem.transpose_b; });
  add("column-major", [](OtherLaunch& launch) { launch.problem.order = StorageOrder::column_major; });
  return launches;
}

}  // namespace assay::inline v0::detail
