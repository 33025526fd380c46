#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "report/sample_run.hpp"

/// A run of thousands of cases as they occur, for looking at reports and for driving them in a browser.
namespace assay::testing {

/// Numbers that look random and are the same everywhere: 0 ≤ value < 1.
class SampleNumbers {
 public:
  explicit SampleNumbers(std::uint64_t seed) : state_(seed * 2654435761u + 1) {}
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_;
};

inline std::vector<std::string> sample_derivation(int k) {
  return {
      "E = g*(|alpha|*S + |beta*C|) + 3u*(|alpha*P| + |beta*C|) + underflow + the reference's own error, with S = sum "
      "|a||b| per element",
      "data: statistical, at most " + std::to_string(k) + " non-zero products a sum",
      "L = " + std::to_string(k) +
          " roundings of u = 5.96e-08 (f32); errors may align: g = γ_L = L·u/(1 − L·u) = 8.549e-04",
      "scaling by alpha, beta: exact; underflow: 2.01e-42 absolute; reference (float64): 1.594e-12 relative to S",
      "derived: accept iff out lies in [round(r - E), round(r + E)], r the reference, E the bound on a correct "
      "kernel's error before the "
      "output is rounded"};
}

inline void measure_sample(Outcome& outcome, double ratio, double elements, double violations, SampleNumbers& numbers) {
  outcome.measure(measurement::reference_seconds, outcome.duration_seconds * 0.7, "s");
  outcome.measure(measurement::elements, elements, "elements");
  outcome.measure(measurement::violations, violations, "elements");
  outcome.measure("undetermined", 0, "elements");
  outcome.measure(measurement::worst_error_ratio, ratio);
  outcome.measure(measurement::max_absolute_error, ratio * 2.4e-4);
  outcome.measure(measurement::max_relative_error, ratio * 7.9e-5);
  outcome.measure(measurement::max_ulp_error, std::ceil(ratio * 11), "ulp");
  outcome.measure("mean_signed_error", (numbers.next() - 0.5) * 1e-7);
  outcome.measure(measurement::comparison_seconds, outcome.duration_seconds * 0.03, "s");
  outcome.measure(measurement::kernel_seconds, outcome.duration_seconds * 0.2, "s");
}

/// A failure of one of three kinds: 0 an N tail, 1 stripes of wrong rows, 2 scattered elements, some of them NaN.
inline Outcome rich_failure(const std::string& backend, const std::string& formats, int kind, std::size_t number) {
  const std::string shape = kind == 0   ? "m512-n768-k14336-nt-row"
                            : kind == 1 ? "m2048-n512-k4096-nn-row"
                                        : "m1024-n1024-k3000-tn-column";
  Outcome outcome =
      sample_outcome("gemm/" + backend + "/" + formats + "/" + shape + "/" + (kind == 2 ? "sparse" : "normal") +
                         (number > 0 ? "-" + std::to_string(number) : ""),
                     Verdict::fail, backend, formats);
  outcome.labels["shape"] = shape;
  outcome.labels["data"] = kind == 2 ? "sparse" : "normal";
  outcome.seed = 9546458679538688144u + number;
  outcome.reproduce = "assay run --only '" + outcome.id + "' --seed 1";
  SampleNumbers numbers(number + static_cast<std::size_t>(kind) * 31);
  outcome.duration_seconds = 0.4 + numbers.next();
  HeatMap map{"largest error / allowed of each tile",
              kind == 1 ? 64u : 32u,
              kind == 0 ? 48u : 32u,
              kind == 0 ? 16 : 32,
              kind == 0   ? 16
              : kind == 1 ? 16
                          : 32,
              {}};
  double worst = 0;
  std::size_t failing = 0;
  for (std::size_t row = 0; row < map.rows; ++row)
    for (std::size_t column = 0; column < map.columns; ++column) {
      double ratio = 0.12 + 0.5 * numbers.next() * numbers.next();
      const double wild = numbers.next();
      if (kind == 0 && column >= 44) ratio = 3 + 40 * wild;
      if (kind == 1 && row % 16 >= 14) ratio = 1.2 + 600 * wild * wild * wild;
      if (kind == 2 && wild > 0.985) ratio = 1.1 + 2500 * (wild - 0.985);
      if (kind == 2 && wild > 0.999) ratio = std::numeric_limits<double>::infinity();
      if (kind == 1 && column < 4 && row > 30) ratio = 0;
      if (std::isfinite(ratio)) worst = std::max(worst, ratio);
      if (ratio > 1) ++failing;
      map.values.push_back(ratio);
    }
  measure_sample(outcome, worst, 393216, static_cast<double>(failing) * 60, numbers);
  outcome.reason = std::to_string(failing * 60) +
                   " of 393216 elements lie outside their acceptance interval, the worst by " + number_text(worst) +
                   " times the allowed error at row 17, column 704";
  outcome.diagnosis =
      kind == 0   ? std::vector<std::string>{"all violations lie in columns 704 to 767, the last tile of 64: an N tail",
                                             "the errors have the size of one dropped product: a k index is skipped",
                                             "two runs gave equal bits: not a race"}
      : kind == 1 ? std::vector<std::string>{"rows 448 to 2047 hold all violations; 8 of 64 row groups are affected",
                                             "the errors recur every 512 rows"}
                  : std::vector<std::string>{"2 elements are NaN where a number is due",
                                             "the places of the violations follow no tile"};
  outcome.derivation = sample_derivation(kind == 0 ? 14336 : 4096);
  Table table{
      "worst elements", {"row", "column", "actual", "expected", "accepted from", "accepted to", "error / allowed"}, {}};
  for (int i = 0; i < 8; ++i)
    table.rows.push_back({std::to_string(17 + 29 * i), std::to_string(704 + i), number_text(1.25 - 0.118 * i, 9),
                          number_text(1.53125 - 0.1172 * i, 9), number_text(1.5273437 - 0.1172 * i, 9),
                          number_text(1.5351562 - 0.1172 * i, 9), number_text(worst / (1 + 0.3 * i), 6)});
  outcome.tables.push_back(table);
  outcome.heat_maps.push_back(map);
  Series distribution{std::string("distribution of error / allowed"), "error / allowed", "elements", {}};
  for (int bin = -16; bin <= 12; ++bin) {
    const double end = std::pow(2.0, 0.5 * bin);
    double count = std::floor(60000 * std::exp(-0.08 * (bin + 6) * (bin + 6)));
    if (end > 1)
      count = std::floor(count * 0.001 + (kind == 0 ? 400.0 : 30.0) * std::exp(-0.2 * (bin - 9) * (bin - 9)));
    distribution.points.emplace_back(end, count);
  }
  if (kind == 2) distribution.points.emplace_back(std::numeric_limits<double>::infinity(), 2);
  outcome.series.push_back(distribution);
  return outcome;
}

/// `cases` passes, quick passes, undecided and unsupported ones over several backends and formats, and among them three
/// kinds of failure, a crash, a time limit, memory, an exit, and a flaky case.
inline Run rich_run(std::size_t cases) {
  Run run = sample_run();
  run.title = "Default suite, nightly";
  run.command = "assay run --suite default --isolate --retries 3 --seed 1 --out nightly";
  run.seed = 1;
  run.outcomes.clear();
  run.duration_seconds = 108.4;
  SampleNumbers numbers(5);
  const char* const backends[] = {"eigen", "host", "onednn", "openblas"};
  const char* const formats[] = {"bf16.f32.bf16", "f16.f16.f16", "f32.f32.f32", "f64.f64.f64"};
  const char* const data[] = {"constant", "integers", "normal", "sparse", "swamping", "uniform"};
  for (std::size_t i = 0; i < cases; ++i) {
    const std::string backend = backends[i % 4], format = formats[i / 4 % 4], fill = data[i / 16 % 6];
    const std::size_t k = 16 + i / 96 * 7;
    const std::string shape = "m" + std::to_string(32 + i % 5 * 16) + "-n48-k" + std::to_string(k) + "-nn-row";
    const bool unsupported = backend == "openblas" && format != "f32.f32.f32" && format != "f64.f64.f64";
    const bool undecided = format == "f16.f16.f16" && fill == "swamping" && k > 120;
    Outcome outcome = sample_outcome("gemm/" + backend + "/" + format + "/" + shape + "/" + fill,
                                     unsupported ? Verdict::unsupported
                                     : undecided ? Verdict::inconclusive
                                                 : Verdict::pass,
                                     backend, format);
    outcome.labels["shape"] = shape;
    outcome.labels["data"] = fill;
    outcome.duration_seconds = unsupported ? 0 : 0.001 * std::exp(3 * numbers.next());
    outcome.derivation = sample_derivation(static_cast<int>(k));
    if (unsupported) {
      outcome.reason = "OpenBLAS has no GEMM in " + format;
    } else if (undecided) {
      outcome.reason = "undecided: no element can be refuted, because a sum of " + std::to_string(k) +
                       " terms in f16 may be wrong altogether, so that no bound holds";
    } else {
      const double spread = numbers.next() + numbers.next() + numbers.next();
      measure_sample(outcome,
                     fill == "integers"
                         ? 0
                         : (0.08 + 0.03 * static_cast<double>(i % 16)) * spread * spread / 9 * (1 + numbers.next()),
                     2304, 0, numbers);
      if (backend == "host" && i % 3 == 0) outcome.labels["check"] = i % 2 == 0 ? "residual" : "sampled";
    }
    run.outcomes.push_back(outcome);
  }
  const auto put = [&](std::size_t tenth, const Outcome& outcome) {
    run.outcomes.insert(run.outcomes.begin() + static_cast<std::ptrdiff_t>(run.outcomes.size() * tenth / 10), outcome);
  };
  put(2, rich_failure("onednn", "bf16.f32.bf16", 0, 0));
  put(4, rich_failure("eigen", "f16.f16.f16", 1, 0));
  put(7, rich_failure("onednn", "f32.f32.f32", 2, 0));
  Outcome flaky = rich_failure("host", "f32.f32.f32", 0, 4);
  flaky.measure("attempts", 4, "runs");
  flaky.measure("failure_rate", 0.25);
  flaky.reason += "; failed 1 of 4 attempts";
  put(8, flaky);
  const auto stopped = [&](const char* shape, const char* ended, const char* reason,
                           const std::vector<std::string>& output) {
    Outcome outcome = sample_outcome(std::string("gemm/onednn/f32.f32.f32/") + shape + "/normal", Verdict::error,
                                     "onednn", "f32.f32.f32");
    outcome.labels["ended"] = ended;
    outcome.reason = reason;
    outcome.duration_seconds = 2.5;
    outcome.diagnosis = {output.empty() ? "it had printed nothing" : "the last that it printed: " + output.back()};
    if (!output.empty()) outcome.tables.push_back({"last output", {"standard output and error"}, {}});
    for (const std::string& line : output) outcome.tables[0].rows.push_back({line});
    put(5, outcome);
  };
  stopped("m64-n64-k37-tt-row", "signal 11", "the case crashed: signal 11 (segmentation fault)",
          {"jit: emitting avx512_core_bf16 kernel", "jit: tail of 37 columns", "Address 0x7f3a5c00 is not mapped"});
  stopped("m4096-n4096-k8-nn-row", "timeout", "the case did not end within 30 s", {"waiting for 16 threads"});
  stopped("m9-n9-k0-nn-row", "exit 0", "the process of the case exited with 0 before the case was done", {});
  stopped("m65536-n65536-k4-nn-row", "memory", "the case asked for more memory than its limit of 4 GiB",
          {"terminate called after throwing an instance of 'std::bad_alloc'"});
  run.planned_cases = run.outcomes.size() + 12;
  return run;
}

}  // namespace assay::testing
