#pragma once

#include "assay/frameworks/fusions/bounded_evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "assay/core/config.hpp"
#include "assay/frameworks/detail/bounded_node.hpp"

namespace assay::inline v0 {

namespace detail {

/// Calls `visit(position in the result, position in a, position in b)` for broadcast operands; false where they do not
/// fit. `extents` becomes the result's.
template <class Visit>
[[nodiscard]] bool broadcast(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b,
                             std::vector<std::int64_t>& extents, const Visit& visit) {
  const std::size_t rank = std::max(a.size(), b.size());
  std::vector<std::int64_t> strides_a(rank, 0), strides_b(rank, 0);
  extents.assign(rank, 1);
  std::int64_t size_a = 1, size_b = 1, size = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t d = rank - 1 - i;
    const std::int64_t own_a = i < a.size() ? a[a.size() - 1 - i] : 1, own_b = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (own_a != own_b && own_a != 1 && own_b != 1) return false;
    extents[d] = std::max(own_a, own_b);
    strides_a[d] = own_a == 1 ? 0 : size_a;
    strides_b[d] = own_b == 1 ? 0 : size_b;
    size_a *= own_a;
    size_b *= own_b;
    size *= extents[d];
  }
  for (std::int64_t i = 0; i < size; ++i) {
    std::int64_t left = i, at_a = 0, at_b = 0;
    for (std::size_t d = rank; d-- > 0;) {
      const std::int64_t own = left % extents[d];
      left /= extents[d];
      at_a += own * strides_a[d];
      at_b += own * strides_b[d];
    }
    visit(static_cast<std::size_t>(i), static_cast<std::size_t>(at_a), static_cast<std::size_t>(at_b));
  }
  return true;
}

[[nodiscard]] inline Result<BoundedTensor> bounded_binary(const BoundedNode& node) {
  const BoundedTensor &a = node.at(0), &b = node.at(1);
  std::vector<std::int64_t> extents;
  if (!broadcast(a.extents, b.extents, extents, [](std::size_t, std::size_t, std::size_t) {}))
    return node.unsupported("of extents that do not fit");
  BoundedTensor result = empty_like(extents);
  const std::string& operation = node.operation();
  static_cast<void>(broadcast(a.extents, b.extents, extents, [&](std::size_t i, std::size_t p, std::size_t q) {
    const double x = a.values[p], y = b.values[q], dx = a.errors[p], dy = b.errors[q];
    double value = 0, error = 0;
    if (operation == "Add" || operation == "Sub") {
      value = operation == "Add" ? x + y : x - y;
      error = dx + dy;
    } else if (operation == "Mul") {
      value = x * y;
      error = std::fabs(x) * dy + std::fabs(y) * dx + dx * dy;
    } else {
      value = x / y;
      const double least = std::fabs(y) - dy;
      error = least > 0 ? (dx + std::fabs(value) * dy) / least : std::numeric_limits<double>::infinity();
    }
    result.values[i] = value;
    result.errors[i] = error + 2 * unit * (std::fabs(value) + error);
  }));
  return result;
}

[[nodiscard]] inline Result<BoundedTensor> bounded_power(const BoundedNode& node) {
  if (node.at(1).values.size() != 1 || (node.at(1).values[0] != 2 && node.at(1).values[0] != 3))
    return node.unsupported("with another exponent than 2 or 3");
  const double n = node.at(1).values[0];
  BoundedTensor result = node.at(0);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const double x = node.at(0).values[i], most = std::fabs(x) + node.at(0).errors[i];
    result.values[i] = n == 2 ? x * x : x * x * x;
    const double reached = n == 2 ? most * most : most * most * most;
    result.errors[i] = reached - std::fabs(result.values[i]) + function_ulps * reached;
  }
  return result;
}

[[nodiscard]] inline BoundedTensor bounded_function(const BoundedNode& node, const std::function<double(double)>& value,
                                                    const std::function<double(double)>& slope) {
  BoundedTensor result = node.at(0);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const double x = node.at(0).values[i], error = node.at(0).errors[i], y = value(x);
    const double steepest = std::max({slope(x - error), slope(x), slope(x + error)});
    result.values[i] = y;
    result.errors[i] = error * steepest + function_ulps * std::fabs(y) + function_floor;
  }
  return result;
}

[[nodiscard]] inline Result<BoundedTensor> bounded_quantized(const BoundedNode& node) {
  if (node.at(1).values.size() != 1) return node.unsupported("of several scales");
  const double scale = node.at(1).values[0], zero = node.has(2) ? node.at(2).values[0] : 0;
  BoundedTensor result = node.at(0);
  const double lowest = node.real("assay.lowest", 0), highest = node.real("assay.highest", 255);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const double t = node.at(0).values[i] / scale;
    const double off = node.at(0).errors[i] / scale + 2 * unit * std::fabs(t);
    const auto code = [&](double x) { return std::clamp(std::nearbyint(x) + zero, lowest, highest); };
    const double value = code(t), below = code(t - off), above = code(t + off);
    result.values[i] = value;
    result.errors[i] = std::max(value - below, above - value);
  }
  return result;
}

[[nodiscard]] inline Result<BoundedTensor> bounded_dequantized(const BoundedNode& node) {
  if (node.at(1).values.size() != 1) return node.unsupported("of several scales");
  const double scale = node.at(1).values[0], zero = node.has(2) ? node.at(2).values[0] : 0;
  BoundedTensor result = node.at(0);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    result.values[i] = (node.at(0).values[i] - zero) * scale;
    result.errors[i] = node.at(0).errors[i] * scale + 2 * unit * std::fabs(result.values[i]);
  }
  return result;
}

[[nodiscard]] inline Result<BoundedTensor> bounded_rounded(const BoundedNode& node) {
  const auto type = static_cast<TensorType>(node.integer("to", 0));
  if (type == TensorType::float32) return node.at(0);
  if (type != TensorType::float16 && type != TensorType::bfloat16)
    return node.unsupported("to other types than 16-bit floats");
  const auto nearest = [&](double x) { return value_at(tensor_of_values("", type, {}, {x}), 0); };
  BoundedTensor result = node.at(0);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const double value = node.at(0).values[i], error = node.at(0).errors[i], own = nearest(value);
    result.values[i] = own;
    result.errors[i] = error == 0 ? 0 : std::max(nearest(value + error) - own, own - nearest(value - error));
  }
  return result;
}

[[nodiscard]] inline Result<BoundedTensor> bounded_clipped(const BoundedNode& node) {
  BoundedTensor result = node.at(0);
  const double infinity = std::numeric_limits<double>::infinity(), low = node.has(1) ? node.at(1).values[0] : -infinity,
               high = node.has(2) ? node.at(2).values[0] : infinity;
  for (double& value : result.values) value = std::min(std::max(value, low), high);
  return result;
}

[[nodiscard]] inline Result<BoundedTensor> bounded_apply(const BoundedNode& node) {
  const std::string& name = node.operation();
  const std::size_t due = name == "Add" || name == "Sub" || name == "Mul" || name == "Div" || name == "Pow" ||
                                  name == "MatMul" || name == "Gemm" || name == "Conv" || name == "QuantizeLinear" ||
                                  name == "DequantizeLinear"
                              ? 2
                              : 1;
  for (std::size_t i = 0; i < due; ++i)
    if (!node.has(i)) return failure(ErrorKind::invalid, name + " has fewer inputs than it needs");
  if (name == "Add" || name == "Sub" || name == "Mul" || name == "Div") return bounded_binary(node);
  if (name == "Pow") return bounded_power(node);
  if (name == "MatMul" || name == "Gemm") return bounded_product(node);
  if (name == "Softmax" || name == "ReduceMean" || name == "ReduceSum" || name == "ReduceMax")
    return bounded_rows(node);
  if (name == "LayerNormalization") return bounded_layer_norm(node);
  if (name == "Transpose") return bounded_transposed(node);
  if (name == "Conv") return bounded_convolution(node);
  if (name == "BatchNormalization") return bounded_batch_norm(node);
  if (name == "QuantizeLinear") return bounded_quantized(node);
  if (name == "DequantizeLinear") return bounded_dequantized(node);
  if (name == "Cast") return bounded_rounded(node);
  if (name == "Clip") return bounded_clipped(node);
  if (name == "Identity") return node.at(0);
  if (name == "Relu") {
    BoundedTensor result = node.at(0);
    for (double& value : result.values) value = std::max(value, 0.0);
    return result;
  }
  const auto one = [](double) { return 1.0; };
  if (name == "Tanh")
    return bounded_function(
        node, [](double x) { return std::tanh(x); }, one);
  if (name == "Erf")
    return bounded_function(
        node, [](double x) { return std::erf(x); }, [](double) { return 1.1284; });
  if (name == "Sigmoid")
    return bounded_function(
        node, [](double x) { return 1 / (1 + std::exp(-x)); }, [](double) { return 0.25; });
  if (name == "Exp") {
    const auto exponential = [](double x) { return std::exp(x); };
    return bounded_function(node, exponential, exponential);
  }
  if (name == "Log")
    return bounded_function(
        node, [](double x) { return std::log(x); }, [](double x) { return x > 0 ? 1 / x : 1e300; });
  if (name == "Sqrt")
    return bounded_function(
        node, [](double x) { return std::sqrt(x); }, [](double x) { return x > 0 ? 0.5 / std::sqrt(x) : 1e300; });
  return node.unsupported("as an operator");
}

[[nodiscard]] inline Result<BoundedTensor> bounded_compute(const BoundedNode& node) {
  auto result = bounded_apply(node);
  if (!result) return result;
  // What is beyond float32's largest number is infinite, and then exactly so; what may be is not decided.
  constexpr double largest = 0x1.ffffffp127, infinity = std::numeric_limits<double>::infinity();
  BoundedTensor& own = result.value();
  for (std::size_t i = 0; i < own.values.size(); ++i) {
    double &value = own.values[i], &error = own.errors[i];
    if (std::isnan(error) || std::isnan(value)) error = infinity;
    if (std::fabs(value) + error < largest) continue;
    const bool surely = std::isinf(value) || std::fabs(value) - error >= largest;
    if (surely) value = value > 0 ? infinity : -infinity;
    error = surely ? 0 : infinity;
  }
  return result;
}

/// The range of codes of a node's output, which its zero point's type tells.
inline void add_code_range(const OperatorGraph& graph, GraphNode& node) {
  if (node.operation != "QuantizeLinear" || node.inputs.size() < 3) return;
  for (const GraphTensor& tensor : graph.constants) {
    if (tensor.name != node.inputs[2]) continue;
    const bool is_signed = tensor.type == TensorType::int8;
    node.attributes.emplace_back("assay.lowest", is_signed ? -128.0F : 0.0F);
    node.attributes.emplace_back("assay.highest", is_signed ? 127.0F : 255.0F);
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE BoundedTensor exact_tensor(const GraphTensor& tensor) {
  BoundedTensor own = detail::empty_like(tensor.extents);
  for (std::size_t i = 0; i < own.values.size(); ++i) own.values[i] = value_at(tensor, static_cast<std::int64_t>(i));
  return own;
}

ASSAY_DETAIL_HEADER_INLINE Result<BoundedTensors> evaluate_with_bounds(const OperatorGraph& graph,
                                                                       BoundedTensors given) {
  for (const GraphTensor& tensor : graph.constants) given[tensor.name] = exact_tensor(tensor);
  for (const GraphNode& own : graph.nodes) {
    GraphNode node = own;
    detail::add_code_range(graph, node);
    std::vector<const BoundedTensor*> operands;
    for (const std::string& name : node.inputs) {
      const auto found = given.find(name);
      if (found == given.end() && !name.empty())
        return failure(ErrorKind::invalid, "nothing gives '" + name + "', which " + node.operation + " reads");
      operands.push_back(name.empty() ? nullptr : &found->second);
    }
    auto computed = detail::bounded_compute(detail::BoundedNode(node, std::move(operands)));
    if (!computed) return computed.propagate();
    if (node.outputs.empty()) return failure(ErrorKind::invalid, node.operation + " gives nothing");
    given[node.outputs[0]] = std::move(computed).value();
  }
  return given;
}

}  // namespace assay::inline v0
