#pragma once

#include "assay/frameworks/cases/onnx_case.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/frameworks/onnx/read_onnx.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE std::string OnnxCase::operation() const {
  std::string joined;
  const auto& nodes = read.graph.nodes;
  for (std::size_t i = 0; i < nodes.size() && i < 3; ++i) joined += (joined.empty() ? "" : "+") + nodes[i].operation;
  return nodes.size() > 3 ? joined + "+…" : joined.empty() ? "none" : joined;
}

ASSAY_DETAIL_HEADER_INLINE std::int64_t OnnxCase::opset() const {
  const auto found = read.opsets.find("");
  return found == read.opsets.end() ? 0 : found->second;
}

namespace detail {

/// Tensors of files kind_0.pb, kind_1.pb, …; those that are not there stay without a type.
[[nodiscard]] inline Result<void> read_case_tensors(const std::filesystem::path& folder, const std::string& kind,
                                                    const std::vector<GraphValue>& declared,
                                                    std::vector<GraphTensor>& tensors, std::string& not_compared) {
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const std::filesystem::path path = folder / (kind + "_" + std::to_string(i) + ".pb");
    std::error_code code;
    if (!std::filesystem::exists(path, code)) continue;
    const auto bytes = read_whole_file(path.string());
    if (!bytes) return bytes.propagate();
    if (declared[i].type == TensorType::undefined) {
      not_compared = kind + " " + declared[i].name + " is a sequence, a map or an optional value";
      continue;
    }
    auto tensor = read_onnx_tensor(bytes.value());
    if (!tensor) return failure(tensor.error().kind, path.string() + ": " + tensor.error().message);
    const TensorType type = tensor.value().type;
    if (type == TensorType::string || type == TensorType::complex64 || type == TensorType::complex128)
      not_compared = kind + " " + declared[i].name + " is of type " + std::string(name_of(type));
    tensor.value().name = declared[i].name;
    tensors.push_back(std::move(tensor).value());
  }
  return {};
}

}  // namespace detail

ASSAY_DETAIL_HEADER_INLINE Result<OnnxCase> read_onnx_case(const std::string& folder) {
  const std::filesystem::path root(folder);
  OnnxCase own;
  own.name = root.filename().string();
  auto bytes = read_whole_file((root / "model.onnx").string());
  if (!bytes) return bytes.propagate();
  own.model = std::move(bytes).value();
  auto read = read_onnx_model(own.model);
  if (!read) return failure(read.error().kind, folder + ": " + read.error().message);
  own.read = std::move(read).value();
  std::error_code code;
  for (int set = 0;; ++set) {
    const std::filesystem::path data = root / ("test_data_set_" + std::to_string(set));
    if (!std::filesystem::is_directory(data, code)) break;
    OnnxCaseData& tensors = own.data.emplace_back();
    const OperatorGraph& graph = own.read.graph;
    if (auto done = detail::read_case_tensors(data, "input", graph.inputs, tensors.inputs, own.not_compared); !done)
      return done.propagate();
    if (auto done = detail::read_case_tensors(data, "output", graph.outputs, tensors.outputs, own.not_compared); !done)
      return done.propagate();
  }
  if (own.data.empty()) return failure(ErrorKind::malformed, folder + " has no test_data_set_0");
  if (const auto text = read_whole_file((root / "tol.txt").string())) {
    const std::string& line = text.value();
    const std::size_t space = line.find(' '), end = line.find_first_of("\r\n");
    const auto relative = detail::read_number(line.substr(0, space));
    const auto absolute =
        space == std::string::npos ? std::nullopt : detail::read_number(line.substr(space + 1, end - space - 1));
    if (!relative || !absolute) return failure(ErrorKind::malformed, folder + "/tol.txt holds no two numbers");
    own.relative = *relative;
    own.absolute = *absolute;
  }
  return own;
}

ASSAY_DETAIL_HEADER_INLINE Result<std::vector<std::string>> find_onnx_cases(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code code, ignored;
  for (std::filesystem::recursive_directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    if (!at->is_directory(ignored) || !std::filesystem::exists(at->path() / "model.onnx", ignored)) continue;
    found.push_back(at->path().string());
    at.disable_recursion_pending();
  }
  if (found.empty()) return failure(ErrorKind::not_found, folder + " holds no cases: no folder in it has a model.onnx");
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace assay::inline v0
