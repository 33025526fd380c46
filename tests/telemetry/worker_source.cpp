#include "assay/telemetry/worker_source.hpp"

#include <signal.h>

#include "assay/core/misuse.hpp"
#include "telemetry/scripted_worker.hpp"
#include "testing/catch.hpp"

namespace {

using assay::ReadingState;
using assay::testing::healthy_script;
using assay::testing::reading_of;
using assay::testing::ScriptedWorker;

}  // namespace

TEST_CASE("a library that hangs costs a reading, and the sensor over which it hangs is found") {
  // From the second poll on, the temperature of the second GPU never comes; longer than any deadline here.
  ScriptedWorker worker(healthy_script + "0 Temperature@2 0 61 600000\n");
  worker.options.deadline_seconds = 1.5;
  assay::WorkerSource source = assay::WorkerSource::open(worker.options).value();
  const auto first = source.poll();
  const auto* late = reading_of(source, first, 1, "temperature gpu");
  REQUIRE(late != nullptr);
  CHECK(late->state == ReadingState::failed);
  CHECK(late->reason.find("did not answer within 1.5 s over temperature gpu of gpu/GPU-script-2") != std::string::npos);
  CHECK(first.size() == source.sensors().size());
  static_cast<void>(source.poll());  // a new worker, which hangs as well
  CHECK(source.restarts() == 1);
  // From the third one on it is not asked, and all else is told.
  const auto third = source.poll();
  CHECK(source.restarts() == 2);
  CHECK(reading_of(source, third, 1, "temperature gpu")->state == ReadingState::failed);
  CHECK(reading_of(source, third, 1, "temperature gpu")->reason.find("not asked any more") != std::string::npos);
  REQUIRE(reading_of(source, third, 1, "power")->has_value());
  CHECK(reading_of(source, third, 1, "power")->value == assay::testing::Approx(650.25));
  CHECK(reading_of(source, third, 0, "temperature gpu")->value == 61);
}

TEST_CASE("a library that aborts, or ends its process, costs readings and not the run") {
  for (const char* ending : {"abort", "exit"}) {
    INFO(ending);
    ScriptedWorker worker(healthy_script + "0 Temperature@1 " + ending + "\n");
    assay::WorkerSource source = assay::WorkerSource::open(worker.options).value();
    const auto first = source.poll();
    const std::string reason = reading_of(source, first, 0, "temperature gpu")->reason;
    INFO(reason);
    CHECK(reason.find(ending == std::string("abort") ? "signal 6" : "exit code 0") != std::string::npos);
    static_cast<void>(source.poll());
    CHECK(reading_of(source, source.poll(), 0, "power")->has_value());
  }
}

TEST_CASE("a GPU that a new worker does not find is lost") {
  ScriptedWorker worker(healthy_script);
  assay::WorkerSource source = assay::WorkerSource::open(worker.options).value();
  CHECK(source.devices().size() == 2);
  CHECK(reading_of(source, source.poll(), 1, "power")->has_value());
  std::ofstream(worker.folder.at("script.txt")) << "0 Count 0 1\n0 PowerUsage 0 1000\n0 Temperature abort\n";
  // The running worker has the script of before; it is killed by another, who says nothing.
  ScriptedWorker dying("0 Count 0 1\n0 PowerUsage abort\n");
  assay::WorkerSource other = assay::WorkerSource::open(dying.options).value();
  CHECK(!reading_of(other, other.poll(), 0, "power")->has_value());
  std::ofstream(dying.folder.at("script.txt")) << "0 Count 0 0\n";
  const auto gone = other.poll();
  CHECK(reading_of(other, gone, 0, "power")->state == ReadingState::lost);
  CHECK(gone.size() == other.sensors().size());
}

TEST_CASE("what cannot start is told, and when it gives up") {
  ScriptedWorker worker("0 Init 9\n");
  auto refused = assay::WorkerSource::open(worker.options);
  REQUIRE(!refused);
  CHECK(refused.error().kind == assay::ErrorKind::unsupported);
  CHECK(refused.error().message.find("driver") != std::string::npos);

  worker.options.command = {"/absent/program"};
  CHECK(assay::WorkerSource::open(worker.options).error().kind == assay::ErrorKind::io);
  worker.options.command = {"true"};
  CHECK(assay::WorkerSource::open(worker.options).error().kind == assay::ErrorKind::device);
  worker.options.command = {"echo", "nonsense"};
  CHECK(!assay::WorkerSource::open(worker.options));
  worker.options.command = {"sleep", "60"};
  worker.options.start_seconds = 0.2;
  CHECK(assay::WorkerSource::open(worker.options).error().kind == assay::ErrorKind::timed_out);
  worker.options.command = {};
  CHECK_THROWS_AS(assay::WorkerSource::open(worker.options), assay::Misuse);

  ScriptedWorker failing(healthy_script + "0 PowerUsage abort\n0 Temperature abort\n0 Field82 abort\n");
  failing.options.most_restarts = 1;
  assay::WorkerSource source = assay::WorkerSource::open(failing.options).value();
  for (int i = 0; i < 4; ++i) CHECK(reading_of(source, source.poll(), 0, "power")->state == ReadingState::failed);
  CHECK(source.restarts() == 1);
}
