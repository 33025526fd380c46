#pragma once

#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace assay::inline v0 {

/// What the run-time variants of the numeric layers are compiled for, in ascending order of width.
enum class InstructionSet {
  baseline,  ///< whatever the unit was compiled for; 16-byte vectors
  avx2,      ///< AVX2 with FMA and F16C; 32-byte vectors
  avx512     ///< AVX-512 F, BW, DQ and VL; 64-byte vectors
};

/// From the least demanding to the most.
inline constexpr std::array<InstructionSet, 3> all_instruction_sets{InstructionSet::baseline, InstructionSet::avx2,
                                                                    InstructionSet::avx512};

/// The name in reports and environment variables.
[[nodiscard]] constexpr std::string_view name_of(InstructionSet set) noexcept {
  switch (set) {
    case InstructionSet::baseline: return "baseline";
    case InstructionSet::avx2: return "avx2";
    case InstructionSet::avx512: return "avx512";
  }
  return "baseline";
}

/// The set of that name; nothing where the name is unknown.
[[nodiscard]] constexpr std::optional<InstructionSet> instruction_set_named(std::string_view name) noexcept {
  for (InstructionSet set : all_instruction_sets)
    if (name_of(set) == name) return set;
  return std::nullopt;
}

/// The widest that this machine runs.
[[nodiscard]] inline InstructionSet widest_instruction_set() noexcept {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  // F16C came before AVX2 on every processor; clang 16 cannot ask for it
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return wide ? InstructionSet::avx512 : InstructionSet::avx2;
  }
#endif
  return InstructionSet::baseline;
}

/// The one in use: the widest that this machine runs, or a narrower one that the environment variable
/// ASSAY_INSTRUCTION_SET names when the program first asks. A name that is unknown, or wider than the machine, is
/// ignored.
[[nodiscard]] inline InstructionSet instruction_set() noexcept {
  static const InstructionSet chosen = [] {
    const InstructionSet widest = widest_instruction_set();
    const char* wish = std::getenv("ASSAY_INSTRUCTION_SET");
    const auto named = wish != nullptr ? instruction_set_named(wish) : std::nullopt;
    return named && *named < widest ? *named : widest;
  }();
  return chosen;
}

}  // namespace assay::inline v0
