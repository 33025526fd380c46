#include "assay/performance/import_results.hpp"
#include "fuzz/fuzz.hpp"

namespace {

using namespace assay;

/// What is imported can be kept, and a refusal says why.
void kept(const Result<Imported>& imported) {
  if (!imported) return fuzz::promise_message(imported.error().message);
  for (const HistoryRun& run : imported.value().runs) fuzz::promise(!run.points.empty(), "runs measured something");
}

/// Every reader over the same bytes, whatever their form.
void import_any(std::string_view text) {
  const auto decoded = detail::utf8_text(std::string(text));
  if (!decoded) return fuzz::promise_message(decoded.error().message);
  text = decoded.value();
  static_cast<void>(results_format(text));
  ImportOptions options;
  options.directions["value"] = Direction::lower_is_better;
  kept(import_csv(text, {}, options));
  kept(import_google_benchmark_csv(text));
  kept(import_go_benchmark(text));
  kept(import_nccl_tests(text));
  kept(import_loadgen(text));
  kept(import_catch2(text));
  kept(import_google_benchmark(text));
  kept(import_pytest_benchmark(text));
  kept(import_nvbench(text));
  kept(import_hyperfine(text));
  kept(import_jmh(text));
  kept(import_criterion(text, {}, "/nonexistent"));
  kept(import_cargo_criterion(text));
  kept(import_nccl_tests_json(text));
  kept(import_vllm_bench(text));
  kept(import_aiperf(text));
}

const fuzz::Registration registration_of_import("import", import_any);

}  // namespace
