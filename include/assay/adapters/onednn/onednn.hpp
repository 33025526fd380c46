#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <string>
#include <string_view>

#include "assay/backends/host.hpp"

namespace assay::inline v0 {

namespace detail {

/// The instruction sets that oneDNN's kernels are generated for, after DNNL_MAX_CPU_ISA and what the processor has.
[[nodiscard]] inline std::string onednn_instruction_set() {
  using Isa = dnnl::cpu_isa;
  switch (dnnl::get_effective_cpu_isa()) {
    case Isa::sse41: return "sse41";
    case Isa::avx: return "avx";
    case Isa::avx2: return "avx2";
    case Isa::avx2_vnni: return "avx2_vnni";
    case Isa::avx512_core: return "avx512_core";
    case Isa::avx512_core_vnni: return "avx512_core_vnni";
    case Isa::avx512_core_bf16: return "avx512_core_bf16";
    case Isa::avx512_core_amx: return "avx512_core_amx";
#if DNNL_VERSION_MAJOR >= 3
    case Isa::avx512_core_fp16: return "avx512_core_fp16";
    case Isa::avx512_core_amx_fp16: return "avx512_core_amx_fp16";
    case Isa::avx2_vnni_2: return "avx2_vnni_2";
#endif
    default: return "instruction set " + std::to_string(static_cast<unsigned>(dnnl::get_effective_cpu_isa()));
  }
}

}  // namespace detail

/// oneDNN's CPU engine on the host's memory. Its kernels return when they are done and use oneDNN's own threads.
struct OneDnn : Host {
  using Host::Host;

  [[nodiscard]] std::string_view name() const { return "onednn"; }

  /// The library that runs, not the one compiled against: version, commit where known, and the instruction set in
  /// effect.
  [[nodiscard]] static std::string version() {
    const dnnl::version_t& library = *dnnl::version();
    std::string text =
        std::to_string(library.major) + "." + std::to_string(library.minor) + "." + std::to_string(library.patch);
    if (const std::string commit = library.hash; !commit.empty() && commit != "N/A")
      text += " (" + commit.substr(0, 12) + ")";
    return text + ", kernels for " + detail::onednn_instruction_set();
  }
};

}  // namespace assay::inline v0
