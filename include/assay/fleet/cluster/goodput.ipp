#pragma once

#include "assay/fleet/cluster/goodput.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"
#include "assay/statistics/samples.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<void> check(const ResilientJob& job) {
  const auto refused = [](const std::string& what) { return failure(ErrorKind::invalid, what); };
  if (job.devices < 1) return refused("a job has 1 device at least");
  if (!(job.device_mtbf > 0 && std::isfinite(job.device_mtbf)))
    return refused("the mean time between failures of a device is above 0");
  for (const double time : {job.checkpoint, job.restart})
    if (!(time >= 0 && std::isfinite(time))) return refused("checkpoints and restarts take 0 s or more");
  return {};
}

ASSAY_DETAIL_HEADER_INLINE double daly_interval(const ResilientJob& job) noexcept {
  const double half = job.checkpoint / (2 * job.mtbf());
  if (half >= 1) return job.mtbf();
  return young_interval(job) * (1 + std::sqrt(half) / 3 + half / 9) - job.checkpoint;
}

ASSAY_DETAIL_HEADER_INLINE double young_interval(const ResilientJob& job) noexcept {
  return std::sqrt(2 * job.checkpoint * job.mtbf());
}

ASSAY_DETAIL_HEADER_INLINE double goodput(const ResilientJob& job, double interval) noexcept {
  const double m = job.mtbf();
  return interval / (m * std::exp(job.restart / m) * std::expm1((interval + job.checkpoint) / m));
}

ASSAY_DETAIL_HEADER_INLINE double storage_bandwidth_for(const ResilientJob& job, double bytes, double goal) {
  expect(goal > 0 && goal < 1 && bytes > 0,
         [] { return std::string("storage_bandwidth_for: a goal lies between 0 and 1, bytes are above 0"); });
  if (std::exp(-job.restart / job.mtbf()) <= goal) return std::numeric_limits<double>::infinity();
  double low = 0, high = 2 * job.mtbf();  // seconds of a checkpoint: the goal is reached at `low`, not at `high`
  for (int step = 0; step < 200; ++step) {
    ResilientJob tried = job;
    tried.checkpoint = (low + high) / 2;
    (goodput(tried, daly_interval(tried)) >= goal ? low : high) = tried.checkpoint;
  }
  return low > 0 ? bytes / low : std::numeric_limits<double>::infinity();
}

ASSAY_DETAIL_HEADER_INLINE double straggler_factor(Index ranks, double sigma) {
  expect(ranks >= 1 && sigma >= 0,
         [] { return std::string("straggler_factor: ranks are 1 or more, sigma 0 or more"); });
  if (ranks == 1) return 1;
  // Blom: the largest of n lies at the quantile (n − 0.375) / (n + 0.25).
  return 1 - sigma * detail::normal_quantile_of(0.625 / (static_cast<double>(ranks) + 0.25));
}

}  // namespace assay::inline v0
