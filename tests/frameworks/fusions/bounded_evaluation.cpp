#include "assay/frameworks/fusions/bounded_evaluation.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "testing/catch.hpp"

using namespace assay;

namespace {

BoundedTensor tensor(std::vector<std::int64_t> extents, std::vector<double> values, double error = 0) {
  BoundedTensor own{std::move(extents), std::move(values), {}};
  own.errors.assign(own.values.size(), error);
  return own;
}

BoundedTensor value_of(GraphNode node, BoundedTensors given) {
  OperatorGraph graph;
  node.outputs = {"y"};
  graph.nodes.push_back(std::move(node));
  const auto all = evaluate_with_bounds(graph, std::move(given));
  REQUIRE(all);
  return all.value().at("y");
}

void check_values(const BoundedTensor& own, const std::vector<double>& due) {
  REQUIRE(own.values.size() == due.size());
  for (std::size_t i = 0; i < due.size(); ++i) {
    CAPTURE(i, own.values[i], due[i]);
    CHECK(std::fabs(own.values[i] - due[i]) <= 1e-14 * (1 + std::fabs(due[i])));
  }
}

}  // namespace

TEST_CASE("operators compute what ONNX says") {
  const BoundedTensor a = tensor({2, 2}, {1, -2, 3, 4}), b = tensor({2}, {0.5, 2});
  check_values(value_of({"Add", {"a", "b"}, {}}, {{"a", a}, {"b", b}}), {1.5, 0, 3.5, 6});
  check_values(value_of({"Sub", {"a", "b"}, {}}, {{"a", a}, {"b", b}}), {0.5, -4, 2.5, 2});
  check_values(value_of({"Mul", {"a", "b"}, {}}, {{"a", a}, {"b", b}}), {0.5, -4, 1.5, 8});
  check_values(value_of({"Div", {"a", "b"}, {}}, {{"a", a}, {"b", b}}), {2, -1, 6, 2});
  check_values(value_of({"MatMul", {"a", "a"}, {}}, {{"a", a}}), {-5, -10, 15, 10});
  check_values(value_of({"Gemm", {"a", "a", "b"}, {}}, {{"a", a}, {"b", b}}), {-4.5, -8, 15.5, 12});
  check_values(value_of({"Relu", {"a"}, {}}, {{"a", a}}), {1, 0, 3, 4});
  check_values(value_of({"Erf", {"a"}, {}}, {{"a", a}}), {std::erf(1), std::erf(-2), std::erf(3), std::erf(4)});
  check_values(value_of({"Transpose", {"a"}, {}}, {{"a", a}}), {1, 3, -2, 4});
  const double e = std::exp(-3);
  check_values(value_of({"Softmax", {"a"}, {}}, {{"a", tensor({1, 2}, {1, -2})}}), {1 / (1 + e), e / (1 + e)});
  GraphNode mean{"ReduceMean", {"a", "axes"}, {}};
  check_values(value_of(mean, {{"a", a}, {"axes", tensor({1}, {-1})}}), {-0.5, 3.5});
  mean.operation = "ReduceMax";
  check_values(value_of(mean, {{"a", a}, {"axes", tensor({1}, {1})}}), {1, 4});
  check_values(value_of({"Pow", {"a", "n"}, {}}, {{"a", a}, {"n", tensor({}, {3})}}), {1, -8, 27, 64});
  const double d = 1 / std::sqrt(2.25 + 1e-5);
  check_values(value_of({"LayerNormalization", {"x", "s", "t"}, {}},
                        {{"x", tensor({1, 2}, {1, -2})}, {"s", tensor({2}, {2, 1})}, {"t", tensor({2}, {0, 1})}}),
               {3 * d, 1 - 1.5 * d});
}

TEST_CASE("images are convolved and normalized") {
  GraphNode conv{"Conv", {"x", "w", "b"}, {}};
  conv.attributes = {GraphAttribute("pads", std::vector<std::int64_t>{1, 1, 1, 1})};
  const BoundedTensor x = tensor({1, 1, 2, 2}, {1, 2, 3, 4}), w = tensor({1, 1, 3, 3}, {0, 1, 0, 0, 0, 0, 0, 0, 2});
  check_values(value_of(conv, {{"x", x}, {"w", w}, {"b", tensor({1}, {10})}}), {18, 10, 11, 12});
  GraphNode norm{"BatchNormalization", {"x", "s", "b", "m", "v"}, {}};
  norm.attributes = {GraphAttribute("epsilon", 0.25F)};
  check_values(value_of(norm, {{"x", x},
                               {"s", tensor({1}, {3})},
                               {"b", tensor({1}, {1})},
                               {"m", tensor({1}, {2})},
                               {"v", tensor({1}, {2})}}),
               {-1, 1, 3, 5});
}

TEST_CASE("codes are exact away from ties, and on both sides near them") {
  OperatorGraph graph;
  graph.nodes.push_back({"QuantizeLinear", {"x", "s", "z"}, {"q"}});
  graph.nodes.push_back({"DequantizeLinear", {"q", "s", "z"}, {"y"}});
  graph.constants.push_back(tensor_of_values("s", TensorType::float32, {}, {0.5}));
  graph.constants.push_back(tensor_of_values("z", TensorType::int8, {}, {3}));
  const auto all = evaluate_with_bounds(graph, {{"x", tensor({4}, {1.1, 0.25, 100, -100}, 1e-3)}}).value();
  check_values(all.at("q"), {5, 3, 127, -128});
  check_values(all.at("y"), {1, 0, 62, -65.5});
  CHECK(all.at("q").errors[0] == 0);
  CHECK(all.at("q").errors[1] == 1);
  CHECK(all.at("q").errors[2] == 0);
}

TEST_CASE("bounds hold what float32 may round, and grow with what comes in") {
  const BoundedTensor a = tensor({1, 64}, std::vector<double>(64, 0.1)),
                      b = tensor({64, 1}, std::vector<double>(64, 0.3));
  const BoundedTensor own = value_of({"MatMul", {"a", "b"}, {}}, {{"a", a}, {"b", b}});
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += 0.1F * 0.3F;
  CHECK(own.errors[0] > 1e-7);
  CHECK(own.errors[0] < 1e-4);
  CHECK(std::fabs(static_cast<double>(sum) - own.values[0]) < own.errors[0] + 64 * 1e-9);
  const BoundedTensor off = value_of({"MatMul", {"a", "b"}, {}}, {{"a", tensor({1, 64}, a.values, 1e-3)}, {"b", b}});
  CHECK(off.errors[0] > 64 * 1e-3 * 0.3);
  CHECK(value_of({"Div", {"a", "b"}, {}}, {{"a", tensor({1}, {1})}, {"b", tensor({1}, {1e-4}, 1e-3)}}).errors[0] >
        1e300);
}

TEST_CASE("what has no bound, or nothing to read, says so") {
  OperatorGraph graph;
  graph.nodes.push_back({"Cosh", {"x"}, {"y"}});
  CHECK(evaluate_with_bounds(graph, {{"x", tensor({1}, {1})}}).error().kind == ErrorKind::unsupported);
  CHECK(evaluate_with_bounds(graph, {}).error().kind == ErrorKind::invalid);
  graph.nodes[0] = {"MatMul", {"x", "x"}, {"y"}};
  CHECK(evaluate_with_bounds(graph, {{"x", tensor({2, 3}, std::vector<double>(6, 1))}}).error().kind ==
        ErrorKind::unsupported);
  graph.nodes[0] = {"Add", {"x"}, {"y"}};
  CHECK(evaluate_with_bounds(graph, {{"x", tensor({1}, {1})}}).error().kind == ErrorKind::invalid);
}
