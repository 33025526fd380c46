#include "assay/telemetry/recorder.hpp"

#include <chrono>
#include <thread>

#include "assay/core/misuse.hpp"
#include "telemetry/counting_source.hpp"
#include "testing/catch.hpp"

using assay::testing::CountingSource;
using namespace std::chrono_literals;

namespace {

std::vector<assay::AnySource> two_sources() {
  std::vector<assay::AnySource> sources;
  sources.emplace_back(CountingSource{"quick"});
  sources.emplace_back(CountingSource{"slow", 200ms});
  return sources;
}

}  // namespace

TEST_CASE("a recorder polls each source in its own time") {
  std::size_t observed = 0;
  assay::Recorder recorder(two_sources(),
                           {0.01, true, [&](const auto& readings, const auto&) { observed += readings.size(); }});
  CHECK(recorder.description().devices.size() == 2);
  recorder.start();
  // Until the slow one has told three times: the quick one is not held up by it, however busy the machine is.
  while (recorder.so_far().readings[1].size() < 3) std::this_thread::sleep_for(5ms);
  const assay::Recording recording = recorder.stop();
  CHECK(recording.readings[1].size() >= 3);
  CHECK(recording.readings[0].size() > recording.readings[1].size());
  CHECK(observed == recording.readings[0].size() + recording.readings[1].size());
  for (std::size_t i = 0; i < recording.readings[0].size(); ++i) CHECK(recording.readings[0][i].count == i + 1);
  CHECK(recording.end_nanoseconds >= recording.readings[1].back().nanoseconds);
  CHECK(recording.started.size() == 20);
  CHECK(recorder.stop().readings[0].size() == recording.readings[0].size());
}

TEST_CASE("a recorder that keeps nothing tells its observer, with events") {
  std::size_t readings = 0, events = 0;
  std::vector<assay::AnySource> sources;
  sources.emplace_back(assay::testing::EventfulSource{});
  assay::Recorder recorder(std::move(sources), {0.001, false, [&](const auto& some, const auto& happened) {
                                                  readings += some.size();
                                                  events += happened.size();
                                                }});
  recorder.start();
  CHECK(recorder.stop().readings[0].empty());
  CHECK(readings >= 1);
  CHECK(events == readings);
}

TEST_CASE("a recorder without a start, and what it refuses") {
  assay::Recorder never(two_sources());
  CHECK(never.stop().readings.empty());
  CHECK_THROWS_AS(assay::Recorder(two_sources(), {0, true, {}}), assay::Misuse);
  assay::Recorder twice(two_sources());
  twice.start();
  CHECK_THROWS_AS(twice.start(), assay::Misuse);
}
