#include "assay/validators/device/check_stream_order.hpp"

#include "assay/backends/emulated_device.hpp"
#include "testing/catch.hpp"
#include "validators/device/device_kernels.hpp"
#include "validators/device/threaded_device.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

enum class Waits { always, never, first_only };

/// out = 2·(2·in + 1) + 1 over as many streams as asked: each stream takes what the one before it made, in scratch
/// memory.
template <ParallelBackend B>
StreamedKernel<B> pipeline(B& backend, Waits waits, std::size_t streams = 2) {
  StreamedKernel<B> subject;
  subject.name = "pipeline";
  subject.inputs.push_back(kernel_input(some_floats(100)));
  subject.outputs.push_back({100, 4, 0, 0});
  subject.streams = streams;
  auto scratch = std::make_shared<std::vector<typename B::template Buffer<float>>>();
  for (std::size_t i = 0; i < streams; ++i) scratch->push_back(backend.template allocate<float>(100).value());
  subject.submit = [scratch, waits](B& on, std::vector<typename B::Stream>& given,
                                    const KernelOperands& at) -> Result<void> {
    const auto* from = static_cast<const float*>(at.inputs[0]);
    for (std::size_t i = 0; i < given.size(); ++i) {
      float* const to = i + 1 == given.size() ? static_cast<float*>(at.outputs[0]) : (*scratch)[i].data();
      if (i > 0 && (waits == Waits::always || (waits == Waits::first_only && i == 1))) {
        auto event = on.make_event();
        if (!event) return event.propagate();
        if (auto recorded = on.record(event.value(), given[i - 1]); !recorded) return recorded;
        if (auto waited = on.wait(given[i], event.value()); !waited) return waited;
      }
      if (auto run = on.parallel_for(given[i], 100, TwicePlusOne{from, to}); !run) return run;
      from = to;
    }
    return {};
  };
  return subject;
}

}  // namespace

TEST_CASE("streams that wait for what they need pass with any of them held up", "[device]") {
  ThreadedDevice device;
  const Outcome outcome = check_stream_order(device, pipeline(device, Waits::always, 3));
  CAPTURE(outcome.reason);
  CHECK(outcome.verdict == Verdict::pass);
  CHECK(outcome.tables.at(0).rows.size() == 4);
  EmulatedDevice lazy;
  CHECK(check_stream_order(lazy, pipeline(lazy, Waits::always)).verdict == Verdict::pass);
  CHECK(lazy.misuses().empty());
}

TEST_CASE("a wait that is missing shows when the stream that is not waited for is held up, and that one is named",
          "[device]") {
  ThreadedDevice device;
  StreamOrderOptions options;
  options.delay_seconds = 0.25;  // longer than a busy machine keeps the other thread waiting
  options.repetitions = 1;
  Outcome outcome = check_stream_order(device, pipeline(device, Waits::never), options);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK(outcome.label("fault") == "missing_wait");
  REQUIRE(outcome.tables.size() == 1);
  CHECK(outcome.tables[0].rows[1][2] == "1");

  outcome = check_stream_order(device, pipeline(device, Waits::first_only, 3), options);
  CHECK(outcome.verdict == Verdict::fail);
  CHECK_FALSE(outcome.diagnosis.empty());
  CHECK(outcome.tables[0].rows[2][2] == "1");  // stream 1, for which the last does not wait

  EmulatedDevice lazy;
  outcome = check_stream_order(lazy, pipeline(lazy, Waits::never), options);
  CHECK(outcome.verdict == Verdict::fail);
}

TEST_CASE("work that the device refuses is an error, and misuse is told", "[device]") {
  EmulatedDevice device;
  auto subject = pipeline(device, Waits::always);
  subject.streams = 1;
  CHECK_THROWS_AS(check_stream_order(device, subject), Misuse);
  subject.streams = 2;
  auto constant = subject;
  constant.inputs[0].content.assign(400, 0);
  CHECK(check_stream_order(device, constant).verdict == Verdict::inconclusive);
  const std::size_t calls = device.calls();
  StreamOrderOptions options;
  options.delay_seconds = 0;
  options.repetitions = 1;
  CHECK(check_stream_order(device, subject, options).verdict == Verdict::pass);
  const std::size_t needed = device.calls() - calls;
  for (std::size_t call = 0; call < needed; call += 7) {
    CAPTURE(call);
    device.fail_after(call);
    const Outcome outcome = check_stream_order(device, subject, options);
    CHECK(outcome.verdict == Verdict::error);
    CHECK_THAT(outcome.reason, contains("told to fail"));
  }
}
