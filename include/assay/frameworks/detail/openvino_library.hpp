#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/detail/openvino_interface.hpp"
#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0::detail {

/// The library's functions, its core and the request of the program that ran last. It is never unloaded: runtimes leave
/// threads behind.
class OpenVinoLibrary {
 public:
  OpenVinoLibrary() = default;
  OpenVinoLibrary(const OpenVinoLibrary&) = delete;
  OpenVinoLibrary& operator=(const OpenVinoLibrary&) = delete;
  ~OpenVinoLibrary();

  [[nodiscard]] Result<void> open(const std::string& path);
  [[nodiscard]] Result<ExecutorDescription> describe();
  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs);

 private:
  using Handle = void*;

  [[nodiscard]] void* symbol(const char* name) const;
  /// Calls the function of that name, which returns a status. Errors: `device` with what it says, `unsupported` where
  /// it says that it is not implemented, or where there is no such function.
  template <class... Parameters, class... Arguments>
  [[nodiscard]] Result<void> call(const char* name, const char* what, Arguments... arguments) {
    void* const function = symbol(name);
    if (function == nullptr) return missing(name, what);
    return judged(reinterpret_cast<int (*)(Parameters...)>(function)(arguments...), what);
  }
  void release(const char* name, Handle& object) {
    void* const function = symbol(name);
    if (object != nullptr && function != nullptr) reinterpret_cast<void (*)(Handle)>(function)(object);
    object = nullptr;
  }
  [[nodiscard]] Failure missing(const char* name, const char* what) const;
  [[nodiscard]] Result<void> judged(int status, const char* what) const;

  [[nodiscard]] Result<void> prepare();
  /// Whether element types have the numbers that are used here: older versions count one further.
  [[nodiscard]] Result<void> check_element_types();
  [[nodiscard]] Result<void> compile(const GraphProgram& program);
  [[nodiscard]] Result<void> check_device(const std::string& asked);
  [[nodiscard]] Result<void> bind(const GraphTensor& input, std::vector<Handle>& tensors);
  [[nodiscard]] Result<GraphTensor> fetch(const std::string& name);
  /// Of scalars the library refuses to tell; what is no scalar has another size, which is asked for next.
  [[nodiscard]] Result<void> read_shape(Handle tensor, ov::Shape& shape) const;
  [[nodiscard]] Result<GraphTensor> fetch_from(Handle tensor, const std::string& name);
  [[nodiscard]] Result<std::vector<NodeAssignment>> read_profile(const std::string& device);
  void forget_model();

  void* library_ = nullptr;
  std::string version_, path_;
  Handle core_ = nullptr, compiled_ = nullptr, request_ = nullptr;
  GraphProgram program_;  ///< of the request
  std::vector<std::string> inputs_, outputs_;
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/openvino_library.ipp"
#endif
