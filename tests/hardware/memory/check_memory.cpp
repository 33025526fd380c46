#include "assay/hardware/memory/check_memory.hpp"

#include "testing/catch.hpp"

using namespace assay;

namespace {

MemoryCheckOptions small_check() {
  MemoryCheckOptions options;
  options.bytes = 1 << 13;
  options.march.pause_seconds = 0.001;
  options.march.cache_bytes = 1 << 13;
  return options;
}

}  // namespace

TEST_CASE("right memory passes every test by name, and the outcome says what it cannot see") {
  MemoryCheckOptions options = small_check();
  options.tests = memory_test_names();
  const auto outcomes = check_memory(options);
  REQUIRE(outcomes.size() == options.tests.size());
  for (const Outcome& outcome : outcomes) {
    CAPTURE(outcome.id, outcome.reason);
    CHECK(outcome.verdict == Verdict::pass);
    CHECK(outcome.id == "hardware/memory/" + outcome.label("test"));
    CHECK(!outcome.derivation.empty());
  }
}

TEST_CASE("damage is a failure that names the place; a refused allocation, an unknown name, short time are no pass") {
  const MarchTest test = march_named("march_c-").value();
  MarchHostResult result;
  result.complete = true;
  result.wrong_reads = 3;
  MemoryDefect defect;
  defect.offset = 64;
  defect.actual = 2;
  defect.reread = 2;
  result.defects.push_back(defect);
  const Outcome failed = judge_march(test, result);
  CHECK(failed.verdict == Verdict::fail);
  CHECK(failed.reason.find("0x000000000040") != std::string::npos);
  REQUIRE(failed.tables.size() == 1);
  CHECK(failed.tables[0].rows.size() == 1);

  CHECK(judge_march(test, {}).verdict == Verdict::inconclusive);
  MemoryCheckOptions options = small_check();
  options.bytes = SIZE_MAX / 2;
  CHECK(check_memory(options)[0].verdict == Verdict::error);
  options = small_check();
  options.tests = {"march_d"};
  CHECK(check_memory(options)[0].verdict == Verdict::error);
  options.tests = {"march_c-", "modulo_20"};
  options.budget_seconds = 1e-9;
  for (const Outcome& outcome : check_memory(options)) CHECK(outcome.verdict == Verdict::inconclusive);
  options.budget_seconds = 0;
  options.least_share = 0.9;
  for (const Outcome& outcome : check_memory(options)) CHECK(outcome.verdict == Verdict::inconclusive);
  options.least_share = 0;
  int read = 0;
  options.counters = [&] { return std::vector<CounterReading>{{"mc0/ce_count", static_cast<double>(read++)}}; };
  for (const Outcome& outcome : check_memory(options)) CHECK(outcome.verdict == Verdict::fail);
}

TEST_CASE("a processor that took no part is an error, although nothing wrong was read") {
  MarchHostResult result;
  result.bytes = 4096;
  result.missing = {"processor 7: the system does not let a thread run there"};
  CHECK(judge_march(march_named("march_c-").value(), result).verdict == Verdict::error);
}
