#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "assay/backends/host.hpp"
#include "assay/core/floating_point_guard.hpp"
#include "assay/core/result.hpp"
#include "assay/plugin/detail/plugin_structures.hpp"
#include "assay/plugin/detail/plugin_workspace.hpp"
#include "assay/plugin/plugin.h"
#include "assay/plugin/plugin_request.hpp"
#include "assay/suite/single_process.hpp"
#include "assay/tensor/dlpack_export.hpp"

namespace assay::inline v0::detail {

/// One launch of a plugin's kernel. `title` begins messages.
class PluginCall {
 public:
  PluginCall(std::string title, const assay_plugin_kernel& kernel, const PluginRequest& request)
      : title_(std::move(title)), kernel_(kernel), request_(request) {}
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  [[nodiscard]] Result<void> run();

 private:
  [[nodiscard]] Failure told(ErrorKind kind, const std::string& what) const {
    return failure(kind, title_ + ": " + what);
  }

  /// What the plugin wrote, which need not have ended it.
  [[nodiscard]] std::string reason(const char* otherwise) const {
    const std::string text(message_.data(), ::strnlen(message_.data(), message_.size()));
    return text.empty() ? otherwise : text;
  }

  template <class Call>
  [[nodiscard]] Result<void> guarded([[maybe_unused]] const char* function, const Call& call) const {
    const SingleProcess forked_by_the_plugin_ends;
#if defined(__cpp_exceptions)
    try {
      call();
    } catch (const std::exception& thrown) {
      return told(ErrorKind::device,
                  std::string(function) + " threw an exception, which must not leave a plugin: " + thrown.what());
    } catch (...) {
      return told(ErrorKind::device, std::string(function) + " threw something, which must not leave a plugin");
    }
#else
    call();
#endif
    return {};
  }

  static void* managed(const assay_plugin_launch* launch, const assay_plugin_tensor* tensor, std::int32_t versioned);

  /// Of the older form, inputs are not marked read-only: it cannot say so.
  template <class Managed>
  [[nodiscard]] void* exported(const PluginTensor& tensor) {
    const bool read_only = dlpack::is_versioned<Managed> && tensor.role == OperandRole::input;
    auto made = export_dlpack<Managed>(Memory{}, tensor.operand, BorrowedMemory{}, read_only);
    if (made) return std::move(made).value().release();
    write_message(made.error().message);
    return nullptr;
  }

  void write_message(const std::string& text) {
    const std::size_t length = std::min(text.size(), message_.size() - 1);
    std::memcpy(message_.data(), text.data(), length);
    message_[length] = '\0';
  }

  /// Tells only where tensors lie.
  struct Memory {
    [[nodiscard]] static std::string_view name() { return "host"; }
    [[nodiscard]] static dlpack::Device dlpack_device() { return {dlpack::DeviceType::cpu, 0}; }
  };

  std::string title_;
  const assay_plugin_kernel& kernel_;
  const PluginRequest& request_;
  PluginStructures structures_;
  PluginWorkspace workspace_;
  std::array<char, 2048> message_{};
};

}  // namespace assay::inline v0::detail

#if !defined(ASSAY_COMPILED)
#include "assay/plugin/detail/plugin_call.ipp"
#endif
