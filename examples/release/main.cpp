// components: json
// What the story of a release needs beside the tool: kernels, right, faulty and slow, and measurements of twelve releases.
//
//   release combinations RESULTS   validates a GEMM on every combination below the folder that has no run yet; under driver 560.35 it drops a product
//   release nights FOLDER          what benchmarks measured on ten nights of each of twelve releases, in the form of Google Benchmark
//   release slower                 measures a kernel that does 3 % more work against the one it was made from
//
// The combinations are simulated: this machine runs all of them, and only the kernel differs. The nights are made up, since real times
// would say something else on every machine: noise of 0.3 %, one metric that drifts by 1 % a release, one that is 3 % slower from 1.8 on.
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "assay/backends/host.hpp"
#include "assay/core/detect_environment.hpp"
#include "assay/diagnosis/diagnose.hpp"
#include "assay/performance/measure.hpp"
#include "assay/performance/regression.hpp"
#include "assay/release/results_folder.hpp"
#include "assay/report/json.hpp"
#include "assay/suite/runner.hpp"
#include "assay/validators/gemm_suite.hpp"

namespace {

using Matrices = assay::Gemm<assay::bfloat16, assay::bfloat16, assay::float32, assay::bfloat16>;

/// A device with a GEMM of its own, which a driver spoils: where K is no multiple of 8 its last product is left out.
struct Accelerator : assay::Host {
  bool drops_product = false;

  std::string_view name() const { return "accelerator"; }

  assay::Result<void> run(Matrices, Stream&, const assay::GemmProblem& problem, const Matrices::Arguments& arguments) {
    const auto& [a, b, c] = arguments;
    const assay::Index products = a.extents[2] - (drops_product && a.extents[2] % 8 != 0 ? 1 : 0);
    for (assay::Index batch = 0; batch < c.extents[0]; ++batch)
      for (assay::Index row = 0; row < c.extents[1]; ++row)
        for (assay::Index column = 0; column < c.extents[2]; ++column) {
          float sum = 0;
          for (assay::Index k = 0; k < products; ++k)
            sum += static_cast<float>(decode(a(batch, row, k))) * static_cast<float>(decode(b(batch, k, column)));
          float result = problem.alpha == 0 ? 0 : static_cast<float>(problem.alpha) * sum;
          if (problem.beta != 0)
            result += static_cast<float>(problem.beta) * static_cast<float>(decode(c(batch, row, column)));
          c(batch, row, column) = assay::bfloat16(result);
        }
    return {};
  }
};

int refuse(const std::string& message) {
  std::fprintf(stderr, "release: %s\n", message.c_str());
  return 2;
}

/// A few problems: K a multiple of the tile, and not.
assay::GemmSuiteOptions small_suite() {
  using enum assay::FillKind;
  assay::GemmSuiteOptions options;
  options.shapes.clear();
  const assay::Index extents[][3] = {{64, 64, 64}, {31, 37, 41}, {48, 32, 131}, {1, 64, 512}, {16, 24, 1000}};
  for (const auto& [m, n, k] : extents) {
    assay::GemmProblem problem;
    problem.m = m;
    problem.n = n;
    problem.k = k;
    options.shapes.push_back({problem, {uniform, normal, exact_integer}});
  }
  return options;
}

int combinations(const std::string& results) {
  const auto folders = assay::read_results_folder(results);
  if (!folders) return refuse(folders.error().message);
  std::size_t done = 0, failed = 0;
  for (const assay::CombinationFolder& folder : folders.value()) {
    if (folder.done()) continue;
    Accelerator accelerator;
    accelerator.drops_product = folder.combination.at("driver") == "560.35";
    assay::Suite suite;
    assay::GemmSuiteOptions cases = small_suite();
    cases.check.diagnosis = {&assay::diagnose, 0.05, false};
    assay::add_gemm_cases<Matrices>(suite, accelerator, cases);
    assay::RunOptions options;
    options.title = "Release 1.11 on " + assay::combination_text(folder.combination);
    options.command = "release combinations " + results;
    options.seed = 1;
    assay::Environment environment = assay::detect_environment();
    environment.devices = {folder.combination.at("device") + " (simulated)"};
    for (const char* axis : {"driver", "toolkit", "framework"})
      environment.libraries.emplace_back(axis, folder.combination.at(axis));
    assay::NullObserver silent;
    const assay::Run run = assay::run_suite(suite, options, environment, silent);
    if (const auto written = assay::write_json(run, folder.path / "report.json"); !written)
      return refuse(written.error().message);
    ++done;
    failed += run.exit_code() == 1 ? 1 : 0;
  }
  std::printf("%zu combinations validated, %zu of them failed\n", done, failed);
  return 0;
}

/// Numbers between −1 and 1 that are the same everywhere, and look like noise.
double noise(std::size_t release, std::size_t night, std::size_t metric, std::size_t repetition) {
  std::uint64_t bits = ((release * 31 + night) * 31 + metric) * 31 + repetition + 1;
  for (int round = 0; round < 3; ++round) bits = (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9u;
  return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
}

int nights(const std::string& folder) {
  struct Benchmark {
    const char* name;
    double milliseconds;
    double drift;  ///< a release
    double step;   ///< from 1.8 on
  };
  const std::vector<Benchmark> benchmarks{{"gemm/bf16/4096", 1.234, 0.01, 0},  {"attention/bf16/4096", 4.1, 0, 0.03},
                                          {"softmax/f32/8192", 0.021, 0, 0},   {"layer_norm/bf16/8192", 0.034, 0, 0},
                                          {"all_reduce/1GiB", 3.46, 0, -0.05}, {"conv/f16/resnet", 0.87, 0, 0}};
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  for (std::size_t release = 0; release < 12; ++release)
    for (std::size_t night = 0; night < 10; ++night) {
      const assay::UtcTime time = *assay::parse_utc_time("2025-03-01T02:17:00Z") +
                                  std::chrono::hours(24 * static_cast<int>(release * 30 + night));
      std::string text = "{\"context\": {\"date\": \"" + assay::utc_time_text(time) + "\", \"version\": \"1." +
                         std::to_string(release) + "\", \"host_name\": \"farm\"},\n\"benchmarks\": [";
      const char* separator = "\n";
      for (std::size_t i = 0; i < benchmarks.size(); ++i)
        for (std::size_t repetition = 0; repetition < 5; ++repetition) {
          const Benchmark& benchmark = benchmarks[i];
          const double level = benchmark.milliseconds * std::pow(1 + benchmark.drift, static_cast<double>(release)) *
                               (release >= 8 ? 1 + benchmark.step : 1);
          const double measured =
              level * (1 + 0.002 * noise(release, night, i, 99) + 0.001 * noise(release, night, i, repetition));
          const std::string value = assay::number_text(measured, 8);
          text += std::string(separator) + "{\"name\": \"" + benchmark.name + "\", \"run_name\": \"" + benchmark.name +
                  "\", \"run_type\": \"iteration\", \"repetitions\": 5, \"repetition_index\": " +
                  std::to_string(repetition) + ", \"threads\": 1, \"iterations\": 100, \"real_time\": " + value +
                  ", \"cpu_time\": " + value + ", \"time_unit\": \"ms\"}";
          separator = ",\n";
        }
      const std::string name = "1." + std::string(release < 10 ? "0" : "") + std::to_string(release) + "-night-" +
                               std::to_string(night) + ".json";
      if (const auto written = assay::write_file(std::filesystem::path(folder) / name, text + "\n]}\n"); !written)
        return refuse(written.error().message);
    }
  std::printf("120 nights written\n");
  return 0;
}

/// Rows of a product, so many times.
void multiply(const std::vector<float>& a, std::vector<float>& c, std::size_t side, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < side; ++k)
      for (std::size_t column = 0; column < side; ++column)
        c[row % side * side + column] += a[row % side * side + k] * a[k * side + column];
}

int slower() {
  constexpr std::size_t side = 100;
  const std::vector<float> a(side * side, 1e-3f);
  std::vector<float> c(side * side);
  const std::vector<assay::Contender> contenders{
      assay::host_contender("gemm", [&] { multiply(a, c, side, side); }),
      assay::host_contender("gemm, 3 % slower", [&] { multiply(a, c, side, side + 3); })};
  assay::MeasureOptions options;
  options.samples = 40;
  options.most_warm_up_seconds = 2;
  const auto measured = assay::measure(contenders, options);
  if (!measured) return refuse(measured.error().message);
  for (const std::string& note : measured.value().notes) std::printf("note: %s\n", note.c_str());
  const auto judged =
      assay::judge_regression(measured.value().contenders[0].metric.samples,
                              measured.value().contenders[1].metric.samples, assay::Direction::lower_is_better);
  std::printf("3 %% more work: %s: %s\n", std::string(name_of(judged.verdict)).c_str(), judged.reason.c_str());
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string command = count > 1 ? arguments[1] : "";
  if (command == "combinations" && count == 3) return combinations(arguments[2]);
  if (command == "nights" && count == 3) return nights(arguments[2]);
  if (command == "slower" && count == 2) return slower();
  return refuse("give combinations RESULTS, nights FOLDER or slower");
}
