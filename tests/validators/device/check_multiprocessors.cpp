#include "assay/validators/device/check_multiprocessors.hpp"

#include "assay/backends/host.hpp"
#include "testing/catch.hpp"

using namespace assay;
using namespace assay::testing;

namespace {

/// A device of the host that deals its blocks out to multiprocessors as a script says.
struct ScriptedDevice : Host {
  int (*deal)(std::size_t block) = nullptr;
  int said = 12;
  std::size_t forgotten = static_cast<std::size_t>(-1);  ///< a block that is never run

  explicit ScriptedDevice(int (*script)(std::size_t)) : Host(2), deal(script) {}
  [[nodiscard]] int multiprocessors() const { return said; }
  template <class Functor>
  [[nodiscard]] Result<void> parallel_blocks(Stream&, std::size_t blocks, const Functor& functor) const {
    thread_pool().for_each_index(blocks, [&](std::size_t block) {
      if (block != forgotten) detail::RunHostBlock<Functor>{functor, ThreadOrder::descending, deal}(block);
    });
    return {};
  }
};

/// One unit of some multiprocessors gets one bit wrong, now and then.
struct Broken {
  int number, unit;
  template <class T>
  T operator()(int multiprocessor, int used, T value) const {
    if (multiprocessor != number || used != unit) return value;
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    if (bytes[0] == 77) bytes[0] ^= 1;  // one result in 256, in its last bit
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }
};

MultiprocessorOptions quick() {
  MultiprocessorOptions options;
  options.steps = 100;
  options.rounds = 5;
  return options;
}

int evenly(std::size_t block) {
  return static_cast<int>(block % 12);
}
int with_gaps(std::size_t block) {
  return static_cast<int>(block % 12) * 16 + 3;
}
int never_five(std::size_t block) {
  return block % 12 == 5 ? 6 : static_cast<int>(block % 12);
}

}  // namespace

TEST_CASE("a device all of whose multiprocessors compute right passes, however they are numbered", "[device]") {
  for (auto* const script : {&evenly, &with_gaps}) {
    ScriptedDevice device(script);
    const Outcome outcome = check_multiprocessors(device, quick());
    CAPTURE(outcome.reason);
    CHECK(outcome.verdict == Verdict::pass);
    CHECK(outcome.measurement("multiprocessors_seen") == 12);
    CHECK(outcome.measurement("rounds") == 1);
    CHECK(outcome.tables.at(0).rows.size() == 12);
    CHECK(outcome.tables.size() == 1);
  }
}

TEST_CASE("a multiprocessor with one wrong bit in any unit is named, with the unit", "[device]") {
  ScriptedDevice device(&with_gaps);
  for (int unit = 0; unit < 4; ++unit) {
    const Outcome outcome = check_multiprocessors(device, quick(), Broken{7 * 16 + 3, unit});
    CAPTURE(unit, outcome.reason);
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.label("fault") == "wrong_multiprocessor");
    CHECK_THAT(outcome.reason, contains("multiprocessor 115 computes wrong; 12 of 12"));
    REQUIRE(outcome.tables.size() == 2);
    REQUIRE(outcome.tables[1].rows.size() == 1);
    CHECK(outcome.tables[1].rows[0] == std::vector<std::string>{"115", "8", detail::unit_name(unit), "8"});
  }
}

TEST_CASE("what was not seen is not passed", "[device]") {
  ScriptedDevice device(&never_five);
  const Outcome outcome = check_multiprocessors(device, quick());
  CHECK(outcome.verdict == Verdict::inconclusive);
  CHECK(outcome.measurement("multiprocessors_seen") == 11);
  CHECK(outcome.measurement("rounds") == 5);
  CHECK_THAT(outcome.reason, contains("11 of 12 multiprocessors were seen in 5 launches"));
  CHECK(check_multiprocessors(device, quick(), Broken{6, 1}).verdict == Verdict::fail);

  ScriptedDevice more(&evenly);
  more.said = 10;
  CHECK(check_multiprocessors(more, quick()).verdict == Verdict::inconclusive);
  MultiprocessorOptions patient = quick();
  patient.least_blocks = 20;
  CHECK(check_multiprocessors(device, patient).verdict == Verdict::inconclusive);
  ScriptedDevice even(&evenly);
  CHECK(check_multiprocessors(even, patient).verdict == Verdict::pass);
  CHECK(check_multiprocessors(even, patient).measurement("rounds") == 3);
}

TEST_CASE("a block that never ran is told, and where nothing is known nothing is claimed", "[device]") {
  ScriptedDevice device(&evenly);
  device.forgotten = 17;
  CHECK(check_multiprocessors(device, quick()).label("fault") == "lost_blocks");

  Host host(1);
  CHECK(check_multiprocessors(host, quick()).verdict == Verdict::unsupported);
  MultiprocessorOptions told = quick();
  told.present = 4;
  Outcome outcome = check_multiprocessors(host, told);
  CHECK(outcome.verdict == Verdict::unsupported);
  CHECK_THAT(outcome.reason, contains("do not tell on which"));
  outcome = check_multiprocessors(host, told, Broken{-1, 2});
  CHECK(outcome.verdict == Verdict::fail);
  told.rounds = 0;
  CHECK_THROWS_AS(check_multiprocessors(host, told), Misuse);
}
