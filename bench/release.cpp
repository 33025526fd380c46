// components: json
// How long the decision takes: a gate over 100,000 outcomes, read from JSON and judged by the default policy and more, and a version
// matrix of 10⁶ combinations, expanded with rules, sharded, and reduced to pairs.
//
//   bench_release [--outcomes N] [--repeat R]
//
// Printed are the medians as Markdown. Exit code: 0, or 1 if the gate or the matrix said something else than is known of the data.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "assay/release/combination_id.hpp"
#include "assay/release/default_policy.hpp"
#include "assay/release/expand_matrix.hpp"
#include "assay/release/gate.hpp"
#include "assay/release/gate_run.hpp"
#include "assay/release/gate_text.hpp"
#include "assay/release/pairwise.hpp"
#include "assay/release/policy_file.hpp"
#include "assay/report/json.hpp"
#include "timing.hpp"

namespace {

using namespace assay;

/// Outcomes as assay run writes them, of as many operations and shapes; one in a thousand failed.
Run sample(std::size_t outcomes) {
  Run run;
  run.title = "bench";
  run.environment.host_name = "here";
  const char* operations[] = {"gemm", "softmax", "attention", "layer_norm", "convolution"};
  for (std::size_t i = 0; i < outcomes; ++i) {
    Outcome outcome;
    const std::string operation = operations[i % 5],
                      shape = std::to_string(64 + i % 512) + "x" + std::to_string(64 + i / 512);
    outcome.id = operation + "/openblas/bf16.f32.bf16/" + shape + "/normal";
    outcome.verdict = i % 1000 == 999 ? Verdict::fail : Verdict::pass;
    if (outcome.verdict == Verdict::fail) outcome.reason = "3 of 4096 elements lie outside of their interval";
    outcome.labels = {{"operation", operation},
                      {"backend", "openblas"},
                      {"formats", "bf16.f32.bf16"},
                      {"shape", shape},
                      {"data", "normal"}};
    outcome.seed = i * 7919;
    outcome.duration_seconds = 0.01;
    outcome.reproduce = "assay run --only " + outcome.id + " --seed 1";
    outcome.measure(measurement::worst_error_ratio, 0.25 + static_cast<double>(i % 100) / 1000);
    outcome.measure(measurement::violations, 0);
    outcome.measure(measurement::elements, 4096);
    outcome.measure(measurement::kernel_seconds, 0.001, "s");
    run.outcomes.push_back(std::move(outcome));
  }
  run.planned_cases = outcomes;
  return run;
}

/// The default policy, ten gates more on parts of the outcomes, and a hundred waivers.
GatePolicy policy() {
  GatePolicy made = parse_policy(default_policy).value();
  for (int i = 0; i < 10; ++i) {
    Gate gate = made.gates[3];
    gate.name += " " + std::to_string(i);
    gate.selection.ids = {"gemm/*/" + std::to_string(64 + i) + "x*/normal", "softmax/*"};
    made.gates.push_back(gate);
  }
  for (int i = 0; i < 100; ++i) {
    Waiver waiver;
    waiver.ids = {"convolution/*/" + std::to_string(i) + "x*/ones"};
    waiver.owner = "owner";
    waiver.reason = "reason";
    waiver.expires = current_date() + std::chrono::days(30);
    made.waivers.push_back(waiver);
  }
  return made;
}

/// Six axes of ten values, and three rules.
VersionMatrix matrix() {
  VersionMatrix made;
  for (const char* name : {"driver", "toolkit", "framework", "model", "device", "host"}) {
    MatrixAxis axis{name, {}};
    for (int value = 0; value < 10; ++value) axis.values.push_back("1" + std::to_string(value) + ".4");
    made.axes.push_back(axis);
  }
  for (const char* rule :
       {"toolkit >= 17 requires driver >= 15", "framework < 13 and model > 14 excludes device == 12.4 | 13.4",
        "device == 19.4 requires driver < 18"})
    made.rules.push_back(parse_matrix_rule(rule).value());
  return made;
}

struct Timings {
  int repeat;
  template <class Work>
  void row(const std::string& what, const std::string& found, const char* limit, const Work& work) const {
    std::vector<double> seconds;
    for (int i = 0; i < repeat; ++i) seconds.push_back(seconds_of(work));
    std::printf("| %s | %s | %.3f | %s |\n", what.c_str(), found.c_str(), median(seconds), limit);
  }
};

}  // namespace

int main(int count, char** arguments) {
  std::size_t outcomes = 100000;
  int repeat = 5;
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(arguments[i], "--outcomes") == 0) outcomes = static_cast<std::size_t>(std::atoll(arguments[i + 1]));
    if (std::strcmp(arguments[i], "--repeat") == 0) repeat = std::atoi(arguments[i + 1]);
  }
  const Timings table{repeat};
  const GatePolicy judged_by = policy();
  const std::string text = json_text(sample(outcomes));
  const std::string size = std::to_string(outcomes) + " outcomes, " + std::to_string(text.size() / 1000000) + " MB";
  std::vector<GateInput> inputs{{"report.json", run_from_json(text).value()}};
  const GateReport report = judge_release(judged_by, inputs).value();
  const std::string gates =
      std::to_string(judged_by.gates.size()) + " gates, " + std::to_string(judged_by.waivers.size()) + " waivers";
  const VersionMatrix combinations = matrix();
  const MatrixExpansion expansion = expand(combinations).value();
  const PairwiseReduction pairs = pairwise(combinations).value();
  std::size_t volatile sink = 0;

  std::printf("| what | of | seconds | at most |\n|---|---|---:|---:|\n");
  table.row("gate: judge", size + ", " + gates, "",
            [&] { sink = judge_release(judged_by, inputs).value().gates.size(); });
  table.row("gate: read JSON", size, "", [&] { sink = run_from_json(text).value().outcomes.size(); });
  table.row("gate: read JSON and judge", size + ", " + gates, "2", [&] {
    const std::vector<GateInput> read{{"report.json", run_from_json(text).value()}};
    sink = gate_lines(judge_release(judged_by, read).value()).size();
  });
  table.row("matrix: expand", std::to_string(expansion.combinations.size()) + " of 1000000 allowed by 3 rules", "2",
            [&] { sink = expand(combinations).value().combinations.size(); });
  table.row("matrix: shard 1/4", std::to_string(expansion.combinations.size()) + " combinations", "", [&] {
    std::size_t held = 0;
    for (std::size_t i = 0; i < expansion.combinations.size(); ++i)
      held += in_shard(named_combination(combinations, expansion.combinations[i]), {1, 4}) ? 1 : 0;
    sink = held;
  });
  table.row(
      "matrix: all pairs",
      std::to_string(pairs.combinations.size()) + " combinations, " + std::to_string(pairs.lower_bound) + " at least",
      "", [&] { sink = pairwise(combinations).value().combinations.size(); });

  return report.verdict == ReleaseVerdict::blocked && report.gates[3].bad.count == outcomes / 1000 ? 0 : 1;
}
