#include "assay/frameworks/fusions/check_fusion.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "testing/catch.hpp"
#include "testing/graph_runtime.hpp"

using namespace assay;
using assay::testing::GraphRuntime;

namespace {

GraphNode* first_of(OperatorGraph& graph, const std::string& operation) {
  for (GraphNode& node : graph.nodes)
    if (node.operation == operation) return &node;
  return nullptr;
}

GraphNode* last_of(OperatorGraph& graph, const std::string& operation) {
  GraphNode* found = nullptr;
  for (GraphNode& node : graph.nodes)
    if (node.operation == operation) found = &node;
  return found;
}

/// Leaves a node out: it hands its first operand on.
void leave_out(GraphNode* node) {
  if (node == nullptr) return;
  node->operation = "Identity";
  node->inputs.resize(1);
  node->attributes.clear();
}

/// Two nodes after one another change their places.
void exchange(OperatorGraph& graph, const std::string& before, const std::string& after) {
  for (std::size_t i = 0; i + 1 < graph.nodes.size(); ++i) {
    GraphNode &a = graph.nodes[i], &b = graph.nodes[i + 1];
    if (a.operation != before || b.operation != after || b.inputs[0] != a.outputs[0]) continue;
    std::swap(a.operation, b.operation);
    std::swap(a.attributes, b.attributes);
    std::vector<std::string> more_of_a(a.inputs.begin() + 1, a.inputs.end()),
        more_of_b(b.inputs.begin() + 1, b.inputs.end());
    a.inputs.resize(1);
    b.inputs.resize(1);
    a.inputs.insert(a.inputs.end(), more_of_b.begin(), more_of_b.end());
    b.inputs.insert(b.inputs.end(), more_of_a.begin(), more_of_a.end());
    return;
  }
}

struct Fault {
  const char *name, *pattern;
  std::function<void(OperatorGraph&)> compile;
};

const std::vector<Fault>& faults() {
  static const std::vector<Fault> all{
      {"the bias is left out", "matmul-bias-gelu-", [](OperatorGraph& g) { leave_out(first_of(g, "Add")); }},
      {"the factor 1/2 of GELU is left out", "matmul-bias-gelu-",
       [](OperatorGraph& g) { leave_out(last_of(g, "Mul")); }},
      {"GELU by tanh with another constant", "matmul-bias-gelu_tanh",
       [](OperatorGraph& g) {
         for (GraphTensor& tensor : g.constants)
           if (tensor.size() == 1 && std::fabs(value_at(tensor, 0) - 0.044715) < 1e-6)
             tensor = tensor_of_values(tensor.name, tensor.type, tensor.extents, {0.0357});
       }},
      {"ReLU before the bias", "matmul-bias-relu", [](OperatorGraph& g) { exchange(g, "Add", "Relu"); }},
      {"SiLU without its factor", "matmul-bias-silu", [](OperatorGraph& g) { leave_out(first_of(g, "Mul")); }},
      {"the scale goes lost", "matmul-scale", [](OperatorGraph& g) { leave_out(first_of(g, "Mul")); }},
      {"the epsilon goes lost", "layernorm-small", [](OperatorGraph& g) { leave_out(first_of(g, "Add")); }},
      {"the epsilon is added to the root", "layernorm-small", [](OperatorGraph& g) { exchange(g, "Add", "Sqrt"); }},
      {"the epsilon is added to the root", "rmsnorm-small", [](OperatorGraph& g) { exchange(g, "Add", "Sqrt"); }},
      {"the residual is left out", "add-layernorm", [](OperatorGraph& g) { leave_out(first_of(g, "Add")); }},
      {"scores are not scaled", "attention-2", [](OperatorGraph& g) { leave_out(first_of(g, "Div")); }},
      {"the mask is left out", "attention-causal", [](OperatorGraph& g) { leave_out(first_of(g, "Add")); }},
      {"ReLU before the normalization", "conv-batchnorm-relu",
       [](OperatorGraph& g) { exchange(g, "BatchNormalization", "Relu"); }},
      {"the variance of a folded normalization is another", "conv-batchnorm-relu",
       [](OperatorGraph& g) {
         GraphNode* const node = first_of(g, "BatchNormalization");
         if (node != nullptr) std::swap(node->inputs[1], node->inputs[4]);
       }},
      {"ReLU before the residual", "conv-add-relu", [](OperatorGraph& g) { exchange(g, "Add", "Relu"); }},
      {"the zero point is left out of a quantized product", "qdq-matmul",
       [](OperatorGraph& g) {
         GraphNode* const node = first_of(g, "DequantizeLinear");
         if (node != nullptr) node->inputs.resize(2);
       }},
      {"a quantized sum has one operand's scale for both", "qdq-add", [](OperatorGraph& g) {
         GraphNode* const first = first_of(g, "DequantizeLinear");
         for (GraphNode& node : g.nodes)
           if (first != nullptr && node.operation == "DequantizeLinear" &&
               node.name != last_of(g, "DequantizeLinear")->name)
             node.inputs[1] = first->inputs[1];
       }}};
  return all;
}

/// Outcomes of all patterns whose name begins so.
std::vector<Outcome> checked(const GraphRuntime& runtime, const std::string& pattern) {
  std::vector<Outcome> outcomes;
  for (const FusionGraph& own : fusion_graphs())
    if (own.name.rfind(pattern, 0) == 0) outcomes.push_back(check_fusion(own, "fake", {}, runtime.program()));
  REQUIRE(!outcomes.empty());
  return outcomes;
}

double in_bfloat16(double value) {
  const auto narrow = static_cast<float>(value);
  std::uint32_t bits = 0;
  std::memcpy(&bits, &narrow, sizeof bits);
  bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000U;
  float rounded = 0;
  std::memcpy(&rounded, &bits, sizeof rounded);
  return static_cast<double>(rounded);
}

}  // namespace

TEST_CASE("a compiler that computes node by node is right, and gives the same bits") {
  for (const Outcome& outcome : checked({}, "")) {
    CAPTURE(outcome.id, outcome.reason);
    CHECK(outcome.verdict == Verdict::pass);
    CHECK(outcome.measurement("elements_that_differ") == 0);
  }
}

TEST_CASE("wrong fusions are caught, and the compiler is blamed, not the operators") {
  for (const Fault& fault : faults())
    for (const Outcome& outcome : checked({fault.compile, nullptr}, fault.pattern)) {
      CAPTURE(fault.name, outcome.id, outcome.reason);
      CHECK(outcome.verdict == Verdict::fail);
      REQUIRE(!outcome.diagnosis.empty());
      CHECK(outcome.diagnosis[0].find("right by itself: wrong is what is compiled of them together") !=
            std::string::npos);
    }
}

TEST_CASE("the node at which wrong numbers begin is named") {
  const Outcome outcome = checked({faults()[10].compile, nullptr}, "attention-2").at(0);
  CHECK(outcome.diagnosis.at(0).find("first with Div_2, the node number 3 of 5") != std::string::npos);
}

TEST_CASE("a node that is wrong by itself is blamed, not the compiler") {
  GraphRuntime runtime;
  runtime.computed = [](const GraphNode& node, BoundedTensor& own) {
    if (node.operation == "Erf")
      for (double& value : own.values) value += 1e-4;
  };
  for (const Outcome& outcome : checked(runtime, "matmul-bias-gelu-")) {
    CHECK(outcome.verdict == Verdict::fail);
    CHECK(outcome.diagnosis.at(0).find("node Erf_3 is wrong by itself") != std::string::npos);
  }
}

TEST_CASE("products in bfloat16 are caught; of a product in float32 a block's remainder is missed by none") {
  GraphRuntime narrow;
  narrow.computed = [](const GraphNode& node, BoundedTensor& own) {
    if (node.operation == "MatMul" || node.operation == "Conv")
      for (double& value : own.values) value = in_bfloat16(value);
  };
  for (const char* pattern : {"matmul-scale", "transpose-matmul", "attention-2", "conv-add-relu"})
    for (const Outcome& outcome : checked(narrow, pattern)) CHECK(outcome.verdict == Verdict::fail);
  // Only whole blocks of 16 are summed: extents that are multiples of 16 do not show it.
  GraphRuntime blocks;
  blocks.compile = [](OperatorGraph& graph) {
    for (GraphTensor& tensor : graph.constants) {
      if (tensor.extents.size() != 2 || tensor.type != TensorType::float32) continue;
      std::vector<double> values;
      for (std::int64_t i = 0; i < tensor.size(); ++i)
        values.push_back(i / tensor.extents[1] < tensor.extents[0] / 16 * 16 ? value_at(tensor, i) : 0);
      tensor = tensor_of_values(tensor.name, tensor.type, tensor.extents, values);
    }
  };
  CHECK(checked(blocks, "matmul-bias-relu-16x64x48").at(0).verdict == Verdict::pass);
  CHECK(checked(blocks, "matmul-bias-relu-7x129x33").at(0).verdict == Verdict::fail);
}

TEST_CASE("a compiler that leaves roundings out, or sums otherwise, is not accused, and is told to be nearer") {
  // Rounds to float32 once, at the end.
  const RunProgram exact = [](const GraphProgram& program, const std::vector<GraphTensor>& inputs) -> Result<GraphRun> {
    const OperatorGraph graph = read_onnx_model(program.model).value().graph;
    BoundedTensors given;
    for (const GraphTensor& input : inputs) given[input.name] = exact_tensor(input);
    const auto values = evaluate_with_bounds(graph, std::move(given));
    if (!values) return values.propagate();
    GraphRun run;
    for (const GraphValue& output : graph.outputs)
      run.outputs.push_back(
          tensor_of_values(output.name, output.type, output.extents, values.value().at(output.name).values));
    return run;
  };
  std::size_t nearer = 0;
  for (const FusionGraph& own : fusion_graphs()) {
    const Outcome outcome = check_fusion(own, "fake", {}, exact);
    CAPTURE(outcome.id, outcome.reason);
    CHECK(outcome.verdict == Verdict::pass);
    for (const std::string& line : outcome.diagnosis) nearer += line.find("together is nearer") != std::string::npos;
  }
  CHECK(nearer > 5);
}

TEST_CASE("what a runtime refuses or does not give is no pass") {
  const FusionGraph own = fusion_graphs().at(0);
  const auto verdict = [&](ErrorKind kind) {
    return check_fusion(own, "fake", {},
                        [&](const auto&, const auto&) -> Result<GraphRun> { return failure(kind, "x"); })
        .verdict;
  };
  CHECK(verdict(ErrorKind::unsupported) == Verdict::unsupported);
  CHECK(verdict(ErrorKind::device) == Verdict::error);
  CHECK(check_fusion(own, "fake", {}, [](const auto&, const auto&) { return Result<GraphRun>(GraphRun{}); }).verdict ==
        Verdict::error);
}

namespace {

/// Builds small graphs by hand.
struct Builder {
  FusionGraph own;

  std::string input(double scale) {
    const std::string name = "x" + std::to_string(own.inputs.size());
    std::vector<double> values;
    for (int i = 0; i < 64; ++i) values.push_back(scale * std::sin(1.0 + 1.7 * i + 0.3 * static_cast<double>(name[1])));
    own.inputs.push_back(tensor_of_values(name, TensorType::float32, {2, 32}, values));
    own.graph.inputs.push_back({name, TensorType::float32, {2, 32}});
    return name;
  }
  std::string constant(std::vector<double> values, TensorType type = TensorType::float32) {
    const std::string name = "c" + std::to_string(own.graph.constants.size());
    std::vector<std::int64_t> extents;
    if (values.size() > 1) extents = {static_cast<std::int64_t>(values.size())};
    own.graph.constants.push_back(tensor_of_values(name, type, extents, values));
    return name;
  }
  std::string node(const char* operation, std::vector<std::string> inputs, TensorType type = TensorType::float32) {
    const std::string number = std::to_string(own.graph.nodes.size()), name = "t" + number;
    GraphNode node{operation, std::move(inputs), {name}};
    node.name = node.operation + "_" + number;
    if (node.operation == "Cast") node.attributes.emplace_back("to", static_cast<std::int64_t>(type));
    own.graph.nodes.push_back(node);
    own.graph.values.push_back({name, type, {}, false});
    return name;
  }
  std::string through(const std::string& x, TensorType type) { return node("Cast", {node("Cast", {x}, type)}); }
  std::string sum(const std::string& x) {
    GraphTensor axes = tensor_of_values("axes", TensorType::int64, {1}, {-1});
    if (own.graph.constants.empty() || own.graph.constants[0].name != "axes")
      own.graph.constants.insert(own.graph.constants.begin(), axes);
    return node("ReduceSum", {x, "axes"});
  }
  FusionGraph finish(const char* name, const std::string& output) {
    own.name = name;
    own.graph.outputs.push_back({output, TensorType::float32, {}, false});
    return own;
  }
};

/// Rounds what every node of that operator gives, where nobody asked for it.
void round_after(OperatorGraph& graph, const std::string& operation, TensorType type) {
  std::vector<GraphNode> nodes;
  for (GraphNode node : graph.nodes) {
    const bool rounds = node.operation == operation;
    const std::string output = node.outputs[0];
    if (rounds) node.outputs[0] = output + "_wide";
    nodes.push_back(node);
    if (!rounds) continue;
    GraphNode down{"Cast", {output + "_wide"}, {output + "_narrow"}}, up{"Cast", {output + "_narrow"}, {output}};
    down.attributes.emplace_back("to", static_cast<std::int64_t>(type));
    up.attributes.emplace_back("to", static_cast<std::int64_t>(TensorType::float32));
    nodes.push_back(down);
    nodes.push_back(up);
  }
  graph.nodes = std::move(nodes);
}

void leave_out_all(OperatorGraph& graph, std::initializer_list<const char*> operations) {
  for (GraphNode& node : graph.nodes)
    for (const char* operation : operations)
      if (node.operation == operation) leave_out(&node);
}

struct Report {
  const char* name;
  FusionGraph graph;
  std::function<void(OperatorGraph&)> compile;
};

/// What others reported in public of compilers, as graphs and as what the compiler made of them.
std::vector<Report> reports() {
  constexpr TensorType f16 = TensorType::float16, bf16 = TensorType::bfloat16;
  std::vector<Report> all;
  const auto without_casts = [](OperatorGraph& graph) { leave_out_all(graph, {"Cast"}); };
  Builder a, b, c, d, e, f, g;
  all.push_back({"pytorch 185337: float32 to float16 and back is left out",
                 a.finish("casts", a.node("Mul", {a.through(a.input(1), f16), a.constant({3})})), without_casts});
  const std::string x = b.input(1), y = b.input(2);
  const std::string turned = b.node("Sub", {b.through(b.node("Mul", {x, b.constant({0.54})}), bf16),
                                            b.through(b.node("Mul", {y, b.constant({0.84})}), bf16)});
  all.push_back({"pytorch 182225: a rotary embedding in bfloat16 is fused without its roundings",
                 b.finish("rotary", b.through(turned, bf16)), [](OperatorGraph& graph) {
                   leave_out_all(graph, {"Cast"});
                   round_after(graph, "Sub", bf16);
                 }});
  const std::string u = c.input(1), v = c.input(1);
  const std::string dot = c.sum(c.node("Mul", {u, v}));
  const std::string norms =
      c.node("Sqrt", {c.node("Mul", {c.sum(c.node("Mul", {u, u})), c.sum(c.node("Mul", {v, v}))})});
  all.push_back({"pytorch 170684: the sums of a cosine similarity are rounded to bfloat16",
                 c.finish("cosine", c.node("Div", {dot, norms})),
                 [](OperatorGraph& graph) { round_after(graph, "ReduceSum", bf16); }});
  all.push_back({"jax 38100: the logarithm of an exponential is left out with its overflow",
                 d.finish("log-exp", d.node("Log", {d.node("Exp", {d.input(120)})})), [](OperatorGraph& graph) {
                   leave_out_all(graph, {"Log", "Exp"});
                 }});
  const std::string clipped = e.node("Clip", {e.input(8), e.constant({0}), e.constant({6})});
  all.push_back({"tensorflow 62252: relu6 and sigmoid in bfloat16 are fused without the rounding between",
                 e.finish("relu6-sigmoid", e.node("Sigmoid", {e.through(clipped, bf16)})), without_casts});
  all.push_back({"openvino 27795: products are computed in bfloat16 where the processor has it", fusion_graphs().at(4),
                 [](OperatorGraph& graph) { round_after(graph, "MatMul", bf16); }});
  FusionGraph residual;
  for (const FusionGraph& own : fusion_graphs())
    if (own.name.rfind("add-layernorm", 0) == 0) residual = own;
  all.push_back(
      {"onnxruntime 17689: the sum before a fused LayerNorm is rounded to float16", residual, [](OperatorGraph& graph) {
         GraphNode* const first = first_of(graph, "Add");
         if (first != nullptr) first->operation = "Residual";
         round_after(graph, "Residual", f16);
         for (GraphNode& node : graph.nodes)
           if (node.operation == "Residual") node.operation = "Add";
       }});
  all.push_back(
      {"coremltools 2110: an intermediate result overflows in float16",
       f.finish("overflow", f.node("Mul", {f.node("Mul", {f.input(500), f.constant({300})}), f.constant({0.01})})),
       [](OperatorGraph& graph) { round_after(graph, "Mul", f16); }});
  all.push_back({"executorch 11683: a sum leaves its alpha out",
                 g.finish("alpha", g.node("Add", {g.input(1), g.node("Mul", {g.input(1), g.constant({2})})})),
                 [](OperatorGraph& graph) { leave_out_all(graph, {"Mul"}); }});
  return all;
}

}  // namespace

TEST_CASE("compilers' faults that were reported in public are caught, and the graphs without them pass") {
  CHECK(reports().size() == 9);
  for (const Report& report : reports()) {
    const Outcome right = check_fusion(report.graph, "fake", {}, GraphRuntime{}.program());
    CAPTURE(report.name, right.reason);
    CHECK(right.verdict == Verdict::pass);
    const Outcome wrong = check_fusion(report.graph, "fake", {}, GraphRuntime{report.compile, nullptr}.program());
    CHECK(wrong.verdict == Verdict::fail);
    CHECK(wrong.diagnosis.at(0).find("right by itself: wrong is what is compiled of them together") !=
          std::string::npos);
  }
}
