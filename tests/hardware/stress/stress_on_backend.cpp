#include "assay/hardware/stress/stress_on_backend.hpp"

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;

namespace {

int evenly(std::size_t block) {
  return static_cast<int>(block % 6) * 2;
}
int never_four(std::size_t block) {
  return block % 6 == 2 ? 0 : evenly(block);
}

/// A device of the host that deals its blocks out to six multiprocessors as a script says.
struct ScriptedDevice : Host {
  int (*deal)(std::size_t block) = &evenly;
  std::size_t forgotten = static_cast<std::size_t>(-1);  ///< a block that is never run

  ScriptedDevice() : Host(2) {}
  [[nodiscard]] static std::string name() { return "scripted"; }
  [[nodiscard]] static int multiprocessors() { return 6; }
  template <class Functor>
  [[nodiscard]] Result<void> parallel_blocks(Stream&, std::size_t blocks, const Functor& functor) const {
    thread_pool().for_each_index(blocks, [&](std::size_t block) {
      if (block != forgotten) detail::RunHostBlock<Functor>{functor, ThreadOrder::descending, deal}(block);
    });
    return {};
  }
};

StressOptions short_stress() {
  StressOptions options;
  options.seconds = 0.01;
  options.depth = 20;
  return options;
}

template <class T>
Outcome stressed(ScriptedDevice& device, const StressOptions& options) {
  auto stream = device.make_stream().value();
  return judge_stress(stress_on_backend<T>(device, stream, "f64", options), "f64", options);
}

}  // namespace

TEST_CASE("every multiprocessor of a device computes right products in every type, and is counted") {
  ScriptedDevice device;
  for (const std::size_t depth : {1u, 7u, 64u}) {
    StressOptions options = short_stress();
    options.depth = depth;
    CAPTURE(depth);
    for (const Outcome& outcome : {stressed<double>(device, options), stressed<float>(device, options),
                                   stressed<std::int32_t>(device, options)}) {
      CAPTURE(outcome.reason);
      CHECK(outcome.verdict == Verdict::pass);
      CHECK(outcome.id == "hardware/stress/scripted/f64");
      CHECK(outcome.measurement("processors") == 6);
      CHECK(outcome.tables.at(0).rows.at(1).at(0) == "2");
    }
  }
}

TEST_CASE("one bit of one tile on one multiprocessor is a failure that names all three") {
  ScriptedDevice device;
  auto stream = device.make_stream().value();
  StressOptions options = short_stress();
  options.fault = StressFault{4, 4, 3, 0, 1, false};  // the first launch alone
  const auto once = stress_on_backend<std::int32_t>(device, stream, "i32", options);
  REQUIRE(once);
  REQUIRE_FALSE(once.value().defects.empty());
  const StressDefect& defect = once.value().defects.front();
  CHECK(defect.processor == 4);
  CHECK(defect.tile == 4);
  CHECK(defect.row == 0);
  CHECK(defect.column == 64);
  CHECK(defect.flipped == 8);
  CHECK(defect.reruns == options.reruns);
  CHECK(defect.seen_again == 0);
  CHECK(judge_stress(once, "i32", options).verdict == Verdict::fail);

  options.fault->products = 1'000'000;
  const auto stays = stress_on_backend<double>(device, stream, "f64", options);
  REQUIRE_FALSE(stays.value().defects.empty());
  CHECK(stays.value().defects.front().seen_again > 0);
  for (const StressDefect& each : stays.value().defects) CHECK(each.processor == 4);
}

TEST_CASE("a multiprocessor that took no part, and blocks that never ran, are no pass") {
  ScriptedDevice device;
  device.deal = &never_four;
  const Outcome unseen = stressed<float>(device, short_stress());
  CHECK(unseen.verdict == Verdict::error);
  CHECK_THAT(unseen.reason, testing::contains("of 6 multiprocessors 5 were seen"));
  device.deal = &evenly;
  device.forgotten = 7;
  const Outcome lost = stressed<float>(device, short_stress());
  CHECK(lost.verdict == Verdict::error);
  CHECK_THAT(lost.reason, testing::contains("never ran"));
}

TEST_CASE("a backend that knows no multiprocessors proves nothing, and wrong options are told") {
  Host host(1);
  auto stream = host.make_stream().value();
  const auto unknown = stress_on_backend<double>(host, stream, "f64", short_stress());
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().kind == ErrorKind::unsupported);
  ScriptedDevice device;
  device.deal = [](std::size_t) { return -1; };
  CHECK(stressed<double>(device, short_stress()).verdict == Verdict::unsupported);
  StressOptions options = short_stress();
  options.depth = 1025;
  CHECK(stressed<double>(device, options).verdict == Verdict::error);
  options = short_stress();
  options.peak = 1;
  device.deal = &evenly;
  CHECK_THAT(stressed<double>(device, options).reason, testing::contains("above the peak"));
}
