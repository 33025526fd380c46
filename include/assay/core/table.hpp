#pragma once

#include <string>
#include <vector>

namespace assay::inline v0 {

/// A table without a medium: reports decide how it looks. Every row has as many cells as there are columns.
struct Table {
  std::string title;  ///< what the table shows
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< cells of text, row by row
};

}  // namespace assay::inline v0
