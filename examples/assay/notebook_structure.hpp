#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay_program {

/// A code cell, as it stands in the notebook.
struct CodeCell {
  std::size_t number = 0;  ///< of the cell in its notebook, from 1
  std::string source;
};

/// What the bytes of a notebook are found to be.
struct NotebookStructure {
  std::vector<std::string> problems;  ///< with the cell where it is one's; none: it is whole
  std::vector<CodeCell> code;         ///< what could be read of it
  std::string language;               ///< lower case, as its metadata tell; empty: they do not
  int minor = 0;                      ///< of nbformat 4.minor
  std::size_t cells = 0;
};

/// Holds bytes to nbformat 4: https://nbformat.readthedocs.io/en/latest/format_description.html. O(bytes) time and
/// memory; lists in lists are read to 100 levels.
[[nodiscard]] NotebookStructure read_notebook(const std::string& bytes);

}  // namespace assay_program
