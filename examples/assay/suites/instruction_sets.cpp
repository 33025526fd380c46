#include "suites/instruction_sets.hpp"

#include "assay/core/instruction_set.hpp"

namespace assay_program {

std::vector<InstructionSetChoice> instruction_set_choices(std::string_view library) {
  std::vector<InstructionSetChoice> choices;
#if defined(__x86_64__)
  const assay::InstructionSet widest = assay::widest_instruction_set();
  const auto add = [&](assay::InstructionSet needed, const char* name, const char* environment) {
    if (widest >= needed) choices.push_back({name, environment});
  };
  using enum assay::InstructionSet;
  if (library == "onednn") {
    add(baseline, "sse41", "DNNL_MAX_CPU_ISA=SSE41");
    add(avx2, "avx2", "DNNL_MAX_CPU_ISA=AVX2");
    add(avx512, "avx512_core", "DNNL_MAX_CPU_ISA=AVX512_CORE");
  }
  if (library == "openblas") {
    add(baseline, "nehalem", "OPENBLAS_CORETYPE=Nehalem");
    add(avx2, "haswell", "OPENBLAS_CORETYPE=Haswell");
    add(avx2, "zen", "OPENBLAS_CORETYPE=Zen");
    add(avx512, "skylakex", "OPENBLAS_CORETYPE=SkylakeX");
  }
#endif
  static_cast<void>(library);
  return choices;
}

std::string library_of(std::string_view backend) {
  return std::string(backend.substr(0, backend.find('@')));
}

std::string environment_of_backend(std::string_view backend) {
  const std::string library = library_of(backend);
  for (const InstructionSetChoice& choice : instruction_set_choices(library))
    if (backend == library + "@" + choice.name) return choice.environment;
  return {};
}

void rename_backend(assay::Suite& cases, const std::string& library, const std::string& choice) {
  const std::string part = "/" + library + "/", renamed = library + "@" + choice;
  for (assay::Case& entry : cases) {
    if (const std::size_t place = entry.id.find(part); place != std::string::npos)
      entry.id.replace(place + 1, library.size(), renamed);
    entry.labels["backend"] = renamed;
  }
}

}  // namespace assay_program
