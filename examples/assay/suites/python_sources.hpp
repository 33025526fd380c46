#pragma once

#include <vector>

namespace assay_program {

/// A module of the worker that computes kernels of Python: those files of examples/python that need no library of ours.
struct PythonSource {
  const char* name;
  const char* text;
};

/// In the order in which they are imported. The build writes them.
[[nodiscard]] const std::vector<PythonSource>& python_sources();

}  // namespace assay_program
