#include "assay/suite/message_channel.hpp"

#include "testing/catch.hpp"
#include "testing/thread_channel.hpp"

using namespace assay;

static_assert(MessageChannel<testing::ThreadChannel>);
static_assert(!MessageChannel<int>);

TEST_CASE("messages of a pair arrive whole and in their order, those of the dead not at all") {
  testing::Network network(3);
  testing::ThreadChannel zero{&network, 0}, one{&network, 1}, two{&network, 2};
  one.send(0, "a");
  one.send(0, std::string(100000, 'b'));
  two.send(1, "c");
  CHECK(zero.receive(std::chrono::milliseconds(0))->bytes == "a");
  CHECK(zero.receive(std::chrono::milliseconds(0))->bytes.size() == 100000);
  CHECK(!zero.receive(std::chrono::milliseconds(1)));
  CHECK(one.receive(std::chrono::milliseconds(0))->from == 2);
  network.kill(2);
  two.send(0, "d");
  CHECK(!zero.receive(std::chrono::milliseconds(1)));
  CHECK(zero.lost(2));
  CHECK(!zero.lost(1));
}
