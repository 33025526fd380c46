#pragma once

#include <string>
#include <utility>
#include <vector>

#include "assay/release/certification.hpp"
#include "assay/release/compatibility_report.hpp"
#include "assay/release/expand_matrix.hpp"
#include "release/sample_matrix.hpp"

namespace assay::testing {

/// A run of some outcomes by their verdicts, t0, t1, …
inline Run certifying_run(const std::vector<Verdict>& verdicts, const std::string& host = "lab1") {
  Run run;
  run.title = "nightly";
  run.environment.host_name = host;
  run.environment.processor = "CPU";
  run.environment.devices = {"H100"};
  run.environment.libraries = {{"oneDNN", "3.1"}};
  run.environment.started_at = "2026-01-02T03:04:05Z";
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    run.outcomes.emplace_back();
    run.outcomes.back().id = "t" + std::to_string(i);
    run.outcomes.back().verdict = verdicts[i];
  }
  run.planned_cases = verdicts.size();
  return run;
}

inline NamedCombination combination(const std::string& driver, const std::string& cuda, const std::string& framework) {
  return {{"driver", driver}, {"cuda", cuda}, {"framework", framework}};
}

/// Of the 11 combinations of the sample: 2 certified, 1 failed, 1 undecided, 1 on which two machines disagree, 6 holes;
/// and two runs of what was not promised.
inline CompatibilityReport sample_report() {
  const VersionMatrix matrix = sample_matrix();
  std::vector<Certification> certifications{
      certify(certifying_run({Verdict::pass, Verdict::pass}), combination("580.1", "13.0", "pytorch"), "ada", "a.json"),
      certify(certifying_run({Verdict::pass, Verdict::pass, Verdict::unsupported}, "lab2"),
              combination("580.1", "13.0", "pytorch"), "bob", "b.json"),
      certify(certifying_run({Verdict::pass}), combination("580.1", "12.6", "jax"), "", "c.json"),
      certify(certifying_run({Verdict::pass, Verdict::fail}), combination("550.54", "12.6", "jax"), "ada", "d|.json"),
      certify(certifying_run({Verdict::unsupported}), combination("550.54", "12.6", "pytorch"), "ada", "e.json"),
      certify(certifying_run({Verdict::pass, Verdict::pass}), combination("550.54", "11.8", "pytorch"), "ada",
              "f.json"),
      certify(certifying_run({Verdict::pass, Verdict::fail}, "lab2"), combination("550.54", "11.8", "pytorch"), "bob",
              "g.json"),
      certify(certifying_run({Verdict::pass}), combination("550.54", "13.0", "pytorch"), "ada", "h.json"),
      certify(certifying_run({Verdict::pass}), {{"driver", "550.54"}, {"cuda", "12.7"}, {"framework", "jax"}}, "ada",
              "i.json")};
  return compatibility_report(matrix, expand(matrix).value().combinations, std::move(certifications));
}

}  // namespace assay::testing
