#include "assay/suite/serve_distributed.hpp"

#include "testing/catch.hpp"
#include "testing/thread_channel.hpp"

using namespace assay;

namespace {

const CasePerformer none = [](const Suite&, std::size_t) { return Outcome{}; };

}  // namespace

TEST_CASE("a worker ends with an error when process 0 is lost or talks nonsense, and says that it is ready first") {
  const Suite suite;
  testing::Network network(2);
  testing::ThreadChannel zero{&network, 0}, worker{&network, 1};
  zero.send(1, "nonsense");
  const auto served = serve_distributed(suite, none, "here", worker);
  REQUIRE(!served);
  CHECK(served.error().kind == ErrorKind::malformed);
  const auto ready = detail::decode_distribution_message(zero.receive(std::chrono::milliseconds(0))->bytes);
  REQUIRE(ready);
  CHECK(ready.value().kind == detail::DistributionMessage::Kind::ready);
  CHECK(ready.value().text == "here");

  network.kill(0);
  const auto lost = serve_distributed(suite, none, "here", worker);
  REQUIRE(!lost);
  CHECK(lost.error().kind == ErrorKind::io);
  CHECK_THROWS_AS(serve_distributed(suite, none, "here", zero), Misuse);
}
