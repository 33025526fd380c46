#pragma once

#include <string>
#include <vector>

#include "testing/scripted_door.hpp"

namespace assay::testing {

/// How a framework that computes operators one by one tells what it does not take.
struct EagerWords {
  std::string no_mapping;   ///< of Hardmax, which has no mapping
  std::string no_operator;  ///< of Tanh, which the scripted library lacks
  std::string no_elements;  ///< of float8e8m0, which it has not
};

/// Operators, domains, attributes, versions and inputs that have no mapping are named; what has one runs.
inline void check_what_is_not_mapped(DoorWorker worker, const std::string& mode, const EagerWords& words) {
  const auto told = [&](const GraphModel& model, const std::vector<GraphTensor>& given = eight_numbers()) {
    const auto run = worker.run({write_onnx_model(model), read_mode_name(mode).value()}, given);
    return run ? std::string() : run.error().message;
  };
  const auto tells = [](const std::string& message, const std::string& expected) {
    CAPTURE(message);
    return message.find(expected) != std::string::npos;
  };
  OperatorGraph other = relu_of_eight();
  other.nodes[0].operation = "Hardmax";
  CHECK(tells(told({other}), words.no_mapping));
  other.nodes[0].operation = "Relu";
  other.nodes[0].domain = "com.example";
  CHECK(tells(told({other}), "com.example.Relu"));
  other = relu_of_eight();
  other.nodes[0].attributes.emplace_back("slope", 0.5F);
  CHECK(tells(told({other}), "does not heed its attribute slope"));
  other.nodes[0] = {"Tanh", {"x"}, {"y"}};
  CHECK(tells(told({other}), words.no_operator));
  other.inputs[0].extents = {1, 1, 2, 4};
  other.nodes[0] = {"Attention", {"x", "x", "x", "", "x", "x"}, {"y"}};
  const std::vector<GraphTensor> heads{
      tensor_of_values("x", TensorType::float32, {1, 1, 2, 4}, std::vector<double>(8, 1))};
  CHECK(tells(told({other}, heads), "attention with a past"));
  other.nodes[0] = {"MaxPool",
                    {"x"},
                    {"y"},
                    {GraphAttribute("kernel_shape", std::vector<std::int64_t>{1, 2}),
                     GraphAttribute("pads", std::vector<std::int64_t>{1})}};
  CHECK(tells(told({other}, heads), "windows of other than 2 dimensions"));
  GraphModel older{relu_of_eight()};
  older.opsets[""] = 13;
  CHECK(tells(told(older), "a version before 21"));
  auto given = eight_numbers();
  given[0].type = TensorType::float8e8m0;
  given[0].bytes.resize(8);
  CHECK(tells(told({relu_of_eight()}, given), words.no_elements));
  given = eight_numbers();
  given[0].bytes.pop_back();
  CHECK(tells(told({relu_of_eight()}, given), "of 31 bytes"));
  CHECK(tells(told({relu_of_eight()}, {}), "no input 0"));
  CHECK(told({relu_of_eight()}).empty());
}

}  // namespace assay::testing
