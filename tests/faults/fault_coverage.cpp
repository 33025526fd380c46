#include "assay/faults/fault_coverage.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace assay;

TEST_CASE("each pattern is told apart: how many of its cases accuse a kernel, of how many that ran") {
  CorpusKernel kernel;
  kernel.operation = "scale";
  kernel.name = "bad";
  kernel.fault = Fault{"bad", FaultClass::precision, "is made up", {}};
  kernel.suite = [] {
    Suite suite;
    for (int i = 0; i < 12; ++i) {
      Case entry;
      entry.id = "scale/bad/" + std::to_string(i);
      entry.labels["data"] = i % 3 == 0 ? "normal" : i % 3 == 1 ? "special" : "refused";
      if (i == 0) entry.tags = {"large"};
      entry.run = [i](const CaseContext&) {
        Outcome outcome;
        outcome.verdict = i % 3 == 2         ? Verdict::unsupported
                          : i == 4 || i == 3 ? Verdict::fail
                          : i == 7           ? Verdict::error
                                             : Verdict::pass;
        return outcome;
      };
      suite.push_back(entry);
    }
    return suite;
  };
  const auto all = pattern_coverage(kernel, 100);
  REQUIRE(all.size() == 3);
  CHECK((all[0].data == "special" && all[0].accused == 2 && all[0].cases == 4));
  CHECK((all[1].data == "refused" && all[1].accused == 0 && all[1].cases == 0));
  CHECK((all[2].data == "normal" && all[2].accused == 1 && all[2].cases == 3));
  const auto some = pattern_coverage(kernel, 2);
  CHECK((some[0].accused == 1 && some[0].cases == 2));
  CHECK((some[2].accused == 1 && some[2].cases == 2));
}
