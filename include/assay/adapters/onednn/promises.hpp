#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/tolerance/unit_promise.hpp"

namespace assay::inline v0 {

/// Whether this processor has dot products of bfloat16 (AVX512_BF16; all processors with AMX-BF16 have it).
[[nodiscard]] inline bool has_bf16_dot_products() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512bf16") != 0;
#else
  return false;
#endif
}

/// What the units that oneDNN's kernels run on are documented to do: where there are dot products of bfloat16, oneDNN
/// computes bf16 GEMM, convolution and attention by them, and they take subnormal inputs for 0, write 0 for subnormal
/// results, and heed no control register (Intel 64 and IA-32 Architectures Software Developer's Manual, VDPBF16PS,
/// TDPBF16PS). `backend` is the name of kernels in ids: "onednn", or "onednn@avx2" for those of one instruction set.
[[nodiscard]] inline std::vector<UnitPromise> onednn_promises(const std::string& backend,
                                                              bool bf16_dot_products = has_bf16_dot_products()) {
  const std::size_t chosen = backend.find('@');
  const std::string_view set = chosen == std::string::npos ? "" : std::string_view(backend).substr(chosen + 1);
  const bool by_them = set.empty() || set.find("bf16") != std::string_view::npos ||
                       set.find("fp16") != std::string_view::npos || set.find("amx") != std::string_view::npos;
  if (!bf16_dot_products || !by_them) return {};
  return {{UnitProperty::flush_products, {"bf16"}, "documented by Intel of VDPBF16PS and TDPBF16PS", backend}};
}

}  // namespace assay::inline v0
