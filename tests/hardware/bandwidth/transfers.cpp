#include "assay/hardware/bandwidth/transfers.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

std::vector<TransferMeasurement> measured(double to_device, double to_host, double both) {
  std::vector<TransferMeasurement> found(3);
  const double rates[] = {to_device, to_host, both};
  for (std::size_t i = 0; i < 3; ++i) {
    found[i].direction = all_transfer_directions[i];
    found[i].bytes = 1 << 20;
    found[i].bytes_per_second = found[i].median_bytes_per_second = rates[i];
  }
  return found;
}

}  // namespace

TEST_CASE("transfers are judged by every word, and by the link's figure a direction") {
  TransferOptions options;
  const auto judge = [&](const std::vector<TransferMeasurement>& all) { return judge_transfers(all, "cuda", options); };
  const Outcome right = judge(measured(50e9, 40e9, 90e9));
  CHECK(right.verdict == Verdict::pass);
  CHECK(right.measurement("overlap") == 1.8);
  CHECK(right.measurement("to_host") == 40);
  CHECK(judge({}).verdict == Verdict::inconclusive);
  CHECK(judge(measured(50e9, 0, 90e9)).verdict == Verdict::fail);

  options.theoretical = 64e9;
  options.least_share = 0.7;
  CHECK(judge(measured(50e9, 48e9, 100e9)).verdict == Verdict::pass);
  CHECK_THAT(judge(measured(50e9, 40e9, 90e9)).reason, testing::contains("to_host: 40 GB/s are less than 70 %"));
  CHECK_THAT(judge(measured(65e9, 50e9, 100e9)).reason, testing::contains("more than the link's 64 GB/s"));
  CHECK(judge(measured(60e9, 60e9, 120e9)).verdict == Verdict::pass);
  CHECK(judge(measured(60e9, 60e9, 129e9)).verdict == Verdict::fail);

  auto damaged = measured(50e9, 50e9, 90e9);
  damaged[2].wrong_words = 2;
  damaged[2].first_wrong = 77;
  CHECK_THAT(judge(damaged).reason,
             testing::contains("both: 2 words did not arrive as they were sent; the first is 77"));
}
