#pragma once

#include <array>
#include <string_view>

namespace assay::inline v0 {

/// A plan that is ready to use, and to copy from.
struct ReadyPlan {
  std::string_view name;     ///< what `--plan` takes
  std::string_view purpose;  ///< one line for people
  std::string_view text;     ///< in the form assay-plan/1
};

/// All of them, shortest first.
inline constexpr std::array ready_plans{
    ReadyPlan{"smoke", "five minutes: is anything badly wrong on this machine?", R"plan({
  "schema": "assay-plan/1", "title": "smoke", "minutes": 5,
  "rows": ["stages/*", "hardware/memory", "kernels/GEMM", "kernels/softmax", "kernels/norms",
           "distributed/collectives"],
  "stages": [
    { "name": "memory", "minutes": 2, "answers": ["hardware/memory"],
      "command": ["assay", "hardware", "memory", "--bytes", "64M", "--seconds", "30", "--report", "{report}"] },
    { "name": "kernels", "minutes": 3, "answers": ["kernels/GEMM", "kernels/softmax", "kernels/norms"],
      "command": ["assay", "run", "--backend", "host", "--op", "gemm,softmax,layernorm,rmsnorm", "--isolate",
                  "--out", "{out}"] },
    { "name": "collectives", "minutes": 2, "answers": ["distributed/collectives"],
      "command": ["assay", "collectives", "verify", "--runtime", "in_process", "--report", "{report}"] }
  ]
})plan"},
    ReadyPlan{"node-acceptance", "an hour: may this node join the fleet?", R"plan({
  "schema": "assay-plan/1", "title": "node acceptance", "minutes": 60,
  "rows": ["stages/*", "hardware/*", "kernels/all", "distributed/collectives"],
  "stages": [
    { "name": "hardware", "minutes": 30, "answers": ["hardware/*"],
      "command": ["assay", "hardware", "check", "--level", "2", "--report", "{report}"] },
    { "name": "soak", "minutes": 15, "answers": ["hardware/soak", "hardware/ECC"],
      "command": ["assay", "hardware", "soak", "--seconds", "600", "--report", "{report}"] },
    { "name": "kernels", "minutes": 20, "answers": ["kernels/*"],
      "command": ["assay", "run", "--isolate", "--out", "{out}"] },
    { "name": "collectives", "minutes": 10, "answers": ["distributed/collectives"],
      "command": ["assay", "collectives", "verify", "--runtime", "in_process", "--report", "{report}"] }
  ]
})plan"},
    ReadyPlan{"nightly", "a night: all kernels, large ones too, and a soak", R"plan({
  "schema": "assay-plan/1", "title": "nightly", "minutes": 600,
  "rows": ["stages/*", "hardware/*", "kernels/*", "distributed/collectives"],
  "stages": [
    { "name": "kernels", "minutes": 240, "answers": ["kernels/*"],
      "command": ["assay", "run", "--suite", "large", "--isolate", "--shard", "{shard}", "--out", "{out}"] },
    { "name": "collectives", "minutes": 30, "answers": ["distributed/collectives"],
      "command": ["assay", "collectives", "verify", "--runtime", "in_process", "--report", "{report}"] },
    { "name": "hardware", "minutes": 90, "everywhere": true, "answers": ["hardware/*"],
      "command": ["assay", "hardware", "check", "--level", "3", "--report", "{report}"] },
    { "name": "soak", "minutes": 240, "everywhere": true, "answers": ["hardware/soak", "hardware/ECC"],
      "command": ["assay", "hardware", "soak", "--seconds", "12600", "--report", "{report}"] }
  ]
})plan"},
    ReadyPlan{"driver-release",
              "the whole checklist but models and servers; files beside the plan: golden/, perf.jsonl", R"plan({
  "schema": "assay-plan/1", "title": "driver release", "minutes": 1800,
  "rows": ["stages/*", "hardware/*", "kernels/*", "frameworks/operators", "distributed/collectives", "release/*"],
  "stages": [
    { "name": "hardware", "minutes": 90, "everywhere": true, "answers": ["hardware/*"],
      "command": ["assay", "hardware", "check", "--level", "3", "--report", "{report}"] },
    { "name": "kernels", "minutes": 240, "answers": ["kernels/*"],
      "command": ["assay", "run", "--suite", "large", "--isolate", "--shard", "{shard}", "--out", "{out}"] },
    { "name": "operators", "minutes": 15, "answers": ["frameworks/operators"],
      "command": ["assay", "frameworks", "onnx", "--critical", "default", "--report", "{report}"] },
    { "name": "baselines", "minutes": 30, "answers": ["release/baselines"],
      "command": ["assay", "baseline", "compare", "--store", "golden", "--out", "{out}"] },
    { "name": "performance", "minutes": 10, "answers": ["release/performance"],
      "command": ["assay", "history", "scan", "perf.jsonl", "--out", "{out}"] },
    { "name": "collectives", "minutes": 30, "answers": ["distributed/collectives"],
      "command": ["assay", "collectives", "verify", "--runtime", "mpi", "--report", "{report}"] },
    { "name": "soak", "minutes": 1380, "everywhere": true, "answers": ["hardware/soak", "hardware/ECC"],
      "command": ["assay", "hardware", "soak", "--seconds", "82800", "--report", "{report}"] }
  ]
})plan"},
    ReadyPlan{"model-release", "a model behind a server; files beside the plan: logits.npy, labels.npy, fp32.npy",
              R"plan({
  "schema": "assay-plan/1", "title": "model release", "minutes": 120,
  "rows": ["stages/*", "models/accuracy", "serving/*", "release/notes"],
  "stages": [
    { "name": "accuracy", "minutes": 30, "answers": ["models/accuracy"],
      "command": ["assay", "accuracy", "top1", "--predictions", "logits.npy", "--references", "labels.npy",
                  "--against", "fp32.npy", "--within", "0.005", "--out", "{out}"] },
    { "name": "answers", "minutes": 30, "answers": ["serving/answers"],
      "command": ["assay", "serve-check", "http://127.0.0.1:8000", "--out", "{out}"] },
    { "name": "load", "minutes": 60, "answers": ["serving/service level"],
      "command": ["assay", "serve-bench", "http://127.0.0.1:8000", "--users", "1,4,16", "--seconds", "60",
                  "--out", "{out}"] }
  ]
})plan"}};

}  // namespace assay::inline v0
