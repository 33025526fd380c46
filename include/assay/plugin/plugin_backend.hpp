#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "assay/backends/host.hpp"
#include "assay/core/misuse.hpp"
#include "assay/core/result.hpp"
#include "assay/kernels/gemm/gemm.hpp"
#include "assay/kernels/kernel.hpp"
#include "assay/plugin/loaded_plugin.hpp"
#include "assay/plugin/plugin_request.hpp"

namespace assay::inline v0 {

/// A plugin as a backend: memory of the host, and the plugin's name. Its kernels are found by `kernel<PluginBackend,
/// Op>`, for every operation whose problems name their fields, and for GEMM; what the plugin does not have is
/// `unsupported`. Copies share the plugin.
class PluginBackend : public Host {
 public:
  /// Misuse: no plugin.
  explicit PluginBackend(std::shared_ptr<const LoadedPlugin> plugin) : Host(1), plugin_(std::move(plugin)) {
    expect(plugin_ != nullptr, [] { return "a PluginBackend was made of no plugin; load one first"; });
  }

  [[nodiscard]] std::string_view name() const noexcept { return plugin_->name(); }
  /// Where the kernels come from.
  [[nodiscard]] const LoadedPlugin& plugin() const noexcept { return *plugin_; }

 private:
  std::shared_ptr<const LoadedPlugin> plugin_;
};

/// Errors: see `LoadedPlugin::run`.
template <Operation Op>
requires NamesItsFields<typename Op::Problem>
struct kernel<PluginBackend, Op> {
  static constexpr bool available = true;

  static Result<void> run(PluginBackend& backend, PluginBackend::Stream&, const typename Op::Problem& problem,
                          const OperandArray& operands) {
    const auto request = plugin_request<Op>(problem, operands);
    if (!request) return request.propagate();
    return backend.plugin().run(request.value());
  }
};

template <Format A, Format B, Format Accumulator, Format C>
struct kernel<PluginBackend, Gemm<A, B, Accumulator, C>> {
  static constexpr bool available = true;

  static Result<void> run(PluginBackend& backend, PluginBackend::Stream&, const GemmProblem& problem,
                          const GemmArguments<A, B, C>& arguments) {
    return backend.plugin().run(plugin_request(Gemm<A, B, Accumulator, C>{}, problem, arguments));
  }
};

}  // namespace assay::inline v0
