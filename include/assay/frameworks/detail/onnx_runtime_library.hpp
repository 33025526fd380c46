#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/detail/onnx_runtime_interface.hpp"
#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0::detail {

/// The library's table, an environment and the session of the program that ran last. It is never unloaded: runtimes
/// leave threads behind.
class OnnxRuntimeLibrary {
 public:
  OnnxRuntimeLibrary() = default;
  OnnxRuntimeLibrary(const OnnxRuntimeLibrary&) = delete;
  OnnxRuntimeLibrary& operator=(const OnnxRuntimeLibrary&) = delete;
  ~OnnxRuntimeLibrary();

  [[nodiscard]] Result<void> open(const std::string& path);
  [[nodiscard]] Result<ExecutorDescription> describe();
  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs);

 private:
  using Handle = void*;

  /// Calls the function at a slot that returns a status. Errors: `device` with what it says, `unsupported` where it
  /// says that it is not implemented, or where the table has no such function.
  template <class... Parameters, class... Arguments>
  [[nodiscard]] Result<void> call(ort::Slot slot, const char* what, Arguments... arguments) {
    if (table_[slot] == nullptr) return missing(slot, what);
    using Function = Handle(Parameters...);
    return judged(reinterpret_cast<Function*>(const_cast<void*>(table_[slot]))(arguments...), what);
  }
  void release(ort::Slot slot, Handle& object) {
    if (object != nullptr && table_[slot] != nullptr)
      reinterpret_cast<void (*)(Handle)>(const_cast<void*>(table_[slot]))(object);
    object = nullptr;
  }
  [[nodiscard]] Failure missing(int slot, const char* what) const;
  [[nodiscard]] Result<void> judged(Handle status, const char* what);

  [[nodiscard]] Result<void> prepare();
  [[nodiscard]] Result<void> compile(const GraphProgram& program);
  [[nodiscard]] Result<void> configure(Handle options, const ExecutionMode& mode);
  [[nodiscard]] Result<void> append_provider(Handle options, const ExecutionProvider& provider);
  [[nodiscard]] Result<void> append_devices(Handle options, const ExecutionProvider& provider);
  [[nodiscard]] Result<void> read_names(ort::Slot count_slot, ort::Slot name_slot, std::vector<std::string>& names);
  [[nodiscard]] Result<GraphTensor> fetch(Handle value, const std::string& name);
  [[nodiscard]] Result<std::vector<NodeAssignment>> end_profile();
  void forget_session();

  const void* const* table_ = nullptr;
  std::uint32_t api_ = 0;
  std::string version_, path_;
  Handle environment_ = nullptr, memory_ = nullptr, session_ = nullptr;
  GraphProgram program_;  ///< of the session
  std::vector<std::string> inputs_, outputs_;
  std::vector<std::pair<std::string, std::string>> registered_;  ///< libraries of providers, and their names
  bool profiled_ = false;
};

/// The nodes of a profile that ONNX Runtime wrote, one event a line.
[[nodiscard]] std::vector<NodeAssignment> read_onnx_runtime_profile(const std::string& text);

/// Whether that provider of a profile ("CPUExecutionProvider") is the one that was asked for ("cpu", "OpenVINO").
[[nodiscard]] bool is_provider(const std::string& told, const std::string& asked);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/onnx_runtime_library.ipp"
#endif
