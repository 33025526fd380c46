#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/core/nearest_name.hpp"
#include "assay/core/printed_number.hpp"
#include "assay/core/result.hpp"
#include "assay/formats/format_list.hpp"
#include "assay/plugin/plugin.h"
#include "assay/suite/case_record.hpp"
#include "assay/tolerance/accumulation_model.hpp"

namespace assay::inline v0 {
struct PluginRequest;
}

namespace assay::inline v0::detail {

struct PluginKernel {
  std::string operation;
  std::optional<AccumulationModel> accumulation;  ///< none is promised otherwise
  assay_plugin_kernel calls{};                    ///< what lies behind the size that the plugin gave is zero
  std::string promises;                           ///< of its unit, as `read_promises` takes them
  std::vector<RecordedField> contract;            ///< attributes that it fixes
  std::vector<std::string> formats;               ///< globs of those that it takes; none: all
  std::function<Result<void>(const PluginRequest&)> function;  ///< of this program: called instead of `calls.run`
};

struct ReadPlugin {
  std::string source, name, version;
  bool thread_safe = false;
  std::vector<PluginKernel> kernels;
};

[[nodiscard]] inline std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Reads descriptions member by member; every refusal names the source.
class PluginReader {
 public:
  PluginReader(std::string source, const std::vector<std::string>& operations) : operations_(operations) {
    read_.source = std::move(source);
  }

  [[nodiscard]] Result<ReadPlugin> read(const assay_plugin* given);

 private:
  static constexpr std::uint64_t most_kernels = 1024;
  static constexpr std::uint32_t oldest_major = 1;
  /// What version 1.0 has, and every version of this major one.
  static constexpr std::size_t plugin_size_1_0 = offsetof(assay_plugin, kernels) + sizeof(void*);
  static constexpr std::size_t kernel_size_1_0 = offsetof(assay_plugin_kernel, run) + sizeof(void*);

  [[nodiscard]] Failure refused(ErrorKind kind, const std::string& what) const {
    return failure(kind, read_.source + ": " + what);
  }
  [[nodiscard]] Failure malformed(const std::string& what) const { return refused(ErrorKind::malformed, what); }
  [[nodiscard]] Failure too_small(const std::string& what, std::uint64_t size, std::size_t needed) const {
    return malformed("the size of " + what + " is " + std::to_string(size) + "; set it to sizeof, " +
                     std::to_string(needed) + " or more");
  }

  [[nodiscard]] Result<void> read_kernel(const std::string& place, const assay_plugin_kernel* given);

  const std::vector<std::string>& operations_;
  std::uint32_t major_ = ASSAY_PLUGIN_ABI_MAJOR;  ///< that the plugin was built for
  ReadPlugin read_;
};

[[nodiscard]] inline Result<ReadPlugin> read_plugin(const assay_plugin* plugin, std::string source,
                                                    const std::vector<std::string>& operations) {
  return PluginReader(std::move(source), operations).read(plugin);
}

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/plugin/detail/read_plugin.ipp"
#endif
