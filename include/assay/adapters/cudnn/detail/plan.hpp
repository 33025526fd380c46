#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/adapters/cudnn/detail/graph.hpp"

namespace assay::inline v0::detail {

/// For which device is planned: the one of a handle, or one whose properties are known, which then need not be there.
struct CudnnTarget {
  cudnnHandle_t handle = nullptr;
  const CudnnDescriptor* properties = nullptr;

  void tell(CudnnDescriptor& descriptor, cudnnBackendAttributeName_t of_handle,
            cudnnBackendAttributeName_t of_properties) const {
    if (properties != nullptr)
      descriptor.set(of_properties, *properties);
    else if (handle != nullptr)
      descriptor.set(of_handle, CUDNN_TYPE_HANDLE, 1, &handle);
  }
};

/// Which of cuDNN's engines may be taken, by the notes on their arithmetic.
struct CudnnEngineRules {
  std::vector<cudnnBackendNumericalNote_t> without;
  std::vector<cudnnBackendNumericalNote_t> with;

  [[nodiscard]] std::string refusal(const std::vector<cudnnBackendNumericalNote_t>& notes) const {
    const auto has = [&](cudnnBackendNumericalNote_t note) {
      return std::find(notes.begin(), notes.end(), note) != notes.end();
    };
    for (const auto note : without)
      if (has(note)) return std::string("its engine ") + name_of(note) + ", which the problem rules out";
    for (const auto note : with)
      if (!has(note))
        return std::string("its engine is not one that ") + name_of(note) + ", which the problem asks for";
    return "";
  }
  [[nodiscard]] static const char* name_of(cudnnBackendNumericalNote_t note) {
    switch (note) {
      case CUDNN_NUMERICAL_NOTE_TENSOR_CORE: return "uses tensor cores";
      case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS: return "rounds its inputs";
      case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION: return "adds in the output's format";
      case CUDNN_NUMERICAL_NOTE_FFT: return "transforms by Fourier";
      case CUDNN_NUMERICAL_NOTE_WINOGRAD: return "transforms by Winograd";
      case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC: return "is not deterministic";
      default: return "has another arithmetic";
    }
  }
};

/// How a graph is computed: an engine with its choices, ready to run.
class CudnnPlan {
 public:
  /// The first of the engines that the library proposes which the rules admit and which accepts the graph. Errors:
  /// `unsupported` with the reason for the last one that did not; those of the library and the device.
  [[nodiscard]] static Result<CudnnPlan> make(const CudnnGraph& graph, const CudnnTarget& target,
                                              const CudnnEngineRules& rules, const std::string& about) {
    if (!graph.status()) return graph.status().propagate();
    CudnnDescriptor whole(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    std::vector<cudnnBackendDescriptor_t> operations;
    for (const CudnnDescriptor& operation : graph.operations()) operations.push_back(operation.handle());
    if (target.properties == nullptr) whole.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &target.handle);
    whole
        .set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, static_cast<std::int64_t>(operations.size()),
             operations.data())
        .finalize("the graph of operations");
    if (!whole.status()) return whole.status().propagate();
    Error error{ErrorKind::unsupported, "cuDNN proposes no engine"};
    const auto note =
        [&](Error other) {  // what is wrong with the device or the library is worth more than what is not offered
          if (error.kind == ErrorKind::unsupported) error = std::move(other);
        };
    for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK}) {
      CudnnDescriptor heuristic(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
      heuristic.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, whole)
          .set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
      if (target.properties != nullptr) heuristic.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, *target.properties);
      heuristic.finalize("the choice of an engine");
      if (!heuristic.status()) {
        note(heuristic.status().error());
        continue;
      }
      for (const CudnnDescriptor& configuration : proposals(heuristic)) {
        if (auto refused = rules.refusal(notes_of(configuration)); !refused.empty()) {
          note({ErrorKind::unsupported, refused});
          continue;
        }
        CudnnPlan plan;
        target.tell(plan.descriptor_, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP);
        plan.descriptor_.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration).finalize("a plan");
        if (plan.descriptor_.status()) {
          const auto bytes = plan.descriptor_.get(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64,
                                                  std::vector<std::int64_t>(1));
          if (!bytes) return bytes.propagate();
          plan.workspace_bytes_ = static_cast<std::size_t>(bytes.value().empty() ? 0 : bytes.value()[0]);
          return plan;
        }
        note(plan.descriptor_.status().error());
      }
    }
    return failure(error.kind, error.message + " (" + about + ")");
  }

  [[nodiscard]] std::size_t workspace_bytes() const { return workspace_bytes_; }

  /// Submits to the handle's stream.
  [[nodiscard]] Result<void> run(cudnnHandle_t handle, const CudnnGraph& graph, void* workspace,
                                 const std::string& about) const {
    std::vector<std::int64_t> ids;
    std::vector<void*> addresses;
    for (const auto& [id, address] : graph.data()) {
      ids.push_back(id);
      addresses.push_back(address);
    }
    CudnnDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids)
        .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, static_cast<std::int64_t>(addresses.size()),
             addresses.data());
    pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace).finalize("the addresses");
    if (!pack.status()) return pack.status();
    return cudnn_result("cudnnBackendExecute", cudnnBackendExecute(handle, descriptor_.handle(), pack.handle()), about);
  }

 private:
  CudnnPlan() : descriptor_(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) {}

  [[nodiscard]] static std::vector<CudnnDescriptor> proposals(const CudnnDescriptor& heuristic) {
    std::int64_t count = 0;
    if (cudnnBackendGetAttribute(heuristic.handle(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0,
                                 &count, nullptr) != CUDNN_STATUS_SUCCESS)
      return {};
    std::vector<CudnnDescriptor> found;
    std::vector<cudnnBackendDescriptor_t> handles;
    for (std::int64_t i = 0; i < count; ++i) {
      found.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
      handles.push_back(found.back().handle());
    }
    std::int64_t written = 0;
    if (cudnnBackendGetAttribute(heuristic.handle(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                 count, &written, handles.data()) != CUDNN_STATUS_SUCCESS)
      return {};
    found.erase(found.begin() + std::min(written, count), found.end());
    return found;
  }
  [[nodiscard]] static std::vector<cudnnBackendNumericalNote_t> notes_of(const CudnnDescriptor& configuration) {
    const CudnnDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    cudnnBackendDescriptor_t handle = engine.handle();
    std::int64_t count = 0;
    if (cudnnBackendGetAttribute(configuration.handle(), CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                                 &count, &handle) != CUDNN_STATUS_SUCCESS)
      return {};
    auto notes = engine.get(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                            std::vector<cudnnBackendNumericalNote_t>(CUDNN_NUMERICAL_NOTE_TYPE_COUNT));
    return notes ? std::move(notes).value() : std::vector<cudnnBackendNumericalNote_t>{};
  }

  CudnnDescriptor descriptor_;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace assay::inline v0::detail
