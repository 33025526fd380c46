#include "assay/collectives/measurement/sweep_theory.hpp"

#include <cstring>
#include <memory>
#include <thread>

#include "testing/catch.hpp"

using namespace assay;

namespace {

/// A runtime of one end, whose send_receive takes 50 µs and 1 ns a byte.
struct Slow {
  int ranks = 2;
  int rank() const { return 0; }
  int size() const { return ranks; }
  std::string name() const { return "slow"; }
  void abort(std::string_view) {}
  Result<void> send_receive(const CollectiveCall& call, Deadline) {
    const auto bytes = static_cast<std::size_t>(call.count) * bytes_of(call.type);
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() <
           50e-6 + 1e-9 * static_cast<double>(bytes)) {
    }
    std::memcpy(call.receive, call.send, bytes);
    return {};
  }
};

/// Agrees with itself on behalf of all.
struct Alone final : Coordinator {
  explicit Alone(int ranks) : size_(ranks) {}
  int rank() const override { return 0; }
  int size() const override { return size_; }
  Result<std::vector<std::optional<std::string>>> exchange(std::string mine, Deadline) override {
    return std::vector<std::optional<std::string>>(static_cast<std::size_t>(size_), mine);
  }
  int size_;
};

}  // namespace

TEST_CASE("a link's latency and bandwidth come from send_receive") {
  AnyCollective collective(Slow{});
  Alone coordinator(2);
  SweepOptions options;
  options.iterations = 3;
  options.verify = false;
  const auto theory = measured_theory(collective, coordinator, options);
  REQUIRE(theory);
  // No call is shorter than what the runtime waits for, on the busiest machine.
  CHECK(theory.value().topology.between.latency_seconds > 0);
  CHECK(theory.value().topology.between.bandwidth() < 2e9);
  CHECK(theory.value().topology.ranks() == 2);
  CHECK(theory.value().fitted.holds(2, 1e6));
  CHECK(!theory.value().fitted.holds(3, 1e6));
  CHECK(theory.value().source.find("send_receive") != std::string::npos);
}

TEST_CASE("one rank has no link, and a runtime without send_receive none that is measured") {
  AnyCollective lone(Slow{1});
  Alone coordinator(1);
  CHECK(measured_theory(lone, coordinator).error().kind == ErrorKind::invalid);
}
