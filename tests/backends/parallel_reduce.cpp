#include "assay/backends/parallel_reduce.hpp"

#include <cstdint>
#include <string>

#include "backends/failing_host.hpp"
#include "testing/catch.hpp"

using assay::testing::FailingHost;

namespace {

/// Joining does not commute: it tells the order.
struct Digits {
  std::uint64_t value;
  std::uint64_t weight;
  void join(const Digits& next) {
    value = value * next.weight + next.value;
    weight *= next.weight;
  }
};
struct Digit {
  void operator()(std::size_t chunk, Digits& partial) const {
    partial.value += (chunk * 7 + 1) % 10;
    partial.weight = 10;
  }
};

}  // namespace

TEST_CASE("partial results are joined in ascending order", "[backends]") {
  FailingHost host(4);
  auto stream = host.make_stream().value();
  std::uint64_t expected = 0;
  for (std::size_t chunk = 0; chunk < 18; ++chunk) expected = expected * 10 + (chunk * 7 + 1) % 10;
  for (int repetition = 0; repetition < 20; ++repetition)
    CHECK(assay::parallel_reduce<Digits>(host, stream, 18, Digit{}).value().value == expected);
  CHECK(assay::parallel_reduce<Digits>(host, stream, 1, Digit{}).value().value == 1);
}

TEST_CASE("nothing reduces to a value-initialized result", "[backends]") {
  FailingHost host(2);
  auto stream = host.make_stream().value();
  const auto total = assay::parallel_reduce<Digits>(host, stream, 0, Digit{});
  CHECK(total.value().value == 0);
  CHECK(total.value().weight == 0);
}

TEST_CASE("whatever the backend refuses, the reduction reports", "[backends]") {
  FailingHost host(2);
  auto stream = host.make_stream().value();
  const auto message = [&](FailingHost::Refuse refuse) {
    host.refuse = refuse;
    const auto total = assay::parallel_reduce<Digits>(host, stream, 5, Digit{});
    return total.has_value() ? std::string("a value") : total.error().message;
  };
  CHECK(message(FailingHost::Refuse::nothing) == "a value");
  CHECK(message(FailingHost::Refuse::allocation) == "refused allocation");
  CHECK(message(FailingHost::Refuse::loop) == "refused loop");
  CHECK(message(FailingHost::Refuse::copy) == "refused copy");
  CHECK(message(FailingHost::Refuse::synchronization) == "refused synchronization");
}
