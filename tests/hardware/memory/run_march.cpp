#include "assay/hardware/memory/run_march.hpp"

#include "assay/hardware/memory/simulated_memory.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("right memory is not accused, by any test on any of its backgrounds") {
  for (const MarchTest& test : all_march_tests())
    for (const Background& background : backgrounds_of(test.backgrounds, 8, 3)) {
      SimulatedMemory memory(16, 8, std::nullopt, 0xDEADBEEF);
      run_march(memory, test, background, [&](const MemoryDefect& defect) {
        FAIL(defect.text());
        return false;
      });
    }
}

TEST_CASE("a defect names word, bits, element and operation") {
  SimulatedMemory memory(16, 8, CellFault{CellFaultKind::stuck_at, 8 * 5 + 3, 0, false, true});
  std::vector<MemoryDefect> defects;
  run_march(memory, march_named("march_c-").value(), {}, [&](const MemoryDefect& defect) {
    defects.push_back(defect);
    return true;
  });
  REQUIRE(defects.size() == 3);  // of the elements that read 0
  CHECK(defects[0].offset == 5 * 8);
  CHECK(defects[0].flipped() == 8);
  CHECK(defects[0].element == 1);
  CHECK(defects[0].operation == 0);
  CHECK(!defects[0].recovered());
}

TEST_CASE("an intermittent fault is found in the end, and recovers") {
  SimulatedMemory memory(4, 8, CellFault{CellFaultKind::intermittent, 9, 0, false, false, 0.02});
  int found = 0, recovered = 0;
  for (int round = 0; round < 100; ++round)
    run_march(memory, march_named("march_c-").value(), {}, [&](const MemoryDefect& defect) {
      ++found;
      recovered += defect.recovered() ? 1 : 0;
      return true;
    });
  CHECK(found > 0);
  CHECK(recovered > 0);
}
