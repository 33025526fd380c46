#include "assay/hardware/bandwidth/latency.hpp"

#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("chains of pointers are whole, and one that is not is a failure") {
  LatencyOptions options;
  options.least_bytes = 1024;
  options.most_bytes = 16384;
  options.seconds = 0.001;
  const Outcome outcome = check_latency(options);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.tables[0].rows.size() == 5);
  CHECK(*outcome.measurement("smallest") > 0);
  options.broken_chain = true;
  CHECK(check_latency(options).verdict == Verdict::fail);
}

TEST_CASE("sizes that cannot be are refused") {
  for (const auto& [least, most] : {std::pair<std::size_t, std::size_t>{64, 128}, {4096, 1024}, {4096, SIZE_MAX}}) {
    LatencyOptions options;
    options.least_bytes = least;
    options.most_bytes = most;
    CHECK(check_latency(options).verdict == Verdict::error);
  }
  LatencyOptions options;
  options.seconds = 0;
  CHECK(check_latency(options).verdict == Verdict::error);
}
