#include "assay/performance/measure.hpp"

#include <map>

#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// A contender whose n-th run takes `seconds(n)`, on a clock of its own.
template <class Seconds>
Contender scripted(std::string name, Seconds seconds, std::vector<std::string>* calls = nullptr) {
  return {name, [=, n = std::size_t{0}](std::size_t runs) mutable -> Result<double> {
            if (calls != nullptr) calls->push_back(name);
            double sum = 0;
            for (std::size_t i = 0; i < runs; ++i) sum += seconds(n++);
            return sum;
          }};
}

MeasureOptions quick() {
  MeasureOptions options;
  options.samples = 20;
  options.sample_seconds = 0.001;
  return options;
}

Measurements measured(const std::vector<Contender>& contenders, const MeasureOptions& options = quick()) {
  auto result = measure(contenders, options);
  INFO((result ? std::string() : result.error().message));
  REQUIRE(result);
  return result.value();
}

}  // namespace

TEST_CASE("a kernel that is slow at first is measured once it is steady") {
  const Measurements all =
      measured({scripted("kernel", [](std::size_t n) { return n < 30 ? 0.1 - 0.003 * double(n) : 0.01; })});
  const Measured& own = all.contenders[0];
  CHECK(own.steady);
  CHECK(own.metric.note.empty());
  CHECK(own.runs_per_sample == 1);
  CHECK(own.warm_up_samples >= 20);
  CHECK(own.metric.samples == std::vector<double>(20, 0.01));
  CHECK(own.outliers.outliers() == 0);
}

TEST_CASE("a kernel that never gets steady says so, and so does one that drifts while it is measured") {
  MeasureOptions options = quick();
  options.most_warm_up_samples = 40;
  const Measurements ramp =
      measured({scripted("ramp", [](std::size_t n) { return 0.01 * std::pow(1.01, double(n)); })}, options);
  CHECK_FALSE(ramp.contenders[0].steady);
  CHECK(ramp.contenders[0].warm_up_samples == 40);
  CHECK_THAT(ramp.contenders[0].metric.note, contains("never got steady: after 40 values") && contains("drifted by"));

  const Measurements late =
      measured({scripted("late", [](std::size_t n) { return n < 25 ? 0.01 : 0.01 + 0.0005 * double(n); })});
  CHECK(late.contenders[0].steady);
  CHECK_THAT(late.contenders[0].metric.note, contains("drifted by"));
}

TEST_CASE("warm-up ends with its time, however short of samples") {
  MeasureOptions options = quick();
  options.samples = 2;
  options.most_warm_up_seconds = 5;
  const Measurements all = measured({scripted("slow", [](std::size_t) { return 2.0; })}, options);
  CHECK(all.contenders[0].warm_up_samples == 3);
  CHECK_THAT(all.contenders[0].metric.note, contains("never got steady: only 3 values"));
}

TEST_CASE("short work is repeated within a sample, and samples are told for one run") {
  const Measurements all = measured(
      {scripted("short", [](std::size_t) { return 3e-6; }), scripted("long", [](std::size_t) { return 0.5; })});
  CHECK(all.contenders[0].runs_per_sample == 512);
  CHECK(all.contenders[0].metric.samples[0] == Approx(3e-6));
  CHECK(all.contenders[1].runs_per_sample == 1);
}

TEST_CASE("work that takes no time at all is not measured for ever") {
  MeasureOptions options = quick();
  options.samples = 6;
  std::size_t largest = 0;
  const Contender nothing{"nothing",
                          [&](std::size_t runs) -> Result<double> { return largest = std::max(largest, runs), 0.0; }};
  const Measurements all = measured({nothing}, options);
  CHECK(largest == std::size_t{1} << 30);
  CHECK_THAT(all.contenders[0].metric.note, contains("too short for a clock"));
  CHECK(std::isinf(all.contenders[0].resolvable_share));
}

TEST_CASE("contenders take turns") {
  std::vector<std::string> calls;
  const auto steady = [](std::size_t) { return 0.01; };
  const Measurements all =
      measured({scripted("a", steady, &calls), scripted("b", steady, &calls), scripted("c", steady, &calls)});
  std::map<std::string, int> in_round;
  for (std::size_t i = calls.size() - 60; i < calls.size(); ++i)
    ++in_round[calls[i] + std::to_string((i - (calls.size() - 60)) / 3)];
  CHECK(in_round.size() == 60);
  MeasureOptions options = quick();
  options.order = Interleaving::blocks;
  calls.clear();
  const Measurements blocks = measured({scripted("a", steady, &calls), scripted("b", steady, &calls)}, options);
  CHECK(std::vector<std::string>(calls.end() - 20, calls.end()) == std::vector<std::string>(20, "b"));
}

TEST_CASE("outliers are counted and kept, and what can be told apart is told") {
  const Measurements all =
      measured({scripted("kernel", [](std::size_t n) { return n % 10 == 9 ? 0.05 : 0.01 + 0.00001 * double(n % 5); })});
  const Measured& own = all.contenders[0];
  CHECK(own.metric.samples.size() == 20);
  CHECK(own.outliers.high_severe == 2);
  CHECK(own.resolvable_share > 0.0005);
  CHECK(own.resolvable_share < 0.004);
  MeasureOptions few = quick();
  few.samples = 5;
  CHECK(
      std::isinf(measured({scripted("kernel", [](std::size_t) { return 0.01; })}, few).contenders[0].resolvable_share));
}

TEST_CASE("what a contender fails with ends the measurement") {
  const Contender failing = host_contender("broken", [n = 0]() mutable -> Result<void> {
    return ++n > 20 ? Result<void>(failure(ErrorKind::device, "the device is gone")) : Result<void>();
  });
  const auto result = measure(std::vector{failing}, quick());
  REQUIRE_FALSE(result);
  CHECK(result.error().kind == ErrorKind::device);
  CHECK_THAT(result.error().message, contains("'broken' failed while it was measured: the device is gone"));
  for (const double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    CHECK_THAT(measure(std::vector{scripted("mad", [=](std::size_t) { return wrong; })}, quick()).error().message,
               contains("'mad' says that 1 runs took"));
}

TEST_CASE("misuse of measure is told") {
  const Contender one = scripted("one", [](std::size_t) { return 0.01; });
  CHECK_THROWS_AS(measure({}, quick()), Misuse);
  CHECK_THROWS_WITH(measure(std::vector{one, one}, quick()), contains("two contenders named 'one'"));
  MeasureOptions none = quick();
  none.samples = 0;
  CHECK_THROWS_AS(measure(std::vector{one}, none), Misuse);
}

TEST_CASE("work on the host is timed, and becomes a run of a history") {
  volatile int sink = 0;
  MeasureOptions options;
  options.samples = 6;
  const Measurements all = measured({host_contender("loop",
                                                    [&] {
                                                      for (int i = 0; i < 1000; ++i) sink = i;
                                                    })},
                                    options);
  CHECK(all.clock.resolution_seconds > 0);
  for (const double sample : all.contenders[0].metric.samples) CHECK(sample > 0);
  const HistoryRun run = history_run(all, {{"m", "64"}});
  CHECK(check_history_run(run));
  REQUIRE(run.points.size() == 1);
  CHECK(run.points[0].name == "loop");
  CHECK(run.points[0].configuration.at("m") == "64");
  CHECK(run.origin.clocks.count("throttle_events") == 1);
  CHECK(run.origin.time > UtcTime(std::chrono::hours(24 * 365 * 50)));
}
