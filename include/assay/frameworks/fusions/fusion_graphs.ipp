#pragma once

#include "assay/frameworks/fusions/fusion_graphs.hpp"

#include <utility>

#include "assay/core/config.hpp"
#include "assay/suite/seed.hpp"

namespace assay::inline v0 {

namespace detail {

/// Builds a `FusionGraph` node by node.
class FusionBuilder {
 public:
  using Extents = std::vector<std::int64_t>;

  explicit FusionBuilder(std::uint64_t seed) : seed_(seed) {}

  std::string input(Extents extents, double scale = 1) {
    GraphTensor tensor = drawn("x" + std::to_string(own_.inputs.size()), std::move(extents), scale, 0);
    own_.graph.inputs.push_back({tensor.name, tensor.type, tensor.extents});
    own_.inputs.push_back(tensor);
    return tensor.name;
  }
  /// A constant around `middle`.
  std::string weight(Extents extents, double scale = 1, double middle = 0) {
    own_.graph.constants.push_back(
        drawn("w" + std::to_string(own_.graph.constants.size()), std::move(extents), scale, middle));
    return own_.graph.constants.back().name;
  }
  std::string constant(TensorType type, Extents extents, const std::vector<double>& values) {
    own_.graph.constants.push_back(
        tensor_of_values("w" + std::to_string(own_.graph.constants.size()), type, std::move(extents), values));
    return own_.graph.constants.back().name;
  }
  std::string scalar(double value) { return constant(TensorType::float32, {}, {value}); }
  std::string node(const char* operation, std::vector<std::string> inputs, std::vector<GraphAttribute> attributes = {},
                   TensorType type = TensorType::float32) {
    const std::string number = std::to_string(own_.graph.nodes.size()), name = "t" + number;
    GraphNode own{operation, std::move(inputs), {name}, std::move(attributes)};
    own.name = own.operation + "_" + number;
    own_.graph.nodes.push_back(std::move(own));
    own_.graph.values.push_back({name, type, {}, false});
    return name;
  }
  std::string last_axis() { return constant(TensorType::int64, {1}, {-1}); }
  std::string mean(const std::string& x) { return node("ReduceMean", {x, last_axis()}); }

  /// x·(1 + erf(x/√2))/2.
  std::string gelu(const std::string& x) {
    const std::string one = node("Add", {node("Erf", {node("Div", {x, scalar(1.4142135623730951)})}), scalar(1)});
    return node("Mul", {node("Mul", {x, one}), scalar(0.5)});
  }
  /// x·(1 + tanh(√(2/π)·(x + 0.044715·x³)))/2.
  std::string gelu_by_tanh(const std::string& x) {
    const std::string cubic = node("Mul", {scalar(0.044715), node("Pow", {x, scalar(3)})});
    const std::string inner = node("Mul", {scalar(0.7978845608028654), node("Add", {x, cubic})});
    const std::string one = node("Add", {scalar(1), node("Tanh", {inner})});
    return node("Mul", {node("Mul", {scalar(0.5), x}), one});
  }
  std::string layer_norm(const std::string& x, std::int64_t width) {
    const std::string centered = node("Sub", {x, mean(x)});
    const std::string variance = node("Add", {mean(node("Pow", {centered, scalar(2)})), scalar(1e-5)});
    const std::string normal = node("Div", {centered, node("Sqrt", {variance})});
    return node("Add", {node("Mul", {normal, weight({width}, 0.5, 1)}), weight({width})});
  }
  /// Quantized to codes and back.
  std::string there_and_back(const std::string& x, double scale, TensorType type, int zero_point) {
    const std::string s = scalar(scale), zero = constant(type, {}, {static_cast<double>(zero_point)});
    return node("DequantizeLinear", {node("QuantizeLinear", {x, s, zero}, {}, type), s, zero});
  }
  /// Weights in int8, dequantized.
  std::string quantized_weight(Extents extents, double scale) {
    std::int64_t size = 1;
    for (const std::int64_t extent : extents) size *= extent;
    std::vector<double> codes;
    for (std::int64_t i = 0; i < size; ++i) codes.push_back(static_cast<double>(next() >> 56) - 127);
    for (double& code : codes) code = code > 127 ? 127 : code;
    const std::string weights = constant(TensorType::int8, std::move(extents), codes);
    return node("DequantizeLinear", {weights, scalar(scale), constant(TensorType::int8, {}, {0})});
  }

  FusionGraph finish(std::string name, const std::string& output) {
    own_.name = std::move(name);
    own_.graph.outputs.push_back({output, TensorType::float32, {}, false});
    return std::move(own_);
  }

 private:
  std::uint64_t next() { return splitmix64_finalize(seed_ * 0x9E3779B97F4A7C15u + ++drawn_); }
  GraphTensor drawn(std::string name, Extents extents, double scale, double middle) {
    std::int64_t size = 1;
    for (const std::int64_t extent : extents) size *= extent;
    std::vector<double> values;
    for (std::int64_t i = 0; i < size; ++i)
      values.push_back(middle + scale * (static_cast<double>(next() >> 11) * 0x1p-52 - 1));
    return tensor_of_values(std::move(name), TensorType::float32, std::move(extents), values);
  }

  FusionGraph own_;
  std::uint64_t seed_, drawn_ = 0;
};

inline void add_product_patterns(std::vector<FusionGraph>& all, std::uint64_t seed, std::int64_t m, std::int64_t k,
                                 std::int64_t n) {
  const std::string shape = "-" + std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
  const auto product = [&](FusionBuilder& b) {
    return b.node("Add", {b.node("MatMul", {b.input({m, k}, 2), b.weight({k, n})}), b.weight({n})});
  };
  FusionBuilder gelu(seed), by_tanh(seed), relu(seed), silu(seed), scaled(seed), transposed(seed);
  all.push_back(gelu.finish("matmul-bias-gelu" + shape, gelu.gelu(product(gelu))));
  all.push_back(by_tanh.finish("matmul-bias-gelu_tanh" + shape, by_tanh.gelu_by_tanh(product(by_tanh))));
  all.push_back(relu.finish("matmul-bias-relu" + shape, relu.node("Relu", {product(relu)})));
  const std::string x = product(silu);
  all.push_back(silu.finish("matmul-bias-silu" + shape, silu.node("Mul", {x, silu.node("Sigmoid", {x})})));
  const std::string plain = scaled.node("MatMul", {scaled.input({m, k}), scaled.weight({k, n})});
  all.push_back(scaled.finish("matmul-scale" + shape, scaled.node("Mul", {plain, scaled.scalar(0.125)})));
  const std::string turned = transposed.node("Transpose", {transposed.input({k, m})},
                                             {GraphAttribute("perm", std::vector<std::int64_t>{1, 0})});
  all.push_back(
      transposed.finish("transpose-matmul" + shape, transposed.node("MatMul", {turned, transposed.weight({k, n})})));
}

inline void add_row_patterns(std::vector<FusionGraph>& all, std::uint64_t seed, std::int64_t rows, std::int64_t width) {
  const std::string shape = "-" + std::to_string(rows) + "x" + std::to_string(width);
  FusionBuilder residual(seed), softmax(seed);
  // Of small values the variance is less than the epsilon beside it.
  for (const double scale : {3.0, 0.003}) {
    const std::string kind = scale < 1 ? "-small" : "";
    FusionBuilder norm(seed), rms(seed);
    all.push_back(norm.finish("layernorm" + kind + shape, norm.layer_norm(norm.input({rows, width}, scale), width)));
    const std::string x = rms.input({rows, width}, scale);
    const std::string squares = rms.node("Add", {rms.mean(rms.node("Pow", {x, rms.scalar(2)})), rms.scalar(1e-5)});
    const std::string normal = rms.node("Div", {x, rms.node("Sqrt", {squares})});
    all.push_back(rms.finish("rmsnorm" + kind + shape, rms.node("Mul", {normal, rms.weight({width}, 0.5, 1)})));
  }
  const std::string sum = residual.node("Add", {residual.input({rows, width}), residual.input({rows, width})});
  all.push_back(residual.finish("add-layernorm" + shape, residual.layer_norm(sum, width)));
  const std::string y = softmax.input({rows, width}, 8);
  const std::string shifted = softmax.node("Sub", {y, softmax.node("ReduceMax", {y, softmax.last_axis()})});
  const std::string powers = softmax.node("Exp", {shifted});
  all.push_back(softmax.finish(
      "softmax" + shape, softmax.node("Div", {powers, softmax.node("ReduceSum", {powers, softmax.last_axis()})})));
}

inline void add_attention_patterns(std::vector<FusionGraph>& all, std::uint64_t seed, std::int64_t heads,
                                   std::int64_t length, std::int64_t width) {
  const std::string shape = "-" + std::to_string(heads) + "x" + std::to_string(length) + "x" + std::to_string(width);
  for (const bool masked : {false, true}) {
    FusionBuilder b(seed);
    const std::string q = b.input({1, heads, length, width}, 2), k = b.input({1, heads, length, width}, 2),
                      v = b.input({1, heads, length, width});
    const std::string turned =
        b.node("Transpose", {k}, {GraphAttribute("perm", std::vector<std::int64_t>{0, 1, 3, 2})});
    std::string scores = b.node("Div", {b.node("MatMul", {q, turned}), b.scalar(3)});
    if (masked) {
      std::vector<double> mask;
      for (std::int64_t i = 0; i < length * length; ++i) mask.push_back(i % length > i / length ? -10000 : 0);
      scores = b.node("Add", {scores, b.constant(TensorType::float32, {length, length}, mask)});
    }
    const std::string weights = b.node("Softmax", {scores}, {GraphAttribute("axis", std::int64_t{-1})});
    all.push_back(b.finish((masked ? "attention-causal" : "attention") + shape, b.node("MatMul", {weights, v})));
  }
}

inline void add_image_patterns(std::vector<FusionGraph>& all, std::uint64_t seed, std::int64_t channels,
                               std::int64_t side, std::int64_t filters) {
  const std::string shape = "-" + std::to_string(channels) + "x" + std::to_string(side) + "x" + std::to_string(side) +
                            "-c" + std::to_string(filters);
  const std::vector<GraphAttribute> around{GraphAttribute("pads", std::vector<std::int64_t>{1, 1, 1, 1}),
                                           GraphAttribute("strides", std::vector<std::int64_t>{1, 1})};
  const auto convolved = [&](FusionBuilder& b) {
    return b.node(
        "Conv", {b.input({2, channels, side, side}), b.weight({filters, channels, 3, 3}), b.weight({filters})}, around);
  };
  FusionBuilder normal(seed), residual(seed);
  const std::string x = convolved(normal);
  const std::string normalized =
      normal.node("BatchNormalization", {x, normal.weight({filters}, 0.5, 1), normal.weight({filters}),
                                         normal.weight({filters}), normal.weight({filters}, 0.5, 1)});
  all.push_back(normal.finish("conv-batchnorm-relu" + shape, normal.node("Relu", {normalized})));
  const std::string y = convolved(residual);
  all.push_back(
      residual.finish("conv-add-relu" + shape,
                      residual.node("Relu", {residual.node("Add", {y, residual.input({2, filters, side, side})})})));
}

inline void add_quantized_patterns(std::vector<FusionGraph>& all, std::uint64_t seed, std::int64_t m, std::int64_t k,
                                   std::int64_t n) {
  const std::string shape = "-" + std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
  for (const TensorType type : {TensorType::uint8, TensorType::int8}) {
    const std::string kind = type == TensorType::uint8 ? "u8" : "s8";
    const int zero = type == TensorType::uint8 ? 128 : 3;
    FusionBuilder product(seed), sum(seed), image(seed);
    const std::string x = product.there_and_back(product.input({m, k}), 0.0078, type, zero);
    const std::string y = product.node("MatMul", {x, product.quantized_weight({k, n}, 0.004)});
    all.push_back(product.finish("qdq-matmul-" + kind + shape, product.there_and_back(y, 0.08, type, zero)));
    const std::string a = sum.there_and_back(sum.input({m, k}), 0.0078, type, zero),
                      b = sum.there_and_back(sum.input({m, k}), 0.0062, type, zero);
    all.push_back(sum.finish("qdq-add-" + kind + "-" + std::to_string(m) + "x" + std::to_string(k),
                             sum.there_and_back(sum.node("Add", {a, b}), 0.017, type, zero)));
    const std::string picture = image.there_and_back(image.input({1, 5, 9, 11}), 0.0078, type, zero);
    const std::string convolved = image.node("Conv", {picture, image.quantized_weight({7, 5, 3, 3}, 0.004)},
                                             {GraphAttribute("pads", std::vector<std::int64_t>{1, 1, 1, 1}),
                                              GraphAttribute("strides", std::vector<std::int64_t>{1, 1})});
    if (m % 16 != 0)
      all.push_back(image.finish("qdq-conv-" + kind + "-5x9x11-c7", image.there_and_back(convolved, 0.04, type, zero)));
  }
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE std::vector<FusionGraph> fusion_graphs(std::uint64_t seed) {
  std::vector<FusionGraph> all;
  detail::add_product_patterns(all, seed, 16, 64, 48);
  detail::add_product_patterns(all, seed, 7, 129, 33);
  detail::add_row_patterns(all, seed, 16, 256);
  detail::add_row_patterns(all, seed, 5, 131);
  detail::add_attention_patterns(all, seed, 2, 32, 16);
  detail::add_attention_patterns(all, seed, 3, 17, 9);
  detail::add_image_patterns(all, seed, 16, 8, 16);
  detail::add_image_patterns(all, seed, 3, 9, 5);
  detail::add_quantized_patterns(all, seed, 16, 64, 32);
  detail::add_quantized_patterns(all, seed, 5, 67, 9);
  return all;
}

}  // namespace assay::inline v0
