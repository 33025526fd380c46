#pragma once

#include "assay/plugin/function_plugin.hpp"

#include <cstdint>
#include <utility>

#include "assay/core/config.hpp"
#include "assay/core/misuse.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Result<std::shared_ptr<const LoadedPlugin>> plugin_of_functions(
    const std::string& name, const std::string& version, std::string source,
    const std::vector<PluginFunction>& functions, const std::vector<std::string>& operations) {
  std::vector<assay_plugin_kernel> kernels(functions.size());
  std::vector<const assay_plugin_kernel*> list;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const PluginFunction& function = functions[i];
    expect(static_cast<bool>(function.run), [] { return "a PluginFunction has no function to run"; });
    kernels[i].size = sizeof(assay_plugin_kernel);
    kernels[i].operation = function.operation.c_str();
    kernels[i].accumulator = function.accumulator.empty() ? nullptr : function.accumulator.c_str();
    kernels[i].function_errors = function.function_errors;
    kernels[i].promises = function.promises.empty() ? nullptr : function.promises.c_str();
    kernels[i].contract = function.contract.empty() ? nullptr : function.contract.c_str();
    kernels[i].run = [](void*, const assay_plugin_problem*, const assay_plugin_launch*) -> std::int32_t {
      return ASSAY_PLUGIN_ERROR;  // never called: the function is
    };
    list.push_back(&kernels[i]);
  }
  assay_plugin plugin{};
  plugin.size = sizeof plugin;
  plugin.abi = ASSAY_PLUGIN_ABI;
  plugin.name = name.c_str();
  plugin.version = version.c_str();
  plugin.kernel_count = list.size();
  plugin.kernels = list.data();
  auto read = detail::read_plugin(&plugin, std::move(source), operations);
  if (!read) return read.propagate();
  for (std::size_t i = 0; i < functions.size(); ++i) {
    read.value().kernels[i].formats = functions[i].formats;
    read.value().kernels[i].function = functions[i].run;
  }
  return std::shared_ptr<const LoadedPlugin>(std::make_shared<LoadedPlugin>(std::move(read).value()));
}

}  // namespace assay::inline v0
