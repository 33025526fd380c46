#pragma once

#include "assay/plugin/detail/read_plugin.hpp"

#include <algorithm>

#include "assay/core/config.hpp"
#include "assay/tolerance/unit_promise.hpp"
#include "assay/validators/kernel_contract.hpp"

namespace assay::inline v0::detail {

/// "1.0".
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE std::string plugin_abi_name(std::uint32_t abi) {
  return std::to_string(abi >> 16) + "." + std::to_string(abi & 0xFFFF);
}

/// Whether a text ends within `most` bytes and has no others than those of names.
[[nodiscard]] ASSAY_DETAIL_HEADER_INLINE bool is_plugin_name(const char* text, std::size_t most) {
  static constexpr const char* letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  const std::size_t length = ::strnlen(text, most + 1);
  return length > 0 && length <= most && std::strspn(text, letters) == length;
}

ASSAY_DETAIL_HEADER_INLINE Result<ReadPlugin> PluginReader::read(const assay_plugin* given) {
  if (given == nullptr)
    return refused(ErrorKind::unsupported,
                   "it gave no description: it does not work with plugin ABI " + plugin_abi_name(ASSAY_PLUGIN_ABI));
  if (given->size < offsetof(assay_plugin, flags)) return too_small("assay_plugin", given->size, sizeof(assay_plugin));
  major_ = given->abi >> 16;
  if (major_ < oldest_major || major_ > ASSAY_PLUGIN_ABI_MAJOR)
    return refused(ErrorKind::unsupported, "it was built for plugin ABI " + plugin_abi_name(given->abi) +
                                               ", and this is " + plugin_abi_name(ASSAY_PLUGIN_ABI) +
                                               ", which takes those of " + std::to_string(oldest_major) +
                                               ".x, too; build it with this version's assay/plugin/plugin.h");
  if (given->size < plugin_size_1_0) return too_small("assay_plugin", given->size, sizeof(assay_plugin));
  assay_plugin plugin{};
  std::memcpy(&plugin, given, static_cast<std::size_t>(std::min<std::uint64_t>(given->size, sizeof plugin)));
  if (plugin.name == nullptr) return malformed("name is null; give it the backend's name");
  if (!is_plugin_name(plugin.name, 64)) return malformed("name is not 1 to 64 letters, digits, '_', '-' and '.'");
  read_.name = plugin.name;
  if (plugin.version != nullptr) read_.version = std::string(plugin.version, ::strnlen(plugin.version, 200));
  read_.thread_safe = (plugin.flags & ASSAY_PLUGIN_THREAD_SAFE) != 0;
  if (plugin.kernel_count == 0) return malformed("it has no kernels: kernel_count is 0");
  if (plugin.kernel_count > most_kernels)
    return malformed("kernel_count is " + std::to_string(plugin.kernel_count) + "; at most " +
                     std::to_string(most_kernels) + " are taken");
  if (plugin.kernels == nullptr)
    return malformed("kernels is null, and kernel_count is " + std::to_string(plugin.kernel_count));
  for (std::uint64_t i = 0; i < plugin.kernel_count; ++i)
    if (auto read = read_kernel("kernels[" + std::to_string(i) + "]", plugin.kernels[i]); !read)
      return read.propagate();
  return std::move(read_);
}

ASSAY_DETAIL_HEADER_INLINE Result<void> PluginReader::read_kernel(const std::string& place,
                                                                  const assay_plugin_kernel* given) {
  if (given == nullptr) return malformed(place + " is null");
  if (given->size < kernel_size_1_0) return too_small(place, given->size, sizeof(assay_plugin_kernel));
  PluginKernel kernel;
  std::memcpy(&kernel.calls, given,
              static_cast<std::size_t>(std::min<std::uint64_t>(given->size, sizeof kernel.calls)));
  if (given->operation == nullptr) return malformed(place + ".operation is null; name one of assay list ops");
  if (!is_plugin_name(given->operation, 64))
    return malformed(place + ".operation is not a name; name one of assay list ops");
  kernel.operation = given->operation;
  kernel.calls.operation = kernel.calls.accumulator = nullptr;  // texts of the plugin's, which this does not keep
  const std::string what = place + " (" + kernel.operation + ")";
  if (!operations_.empty() && std::find(operations_.begin(), operations_.end(), kernel.operation) == operations_.end())
    return malformed(place + ": " + unknown_name("operation", kernel.operation, operations_));
  for (const PluginKernel& other : read_.kernels)
    if (other.operation == kernel.operation)
      return malformed(what + " is the second of its operation; an operation has one kernel");
  if (given->run == nullptr) return malformed(what + ".run is null; it is what computes");
  if (!(given->function_errors >= 0) || given->function_errors > 0x1p40)
    return malformed(what + ".function_errors is " + printed_number(given->function_errors) +
                     "; give 0 for the default, or a number of unit roundoffs");
  if (given->block < 0 || given->block > 1 << 20)
    return malformed(what + ".block is " + std::to_string(given->block) +
                     "; give 0, or how many products are added at once");
  if (given->accumulator != nullptr) {
    const auto model = with_format(FormatList<float64, float32, tfloat32, float16, bfloat16>{},
                                   std::string_view(given->accumulator, ::strnlen(given->accumulator, 64)),
                                   []<class T>() { return accumulation_in<T>(); });
    if (!model) return malformed(what + ".accumulator: " + model.error().message);
    kernel.accumulation = model.value();
  }
  if (kernel.calls.promises != nullptr) {
    kernel.promises = std::string(kernel.calls.promises, ::strnlen(kernel.calls.promises, 1024));
    if (const auto promises = read_promises(kernel.promises, read_.name); !promises)
      return malformed(what + ".promises: " + promises.error().message);
  }
  if (major_ < 2) {  // such a plugin has not these members, whatever size it says
    kernel.calls.contract = nullptr;
    kernel.calls.flags = 0;
  }
  if (kernel.calls.contract != nullptr) {
    auto contract = read_contract(std::string_view(kernel.calls.contract, ::strnlen(kernel.calls.contract, 1024)));
    if (!contract) return malformed(what + ".contract: " + contract.error().message);
    kernel.contract = std::move(contract).value();
    if (!kernel.contract.empty() && (kernel.operation == "quantize" || kernel.operation == "dequantize"))
      return malformed(what + ".contract fixes " + kernel.contract.front().name +
                       "; kernels of this operation refuse the schemes that they do not have");
  }
  if ((kernel.calls.flags & ~std::uint64_t{ASSAY_PLUGIN_BYTE_OFFSETS}) != 0)
    return malformed(what + ".flags is " + std::to_string(kernel.calls.flags) +
                     "; give 0 or ASSAY_PLUGIN_BYTE_OFFSETS");
  kernel.calls.promises = kernel.calls.contract = nullptr;
  read_.kernels.push_back(std::move(kernel));
  return {};
}

}  // namespace assay::inline v0::detail
