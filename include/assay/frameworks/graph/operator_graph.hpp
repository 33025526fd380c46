#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/graph/graph_tensor.hpp"

namespace assay::inline v0 {

struct OperatorGraph;

/// What an attribute of a node holds.
enum class AttributeKind { real, integer, text, tensor, graph, reals, integers, texts, other };

/// A named constant of a node. The members that its kind names hold it.
struct GraphAttribute {
  std::string name;                             ///< as the operator spells it
  AttributeKind kind = AttributeKind::integer;  ///< which member holds it
  std::int64_t integer = 0;                     ///< of kind `integer`
  float real = 0;                               ///< of kind `real`
  std::string text;                             ///< of `other` kinds: the attribute as it stood in the file
  std::vector<std::int64_t> integers;           ///< of kind `integers`
  std::vector<float> reals;                     ///< of kind `reals`
  std::vector<std::string> texts;               ///< of kind `texts`
  std::vector<GraphTensor> tensors;             ///< one
  std::vector<OperatorGraph> graphs;            ///< one

  GraphAttribute();                                                        ///< the integer 0, without a name
  GraphAttribute(std::string own_name, std::int64_t value);                ///< of kind `integer`
  GraphAttribute(std::string own_name, float value);                       ///< of kind `real`
  GraphAttribute(std::string own_name, std::string value);                 ///< of kind `text`
  GraphAttribute(std::string own_name, std::vector<std::int64_t> values);  ///< of kind `integers`
};

/// One application of an operator. Empty names stand for optional inputs and outputs that are not there.
struct GraphNode {
  std::string operation;  ///< of the operator: "MatMul"
  std::vector<std::string> inputs, outputs;
  std::vector<GraphAttribute> attributes = {};
  std::string name = {}, domain = {};  ///< an empty domain: ONNX's own
};

/// What is known of a tensor before it is computed. Extents of −1 are not known.
struct GraphValue {
  std::string name;                         ///< by which nodes refer to it
  TensorType type = TensorType::undefined;  ///< undefined: not told, or no tensor
  std::vector<std::int64_t> extents = {};   ///< outermost first
  bool has_shape = true;                    ///< false: not even the rank is known
};

/// Nodes in an order in which they can be computed.
struct OperatorGraph {
  std::string name = "graph";  ///< for people
  std::vector<GraphNode> nodes;
  std::vector<GraphTensor> constants;  ///< initializers
  std::vector<GraphValue> inputs;      ///< what callers give
  std::vector<GraphValue> outputs;     ///< what they get
  std::vector<GraphValue> values;      ///< what is told of tensors between
};

/// A graph with the versions of the operator sets that it is written in.
struct GraphModel {
  OperatorGraph graph;
  std::map<std::string, std::int64_t> opsets = {{"", 21}};  ///< by domain
  std::int64_t ir_version = 10;                             ///< of the file format
  std::string producer = "assay";                           ///< who wrote it
  std::size_t functions = 0;                                ///< local functions, which are counted and not read
};

/// `invalid`, with the name at fault: a tensor that two nodes give, an input that nothing gives before it is used (a
/// cycle, too), an output that nothing gives, a node without an operator. O(names·log).
[[nodiscard]] Result<void> check_graph(const OperatorGraph& graph);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/graph/operator_graph.ipp"
#endif
