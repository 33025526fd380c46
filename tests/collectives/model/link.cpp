#include "assay/collectives/model/link.hpp"

#include "testing/catch.hpp"

using namespace assay;
using assay::testing::Approx;

TEST_CASE("links are known by name, with what was published of their bandwidth") {
  CHECK(link_named("nvlink4").value().bandwidth() ==
        Approx(370e9).epsilon(0.005));  // NVIDIA/nccl-tests#212: 450 line, 370 effective
  CHECK(link_named("nvlink4").value().line_rate == 450e9);
  const double ndr = link_named("ib_ndr").value().bandwidth();  // NVIDIA/nccl-tests#290
  CHECK(ndr >= 46e9);
  CHECK(ndr <= 48e9);
  CHECK(link_named("xgmi3").value().bandwidth() == Approx(7 * 48e9));
  for (const Link& link : known_links) {
    CHECK(link.latency_seconds > 0);
    CHECK(link.protocol_efficiency > 0.5);
    CHECK(link.protocol_efficiency <= 1);
  }
}

TEST_CASE("a link that is not known is refused with the nearest") {
  const auto refused = link_named("nvlink_4");
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::not_found);
  CHECK(refused.error().message.find("nearest: nvlink4") != std::string::npos);
}
