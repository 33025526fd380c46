#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/core/result.hpp"
#include "assay/plugin/detail/read_plugin.hpp"
#include "assay/plugin/plugin.h"
#include "assay/suite/bytes.hpp"

namespace assay::inline v0::detail {

/// What a kernel says of itself, without its functions.
struct KernelDescription {
  std::string operation, accumulator;  ///< an empty accumulator: none is promised
  double function_errors = 0;
  std::int32_t truncating = 0;
  std::int64_t block = 0;
  std::string promises, contract;
  std::uint64_t flags = 0;
};

/// What a plugin says of itself, so that another process can learn it.
struct PluginDescription {
  std::string name, version;
  bool thread_safe = false;
  std::vector<KernelDescription> kernels;
};

template <class Archive, class Described>
requires std::same_as<std::remove_const_t<Described>, KernelDescription>
void exchange(Archive& archive, Described& described) {
  archive(described.operation, described.accumulator, described.function_errors, described.truncating, described.block,
          described.promises, described.contract, described.flags);
}
template <class Archive, class Described>
requires std::same_as<std::remove_const_t<Described>, PluginDescription>
void exchange(Archive& archive, Described& described) {
  archive(described.name, described.version, described.thread_safe, described.kernels);
}

[[nodiscard]] std::string encode_description(const ReadPlugin& plugin);

/// The plugin that another process described, checked again; its kernels refuse to run. `malformed` for bytes of
/// something else.
[[nodiscard]] Result<ReadPlugin> decode_description(const std::string& bytes, const std::string& source,
                                                    const std::vector<std::string>& operations);

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/plugin/detail/plugin_description.ipp"
#endif
