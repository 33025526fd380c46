#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/plugin/detail/plugin_call.hpp"
#include "assay/plugin/detail/read_plugin.hpp"
#include "assay/plugin/plugin.h"
#include "assay/plugin/plugin_request.hpp"
#include "assay/tolerance/arithmetic.hpp"
#include "assay/validators/kernel_contract.hpp"

namespace assay::inline v0 {

/// The kernels of a plugin, checked. Copies of what the plugin described, but for its functions and their contexts: the
/// plugin itself must live as long as this.
class LoadedPlugin {
 public:
  /// See `describe_plugin`.
  explicit LoadedPlugin(detail::ReadPlugin read) : read_(std::move(read)) {}

  /// Of the backend in ids.
  [[nodiscard]] const std::string& name() const noexcept { return read_.name; }
  [[nodiscard]] const std::string& version() const noexcept {
    return read_.version;
  }  ///< as it says itself; may be empty
  [[nodiscard]] const std::string& source() const noexcept {
    return read_.source;
  }  ///< the file that it came from, for messages
  /// The operations that the plugin has kernels of, in its order.
  [[nodiscard]] std::vector<std::string> operations() const {
    std::vector<std::string> names;
    for (const detail::PluginKernel& kernel : read_.kernels) names.push_back(kernel.operation);
    return names;
  }
  /// Whether the plugin has a kernel of that operation.
  [[nodiscard]] bool has(std::string_view operation) const noexcept { return find(operation) != nullptr; }

  /// Whether that kernel takes problems of those formats, as ids have them; where it does not say, it may.
  [[nodiscard]] bool takes(std::string_view operation, std::string_view formats) const;

  /// The arithmetic that the kernel of an operation promises; of one that promises none, or that is not there, float64
  /// where tensors hold that, else float32.
  [[nodiscard]] Arithmetic arithmetic(std::string_view operation, bool is_double) const;

  /// What the unit of an operation's kernel is promised to do with special numbers, as `read_promises` takes it; empty
  /// where nothing is promised.
  [[nodiscard]] std::string promises(std::string_view operation) const {
    const detail::PluginKernel* const kernel = find(operation);
    return kernel != nullptr ? kernel->promises : std::string();
  }

  /// What the kernel of an operation fixes of its problems; empty where that is nothing.
  [[nodiscard]] KernelContract contract(std::string_view operation) const {
    const detail::PluginKernel* const kernel = find(operation);
    return kernel != nullptr ? kernel->contract : KernelContract();
  }

  /// Runs a kernel, and returns when it has. Calls are made one after the other unless the plugin says that it is safe
  /// for threads. The rounding mode and the treatment of subnormal numbers are as before afterwards, whatever the
  /// plugin did to them.
  ///
  /// Errors: `unsupported`, with the reason, where the plugin has no such kernel or refuses the problem, or the
  /// kernel's contract does; `device` where it reports an error, returns no status, throws, or writes beyond its
  /// workspace; `out_of_memory` where there is no room for that.
  [[nodiscard]] Result<void> run(const PluginRequest& request) const;

 private:
  [[nodiscard]] const detail::PluginKernel* find(std::string_view operation) const noexcept {
    for (const detail::PluginKernel& kernel : read_.kernels)
      if (kernel.operation == operation) return &kernel;
    return nullptr;
  }

  detail::ReadPlugin read_;
  std::unique_ptr<std::mutex> calling_ = std::make_unique<std::mutex>();
};

/// Checks what a plugin says of itself. `source` names it in messages. `operations` are the names that kernels may
/// bear; none: all.
///
/// Errors: `unsupported` for another major version of the ABI, and where the plugin gave null because it does not work
/// with this one; `malformed`, naming the member, for sizes that are too small, missing or unfit names, no kernels, a
/// kernel without `run`, two kernels of one operation, an unknown operation or accumulator. Pointers that lead nowhere
/// cannot be found out here: see `load_plugin`.
[[nodiscard]] inline Result<std::shared_ptr<const LoadedPlugin>> describe_plugin(
    const assay_plugin* plugin, std::string source, const std::vector<std::string>& operations = {}) {
  auto read = detail::read_plugin(plugin, std::move(source), operations);
  if (!read) return read.propagate();
  return std::shared_ptr<const LoadedPlugin>(std::make_shared<LoadedPlugin>(std::move(read).value()));
}

}  // namespace assay::inline v0

#if !defined(ASSAY_COMPILED)
#include "assay/plugin/loaded_plugin.ipp"
#endif
