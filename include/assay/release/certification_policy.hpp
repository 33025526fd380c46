#pragma once

#include <string_view>

namespace assay::inline v0 {

/// The checklist of a release, a gate a row, as text with comments: what `assay certify` judges by unless a plan names a
/// policy of its own. What a machine cannot answer is not seen, and a row that saw nothing is not green: a plan's "rows"
/// say which count.
inline constexpr std::string_view certification_policy =
    R"policy(// The checklist of a release. assay certify --print-policy prints it; copy it, strike what you do not promise.
{
  "schema": "assay-policy/1",
  "title": "release checklist",
  "treat": { "error": "bad", "skipped": "undecided", "unsupported": "ignored", "inconclusive": "undecided", "new_baseline": "undecided" },
  "gates": [
    { "name": "stages/complete", "group": "stages", "level": "hard", "why": "a stage that did not end is no evidence",
      "select": { "ids": ["certify/*"] }, "require": "no fail", "remedy": "read log.txt in the stage's folder, and repeat the command" },

    { "name": "hardware/memory", "group": "hardware", "level": "hard", "why": "a bit that flips spoils everything above",
      "select": { "ids": ["hardware/memory/*"] }, "require": "no fail", "remedy": "replace the module at the address that is named" },
    { "name": "hardware/stress", "group": "hardware", "level": "hard", "why": "a core that errs under load errs in production",
      "select": { "ids": ["hardware/stress/*"] }, "require": "no fail", "remedy": "take the machine out, and repeat on the core that is named" },
    { "name": "hardware/bandwidth", "group": "hardware", "level": "hard", "why": "bytes arrive whole, at the rate of the data sheet",
      "select": { "ids": ["hardware/bandwidth/*"] }, "require": "no fail", "remedy": "look at link width and speed, NUMA placement, and the machine's history" },
    { "name": "hardware/power", "group": "hardware", "level": "hard", "why": "sustained power within 5 % of its limit",
      "select": { "ids": ["power/*"] }, "require": "no fail", "remedy": "look at limits, supply and cooling" },
    { "name": "hardware/heat and throttling", "group": "hardware", "level": "hard", "why": "clocks that are held down are no baseline",
      "select": { "ids": ["thermal/*"] }, "require": "no fail", "remedy": "look at cooling, power limit and the reason that is named" },
    { "name": "hardware/soak", "group": "hardware", "level": "hard", "why": "hours under load without an error",
      "select": { "ids": ["hardware/soak/*"] }, "require": "no fail", "remedy": "the first deviation is named: repeat its step alone" },
    { "name": "hardware/ECC", "group": "hardware", "level": "hard", "why": "an uncorrectable memory error voids every result",
      "require": "each(uncorrectable_ecc_errors) == 0", "remedy": "replace or retire the memory, and repeat" },
    { "name": "hardware/kernel log", "group": "hardware", "level": "hard", "why": "no new XID, RAS or machine check events",
      "select": { "ids": ["hardware/kernel_log"] }, "require": "no fail", "remedy": "look the event up by the number that is named" },

    { "name": "kernels/GEMM", "group": "kernels", "level": "hard", "why": "matrix products carry every model",
      "select": { "labels": { "operation": ["gemm", "int8_gemm", "scaled_gemm", "grouped_gemm", "fused_gemm", "weight_only_gemm", "linear"], "backend": "*" } },
      "require": "no fail", "remedy": "run the case alone with the command given, and read its diagnosis" },
    { "name": "kernels/convolution", "group": "kernels", "level": "hard", "why": "vision models",
      "select": { "labels": { "operation": ["*convolution*", "im2col", "*pooling*"], "backend": "*" } },
      "require": "no fail", "remedy": "run the case alone with the command given, and read its diagnosis" },
    { "name": "kernels/attention", "group": "kernels", "level": "hard", "why": "language models",
      "select": { "labels": { "operation": ["attention*"], "backend": "*" } },
      "require": "no fail", "remedy": "run the case alone with the command given, and read its diagnosis" },
    { "name": "kernels/softmax", "group": "kernels", "level": "hard", "why": "attention, routing, losses",
      "select": { "labels": { "operation": ["*softmax*", "cross_entropy*"], "backend": "*" } },
      "require": "no fail", "remedy": "run the case alone with the command given, and read its diagnosis" },
    { "name": "kernels/norms", "group": "kernels", "level": "hard", "why": "every block of every model",
      "select": { "labels": { "operation": ["*norm*", "l2_normalize*"], "backend": "*" } },
      "require": "no fail", "remedy": "run the case alone with the command given, and read its diagnosis" },
    { "name": "kernels/all", "group": "kernels", "level": "hard", "why": "one refuted kernel is a wrong answer for somebody",
      "select": { "labels": { "operation": "*", "backend": "*", "formats": "*" },
                  "exclude": ["hardware/*", "*/in_process*/*", "*/mpi*/*", "*/gloo*/*", "*/nccl*/*", "*/rccl*/*"] }, "require": "no fail",
      "remedy": "run the case alone with the command given, and shrink it with assay minimize" },

    { "name": "frameworks/operators", "group": "frameworks", "level": "hard", "why": "users call kernels through a framework",
      "select": { "ids": ["framework*/*", "onnx/*"] }, "require": "pass_rate > 99 %", "remedy": "test the operator's kernel alone" },

    { "name": "models/perplexity", "group": "models", "level": "hard", "why": "quality must not drift with a driver or a compiler",
      "require": "each(|perplexity - perplexity_baseline|) <= 0.5", "remedy": "repeat with the last release; if it differs, bisect" },
    { "name": "models/accuracy", "group": "models", "level": "hard", "why": "a model answers as its reference does",
      "select": { "ids": ["model/*"] }, "require": "no fail", "remedy": "assay pipeline bisect tells the stage" },
    { "name": "models/pipelines", "group": "models", "level": "hard", "why": "from data to answer, stage by stage",
      "select": { "ids": ["pipeline/*"] }, "require": "no fail", "remedy": "the first stage that differs is named" },
    { "name": "serving/answers", "group": "serving", "level": "hard", "why": "batching and caches change nothing but the time",
      "select": { "ids": ["serving/check/*"] }, "require": "no fail", "remedy": "switch features off one by one" },
    { "name": "serving/service level", "group": "serving", "level": "hard", "why": "what users were promised",
      "select": { "ids": ["serving/*"], "exclude": ["serving/check/*"] }, "require": "no fail", "remedy": "look at the load steps" },

    { "name": "distributed/collectives", "group": "distributed", "level": "hard", "why": "a wrong reduction spoils a training without a word",
      "select": { "ids": ["*/in_process*/*", "*/mpi*/*", "*/gloo*/*", "*/nccl*/*", "*/rccl*/*", "collectives/*", "distributed/*"] }, "require": "no fail", "remedy": "repeat without the rank that is named" },
    { "name": "training/convergence", "group": "distributed", "level": "hard", "why": "the same loss as on the reference",
      "select": { "ids": ["training/*"] }, "require": "no fail", "remedy": "the first step that leaves the bound is named" },

    { "name": "release/performance", "group": "release", "level": "hard", "why": "not slower than what users have",
      "require": "max(regression_percent) <= 5", "unit": "%", "remedy": "measure again to be sure; then bisect" },
    { "name": "release/baselines", "group": "release", "level": "hard", "why": "outputs as they were approved",
      "select": { "ids": ["baseline/*"] }, "require": "no fail", "remedy": "approve what is meant to differ: assay baseline approve" },
    { "name": "release/notes", "group": "release", "level": "hard", "why": "a person has read them",
      "select": { "ids": ["attested/notes"] }, "require": "no fail", "remedy": "assay certify … --by NAME --attest notes" }
  ],
  "waivers": [],
  "quarantine": []
}
)policy";

}  // namespace assay::inline v0
