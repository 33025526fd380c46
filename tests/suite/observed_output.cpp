#include "assay/suite/observed_output.hpp"

#include <string>
#include <vector>

#include "assay/suite/runner.hpp"
#include "testing/catch.hpp"

using namespace assay;

TEST_CASE("a run shows the outputs of each case's first attempt, with the case", "[suite]") {
  Suite suite(2);
  for (std::size_t i = 0; i < 2; ++i) {
    suite[i].id = i == 0 ? "one" : "two";
    suite[i].run = [i](const CaseContext& context) {
      if (context.outputs != nullptr) (*context.outputs)({"y", "f32", {1}, {0, 0, 128, 63}, {1}, {}});
      Outcome outcome;
      outcome.verdict = i == 0 ? Verdict::pass : Verdict::fail;
      outcome.reason = "for a reason";
      return outcome;
    };
  }
  std::vector<std::string> shown;
  RunOptions options;
  options.retries = 3;
  options.outputs = [&](const Case& entry, const ObservedOutput& output) {
    shown.push_back(entry.id + " " + output.name);
  };
  NullObserver observer;
  CHECK(run_suite(suite, {0, 1}, options, {}, observer).outcomes.size() == 2);
  CHECK(shown == std::vector<std::string>{"one y", "two y"});
  options.outputs = nullptr;
  static_cast<void>(run_suite(suite, {0, 1}, options, {}, observer));
  CHECK(shown.size() == 2);
}
