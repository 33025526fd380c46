#include "assay/suite/case.hpp"

#include <string>

#include "testing/catch.hpp"

namespace {
assay::Suite of(const std::string& prefix, int count) {
  assay::Suite suite;
  for (int i = 0; i < count; ++i) {
    assay::Case entry;
    entry.id = prefix + std::to_string(i);
    entry.run = [id = entry.id](const assay::CaseContext&) {
      assay::Outcome outcome;
      outcome.reason = id;
      return outcome;
    };
    suite.push_back(entry);
  }
  return suite;
}
}  // namespace

TEST_CASE("a suite appended to another keeps its order and its cases keep working", "[suite]") {
  assay::Suite suite = of("a", 2);
  append(suite, of("b", 2));
  append(suite, {});
  REQUIRE(suite.size() == 4);
  CHECK(suite[1].id == "a1");
  CHECK(suite[2].id == "b0");
  for (const assay::Case& entry : suite) CHECK(entry.run({}).reason == entry.id);
}
