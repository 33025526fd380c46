#include "frameworks_checks.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

#include "assay/core/detect_environment.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/run.hpp"
#include "assay/core/table.hpp"
#include "assay/frameworks/calibration/check_calibration.hpp"
#include "assay/frameworks/cases/opset_agreement.hpp"
#include "assay/frameworks/door/mode_name.hpp"
#include "assay/frameworks/fusions/check_fusion.hpp"
#include "assay/frameworks/onnx/read_onnx.hpp"
#include "assay/io/npz.hpp"
#include "assay/report/text.hpp"
#include "assay/report/write_file.hpp"
#include "assay/suite/glob.hpp"
#include "fault.hpp"
#include "generated_cases.hpp"
#include "printed_table.hpp"
#include "report_format.hpp"

namespace assay_program {

namespace {

using Clock = std::chrono::steady_clock;

assay::RunProgram runner(assay::DoorWorker& worker) {
  return [&worker](const assay::GraphProgram& program, const std::vector<assay::GraphTensor>& inputs) {
    return worker.run(program, inputs);
  };
}

bool is_asked_for(const FrameworksOptions& options, const std::string& name) {
  return options.only.empty() || std::any_of(options.only.begin(), options.only.end(),
                                             [&](const std::string& glob) { return assay::glob_matches(glob, name); });
}

int end_with(const FrameworksOptions& options, std::vector<assay::Outcome> outcomes, const std::string& title,
             Clock::time_point start) {
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return tell_framework_outcomes(options, std::move(outcomes), title, seconds);
}

std::string measured(const assay::Outcome& outcome, const char* name) {
  const auto value = outcome.measurement(name);
  return !value ? "" : *value >= 1e300 ? "∞" : assay::number_text(*value, 3);
}

/// What npz files recorded: an array is a tensor. All files together are one batch, as onnxruntime.quantization takes
/// them, unless batches are asked for.
assay::Result<assay::RecordedActivations> recorded_activations(const std::vector<std::string>& files, bool batches) {
  assay::RecordedActivations recorded;
  for (const std::string& file : files) {
    const auto arrays = assay::read_npz(file);
    if (!arrays) return arrays.propagate();
    for (const auto& [name, array] : arrays.value()) {
      auto values = array.values<float>();
      if (!values)
        return assay::failure(values.error().kind, file + ", array '" + name + "': " + values.error().message);
      auto& own = recorded[name];
      if (batches || own.empty()) own.emplace_back();
      own.back().insert(own.back().end(), values.value().begin(), values.value().end());
    }
  }
  return recorded;
}

}  // namespace

int tell_framework_outcomes(const FrameworksOptions& options, std::vector<assay::Outcome> outcomes,
                            const std::string& title, double seconds) {
  constexpr assay::Verdict shown[] = {assay::Verdict::pass, assay::Verdict::fail, assay::Verdict::error,
                                      assay::Verdict::unsupported, assay::Verdict::inconclusive};
  std::map<assay::Verdict, int> counts;
  for (const assay::Outcome& outcome : outcomes) {
    ++counts[outcome.verdict];
    if (outcome.verdict == assay::Verdict::pass || outcome.verdict == assay::Verdict::inconclusive) continue;
    if (outcome.verdict == assay::Verdict::unsupported && outcomes.size() > 100) continue;
    std::printf("%-5s %s\n      %s\n", std::string(name_of(outcome.verdict)).c_str(),
                assay::visible(outcome.id).c_str(), assay::clipped(assay::visible(outcome.reason), 300).c_str());
    for (const std::string& line : outcome.diagnosis)
      std::printf("      %s\n", assay::clipped(assay::visible(line), 300).c_str());
  }
  std::printf("%zu cases in %s s:", outcomes.size(), assay::number_text(seconds, 3).c_str());
  for (const assay::Verdict verdict : shown)
    std::printf(" %d %s%s", counts[verdict], std::string(name_of(verdict)).c_str(),
                verdict == assay::Verdict::inconclusive ? "\n" : ",");
  if (!options.report.empty()) {
    if (const auto written =
            write_framework_report(options.report, std::move(outcomes), title, options.action, seconds);
        !written)
      return fault(written.error().message);
    std::printf("report: %s\n", options.report.c_str());
  }
  if (counts[assay::Verdict::fail] + counts[assay::Verdict::error] > 0) return 1;
  return counts[assay::Verdict::pass] > 0 ? 0 : 2;
}

assay::Result<void> write_framework_report(const std::string& path, std::vector<assay::Outcome> outcomes,
                                           const std::string& title, const std::string& action, double seconds) {
  assay::Run run;
  run.title = title;
  run.command = "assay frameworks " + action;
  run.environment = assay::detect_environment();
  run.planned_cases = outcomes.size();
  run.outcomes = std::move(outcomes);
  run.duration_seconds = seconds;
  const auto formats = report_formats_named({"json"});
  return formats.value().front()->write(run, path);
}

int check_fusions(const FrameworksOptions& options, const assay::ExecutionMode& mode, assay::DoorWorker& worker) {
  const std::string backend = assay::mode_name(mode);
  const auto start = Clock::now();
  std::vector<assay::Outcome> outcomes;
  assay::Table table;
  table.columns = {"pattern", "verdict", "together", "node by node", "elements that differ"};
  for (const assay::FusionGraph& own : assay::fusion_graphs()) {
    if (!is_asked_for(options, own.name)) continue;
    outcomes.push_back(assay::check_fusion(own, backend, mode, runner(worker)));
    const assay::Outcome& outcome = outcomes.back();
    table.rows.push_back({own.name, std::string(name_of(outcome.verdict)), measured(outcome, "fused_error_ratio"),
                          measured(outcome, "unfused_error_ratio"), measured(outcome, "elements_that_differ")});
  }
  if (outcomes.empty()) return fault("--only leaves no pattern");
  std::printf("%s: worst error / allowed error of graphs compiled together and node by node\n", backend.c_str());
  print_table(table);
  return end_with(options, std::move(outcomes), "fusions, " + backend, start);
}

int check_opsets(const FrameworksOptions& options, const assay::ExecutionMode& mode, assay::DoorWorker& worker) {
  const auto folder = folder_of_cases(options.cases);
  if (!folder) return fault(folder.error().message);
  const auto cases = assay::find_onnx_cases(folder.value());
  if (!cases) return fault(cases.error().message);
  const std::string backend = assay::mode_name(mode);
  const auto start = Clock::now();
  std::vector<assay::Outcome> outcomes;
  std::map<std::string, std::map<std::string, int>> documented;
  for (const std::string& path : cases.value()) {
    if (!is_asked_for(options, std::filesystem::path(path).filename().string())) continue;
    const auto own = assay::read_onnx_case(path);
    if (!own || own.value().read.graph.nodes.size() != 1) continue;
    outcomes.push_back(assay::compare_opsets(own.value(), backend, mode, runner(worker)));
    for (const std::string& line : outcomes.back().diagnosis) ++documented[outcomes.back().label("operation")][line];
  }
  if (outcomes.empty()) return fault("--only leaves no case of one node in " + folder.value());
  for (const auto& [operation, changes] : documented)
    for (const auto& [change, count] : changes)
      std::printf("%s, %d cases, %s\n", operation.c_str(), count, change.c_str());
  return end_with(options, std::move(outcomes), "versions of operators, " + backend, start);
}

int check_calibrations(const FrameworksOptions& options) {
  if (options.model.empty() || options.activations.empty())
    return fault("calibration needs --model FILE.onnx, quantized, and --activations FILE.npz");
  const auto method = assay::calibration_method_named(options.method);
  if (!method) return fault(method.error().message);
  if (options.bins < 2 || options.quantized_levels < 2 || !(options.percentile > 0 && options.percentile <= 100))
    return fault("--bins and --levels are 2 or more, --percentile is above 0 and at most 100");
  const auto bytes = assay::read_whole_file(options.model);
  if (!bytes) return fault(bytes.error().message);
  const auto model = assay::read_onnx_model(bytes.value());
  if (!model) return fault(options.model + ": " + model.error().message);
  const auto recorded = recorded_activations(options.activations, options.batches);
  if (!recorded) return fault(recorded.error().message);
  const auto start = Clock::now();
  const assay::CalibrationOptions asked{method.value(), options.symmetric,        options.percentile,
                                        options.bins,   options.quantized_levels, options.symmetric_codes};
  std::vector<assay::Outcome> outcomes = assay::check_calibration(model.value(), recorded.value(), asked);
  if (outcomes.empty()) return fault(options.model + " has no QuantizeLinear of a tensor that is computed");
  assay::Table table;
  table.columns = {"tensor", "codes", "verdict", "error²", "recalibrated", "clipped %"};
  for (const assay::Outcome& outcome : outcomes) {
    const auto clipped = outcome.measurement("clipped_share");
    table.rows.push_back({assay::visible(outcome.label("shape")), outcome.label("formats"),
                          std::string(name_of(outcome.verdict)), measured(outcome, "mean_squared_error"),
                          measured(outcome, "recalibrated_mean_squared_error"),
                          clipped ? assay::number_text(*clipped * 100, 3) : ""});
  }
  print_table(table);
  return end_with(options, std::move(outcomes), "calibration of " + options.model, start);
}

}  // namespace assay_program
