#pragma once

#include <string>
#include <vector>

namespace assay_program {

/// Something that the tool, its Python package, its labs or its examples use where it is there.
struct OptionalPart {
  std::string name;     ///< as its users call it
  std::string purpose;  ///< what is had by it
  std::string state;    ///< "here", "not here", "built in", "not built in"
  std::string command;  ///< that brings it, on Debian and Ubuntu, or by pip
};

/// All of them but kernel libraries, collective runtimes and devices, which `doctor` tells by themselves. Looks for
/// files and asks one Python which modules it would find; loads nothing of them.
[[nodiscard]] std::vector<OptionalPart> optional_parts();

}  // namespace assay_program
