#pragma once

#include "assay/collectives/measurement/sweep_result.hpp"

/// A sweep as it might have been measured: one size out of place and in place, one with a wrong result, one that the
/// runtime lacks.
inline assay::SweepResult sweep_sample() {
  using namespace assay;
  SweepResult sample;
  sample.runtime = "mpi";
  sample.ranks = 4;
  sample.warm_up = 1;
  sample.iterations = 2;
  SweepPoint point;
  point.ranks = 4;
  point.count = 25'000'000;
  point.bytes = 1e8;
  point.seconds = 0.05;
  point.bandwidth = bandwidth_of(point.operation, point.bytes, 4, point.seconds);
  point.least_seconds = 0.045;
  point.median_seconds = point.p99_seconds = point.most_seconds = 0.055;
  point.variation = 0.1;
  point.call_seconds = {0.045, 0.055};
  point.verified = true;
  sample.points.push_back(point);
  point.in_place = true;
  point.seconds = 0.04;
  point.bandwidth = bandwidth_of(point.operation, point.bytes, 4, point.seconds);
  point.wrong = 7;
  point.findings = {"rank 2: 7 of 25000000 elements are wrong in call 3, the first is 12"};
  sample.points.push_back(point);
  point = SweepPoint{};
  point.operation = CollectiveOperation::broadcast;
  point.type = ElementType::bfloat16;
  point.root = 3;
  point.count = 4;
  point.bytes = 8;
  point.ranks = 4;
  point.seconds = 1.25e-6;
  point.bandwidth = bandwidth_of(point.operation, 8, 4, point.seconds);
  point.least_seconds = point.median_seconds = point.p99_seconds = point.most_seconds = 2e-6;
  point.call_seconds = {2e-6, 2e-6};
  sample.points.push_back(point);
  point = SweepPoint{};
  point.operation = CollectiveOperation::all_to_all;
  point.error = Error{ErrorKind::unsupported, "mpi has no all_to_all"};
  sample.points.push_back(point);
  return sample;
}
