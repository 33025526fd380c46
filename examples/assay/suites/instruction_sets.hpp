#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/suite/case.hpp"

namespace assay_program {

/// Kernels of a library for an instruction set that it can be told to use, by an environment variable that it reads
/// when it starts. Such kernels run in processes of their own, and their backend is called "<library>@<name>".
struct InstructionSetChoice {
  std::string name;         ///< "sse41"
  std::string environment;  ///< "DNNL_MAX_CPU_ISA=SSE41"
};

/// Those of a library that this processor has; empty for libraries that cannot be told.
[[nodiscard]] std::vector<InstructionSetChoice> instruction_set_choices(std::string_view library);

/// "onednn" of "onednn@sse41".
[[nodiscard]] std::string library_of(std::string_view backend);
/// The environment variable of "onednn@sse41", empty for "onednn".
[[nodiscard]] std::string environment_of_backend(std::string_view backend);

/// Names the backend of all cases of a library "<library>@<choice>", in ids and labels.
void rename_backend(assay::Suite& cases, const std::string& library, const std::string& choice);

}  // namespace assay_program
