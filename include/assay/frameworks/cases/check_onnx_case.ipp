#pragma once

#include "assay/frameworks/cases/check_onnx_case.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/formats/classify.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string onnx_mismatch(const GraphTensor& output, const GraphTensor& expected,
                                                     double relative, double absolute) {
  if (output.type != expected.type || output.extents != expected.extents)
    return "it is " + shape_text(output.type, output.extents) + ", expected is " +
           shape_text(expected.type, expected.extents);
  if (static_cast<std::int64_t>(output.bytes.size()) != output.byte_size())
    return "its data are not as long as its extents say";
  std::int64_t wrong = 0, worst = 0;
  double worst_error = -1;
  const std::int64_t size = expected.size();
  for (std::int64_t i = 0; i < size; ++i) {
    const double y = value_at(output, i), r = value_at(expected, i);
    const bool plain = is_finite(y) && is_finite(r);
    const double error = y < r ? r - y : y - r;
    const bool right = plain ? error <= absolute + relative * (r < 0 ? -r : r) : (is_nan(y) && is_nan(r)) || y == r;
    if (right) continue;
    ++wrong;
    const double rank = plain ? error : 1e308;
    if (rank > worst_error) {
      worst_error = rank;
      worst = i;
    }
  }
  if (wrong == 0) return {};
  return std::to_string(wrong) + " of " + std::to_string(size) + " elements are off, worst at " +
         std::to_string(worst) + ": " + detail::printed_number(value_at(output, worst), 9) + ", expected " +
         detail::printed_number(value_at(expected, worst), 9);
}

ASSAY_DETAIL_HEADER_INLINE Outcome check_onnx_case(const OnnxCase& own, const std::string& backend,
                                                   const ExecutionMode& mode, const RunProgram& run) {
  Outcome outcome;
  const std::string operation = own.operation();
  outcome.id = "onnx/" + backend + "/" + operation + "/" + own.name;
  outcome.labels = {
      {"operation", operation}, {"backend", backend}, {"data", own.name}, {"opset", std::to_string(own.opset())}};
  const bool typed = !own.data.empty() && !own.data[0].inputs.empty();
  outcome.labels["type"] = typed ? std::string(name_of(own.data[0].inputs[0].type)) : "none";
  const auto end = [&](Verdict verdict, std::string reason) {
    outcome.verdict = verdict;
    outcome.reason = std::move(reason);
    return outcome;
  };
  if (!own.not_compared.empty()) return end(Verdict::inconclusive, "not compared: " + own.not_compared);
  const std::string tolerance = "ONNX's own tolerance, relative " + detail::printed_number(own.relative, 4) +
                                ", absolute " + detail::printed_number(own.absolute, 4);
  outcome.derivation.push_back(tolerance);
  bool drawn = false;
  for (const GraphNode& node : own.read.graph.nodes) {
    drawn |= node.operation == "Dropout" && node.inputs.size() > 2;  // which may train
    for (const char* random :
         {"Bernoulli", "RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Multinomial"})
      drawn |= node.operation == random;
  }
  std::size_t compared = 0;
  for (const OnnxCaseData& data : own.data) {
    auto result = run({own.model, mode}, data.inputs);
    if (!result)
      return end(result.error().kind == ErrorKind::unsupported ? Verdict::unsupported : Verdict::error,
                 result.error().message);
    for (const GraphTensor& expected : data.outputs) {
      const auto& outputs = result.value().outputs;
      const auto found = std::find_if(outputs.begin(), outputs.end(),
                                      [&](const GraphTensor& output) { return output.name == expected.name; });
      if (found == outputs.end()) return end(Verdict::fail, "there is no output '" + expected.name + "'");
      const std::string wrong = onnx_mismatch(*found, expected, own.relative, own.absolute);
      if (!wrong.empty() && drawn)
        return end(Verdict::inconclusive, "its output is drawn at random, which nothing fixes");
      if (!wrong.empty())
        return end(Verdict::fail, "output '" + expected.name + "': " + wrong + " (" + tolerance + ")");
      ++compared;
    }
  }
  if (compared == 0) return end(Verdict::inconclusive, "no output is expected, so nothing was compared");
  return end(Verdict::pass, "");
}

}  // namespace assay::inline v0
