#pragma once

#include "assay/frameworks/cases/check_by_bound.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <utility>

#include "assay/backends/host.hpp"
#include "assay/core/config.hpp"
#include "assay/kernels/elementwise/elementwise.hpp"
#include "assay/kernels/reduction/reduction.hpp"
#include "assay/kernels/softmax/softmax.hpp"
#include "assay/validators/check_operation.hpp"

namespace assay::inline v0 {

namespace detail {

[[nodiscard]] inline std::int64_t whole_attribute(const GraphNode& node, const char* name, std::int64_t otherwise) {
  for (const GraphAttribute& attribute : node.attributes)
    if (attribute.name == name) return attribute.integer;
  return otherwise;
}

/// Extents before, at and behind an axis, which may count from the end; nothing where there is no such axis.
[[nodiscard]] inline std::optional<std::array<Index, 3>> around_axis(const GraphTensor& tensor, std::int64_t axis) {
  const auto rank = static_cast<std::int64_t>(tensor.extents.size());
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return std::nullopt;
  std::array<Index, 3> parts{1, tensor.extents[static_cast<std::size_t>(axis)], 1};
  for (std::int64_t d = 0; d < rank; ++d)
    if (d != axis) parts[d < axis ? 0 : 2] *= tensor.extents[static_cast<std::size_t>(d)];
  return parts;
}

/// A case, ready to be checked: inputs by the operation's positions, and where the output goes.
struct BoundInputs {
  const OnnxCase* own;
  const OnnxCaseData* data;
  ElementFormat format;
};

template <class Op>
[[nodiscard]] BoundOnCase check_case_as(const BoundInputs& given, const typename Op::Problem& problem, int output,
                                        const ExecutionMode& mode, const RunProgram& run) {
  OperationData data;
  const auto specs = Op::operands(problem);
  const std::size_t operands = specs ? specs.value().size() : 0;
  data.operands.resize(operands);
  for (std::size_t i = 0; i < given.data->inputs.size() && i < operands; ++i) {
    const GraphTensor& tensor = given.data->inputs[i];
    const auto format = element_format_of(tensor.type);
    if (!format || !specs.value()[i].present || specs.value()[i].role != OperandRole::input) continue;
    std::vector<std::uint64_t> codes;
    for (std::int64_t e = 0; e < tensor.size(); ++e) codes.push_back(code_at(tensor, e));
    data.operands[i] = OperandFill::of_codes(codes);
  }
  const GraphTensor& expected = given.data->outputs.front();
  OperationSubject<Op> subject;
  subject.name = "onnx";
  Host host(1);
  BoundOnCase both;
  subject.run = [&](const typename Op::Problem&, const OperandArray& memory) {
    return unpack_into(memory[output], expected.bytes);
  };
  both.expected = check_operation<Op>(host, subject, problem, data, OperationCheckOptions{}, CaseContext{});
  subject.run = [&](const typename Op::Problem&, const OperandArray& memory) -> Result<void> {
    auto result = run({given.own->model, mode}, given.data->inputs);
    if (!result) return result.propagate();
    const auto& outputs = result.value().outputs;
    if (outputs.size() != 1 || outputs[0].type != expected.type || outputs[0].extents != expected.extents)
      return failure(ErrorKind::device, "the outputs are others than the model declares");
    return unpack_into(memory[output], outputs[0].bytes);
  };
  both.runtime = check_operation<Op>(host, subject, problem, data, OperationCheckOptions{}, CaseContext{});
  return both;
}

/// Functions that ONNX and we define alike.
[[nodiscard]] inline std::optional<ElementwiseFunction> function_of(const GraphNode& node) {
  static const std::map<std::string, ElementwiseFunction> known{
      {"Relu", ElementwiseFunction::relu},    {"Sigmoid", ElementwiseFunction::sigmoid},
      {"Tanh", ElementwiseFunction::tanh},    {"Softplus", ElementwiseFunction::softplus},
      {"Exp", ElementwiseFunction::exp},      {"Log", ElementwiseFunction::log},
      {"Sqrt", ElementwiseFunction::sqrt},    {"Sin", ElementwiseFunction::sin},
      {"Cos", ElementwiseFunction::cos},      {"Erf", ElementwiseFunction::erf},
      {"Add", ElementwiseFunction::add},      {"Sub", ElementwiseFunction::subtract},
      {"Mul", ElementwiseFunction::multiply}, {"Div", ElementwiseFunction::divide}};
  if (node.operation == "Gelu")
    for (const GraphAttribute& attribute : node.attributes)
      if (attribute.name == "approximate" && attribute.text == "tanh") return ElementwiseFunction::gelu_tanh;
  if (node.operation == "Gelu") return ElementwiseFunction::gelu;
  const auto found = known.find(node.operation);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

[[nodiscard]] inline std::optional<ElementwiseProblem> elementwise_case(const BoundInputs& given) {
  const auto function = function_of(given.own->read.graph.nodes.front());
  const auto& inputs = given.data->inputs;
  const GraphTensor& output = given.data->outputs.front();
  const std::size_t rank = output.extents.size();
  if (!function || rank > ElementwiseProblem::most_dimensions ||
      static_cast<int>(inputs.size()) != operands_of(*function))
    return std::nullopt;
  ElementwiseProblem problem;
  problem.function = *function;
  problem.rank = static_cast<int>(rank);
  problem.input = problem.second = problem.output = given.format;
  for (std::size_t d = 0; d < rank; ++d) problem.extents[d] = output.extents[d];
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::size_t own = inputs[i].extents.size();
    if (own > rank) return std::nullopt;
    for (std::size_t d = 0; d < rank; ++d) {
      const std::int64_t extent = d + own < rank ? 1 : inputs[i].extents[d + own - rank];
      if (extent != output.extents[d] && extent != 1) return std::nullopt;
      if (extent != output.extents[d]) problem.broadcast[i] |= 1U << d;
    }
  }
  return problem;
}

[[nodiscard]] inline std::optional<ReductionProblem> reduction_case(const BoundInputs& given) {
  static const std::map<std::string, ReductionFunction> known{
      {"ReduceSum", ReductionFunction::sum},      {"ReduceMean", ReductionFunction::mean},
      {"ReduceProd", ReductionFunction::product}, {"ReduceMax", ReductionFunction::maximum},
      {"ReduceMin", ReductionFunction::minimum},  {"ReduceL2", ReductionFunction::l2_norm}};
  const GraphNode& node = given.own->read.graph.nodes.front();
  const auto found = known.find(node.operation);
  const auto& inputs = given.data->inputs;
  if (found == known.end() || inputs.size() != 2 || inputs[1].type != TensorType::int64 || inputs[1].size() != 1)
    return std::nullopt;
  const auto parts = around_axis(inputs[0], static_cast<std::int64_t>(value_at(inputs[1], 0)));
  if (!parts || (*parts)[1] == 0) return std::nullopt;
  ReductionProblem problem;
  problem.function = found->second;
  problem.outer = (*parts)[0];
  problem.length = (*parts)[1];
  problem.inner = (*parts)[2];
  problem.input = problem.output = given.format;
  return problem;
}

[[nodiscard]] inline std::optional<SoftmaxProblem> softmax_case(const BoundInputs& given) {
  const GraphNode& node = given.own->read.graph.nodes.front();
  const bool logarithm = node.operation == "LogSoftmax";
  if ((!logarithm && node.operation != "Softmax") || given.own->opset() < 13) return std::nullopt;
  const auto parts = around_axis(given.data->inputs.front(), whole_attribute(node, "axis", -1));
  if (!parts) return std::nullopt;
  SoftmaxProblem problem;
  problem.outer = (*parts)[0];
  problem.length = (*parts)[1];
  problem.inner = (*parts)[2];
  problem.logarithm = logarithm;
  problem.input = problem.output = given.format;
  return problem;
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::optional<BoundOnCase> check_by_bound(const OnnxCase& own, const ExecutionMode& mode,
                                                                     const RunProgram& run) {
  if (!own.not_compared.empty() || own.read.graph.nodes.size() != 1 || own.data.size() != 1 ||
      !own.read.graph.nodes.front().domain.empty())
    return std::nullopt;
  const OnnxCaseData& data = own.data.front();
  if (data.inputs.empty() || data.outputs.size() != 1) return std::nullopt;
  const auto format = element_format_of(data.outputs.front().type);
  if (!format || !format->is_float() || format->bytes < 2 || data.inputs.front().type != data.outputs.front().type)
    return std::nullopt;
  const detail::BoundInputs given{&own, &data, *format};
  if (const auto problem = detail::elementwise_case(given))
    return detail::check_case_as<Elementwise>(given, *problem, Elementwise::output, mode, run);
  if (const auto problem = detail::softmax_case(given))
    return detail::check_case_as<Softmax>(given, *problem, Softmax::output, mode, run);
  if (const auto problem = detail::reduction_case(given))
    return detail::check_case_as<Reduction>(given, *problem, 1, mode, run);
  return std::nullopt;
}

ASSAY_DETAIL_HEADER_INLINE Outcome judge_onnx_case(const OnnxCase& own, const std::string& backend,
                                                   const ExecutionMode& mode, const RunProgram& run) {
  Outcome outcome = check_onnx_case(own, backend, mode, run);
  outcome.labels["judged_by"] = "onnx";
  if (outcome.verdict != Verdict::pass && outcome.verdict != Verdict::fail) return outcome;
  auto both = check_by_bound(own, mode, run);
  if (!both || (both->runtime.verdict != Verdict::pass && both->runtime.verdict != Verdict::fail)) return outcome;
  const Verdict by_onnx = outcome.verdict;
  const std::string tolerance = outcome.derivation.empty() ? "" : outcome.derivation.front();
  outcome.labels["judged_by"] = "bound";
  outcome.labels["by_onnx"] = std::string(name_of(by_onnx));
  outcome.labels["expected_data"] = std::string(name_of(both->expected.verdict));
  outcome.verdict = both->runtime.verdict;
  outcome.measurements = both->runtime.measurements;
  outcome.derivation.insert(outcome.derivation.begin(), "judged by the derived bound");
  outcome.reason = both->runtime.reason;
  if (outcome.verdict == Verdict::fail && by_onnx == Verdict::pass)
    outcome.reason = "by the derived bound: " + outcome.reason + "; " + tolerance + ", is too loose to see it";
  if (outcome.verdict == Verdict::pass && by_onnx == Verdict::fail)
    outcome.diagnosis.push_back(tolerance + ", refuses what the derived bound proves right");
  if (both->expected.verdict == Verdict::fail)
    outcome.diagnosis.push_back("the data that ONNX expects fail by the derived bound: " + both->expected.reason);
  return outcome;
}

}  // namespace assay::inline v0
