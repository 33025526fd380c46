#include "assay/performance/measure_on_device.hpp"

#include "assay/backends/emulated_device.hpp"
#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// A host whose events are a second apart for every run submitted between them.
class CountingDevice : public Host {
 public:
  struct Stream {
    int submitted = 0;
  };
  struct Event {
    int at = 0;
  };
  bool fails = false;

  [[nodiscard]] Result<Stream> make_stream() const { return Stream{}; }
  [[nodiscard]] Result<Event> make_event() const { return Event{}; }
  template <class T>
  [[nodiscard]] Result<void> copy_to_device(Stream&, T*, const T*, std::size_t) const {
    return {};
  }
  template <class T>
  [[nodiscard]] Result<void> copy_to_host(Stream&, T*, const T*, std::size_t) const {
    return {};
  }
  [[nodiscard]] Result<void> record(Event& event, Stream& stream) const {
    return event.at = stream.submitted, Result<void>();
  }
  [[nodiscard]] Result<void> wait(Stream&, Event&) const { return {}; }
  [[nodiscard]] Result<double> elapsed_seconds(Event& first, Event& last) const {
    return static_cast<double>(last.at - first.at);
  }
  [[nodiscard]] Result<void> synchronize(Stream&) const {
    return fails ? Result<void>(failure(ErrorKind::device, "illegal address")) : Result<void>();
  }
};
static_assert(Backend<CountingDevice>);

struct CountRun {
  int* runs;
  ASSAY_FUNCTION void operator()(std::size_t) const { ++*runs; }
};

}  // namespace

TEST_CASE("work on a device is timed by its events, however long the host takes") {
  CountingDevice device;
  const auto contender = device_contender(device, "kernel", [](CountingDevice::Stream& stream) -> Result<void> {
    return ++stream.submitted, Result<void>();
  });
  REQUIRE(contender);
  CHECK(contender.value().seconds(5).value() == 5);
  CHECK(contender.value().seconds(1).value() == 1);
  MeasureOptions options;
  options.samples = 6;
  options.most_warm_up_seconds = 3;
  options.sample_seconds = 2;
  const auto result = measure(std::vector{contender.value()}, options);
  REQUIRE(result);
  CHECK(result.value().contenders[0].runs_per_sample == 2);
  CHECK(result.value().contenders[0].metric.samples == std::vector<double>(6, 1.0));
  device.fails = true;
  CHECK_THAT(contender.value().seconds(1).error().message, contains("illegal address"));
}

TEST_CASE("on the host and on a device that defers, the work has run when its time is told") {
  Host host;
  int ran = 0;
  const auto direct =
      device_contender(host, "direct", [&](Host::Stream&) -> Result<void> { return ++ran, Result<void>(); });
  REQUIRE(direct);
  REQUIRE(direct.value().seconds(3));
  CHECK(direct.value().seconds(3).value() >= 0);
  CHECK(ran == 6);

  EmulatedDevice device;
  auto stream = device.make_stream().value();
  auto runs = device.allocate<int>(1).value();
  const int none = 0;
  REQUIRE(device.copy_to_device(stream, runs.data(), &none, 1));
  REQUIRE(device.synchronize(stream));
  const auto later = device_contender(
      device, "later", [&](EmulatedDevice::Stream& own) { return device.parallel_for(own, 1, CountRun{runs.data()}); });
  REQUIRE(later);
  REQUIRE(later.value().seconds(4));
  REQUIRE(device.copy_to_host(stream, &ran, runs.data(), 1));
  REQUIRE(device.synchronize(stream));
  CHECK(ran == 4);
  CHECK(device.misuses().empty());
}
