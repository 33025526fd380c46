#pragma once

#include "assay/plugin/detail/plugin_description.hpp"

#include <cstdio>

#include "assay/core/config.hpp"
#include "assay/validators/kernel_contract.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE std::string encode_description(const ReadPlugin& plugin) {
  PluginDescription description{plugin.name, plugin.version, plugin.thread_safe, {}};
  for (const PluginKernel& kernel : plugin.kernels)
    description.kernels.push_back({kernel.operation, kernel.accumulation ? kernel.accumulation->format_name : "",
                                   kernel.calls.function_errors, kernel.calls.truncating, kernel.calls.block,
                                   kernel.promises, contract_text(kernel.contract), kernel.calls.flags});
  ByteWriter writer;
  writer(description);
  return writer.take();
}

/// In place of a kernel that is in another process.
ASSAY_DETAIL_HEADER_INLINE std::int32_t run_elsewhere(void*, const assay_plugin_problem*,
                                                      const assay_plugin_launch* launch) {
  std::snprintf(launch->message, static_cast<std::size_t>(launch->message_capacity),
                "this process knows what the plugin describes, and has not loaded it; load it to run its kernels");
  return ASSAY_PLUGIN_ERROR;
}

ASSAY_DETAIL_HEADER_INLINE Result<ReadPlugin> decode_description(const std::string& bytes, const std::string& source,
                                                                 const std::vector<std::string>& operations) {
  PluginDescription description;
  ByteReader reader(bytes);
  reader(description);
  if (!reader.complete())
    return failure(
        ErrorKind::malformed,
        source + ": the process that loaded it did not tell what it describes; it may write where it must not");
  std::vector<assay_plugin_kernel> kernels(description.kernels.size());
  std::vector<const assay_plugin_kernel*> pointers;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelDescription& described = description.kernels[i];
    kernels[i].size = sizeof kernels[i];
    kernels[i].operation = described.operation.c_str();
    kernels[i].accumulator = described.accumulator.empty() ? nullptr : described.accumulator.c_str();
    kernels[i].function_errors = described.function_errors;
    kernels[i].truncating = described.truncating;
    kernels[i].block = described.block;
    kernels[i].promises = described.promises.empty() ? nullptr : described.promises.c_str();
    kernels[i].contract = described.contract.empty() ? nullptr : described.contract.c_str();
    kernels[i].flags = described.flags;
    kernels[i].run = &run_elsewhere;
    pointers.push_back(&kernels[i]);
  }
  assay_plugin plugin{};
  plugin.size = sizeof plugin;
  plugin.abi = ASSAY_PLUGIN_ABI;
  plugin.flags = description.thread_safe ? ASSAY_PLUGIN_THREAD_SAFE : 0;
  plugin.name = description.name.c_str();
  plugin.version = description.version.c_str();
  plugin.kernel_count = pointers.size();
  plugin.kernels = pointers.data();
  return read_plugin(&plugin, source, operations);
}

}  // namespace assay::inline v0::detail
