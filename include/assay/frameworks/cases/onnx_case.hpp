#pragma once

#include <string>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/graph/operator_graph.hpp"

namespace assay::inline v0 {

/// Inputs of a model, and the outputs that ONNX's authors expect. Inputs without a name are the model's first ones.
struct OnnxCaseData {
  std::vector<GraphTensor> inputs;   ///< what the model is given
  std::vector<GraphTensor> outputs;  ///< what is expected of it
};

/// A case of ONNX's backend tests.
struct OnnxCase {
  std::string name;   ///< of its folder
  std::string model;  ///< bytes, as they stand in the file
  GraphModel read;    ///< the same, read
  std::vector<OnnxCaseData> data;
  double relative = 1e-3, absolute = 1e-7;  ///< ONNX's own tolerance
  std::string not_compared;  ///< why its data are none that we compare (strings, sequences); empty: they are

  /// The operator of a model of one node; else those of all nodes, joined by '+', three at most.
  [[nodiscard]] std::string operation() const;
  /// The version of ONNX's own operators.
  [[nodiscard]] std::int64_t opset() const;
};

/// The case of a folder: model.onnx, test_data_set_N/{input,output}_N.pb, and where it is there tol.txt, in which the
/// relative and the absolute tolerance stand. Errors: those of files and of `read_onnx_model`.
[[nodiscard]] Result<OnnxCase> read_onnx_case(const std::string& folder);

/// The folders of cases in a folder, in the order of their names. `not_found` where there is none.
[[nodiscard]] Result<std::vector<std::string>> find_onnx_cases(const std::string& folder);

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/cases/onnx_case.ipp"
#endif
