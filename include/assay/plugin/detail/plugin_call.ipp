#pragma once

#include "assay/plugin/detail/plugin_call.hpp"

#include "assay/core/config.hpp"

namespace assay::inline v0::detail {

ASSAY_DETAIL_HEADER_INLINE Result<void> PluginCall::run() {
  if (auto built = structures_.build(request_); !built) return told(built.error().kind, built.error().message);
  const FloatingPointGuard restores_the_state_of_floating_point;
  const assay_plugin_problem* const problem = &structures_.problem();
  if (kernel_.supports != nullptr) {
    std::int32_t supported = 0;
    if (auto called =
            guarded("supports",
                    [&] { supported = kernel_.supports(kernel_.context, problem, message_.data(), message_.size()); });
        !called)
      return called;
    if (supported == 0) return told(ErrorKind::unsupported, reason("does not take this problem, and gave no reason"));
    if (supported != 1)
      return told(ErrorKind::device, "supports returned " + std::to_string(supported) + "; it returns 1 or 0");
  }
  if (kernel_.workspace_bytes != nullptr) {
    std::uint64_t bytes = 0;
    if (auto called = guarded("workspace_bytes", [&] { bytes = kernel_.workspace_bytes(kernel_.context, problem); });
        !called)
      return called;
    if (auto allocated = workspace_.allocate(bytes); !allocated)
      return told(allocated.error().kind, allocated.error().message);
  }
  structures_.give_data(request_, (kernel_.flags & ASSAY_PLUGIN_BYTE_OFFSETS) != 0);
  message_.fill('\0');
  const assay_plugin_launch launch{sizeof launch,   workspace_.data(), workspace_.size(), nullptr,
                                   message_.data(), message_.size(),   &managed,          this};
  std::int32_t status = ASSAY_PLUGIN_ERROR;
  if (auto called = guarded("run", [&] { status = kernel_.run(kernel_.context, problem, &launch); }); !called)
    return called;
  if (!workspace_.intact())
    return told(ErrorKind::device, "run wrote behind its workspace of " + std::to_string(workspace_.size()) + " bytes");
  switch (status) {
    case ASSAY_PLUGIN_OK: return {};
    case ASSAY_PLUGIN_UNSUPPORTED:
      return told(ErrorKind::unsupported, reason("does not take this problem, and gave no reason"));
    case ASSAY_PLUGIN_ERROR: return told(ErrorKind::device, reason("reported an error, and gave no reason"));
    default:
      return told(ErrorKind::device, "run returned " + std::to_string(status) +
                                         "; it returns 0 (done), 1 (unsupported) or 2 (error)" +
                                         (message_.front() != '\0' ? ". Its message: " + reason("") : std::string()));
  }
}

ASSAY_DETAIL_HEADER_INLINE void* PluginCall::managed(const assay_plugin_launch* launch,
                                                     const assay_plugin_tensor* tensor, std::int32_t versioned) {
  PluginCall& self = *static_cast<PluginCall*>(launch->host);
  const assay_plugin_problem& problem = self.structures_.problem();
  for (std::size_t i = 0; i < self.request_.tensors.size(); ++i)
    if (tensor != nullptr && problem.tensors[i] == tensor)
      return versioned != 0 ? self.exported<dlpack::ManagedTensorVersioned>(self.request_.tensors[i])
                            : self.exported<dlpack::ManagedTensor>(self.request_.tensors[i]);
  self.write_message("managed was given what is not one of the problem's tensors");
  return nullptr;
}

}  // namespace assay::inline v0::detail
