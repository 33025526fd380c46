#pragma once

#include <string_view>

namespace assay::inline v0 {

/// The policy to start from, as text with comments: the seeds of a checklist for hardware, kernels, frameworks, models,
/// distributed work and the release itself. `default_policy.json` beside this header is the same text, and is
/// installed.
inline constexpr std::string_view default_policy =
    R"policy(// What a release of an accelerator's software needs, to start from: copy it, strike what you do not promise, add what you do.
// assay gate --print-default-policy prints it; include/assay/release/README.md explains every member.
// A gate that sees no results is not green: strike what you do not test, rather than let it stand unanswered.
{
  "schema": "assay-policy/1",
  "title": "default policy",

  // What is neither right nor wrong is never a pass; here stands what it is instead: "ignored", "undecided" or "bad".
  "treat": { "error": "bad", "skipped": "undecided", "unsupported": "ignored", "inconclusive": "undecided", "new_baseline": "undecided" },

  "gates": [
    // --- hardware: the machines that vouch for everything below
    {
      "name": "hardware/health", "group": "hardware", "level": "hard",
      "why": "results of a machine that is not well say nothing about the software",
      "select": { "ids": ["hardware/*"] },
      "require": "no fail",
      "remedy": "take the machine out of the fleet, and repeat its tests on another"
    },
    {
      "name": "hardware/uncorrectable ECC", "group": "hardware", "level": "hard",
      "why": "an uncorrectable memory error makes every result of that device void",
      "require": "each(uncorrectable_ecc_errors) == 0",
      "remedy": "replace or retire the memory, reset the counters, and repeat the tests of that device"
    },
    {
      "name": "hardware/throttling", "group": "hardware", "level": "soft",
      "why": "times taken while clocks were held down are no baseline",
      "require": "max(throttled_percent) <= 1",
      "remedy": "look at power limit, temperature and clocks, and measure again"
    },

    // --- kernels: every element of every operation that the backends offer
    {
      "name": "kernels/correctness", "group": "kernels", "level": "hard",
      "why": "one refuted kernel is a wrong answer for somebody",
      "select": { "labels": { "operation": "*", "backend": "*", "formats": "*" } },
      "require": "no fail",
      "remedy": "run the case alone with the command given, read its diagnosis, and shrink it with assay minimize"
    },
    {
      "name": "kernels/margin", "group": "kernels", "level": "soft",
      "why": "an error near its bound becomes a failure with other data",
      "select": { "labels": { "operation": "*", "backend": "*", "formats": "*" } },
      "require": "max(worst_error_ratio) <= 0.95",
      "treat": { "unmeasured": "ignored", "inconclusive": "ignored", "skipped": "ignored", "new_baseline": "ignored" },
      "remedy": "compare with the last release: assay profile --compare tells what changed in the arithmetic"
    },

    // --- frameworks: the same through what people call
    {
      "name": "frameworks/correctness", "group": "frameworks", "level": "hard",
      "why": "users call the kernels through a framework",
      "select": { "ids": ["framework/*"] },
      "require": "no fail",
      "remedy": "find the first stage that differs, and test its kernel alone"
    },

    // --- models: what comes out at the end
    {
      "name": "models/correctness", "group": "models", "level": "hard",
      "why": "a model must answer as its reference does",
      "select": { "ids": ["model/*"] },
      "require": "no fail",
      "remedy": "compare stage by stage with the reference, the earliest difference first"
    },
    {
      "name": "models/perplexity", "group": "models", "level": "hard",
      "why": "quality must not drift with a driver or a compiler",
      "require": "each(|perplexity - perplexity_baseline|) <= 0.5",
      "remedy": "repeat with the last release's software on the same machine; if it differs, bisect"
    },

    // --- distributed: many devices together
    {
      "name": "distributed/correctness", "group": "distributed", "level": "hard",
      "why": "a wrong reduction spoils a training without a word",
      "select": { "ids": ["collective/*", "collectives/*", "distributed/*", "*/in_process*/*", "*/mpi*/*", "*/gloo*/*", "*/nccl*/*", "*/rccl*/*"] },
      "require": "no fail",
      "remedy": "name the rank and the link that differ, and repeat without them"
    },

    // --- release: against the one before
    {
      "name": "release/performance", "group": "release", "level": "hard",
      "why": "a release must not be slower than what users have",
      "require": "max(regression_percent) <= 3",
      "unit": "%",
      "remedy": "measure again to be sure; then bisect between the two releases"
    }
  ],

  // Known issues that may go out: { "ids": ["gemm/*/m1-n1-*"], "gates": ["kernels/*"], "owner": "…", "reason": "… (ticket)", "expires": "2026-03-31" }
  "waivers": [],

  // Tests measured to be flaky (run with --retries): { "ids": ["…"], "owner": "…", "reason": "…", "expires": "…", "maximum_failure_rate": 0.5 }
  "quarantine": []
}
)policy";

}  // namespace assay::inline v0
