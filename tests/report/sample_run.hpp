#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "assay/core/run.hpp"

/// Runs made up for the tests of reports.
namespace assay::testing {

inline Outcome sample_outcome(const std::string& id, Verdict verdict, const std::string& backend = "openblas",
                              const std::string& formats = "f32") {
  Outcome outcome;
  outcome.id = id;
  outcome.verdict = verdict;
  outcome.labels = {
      {"operation", "gemm"}, {"backend", backend}, {"formats", formats}, {"shape", "128x128x3000"}, {"data", "normal"}};
  outcome.seed = 7;
  outcome.duration_seconds = 0.0125;
  outcome.reproduce = "assay run --only " + id;
  if (verdict != Verdict::pass) outcome.reason = "because of " + std::string(name_of(verdict));
  return outcome;
}

/// A failure with everything that an outcome can carry.
inline Outcome sample_failure() {
  Outcome outcome =
      sample_outcome("gemm/onednn/bf16-f32-bf16/512x768x14336/normal", Verdict::fail, "onednn", "bf16-f32-bf16");
  outcome.reason =
      "129 of 393216 elements lie outside their acceptance interval; the worst is 41.7 times the allowed error away";
  outcome.diagnosis = {"all violations lie in columns 704–767, the last tile of 64: an N tail",
                       "the errors have the size of one dropped product: a k index skipped",
                       "two runs gave equal bits: not a race"};
  outcome.derivation = {"r = Σ a·b in float64 over K = 14336 stored bfloat16 operands",
                        "products are exact in the float32 accumulator's inputs", "E = g(K)·u·Σ|a·b| with u = 2⁻²⁴",
                        "accept iff out ∈ [RN(r−E), RN(r+E)] in bfloat16"};
  outcome.measure(measurement::worst_error_ratio, 41.7);
  outcome.measure(measurement::max_absolute_error, 0.28125);
  outcome.measure(measurement::max_ulp_error, 18, "ulp");
  outcome.measure(measurement::violations, 129, "elements");
  outcome.measure(measurement::kernel_seconds, 0.00321, "s");
  outcome.tables.push_back({"The worst elements",
                            {"row", "column", "expected", "found", "error/allowed"},
                            {{"17", "704", "1.53125", "1.25", "41.7"}, {"3", "767", "-0.25", "-0.5", "12"}}});
  HeatMap map{"error / allowed by tile", 8, 12, 64, 64, {}};
  for (std::size_t row = 0; row < map.rows; ++row)
    for (std::size_t column = 0; column < map.columns; ++column)
      map.values.push_back(column == 11 ? 8 + 4.2 * static_cast<double>(row)
                                        : 0.2 + 0.07 * std::fabs(std::sin(static_cast<double>(row * 12 + column))));
  map.values[5 * 12 + 3] = std::numeric_limits<double>::quiet_NaN();
  outcome.heat_maps.push_back(map);
  Series series{"Worst error against K", "K", "error / allowed", {}};
  for (int k = 1; k <= 14; ++k) series.points.emplace_back(1024.0 * k, 0.3 + 0.2 * k * k);
  outcome.series.push_back(series);
  return outcome;
}

/// Everything that breaks careless writers.
inline std::string nasty_text() {
  return "\"quoted\" 'single' <script>alert(1)</script> & \\ / ~ \n\t\x1b[31m ü ∑ 漢 😀 </details>";
}

inline Run sample_run() {
  Run run;
  run.title = "Default suite";
  run.command = "assay run --op gemm --seed 18446744073709551615";
  run.seed = 18446744073709551615ull;
  run.duration_seconds = 12.34;
  Environment& machine = run.environment;
  machine.assay_version = "0.1.0";
  machine.host_name = "bench-7";
  machine.operating_system = "Debian GNU/Linux 12, Linux 6.1, x86_64";
  machine.processor = "Example Processor 9000";
  machine.logical_processors = 16;
  machine.instruction_sets = "sse2 avx2 fma avx512f";
  machine.memory_bytes = 64.0 * 1073741824.0;
  machine.compiler = "g++ 12.2.0";
  machine.compiler_flags = "-O2 -g";
  machine.started_at = "2025-01-02T03:04:05Z";
  machine.devices = {"Example Accelerator A, 80 GiB"};
  machine.libraries = {{"OpenBLAS", "0.3.21, SkylakeX"}, {"oneDNN", "2.6.3"}};

  for (const Verdict verdict : all_verdicts)
    run.outcomes.push_back(sample_outcome("gemm/openblas/f32/128x128x3000/" + std::string(name_of(verdict)), verdict));
  run.outcomes[0].measure(measurement::worst_error_ratio, 0.42);
  run.outcomes[0].derivation = {"E = g(K)·u·Σ|a·b|"};
  run.outcomes[1].measure(measurement::worst_error_ratio, std::numeric_limits<double>::quiet_NaN());
  run.outcomes[1].measure(measurement::max_absolute_error, std::numeric_limits<double>::infinity());
  run.outcomes[1].measure("signed_error", -std::numeric_limits<double>::infinity());
  run.outcomes[1].measure("negative_zero", -0.0);
  run.outcomes.push_back(sample_failure());
  Outcome nasty = sample_outcome("nasty/" + nasty_text(), Verdict::fail, "eigen<" + nasty_text(), "f16");
  nasty.reason = nasty.reproduce = nasty_text();
  nasty.diagnosis = {nasty_text()};
  nasty.labels[nasty_text()] = nasty_text();
  nasty.tables.push_back({nasty_text(), {nasty_text(), "b"}, {{nasty_text(), "1"}}});
  nasty.series.push_back(
      {nasty_text(), nasty_text(), nasty_text(), {{0, std::numeric_limits<double>::quiet_NaN()}, {1, 2}}});
  nasty.heat_maps.push_back({nasty_text(), 1, 2, 1, 1, {std::numeric_limits<double>::infinity(), 1}});
  nasty.measurements.push_back({nasty_text(), 5e-324, nasty_text()});
  run.outcomes.push_back(nasty);
  run.planned_cases = run.outcomes.size();
  return run;
}

/// `cases` outcomes, every hundredth a failure with everything, every tenth unsupported.
inline Run large_run(std::size_t cases) {
  Run run = sample_run();
  run.outcomes.clear();
  for (std::size_t i = 0; i < cases; ++i) {
    const std::string name = std::to_string(i);
    Outcome outcome = i % 100 == 0 ? sample_failure()
                                   : sample_outcome("gemm/openblas/f32/128x128x" + name + "/normal",
                                                    i % 10 == 1 ? Verdict::unsupported : Verdict::pass);
    outcome.id += "#" + name;
    if (outcome.verdict == Verdict::pass)
      outcome.measure(measurement::worst_error_ratio, static_cast<double>(i % 97) / 100);
    if (outcome.verdict == Verdict::pass) outcome.derivation = sample_failure().derivation;
    run.outcomes.push_back(outcome);
  }
  run.planned_cases = cases;
  return run;
}

}  // namespace assay::testing
