#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/frameworks/detail/pjrt_interface.hpp"
#include "assay/frameworks/door/graph_executor.hpp"

namespace assay::inline v0::detail {

/// A plugin's table, a client and the executable of the program that ran last. It is never unloaded: runtimes leave
/// threads behind.
class PjrtLibrary {
 public:
  PjrtLibrary() = default;
  PjrtLibrary(const PjrtLibrary&) = delete;
  PjrtLibrary& operator=(const PjrtLibrary&) = delete;
  ~PjrtLibrary();

  [[nodiscard]] Result<void> open(const std::string& path);
  [[nodiscard]] Result<ExecutorDescription> describe();
  [[nodiscard]] Result<GraphRun> run(const GraphProgram& program, const std::vector<GraphTensor>& inputs);

 private:
  using Handle = void*;

  /// Calls the function at a slot with its block of arguments, `size` bytes long. Errors: `device` with what it says;
  /// `unsupported` where it says that it is not implemented, or where the table has no such function.
  [[nodiscard]] Result<void> call(pjrt::Slot slot, const char* what, pjrt::Head* arguments, std::size_t size);
  template <class Arguments>
  [[nodiscard]] Result<void> call(pjrt::Slot slot, const char* what, Arguments& arguments) {
    return call(slot, what, &arguments, sizeof arguments);
  }
  [[nodiscard]] void* function_at(pjrt::Slot slot) const;
  void destroy(pjrt::Slot slot, Handle& object);
  [[nodiscard]] Result<void> judged(Handle error, const char* what);
  [[nodiscard]] Result<void> awaited(Handle event, const char* what);

  [[nodiscard]] Result<void> prepare();
  [[nodiscard]] Result<void> check_platform(const ExecutionMode& mode) const;
  [[nodiscard]] Result<void> compile(const GraphProgram& program);
  [[nodiscard]] Result<Handle> put(const GraphTensor& tensor);
  [[nodiscard]] Result<GraphTensor> fetch(Handle buffer, std::string name);

  const pjrt::Api* api_ = nullptr;
  std::string path_, version_, platform_, platform_version_;
  Handle client_ = nullptr, device_ = nullptr, executable_ = nullptr;
  std::size_t devices_ = 0, output_count_ = 0;
  GraphProgram program_;  ///< of the executable
  std::vector<std::string> inputs_, outputs_;
};

/// Names of the arguments of a module's function `main`, and of its results where `jax.result_info` tells them.
struct ModuleNames {
  std::vector<std::string> inputs, outputs;
};
[[nodiscard]] ModuleNames read_module_names(const std::string& text);

/// A message of XLA's CompileOptionsProto: one replica, one partition, and flags, such as
/// "xla_allow_excess_precision" → "false". Values are truth values, integers, fractions or texts, as they look.
[[nodiscard]] std::string pjrt_compile_options(const std::vector<std::pair<std::string, std::string>>& flags);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/frameworks/detail/pjrt_library.ipp"
#endif
