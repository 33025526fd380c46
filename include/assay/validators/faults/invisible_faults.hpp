#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// A fault that does not show in the outputs of an operation, with the proof. An empty operation or no formats mean all of them.
struct InvisibleFault {
  std::string_view operation, formats, fault, proof;
};

[[nodiscard]] inline const std::vector<InvisibleFault>& invisible_faults() {
  static const std::vector<InvisibleFault> all{
      {"gemm", "bf16.f32.bf16", "narrow_inputs", "bf16 has 8 significand bits, TF32 keeps 11"},
      {"gemm", "f16.f32.f16", "narrow_inputs", "f16 has 11 significand bits, TF32 keeps 11"},
      {"gemm", "f32.f32.f32", "truncated_output", "the sum already has the output's format: there is nothing to truncate"},
  };
  return all;
}

/// Why a fault is invisible in an operation; empty where it is not.
[[nodiscard]] inline std::string proof_of_invisibility(std::string_view operation, std::string_view fault, std::string_view formats = {}) {
  for (const InvisibleFault& entry : invisible_faults())
    if (entry.fault == fault && (entry.operation.empty() || entry.operation == operation) && (entry.formats.empty() || entry.formats == formats)) return std::string(entry.proof);
  return "";
}

}  // namespace assay
