#pragma once

#include "assay/plugin/loaded_plugin.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "assay/core/config.hpp"
#include "assay/core/floating_point_guard.hpp"
#include "assay/suite/glob.hpp"

namespace assay::inline v0 {

ASSAY_DETAIL_HEADER_INLINE Arithmetic LoadedPlugin::arithmetic(std::string_view operation, bool is_double) const {
  const detail::PluginKernel* const kernel = find(operation);
  Arithmetic arithmetic = is_double ? arithmetic_in<float64>() : arithmetic_in<float32>();
  if (kernel == nullptr) return arithmetic;
  if (kernel->accumulation) arithmetic.accumulation = *kernel->accumulation;
  if (kernel->calls.function_errors > 0) arithmetic.function_errors = kernel->calls.function_errors;
  if (kernel->calls.block > 1) arithmetic.accumulation.block = kernel->calls.block;
  if (kernel->calls.truncating != 0 && !arithmetic.accumulation.truncating) {
    arithmetic.accumulation.truncating = true;
    arithmetic.accumulation.unit_roundoff *= 2;
  }
  return arithmetic;
}

ASSAY_DETAIL_HEADER_INLINE bool LoadedPlugin::takes(std::string_view operation, std::string_view formats) const {
  const detail::PluginKernel* const kernel = find(operation);
  return kernel != nullptr &&
         (kernel->formats.empty() || std::any_of(kernel->formats.begin(), kernel->formats.end(),
                                                 [&](const std::string& glob) { return glob_matches(glob, formats); }));
}

ASSAY_DETAIL_HEADER_INLINE Result<void> LoadedPlugin::run(const PluginRequest& request) const {
  const detail::PluginKernel* const kernel = find(request.operation);
  if (kernel == nullptr)
    return failure(ErrorKind::unsupported, "plugin " + name() + " has no kernel for " + request.operation +
                                               "; it has " + detail::joined_names(operations()));
  for (const RecordedField& fixed : kernel->contract) {
    const auto given = std::find_if(request.attributes.begin(), request.attributes.end(),
                                    [&](const PluginAttribute& attribute) { return attribute.name == fixed.name; });
    const auto same = [&] {
      double value = 0;
      const char* const end = fixed.value.data() + fixed.value.size();
      const auto [read, code] = std::from_chars(fixed.value.data(), end, value);
      return given->text == fixed.value ||
             (given->kind != PluginAttributeKind::text && code == std::errc() && read == end && value == given->real);
    };
    if (given != request.attributes.end() && !same())
      return failure(ErrorKind::unsupported, "plugin " + name() + ", " + request.operation + ": " + fixed.name +
                                                 " is " + given->text + "; the kernel's contract fixes it at " +
                                                 fixed.value);
  }
  std::unique_lock<std::mutex> one_at_a_time(*calling_, std::defer_lock);
  if (!read_.thread_safe) one_at_a_time.lock();
  if (kernel->function) {
    const FloatingPointGuard restores_the_state_of_floating_point;
    const auto done = kernel->function(request);
    if (done) return {};
    return failure(done.error().kind, name() + ", " + request.operation + ": " + done.error().message);
  }
  return detail::PluginCall("plugin " + name() + ", " + request.operation, kernel->calls, request).run();
}

}  // namespace assay::inline v0
