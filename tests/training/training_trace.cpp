#include "assay/training/training_trace.hpp"

#include "assay/training/detail/byte_archive.hpp"
#include "testing/catch.hpp"
#include "training/small_training.hpp"

using namespace assay;

TEST_CASE("a trace survives its way over a coordinator, and nothing cut or lengthened is taken for one") {
  TrainingTrace trace;
  trace.rank = 3;
  trace.size = 5;
  trace.losses = {3.5, 3.25};
  trace.checksums = {1, 2};
  trace.audited.resize(2);
  trace.audited[1].step = 2;
  trace.audited[1].before.weights = {1, 2, 3};
  trace.audited[1].gradient = {0.5f};
  trace.last.random_state = 77;
  const std::string bytes = detail::to_bytes(trace);
  TrainingTrace read;
  REQUIRE(detail::from_bytes(bytes, read));
  CHECK(detail::to_bytes(read) == bytes);
  CHECK(read.audited[1].before.weights[2] == 3);
  for (std::size_t count = 0; count < bytes.size(); ++count)
    REQUIRE_FALSE(detail::from_bytes(std::string_view(bytes).substr(0, count), read));
  CHECK_FALSE(detail::from_bytes(bytes + "x", read));
  CHECK_FALSE(detail::from_bytes(std::string(bytes.size(), '\xff'), read));
}

TEST_CASE("checksums tell zeros apart, and the final loss is the mean of the last tenth") {
  CHECK(bits_checksum({1, 2}) == bits_checksum({1, 2}));
  CHECK(bits_checksum({1, 2}) != bits_checksum({2, 1}));
  CHECK(bits_checksum({0.0f}) != bits_checksum({-0.0f}));
  CHECK(final_loss({4, 2}) == 2);
  std::vector<double> losses(30, 9.0);
  losses[27] = 1, losses[28] = 2, losses[29] = 6;
  CHECK(final_loss(losses) == 3);
}
